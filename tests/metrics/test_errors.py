"""Error classes: the wordings of Lean v4.8 to v4.35 and of Mathlib's tactics."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.metrics.errors import _RULES, _TAGS, CLASSES, FINE, classify, unknown_name

OLD_AND_NEW = [
    ("unknown identifier", "unknown identifier 'foo'"),
    ("unknown identifier", "unknown constant 'Foo.bar'"),
    ("unknown identifier", "Unknown identifier `foo`"),
    ("unknown identifier", "Unknown constant `Foo.bar`\n\nNote: Inferred this name"),
    (
        "unknown identifier",
        "invalid dotted identifier notation, unknown identifier `Nat.foo` from expected type",
    ),
    ("unknown field", "invalid field 'foo', the environment does not contain 'Nat.foo'\n  n\nhas"),
    ("unknown field", "Invalid field `foo`: The environment does not contain `Nat.foo`, so it is"),
    ("unknown namespace", "unknown namespace 'Foo'"),
    ("unknown namespace", "Unknown namespace `Foo`"),
    ("type mismatch", "type mismatch\n  h\nhas type\n  a : Prop\nbut is expected to have type"),
    ("type mismatch", "Type mismatch\n  h\nhas type"),
    ("type mismatch", "Type mismatch: After simplification, term\n  h"),
    ("type mismatch", "type mismatch, term\n  h"),
    ("argument mismatch", "application type mismatch\n  f x\nargument\n  x"),
    ("argument mismatch", "Application type mismatch: The argument\n  x"),
    ("function expected", "function expected\n  x"),
    ("function expected", "Function expected at\n  x"),
    ("type expected", "type expected, got\n  (x : Nat)"),
    ("unsolved goals", "unsolved goals\nn : Nat\n\u22a2 n = n"),
    ("unsolved goals", "Tactic `conv` failed: There are unsolved goals\n"),
    ("rewrite failed", "tactic 'rewrite' failed, did not find instance of the pattern in the"),
    ("rewrite failed", "Tactic `rewrite` failed: Did not find an occurrence of the pattern\n  a"),
    ("rewrite failed", "tactic 'rewrite' failed, equality or iff proof expected"),
    ("motive", "tactic 'rewrite' failed, motive is not type correct"),
    ("motive", "Tactic `rewrite` failed: motive is not type correct:\n"),
    ("no progress", "simp made no progress"),
    ("no progress", "`simp` made no progress"),
    ("no progress", "dsimp made no progress"),
    ("arithmetic", "linarith failed to find a contradiction\ncase a"),
    ("arithmetic", "omega could not prove the goal:\na possible counterexample"),
    ("arithmetic", "omega could not facts in the goal"),
    ("arithmetic", "failed to prove positivity/nonnegativity/nonzeroness"),
    ("search failed", "aesop: failed to prove the goal after exhaustive search."),
    ("search failed", "tactic 'assumption' failed\nh : a"),
    ("search failed", "Tactic `assumption` failed\n"),
    ("search failed", "tactic 'aesop' failed, failed to prove"),
    ("search failed", "`grind` failed\ncase grind"),
    ("search failed", "`exact?` could not close the goal."),
    ("decide failed", "tactic 'decide' proved that the proposition\n  1 = 2\nis false"),
    ("decide failed", "Tactic `decide` failed: expected type must not contain free variables"),
    ("rfl failed", "The rfl tactic failed. Possible reasons:"),
    ("rfl failed", "tactic 'rfl' failed, the left-hand side\n"),
    ("rfl failed", "Tactic `rfl` failed: The left-hand side\n"),
    ("apply failed", "tactic 'apply' failed, failed to unify\n  a"),
    ("apply failed", "Tactic `apply` failed: could not unify the conclusion of `@foo`\n"),
    ("apply failed", "tactic 'constructor' failed, no applicable constructors found"),
    ("case analysis", "tactic 'cases' failed, nested error:\ndependent elimination failed"),
    ("case analysis", "Tactic `induction` failed: major premise type is not an inductive type"),
    ("case analysis", "Dependent elimination failed: Failed to solve equation"),
    ("case analysis", "tactic 'split' failed, consider using `set_option trace.split.failure`"),
    ("intro failed", "tactic 'introN' failed, insufficient number of binders"),
    ("intro failed", "Tactic `introN` failed: There are no additional binders"),
    ("no goals", "no goals to be proved"),
    ("no goals", "No goals to be solved"),
    ("case names", "invalid alternative name 'foo'"),
    ("case names", "alternative 'succ' has not been provided"),
    ("case names", "Alternative `succ` has not been provided"),
    ("other tactic", "tactic 'subst_vars' failed, foo"),
    ("other tactic", "failed"),
    ("syntax", "unexpected token 'at'; expected term"),
    ("syntax", "unexpected identifier; expected command"),
    ("syntax", "unterminated comment"),
    ("instance", "failed to synthesize\n  Decidable p"),
    ("instance", "failed to synthesize instance of type class\n  Foo"),
    ("instance", "typeclass instance problem is stuck, it is often due to metavariables"),
    ("universe", "unknown universe level 'u'"),
    ("universe", "stuck at solving universe constraint\n  max u v =?= w"),
    ("ambiguous", "ambiguous, possible interpretations \n  a\n  b"),
    ("ambiguous", "Ambiguous term\n  foo"),
    ("ambiguous", "overloaded, errors \n  1:2 unknown identifier 'foo'"),
    ("placeholder", "don't know how to synthesize placeholder\ncontext:"),
    ("placeholder", "failed to infer binder type"),
    ("anonymous constructor", "invalid \u27e8...\u27e9 notation, expected type is not known"),
    ("anonymous constructor", "Invalid `\u27e8...\u27e9` notation: The expected type"),
    ("anonymous constructor", "Insufficient number of fields for `\u27e8...\u27e9` constructor"),
    ("invalid field", "invalid field notation, type is not of the form (C ...)"),
    ("invalid field", "Invalid field notation: Type of\n  x"),
    ("invalid field", "invalid projection, structure expected"),
    ("named argument", "invalid argument name 'h' for function 'f'"),
    ("missing cases", "missing cases:\n(Nat.succ _)"),
    ("missing cases", "Missing cases:\nNat.zero"),
    ("elimination", "induction failed, recursor 'Or.rec' can only eliminate into Prop"),
    ("termination", "fail to show termination, possible errors:"),
    ("termination", "failed to prove termination, possible solutions:"),
    ("already declared", "'foo' has already been declared"),
    ("already declared", "`foo` has already been declared"),
    ("deterministic timeout", "(deterministic) timeout at `whnf`, maximum number of heartbeats"),
    (
        "deterministic timeout",
        "tactic 'simp' failed, nested error:\n(deterministic) timeout at `isDefEq`",
    ),
    ("recursion depth", "maximum recursion depth has been reached"),
    ("kernel", "(kernel) declaration has metavariables 'foo'"),
    ("kernel", "(kernel) declaration type mismatch, 'foo' has type"),
    ("compilation", "failed to compile definition, consider marking it as 'noncomputable'"),
    ("import", "object file 'Foo.olean' of module Foo does not exist"),
    ("sorry", "declaration uses 'sorry'"),
    ("sorry", "declaration uses `sorry`"),
    ("no message", "  \n "),
    ("other", "something nobody has heard of"),
]


@pytest.mark.parametrize(("fine", "message"), OLD_AND_NEW)
def test_wordings(fine: str, message: str) -> None:
    assert classify(message) == fine


def test_tags_decide_whatever_the_wording() -> None:
    assert classify("anders formuliert", "lean.unknownIdentifier") == "unknown identifier"
    assert classify("x", "Tactic.unsolvedGoals") == "unsolved goals"
    assert classify("(deterministic) timeout", "runtime.maxHeartbeats") == "deterministic timeout"
    assert classify("type mismatch", "some.other.tag") == "type mismatch"
    # This tag stands both on names that are not there and on values without fields.
    contains = "Invalid field `foo`: The environment does not contain `Nat.foo`"
    assert classify(contains, "lean.invalidField") == "unknown field"
    assert classify("Invalid field notation: Type of", "lean.invalidField") == "invalid field"


def test_the_classes_are_the_papers() -> None:
    assert set(FINE.values()) == set(CLASSES)
    assert {name for name, _ in _RULES} | set(_TAGS.values()) <= FINE.keys()
    tested = {fine for fine, _ in OLD_AND_NEW}
    assert {name for name, _ in _RULES} <= tested


@given(st.text(max_size=300), st.text(max_size=30))
def test_any_text_has_a_class(message: str, kind: str) -> None:
    assert classify(message, kind) in FINE
    assert "\n" not in unknown_name(message)


def test_long_messages_end() -> None:
    # Quadratic time in them would be minutes.
    for text in ("has type " * 10_000, "object file " * 10_000, "a" * 10**6, "'" * 10**5):
        assert classify(text) in FINE
        unknown_name(f"unknown identifier {text}")


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("unknown identifier 'foo'", "foo"),
        ("unknown identifier 'mul_comm''", "mul_comm'"),
        ("unknown identifier 'foo', did you mean", "foo"),
        ("Unknown identifier `foo'`", "foo'"),
        ("Unknown constant `_root_.Foo.bar`", "Foo.bar"),
        ("invalid field 'foo', the environment does not contain 'Nat.foo'\n  n", "Nat.foo"),
        ("Invalid field `x`: The environment does not contain `Nat.x`, so", "Nat.x"),
        ("unknown namespace 'Foo'", "Foo"),
        ("Unknown identifier `a \u00abb c\u00bb`", "a \u00abb c\u00bb"),
        ("type mismatch", ""),
        ("", ""),
    ],
)
def test_unknown_names(message: str, name: str) -> None:
    assert unknown_name(message) == name
