"""pass@k against the definition."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_vsb.metrics.passk import PassAt, mean_pass_at_k, pass_at_k, task_values


@st.composite
def counts(draw: st.DrawFn, largest: int) -> tuple[int, int, int]:
    n = draw(st.integers(1, largest))
    return n, draw(st.integers(0, n)), draw(st.integers(1, n))


def exact(n: int, c: int, k: int) -> Fraction:
    return 1 - Fraction(math.comb(n - c, k), math.comb(n, k))


@given(counts(9))
def test_it_is_the_share_of_subsets_with_a_proof(given: tuple[int, int, int]) -> None:
    n, c, k = given
    samples = [True] * c + [False] * (n - c)
    tries = [any(subset) for subset in combinations(samples, k)]
    assert pass_at_k(n, c, k) == float(Fraction(sum(tries), len(tries)))


@given(counts(2000))
@settings(deadline=None)
def test_it_is_correctly_rounded(given: tuple[int, int, int]) -> None:
    value = exact(*given)
    assert pass_at_k(*given) == value.numerator / value.denominator


@pytest.mark.parametrize(
    ("n", "c", "k"), [(10_000, 2_500, 2_400), (9_000, 3, 5_000), (20_000, 2_001, 2_001)]
)
def test_many_factors(n: int, c: int, k: int) -> None:
    value = exact(n, c, k)
    estimate = pass_at_k(n, c, k)
    assert estimate == pytest.approx(value.numerator / value.denominator, rel=1e-12)


def test_tiny_rates_keep_their_digits() -> None:
    assert pass_at_k(10**9, 1, 1) == 1e-9
    assert pass_at_k(10**15, 1, 3) == 3e-15


@pytest.mark.parametrize(
    ("n", "c", "k", "value"),
    [
        (8, 0, 1, 0.0),
        (8, 0, 8, 0.0),
        (8, 1, 8, 1.0),
        (8, 3, 1, 0.375),
        (4, 2, 2, 5 / 6),
        (4, 4, 1, 1.0),
        (1, 1, 1, 1.0),
        (7, 7, 8, None),
        (7, 0, 8, None),
        (0, 0, 1, None),
    ],
)
def test_by_hand(n: int, c: int, k: int, value: float | None) -> None:
    assert pass_at_k(n, c, k) == value


@given(counts(60))
def test_it_grows_with_c_and_k(given: tuple[int, int, int]) -> None:
    n, c, k = given
    value = pass_at_k(n, c, k)
    assert value is not None
    assert 0 <= value <= 1
    if c < n:
        more = pass_at_k(n, c + 1, k)
        assert more is not None
        assert value <= more
    if k < n:
        more = pass_at_k(n, c, k + 1)
        assert more is not None
        assert value <= more


@pytest.mark.parametrize(
    ("n", "c", "k", "message"),
    [
        (-1, 0, 1, "0 <= c <= n is needed"),
        (3, 4, 1, "not c = 4 and n = 3"),
        (3, -1, 1, "0 <= c <= n"),
        (3, 1, 0, "k must be at least 1, not 0"),
        (3, 1, -2, "k must be at least 1"),
        (3.0, 1, 1, "n must be a whole number, not 3.0"),
        (3, True, 1, "c must be a whole number, not True"),
        (3, 1, "2", "k must be a whole number, not '2'"),
        (3, 1, math.nan, "k must be a whole number"),
    ],
)
def test_nonsense(n: Any, c: Any, k: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        pass_at_k(n, c, k)


def test_mean_leaves_out_short_tasks() -> None:
    results = [(8, 8), (8, 0), (3, 3), (0, 0)]
    assert mean_pass_at_k(results, 8) == PassAt(8, 0.5, 2, 4)
    assert mean_pass_at_k(results, 1) == PassAt(1, 2 / 3, 3, 4)
    assert task_values(results, 1) == (1.0, 0.0, 1.0)


def test_mean_of_nothing_is_not_a_number() -> None:
    assert mean_pass_at_k([], 1) == PassAt(1, None, 0, 0)
    assert mean_pass_at_k([(3, 3), (2, 0)], 4) == PassAt(4, None, 0, 2)
    with pytest.raises(ValueError, match="k must be at least 1"):
        mean_pass_at_k([], 0)
    with pytest.raises(ValueError, match="k must be a whole number"):
        mean_pass_at_k([], 1.5)  # type: ignore[arg-type]


@given(st.lists(counts(8), min_size=1, max_size=10), st.integers(1, 8))
def test_mean_is_the_mean(tasks: list[tuple[int, int, int]], k: int) -> None:
    pairs = [(n, c) for n, c, _ in tasks]
    values = [exact(n, c, k) for n, c in pairs if n >= k]
    mean = mean_pass_at_k(iter(pairs), k)
    assert (mean.k, mean.tasks_counted, mean.tasks_total) == (k, len(values), len(pairs))
    if values:
        assert mean.value == pytest.approx(float(sum(values) / len(values)), abs=1e-15)
    else:
        assert mean.value is None
