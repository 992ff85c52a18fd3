"""Whether a submission that compiled is accepted.

By the audit's program where the task's Lean can run it on the task's own file: it compares terms,
and the kernel checks the submission a second time. Nothing is accepted without that there: whether
a replay comes to an end is in the hands of whoever wrote the submission. Where the program cannot
run at all, by what another Lean process prints of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge import audit, names, olean
from pytest_vsb.judge.compiled import Compiled
from pytest_vsb.judge.located import Key, Located, key
from pytest_vsb.judge.originals import ORIGINAL, Originals
from pytest_vsb.judge.program.run import Replay, Replayer
from pytest_vsb.judge.running import LeanRun, failure, tail
from pytest_vsb.judge.shelf import Shelf
from pytest_vsb.judge.stages import Stages, compiled_file
from pytest_vsb.judge.statement import Statements
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.scratch import scratch
from pytest_vsb.tasks.model import Task

LAYOUT = "olean-layout"
"""The name of the check of a compiled file's layout."""

PRINTED = "statement-printed"
"""The name of the check of a statement by what Lean prints."""

COMPILED_CODE_AXIOMS = frozenset({"Lean.ofReduceBool", "Lean.ofReduceNat", "Lean.trustCompiler"})
"""Where one of these is allowed, the kernel runs compiled code, which a replay does not have."""

_LONGER = 2
"""How many times as long a replay may take when it is tried again: the machine was slow, or the
proof is."""


@dataclass(frozen=True)
class Judgement:
    """A verdict's kind and reason, the names of the checks made, and what they took."""

    kind: VerdictKind
    reason: str = ""
    axioms: tuple[str, ...] = ()
    assurance: tuple[str, ...] = ()
    runs: tuple[LeanRun, ...] = ()

    @property
    def accepted(self) -> bool:
        return self.kind is VerdictKind.ACCEPTED


