"""Results of other programs."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pytest_vsb.errors import UsageError
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.report.analysis import analyse
from pytest_vsb.report.formats.build import tables
from pytest_vsb.report.formats.render import render
from pytest_vsb.report.html.charts import charts
from pytest_vsb.report.loaded import load_run
from pytest_vsb.report.results import write_results
from pytest_vsb.report.summary import summarise
from pytest_vsb.report.tables import table

FIRST = {"lean_root": "Lib", "rel_path": "src/Lib/A.lean", "thm_name": "Lib.one"}
SECOND = {"lean_root": "Lib", "rel_path": "Lib/B.lean", "thm_name": "Lib.two"}


def outcomes(path: Path, *elements: dict[str, Any]) -> Path:
    file = path / "some_results_3.json"
    file.write_text(json.dumps(list(elements)))
    return file


def test_outcomes(tmp_path: Path) -> None:
    file = outcomes(
        tmp_path,
        {**FIRST, "status": "completed", "nesting_depth": 3, "category": "Semantics"},
        {**SECOND, "status": "failed", "failure_reason": "timeout (no proof found)"},
        {**SECOND, "thm_name": "Lib.three", "status": "failed", "failure_reason": "partial_proof"},
        {**SECOND, "thm_name": "Lib.four", "status": "queued"},
    )
    run = load_run(file)
    assert run.name == "some_3"
    found = {r.task.id: r for r in run.results}
    assert [(r.status, r.n, r.c) for r in found.values()] == [
        ("unavailable", 0, 0),
        ("done", 1, 1),
        ("done", 1, 0),
        ("done", 1, 0),
    ]
    one = found["Lib/Lib.one"].task
    assert (one.module, one.category, one.metrics.nesting_depth) == ("Lib.A", "Semantics", 3)
    assert found["Lib/Lib.two"].first_error == "timeout (no proof found)"
    assert found["Lib/Lib.three"].verdicts == {"incomplete": 1}
    assert "queued" in run.notes[-1]
    assert "judged nothing" in run.notes[0]
    assert "imported: 1 task failed, as is said: partial_proof" in run.notes


@pytest.mark.parametrize(
    ("reason", "kind", "fine"),
    [
        ("prove_timeout (prover could not find proof)", "timeout", "timeout"),
        ("Time limit reached", "timeout", "timeout"),
        ("mutual_block (theorem inside mutual, extraction fails)", "malformed", "unsupported"),
        ("partial_proof (prover produced incomplete proof)", "incomplete", "incomplete"),
        ("killed: out of memory", "out_of_memory", "memory"),
        ("", "malformed", "malformed"),
    ],
)
def test_why_a_prover_failed(tmp_path: Path, reason: str, kind: str, fine: str) -> None:
    run = load_run(outcomes(tmp_path, {**FIRST, "status": "failed", "failure_reason": reason}))
    assert run.results[0].verdicts == {kind: 1}
    (row,) = [row for row in analyse([run]).runs[0].errors.fine if row.tasks]
    assert (row.name, row.error) == (fine, "other")


def test_what_was_repaired_is_not_known(tmp_path: Path) -> None:
    file = outcomes(tmp_path, {**FIRST, "status": "completed"}, {**SECOND, "status": "failed"})
    run = load_run(file)
    found = analyse([run]).runs[0]
    assert (found.overall.solved, found.overall.solved_without_repair) == (1, None)
    assert (found.overall.last.value, found.overall.last_first.value) == (0.5, None)
    assert (found.repair, found.averages_first.micro) == ((), None)
    assert "n/a" in render([run], analyse([run]), "terminal")
    # Kept as results of ours, they claim no more.
    write_results(tmp_path / "r.json", run.run, summarise(run.results, (1,)), run.results)
    kept = load_run(tmp_path / "r.json")
    assert [r.c_first for r in kept.results] == [r.c_first for r in run.results] == [None, 0]
    assert table(summarise(kept.results, (1,)))[-1].split()[:4] == ["total", "2", "1", "n/a"]


def test_alike_names_get_their_modules(tmp_path: Path) -> None:
    same = {**SECOND, "thm_name": "Lib.one"}
    run = load_run(
        outcomes(tmp_path, {**FIRST, "status": "failed"}, {**same, "status": "completed"})
    )
    assert [r.task.id for r in run.results] == ["Lib/Lib.A/Lib.one", "Lib/Lib.B/Lib.one"]
    with pytest.raises(UsageError, match="twice"):
        load_run(outcomes(tmp_path, *[{**FIRST, "status": "failed"}] * 2))


@pytest.mark.parametrize("element", [{"thm_name": "a"}, 3, {**FIRST, "status": 1}])
def test_what_is_no_outcome(tmp_path: Path, element: Any) -> None:
    file = tmp_path / "list.json"
    file.write_text(json.dumps([element]))
    with pytest.raises(UsageError, match="element 0"):
        load_run(file)


def proof(error: str | None, **more: Any) -> dict[str, Any]:
    return {"proof": ":= by simp", "aux_lemmas": "", "err_msg": error, **more}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A directory as the reference suite leaves it, each file of its own kind."""
    path = tmp_path / "gpt_20250210"
    details = path / "details"
    details.mkdir(parents=True)
    goals = "Line 7:2 - error: unsolved goals\nn : Nat\n\u22a2 n = 0\nLine 9:0 - type mismatch\n  h"
    records: dict[str, dict[str, Any]] = {
        "one__A": {
            **FIRST,
            "success": True,
            "fix_success": False,
            "generated_proofs": [
                proof(None, proof_id=1, fixed=[]),
                proof(goals, proof_id=0, reasoning="hm"),
            ],
        },
        "two": {  # saved on the way, before the repairs
            **SECOND,
            "success": False,
            "fix_success": False,
            "generated_proofs": [proof(goals, proof_id=0)],
        },
        "two__B": {
            **SECOND,
            "success": False,
            "fix_success": True,
            "generated_proofs": [
                proof(goals, proof_id=0, fixed=[proof("Line 3:1 - unknown id"), proof(None)]),
                proof("declaration 'Lib.two' uses 'sorry'", proof_id=1, fixed=[]),
            ],
        },
        "three__B": {
            **SECOND,
            "thm_name": "Lib.three",
            "success": False,
            "fix_success": False,
            "generated_proofs": [
                proof("Compilation timeout (>300s)", proof_id=0),
                proof("Compilation error: no such container", proof_id=1),
            ],
        },
        "four__B": {
            **SECOND,
            "thm_name": "Lib.four",
            "success": False,
            "fix_success": True,
            "cached": True,
            "cached_run_name": "earlier",
        },
        "five__B": {
            **SECOND,
            "thm_name": "Lib.five",
            "success": False,
            "fix_success": False,
            "generated_proofs": None,
            "error_message": "the service is down",
        },
    }
    for name, record in records.items():
        (details / f"{name}.json").write_text(json.dumps(record))
    summary = {"total_theorems": 5, "theorems_proved_wo_fix": 1, "theorems_proved_w_fix": 3}
    (path / "summary.json").write_text(json.dumps(summary))
    return path


