"""Runs in numbers, against values computed by hand."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from run_samples import attempt, make_run, task

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.diagnostics import parse
from pytest_vsb.lean.process import Limits, run
from pytest_vsb.lean.toolchain import find
from pytest_vsb.metrics.errors import CLASSES, classify
from pytest_vsb.metrics.passk import pass_at_k
from pytest_vsb.provers.base import Usage
from pytest_vsb.report.analysis import analyse
from pytest_vsb.report.loaded import LoadedRun, load_run, load_runs
from pytest_vsb.report.results import write_results
from pytest_vsb.report.section import report_run
from pytest_vsb.report.taxonomy import errors_of, fine_class
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.records import Attempt

U = VerdictKind.UNAVAILABLE

ONE = task("one", "ArkLib", category="Semantics", nesting_depth=2, transitive_dependencies=5)
TWO = task("two", "ArkLib", category="Semantics", nesting_depth=5, transitive_dependencies=50)
THREE = task("three", "clean", category="", nesting_depth=9, subsets=("hard", "core"))
FOUR = task("four", "mine", category="Logic", subsets=("hard",))
BAD = task("bad", "mine")
LOST = task("lost", "mine")
TASKS = [ONE, TWO, THREE, FOUR, BAD, LOST]


def small_run(path: Path, **more: object) -> Path:
    """Two samples and two repairs: ``one`` at once and after a repair, ``two`` after two repairs,
    ``three`` and ``four`` never; ``bad`` is known to be, ``lost`` was not judged."""
    goals, mismatch = "unsolved goals\n\u22a2 p", "type mismatch\n  h"
    made = [
        attempt(ONE, 0, 0),
        attempt(ONE, 1, 0, error=goals),
        attempt(ONE, 1, 1, proof=":= by omega"),
        *[attempt(TWO, 0, r, error=goals) for r in range(3)],
        *[attempt(TWO, 1, r, error=mismatch) for r in range(2)],
        attempt(TWO, 1, 2, usage=Usage(100, 10, 0, 0.5, 2.0)),
        *[attempt(THREE, s, r, error="unknown identifier 'foo'") for s in (0, 1) for r in range(3)],
        attempt(FOUR, 0, 0, error=mismatch, usage=Usage(100, 30, 0, 0.25, 1.0)),
        attempt(FOUR, 1, 0, kind=VerdictKind.TIMEOUT),
        attempt(BAD, 0, 0),
        attempt(LOST, 0, 0, kind=U),
        attempt(LOST, 1, 0, kind=U),
    ]
    statuses = {"bad": "known_bad", "lost": "unavailable"}
    settings: dict[str, object] = {"samples": 2, "repairs": 2, **more}
    return make_run(path, TASKS, made, statuses=statuses, **settings)  # type: ignore[arg-type]


@pytest.fixture
def loaded(tmp_path: Path) -> LoadedRun:
    return load_run(small_run(tmp_path / "run"))


def test_overall(loaded: LoadedRun) -> None:
    (found,) = analyse([loaded]).runs
    total = found.overall
    assert (total.tasks, total.judged, total.solved, total.solved_without_repair) == (5, 4, 2, 1)
    # (n, c): one (2, 2), two (2, 1), three and four (2, 0)
    assert total.pass_at[0].value == pytest.approx((1 + 1 / 2) / 4)
    assert total.last.value == pytest.approx(2 / 4)
    assert total.last.k == 2
    assert total.pass_at_first[0].value == pytest.approx((1 / 2) / 4)
    assert total.last_first.value == pytest.approx(1 / 4)
    assert total.last.low is not None
    assert found.clustered is not None
    assert [(p.k, p.value) for p in found.curve] == [(1, 1.5 / 4), (2, 2 / 4)]


def test_gain_by_round(loaded: LoadedRun) -> None:
    (found,) = analyse([loaded]).runs
    assert [(r.round, r.solved, r.attempts) for r in found.repair] == [
        (0, 1, 8),
        (1, 1, 5),
        (2, 2, 4),
    ]
    assert [r.pass_1 for r in found.repair] == pytest.approx([0.5 / 4, 1 / 4, 1.5 / 4])
    assert [r.gain_1 for r in found.repair[1:]] == pytest.approx([0.5 / 4, 0.5 / 4])
    assert [r.gain_n for r in found.repair[1:]] == pytest.approx([0, 1 / 4])
    assert found.repair[0].gain_1 is None
    assert found.repair[-1].pass_n == found.overall.last.value


def test_micro_and_macro(loaded: LoadedRun) -> None:
    (found,) = analyse([loaded]).runs
    # ArkLib 2 of 2, clean 0 of 1, mine 0 of 1 judged
    assert found.averages.micro == pytest.approx(2 / 4)
    assert found.averages.macro == pytest.approx((1 + 0 + 0) / 3)
    assert found.averages_first.macro == pytest.approx((1 / 2) / 3)


def test_groups(loaded: LoadedRun) -> None:
    (found,) = analyse([loaded]).runs

    def told(rows: object) -> list[tuple[str, int, int]]:
        return [(row.name, row.tasks, row.solved) for row in rows]  # type: ignore[attr-defined]

    assert told(found.by_repository) == [("ArkLib", 2, 2), ("mine", 2, 0), ("clean", 1, 0)]
    assert told(found.by_category) == [("Logic", 1, 0), ("Semantics", 2, 2), ("", 2, 0)]
    assert told(found.by_scale) == [("regular", 1, 0), ("large", 2, 2), ("", 2, 0)]
    assert told(found.by_subset) == [("core", 1, 0), ("hard", 2, 0)]
    assert told(found.by_depth) == [("1-3", 1, 1), ("4-6", 1, 1), ("7+", 1, 0), ("", 2, 0)]
    assert told(found.by_length) == [("", 5, 2)]
    assert told(found.by_dependency) == [("5", 1, 1), ("50", 1, 1), ("", 3, 0)]
    assert found.by_depth[0].last.value == 1
    (scaled,) = analyse([loaded], scales={"mine": "large"}).runs
    assert told(scaled.by_scale) == [("regular", 1, 0), ("large", 4, 2)]


def test_distribution_of_dependencies(loaded: LoadedRun) -> None:
    (found,) = analyse([loaded]).runs
    assert found.dependency_cdf == {
        "all": ((5.0, 0.5), (50.0, 1.0)),
        "solved": ((5.0, 0.5), (50.0, 1.0)),
        "unsolved": (),
    }


def test_correlations(loaded: LoadedRun) -> None:
    (found,) = analyse([loaded]).runs
    rows = {row.measure: row for row in found.correlations}
    # Depths 2, 5, 9 and successes 1, 1, 0: ranks 1, 2, 3 and 2.5, 2.5, 1.
    assert rows["nesting_depth"].n == 3
    assert rows["nesting_depth"].rho == pytest.approx(-0.8660254)
    assert rows["nesting_depth"].partial is None
    assert rows["proof_length_lines"].n == 0
    assert rows["proof_length_lines"].rho is None


def test_errors(loaded: LoadedRun) -> None:
    (found,) = analyse([loaded]).runs
    errors = found.errors
    assert errors.failed == 2
    assert [row.name for row in errors.classes] == list(CLASSES)
    assert {row.name: (row.tasks, row.attempts) for row in errors.classes} == {
        "unknown identifier": (1, 6),
        "type mismatch": (1, 1),
        "unsolved goals": (0, 0),
        "tactic failure": (0, 0),
        "other": (0, 1),
    }
    assert [(row.name, row.tasks) for row in errors.fine] == [
        ("unknown identifier", 1),
        ("type mismatch", 1),
        ("timeout", 0),
    ]
    by_task = {each.nodeid: each for each in errors.tasks}
    assert by_task[THREE.nodeid].name == "foo"
    assert by_task[THREE.nodeid].place == "not looked up"
    assert by_task[FOUR.nodeid].message == "type mismatch"
    assert errors.unknown[0].examples == ("foo",)


def test_failures_of_several_runs_count_once(tmp_path: Path) -> None:
    first = small_run(tmp_path / "one")
    renamed = task("three", "clean")  # the same task in a task file of another name
    again = [attempt(renamed, 0, 0, kind=VerdictKind.INCOMPLETE), attempt(FOUR, 0, 0)]
    second = make_run(tmp_path / "two", [renamed, FOUR], again)
    analysis = analyse(load_runs([first, second]))
    assert analysis.errors is not None
    # `four` is proved by the second run; of `three` the second came nearer.
    assert [(each.fine, each.run) for each in analysis.errors.tasks] == [
        ("incomplete", "made-up (two)")
    ]
    assert analyse(load_runs([first])).errors is None


def test_patterns_and_cost(loaded: LoadedRun) -> None:
    (found,) = analyse([loaded]).runs
    assert found.patterns is not None
    # The proof of the bad task does not count, nor do two that read alike at one task.
    assert (found.patterns.tasks, found.patterns.proofs) == (2, 3)
    assert found.patterns.single_automation_call == 1
    cost = found.cost
    assert (cost.attempts, cost.input_tokens, cost.output_tokens) == (18 + 1, 200, 40)
    assert cost.cost_usd == pytest.approx(0.75)
    assert cost.cost_per_task == pytest.approx(0.75 / 4)
    assert cost.cost_per_solved == pytest.approx(0.75 / 2)
    assert cost.output_tokens_per_solved == 20
    assert cost.seconds_per_solved == pytest.approx(1.5)
    assert cost.lean_seconds_per_attempt == pytest.approx(1.0)


def test_results_alone_say_almost_the_same(tmp_path: Path) -> None:
    path = small_run(tmp_path / "run")
    report = report_run(RunDirectory(path))
    file = tmp_path / "results.json"
    write_results(file, report.run, report.summary, report.results)
    (whole,), (alone,) = analyse([load_run(path)]).runs, analyse([load_run(file)]).runs
    assert alone.overall == whole.overall
    assert alone.correlations == whole.correlations
    assert alone.patterns is None
    assert [(r.round, r.solved, r.attempts) for r in alone.repair] == [(0, 1, None), (2, 2, None)]
    assert [(e.nodeid, e.error) for e in alone.errors.tasks] == [
        (e.nodeid, e.error) for e in whole.errors.tasks
    ]
    assert alone.errors.classes[0].attempts is None


def test_a_run_without_anything(tmp_path: Path) -> None:
    path = make_run(tmp_path / "run", [ONE], [])
    (found,) = analyse([load_run(path)]).runs
    assert (found.overall.tasks, found.overall.judged) == (1, 0)
    assert found.overall.last.value is None
    assert found.averages.micro is None
    assert found.errors.failed == 0
    assert found.errors.classes[0].share is None
    assert found.patterns is not None
    assert found.cost.cost_per_solved is None
    assert found.repair[0].pass_1 is None


@pytest.mark.parametrize(
    ("kind", "fine"),
    [
        (VerdictKind.TIMEOUT, "timeout"),
        (VerdictKind.OUT_OF_MEMORY, "memory"),
        (VerdictKind.CRASHED, "crash"),
        (VerdictKind.FORBIDDEN, "policy"),
        (VerdictKind.MALFORMED, "malformed"),
        (VerdictKind.INCOMPLETE, "incomplete"),
        (VerdictKind.UNSOUND, "unsound"),
        (VerdictKind.REJECTED, "no message"),
    ],
)
def test_verdicts_that_say_more_than_messages(kind: VerdictKind, fine: str) -> None:
    assert fine_class(attempt(ONE, kind=kind)) == fine
    told = attempt(ONE, kind=kind, error="unsolved goals")
    assert fine_class(told) == ("unsolved goals" if kind is VerdictKind.REJECTED else fine)


def test_rates_of_a_random_run(tmp_path: Path) -> None:
    draw = random.Random(4)
    tasks = [task(f"t{i}", f"r{i % 3}", nesting_depth=i % 9) for i in range(12)]
    counts: dict[str, tuple[int, int]] = {}
    made: list[Attempt] = []
    for each in tasks:
        n = draw.randint(1, 5)
        kinds = [draw.random() < 0.4 for _ in range(n)]
        counts[each.nodeid] = (n, sum(kinds))
        made += [
            attempt(each, s, error="" if kind else "unsolved goals") for s, kind in enumerate(kinds)
        ]
    (found,) = analyse([load_run(make_run(tmp_path / "run", tasks, made, samples=5))]).runs
    for point in found.curve:
        values = [pass_at_k(n, c, point.k) for n, c in counts.values() if n >= point.k]
        assert point.value == pytest.approx(sum(v for v in values if v is not None) / len(values))
        assert point.first == point.value
    for rows in (found.by_repository, found.by_depth, found.by_scale):
        assert sum(row.tasks for row in rows) == 12
        assert sum(row.solved for row in rows) == found.overall.solved


WRONG = {
    "unknown identifier": "example : True := foo_bar",
    "unknown field": "example (n : Nat) : True := n.fooBar",
    "type mismatch": "example (p q : Prop) (h : p) : q := h",
    "unsolved goals": "example (p q : Prop) (h : p) (g : q) : p \u2227 q := by\n"
    "  constructor\n  exact h",
    "rewrite failed": "example (a b c : Nat) (h : b = c) : a = a := by\n  rw [h]",
    "no goals": "example : True := by\n  trivial\n  trivial",
    "intro failed": "example : True := by\n  intro h",
    "syntax": "example : True := by\n  exact )",
    "placeholder": "example : True := by\n  exact (fun _ => trivial) _",
}


@pytest.mark.lean
def test_what_a_real_lean_says(tmp_path: Path) -> None:
    try:
        toolchain = find("auto")
    except EnvironmentUnavailable as error:
        pytest.skip(error.message)
    text, lines = "", {}
    for fine, wrong in WRONG.items():
        lines[fine] = text.count("\n") + 1
        text += f"{wrong}\n\n"
    (tmp_path / "T.lean").write_text(text, encoding="utf-8")
    completed = run(
        toolchain.argv("--json", "T.lean"),
        cwd=tmp_path,
        env=toolchain.environment(),
        limits=Limits(120),
    )
    found = parse(completed.stdout, file_name="T.lean").diagnostics
    for fine, line in lines.items():
        first = next(each for each in found if each.start.line >= line)
        assert classify(first.message, first.kind) == fine, first.message
        # Without its tag the wording says the same.
        assert classify(first.message) == fine


def test_errors_of_nothing() -> None:
    assert errors_of([]).failed == 0
