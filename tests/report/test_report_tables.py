from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import any_text, facts, result, sample_results, short_any_text, task_results
from syrupy.assertion import SnapshotAssertion

from pytest_vsb.report.summary import Rate, Summary, ks_for, summarise
from pytest_vsb.report.tables import (
    COLUMNS,
    dollars,
    duration,
    notes,
    percent,
    table,
    terminal_lines,
)
from pytest_vsb.report.text import clean, width
from pytest_vsb.run.records import TaskResult


def with_fixed_intervals(summary: Summary) -> Summary:
    """The summary with plain intervals, so that a snapshot does not hold a random sequence."""

    def fixed(rate: Rate) -> Rate:
        if rate.value is None or rate.tasks < 2:
            return rate
        return dataclasses.replace(rate, low=rate.value / 2, high=(1 + rate.value) / 2)

    def of(groups: Sequence) -> tuple:
        return tuple(
            dataclasses.replace(group, pass_at=tuple(fixed(rate) for rate in group.pass_at))
            for group in groups
        )

    return dataclasses.replace(
        summary,
        total=of([summary.total])[0],
        categories=of(summary.categories),
        subsets=of(summary.subsets),
        repositories=of(summary.repositories),
    )


def test_the_whole_section(snapshot: SnapshotAssertion) -> None:
    summary = with_fixed_intervals(summarise(sample_results(), ks_for(8)))
    lines = terminal_lines(
        summary,
        prover="automation",
        leans=["4.35.0, embedded: no other Lean was found"],
        embedded=True,
        run_directory="/home/user/my runs/today",
    )
    assert "\n".join(lines) == snapshot


@pytest.mark.parametrize("by", ["subset", "repository"])
def test_other_rows(by: str, snapshot: SnapshotAssertion) -> None:
    summary = with_fixed_intervals(summarise(sample_results(), ks_for(8)))
    assert "\n".join(table(summary, by)) == snapshot  # type: ignore[arg-type]


def test_a_run_of_one_sample(snapshot: SnapshotAssertion) -> None:
    results = [
        result(facts(name), n=1, c=c, c_first=c, verdicts={"rejected": 1}, attempts=1)
        for name, c in (("a", 1), ("b", 0))
    ]
    lines = terminal_lines(with_fixed_intervals(summarise(results, ks_for(1))))
    assert "\n".join(lines) == snapshot


def test_nothing_to_show() -> None:
    assert terminal_lines(summarise([], (1, 8)), run_directory="runs/1") == [
        "no tasks",
        "run directory: runs/1",
    ]


def test_results_in_another_order_give_the_same_lines() -> None:
    results = sample_results()
    expected = terminal_lines(summarise(results, ks_for(8)))
    random.Random(1).shuffle(results)
    assert terminal_lines(summarise(results, ks_for(8))) == expected


def test_columns_stand_below_each_other() -> None:
    head, rule, *rows = table(summarise(sample_results(), ks_for(8)))
    assert len({width(line) for line in (head, rule, *rows)}) == 1
    assert rows[-2] == rule


def test_wide_names_and_many_samples_fit() -> None:
    name = "証明" * 40
    results = [
        result(facts(f"t{i}", name + str(i)), n=100_000, c=i, lean_seconds=4e7) for i in range(3)
    ]
    lines = table(summarise(results, (1, 100_000)))
    assert all(width(line) <= COLUMNS for line in lines)
    assert any("..." in line for line in lines)


@settings(max_examples=20, deadline=None)
@given(st.lists(task_results(short_any_text), max_size=4), any_text)
def test_any_text_gives_clean_lines_that_fit(results: list[TaskResult], text: str) -> None:
    lines = terminal_lines(
        summarise(results, (1, 4)), prover=text, leans=[text], run_directory="runs/1"
    )
    for line in lines:
        assert clean(line, 10_000) == line
        assert "\n" not in line
        assert width(line) <= COLUMNS or " " not in line.strip()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "n/a"),
        (0.0, "0.0 %"),
        (1.0, "100.0 %"),
        (0.375, "37.5 %"),
        (1 / 3, "33.3 %"),
        (0.99999, "99.9 %"),
        (0.00001, "0.1 %"),
    ],
)
def test_percent(value: float | None, shown: str) -> None:
    assert percent(value) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "0.0 s"),
        (0.04, "0.0 s"),
        (4.25, "4.2 s"),
        (59.94, "59.9 s"),
        (59.96, "1 min 00 s"),
        (185.4, "3 min 05 s"),
        (3599.4, "59 min 59 s"),
        (3599.6, "1 h 00 min"),
        (7384, "2 h 03 min"),
        (36_000_000, "10,000 h 00 min"),
    ],
)
def test_duration(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


def test_dollars() -> None:
    assert [dollars(x) for x in (0.0, 0.01234, 1.0, 1234.5)] == [
        "$0.0000",
        "$0.0123",
        "$1.00",
        "$1,234.50",
    ]


def test_notes_tell_what_is_outside_the_rates() -> None:
    results = [
        result(facts("a"), n=3, c=1),
        result(facts("b"), n=0, status="unavailable", unavailable_samples=8),
    ]
    assert notes(summarise(results, (1, 8))) == [
        "note: unavailable: 1 of 2 tasks could not be judged (the environment or the prover is "
        "broken)",
        "note: rates: 1 of 2 tasks without a judged sample, in no rate",
        "note: pass@8: 1 of 1 judged task with fewer than 8 samples, so it is n/a",
    ]


def test_a_clean_run_has_no_notes() -> None:
    assert notes(summarise([result(facts("a"), c=1)], ks_for(8))) == []


def test_no_cost_or_tokens_no_line() -> None:
    lines = terminal_lines(summarise([result(facts("a"), attempts=1)], (1,)))
    assert not any(line.startswith(("cost", "tokens")) for line in lines)
