"""What the regression gate decides, and how rarely it is wrong."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.automation import AutomationProver
from pytest_vsb.provers.command import CommandProver
from pytest_vsb.provers.reference import ReferenceProver
from pytest_vsb.provers.replay import ReplayProver
from pytest_vsb.report.gate import Baseline, Gate, Rules, gate, gate_lines, share
from pytest_vsb.run.records import TaskFacts, TaskResult


def task(
    name: str, n: int, c: int, *, digest: str = "", status: str = "done", file: str = "a.vsb.jsonl"
) -> TaskResult:
    facts = TaskFacts(id=name, nodeid=f"{file}::{name}", digest=digest)
    return TaskResult(facts, status, n, c, c)


def decide(before: list[TaskResult], now: list[TaskResult], rules: Rules | None = None) -> Gate:
    rules = rules or Rules()
    return gate(Baseline(before, rules), now, rules)


def changes(found: Gate) -> dict[str, str]:
    return {each.task.id: str(each.change) for each in found.tasks}


def test_every_change() -> None:
    before = [
        task("regressed", 8, 8),
        task("lost", 8, 2),
        task("weaker", 8, 8),
        task("gained", 8, 0),
        task("unsolved", 8, 0),
        task("changed", 8, 8, digest="old"),
        task("unknown digest", 8, 8),
        task("unavailable", 8, 8),
        task("unavailable then", 0, 0, status="unavailable"),
        task("bad", 8, 8, status="known_bad"),
        task("gone", 8, 8),
    ]
    now = [
        task("regressed", 8, 0),
        task("lost", 8, 0),
        task("weaker", 8, 1),
        task("gained", 8, 1),
        task("unsolved", 8, 0),
        task("changed", 8, 0, digest="new"),
        task("unknown digest", 8, 8, digest="new"),
        task("unavailable", 0, 0, status="unavailable"),
        task("unavailable then", 8, 0),
        task("bad", 8, 0),
        task("new", 8, 0),
    ]
    found = decide(before, now)
    assert changes(found) == {
        "regressed": "regressed",
        "lost": "lost",
        "weaker": "solved",
        "gained": "gained",
        "unsolved": "unsolved",
        "changed": "changed",
        "unknown digest": "solved",
        "unavailable": "unjudged",
        "unavailable then": "unjudged",
        "bad": "unjudged",
        "new": "new",
    }
    assert found.missing == ("a.vsb.jsonl::gone",)
    assert found.failures[0] == "1 task regressed"
    text = "\n".join(gate_lines(found))
    assert "a.vsb.jsonl::regressed: regression: 0 of 8 samples proved it, 8 of 8" in text
    assert "a.vsb.jsonl::gained: newly solved: 1 of 8 samples, 0 of 8 in the baseline" in text
    assert "note: 1 task another theorem now" in text
    assert "note: 3 tasks not judged" in text


def test_the_same_tasks_in_another_place() -> None:
    before = [task("a", 8, 8, file="there/a.vsb.jsonl"), task("b", 8, 0, file="there/a.vsb.jsonl")]
    found = decide(before, [task("a", 8, 8), task("b", 8, 0)])
    assert changes(found) == {"a": "solved", "b": "unsolved"}
    assert found.missing == ()


def test_ids_that_repeat_are_told_apart_by_their_files() -> None:
    before = [task("a", 8, 8), task("a", 8, 0, file="b.vsb.jsonl")]
    found = decide(before, [task("a", 8, 0, file="b.vsb.jsonl"), task("a", 8, 8)])
    assert [str(each.change) for each in found.tasks] == ["solved", "unsolved"]


def test_the_level_does_not_depend_on_what_is_run() -> None:
    """Shards, and what is left when a run is resumed, decide as the whole run does."""
    before = [task(f"t{i}", 8, 8) for i in range(400)]
    whole = decide(before, [task(f"t{i}", 8, 8 * (i > 0)) for i in range(400)])
    shard = decide(before, [task("t0", 8, 0)])
    # One in C(16, 8) is 1/12870; the level is 0.025/400, a sixteen-thousandth.
    assert changes(whole)["t0"] == changes(shard)["t0"] == "lost"
    assert changes(decide(before[:300], [task("t0", 8, 0)]))["t0"] == "regressed"


def test_a_prover_a_little_worse_everywhere() -> None:
    before = [task(f"t{i}", 8, 6) for i in range(40)]
    now = [task(f"t{i}", 8, 4) for i in range(40)]
    found = decide(before, now)
    assert set(changes(found).values()) == {"solved"}
    assert found.p is not None
    assert found.p < 1e-6
    assert not found.passed
    assert "over all tasks together" in found.failures[0]
    assert decide(now, before).passed
    assert decide(before, now, Rules(tested=False)).passed


@pytest.mark.parametrize(
    ("rules", "before", "now", "change"),
    [
        (Rules(), 1, 1, "lost"),
        (Rules(alpha=1), 1, 1, "regressed"),
        (Rules(alpha=1), 8, 1, "regressed"),
        (Rules(deterministic=True), 1, 1, "regressed"),
        (Rules(deterministic=True), 4, 8, "regressed"),
        # The sample that proved it may be one that was not asked for.
        (Rules(deterministic=True), 4, 2, "lost"),
    ],
)
def test_luck_and_provers_without(rules: Rules, before: int, now: int, change: str) -> None:
    found = decide([task("t", before, 1)], [task("t", now, 0)], rules)
    assert changes(found) == {"t": change}
    assert (found.p is None) == (rules.alpha == 1)


def test_limits() -> None:
    before = [task("a", 1, 1), task("b", 1, 1), task("c", 1, 0)]
    now = [task("a", 1, 0), task("b", 1, 0), task("c", 1, 1), task("d", 0, 0)]
    untested = Rules(tested=False)
    assert decide(before, now, untested).passed
    found = decide(before, now, Rules(tested=False, max_regressions=1))
    assert found.failures == (
        "2 tasks solved in the baseline and unsolved now, luck or not; at most 1 may be",
    )
    assert decide(before, now, Rules(tested=False, max_regressions=2)).passed
    third = Rules(min_pass_rate=1 / 3)
    assert gate(None, now, third).passed
    assert gate(None, now, Rules(min_pass_rate=0.34)).failures == (
        "1 of 3 judged tasks solved (33.3 %); at least 34 % must",
    )
    assert not gate(None, [task("d", 0, 0)], Rules(min_pass_rate=0)).passed


def test_the_reader_is_told_what_cannot_be_seen() -> None:
    found = decide([task("a", 8, 8), task("b", 8, 1)], [task("a", 8, 8), task("b", 8, 1)])
    (note,) = found.notes
    assert note.startswith("with 8 samples now, 1 of the 2 tasks")
    assert not decide([task("a", 8, 8)], [task("a", 8, 8)]).notes


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)), max_size=12),
    st.sampled_from([Rules(), Rules(alpha=1), Rules(deterministic=True)]),
)
def test_nothing_fails_in_a_run_held_against_itself(
    counts: list[tuple[int, int, int]], rules: Rules
) -> None:
    results = [task(f"t{i}", max(n, c), c) for i, (n, c, _) in enumerate(counts)]
    found = decide(results, results, rules)
    assert found.passed == any(result.n for result in results)
    assert not {"regressed", "lost", "gained"} & set(changes(found).values())


@given(st.integers(1, 20), st.integers(1, 20), st.integers(1, 8))
def test_more_lost_samples_never_open_a_gate(n: int, c: int, tasks: int) -> None:
    c = min(n, c)
    before = [task(f"t{i}", n, n) for i in range(tasks)]
    ps = [decide(before, [task(f"t{i}", n, k) for i in range(tasks)]).p for k in (c - 1, c)]
    assert ps[0] is not None
    assert ps[1] is not None
    assert ps[0] <= ps[1] + 1e-12


@pytest.mark.parametrize(
    ("given", "value"), [("0.6", 0.6), ("60%", 0.6), (" 60 % ", 0.6), ("0", 0), ("1", 1)]
)
def test_shares(given: str, value: float) -> None:
    assert share("--o", given) == pytest.approx(value)
    assert share("--o", None) is None


@pytest.mark.parametrize("given", ["", "x", "60", "-0.1", "1.01", "nan", "101%", "%"])
def test_no_shares(given: str) -> None:
    with pytest.raises(UsageError, match="is no share"):
        share("--o", given)


# Luck


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    path = Path(__file__).parents[2] / "bench" / "gate.py"
    spec = importlib.util.spec_from_file_location("vsb_bench_gate", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_false_alarms_are_as_rare_as_stated(bench: ModuleType) -> None:
    """With 200 pairs, 5 % are ten; twenty would be an unlikely accident of a sound gate."""
    found = bench.simulate(bench.SETUPS[2], bench.WORSE[0], 200, seed=1)
    assert found.luckless > 40  # comparing plainly would be wrong as often as this
    assert found.any < 20


def test_a_worse_prover_is_caught(bench: ModuleType) -> None:
    found = bench.simulate(bench.SETUPS[2], bench.WORSE[5], 40, seed=1)
    assert found.any >= 35


def test_levels_hold_among_solved_tasks(bench: ModuleType) -> None:
    assert bench.selection(8) <= 1


@pytest.mark.parametrize(
    ("prover", "luckless"),
    [
        (AutomationProver, True),
        (ReferenceProver, True),
        (ReplayProver, True),
        (CommandProver, False),
    ],
)
def test_which_provers_have_no_luck(prover: type, luckless: bool) -> None:
    assert getattr(prover, "deterministic", False) is luckless


# What documents say


def test_documents_name_real_options() -> None:
    from pytest_vsb.plugin.options import OPTIONS

    known = {option.flag_name for option in OPTIONS}
    docs = Path(__file__).parents[2] / "docs"
    for file in (docs / "gate.md", *sorted((docs / "ci").iterdir())):
        text = file.read_text(encoding="utf-8")
        named = set(re.findall(r"--vsb-[a-z-]+", text))
        assert named or "vsb merge " in text
        assert named <= known, file


@pytest.mark.parametrize(
    "now", [[], [task("other", 8, 8)], [task("a", 0, 0, status="unavailable")]], ids=str
)
def test_a_gate_that_compared_nothing_is_closed(now: list[TaskResult]) -> None:
    found = decide([task("a", 8, 8)], now)
    assert not found.passed
    assert "no task that was judged in the baseline" in found.failures[0]
    assert found.p is None
    # Without a test for regressions it has nothing to say.
    assert decide([task("a", 8, 8)], now, Rules(tested=False)).passed
