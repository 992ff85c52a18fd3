"""One process's share of a run: it prepares tasks, makes the attempts, journals everything."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_vsb.context.tokens import token_counter
from pytest_vsb.errors import EnvironmentUnavailable, described
from pytest_vsb.executor.address import address_of, is_remote
from pytest_vsb.executor.jobs import JudgeSettings
from pytest_vsb.judge.cache import CachedJudge, VerdictCache, open_verdicts
from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.shelf import open_originals
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.judge.warm import Sessions
from pytest_vsb.lean import machine, toolchain
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.sandbox.choose import choose
from pytest_vsb.lean.slots import LeanSlots
from pytest_vsb.provers import registry
from pytest_vsb.provers.base import Candidate, Excluded, Prover, Usage
from pytest_vsb.run.budget import Budget, BudgetExhausted
from pytest_vsb.run.changes import changes
from pytest_vsb.run.contexts import Contexts
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.history import ItemHistory
from pytest_vsb.run.journal import Journal
from pytest_vsb.run.loop import Judge, TaskLoop
from pytest_vsb.run.records import Attempt
from pytest_vsb.run.settings import Settings
from pytest_vsb.tasks.dataset import task_digest
from pytest_vsb.tasks.locate import project_root
from pytest_vsb.tasks.model import Task

if TYPE_CHECKING:
    from pytest_vsb.executor.cluster import Cluster
    from pytest_vsb.executor.remote import RemoteJudge
    from pytest_vsb.repository.store import Store

KNOWN_BAD = "known_bad"
"""The status of a task that is known to be false or unprovable."""


class Workshop:
    """The provers, Leans and projects of one process, each made when first needed.

    ``slots_directory`` holds the locks by which all workers together keep to
    ``settings.lean_jobs`` Lean processes; without it there is no bound. ``contexts_directory`` is
    where contexts are recorded, if they are, ``disagreements_directory`` where it is kept in what
    warm Leans and fresh ones do not agree, ``waiting_directory`` where it is told that checks wait
    for a worker of a cluster.
    """

    def __init__(
        self,
        settings: Settings,
        factories: Mapping[str, registry.ProverFactory] | None = None,
        *,
        slots_directory: Path | None = None,
        contexts_directory: Path | None = None,
        disagreements_directory: Path | None = None,
        waiting_directory: Path | None = None,
    ) -> None:
        self.settings = settings
        self.slots_directory = slots_directory
        self.contexts_directory = contexts_directory
        self.disagreements_directory = disagreements_directory
        self.waiting_directory = waiting_directory
        self._factories = dict(factories or {})
        self._checkers: dict[Path, Checker] = {}
        self._remotes: dict[Path, RemoteJudge] = {}
        self._prover: Prover | None = None

    @property
    def prover(self) -> Prover:
        """The prover; raises ``UsageError`` if it cannot be made."""
        if self._prover is None:
            self._prover = registry.create(self.settings.spec, self._factories)
        return self._prover

    def checker(self, task: Task) -> Checker:
        """The judge for ``task``'s project; raises ``EnvironmentUnavailable``."""
        root = project_root(task, self.settings.repos)
        if root not in self._checkers:
            lean = toolchain.find(self.settings.lean, project=root)
            project = open_project(root, lean)
            self._checkers[root] = Checker(
                project,
                self.settings.limits,
                slots=self._slots,
                policy=self.settings.policy,
                sandbox=choose(self.settings.sandbox, lean),
                assurance=self.settings.assurance,
                sessions=self._sessions,
                originals=self._originals,
                # Together the processes should use the cores, not fight for them.
                threads=max(1, machine.cores() // self.settings.lean_jobs),
            )
        return self._checkers[root]

    def judge(self, task: Task) -> Judge:
        """What judges candidates for ``task``: its checker, behind whatever saves that work, or the
        workers of a cluster, which do so themselves; raises ``EnvironmentUnavailable``."""
        bench = self.bench(task)
        if not isinstance(bench, Checker):
            return bench
        return CachedJudge(bench, bench.check, self.verdicts)

    def bench(self, task: Task) -> Checker | RemoteJudge:
        """Who judges candidates for ``task`` in the end; raises ``EnvironmentUnavailable``."""
        settings = self.settings
        if not is_remote(settings.executor):
            return self.checker(task)
        from pytest_vsb.executor.remote import RemoteJudge

        root = project_root(task, settings.repos)
        if root not in self._remotes:
            asked = JudgeSettings(
                limits=settings.limits,
                policy=settings.policy,
                assurance=settings.assurance,
                sandbox=settings.sandbox,
                lean=settings.lean,
                session=settings.session,
                planned=settings.protocol.most_attempts,
                cache=settings.cache,
            )
            name = task.repository or root.name
            self._remotes[root] = RemoteJudge(root, name, self.cluster, asked)
        return self._remotes[root]

    @functools.cached_property
    def cluster(self) -> Cluster:
        """The connection to the cluster of an executor that is remote."""
        from pytest_vsb.executor.cluster import Cluster
        from pytest_vsb.executor.waiting import Notice

        directory = self.waiting_directory
        notice = None if directory is None else Notice(directory)
        return Cluster(address_of(self.settings.executor), notice=notice)

    @functools.cached_property
    def verdicts(self) -> VerdictCache:
        """The verdicts that need not be found again."""
        session = self.settings.session
        # What is to be verified is judged from scratch each time.
        kept = self.settings.cache and session != "verify"
        return VerdictCache(open_verdicts() if kept else None, sessions=session != "off")

    @functools.cached_property
    def _originals(self) -> Store | None:
        return open_originals() if self.settings.cache else None

    def expect(self, task: Task) -> None:
        """Say that a task's turn comes soon, so that what can be made ready beside other work is;
        never raises."""
        if is_remote(self.settings.executor):
            return
        with contextlib.suppress(EnvironmentUnavailable):
            # Opening a project can take long, and is not done beside other work.
            checker = self._checkers.get(project_root(task, self.settings.repos))
            if checker is not None:
                checker.expect(task)

    @functools.cached_property
    def _sessions(self) -> Sessions:
        return Sessions.of(
            self.settings.session,
            planned=self.settings.protocol.most_attempts,
            slots=self._slots,
            disagreements=self.disagreements_directory,
            suspect=lambda: self.verdicts.forget_sessions(),
        )

    @functools.cached_property
    def _slots(self) -> LeanSlots | None:
        if self.slots_directory is None:
            return None
        return LeanSlots(self.slots_directory, self.settings.lean_jobs)

    @property
    def context_budget(self) -> int | None:
        """The most tokens that a context may have, if that is known; raises ``UsageError``."""
        given = self.settings.context_tokens
        return getattr(self.prover, "context_tokens", None) if given is None else given

    @functools.cached_property
    def contexts(self) -> Contexts:
        """What the prover may see of repositories; raises ``UsageError``."""
        settings = self.settings
        return Contexts(
            settings.context,
            token_counter(settings.tokenizer),
            budget=self.context_budget,
            directory=self.contexts_directory,
        )

    def check(self, task: Task, candidate: Candidate) -> Verdict:
        """Judge one candidate; a broken environment is an ``unavailable`` verdict."""
        try:
            return self.judge(task).check(task, candidate)
        except EnvironmentUnavailable as error:
            return Verdict(VerdictKind.UNAVAILABLE, reason=str(error))

    def settle(self) -> None:
        """Give back what an exception at a bad moment, such as a time limit's, has left with this
        thread of what is shared with other processes: to be called when it judges nothing."""
        if "_sessions" in self.__dict__:
            self._sessions.pool.settle()
        slots = self.__dict__.get("_slots")
        if slots is not None:
            slots.settle()

    def close(self) -> None:
        """End the warm Leans and the connection to a cluster, and close the prover; one that cannot
        be closed is warned of, since its results stand."""
        if "_sessions" in self.__dict__:
            self._sessions.close()
        if "verdicts" in self.__dict__:
            self.verdicts.close()
        originals: Store | None = self.__dict__.get("_originals")
        if originals is not None:
            originals.close()
        self._remotes.clear()
        cluster: Cluster | None = self.__dict__.pop("cluster", None)
        if cluster is not None:
            cluster.close()
        prover, self._prover = self._prover, None
        if prover is None:
            return
        try:
            prover.close()
        except Exception as error:
            warnings.warn(
                f"prover {prover.name!r} could not be closed: {type(error).__name__}: {error}",
                RuntimeWarning,
                stacklevel=2,
            )


class RunSession:
    """The attempts of one process in one run.

    Args:
        workshop: the process's provers and judges.
        directory: the run directory.
        worker: the process's name, for its journal.
        history: what earlier sessions did, if that is to be kept.
    """

    def __init__(
        self,
        workshop: Workshop,
        directory: RunDirectory,
        worker: str,
        *,
        history: Mapping[str, ItemHistory] | None = None,
    ) -> None:
        self.workshop = workshop
        self.directory = directory
        self.worker = worker
        self._history: Mapping[str, ItemHistory] = history if history is not None else {}
        self._prepared: _Prepared | None = None

    @functools.cached_property
    def budget(self) -> Budget:
        settings = self.workshop.settings
        return Budget(self.directory.budget, settings.max_cost, settings.max_tokens)

    @functools.cached_property
    def journal(self) -> Journal:
        return self.directory.open_journal(self.worker)

    def prepare(self, task: Task, nodeid: str) -> None:
        """Begin an item: journal it and make sure its environment works.

        Raises:
            EnvironmentUnavailable: it does not; the item has been ended as ``unavailable``.
            BudgetExhausted: the run may spend no more; it has been ended as ``budget``.
        """
        digest, basis = self._look_back(task, nodeid)
        self.journal.started(nodeid, digest, basis)
        try:
            self.budget.check()
            self.workshop.bench(task).prepare(task)
        except BudgetExhausted as error:
            self.journal.ended(nodeid, "budget", str(error))
            raise
        except EnvironmentUnavailable as error:
            self.journal.ended(nodeid, "unavailable", str(error))
            raise
        except BaseException as error:
            self.journal.ended(nodeid, "interrupted", type(error).__name__)
            raise

    def leave_out(self, task: Task, nodeid: str) -> None:
        """Journal that a task that is known to be bad is not attempted."""
        self.journal.started(nodeid)
        self.journal.ended(nodeid, KNOWN_BAD, task.known_bad)

    def earlier(self, nodeid: str) -> ItemHistory:
        """What earlier sessions did at the item that was prepared last; nothing if the task or
        its file has changed since, lest a proof of the old statement counts for the new one."""
        prepared = self._prepared
        if prepared is None or prepared.nodeid != nodeid:
            return ItemHistory()
        return prepared.earlier

    def anew(self, nodeid: str) -> tuple[str, ...]:
        """What has changed, in words, so that earlier sessions' attempts at the item that was
        prepared last do not count; empty if they count, or if there are none."""
        prepared = self._prepared
        return prepared.anew if prepared is not None and prepared.nodeid == nodeid else ()

    def _look_back(self, task: Task, nodeid: str) -> tuple[str, dict[str, str]]:
        """Find what earlier sessions did at an item; returns its digest now, and what that is made
        of."""
        history = self._history.get(nodeid, ItemHistory())
        try:
            digest, basis = self._digest(task)
        except EnvironmentUnavailable:
            # Nobody knows whether it has changed: as in the journals, what was made stands.
            self._prepared = _Prepared(nodeid, history)
            return "", {}
        if history.digest == digest:
            self._prepared = _Prepared(nodeid, history)
        else:
            anew = changes(history.basis, basis) if history.begun else ()
            self._prepared = _Prepared(nodeid, ItemHistory(), anew)
        return digest, basis

    def _digest(self, task: Task) -> tuple[str, dict[str, str]]:
        bench, statement = self.workshop.bench(task), task_digest(task)
        whole = hashlib.sha256(f"{statement} {bench.fingerprint(task)}".encode()).hexdigest()
        return whole, {"statement": statement[:16], **bench.basis(task)}

    def run(
        self, task: Task, nodeid: str, attempts: list[Attempt], following: Task | None = None
    ) -> tuple[str, str]:
        """Make all attempts at an item that has been prepared.

        While the last answers are waited for, what can be is made ready for ``following``, the task
        of the item that comes next. Each attempt is added to ``attempts`` when it is made, so that
        the caller has them also when an exception comes from outside, such as a time limit's or
        Ctrl-C; the item's end is journaled all the same. Returns its status and reason, as in
        ``TaskResult``.
        """
        loop = TaskLoop(
            task,
            nodeid,
            prover=self.workshop.prover,
            judge=self.workshop.judge(task),
            protocol=self.workshop.settings.protocol,
            recorder=self.journal,
            earlier=self.earlier(nodeid),
            budget=self.budget,
            contexts=self.workshop.contexts,
            waits=lambda: self._expect(following, task),
        )
        try:
            for attempt in loop.run():
                attempts.append(attempt)
        except (KeyboardInterrupt, SystemExit) as error:
            self.journal.ended(nodeid, "interrupted", type(error).__name__)
            raise
        except BudgetExhausted as error:
            self.journal.ended(nodeid, "budget", str(error))
            raise
        except Excluded as error:
            self.journal.ended(nodeid, "excluded", str(error))
            raise
        except Exception as error:
            # If it is the journal that fails, it cannot say so either.
            with contextlib.suppress(OSError):
                self.journal.ended(nodeid, "unavailable", described(error))
            raise
        except BaseException as error:
            # pytest ends an item over its time limit by an exception of its own kind.
            reason = str(error) or type(error).__name__
            attempts.extend(loop.cut_off(VerdictKind.TIMEOUT, reason))
            self.journal.ended(nodeid, "cut_off", reason)
            raise
        finally:
            self.workshop.settle()
        status, reason = _status(attempts)
        if task.known_bad and status == "done":
            status, reason = KNOWN_BAD, task.known_bad
        self.journal.ended(nodeid, status, reason)
        return status, reason

    def _expect(self, following: Task | None, task: Task) -> None:
        if following is None or following.known_bad:
            return
        if (following.repository, following.root, following.path) != (
            task.repository,
            task.root,
            task.path,
        ):
            self.workshop.expect(following)

    def close(self) -> None:
        self.workshop.close()
        if "journal" in self.__dict__:
            self.journal.close()


@dataclass(frozen=True)
class _Prepared:
    """The item that was prepared last: its nodeid, what counts of what was done before, and why
    something does not. Of all others nothing is kept."""

    nodeid: str
    earlier: ItemHistory
    anew: tuple[str, ...] = ()


def _status(attempts: list[Attempt]) -> tuple[str, str]:
    if attempts and not any(attempt.verdict.counts for attempt in attempts):
        return "unavailable", attempts[0].verdict.reason
    return "done", ""


def end_crashed(history: ItemHistory, journal: Journal, nodeid: str, reason: str) -> None:
    """Journal, on behalf of a process that died, the attempts that it left in flight, by what the
    journals say of its item, and the end of the item."""
    for place in sorted(history.asked):
        sample, round = place
        answer = history.answers.get(place)
        attempt = Attempt(
            nodeid=nodeid,
            sample=sample,
            round=round,
            verdict=Verdict(VerdictKind.CRASHED, reason=reason),
            candidate=answer.candidate if answer else None,
            usage=answer.usage if answer else Usage(),
            complete=False,
        )
        journal.judged(attempt)
    journal.ended(nodeid, "crashed", reason)
