"""Results of other programs, read as they were written.

- The reference suite of VeriSoftBench (https://github.com/utopia-group/VeriSoftBench) leaves a
  directory with ``summary.json`` and one file a task in ``details/``.
- A JSON array of outcomes, one object a task with ``thm_name``, ``lean_root``, ``status`` and
  ``failure_reason``, is how a prover's authors published theirs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from pytest_vsb.errors import UsageError
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity, goal_state
from pytest_vsb.metrics.passk import pass_at_k
from pytest_vsb.provers.base import Candidate
from pytest_vsb.report.fold import fold_task
from pytest_vsb.report.summary import ks_for, sum_known
from pytest_vsb.run.records import Attempt, TaskFacts, TaskResult
from pytest_vsb.tasks.model import TaskMetrics
from pytest_vsb.tasks.official import SUITE

TASK_FILE = "verisoftbench.jsonl"
"""The task file that imported results are about, as it is called where it is published."""


WHICH_RUN = (
    "name a run directory (--vsb-run=DIR), a results.json, or the results of another program "
    "(docs/analysis.md)"
)
"""What can be reported, for whoever named something else."""


@dataclass(frozen=True)
class Imported:
    """Another program's run. ``attempts`` is by nodeid, and empty where none are kept; so are
    ``proof_characters``, the lengths of the reference proofs, where they are not given in lines."""

    name: str
    run: Mapping[str, Any]
    results: tuple[TaskResult, ...]
    attempts: Mapping[str, tuple[Attempt, ...]] = field(default_factory=dict)
    proof_characters: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Outcome(msgspec.Struct):
    """One element of an array of outcomes."""

    thm_name: str
    lean_root: str
    status: str
    rel_path: str = ""
    task_id: int | None = None
    category: str | None = None
    nesting_depth: int | None = None
    transitive_dep_count: int | None = None
    gt_proof_length: int | None = None
    failure_reason: str | None = None


class Fix(msgspec.Struct):
    """One repair in a file of the reference suite. Of a proof it is ``err_msg`` that tells whether
    it was accepted: null, then."""

    proof: str | None = None
    aux_lemmas: str | None = None
    err_msg: str | None = None


class Sample(Fix):
    """One sample there, with its repairs."""

    proof_id: int | None = None
    reasoning: str | None = None
    fixed: list[Fix] | None = None


class Detail(msgspec.Struct):
    """One task there. A result that the suite took from its cache has no ``generated_proofs``."""

    thm_name: str
    lean_root: str = ""
    rel_path: str = ""
    success: bool = False
    fix_success: bool = False
    generated_proofs: list[Sample] | None = None
    error_message: str | None = None
    cached: bool = False


def read_imported(path: Path) -> Imported | None:
    """Read another program's results; ``None`` for what is none of the kinds known here.

    Args:
        path: a directory of the reference suite, its ``summary.json``, or a file with an array of
            outcomes.

    Raises:
        UsageError: it is of one of the kinds, but cannot be read.
    """
    if path.name == "summary.json" and (path.parent / "details").is_dir():
        path = path.parent
    if path.is_dir():
        return _reference_suite(path) if (path / "details").is_dir() else None
    if not path.is_file():
        return None
    raw = _json(path)
    if not isinstance(raw, list):
        return None
    return _outcomes(path, raw)


def _json(path: Path) -> Any:
    try:
        return msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read the file: {error.strerror}", where=str(path)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(
            f"the file is no valid JSON: {error}", where=str(path), hint=WHICH_RUN
        ) from error


# An array of outcomes


def _outcomes(path: Path, raw: list[Any]) -> Imported:
    outcomes = []
    for number, element in enumerate(raw):
        try:
            outcomes.append(msgspec.convert(element, Outcome))
        except msgspec.ValidationError as error:
            raise UsageError(
                f"element {number} is no outcome of a task: {error}",
                where=str(path),
                hint="an outcome has thm_name, lean_root and status",
            ) from error
    ids = _ids([(each.lean_root, each.rel_path, each.thm_name) for each in outcomes], path)
    results = tuple(
        _outcome(each, _facts(task, each.lean_root, each.rel_path, each.thm_name, each))
        for task, each in zip(ids, outcomes, strict=True)
    )
    name = re.sub(r"[_-]?results?(?=[_-]|$)", "", path.stem) or path.stem
    notes = [
        "imported: one outcome a task, as published by others; this project judged nothing of it, "
        "and what was repaired is not said"
    ]
    why = Counter(each.failure_reason or "no reason" for each in outcomes if each.status == _FAILED)
    notes += [
        f"imported: {count} {'task' if count == 1 else 'tasks'} failed, as is said: {reason}"
        for reason, count in why.most_common(_REASONS)
    ]
    unknown = sorted({each.status for each in outcomes} - _STATUS.keys())
    if unknown:
        notes.append(f"imported: statuses that say nothing of a proof: {', '.join(unknown)}")
    run = {"identity": {"model": name}, "samples": 1, "imported": "outcomes"}
    lengths = {
        result.task.nodeid: each.gt_proof_length
        for result, each in zip(results, outcomes, strict=True)
        if each.gt_proof_length is not None
    }
    return Imported(name, run, results, proof_characters=lengths, notes=tuple(notes))


_FAILED = "failed"
_STATUS = {"completed": True, _FAILED: False}
_REASONS = 10


def _outcome(outcome: Outcome, facts: TaskFacts) -> TaskResult:
    reason = outcome.failure_reason or ""
    solved = _STATUS.get(outcome.status)
    if solved is None:
        return TaskResult(facts, "unavailable", 0, 0, 0, reason=reason or outcome.status)
    kind = VerdictKind.ACCEPTED if solved else _kind_of(reason)
    c = int(solved)
    return TaskResult(
        task=facts,
        status="done",
        n=1,
        c=c,
        c_first=None if c else 0,  # how often a proof was mended before, nobody says
        pass_at={1: pass_at_k(1, c, 1)},
        verdicts={str(kind): 1},
        first_error=reason,
        reason=reason,
        attempts=1,
    )


def _kind_of(reason: str) -> VerdictKind:
    """The verdict nearest to why a prover failed, by its own word."""
    said = reason.lower()
    if re.search(r"partial|incomplete|sorry", said):
        return VerdictKind.INCOMPLETE
    if re.search(r"time[_ -]?out|timed out|time limit", said):
        return VerdictKind.TIMEOUT
    if re.search(r"memory|\boom\b", said):
        return VerdictKind.OUT_OF_MEMORY
    return VerdictKind.MALFORMED  # whatever the reason, there was no proof to be judged


# The reference suite


def _reference_suite(path: Path) -> Imported:
    details: dict[tuple[str, str, str], Detail] = {}
    for file in sorted((path / "details").glob("*.json")):
        try:
            detail = msgspec.convert(_json(file), Detail)
        except msgspec.ValidationError as error:
            raise UsageError(
                f"this is no result of the reference suite: {error}", where=str(file)
            ) from error
        key = (detail.lean_root, detail.rel_path, detail.thm_name)
        # A task is saved under two names, the second time when all is done.
        if key not in details or _known(detail) >= _known(details[key]):
            details[key] = detail
    if not details:
        raise UsageError("there are no results in details/", where=str(path))
    ids = _ids(list(details), path)
    made: dict[str, tuple[Attempt, ...]] = {}
    facts: list[tuple[TaskFacts, Detail]] = []
    for task, (key, detail) in zip(ids, details.items(), strict=True):
        fact = _facts(task, *key)
        made[fact.nodeid] = tuple(_attempts(fact.nodeid, detail))
        facts.append((fact, detail))
    samples = max((a.sample + 1 for found in made.values() for a in found), default=1)
    repairs = max((a.round for found in made.values() for a in found), default=0)
    results = tuple(_detail(fact, detail, made[fact.nodeid], samples) for fact, detail in facts)
    run = {
        "identity": {"model": path.absolute().name, "repairs": repairs},
        "samples": samples,
        "imported": "reference suite",
    }
    notes = _suite_notes(path, details.values(), results, repairs)
    return Imported(path.absolute().name, run, results, made, notes=notes)


def _known(detail: Detail) -> int:
    samples = detail.generated_proofs or []
    return len(samples) + sum(len(sample.fixed or ()) for sample in samples)


def _suite_notes(
    path: Path, details: Iterable[Detail], results: Sequence[TaskResult], repairs: int
) -> tuple[str, ...]:
    notes = [
        "imported: the verdicts are the reference suite's, from what Lean said of each file; no "
        "check of this project stands behind them"
    ]
    cached = sum(detail.generated_proofs is None and detail.cached for detail in details)
    if cached:
        notes.append(
            f"imported: {cached} results come from the suite's cache, which says only whether a "
            "task was solved: each counts as one sample"
        )
    if repairs:
        notes.append(
            "imported: the suite repairs a sample only where no sample of the task was accepted "
            "at first, so pass@k with repair is a lower bound for k below the number of samples"
        )
    try:
        summary = msgspec.convert(_json(path / "summary.json"), dict[str, Any])
    except (UsageError, msgspec.ValidationError):
        return (*notes, "imported: there is no summary.json, so the run may not have ended")
    told = {
        "total_theorems": len(results),
        "theorems_proved_wo_fix": sum_known(result.solved_without_repair for result in results),
        "theorems_proved_w_fix": sum(result.solved for result in results),
    }
    notes += [
        f"imported: summary.json says {key} = {summary[key]}, the files in details/ {found}"
        for key, found in told.items()
        if key in summary and summary[key] != found
    ]
    return tuple(notes)


def _detail(
    facts: TaskFacts, detail: Detail, attempts: Sequence[Attempt], samples: int
) -> TaskResult:
    if attempts:
        return fold_task(facts, attempts, samples=samples, status="done")
    if detail.error_message and not detail.success and not detail.fix_success:
        return TaskResult(facts, "unavailable", 0, 0, 0, reason=detail.error_message)
    c = int(detail.success or detail.fix_success)
    return TaskResult(
        task=facts,
        status="done",
        n=1,
        c=c,
        c_first=int(detail.success),
        pass_at={k: pass_at_k(1, c, k) for k in ks_for(samples)},
    )


def _attempts(nodeid: str, detail: Detail) -> Iterable[Attempt]:
    for number, sample in enumerate(_in_order(detail.generated_proofs or [])):
        for round_, tried in enumerate([sample, *(sample.fixed or ())]):
            candidate = None
            if (tried.proof or "").strip():
                reasoning = sample.reasoning or "" if round_ == 0 else ""
                candidate = Candidate(tried.proof or "", tried.aux_lemmas or "", reasoning)
            yield Attempt(nodeid, number, round_, _verdict(tried.err_msg), candidate)


def _in_order(samples: Sequence[Sample]) -> list[Sample]:
    # They are saved in the order in which Lean was done with them.
    last = len(samples)
    return sorted(samples, key=lambda each: last if each.proof_id is None else each.proof_id)


_PLACE = re.compile(r"^Line (\d{1,9}):(\d{1,9}) - (?:(error|warning): )?", re.MULTILINE)
_SORRY = re.compile(r"declaration '[^'\n]*' uses '(?:sorry|admit)'")


def _verdict(error: str | None) -> Verdict:
    if error is None:
        return Verdict(VerdictKind.ACCEPTED, assurance=("reference-suite",))
    reason = error.split("\n", 1)[0]
    if error.startswith("Compilation timeout"):
        return Verdict(VerdictKind.TIMEOUT, reason)
    if error.startswith("Compilation error:"):  # the suite itself failed, not the proof
        return Verdict(VerdictKind.UNAVAILABLE, reason)
    diagnostics = tuple(_diagnostics(error))
    if _SORRY.match(error) and not any(each.severity is Severity.ERROR for each in diagnostics):
        return Verdict(VerdictKind.INCOMPLETE, reason, diagnostics)
    return Verdict(VerdictKind.REJECTED, "" if diagnostics else reason, diagnostics)


def _diagnostics(error: str) -> Iterable[Diagnostic]:
    places = list(_PLACE.finditer(error))
    ends = [*(place.start() for place in places[1:]), len(error)]
    for place, end in zip(places, ends, strict=False):
        message = error[place.end() : end].strip("\n")
        warning = place[3] == "warning"
        yield Diagnostic(
            severity=Severity.WARNING if warning else Severity.ERROR,
            message=message,
            start=Position(max(1, int(place[1])), int(place[2])),
            goal=goal_state(message),
        )


# Tasks


def _facts(
    id: str, repository: str, path: str, name: str, outcome: Outcome | None = None
) -> TaskFacts:
    known = outcome or Outcome(name, repository, "")
    return TaskFacts(
        id=id,
        nodeid=f"{TASK_FILE}::{id}",
        name=name,
        module=_module(path),
        suite=SUITE,
        repository=repository,
        category=known.category or "",
        metrics=TaskMetrics(
            transitive_dependencies=known.transitive_dep_count,
            nesting_depth=known.nesting_depth,
        ),
    )


def _module(path: str) -> str:
    return path.removesuffix(".lean").removeprefix("src/").replace("/", ".")


def _ids(tasks: Sequence[tuple[str, str, str]], path: Path) -> list[str]:
    """The ids of tasks, as of records of the dataset: repository and name, with the module between
    where several have that.

    Raises:
        UsageError: two are alike even so.
    """
    names = Counter((repository, name) for repository, _, name in tasks)
    found: list[str] = []
    for repository, file, name in tasks:
        parts = [repository, name]
        if names[repository, name] > 1:
            parts.insert(1, _module(file))
        found.append("/".join(part for part in parts if part))
    twice = [each for each, count in Counter(found).items() if count > 1]
    if twice:
        raise UsageError(f"a task is in there twice: {twice[0]}", where=str(path))
    return found
