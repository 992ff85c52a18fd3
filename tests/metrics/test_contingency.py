"""Exact tests of a fallen rate, against scipy, statsmodels and enumeration."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_vsb.metrics.contingency import Counts, fisher_less, least_p, stratified_less
from pytest_vsb.metrics.paired import mcnemar


@st.composite
def counts(draw: st.DrawFn, most: int = 30) -> Counts:
    n = draw(st.integers(0, most))
    return Counts(n, draw(st.integers(0, n)))


@given(counts(), counts())
def test_fisher_is_scipys(before: Counts, now: Counts) -> None:
    from scipy.stats import fisher_exact

    table = [[now.c, now.n - now.c], [before.c, before.n - before.c]]
    assert fisher_less(before, now) == pytest.approx(fisher_exact(table, "less").pvalue)


def test_by_hand() -> None:
    # All eight before, none now: one of C(16, 8) ways to choose the eight proofs.
    assert fisher_less(Counts(8, 8), Counts(8, 0)) == pytest.approx(1 / math.comb(16, 8))
    assert fisher_less(Counts(1, 1), Counts(1, 0)) == 0.5
    assert least_p(Counts(8, 8), 8) == pytest.approx(1 / math.comb(16, 8))
    assert least_p(Counts(8, 0), 8) == 1
    assert fisher_less(Counts(0, 0), Counts(8, 0)) == fisher_less(Counts(8, 3), Counts(0, 0)) == 1


def enumerated(pairs: list[tuple[Counts, Counts]]) -> float:
    """The p-value by going through all outcomes of all tasks."""
    tasks = []
    for before, now in pairs:
        total = before.c + now.c
        ways = {
            x: math.comb(now.n, x) * math.comb(before.n, total - x)
            for x in range(now.n + 1)
            if 0 <= total - x <= before.n
        }
        tasks.append(ways)
    seen = sum(now.c for _, now in pairs)
    whole = below = 0
    for outcome in itertools.product(*tasks):
        ways = math.prod(task[x] for task, x in zip(tasks, outcome, strict=True))
        whole += ways
        below += ways * (sum(outcome) <= seen)
    return below / whole


@settings(max_examples=60)
@given(st.lists(st.tuples(counts(4), counts(4)), max_size=5))
def test_all_tasks_together_by_enumeration(pairs: list[tuple[Counts, Counts]]) -> None:
    assert stratified_less(pairs) == pytest.approx(enumerated(pairs))


@given(counts(), counts())
def test_one_task_is_fishers(before: Counts, now: Counts) -> None:
    assert stratified_less([(before, now)]) == pytest.approx(fisher_less(before, now))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60))
def test_single_samples_are_mcnemars(pairs: list[tuple[bool, bool]]) -> None:
    found = mcnemar([a for a, _ in pairs], [b for _, b in pairs])
    differing = found.gained + found.lost
    expected = sum(math.comb(differing, k) for k in range(found.gained + 1)) / 2**differing
    told = stratified_less((Counts(1, a), Counts(1, b)) for a, b in pairs)
    assert told == pytest.approx(expected)


def test_many_tasks_by_the_normal_law() -> None:
    """500 tasks of 32 samples, where the convolution is long and its ends are dropped."""
    pairs = [(Counts(32, 16), Counts(32, 16 - (task % 10 == 0))) for task in range(500)]
    variance = math.fsum(t / 4 * (64 - t) / 63 for t in (before.c + now.c for before, now in pairs))
    mean = math.fsum((before.c + now.c) / 2 for before, now in pairs)
    seen = sum(now.c for _, now in pairs)
    normal = math.erfc((mean - seen - 0.5) / math.sqrt(2 * variance)) / 2
    assert stratified_less(pairs) == pytest.approx(normal, rel=0.01)


@pytest.mark.parametrize(("n", "c"), [(1, 2), (3, -1), (-1, -1)])
def test_impossible_counts(n: int, c: int) -> None:
    with pytest.raises(ValueError, match="0 <= c <= n"):
        Counts(n, c)
