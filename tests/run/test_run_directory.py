"""The run directory."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_records import NODEIDS, facts

from pytest_vsb.errors import UsageError
from pytest_vsb.run.directory import RunDirectory, default_path


def test_create_and_resume(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "deep" / "run", {"seed": 1, "of": ("a",)}, {"lean": "L"})
    record = run.read()
    assert (record["format"], record["identity"]["seed"], record["lean"]) == (1, 1, "L")
    assert RunDirectory.resume(run.path, {"seed": 1, "of": ("a",)}).path == run.path


def test_create_refuses_another_run(tmp_path: Path) -> None:
    RunDirectory.create(tmp_path, {}, {})
    with pytest.raises(UsageError, match="there is a run in this directory already"):
        RunDirectory.create(tmp_path, {}, {})


def test_resume_says_what_differs(tmp_path: Path) -> None:
    RunDirectory.create(tmp_path, {"seed": 1, "model": "m", "old": 1}, {})
    with pytest.raises(UsageError) as caught:
        RunDirectory.resume(tmp_path, {"seed": 2, "model": "m", "new": None, "added": 3})
    message = str(caught.value)
    assert "seed: 1 then, 2 now" in message
    assert "old: 1 then, None now" in message
    assert "added: None then, 3 now" in message
    assert "model" not in message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "there is no run"),
        ("{", "cannot be read"),
        ("[]", "not a run directory"),
        ('{"format": 99}', "not a run directory of format 1"),
    ],
)
def test_resume_what_is_no_run(tmp_path: Path, text: str | None, words: str) -> None:
    if text is not None:
        (tmp_path / "run.json").write_text(text)
    with pytest.raises(UsageError, match=words) as caught:
        RunDirectory.resume(tmp_path, {})
    assert caught.value.hint


@pytest.mark.parametrize("identity", ["null", "[]", "7"])
def test_resume_a_damaged_record(tmp_path: Path, identity: str) -> None:
    (tmp_path / "run.json").write_text(f'{{"format": 1, "identity": {identity}}}')
    with pytest.raises(UsageError):
        RunDirectory.resume(tmp_path, {})
    (tmp_path / "run.json").write_text('{"format": 1}')
    with pytest.raises(UsageError):
        RunDirectory.resume(tmp_path, {})


def test_tasks_are_kept_in_order_and_added_once(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path, {}, {})
    assert run.tasks() == ()
    run.add_tasks([facts(NODEIDS[1]), facts(NODEIDS[0])])
    run.add_tasks([facts(NODEIDS[0]), facts(NODEIDS[2])])
    assert [task.nodeid for task in run.tasks()] == [NODEIDS[1], NODEIDS[0], NODEIDS[2]]
    assert run.tasks()[1] == facts(NODEIDS[0])


def test_default_path(tmp_path: Path) -> None:
    first = default_path(tmp_path, "gpt/o5 mini:ℝ")
    assert first.parent == tmp_path / "vsb-runs"
    assert first.name.endswith("-gpt-o5-mini")
    assert default_path(tmp_path, "///").name.endswith("-run")
    assert len(default_path(tmp_path, "m" * 500).name) < 70
