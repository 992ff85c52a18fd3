"""Lines of a journal that cannot be read: no report keeps silent about them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from run_samples import attempt, make_run, task

from pytest_vsb.cli.main import main
from pytest_vsb.report.html.write import write_page
from pytest_vsb.report.junit import suite_properties
from pytest_vsb.report.leaderboard import entry
from pytest_vsb.report.loaded import load_run
from pytest_vsb.report.merge import merge_runs
from pytest_vsb.report.merge_results import merge_to_results
from pytest_vsb.report.results import read_results, write_results
from pytest_vsb.report.section import report_run
from pytest_vsb.run.directory import RunDirectory

TOLD = "1 line cannot be read (journal/main.jsonl:7)"


def broken(path: Path, seconds: float = 1.0, **identity: Any) -> Path:
    """A run of two tasks with two samples each; the line of a failed attempt is damaged."""
    good, bad = task("good"), task("bad")
    made = [attempt(of, sample, lean_seconds=seconds) for of in (good, bad) for sample in (0, 1)]
    made[3] = attempt(bad, 1, error="unsolved goals")
    make_run(path, [good, bad], made, samples=2, **identity)
    journal = path / "journal" / "main.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    assert b"unsolved goals" in lines[6]
    lines[6] = lines[6].replace(b'"verdict":', b'"verdict"')
    journal.write_bytes(b"".join(lines))
    return path


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return broken(tmp_path / "run", seed=1)


def test_the_task_is_not_done(run: Path) -> None:
    found = report_run(RunDirectory(run))
    good, bad = found.results
    assert (good.status, good.n, good.c) == ("done", 2, 2)
    # One of one sample is a proof, since that of the failed one is lost: that is no result.
    assert (bad.status, bad.n, bad.c, bad.pass_at[2]) == ("unfinished", 1, 1, None)
    assert bad.reason == "lines of the journal cannot be read: journal/main.jsonl:7"
    assert (found.summary.unreadable.lines, found.summary.unreadable.places) == (
        1,
        ("journal/main.jsonl:7",),
    )
    assert ("vsb.unreadable_lines", "1") in suite_properties(found.summary, found.run)


def test_every_report_says_so(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert TOLD in out
    assert "unfinished: 1 of 2 tasks were not finished" in out
    kept = json.loads((run / "results.json").read_bytes())
    assert kept["summary"]["unreadable"] == {"lines": 1, "places": ["journal/main.jsonl:7"]}
    for source in (run, run / "results.json"):
        for kind in ("terminal", "md", "latex", "csv", "json", "html"):
            assert main(["report", str(source), f"--format={kind}"]) == 0
            printed = capsys.readouterr()
            text = printed.err if kind == "csv" else printed.out
            assert TOLD in " ".join(text.split()), (source, kind)
    write_page(run, run.parent / "page.html")
    assert TOLD in (run.parent / "page.html").read_text(encoding="utf-8")
    assert any(TOLD in note for note in entry(load_run(run))["notes"])
    assert main(["gate", str(run), str(run / "results.json")]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"note: baseline: journal: {TOLD}" in told
    assert f"note: journal: {TOLD}" in told


def test_merged_runs_remember_it(run: Path, tmp_path: Path) -> None:
    other = broken(tmp_path / "other", 2.0, seed=2)
    merged = merge_runs([run, other], tmp_path / "all")
    assert [name for name in ("run", "other") if any(name in n and TOLD in n for n in merged.notes)]
    both = [report_run(RunDirectory(path)) for path in (run, other)]
    for path, told in zip((run, other), both, strict=True):
        write_results(path / "results.json", told.run, told.summary, told.results)
    files = [path / "results.json" for path in (run, other)]
    assert sum(TOLD in note for note in merge_to_results(files, tmp_path / "all.json").notes) == 2
    found = load_run(tmp_path / "all")
    assert sum(TOLD in note for note in found.notes) == 2
    assert {r.task.id: r.status for r in found.results} == {"good": "done", "bad": "unfinished"}


def test_sound_journals_need_no_word(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [task("t")], [attempt(task("t"))])
    with (run / "journal" / "main.jsonl").open("ab") as journal:
        journal.write(b'{"event":"started","nodeid":"x')  # being written, or torn by a kill
    assert load_run(run).notes == ()
    assert main(["report", str(run)]) == 0
    assert read_results(run).summary.unreadable.note == ""
