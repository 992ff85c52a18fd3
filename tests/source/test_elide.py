"""Source text with its proofs left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_vsb.source import lexer, scan
from pytest_vsb.source.elide import PROVING, elide, elided, statement_only

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


TACTICS = ["SECRET", "simp [SECRET]", "exact (SECRET : p)", "· SECRET", "have h : SECRET := by rfl"]
HEADS = [
    "theorem t : p := by",
    "@[simp] lemma t (h : a := by rfl) : let x := 1; q x := by",
    "protected theorem t : p\n  | 0 => by",
    "instance : Foo where\n  law := by",
    "def f : A :=\n  foo (n := by",
    "def f : A := { h := by",
    "def f : A := ⟨1, by",
    "mutual\ntheorem t : p := by",
    "example : p := by",
    "theorem t : p where\n  h := by",
    "prove_thing x by",
]
CLOSERS = {"(": ")", "{": "}", "⟨": "⟩"}


@st.composite
def files(draw: st.DrawFn) -> tuple[str, int]:
    """A file whose proofs are full of a word that stands nowhere else, and how many there are."""
    text = ""
    count = draw(st.integers(1, 6))
    for _ in range(count):
        head = draw(st.sampled_from(HEADS))
        tactics = draw(st.lists(st.sampled_from(TACTICS), min_size=1, max_size=4))
        beside = draw(st.booleans())
        block = f" {tactics[0]}" if beside else "".join(f"\n      {tactic}" for tactic in tactics)
        open_bracket = next((b for b in reversed(head) if b in CLOSERS or b in ")}⟩"), "")
        text += head + block + CLOSERS.get(open_bracket, "") + "\n"
        text += "\nend\n" if head.startswith("mutual") else "\n"
        text += draw(st.sampled_from(["", "/-- Doc. -/\n", "-- note\n", "open Nat in\n"]))
        text += "def kept : Nat := 1\n\n"
    return text, count


@given(files())
@settings(deadline=None, max_examples=80)
def test_no_token_of_a_proof_is_shown(drawn: tuple[str, int]) -> None:
    text, count = drawn
    shown = elide(scan(text))
    assert "SECRET" not in shown
    assert shown.count("def kept : Nat := 1") == count
    assert shown.count("…") == count


@given(
    st.one_of(
        st.text(), st.lists(st.sampled_from([*HEADS, *TACTICS, "\n", "end", ","])).map(" ".join)
    )
)
@settings(deadline=None, max_examples=80)
def test_any_text(text: str) -> None:
    shown = elide(scan(text))
    # What is shown is the text with parts taken out.
    rest = iter(text)
    assert all(char in rest for char in shown.replace(" := …", "").replace(" …", ""))
