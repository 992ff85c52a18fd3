"""Candidates as a model makes them, and a large module: what the measurements of judging run on."""

from __future__ import annotations

import re
from pathlib import Path

from pytest_vsb.provers.base import Candidate
from pytest_vsb.source.scanner import scan
from pytest_vsb.tasks.model import Task

_DEMO = Path(__file__).parents[1] / "benchmark" / "demo" / "Demo"
_PARTS = ("Forest", "Queue")
"""Modules of the demo that import nothing."""

_GUESSES = (
    "rfl",
    "simp",
    "simp_all",
    "decide",
    "trivial",
    "constructor",
    "intro x; exact x",
    "funext x; rfl",
    "rw [Nat.add_comm]",
    "exact absurd rfl h",
    "apply Nat.le_of_lt",
    "have h : 0 = 0 := rfl\n  exact h",
    "cases h with\n  | inl h => exact h\n  | inr h => exact h",
    "induction n with\n  | zero => rfl\n  | succ n ih => rw [ih]",
)


def candidates(proof: str, *, right: int = 2, count: int = 32) -> list[Candidate]:
    """``count`` candidates for a task with this reference proof, ``right`` of them proofs.

    Of the wrong ones a half are the proof with something amiss (a line left out, a name that does
    not exist, a bracket too many), a half guesses; a quarter of all have come before, as models
    repeat themselves. The order is fixed, the proofs come at the end of each half.
    """
    lines = proof.split("\n")
    wrong: list[str] = []
    for number in range(1, len(lines)):
        wrong.append("\n".join(lines[:number] + lines[number + 1 :]))
    names = list(re.finditer(r"\b[A-Za-z_]+(?:\.[A-Za-z_]+)+\b", proof))
    wrong += [
        f"{proof[: m.start()]}no_such_{number}{proof[m.end() :]}" for number, m in enumerate(names)
    ]
    wrong += [proof + "\n  exact no_such_lemma", proof + ")", proof + "\n  simp"]
    guesses = [f":= by\n  {guess}" for guess in _GUESSES]
    fresh = count - right - count // 4
    mixed = [text for pair in zip(wrong * fresh, guesses * fresh, strict=False) for text in pair]
    distinct = list(dict.fromkeys(mixed))[:fresh]
    texts = distinct + distinct[: count - right - len(distinct)]
    texts += (distinct * count)[: count - right - len(texts)]
    for number in range(right):
        place = (number + 1) * count // right - 1
        texts.insert(place, proof + f"\n  -- sample {number}")
    return [Candidate(proof=text) for text in texts]


def large_module(declarations: int) -> str:
    """A module of about so many declarations, copies of the demo's in namespaces of their own."""
    parts: list[str] = []
    total = 0
    while total < declarations:
        for name in _PARTS:
            text = (_DEMO / f"{name}.lean").read_text(encoding="utf-8")
            total += len(scan(text).declarations)
            number = len(parts)
            text = text.replace("set_option autoImplicit false\n", "")
            parts.append(f"namespace Part{number}\n\n{text}\nend Part{number}\n")
    return "set_option autoImplicit false\n\n" + "\n".join(parts)


def large_project(directory: Path, declarations: int) -> Task:
    """Make a Lean project with one large module in a directory; the task of its last theorem."""
    text = large_module(declarations)
    toolchain = _DEMO.parent / "lean-toolchain"
    if toolchain.is_file():
        (directory / "lean-toolchain").write_bytes(toolchain.read_bytes())
    (directory / "lakefile.toml").write_text(
        'name = "large"\n\n[[lean_lib]]\nname = "Large"\n', encoding="utf-8"
    )
    (directory / "Large.lean").write_text(text, encoding="utf-8")
    source = scan(text)
    last = [d for d in source.declarations if d.kind == "theorem"][-1]
    assert last.body is not None
    return Task(
        id="Large.last",
        module="Large",
        path="Large.lean",
        name=last.full_name,
        statement=last.statement.of(text).rstrip(),
        reference_proof=last.body.of(text).rstrip(),
    )
