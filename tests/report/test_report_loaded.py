"""Loading runs of every kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from run_samples import FILE, attempt, make_run, task

from pytest_vsb.errors import UsageError
from pytest_vsb.report.loaded import load_run, load_runs
from pytest_vsb.report.results import write_results
from pytest_vsb.report.section import report_run
from pytest_vsb.run.directory import RunDirectory

A, B = task("a", nesting_depth=2), task("b")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    attempts = [
        attempt(A, 0, 0, error="unsolved goals"),
        attempt(A, 0, 1),
        attempt(A, 1, 0),
        attempt(B, 0, 0, error="type mismatch"),
    ]
    return make_run(tmp_path / "run", [B, A], attempts, samples=2, repairs=1)


def test_a_run_directory(run: Path) -> None:
    loaded = load_run(run)
    assert (loaded.name, loaded.path, loaded.samples) == ("made-up", run, 2)
    assert loaded.identity["repairs"] == 1
    assert [(r.task.id, r.n, r.c, r.c_first) for r in loaded.results] == [
        ("a", 2, 2, 1),
        ("b", 1, 0, 0),
    ]
    assert loaded.has_attempts
    assert [(a.sample, a.round) for a in loaded.attempts(A.nodeid)] == [(0, 0), (0, 1), (1, 0)]
    assert loaded.attempts("of no task") == ()
    assert loaded.results == tuple(
        sorted(report_run(RunDirectory(run)).results, key=lambda r: r.task.nodeid)
    )


def test_its_results_alone(run: Path) -> None:
    whole = load_run(run)
    report = report_run(RunDirectory(run))
    file = run / "results.json"
    write_results(file, report.run, report.summary, report.results)
    (run / "run.json").unlink()
    for path in (file, run):
        loaded = load_run(path)
        assert loaded.results == whole.results
        assert (loaded.name, loaded.samples, loaded.has_attempts) == ("made-up", 2, False)
        assert loaded.attempts(A.nodeid) == ()
        assert "no attempts" in loaded.notes[0]


def test_statements_come_from_the_task_files(tmp_path: Path) -> None:
    lines = [
        {"id": "a", "module": "Demo.Basic", "path": "Demo/Basic.lean", "name": "Demo.a"},
        {"id": "b", "module": "Demo.Basic", "path": "Demo/Basic.lean", "name": "Demo.other"},
    ]
    text = "".join(
        json.dumps({**line, "statement": f"theorem {line['name']} : True", "root": "."}) + "\n"
        for line in lines
    )
    (tmp_path / FILE).write_text(text)
    made = make_run(tmp_path / "run", [A, B], [attempt(A)], rootdir=str(tmp_path))
    tasks = load_run(made).tasks
    # The second one is not what was run.
    assert list(tasks) == [A.nodeid]
    assert tasks[A.nodeid].statement == "theorem Demo.a : True"
    (tmp_path / FILE).unlink()
    assert dict(load_run(made).tasks) == {}


def test_names_tell_runs_apart(tmp_path: Path) -> None:
    paths = [
        make_run(tmp_path / "one", [A], [attempt(A)]),
        make_run(tmp_path / "two", [A], [attempt(A)]),
        make_run(tmp_path / "other", [A], [attempt(A)], model="another"),
        make_run(tmp_path / "deep" / "two", [A], [attempt(A)]),
    ]
    assert [run.name for run in load_runs(paths)] == [
        "made-up (one)",
        "made-up (two) #1",
        "another",
        "made-up (two) #2",
    ]
    assert [run.name for run in load_runs(paths[:1])] == ["made-up"]


@pytest.mark.parametrize("name", ["gone", "empty", "file.json", "text.json", "number.json"])
def test_what_is_no_run(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.json").write_text('{"a": 1}')
    (tmp_path / "text.json").write_text("no JSON")
    (tmp_path / "number.json").write_text("17")
    with pytest.raises(UsageError):
        load_run(tmp_path / name)


def test_broken_tasks_are_a_usage_error(run: Path) -> None:
    (run / "tasks.jsonl").write_text('{"id": 1}\n')
    with pytest.raises(UsageError, match="cannot be read"):
        load_run(run)
