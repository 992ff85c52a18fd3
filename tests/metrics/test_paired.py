"""Paired tests against scipy and statsmodels, and by hand."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.metrics.intervals import alike_interval, clopper_pearson
from pytest_vsb.metrics.paired import (
    clustered_interval,
    mcnemar,
    paired_difference,
    randomization_p,
    shares_interval,
)

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=80)


def test_mcnemar_by_hand() -> None:
    found = mcnemar([True, True, False, False, False], [True, False, True, True, True])
    assert (found.gained, found.lost) == (3, 1)
    assert found.p == pytest.approx(2 * (1 + 4) / 16)
    assert "differ on 4 tasks" in found.note
    assert mcnemar([], []).p == 1
    assert mcnemar([True] * 9, [False] * 9).p == pytest.approx(2 / 2**9)
    assert "9 tasks only" in mcnemar([True] * 9, [False] * 9).note
    assert mcnemar([True] * 30, [False] * 30).note == ""
    with pytest.raises(ValueError, match="shorter"):
        mcnemar([True], [])


@given(PAIRS)
def test_mcnemar_as_statsmodels(pairs: list[tuple[bool, bool]]) -> None:
    from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

    found = mcnemar([a for a, _ in pairs], [b for _, b in pairs])
    table = [[0, found.lost], [found.gained, 0]]
    if found.gained + found.lost:
        expected = statsmodels_mcnemar(table, exact=True).pvalue
        assert found.p == pytest.approx(expected, rel=1e-9)


def test_a_difference_and_its_interval() -> None:
    draw = random.Random(3)
    first = [draw.random() for _ in range(200)]
    second = [value + 0.1 + draw.gauss(0, 0.05) for value in first]
    found = paired_difference(first, second)
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.value < found.high
    assert found.value == pytest.approx(0.1, abs=0.02)
    # The normal approximation: 1.96 standard errors to each side.
    assert found.high - found.low == pytest.approx(2 * 1.96 * 0.05 / 200**0.5, rel=0.2)
    assert paired_difference(first, second) == found
    assert paired_difference([], []) is None
    one = paired_difference([0], [1])
    assert one is not None
    assert (one.value, one.low, one.high) == (1, None, None)


@pytest.mark.parametrize("tasks", [5, 40])
@pytest.mark.parametrize("gained", [0, 1, 3, 5])
def test_few_differences_are_told_as_such(tasks: int, gained: int) -> None:
    # A bootstrap of 3 gained and none lost never draws a loss; McNemar's p is 0.25.
    found = paired_difference([0] * tasks, [1] * gained + [0] * (tasks - gained))
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 0 <= found.high
    assert found.low < found.high


@pytest.mark.parametrize("repositories", [None, 4])
@pytest.mark.parametrize("tasks", [27, 200])
def test_an_interval_widens_with_each_task_that_differs(
    tasks: int, repositories: int | None
) -> None:
    clusters = [task % repositories for task in range(tasks)] if repositories else None
    widths = []
    for gained in range(6):
        found = paired_difference([0] * tasks, [1] * gained + [0] * (tasks - gained), clusters)
        assert found is not None
        assert found.few
        assert found.low is not None
        assert found.high is not None
        widths.append(found.high - found.low)
    assert widths == sorted(set(widths))
    none = paired_difference([0.5] * tasks, [0.5] * tasks, clusters)
    assert none is not None
    assert (none.low, none.high) == pytest.approx(alike_interval(0, tasks, (-1, 1)))


def test_the_interval_of_shares_by_hand() -> None:
    # One of 27 gained, none lost: 1/27 and 0 with their exact intervals, and no correlation.
    low, high = shares_interval([1.0, *[0.0] * 26])
    (g_low, g_high), (_, l_high) = clopper_pearson(1, 27), clopper_pearson(0, 27)
    assert low == pytest.approx(1 / 27 - math.hypot(1 / 27 - g_low, l_high))
    assert high == pytest.approx(g_high)
    # Of two tasks, one gained and one lost, the shares are as correlated as can be: -1.
    low, high = shares_interval([1.0, -1.0])
    (s_low, s_high) = clopper_pearson(1, 2)
    assert (low, high) == pytest.approx((s_low - s_high, s_high - s_low))


@pytest.mark.parametrize("tasks", [6, 27, 500])
def test_the_interval_of_shares_holds_no_0_where_mcnemar_sees_a_difference(tasks: int) -> None:
    for gained in range(25):
        for lost in range(min(gained, 25 - gained)):
            same = tasks - gained - lost
            if same < 0:
                continue
            values = [1.0] * gained + [-1.0] * lost
            low, _ = shares_interval([*values, *[0.0] * same])
            assert low > 0 or randomization_p(values) > 0.05


def test_coverage_where_few_tasks_differ() -> None:
    # In one of five draws no gain is seen at all, where a bootstrap alone has no width.
    draw = random.Random(7)
    held = 0
    for _ in range(300):
        second = [draw.choices((1, -1, 0), (0.04, 0.01, 0.95))[0] for _ in range(40)]
        found = paired_difference([0] * 40, second, resamples=50)
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.03 <= found.high
    assert held >= 285


@given(PAIRS.filter(lambda pairs: len(pairs) > 1))
def test_an_interval_never_contradicts_mcnemar(pairs: list[tuple[bool, bool]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    found = paired_difference(first, second, resamples=50)
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    if mcnemar(first, second).p > 0.05:
        assert found.low <= 0 <= found.high


def test_randomization_as_scipy() -> None:
    import numpy as np
    import scipy.stats

    draw = random.Random(2)
    for number in (2, 5, 9, 30):
        values = [draw.gauss(0.4, 1) for _ in range(number)]
        expected = scipy.stats.permutation_test(
            (values,), np.mean, permutation_type="samples", n_resamples=5000, rng=4
        ).pvalue
        assert randomization_p(values) == pytest.approx(expected, abs=0.03 if number > 12 else 1e-9)
    assert randomization_p([0.0] * 4) == 1
    assert randomization_p([0.5] * 6) == 2 / 2**6


def test_clusters_widen_the_interval() -> None:
    # Ten repositories whose tasks all agree are ten numbers, not a hundred.
    values = [float(group % 2) for group in range(10) for _ in range(10)]
    names = [group for group in range(10) for _ in range(10)]
    alone, grouped = clustered_interval(values), clustered_interval(values, names)
    assert alone is not None
    assert grouped is not None
    assert grouped[1] - grouped[0] > 2 * (alone[1] - alone[0])
    assert clustered_interval(values, ["one"] * 100) is None


@given(st.lists(st.tuples(st.floats(-1, 1), st.sampled_from("abcd")), min_size=1, max_size=30))
def test_an_interval_is_within_the_values(rows: list[tuple[float, str]]) -> None:
    values, names = [v for v, _ in rows], [n for _, n in rows]
    found = clustered_interval(values, names, bounds=(-1, 1), resamples=50)
    if found is None:
        assert len(set(names)) == 1
        return
    mean = sum(values) / len(values)
    assert -1 <= found[0] <= found[1] <= 1
    assert found[0] - 1e-9 <= mean <= found[1] + 1e-9 or len(set(names)) > 2
    assert found[0] < found[1]  # however much alike they are, nothing is certain


def test_coverage_of_the_difference() -> None:
    # Of 95 % intervals about 95 % hold the truth; with 60 pairs a little fewer.
    draw = random.Random(11)
    held = 0
    for trial in range(200):
        first = [draw.gauss(0, 1) for _ in range(60)]
        second = [value + draw.gauss(0.3, 1) for value in first]
        found = paired_difference(first, second, resamples=200, seed=trial)
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.3 <= found.high
    assert 175 <= held <= 199
