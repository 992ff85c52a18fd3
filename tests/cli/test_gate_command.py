"""``vsb gate`` on results files, and what errors print of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_vsb import cli
from pytest_vsb.report.results import results_bytes
from pytest_vsb.report.summary import summarise
from pytest_vsb.run.records import TaskFacts, TaskResult


def write(path: Path, model: str, n: int, c: int) -> str:
    results = [TaskResult(TaskFacts(id="a", nodeid="x::a", digest="d"), "done", n, c, c)]
    run = {"identity": {"model": model}, "samples": n}
    path.write_bytes(results_bytes(run, summarise(results, (1,)), results))
    return str(path)


@pytest.mark.parametrize(("model", "code"), [("automation", 1), ("claude", 0)])
def test_what_a_deterministic_prover_lost_is_no_luck(
    tmp_path: Path, model: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    before = write(tmp_path / "before.json", model, 2, 2)
    now = write(tmp_path / "now.json", model, 2, 0)
    assert cli.main(["gate", before, now]) == code
    assert cli.main(["gate", before, now, "--deterministic"]) == 1
    assert cli.main(["gate", before, before]) == 0
    assert "gate: open" in capsys.readouterr().out


def test_an_error_never_prints_what_a_terminal_obeys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = tmp_path / "hostile.json"
    record = {"schema": 1, "\x1b[31m\x07\u202e": json.dumps("x")}
    hostile.write_text(json.dumps(record))
    assert cli.main(["report", str(hostile), "--format=\x1b[31m"]) == 4
    err = capsys.readouterr().err
    assert err.startswith("vsb: error: ")
    assert not any(char in err for char in "\x1b\x07\u202e")
