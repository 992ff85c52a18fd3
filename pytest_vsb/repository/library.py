"""Names of libraries: what a name's spelling tells, and libraries whose sources are at hand."""

from __future__ import annotations

import re
from typing import Literal

from pytest_vsb.repository.scopes import components
from pytest_vsb.source.grammar import CONTINUATIONS

# Names of Lean's core that no spelling tells from a local name.
_CORE = frozenset(
    "id rfl congr absurd funext propext trivial inferInstance inferInstanceAs default panic pure "
    "bind max min xor ite dite letFun flip cast some none".split()
)
_EXPORTED = {
    "some": "Option.some",
    "none": "Option.none",
    "ℕ": "Nat",
    "ℤ": "Int",
    "ℚ": "Rat",
    "ℝ": "Real",
    "ℂ": "Complex",
}
_SELECTED = frozenset("mp mpr symm trans le lt ne ge gt elim left right not_lt not_le".split())
_SHORT = re.compile(r"[^\W\d_](?:['\u2080-\u2089\u2090-\u209c\d]*)\Z")
_HYPOTHESIS = re.compile(r"(?:h|ih|hyp|inst|this|a|x|H|IH)[_'\d\u2080-\u2089]")
_LETTERS = frozenset("\u2115\u2124\u211a\u211d\u2102")


def is_core(name: str) -> bool:
    """Whether it is a name of Lean's core, though its spelling does not tell."""
    return name in _CORE and name != "rfl"


def is_short(name: str) -> bool:
    """Whether Lean binds a name by itself where nothing has it: a letter, perhaps with digits."""
    return bool(_SHORT.match(name)) and name not in _LETTERS


def is_library_name(name: str) -> bool:
    """Whether a name that nothing in the repository has looks like one of a library."""
    parts = components(name)
    first = parts[0]
    if name in _CORE or name in _LETTERS:
        return True
    if not first or name in CONTINUATIONS:
        return False
    if len(parts) > 1:
        return first[0].isupper() or first in _CORE or first in _LETTERS
    if is_short(first) or _HYPOTHESIS.match(first):
        return False
    if first[0].isupper():
        return True
    return "_" in first.strip("_") or any(letter.isupper() for letter in first)


def full_name(name: str) -> str:
    """The name of what is meant by a name of a library, or by a selection from a lemma: that of
    what has a short name in Lean's core or Mathlib (``some``, ``ℕ``), that of the lemma."""
    first, *rest = components(name)
    while len(rest) > 1 and rest[-1] in _SELECTED and "_" in rest[-2].strip("_"):
        # `Nat.lt_iff.mp` selects from a lemma.
        rest.pop()
    return ".".join([_EXPORTED.get(first, first), *rest])


def role_of(name: str) -> Literal["definition", "lemma"]:
    """Whether a library's name is that of a lemma or of a definition, by its spelling.

    Lean's and Mathlib's theorems are in snake case, their types in upper and their functions in
    lower camel case.
    """
    last = components(name)[-1]
    if not last or last[0].isupper() or last in _LETTERS:
        return "definition"
    if "_" in last.strip("_"):
        return "lemma"
    return "lemma" if last.rstrip("'") in _LEMMAS else "definition"


_LEMMAS = frozenset(
    "rfl refl symm trans congr congrArg congrFun absurd funext propext ext mp mpr elim le lt ne "
    "injEq inj subst".split()
)
