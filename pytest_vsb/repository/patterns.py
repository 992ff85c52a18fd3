"""Patterns: which of their names are constructors, and which are bound, with their types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from pytest_vsb.repository.locals import Local, Locals
from pytest_vsb.repository.names import Target
from pytest_vsb.repository.shapes import binder_end
from pytest_vsb.repository.stream import Stream, top_level
from pytest_vsb.repository.words import WORDS


class Bound(NamedTuple):
    """How far the names of a pattern hold, as in :class:`.locals.Local`, and its kind.

    Attributes:
        names_only: whether it is one of tactics like ``rcases``, in which there are no
            constructors.
    """

    column: int
    depth: int
    names_only: bool


class PatternReader(Protocol):
    """What is told of the names in patterns. Indices are those of tokens."""

    def name(self, name: str, at: int) -> None:
        """A name that is not local."""

    def constructor(self, name: str, at: int, expected: str, *, dotted: bool) -> Target | None:
        """The constructor that a name is, if it is one; that is then a use of it."""

    def alternative(self, name: str, at: int, expected: str) -> Target | None:
        """The constructor that an alternative of a tactic is for."""

    def arguments(self, target: Target | None, *, implicit: bool) -> list[str]:
        """The types of a constructor's arguments: all, or the explicit ones."""

    def components_of(self, expected: str) -> list[str]:
        """The types of the fields of a structure."""

    def conclusion(self) -> str:
        """The type of what the declaration yields, which is that of an induction's hypotheses."""


class Patterns:
    """Reads the patterns of one declaration and binds their names.

    Args:
        inside: walks over some tokens that are no pattern, the types in patterns.
    """

    def __init__(
        self,
        words: Stream,
        reader: PatternReader,
        local: Locals,
        inside: Callable[[int, int], None],
    ) -> None:
        self.words = words
        self.reader = reader
        self.local = local
        self._inside = inside

    def read(self, start: int, end: int, bound: Bound, expected: Sequence[str]) -> None:
        """Patterns separated by commas or bars.

        Args:
            expected: the types of what they match, as far as known.
        """
        words = self.words
        position, first = 0, start
        for at in [*top_level(words, start, end), end]:
            if at < end and words.piece[at] not in (",", "|"):
                continue
            self._one(first, at, bound, expected[position] if position < len(expected) else "")
            position = position + 1 if at < end and words.piece[at] == "," else 0
            first = at + 1

    def tactic(self, start: int, end: int, bound: Bound, expected: str, *, kind: str) -> None:
        """An alternative of ``cases`` or ``induction``: ``ctor a b ih``, or several with bars.

        Args:
            kind: the tactic's name; ``using`` if it is one with an eliminator of its own.
        """
        words = self.words
        first = start
        for at in [*top_level(words, start, end), end]:
            if at < end and words.piece[at] != "|":
                continue
            implicit = first < at and words.piece[first] == "@"
            index = first + implicit
            if index < at and words.ident[index]:
                target = None
                if kind != "using" and words.piece[index] != "_":
                    target = self.reader.alternative(words.piece[index], index, expected)
                types = self.reader.arguments(target, implicit=implicit)
                for position, argument in enumerate(top_level(words, index + 1, at)):
                    known = types[position] if position < len(types) else ""
                    if position >= len(types) and kind == "induction" and target is not None:
                        known = self.reader.conclusion()
                    self._argument(argument, bound, known)
            first = at + 1

    def _argument(self, at: int, bound: Bound, known: str) -> None:
        if self.words.close[at] >= 0:
            self._bracket(at, bound, known)
        elif self.words.ident[at] and self.words.piece[at] not in WORDS:
            self._bind(self.words.piece[at], bound, known)

    def _bind(
        self, name: str, bound: Bound, known: str = "", kind: tuple[int, int] | None = None
    ) -> None:
        if name != "_":
            self.local.add(
                Local(name, bound.depth, bound.column, -1, self.words, kind, known=known)
            )

    def _one(self, start: int, end: int, bound: Bound, expected: str) -> None:
        words = self.words
        items = top_level(words, start, end)
        if bound.names_only:
            for at in items:
                if "." not in words.piece[at]:
                    self._argument(at, bound, expected if len(items) == 1 else "")
            return
        # `x :: xs`, `n + 1`, `h : p`
        first = start
        parts = []
        for at in [*items, end]:
            if at == end or self._is_operator(at):
                parts.append((first, at))
                first = at + 1
        if len(parts) > 1 and words.piece[parts[0][1]] == ":" and words.ident[start]:
            self._bind(words.piece[start], bound)
            parts = parts[1:]
        for first, last in parts:
            self._applied(first, last, bound, expected if len(parts) == 1 else "")

    def _is_operator(self, at: int) -> bool:
        words = self.words
        piece = words.piece[at]
        return (
            not words.ident[at]
            and words.close[at] < 0
            and piece not in ("", ".", "@", "..")
            and not piece[0].isdigit()
        )

    def _applied(self, start: int, end: int, bound: Bound, expected: str) -> None:
        """A constructor and its arguments, or a name."""
        words = self.words
        if start + 1 < end and words.ident[start] and words.piece[start + 1] == "@":
            self._bind(words.piece[start], bound, expected)
            start += 2
        implicit = start < end and words.piece[start] == "@"
        start += implicit
        if start >= end:
            return
        piece = words.piece[start]
        types: list[str] = []
        after = start + 1
        if words.close[start] >= 0:
            self._bracket(start, bound, expected)
            after = min(words.close[start], end) + 1
        elif piece == "." and start + 1 < end and words.ident[start + 1]:
            short = words.piece[start + 1]
            target = self.reader.constructor(short, start + 1, expected, dotted=True)
            types = self.reader.arguments(target, implicit=implicit)
            after = start + 2
        elif words.ident[start] and piece not in WORDS:
            target = self.reader.constructor(piece, start, expected, dotted=False)
            if target is not None:
                types = self.reader.arguments(target, implicit=implicit)
            elif "." in piece or after < end:
                self.reader.name(piece, start)
            else:
                self._bind(piece, bound, expected)
        self._arguments(after, end, bound, types)

    def _arguments(self, start: int, end: int, bound: Bound, expected: list[str]) -> None:
        words = self.words
        at, position = start, 0
        while at < end:
            stop = at + 1
            if words.close[at] >= 0:
                stop = min(words.close[at] + 1, end)
            elif words.piece[at] == "." and stop < end and words.ident[stop]:
                stop += 1
            elif stop + 1 < end and words.piece[stop] == "@" and words.touches(stop):
                stop = min(max(words.close[stop + 1], stop + 1) + 1, end)
            self._applied(at, stop, bound, expected[position] if position < len(expected) else "")
            position += 1
            at = stop

    def _bracket(self, at: int, bound: Bound, expected: str) -> None:
        words = self.words
        start, end = at + 1, min(words.close[at], len(words))
        if words.piece[at] == "⟨":
            types = self.reader.components_of(expected) if expected else []
        else:
            types = [expected]
            if words.piece[start + 1 : start + 2] == [":="] and words.ident[start]:
                start += 2
            colon = min(binder_end(words, start, end), end)
            if colon < end:
                self._inside(colon + 1, end)
                for index in range(start, colon):
                    if words.ident[index] and words.piece[index] not in WORDS:
                        self._bind(words.piece[index], bound, kind=(colon + 1, end))
                return
        self.read(start, end, bound, types)
