"""Reading from the text which declarations a declaration uses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_vsb.repository import Store, open_index
from pytest_vsb.repository.dependencies import Resolver
from pytest_vsb.repository.facts import facts_of
from pytest_vsb.repository.library import is_library_name, role_of
from pytest_vsb.repository.stream import Stream
from pytest_vsb.source import scan

Found = dict[str, str]


def project(root: Path, files: Mapping[str, str]) -> Resolver:
    """A resolver for a repository of these modules, by name."""
    for module, text in files.items():
        path = root / (module.replace(".", "/") + ".lean")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Resolver(open_index(root, store=Store(None)))


def used(root: Path, text: str, name: str = "T", **others: str) -> Found:
    """What ``name`` uses of the repository, with the part that uses it.

    The text stands in a module that imports all others.
    """
    imports = "".join(f"import {module}\n" for module in others)
    resolver = project(root, {**others, "Main": imports + text})
    uses = resolver.uses(resolver.find(name, module="Main"))
    return {use.name: use.part for use in uses if use.entry >= 0}


def library(root: Path, text: str, name: str = "T") -> set[str]:
    """The library's names that ``name`` uses."""
    resolver = project(root, {"Main": text})
    return {use.name for use in resolver.uses(resolver.find(name)) if use.entry < 0}


# Parts and roles


def test_statement_and_proof(tmp_path: Path) -> None:
    text = "def f := 1\ndef g := 2\ntheorem T : f = 1 := by unfold f g; rfl\n"
    assert used(tmp_path, text) == {"f": "statement", "g": "proof"}


def test_the_body_of_a_definition(tmp_path: Path) -> None:
    text = "def A := Nat\ndef f (x : A) : A := x\ndef T (x : A) : A := f x\n"
    assert used(tmp_path, text) == {"A": "statement", "f": "body"}


def test_attributes_and_docstrings_use_nothing(tmp_path: Path) -> None:
    text = (
        "def f := 1\n/-- See `f` and f. -/\n@[inherit_doc f, simp]\ntheorem T : True := trivial\n"
    )
    assert used(tmp_path, text) == {}


def test_comments_and_strings_use_nothing_but_terms_in_strings_do(tmp_path: Path) -> None:
    text = 'def f := 1\ndef g := 2\ndef T := (s!"f {g} \\{f}", "f" /- f -/) -- f\n'
    assert used(tmp_path, text) == {"g": "body"}


def test_a_declaration_does_not_use_itself(tmp_path: Path) -> None:
    text = "def T : Nat → Nat\n  | 0 => 0\n  | n + 1 => T n\n"
    assert used(tmp_path, text) == {}


# Namespaces

