"""Folding attempts into results, and the seeds of samples."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_records import NODEIDS, attempt, attempts, facts

from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.report.fold import fold_run, fold_task
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.journal import Journal
from pytest_vsb.run.loop import sample_seed
from pytest_vsb.run.records import Attempt

A, R, U, M = (
    VerdictKind.ACCEPTED,
    VerdictKind.REJECTED,
    VerdictKind.UNAVAILABLE,
    VerdictKind.MALFORMED,
)


def unique(given: list[Attempt]) -> list[Attempt]:
    return list({(a.sample, a.round): a for a in given}.values())


@given(st.lists(attempts, max_size=10).map(unique), st.randoms())
@settings(deadline=None, max_examples=100)
def test_fold_counts_right(given: list[Attempt], random: object) -> None:
    shuffled = list(given)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    result = fold_task(facts(), shuffled, samples=4, status="done")

    by_sample: dict[int, dict[int, Attempt]] = defaultdict(dict)
    for a in given:
        by_sample[a.sample][a.round] = a
    n = c = c_first = lost = 0
    for of_sample in by_sample.values():
        last_round = max(of_sample)
        kind = of_sample[last_round].verdict.kind
        if kind is U:
            lost += 1
            continue
        n += 1
        if kind is A:
            c += 1
            c_first += last_round == 0
    assert (result.n, result.c, result.c_first, result.unavailable_samples) == (n, c, c_first, lost)
    assert result.solved is (c > 0)
    assert result.solved_without_repair is (c_first > 0)
    assert result.attempts == len(given)
    assert result.verdicts == Counter(str(a.verdict.kind) for a in given)
    assert result.lean_seconds == pytest.approx(sum(a.verdict.lean_seconds for a in given))
    assert result.usage.input_tokens == sum(a.usage.input_tokens for a in given)
    costs = [a.usage.cost_usd for a in given if a.usage.cost_usd is not None]
    assert (result.usage.cost_usd is None) is (not costs)
    for k, value in result.pass_at.items():
        assert (value is None) is (n < k), "n/a where there are fewer samples than k"
    assert result.pass_at[1] == (None if n == 0 else pytest.approx(c / n))


def test_a_sample_whose_last_round_is_unavailable_does_not_count() -> None:
    given = [attempt(0, 0, R), attempt(0, 1, U), attempt(1, 0, R), attempt(1, 1, A)]
    result = fold_task(facts(), given, samples=2, status="done")
    assert (result.n, result.c, result.c_first, result.unavailable_samples) == (1, 1, 0, 1)
    assert result.pass_at == {1: 1.0, 2: None}


def test_first_error_only_where_unsolved() -> None:
    lost = attempt(0, 0, M, reason="no proof in it")
    assert fold_task(facts(), [lost], samples=2, status="done").first_error == "no proof in it"
    solved = fold_task(facts(), [lost, attempt(1, 0, A)], samples=2, status="done")
    assert solved.first_error == ""


def test_fold_run(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "run", {"seed": 0}, {})
    run.add_tasks(facts(nodeid) for nodeid in NODEIDS)
    journal = Journal(run.journal, "gw0")
    journal.started(NODEIDS[0])
    journal.judged(attempt(0, 0, A, nodeid=NODEIDS[0]))
    journal.ended(NODEIDS[0], "done")
    journal.started(NODEIDS[1])
    journal.judged(attempt(0, 0, R, nodeid=NODEIDS[1]))
    journal.ended(NODEIDS[1], "interrupted", "KeyboardInterrupt")
    journal.close()
    results = fold_run(run, samples=1)
    assert [(r.task.nodeid, r.status, r.n, r.c) for r in results] == [
        (NODEIDS[0], "done", 1, 1),
        (NODEIDS[1], "unfinished", 1, 0),
        (NODEIDS[2], "not_run", 0, 0),
    ]


@given(st.integers(), st.text(max_size=20), st.integers(0, 1000))
def test_seeds_are_31_bits_and_always_the_same(seed: int, nodeid: str, sample: int) -> None:
    found = sample_seed(seed, nodeid, sample)
    assert 0 <= found < 2**31
    assert found == sample_seed(seed, nodeid, sample)


def test_seeds_differ() -> None:
    seeds = {
        sample_seed(seed, nodeid, sample)
        for seed in range(5)
        for nodeid in NODEIDS
        for sample in range(20)
    }
    assert len(seeds) == 5 * len(NODEIDS) * 20
    # Fixed for good: a run made anywhere can be repeated anywhere.
    assert sample_seed(0, "a.vsb.jsonl::x", 0) == 1759883419
