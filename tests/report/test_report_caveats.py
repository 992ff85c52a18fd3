"""What the terminal section says of a run, every other report says as well."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import shutil
from pathlib import Path

import pytest
from report_samples import facts, result
from run_samples import attempt, make_run, task

from pytest_vsb.cli.main import main
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.report.caveats import caveats
from pytest_vsb.report.loaded import load_run
from pytest_vsb.report.summary import summarise
from pytest_vsb.report.tables import notes
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.journal import Journal
from pytest_vsb.run.records import Attempt, TaskFacts

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


def malformed(of: TaskFacts, sample: int, reason: str = "no code block") -> Attempt:
    found = attempt(of, sample, kind=VerdictKind.MALFORMED, lean_seconds=0)
    return dataclasses.replace(found, verdict=dataclasses.replace(found.verdict, reason=reason))


def test_why_most_attempts_are_malformed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, worse = task("good"), task("bad"), task("worse")
    right = [attempt(good), attempt(good, 1)]
    wrong = [malformed(bad, 0), malformed(bad, 1)]
    made = [*right, *wrong, malformed(worse, 0), malformed(worse, 1, "empty")]
    told = "malformed: 4 of 6 attempts hold no proof to judge; in 3 of them: no code block"
    run = make_run(tmp_path / "run", [good, bad, worse], made, samples=2)
    for command in (["report", str(run)], ["report", str(run), "--format=md"]):
        assert main(command) == 0
        assert " ".join(capsys.readouterr().out.split()).count(told) == 1
    alike = caveats(load_run(make_run(tmp_path / "alike", [bad], wrong, samples=2)))
    assert alike == ("malformed: 2 of 2 attempts hold no proof to judge: no code block",)
    one = caveats(load_run(make_run(tmp_path / "one", [bad], wrong[:1])))
    assert one == ("malformed: 1 of 1 attempt holds no proof to judge: no code block",)
    half = make_run(tmp_path / "half", [good, bad], [*right, *wrong], samples=2)
    assert caveats(load_run(half)) == ()


def test_a_prover_that_has_no_more_to_try(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, short, lost = task("whole"), task("short"), task("lost")
    made = [attempt(of, n) for of in (whole, short, lost) for n in range(1 if of == short else 2)]
    made[-1] = attempt(lost, 1, kind=VerdictKind.UNAVAILABLE, lean_seconds=0)
    run = make_run(tmp_path / "run", [whole, short, lost], made, samples=2)
    few = "pass@2: 2 of 3 judged tasks with fewer than 2 samples, outside the rate"
    assert caveats(load_run(run))[-1] == few
    with contextlib.closing(Journal(RunDirectory(run).journal, "main")) as journal:
        journal.answered(short.nodeid, 1, 0, None)
    told = f"{few}: for 1 of them the prover had no more to try"
    assert caveats(load_run(run))[-1] == told
    assert main(["report", str(run)]) == 0
    assert told in " ".join(capsys.readouterr().out.split())
    summary = summarise([result(facts("a"), n=1), result(facts("b"))], (8,))
    assert notes(summary, [1])[0].endswith("outside the rate: the prover had no more to try")
