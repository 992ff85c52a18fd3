"""The parts that judging rests on: kept outcomes, threads, holes, the files beside the output."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from pytest_vsb.errors import UsageError
from pytest_vsb.prepare.holes import hole
from pytest_vsb.prepare.outcomes import Outcome, open_outcomes
from pytest_vsb.prepare.output import Outputs, outputs
from pytest_vsb.prepare.pool import JudgeOf, Pool
from pytest_vsb.tasks.model import Task

REFUSED = Outcome("stub", "does not compile: «x»")
ACCEPTED = Outcome(assurance=("policy", "compile"))


def test_outcomes_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "o.jsonl"
    with open_outcomes(path) as outcomes:
        assert outcomes.get("a") is None
        outcomes.put("a", REFUSED)
        outcomes.put("b", ACCEPTED)
        outcomes.put("c", Outcome())
    with open_outcomes(path) as outcomes:
        assert [outcomes.get(key) for key in "abcd"] == [REFUSED, ACCEPTED, Outcome(), None]
    assert not REFUSED.passed
    assert ACCEPTED.passed


@pytest.mark.parametrize(
    "torn", [b'{"key":"x","rea', b"\xff\xfe", b"[1]", b"{}", b"\n\n", b"[" * 99999]
)
def test_torn_lines_are_passed_over(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "o.jsonl"
    with open_outcomes(path) as outcomes:
        outcomes.put("a", REFUSED)
    with path.open("ab") as file:
        file.write(torn)
    with open_outcomes(path) as outcomes:
        assert outcomes.get("a") == REFUSED
        outcomes.put("b", ACCEPTED)
    with open_outcomes(path) as outcomes:
        assert [outcomes.get(key) for key in "abx"] == [REFUSED, ACCEPTED, None]


def test_one_process_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "o.jsonl"
    with (
        open_outcomes(path) as outcomes,
        pytest.raises(UsageError, match="in use by another preparation"),
        open_outcomes(path),
    ):
        pass
    outcomes.put("late", REFUSED)  # by a thread that was not waited for
    assert path.read_bytes() == b""
    with open_outcomes(path):
        pass


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"), open_outcomes(tmp_path / "no" / "o"):
        pass


# Threads


def tasks(count: int) -> list[Task]:
    return [
        Task(id=str(n), module="M", path="M.lean", name="n", statement="s") for n in range(count)
    ]


@pytest.mark.parametrize("jobs", [1, 3, 50])
def test_all_are_judged(jobs: int) -> None:
    seen: list[int] = []

    def make() -> JudgeOf:
        alone = threading.Lock()

        def judge(task: Task) -> Outcome:
            assert alone.acquire(blocking=False), "a judge is for one thread at a time"
            seen.append(threading.get_ident())
            time.sleep(0.001 * (int(task.id) % 3))
            alone.release()
            return Outcome(words=task.id)

        return judge

    pool = Pool(make, jobs)
    for count in (0, 1, 7):
        found = {task.id: outcome.words for task, outcome in pool.judge(tasks(count))}
        assert found == {str(n): str(n) for n in range(count)}
        assert len(set(seen)) <= max(1, min(jobs, count))
        seen.clear()


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_judge_raises(jobs: int) -> None:
    def judge(task: Task) -> Outcome:
        if task.id == "2":
            raise OSError("no room")
        return Outcome()

    with pytest.raises(OSError, match="no room"):
        list(Pool(lambda: judge, jobs).judge(tasks(4)))


# Holes


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("theorem a : p := by sorry", "sorry"),
        ("theorem a : p := by\n  admit", "admit"),
        ("theorem a : p := sorryAx _", "sorryAx"),
        ("theorem a (h : sorry) : p := h", "sorry"),
        ("/-- sorry -/ theorem a : p := h -- sorry", None),
        ('theorem a : s = "sorry" := rfl', None),
        ("theorem a : p := by exact sorry_not", None),
        ("theorem a : p := x.admit", None),
        ("theorem «sorry» : p := h", None),
        ("", None),
    ],
)
def test_holes(text: str, word: str | None) -> None:
    assert hole(text) == word


# Files


def test_files_beside_the_output(tmp_path: Path) -> None:
    files = Outputs(tmp_path / "a.b.vsb.jsonl")
    assert [
        path.name for path in (files.sheet, files.sheet_json, files.rejected, files.outcomes)
    ] == ["a.b.datasheet.md", "a.b.datasheet.json", "a.b.rejected.jsonl", "a.b.outcomes.jsonl"]
    assert Outputs(tmp_path / "x.jsonl").sheet.name == "x.datasheet.md"
    assert Outputs(tmp_path / ".jsonl").rejected.name == ".jsonl.rejected.jsonl"


def test_outputs_that_are_refused(tmp_path: Path) -> None:
    there = tmp_path / "a.vsb.jsonl"
    there.write_text("{}\n")
    with pytest.raises(UsageError, match="is there already"):
        outputs(there, force=False)
    assert outputs(there, force=True).tasks == there
    with pytest.raises(UsageError, match="is a directory"):
        outputs(tmp_path, force=True)
    with pytest.raises(UsageError, match=r"does not end in \.jsonl"):
        outputs(tmp_path / "a.txt", force=True)
    with pytest.raises(UsageError, match="its directory is not there"):
        outputs(tmp_path / "no" / "a.jsonl", force=True)