SHAPES = {
    "the innermost namespace first": (
        "namespace A\ndef f := 1\nnamespace B\ndef f := 2\ntheorem T : f = 2 := rfl\n"
        "end B\nend A\n",
        "A.B.T",
        {"A.B.f"},
    ),
    "the longest part of a name first": (
        "def A.f := 1\nnamespace B\ndef A := 0\ntheorem T : A.f = 1 := rfl\nend B\n",
        "B.T",
        {"A.f"},
    ),
    "the namespace of the declaration's own name": (
        "def A.f := 1\ndef f := 2\ntheorem A.T : f = 1 := rfl\n",
        "A.T",
        {"A.f"},
    ),
    "from the root": (
        "def f := 1\nnamespace A\ndef f := 2\ntheorem T : _root_.f = 1 := rfl\nend A\n",
        "A.T",
        {"f"},
    ),
    "a declaration at the root from within a namespace": (
        "namespace A\ndef _root_.f := 1\ndef g := 2\ntheorem _root_.T : f = 1 := rfl\nend A\n",
        "T",
        {"f"},
    ),
    "quoted names": (
        "def «f g».«h.i» := 1\nopen «f g»\ntheorem T : «h.i» = 1 := rfl\n",
        "T",
        {"«f g».«h.i»"},
    ),
    "quotes that are not needed": ("def f := 1\ntheorem T : «f» = 1 := rfl\n", "T", {"f"}),
    "universes": ("def f.{u} (α : Type u) := α\ntheorem T : f.{0} Nat = Nat := rfl\n", "T", {"f"}),
    "open": (
        "namespace A\ndef f := 1\nend A\nopen A\ntheorem T : f = 1 := rfl\n",
        "T",
        {"A.f"},
    ),
    "open within a section ends with it": (
        "def A.f := 1\ndef f := 2\nsection\nopen A\nend\ntheorem T : f = 2 := rfl\n",
        "T",
        {"f"},
    ),
    "open, what is open already": (
        "def A.B.f := 1\nopen A\nopen B\ntheorem T : f = 1 := rfl\n",
        "T",
        {"A.B.f"},
    ),
    "open in": (
        "def A.f := 1\ndef B.f := 2\nopen A in\ntheorem U : f = 1 := rfl\n"
        "open B\ntheorem T : f = 2 := rfl\n",
        "T",
        {"B.f"},
    ),
    "open in, for its declaration": (
        "def A.f := 1\nopen A in\ntheorem T : f = 1 := rfl\n",
        "T",
        {"A.f"},
    ),
    "open of some names": (
        "def A.f := 1\ndef A.g := 2\ndef g := 1\nopen A (f)\ntheorem T : f = g := rfl\n",
        "T",
        {"A.f", "g"},
    ),
    "open hiding": (
        "def A.f := 1\ndef A.g := 2\ndef g := 1\nopen A hiding g\ntheorem T : f = g := rfl\n",
        "T",
        {"A.f", "g"},
    ),
    "open renaming": (
        "def A.f := 1\ndef f := 1\nopen A renaming f → h\ntheorem T : h = f := rfl\n",
        "T",
        {"A.f", "f"},
    ),
    "open scoped opens no names": (
        "def A.f := 1\ndef f := 2\nopen scoped A\ntheorem T : f = 2 := rfl\n",
        "T",
        {"f"},
    ),
    "export": (
        "def A.f := 1\nnamespace B\nexport A (f)\nend B\nopen B\ntheorem T : f = 1 := rfl\n",
        "T",
        {"A.f"},
    ),
    "alias": (
        "theorem f : True := trivial\nalias g := f\ntheorem T : True := g\n",
        "T",
        {"f"},
    ),
    "a protected name needs its namespace": (
        "protected def A.f := 1\ndef f := 1\nopen A\ntheorem T : f = A.f := rfl\n",
        "T",
        {"f", "A.f"},
    ),
    "a protected name within its namespace": (
        "def f := 2\nnamespace A\nprotected def f := 1\ntheorem T : f = 2 := rfl\nend A\n",
        "A.T",
        {"f"},
    ),
    "compound namespaces": (
        "namespace A.B\ndef f := 1\nend A.B\nnamespace A\ntheorem T : B.f = 1 := rfl\nend A\n",
        "A.T",
        {"A.B.f"},
    ),
    "what is declared later is not seen": (
        "def A.f := 1\nopen A\ntheorem T : f = 1 := rfl\ndef f := 2\n",
        "T",
        {"A.f"},
    ),
}


@pytest.mark.parametrize(
    ("text", "name", "expected"), list(SHAPES.values()), ids=[i.replace(" ", "-") for i in SHAPES]
)
def test_names_are_read_as_lean_reads_them(
    tmp_path: Path, text: str, name: str, expected: set[str]
) -> None:
    assert set(used(tmp_path, text, name)) == expected


def test_only_imported_modules_are_seen(tmp_path: Path) -> None:
    resolver = project(
        tmp_path,
        {
            "A": "def f := 1\n",
            "B": "import A\ndef g := f\n",
            "C": "import B\ntheorem T : f = g := rfl\n",
            "D": "theorem T : f = 1 := rfl\n",
        },
    )
    assert [use.name for use in resolver.uses(resolver.find("T", module="C"))][:2] == ["f", "g"]
    assert not [u for u in resolver.uses(resolver.find("T", module="D")) if u.entry >= 0]


