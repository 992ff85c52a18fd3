"""A judge whose checks are made on a cluster. What is only about texts is done here."""

from __future__ import annotations

import dataclasses
import warnings
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path

from distributed import Future

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.executor import work
from pytest_vsb.executor.cluster import Cluster, Work
from pytest_vsb.executor.identity import Identity, Texts, code_version, expected_lean
from pytest_vsb.executor.jobs import Job, JudgeSettings, Reply, decode, encode, lean_task
from pytest_vsb.judge.cache import lasts
from pytest_vsb.judge.check import normal
from pytest_vsb.judge.located import Key, before, key, read_target
from pytest_vsb.judge.messages import excerpt
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.provers.base import Candidate
from pytest_vsb.source.model import Declaration, Source
from pytest_vsb.source.splice import Submission, splice
from pytest_vsb.tasks.model import Task

_ANCHORS = 4
"""Files whose results are kept where they were made, so that more of the same goes there."""
_NAMED = 5


class RemoteJudge:
    """Judges candidates for the tasks of one Lean project on the workers of a cluster.

    The texts of the project must be on this machine, since prompts are made of them; neither a
    Lean nor a build is needed here. Each check is made by a worker that has the same texts and the
    same Lean, or by none.

    Args:
        root: the project.
        repository: the name under which workers know it.
        cluster: the connection.
        settings: what the judge depends on.
    """

    def __init__(
        self, root: Path, repository: str, cluster: Cluster, settings: JudgeSettings
    ) -> None:
        self.root = root
        self.repository = repository
        self._cluster = cluster
        self._settings = settings
        self._texts = Texts()
        self._lean: str | None = None
        self._identities: dict[Key, Identity] = {}
        self._located: dict[Key, tuple[Source, Declaration]] = {}
        self._verdicts: dict[tuple[Key, str, str], Verdict] = {}
        self._anchors: OrderedDict[str, Future] = OrderedDict()
        # Of each file, the workers that cannot judge its tasks, and why.
        self._refused: dict[str, dict[str, str]] = {}
        self._told: set[str] = set()

    def fingerprint(self, task: Task) -> str:
        """The SHA-256 of the texts that a verdict depends on beside the candidate, the Lean and
        the policy. It is the same on every machine, and never that of a judge here.

        Raises:
            EnvironmentUnavailable: the file or the target is missing.
        """
        return f"{self._identity(task).digest} {self._settings.policy}"

    def basis(self, task: Task) -> dict[str, str]:
        """What the fingerprint is made of; see ``Checker.basis``."""
        files = self._identity(task).digest[:16]
        return {"judge": "on a cluster", "policy": self._settings.policy, "files": files}

    def prefix(self, task: Task) -> str:
        """The text of the task's file before the target; see ``Checker.prefix``."""
        return before(*self._locate(task))

    def submission(self, task: Task, candidate: Candidate) -> Submission:
        """The task's file with the candidate in place of the proof; see ``Checker.submission``."""
        source, target = self._locate(task)
        candidate = normal(candidate)
        return splice(source, target, auxiliary=candidate.auxiliary, proof=candidate.proof)

    def excerpts(self, task: Task, candidate: Candidate, verdict: Verdict) -> tuple[str, ...]:
        """For each diagnostic, the numbered source lines around it; see ``Checker.excerpts``."""
        lines = self.submission(task, candidate).text.split("\n")
        return tuple(excerpt(lines, diagnostic) for diagnostic in verdict.diagnostics)

    def prepare(self, task: Task) -> None:
        """Make sure that some worker can judge the task.

        Raises:
            EnvironmentUnavailable: none can.
        """
        self._ask(work.prepare, task, None)

    def check(self, task: Task, candidate: Candidate) -> Verdict:
        """Judge one candidate.

        Raises:
            EnvironmentUnavailable: no worker can.
        """
        candidate = normal(candidate)
        place = (key(task), candidate.auxiliary, candidate.proof)
        if place in self._verdicts:
            return dataclasses.replace(self._verdicts[place], cached=True)
        verdict = self._ask(work.check, task, candidate).verdict
        if verdict is None:
            raise EnvironmentUnavailable("a Dask worker gave no verdict", where=task.id)
        # How many threads its Lean was given, only the worker knows; and a session that is found to
        # be wrong is forgotten there.
        fresh = verdict.checker == "batch" and verdict.kind is not VerdictKind.TIMEOUT
        if lasts(verdict) and fresh:
            if any(known[0] != place[0] for known in self._verdicts):
                self._verdicts.clear()  # of the task before
            self._verdicts[place] = verdict
        return verdict

    def close(self) -> None:
        """Let go of what is kept on workers."""
        self._anchors.clear()

    # Steps

    def _locate(self, task: Task) -> tuple[Source, Declaration]:
        if key(task) not in self._located:
            path = self.root / task.path
            if not path.is_file():
                raise EnvironmentUnavailable(
                    f"the repository {self.root} has no file {task.path}",
                    where=task.id,
                    hint="the repository's text must be on this machine, too, at the commit of the "
                    "task file; a build is not needed here",
                )
            self._located[key(task)] = read_target(task, path)
        return self._located[key(task)]

    def _identity(self, task: Task) -> Identity:
        if key(task) not in self._identities:
            self._locate(task)
            if self._lean is None:
                self._lean = expected_lean(self._settings.lean, self.root)
            self._identities[key(task)] = self._texts.read(self.root, task, self._lean).identity
        return self._identities[key(task)]

    def _ask(self, what: Work, task: Task, candidate: Candidate | None) -> Reply:
        job = Job(
            plugin=code_version(),
            repository=self.repository,
            task=lean_task(task),
            settings=self._settings,
            identity=self._identity(task),
            candidate=candidate,
        )
        data = encode(job)
        while True:
            done = self._cluster.run(
                what,
                data,
                self.repository,
                anchor=self._anchors.get(task.path),
                avoid=[*self._refused.get(task.path, ())],
            )
            reply = decode(done.data, Reply)
            if not reply.refused:
                break
            self._refuse(task, reply)
        self._keep(task.path, done.future)
        if reply.trouble is not None:
            trouble = reply.trouble
            where = f"on {reply.worker}: {trouble.where}" if trouble.where else f"on {reply.worker}"
            raise EnvironmentUnavailable(trouble.message, where=where, hint=trouble.hint)
        return reply

    def _refuse(self, task: Task, reply: Reply) -> None:
        """Note that a worker cannot judge a task; others may.

        Raises:
            EnvironmentUnavailable: there are no others.
        """
        reasons = "; ".join((*reply.refused, *self._modules(task, reply.modules)))
        refused = self._refused.setdefault(task.path, {})
        refused[reply.worker] = reasons
        if all(worker in refused for worker in self._cluster.having(self.repository)):
            told = "\n".join(f"  {worker}: {why}" for worker, why in refused.items())
            del self._refused[task.path]  # they are asked again for the next task
            raise EnvironmentUnavailable(
                f"no Dask worker can judge this task:\n{told}",
                where=task.id,
                hint="give the workers the same commit, Lean and pytest-vsb as this machine has",
            )
        if reply.worker not in self._told:
            self._told.add(reply.worker)
            warnings.warn(
                f"the Dask worker {reply.worker} cannot judge tasks of {task.path}: {reasons}",
                RuntimeWarning,
                stacklevel=2,
            )

    def _modules(self, task: Task, theirs: Mapping[str, str]) -> tuple[str, ...]:
        """Which modules are others there."""
        if not theirs:
            return ()
        ours = self._texts.read(self.root, task, self._lean or "").modules
        names = sorted(name for name in ours if theirs.get(name) != ours[name])
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        return (f"they are {', '.join(names[:_NAMED])}{more}",) if names else ()

    def _keep(self, path: str, future: Future) -> None:
        self._anchors[path] = future
        self._anchors.move_to_end(path)
        while len(self._anchors) > _ANCHORS:
            self._anchors.popitem(last=False)
