"""Distribution functions, quantiles, recall."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.metrics.distribution import cdf, mean, quantile, recall_at

NUMBERS = st.lists(st.integers(-1000, 1000), min_size=1, max_size=50)


def test_by_hand() -> None:
    assert cdf([3, 1, 1, 2]) == ((1, 0.5), (2, 0.75), (3, 1.0))
    assert cdf([]) == ()
    assert [quantile([1, 2, 3, 4], q) for q in (0, 0.25, 0.5, 1)] == [1, 1.75, 2.5, 4]
    assert mean([1, 2]) == 1.5
    assert mean([]) is None
    ranked = ["a", "b", "c", "d"]
    assert recall_at(ranked, frozenset("bdx"), 2) == pytest.approx(1 / 3)
    assert recall_at(ranked, frozenset("bdx"), 4) == pytest.approx(2 / 3)
    assert recall_at(ranked, frozenset(), 4) is None


@pytest.mark.parametrize("q", [-0.1, 1.1])
def test_no_such_quantile(q: float) -> None:
    with pytest.raises(ValueError, match="quantile"):
        quantile([1], q)
    with pytest.raises(ValueError, match="quantile"):
        quantile([], 0.5)


@given(NUMBERS)
def test_a_distribution_function_grows_to_one(values: list[int]) -> None:
    steps = cdf(values)
    assert [value for value, _ in steps] == sorted(set(values))
    assert steps[-1][1] == 1
    for value, share in steps:
        assert share == pytest.approx(sum(v <= value for v in values) / len(values))


@given(NUMBERS)
def test_the_median_is_the_half_quantile(values: list[int]) -> None:
    assert quantile(values, 0.5) == pytest.approx(statistics.median(values))
    assert quantile(values, 0) == min(values)
    assert quantile(values, 1) == max(values)
