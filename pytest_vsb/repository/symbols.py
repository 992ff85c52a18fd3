"""Notations and macros of a file: their symbols, and the names that they stand for."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import dataclass

from pytest_vsb.repository.scopes import Scope
from pytest_vsb.repository.stream import Stream
from pytest_vsb.source import lexer
from pytest_vsb.source.model import Command
from pytest_vsb.source.notations import notation_of

_OPERATORS = frozenset({"infix", "infixl", "infixr", "prefix", "postfix"})
# Symbols of Lean's own and its libraries' syntax: alone, they do not tell a notation.
COMMON = frozenset(
    "! !! != # $ % & && &&& ' ( ) * + ++ , - -> . .. / // : :: := ; < <- <-> <;> <<< <| = == "
    "=> > >>> ? @ @[ [ \\ ] ^ ^^^ _ and at by do else end for from fun have if in is let "
    "match not of or return rfl show then where with { | |> |>. || ||| } ~ ¬ · × Π Σ λ • ‹ › "
    "ℂ ℕ ℚ ℝ ℤ ← → ↔ ↦ ∀ ∃ ∅ ∈ ∉ ∏ ∑ ∘ ∣ ∥ ∧ ∨ ∩ ∪ ≈ ≠ ≤ ≥ ⊂ ⊆ ⊤ ⊥ ▸ ⟨ ⟩ ⟶ ⦃ ⦄ ".split()
)


@dataclass(frozen=True)
class Notation:
    """A notation, operator or macro.

    Attributes:
        atoms: the symbols between its arguments, in order, each split into tokens.
        names: the identifiers of what it stands for, as written.
        start: where its command starts in the file.
        scoped: whether it holds only where its namespace is open.
        local: whether it holds only in its file.
    """

    atoms: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]
    start: int
    scoped: bool
    local: bool

    def atom(self, token: str) -> tuple[str, ...]:
        """The first symbol that has a token."""
        return next(atom for atom in self.atoms if token in atom)

    def telling(self) -> str:
        """The token by which uses are found; empty if it has none that tells it."""
        rare = [piece for atom in self.atoms for piece in atom if piece not in COMMON]
        if rare:
            return max(rare, key=lambda piece: (piece != "\u22a2", len(piece)))
        longest = max(self.atoms, key=len, default=())
        if len(longest) > 1:
            return longest[0]
        return self.atoms[0][0] if len(self.atoms) > 2 and self._bracketed() else ""

    def _bracketed(self) -> bool:
        first, last = self.atoms[0][0], self.atoms[-1][0]
        return lexer.CLOSER_OF.get(first) == last


def notations(text: str, command: Command) -> tuple[Notation, ...]:
    """The notations that a command introduces; none for other commands."""
    keyword = command.keyword
    if keyword == "macro_rules":
        return tuple(_rules(text, command))
    if keyword not in ("notation", "notation3", "macro") and keyword not in _OPERATORS:
        return ()
    found = notation_of(text, command)
    if found is None or not found.tokens or not found.names:
        return ()
    return (
        Notation(
            tuple(_atom(token) for token in found.tokens),
            found.names,
            command.span.start,
            "scoped" in command.modifiers,
            "local" in command.modifiers,
        ),
    )


def _atom(text: str) -> tuple[str, ...]:
    return tuple(Stream(text, 0, len(text)).piece)


def _names(words: Stream, start: int, end: int) -> tuple[str, ...]:
    """The identifiers of an expansion, but for parameters of quotations (``$x``) and categories."""
    found: dict[str, None] = {}
    for index in range(start, end):
        if not words.ident[index]:
            continue
        piece = words.piece[index]
        before = words.piece[index - 1] if index else ""
        after = words.piece[index + 1] if index + 1 < end else ""
        if before == "$" or (before == "." and words.touches(index)):
            continue
        if after == "|" and before == "`(":
            continue
        if before == ":" and index > 1 and words.ident[index - 2] and _quoted(words, index):
            continue
        found[piece.lstrip("`")] = None
    return tuple(found)


def _quoted(words: Stream, index: int) -> bool:
    return index > 2 and words.piece[index - 3] in ("$", "(")


def _rules(text: str, command: Command) -> list[Notation]:
    """The alternatives of ``macro_rules``: quoted patterns and what they stand for."""
    words = Stream(text, command.span.start, command.span.end)
    starts = [
        index
        for index in range(len(words))
        if words.piece[index] == "|" and index + 1 < len(words) and words.piece[index + 1] == "`("
    ]
    found = []
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(words)
        opening = start + 1
        closing = words.close[opening]
        if closing >= end:
            continue
        atoms = _pattern(words, opening + 1, closing)
        names = _names(words, closing + 1, end)
        if atoms and names:
            found.append(Notation(tuple(atoms), names, command.span.start, False, False))
    return found


def _pattern(words: Stream, at: int, end: int) -> list[tuple[str, ...]]:
    """The symbols of a quoted pattern; tokens without a space between them are one symbol."""
    if at + 1 < end and words.ident[at] and words.piece[at + 1] == "|":
        at += 2
    atoms: list[tuple[str, ...]] = []
    joined = False
    while at < end:
        piece = words.piece[at]
        if piece == "$":
            at += 1
            if at < end and words.piece[at] == "(":
                at = min(words.close[at], end - 1)
            elif at + 2 < end and words.piece[at + 1] == ":" and words.touches(at + 1):
                at += 2
            joined = False
        elif piece:
            if joined and words.touches(at) and not words.ident[at]:
                atoms[-1] = (*atoms[-1], piece)
            else:
                atoms.append((piece,))
            joined = not words.ident[at]
        at += 1
    return atoms


def used(
    words: Stream, at: int, first: int, last: int, known: Iterable[tuple[str, Scope, Notation]]
) -> list[tuple[str, Scope, Notation]]:
    """Those of some notations that are used at the token that tells them, within some tokens.

    Where one symbol begins with another, the longer one counts.
    """
    found: list[tuple[int, tuple[str, Scope, Notation]]] = []
    for item in known:
        if _is_use(words, at, last) and _matches(words, at, first, last, item[2]):
            found.append((len(item[2].atom(words.piece[at])), item))
    longest = max((length for length, _ in found), default=0)
    return [item for length, item in found if length == longest]


def _is_use(words: Stream, index: int, last: int) -> bool:
    if words.piece[index] != "\u22a2":
        return True
    # A tactic's `at h ⊢` names the goal.
    after = index + 1
    return (
        after < last
        and not words.first[after]
        and words.piece[after] not in lexer.CLOSERS
        and words.piece[after] not in ("<;>", ";", ",")
        and words.piece[index - 1] != "at"
    )


def _matches(words: Stream, index: int, first: int, last: int, notation: Notation) -> bool:
    telling = words.piece[index]
    position = next(i for i, atom in enumerate(notation.atoms) if telling in atom)
    atom = notation.atoms[position]
    start = index - atom.index(telling)
    if not _stands(words, start, atom, last):
        return False
    if telling in COMMON and len(notation.atoms) > 1 and len(atom) == 1:
        return _bracket(words, index, notation)
    at = start
    for other in reversed(notation.atoms[:position]):
        places = words.places(other[0])
        number = bisect.bisect_left(places, at) - 1
        while number >= 0 and not _stands(words, places[number], other, last):
            number -= 1
        if number < 0 or places[number] < first:
            return False
        at = places[number]
    at = start + len(atom) - 1
    for other in notation.atoms[position + 1 :]:
        places = words.places(other[0])
        number = bisect.bisect_right(places, at)
        while number < len(places) and not _stands(words, places[number], other, last):
            number += 1
        if number == len(places) or places[number] >= last:
            return False
        at = places[number]
    return True


def _stands(words: Stream, at: int, atom: tuple[str, ...], last: int) -> bool:
    if at < 0 or at + len(atom) > last:
        return False
    if len(atom) == 1:
        return words.piece[at] == atom[0]
    return all(
        words.piece[at + i] == piece and (i == 0 or words.touches(at + i))
        for i, piece in enumerate(atom)
    )


def _bracket(words: Stream, index: int, notation: Notation) -> bool:
    """Whether brackets and separators that are all common stand together: ``t[x := v]``."""
    end = words.close[index]
    if end < 0 or end >= len(words) or words.piece[end] != notation.atoms[-1][0]:
        return False
    wanted = [atom[0] for atom in notation.atoms[1:-1]]
    at = index + 1
    while at < end and wanted:
        if words.piece[at] == wanted[0]:
            wanted.pop(0)
        at = words.close[at] + 1 if words.close[at] >= 0 else at + 1
    return not wanted
