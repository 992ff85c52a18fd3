"""Dependencies of declarations, direct and transitive; from the text and from Lean."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from test_resolve import SHAPES, TYPES, project

from pytest_vsb.lean import toolchain
from pytest_vsb.lean.project import open_project
from pytest_vsb.repository import Ref, Store, open_index
from pytest_vsb.repository.dependencies import Resolver, as_task_fields
from pytest_vsb.repository.ilean import IleanStore
from pytest_vsb.source import DeclarationNotFound
from pytest_vsb.tasks.model import Dependency, TaskMetrics

DEMO = Path(__file__).parents[2] / "benchmark" / "demo"

BASE = """\
namespace Small
/-- Twice. -/
def double (n : Nat) : Nat := n + n
theorem double_zero : double 0 = 0 := by
  unfold double
  rfl
end Small
"""
MORE = """\
import Base
namespace Small
def quadruple (n : Nat) : Nat := double (double n)
theorem quadruple_zero : quadruple 0 = 0 := by
  rw [quadruple, double_zero, double_zero]
theorem goal (n : Nat) : quadruple n = quadruple n ∧ quadruple 0 = 0 := by
  exact ⟨rfl, quadruple_zero⟩
mutual
inductive Even where
  | zero
  | next (o : Odd)
inductive Odd where
  | next (e : Even)
