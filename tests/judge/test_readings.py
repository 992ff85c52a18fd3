"""Text that our reader and Lean could take in two ways, and statements that change their meaning
while they print alike: found by attack, each with its whole kind."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from judge_bench import Bench

from pytest_vsb.judge.policy import MAX_INTERPOLATED, find_forbidden
from pytest_vsb.judge.verdict import Verdict, VerdictKind

pytestmark = pytest.mark.lean

TOY = """\
namespace Toy
inductive C where
  | red | green
open C
theorem bad (n : Nat) : n + 1 = n := by
  sorry
theorem good (n : Nat) : n = n := by
  rfl
theorem colour (c : C) : (match c with | red => False | _ => True) ∨ c ≠ C.red := by
  sorry
theorem pick (c : C) : (match c with | red => 1 | _ => 2) ≠ 3 := by
  sorry
private theorem hidden (c : C) : (match c with | red => 1 | _ => 2) ≠ 3 := by
  sorry
end Toy
"""


@pytest.fixture
def toy(bench: Callable[..., Bench]) -> Bench:
    return bench({"Toy.lean": TOY})


def judge(toy: Bench, name: str, proof: str, auxiliary: str = "") -> Verdict:
    return toy.judge(name, proof, auxiliary, path="Toy.lean")


SKIP_KERNEL = "set_option debug.skipKernelTC true"


@pytest.mark.parametrize(
    "auxiliary",
    [
        f"-- x\r{SKIP_KERNEL}\r\ntheorem ok : True := trivial",
        f"-- x\r{SKIP_KERNEL}\rtheorem ok : True := trivial",
        f"/- x -/\r{SKIP_KERNEL}",
        'theorem h1 : True := trivial\n  /--/ " -/ theorem h2 : True := trivial\n'
        f"  {SKIP_KERNEL} in\n"
        'theorem lie : 1 = 2 := by decide +kernel\n--"',
        'def y : Nat := assert!"{" = "a"; 0\naxiom evil : False\ndef z : String := "}"',
        'def y := panic!"{" \nmacro "t" : tactic => `(tactic| sorry)\ndef z : String := "}"',
    ],
)
def test_code_that_a_reader_could_miss(toy: Bench, auxiliary: str) -> None:
    verdict = judge(toy, "Toy.good", ":= rfl", auxiliary)
    assert verdict.kind is VerdictKind.FORBIDDEN, verdict


@pytest.mark.parametrize(
    "proof",
    [
        'by\n  rfl\n  /--/ " -/ axiom evil : False\n--"',
        "by rfl -- x\r  run_tac foo",
        "by rfl -- x\raxiom evil : False",
    ],
)
def test_code_behind_a_proof(toy: Bench, proof: str) -> None:
    verdict = judge(toy, "Toy.good", proof)
    assert verdict.kind in (VerdictKind.FORBIDDEN, VerdictKind.MALFORMED), verdict


PATTERN = "@[match_pattern] abbrev red : C := C.green"


def test_a_statement_s_patterns_keep_their_meaning(toy: Bench) -> None:
    proof = (
        "by cases c with\n  | red => exact .inl trivial\n"
        "  | green => exact .inr (fun h => nomatch h)"
    )
    verdict = judge(toy, "Toy.colour", proof, PATTERN)
    assert verdict.kind is VerdictKind.UNSOUND, verdict
    # What cannot be compared is not accepted either.
    hidden = "by cases c <;> exact nofun"
    verdict = judge(toy, "Toy.hidden", hidden, PATTERN)
    assert verdict.kind is VerdictKind.UNSOUND, verdict


@pytest.mark.parametrize("name", ["pick", "hidden"])
def test_an_honest_proof_of_a_statement_with_a_match(toy: Bench, name: str) -> None:
    proof = "by cases c <;> exact nofun"
    assert judge(toy, f"Toy.{name}", proof).accepted
    if name == "pick":
        lemma = "theorem help : (1 : Nat) ≠ 3 := nofun"
        verdict = judge(toy, f"Toy.{name}", proof, lemma)
        assert verdict.accepted, verdict


@pytest.mark.parametrize("comment", ["-- why\n", "/- because -/\n", "-- a\r\n-- b\r\n"])
def test_a_comment_before_the_separator(toy: Bench, comment: str) -> None:
    verdict = judge(toy, "Toy.good", f"{comment}:= by rfl")
    assert verdict.accepted, verdict


def test_many_strings_are_refused_and_not_read() -> None:
    refusal = find_forbidden("", 's!"{b" ' * (MAX_INTERPOLATED + 1))
    assert refusal is not None
    assert "such strings" in refusal.why


def test_ordinary_strings_are_free() -> None:
    assert find_forbidden('def a := s!"{1} and {2}"', ':= by simp [s!"{n}"]') is None
    assert find_forbidden('def a := "{"\ndef b := "}"', "rfl") is None
