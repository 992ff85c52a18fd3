"""What the terminal section says of a run, every other report says as well."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import pytest
from run_samples import attempt, make_run, task

from pytest_vsb.cli.main import main
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.report.caveats import caveats
from pytest_vsb.report.loaded import load_run

LEAN = "Lean 4.35.0 (embedded: none is on PATH; its scores are not those of a full Lean)"
LOST = "unavailable: 1 of 2 tasks could not be judged"
FULL = "its scores are not those of a full Lean"
CORE = "The embedded Lean has a small core library of its own"


def written(path: Path, lean: str = LEAN) -> Path:
    """A run by the embedded Lean, of a solved task and of one that could not be judged."""
    good, lost = task("good"), task("lost")
    judged, unjudged = attempt(good), attempt(lost, kind=VerdictKind.UNAVAILABLE, lean_seconds=0)
    verdict = dataclasses.replace(judged.verdict, toolchain="embedded 4.35.0")
    made = [dataclasses.replace(judged, verdict=verdict), unjudged]
    make_run(path, [good, lost], made, statuses={"lost": "unavailable"})
    record = json.loads((path / "run.json").read_bytes())
    (path / "run.json").write_text(json.dumps({**record, "lean": lean}), encoding="utf-8")
    return path


@pytest.mark.parametrize("format", ["terminal", "md", "latex", "csv", "json"])
def test_every_format_has_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], format: str
) -> None:
    run = written(tmp_path / "run")
    assert main(["report", str(run)]) == 0
    section = " ".join(capsys.readouterr().out.split())
    for told in (LOST, FULL, CORE):
        assert told in section
    for source in (run, run / "results.json"):
        assert main(["report", str(source), f"--format={format}"]) == 0
        printed = capsys.readouterr()
        text = " ".join((printed.err if format == "csv" else printed.out).split())
        for told in (LOST, FULL, CORE):
            assert told in text, (source, told)
        if format == "json":
            (one,) = json.loads(printed.out)["runs"]
            assert any(LOST in note for note in one["caveats"])


def test_of_several_runs_each_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = written(tmp_path / "run")
    shutil.copytree(run, tmp_path / "again")
    assert main(["report", str(run), str(tmp_path / "again"), "--format=md"]) == 0
    text = capsys.readouterr().out
    assert f"made-up (run): {LOST}" in text
    assert f"made-up (again): {LOST}" in text


def test_a_full_lean_needs_no_word(tmp_path: Path) -> None:
    found = caveats(load_run(written(tmp_path / "run", "Lean 4.35.0 (elan: on PATH)")))
    assert FULL not in " ".join(found)
    of_elan = make_run(tmp_path / "elan", [task("t")], [attempt(task("t"))])
    assert caveats(load_run(of_elan)) == ()
