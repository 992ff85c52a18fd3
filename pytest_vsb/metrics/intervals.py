"""Confidence intervals of a mean over tasks that hold for few tasks as well.

The percentile bootstrap (``metrics.bootstrap``) can only draw what was seen. Where all values are
alike its interval has no width, and with few values it is too narrow. So an interval is

- exact where a task's value is 0 or 1, as pass@n of n samples is: that of Clopper and Pearson, "The
  Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial" (Biometrika, 1934);
- exact where all values are alike (:func:`alike_interval`);
- else the percentile bootstrap's with tails as wide as Student's t has them: the expanded
  percentile interval of Hesterberg, "What Teachers Should Know About the Bootstrap" (The American
  Statistician, 2015).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist

from pytest_vsb.metrics.bootstrap import LEVEL, bootstrap_interval
from pytest_vsb.metrics.correlation import regularized_beta

_STEPS = 200
_NARROWEST = 1e-9


def mean_interval(values: Iterable[float], *, level: float = LEVEL) -> tuple[float, float] | None:
    """The interval of the mean of one value per task, from 0 to 1, such as its pass@k.

    The same values, in any order, give the same interval. None for fewer than two tasks.

    Raises:
        ValueError: a value that is not from 0 to 1, or a level that is not between them.
    """
    found = sorted(values)
    _check_level(level)
    if found and not (found[0] >= 0 and found[-1] <= 1):
        raise ValueError("the values must be from 0 to 1")
    if len(found) < 2:
        return None
    if set(found) <= {0.0, 1.0}:
        return clopper_pearson(found.count(1.0), len(found), level=level)
    if found[0] == found[-1]:
        return alike_interval(found[0], len(found), (0.0, 1.0), level=level)
    tail = max(expanded_tail(len(found), level), _NARROWEST)
    return bootstrap_interval(found, level=1 - 2 * tail)


def clopper_pearson(successes: float, tries: int, *, level: float = LEVEL) -> tuple[float, float]:
    """The exact interval of a share: of all chances p for which neither so many successes or more,
    nor so many or fewer, are less likely than (1 - level) / 2.
    Successes need not be whole: between whole numbers the limits are those of the beta quantiles.

    Raises:
        ValueError: not 0 <= successes <= tries and tries >= 1, or no level.
    """
    _check_level(level)
    if not 0 <= successes <= tries or tries < 1:
        raise ValueError(f"no {successes} successes of {tries} tries")
    tail, failures = (1 - level) / 2, tries - successes
    low = beta_quantile(tail, successes, failures + 1) if successes else 0.0
    high = beta_quantile(1 - tail, successes + 1, failures) if failures else 1.0
    return low, high


def alike_interval(
    value: float, number: int, bounds: tuple[float, float], *, level: float = LEVEL
) -> tuple[float, float]:
    """The interval of a mean of which ``number`` values are known, all of them ``value``, and that
    any value lies within ``bounds``.

    With chance q for ``value``, all are alike with chance q ** number; so q is at least
    ((1 - level) / 2) ** (1 / number), and the mean is q * value and at least the least, at most the
    largest value possible for the rest. Of values 0 or 1 it is the interval of Clopper and Pearson.
    """
    _check_level(level)
    share = ((1 - level) / 2) ** (1 / number)
    low, high = bounds
    return share * value + (1 - share) * low, share * value + (1 - share) * high


def expanded_tail(number: int, level: float = LEVEL) -> float:
    """What share of the draws to leave out at each end, of a bootstrap of ``number`` values.

    Normal tails of t * sqrt(n / (n - 1)), with Student's t of n - 1 degrees of freedom: (1 -
    level) / 2 for many values, and less for few.

    Raises:
        ValueError: fewer than two values, or no level.
    """
    _check_level(level)
    if number < 2:
        raise ValueError(f"there must be at least two values, not {number}")
    freedom = number - 1
    # P(|T| >= t) = I_x(freedom / 2, 1 / 2) at x = freedom / (freedom + t**2)
    x = beta_quantile(1 - level, freedom / 2, 0.5)
    t = math.sqrt(freedom * (1 - x) / x)
    return NormalDist().cdf(-t * math.sqrt(number / freedom))


def beta_quantile(p: float, a: float, b: float) -> float:
    """The x with I_x(a, b) = p, by bisection; 0 < p < 1."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if regularized_beta(middle, a, b) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, not {level}")
