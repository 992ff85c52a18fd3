"""The two Lean processes of a check: one compiles the submission, one looks at what came out."""

from __future__ import annotations

from pathlib import Path

from pytest_vsb.judge import audit
from pytest_vsb.judge.located import Located
from pytest_vsb.judge.running import LeanRun, Runner, failure, tail
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.diagnostics import cap
from pytest_vsb.lean.process import Limits, Outcome
from pytest_vsb.source.splice import Submission

MODULE = "VsbSubmission"
"""The module a submission is compiled as, in a scratch directory of its own."""


class Stages:
    """Compiling and auditing, in a scratch directory that the caller gives.

    Args:
        runner: runs Lean.
        limits: of each Lean process.
    """

    def __init__(self, runner: Runner, limits: Limits) -> None:
        self.runner = runner
        self.limits = limits

    @staticmethod
    def text(located: Located, submission: Submission) -> str:
        """What Lean is given: a submission, and what it takes to ask about it."""
        return submission.text + audit.probe(located.target, located.source)

    def compile(self, located: Located, submission: Submission, directory: Path) -> LeanRun:
        """Compile a submission to the olean of :data:`MODULE` in ``directory``."""
        source = directory / f"{MODULE}.lean"
        source.write_bytes(self.text(located, submission).encode("utf-8", "surrogatepass"))
        olean = compiled_file(directory)
        return self.runner.run(
            source,
            located.search_path,
            *located.options,
            *("-o", str(olean)),
            limits=self.limits,
            olean=olean,
            hidden=located.hidden,
        )

    def audit(
        self,
        located: Located,
        directory: Path,
        *,
        proofs: bool = True,
        definitions: tuple[str, ...] = (),
    ) -> tuple[audit.Findings | None, LeanRun]:
        """Ask the compiled submission; no findings if it cannot be asked."""
        questions = audit.Questions(
            MODULE, located.target, located.source, proofs=proofs, definitions=definitions
        )
        source = directory / "VsbAudit.lean"
        source.write_text(questions.text, encoding="utf-8")
        run = self.runner.run(source, (directory, *located.search_path), limits=self.limits)
        if run.completed.outcome is not Outcome.EXITED or run.completed.exit_code not in (0, 1):
            return None, run
        stdout = "" if self.runner.toolchain.json else run.completed.stdout
        return questions.read(run.output, stdout), run


def compiled_file(directory: Path) -> Path:
    """Where the compiled submission is."""
    return directory / f"{MODULE}.olean"


def trouble(run: LeanRun, directory: Path) -> str | None:
    """What is wrong with a compilation that should have been clean; ``None`` if nothing."""
    kind, reason = failure(run.completed, Limits(wall_seconds=0))
    if kind is VerdictKind.TIMEOUT:
        return f"Lean ran out of time after {run.completed.wall_seconds:.0f} s"
    if kind is VerdictKind.OUT_OF_MEMORY:
        return f"Lean ran out of memory at {run.completed.peak_memory_mb:.0f} MB"
    if kind is not None:
        return reason
    if run.errors:
        first = run.errors[0]
        return f"{first.start.line}:{first.start.column}: {cap(first.message, 500)}"
    if run.completed.exit_code != 0 or not compiled_file(directory).is_file():
        return "Lean failed without an error: " + tail(run)
    return None
