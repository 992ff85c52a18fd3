from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import facts, result, sample_results, task_results

from pytest_vsb.provers.base import Usage
from pytest_vsb.report.summary import Group, ks_for, summarise


@pytest.mark.parametrize(
    ("samples", "ks"),
    [
        (1, (1,)),
        (2, (1, 2)),
        (3, (1, 2, 3)),
        (4, (1, 2, 4)),
        (5, (1, 2, 4, 5)),
        (8, (1, 2, 4, 8)),
        (10, (1, 2, 4, 8, 10)),
        (64, (1, 2, 4, 8, 16, 32, 64)),
    ],
)
def test_ks(samples: int, ks: tuple[int, ...]) -> None:
    assert ks_for(samples) == ks


def test_ks_of_no_samples() -> None:
    with pytest.raises(ValueError, match="at least one sample"):
        ks_for(0)


def named(groups: tuple[Group, ...]) -> dict[str, Group]:
    return {group.name: group for group in groups}


def test_totals_by_hand() -> None:
    total = summarise(sample_results(), ks_for(8)).total
    assert (total.tasks, total.judged) == (11, 7)
    assert (total.solved, total.solved_without_repair) == (3, 2)
    assert total.statuses == {
        "done": 4,
        "crashed": 2,
        "cut_off": 1,
        "unavailable": 1,
        "unfinished": 1,
        "excluded": 1,
        "not_run": 1,
    }
    assert total.verdicts == {
        "accepted": 11,
        "rejected": 27,
        "incomplete": 1,
        "forbidden": 2,
        "unsound": 2,
        "timeout": 4,
        "out_of_memory": 1,
        "crashed": 1,
        "malformed": 1,
        "unavailable": 11,
    }
    assert total.attempts == 61
    assert (total.unavailable_samples, total.thinned_tasks) == (11, 1)
    assert total.lean_seconds == 3.25 + 10.5 + 301 + 4 + 55 + 1 + 0.5
    assert total.usage == Usage(11000, 2000, 50, 1.25, 92.0)


def test_rates_by_hand() -> None:
    total = summarise(sample_results(), ks_for(8)).total
    rates = {rate.k: rate for rate in total.pass_at}
    # pass@1 is c / n: 8/8, 2/8, 0/8, 1/5, 0/3, 0/1, 0/2 over the seven tasks with a sample.
    assert rates[1].value == pytest.approx((1 + 0.25 + 0.2) / 7)
    assert (rates[1].tasks, rates[1].judged) == (7, 7)
    # pass@4: the tasks with 8, 8, 8 and 5 samples; 1 - C(6,4)/C(8,4) and 1 - C(4,4)/C(5,4).
    assert rates[4].value == pytest.approx((1 + (1 - 15 / 70) + 0 + (1 - 1 / 5)) / 4)
    assert (rates[4].tasks, rates[4].judged) == (4, 7)
    assert rates[8].value == pytest.approx(2 / 3)
    assert rates[8].tasks == 3
    for rate in rates.values():
        assert rate.value is not None
        assert rate.low is not None
        assert rate.high is not None
        assert 0 <= rate.low <= rate.value <= rate.high <= 1
    assert total.rate(4) == rates[4]
    assert total.rate(3) is None


def test_groups() -> None:
    summary = summarise(sample_results(), (1, 8))
    assert [group.name for group in summary.categories] == [
        "Compiler correctness",
        "Programmlogik ℝ 証明",
        "",
    ]
    assert [group.tasks for group in summary.categories] == [3, 4, 4]
    subsets = named(summary.subsets)
    assert {name: group.tasks for name, group in subsets.items()} == {
        "core": 1,
        "easy": 2,
        "hard": 3,
    }
    assert subsets["easy"].solved == 2
    assert subsets["core"].usage.cost_usd == 0.25
    assert subsets["hard"].usage.cost_usd is None
    assert {name: group.tasks for name, group in named(summary.repositories).items()} == {
        "Imp": 7,
        "Tree": 4,
    }


def test_the_environment_never_counts_against_the_prover() -> None:
    solved = result(facts("a"), c=8, c_first=8)
    broken = result(facts("b"), n=0, status="unavailable", unavailable_samples=8)
    total = summarise([solved, broken], (1, 8)).total
    assert [rate.value for rate in total.pass_at] == [1.0, 1.0]
    assert [rate.judged for rate in total.pass_at] == [1, 1]
    assert (total.tasks, total.thinned_tasks, total.unavailable_samples) == (2, 0, 8)


def test_fewer_samples_than_k_is_no_rate() -> None:
    total = summarise([result(facts("a"), n=3, c=3), result(facts("b"), n=2)], (1, 4)).total
    four = total.rate(4)
    assert four is not None
    assert (four.value, four.low, four.high, four.tasks, four.judged) == (None, None, None, 0, 2)


def test_one_task_has_no_interval() -> None:
    rate = summarise([result(facts("a"), c=4)], (1,)).total.rate(1)
    assert rate is not None
    assert (rate.value, rate.low, rate.high) == (0.5, None, None)


def test_nothing() -> None:
    summary = summarise([], (1, 8))
    assert summary.total.tasks == 0
    assert [rate.value for rate in summary.total.pass_at] == [None, None]
    assert summary.categories == summary.subsets == summary.repositories == ()


def test_a_task_named_twice_in_a_subset_counts_once() -> None:
    assert summarise([result(facts("a", "", "x", "x"))], (1,)).subsets[0].tasks == 1


def test_a_k_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="k"):
        summarise(sample_results(), (0, 1))


def test_the_order_of_results_does_not_matter() -> None:
    # Sums of these differ in their last digit from order to order.
    uneven = [
        result(
            facts(f"t{i}"), lean_seconds=0.1 * i, usage=Usage(cost_usd=0.1**i, seconds=1 / (i + 3))
        )
        for i in range(20)
    ]
    results = sample_results() + uneven
    expected = summarise(results, (1, 8))
    for seed in range(5):
        random.Random(seed).shuffle(results)
        assert summarise(results, (8, 1, 8)) == expected


@settings(max_examples=20, deadline=None)
@given(st.lists(task_results(), max_size=6, unique_by=lambda r: r.task.nodeid))
def test_groups_add_up(results: list) -> None:
    summary = summarise(results, (1,))
    for groups in (summary.categories, summary.repositories):
        assert sum(group.tasks for group in groups) == len(results)
        assert sum(group.solved for group in groups) == summary.total.solved
        assert sum(group.attempts for group in groups) == summary.total.attempts
    assert sum(summary.total.statuses.values()) == len(results)
