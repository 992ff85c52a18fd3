"""The judge: one candidate in, one verdict out.

Acceptance takes two processes. The first compiles the task's file with the candidate spliced in;
the second, which never elaborates candidate text, imports the compiled result and asks Lean for
the target's type and axioms. Nothing is accepted on the word of the first alone.
"""

from __future__ import annotations

import contextlib
import dataclasses
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol as Interface

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge import audit
from pytest_vsb.judge.policy import find_forbidden
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean import process
from pytest_vsb.lean.diagnostics import Diagnostic, ParsedOutput, Severity, cap, goal_state, parse
from pytest_vsb.lean.process import Completed, Limits, Outcome
from pytest_vsb.lean.project import Project
from pytest_vsb.provers.base import Candidate
from pytest_vsb.source.check import check_parts
from pytest_vsb.source.model import Declaration, Source
from pytest_vsb.source.scanner import scan
from pytest_vsb.source.splice import Submission, splice, stub
from pytest_vsb.tasks.model import Task
from pytest_vsb.tasks.statements import agrees

CHECKER_VERSION = "1"
"""Grows whenever a change of the judge could change a verdict."""

MODULE = "VsbSubmission"
"""The module a submission is compiled as, in a scratch directory of its own."""

MESSAGE_LIMIT = 20_000
"""Code points kept of one diagnostic."""

DIAGNOSTIC_LIMIT = 50
"""Diagnostics kept of one verdict: the first ones, errors before others."""

_CORRECT_EXITS = (0, 1)


class Slots(Interface):
    """A bound on Lean processes at once; see ``pytest_vsb.lean.slots``."""

    def acquire(self) -> contextlib.AbstractContextManager[float]: ...


class Unlimited:
    """No bound."""

    @contextlib.contextmanager
    def acquire(self) -> Iterator[float]:
        yield 0.0


@dataclass(frozen=True)
class _Located:
    """A task's file, scanned, with the target in it."""

    path: Path
    source: Source
    target: Declaration
    search_path: tuple[Path, ...]


@dataclass(frozen=True)
class _Run:
    """One Lean process and what it said of its file."""

    completed: Completed
    output: ParsedOutput

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.output.diagnostics if d.severity is Severity.ERROR)


