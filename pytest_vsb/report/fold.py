"""Folding the attempts at a task into its result, and a run directory into all results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from pytest_vsb.metrics.passk import pass_at_k
from pytest_vsb.provers.base import Usage
from pytest_vsb.report.failure import first_error
from pytest_vsb.report.summary import ks_for
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.history import ItemHistory, read_history
from pytest_vsb.run.records import Attempt, TaskFacts, TaskResult


def fold_task(
    task: TaskFacts, attempts: Iterable[Attempt], *, samples: int, status: str, reason: str = ""
) -> TaskResult:
    """The result of one task.

    A sample counts in ``n`` if it was judged: its last attempt is not ``unavailable``. It counts
    in ``c`` if that attempt was accepted, and in ``c_first`` if that was in round 0.

    Args:
        task: the task's facts.
        attempts: all attempts at it, in any order.
        samples: how many samples the run asks for, which sets the k of ``pass_at``.
        status: how the item ended; see ``TaskResult``.
        reason: why, where it did not end as it should.
    """
    made = sorted(attempts, key=lambda attempt: (attempt.sample, attempt.round))
    last = {attempt.sample: attempt for attempt in made}
    counted = [attempt for attempt in last.values() if attempt.verdict.counts]
    solved = [attempt for attempt in counted if attempt.verdict.accepted]
    n, c = len(counted), len(solved)
    return TaskResult(
        task=task,
        status=status,
        n=n,
        c=c,
        c_first=sum(attempt.round == 0 for attempt in solved),
        pass_at={k: pass_at_k(n, c, k) for k in ks_for(samples)},
        verdicts=dict(Counter(str(attempt.verdict.kind) for attempt in made)),
        first_error=first_error(made) if not solved else "",
        reason=reason,
        attempts=len(made),
        unavailable_samples=len(last) - n,
        lean_seconds=sum(attempt.verdict.spent_seconds for attempt in made),
        usage=reduce(lambda total, attempt: total + attempt.usage, made, Usage()),
        cached_verdicts=sum(attempt.verdict.cached for attempt in made),
    )


def fold_run(
    run: RunDirectory, *, samples: int, histories: Mapping[str, ItemHistory] | None = None
) -> Sequence[TaskResult]:
    """The results of all tasks of a run directory, in the order they were collected, from what
    its journals say now, or said when ``histories`` were read."""
    histories = read_history(run.path) if histories is None else histories
    results = []
    for task in run.tasks():
        history = histories.get(task.nodeid)
        results.append(_not_run(task) if history is None else _folded(task, history, samples))
    return results


def _folded(task: TaskFacts, history: ItemHistory, samples: int) -> TaskResult:
    status, reason = history.outcome
    return fold_task(task, history.in_order(), samples=samples, status=status, reason=reason)


def _not_run(task: TaskFacts) -> TaskResult:
    return TaskResult(task=task, status="not_run", n=0, c=0, c_first=0)
