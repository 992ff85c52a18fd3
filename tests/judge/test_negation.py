"""Proofs that a statement is false."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from judge_bench import Bench

from pytest_vsb.errors import UsageError
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.toolchain import Toolchain
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


@pytest.fixture(scope="module")
def toy(lean: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """One for all, so that a target's own file is compiled once."""
    place = tmp_path_factory.mktemp("negation")
    (place / "project").mkdir()
    (place / "project" / "Toy.lean").write_text(FILE, encoding="utf-8")
    return Bench(place / "project", lean, place / "cache")


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
    text = toy.checker.submission(task, Candidate("fun h => h", "-- aux")).text
    assert text.startswith("section VsbDenied\nuniverse u\nnamespace Small.Numbers\nsection\nvar")
    assert text.endswith(
        """(x y : α)

theorem same : x = y := sorry

end
end Numbers
end Small
end VsbDenied
universe u
namespace Small
namespace Numbers
section

-- aux

set_option autoImplicit false in
theorem same_negation : ¬ (type_of% @_root_.Small.Numbers.same) := fun h => h
"""
    ), text


SCOPES = """\
/- Ada -/
import Other
import Other.More
/-! # Text -/
set_option maxRecDepth 1000 -- deep
class Strange : Prop where
  h : (1 : Nat) = 2
namespace One.«t w.o»
open Nat (succ)
noncomputable section Three.Four
open Nat in
theorem before : succ 0 = 1 := rfl
universe v
end Four
open /- all -/ Nat
end Three
variable [Strange]
include Strange
"""


def test_scopes_are_left_and_entered_again(bench: Make) -> None:
    made = bench({"A.lean": SCOPES + "theorem t : 1 = 2 := sorry\nend «t w.o»\nend One\n"})
    for module in ("Other.lean", "Other/More.lean"):
        (made.root / module).parent.mkdir(exist_ok=True)
        (made.root / module).write_text("")
    task = made.checker.negation(made.task("One.«t w.o».t", "A.lean"))
    text = made.checker.submission(task, Candidate("fun h => h")).text
    assert text.startswith(
        "/- Ada -/\nimport Other\nimport Other.More\nsection VsbDenied\n/-! # Text -/\n"
    )
    _, _, after = text.partition("theorem t : 1 = 2 := sorry\n\n")
    assert after.splitlines()[:8] == [
        "end «t w.o»",
        "end One",
        "end VsbDenied",
        "set_option maxRecDepth 1000",
        "namespace One",
        "namespace «t w.o»",
        "open Nat (succ)",
        "",
    ]


# Each is true for want of what it assumes; each assumes it in another way.
STRANGE = "class Strange : Prop where\n  h : (1 : Nat) = 2\n"
VACUOUS = {
    "an instance in a section": (
        STRANGE + "section\nvariable [Strange]\ntheorem x : 1 = 3 := sorry\nend\n",
        "Strange.h",
    ),
    "an instance with a name": (
        STRANGE + "section\nvariable [s : Strange]\ntheorem x : 1 = 3 := sorry\nend\n",
        "s.h",
    ),
    "an instance at the top": (
        STRANGE + "variable [Strange]\ntheorem x : 1 = 3 := sorry\n",
        "Strange.h",
    ),
    "an instance in a namespace": (
        STRANGE + "namespace A.B\nvariable [Strange]\nprivate theorem x : 1 = 3 := sorry\n",
        "Strange.h",
    ),
    "included at the top": (
        "variable (h : (1 : Nat) = 2)\ninclude h\ntheorem x : 1 = 3 := sorry\n",
        "h",
    ),
    "included in a section": (
        "section S\nvariable (h : (1 : Nat) = 2)\ninclude h\ntheorem x : 1 = 3 := sorry\nend S\n",
        "h",
    ),
    "for one theorem": (
        STRANGE + "variable [Strange] in\ntheorem x : 1 = 3 := sorry\n",
        "Strange.h",
    ),
    "of the theorem's own": (STRANGE + "theorem x [Strange] : 1 = 3 := sorry\n", "Strange.h"),
}


@pytest.mark.lean
@pytest.mark.parametrize("how", VACUOUS)
def test_a_hypothesis_of_the_statement_is_none_of_the_denial(bench: Make, how: str) -> None:
    text, use = VACUOUS[how]
    made = bench({"A.lean": text})
    name = "A.B.x" if "namespace" in text else "x"
    task = made.checker.negation(made.task(name, "A.lean"))
    verdict = made.checker.check(task, Candidate(f"absurd {use} (by decide)"))
    assert verdict.kind is VerdictKind.REJECTED, (verdict.reason, verdict.diagnostics)
    assert made.checker.check(task, Candidate("sorry")).kind is VerdictKind.INCOMPLETE


def test_only_theorems_can_be_denied(toy: Bench) -> None:
    with pytest.raises(UsageError, match="is no theorem but `def`"):
        toy.checker.negation(toy.task("Small.Numbers.number", "Toy.lean"))
