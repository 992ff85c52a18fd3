"""Running the audit's program on a compiled submission, and telling who is to blame if it fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.program import answer, build
from pytest_vsb.judge.program.answer import Report
from pytest_vsb.judge.running import LeanRun, Runner, failure, tail
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.process import Limits

_FILE = "VsbReplay.lean"
_UNCAUGHT = "uncaught exception:"

# What ends a kernel that has not refused anything.
_EXHAUSTED = (
    "deep recursion",
    "deterministic timeout",
    "excessive memory",
    "interrupted",
    "stack overflow",
    "out of memory",
    "(kernel) deterministic",
    "maximum recursion depth",
)


@dataclass(frozen=True)
class Replay:
    """What came of a replay: a report that is complete, a ``refusal`` by the kernel, or
    ``trouble``, which says nothing about the submission; ``kind`` is then the verdict for a
    process that ended like that. ``earlier`` are the processes before ``run`` that came to nothing.
    """

    report: Report | None
    refusal: str = ""
    trouble: str = ""
    kind: VerdictKind = VerdictKind.CRASHED
    run: LeanRun | None = None
    earlier: tuple[LeanRun, ...] = ()


class Replayer:
    """Replays compiled submissions of one Lean.

    Args:
        runner: runs Lean.
        cache: the directory to keep the compiled program in; the usual cache by default.
    """

    def __init__(self, runner: Runner, cache: Path | None = None) -> None:
        self._runner = runner
        self._cache = cache
        self._built: Path | EnvironmentUnavailable | None = None

    def missing(self) -> str | None:
        """Why this Lean cannot run the program; ``None`` if it can, as far as compiling tells."""
        if self._built is None:
            try:
                self._built = build.build(self._runner.toolchain, self._cache)
            except EnvironmentUnavailable as error:
                self._built = error
        return self._built.message if isinstance(self._built, EnvironmentUnavailable) else None

    def replay(
        self,
        original: Path,
        submission: Path,
        search_path: Sequence[Path],
        targets: Sequence[str],
        others: Sequence[str],
        limits: Limits,
    ) -> Replay:
        """Hold a submission's olean against the original file's, and replay it.

        Args:
            original: the olean of the original file, in the same directory.
            submission: the olean of the submission.
            search_path: where what they import is.
            targets: Lean terms for names; see :func:`answer.question`.
            others: the same.
            limits: of the process.

        Raises:
            EnvironmentUnavailable: the machine fails, such as by a full disk.
        """
        missing = self.missing()
        if missing is not None or not isinstance(self._built, Path):
            return Replay(None, trouble=missing or "the program is not there")
        if _parts(original) or _parts(submission):
            return Replay(None, trouble="the file's olean is in several parts")
        source = submission.parent / _FILE
        source.write_text(
            answer.question(original.name, submission.name, targets, others), encoding="utf-8"
        )
        run = self._runner.run(source, (self._built, *search_path), "--run", limits=limits)
        source.unlink(missing_ok=True)
        return judge_run(run, limits)


def judge_run(run: LeanRun, limits: Limits) -> Replay:
    """What the end of the program's process says."""
    kind, reason = failure(run.completed, limits)
    if kind is not None:
        return Replay(None, trouble=reason, kind=kind, run=run)
    report = answer.read(run.completed.stdout)
    if report is None:
        return Replay(None, trouble="the program's answer is not understood: " + tail(run), run=run)
    if run.completed.exit_code == 0 and report.complete:
        return Replay(report, run=run)
    _, found, said = run.completed.stderr.partition(_UNCAUGHT)
    if report.started and not report.replayed and found:
        if not any(word in said.lower() for word in _EXHAUSTED):
            return Replay(report, refusal=said.strip(), run=run)
        return Replay(None, trouble="the kernel gave up: " + said.strip(), run=run)
    return Replay(None, trouble="the program failed: " + tail(run), run=run)


def _parts(olean: Path) -> bool:
    """Whether Lean wrote more than one file, as it does for a ``module``: not all is in one."""
    return any(olean.parent.glob(f"{olean.name}.*"))
