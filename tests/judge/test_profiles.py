"""Policy profiles with a real Lean behind them, allow-lists, and modules that change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from judge_bench import LIMITS, Bench

from pytest_vsb.judge.audit import STANDARD_AXIOMS
from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.toolchain import Toolchain
from pytest_vsb.provers.base import Candidate

pytestmark = pytest.mark.lean

SYNTAX = """\
local notation "twice(" x ")" => double x
local infixl:65 " |+| " => Nat.add
local macro "by_two" : tactic => `(tactic| (show twice(2) = 4; rfl))
local syntax "by_three" : tactic
local macro_rules
  | `(tactic| by_three) => `(tactic| by_two)
theorem plus : 1 |+| 1 = 2 := rfl
"""


@pytest.fixture(scope="module")
def permissive(vault: Bench) -> Checker:
    return Checker(vault.checker.project, LIMITS, policy="permissive")


def test_local_syntax_is_accepted_by_the_permissive(vault: Bench, permissive: Checker) -> None:
    task = vault.task("Vault.double_two")
    candidate = Candidate("by by_three", SYNTAX)
    verdict = permissive.check(task, candidate)
    assert verdict.accepted, (verdict.reason, verdict.diagnostics)
    assert verdict.assurance[0] == "policy:permissive"
    assert vault.checker.check(task, candidate).kind is VerdictKind.FORBIDDEN
    assert permissive.fingerprint(task) != vault.checker.fingerprint(task)


AXIOMS = "'Vault.Closed.halves' does not depend on any axioms"


@pytest.mark.parametrize(
    ("auxiliary", "proof", "kinds"),
    [
        ('local notation "double" => id', "rfl", {"unsound", "rejected"}),
        ("local macro_rules\n  | `(double $x) => `($x)", "rfl", {"unsound"}),
        (
            'local macro "#print" "axioms" ident : command => `(#print "' + AXIOMS + '")\n'
            'local macro "#check" term : command => `(#print "halves : True")',
            "by sorry",
            {"incomplete", "rejected"},
        ),
        (
            'local macro "rfl" : tactic => `(tactic| exact sorry)',
            "by rfl",
            {"incomplete"},
        ),
    ],
    ids=["notation", "macro", "audit", "tactic"],
)
def test_local_syntax_does_not_deceive(
    vault: Bench, permissive: Checker, auxiliary: str, proof: str, kinds: set[str]
) -> None:
    verdict = permissive.check(vault.task("Vault.Closed.halves"), Candidate(proof, auxiliary))
    assert str(verdict.kind) in kinds, (verdict.reason, verdict.diagnostics)


@pytest.mark.parametrize("allowed", [STANDARD_AXIOMS, STANDARD_AXIOMS - {"Quot.sound"}])
def test_an_allow_list_that_forgets_an_axiom_is_kept_to(
    vault: Bench, allowed: frozenset[str]
) -> None:
    checker = Checker(vault.checker.project, LIMITS, allowed_axioms=allowed)
    equal = "Quot.mk (fun _ _ : Nat => True) 0 = Quot.mk _ 1"
    proof = f"congrArg (fun _ => double 2) (Quot.sound trivial : {equal})"
    verdict = checker.check(vault.task("Vault.double_two"), Candidate(proof))
    assert verdict.axioms == ("Quot.sound",)
    assert verdict.accepted == ("Quot.sound" in allowed)
    if not verdict.accepted:
        assert verdict.kind is VerdictKind.UNSOUND
        assert verdict.reason == "the proof rests on the axiom(s) Quot.sound"


def test_axioms_are_those_of_the_present_modules(
    bench: Callable[..., Bench], lean: Toolchain, tmp_path: Path
) -> None:
    """An olean made before a proof was taken out says that there are no axioms."""
    files = {
        "A.lean": "theorem a : 1 + 1 = 2 := rfl\n",
        "B.lean": "import A\ntheorem b : 1 + 1 = 2 := a\n",
    }
    project = bench(files)
    task = project.task("b", "B.lean")
    assert project.checker.check(task, Candidate("a")).accepted
    (project.root / "A.lean").write_text(files["A.lean"].replace("rfl", "sorry"))
    again = Checker(open_project(project.root, lean, cache=project.cache), LIMITS)
    verdict = again.check(task, Candidate("a"))
    assert verdict.kind is VerdictKind.INCOMPLETE
    assert verdict.axioms == ("sorryAx",)
    assert again.fingerprint(task) != project.checker.fingerprint(task)