def test_a_private_name_is_known_in_its_file_only(tmp_path: Path) -> None:
    text = "private def f := 1\n"
    assert used(tmp_path / "one", text + "theorem T : f = 1 := rfl\n") == {"f": "statement"}
    assert used(tmp_path / "two", "theorem T : f = 1 := rfl\n", Other=text) == {}


def test_of_two_modules_that_declare_a_name_the_imported_one_counts(tmp_path: Path) -> None:
    files = {
        "A": "def f := 1\n",
        "B": "def f := 2\n",
        "C": "import B\ntheorem T : f = 2 := rfl\n",
    }
    resolver = project(tmp_path, files)
    assert [use.module for use in resolver.uses(resolver.find("T"))][:1] == ["B"]


def test_declarations_of_a_mutual_block_see_each_other(tmp_path: Path) -> None:
    text = "mutual\ndef T (n : Nat) := f n\ndef f (n : Nat) := T n\nend\n"
    assert used(tmp_path, text) == {"f": "body"}


# What comes with a declaration

TYPES = """
inductive Tree where
  | leaf
  | node (l : Tree) (k : Nat) (r : Tree)
  deriving Repr, DecidableEq
structure Point where
  x : Nat
  y : Nat
structure Pixel extends Point where
  color : Tree
def Tree.size : Tree → Nat
  | .leaf => 0
  | .node l _ r => l.size + r.size
def Point.sum (p : Point) : Nat := p.x + p.y
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("theorem T : Tree.leaf = Tree.leaf := rfl", {"Tree"}),
        ("theorem T (t : Tree) : t.size = t.size := rfl", {"Tree", "Tree.size"}),
        ("theorem T (p : Pixel) : p.x = p.y := rfl", {"Pixel", "Point"}),
        ("theorem T (p : Pixel) : p.sum = p.toPoint.sum := rfl", {"Pixel", "Point.sum"}),
        ("theorem T (p : Pixel) : p.color.size = 0 := h", {"Pixel", "Tree.size"}),
        ("theorem T : Point.mk 1 2 = ⟨1, 2⟩ := rfl", {"Point"}),
        ("theorem T : (Tree.leaf).size = 0 := rfl", {"Tree", "Tree.size"}),
        ("theorem T : (.leaf : Tree).size = 0 := rfl", {"Tree", "Tree.size"}),
        ("def T : Point := { x := 1, y := 2 }", {"Point"}),
        ("def T := ({ x := 1, y := 2 } : Point)", {"Point"}),
        ("theorem T (t : Tree) : True := by rcases t.rec with h", {"Tree"}),
        ("theorem T (t : Tree) : True := by simp [Tree.size.eq_1]", {"Tree", "Tree.size"}),
        ("theorem T (t : Tree) : True := by exact Tree.node.injEq", {"Tree"}),
        ("def T := instReprTree", {"Tree"}),
        ("theorem T : ∀ t : Tree, t.size = 0 | .node l k r => l.size", {"Tree", "Tree.size"}),
        ("def T : Pixel → Nat | ⟨p, c⟩ => p.sum + c.size", {"Pixel", "Point.sum", "Tree.size"}),
        ("def T (p : Pixel) := p.1.sum + p.2.size", {"Pixel", "Point.sum", "Tree.size"}),
        ("def T (f : Nat → Tree) := (f 1).size", {"Tree", "Tree.size"}),
        ("def T (ps : List Tree) := ps.map Tree.size", {"Tree", "Tree.size"}),
        ("def T (ps : List Tree) := ps.map (·.size)", {"Tree", "Tree.size"}),
        ("def T (p : Pixel) := p.color |>.size", {"Pixel", "Tree.size"}),
    ],
)
def test_constructors_fields_and_dot_notation(
    tmp_path: Path, body: str, expected: set[str]
) -> None:
    found = set(used(tmp_path, TYPES + body + "\n"))
    # The field `color` makes its type be mentioned, not used.
    assert found - {"Tree"} == expected - {"Tree"}
    assert found >= expected


def test_alternatives_of_tactics_know_the_types_of_their_names(tmp_path: Path) -> None:
    text = """
