"""What the terminal section says of warm sessions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from run_samples import attempt, make_run, task

from pytest_vsb.report.section import report_run, section_lines, session_text
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.history import read_history
from pytest_vsb.run.records import Attempt

WARM: dict[str, Any] = {"checker": "session"}
BOTH: dict[str, Any] = {"compared": True}
AGAIN: dict[str, Any] = {"checker": "session", "cached": True}


def written(path: Path, *verdicts: dict[str, Any]) -> Path:
    """A run with one rejected attempt for each of these, which tell what judged it."""
    facts = task("t")

    def made(sample: int, more: dict[str, Any]) -> Attempt:
        found = attempt(facts, sample, error="no")
        return replace(found, verdict=replace(found.verdict, **more))

    attempts = [made(sample, more) for sample, more in enumerate(verdicts)]
    return make_run(path / "run", [facts], attempts, samples=max(len(verdicts), 1))


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([], ""),
        ([{}, {}], ""),
        ([AGAIN], ""),
        ([WARM, WARM, {}, AGAIN], "2 of 3 candidates refused by warm sessions"),
        ([BOTH, BOTH], "2 candidates judged both ways, 0 differences"),
        (
            [WARM, BOTH],
            "1 of 2 candidates refused by warm sessions; "
            "1 candidate judged both ways, 0 differences",
        ),
    ],
)
def test_what_sessions_did(verdicts: list[dict[str, Any]], expected: str, tmp_path: Path) -> None:
    path = written(tmp_path, *verdicts)
    history = read_history(path)
    assert session_text(history, path) == expected
    # A history that has been read into memory tells the same.
    assert session_text({nodeid: history[nodeid] for nodeid in history}, path) == expected
    directory = RunDirectory(path)
    report = report_run(directory)
    lines = section_lines(report.summary, report.run, model="m", path=path)
    told = " ".join(line for line in lines if line.startswith("sessions: ") or line[:2] == "  ")
    assert ("sessions: " in told) == bool(expected)


def test_differences_are_counted(tmp_path: Path) -> None:
    path = written(tmp_path, BOTH, BOTH)
    disagreements = RunDirectory(path).disagreements
    disagreements.mkdir()
    (disagreements / "0.json").write_text("{}")
    text = session_text(read_history(path), path)
    assert text == "2 candidates judged both ways, 1 difference"
