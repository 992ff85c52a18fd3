"""Run directories made up for tests: written as runs write theirs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity
from pytest_vsb.provers.base import Candidate, Usage
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.journal import Journal
from pytest_vsb.run.records import Attempt, TaskFacts
from pytest_vsb.tasks.model import TaskMetrics

FILE = "demo.vsb.jsonl"


def task(name: str, repository: str = "demo", **more: Any) -> TaskFacts:
    numbers = {
        key: more.pop(key)
        for key in (
            "direct_dependencies",
            "transitive_dependencies",
            "nesting_depth",
            "proof_lines",
        )
        if key in more
    }
    return TaskFacts(
        id=name,
        nodeid=f"{FILE}::{name}",
        name=f"Demo.{name}",
        module="Demo.Basic",
        suite="demo",
        repository=repository,
        metrics=TaskMetrics(**numbers),
        **more,
    )


def attempt(
    of: TaskFacts,
    sample: int = 0,
    round_: int = 0,
    *,
    proof: str = ":= by simp",
    auxiliary: str = "",
    error: str = "",
    kind: VerdictKind | None = None,
    tag: str = "",
    usage: Usage = Usage(),
    lean_seconds: float = 1.0,
) -> Attempt:
    """An attempt: accepted, or with the one error that Lean said of it."""
    diagnostics = (
        (Diagnostic(Severity.ERROR, error, Position(9, 2), kind=tag, region="proof"),)
        if error
        else ()
    )
    kind = kind or (VerdictKind.REJECTED if error else VerdictKind.ACCEPTED)
    return Attempt(
        nodeid=of.nodeid,
        sample=sample,
        round=round_,
        verdict=Verdict(kind, diagnostics=diagnostics, lean_seconds=lean_seconds),
        candidate=Candidate(proof, auxiliary),
        usage=usage,
    )


def make_run(
    path: Path,
    tasks: Sequence[TaskFacts],
    attempts: Iterable[Attempt],
    *,
    statuses: Mapping[str, str] | None = None,
    samples: int = 1,
    model: str = "made-up",
    **identity: Any,
) -> Path:
    """A run directory with these attempts in its journal; tasks without any were not run, unless
    ``statuses`` (by id) says how they ended."""
    run = RunDirectory.create(path, {"model": model, **identity}, {"samples": samples})
    run.add_tasks(tasks)
    journal = Journal(run.journal, "main")
    made = list(attempts)
    for each in tasks:
        of_task = [one for one in made if one.nodeid == each.nodeid]
        status = (statuses or {}).get(each.id)
        if of_task or status:
            journal.started(each.nodeid)
            for one in of_task:
                journal.judged(one)
            journal.ended(each.nodeid, status or "done")
    journal.close()
    return path
