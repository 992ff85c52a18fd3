"""Source text with its proofs left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_vsb.source import lexer, scan
from pytest_vsb.source.elide import (
    PROVING,
    cuts,
    elide,
    elided,
    proof_spans,
    statement_only,
)
from pytest_vsb.source.facts import Facts, facts_of, merge

DEMO = sorted((Path(__file__).parents[2] / "benchmark" / "demo").rglob("*.lean"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("theorem t : p := by\n  exact h\n", "theorem t : p := …\n"),
        ("theorem t : p := h\n\ndef a := 1\n", "theorem t : p := …\n\ndef a := 1\n"),
        (
            "lemma u : ∀ n, f n = n\n  | 0 => rfl\n  | n + 1 => u n\n",
            "lemma u : ∀ n, f n = n := …\n",
        ),
        ("theorem c : Laws where\n  one := rfl\n", "theorem c : Laws := …\n"),
        ("example : 1 = 1 := by rfl\n", "example : 1 = 1 := …\n"),
        (
            "/-- Doc. -/\n@[simp] protected theorem t -- why\n  : p := /- a -/ by rfl\n-- after\n",
            "/-- Doc. -/\n@[simp] protected theorem t -- why\n  : p := …\n-- after\n",
        ),
        ("theorem t : p -- hint: use h\n  := h", "theorem t : p := …"),
        (
            "theorem t (h : a = b := by decide) : let x := 1; x = 1 := by rfl",
            "theorem t (h : a = b := by decide) : let x := 1; x = 1 := …",
        ),
        (
            "theorem t : p := aux where\n  aux : p := by\n    simp\ntermination_by 1\n",
            "theorem t : p := …\n",
        ),
        (
            "mutual\ntheorem a : p := b\n\ntheorem b : p := by exact a\nend\n",
            "mutual\ntheorem a : p := …\n\ntheorem b : p := …\nend\n",
        ),
        ("axiom a : p\n", "axiom a : p\n"),
        ("theorem t : p\n", "theorem t : p\n"),
    ],
)
def test_the_body_of_a_proposition_is_left_out(text: str, expected: str) -> None:
    assert elide(scan(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def b : Fin 3 := ⟨1, by omega⟩", "def b : Fin 3 := ⟨1, by …⟩"),
        ("def b : A := ⟨by simp, 2, by\n  omega⟩", "def b : A := ⟨by …, 2, by …⟩"),
        ("def f : A := { h := by simp; rfl, b := 2 }", "def f : A := { h := by …, b := 2 }"),
        ("def f : A := ⟨by use a, b⟩", "def f : A := ⟨by …⟩"),
        ("def f := (by simp : 1 = 1)", "def f := (by … : 1 = 1)"),
        ("def f := (by have h : p := q; simp)", "def f := (by …)"),
        (
            "def c (n : Nat) : Nat :=\n  have : p := by\n    omega\n    done\n  c n\n"
            "termination_by n\ndecreasing_by\n  simp\n  exact this\n",
            "def c (n : Nat) : Nat :=\n  have : p := by …\n  c n\n"
            "termination_by n\ndecreasing_by …\n",
        ),
        (
            "instance : Foo Nat where\n  x := 1\n  law := by\n    intro a\n    simp\n"
            "  law' a := by simp [a]\n  y := 2\n",
            "instance : Foo Nat where\n  x := 1\n  law := by …\n  law' a := by …\n  y := 2\n",
        ),
        ("instance : Bar := by infer_instance", "instance : Bar := by …"),
        (
            "def e := if by decide then by exact 1 else by exact 2",
            "def e := if by … then by … else by …",
        ),
        ("def e := (by if h then simp else omega)", "def e := (by …)"),
        # What a definition is stays, even where it is made by tactics.
        ("def a : Nat := by exact 3", "def a : Nat := by exact 3"),
        (
            "def a : Nat := by\n  exact 3\ndecreasing_by simp",
            "def a : Nat := by\n  exact 3\ndecreasing_by …",
        ),
        ("structure S where\n  h : p := by rfl", "structure S where\n  h : p := by …"),
        ("def s := t.by", "def s := t.by"),
        ('def s := "by simp" -- by simp', 'def s := "by simp" -- by simp'),
        ('macro "m" : tactic => `(tactic| exact by simp)', None),
        # A command of the repository's own that proves something.
        ("prove_thing foo by\n  simp\n  done\n\ndef a := 1", "prove_thing foo by …\n\ndef a := 1"),
    ],
)
def test_tactic_blocks_in_definitions_are_left_out(text: str, expected: str | None) -> None:
    assert elide(scan(text)) == (text if expected is None else expected)


def test_one_declaration() -> None:
    source = scan("def a := 1\n\n/-- D. -/\ntheorem t : p := by\n  simp\n\ndef b : A := ⟨by rfl⟩\n")
    _, theorem, definition = source.declarations
    assert elided(source, theorem) == "/-- D. -/\ntheorem t : p := …"
    assert elided(source, definition) == "def b : A := ⟨by …⟩"
    assert statement_only(source, theorem) == "theorem t : p"


def words(text: str) -> list[str]:
    return [
        text[start:end]
        for group, start, end, _ in lexer.lex(text)
        if group not in ("space", "line", "block")
    ]


@pytest.mark.parametrize("path", DEMO, ids=lambda path: path.stem)
def test_no_proof_of_the_demo_is_shown(path: Path) -> None:
    source = scan(path.read_bytes().decode())
    shown = elide(source)
    rest = scan(shown)
    assert [d.full_name for d in rest.declarations] == [d.full_name for d in source.declarations]
    for before, after in zip(source.declarations, rest.declarations, strict=True):
        assert after.statement.of(shown) == before.statement.of(source.text)
        if before.kind in PROVING:
            assert after.body is not None
            assert after.body.of(shown) == ":= …"
    # Patterns of a function's cases are alike in definitions and proofs; more than that is none.
    runs = set(zip(*(words(shown)[n:] for n in range(14)), strict=False))
    for declaration in source.declarations:
        if declaration.kind in PROVING and declaration.body is not None:
            proof = words(declaration.body.of(source.text))
            assert runs.isdisjoint(zip(*(proof[n:] for n in range(14)), strict=False))


STRUCTURES = """class Laws (α : Type) where
  unit : α
  op : α → α → α
  Valid : α → Prop
  op_unit : ∀ a, op a unit = a
  unit_valid : Valid unit
  sound (a : α) (h : Valid a) : Valid (op a a)
