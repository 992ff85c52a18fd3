from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import (
    attempt,
    attempts,
    error,
    facts,
    result,
    sample_results,
    short_any_text,
    task_results,
)
from syrupy.assertion import SnapshotAssertion

from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.diagnostics import Severity
from pytest_vsb.report.failure import (
    LINES,
    best_attempt,
    explain,
    first_diagnostic,
    first_error,
)
from pytest_vsb.report.tables import COLUMNS
from pytest_vsb.report.text import clean, width
from pytest_vsb.run.records import Attempt, TaskResult

REJECTED = VerdictKind.REJECTED


def test_verdicts_from_best_to_worst() -> None:
    order = [
        VerdictKind.ACCEPTED,
        VerdictKind.INCOMPLETE,
        VerdictKind.UNSOUND,
        VerdictKind.REJECTED,
        VerdictKind.TIMEOUT,
        VerdictKind.OUT_OF_MEMORY,
        VerdictKind.CRASHED,
        VerdictKind.FORBIDDEN,
        VerdictKind.MALFORMED,
        VerdictKind.UNAVAILABLE,
    ]
    assert set(order) == set(VerdictKind)
    tried = [attempt(kind, error(), sample=9 - i) for i, kind in enumerate(order)]
    while tried:
        assert best_attempt(reversed(tried)) is tried[0]
        tried.pop(0)
    assert best_attempt(tried) is None


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (attempt(REJECTED, error(1)), attempt(REJECTED, error(9), error(10))),
        (attempt(REJECTED, error(1)), attempt(REJECTED)),
        (attempt(REJECTED, error(1)), attempt(REJECTED, error(50, region="auxiliary"))),
        (attempt(REJECTED, error(1)), attempt(REJECTED, error(50, region="statement"))),
        (attempt(REJECTED, error(9)), attempt(REJECTED, error(8, 70))),
        (attempt(REJECTED, error(9, 8)), attempt(REJECTED, error(9, 7))),
        # Line 9 below three lines of auxiliary declarations is the sixth; line 7 is the seventh.
        (attempt(REJECTED, error(7)), attempt(REJECTED, error(9), auxiliary="a\nb\nc")),
        # Warnings do not count.
        (
            attempt(REJECTED, error(9), error(1, severity=Severity.WARNING)),
            attempt(REJECTED, error(8)),
        ),
        # The first error decides, in whatever order Lean gave them.
        (attempt(REJECTED, error(9), error(8)), attempt(REJECTED, error(7), error(99))),
        (attempt(REJECTED, error(), sample=1, round=2), attempt(REJECTED, error(), sample=2)),
        (attempt(REJECTED, error(), round=0), attempt(REJECTED, error(), round=1)),
    ],
)
def test_rejected_from_best_to_worst(better: Attempt, worse: Attempt) -> None:
    assert best_attempt([better, worse]) is better
    assert best_attempt([worse, better]) is better


@settings(max_examples=25, deadline=None)
@given(st.lists(attempts(), min_size=1, max_size=6), st.randoms())
def test_the_best_attempt_does_not_depend_on_the_order(
    tried: list[Attempt], randomness: random.Random
) -> None:
    tried = list({(a.sample, a.round): a for a in tried}.values())
    best = best_attempt(tried)
    randomness.shuffle(tried)
    assert best_attempt(tried) is best


def test_first_diagnostic() -> None:
    warning = error(1, severity=Severity.WARNING)
    assert first_diagnostic(attempt(REJECTED, warning, error(5), error(3))) == error(3)
    assert first_diagnostic(attempt(VerdictKind.INCOMPLETE, warning)) == warning
    assert first_diagnostic(attempt(VerdictKind.TIMEOUT)) is None


def test_first_error() -> None:
    rejected = attempt(REJECTED, error(12, 4, "unsolved goals\n⊢ False"))
    timeout = attempt(VerdictKind.TIMEOUT, reason="more than 300 s")
    assert first_error([timeout, rejected]) == "proof 12:4: error: unsolved goals\n⊢ False"
    assert first_error([timeout]) == "more than 300 s"
    assert first_error([rejected, attempt(VerdictKind.ACCEPTED)]) == ""
    assert first_error([]) == ""
    assert len(first_error([attempt(REJECTED, error(message="x" * 5_000_000))])) <= 4000


def test_every_status(snapshot: SnapshotAssertion) -> None:
    texts = [f"{item.task.id}\n{explain(item, None)}" for item in sample_results()]
    assert "\n\n".join(texts) == snapshot


def test_an_unsolved_task(snapshot: SnapshotAssertion) -> None:
    message = "unsolved goals\ncase succ\n" + "\n".join(f"h{i} : a = b" for i in range(20))
    best = attempt(
        REJECTED, error(12, 4, message), sample=2, round=1, reason="Lean reports 1 error"
    )
    unsolved = result(
        facts("t"), verdicts={"rejected": 7, "timeout": 1}, attempts=8, unavailable_samples=0
    )
    assert explain(unsolved, best) == snapshot


def test_an_attempt_without_diagnostics() -> None:
    unsolved = result(facts("t"), n=1, verdicts={"timeout": 1}, attempts=1)
    best = attempt(VerdictKind.TIMEOUT, reason="Lean ran longer than 300 s")
    assert explain(unsolved, best).splitlines() == [
        "unsolved: 0 of 1 sample proved it",
        "tried: 1 attempt: 1 timeout",
        "best attempt: sample 0: timeout: Lean ran longer than 300 s",
    ]


def test_a_cut_off_task_says_why_and_how_far_it_got() -> None:
    cut = result(
        facts("t"),
        n=1,
        status="cut_off",
        reason="limit of 60 s",
        verdicts={"rejected": 1},
        attempts=1,
    )
    assert explain(cut, attempt(REJECTED, error())).splitlines() == [
        "cut off by a time limit on the whole item: 0 of 1 sample proved it",
        "tried: 1 attempt: 1 rejected",
        "  limit of 60 s",
        "best attempt: sample 0: rejected",
        "  proof 4:2: error: unsolved goals",
    ]


def test_hostile_and_huge_messages_are_ten_clean_lines() -> None:
    message = "\x1b[2J ]]> ℝ \x00\n" * 400_000
    best = attempt(REJECTED, error(message=message), reason=message)
    text = explain(result(facts("t"), attempts=1, reason=message), best)
    assert len(text.splitlines()) == LINES
    assert "␛[2J ]]> ℝ ␀" in text
    assert text.splitlines()[-1] == "  ... 399997 more lines"


@settings(max_examples=30, deadline=None)
@given(task_results(short_any_text), st.none() | attempts(short_any_text))
def test_explain_fits_and_is_clean(item: TaskResult, best: Attempt | None) -> None:
    text = explain(item, best)
    assert clean(text, 100_000) == text
    lines = text.split("\n")
    assert 1 <= len(lines) <= LINES
    assert all(width(line) <= COLUMNS for line in lines)
    assert all(line.strip() for line in lines)
