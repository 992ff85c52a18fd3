"""Has a success rate fallen? Exact tests of two samples, alone and over many tasks.

Sources: Fisher, "Statistical Methods for Research Workers", 5th edition (1934), for one table;
Gart, "Point and Interval Estimation of the Common Odds Ratio in the Combination of 2x2 Tables with
Fixed Marginals" (Biometrika, 1970), for the exact test of several.

Both condition on how many samples succeeded in the two runs together: whatever the true rate is,
which of the samples those are is up to chance alone if it is the same in both. So they hold for
any rate and any number of samples, a single one included.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_NEGLIGIBLE = 1e-25
"""Chances that are dropped from the ends of a distribution; together they are below any p."""


@dataclass(frozen=True)
class Counts:
    """The samples of one task: ``n`` judged, ``c`` of them proofs."""

    n: int
    c: int

    def __post_init__(self) -> None:
        if not 0 <= self.c <= self.n:
            raise ValueError(f"0 <= c <= n is needed, not c = {self.c} and n = {self.n}")


def fisher_less(before: Counts, now: Counts) -> float:
    """The one-sided p-value of Fisher's exact test that the rate has fallen.

    Given t proofs among all samples, those of now are hypergeometric:
    p = sum over x <= c of C(n, x) C(m, t - x) / C(n + m, t), m being the samples before. One
    without samples says nothing: p is 1.
    """
    ways = _ways(before.n, now.n, before.c + now.c)
    return sum(ways[: _index(before, now) + 1]) / sum(ways)


def least_p(before: Counts, samples: int) -> float:
    """The p-value if none of ``samples`` samples now is a proof: the least that can be reached."""
    return fisher_less(before, Counts(samples, 0))


def stratified_less(pairs: Iterable[tuple[Counts, Counts]]) -> float:
    """The one-sided p-value that rates have fallen over all tasks together.

    Args:
        pairs: of each task the samples before and now.

    Given each task's t, its proofs now are hypergeometric and independent of the other tasks', if
    nothing has changed; the sum over tasks has the convolution of these distributions, and p is
    the chance of at most the sum that was seen. With one sample of each this is the one-sided
    exact McNemar test. Without a task that could tell, p is 1.
    """
    strata: Counter[tuple[int, int, int]] = Counter()
    observed = 0
    for before, now in pairs:
        total = before.c + now.c
        if not before.n or not now.n or total in (0, before.n + now.n):
            continue  # all outcomes are alike
        strata[before.n, now.n, total] += 1
        observed += _index(before, now)
    chances, start = [1.0], 0
    for key in sorted(strata):
        ways = _ways(*key)
        whole = sum(ways)
        one = [way / whole for way in ways]
        for _ in range(strata[key]):
            chances, start = _trimmed(_convolve(chances, one), start)
    return min(1.0, math.fsum(chances[: max(0, observed - start + 1)]))


def _ways(before: int, now: int, total: int) -> list[int]:
    """In how many ways each number of the successes, from the least possible on, can be now's."""
    return [
        math.comb(now, x) * math.comb(before, total - x)
        for x in range(_least(before, total), min(now, total) + 1)
    ]


def _least(before: int, total: int) -> int:
    return max(0, total - before)


def _index(before: Counts, now: Counts) -> int:
    """Where the outcome that was seen stands among :func:`_ways`."""
    return now.c - _least(before.n, before.c + now.c)


def _convolve(first: Sequence[float], second: Sequence[float]) -> list[float]:
    found = [0.0] * (len(first) + len(second) - 1)
    for shift, weight in enumerate(second):
        for place, chance in enumerate(first, shift):
            found[place] += chance * weight
    return found


def _trimmed(chances: list[float], start: int) -> tuple[list[float], int]:
    first, last = 0, len(chances)
    while first < last - 1 and chances[first] < _NEGLIGIBLE:
        first += 1
    while last > first + 1 and chances[last - 1] < _NEGLIGIBLE:
        last -= 1
    return chances[first:last], start + first
