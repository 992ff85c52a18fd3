"""The judge: one candidate in, one verdict out.

Acceptance takes two processes. The first compiles the task's file with the candidate spliced in;
the second, which never elaborates candidate text, imports the compiled result and asks Lean for
the target's type and axioms. Nothing is accepted on the word of the first alone.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge import audit
from pytest_vsb.judge.policy import find_forbidden, find_unreadable
from pytest_vsb.judge.running import LeanRun, Runner, Slots, failure, scratch, tail
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.diagnostics import Diagnostic, Severity, cap, goal_state
from pytest_vsb.lean.process import Limits, Outcome
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


@dataclass(frozen=True)
class _Located:
    """A task's file, scanned, with the target in it."""

    path: Path
    source: Source
    target: Declaration
    search_path: tuple[Path, ...]
    options: tuple[str, ...]


@dataclass(frozen=True)
class _Target:
    """What the audit must find again: of the task's file with a known proof."""

    findings: audit.Findings
    meaning: tuple[str, ...] | None = None
    """The types' meaning, once it has been asked for; see :func:`audit.meaning`."""


class Checker:
    """Judges candidates for the tasks of one Lean project.

    Writes only into scratch directories of its own, never into the project.

    Args:
        project: where the sources and compiled imports are, and with which Lean.
        limits: wall-clock seconds and resident memory for each Lean process.
        slots: a bound on Lean processes at once.
        threads: how many threads each may use; ``None`` leaves that to Lean.
        allowed_axioms: what an accepted proof may rest on.
    """

    def __init__(
        self,
        project: Project,
        limits: Limits,
        *,
        slots: Slots | None = None,
        threads: int | None = None,
        allowed_axioms: frozenset[str] = audit.STANDARD_AXIOMS,
    ) -> None:
        self.project = project
        self.limits = limits
        self.allowed_axioms = allowed_axioms
        self._runner = Runner(project.toolchain, slots, threads)
        self._located: dict[tuple[str, str, str], _Located] = {}
        self._fingerprints: dict[tuple[str, str, str], str] = {}
        self._baselines: dict[tuple[str, str, str], _Target] = {}
        self._references: dict[tuple[str, str, str], tuple[str, ...] | None] = {}

    # What the loop asks

    @property
    def root(self) -> Path:
        """The Lean project's root."""
        return self.project.root

    def fingerprint(self, task: Task) -> str:
        """The SHA-256 of all that a verdict depends on beside the candidate: the task's file up to
        the target, the compiled modules it imports, the Lean, its options, and the judge."""
        key = _key(task)
        if key in self._fingerprints:
            return self._fingerprints[key]
        located = self._locate(task)
        toolchain = self.project.toolchain
        parts = [
            CHECKER_VERSION,
            f"{toolchain.kind} {toolchain.version} {toolchain.commit}",
            *located.options,
            stub(located.source, located.target).digest,
            *_imported(located),
        ]
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()
        return self._fingerprints.setdefault(key, digest)

    def prefix(self, task: Task) -> str:
        """The text of the task's file before the target (before its ``mutual`` block if any)."""
        located = self._locate(task)
        start = (located.target.mutual or located.target.span).start
        return located.source.text[:start]

    def submission(self, task: Task, candidate: Candidate) -> Submission:
        """The task's file with the candidate in place of the proof."""
        located, candidate = self._locate(task), _normal(candidate)
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
            EnvironmentUnavailable: see :meth:`prepare`; or the machine fails during the check,
                such as by a full disk or by something that kills Lean.
        """
        located = self._locate(task)
        candidate = _normal(candidate)
        forbidden = find_forbidden(candidate.auxiliary, candidate.proof)
        if forbidden is not None:
            return self._verdict(VerdictKind.FORBIDDEN, str(forbidden), assurance=("policy",))
        misplaced = _misplaced(candidate)
        if misplaced:
            return self._verdict(VerdictKind.MALFORMED, misplaced)
        self._baseline(task)
        submission = self.submission(task, candidate)
        with scratch() as directory:
            compiled = self._compile(located, submission, directory)
            verdict = self._judge_compiled(compiled, submission, directory)
            if verdict is None:
                alone = not candidate.auxiliary.strip()
                verdict = self._judge_audited(task, compiled, submission, directory, alone=alone)
        return dataclasses.replace(verdict, submission=submission.digest)

    # Steps

    def _locate(self, task: Task) -> _Located:
        key = _key(task)
        if key not in self._located:
            path = self.project.source(task.path)
            source = scan(_read(path))
            target = _find_target(task, source, path)
            self._located[key] = _Located(
                path=path,
                source=source,
                target=target,
                search_path=self.project.search_path(source.imports),
                options=_harmless(self.project.lean_options(task.path)),
            )
        return self._located[key]

    def _baseline(self, task: Task) -> _Target:
        """What the audit must find again: from the task's file with ``sorry`` for the proof."""
        key = _key(task)
        if key in self._baselines:
            return self._baselines[key]
        located = self._locate(task)
        submission = stub(located.source, located.target)
        findings = None
        with scratch() as directory:
            run = self._compile(located, submission, directory)
            trouble = _trouble(run, directory)
            if trouble is None:
                findings, audited = self._audit(located, directory)
                if findings is None:
                    trouble = "the audit of the file with `sorry` failed: " + tail(audited)
        if findings is None:
            raise EnvironmentUnavailable(
                f"the file does not compile with `sorry` as the proof of {task.name}: {trouble}",
                where=str(located.path),
                hint="the repository may be at another commit, or its Lean another version",
            )
        self._baselines[key] = _Target(findings)
        return self._baselines[key]

    def _compile(self, located: _Located, submission: Submission, directory: Path) -> LeanRun:
        text = submission.text + audit.probe(located.target, located.source)
        source = directory / f"{MODULE}.lean"
        source.write_bytes(text.encode("utf-8", "surrogatepass"))
        olean = directory / f"{MODULE}.olean"
        return self._runner.run(
            source,
            located.search_path,
            *located.options,
            *("-o", str(olean)),
            limits=self.limits,
            olean=olean,
        )

    def _audit(
        self,
        located: _Located,
        directory: Path,
        *,
        proofs: bool = True,
        definitions: tuple[str, ...] = (),
    ) -> tuple[audit.Findings | None, LeanRun]:
        questions = audit.Questions(
            MODULE, located.target, located.source, proofs=proofs, definitions=definitions
        )
        source = directory / "VsbAudit.lean"
        source.write_text(questions.text, encoding="utf-8")
        run = self._runner.run(source, (directory, *located.search_path), limits=self.limits)
        if run.completed.outcome is not Outcome.EXITED or run.completed.exit_code not in (0, 1):
            return None, run
        stdout = "" if self.project.toolchain.json else run.completed.stdout
        return questions.read(run.output, stdout), run

    def _judge_compiled(
        self, run: LeanRun, submission: Submission, directory: Path
    ) -> Verdict | None:
        """The verdict on a compilation that was no success; ``None`` where the audit decides."""
        diagnostics = _mapped(run, submission)
        kind, reason = failure(run.completed, self.limits)
        if kind is None and run.errors:
            kind = VerdictKind.REJECTED
        elif kind is None and run.completed.exit_code != 0 and run.completed.truncated:
            kind, reason = VerdictKind.REJECTED, "Lean failed; its output was too long to be kept"
        elif kind is None and run.completed.exit_code != 0:
            kind, reason = VerdictKind.CRASHED, "Lean failed without an error: " + tail(run)
        elif kind is None and not (directory / f"{MODULE}.olean").is_file():
            kind, reason = VerdictKind.CRASHED, "Lean wrote no olean: " + tail(run)
        if kind is None:
            return None
        return self._verdict(kind, reason, diagnostics, ("policy", "compile"), (run,))

    def _judge_audited(
        self,
        task: Task,
        compiled: LeanRun,
        submission: Submission,
        directory: Path,
        *,
        alone: bool,
    ) -> Verdict:
        located, baseline = self._locate(task), self._baseline(task)
        findings, audited = self._audit(located, directory)
        diagnostics = _mapped(compiled, submission)
        runs = (compiled, audited)
        if findings is None:
            kind, reason = failure(audited.completed, self.limits)
            if kind is None:
                kind, reason = VerdictKind.UNSOUND, "the compiled result cannot be audited: "
                reason += tail(audited)
            return self._verdict(kind, reason, diagnostics, ("policy", "compile"), runs)
        if not self._has_statement(task, findings, directory, alone=alone):
            kind = VerdictKind.UNSOUND
            reason = audit.difference(findings.types, baseline.findings.types)
        else:
            kind, reason = audit.judge(findings, self.allowed_axioms)
        assurance = ("policy", "compile", "statement", "axioms")
        return self._verdict(kind, reason, diagnostics, assurance, runs, findings.axioms)

    def _has_statement(
        self, task: Task, findings: audit.Findings, directory: Path, *, alone: bool
    ) -> bool:
        """Whether the types found are those of the original file.

        Types that print alike are the same unless they name a constant that Lean made for a
        ``match`` of theirs: auxiliary text can change what its patterns mean. A candidate that is
        a proof ``alone`` has nothing before the statement that could.
        """
        same = findings.types == self._baseline(task).findings.types
        if same and (alone or not audit.has_matchers(findings.types)):
            return True
        if same and audit.has_private_matchers(findings.types):
            return False
        found = self._meaning(self._locate(task), findings, directory)
        if found is None:
            return False
        return found in (self._meaning_of_stub(task), self._meaning_of_reference(task))

    def _meaning(
        self, located: _Located, findings: audit.Findings, directory: Path
    ) -> tuple[str, ...] | None:
        """The meaning of the types in a compiled file; ``None`` if it cannot be told."""
        names = audit.matchers(findings.types)
        # A definition may name another one, though hardly ever.
        for _ in range(4):
            again, _run = self._audit(located, directory, proofs=False, definitions=names)
            if again is None:
                return None
            more = audit.matchers((*again.types, *again.definitions))
            if set(more) <= set(names):
                return audit.meaning(again)
            names = more
        return None

    def _meaning_of_stub(self, task: Task) -> tuple[str, ...] | None:
        baseline = self._baseline(task)
        if baseline.meaning is None:
            located = self._locate(task)
            meaning = self._meaning_of_text(located, stub(located.source, located.target))
            self._baselines[_key(task)] = dataclasses.replace(baseline, meaning=meaning or ())
            return meaning
        return baseline.meaning or None

    def _meaning_of_reference(self, task: Task) -> tuple[str, ...] | None:
        """The same with the reference proof: where the type depends on the proof, as by the
        section's variables that a definition mentions, it is the statement that was asked for."""
        if task.reference_proof is None:
            return None
        key = _key(task)
        if key not in self._references:
            located = self._locate(task)
            submission = splice(
                located.source, located.target, auxiliary="", proof=task.reference_proof
            )
            self._references[key] = self._meaning_of_text(located, submission)
        return self._references[key]

    def _meaning_of_text(self, located: _Located, submission: Submission) -> tuple[str, ...] | None:
        with scratch() as directory:
            run = self._compile(located, submission, directory)
            if _trouble(run, directory) is not None:
                return None
            findings, _run = self._audit(located, directory)
            return self._meaning(located, findings, directory) if findings else None

    def _verdict(
        self,
        kind: VerdictKind,
        reason: str = "",
        diagnostics: tuple[Diagnostic, ...] = (),
        assurance: tuple[str, ...] = (),
        runs: tuple[LeanRun, ...] = (),
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


def _key(task: Task) -> tuple[str, str, str]:
    return task.path, task.name, task.statement


def _harmless(options: tuple[str, ...]) -> tuple[str, ...]:
    """The project's options without the one by which any warning, as that of the ``sorry`` of a
    stub, fails."""
    return tuple(option for option in options if "warningAsError" not in option)


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
            f"the statement of {task.name} is not the one in the task file:\n"
            f"  in the file:      {cap(found, 300)}\n"
            f"  in the task file: {cap(task.statement, 300)}",
            where=str(path),
            hint="the repository may be at another commit than the task file was made from",
        )
    return target


