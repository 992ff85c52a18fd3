"""``vsb dataset stats`` and ``vsb dataset recall`` on small task files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_vsb import cli

BASE = """\
def double (n : Nat) : Nat := n + n

def quadruple (n : Nat) : Nat := double (double n)

theorem double_zero : double 0 = 0 := rfl
"""
TARGET = """\
import Base

theorem local_fact : quadruple 0 = double 0 := rfl

theorem quadruple_zero : quadruple 0 = 0 := by
  rw [local_fact, double_zero]

theorem alone : 1 = 1 := Nat.le_antisymm (Nat.le_refl 1) (Nat.le_refl 1)
"""


def line(name: str, statement: str, **more: object) -> str:
    record = {
        "id": name,
        "module": "Target",
        "path": "Target.lean",
        "root": ".",
        "repository": "small",
        "name": name,
        "statement": statement,
        **more,
    }
    return json.dumps(record) + "\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "Base.lean").write_text(BASE)
    (tmp_path / "Target.lean").write_text(TARGET)
    (tmp_path / "t.vsb.jsonl").write_text(
        line("quadruple_zero", "theorem quadruple_zero : quadruple 0 = 0")
        + line("alone", "theorem alone : 1 = 1")
    )
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def numbers(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:  # type: ignore[type-arg]
    assert cli.main(["dataset", *arguments, "--json"]) == 0
    found: dict = json.loads(capsys.readouterr().out)  # type: ignore[type-arg]
    return found


def test_what_the_repository_says(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = numbers(capsys, "stats", "t.vsb.jsonl")
    first, second = found["tasks"]
    # quadruple and double_zero, local_fact; double through them.
    assert (first["proj_direct"], first["proj_transitive"], first["depth"]) == (3, 4, 4)
    assert (second["proj_direct"], second["proj_transitive"], second["depth"]) == (0, 0, 1)
    assert second["lib_direct"] == 2
    assert found["repositories"][0]["declarations"] == 6
    assert found["table2"][0]["scale"] == "regular"
    assert found["table2"][0]["tasks"] == 2
    assert found["table4"]["proj_direct"] == 1.5
    assert [row["repository"] for row in found["table5"]] == ["small"]
    assert found["figure6"]["proj_direct"] == [[0, 0.5], [3, 1.0]]
    assert found["notes"] == []


def test_what_the_task_file_says_counts(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = [
        {"name": "double", "module": "Base", "scope": "project", "role": "definition"},
        {"name": "Nat.add", "module": "Init", "scope": "library", "role": "definition"},
    ]
    metrics = {"transitive_dependencies": 40, "nesting_depth": 9}
    (project / "t.vsb.jsonl").write_text(
        line("alone", "theorem alone : 1 = 1", dependencies=listed, metrics=metrics)
    )
    [task] = numbers(capsys, "stats", "t.vsb.jsonl")["tasks"]
    assert (task["proj_transitive"], task["depth"]) == (40, 9)
    assert (task["proj_direct"], task["lib_direct"]) == (0, 2)
    (project / "Target.lean").unlink()
    [task] = numbers(capsys, "stats", "t.vsb.jsonl")["tasks"]
    assert (task["proj_direct"], task["lib_direct"]) == (1, 1)


def test_without_the_repository(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "Target.lean").unlink()
    found = numbers(capsys, "stats", "t.vsb.jsonl")
    assert all(task["proj_direct"] is None for task in found["tasks"])
    assert len(found["notes"]) == 2
    assert cli.main(["dataset", "stats", "t.vsb.jsonl"]) == 0
    out, err = capsys.readouterr()
    assert "Dependencies (Table 4" in out
    assert err.count("note: ") == 2


def test_a_directory_of_repositories_that_is_not_there(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["dataset", "stats", "t.vsb.jsonl", "--repos=gone"]) == 4
    assert "--repos=gone: no such directory" in capsys.readouterr().err


def test_recall(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = numbers(capsys, "recall", "t.vsb.jsonl", "--sizes", "1,3,50")
    [task] = found["tasks"]  # the other task uses nothing of the project
    assert (task["task"], task["premises"], task["ceiling"]) == ("quadruple_zero", 3, 1)
    assert task["found"]["1"] == pytest.approx(1 / 3)
    assert task["found"]["50"] == 1
    assert task["found"]["1"] <= task["found"]["3"] <= task["found"]["50"]
    assert cli.main(["dataset", "recall", "t.vsb.jsonl"]) == 0
    assert "recall@100" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["recall", "t.vsb.jsonl", "--sizes", "10;20"], "--sizes: '10;20' are no numbers"),
        (["recall", "t.vsb.jsonl", "--sizes", "0"], "--sizes: '0' are no numbers"),
        (["stats", "empty.vsb.jsonl"], "the task file is empty"),
        (["stats", "broken.vsb.jsonl"], "none of its lines can be read"),
        (["stats", "gone.vsb.jsonl"], "gone.vsb.jsonl"),
    ],
)
def test_errors(
    project: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "empty.vsb.jsonl").write_text("")
    (project / "broken.vsb.jsonl").write_text("{}\n")
    assert cli.main(["dataset", *arguments]) == 4
    assert message in capsys.readouterr().err
