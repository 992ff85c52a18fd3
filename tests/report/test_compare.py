"""Comparing runs: sets, tests, refusals, and how they are shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from paired_runs import ACCEPTED, FILE, REJECTED, loaded, result, write_run
from syrupy.assertion import SnapshotAssertion

from pytest_vsb.cli import main
from pytest_vsb.errors import UsageError
from pytest_vsb.metrics.contingency import Counts
from pytest_vsb.metrics.paired import mcnemar
from pytest_vsb.provers.base import Usage
from pytest_vsb.report.compare import compare
from pytest_vsb.report.compare_text import comparison_json, markdown_lines, terminal_lines


def three() -> list:  # type: ignore[type-arg]
    cost = Usage(1000, 500, 0, 0.5, 10.0)
    first = [
        result("both", 4, 4, usage=cost, lean_seconds=3.0),
        result("lost", 4, 1, usage=cost, lean_seconds=1.0, repository="S"),
        result("gained", 4, 0, usage=cost, repository="S"),
        result("neither", 4, 0, usage=cost),
        result("unjudged", 0, 0, status="unavailable"),
        result("only here", 4, 4),
        result("bad", 4, 4),
    ]
    second = [
        result("both", 4, 2),
        result("lost", 4, 0, repository="S"),
        result("gained", 4, 3, repository="S"),
        result("neither", 4, 0),
        result("unjudged", 4, 4),
        result("bad", 4, 0, status="known_bad"),
    ]
    third = [
        result("both", 2, 1),
        result("lost", 2, 1, repository="S"),
        result("gained", 2, 1, repository="S"),
        result("neither", 2, 0),
    ]
    return [loaded("first", first), loaded("second", second), loaded("third", third)]


def ids(nodeids: tuple[str, ...]) -> list[str]:
    return [nodeid.removeprefix(f"{FILE}::") for nodeid in nodeids]


def test_sets() -> None:
    found = compare(three()[:2])
    (pair,) = found.pairs
    assert ids(pair.gained) == ["gained"]
    assert ids(pair.lost) == ["lost"]
    assert (pair.both, pair.neither) == (1, 1)
    assert pair.mcnemar == mcnemar([True, True, False, False], [True, False, True, False])
    assert "no outcome on so few is significant" in pair.notes[0]
    assert [task.id for task in found.tasks] == ["both", "gained", "lost", "neither"]
    assert found.tasks[0].counts == (Counts(4, 4), Counts(4, 2))


def test_rates_are_paired() -> None:
    (pair,) = compare(three()[:2]).pairs
    one = pair.rates[0]
    assert (one.k, one.first, one.second) == (1, 5 / 16, 5 / 16)
    assert one.difference.value == 0
    assert (one.difference.n, one.difference.clusters) == (4, 2)
    assert one.difference.low is not None
    assert [rate.k for rate in pair.rates] == [1, 2, 4]
    # pass@4 of 4 samples is whether it was solved.
    assert (pair.rates[2].first, pair.rates[2].second) == (0.5, 0.5)


@pytest.mark.parametrize("gained", [1, 3, 5, 8])
def test_intervals_and_the_exact_test_never_contradict(gained: int) -> None:
    """Few tasks differ: no interval says more than McNemar's test does, nor is any of no width."""
    names = [f"t{number}" for number in range(20)]
    before = loaded("before", [result(name, 1, 0) for name in names])
    now = loaded("now", [result(name, 1, int(n < gained)) for n, name in enumerate(names)])
    (pair,) = compare([before, now]).pairs
    (rate,) = pair.rates
    low, high = rate.difference.low, rate.difference.high
    assert low is not None
    assert high is not None
    assert low < high
    assert (low <= 0 <= high) == (pair.mcnemar.p > 0.05)
    same = compare([before, before]).pairs[0].rates[0].difference
    assert same.low is not None
    assert same.high is not None
    assert same.low < 0 < same.high


