"""Intervals for few tasks, against scipy, by hand, and by how often they hold the truth."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_vsb.metrics.intervals import (
    alike_interval,
    beta_quantile,
    clopper_pearson,
    expanded_tail,
    mean_interval,
)


@given(st.integers(1, 600).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
@settings(max_examples=60, deadline=None)
def test_clopper_pearson_as_scipy(counts: tuple[int, int]) -> None:
    import scipy.stats

    expected = scipy.stats.binomtest(*counts).proportion_ci(0.95, method="exact")
    assert clopper_pearson(*counts) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_solved_or_not() -> None:
    assert mean_interval([1.0] * 3) == pytest.approx((0.025 ** (1 / 3), 1))
    assert mean_interval([0.0] * 3) == pytest.approx((0, 1 - 0.025 ** (1 / 3)))
    assert mean_interval([0.0, 1.0, 1.0, 1.0]) == clopper_pearson(3, 4)
    assert mean_interval([]) is None
    assert mean_interval([1.0]) is None


@pytest.mark.parametrize("value", [0.0, 0.25, 1.0])
@pytest.mark.parametrize("number", [2, 5, 100])
def test_values_that_are_all_alike(value: float, number: int) -> None:
    found = mean_interval([value] * number)
    assert found == pytest.approx(alike_interval(value, number, (0, 1)))
    assert found is not None
    low, high = found
    assert 0 <= low <= value <= high <= 1
    assert high - low == pytest.approx(1 - 0.025 ** (1 / number))


@pytest.mark.parametrize("number", [2, 3, 10, 100])
def test_tails_as_scipy(number: int) -> None:
    import scipy.stats

    t = scipy.stats.t.ppf(0.975, number - 1)
    expected = scipy.stats.norm.cdf(-t * (number / (number - 1)) ** 0.5)
    assert expanded_tail(number) == pytest.approx(expected, rel=1e-6)
    assert beta_quantile(0.3, number, 2.5) == pytest.approx(scipy.stats.beta.ppf(0.3, number, 2.5))


@given(st.lists(st.sampled_from([0.0, 0.125, 0.5, 1.0]), min_size=2, max_size=30))
@settings(max_examples=40, deadline=None)
def test_an_interval_holds_its_mean_and_has_a_width(values: list[float]) -> None:
    found = mean_interval(values)
    assert found == mean_interval(reversed(values))
    assert found is not None
    low, high = found
    assert 0 <= low <= sum(values) / len(values) <= high <= 1
    assert low < high


def test_few_tasks_are_covered() -> None:
    draw = random.Random(7)
    held = 0
    for _ in range(150):
        found = mean_interval([draw.choice([0.0, 0.25, 0.5, 1.0]) for _ in range(6)])
        assert found is not None
        held += found[0] <= 0.4375 <= found[1]
    assert held >= 0.93 * 150  # plain percentiles hold it in 0.86 of them


@pytest.mark.parametrize("values", [[0.0, 1.5], [-0.1, 0.0], [0.0, float("nan")]])
def test_no_shares(values: list[float]) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        mean_interval(values)


def test_no_levels_and_no_counts() -> None:
    with pytest.raises(ValueError, match="level"):
        mean_interval([0, 1], level=1)
    with pytest.raises(ValueError, match="3 successes of 2"):
        clopper_pearson(3, 2)
    with pytest.raises(ValueError, match="at least two"):
        expanded_tail(1)
