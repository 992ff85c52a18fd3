"""The automation prover's candidates, judged by a real Lean."""

from __future__ import annotations

from pathlib import Path

import pytest
from prover_requests import make_request, make_task

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import embedded, process
from pytest_vsb.lean.toolchain import Toolchain, find
from pytest_vsb.provers.registry import create, parse_spec

pytestmark = pytest.mark.lean

PREFIX = """set_option autoImplicit false

inductive Tree where
  | leaf
  | node (l : Tree) (x : Nat) (r : Tree)

def Tree.mirror : Tree → Tree
  | leaf => leaf
  | node l x r => node r.mirror x l.mirror

def pick (b : Bool) (x y : Nat) : Nat := if b = true then x else y

inductive Reach : Nat → Nat → Prop where
  | refl (a : Nat) : Reach a a
  | step {a b c : Nat} (h : Reach a b) (k : b + 1 = c) : Reach a c

"""


@pytest.fixture(scope="module")
def lean() -> Toolchain:
    try:
        return find("auto")
    except EnvironmentUnavailable as error:
        available, reason = embedded.is_available()
        if available:
            raise
        pytest.skip(f"{error.message}; {reason}")


@pytest.mark.parametrize(
    ("statement", "sample"),
    [
        ("theorem t (n : Nat) (h : n = 3) : 3 = n", 0),
        ("theorem t (t : Tree) : t.mirror.mirror = t", 1),
        ("theorem t : ∀ t : Tree, t.mirror.mirror = t", 1),
        ("theorem t (b : Bool) (x : Nat) : pick b x x = x", 2),
        ("theorem t {a b c : Nat} (h : Reach a b) (k : Reach b c) : Reach a c", 3),
    ],
)
def test_templates_prove(lean: Toolchain, tmp_path: Path, statement: str, sample: int) -> None:
    prover = create(parse_spec("automation"))
    answer = prover.prove(make_request(make_task("t", statement), prefix=PREFIX, sample=sample))
    assert answer is not None
    assert answer.candidate is not None
    file = tmp_path / "T.lean"
    file.write_text(f"{PREFIX}{statement} := {answer.candidate.proof}", encoding="utf-8")
    done = process.run(
        lean.argv(str(file)),
        cwd=tmp_path,
        env=lean.environment(),
        limits=process.Limits(wall_seconds=120),
    )
    assert done.exit_code == 0, done.stdout
    assert "sorry" not in done.stdout