structure Pair where
  number : Nat
  small : number < 3
class Fine (α : Type) : Prop where
  fine : ∀ a : α, a = a
def Good (n : Nat) : Prop := n = n
theorem Pair.known (n : Nat) : n < 3 := trivial
infix:50 " ≺ " => Pair.less
def Pair.less (a b : Nat) : Prop := a < b
infixr:40 " ⊞ " => Sum.pair
infix:50 " ∣ " => Pair.split
def Pair.split (a b : Nat) : Type := Fin (a + b)
abbrev Tiny (n : Nat) := n < 3
abbrev Below (n : Nat) := n ≺ 3
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Fields, by what the structure says.
        (
            "instance : Laws Nat where\n  unit := zero one\n  Valid n := p n\n  op_unit a := q a\n"
            "  unit_valid := q (r s)\n  sound\n    | 0, h => q h\n    | n + 1, h => r\n",
            "instance : Laws Nat where\n  unit := zero one\n  Valid n := p n\n  op_unit a := …\n"
            "  unit_valid := …\n  sound := …\n",
        ),
        ("def p : Pair := ⟨f 1, g 2⟩", "def p : Pair := ⟨f 1, …⟩"),
        ("def p : Nat → Pair := fun n => ⟨f n, g 2⟩", "def p : Nat → Pair := fun n => ⟨f n, …⟩"),
        (
            "def p : Nat → Pair\n  | 0 => ⟨0, z⟩\n  | n => ⟨1, o n⟩",
            "def p : Nat → Pair\n  | 0 => ⟨0, …⟩\n  | n => ⟨1, …⟩",
        ),
        ("def p := f (⟨0, z⟩ : Pair) 1", "def p := f (⟨0, …⟩ : Pair) 1"),
        ("def p : Pair := { number := f 1, small := g 2 }", None),
        ("def p := { q with\n  number := f 1\n  small := g 2 }", None),
        ("def p : Fin 3 := ⟨f 1, g 2⟩", "def p : Fin 3 := ⟨f 1, …⟩"),
        ("def p (n : Nat) : {m // m < n} := ⟨f 1, g 2⟩", None),
        ("instance : Fine Nat := ⟨f 1⟩", "instance : Fine Nat := …"),
        ("instance : Fine Nat where\n  fine _ := f\n", "instance : Fine Nat := …\n"),
        ("instance : LawfulBEq Nat where\n  rfl := f\n", "instance : LawfulBEq Nat := …\n"),
        # What is a proposition, however it is declared.
        ("def t : f 1 = 2 := g 1", "def t : f 1 = 2 := …"),
        ("def t : ∀ n, P n := by\n  exact h", "def t : ∀ n, P n := …"),
        ("def t (n : Nat) : Good n → 1 ≤ n\n  | h => h", "def t (n : Nat) : Good n → 1 ≤ n := …"),
        ("def t : Good 3 := by exact h", "def t : Good 3 := …"),
        ("def t : a ≺ b := f", "def t : a ≺ b := …"),
        ("def t : Laws.Valid 1 := f x", "def t : Laws.Valid 1 := …"),
        ("def t : law.Valid 1 := f x", "def t : law.Valid 1 := …"),
        ("def t : ⨆ a ≺ ⨆ b := f x", "def t : ⨆ a ≺ ⨆ b := …"),
        ("def t : Tiny 1 := f x", "def t : Tiny 1 := …"),
        ("def t : Below 1 := f x", "def t : Below 1 := …"),
        ("abbrev t (P : Nat → Prop) (h : P 1) : P 1 := h x", None),
        # What is none.
        ("def t : Nat := by exact 3", "="),
        ("def t : a ⊞ b := f (x y)", "="),
        ("def t : A -n> B := f (x y)", "="),
        ("def t : ℝ≥0 := f (x y)", "="),
        ("def t : Set Nat := { n | n < 3 }", "="),
        ("def t (P : Nat → Type) : ∀ n, P n := f (x y)", "="),
        ("def t : ∀ i, Inhabited (F i) := f (x y)", "="),
        ("def t : ∀ i, A i -n> B i := f (x y)", "="),
        ("def t : ∀ i, β i := f (x y)", "="),
        ("def t : ∀ i, A i → m (B i) := f (x y)", "="),
        ("def t : (n : Nat) ×' n = x := f (x y)", "="),
        ("def t : A × B ↔ C := f (x y)", "def t : A × B ↔ C := …"),
        ("def t : a ∣ b := f (x y)", "="),
        ("def t : a ∣ b ∧ c := f (x y)", "def t : a ∣ b ∧ c := …"),
        ("def t : Good 3 → Nat := fun h => f (x h)", "="),
        ("def t : Decidable (a = b) := f (x y)", "="),
        ("def Q (n : Nat) : Prop := f n = g (h n)", "="),
        ("def t := h ▸ x", "="),
        ("def t (b : Bool) := f x (g b) b.known", "="),
        ("def f := fun (h : a = b) => g h 1", "="),
        ("def f : Nat → Nat | ⟨n, rfl⟩ => n", "="),
        ("def f := let ⟨n, rfl⟩ := g x; n", "="),
        ("def f := match g with | ⟨n, rfl⟩ => n", "="),
        ("def f := (known x).choose", "="),
        ("def f := Classical.choose (Pair.known x)", "="),
        # Bindings.
        (
            "def f :=\n  have h : a = b := g\n    (x y)\n  let n : Nat := g (x y)\n  h ▸ n",
            "def f :=\n  have h : a = b := …\n  let n : Nat := g (x y)\n  h ▸ n",
        ),
        ("def f := have := g x; y", "def f := have := …; y"),
        ("def f := have h := g x; y", "def f := have h := …; y"),
        ("def f := have next := g x; y", "="),
        ("def f := have : Fintype A := g x; y", "="),
        ("def f := have : p a := g x; y", "def f := have : p a := …; y"),
        ("def f := have h : Foreign A := g x; y", "def f := have h : Foreign A := …; y"),
        ("def f := have := Fintype.ofFinite x; y", "="),
        ("def f := have h := Fintype.card_pos x; y", "def f := have h := …; y"),
        ("def f := have n : Nat := g x; y", "="),
        ("def f := have ⟨a, b⟩ := g x; a", "="),
        ("def f := let h : 1 ≤ n := g x; y", "def f := let h : 1 ≤ n := …; y"),
        ("def f := g (show a < b from h x) y", "def f := g (show a < b from …) y"),
        ("def f := g (show A from h x) y", "="),
        ("def f := g (h x : a < b) y", "def f := g (… : a < b) y"),
        ("def f := g (h x : A) y", "="),
        (
            "def f := suffices h : a = b from g h; p (q r)",
            "def f := suffices h : a = b from g h; …",
        ),
        ("def f := g (calc a = b := x\n  _ = c := y) 1", "def f := g (calc …) 1"),
        # What is evidently a proof.
        ("def f := g (Pair.known 1) 2", "def f := g (…) 2"),
        ("def f := g ⟨1, Pair.known 1⟩", "def f := g ⟨1, …⟩"),
        ("def f := g (h := rfl) ⟨0, rfl⟩", "def f := g (h := …) ⟨0, …⟩"),
        ("namespace Pair\ndef f := g (known 1)", "namespace Pair\ndef f := g (…)"),
        ("open Pair\ndef f := g (known 1)", "open Pair\ndef f := g (…)"),
        ("def f (known : A) := g (known 1)", "="),
        ("open Pair\ndef f := fun known => g (known 1)", "="),
        # Local declarations.
        (
            "def f (n : Nat) : Nat := go n\nwhere\n  go (n : Nat) : Nat := g (x n)\n"
            "  small : go 1 = 2 := h\n  big (n : Nat) : n < go n\n    | 0 => h\n    | n => i n\n",
            "def f (n : Nat) : Nat := go n\nwhere\n  go (n : Nat) : Nat := g (x n)\n"
            "  small : go 1 = 2 := …\n  big (n : Nat) : n < go n := …\n",
        ),
        # Default values.
        (
            "structure S where\n  n : Nat := f (x y)\n  h : n = 1 := g (x y)\n"
            "  i : Good n := by simp\n",
            "structure S where\n  n : Nat := f (x y)\n  h : n = 1 := …\n  i : Good n := by …\n",
        ),
        # The tactics that make data stay, and the proofs in them do not.
        (
            "def f : Nat := by\n  have h : a = b := by simp\n  exact g (by omega) h",
            "def f : Nat := by\n  have h : a = b := by …\n  exact g (by …) h",
        ),
        ("def f := let n : Nat := by exact 3; g n", "="),
        # Syntax is no proof.
        ("def f := `(tactic| (have h := by simp; exact h))", "="),
        ("def f := q(Pair.known $x)", "="),
        ("def f := { , a := 1 }", "="),
        ("def f := [prog| { x : (a b : c = d) := (rfl) } ]", "="),
        ("def f := [prog(4)| (a b : c = d) := (rfl) ]", "="),
        ("def f := g [prog(4)| (a b : c = d) := (rfl) ] h", "="),
        ("variable (h : a = b := by simp)", "="),
    ],
)
def test_terms(text: str, expected: str | None) -> None:
    shown = {
        None: text.replace("g 2", "…").replace("h x", "…"),
        "=": text,
    }.get(expected, expected)
    assert elide(scan(text), FACTS) == shown
    # The same where the file says it itself.
    assert elide(scan(f"{STRUCTURES}\n{text}")).endswith(f"\n{shown}")


