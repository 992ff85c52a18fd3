"""Runs of a proof's tokens in a prompt."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_vsb.errors import VsbError
from pytest_vsb.source.leak import (
    LEAST,
    LeakError,
    Matcher,
    Run,
    check,
    find_leak,
    longest_common_run,
    tokens,
)

STATEMENT = "theorem add_comm (a b : Nat) : a + b = b + a"
PROOF = """:= by
  induction a with -- the first one
  | zero => simp [Nat.zero_add, Nat.add_zero]
  | succ n ih =>
    rw [Nat.succ_add, ih, ← Nat.add_succ]
    exact congrArg Nat.succ (by omega)
"""
STEPS = tokens(PROOF)


def test_tokens() -> None:
    assert tokens("a.b := f «x y».z /- no -/ 1.5 ⟨h', x₁⟩ -- no") == [
        *("a.b", ":=", "f", "«x y».z", "1.5", "⟨", "h'", ",", "x₁", "⟩")
    ]


def by_trying(first: Sequence[str], second: Sequence[str]) -> int:
    runs = {tuple(first[i:j]) for i, j in itertools.combinations(range(len(first) + 1), 2)}
    return max(
        (
            j - i
            for i, j in itertools.combinations(range(len(second) + 1), 2)
            if tuple(second[i:j]) in runs
        ),
        default=0,
    )


SHORT = st.lists(st.sampled_from("abc"), max_size=24)


@given(SHORT, SHORT)
@settings(deadline=None, max_examples=150)
def test_the_longest_run(first: list[str], second: list[str]) -> None:
    run = longest_common_run(first, second)
    assert run.length == by_trying(first, second)
    found = run.text.split()
    assert len(found) == run.length
    for text in (first, second):
        assert any(text[n : n + len(found)] == found for n in range(len(text) + 1))
    assert longest_common_run(second, first).length == run.length
    matcher = Matcher(first)
    assert matcher.longest(second)[0] == matcher.longest(iter(second))[0] == run.length


@given(SHORT, SHORT, SHORT, st.integers(2, 4))
@settings(deadline=None, max_examples=150)
def test_a_leak_is_a_run_that_is_not_allowed(
    prompt: list[str], proof: list[str], allowed: list[str], least: int
) -> None:
    def grams(text: list[str]) -> set[tuple[str, ...]]:
        return {tuple(text[n : n + least]) for n in range(len(text) - least + 1)}

    leaking = (grams(prompt) & grams(proof)) - grams(allowed)
    leak = find_leak(" ".join(prompt), " ".join(proof), allowed=[" ".join(allowed)], least=least)
    assert (leak is not None) == bool(leaking)
    if leak is not None:
        found = leak.run.text.split()
        assert len(found) == leak.run.length >= least
        assert grams(found) <= leaking
        assert any(proof[n : n + len(found)] == found for n in range(len(proof)))


@pytest.mark.parametrize(
    "prompt",
    [
        f"Prove this.\n{STATEMENT} {PROOF}",
        f"In another file:\n{PROOF[6:]}",
        "\n".join(PROOF.split()),
        f"/- once proved so:\n{PROOF}-/\nProve it.",
        f"-- {' '.join(STEPS)}\nProve it.",
        f"/- not closed {PROOF}",
        PROOF.replace("-- the first one", "/- of /- which -/ we speak -/"),
        PROOF.replace("    ", " "),
        PROOF[: PROOF.index("exact")],
        PROOF[PROOF.index("succ n") :],
    ],
)
def test_a_shown_proof_is_found(prompt: str) -> None:
    leak = find_leak(prompt, PROOF, statement=STATEMENT)
    assert leak is not None
    assert leak.run.text in " ".join(STEPS)
    with pytest.raises(LeakError, match="Arith::add_comm: the prompt shows") as caught:
        check(prompt, PROOF, where="Arith::add_comm", statement=STATEMENT)
    assert isinstance(caught.value, VsbError)
    assert leak.run.text[:40] in str(caught.value)


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        f"{STATEMENT} := by\n  sorry",
        f"{STATEMENT} := …",
        f"{STATEMENT} := by\n  -- your proof",
        "def f : Nat → Nat\n  | zero => simp [Nat.zero_add, Nat.add_zero]\n  | succ n ih => n",
        " ".join(STEPS[: LEAST - 1]),
        " ".join(reversed(STEPS)),
        " ".join(f"{a} x {b}" for a, b in itertools.pairwise(STEPS)),
    ],
)
def test_what_is_no_leak(prompt: str) -> None:
    assert find_leak(prompt, PROOF, statement=STATEMENT) is None
    check(prompt, PROOF, where="t", statement=STATEMENT)


@pytest.mark.parametrize("proof", [":= rfl", ":= by simp", ":= by\n  omega -- done", ":= h.symm"])
def test_a_short_proof_is_found_behind_its_statement(proof: str) -> None:
    leak = find_leak(f"lemma other : p := x\n{STATEMENT} {proof}\n", proof, statement=STATEMENT)
    assert leak is not None
    assert leak.behind_statement
    assert leak.run == Run(len(tokens(proof)), " ".join(tokens(proof)))
    with pytest.raises(LeakError, match="beginning of its proof"):
        check(f"{STATEMENT}\n  {proof}", proof, where="t", statement=STATEMENT)
    for elsewhere in (
        f"theorem other : a + b = b + c {proof}",
        f"{STATEMENT} := by\n  sorry\nexample : p {proof}",
        f"{proof} {STATEMENT}",
    ):
        assert find_leak(elsewhere, proof, statement=STATEMENT) is None


def test_allowed_texts_are_read_only_when_needed() -> None:
    def texts() -> list[str]:
        raise AssertionError

    assert find_leak("nothing", PROOF, allowed=(text for _ in "x" for text in texts())) is None
    quoted = f"structure S where\n  h : {' '.join(STEPS)}"
    assert find_leak(quoted, PROOF) is not None
    assert find_leak(quoted, PROOF, allowed=["other", quoted]) is None
    # What goes beyond the allowed text is one.
    leak = find_leak(quoted, PROOF, allowed=[" ".join(STEPS[: LEAST + 3])])
    assert leak is not None
    assert leak.run.text == " ".join(STEPS[4:])


def test_a_message_is_short() -> None:
    proof = ":= by exact f " + "(g x) " * 500
    with pytest.raises(LeakError) as caught:
        check(proof, proof, where="t")
    assert len(str(caught.value)) < 600


def test_large_texts() -> None:
    # Quadratic work would take minutes here.
    proof = " ".join(f"step{n % 977} (x{n % 31})" for n in range(10_000))
    prompt = " ".join(f"other{n % 977} (x{n % 31})" for n in range(80_000))
    assert find_leak(prompt, proof, statement="theorem t : x0 ) other0") is None
    assert longest_common_run(tokens(prompt), tokens(proof)).length == 3
    hostile = "/- " * 20_000 + "-- " * 20_000
    assert find_leak(hostile, proof) is None
    assert find_leak("simp " * 80_000, ":= by " + "simp " * 5000) is not None


@given(st.text(), st.text(), st.text())
@settings(deadline=None, max_examples=60)
def test_any_text(prompt: str, proof: str, statement: str) -> None:
    leak = find_leak(prompt, proof, statement=statement)
    assert leak is None or leak.run.length >= 1
    # The whole proof is found, however it reads, unless it is too short to tell.
    assert (find_leak(proof, proof) is not None) == (len(tokens(proof)) >= LEAST)
