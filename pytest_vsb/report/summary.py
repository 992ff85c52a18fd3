"""A run's results in numbers: totals, pass@k with intervals, and the same by group."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.metrics.intervals import mean_interval
from pytest_vsb.metrics.passk import mean_pass_at_k, task_values
from pytest_vsb.provers.base import Usage
from pytest_vsb.run.journal import Unreadable
from pytest_vsb.run.records import TaskResult

STATUSES = (
    "done",
    "crashed",
    "cut_off",
    "unavailable",
    "unfinished",
    "budget",
    "excluded",
    "known_bad",
    "not_run",
)
VERDICTS = tuple(kind.value for kind in VerdictKind)


@dataclass(frozen=True)
class Rate:
    """The mean of pass@k over the tasks with at least k samples.

    ``value``, ``low`` and ``high`` are fractions of one. ``value`` is ``None`` where no task has
    k samples; ``low`` and ``high`` bound the 95 % interval over tasks
    (``metrics.intervals.mean_interval``), ``None`` where there are too few tasks for one.
    ``tasks`` is how many tasks count, of the ``judged`` ones.
    """

    k: int
    value: float | None
    low: float | None
    high: float | None
    tasks: int
    judged: int


@dataclass(frozen=True)
class KnownBad:
    """A task that is known to be false or unprovable, and why; ``solved`` if it was run all the
    same and a proof was accepted."""

    nodeid: str
    reason: str
    solved: bool = False


@dataclass(frozen=True)
class Group:
    """The results of some tasks together: a category, a subset, a repository, or all.

    ``judged`` is the number of tasks with at least one sample that counts; the others are in no
    rate. ``solved`` leaves out the tasks that are known to be bad, and ``solved_without_repair`` is
    None where results do not tell. ``statuses`` counts tasks,
    ``verdicts`` counts attempts. ``lean_seconds`` and ``usage.seconds`` (the prover's time) are
    sums of wall-clock seconds over all attempts; Lean has no part in the ``cached_verdicts``, which
    were found for an equal candidate before.
    ``unavailable_samples`` were lost to the environment, in ``thinned_tasks`` judged tasks or in
    tasks that are not judged at all.
    """

    name: str
    tasks: int
    judged: int
    solved: int
    solved_without_repair: int | None
    statuses: Mapping[str, int] = field(default_factory=dict)
    pass_at: tuple[Rate, ...] = ()
    verdicts: Mapping[str, int] = field(default_factory=dict)
    attempts: int = 0
    unavailable_samples: int = 0
    thinned_tasks: int = 0
    lean_seconds: float = 0.0
    usage: Usage = field(default_factory=Usage)
    cached_verdicts: int = 0

    def rate(self, k: int) -> Rate | None:
        return next((rate for rate in self.pass_at if rate.k == k), None)


@dataclass(frozen=True)
class UnreadableLines:
    """Lines of a run's journals that cannot be read: how many, and where the first of them are,
    such as ``journal/main.jsonl:17``. What they told is in no number."""

    SAID: ClassVar[str] = "cannot be read ("

    lines: int = 0
    places: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """What a reader must know of them; empty where there are none."""
        if not self.lines:
            return ""
        more = self.lines - len(self.places)
        places = ", ".join(self.places) + (f" and {more} more" if more > 0 else "")
        return (
            f"journal: {self.lines} {'line' if self.lines == 1 else 'lines'} {self.SAID}{places}): "
            "what was told there is in no number"
        )


@dataclass(frozen=True)
class Summary:
    """All results, and the same by category, by subset and by repository.

    A task without a category or repository is in the group named ``""``, which comes last. A
    task can be in several subsets, or in none. ``known_bad`` lists the tasks that are in no rate
    for being known as false or unprovable. ``unreadable`` tells of the journals' lines.
    """

    ks: tuple[int, ...]
    total: Group
    categories: tuple[Group, ...] = ()
    subsets: tuple[Group, ...] = ()
    repositories: tuple[Group, ...] = ()
    known_bad: tuple[KnownBad, ...] = ()
    unreadable: UnreadableLines = UnreadableLines()


def ks_for(samples: int) -> tuple[int, ...]:
    """The k to report for ``samples`` samples: 1, the powers of two below, and ``samples``.

    Raises:
        ValueError: ``samples`` is less than one.
    """
    if samples < 1:
        raise ValueError(f"there must be at least one sample, not {samples}")
    return (*(2**power for power in range((samples - 1).bit_length())), samples)


_PLACES = 20


def unreadable_lines(lines: Sequence[Unreadable]) -> UnreadableLines:
    """The lines that a history could not read, in its order."""
    return UnreadableLines(len(lines), tuple(line.place for line in lines[:_PLACES]))


def summarise(
    results: Sequence[TaskResult],
    ks: Sequence[int],
    *,
    unreadable: UnreadableLines = UnreadableLines(),
) -> Summary:
    """Fold ``results`` into totals and rates; the order of ``results`` does not matter.

    Tasks without a sample that counts (n = 0: the environment failed, the worker died, ...) are
    counted, but are in no rate.

    Raises:
        ValueError: a k is less than one.
    """
    wanted = tuple(sorted(set(ks)))
    # Floating-point sums depend on the order, and workers finish in any order.
    ordered = sorted(results, key=lambda result: result.task.nodeid)

    def groups(names: Callable[[TaskResult], Iterable[str]]) -> tuple[Group, ...]:
        members: dict[str, list[TaskResult]] = {}
        for result in ordered:
            for name in dict.fromkeys(names(result)):
                members.setdefault(name, []).append(result)
        order = sorted(members, key=lambda name: (name == "", name.casefold(), name))
        return tuple(_group(name, members[name], wanted) for name in order)

    return Summary(
        ks=wanted,
        total=_group("total", ordered, wanted),
        categories=groups(lambda result: (result.task.category,)),
        subsets=groups(lambda result: result.task.subsets),
        repositories=groups(lambda result: (result.task.repository,)),
        known_bad=tuple(
            KnownBad(result.task.nodeid, result.reason, result.solved)
            for result in ordered
            if result.status == "known_bad"
        ),
        unreadable=unreadable,
    )


def _group(name: str, results: Sequence[TaskResult], ks: Sequence[int]) -> Group:
    sound = [result for result in results if result.status != "known_bad"]
    judged = [result for result in sound if result.n > 0]
    verdicts: Counter[str] = Counter()
    usage = Usage()
    for result in results:
        verdicts.update(result.verdicts)
        usage += result.usage
    statuses = Counter(result.status for result in results)
    return Group(
        name=name,
        tasks=len(results),
        judged=len(judged),
        solved=sum(result.solved for result in sound),
        solved_without_repair=sum_known(result.solved_without_repair for result in sound),
        statuses=in_order(statuses, STATUSES),
        pass_at=tuple(_rate([(result.n, result.c) for result in judged], k) for k in ks),
        verdicts=in_order(verdicts, VERDICTS),
        attempts=sum(result.attempts for result in results),
        unavailable_samples=sum(result.unavailable_samples for result in results),
        thinned_tasks=sum(result.unavailable_samples > 0 for result in judged),
        lean_seconds=math.fsum(result.lean_seconds for result in results),
        usage=usage,
        cached_verdicts=sum(result.cached_verdicts for result in results),
    )


def _rate(counts: Sequence[tuple[int, int]], k: int) -> Rate:
    mean = mean_pass_at_k(counts, k)
    low, high = _interval(tuple(sorted(task_values(counts, k)))) or (None, None)
    return Rate(k, mean.value, low, high, tasks=mean.tasks_counted, judged=mean.tasks_total)


# Groups often hold the same tasks: all, the only repository, the only suite.
@lru_cache(maxsize=256)
def _interval(values: tuple[float, ...]) -> tuple[float, float] | None:
    return mean_interval(values)


def sum_known(numbers: Iterable[int | None]) -> int | None:
    """The sum of numbers; None if one of them is not known."""
    found = list(numbers)
    return None if None in found else sum(number or 0 for number in found)


def in_order(counts: Mapping[str, int], names: Sequence[str]) -> dict[str, int]:
    """``counts`` without zeros, in the order of ``names``; names not in there come last, sorted."""
    known = {name: index for index, name in enumerate(names)}
    order = sorted(counts, key=lambda name: (known.get(name, len(known)), name))
    return {name: counts[name] for name in order if counts[name]}
