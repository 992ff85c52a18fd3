"""Records of the VeriSoftBench dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from task_lines import native, official, write

from pytest_vsb.tasks import statements
from pytest_vsb.tasks.dataset import TaskFile, read_tasks
from pytest_vsb.tasks.model import Dependency, Task, TaskMetrics


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "verisoftbench.jsonl"


def only(file: Path, **changes: Any) -> Task:
    read = read_tasks(write(file, official(**changes)))
    assert read.problems == ()
    [task] = read.tasks
    return task


def problem(file: Path, record: dict[str, Any]) -> str:
    [problem] = read_tasks(write(file, record)).problems
    return problem.message


def ids(read: TaskFile) -> list[str]:
    return [task.id for task in read.tasks]


def test_record_gives_every_field(file: Path) -> None:
    task = only(file)
    assert (task.id, task.number) == ("Evaluator/eval_completeness", 7)
    assert (task.suite, task.repository, task.root) == ("verisoftbench", "Evaluator", "")
    assert (task.module, task.path) == ("Evaluator.Basic", "Evaluator/Basic.lean")
    assert (task.name, task.kind) == ("eval_completeness", "lemma")
    assert task.statement == "lemma eval_completeness (e : Expr) : Big e (eval e)"
    assert task.reference_proof == ":= by\n  induction e\n  all_goals simp_all"
    assert (task.category, task.subsets) == ("Semantics", ("aristotle",))
    assert task.metrics == TaskMetrics(None, 9, 2, 3)
    assert task.dependencies == (
        Dependency("Nat", "Init.Prelude", "library", "definition"),
        Dependency("Nat.add_comm", "", "library", "lemma"),
        Dependency("Expr", "Evaluator.Syntax", "project", "definition", "inductive Expr"),
        Dependency(
            "Expr.closed", "", "project", "lemma", "theorem Expr.closed (e : Expr) : e.free = []"
        ),
        Dependency("eval", "", "file", "definition", "def eval : Expr → Nat"),
    )
    assert task.extra["local_ctx"].startswith("import")
    assert task.extra["imports"] == ["import Evaluator.Syntax"]
    assert "ground_truth_proof" not in task.extra
    shown = task.without_reference()
    assert (shown.reference_proof, shown.extra) == (None, {})


def test_record_with_the_least_keys(file: Path) -> None:
    record = {
        "thm_name": "a",
        "lean_root": "r",
        "rel_path": "src/R/X.lean",
        "thm_stmt": "theorem a : 1 = 1",
    }
    [task] = read_tasks(write(file, record)).tasks
    assert (task.id, task.number, task.module) == ("r/a", None, "R.X")
    assert (task.reference_proof, task.category, task.subsets) == (None, "", ())
    assert (task.metrics, task.dependencies, task.extra) == (TaskMetrics(), (), {})


@pytest.mark.parametrize(
    ("given", "statement"),
    [
        ("theorem a : x = y", "theorem a : x = y"),
        ("theorem a : x = y :=", "theorem a : x = y"),
        ("theorem a : x = y := by", "theorem a : x = y"),
        ("theorem a : x = y :=\nby", "theorem a : x = y"),
        ("theorem a : x = y := by\n  have h : z := w\n  simp", "theorem a : x = y"),
        ("theorem a : x = y := rfl", "theorem a : x = y"),
        ("theorem a : let z := x; z = y := by\n  rfl", "theorem a : let z := x; z = y"),
        ("@[simp, grind _=_]\nlemma a : x = y :=", "lemma a : x = y"),
        ("/-- doc := by -/\nprivate theorem a : x = y :=", "theorem a : x = y"),
        ("omit h [A] in\ntheorem a : x = y :=", "theorem a : x = y"),
        ("theorem a : ∀ n, n = n\n  | 0 => rfl\n  | _ => rfl", "theorem a : ∀ n, n = n"),
        ("theorem a : P where\n  one := 1", "theorem a : P"),
        ("theorem a :\\n  x = y :=", "theorem a :\n  x = y"),
        ('theorem a : s = "x\\n" :=', 'theorem a : s = "x\\n"'),
        ("theorem a : { x | p x } = y :=", "theorem a : { x | p x } = y"),
        ("prove_correct f (h := by simp) by\n  solve", "prove_correct f (h := by simp)"),
        ("prove_correct f", "prove_correct f"),
    ],
)
def test_statement_is_cleaned(file: Path, given: str, statement: str) -> None:
    assert only(file, thm_stmt=given).statement == statement


def test_truncated_statement_is_taken_from_the_other_key(file: Path) -> None:
    cut, whole = "theorem a :\n  let z :=", "theorem a :\n  let z := x; z = y := by simp"
    for keys in ({"thm_stmt": cut, "target_theorem": whole}, {"thm_stmt": whole}):
        assert only(file, **keys).statement == "theorem a :\n  let z := x; z = y"
    assert only(file, thm_stmt="", target_theorem=whole).statement.endswith("z = y")


def test_statement_truncated_everywhere_says_so(file: Path) -> None:
    cut = "theorem a :\n  let z : Nat :="
    statement = only(file, thm_stmt=cut, target_theorem=cut).statement
    assert statement == cut
    assert statements.is_truncated(statement)
    assert not statements.is_truncated(only(file).statement)


@pytest.mark.parametrize(
    ("statement", "found", "same"),
    [
        ("theorem a : x = y", "theorem a :\r\n    x = y", True),
        ("theorem a : x = y", "theorem a : x = z", False),
        ("theorem a : x", "theorem a : x = y", False),
        ("theorem a : let z :=", "theorem a :\n  let z := x; z = y", True),
        ("theorem a : let z :=", "theorem a :\n  let y := x; y = y", False),
        ("theorem a : let z :=", "theorem a :", False),
    ],
)
def test_statement_agrees_with_the_source(statement: str, found: str, same: bool) -> None:
    assert statements.agrees(statement, found) is same


def test_lists_under_their_other_names(file: Path) -> None:
    task = only(
        file,
        used_repo_defs=None,
        repo_defs=["noncomputable def f : Nat :=", "| CONST (n : Int)", "  "],
        used_local_defs=None,
        local_defs=["structure S where", 'notation "x" => y'],
    )
    assert [(d.name, d.scope, d.text) for d in task.dependencies[2:]] == [
        ("f", "project", "noncomputable def f : Nat :="),
        ("", "project", "| CONST (n : Int)"),
        ("Expr.closed", "project", "theorem Expr.closed (e : Expr) : e.free = []"),
        ("S", "file", "structure S where"),
        ("", "file", 'notation "x" => y'),
    ]


def test_repeated_dependency_is_listed_once(file: Path) -> None:
    entry = {"name": "Nat", "module": "Init.Prelude"}
    task = only(file, used_lib_defs=[entry, entry])
    assert [d.name for d in task.dependencies].count("Nat") == 1


def test_one_name_in_two_files_differs_by_module(file: Path) -> None:
    read = read_tasks(
        write(
            file,
            official(id=1),
            official(id=2, rel_path="Evaluator/Lemmas.lean"),
            official(id=3, thm_name="other"),
            official(id=4, lean_root="Second"),
        )
    )
    assert read.problems == ()
    assert ids(read) == [
        "Evaluator/Evaluator.Basic/eval_completeness",
        "Evaluator/Evaluator.Lemmas/eval_completeness",
        "Evaluator/other",
        "Second/eval_completeness",
    ]


def test_ids_do_not_depend_on_the_order(file: Path) -> None:
    records = [
        official(id=1),
        official(id=2, rel_path="Evaluator/Lemmas.lean"),
        official(id=3, rel_path="Evaluator/Lemmas.lean", thm_stmt="theorem e : 2 = 2"),
    ]
    forth = read_tasks(write(file, *records))
    back = read_tasks(write(file, *reversed(records)))
    assert {t.number: t.id for t in forth.tasks} == {t.number: t.id for t in back.tasks}
    assert ids(forth)[1:] == [
        "Evaluator/Evaluator.Lemmas/eval_completeness@2",
        "Evaluator/Evaluator.Lemmas/eval_completeness@3",
    ]


def test_same_record_twice_is_a_problem(file: Path) -> None:
    read = read_tasks(write(file, official(id=1), official(id=2)))
    assert ids(read) == ["Evaluator/eval_completeness"]
    [problem] = read.problems
    assert problem.line == 2
    assert problem.message == "the id 'Evaluator/eval_completeness' is taken by line 1"


def test_same_number_twice_is_a_problem(file: Path) -> None:
    read = read_tasks(write(file, official(), official(thm_name="b")))
    [problem] = read.problems
    assert problem.message == "the number 7 is taken by line 1"


def test_both_formats_in_one_file(file: Path) -> None:
    read = read_tasks(write(file, official(), native(), native(id="Evaluator/eval_completeness")))
    assert ids(read) == ["Evaluator/eval_completeness", "Fold.sound"]
    assert [p.line for p in read.problems] == [3]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"thm_name": None}, "Object missing required field `thm_name`"),
        ({"lean_root": None}, "Object missing required field `lean_root`"),
        ({"thm_stmt": None, "target_theorem": None}, "missing required field `thm_stmt`"),
        ({"thm_stmt": " ", "target_theorem": ""}, "missing required field `thm_stmt`"),
        ({"thm_name": ""}, "`thm_name` is empty"),
        ({"thm_name": "«a::b»"}, "`thm_name` holds `::`"),
        ({"rel_path": "../a.lean"}, "`rel_path` leads out of the project"),
        ({"rel_path": "a.txt"}, "`rel_path` is not the path of a .lean file"),
        ({"lean_root": "/x"}, "`lean_root` is an absolute path"),
        ({"id": "7"}, "Expected `int | null`, got `str` - at `$.id`"),
        ({"is_aristotle": "yes"}, "at `$.is_aristotle`"),
        ({"repo_lemmas": "text"}, "Expected `array`, got `str` - at `$.repo_lemmas`"),
        ({"repo_lemmas": [1]}, "Expected `object` or `str`, got `int` - at `$.repo_lemmas[0]`"),
        ({"lib_lemmas": [{"name": 1}]}, "Expected `str`, got `int` - at `$.lib_lemmas[0].name`"),
        ({"category": "a\nb"}, "`category` holds a character that cannot be shown"),
    ],
)
def test_unusable_records(file: Path, changes: dict[str, Any], message: str) -> None:
    assert message in problem(file, official(**changes))
