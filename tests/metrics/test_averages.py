"""Averages, rounds of repair, buckets: against hand-computed values and other definitions."""

from __future__ import annotations

import itertools
import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.metrics.averages import (
    Averages,
    averages,
    bucket_start,
    by_round,
    depth_bucket,
    quantile_buckets,
    weighted,
)

rates = st.floats(0, 1, allow_nan=False)


def test_micro_and_macro_by_hand() -> None:
    # 3 of 4 tasks in one repository, 0 of 1 in the other.
    found = averages([[1, 1, 1, 0], [0]])
    assert found.micro == pytest.approx(3 / 5)
    assert found.macro == pytest.approx((0.75 + 0) / 2)
    assert (found.tasks, found.groups) == (5, 2)


def test_groups_without_tasks_count_nowhere() -> None:
    assert averages([[], [0.5], []]) == Averages(0.5, 0.5, 1, 1)
    assert averages([]) == averages([[], []]) == Averages(None, None, 0, 0)
    assert weighted([(0, 99.0), (2, 50.0)]) == Averages(50.0, 50.0, 2, 1)
    assert weighted([(0, 1.0)]) == Averages(None, None, 0, 0)
    with pytest.raises(ValueError, match="at least no members"):
        weighted([(-1, 0.5)])


@given(st.lists(st.lists(rates, min_size=1, max_size=5), min_size=1, max_size=6))
def test_weighted_agrees_with_the_values_themselves(groups: list[list[float]]) -> None:
    every = averages(groups)
    means = weighted((len(group), statistics.fmean(group)) for group in groups)
    assert means.micro == pytest.approx(every.micro)
    assert means.macro == pytest.approx(every.macro)
    assert every.micro == pytest.approx(statistics.fmean(v for group in groups for v in group))


def test_rounds_by_hand() -> None:
    assert by_round([0, None, 2, 0, 1], 3) == (2, 3, 4, 4)
    assert by_round([], 1) == (0, 0)
    assert by_round([None], 0) == (0,)


@pytest.mark.parametrize(
    ("depth", "bucket"),
    [(None, ""), (0, "0"), (1, "1-3"), (3, "1-3"), (4, "4-6"), (6, "4-6"), (7, "7+"), (40, "7+")],
)
def test_the_papers_depths(depth: int | None, bucket: str) -> None:
    assert depth_bucket(depth) == bucket


def test_quarters_by_hand() -> None:
    assert (
        quantile_buckets([1, 2, 3, 4, 5, 6, 7, 8])
        == ["1-2"] * 2 + ["3-4"] * 2 + ["5-6"] * 2 + ["7-8"] * 2
    )
    assert quantile_buckets([5, None, 5, 5]) == ["5", "", "5", "5"]
    assert quantile_buckets([None, None]) == ["", ""]
    assert quantile_buckets([]) == []
    assert quantile_buckets([1, 9], 1) == ["1-9", "1-9"]
    with pytest.raises(ValueError, match="at least one part"):
        quantile_buckets([1], 0)


@pytest.mark.parametrize(
    ("name", "start"),
    [("7+", 7), ("4-6", 4), ("-3--1", -3), ("0.5-2", 0.5), ("1234567", 1234567), ("", math.inf)],
)
def test_buckets_sort_by_where_they_start(name: str, start: float) -> None:
    assert bucket_start(name) == start


def test_large_numbers_keep_their_digits() -> None:
    assert quantile_buckets([1234567, 2000001], 1) == ["1234567-2000001"] * 2
    assert quantile_buckets([-3, -1, 0.5], 1) == ["-3-0.5"] * 3


@given(st.lists(st.none() | st.integers(0, 50), max_size=60), st.integers(1, 6))
def test_buckets_part_the_values_in_order(values: list[int | None], parts: int) -> None:
    names = quantile_buckets(values, parts)
    assert [name == "" for name in names] == [value is None for value in values]
    held: dict[str, list[int]] = {}
    for value, name in zip(values, names, strict=True):
        if value is not None:
            held.setdefault(name, []).append(value)
    assert len(held) <= parts
    spans = sorted((min(inside), max(inside), name) for name, inside in held.items())
    for low, high, name in spans:
        assert name == (f"{low}" if low == high else f"{low}-{high}")
    assert all(before[1] < after[0] for before, after in itertools.pairwise(spans))