def test_the_reference_suite(suite: Path) -> None:
    run = load_run(suite)
    assert (run.name, run.samples, run.identity["repairs"]) == ("gpt_20250210", 2, 2)
    found = {r.task.name: (r.status, r.n, r.c, r.c_first) for r in run.results}
    assert found == {
        "Lib.one": ("done", 2, 1, 1),
        "Lib.two": ("done", 2, 1, 0),
        "Lib.three": ("done", 1, 0, 0),  # what broke in the suite is not the prover's failure
        "Lib.four": ("done", 1, 1, 0),
        "Lib.five": ("unavailable", 0, 0, 0),
    }
    attempts = run.attempts("verisoftbench.jsonl::Lib/Lib.one")
    assert [a.verdict.kind for a in attempts] == [VerdictKind.REJECTED, VerdictKind.ACCEPTED]
    first, second = attempts[0].verdict.diagnostics
    assert (first.start.line, first.start.column) == (7, 2)
    assert first.message == "unsolved goals\nn : Nat\n\u22a2 n = 0"
    assert first.goal == "n : Nat\n\u22a2 n = 0"
    assert second.message == "type mismatch\n  h"
    kinds = [a.verdict.kind for a in run.attempts("verisoftbench.jsonl::Lib/Lib.two")]
    assert kinds[:3] == [VerdictKind.REJECTED, VerdictKind.REJECTED, VerdictKind.ACCEPTED]
    assert kinds[3] is VerdictKind.INCOMPLETE
    kinds = [a.verdict.kind for a in run.attempts("verisoftbench.jsonl::Lib/Lib.three")]
    assert kinds == [VerdictKind.TIMEOUT, VerdictKind.UNAVAILABLE]
    told = "\n".join(run.notes)
    assert "1 results come from the suite's cache" in told
    assert "lower bound" in told
    assert "summary.json says" not in told