inductive A where
  | a (n : Nat)
inductive B where
  | b (x : A)
  | c {y : A} (z : B)
def A.f (x : A) := x
def B.f (x : B) := x
theorem T (t : B) : True := by
  induction t with
  | b x => exact x.f
  | @c y z ih => exact y.f
theorem U (t : B) : True := by
  cases t with
  | b x => trivial
  | c z => exact z.f
"""
    assert used(tmp_path / "one", text) == {"B": "statement", "A.f": "proof"}
    assert used(tmp_path / "two", text, "U") == {"B": "statement", "B.f": "proof"}


def test_the_type_of_a_hypothesis_may_be_a_notation(tmp_path: Path) -> None:
    text = """
inductive Step : Nat → Nat → Prop where
  | one (n : Nat) : Step n n
inductive Steps : Nat → Nat → Prop where
  | refl (n : Nat) : Steps n n
infix:50 " ⇝ " => Step
infix:50 " ⇝* " => Steps
theorem Step.symm {a b : Nat} (h : a ⇝ b) : b ⇝ a := h
theorem Steps.symm {a b : Nat} (h : a ⇝* b) : b ⇝* a := h
theorem T (h : 1 ⇝ 2) : 2 ⇝ 1 := h.symm
theorem U (h : 1 ⇝* 2) : 2 ⇝* 1 := h.symm
"""
    assert used(tmp_path / "one", text) == {"Step": "statement", "Step.symm": "proof"}
    assert used(tmp_path / "two", text, "U") == {"Steps": "statement", "Steps.symm": "proof"}


# Notations and macros


@pytest.mark.parametrize(
    ("command", "use", "expected"),
    [
        ('infixl:65 " ⊕ " => f', "1 ⊕ 2", {"f"}),
        ('notation "⟪" a "⟫" => f a', "⟪1⟫", {"f"}),
        ('notation a " ;; " b => f a b', "1 ;; 2", {"f"}),
        ('notation a " ;; " b => f a b', "(1; 2)", set()),
        ('notation a "[" x " := " v "]" => f a x v', "g[1 := 2]", {"f", "g"}),
        ('notation a "[" x " := " v "]" => f a x v', "(a := [1, 2])", set()),
        ('macro "twice" x:term : term => `(f $x)', "twice 1", {"f"}),
        (
            'syntax "both " term : term\nmacro_rules\n  | `(both $x) => `(f $x g)',
            "both 1",
            {"f", "g"},
        ),
        ('local notation "⟪" a "⟫" => f a', "⟪1⟫", {"f"}),
        ('scoped notation "⟪" a "⟫" => f a', "⟪1⟫", {"f"}),
    ],
)
def test_notations_stand_for_names(
    tmp_path: Path, command: str, use: str, expected: set[str]
) -> None:
    text = f"def f := 1\ndef g := 2\n{command}\ntheorem T : {use} = 0 := sorry\n"
    assert set(used(tmp_path, text)) == expected


def test_where_a_notation_holds(tmp_path: Path) -> None:
    other = (
        'namespace A\ndef f := 1\nscoped prefix:max "⋄" => f\nend A\n'
        'def g := 1\nlocal prefix:max "⋆" => g\n'
    )
    text = "theorem T : ⋄1 = ⋆1 := sorry\n"
    assert used(tmp_path / "one", text, Other=other) == {}
    opened = used(tmp_path / "two", "open A\n" + text, Other=other)
    assert opened == {"A.f": "statement"}
    scoped = used(tmp_path / "three", "open scoped A\n" + text, Other=other)
    assert scoped == {"A.f": "statement"}
    later = 'theorem T : ⋄1 = 1 := sorry\ndef f := 1\nprefix:max "⋄" => f\n'
    assert used(tmp_path / "four", later) == {}


# Local names

SHADOWED = [
    "theorem T (f : Nat) : f = f := rfl",
    "theorem T {f : Nat} : f = f := rfl",
    "theorem T : ∀ f : Nat, f = f := sorry",
    "theorem T : ∀ (f : Nat) (g : Nat), f = g := sorry",
    "theorem T : ∃ f, f = 1 := sorry",
    "theorem T : ∃ f ∈ [1], f = 1 := sorry",
    "theorem T : (f : Nat) → f = 1 := sorry",
    "theorem T : (fun f => f) = id := sorry",
    "theorem T : (fun (f : Nat) ↦ f) = id := sorry",
    "theorem T : (fun ⟨f, g⟩ => f) = id := sorry",
    "theorem T : (fun | 0 => 0 | f => f) = id := sorry",
    "theorem T : {f : Nat | f = 1} = {f | f = 1} := sorry",
    "theorem T : {f // f = 1} = 1 := sorry",
    "theorem T : let f := 1; f = 1 := sorry",
    "theorem T : True := by\n  intro f g\n  exact f g",
    "theorem T : True := by\n  rintro ⟨f, -⟩ | g\n  exact f",
    "theorem T : True := by\n  obtain ⟨f, g⟩ := h\n  exact f g",
    "theorem T : True := by\n  obtain f | g := h\n  · exact f\n  · exact g",
    "theorem T : True := by\n  rcases h with ⟨f, g⟩\n  exact f g",
    "theorem T : True := by\n  cases' h with f g\n  exact f g",
    "theorem T : True := by\n  cases h with\n  | inl f => exact f\n  | inr g => exact g",
    "theorem T : True := by\n  induction n with\n  | zero => rfl\n  | succ f g => exact g f",
    "theorem T : True := by\n  induction n using Foo.rec with\n  | _ f g => exact g f",
    "theorem T : True := by\n  have f : True := h\n  exact f",
    "theorem T : True := by\n  have ⟨f, g⟩ := h\n  exact f g",
    "theorem T : True := by\n  let f := 1\n  exact f",
    "theorem T : True := by\n  set f := 1 with g\n  exact g f",
    "theorem T : True := by\n  by_cases f : True\n  · exact f\n  · exact f",
    "theorem T : True := by\n  rename_i f g\n  exact f g",
    "theorem T : True := by\n  next f => exact f",
    "theorem T : True := by\n  case inl f => exact f",
    "theorem T : True := by\n  generalize f : 1 = g\n  exact f g",
    "theorem T : True := by\n  choose f g using h\n  exact f g",
    "theorem T : True := by\n  ext f\n  exact f",
    "theorem T : True := by\n  by_contra f\n  exact f",
    "theorem T : True := by\n  refine h fun f => ?_\n  exact f",
    "theorem T : True := if f : True then f else f",
    "theorem T : True := match h with | ⟨f, g⟩ => f g",
    "theorem T : True := match f : h with | _ => f",
    "theorem T : True := match h with\n  | some f, g => f\n  | x@f, _ => f",
    "def T : Nat → Nat\n  | 0 => 0\n  | f + 1 => f",
    "def T : List Nat → Nat\n  | [] => 0\n  | f :: g => f + g.length",
    "def T := Id.run do\n  let mut f := 1\n  for g in [1] do\n    f := f + g\n  return f",
    "def T := do\n  let f ← h\n  return f",
    "def T := do\n  let (f, g) ← h\n  return f + g",
    "def T := f 1\nwhere\n  f (g : Nat) := g",
    "def T := Id.run do\n  let rec f (g : Nat) := g\n  return f 1",
    "structure T where\n  f : Nat\n  g : f = f",
    "inductive T where\n  | f (g : Nat) (h : g = g)",
    "theorem T : foo (f := 1) = 1 := sorry",
    "instance T : Bar := { f := 1, g := 2 }",
    "instance T : Bar where\n  f := 1\n  g x := x",
    "theorem T : True := h (`f)",
    "variable (f : Nat)\ntheorem T : f = 1 := sorry",
]


@pytest.mark.parametrize("text", SHADOWED)
def test_local_names_hide_others(tmp_path: Path, text: str) -> None:
    assert used(tmp_path, f"def f := 1\ndef g := 2\n{text}\n") == {}


UNSHADOWED = [
    ("theorem T : (∃ f, f = 1) ∧ f = 1 := sorry", {"f"}),
    ("theorem T : (fun f => f) f = 1 := sorry", {"f"}),
    ("theorem T : True := by\n  have f := f 1\n  exact f", {"f"}),
    ("theorem T : True := by\n  have : True := by\n    intro f\n    exact f\n  exact f", {"f"}),
    ("theorem T : True := by\n  constructor\n  · intro f\n    exact f\n  · exact f", {"f"}),
    ("theorem T : True := by\n  cases h with\n  | a f => exact f\n  | b => exact f", {"f"}),
    ("def T : Nat → Nat\n  | 0 => f\n  | f + 1 => f", {"f"}),
    ("def T : Nat → Nat\n  | f + 1 => f\n  | 0 => f", {"f"}),
    ("theorem T : {f | f = 1} = f := sorry", {"f"}),
    ("theorem T : ``f = 1 := sorry", {"f"}),
    ("theorem T : foo (x := f) = 1 := sorry", {"f"}),
    ("instance T : Bar := { f := g }", {"g"}),
    ("instance T : Bar where\n  f := g", {"g"}),
    ("def T := h f\nwhere\n  h (f : Nat) := f", {"f"}),
    ("theorem T : f 1 = f 2 ∧ ∀ f : Nat, f = 1 := sorry", {"f"}),
    ("theorem T : True := by\n  rw [f, ← g] at h ⊢\n  simp only [f]", {"f", "g"}),
    ("section\nvariable (f : Nat)\nend\ntheorem T : f = 1 := sorry", {"f"}),
]


@pytest.mark.parametrize(("text", "expected"), UNSHADOWED)
def test_local_names_end(tmp_path: Path, text: str, expected: set[str]) -> None:
    assert set(used(tmp_path, f"def f := 1\ndef g := 2\n{text}\n")) == expected


# Variables


def test_variables_that_are_used_bring_their_types(tmp_path: Path) -> None:
    text = """