@pytest.mark.parametrize(("gained", "widened"), [(0, True), (24, True), (25, False)])
def test_the_footnote_says_how_intervals_were_made(gained: int, widened: bool) -> None:
    names = [f"t{number}" for number in range(30)]
    before = loaded("before", [result(name, 1, 0) for name in names])
    now = loaded("now", [result(name, 1, int(n < gained)) for n, name in enumerate(names)])
    text = " ".join(" ".join(terminal_lines(compare([before, now]))).split())
    assert "intervals: paired bootstrap over tasks" in text
    assert ("exact intervals of the shares gained and lost" in text) == widened


def test_a_test_that_sees_more_than_an_interval_of_few_repositories() -> None:
    gained = [f"g{number}" for number in range(8)]
    before = [*(result(name, 1, 0) for name in gained), result("t", 1, 0, repository="S")]
    now = [*(result(name, 1, 1) for name in gained), result("t", 1, 0, repository="S")]
    (pair,) = compare([loaded("before", before), loaded("now", now)]).pairs
    assert pair.mcnemar.p < 0.05
    assert pair.rates[-1].difference.low == 0
    assert "repositories, of which there are 2, hold no difference as well" in pair.notes[-1]


def test_only_what_all_runs_judged_counts() -> None:
    found = compare(three())
    assert len(found.tasks) == 4
    notes = " ".join(found.notes)
    assert "first: 2 more judged tasks, left out" in notes
    assert "second: 1 more judged task, left out" in notes
    assert "samples differ (first 4, second 4, third 2)" in notes
    assert [rate.k for rate in found.pairs[1].rates] == [1, 2]


def test_overlaps_count_every_task_once() -> None:
    found = compare(three())
    assert {overlap.solved: ids(overlap.nodeids) for overlap in found.overlaps} == {
        (True, True, True): ["both"],
        (False, True, True): ["gained"],
        (True, False, True): ["lost"],
        (False, False, False): ["neither"],
    }


def test_cost_per_solved_counts_the_unsolved_too() -> None:
    first, second = compare(three()[:2]).runs
    assert first.solved == 2
    assert first.cost_per_solved == 1.0  # four tasks for half a dollar each
    assert first.tokens_per_solved == 3000
    assert first.lean_seconds_per_solved == 2.0
    assert second.cost_per_solved is None


def test_other_theorems_are_refused() -> None:
    runs = [
        loaded("a", [result("t", 1, 1), result("u", 1, 1)]),
        loaded("b", [result("t", 1, 1, digest="other"), result("u", 1, 1)]),
    ]
    with pytest.raises(UsageError, match=r"different datasets: 1 of 2 tasks .*a.vsb.jsonl::t"):
        compare(runs)
    found = compare(runs, anyway=True)
    assert "different datasets" in found.warnings[0]
    assert [task.changed for task in found.tasks] == [True, False]
    text = "\n".join(terminal_lines(found, tasks=True))
    assert "WARNING: different datasets" in text
    assert "a.vsb.jsonl::t (other theorems)" in text


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("repairs", 3, "repairs: 1 and 3"),
        ("context", "full", "context: curated and full"),
        ("check_timeout", 60.0, "check_timeout: 300.0 and 60.0"),
        ("policy", "permissive", "policy: strict and permissive"),
        ("context_tokens", 100, "context_tokens: none and 100"),
    ],
)
def test_other_protocols_are_refused(setting: str, value: object, words: str) -> None:
    runs = [loaded("a", [result("t", 1, 1)]), loaded("b", [result("t", 1, 1)], **{setting: value})]
    with pytest.raises(UsageError, match=f"different protocols: a and b: {words}"):
        compare(runs)
    assert words in compare(runs, anyway=True).warnings[0]


def test_what_may_differ() -> None:
    """The prover, its seed, the machine: that is what runs are compared for."""
    other = {"seed": 7, "rootdir": "/elsewhere", "prover": {"temperature": "1"}, "lean": "elan"}
    runs = [loaded("a", [result("t", 1, 1)]), loaded("b", [result("t", 1, 1)], **other)]
    assert compare(runs).warnings == ()


def test_nothing_in_common() -> None:
    runs = [loaded("a", [result("t", 1, 1)]), loaded("b", [result("u", 1, 1)])]
    with pytest.raises(UsageError, match="a and b have no task in common"):
        compare(runs, anyway=True)
    with pytest.raises(UsageError, match="at least two"):
        compare(runs[:1])


