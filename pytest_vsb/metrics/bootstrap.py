"""Confidence intervals of a mean over tasks, by the percentile bootstrap.

Source: Efron, "Bootstrap Methods: Another Look at the Jackknife" (1979); Efron and Tibshirani, "An
Introduction to the Bootstrap" (1993), chapter 13. Of n tasks, n are drawn with replacement, again
and again; the interval of level 1 - a runs from the a/2 to the 1 - a/2 quantile of the means of
the draws, interpolated linearly between the two nearest.

The interval says how far the mean depends on which tasks happen to be in the benchmark, not on
the luck of the prover's samples.
"""

from __future__ import annotations

import math
import random
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from pytest_vsb.metrics.distribution import quantile

RESAMPLES = 2000
LEVEL = 0.95
SEED = 20210707

# Drawing how often each value occurs pays while there are few values; pass@k of n samples has at
# most n + 1 of them.
_FEW_VALUES = 16
_FAR = 100.0
_MANY_TASKS = 2000
_TASKS_A_VALUE = 20


def bootstrap_interval(
    values: Iterable[float],
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> tuple[float, float] | None:
    """The interval of the mean of one value per task, such as its pass@k.

    The same values, in any order, give the same interval: the generator is seeded here.

    Args:
        values: one finite number per task.
        resamples: how many draws.
        level: the share of draws whose mean is in the interval, between 0 and 1.
        seed: of the random numbers.

    Returns:
        (low, high), or ``None`` for fewer than two tasks.

    Raises:
        ValueError: a value that is not finite, or a parameter out of its range.
    """
    sample = sorted(values)
    if not all(map(math.isfinite, sample)):
        raise ValueError("the values must be finite")
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, not {resamples}")
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, not {level}")
    if len(sample) < 2:
        return None
    counts = Counter(sample)
    if len(counts) == 1:
        return sample[0], sample[0]
    rng = random.Random(seed)
    if len(counts) <= _FEW_VALUES or (
        len(sample) >= _MANY_TASKS and len(counts) * _TASKS_A_VALUE <= len(sample)
    ):
        draw = _counting_draw(tuple(counts.items()), rng.random)
    else:
        draw = _plain_draw(sample, rng.random)
    means = [draw() / len(sample) for _ in range(resamples)]
    tail = (1 - level) / 2
    low, high = quantile(means, tail), quantile(means, 1 - tail)
    # Rounding may carry a mean a little beyond the values.
    return max(low, sample[0]), min(high, sample[-1])


def _plain_draw(sample: Sequence[float], uniform: Callable[[], float]) -> Callable[[], float]:
    size = len(sample)

    def total() -> float:
        return math.fsum([sample[int(uniform() * size)] for _ in range(size)])

    return total


def _counting_draw(
    counts: Sequence[tuple[float, int]], uniform: Callable[[], float]
) -> Callable[[], float]:
    """Draws of the sum that decide, value by value, how often each one is among what is left of
    the n tasks: a multinomial draw as a chain of binomial ones."""
    size = sum(count for _, count in counts)
    steps: list[tuple[float, float]] = []
    left = size
    for value, count in counts[:-1]:
        steps.append((value, count / left))
        left -= count
    last = counts[-1][0]
    log_factorials = [math.lgamma(i + 1) for i in range(size + 1)]
    tables: list[dict[int, tuple[int, array[float]]]] = [{} for _ in steps]

    def total() -> float:
        tasks = size
        terms = []
        for (value, share), table in zip(steps, tables, strict=True):
            if not tasks:
                break
            known = table.get(tasks)
            if known is None:
                known = table[tasks] = _binomial_cumulative(tasks, share, log_factorials)
            start, cumulative = known
            times = min(start + bisect_right(cumulative, uniform()), tasks)
            terms.append(times * value)
            tasks -= times
        terms.append(tasks * last)
        return math.fsum(terms)

    return total


def _binomial_cumulative(
    n: int, p: float, log_factorials: Sequence[float]
) -> tuple[int, array[float]]:
    """P(X <= i), X binomial of n tries with chance 0 < p < 1, for i from the first number that is
    returned on, as far as it may matter: by Bernstein's inequality X is outside with a chance below
    2 exp(-100), far less than any random number can be."""
    log_p, log_q, log_n = math.log(p), math.log1p(-p), log_factorials[n]
    reach = _FAR / 3 + math.sqrt((_FAR / 3) ** 2 + 2 * _FAR * n * p * (1 - p))
    start, end = max(0, math.floor(n * p - reach)), min(n, math.ceil(n * p + reach) + 1)
    cumulative = array("d")
    total = 0.0
    for i in range(start, end):
        total += math.exp(
            log_n - log_factorials[i] - log_factorials[n - i] + i * log_p + (n - i) * log_q
        )
        cumulative.append(total)
    return start, cumulative
