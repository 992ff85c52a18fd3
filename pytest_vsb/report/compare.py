"""Runs on the same tasks, held against each other: who solved what, and is one better?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_vsb.errors import UsageError
from pytest_vsb.metrics.contingency import Counts
from pytest_vsb.metrics.paired import Difference, McNemar, mcnemar, paired_difference
from pytest_vsb.metrics.passk import pass_at_k
from pytest_vsb.report.alike import (
    TaskIndex,
    judged,
    protocol_differences,
    same_obligation,
    setting_notes,
)
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.summary import ks_for
from pytest_vsb.run.records import TaskResult

_NAMED = 5
_LEVEL = 0.05


@dataclass(frozen=True)
class ComparedRun:
    """One run, counted over the compared tasks only.

    ``samples`` is the most that a task has. ``cost_usd`` is None where no price is known;
    ``lean_seconds`` and ``prover_seconds`` are wall-clock seconds summed over all attempts, those
    at unsolved tasks included. The values per solved task are None where none is solved.
    """

    name: str
    place: str
    samples: int
    solved: int
    attempts: int
    cost_usd: float | None
    tokens: int
    lean_seconds: float
    prover_seconds: float

    @property
    def cost_per_solved(self) -> float | None:
        return None if self.cost_usd is None else self._each(self.cost_usd)

    @property
    def tokens_per_solved(self) -> float | None:
        return self._each(self.tokens)

    @property
    def lean_seconds_per_solved(self) -> float | None:
        return self._each(self.lean_seconds)

    @property
    def prover_seconds_per_solved(self) -> float | None:
        return self._each(self.prover_seconds)

    def _each(self, amount: float) -> float | None:
        return amount / self.solved if self.solved else None


@dataclass(frozen=True)
class ComparedTask:
    """One task and its samples in each run, in the order of the runs. ``changed`` tells that its
    statement is not the same in all of them."""

    id: str
    nodeid: str
    repository: str
    category: str
    counts: tuple[Counts, ...]
    changed: bool = False

    @property
    def solved(self) -> tuple[bool, ...]:
        return tuple(counts.c > 0 for counts in self.counts)


@dataclass(frozen=True)
class RateDifference:
    """pass@k of two runs, as means over the tasks with at least k samples in both, and the
    difference with its interval."""

    k: int
    first: float
    second: float
    difference: Difference


@dataclass(frozen=True)
class Pair:
    """A run against the first one. ``gained`` are the nodeids of tasks that only it solves,
    ``lost`` of those that only the first does; ``both`` and ``neither`` count."""

    first: str
    second: str
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    both: int
    neither: int
    mcnemar: McNemar
    rates: tuple[RateDifference, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Overlap:
    """The tasks that exactly these runs solve: a row of an UpSet plot. ``solved`` is by run."""

    solved: tuple[bool, ...]
    nodeids: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """Runs held against the first of them, over the tasks that were judged in all.

    ``warnings`` say what makes the runs unlike each other, ``notes`` what else a reader must know.
    ``overlaps`` come with the most tasks first.
    """

    runs: tuple[ComparedRun, ...]
    tasks: tuple[ComparedTask, ...]
    pairs: tuple[Pair, ...]
    overlaps: tuple[Overlap, ...]
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def compare(runs: Sequence[LoadedRun], *, anyway: bool = False) -> Comparison:
    """Hold runs against the first of them.

    Args:
        runs: at least two.
        anyway: compare runs of different theorems or protocols as well, with a warning.

    Raises:
        UsageError: they have no judged task in common, or are unlike and not to be compared
            ``anyway``.
    """
    if len(runs) < 2:
        raise UsageError("at least two runs are needed", where="vsb compare")
    rows = _common(runs)
    if not rows:
        raise UsageError(
            f"{_and([run.name for run in runs])} have no task in common that was judged in all",
            where="vsb compare",
        )
    warnings = (*_changed(rows), *_protocols(runs))
    if warnings and not anyway:
        raise UsageError(
            "; ".join(warnings),
            where="vsb compare",
            hint="compare runs that are alike, or say --anyway",
        )
    tasks = tuple(
        ComparedTask(
            id=row[0].task.id,
            nodeid=row[0].task.nodeid,
            repository=row[0].task.repository,
            category=row[0].task.category,
            counts=tuple(Counts(result.n, result.c) for result in row),
            changed=not same_obligation([result.task for result in row]),
        )
        for row in rows
    )
    return Comparison(
        runs=tuple(_counted(run, [row[number] for row in rows]) for number, run in enumerate(runs)),
        tasks=tasks,
        pairs=tuple(_pair(runs, tasks, number) for number in range(1, len(runs))),
        overlaps=_overlaps(tasks),
        warnings=warnings,
        notes=_notes(runs, tasks),
    )


def _common(runs: Sequence[LoadedRun]) -> list[tuple[TaskResult, ...]]:
    """The results of each task that was judged in all runs."""
    others = [TaskIndex(run.results) for run in runs[1:]]
    rows = []
    for result in runs[0].results:
        found = [other.find(result.task) for other in others]
        row = [result, *(each for each in found if each is not None)]
        if len(row) == len(runs) and all(map(judged, row)):
            rows.append(tuple(row))
    return rows


def _changed(rows: Sequence[tuple[TaskResult, ...]]) -> tuple[str, ...]:
    changed = [
        row[0].task.nodeid for row in rows if not same_obligation([result.task for result in row])
    ]
    if not changed:
        return ()
    more = f" and {len(changed) - _NAMED} more" if len(changed) > _NAMED else ""
    return (
        f"different datasets: {len(changed)} of {len(rows)} tasks are other theorems "
        f"({', '.join(changed[:_NAMED])}{more})",
    )


def _protocols(runs: Sequence[LoadedRun]) -> tuple[str, ...]:
    found = []
    for run in runs[1:]:
        different = protocol_differences(runs[0].identity, run.identity)
        if different:
            found.append(
                f"different protocols: {runs[0].name} and {run.name}: {'; '.join(different)}"
            )
    return tuple(found)


def _notes(runs: Sequence[LoadedRun], tasks: Sequence[ComparedTask]) -> tuple[str, ...]:
    notes: list[str] = []
    for run in runs:
        left = sum(map(judged, run.results)) - len(tasks)
        if left:
            notes.append(
                f"{run.name}: {left} more judged {'task' if left == 1 else 'tasks'}, left out: not "
                "judged in all runs"
            )
    samples = [max(task.counts[number].n for task in tasks) for number in range(len(runs))]
    if len(set(samples)) > 1:
        told = ", ".join(f"{run.name} {n}" for run, n in zip(runs, samples, strict=True))
        notes.append(
            f"samples differ ({told}): more samples solve more tasks, so compare pass@k, not "
            "what is solved"
        )
    if len({task.repository for task in tasks}) < 2:
        notes.append("all tasks are of one repository: intervals are drawn over tasks")
    for run in runs[1:]:
        notes += setting_notes(runs[0].run, run.run)
    for run in runs:
        notes += [f"{run.name}: {note}" for note in run.notes]
    return tuple(dict.fromkeys(notes))


def _counted(run: LoadedRun, results: Sequence[TaskResult]) -> ComparedRun:
    costs = [result.usage.cost_usd for result in results if result.usage.cost_usd is not None]
    return ComparedRun(
        name=run.name,
        place=str(run.path) if run.path is not None else "",
        samples=max(result.n for result in results),
        solved=sum(result.solved for result in results),
        attempts=sum(result.attempts for result in results),
        cost_usd=math.fsum(costs) if costs else None,
        tokens=sum(result.usage.input_tokens + result.usage.output_tokens for result in results),
        lean_seconds=math.fsum(result.lean_seconds for result in results),
        prover_seconds=math.fsum(result.usage.seconds for result in results),
    )


def _pair(runs: Sequence[LoadedRun], tasks: Sequence[ComparedTask], number: int) -> Pair:
    first = [task.solved[0] for task in tasks]
    second = [task.solved[number] for task in tasks]
    test = mcnemar(first, second)
    rates = _rates(tasks, number)
    return Pair(
        first=runs[0].name,
        second=runs[number].name,
        gained=tuple(t.nodeid for t in tasks if t.solved[number] and not t.solved[0]),
        lost=tuple(t.nodeid for t in tasks if t.solved[0] and not t.solved[number]),
        both=sum(a and b for a, b in zip(first, second, strict=True)),
        neither=sum(not a and not b for a, b in zip(first, second, strict=True)),
        mcnemar=test,
        rates=rates,
        notes=tuple(filter(None, (test.note, _apart(test, rates)))),
    )


def _apart(test: McNemar, rates: Sequence[RateDifference]) -> str:
    """What to know where the test sees a difference that an interval does not."""
    found = rates[-1].difference if rates else None
    if found is None or found.low is None or found.high is None or test.p >= _LEVEL:
        return ""
    if found.low > 0 or found.high < 0 or found.clusters == found.n:
        return ""
    return (
        "McNemar's test takes tasks to be independent; the intervals, which draw whole "
        f"repositories, of which there are {found.clusters}, hold no difference as well"
    )


def _rates(tasks: Sequence[ComparedTask], number: int) -> tuple[RateDifference, ...]:
    most = max(min(task.counts[0].n, task.counts[number].n) for task in tasks)
    found = []
    for k in ks_for(most):
        some = [t for t in tasks if min(t.counts[0].n, t.counts[number].n) >= k]
        first = [pass_at_k(t.counts[0].n, t.counts[0].c, k) or 0.0 for t in some]
        second = [pass_at_k(t.counts[number].n, t.counts[number].c, k) or 0.0 for t in some]
        repositories = [task.repository for task in some]
        clusters = repositories if len(set(repositories)) > 1 else None
        difference = paired_difference(first, second, clusters)
        if difference is not None:
            found.append(
                RateDifference(
                    k, math.fsum(first) / len(some), math.fsum(second) / len(some), difference
                )
            )
    return tuple(found)


def _overlaps(tasks: Sequence[ComparedTask]) -> tuple[Overlap, ...]:
    counted = Counter(task.solved for task in tasks)
    order = sorted(counted, key=lambda solved: (-counted[solved], [not each for each in solved]))
    return tuple(
        Overlap(solved, tuple(task.nodeid for task in tasks if task.solved == solved))
        for solved in order
    )


def _and(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