FACTS = facts_of(scan(STRUCTURES))


def test_a_library_names_its_proofs_in_snake_case() -> None:
    text = (
        "instance : Foreign Nat where\n  next_law := f x\n  nextStep := f x\n  x_decidable := f x"
    )
    shown = text.replace("law := f x", "law := …")
    assert elide(scan(text), merge([FACTS], complete=True)) == shown
    assert elide(scan(text), FACTS) == text


def test_a_notation_of_a_structure() -> None:
    text = (
        'structure Order where\n  map : Nat\n  map_law : map = 1\ninfix:50 " ⊴ " => Order\n'
        "def o : a ⊴ b :=\n  { map := f x\n    map_law := f x }\ndef p : a ⊴ b := ⟨f x, f y⟩"
    )
    shown = text.replace("law := f x", "law := …").replace("f y", "…")
    assert elide(scan(text), merge([], complete=True)) == shown


def test_facts_of_several_files() -> None:
    other = facts_of(scan("structure Other where\n  n : Nat\n  ok : n = 1\ntheorem a.b : p := q\n"))
    both = merge([FACTS, other])
    text = "def o : Other := ⟨f 1, g (a.b 2)⟩\ndef p : Pair := ⟨f 1, g 2⟩"
    assert elide(scan(text), both) == text.replace("g (a.b 2)", "…").replace("g 2", "…")
    assert both.digest != FACTS.digest == facts_of(scan(STRUCTURES)).digest
    assert merge([other, FACTS]).digest == both.digest
    assert Facts().digest != merge([], complete=True).digest


