"""Two runs on the same tasks: is one better?

Sources: McNemar, "Note on the Sampling Error of the Difference between Correlated Proportions or
Percentages" (1947), in the exact form of the binomial; Efron and Tibshirani, "An Introduction to
the Bootstrap" (1993), for intervals; Davison and Hinkley, "Bootstrap Methods and their
Application" (1997), section 3.8, for drawing clusters; Fisher, "The Design of Experiments" (1935),
section 21, for the randomization test of paired differences; Zou and Donner, "Construction of
confidence limits about effect measures: a general approach" (Statistics in Medicine, 2008), for the
interval of a difference of shares, each with an interval of its own.
"""

from __future__ import annotations

import math
import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import product

from pytest_vsb.metrics.bootstrap import LEVEL, RESAMPLES, SEED
from pytest_vsb.metrics.distribution import quantile
from pytest_vsb.metrics.intervals import alike_interval, clopper_pearson, expanded_tail

FEW = 25
"""Tasks on which two runs differ, below which the exact test has little power: with five or fewer,
it cannot reach p < 0.05 at all."""


@dataclass(frozen=True)
class McNemar:
    """Of the tasks that one run solves and the other does not: ``gained`` by the second, ``lost``
    by it. ``p`` is two-sided and exact."""

    gained: int
    lost: int
    p: float

    @property
    def note(self) -> str:
        """What a reader must know of a test on few tasks; empty where there are enough."""
        differing = self.gained + self.lost
        if differing <= 5:
            return (
                f"the runs differ on {differing} task{'' if differing == 1 else 's'}: "
                "no outcome on so few is significant at 0.05"
            )
        if differing < FEW:
            return (
                f"the runs differ on {differing} tasks only: the test sees large differences alone"
            )
        return ""


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> McNemar:
    """The exact McNemar test of two runs, given which tasks each solved.

    Under the null hypothesis each task on which they differ is as likely gained as lost:
    p = min(1, 2 P(X <= min(gained, lost))), X binomial with their number and 1/2.

    Raises:
        ValueError: not as many of one as of the other.
    """
    pairs = list(zip(first, second, strict=True))
    gained = sum(not one and other for one, other in pairs)
    lost = sum(one and not other for one, other in pairs)
    return McNemar(gained, lost, _binomial_p(gained, lost))


def _binomial_p(gained: int, lost: int) -> float:
    differing = gained + lost
    tail = sum(math.comb(differing, k) for k in range(min(gained, lost) + 1))
    return min(1.0, 2 * tail / (1 << differing))


@dataclass(frozen=True)
class Difference:
    """The mean difference over ``n`` pairs, with its interval; ``low`` and ``high`` are None where
    there is nothing to draw from: fewer than two pairs, or clusters. ``few`` tells that too few
    pairs differ for a bootstrap alone (:func:`paired_difference`)."""

    value: float
    low: float | None
    high: float | None
    n: int
    clusters: int
    few: bool = False


