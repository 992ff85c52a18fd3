"""Rank correlation, plain and with a group held fixed.

Sources: Spearman, "The Proof and Measurement of Association between Two Things" (1904); ties share
their mean rank (Kendall, "Rank Correlation Methods", 1948). The partial coefficient is that of the
VeriSoftBench paper's Table 6: both variables are ranked, what their group explains is taken off
(the residuals of ranks on group indicators, hence ranks less their group's mean), and what is left
is correlated by Pearson's coefficient.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

_STEPS = 300
_TINY = 1e-300
_ENOUGH = 1e-15


@dataclass(frozen=True)
class Correlation:
    """A correlation of ``n`` pairs.

    ``p`` is two-sided, from Student's t distribution of ``rho * sqrt(df / (1 - rho**2))`` with
    ``df`` degrees of freedom: n - 2, less one for each group beyond the first.
    """

    rho: float
    p: float
    n: int
    df: int


def spearman(xs: Sequence[float], ys: Sequence[float]) -> Correlation | None:
    """Spearman's rank correlation; None for fewer than three pairs, or where one is constant.

    Raises:
        ValueError: not as many of one as of the other.
    """
    return partial_spearman(xs, ys, [0] * len(xs))


def partial_spearman(
    xs: Sequence[float], ys: Sequence[float], groups: Sequence[Hashable]
) -> Correlation | None:
    """The same with a group held fixed, such as the repository.

    None where nothing is left to correlate: too few pairs for the groups, or one variable constant
    within each of them.

    Raises:
        ValueError: not as many of one as of the others.
    """
    if not len(xs) == len(ys) == len(groups):
        raise ValueError(f"{len(xs)}, {len(ys)} and {len(groups)} values are no pairs")
    df = len(xs) - 1 - len(set(groups))
    if df < 1:
        return None
    first, second = _within(ranks(xs), groups), _within(ranks(ys), groups)
    norm = math.sqrt(math.fsum(x * x for x in first) * math.fsum(y * y for y in second))
    # Means of ranks are rounded: what is left of a constant is not quite nothing.
    if norm <= 1e-9 * len(xs):
        return None
    rho = math.fsum(x * y for x, y in zip(first, second, strict=True)) / norm
    rho = max(-1.0, min(1.0, rho))
    return Correlation(rho, _two_sided(rho, df), len(xs), df)


def ranks(values: Sequence[float]) -> list[float]:
    """The ranks of values from 1 on; equal ones share the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in order[start : end + 1]:
            found[place] = (start + end) / 2 + 1
        start = end + 1
    return found


def _within(values: Sequence[float], groups: Sequence[Hashable]) -> list[float]:
    """Values less the mean of their group."""
    members: dict[Hashable, list[float]] = {}
    for value, group in zip(values, groups, strict=True):
        members.setdefault(group, []).append(value)
    means = {group: math.fsum(found) / len(found) for group, found in members.items()}
    return [value - means[group] for value, group in zip(values, groups, strict=True)]


def _two_sided(rho: float, df: int) -> float:
    """P(|T| >= |t|) of Student's t with ``df`` degrees of freedom: I_x(df/2, 1/2) at
    x = df / (df + t**2), which for this t is 1 - rho**2."""
    return regularized_beta(1 - rho * rho, df / 2, 0.5)


def regularized_beta(x: float, a: float, b: float) -> float:
    """The regularized incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22)
    evaluated as Lentz did.

    Raises:
        ValueError: not 0 <= x <= 1, or a or b not positive.
    """
    if not 0 <= x <= 1 or a <= 0 or b <= 0:
        raise ValueError(f"no I_x(a, b) for x = {x}, a = {a}, b = {b}")
    if x in (0, 1):
        return float(x)
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast below this only
        return 1 - regularized_beta(1 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    c, d, value = 1.0, 0.0, 1.0
    for step in range(_STEPS):
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2 == 0:
            term = half * (b - half) * x / ((a + step - 1) * (a + step))
        else:
            term = -(a + half) * (a + b + half) * x / ((a + step - 1) * (a + step))
        d = 1 + term * d
        d = 1 / (d if abs(d) > _TINY else _TINY)
        c = 1 + term / c
        c = c if abs(c) > _TINY else _TINY
        value *= c * d
        if step and abs(c * d - 1) < _ENOUGH:
            break
    return front * (value - 1) / a
