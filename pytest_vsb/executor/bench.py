"""The judges of one worker process, made when they are needed and kept for the next job."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable, VsbError
from pytest_vsb.executor import repositories
from pytest_vsb.executor.identity import Texts, differences, lean_name
from pytest_vsb.executor.jobs import Job, JudgeSettings
from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.identity import lean_identity
from pytest_vsb.judge.located import Key, key
from pytest_vsb.judge.shelf import open_originals
from pytest_vsb.judge.warm import Sessions
from pytest_vsb.lean import cache, machine, process, toolchain
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.sandbox.choose import choose
from pytest_vsb.lean.slots import LeanSlots
from pytest_vsb.repository.store import Store
from pytest_vsb.tasks.model import Task

_MOST_IDLE = 16
"""Judges kept; each holds what its tasks' files compile to."""

_LOOKING_SHARE = 0.05
"""How much of the time goes to looking whether compiled modules have been built anew."""


class Refused(Exception):
    """This worker is not the one to judge a task; ``reasons`` say why, ``modules`` are the digests
    of the imported modules where those are among the reasons."""

    def __init__(self, *reasons: str, modules: Mapping[str, str] | None = None) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons
        self.modules = modules or {}


@dataclass
class _Judge:
    """A checker, for one job at a time: whose, by which Lean, what it has read, and for which
    tasks."""

    root: Path
    settings: JudgeSettings
    lean: tuple[str, ...]
    checker: Checker
    sessions: Sessions
    seen: dict[str, str] = field(default_factory=dict)
    tasks: set[Key] = field(default_factory=set)
    files: dict[str, _File] = field(default_factory=dict)

    def closeness(self, task: Task) -> int:
        """How much of what the task needs it has done already."""
        return 2 * (key(task) in self.tasks) + any(path == task.path for path, *_ in self.tasks)

    def is_out_of_date(self, path: str) -> bool:
        """Whether what a file imports has been built anew since it was read. What the checker and
        its warm Leans know of the file is no longer so then. Not looked at each time."""
        file = self.files.get(path)
        begin = time.monotonic()
        if file is None or begin < file.not_before:
            return False
        try:
            same = self.checker.unchanged(file.task)
        except (VsbError, OSError):
            same = False
        end = time.monotonic()
        file.not_before = end + (end - begin) / _LOOKING_SHARE
        return not same


@dataclass
class _File:
    """A file of which a judge knows what it imports: one of its tasks, and when to look again."""

    task: Task
    not_before: float = 0.0