def paired_difference(
    first: Sequence[float],
    second: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> Difference | None:
    """The mean of ``second - first`` by task, each from 0 to 1 as pass@k is, with its interval.

    The interval is the bootstrap's (:func:`clustered_interval`). Pairs are drawn, or with
    ``clusters`` whole clusters of pairs, such as repositories: tasks of one repository resemble
    each other, so fewer numbers are independent than there are tasks. A bootstrap can only draw
    what was seen: where few differ it is too sure of itself. So where fewer than ``FEW`` tasks
    differ, or all alike, the interval holds both the bootstrap's and that of the shares gained and
    lost (:func:`shares_interval`); and unless the exact test (:func:`randomization_p`) says that
    the runs differ, it reaches to 0 at least. None without a pair.

    Raises:
        ValueError: not as many of one as of the others.
    """
    values = [other - one for one, other in zip(first, second, strict=True)]
    if not values:
        return None
    found = clustered_interval(
        values, clusters, bounds=(-1.0, 1.0), resamples=resamples, level=level, seed=seed
    )
    low, high = found if found is not None else (None, None)
    alike = _alike([total / count for total, count in _groups(values, clusters)])
    few = alike or sum(value != 0 for value in values) < FEW
    if low is not None and high is not None and few:
        least, most = shares_interval(values, level=level)
        # Clusters alike whose values are not, or are 0, leave a bootstrap nothing to draw.
        drawn = not alike or (_alike(values) and any(values))
        low, high = (min(low, least), max(high, most)) if drawn else (least, most)
    if low is not None and high is not None and randomization_p(values) > 1 - level:
        low, high = min(low, 0.0), max(high, 0.0)
    value = math.fsum(values) / len(values)
    number = len(values) if clusters is None else len(set(clusters))
    return Difference(value, low, high, len(values), number, few)


def shares_interval(values: Sequence[float], *, level: float = LEVEL) -> tuple[float, float]:
    """The interval of a mean difference as that of a share gained less a share lost.

    Of differences -1, 0 and 1 the shares are those of 1 and of -1, and each has the exact interval
    of Clopper and Pearson; other differences count in part. Both are put together as Zou and Donner
    do, with the correlation of two shares of the same tries. Where none differs it is
    :func:`pytest_vsb.metrics.intervals.alike_interval`, and it is wider where one or two do.

    Args:
        values: the difference of each task, from -1 to 1; at least one.
        level: of the interval.
    """
    number = len(values)
    gained = math.fsum(value for value in values if value > 0) / number
    lost = math.fsum(-value for value in values if value < 0) / number
    (g_low, g_high), (l_low, l_high) = (
        clopper_pearson(share * number, number, level=level) for share in (gained, lost)
    )
    spread = gained * (1 - gained) * lost * (1 - lost)
    correlation = -gained * lost / math.sqrt(spread) if spread > 0 else 0.0

    def apart(one: float, other: float) -> float:
        return math.sqrt(max(one * one + other * other - 2 * correlation * one * other, 0.0))

    value = gained - lost
    low = value - apart(gained - g_low, l_high - lost)
    high = value + apart(g_high - gained, lost - l_low)
    return max(low, -1.0), min(high, 1.0)


_ENUMERATED = 12
"""The most differences whose signs are all tried."""


def randomization_p(values: Sequence[float]) -> float:
    """The two-sided p-value of Fisher's randomization test that differences are about none.

    If two runs are alike, each task's difference is as likely one way round as the other: p is the
    share of all ways to choose the signs of ``values`` whose sum is as far from 0 as theirs. Of
    values -1, 0 and 1 it is that of the exact McNemar test. Of more than twelve others, signs are
    drawn, 2000 times.
    """
    differing = [value for value in values if value]
    sizes = [abs(value) for value in differing]
    if len(set(sizes)) <= 1:
        gained = sum(value > 0 for value in differing)
        return _binomial_p(gained, len(differing) - gained)
    seen = abs(math.fsum(differing)) - 1e-9
    if len(sizes) <= _ENUMERATED:
        # Of a choice and its opposite, one is enough.
        ways = [(1, *signs) for signs in product((1, -1), repeat=len(sizes) - 1)]
        return sum(_signed(sizes, signs) >= seen for signs in ways) / len(ways)
    return math.erfc(seen / math.sqrt(2 * math.fsum(size * size for size in sizes)))


def _signed(sizes: Sequence[float], signs: Sequence[int]) -> float:
    return abs(math.fsum(size * sign for size, sign in zip(sizes, signs, strict=True)))


def clustered_interval(
    values: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> tuple[float, float] | None:
    """The percentile interval of the mean of values, drawn by cluster, with wider tails for few
    clusters (``metrics.intervals.expanded_tail``).

    Without ``clusters`` each value is one of its own. None for fewer than two clusters. Where the
    clusters' means are all alike it is :func:`pytest_vsb.metrics.intervals.alike_interval` of them.

    Args:
        values: one a task.
        clusters: the cluster of each.
        bounds: the least and the largest value that there can be.
        resamples: how many draws.
        level: the share of draws that the interval would hold, of many clusters.
        seed: of the random numbers.

    Raises:
        ValueError: not as many clusters as values.
    """
    groups = _groups(values, clusters)
    if len(groups) < 2:
        return None
    own = [total / count for total, count in groups]
    if _alike(own):
        return alike_interval(own[0], len(groups), bounds, level=level)
    draw = random.Random(seed)
    means = []
    for _ in range(resamples):
        chosen = draw.choices(groups, k=len(groups))
        means.append(sum(total for total, _ in chosen) / sum(count for _, count in chosen))
    tail = expanded_tail(len(groups), level)
    return quantile(means, tail), quantile(means, 1 - tail)


def _groups(
    values: Sequence[float], clusters: Sequence[Hashable] | None
) -> list[tuple[float, int]]:
    """The sum and the number of the values of each cluster."""
    names: Sequence[Hashable] = range(len(values)) if clusters is None else clusters
    members: dict[Hashable, list[float]] = {}
    for value, name in zip(values, names, strict=True):
        members.setdefault(name, []).append(value)
    return [(math.fsum(found), len(found)) for found in members.values()]


def _alike(values: Sequence[float]) -> bool:
    return max(values) - min(values) < 1e-12