def test_inherited_fields() -> None:
    text = (
        "structure A where\n  law : x = 1\nstructure B extends A where\n  law2 : Nat\n"
        "def b : B where\n  law := f\n  law2 := f\ndef c : B := ⟨f a, f b⟩"
    )
    assert elide(scan(text)) == text.replace("law := f", "law := …")


def covers(text: str, spans: list[tuple[int, int, str]]) -> str:
    """The text with spans replaced, as a reader of the cuts would."""
    shown, pos = "", 0
    for start, end, new in spans:
        assert pos <= start < end <= len(text)
        shown += text[pos:start] + new
        pos = end
    return shown + text[pos:]


# Bodies and fields as templates: SECRET is within a proof, KEPT is not.
PROOFS = [
    "SECRET",
    "by SECRET",
    "by\n      exact SECRET a\n      simp [SECRET]",
    "f SECRET (g SECRET)",
    "fun x => ⟨SECRET, by SECRET, x⟩",
    "h ▸ SECRET",
    "Pair.known SECRET",
    "match x with\n      | 0 => SECRET\n      | n + 1 => by SECRET",
    "calc\n      a = b := SECRET\n      _ = c := by SECRET",
    "have h := SECRET\n      SECRET h",
]
DATA = [
    "KEPT",
    "f KEPT (g KEPT)",
    "fun x => KEPT x",
    "⟨KEPT, 1⟩",
    "f (h := rfl) KEPT",
    "f (Pair.known SECRET) KEPT",
    "f ⟨KEPT, by SECRET⟩ KEPT",
    "if KEPT then KEPT else f (by SECRET) KEPT",
    "match KEPT with\n      | ⟨n, rfl⟩ => KEPT\n      | _ => f (by\n        SECRET) KEPT",
    "have h : a = KEPT := SECRET\n      f KEPT h",
    "let n := KEPT\n      have : n = KEPT := SECRET SECRET; f KEPT",
    "g (show KEPT = a from SECRET x) KEPT",
    "do\n      let x ← KEPT\n      have h : x = KEPT := SECRET x\n      return f x KEPT",
]
HEADS = [
    "theorem t (h : KEPT) : KEPT = a := PROOF",
    "@[simp] private lemma t (h : a := by KEPT) : let x := 1; q x := PROOF",
    "theorem t : KEPT → KEPT\n  | 0 => PROOF\n  | n => PROOF",
    "theorem t : KEPT where\n  h := PROOF\n  i := PROOF",
    "example : KEPT := PROOF",
    "mutual\ntheorem t : KEPT := PROOF\n\ntheorem u : KEPT := PROOF\n\nend",
    "def t : KEPT = a := PROOF",
    "instance : Fine KEPT := PROOF",
    "instance : Laws KEPT where\n  unit := DATA\n  op_unit a := PROOF\n  Valid x := DATA\n"
    "  sound a h := PROOF\n  unit_valid := PROOF",
    "def f : Pair where\n  number := DATA\n  small := PROOF",
    "def f : Pair :=\n  { number := DATA\n    small := PROOF }",
    "structure S (α : KEPT) where\n  n : KEPT := DATA\n  h : n = KEPT := PROOF\n  k : Nat",
    "def f : KEPT := DATA",
    "def f : KEPT → A\n  | KEPT => DATA\n  | ⟨n, rfl⟩ => DATA",
    "def f (n : KEPT) : A := go n\nwhere\n  go : KEPT := DATA\n  law : KEPT = go := PROOF",
    "def f (n : KEPT) : A := DATA\ntermination_by KEPT\ndecreasing_by\n  SECRET\n  SECRET",
    "def f : Pair := ⟨KEPT KEPT, SECRET SECRET⟩",
    "prove_thing x by\n      SECRET",
    "/-- KEPT by SECRETS -/\naxiom a : KEPT",
    'macro "KEPT" : tactic => `(tactic| exact by KEPT)',
    "open Nat in\n-- KEPT\ndef f := DATA",
]


