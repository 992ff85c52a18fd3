"""Prompts and their templates."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from answer_samples import PREFIX, STATEMENT, TASK, format_answer
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from pytest_vsb.context import Prompt, PromptBuilder, RepairProblem, RepairRound, Turn
from pytest_vsb.context.render import STYLES, TEMPLATES, bounded, fence
from pytest_vsb.errors import UsageError
from pytest_vsb.tasks.model import Dependency

DEPENDENCIES = (
    Dependency("Nat", "Init", "library", "definition"),
    Dependency(
        "Nat.add_comm",
        "Init",
        "library",
        "lemma",
        "theorem add_comm (n m) : n + m = m + n := SECRET",
    ),
    Dependency(
        "Shape", "Lib.Shape", "project", "definition", "structure Shape where\n  sides : Nat"
    ),
    Dependency("Shape.mk3", "Lib.Shape", "project", "definition", "def mk3 : Shape := ⟨by SECRET⟩"),
    Dependency(
        "Shape.ext", "Lib.Shape", "project", "lemma", "@[ext] theorem ext : a = b := by\n  SECRET"
    ),
    Dependency("Shape.bad", "", "project", "lemma"),
    Dependency("cut", "", "project", "lemma", "(h : a = b) : c := by SECRET"),
    Dependency("Box.twice", "Box", "file", "definition", "def twice (n : Nat) : Nat := n + n"),
    Dependency("Box.later", "Box", "file", "lemma", "theorem later : p :=\n  SECRET"),
)
RICH = dataclasses.replace(
    TASK, repository="boxes", dependencies=DEPENDENCIES, reference_proof=":= by SECRET"
)
PROBLEM = RepairProblem("unsolved goals\n⊢ a = b", "   12 | theorem t", "⊢ a = b", "proof")
HISTORY = (
    RepairRound(format_answer("by simp"), "rejected", "Lean reports 1 error", (PROBLEM,)),
    RepairRound("I give up.", "malformed", "there is no <proof> section"),
)
SECRET_PREFIX = PREFIX.replace("by rfl", "by SECRET")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("known", ["rich", "bare"])
def test_what_a_prompt_looks_like(style: str, known: str, snapshot: SnapshotAssertion) -> None:
    task, prefix = (RICH, SECRET_PREFIX) if known == "rich" else (TASK, "")
    prompt = PromptBuilder(style=style).build(task, prefix, HISTORY)
    turns = "\n".join(f"==== {turn.role}\n{turn.text}" for turn in prompt.turns)
    parts = {"system": prompt.system, "context": prompt.context, "task": prompt.task}
    text = "\n".join([*(f"==== {name}\n{part}" for name, part in parts.items()), turns])
    assert "\n\n\n" not in text
    assert text == snapshot


@pytest.mark.parametrize("style", STYLES)
def test_no_proof_is_shown(style: str) -> None:
    prompt = PromptBuilder(style=style).build(RICH, SECRET_PREFIX, HISTORY)
    parts = (prompt.system, prompt.context, prompt.task, *(t.text for t in prompt.turns))
    assert not any("SECRET" in part for part in parts)
    assert "twice_zero : twice 0 = 0 := …" in prompt.context
    assert STATEMENT in prompt.task


@pytest.mark.parametrize("style", STYLES)
def test_what_stays_the_same(style: str) -> None:
    builder = PromptBuilder(style=style)
    first, repair = builder.build(RICH, PREFIX), builder.build(RICH, PREFIX, HISTORY)
    other = builder.build(dataclasses.replace(RICH, name="Box.other"), "def x := 1", ())
    assert (first.system, first.context, first.task) == (repair.system, repair.context, repair.task)
    assert first.system == other.system
    assert first.context != other.context
    assert first.turns == ()
    assert [turn.role for turn in repair.turns] == ["assistant", "user", "assistant", "user"]
    assert repair.turns[0].text == HISTORY[0].answer
    assert builder.build(RICH, PREFIX, HISTORY) == repair


def test_the_digest_tells_prompts_apart() -> None:
    prompts = [
        Prompt("a", "b", "c"),
        Prompt("a", "bc", ""),
        Prompt("ab", "", "c"),
        Prompt("a", "b", "c", (Turn("user", "d"),)),
        Prompt("a", "b", "c", (Turn("assistant", "d"),)),
        Prompt("a", "b", "c", (Turn("user", ""), Turn("user", "d"))),
        Prompt("a", "b", "\ud800"),
    ]
    assert len({prompt.digest for prompt in prompts}) == len(prompts)
    assert prompts[0].digest == Prompt("a", "b", "c").digest
    assert len(prompts[0].digest) == 64


@pytest.mark.parametrize(
    "kind",
    ["rejected", "incomplete", "forbidden", "unsound", "timeout", "out_of_memory", "crashed"],
)
@pytest.mark.parametrize("style", STYLES)
def test_every_verdict_has_its_feedback(kind: str, style: str) -> None:
    prompt = PromptBuilder(style=style).build(TASK, "", [RepairRound("x", kind, "WHY")])
    assert "WHY" in prompt.turns[1].text
    bare = PromptBuilder(style=style).build(TASK, "", [RepairRound("", kind)])
    assert bare.turns[0].text == "(no answer)"
    assert bare.turns[1].text


def test_feedback_is_bounded() -> None:
    problem = RepairProblem("m" * 1_000_000, "e" * 1_000_000, "g" * 1_000_000, "proof")
    past = RepairRound("a" * 1_000_000, "rejected", "r" * 1_000_000, (problem,) * 50)
    prompt = PromptBuilder().build(TASK, "", [past])
    assert len(prompt.turns[0].text) < 101_000
    assert len(prompt.turns[1].text) < 100_000
    assert "42 more errors are not shown" in prompt.turns[1].text


@given(st.text(max_size=300), st.integers(0, 200))
def test_bounded_keeps_both_ends(text: str, limit: int) -> None:
    short = bounded(text, limit)
    if len(text) <= limit:
        assert short == text
    else:
        assert len(short) <= limit + 50
        assert text.startswith(short.partition("\n[...")[0]) or "\n[..." in text


@given(st.text(st.sampled_from("`a \n"), max_size=60))
@settings(max_examples=100)
def test_a_fence_is_longer_than_those_within(text: str) -> None:
    first, *inside, last = fence(text).split("\n")
    marks = first.removesuffix("lean")
    assert last == marks
    assert not any(line.strip().startswith(marks) for line in inside)


# Templates of a user's.


def test_own_templates_replace_ours(tmp_path: Path) -> None:
    (tmp_path / "task.j2").write_text("Prove {{ task.name }} of {{ statement }}\n", "utf-8")
    prompt = PromptBuilder(tmp_path).build(TASK, PREFIX)
    assert prompt.task == f"Prove Box.target of {STATEMENT}"
    assert prompt.system == PromptBuilder().build(TASK, PREFIX).system


def test_a_template_may_include_another(tmp_path: Path) -> None:
    (tmp_path / "context.j2").write_text("{% include 'system' %}|{{ local_context }}", "utf-8")
    (tmp_path / "system.j2").write_text("\ufeffBe brief.", "utf-8")
    prompt = PromptBuilder(tmp_path).build(TASK, "def a := 1")
    assert prompt.context == "Be brief.|def a := 1"


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a\n{% if x %}\n", 2, "end of template"),
        ("a\n\n{{ x", 3, ""),
        ("a\n{{ task | nosuch }}", 2, "nosuch"),
        ("{% include 'other' %}", None, "other"),
    ],
)
def test_a_broken_template_names_its_line(
    tmp_path: Path, text: str, line: int | None, what: str
) -> None:
    (tmp_path / "task.j2").write_text(text, "utf-8")
    with pytest.raises(UsageError) as caught:
        PromptBuilder(tmp_path).build(TASK, "")
    assert what in str(caught.value).lower()
    assert "task.j2" in str(caught.value.where)
    if line is not None:
        assert str(caught.value.where).endswith(f"task.j2:{line}")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a\n{{ nosuch }}", "nosuch"),
        ("a\n{{ task.nosuch }}", "nosuch"),
        ("a\n{{ 1 / 0 }}", "division"),
        ("a\n{{ ''.__class__.__mro__ }}", ""),
        ("a\n{{ task.__init__.__globals__ }}", ""),
    ],
)
def test_a_failing_template_names_its_line(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "task.j2").write_text(text, "utf-8")
    builder = PromptBuilder(tmp_path)
    with pytest.raises(UsageError) as caught:
        builder.build(TASK, "")
    assert what in str(caught.value)
    assert str(caught.value.where).endswith("task.j2:2")


def test_templates_see_no_reference_proof(tmp_path: Path) -> None:
    (tmp_path / "task.j2").write_text("{{ task.reference_proof }}{{ task.extra }}", "utf-8")
    prompt = PromptBuilder(tmp_path).build(dataclasses.replace(RICH, extra={"a": "SECRET"}), "")
    assert prompt.task == "None{}"


def test_a_template_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "system.j2").write_bytes(b"a\n\xff")
    with pytest.raises(UsageError) as caught:
        PromptBuilder(tmp_path)
    assert str(caught.value.where).endswith("system.j2:2")


def test_directories_and_styles_that_do_not_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such directory"):
        PromptBuilder(tmp_path / "nosuch")
    with pytest.raises(UsageError, match="holds no prompt template"):
        PromptBuilder(tmp_path)
    with pytest.raises(UsageError, match="no prompt style 'odd'"):
        PromptBuilder(style="odd")
    (tmp_path / "task.j2").mkdir()
    with pytest.raises(UsageError, match="cannot read"):
        PromptBuilder(tmp_path)


def test_all_templates_are_there() -> None:
    for style in STYLES:
        found = PromptBuilder(style=style)._renderer
        assert all(found._files[name].is_file() for name in TEMPLATES)
