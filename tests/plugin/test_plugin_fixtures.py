"""The fixtures ``vsb_task``, ``vsb_prover`` and ``vsb_checker`` in users' own tests."""

from __future__ import annotations

import pytest
from mini_project import MiniProject

TEST = """
import pytest

{mark}
def test_regression(vsb_task, vsb_prover, vsb_checker):
    verdict = vsb_checker(vsb_task, vsb_prover(vsb_task))
    assert verdict.accepted, verdict.reason
"""

TASKS_ONLY = """
import pytest

{mark}
def test_name(vsb_task):
    assert vsb_task.name.startswith("Mini.")
"""


def passed(text: str, test: str = "test_name") -> list[str]:
    return sorted(
        line.split("[")[1].split("]")[0]
        for line in text.splitlines()
        if f"::{test}[" in line and "PASSED" in line
    )


@pytest.mark.lean
def test_prover_and_checker(near: MiniProject) -> None:
    near.tasks("mirror_leaf", "isLeaf_leaf", file="tasks/mine.vsb.jsonl")
    for path in ("Mini.lean", "lakefile.toml"):
        near.write(f"tasks/{path}", (near.path / path).read_text("utf-8"))
    near.write(
        "tests/test_mine.py", TEST.format(mark='@pytest.mark.vsb_tasks("../tasks/mine.vsb.jsonl")')
    )
    near.prover(
        """
        def answer(request):
            return right(request) if request.task.id == "mirror_leaf" else proof(":= sorry")
        """
    )
    ended = near.run("tests", "-v", "--strict-markers")
    assert passed(ended.text, "test_regression") == ["mirror_leaf"]
    assert ended.counts() == {"passed": 1, "failed": 1}
    assert "the proof rests on `sorry`" in ended.text


@pytest.mark.lean
def test_checker_alone(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    near.write(
        "test_mine.py",
        """
import pytest
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.provers.base import Candidate

pytestmark = pytest.mark.vsb_tasks("mini.vsb.jsonl")

def test_kinds(vsb_task, vsb_checker):
    for proof, kind in [
        (":= rfl", VerdictKind.ACCEPTED),
        (Candidate(":= one", "theorem one : Tree.leaf.mirror = Tree.leaf := rfl"),
         VerdictKind.ACCEPTED),
        (":= by exact 1", VerdictKind.REJECTED),
        (":= sorry", VerdictKind.INCOMPLETE),
        (None, VerdictKind.MALFORMED),
    ]:
        assert vsb_checker(vsb_task, proof).kind is kind, proof
""",
    )
    ended = near.run("test_mine.py", model=None)
    assert ended.code == pytest.ExitCode.OK, ended.text


@pytest.fixture
def plain(quick: MiniProject) -> MiniProject:
    """A project with four tasks and a test of them that needs no Lean."""
    quick.tasks("mirror_leaf", "mirror_mirror", "mirror_injective", "isLeaf_leaf")
    return quick


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ('category="Leaf laws"', ["isLeaf_leaf", "mirror_leaf"]),
        ('category=["Mirror laws"], ids="2"', ["mirror_mirror"]),
        ('subset="easy", ids=("1", "isLeaf_leaf")', ["isLeaf_leaf", "mirror_leaf"]),
        ("ids=1", ["mirror_leaf"]),
        ("ids=[1, 2]", ["mirror_leaf", "mirror_mirror"]),
        ('repository="mini", ids="3:4"', ["isLeaf_leaf", "mirror_injective"]),
    ],
)
def test_filters_of_the_mark(plain: MiniProject, filters: str, expected: list[str]) -> None:
    mark = f'@pytest.mark.vsb_tasks("mini.vsb.jsonl", {filters})'
    plain.write("test_mine.py", TASKS_ONLY.format(mark=mark))
    assert passed(plain.run("-v", "test_mine.py", model=None).text) == expected


def test_ini_option_and_selection(plain: MiniProject) -> None:
    plain.write("pytest.ini", "[pytest]\nvsb_tasks = mini.vsb.jsonl\n")
    plain.write("test_mine.py", TASKS_ONLY.format(mark=""))
    assert len(passed(plain.run("-v", "test_mine.py", model=None).text)) == 4
    text = plain.run("-v", "test_mine.py", "--vsb-category=Mirror laws", model=None).text
    assert passed(text) == ["mirror_injective", "mirror_mirror"]


def test_without_a_model_the_reason_is_told(plain: MiniProject) -> None:
    plain.write("test_mine.py", TEST.format(mark='@pytest.mark.vsb_tasks("mini.vsb.jsonl")'))
    ended = plain.run("-rs", "test_mine.py", model=None)
    assert ended.code == pytest.ExitCode.OK
    assert ended.counts() == {"skipped": 4}
    assert "no prover is chosen: give --vsb-model=NAME" in ended.text


def test_without_tasks_the_test_is_skipped(plain: MiniProject) -> None:
    plain.write("test_mine.py", TASKS_ONLY.format(mark=""))
    assert plain.run("test_mine.py", model=None).counts() == {"skipped": 1}


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        ('"mini.vsb.jsonl", categry="x"', ["'categry' is no filter", "category", "Did you mean"]),
        ('"mini.vsb.jsonl", category="x"', ["'x'", "Leaf laws"]),
        ('"lost.vsb.jsonl"', ["lost.vsb.jsonl"]),
        ('"mini.vsb.jsonl", ids=7', ["no task has the number 7"]),
        ('"mini.vsb.jsonl", subset=3.5', ["subset=3.5"]),
    ],
)
def test_marks_that_cannot_be_used(plain: MiniProject, mark: str, words: list[str]) -> None:
    plain.write("test_mine.py", TASKS_ONLY.format(mark=f"@pytest.mark.vsb_tasks({mark})"))
    ended = plain.run("test_mine.py", model=None)
    message = ended.text + ended.errors
    assert ended.code in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERRUPTED)
    for word in words:
        assert word in message
    assert "INTERNALERROR" not in message
    assert "Traceback" not in message
    assert "_hookexec" not in message


def test_broken_task_file(plain: MiniProject) -> None:
    plain.tasks("mirror_leaf", "{", file="bad.vsb.jsonl")
    plain.write("test_mine.py", TASKS_ONLY.format(mark='@pytest.mark.vsb_tasks("bad.vsb.jsonl")'))
    ended = plain.run("test_mine.py", model=None)
    assert ended.code in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERRUPTED)
    assert "bad.vsb.jsonl:2" in ended.text + ended.errors


@pytest.mark.lean
def test_bad_option_values(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    near.write("test_mine.py", TEST.format(mark='@pytest.mark.vsb_tasks("mini.vsb.jsonl")'))
    ended = near.run("test_mine.py", model="refrence")
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "Did you mean 'reference'" in ended.errors