def test_its_summary_is_held_against_its_files(suite: Path) -> None:
    summary = suite / "summary.json"
    assert load_run(summary).results == load_run(suite).results
    summary.write_text(json.dumps({"total_theorems": 6}))
    assert "total_theorems = 6, the files in details/ 5" in "\n".join(load_run(suite).notes)
    summary.unlink()
    assert "may not have ended" in "\n".join(load_run(suite).notes)


def test_it_can_be_analysed(suite: Path) -> None:
    (run,) = analyse([load_run(suite)]).runs
    assert (run.overall.solved, run.overall.solved_without_repair) == (3, 1)
    assert [row.solved for row in run.repair] == [1, 1, 3]
    assert [row.solved for row in run.repair][-1] == run.overall.solved
    assert run.patterns is not None
    assert run.patterns.proofs == 2
    assert [(t.fine, t.run) for t in run.errors.tasks] == [("timeout", "gpt_20250210")]


@pytest.mark.parametrize("text", ["[]", "{", '{"thm_name": 3}', '{"lean_root": "Lib"}'])
def test_broken_files_of_it(suite: Path, text: str) -> None:
    (suite / "details" / "zzz.json").write_text(text)
    with pytest.raises(UsageError, match=r"zzz\.json"):
        load_run(suite)


def test_no_files_of_it(tmp_path: Path) -> None:
    (tmp_path / "details").mkdir()
    with pytest.raises(UsageError, match="no results in details"):
        load_run(tmp_path)


@pytest.mark.skipif("VSB_SHARED_DATA" not in os.environ, reason="VSB_SHARED_DATA is not set")
def test_a_provers_published_outcomes() -> None:
    run = load_run(Path(os.environ["VSB_SHARED_DATA"]) / "aleph_results_100.json")
    assert len(run.results) == 100
    (found,) = analyse([run]).runs
    assert found.overall.solved == 86
    assert found.averages.micro == pytest.approx(0.86)
    assert found.errors.failed == 14


def test_every_table_and_chart_that_outcomes_tell_of(tmp_path: Path) -> None:
    facts = {"category": "Semantics", "failure_reason": None}
    elements = [
        {
            **facts,
            "lean_root": root,
            "rel_path": "A.lean",
            "thm_name": f"t{number}",
            "nesting_depth": number,
            "transitive_dep_count": 3 * number,
            "gt_proof_length": 100 * number,
            "status": "failed" if number % 3 else "completed",
        }
        for number in range(1, 10)
        for root in ("ArkLib", "clean")
    ]
    run = load_run(outcomes(tmp_path, *elements))
    found = {table.key: table for table in tables(analyse([run]))}
    assert set(found) == {
        *("overall", "averages", "by_repository", "by_category", "by_scale", "by_depth"),
        *("by_characters", "by_dependency", "dependency_cdf", "correlations"),
        *("errors", "errors_fine"),
    }
    measures = [row[1] for row in found["correlations"].rows]
    assert measures[-1] == "characters of the reference proof"
    # One sample: pass@1 stands once for a reader, and twice for a program.
    titles = [column.title for column in found["overall"].compact().columns]
    assert titles.count("pass@1") == 1
    assert [column.key for column in found["overall"].columns if column.title == "pass@1"] == [
        "pass_1",
        "pass_n",
    ]
    shown = {chart.id for chart in charts([run], analyse([run]))}
    assert shown == {"depth", "characters", "repository", "errors", "dependencies"}
