"""The judge: one candidate in, one verdict out.

Acceptance takes two processes. The first compiles the task's file with the candidate spliced in;
the second, which never elaborates candidate text, looks at what came out. Nothing is accepted on
the word of the first alone.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge import audit
from pytest_vsb.judge.acceptance import PRINTED, Acceptance, Judgement
from pytest_vsb.judge.located import Key, Located, before, imported, key, locate
from pytest_vsb.judge.messages import MESSAGE_LIMIT, excerpt, mapped
from pytest_vsb.judge.negation import negate
from pytest_vsb.judge.opinion import Opinion
from pytest_vsb.judge.originals import StubFails
from pytest_vsb.judge.outside.levels import Assurance
from pytest_vsb.judge.outside.model import Judge
from pytest_vsb.judge.outside.panel import REPLAY, Panel
from pytest_vsb.judge.outside.programs import Programs
from pytest_vsb.judge.policy import Profile, find_forbidden, find_unreadable
from pytest_vsb.judge.program.run import Replayer
from pytest_vsb.judge.running import LeanRun, Runner, Slots, failure, tail
from pytest_vsb.judge.shelf import Shelf
from pytest_vsb.judge.stages import Stages, compiled_file
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.judge.warm import Sessions, WarmJudge
from pytest_vsb.lean.diagnostics import Diagnostic, ParsedOutput, Severity, cap
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.project import Project
from pytest_vsb.lean.sandbox.choose import UNSANDBOXED, Choice
from pytest_vsb.lean.scratch import scratch
from pytest_vsb.provers.base import Candidate
from pytest_vsb.source.check import check_parts
from pytest_vsb.source.splice import Submission, splice, stub
from pytest_vsb.tasks.model import Task

if TYPE_CHECKING:
    from pytest_vsb.repository.store import Store

CHECKER_VERSION = "3"
"""Grows whenever a change of the judge could change a verdict. Warm sessions are no such change: a
verdict's kind and messages must be the same with and without them."""


_BY_AUDIT = (VerdictKind.ACCEPTED, VerdictKind.INCOMPLETE, VerdictKind.UNSOUND)


