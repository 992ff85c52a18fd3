"""What is compared of the messages of two Leans."""

from __future__ import annotations

from pathlib import Path

import pytest
from judge_bench import find_lean

from pytest_vsb.judge.opinion import _comparable, same
from pytest_vsb.judge.running import Runner
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.session import Session


def said(message: str, severity: Severity = Severity.INFORMATION) -> Diagnostic:
    return Diagnostic(severity, message, Position(1, 0), None)


PROFILES = (
    "[Elab.command] [0.027809] ✅️ theorem a : n + 0 = n := by simp\n  [Elab.step] [0.02] ✅️ a",
    "[Elab.async] [26511.000000] ❌️ b",
    "elaboration took 0.0978ms\n",
    "typeclass inference of OfNat took 1.02s\nelaboration took 2ms",
)
OTHERS = (
    "[Meta.synthInstance] ✅️ OfNat Nat 0",
    "[1, 2] [0.5] is a list",
    "a : n + 0 = n",
    "elaboration took 0.0978ms\nand more",
    "it took 5 m",
    "",
)


@pytest.mark.parametrize("message", PROFILES)
def test_what_profilers_say_is_left_out(message: str) -> None:
    assert same((said("a"), said(message)), (said("a"),))


@pytest.mark.parametrize("message", OTHERS)
def test_nothing_else_is_left_out(message: str) -> None:
    assert not same((said("a"), said(message)), (said("a"),))


@pytest.mark.parametrize("message", PROFILES)
@pytest.mark.parametrize("severity", [Severity.ERROR, Severity.WARNING])
def test_no_error_or_warning_is_left_out(message: str, severity: Severity) -> None:
    assert _comparable((said(message, severity),)) == (said(message, severity),)


TEXT = """set_option {option} true
set_option {option}.threshold 0
def f (n : Nat) : Nat := n + 1
#check f
theorem b (n : Nat) : f n = n + 1 := by
  induction n with
  | zero => decide
  | succ k ih => sorry
"""


@pytest.mark.lean
@pytest.mark.parametrize("option", ["profiler", "trace.profiler"])
def test_a_fresh_lean_and_a_warm_one_that_are_profiled_say_the_same(
    tmp_path: Path, option: str
) -> None:
    lean = find_lean()
    text = TEXT.format(option=option)
    (tmp_path / "A.lean").write_text(text)
    fresh = Runner(lean).run(tmp_path / "A.lean", lean.library_path, limits=Limits(120.0))
    session = Session(lean, lean.library_path, limits=Limits(120.0))
    try:
        warm = session.check(text, wall_seconds=120.0)
    finally:
        session.close()
    some, other = fresh.output.diagnostics, warm.output.diagnostics
    assert some != other
    assert same(some, other)
    assert [each.message for each in _comparable(other)] == [
        "f (n : Nat) : Nat",
        "declaration uses `sorry`",
    ]