end
def Even.half (e : Even) : Nat := 0
end Small
"""


@pytest.fixture
def resolver(tmp_path: Path) -> Resolver:
    return project(tmp_path / "repository", {"Base": BASE, "More": MORE})


def test_the_dependencies_of_a_theorem(resolver: Resolver) -> None:
    found = resolver.of("More", "Small.goal")
    assert [(u.name, u.scope, u.role, u.part, u.how) for u in found.direct] == [
        ("Nat", "library", "definition", "statement", "heuristic"),
        ("Small.quadruple", "file", "definition", "statement", "heuristic"),
        ("rfl", "library", "lemma", "proof", "heuristic"),
        ("Small.quadruple_zero", "file", "lemma", "proof", "heuristic"),
    ]
    assert [(u.name, u.module, u.scope) for u in found.transitive] == [
        ("Small.double", "Base", "project"),
        ("Small.double_zero", "Base", "project"),
        ("Small.quadruple", "More", "file"),
        ("Small.quadruple_zero", "More", "file"),
    ]
    assert found.depth == 4
    assert [used.name for used in found.project()] == ["Small.quadruple", "Small.quadruple_zero"]
    assert found.count("file", "lemma") == 1
    assert found.count("library", "definition") == 1
    assert found.count("project", "lemma") == 0


def test_texts_have_no_proofs(resolver: Resolver) -> None:
    found = resolver.of("More", "Small.goal")
    texts = {used.name: used.text for used in (*found.direct, *found.transitive)}
    assert texts["Small.quadruple_zero"] == "theorem quadruple_zero : quadruple 0 = 0"
    assert texts["Small.double"].startswith("/-- Twice. -/")
    assert texts["Small.quadruple"].endswith("double (double n)")
    assert texts["Nat"] == ""
    assert not any("rw" in text or "unfold" in text for text in texts.values())


def test_as_a_task_has_them(resolver: Resolver) -> None:
    listed, metrics = as_task_fields(resolver.of("More", "Small.goal"))
    assert listed[1] == Dependency(
        "Small.quadruple",
        "More",
        "file",
        "definition",
        "def quadruple (n : Nat) : Nat := double (double n)",
    )
    assert [d.name for d in listed] == ["Nat", "Small.quadruple", "rfl", "Small.quadruple_zero"]
    assert metrics == TaskMetrics(
        direct_dependencies=2, transitive_dependencies=4, nesting_depth=4, proof_lines=None
    )


def test_what_is_needed_to_state_something(resolver: Resolver) -> None:
    goal = resolver.find("Small.goal")
    names = [resolver.index.entry(ref).name for ref in resolver.reach([goal])]
    assert names == ["Small.double", "Small.quadruple", "Small.goal"]
    assert [resolver.index.entry(r).name for r in resolver.closure(["Small.quadruple", "No"])] == [
        "Small.double",
        "Small.quadruple",
    ]


def test_declarations_that_use_each_other_count_once(resolver: Resolver) -> None:
    assert resolver.of("More", "Small.Even").depth == 1
    half = resolver.of("More", "Small.Even.half")
    assert half.depth == 2
    assert [used.name for used in half.transitive] == ["Small.Even", "Small.Odd"]


def test_nothing_is_used(resolver: Resolver) -> None:
    found = resolver.of("Base", "Small.double")
    assert found.depth == 1
    assert found.transitive == ()


def test_a_long_chain(tmp_path: Path) -> None:
    text = "def f0 := 0\n" + "".join(f"def f{i} := f{i - 1}\n" for i in range(1, 1500))
    resolver = project(tmp_path, {"Main": text})
    assert resolver.depth(resolver.find("f1499")) == 1500
    assert len(resolver.of("Main", "f1499").transitive) == 1499


def test_all_uses(resolver: Resolver) -> None:
    found = {resolver.index.entry(ref).name: uses for ref, uses in resolver.uses_all()}
    assert len(found) == 8
    assert [use.name for use in found["Small.double_zero"]] == ["Small.double"]


def test_what_a_declaration_brings(resolver: Resolver) -> None:
    even = resolver.find("Small.Even")
    assert resolver.declared_by(even) == ("Small.Even", "Small.Even.zero", "Small.Even.next")


def test_threads_see_the_same(tmp_path: Path) -> None:
    files = {f"M{i}": f"import M{i - 1}\ndef f{i} := f{i - 1}\n" for i in range(1, 30)}
    resolver = project(tmp_path, {"M0": "def f0 := 0\n", **files})
    with ThreadPoolExecutor(4) as pool:
        depths = list(pool.map(lambda i: resolver.of(f"M{i}", f"f{i}").depth, range(29, -1, -1)))
    assert depths == list(range(30, 0, -1))


def test_which_one_is_meant(tmp_path: Path) -> None:
    text = "section\nprivate def f := 1\nend\ndef g := f\ndef f := 2\n"
    resolver = project(tmp_path, {"A": text, "B": "def f := 3\n"})
    assert resolver.find("f", module="B") == Ref("B", 0)
    assert resolver.find("f", module="A", line=5) == Ref("A", 2)
    for arguments in ({}, {"module": "A"}, {"module": "A", "line": 1}):
        with pytest.raises(DeclarationNotFound):
            resolver.find("f", **arguments)  # type: ignore[arg-type]
    with pytest.raises(DeclarationNotFound):
        resolver.of("A", "h")
    with pytest.raises(KeyError):
        resolver.of("C", "f")


def test_line_endings_and_marks_do_not_matter(tmp_path: Path, resolver: Resolver) -> None:
    root = tmp_path / "windows"
    root.mkdir()
    for name, text in (("Base", BASE), ("More", MORE)):
        data = ("\ufeff" + text).replace("\n", "\r\n").encode()
        (root / f"{name}.lean").write_bytes(data)
    other = Resolver(open_index(root, store=Store(None)))
    assert other.of("More", "Small.goal") == resolver.of("More", "Small.goal")


def test_libraries_that_are_at_hand(tmp_path: Path) -> None:
    library = project(tmp_path / "library", {"Lib.Nat": "theorem Nat.thing : True := trivial\n"})
    text = "theorem T : True := by exact Nat.thing\ntheorem U : True := Nat.other\n"
    index = project(tmp_path / "own", {"Main": text}).index
    resolver = Resolver(index, libraries=[library.index])
    found = resolver.of("Main", "T").direct
    assert [(u.name, u.module, u.role) for u in found if u.name != "True"] == [
        ("Nat.thing", "Lib.Nat", "lemma")
    ]
    found = resolver.of("Main", "U").direct
    assert [(u.name, u.module) for u in found if u.name != "True"] == [("Nat.other", "")]


# On disk


def test_what_was_read_is_kept(tmp_path: Path) -> None:
    root = project(tmp_path / "repository", {"Base": BASE, "More": MORE}).index.root
    path = tmp_path / "store.sqlite3"
    first = Resolver(open_index(root, store=Store(path)))
    expected = dict(first.uses_all())
    index = open_index(root, store=Store(path))
    for file in root.iterdir():
        # Nothing is read of a file whose uses are kept.
        file.unlink()
    assert dict(Resolver(index).uses_all()) == expected


def test_a_change_in_an_import_counts(tmp_path: Path) -> None:
    root = project(tmp_path / "repository", {"Base": BASE, "More": MORE}).index.root
    path = tmp_path / "store.sqlite3"
    before = Resolver(open_index(root, store=Store(path))).of("More", "Small.quadruple")
    assert "Small.double" in [used.name for used in before.direct]
    (root / "Base.lean").write_text("def other := 1\n", encoding="utf-8")
    after = Resolver(open_index(root, store=Store(path))).of("More", "Small.quadruple")
    assert "Small.double" not in [used.name for used in after.direct]


# What Lean says


def ilean(module: str, usages: dict[tuple[str, str], list[list[object]]]) -> bytes:
    references = {
        json.dumps({"c": {"m": where, "n": name}}): {"definition": None, "usages": places}
        for (where, name), places in usages.items()
    }
    return json.dumps({"version": 4, "module": module, "references": references}).encode()


def test_positions_tell_the_parts(tmp_path: Path) -> None:
    root = project(
        tmp_path / "repository",
        {"A": "def f := 1\ntheorem T : f = 1 := by\n  exact hidden 𝒜 f\n"},
    ).index.root
    build = tmp_path / "build"
    build.mkdir()
    usages = {
        ("A", "f"): [[1, 12, 1, 13], [2, 18, 2, 19]],
        ("A", "f.eq_1"): [[2, 8, 2, 14]],
        ("A", "T"): [[1, 8, 1, 9]],
        ("Lib.Basic", "Lib.hidden"): [[2, 8, 2, 14], [0, 9, 0, 10]],
    }
    (build / "A.ilean").write_bytes(ilean("A", usages))
    resolver = Resolver(open_index(root, store=Store(None)), build=IleanStore([build]))
    assert [(u.name, u.module, u.part, u.how) for u in resolver.of("A", "T").direct] == [
        ("f", "A", "statement", "exact"),
        ("Lib.hidden", "Lib.Basic", "proof", "exact"),
    ]
    assert [(u.name, u.part) for u in resolver.of("A", "f").direct] == [("Lib.hidden", "body")]
    assert resolver.notes == []


def test_the_older_format_says_no_modules(tmp_path: Path) -> None:
    root = project(
        tmp_path / "repository", {"A": "def A.f := 1\n", "B": "import A\ndef g := A.f + Nat.x\n"}
    ).index.root
    build = tmp_path / "build"
    build.mkdir()
    references = {
        "c:A.f": {"definition": None, "usages": [[1, 9, 1, 12]]},
        "c:Nat.x": {"definition": None, "usages": [[1, 15, 1, 20]]},
        "c:g": {"definition": [1, 4, 1, 5], "usages": []},
    }
    data = json.dumps({"version": 1, "module": "B", "references": references})
    (build / "B.ilean").write_text(data, encoding="utf-8")
    resolver = Resolver(open_index(root, store=Store(None)), build=IleanStore([build]))
    assert [(u.name, u.module, u.scope) for u in resolver.of("B", "g").direct] == [
        ("A.f", "A", "project"),
        ("Nat.x", "", "library"),
    ]


def test_what_was_built_of_another_text_is_not_used(tmp_path: Path) -> None:
    root = project(tmp_path / "repository", {"A": "def f := 1\n\ndef g := f\n"}).index.root
    build = tmp_path / "build"
    build.mkdir()
    references = {
        json.dumps({"c": {"m": "A", "n": "f"}}): {
            "definition": [1, 4, 1, 5],
            "usages": [[2, 9, 2, 10]],
        }
    }
    data = json.dumps({"version": 5, "module": "A", "references": references})
    (build / "A.ilean").write_text(data, encoding="utf-8")
    resolver = Resolver(open_index(root, store=Store(None)), build=IleanStore([build]))
    assert [(u.name, u.how) for u in resolver.of("A", "g").direct] == [("f", "heuristic")]
    assert ["A is of another text" in note for note in resolver.notes] == [True]


def compare(root: Path) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The uses of a repository's own declarations, as (user, used): from Lean and from the text."""
    project_ = open_project(root, toolchain.find("embedded", project=root))
    index = open_index(root, store=Store(None))
    places = project_.search_path(list(index.modules))
    exact = Resolver(index, build=IleanStore(places))
    read = Resolver(index)
    found = tuple(
        {
            (index.entry(ref).name, use.name)
            for ref, uses in resolver.uses_all()
            for use in uses
            if use.entry >= 0
        }
        for resolver in (exact, read)
    )
    assert exact.notes == []
    return found[0], found[1]