class Checker:
    """Judges candidates for the tasks of one Lean project.

    Writes only into scratch directories of its own, never into the project.

    Args:
        project: where the sources and compiled imports are, and with which Lean.
        limits: wall-clock seconds and resident memory for each Lean process.
        slots: a bound on Lean processes at once.
        threads: how many threads each may use; ``None`` leaves that to Lean.
        allowed_axioms: what an accepted proof may rest on.
        policy: which profile of the policy candidates must keep to.
        sandbox: what confines each Lean process; by default, nothing does.
        assurance: what an accepted proof must have passed beside the judge's own checks.
        sessions: the process's warm sessions; by default there are none.
        originals: where tasks' own files are kept, compiled, from run to run; by default they are
            not. Without a sandbox they are not, either: a candidate could write there.
    """

    def __init__(
        self,
        project: Project,
        limits: Limits,
        *,
        slots: Slots | None = None,
        threads: int | None = None,
        allowed_axioms: frozenset[str] = audit.STANDARD_AXIOMS,
        policy: Profile = "strict",
        sandbox: Choice = UNSANDBOXED,
        assurance: Assurance = "standard",
        sessions: Sessions | None = None,
        originals: Store | None = None,
    ) -> None:
        self.project = project
        self.allowed_axioms = allowed_axioms
        self.policy = policy
        self.sandbox = sandbox
        runner = Runner(project.toolchain, slots, threads, sandbox.sandbox)
        self._stages = Stages(runner, limits)
        safe = originals if sandbox.sandbox.level.is_sandbox else None
        shelf = Shelf(safe, project.toolchain) if safe is not None else None
        self._acceptance = Acceptance(self._stages, Replayer(runner), allowed_axioms, shelf)
        self._warm = WarmJudge(
            sessions or Sessions("off"), runner, self._stages, self._acceptance.originals
        )
        self._programs = Programs(project.toolchain, limits, sandbox.sandbox, slots)
        self._panel = Panel(assurance, project.root, self._programs, allowed_axioms)
        self._located: dict[Key, Located] = {}
        # A candidate is looked at several times on its way: in the cache, here, in the loop.
        self._last_submission: tuple[tuple[Key, Candidate], Submission] | None = None
        self._last_refusal: tuple[Candidate, Verdict | None] | None = None
        self._unusable: dict[Key, StubFails] = {}
        self._fingerprints: dict[Key, str] = {}
        self._bases: dict[Key, dict[str, str]] = {}

    # What the loop asks

    @property
    def limits(self) -> Limits:
        """Wall-clock seconds and resident memory for each Lean process."""
        return self._stages.limits

    @limits.setter
    def limits(self, limits: Limits) -> None:
        self._stages.limits = limits
        self._programs.limits = limits

    @property
    def threads(self) -> int | None:
        """How many threads each Lean process may use; ``None`` leaves that to Lean."""
        return self._stages.runner.threads

    @property
    def root(self) -> Path:
        """The Lean project's root."""
        return self.project.root

    def fingerprint(self, task: Task) -> str:
        """The SHA-256 of all that a verdict depends on beside the candidate: the task's file up to
        the target, the compiled modules it imports, the Lean, its options, and the judge."""
        if key(task) not in self._fingerprints:
            self._fingerprints[key(task)] = self._fingerprint(task)
        return self._fingerprints[key(task)]

    def unchanged(self, task: Task) -> bool:
        """Whether what the task's file imports is as it was when its fingerprint was taken."""
        return self._fingerprint(task) == self.fingerprint(task)

    def basis(self, task: Task) -> dict[str, str]:
        """What the fingerprint is made of: ``judge`` (its version), ``policy``, ``lean``, and
        beginnings of digests of Lean's ``options``, the file's ``text`` and the ``imports``."""
        self.fingerprint(task)
        return dict(self._bases[key(task)])

    def _fingerprint(self, task: Task) -> str:
        located = self._locate(task)
        toolchain = self.project.toolchain
        lean = f"{toolchain.kind} {toolchain.version} {toolchain.commit}"
        files = {
            "options": [*located.options],
            "text": [stub(located.source, located.target).digest],
            "imports": [*imported(located)],
        }
        self._bases[key(task)] = {
            "judge": CHECKER_VERSION,
            "policy": self.policy,
            "lean": lean,
            **{name: _digest(parts)[:16] for name, parts in files.items()},
        }
        return _digest([CHECKER_VERSION, self.policy, lean, *chain(*files.values())])

    def asks(self, task: Task) -> tuple[str, ...]:
        """What an accepted proof of the task must pass on this machine: the level of assurance, how
        the judge itself decides, and the programs of others that it asks.

        Raises:
            EnvironmentUnavailable: see :meth:`prepare`.
        """
        level = self._panel.level
        if level == "standard":
            # Nothing is compiled to find out. Where a task is an exception, `is_as_asked` says so.
            return (level, "printed" if self._acceptance.cannot_replay else "replayed")
        programs = (str(program) for judge in self._prepare(task) for program in judge.programs)
        printed = bool(self._acceptance.no_replay(task, self._locate(task)))
        return (level, "printed" if printed else "replayed", *programs)

    def is_as_asked(self, task: Task, verdict: Verdict) -> bool:
        """Whether a verdict on what compiled rests on what :meth:`asks` says for the task.

        Raises:
            EnvironmentUnavailable: see :meth:`prepare`.
        """
        if verdict.kind not in _BY_AUDIT or "replayed" not in self.asks(task):
            return True
        if verdict.accepted:
            return REPLAY in verdict.assurance
        return PRINTED not in verdict.assurance and not self._acceptance.is_exception(task)

    def prefix(self, task: Task) -> str:
        """The text of the task's file before the target (before its ``mutual`` block if any)."""
        located = self._locate(task)
        return before(located.source, located.target)

    def submission(self, task: Task, candidate: Candidate) -> Submission:
        """The task's file with the candidate in place of the proof."""
        located, candidate = self._locate(task), normal(candidate)
        asked = (key(task), candidate)
        last = self._last_submission
        if last is None or last[0] != asked:
            made = splice(
                located.source, located.target, auxiliary=candidate.auxiliary, proof=candidate.proof
            )
            last = self._last_submission = (asked, made)
        return last[1]

    def excerpts(self, task: Task, candidate: Candidate, verdict: Verdict) -> tuple[str, ...]:
        """For each diagnostic of ``verdict``, the numbered source lines around it."""
        lines = self.submission(task, candidate).text.split("\n")
        return tuple(excerpt(lines, diagnostic) for diagnostic in verdict.diagnostics)

    def prepare(self, task: Task) -> None:
        """Make sure that the task can be judged at all: its file compiles with ``sorry`` as the
        target's proof, or its warm session finds no error in it. A fresh Lean compiles it then as
        soon as that is needed.

        Raises:
            EnvironmentUnavailable: the Lean, the repository, the module or the target is missing
                or does not compile.
        """
        located = self._locate(task)
        self._tell_if_unusable(task)
        if self._panel.level == "standard" and self._warm.vouches(task, located):
            return
        self._warm.begin(located)
        self._prepare_fresh(task, located)

    def expect(self, task: Task) -> None:
        """Say that the task's turn comes soon: its warm session may be opened, in a thread."""
        self._warm.expect(lambda: self._locate(task))

    def negation(self, task: Task) -> Task:
        """The task of proving that a task's statement is false, for this checker to judge.

        Raises:
            EnvironmentUnavailable: the module or the target is missing.
            UsageError: the target is no theorem.
        """
        negated, located = negate(task, self._locate(task))
        self._located[key(negated)] = located
        return negated

    def refused(self, candidate: Candidate) -> Verdict | None:
        """The verdict on a candidate whose text alone decides; ``None`` if it takes a Lean."""
        candidate = normal(candidate)
        last = self._last_refusal
        if last is None or last[0] != candidate:
            last = self._last_refusal = (candidate, self._refused(candidate))
        return last[1]

    def _refused(self, candidate: Candidate) -> Verdict | None:
        forbidden = find_forbidden(candidate.auxiliary, candidate.proof, self.policy)
        if forbidden is not None:
            return self._verdict(VerdictKind.FORBIDDEN, str(forbidden), assurance=("policy",))
        misplaced = _misplaced(candidate)
        return self._verdict(VerdictKind.MALFORMED, misplaced) if misplaced else None

    def check(self, task: Task, candidate: Candidate) -> Verdict:
        """Judge one candidate.

        Raises:
            EnvironmentUnavailable: see :meth:`prepare`; or the machine fails during the check,
                such as by a full disk or by something that kills Lean.
        """
        located = self._locate(task)
        candidate = normal(candidate)
        refused = self.refused(candidate)
        if refused is not None:
            return refused
        self._tell_if_unusable(task)
        if self._panel.level != "standard":
            # What is missing is told before anything is judged.
            self._prepare_fresh(task, located)
        submission = self.submission(task, candidate)
        opinion = self._warm.ask(task, located, submission)
        if opinion is not None and self._warm.is_final(opinion):
            verdict = self._by_session(opinion)
        else:
            judges = self._prepare_fresh(task, located)
            alone = not candidate.auxiliary.strip()
            compiled, verdict = self._from_scratch(task, located, submission, judges, alone=alone)
            self._blame_builds(task, verdict)
            self._warm.compare(task, located, submission, opinion, compiled, verdict)
            if opinion is not None:
                verdict = dataclasses.replace(_with_seconds(verdict, opinion), compared=True)
        return dataclasses.replace(verdict, submission=submission.digest)

    # Steps

    def _from_scratch(
        self,
        task: Task,
        located: Located,
        submission: Submission,
        judges: tuple[Judge, ...],
        *,
        alone: bool,
    ) -> tuple[LeanRun, Verdict]:
        """The verdict by Lean processes of the candidate's own, and the run that compiled it."""
        with scratch() as directory:
            compiled = self._stages.compile(located, submission, directory)
            verdict = self._judge_compiled(compiled, submission, directory)
            if verdict is None:
                judgement = self._acceptance.judge(
                    task, located, directory, alone=alone, replay=self._must_replay(judges)
                )
                if judgement.accepted and judges:
                    judgement = self._ask_panel(task, judgement, submission, directory)
                verdict = self._verdict(
                    judgement.kind,
                    judgement.reason,
                    mapped(compiled.output, submission),
                    ("policy", "compile", *judgement.assurance),
                    (compiled, *judgement.runs),
                    judgement.axioms,
                )
        return compiled, verdict

    def _blame_builds(self, task: Task, verdict: Verdict) -> None:
        """See to it that no candidate is blamed for a build that replaces, at the same time, what
        the task's file imports.

        Raises:
            EnvironmentUnavailable: it has been replaced, and Lean died, found errors where there
                were none before and the candidate is not, or what it wrote is not as it should be.
        """
        odd = verdict.kind in (VerdictKind.CRASHED, VerdictKind.UNSOUND) or any(
            each.severity is Severity.ERROR and each.region == "context"
            for each in verdict.diagnostics
        )
        if odd and not self.unchanged(task):
            raise EnvironmentUnavailable(
                "the compiled modules that it imports have changed during the run",
                where=str(self._locate(task).path),
                hint="is the project being built? Begin again when it is done",
            )

    def _by_session(self, opinion: Opinion) -> Verdict:
        assert opinion.kind is not None
        checks = ("policy", opinion.checked, self.sandbox.assurance)
        verdict = self._verdict(opinion.kind, opinion.reason, opinion.diagnostics, checks)
        return dataclasses.replace(
            _with_seconds(verdict, opinion),
            peak_memory_mb=opinion.output.peak_memory_mb,
            checker="session",
        )

    def _locate(self, task: Task) -> Located:
        if key(task) not in self._located:
            self._located[key(task)] = locate(self.project, task)
        return self._located[key(task)]

    def _judge_compiled(
        self, run: LeanRun, submission: Submission, directory: Path
    ) -> Verdict | None:
        """The verdict on a compilation that was no success; ``None`` where the audit decides."""
        diagnostics = mapped(run.output, submission)
        kind, reason = failure(run.completed, self.limits)
        if kind is None and run.errors:
            kind = VerdictKind.REJECTED
        elif kind is None and run.completed.exit_code != 0 and run.completed.truncated:
            kind, reason = VerdictKind.REJECTED, "Lean failed; its output was too long to be kept"
        elif kind is None and run.completed.exit_code != 0:
            kind, reason = VerdictKind.CRASHED, "Lean failed without an error: " + tail(run)
        elif kind is None and not compiled_file(directory).is_file():
            kind, reason = VerdictKind.CRASHED, "Lean wrote no olean: " + tail(run)
        if kind is None:
            return None
        return self._verdict(kind, reason, diagnostics, ("policy", "compile"), (run,))

    def _prepare(self, task: Task) -> tuple[Judge, ...]:
        """Make sure that the task can be judged; the outside judges that are to be asked."""
        located = self._locate(task)
        self._acceptance.prepare(task, located)
        if self._panel.level == "standard":
            return ()
        original = self._acceptance.originals.stub(task, located)
        no_replay = self._acceptance.no_replay(task, located)
        return self._panel.prepare(task, located, original, no_replay)

    def _tell_if_unusable(self, task: Task) -> None:
        """Raise once more what a fresh Lean has said of the task's own file."""
        error = self._unusable.get(key(task))
        if error is not None:
            raise StubFails(error.message, where=error.where, hint=error.hint)

    def _prepare_fresh(self, task: Task, located: Located) -> tuple[Judge, ...]:
        """:meth:`_prepare`, for a task of which a session may have refused candidates before."""
        try:
            judges = self._prepare(task)
        except StubFails as error:
            self._unusable[key(task)] = error
            if not error.by_limits:
                self._warm.refuted(task, located, error.message)
            raise
        self._warm.confirm(task, located)
        return judges

    def _must_replay(self, judges: tuple[Judge, ...]) -> bool:
        """Whether nothing but our own replay can check the submission a second time."""
        return self._panel.level != "standard" and not judges

    def _ask_panel(
        self, task: Task, judgement: Judgement, submission: Submission, directory: Path
    ) -> Judgement:
        located = self._locate(task)
        joint = self._panel.judge(
            task,
            located,
            self._acceptance.originals.stub(task, located),
            submission,
            directory,
            replayed=REPLAY in judgement.assurance,
        )
        return dataclasses.replace(
            judgement,
            kind=joint.kind,
            reason=joint.reason,
            assurance=(*judgement.assurance, *joint.checks),
            runs=(*judgement.runs, *(LeanRun(run, ParsedOutput((), "")) for run in joint.runs)),
        )

    def _verdict(
        self,
        kind: VerdictKind,
        reason: str = "",
        diagnostics: tuple[Diagnostic, ...] = (),
        assurance: tuple[str, ...] = (),
        runs: tuple[LeanRun, ...] = (),
        axioms: tuple[str, ...] = (),
    ) -> Verdict:
        if self.policy != "strict":
            assurance = tuple(f"policy:{self.policy}" if a == "policy" else a for a in assurance)
        if runs:
            assurance = (*assurance, self.sandbox.assurance)
        return Verdict(
            kind=kind,
            reason=cap(reason, MESSAGE_LIMIT),
            diagnostics=diagnostics,
            axioms=axioms,
            assurance=assurance,
            lean_seconds=sum(run.completed.wall_seconds for run in runs),
            cpu_seconds=sum(run.completed.cpu_seconds for run in runs),
            peak_memory_mb=max((run.completed.peak_memory_mb for run in runs), default=0.0),
            toolchain=f"{self.project.toolchain.kind} {self.project.toolchain.version}",
        )


def _with_seconds(verdict: Verdict, opinion: Opinion) -> Verdict:
    """A verdict with the time that a warm session took, too."""
    return dataclasses.replace(
        verdict,
        lean_seconds=verdict.lean_seconds + opinion.output.wall_seconds,
        cpu_seconds=verdict.cpu_seconds + opinion.output.cpu_seconds,
    )


def normal(candidate: Candidate) -> Candidate:
    """The candidate with ``\n`` for line ends, so that all who read it see the same lines."""
    auxiliary, proof = (
        text.replace("\r\n", "\n").replace("\r", "\n")
        for text in (candidate.auxiliary, candidate.proof)
    )
    return dataclasses.replace(candidate, auxiliary=auxiliary, proof=proof)


def _misplaced(candidate: Candidate) -> str | None:
    """How the candidate's text would not stay in its place, if so."""
    for problem in check_parts(candidate.auxiliary, candidate.proof):
        # A notation may want unmatched brackets: Lean decides.
        if problem.kind != "brackets":
            return f"{problem.part} {problem.line}:{problem.column}: {problem.message}"
    return find_unreadable(candidate.auxiliary)


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()
