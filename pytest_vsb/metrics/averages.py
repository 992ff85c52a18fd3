"""Averages of success over groups, over rounds of repair, and the groups themselves.

Micro and macro averages are those of text classification (Manning, Raghavan and Schuetze,
"Introduction to Information Retrieval", 2008, section 13.6), which the VeriSoftBench paper takes
over its repositories (Table 5); its depth buckets are 1-3, 4-6 and 7+.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_vsb.metrics.distribution import quantile

DEPTHS = ("1-3", "4-6", "7+")
"""The paper's buckets of nesting depths; a depth of 0 is below them, and gets one of its own."""

QUARTERS = 4


@dataclass(frozen=True)
class Averages:
    """Two means over ``groups`` groups, as fractions of one; None where there is nothing.

    ``micro`` is the sum of values by the number of tasks: a task counts like any other. ``macro``
    is the mean of the groups' own means: a group counts like any other, whatever its size.
    """

    micro: float | None
    macro: float | None
    tasks: int
    groups: int


def averages(groups: Iterable[Sequence[float]]) -> Averages:
    """The micro and macro average of values by group, such as pass@k of tasks by repository.

    micro = sum of all values / their number; macro = mean over groups of (sum / number). Groups
    without a value count nowhere.
    """
    found = [values for values in groups if values]
    tasks = sum(map(len, found))
    if not tasks:
        return Averages(None, None, 0, 0)
    micro = math.fsum(value for values in found for value in values) / tasks
    macro = math.fsum(math.fsum(values) / len(values) for values in found) / len(found)
    return Averages(micro, macro, tasks, len(found))


def weighted(rates: Iterable[tuple[int, float]]) -> Averages:
    """The same of groups of which only a size and a mean are known, as a table publishes them.

    Raises:
        ValueError: a size is negative.
    """
    pairs = list(rates)
    if any(size < 0 for size, _ in pairs):
        raise ValueError("a group has at least no members")
    pairs = [(size, rate) for size, rate in pairs if size]
    tasks = sum(size for size, _ in pairs)
    if not tasks:
        return Averages(None, None, 0, 0)
    micro = math.fsum(size * rate for size, rate in pairs) / tasks
    return Averages(micro, math.fsum(rate for _, rate in pairs) / len(pairs), tasks, len(pairs))


def by_round(rounds: Iterable[int | None], last: int) -> tuple[int, ...]:
    """How many samples were proofs after each round of repair, from 0 to ``last``.

    Args:
        rounds: for each sample that counts, the round in which it was accepted, or None.
        last: the last round.

    With c(r) proofs after round r, repair gains pass@k(n, c(r)) - pass@k(n, c(r - 1)) in round r.
    """
    found = [each for each in rounds if each is not None]
    return tuple(sum(each <= limit for each in found) for limit in range(last + 1))


def depth_bucket(depth: int | None) -> str:
    """The paper's bucket of a nesting depth; empty where it is not known."""
    if depth is None:
        return ""
    if depth < 1:
        return "0"
    return "1-3" if depth <= 3 else "4-6" if depth <= 6 else "7+"


def quantile_buckets(values: Sequence[float | None], parts: int = QUARTERS) -> list[str]:
    """For each value the bucket between quantiles that it is in, as ``1-4`` or ``12``.

    The edges are the i/parts-quantiles (type 7); a value is in the first bucket whose upper edge
    is not below it, so equal values are in one bucket, buckets differ in size where values repeat,
    and one that would hold nothing is not there. A bucket is named by the values that it holds,
    the least and the largest. Empty for None.

    Raises:
        ValueError: fewer than one part.
    """
    if parts < 1:
        raise ValueError(f"there must be at least one part, not {parts}")
    known = [value for value in values if value is not None]
    if not known:
        return [""] * len(values)
    edges = [quantile(known, part / parts) for part in range(1, parts)]
    held: dict[int, list[float]] = {}
    for value in known:
        held.setdefault(_bucket(value, edges), []).append(value)
    names = {bucket: _range(min(inside), max(inside)) for bucket, inside in held.items()}
    return ["" if value is None else names[_bucket(value, edges)] for value in values]


def _bucket(value: float, edges: Sequence[float]) -> int:
    return sum(value > edge for edge in edges)


def bucket_start(name: str) -> float:
    """The least value of a bucket by its name, to sort buckets; infinity for an unnamed one."""
    found = _START.match(name)
    return float(found[0]) if found else math.inf


_START = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def _range(low: float, high: float) -> str:
    return _number(low) if low == high else f"{_number(low)}-{_number(high)}"


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:g}"