def _normal(candidate: Candidate) -> Candidate:
    """The candidate with ``\n`` for line ends, so that all who read it see the same lines."""
    auxiliary, proof = (
        text.replace("\r\n", "\n").replace("\r", "\n")
        for text in (candidate.auxiliary, candidate.proof)
    )
    return dataclasses.replace(candidate, auxiliary=auxiliary, proof=proof)


def _imported(located: _Located) -> Iterator[str]:
    """What identifies the compiled modules that a file imports.

    The directories of modules that we compiled are named by what is in them; of a project's own
    build the directly imported oleans are read, which change when what they rest on does.
    """
    for directory in located.search_path:
        yield str(directory)
        if directory.parent.name == "views":
            continue
        for name in located.source.imports:
            olean = directory.joinpath(*name.split(".")).with_suffix(".olean")
            with contextlib.suppress(OSError):
                yield hashlib.sha256(olean.read_bytes()).hexdigest()


def _misplaced(candidate: Candidate) -> str | None:
    """How the candidate's text would not stay in its place, if so."""
    for problem in check_parts(candidate.auxiliary, candidate.proof):
        # A notation may want unmatched brackets: Lean decides.
        if problem.kind != "brackets":
            return f"{problem.part} {problem.line}:{problem.column}: {problem.message}"
    return find_unreadable(candidate.auxiliary)


