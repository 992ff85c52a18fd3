"""How numbers are distributed: plain mathematics."""

from __future__ import annotations

from collections.abc import Sequence


def cdf(values: Sequence[float]) -> tuple[tuple[float, float], ...]:
    """The empirical distribution function F(x) = |{v <= x}| / n, at each value that occurs."""
    ordered = sorted(values)
    n = len(ordered)
    return tuple(
        (value, (index + 1) / n)
        for index, value in enumerate(ordered)
        if index + 1 == n or ordered[index + 1] != value
    )


def quantile(values: Sequence[float], q: float) -> float:
    """The ``q``-quantile by linear interpolation between order statistics (Hyndman and Fan, 1996,
    type 7, as R and numpy have it).

    Raises:
        ValueError: there are no values, or ``q`` is not in [0, 1].
    """
    if not values or not 0 <= q <= 1:
        raise ValueError(f"no {q}-quantile of {len(values)} values")
    ordered = sorted(values)
    position = q * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean; None of no values."""
    return sum(values) / len(values) if values else None


def recall_at(ranked: Sequence[object], wanted: frozenset[object], n: int) -> float | None:
    """The share of ``wanted`` that is among the first ``n`` of ``ranked``: recall@n. None where
    nothing is wanted."""
    return len(wanted.intersection(ranked[:n])) / len(wanted) if wanted else None