class C (α : Type) where
  c : α
def A := Nat
def B := Nat
variable {α : Type} [C α] (x : α) (a : A) (b : B)
theorem T : x = x := rfl
theorem U : a = a := rfl
include b in
theorem V : True := trivial
omit [C α] in
theorem W : x = x := rfl
"""
    for number, (name, expected) in enumerate(
        {"T": {"C"}, "U": {"A"}, "V": {"B"}, "W": {"C"}}.items()
    ):
        found = used(tmp_path / str(number), text, name)
        if name != "W":
            assert set(found) == expected
        assert set(found.values()) <= {"statement"}


def test_a_variable_has_the_members_of_its_type(tmp_path: Path) -> None:
    text = """
structure P where
  n : Nat
def P.f (p : P) := p.n
variable (p : P)
theorem T : p.f = 0 := sorry
"""
    assert used(tmp_path, text) == {"P": "statement", "P.f": "statement"}


def test_names_that_lean_binds_by_itself(tmp_path: Path) -> None:
    text = """
inductive Ctx where
  | nil
  | cons (Γ : Ctx) (n : Nat)
inductive Has : Ctx → Nat → Prop where
  | here : Has (Γ.cons n) n
def Ctx.f (Γ : Ctx) := Γ
def Other.f := 1
theorem T : Has Γ n → Γ.f = Γ := sorry
theorem U (h : Has Γ n) : True := by
  intro
  exact foo Γ.f
