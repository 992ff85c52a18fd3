"""Tasks that are known to be false or unprovable: in no rate, and listed wherever results are."""

from __future__ import annotations

from pathlib import Path

import pytest
from mini_project import MiniProject, case_properties, task_line

from pytest_vsb.errors import UsageError
from pytest_vsb.tasks.known_bad import NO_REASON, known_bad_text, read_known_bad

FALSE = "false: take the tree of one leaf"


def test_a_list(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("# a list\n\na.b\tfalse  for\tn = 0\n  c d  \r\nx\t\n", encoding="utf-8")
    found = read_known_bad(path)
    assert found == {"a.b": "false for n = 0", "c d": NO_REASON, "x": NO_REASON}
    path.write_text(known_bad_text(found), encoding="utf-8")
    assert read_known_bad(path) == found


def test_a_list_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    with pytest.raises(UsageError, match="cannot be read"):
        read_known_bad(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="UTF-8"):
        read_known_bad(path)


def test_a_list_that_is_not_there_is_an_option_s(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    ended = near.bench("--vsb-known-bad=/no/such/list")
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert (
        "--vsb-known-bad=/no/such/list: cannot be read: No such file" in ended.text + ended.errors
    )


@pytest.fixture
def marked(near: MiniProject) -> MiniProject:
    """Three tasks, one marked in the task file and one in a list."""
    near.tasks("mirror_leaf", task_line("isLeaf_leaf", known_bad=FALSE), "mirror_mirror")
    near.write("bad.txt", "mirror_leaf\tnot provable here\nno_such_task\t\n")
    near.prover(
        "def answer(request):\n    assert not request.task.known_bad\n    return right(request)"
    )
    return near


@pytest.mark.lean
def test_they_are_not_run_and_listed(marked: MiniProject) -> None:
    ended = marked.bench("--vsb-known-bad=bad.txt", "-rs", "--junitxml=junit.xml")
    assert ended.code == pytest.ExitCode.OK, ended.text
    assert ended.counts() == {"passed": 1, "skipped": 2}
    assert marked.asked() == ["mirror_mirror 0 0"]
    results = marked.results()
    total = results["summary"]["total"]
    assert (total["tasks"], total["judged"], total["solved"]) == (3, 1, 1)
    assert total["statuses"] == {"done": 1, "known_bad": 2}
    assert total["pass_at"][0]["value"] == 1
    expected = {"isLeaf_leaf": FALSE, "mirror_leaf": "not provable here"}
    listed = {each["nodeid"].split("::")[1]: each for each in results["summary"]["known_bad"]}
    assert {name: each["reason"] for name, each in listed.items()} == expected
    tasks = marked.by_task()
    cases = case_properties(marked.junit())
    text = " ".join(ended.text.split())
    for name, reason in expected.items():
        assert (tasks[name]["status"], tasks[name]["reason"]) == ("known_bad", reason)
        assert (cases[name]["vsb.status"], cases[name]["vsb.reason"]) == ("known_bad", reason)
        assert f"known to be bad: {reason}" in text
        assert f"known bad: mini.vsb.jsonl::{name}: {reason}" in text


@pytest.mark.lean
def test_they_can_be_run_and_are_in_no_rate_all_the_same(marked: MiniProject) -> None:
    ended = marked.bench("--vsb-known-bad=bad.txt", "--vsb-run-known-bad")
    assert ended.counts() == {"passed": 1, "skipped": 2}
    total = marked.results()["summary"]["total"]
    assert (total["judged"], total["solved"], total["attempts"]) == (1, 1, 3)
    assert all(each["solved"] for each in marked.results()["summary"]["known_bad"])
    assert "(and yet a proof was accepted)" in " ".join(ended.text.split())
    # Without the marks they count, and nothing is asked for twice.
    marked.tasks("mirror_leaf", "isLeaf_leaf", "mirror_mirror")
    assert marked.bench("--vsb-resume").counts() == {"passed": 3}
    assert marked.results()["summary"]["total"]["solved"] == 3
    assert len(marked.asked()) == 3


def test_a_missing_list_is_a_usage_error(marked: MiniProject) -> None:
    ended = marked.bench("--vsb-known-bad=none.txt")
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "none.txt" in ended.errors