FEATURES = (
    TYPES.replace("  deriving Repr, DecidableEq\n", "")
    + """
namespace A
infixl:65 " ⊕ " => Point.mk
variable (p : Point) {t : Tree}
def f (n : Nat) : Point := n ⊕ n
theorem T : (f 1).sum = 1 + 1 := rfl
theorem U (h : t.size = 0) : t.size = (f 0).x := h
theorem V : ∀ q : Pixel, q.sum = q.toPoint.sum := fun _ => rfl
theorem W : p.sum = p.x + p.y := by
  cases p with
  | mk x y => rfl
protected theorem X (t : Tree) : t.size = t.size := by
  induction t with
  | leaf => rfl
  | node l k r ihl ihr => exact (rfl : (Tree.node l k r).size = (Tree.node l k r).size)
end A
open A in
theorem Y : (f 1).sum = 1 + 1 := T
"""
)


@pytest.mark.lean
def test_the_text_tells_what_lean_tells(tmp_path: Path) -> None:
    root = project(tmp_path / "repository", {"Base": BASE, "Main": FEATURES}).index.root
    exact, read = compare(root)
    assert ("Y", "A.T") in exact
    assert ("A.U", "Tree") in exact
    assert ("A.f", "Point") in exact
    assert read == exact


@pytest.mark.lean
@pytest.mark.slow
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "alias"])
def test_names_are_read_as_lean_read_them(tmp_path: Path, shape: str) -> None:
    text, name, expected = SHAPES[shape]
    exact, read = compare(project(tmp_path / "repository", {"Main": text}).index.root)
    assert read == exact
    assert {used for user, used in exact if user == name} == expected


@pytest.mark.lean
@pytest.mark.slow
def test_the_text_tells_what_lean_tells_of_the_demo() -> None:
    exact, read = compare(DEMO)
    both = len(exact & read)
    assert len(exact) > 700
    assert both / len(read) >= 0.98
    assert both / len(exact) >= 0.98
