"""Numbers of tasks together: the rows that an analysis is made of, and how each is computed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_vsb.metrics.averages import Averages, averages, by_round
from pytest_vsb.metrics.correlation import partial_spearman, spearman
from pytest_vsb.metrics.distribution import cdf
from pytest_vsb.metrics.intervals import mean_interval
from pytest_vsb.metrics.passk import mean_pass_at_k, pass_at_k, task_values
from pytest_vsb.provers.base import Usage
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.summary import Rate, ks_for, sum_known
from pytest_vsb.run.records import TaskResult

_CURVE = 128
"""The most samples for which a curve has a point for every k."""


@dataclass(frozen=True)
class GroupRow:
    """The results of some tasks together, without those that are known to be bad.

    ``judged`` tasks have a sample that counts. ``pass_at`` has the rates of all answers,
    ``pass_at_first`` those of the first answers alone, without repair, for the same k (no values,
    and None ``solved_without_repair``, where results do not tell those apart); of a whole
    run for all k that ``report.summary.ks_for`` gives, of a group for 1 and the number of samples.
    ``pass_at`` has intervals for the largest k, and for k = 1 of whole runs.
    """

    name: str
    tasks: int
    judged: int
    solved: int
    solved_without_repair: int | None
    pass_at: tuple[Rate, ...] = ()
    pass_at_first: tuple[Rate, ...] = ()
    attempts: int = 0
    lean_seconds: float = 0.0
    usage: Usage = Usage()

    @property
    def last(self) -> Rate:
        """The rate of the largest k, that of all samples."""
        return self.pass_at[-1]

    @property
    def last_first(self) -> Rate:
        """The same without repair."""
        return self.pass_at_first[-1]


@dataclass(frozen=True)
class CurvePoint:
    """pass@k with and without repair; None where no task has k samples, or where it is not known
    which proofs were repaired. ``tasks`` have k samples, of the judged ones."""

    k: int
    value: float | None
    first: float | None
    tasks: int


@dataclass(frozen=True)
class RepairRow:
    """What was proved by the end of a round of repair; round 0 is without any.

    ``pass_1`` and ``pass_n`` are pass@1 and pass@k of all samples; ``gain_1`` and ``gain_n`` how
    much the round added, None in round 0. ``tasks`` are in ``pass_n``: those with all samples.
    ``attempts`` were made in it; None where no attempts are kept.
    """

    round: int
    solved: int
    pass_1: float | None
    pass_n: float | None
    gain_1: float | None
    gain_n: float | None
    tasks: int
    attempts: int | None


@dataclass(frozen=True)
class CorrelationRow:
    """Success against one measure of a task (Table 6): Spearman's rho over ``n`` judged tasks, of
    1 for a solved one and 0 for another; ``partial`` with the repository held fixed. None where
    there is too little to correlate; ``n`` tasks have the measure."""

    measure: str
    n: int
    rho: float | None
    p: float | None
    partial: float | None
    partial_p: float | None


@dataclass(frozen=True)
class CostRow:
    """What a run took, in sums over all attempts and by task. ``seconds`` is the prover's
    wall-clock time. ``lean_seconds_per_attempt`` leaves out the attempts that were judged before.
    Dollars are None where no price is known, and what is by solved task is None where none is."""

    attempts: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost_usd: float | None
    seconds: float
    lean_seconds: float
    cost_per_task: float | None
    cost_per_solved: float | None
    output_tokens_per_solved: float | None
    seconds_per_solved: float | None
    lean_seconds_per_attempt: float | None


def group_row(
    name: str, results: Sequence[TaskResult], ks: Sequence[int], *, intervals: bool = False
) -> GroupRow:
    """The row of some tasks, for each k of ``ks``, with an interval for the last one; with
    ``intervals`` for k = 1 too."""
    judged = [result for result in results if result.n]
    usage = Usage()
    for result in results:
        usage += result.usage
    counts = [(result.n, result.c) for result in judged]
    first = first_counts(judged)
    return GroupRow(
        name=name,
        tasks=len(results),
        judged=len(judged),
        solved=sum(result.solved for result in results),
        solved_without_repair=sum_known(result.solved_without_repair for result in results),
        pass_at=tuple(_rate(counts, k, interval=k == ks[-1] or (intervals and k == 1)) for k in ks),
        pass_at_first=tuple(_rate(first, k) for k in ks),
        attempts=sum(result.attempts for result in results),
        lean_seconds=math.fsum(result.lean_seconds for result in results),
        usage=usage,
    )


def _rate(counts: Sequence[tuple[int, int]], k: int, *, interval: bool = False) -> Rate:
    mean = mean_pass_at_k(counts, k)
    low = high = None
    if interval:
        low, high = mean_interval(task_values(counts, k)) or (None, None)
    return Rate(k, mean.value, low, high, tasks=mean.tasks_counted, judged=mean.tasks_total)


def curve(judged: Sequence[TaskResult], samples: int) -> tuple[CurvePoint, ...]:
    """pass@k of judged tasks for every k up to ``samples``; for those of ``ks_for``, if there are
    very many."""
    ks = range(1, samples + 1) if samples <= _CURVE else ks_for(samples)
    first = first_counts(judged)
    points = []
    for k in ks:
        every = mean_pass_at_k(((r.n, r.c) for r in judged), k)
        points.append(
            CurvePoint(k, every.value, mean_pass_at_k(first, k).value, every.tasks_counted)
        )
    return tuple(points)


def first_counts(judged: Sequence[TaskResult]) -> list[tuple[int, int]]:
    """The samples of each task and its first answers that were proofs; none at all if that is not
    known of one."""
    counts = [(result.n, result.c_first) for result in judged if result.c_first is not None]
    return counts if len(counts) == len(judged) else []


def group_averages(
    judged: Sequence[TaskResult], counts: Sequence[tuple[int, int]], k: int
) -> Averages:
    """The averages over repositories of pass@k, by each task's samples and proofs in ``counts``; of
    nothing where there are none."""
    groups: dict[str, list[float]] = {}
    for result, (n, c) in zip(judged, counts, strict=False):
        value = pass_at_k(n, c, k)
        if value is not None:
            groups.setdefault(result.task.repository, []).append(value)
    return averages(groups.values())


def repair(run: LoadedRun, judged: Sequence[TaskResult]) -> tuple[RepairRow, ...]:
    """By round where the attempts are kept, else without repair and with all of it; nothing where
    nobody knows what was repaired."""
    if any(result.c_first is None for result in judged):
        return ()
    repairs = run.identity.get("repairs")
    last = repairs if isinstance(repairs, int) else 0
    made: dict[int, int] | None = None
    rounds: dict[str, tuple[int, ...]] = {}
    if run.has_attempts:
        made = {}
        solved_in: dict[str, dict[int, int]] = {}
        without: set[str] = set()
        for result in judged:
            where = solved_in.setdefault(result.task.nodeid, {})
            attempts = run.attempts(result.task.nodeid)
            if not attempts:
                without.add(result.task.nodeid)
            for attempt in attempts:
                made[attempt.round] = made.get(attempt.round, 0) + 1
                if attempt.verdict.accepted:
                    where.setdefault(attempt.sample, attempt.round)
        last = max([last, *made])
        rounds = {nodeid: by_round(found.values(), last) for nodeid, found in solved_in.items()}
        # What is known of a result alone (taken from another's cache) has no attempts.
        for result in judged:
            if result.task.nodeid in without:
                rounds[result.task.nodeid] = _ends(result, last)
    else:
        last = last or int(any(result.c != result.c_first for result in judged))
        rounds = {result.task.nodeid: _ends(result, last) for result in judged}
    rows: list[RepairRow] = []
    steps = range(last + 1) if made is not None or last == 0 else (0, last)
    for step in steps:
        counts = [(result.n, min(rounds[result.task.nodeid][step], result.n)) for result in judged]
        one = mean_pass_at_k(counts, 1).value
        every = mean_pass_at_k(counts, run.samples)
        many = every.value
        before = rows[-1] if rows else None
        rows.append(
            RepairRow(
                round=step,
                solved=sum(c > 0 for _, c in counts),
                pass_1=one,
                pass_n=many,
                gain_1=_minus(one, before.pass_1) if before else None,
                gain_n=_minus(many, before.pass_n) if before else None,
                tasks=every.tasks_counted,
                attempts=made.get(step, 0) if made is not None else None,
            )
        )
    return tuple(rows)


def _ends(result: TaskResult, last: int) -> tuple[int, ...]:
    if last == 0:
        return (result.c,)
    return (*[result.c_first or 0] * last, result.c)


def _minus(one: float | None, other: float | None) -> float | None:
    return one - other if one is not None and other is not None else None


def dependency_cdf(
    judged: Sequence[TaskResult],
) -> dict[str, tuple[tuple[float, float], ...]]:
    """The data of Figure 6; see ``RunAnalysis.dependency_cdf``."""
    known = [
        (result.task.metrics.transitive_dependencies, result.solved)
        for result in judged
        if result.task.metrics.transitive_dependencies is not None
    ]
    return {
        name: cdf([float(count) for count, solved in known if solved in wanted])
        for name, wanted in (("all", (True, False)), ("solved", (True,)), ("unsolved", (False,)))
    }


def correlations(run: LoadedRun, judged: Sequence[TaskResult]) -> tuple[CorrelationRow, ...]:
    """The rows of Table 6: success against each measure that a task may have."""

    def library(result: TaskResult) -> int | None:
        task = run.tasks.get(result.task.nodeid)
        if task is None or not task.dependencies:
            return None
        return sum(each.scope == "library" for each in task.dependencies)

    def project(result: TaskResult) -> int | None:
        direct = result.task.metrics.direct_dependencies
        if direct is not None:
            return direct
        task = run.tasks.get(result.task.nodeid)
        if task is None or not task.dependencies:
            return None
        return sum(each.scope != "library" for each in task.dependencies)

    measures: dict[str, Callable[[TaskResult], int | None]] = {
        "direct_project_deps": project,
        "direct_library_deps": library,
        "total_transitive_deps": lambda r: r.task.metrics.transitive_dependencies,
        "nesting_depth": lambda r: r.task.metrics.nesting_depth,
        "proof_length_lines": lambda r: r.task.metrics.proof_lines,
        "proof_length_characters": lambda r: run.proof_characters.get(r.task.nodeid),
    }
    rows = []
    for name, measure in measures.items():
        pairs = [(value, r) for r in judged if (value := measure(r)) is not None]
        xs = [float(value) for value, _ in pairs]
        ys = [float(r.solved) for _, r in pairs]
        plain = spearman(xs, ys)
        partial = partial_spearman(xs, ys, [r.task.repository for _, r in pairs])
        rows.append(
            CorrelationRow(
                measure=name,
                n=len(pairs),
                rho=plain.rho if plain else None,
                p=plain.p if plain else None,
                partial=partial.rho if partial else None,
                partial_p=partial.p if partial else None,
            )
        )
    return tuple(rows)


def cost(results: Sequence[TaskResult]) -> CostRow:
    """What a run took; see :class:`CostRow`."""
    usage = Usage()
    for result in results:
        usage += result.usage
    attempts = sum(result.attempts for result in results)
    judged = sum(result.n > 0 for result in results)
    solved = sum(result.solved for result in results)
    lean = math.fsum(result.lean_seconds for result in results)
    checked = attempts - sum(result.cached_verdicts for result in results)

    def per(value: float | None, number: int) -> float | None:
        return value / number if value is not None and number else None

    return CostRow(
        attempts=attempts,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cached_tokens=usage.cached_tokens,
        cost_usd=usage.cost_usd,
        seconds=usage.seconds,
        lean_seconds=lean,
        cost_per_task=per(usage.cost_usd, judged),
        cost_per_solved=per(usage.cost_usd, solved),
        output_tokens_per_solved=per(usage.output_tokens, solved),
        seconds_per_solved=per(usage.seconds, solved),
        lean_seconds_per_attempt=per(lean, checked),
    )