class Checker:
    """Judges candidates for the tasks of one Lean project.

    Writes only into scratch directories of its own, never into the project.

    Args:
        project: where the sources and compiled imports are, and with which Lean.
        limits: wall-clock seconds and resident memory for each Lean process.
        slots: a bound on Lean processes at once.
        allowed_axioms: what an accepted proof may rest on.
    """

    def __init__(
        self,
        project: Project,
        limits: Limits,
        *,
        slots: Slots | None = None,
        allowed_axioms: frozenset[str] = audit.STANDARD_AXIOMS,
    ) -> None:
        self.project = project
        self.limits = limits
        self.allowed_axioms = allowed_axioms
        self._slots = slots or Unlimited()
        self._located: dict[tuple[str, str, str], _Located] = {}
        self._baselines: dict[tuple[str, str, str], audit.Findings] = {}

    # What the loop asks

    def prefix(self, task: Task) -> str:
        """The text of the task's file before the target (before its ``mutual`` block if any)."""
        located = self._locate(task)
        start = (located.target.mutual or located.target.span).start
        return located.source.text[:start]

    def submission(self, task: Task, candidate: Candidate) -> Submission:
        """The task's file with the candidate in place of the proof."""
        located = self._locate(task)
        return splice(
            located.source, located.target, auxiliary=candidate.auxiliary, proof=candidate.proof
        )

    def excerpts(self, task: Task, candidate: Candidate, verdict: Verdict) -> tuple[str, ...]:
        """For each diagnostic of ``verdict``, the numbered source lines around it."""
        lines = self.submission(task, candidate).text.split("\n")
        return tuple(_excerpt(lines, diagnostic) for diagnostic in verdict.diagnostics)

    def prepare(self, task: Task) -> None:
        """Make sure that the task can be judged at all: its file compiles with ``sorry`` as the
        target's proof.

        Raises:
            EnvironmentUnavailable: the Lean, the repository, the module or the target is missing
                or does not compile.
        """
        self._baseline(task)

    def check(self, task: Task, candidate: Candidate) -> Verdict:
        """Judge one candidate.

        Raises:
            EnvironmentUnavailable: see :meth:`prepare`.
        """
        located = self._locate(task)
        misplaced = _misplaced(candidate)
        if misplaced:
            return self._verdict(VerdictKind.MALFORMED, misplaced)
        forbidden = find_forbidden(candidate.auxiliary, candidate.proof)
        if forbidden is not None:
            return self._verdict(VerdictKind.FORBIDDEN, str(forbidden), assurance=("policy",))
        baseline = self._baseline(task)
        submission = self.submission(task, candidate)
        with _scratch() as directory:
            compiled = self._compile(located, submission, directory)
            verdict = self._judge_compiled(compiled, submission, directory)
            if verdict is None:
                verdict = self._judge_audited(located, baseline, compiled, submission, directory)
        return dataclasses.replace(verdict, submission=submission.digest)

    # Steps

    def _locate(self, task: Task) -> _Located:
        key = (task.path, task.name, task.statement)
        if key not in self._located:
            path = self.project.source(task.path)
            source = scan(_read(path))
            target = _find_target(task, source, path)
            search_path = self.project.search_path(source.imports)
            self._located[key] = _Located(path, source, target, search_path)
        return self._located[key]

    def _baseline(self, task: Task) -> audit.Findings:
        """What the audit must find again: from the task's file with ``sorry`` for the proof."""
        key = (task.path, task.name, task.statement)
        if key in self._baselines:
            return self._baselines[key]
        located = self._locate(task)
        submission = stub(located.source, located.target)
        with _scratch() as directory:
            run = self._compile(located, submission, directory)
            trouble = _trouble(run, directory)
            if trouble is None:
                findings, audited = self._audit(located, directory)
                if findings is None:
                    trouble = "the audit of the file with `sorry` failed: " + _tail(audited)
        if trouble is not None or findings is None:
            raise EnvironmentUnavailable(
                f"the file does not compile with `sorry` as the proof of {task.name}: {trouble}",
                where=str(located.path),
                hint="the repository may be at another commit, or its Lean another version",
            )
        self._baselines[key] = findings
        return findings

    def _compile(self, located: _Located, submission: Submission, directory: Path) -> _Run:
        text = submission.text + audit.probe(located.target, located.source)
        source = directory / f"{MODULE}.lean"
        source.write_bytes(text.encode("utf-8", "surrogatepass"))
        return self._lean(source, located.search_path, "-o", str(directory / f"{MODULE}.olean"))

    def _audit(self, located: _Located, directory: Path) -> tuple[audit.Findings | None, _Run]:
        questions = audit.Questions(MODULE, located.target, located.source)
        source = directory / "VsbAudit.lean"
        source.write_text(questions.text, encoding="utf-8")
        run = self._lean(source, (directory, *located.search_path))
        if run.completed.outcome is not Outcome.EXITED or run.completed.exit_code != 0:
            return None, run
        return questions.read(run.output), run

    def _lean(self, source: Path, search_path: tuple[Path, ...], *arguments: str) -> _Run:
        toolchain = self.project.toolchain
        flags = ["--json"] if toolchain.json else []
        argv = toolchain.argv(
            *flags, f"--root={source.parent}", *self.project.lean_options(), *arguments, str(source)
        )
        with self._slots.acquire():
            completed = process.run(
                argv,
                cwd=source.parent,
                env=toolchain.environment(search_path),
                limits=self.limits,
            )
        return _Run(completed, parse(completed.stdout, file_name=str(source)))

    def _judge_compiled(self, run: _Run, submission: Submission, directory: Path) -> Verdict | None:
        """The verdict on a compilation that was no success; ``None`` where the audit decides."""
        diagnostics = _mapped(run, submission)
        kind, reason = _failure(run.completed, self.limits)
        if kind is None and run.errors:
            kind = VerdictKind.REJECTED
        elif kind is None and run.completed.exit_code != 0:
            kind, reason = VerdictKind.CRASHED, "Lean failed without an error: " + _tail(run)
        elif kind is None and not (directory / f"{MODULE}.olean").is_file():
            kind, reason = VerdictKind.CRASHED, "Lean wrote no olean: " + _tail(run)
        if kind is None:
            return None
        return self._verdict(kind, reason, diagnostics, ("policy", "compile"), (run,))

    def _judge_audited(
        self,
        located: _Located,
        baseline: audit.Findings,
        compiled: _Run,
        submission: Submission,
        directory: Path,
    ) -> Verdict:
        findings, audited = self._audit(located, directory)
        diagnostics = _mapped(compiled, submission)
        runs = (compiled, audited)
        if findings is None:
            kind, reason = _failure(audited.completed, self.limits)
            if kind is None:
                kind, reason = VerdictKind.UNSOUND, "the compiled result cannot be audited: "
                reason += _tail(audited)
            return self._verdict(kind, reason, diagnostics, ("policy", "compile"), runs)
        kind, reason = audit.judge(findings, baseline, self.allowed_axioms)
        assurance = ("policy", "compile", "statement", "axioms")
        return self._verdict(kind, reason, diagnostics, assurance, runs, findings.axioms)

    def _verdict(
        self,
        kind: VerdictKind,
        reason: str = "",
        diagnostics: tuple[Diagnostic, ...] = (),
        assurance: tuple[str, ...] = (),
        runs: tuple[_Run, ...] = (),
        axioms: tuple[str, ...] = (),
    ) -> Verdict:
        return Verdict(
            kind=kind,
            reason=cap(reason, MESSAGE_LIMIT),
            diagnostics=diagnostics,
            axioms=axioms,
            assurance=assurance,
            lean_seconds=sum(run.completed.wall_seconds for run in runs),
            peak_memory_mb=max((run.completed.peak_memory_mb for run in runs), default=0.0),
            toolchain=f"{self.project.toolchain.kind} {self.project.toolchain.version}",
        )


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise EnvironmentUnavailable(f"cannot be read: {error}", where=str(path)) from error


