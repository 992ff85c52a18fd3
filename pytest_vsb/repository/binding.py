"""How a walk over the tokens of a declaration binds names: binders, and what ends them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol

from pytest_vsb.repository.locals import Local, Locals
from pytest_vsb.repository.patterns import Bound, PatternReader, Patterns
from pytest_vsb.repository.shapes import binder_end
from pytest_vsb.repository.stream import Stream
from pytest_vsb.source import lexer
from pytest_vsb.source.model import Declaration

_RELATIONS = frozenset("∈ ∉ ⊆ ⊂ < ≤ > ≥ ≠".split())
_NAMES_END = frozenset("; <;> => · at using with := by generalizing".split())
_BEFORE_TACTIC = frozenset({"·", "by", "<;>", ";", "=>", "(", "|"})


class Reader(PatternReader, Protocol):
    """What is told of the names that a walk meets. Indices are those of tokens."""

    def member(self, local: Local, path: list[str], at: int) -> None:
        """``x.path`` of a local ``x``."""

    def selected(self, before: int, name: str, at: int) -> None:
        """``.name`` behind an expression that ends with token ``before``; -1 if it is not said."""

    def dotted(self, name: str, at: int) -> object:
        """``.name`` with nothing before it."""

    def subject(self, at: int) -> str:
        """The type of the expression that begins at a token; empty if it is not known."""

    def equations(self) -> list[str]:
        """The types of what the equations of the declaration match."""

    def fields(self, names: list[str], at: int) -> None:
        """The fields that a structure instance gives."""

    def variable(self, group: int) -> None:
        """A variable of that group is used."""


class Alternatives:
    """The alternatives of a match, from the first on."""

    def __init__(
        self, depth: int, column: int, size: int, tactic: str, subjects: list[str]
    ) -> None:
        self.depth = depth
        self.column = column
        self.size = size
        self.tactic = tactic
        self.subjects = subjects


class Binding(ABC):
    """The state of a walk over one declaration, and the binding of names.

    Attributes:
        words: the tokens of the declaration, from its keyword on.
        body: the index of the first token of its body.
        local: what is local where the walk is.
        depth: how many brackets are open there.
    """

    def __init__(
        self, words: Stream, declaration: Declaration, reader: Reader, local: Locals
    ) -> None:
        self.words = words
        self.declaration = declaration
        self.reader = reader
        self.local = local
        self.depth = 0
        self.body = words.at(declaration.body.start) if declaration.body is not None else len(words)
        self._patterns = Patterns(words, reader, local, self._inside)
        self._indent = 0
        self._bar = False
        self._lead = True
        self._matcher = ""
        self._subjects: list[str] = []
        self._tactic = ""
        self._skipped: set[int] = set()
        self._binders_at: dict[int, tuple[int, int]] = {}
        self._openers: list[int] = []
        self._alternatives: list[Alternatives] = []

    @abstractmethod
    def _step(self, at: int) -> int:
        """Walks over a token, and what belongs to it. Returns where to go on."""

    @abstractmethod
    def _word(self, at: int) -> int:
        """Reads a word that may be a name. Returns where to go on."""

    def span(self, start: int, end: int) -> None:
        """Walks over some of the tokens."""
        at = start
        while at < end:
            at = max(self._step(at), at + 1)

    def _column(self) -> int:
        """The column that ends what is bound here: a line left of it, or an alternative's next."""
        return self._indent + 1 if self._bar else self._indent

    def _bind(
        self,
        name: str,
        column: int,
        *,
        depth: int | None = None,
        since: int = -1,
        kind: tuple[int, int] | None = None,
        value: tuple[int, int] | None = None,
    ) -> None:
        if name != "_":
            at = self.depth if depth is None else depth
            self.local.add(Local(name, at, column, since, self.words, kind, value))

    def _pattern(
        self,
        start: int,
        end: int,
        column: int,
        *,
        names_only: bool = False,
        expected: list[str] | None = None,
    ) -> None:
        bound = Bound(column, self.depth, names_only)
        self._patterns.read(start, end, bound, expected if expected is not None else [])

    def _binders(self, start: int, end: int, column: int) -> None:
        """Binders up to a token: ``x (y z : T) {w} [inst : C] ⟨a, b⟩ : U``."""
        words = self.words
        at = start
        bare: list[str] = []
        kind = None
        while at < end:
            piece = words.piece[at]
            if words.close[at] >= 0:
                self._group(at, min(words.close[at], end), column)
                at = words.close[at] + 1
                continue
            if piece == ":":
                kind = (at + 1, end)
                self.span(at + 1, end)
                break
            if piece in _RELATIONS or piece in ("with", "|", ","):
                for name in bare:
                    self._bind(name, column)
                bare = []
                if piece not in (",", "|"):
                    self.span(at + 1, end)
                    return
            elif words.ident[at]:
                bare.append(piece)
            at += 1
        for name in bare:
            self._bind(name, column, kind=kind)

    def _group(self, at: int, end: int, column: int) -> None:
        words = self.words
        piece = words.piece[at]
        index = at + 1
        names = []
        while index < end and words.ident[index]:
            names.append(words.piece[index])
            index += 1
        if names and index < end and words.piece[index] == ":":
            stop = index + 1
            while stop < end and words.piece[stop] != ":=":
                stop = words.close[stop] + 1 if words.close[stop] >= 0 else stop + 1
            self._inside(index + 1, end)
            for name in names:
                self._bind(name, column, kind=(index + 1, min(stop, end)))
        elif piece == "[":
            self._inside(at + 1, end)
        elif index == end and piece in ("(", "{", "⦃") and names:
            for name in names:
                self._bind(name, column)
        else:
            self._pattern(at, end + 1, column)

    def _inside(self, start: int, end: int) -> None:
        """Walks over what stands in a bracket that is not walked over itself."""
        self.depth += 1
        self._openers.append(start - 1)
        self.span(start, end)
        self._close()

    def _close(self) -> None:
        self.depth = max(0, self.depth - 1)
        if self._openers:
            self._openers.pop()
        self.local.close(self.depth)
        while self._alternatives and self._alternatives[-1].depth > self.depth:
            self._alternatives.pop()

    def _find(
        self, start: int, wanted: frozenset[str], *, stop: frozenset[str] = frozenset()
    ) -> int:
        """The first of some tokens from ``start`` on outside of brackets; -1 if a bracket closes
        first, or one of ``stop`` is found."""
        words = self.words
        at = start
        while at < len(words):
            piece = words.piece[at]
            if piece in wanted:
                return at
            if words.close[at] >= 0:
                at = words.close[at]
            elif piece in lexer.CLOSERS or piece in stop:
                return -1
            at += 1
        return -1

    def _names_end(self, start: int) -> int:
        """The index after the last token of the names that a tactic is given."""
        words = self.words
        at = start
        while at < len(words):
            piece = words.piece[at]
            if words.first[at] and words.column[at] <= self._indent:
                return at
            if piece in _NAMES_END or piece in lexer.CLOSERS:
                return at
            at = words.close[at] + 1 if words.close[at] >= 0 else at + 1
        return len(words)

    def _value_end(self, middle: int, column: int) -> int:
        """The index of the token with which what follows a ``let`` begins."""
        words = self.words
        at = middle + 1
        while at < len(words):
            piece = words.piece[at]
            if words.first[at] and words.column[at] <= column:
                return at
            if piece == ";" or (piece == "|" and not words.first[at]) or piece in lexer.CLOSERS:
                return at
            at = words.close[at] + 1 if words.close[at] >= 0 else at + 1
        return len(words)

    def _colon(self, start: int, end: int) -> int:
        return min(binder_end(self.words, start, end), end)

    def _is_tactic(self, at: int) -> bool:
        words = self.words
        return words.first[at] or words.piece[at - 1] in _BEFORE_TACTIC
