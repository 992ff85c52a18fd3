"""The tactics of proofs, and what they say of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_vsb.provers.base import Candidate
from pytest_vsb.report.patterns import AUTOMATION, BRANCHING, MEASURES, Patterns, patterns
from pytest_vsb.report.tactics import tactics

PROOFS = {
    "one": ("by simp", "simp"),
    "on the next line": (":=\n  by\n  simp [foo]\n  omega", "simp omega"),
    "a term": (":= fun x => foo x", ""),
    "terms with tactics in them": (
        "| 0 => by simp\n| n + 1 => by\n  rw [foo]\n  exact bar (by omega)",
        "simp rw exact omega",
    ),
    "in a row": (":= by intro h; cases h <;> simp at * <;> omega", "intro cases simp omega"),
    "a row, then more": (":= by\n  intro h; simp\n  omega", "intro simp omega"),
    "foci": (
        ":= by\n  constructor\n  \u00b7 intro x\n    exact h\n  . simp\n  \u00b7 simp; ring",
        "constructor \u00b7 intro exact \u00b7 simp \u00b7 simp ring",
    ),
    "alternatives": (
        ":= by\n  induction n with\n  | zero => simp\n  | succ n ih =>\n    rw [ih]\n    ring\n"
        "  rfl",
        "induction simp rw ring rfl",
    ),
    "alternatives on one line": (
        ":= by\n  cases h with | inl h => simp | inr h => (rw [h]; simp)\n  rfl",
        "cases simp rw simp rfl",
    ),
    "alternatives at the column of their tactic": (
        ":= by\n  cases n with\n  | zero => cases m with\n    | zero => rfl\n    | succ k => simp\n"
        "  | succ n => omega",
        "cases cases rfl simp omega",
    ),
    "a match that is a term": (
        ":= by\n  cases h with\n  | inl h => exact match h with\n    | a => foo\n    | b => bar\n"
        "  | inr h => exact (match h with | a => foo | b => bar)",
        "cases exact exact",
    ),
    "a match that is a tactic": (
        ":= by\n  match n with\n  | 0 => rfl\n  | n + 1 => simp",
        "match rfl simp",
    ),
    "a function in an alternative": (
        ":= by\n  cases h with\n  | inl h => exact fun x => foo x\n  | inr h => rfl",
        "cases exact rfl",
    ),
    "have": (
        ":= by\n  have h : a = b := by\n    simp\n    omega\n  have : c := foo\n  exact h",
        "have simp omega have exact",
    ),
    "calc": (
        ":= by\n  calc a = b := by simp\n    _ = c := by\n      rw [h]\n      exact g",
        "calc simp rw exact",
    ),
    "calc, steps below it": (
        ":= by\n  calc\n    a = b := by simp\n    _ = c := by\n      rw [h]\n  rfl",
        "calc simp rw rfl",
    ),
    "first": (":= by\n  first | simp | omega\n  rfl", "first simp omega rfl"),
    "first, on lines": (":= by\n  first\n  | simp\n  | omega\n  rfl", "first simp omega rfl"),
    "combinators": (
        ":= by\n  all_goals try simp\n  repeat' constructor\n  any_goals (intro x; simp)",
        "all_goals try simp repeat' constructor any_goals intro simp",
    ),
    "cases by name": (
        ":= by\n  case left x => simp\n  next h =>\n    rfl\n  conv at h => lhs; rw [foo]\n  omega",
        "case simp next rfl conv lhs rw omega",
    ),
    "if": (
        ":= by\n  if h : p then simp else\n    omega\n    done\n  exact if p then a else b",
        "if simp omega done exact",
    ),
    "patterns": (
        ":= by\n  rcases h with a | b\n  obtain \u27e8x, y | z\u27e9 := h\n  rintro (a | b)\n"
        "  simp",
        "rcases obtain rintro simp",
    ),
    "absolute values": (":= by\n  show |a| = |b|\n  simp", "show simp"),
    "braces": (
        ":= by\n  constructor\n  { simp\n    omega }\n  {\n    rfl\n  }",
        "constructor simp omega rfl",
    ),
    "lists of tactics": (
        ":= by\n  by_cases h : a <;> [simp; omega]\n  rfl",
        "by_cases simp omega rfl",
    ),
    "options": (":= by\n  set_option maxRecDepth 100 in simp\n  rfl", "set_option simp rfl"),
    "comments and strings": (
        ':= by\n  -- simp\n  /- omega\n  rfl -/\n  trace "a\n  simp"\n  exact h -- by omega',
        "trace exact",
    ),
    "long terms": (
        ":= by\n  exact foo\n    (bar\n  baz)\n  refine \u27e8?_,\n    fun x => by simp\u27e9\n"
        "  rfl",
        "exact refine simp rfl",
    ),
    "Windows": (":= by\r\n  simp\r\n  omega\r\n", "simp omega"),
}


@pytest.mark.parametrize("name", PROOFS)
def test_tactics(name: str) -> None:
    proof, expected = PROOFS[name]
    assert " ".join(tactics(proof)) == expected


PIECES = (
    "by simp cases h with | inl => ; <;> \u00b7 ( ) { } [ ] \u27e8 \u27e9 fun x if then else match "
    'first case next := calc _ = in -- /- -/ " exact'
)
words = st.sampled_from([*PIECES.split(), "\n", "\n  ", "\n    "])


@given(st.lists(words, max_size=60).map(" ".join) | st.text(max_size=100))
def test_any_text_is_read(text: str) -> None:
    assert all(name.strip() for name in tactics(text))


@settings(max_examples=30)
@given(st.lists(st.sampled_from("simp omega rfl ring".split()), min_size=1, max_size=8))
def test_layout_does_not_matter(names: list[str]) -> None:
    lines = ":= by\n  " + "\n  ".join(names)
    row = ":= by " + "; ".join(names)
    deep = ":= by\n    " + "\n    ".join(f"-- a\n    {name} [h]  -- b" for name in names)
    assert list(tactics(lines)) == list(tactics(row)) == list(tactics(deep)) == names


@pytest.mark.parametrize(
    "text",
    [
        "by " * 5_000 + "| " * 5_000,
        "(" * 10_000,
        ":= by\n" + "  simp\n" * 10_000,
        "|\n" * 10_000,
    ],
)
def test_hostile_text_ends(text: str) -> None:
    assert len(tactics(text)) <= 10_000


# Measures


def of(*proofs: str, auxiliary: str = "") -> Patterns:
    return patterns({f"t{place}": [Candidate(p, auxiliary)] for place, p in enumerate(proofs)})


def test_measures_by_hand() -> None:
    found = of(
        "by simp",
        "by\n  unfold foo\n  cases h\n  \u00b7 rfl\n  \u00b7 simp_all",
        ":= rfl",
        "by\n  intro h\n  exact h",
    )
    assert (found.tasks, found.proofs, found.tactic_uses) == (4, 4, 1 + 4 + 0 + 2)
    assert found.opens_with_unfold == 1 / 4
    assert found.closes_with_simp == 2 / 4
    assert found.automation_share == 2 / 7
    assert found.single_automation_call == 1 / 4
    assert found.branching == 1 / 4
    assert found.term_proofs == 1 / 4
    assert found.with_auxiliary == 0
    assert found.mean_tactics == 7 / 4
    assert found.histogram == {
        "cases": 1,
        "exact": 1,
        "intro": 1,
        "rfl": 1,
        "simp": 1,
        "simp_all": 1,
        "unfold": 1,
    }
    assert found.first == {"intro": 1, "simp": 1, "unfold": 1}
    assert found.last == {"exact": 1, "simp": 1, "simp_all": 1}


def test_proofs_that_read_alike_count_once() -> None:
    alike = [Candidate("by  simp"), Candidate("by\n  simp"), Candidate("by omega")]
    found = patterns({"t": alike, "u": [Candidate("by simp", "lemma a : b := c")], "v": []})
    assert (found.tasks, found.proofs) == (2, 3)
    assert found.with_auxiliary == 1 / 3
    assert found.single_automation_call == 1


def test_a_combinator_is_no_tactic_use() -> None:
    found = of("by\n  all_goals simp")
    assert (found.tactic_uses, found.automation_share) == (1, 1)
    assert found.single_automation_call == 1


def test_nothing_at_all() -> None:
    assert patterns({}) == patterns({"t": []}) == Patterns(0, 0, 0)
    assert of(":= rfl").automation_share is None
    assert "cases" in BRANCHING
    assert "omega" in AUTOMATION
    assert all(hasattr(Patterns(0, 0, 0), name) for name in MEASURES)
