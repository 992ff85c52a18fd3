"""What can be told without a Lean: candidates, rejections, and the demo's own task files."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prepare_repository import FILES, REASONS, TREE, write
from syrupy.assertion import SnapshotAssertion

from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.lean import toolchain
from pytest_vsb.lean.project import open_project
from pytest_vsb.prepare.candidates import Found, find_candidates
from pytest_vsb.prepare.config import PrepareConfig, read_config
from pytest_vsb.prepare.datasheet import Origin, as_json, as_markdown, datasheet
from pytest_vsb.prepare.outcomes import Outcome
from pytest_vsb.prepare.output import rejected_lines, task_lines
from pytest_vsb.prepare.pool import JudgeOf
from pytest_vsb.prepare.preparation import Prepared, built, prepare
from pytest_vsb.prepare.reasons import JUDGED, STATIC
from pytest_vsb.repository import open_index
from pytest_vsb.repository.dependencies import Resolver
from pytest_vsb.repository.store import Store
from pytest_vsb.tasks import native
from pytest_vsb.tasks.dataset import read_tasks
from pytest_vsb.tasks.model import Dependency, Task, TaskMetrics
from pytest_vsb.tasks.model import Origin as TaskOrigin

DEMO = Path(__file__).parents[2] / "benchmark" / "demo"
CONFIG = PrepareConfig(suite="small", repository="small", exclude=("*.left_out",))
LAKE = {"lakefile.toml": 'name = "r"\n[[lean_lib]]\nname = "A"\n'}
PASSED = Outcome(assurance=("compile",))


def candidates(root: Path, config: PrepareConfig = CONFIG) -> Found:
    index = open_index(root, store=Store(None))
    return find_candidates(index, Resolver(index), config, ".")


def prepared(root: Path, config: PrepareConfig, judge: JudgeOf) -> Prepared:
    index = open_index(root, store=Store(None))
    return prepare(index, Resolver(index), config, ".", lambda: judge)


def reasons(found: Found) -> dict[str, str]:
    return {rejection.name: rejection.reason for rejection in found.rejected}


def test_the_filters_that_need_no_lean(tmp_path: Path) -> None:
    found = candidates(write(tmp_path))
    wanted = {name: reason for name, reason in REASONS.items() if reason in STATIC}
    assert reasons(found) == wanted
    assert {candidate.task.name for candidate in found.candidates} == REASONS.keys() - wanted
    assert sum(found.theorems.values()) == len(REASONS) + 1  # one of them is there twice
    assert found.notes == ()
    words = {rejection.name: rejection.words for rejection in found.rejected}
    assert words["Small.open_end"] == "has `sorry`"
    assert words["Small.on_it"] == "rests on Small.open_end of Small.Trust, which has a hole"
    assert words["Small.twice"] == "2 declarations of its module have this name"
    assert words["Small.left_out"] == "excluded by '*.left_out'"


def test_a_candidate_s_task(tmp_path: Path) -> None:
    root = write(tmp_path, {"lakefile.toml": FILES["lakefile.toml"], "Small/Tree.lean": TREE})
    found = candidates(root)
    task = next(c.task for c in found.candidates if c.task.name == "Small.«left leaf»")
    assert task == Task(
        id="Tree.left_leaf",
        suite="small",
        repository="small",
        root=".",
        module="Small.Tree",
        path="Small/Tree.lean",
        name="Small.«left leaf»",
        kind="theorem",
        statement="theorem «left leaf» {t u : Tree} (h : t = u) :\n    Tree.leaf.joined t = u",
        reference_proof=":= by\n  subst h\n  -- By computation.\n\n  rfl",
        category="Small",
        metrics=TaskMetrics(
            direct_dependencies=2, transitive_dependencies=2, nesting_depth=3, proof_lines=4
        ),
    )


def test_lengths_and_lists(tmp_path: Path) -> None:
    root = write(tmp_path, {"lakefile.toml": FILES["lakefile.toml"], "Small/Tree.lean": TREE})
    config = PrepareConfig(
        include=("Tree.*", "Small.«left leaf»"),
        exclude=("Tree.mirror_injective",),
        min_proof_lines=2,
        max_proof_lines=3,
        categories=(("Unheard", "U"),),
        definitions=False,
    )
    found = candidates(root, config)
    assert found.candidates == ()
    assert reasons(found) == {
        "Small.mirror_leaf": "too_short",
        "Small.mirror_injective": "excluded",
        "Small.«left leaf»": "too_long",
        "Small.plain": "too_short",
    }
    assert found.notes == ("`categories`: 'Unheard' fits no theorem",)
    only = dataclasses.replace(config, include=("Small.plain",), exclude=(), min_proof_lines=1)
    found = candidates(root, only)
    assert [candidate.task.id for candidate in found.candidates] == ["Tree.plain"]
    assert set(reasons(found).values()) == {"not_included"}
    with pytest.raises(UsageError, match=r"'Small\.plian' fits no theorem") as error:
        candidates(root, PrepareConfig(include=("Small.plian",)))
    assert error.value.hint == "did you mean 'Small.plain'?"


def test_odd_theorems(tmp_path: Path) -> None:
    text = (
        "def two := 2\n\ntheorem no_proof : two = 2\n\ntheorem : two = 2 := rfl\n\n"
        "theorem «a\u202eb» : two = 2 := rfl\n\nlemma fine : two = 2 :=\n  rfl\n"
    )
    found = candidates(write(tmp_path, {"Odd.lean": text}))
    assert [candidate.task.name for candidate in found.candidates] == ["fine"]
    assert reasons(found) == {"no_proof": "unproved", "": "unnamed", "«a\u202eb»": "unusable"}


def test_crlf_and_byte_order_mark(tmp_path: Path) -> None:
    text = "def two := 2\ntheorem fine :\n    two = 2 := by\n  rfl\n".replace("\n", "\r\n")
    found = candidates(write(tmp_path, {"Odd.lean": f"\ufeff{text}"}))
    (candidate,) = found.candidates
    assert candidate.line == 2
    assert candidate.task.statement == "theorem fine :\r\n    two = 2"
    assert candidate.task.reference_proof == ":= by\r\n  rfl"


def test_a_file_that_changes_underneath(tmp_path: Path) -> None:
    root = write(tmp_path, {"A.lean": "def a := 1\ntheorem b : a = 1 := rfl\n"})
    index = open_index(root, store=Store(None))
    index.entries("A")
    (root / "A.lean").write_text("def a := 2\n")
    with pytest.raises(EnvironmentUnavailable, match="has changed while it was in use"):
        find_candidates(index, Resolver(index), CONFIG, ".")


# From candidates to tasks


def judge_of(verdicts: dict[str, str]) -> JudgeOf:
    """A judge that knows what becomes of each theorem."""

    def judge(task: Task) -> Outcome:
        reason = verdicts.get(task.name, "")
        return Outcome(reason, "as the test says") if reason else PASSED

    return judge


def test_what_a_preparation_gives(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    verdicts = {name: reason for name, reason in REASONS.items() if reason in JUDGED}
    config = dataclasses.replace(CONFIG, subsets=(("mirrors", ("*mirror*",)),))
    found = prepared(write(tmp_path), config, judge_of(verdicts))
    assert {rejection.name: rejection.reason for rejection in found.rejected} == {
        name: reason for name, reason in REASONS.items() if reason
    }
    assert [task.name for task in found.tasks] == ["Small.mirror_injective"]
    (task,) = found.tasks
    assert task.subsets[1:] == ("mirrors",)
    assert [(used.name, used.text) for used in task.dependencies if used.scope == "file"] == [
        ("Small.Tree", ""),
        ("Small.Tree.mirror", ""),
    ]
    sheet = datasheet(found, config, Origin("c" * 40, 2, "4.35.0", 4))
    assert as_markdown(sheet, Path("x/small.vsb.jsonl")) == snapshot(name="datasheet.md")
    assert as_json(sheet) == snapshot(name="datasheet.json")
    assert rejected_lines(found.rejected).decode() == snapshot(name="rejected")


def test_those_that_are_not_drawn(tmp_path: Path) -> None:
    asked: list[str] = []

    def judge(task: Task) -> Outcome:
        asked.append(task.name)
        return PASSED

    found = prepared(write(tmp_path), dataclasses.replace(CONFIG, count=2), judge)
    assert len(found.tasks) == len(asked) == 2
    drawn = {task.name for task in found.tasks}
    assert drawn == set(asked)
    not_drawn = {r.name for r in found.rejected if r.reason == "not_drawn"}
    assert not_drawn.isdisjoint(drawn)
    assert len(found.rejected) + len(found.tasks) == sum(found.found.theorems.values())


def test_nothing_can_be_judged(tmp_path: Path) -> None:
    def judge(task: Task) -> Outcome:
        return Outcome("cannot_be_judged", "there is no Lean")

    with pytest.raises(EnvironmentUnavailable, match=r"none of 8 candidates .*: there is no Lean"):
        prepared(write(tmp_path), CONFIG, judge)


@pytest.mark.lean
def test_what_lean_wrote_of_the_modules(tmp_path: Path) -> None:
    try:
        lean = toolchain.find("embedded")
    except EnvironmentUnavailable as error:
        pytest.skip(error.message)
    root = write(tmp_path / "r", {"A.lean": "def a := 1\n", "B.lean": "import Far\n", **LAKE})
    project = open_project(root, lean, cache=tmp_path / "cache")
    assert built(project, ["A", "B"], dataclasses.replace(CONFIG, dependencies="text")) is None
    compiled = built(project, ["A", "B"], CONFIG)
    assert compiled is not None
    assert compiled.get("A") is not None
    assert compiled.get("B") is None, "it does not compile"
    lake = root / ".lake" / "build" / "lib" / "lean"
    lake.mkdir(parents=True)
    by_lake = built(open_project(root, lean, cache=tmp_path / "cache"), ["A", "B"], CONFIG)
    assert by_lake is not None
    assert by_lake.directories == (lake,)


# Task lines

PRINTED = st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"])
TEXT = st.text(PRINTED, min_size=1, max_size=8)
LABEL = TEXT.map(lambda text: f"x{text}x").filter(
    lambda text: "::" not in text and text.isprintable()
)


@given(
    st.builds(
        Task,
        id=LABEL,
        module=st.just("A.B"),
        path=st.just("A/B.lean"),
        name=LABEL,
        statement=TEXT.map(lambda text: f"theorem x (h : {text!r} = y)"),
        suite=LABEL | st.just(""),
        repository=st.sampled_from(["", "a/b"]),
        root=st.sampled_from(["", ".", "../c"]),
        number=st.none() | st.integers(0, 9),
        reference_proof=st.none() | TEXT.map(lambda text: f":= {text}"),
        category=LABEL | st.just(""),
        subsets=st.lists(LABEL, unique=True, max_size=2).map(tuple),
        dependencies=st.lists(
            st.builds(
                Dependency,
                name=TEXT,
                module=TEXT | st.just(""),
                scope=st.sampled_from(["library", "project", "file"]),
                role=st.sampled_from(["definition", "lemma"]),
                text=TEXT | st.just(""),
            ),
            max_size=2,
        ).map(tuple),
        metrics=st.builds(TaskMetrics, st.none() | st.integers(0, 9), proof_lines=st.just(3)),
        known_bad=LABEL | st.just(""),
        extra=st.dictionaries(st.sampled_from(["source", "note"]), st.integers()),
        origin=st.just(TaskOrigin(Path("t.vsb.jsonl"), 1)),
    )
)
def test_a_line_gives_its_task_again(task: Task) -> None:
    assert task.origin is not None
    line = native.encode(task)
    assert "\n" not in line
    assert native.task_of(msgspec.json.decode(line), task.origin) == task


# The demo


@pytest.mark.parametrize("name", ["demo", "extended"])
def test_the_demo_s_tasks_are_those_that_are_prepared(name: str) -> None:
    """All but what only a built repository tells: which names of libraries are used."""
    config = dataclasses.replace(
        read_config(DEMO / f"{name}.prepare.toml"), dependencies="text", count=None
    )
    found = prepared(DEMO, config, lambda task: PASSED)
    wanted = [json.loads(line) for line in (DEMO / f"{name}.vsb.jsonl").open(encoding="utf-8")]
    made = [json.loads(line) for line in task_lines(found.tasks).splitlines()]
    differing = 0
    for one, other in zip(made, wanted, strict=True):
        for key in wanted[0].keys() - {"dependencies", "metrics", "subsets"}:
            assert one[key] == other[key], (one["id"], key)
        differing += own(one) != own(other)
    assert differing <= 1  # reading a text is not always exact
    assert read_tasks(DEMO / f"{name}.vsb.jsonl").problems == ()


def own(record: dict[str, object]) -> set[object]:
    """The dependencies of a line that the repository declares."""
    dependencies = record["dependencies"]
    assert isinstance(dependencies, list)
    return {(d["name"], d["module"], d["role"]) for d in dependencies if d["scope"] != "library"}