theorem V (h : True) : True := by
  obtain ⟨Δ, x⟩ := h
  exact Has.here (Has Δ) Δ.f
"""
    assert used(tmp_path / "one", text) == {
        "Has": "statement",
        "Ctx.f": "statement",
    }
    assert used(tmp_path / "two", text, "U") == {"Has": "statement", "Ctx.f": "proof"}
    assert used(tmp_path / "three", text, "V") == {"Has": "proof", "Ctx.f": "proof"}


def test_a_tactic_is_not_a_definition_of_its_name(tmp_path: Path) -> None:
    text = "def subst := 1\ndef use := 2\ntheorem T : subst = 1 := by\n  subst h\n  use 1\n"
    assert used(tmp_path, text) == {"subst": "statement"}


# Libraries


def test_names_of_libraries(tmp_path: Path) -> None:
    text = (
        "theorem T (n : ℕ) (xs : List Nat) (h_x : n = 1) : xs.length = n := by\n"
        "  rw [Nat.add_comm, mul_one, foo] at h_x\n  simp_all [h_x, List.map_cons, hx₁]\n"
        "  exact congrArg id h_x\n"
    )
    assert library(tmp_path, text) == {
        "Nat",
        "List",
        "List.length",
        "Nat.add_comm",
        "mul_one",
        "List.map_cons",
        "congrArg",
        "id",
    }


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("Nat", "definition"),
        ("Nat.add_comm", "lemma"),
        ("List.map", "definition"),
        ("Finset.sum_congr", "lemma"),
        ("ENNReal", "definition"),
        ("Eq.symm", "lemma"),
        ("Nat.rec", "definition"),
        ("mul_one'", "lemma"),
        ("List.toArray", "definition"),
        ("ℝ", "definition"),
    ],
)
def test_the_role_of_a_library_name_by_its_spelling(name: str, role: str) -> None:
    assert is_library_name(name)
    assert role_of(name) == role


@pytest.mark.parametrize("name", ["x", "α", "h₁", "h_x", "ih_n", "x'", "simp_all", "foo", "A"])
def test_names_that_are_no_library_names(name: str) -> None:
    assert not is_library_name(name)


def test_a_set_of_simplification_lemmas_is_no_lemma(tmp_path: Path) -> None:
    text = "register_simp_attr my_set\ntheorem T : True := by simp only [my_set, and_true]\n"
    assert library(tmp_path, text) == {"True", "and_true"}


# Any text

WORDS = (
    "def theorem T := by : ( ) { } [ ] ⟨ ⟩ , | => ∀ ∃ fun let have in with match where intro x .f "
    "x.f f A.g open namespace end section variable inductive structure instance class mutual "
    'notation "+" \n \n\n = ← → `( $ @[ 1 .1 · ; ⊢ -- /- -/ export alias extends '
    "deriving rcases obtain induction cases for do if then else case next generalize choose "
    "macro_rules :: @ _ «a.b» {"
).split(" ")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_any_text_is_read(words: list[str]) -> None:
    text = " ".join(words)
    facts_of(scan(text))
    with TemporaryDirectory() as root:
        resolver = project(Path(root), {"Main": text})
        entries = resolver.index.entries("Main")
        assert len(resolver.module_uses("Main")) == len(entries)


@given(st.text(alphabet=st.sampled_from('()[]{}⟨⟩ax.|\n "'), max_size=40))
def test_brackets_match(text: str) -> None:
    words = Stream(text, 0, len(text))
    for at, close in enumerate(words.close):
        if close >= 0:
            assert at < close <= len(words)
    assert (
        "".join(words.text[s:e] for s, e in zip(words.start, words.end, strict=True))
        == "".join(text.split())
        or '"' in text
    )