class Acceptance:
    """Judges compiled submissions.

    Args:
        stages: compiles and audits.
        replayer: runs the audit's program.
        allowed_axioms: what an accepted proof may rest on.
        shelf: where tasks' own files are kept, compiled, from run to run.
    """

    def __init__(
        self,
        stages: Stages,
        replayer: Replayer,
        allowed_axioms: frozenset[str],
        shelf: Shelf | None = None,
    ) -> None:
        self._stages = stages
        self._replayer = replayer
        self._allowed = allowed_axioms
        self.originals = Originals(stages, shelf)
        self._statements = Statements(stages, self.originals)
        self._troubles: dict[Key, str] = {}
        self._layouts: dict[Key, bytes | None] = {}

    def prepare(self, task: Task, located: Located) -> None:
        """Make sure that a submission for this task can be judged.

        Raises:
            EnvironmentUnavailable: its own file does not compile with ``sorry`` for the proof, or
                cannot be audited then.
        """
        if self.no_replay(task, located):
            self._statements.findings(task, located)

    def no_replay(self, task: Task, located: Located) -> str:
        """Why submissions for this task are not replayed; empty if they are.

        The audit's program must say of the task's own file that nothing in it has changed.

        Raises:
            EnvironmentUnavailable: the file does not compile.
        """
        if key(task) not in self._troubles:
            original = self.originals.stub(task, located)
            trouble = self._replayer.missing() or ""
            if not trouble and not original.replayed:
                trouble = self._try_out(located, original)
                if not trouble:
                    self.originals.note_replayed(task, located)
            self._troubles[key(task)] = trouble
        return self._troubles[key(task)]

    def is_exception(self, task: Task) -> bool:
        """Whether the task is known not to be replayed, with a Lean that replays others."""
        return bool(self._troubles.get(key(task))) and not self.cannot_replay

    @property
    def cannot_replay(self) -> str:
        """Why no submission is replayed with this Lean, whatever the task; empty if it is not
        known that none is."""
        return self._replayer.missing() or ""

    def judge(
        self, task: Task, located: Located, directory: Path, *, alone: bool, replay: bool = False
    ) -> Judgement:
        """Judge the submission compiled in ``directory``.

        Args:
            alone: it is a proof without auxiliary declarations.
            replay: do not accept it without a replay, not even where compiled code is allowed.

        Raises:
            EnvironmentUnavailable: the machine fails, such as by a full disk; or the audit's
                program does not run any more, not even on the original file.
        """
        flaw = self._flaw(task, located, directory)
        if flaw:
            return Judgement(VerdictKind.UNSOUND, flaw, assurance=(LAYOUT,))
        judgement = self._judge(task, located, directory, alone=alone, replay=replay)
        if self._layouts.get(key(task)) is None:
            return judgement
        return replace(judgement, assurance=(LAYOUT, *judgement.assurance))

    def _judge(
        self, task: Task, located: Located, directory: Path, *, alone: bool, replay: bool
    ) -> Judgement:
        if self.no_replay(task, located):
            return self._judge_printed(task, located, directory, alone=alone)
        original = self.originals.stub(task, located)
        parts = [name for name, _ in original.files]
        olean = compiled_file(directory)
        for file in sorted(directory.glob(f"{olean.name}*")):
            if file.name.removeprefix(olean.stem) not in parts:
                # The file's header decides how many Lean writes, and that is not the candidate's.
                reason = "there is a compiled file that Lean does not write of this task's file: "
                return Judgement(VerdictKind.UNSOUND, reason + file.name)
        done, judgement = self._judge_replayed(task, located, original, directory)
        if done.report is None:
            now = self._try_out(located, original)
            if now:
                raise EnvironmentUnavailable(
                    f"the audit's program fails, which ran for this task before: {now}",
                    where=str(located.path),
                    hint="is the machine short of memory, disk or time?",
                )
        if not self._may_compute(done) or replay:
            return judgement
        printed = self._judge_printed(task, located, directory, alone=alone)
        if printed.accepted and not COMPILED_CODE_AXIOMS.intersection(printed.axioms):
            return judgement
        return _with_runs(printed, judgement.runs)

    def _may_compute(self, done: Replay) -> bool:
        """Whether the kernel may have refused a submission for want of the compiled code that it
        was allowed to rest on."""
        return bool(done.refusal) and bool(self._allowed & COMPILED_CODE_AXIOMS)

    def _flaw(self, task: Task, located: Located, directory: Path) -> str:
        """What is wrong with the layout of the compiled submission; empty if nothing is known."""
        if key(task) not in self._layouts:
            original = self.originals.stub(task, located)
            with scratch() as place:
                data = original.restore(place, ORIGINAL).read_bytes()
            # The layout of another Lean's files may be another one: no file is flawed for that.
            known = len(original.files) == 1 and olean.flaw(data, data) is None
            self._layouts[key(task)] = data[: olean.HEADER_BYTES] if known else None
        like = self._layouts[key(task)]
        if like is None:
            return ""
        flaw = olean.flaw(compiled_file(directory).read_bytes(), like)
        return f"the compiled file is none that Lean writes: {flaw}" if flaw else ""

    # By the audit's program

    def _try_out(self, located: Located, original: Compiled) -> str:
        with scratch() as directory:
            compiled = original.restore(directory, compiled_file(directory).stem)
            done = self._replay(located, original, compiled)
        report = done.report
        if done.refusal:
            return "the kernel does not accept the original file again: " + done.refusal
        if report is None:
            return done.trouble
        if not report.same_imports or report.statement or report.file or report.new_axioms:
            return "the original file is not found to be the same as itself"
        return ""

    def _replay(self, located: Located, original: Compiled, submission: Path) -> Replay:
        """Replay a submission; once more, with twice the time, if that comes to nothing."""
        restored = original.restore(submission.parent, ORIGINAL)
        limits = self._stages.limits
        try:
            first = self._replay_once(located, restored, submission, limits)
            if first.report is not None or first.run is None:
                return first
            longer = replace(limits, wall_seconds=_LONGER * limits.wall_seconds)
            second = self._replay_once(located, restored, submission, longer)
        finally:
            for file in submission.parent.glob(f"{ORIGINAL}.olean*"):
                file.unlink()
        return replace(second, earlier=(*first.earlier, first.run))

    def _replay_once(
        self, located: Located, original: Path, submission: Path, limits: Limits
    ) -> Replay:
        return self._replayer.replay(
            original,
            submission,
            located.search_path,
            names.targets(located),
            names.others(located),
            limits,
        )

    def _judge_replayed(
        self, task: Task, located: Located, original: Compiled, directory: Path
    ) -> tuple[Replay, Judgement]:
        """What the replay came to, and the judgement by it."""
        submission = compiled_file(directory)
        done = self._replay(located, original, submission)
        runs = _runs(done)
        if done.report is not None and done.report.statement:
            # Where the type depends on the proof, as by the section's variables that a definition
            # mentions, the statement that was asked for is the one with the reference proof.
            reference = self.originals.reference(task, located)
            if reference is not None:
                again = self._replay(located, reference, submission)
                runs += _runs(again)
                if again.report is None or not again.report.statement:
                    done = again
        return done, _with_runs(self._decide(task, located, done, directory), runs)

    def _decide(self, task: Task, located: Located, done: Replay, directory: Path) -> Judgement:
        report = done.report
        if report is None:
            reason = "it compiles, but cannot be checked a second time: " + done.trouble
            return Judgement(done.kind, reason)
        unsound = VerdictKind.UNSOUND
        if not report.same_imports:
            return Judgement(
                unsound, "the compiled result has other imports", assurance=("imports",)
            )
        if report.statement:
            reason = self._explain(task, located, directory, report.statement)
            return Judgement(unsound, reason, assurance=("statement",))
        if report.file:
            reason = f"what stood before the target has changed: {report.file}"
            return Judgement(unsound, reason, assurance=("statement", "file"))
        if done.refusal:
            reason = "checked a second time, the kernel refuses it: " + done.refusal
            return Judgement(unsound, reason, assurance=("statement", "file", "kernel-replay"))
        kind, reason = audit.judge_axioms(report.axioms, self._allowed)
        if kind is VerdictKind.ACCEPTED and report.new_axioms:
            kind = unsound
            reason = f"the submission declares the axiom(s) {', '.join(report.new_axioms)}"
        assurance = ("statement", "file", "axioms", "kernel-replay")
        return Judgement(kind, reason, report.axioms, assurance)

    def _explain(self, task: Task, located: Located, directory: Path, found: str) -> str:
        """The two types if they can be printed, for what the program found to differ."""
        findings, _run = self._stages.audit(located, directory)
        try:
            expected = self._statements.findings(task, located)
        except EnvironmentUnavailable:
            findings = None
        if findings is not None and findings.types != expected.types:
            return audit.difference(findings.types, expected.types)
        return f"the statement does not mean what it means in the original file: {found}"

    # By what Lean prints

    def _judge_printed(
        self, task: Task, located: Located, directory: Path, *, alone: bool
    ) -> Judgement:
        expected = self._statements.findings(task, located)
        findings, run = self._stages.audit(located, directory)
        if findings is None:
            kind, reason = failure(run.completed, self._stages.limits)
            if kind is None:
                kind, reason = VerdictKind.UNSOUND, "the compiled result cannot be audited: "
                reason += tail(run)
            return Judgement(kind, reason, runs=(run,))
        if not self._statements.agree(task, located, findings, directory, alone=alone):
            kind = VerdictKind.UNSOUND
            reason = audit.difference(findings.types, expected.types)
        else:
            kind, reason = audit.judge_axioms(findings.axioms, self._allowed)
        return Judgement(kind, reason, findings.axioms, (PRINTED, "axioms-printed"), (run,))


def _runs(done: Replay) -> tuple[LeanRun, ...]:
    return done.earlier if done.run is None else (*done.earlier, done.run)


def _with_runs(judgement: Judgement, runs: tuple[LeanRun, ...]) -> Judgement:
    return Judgement(
        judgement.kind,
        judgement.reason,
        judgement.axioms,
        judgement.assurance,
        (*runs, *judgement.runs),
    )