@st.composite
def files(draw: st.DrawFn) -> str:
    """A file of generated declarations with marks within their proofs and outside of them."""
    text = ""
    for _ in range(draw(st.integers(1, 4))):
        head = draw(st.sampled_from(HEADS))
        for kind, bodies in (("PROOF", PROOFS), ("DATA", DATA)):
            while kind in head:
                head = head.replace(kind, draw(st.sampled_from(bodies)), 1)
        text += head + draw(st.sampled_from(["\n\n", "\n\n-- note\n"]))
    return text


@given(files())
@settings(deadline=None, max_examples=150)
def test_no_token_of_a_proof_is_shown_and_all_others_are(text: str) -> None:
    shown = elide(scan(text), FACTS)
    assert "SECRET" not in shown.replace("SECRETS", "")
    assert shown.count("KEPT") == text.count("KEPT")


@given(
    st.one_of(
        st.text(),
        files(),
        st.lists(st.sampled_from([*HEADS, *PROOFS, *DATA, "\n", "end", *",){}⟨|", ":="])).map(
            " ".join
        ),
    )
)
@settings(deadline=None, max_examples=120)
def test_any_text(text: str) -> None:
    source = scan(text)
    found = cuts(source, FACTS)
    # What is shown is the text with parts taken out.
    assert elide(source, FACTS) == covers(text, [(c.span.start, c.span.end, c.new) for c in found])
    assert proof_spans(source, FACTS) == tuple(cut.span for cut in found)
    assert {cut.new for cut in found} <= {"…", " …", " := …"}
    for declaration in source.declarations:
        assert elided(source, declaration, FACTS) in elide(source, FACTS)


def test_elision_is_quick_on_hostile_text() -> None:
    # Each would take minutes if a bracket or block were read again from every one inside of it.
    for piece, closing in (
        ("⟨(", ")⟩"),
        ("{ a := ", "}"),
        ("{ law := x\n a := ", "}"),
        ("(h : Nat) ", ""),
        ("fun x => ", ""),
        ("fun (x) => ", ""),
        ("have h := ", ";"),
        ("have : A := (", ");"),
        ("suffices h : a from (", ");"),
        ("by (", ")"),
        ("(a : ", ")"),
        ("(a b : ", " = b)"),
        ("[f (g ", ")]"),
        ("∀ x, ", ""),
        (") ⟩ ", "("),
        ("match a with | x => ", ""),
        ("f where\n  a := ", ""),
        ("calc a = b := ", ""),
        ("| x, y => ", ""),
        ("[a (b", ""),
        ("[a (b) ", ""),
    ):
        text = f"def f : Pair := {piece * 700} by SECRET {closing * 700}"
        assert "SECRET" not in elide(scan(text))
        elide(scan(f"def f : Pair := ⟨{piece}"))
