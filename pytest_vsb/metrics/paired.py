"""Two runs on the same tasks: is one better?

Sources: McNemar, "Note on the Sampling Error of the Difference between Correlated Proportions or
Percentages" (1947), in the exact form of the binomial; Efron and Tibshirani, "An Introduction to
the Bootstrap" (1993), for intervals; Davison and Hinkley, "Bootstrap Methods and their
Application" (1997), section 3.8, for drawing clusters.
"""

from __future__ import annotations

import math
import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from pytest_vsb.metrics.bootstrap import LEVEL, RESAMPLES, SEED
from pytest_vsb.metrics.distribution import quantile

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
    differing = gained + lost
    few = min(gained, lost)
    tail = sum(math.comb(differing, k) for k in range(few + 1))
    return McNemar(gained, lost, min(1.0, 2 * tail / 2**differing))


@dataclass(frozen=True)
class Difference:
    """The mean difference over ``n`` pairs, with a bootstrap interval; ``low`` and ``high`` are
    None where there is nothing to draw from: fewer than two pairs, or clusters."""

    value: float
    low: float | None
    high: float | None
    n: int
    clusters: int


def paired_difference(
    first: Sequence[float],
    second: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> Difference | None:
    """The mean of ``second - first`` by task, as of pass@k, with its percentile bootstrap interval.

    Pairs are drawn, or with ``clusters`` whole clusters of pairs, such as repositories: tasks of
    one repository resemble each other, so fewer numbers are independent than there are tasks.
    None without a pair.

    Raises:
        ValueError: not as many of one as of the others.
    """
    values = [other - one for one, other in zip(first, second, strict=True)]
    if not values:
        return None
    found = clustered_interval(values, clusters, resamples=resamples, level=level, seed=seed)
    low, high = found if found is not None else (None, None)
    number = len(values) if clusters is None else len(set(clusters))
    return Difference(math.fsum(values) / len(values), low, high, len(values), number)


def clustered_interval(
    values: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> tuple[float, float] | None:
    """The percentile interval of the mean of values, drawn by cluster.

    Without ``clusters`` each value is one of its own. None for fewer than two clusters.

    Raises:
        ValueError: not as many clusters as values.
    """
    names: Sequence[Hashable] = range(len(values)) if clusters is None else clusters
    sums: dict[Hashable, tuple[float, int]] = {}
    for value, name in zip(values, names, strict=True):
        total, count = sums.get(name, (0.0, 0))
        sums[name] = (total + value, count + 1)
    if len(sums) < 2:
        return None
    groups = list(sums.values())
    draw = random.Random(seed)
    means = []
    for _ in range(resamples):
        chosen = draw.choices(groups, k=len(groups))
        means.append(sum(total for total, _ in chosen) / sum(count for _, count in chosen))
    tail = (1 - level) / 2
    return quantile(means, tail), quantile(means, 1 - tail)