def test_terminal(snapshot: SnapshotAssertion) -> None:
    lines = list(terminal_lines(compare(three()), tasks=True))
    assert "\n".join(lines) == snapshot
    assert max(map(len, lines)) <= 100


def test_markdown(snapshot: SnapshotAssertion) -> None:
    assert "\n".join(markdown_lines(compare(three()[:2]), tasks=True)) == snapshot


def test_markdown_of_hostile_names() -> None:
    runs = [loaded("<b>|x`", [result("t|<i>", 1, 1)]), loaded("b", [result("t|<i>", 1, 0)])]
    text = "\n".join(markdown_lines(compare(runs), tasks=True))
    assert "<b>" not in text.replace("\\<b\\>", "")
    assert "t\\|\\<i\\>" in text


def test_json() -> None:
    record = json.loads(comparison_json(compare(three())))
    assert record["schema"] == 1
    assert record["runs"][0]["per_solved"]["cost_usd"] == 1.0
    assert record["pairs"][0]["gained"] == [f"{FILE}::gained"]
    assert record["tasks"][0]["counts"][1] == {"c": 2, "n": 4}
    assert record["tasks"][0]["solved"] == [True, True, True]


# The command


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    first = {"t": [[REJECTED, ACCEPTED], [REJECTED]], "u": [[ACCEPTED], [ACCEPTED]]}
    second = {"t": [[REJECTED], [REJECTED]], "u": [[ACCEPTED], [REJECTED]]}
    return (
        write_run(tmp_path / "one", first, proof="by exact ```\n  ⟨𝓝, 数学⟩"),
        write_run(tmp_path / "two", second, at=5000),
    )


def test_command(two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *map(str, two)]) == 0
    out = capsys.readouterr().out
    assert "2 runs on 2 tasks" in out
    assert "m (two) against m (one)" in out
    assert "lost: a.vsb.jsonl::t" in out


def test_one_task_side_by_side(
    two: tuple[Path, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["compare", *map(str, two), "--task", "t"]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert lines[0].split("|")[0].strip() == "m (one)"
    assert lines[0].split("|")[1].strip() == "m (two)"
    assert any(
        "proof: sample 0, repair 1" in line and "nearest: sample 0" in line for line in lines
    )
    assert "accepted: N.t" in out
    assert "unsolved goals" in out
    from pytest_vsb.report.text import width

    assert max(map(width, lines)) <= 100
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["compare", *map(str, two), "--task", f"{FILE}::t"]) == 0
    narrow = capsys.readouterr().out
    assert "  ⟨𝓝, 数学⟩ [t, 0, 1]" in narrow.splitlines()
    assert " | " not in narrow


def test_one_task_as_markdown_and_json(
    two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *map(str, two), "--task", "t", "--format=md"]) == 0
    out = capsys.readouterr().out
    assert "````lean\ntheorem aux : 1\n\nby exact ```" in out
    assert main(["compare", *map(str, two), "--task", "t", "--format=json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [one["c"] for one in record] == [1, 0]
    assert record[0]["attempt"]["verdict"]["kind"] == "accepted"


def test_bad_uses(two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, words in (
        ([str(two[0])], "at least two runs"),
        ([*map(str, two), "--task", "nowhere"], "no run has a task 'nowhere'"),
        ([str(two[0]), "lost"], "lost"),
        ([*map(str, two), "--format=xml"], "invalid choice"),
    ):
        assert main(["compare", *arguments]) == 4
        assert words in capsys.readouterr().err


def test_gate_command(two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gate", *map(str, two)]) == 0
    assert "lost, perhaps by bad luck" in capsys.readouterr().out
    for option in ("--deterministic", "--alpha=1", "--max-regressions=0", "--min-pass-rate=51%"):
        assert main(["gate", *map(str, two), option]) == 1
        assert "gate: closed" in capsys.readouterr().out
    assert main(["gate", *map(str, two), "--alpha=2"]) == 4
    assert main(["gate", *map(str, two), "--max-regressions=x"]) == 4
