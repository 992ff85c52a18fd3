"""Where unknown identifiers are: a repository of a few files, and names that are not there."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_samples import task

from pytest_vsb.report.unknown import PLACES, Finder, is_of_library
from pytest_vsb.tasks.model import Origin, Task

FILES = {
    "lakefile.toml": 'name = "demo"\n[[lean_lib]]\nname = "Demo"\n',
    "Demo/Basic.lean": (
        "import Demo.Base\nnamespace Demo\n"
        "theorem before : True := trivial\n"
        "private theorem secret : True := trivial\n"
        "theorem target : True := trivial\n"
        "theorem after : True := trivial\n"
        "end Demo\n"
    ),
    "Demo/Base.lean": (
        "namespace Demo\ninductive Expr where\n  | num (n : Nat)\n  | add : Expr -> Expr -> Expr\n"
        "structure State where\n  store : Nat\n  stack : List Nat := []\n"
        "theorem Expr.eval_add : True := trivial\nend Demo\n"
    ),
    "Demo/Other.lean": (
        "import Demo.Basic\nnamespace Demo\n"
        "theorem far_away : True := trivial\ntheorem Nat.odd_one : True := trivial\nend Demo\n"
    ),
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "cache"))
    for name, text in FILES.items():
        path = tmp_path / "repos" / "demo" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "repos" / "demo"


TARGET = task("target")


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("eval_add", "other namespace"),
        ("Expr.eval_add", "other namespace"),
        ("Term.eval_add", "other namespace"),
        ("num", "other namespace"),
        ("Term.num", "other namespace"),
        ("Demo.State.stack", "hidden"),
        ("Demo.Store.stack", "other namespace"),
        ("Demo.State.heap", "nowhere"),
        ("List.num", "library"),
        ("Demo.Expr.eval_add", "hidden"),
        ("_root_.Demo.before", "hidden"),
        ("after", "later in the file"),
        ("Demo.after", "later in the file"),
        ("target", "later in the file"),
        ("far_away", "not imported"),
        ("Demo.far_away", "not imported"),
        ("Nat.odd_one", "not imported"),
        ("Nat.foo_bar", "library"),
        ("Nat.eval_add", "library"),
        ("mul_comm_foo", "library"),
        ("h", "local"),
        ("h\u2081", "local"),
        ("ih_n", "local"),
        ("this\u271d", "local"),
        ("", "local"),
        ("eval_mul", "nowhere"),
        ("Expr.normalise", "nowhere"),
    ],
)
def test_places(root: Path, name: str, place: str) -> None:
    assert Finder(root.parent).place(name, TARGET) == place
    assert place in PLACES


def test_without_the_repository(root: Path) -> None:
    assert Finder().place("eval_add", TARGET) == "not looked up"
    assert Finder().place("Nat.foo", TARGET) == "library"
    assert Finder().place("h", TARGET) == "local"
    finder = Finder(root.parent)
    elsewhere = task("target", repository="gone")
    assert finder.place("eval_add", elsewhere) == "not looked up"
    assert finder.place("eval_mul", elsewhere) == "not looked up"
    assert len(finder.notes) == 1
    assert "gone" in finder.notes[0]


def test_a_repository_beside_its_task_file(root: Path) -> None:
    origin = Origin(root.parent / "tasks.jsonl", 1)
    beside = Task(
        "target", "Demo.Basic", "Demo/Basic.lean", "Demo.target", "", root="demo", origin=origin
    )
    assert Finder().place("far_away", TARGET, beside) == "not imported"


def test_a_module_that_is_not_there(root: Path) -> None:
    import dataclasses

    lost = dataclasses.replace(TARGET, module="Demo.Gone")
    assert Finder(root.parent).place("eval_add", lost) == "not imported"


def test_names_of_libraries() -> None:
    assert is_of_library("List.map_cons'")
    assert is_of_library("add_comm")
    assert not is_of_library("eval_add")
    assert not is_of_library("add")
    assert not is_of_library("Demo.add_comm")
