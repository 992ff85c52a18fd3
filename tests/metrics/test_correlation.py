"""Rank correlations against scipy and statsmodels."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.metrics.correlation import partial_spearman, ranks, regularized_beta, spearman

VALUES = st.integers(-20, 20)
PAIRS = st.lists(st.tuples(VALUES, VALUES), min_size=3, max_size=40)
GROUPED = st.lists(st.tuples(VALUES, VALUES, st.sampled_from("abc")), min_size=6, max_size=40)


def test_by_hand() -> None:
    assert ranks([10, 30, 20, 30]) == [1, 3.5, 2, 3.5]
    found = spearman([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    assert found is not None
    assert found.rho == pytest.approx(0.8)  # 1 - 6 * 4 / (5 * 24)
    assert (found.n, found.df) == (5, 3)
    # Within each group the second falls as the first grows; over both it grows.
    xs, ys = [1, 2, 3, 11, 12, 13], [3, 2, 1, 13, 12, 11]
    whole, within = spearman(xs, ys), partial_spearman(xs, ys, "aaabbb")
    assert whole is not None
    assert within is not None
    assert whole.rho > 0
    assert within.rho == pytest.approx(-1)
    assert within.df == 3


@pytest.mark.parametrize(
    ("xs", "ys", "groups"),
    [
        ([1, 2], [1, 2], "aa"),
        ([1, 1, 1], [1, 2, 3], "aaa"),
        ([1, 2, 3], [1, 2, 3], "abc"),
        ([1, 1, 2, 2], [1, 2, 3, 4], "aabb"),
        ([], [], ""),
    ],
)
def test_nothing_to_correlate(xs: list[float], ys: list[float], groups: str) -> None:
    assert partial_spearman(xs, ys, groups) is None


def test_pairs_are_pairs() -> None:
    with pytest.raises(ValueError, match="no pairs"):
        spearman([1, 2, 3], [1, 2])


@given(PAIRS)
def test_as_scipy(pairs: list[tuple[int, int]]) -> None:
    import scipy.stats

    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    found = spearman(xs, ys)
    if len(set(xs)) == 1 or len(set(ys)) == 1:
        assert found is None
        return
    assert found is not None
    expected = scipy.stats.spearmanr(xs, ys)
    assert found.rho == pytest.approx(expected.statistic, abs=1e-9)
    if abs(found.rho) < 1 - 1e-9:
        assert found.p == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-12)


@given(GROUPED)
def test_the_partial_one_is_the_correlation_of_residuals(
    rows: list[tuple[int, int, str]],
) -> None:
    import numpy
    import scipy.stats

    xs, ys, groups = ([row[i] for row in rows] for i in range(3))
    found = partial_spearman(xs, ys, groups)  # type: ignore[arg-type]
    names = sorted(set(groups))
    design = numpy.array([[group == name for name in names] for group in groups], dtype=float)

    def residuals(values: list[int]) -> numpy.ndarray:  # type: ignore[type-arg]
        ranked = scipy.stats.rankdata(values)
        return ranked - design @ numpy.linalg.lstsq(design, ranked, rcond=None)[0]

    first, second = residuals(xs), residuals(ys)  # type: ignore[arg-type]
    norm = math.sqrt(float(first @ first) * float(second @ second))
    if found is None:
        assert norm < 1e-6 or len(rows) - 1 - len(names) < 1
        return
    assert found.rho == pytest.approx(float(first @ second) / norm, abs=1e-9)
    if abs(found.rho) < 1 - 1e-9:
        t = found.rho * math.sqrt(found.df / (1 - found.rho**2))
        expected = 2 * scipy.stats.t.sf(abs(t), found.df)
        assert found.p == pytest.approx(expected, rel=1e-6, abs=1e-12)


@given(st.floats(0, 1), st.floats(0.5, 500, allow_nan=False), st.floats(0.5, 500, allow_nan=False))
def test_the_beta_function_as_scipy(x: float, a: float, b: float) -> None:
    import scipy.special

    expected = scipy.special.betainc(a, b, x)
    assert regularized_beta(x, a, b) == pytest.approx(expected, rel=1e-7, abs=1e-12)
