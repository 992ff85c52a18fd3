"""What is shown of a repository, by kind of context."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path

import pytest

from pytest_vsb.context import PromptBuilder
from pytest_vsb.context.assemble import Assembler
from pytest_vsb.context.kinds import parse_context
from pytest_vsb.context.records import ContextTooLong, TaskContext
from pytest_vsb.context.tokens import token_counter
from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.repository.index import open_index
from pytest_vsb.source.leak import LeakError
from pytest_vsb.tasks.model import Dependency, Task

FILES = {
    "Base.lean": """\
namespace Base

def size (n : Nat) : Nat := n + 1

def double (n : Nat) : Nat := size n + size n

theorem size_pos (n : Nat) : 0 < size n := by
  exact SECRET_SIZE n

theorem unrelated (p : Prop) : p → p := fun SECRET_ID => SECRET_ID

end Base
""",
    "Middle.lean": """\
import Base

variable (k : Nat)

theorem middle_fact : Base.double k = Base.double k := SECRET_MIDDLE
""",
    "Target.lean": """\
import Middle

open Base

theorem before_target (n : Nat) : size n = n + 1 := SECRET_BEFORE

theorem target (n : Nat) : 0 < double n := by
  have := size_pos n
  SECRET_TARGET

theorem after_target : 0 < double 0 := SECRET_AFTER
""",
    "Later.lean": "import Target\n\ntheorem later_fact : 0 < Base.double 1 := target 1\n",
    "Aside.lean": "theorem aside_fact : True := SECRET_ASIDE\n",
}
TASK = Task(
    id="target",
    module="Target",
    path="Target.lean",
    name="target",
    statement="theorem target (n : Nat) : 0 < double n",
    reference_proof=":= by\n  have := size_pos n\n  SECRET_TARGET",
)
PREFIX = FILES["Target.lean"].partition("theorem target")[0]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "repository"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text)
    return root


@functools.cache
def builder() -> PromptBuilder:
    """One for all: it compiles its templates."""
    return PromptBuilder()


def assembled(
    root: Path, kind: str, task: Task = TASK, budget: int | None = None
) -> tuple[TaskContext, str]:
    """The context of a task, and the part of its prompt that shows it."""
    what, counter = parse_context(kind), token_counter()
    assembler = Assembler(open_index(root), what, counter, budget=budget, builder=builder())
    context = assembler.of(task, PREFIX)
    prompt = builder().build(task, PREFIX, context=context)
    assert "SECRET" not in prompt.context
    assert "after_target" not in prompt.context
    assert "later_fact" not in prompt.context
    return context, prompt.context


def parts(context: TaskContext) -> dict[str, int]:
    assert context.parts[-1].name == "headings"
    return {part.name: part.declarations for part in context.parts[:-1]}


def test_curated_shows_what_the_proof_uses_and_what_that_needs(root: Path) -> None:
    context, text = assembled(root, "curated")
    assert parts(context)["project"] == 3
    assert "theorem size_pos (n : Nat) : 0 < size n" in text
    assert "def double" in text
    assert "def size" in text  # only `double` and `size_pos` mention it
    assert "before_target" in text
    assert not {"unrelated", "middle_fact", "aside_fact"} & set(text.split())
    assert not context.omitted


def test_what_the_task_file_lists_is_curated(root: Path) -> None:
    listed = (
        Dependency("Nat.lt_irrefl", "Init", "library", "lemma"),
        Dependency("Base.unrelated", "Base", "project", "lemma"),
        Dependency("Base.double", "Wrong.Module", "project", "definition"),
        Dependency("no.such.name", "", "project", "lemma"),
    )
    context, text = assembled(root, "curated", dataclasses.replace(TASK, dependencies=listed))
    assert "theorem unrelated (p : Prop) : p → p" in text
    assert "def double" in text
    assert "def size" in text
    assert "size_pos" not in text
    assert {"Nat.lt_irrefl", "no.such.name"} <= {
        item.name for item in (*context.around.library, *context.around.project)
    }


def test_full_shows_all_that_does_not_come_later(root: Path) -> None:
    context, text = assembled(root, "full")
    assert parts(context) == {"repository": 6, "file before the target": 1}
    order = ["aside_fact", "def size", "unrelated", "middle_fact", "before_target"]
    assert sorted(order, key=text.index) in (order, [*order[1:4], order[0], order[4]])
    assert "## Module Aside (not imported by the target's file)" in text
    assert "## Module Middle\n" in text
    assert "namespace Base" in text


def test_full_refuses_what_is_too_long(root: Path) -> None:
    context, _ = assembled(root, "full")
    assert assembled(root, "full", budget=context.tokens)[0].tokens == context.tokens
    with pytest.raises(ContextTooLong, match=r"full context has about .* tokens") as error:
        assembled(root, "full", budget=context.tokens - 1)
    assert "full-limited" in str(error.value)


def test_full_limited_fills_what_the_budget_leaves(root: Path) -> None:
    curated, _ = assembled(root, "curated")
    everything, text = assembled(root, "full-limited", budget=10_000)
    assert parts(everything)["repository"] == 2  # middle_fact and unrelated
    assert "middle_fact" in text
    assert "variable (k : Nat)" in text  # without it the statement says nothing
    assert [(o.module, o.reason) for o in everything.omitted] == [("Aside", "not imported")]

    nothing, text = assembled(root, "full-limited", budget=curated.tokens)
    assert parts(nothing)["repository"] == 0
    assert nothing.tokens == curated.tokens
    left = {o.name: o.reason for o in nothing.omitted}
    assert left == {"": "not imported", "middle_fact": "budget", "Base.unrelated": "budget"}

    # What is nearer by imports comes first, and the budget is kept to.
    for budget in range(curated.tokens, everything.tokens + 1):
        context, text = assembled(root, "full-limited", budget=budget)
        assert context.tokens <= budget
        if "middle_fact" in {o.name for o in context.omitted}:
            continue
        assert "middle_fact" in text
    with pytest.raises(ContextTooLong, match="curated context alone"):
        assembled(root, "full-limited", budget=curated.tokens - 1)
    with pytest.raises(UsageError, match="how many tokens"):
        assembled(root, "full-limited")


@pytest.mark.parametrize("kind", ["full-limited", "full"])
def test_what_is_shown_is_within_the_budget(root: Path, kind: str) -> None:
    """Headings and fences are shown, too, and count."""
    for number in range(4):
        text = f"/-! ```` -/\nnamespace S{number}\ntheorem other_{number} : 0 < 1 := SECRET\n"
        (root / f"Side{number}.lean").write_text(text)
    sides = "".join(f"import Side{number}\n" for number in range(4))
    (root / "Middle.lean").write_text(sides + FILES["Middle.lean"])
    count = token_counter().count
    fitting = set()
    for budget in range(20, 420, 4):
        try:
            context, text = assembled(root, kind, budget=budget)
        except ContextTooLong:
            assert not fitting
            continue
        assert count(text) <= budget
        assert count(text) <= context.tokens <= budget
        fitting.add(len(context.omitted))
    # All that there is to leave out was left out step by step.
    assert len(fitting) == (7 if kind == "full-limited" else 1)


def test_same_file_shows_nothing_else(root: Path) -> None:
    listed = (Dependency("Base.double", "Base", "project", "definition"),)
    context, text = assembled(root, "same-file", dataclasses.replace(TASK, dependencies=listed))
    assert parts(context) == {"file before the target": 1}
    assert "before_target" in text
    assert "def double" not in text


def test_retrieved_knows_only_the_statement(root: Path) -> None:
    context, text = assembled(root, "retrieved:2")
    names = [item.name for item in context.around.project]
    assert names[0] == "Base.double"
    assert len(names) == 2
    assert "aside_fact" not in text
    other = dataclasses.replace(TASK, reference_proof=None)
    assert assembled(root, "retrieved:2", other)[1] == text


def test_a_file_that_the_repository_does_not_have(root: Path) -> None:
    task = dataclasses.replace(TASK, module="Gone", path="Gone.lean")
    assert parts(assembled(root, "same-file", task)[0]) == {"file before the target": 1}
    assert parts(assembled(root, "curated", task)[0]) == {"file before the target": 1}
    for kind in ("full", "retrieved:3"):
        with pytest.raises(EnvironmentUnavailable, match="none of the repository's modules"):
            assembled(root, kind, task)


def test_templates_must_show_the_repository(root: Path, tmp_path: Path) -> None:
    templates = tmp_path / "templates"
    templates.mkdir()
    (templates / "context.j2").write_text("{{ local_context }}")
    builder = PromptBuilder(templates)
    context, _ = assembled(root, "full")
    with pytest.raises(UsageError, match=r"context\.j2 does not show") as error:
        builder.build(TASK, PREFIX, context=context)
    assert "`repository`" in str(error.value)
    (templates / "context.j2").write_text("{% for m in repository %}{{ m.text }}{% endfor %}")
    assert "middle_fact" in PromptBuilder(templates).build(TASK, PREFIX, context=context).context


STEPS = " ".join(f"step_{n} (argument_{n} + {n})" for n in range(30))


def test_an_old_proof_in_a_comment_is_not_shown(root: Path) -> None:
    (root / "Base.lean").write_text(f"/- It was: {STEPS} -/\ndef kept : Nat := 3 -- {STEPS}\n")
    (root / "Target.lean").write_text(f"import Base\n-- {STEPS}\ntheorem target : True := x\n")
    proof = f":= by\n  {STEPS}"
    task = dataclasses.replace(TASK, statement="theorem target : True", reference_proof=proof)
    prefix = f"import Base\n-- {STEPS}\n-- a remark\n"
    assembler = Assembler(open_index(root), parse_context("full"), token_counter())
    around = assembler.of(task, prefix).around
    assert "step_3" not in around.local_context + "".join(m.text for m in around.repository)
    assert "def kept : Nat := 3" in "".join(m.text for m in around.repository)
    # Without a proof to compare with, or with another, comments stay.
    other = dataclasses.replace(task, reference_proof=":= by\n  simp [argument, step, other]")
    assert "a remark" in assembler.of(other, prefix).around.local_context


def test_a_proof_that_would_be_shown_is_an_error(root: Path) -> None:
    (root / "Base.lean").write_text(f"#my_own_command {STEPS}\n")
    (root / "Target.lean").write_text("import Base\ntheorem target : True := x\n")
    proof = f":= by\n  {STEPS}"
    task = dataclasses.replace(TASK, statement="theorem target : True", reference_proof=proof)
    assembler = Assembler(open_index(root), parse_context("full"), token_counter())
    with pytest.raises(LeakError, match="the prompt shows a part of its proof") as error:
        assembler.of(task, "import Base\n")
    assert error.value.where == "target"


def test_what_a_definition_says_is_no_leak(root: Path) -> None:
    (root / "Base.lean").write_text(f"def long : List Nat := [{STEPS}]\n")
    (root / "Target.lean").write_text("import Base\ntheorem target : True := x\n")
    proof = f":= by\n  show long = [{STEPS}]\n  rfl"
    task = dataclasses.replace(TASK, statement="theorem target : True", reference_proof=proof)
    assembler = Assembler(open_index(root), parse_context("full"), token_counter())
    around = assembler.of(task, "import Base\n").around
    assert STEPS in "".join(m.text for m in around.repository)


def test_proofs_of_what_other_modules_define_are_left_out(root: Path) -> None:
    # That `sound` is a proof is said in another file.
    (root / "Base.lean").write_text(
        "structure Box where\n  n : Nat\n  sound : n = n\n\ntheorem fact (n : Nat) : n = n := rfl\n"
    )
    prefix = "import Base\n\ndef box : Box := { n := 3, sound := HIDDEN_TERM 3 }\n\n"
    (root / "Target.lean").write_text(prefix + "theorem target : True := trivial\n")
    task = dataclasses.replace(TASK, statement="theorem target : True", reference_proof=None)
    for kind in ("curated", "full", "same-file"):
        assembler = Assembler(open_index(root), parse_context(kind), token_counter())
        shown = assembler.of(task, prefix).around.local_context
        assert "n := 3" in shown
        assert "HIDDEN_TERM" not in shown