def _trouble(run: LeanRun, directory: Path) -> str | None:
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
    if run.completed.exit_code != 0 or not (directory / f"{MODULE}.olean").is_file():
        return "Lean failed without an error: " + tail(run)
    return None


def _mapped(run: LeanRun, submission: Submission) -> tuple[Diagnostic, ...]:
    """The diagnostics with their region and goal state, errors first, within bounds.

    Without what is no error and not about the candidate: the repository's own warnings, and those
    about the probe, which stands below the submission.
    """
    last = submission.text.count("\n") + 1
    told = []
    for diagnostic in run.output.diagnostics:
        start = diagnostic.start
        region = submission.region_at(start.line, start.column)
        if diagnostic.severity is Severity.ERROR or (start.line <= last and region != "context"):
            told.append(dataclasses.replace(diagnostic, region=region))
    told.sort(key=lambda diagnostic: diagnostic.severity is not Severity.ERROR)
    return tuple(
        dataclasses.replace(
            diagnostic,
            message=cap(diagnostic.message, MESSAGE_LIMIT),
            goal=goal_state(cap(diagnostic.message, MESSAGE_LIMIT)),
        )
        for diagnostic in told[:DIAGNOSTIC_LIMIT]
    )


def _excerpt(lines: list[str], diagnostic: Diagnostic, around: int = 2, most: int = 12) -> str:
    first = max(1, diagnostic.start.line - around)
    end = diagnostic.end.line if diagnostic.end else diagnostic.start.line
    last = min(len(lines), end + around, first + most - 1)
    numbered = enumerate(lines[first - 1 : last], first)
    return "\n".join(f"{number:>5} | {line}".rstrip() for number, line in numbered)
