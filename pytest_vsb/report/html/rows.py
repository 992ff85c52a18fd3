"""The rows of the page's table of tasks: each task once, with its result in each run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from pytest_vsb.report.analysis import Analysis
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.taxonomy import task_key
from pytest_vsb.report.text import one_line
from pytest_vsb.run.records import TaskResult

_NAME = 1_000

RESULTS = {
    "solved": "solved",
    "first": "solved at once",
    "repaired": "solved by repair",
    "unsolved": "not solved",
    "unjudged": "not judged",
    "known_bad": "known bad",
}
"""What a task's result in a run can be, and how it is called."""


@dataclass(frozen=True)
class Outcome:
    """A task's result in one run. ``kind`` is one of ``RESULTS``; ``text`` says c of n."""

    kind: str
    text: str
    share: float
    status: str = ""


@dataclass(frozen=True)
class TaskRow:
    """One task. ``outcomes`` has an element a run, ``None`` where the run has no such task;
    ``kinds`` are their different kinds; numbers are sums over the runs."""

    number: int
    nodeid: str
    name: str
    repository: str
    category: str
    outcomes: tuple[Outcome | None, ...]
    kinds: tuple[str, ...]
    attempts: int
    depth: int | None
    dependencies: int | None
    proof_lines: int | None
    lean_seconds: float
    cost_usd: float | None
    error: str
    message: str
    results: tuple[tuple[int, LoadedRun, TaskResult], ...]

    @property
    def link(self) -> str:
        """What opens the task, within the page."""
        return "#task=" + quote(self.nodeid, safe="/:.,'!()~*")

    @property
    def differs(self) -> bool:
        """Whether runs say that they had different obligations under this name."""
        return len({r.task.digest for _, _, r in self.results if r.task.digest}) > 1


def task_rows(runs: Sequence[LoadedRun], analysis: Analysis) -> tuple[TaskRow, ...]:
    """The tasks of all runs, in the order of the first run that has them."""
    found: dict[tuple[str, ...], list[tuple[int, LoadedRun, TaskResult]]] = {}
    for number, run in enumerate(runs):
        seen: set[tuple[str, ...]] = set()
        for result in run.results:
            key = task_key(result.task)
            if key in seen:  # a task file may name one declaration twice
                key = (result.task.nodeid,)
            seen.add(key)
            found.setdefault(key, []).append((number, run, result))
    errors = {
        (run.name, failed.nodeid): failed.fine
        for run in analysis.runs
        for failed in run.errors.tasks
    }
    rows = [
        _row(number, results, len(runs), errors) for number, results in enumerate(found.values())
    ]
    # Links go by nodeid. Two rows have the same one where runs mean different tasks by it.
    times = Counter(row.nodeid for row in rows)
    shown: Counter[str] = Counter()
    for number, row in enumerate(rows):
        shown[row.nodeid] += 1
        if times[row.nodeid] > 1:
            rows[number] = replace(row, nodeid=f"{row.nodeid} #{shown[row.nodeid]}")
    return tuple(rows)


def _row(
    number: int,
    results: Sequence[tuple[int, LoadedRun, TaskResult]],
    runs: int,
    errors: dict[tuple[str, str], str],
) -> TaskRow:
    facts = results[0][2].task
    outcomes: list[Outcome | None] = [None] * runs
    for place, _, result in results:
        outcomes[place] = _outcome(result)
    named = [errors.get((run.name, result.task.nodeid), "") for _, run, result in results]
    failed = [result for _, _, result in results if not result.solved]
    costs = [r.usage.cost_usd for _, _, r in results if r.usage.cost_usd is not None]
    return TaskRow(
        number=number,
        nodeid=one_line(facts.nodeid, _NAME),
        name=one_line(facts.name or facts.id, _NAME),
        repository=one_line(facts.repository, _NAME),
        category=one_line(facts.category, _NAME),
        outcomes=tuple(outcomes),
        kinds=tuple(dict.fromkeys(outcome.kind for outcome in outcomes if outcome)),
        attempts=sum(result.attempts for _, _, result in results),
        depth=facts.metrics.nesting_depth,
        dependencies=facts.metrics.transitive_dependencies,
        proof_lines=facts.metrics.proof_lines,
        lean_seconds=sum(result.lean_seconds for _, _, result in results),
        cost_usd=sum(costs) if costs else None,
        error=next(filter(None, named), ""),
        message=one_line(next((r.first_error or r.reason for r in failed), ""), 160),
        results=tuple(results),
    )


def _outcome(result: TaskResult) -> Outcome:
    if result.status == "known_bad":
        kind = "known_bad"
    elif result.n == 0:
        kind = "unjudged"
    elif result.c and result.c_first is None:
        kind = "solved"
    elif result.c_first:
        kind = "first"
    else:
        kind = "repaired" if result.c else "unsolved"
    status = "" if result.status == "done" else one_line(result.status.replace("_", " "), 40)
    return Outcome(kind, f"{result.c}/{result.n}", result.c / max(result.n, 1), status)