def _find_target(task: Task, source: Source, path: Path) -> Declaration:
    try:
        target = source.find(task.name)
    except LookupError as error:
        raise EnvironmentUnavailable(str(error), where=str(path)) from error
    found = source.text[target.statement.start : target.statement.end]
    if not agrees(task.statement, found):
        raise EnvironmentUnavailable(
            f"the statement of {task.name} is not the one in the task file",
            where=str(path),
            hint="the repository may be at another commit than the task file was made from",
        )
    return target


def _misplaced(candidate: Candidate) -> str | None:
    """How the candidate's text would not stay in its place, if so."""
    for problem in check_parts(candidate.auxiliary, candidate.proof):
        # A notation may want unmatched brackets: Lean decides.
        if problem.kind != "brackets":
            return f"{problem.part} {problem.line}:{problem.column}: {problem.message}"
    return None


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="vsb-", ignore_cleanup_errors=True) as name:
        yield Path(name).resolve()


def _failure(completed: Completed, limits: Limits) -> tuple[VerdictKind | None, str]:
    """The verdict kind of a process that did not end by itself in an orderly way."""
    if completed.outcome is Outcome.TIMEOUT:
        return VerdictKind.TIMEOUT, f"Lean ran longer than {limits.wall_seconds:g} s"
    if completed.outcome is Outcome.OUT_OF_MEMORY:
        return VerdictKind.OUT_OF_MEMORY, f"Lean used more than {limits.memory_mb or 0} MB"
    text = (completed.stderr or completed.stdout).strip()[-500:]
    if completed.outcome is Outcome.KILLED:
        return VerdictKind.CRASHED, f"Lean died of signal {completed.signal}: {text}"
    if completed.exit_code not in _CORRECT_EXITS:
        return VerdictKind.CRASHED, f"Lean ended with exit code {completed.exit_code}: {text}"
    return None, ""


def _trouble(run: _Run, directory: Path) -> str | None:
    """What is wrong with a compilation that should have been clean; ``None`` if nothing."""
    kind, reason = _failure(run.completed, Limits(wall_seconds=0))
    if kind is VerdictKind.TIMEOUT:
        return f"Lean ran out of time after {run.completed.wall_seconds:.0f} s"
    if kind is VerdictKind.OUT_OF_MEMORY:
        return f"Lean ran out of memory at {run.completed.peak_memory_mb:.0f} MB"
    if kind is not None:
        return reason
    if run.errors:
        first = run.errors[0]
        return f"{first.start.line}:{first.start.column}: {cap(first.message, 500)}"
    if run.completed.exit_code != 0 or not (directory / f"{MODULE}.olean").is_file():
        return "Lean failed without an error: " + _tail(run)
    return None


def _tail(run: _Run) -> str:
    errors = " ".join(d.message for d in run.errors)
    text = errors or run.completed.stderr.strip() or run.output.other.strip() or "no output"
    return text[-500:]


def _mapped(run: _Run, submission: Submission) -> tuple[Diagnostic, ...]:
    """The diagnostics with their region and goal state, errors first, within bounds."""
    ordered = sorted(run.output.diagnostics, key=lambda d: d.severity is not Severity.ERROR)
    return tuple(
        dataclasses.replace(
            diagnostic,
            message=cap(diagnostic.message, MESSAGE_LIMIT),
            region=submission.region_at(diagnostic.start.line, diagnostic.start.column),
            goal=goal_state(cap(diagnostic.message, MESSAGE_LIMIT)),
        )
        for diagnostic in ordered[:DIAGNOSTIC_LIMIT]
    )


def _excerpt(lines: list[str], diagnostic: Diagnostic, around: int = 2, most: int = 12) -> str:
    first = max(1, diagnostic.start.line - around)
    end = diagnostic.end.line if diagnostic.end else diagnostic.start.line
    last = min(len(lines), end + around, first + most - 1)
    numbered = enumerate(lines[first - 1 : last], first)
    return "\n".join(f"{number:>5} | {line.rstrip()}" for number, line in numbered)