class Bench:
    """Lends a checker for each job. Safe in any thread; a checker is lent to one at a time.

    Args:
        directory: where the repositories are; by default, see :mod:`.repositories`.
        suspect: called when a warm Lean was found to be wrong.
    """

    def __init__(
        self, directory: Path | None = None, *, suspect: Callable[[], object] | None = None
    ) -> None:
        self._directory = directory
        self._suspect = suspect
        self._lock = threading.Lock()
        self._texts = Texts()
        self._leans: dict[tuple[str, Path, str], toolchain.Toolchain] = {}
        self._originals: Store | None = None
        self._idle: list[_Judge] = []

    @contextlib.contextmanager
    def checker(self, job: Job) -> Iterator[Checker]:
        """A checker for a job's task, once it is certain that this machine has the same of all that
        the verdict depends on.

        Raises:
            Refused: it has not.
            EnvironmentUnavailable: the task cannot be judged here; see ``Checker.prepare``.
            UsageError: this machine's settings cannot be used.
        """
        judge = self._take(job)
        try:
            if job.task.path not in judge.files:
                # What it imports now, before anything is made of that.
                judge.checker.fingerprint(job.task)
                judge.files[job.task.path] = _File(job.task)
            yield judge.checker
        finally:
            with self._lock:
                judge.tasks.add(key(job.task))
                if _is_cancelled():
                    # It may have noted what failed by that as something that always fails.
                    judge.sessions.close()
                else:
                    self._idle.append(judge)
                while len(self._idle) > _MOST_IDLE:
                    self._idle.pop(0).sessions.close()

    def close(self) -> None:
        """End the warm Leans that wait for the next job, and close what is kept on disk."""
        with self._lock:
            while self._idle:
                self._idle.pop().sessions.close()
            store, self._originals = self._originals, None
        if store is not None:
            store.close()

    def _kept(self, settings: JudgeSettings) -> Store | None:
        """Where compiled original files are kept from job to job, if they are."""
        with self._lock:
            if self._originals is None and settings.cache:
                self._originals = open_originals()
            return self._originals if settings.cache else None

    def _take(self, job: Job) -> _Judge:
        root = self._root(job.repository)
        try:
            lean = self._lean(job.settings.lean, root)
            with self._lock:
                reading = self._texts.read(root, job.task, lean_name(lean))
                differ = differences(reading.identity, job.identity, job.task)
                if differ:
                    alike = reading.identity.imports == job.identity.imports
                    raise Refused(*differ, modules=None if alike else reading.modules)
                files = tuple(lean_identity(lean))
                judge = self._known(root, job, files, reading.seen)
            if judge is None:
                kept = self._kept(job.settings)
                judge = _new_judge(root, job.settings, lean, files, kept, self._suspect)
        except EnvironmentUnavailable as error:
            raise Refused(str(error)) from error
        judge.seen.update(reading.seen)
        return judge

    def _lean(self, request: str, root: Path) -> toolchain.Toolchain:
        pin = toolchain.read_pin(root)
        place = (request, root, pin.name if pin is not None else "")
        if place not in self._leans:
            self._leans[place] = toolchain.find(request, project=root)
        return self._leans[place]

    def _root(self, name: str) -> Path:
        here = repositories.repositories(self._directory)
        root = here.get(repositories.base_name(name))
        if root is None:
            names = ", ".join(sorted(here)) or "none"
            raise Refused(f"the repository {name} is not here any more; here are: {names}")
        return root

    def _known(
        self, root: Path, job: Job, lean: tuple[str, ...], seen: Mapping[str, str]
    ) -> _Judge | None:
        """An idle judge, if there is one: rather one that knows the task, or its file. Those that
        have read what has changed since, are thrown away."""
        fitting = []
        for judge in [*self._idle]:
            if judge.root != root:
                continue
            changed = any(judge.seen.get(name, digest) != digest for name, digest in seen.items())
            if changed or judge.is_out_of_date(job.task.path):
                self._idle.remove(judge)
                judge.sessions.close()
            elif judge.settings == job.settings and judge.lean == lean:
                fitting.append(judge)
        if not fitting:
            return None
        best = max(reversed(fitting), key=lambda judge: judge.closeness(job.task))
        self._idle.remove(best)
        return best


def _is_cancelled() -> bool:
    cancel = process.CANCEL.get()
    return cancel is not None and cancel.is_set()


def _new_judge(
    root: Path,
    settings: JudgeSettings,
    lean: toolchain.Toolchain,
    files: tuple[str, ...],
    originals: Store | None,
    suspect: Callable[[], object] | None,
) -> _Judge:
    jobs, kept = repositories.lean_jobs(), cache.directory().path
    # Of the machine, which may have several workers.
    slots = LeanSlots(kept / "dask-slots", jobs)
    sessions = Sessions.of(
        settings.session,
        planned=settings.planned,
        slots=slots,
        disagreements=kept / "disagreements",
        suspect=suspect,
    )
    checker = Checker(
        open_project(root, lean),
        settings.limits,
        slots=slots,
        policy=settings.policy,
        sandbox=choose(settings.sandbox, lean),
        assurance=settings.assurance,
        sessions=sessions,
        originals=originals,
        threads=max(1, machine.cores() // jobs),
    )
    return _Judge(root, settings, files, checker, sessions)
