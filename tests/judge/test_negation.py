"""Proofs that a statement is false."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from judge_bench import Bench

from pytest_vsb.errors import UsageError
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.provers.base import Candidate

Make = Callable[..., Bench]

FILE = """\
universe u
namespace Small.Numbers
section
variable {α : Type u} (x y : α)

/-- All are the same. -/
@[simp] theorem same : x = y := sorry

open Nat in
private theorem «a b» (n : Nat) : n = succ n := by sorry
end

section Included
variable (never : False) (n : Nat)
include never

theorem vacuous : n = n + 1 := never.elim
end Included

theorem right (n : Nat) : n = n := rfl

mutual
theorem first (n : Nat) : n = n + 1 := sorry
theorem second (n : Nat) : n = n := rfl
end

def number : Nat := 1
end Small.Numbers
"""


@pytest.fixture
def toy(bench: Make) -> Bench:
    return bench({"Toy.lean": FILE})


def denied(toy: Bench, name: str, proof: str, auxiliary: str = "") -> Verdict:
    task = toy.checker.negation(toy.task(f"Small.Numbers.{name}", "Toy.lean"))
    return toy.checker.check(task, Candidate(proof, auxiliary))


LIFTED = "(h (ULift.up true) (ULift.up false) : ULift.up true = ULift.up false)"


@pytest.mark.lean
def test_false_statements(toy: Bench) -> None:
    lemma = "theorem helper (n : Nat) : n ≠ n + 1 := by simp"
    for name, proof, auxiliary in (
        ("same", f"fun h => nomatch {LIFTED}", ""),
        ("«a b»", "by\n  intro h\n  exact helper 0 (h 0)", lemma),
        ("first", "fun h => nomatch h 0", ""),
    ):
        verdict = denied(toy, name, proof, auxiliary)
        assert verdict.accepted, (name, verdict.reason, verdict.diagnostics)


@pytest.mark.lean
@pytest.mark.parametrize(
    ("name", "proof", "kind"),
    [
        ("right", "fun h => nomatch h 0", VerdictKind.REJECTED),
        # The statement itself is there with `sorry`: it proves everything, and nothing.
        ("right", "fun _ => nomatch @same Bool true false", VerdictKind.INCOMPLETE),
        ("same", "by simp", VerdictKind.REJECTED),
        # True for want of a proof of `False`, which the denial must not have as a hypothesis.
        ("vacuous", "never.elim", VerdictKind.REJECTED),
        ("vacuous", "fun h => nomatch h 0", VerdictKind.REJECTED),
        ("first", "by sorry", VerdictKind.INCOMPLETE),
    ],
)
def test_what_denies_nothing(toy: Bench, name: str, proof: str, kind: VerdictKind) -> None:
    verdict = denied(toy, name, proof)
    assert verdict.kind is kind, (verdict.reason, verdict.diagnostics)


def test_the_text(toy: Bench) -> None:
    task = toy.checker.negation(toy.task("Small.Numbers.same", "Toy.lean"))
    assert task.name == "Small.Numbers.same_negation"
    assert task.statement == "theorem same_negation : ¬ (type_of% @_root_.Small.Numbers.same)"
    text = toy.checker.submission(task, Candidate("fun h => h")).text
    assert text.startswith("universe u\nnamespace Small.Numbers\nsection\nvariable")
    assert "(x y : α)\n\ntheorem same : x = y := sorry\n\ntheorem same_negation" in text
    task = toy.checker.negation(toy.task("Small.Numbers.vacuous", "Toy.lean"))
    full = "_root_.Small.Numbers.vacuous"
    assert task.statement == f"theorem {full}_negation : ¬ (type_of% @{full})"
    text = toy.checker.submission(task, Candidate("fun h => h")).text
    assert ":= sorry\n\nend Included\nend Small.Numbers\n" in text


def test_only_theorems_can_be_denied(toy: Bench) -> None:
    with pytest.raises(UsageError, match="is no theorem but `def`"):
        toy.checker.negation(toy.task("Small.Numbers.number", "Toy.lean"))
