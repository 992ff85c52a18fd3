"""A walk over the tokens of one declaration that tells its global names from its local ones.

It follows how Lean binds names by words and layout, without elaborating anything: what a tactic of
the repository's own binds it cannot know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pytest_vsb.repository.facts import (
    INDUCTIVES,
    STRUCTURES,
    binder_end,
    constructor_spans,
    field_starts,
    name_end,
)
from pytest_vsb.repository.locals import EVERYWHERE, Local, Locals
from pytest_vsb.repository.patterns import Bound, PatternReader, Patterns
from pytest_vsb.repository.scopes import components
from pytest_vsb.repository.stream import Stream, top_level
from pytest_vsb.repository.words import WORDS
from pytest_vsb.source import lexer
from pytest_vsb.source.grammar import KEYWORDS
from pytest_vsb.source.model import Declaration, plain_name

_QUANTIFIERS = frozenset("∀ ∃ forall exists ∑ ∏ Σ Π ⋃ ⋂ ⨆ ⨅ ∫ ∀ᶠ ∃ᶠ".split())
_FUNCTIONS = frozenset({"fun", "λ"})
_ARROWS = frozenset({"=>", "↦"})
_RELATIONS = frozenset("∈ ∉ ⊆ ⊂ < ≤ > ≥ ≠".split())
_FOLLOWED = frozenset({"→", "->", "×"})
_DEFINES = frozenset({":=", "←", "<-"})
_GROUPS = frozenset({"(", "{", "[", "⦃"})
_LETS = frozenset("let have haveI letI let_fun replace suffices set set!".split())
_INTROS = frozenset(
    "intro intros rintro rename_i ext funext ext1 introv iintro intro' generalize_proofs by_contra "
    "by_contra! extract_lets".split()
)
_WITH_PATTERNS = frozenset(
    "rcases cases' induction' injection injections split_ifs set set! lift by_contra! obtain "
    "casesm icases".split()
)
_TACTIC_MATCHERS = frozenset({"cases", "induction", "fun_induction", "fun_cases"})
_LABELLED = frozenset("if by_cases cases match rcases induction by_cases!".split())
# What stands between the bar of an alternative and its arrow is never one of these.
_NO_PATTERN = frozenset(
    "fun λ by do match if let have exact apply simp rw then else show from := at with intro "
    "where".split()
)
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


class _Alternatives:
    """The alternatives of a match, from the first on."""

    def __init__(
        self, depth: int, column: int, size: int, tactic: str, subjects: list[str]
    ) -> None:
        self.depth = depth
        self.column = column
        self.size = size
        self.tactic = tactic
        self.subjects = subjects


class Walk:
    """Goes over one declaration, from its statement to its end."""

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
        self._alternatives: list[_Alternatives] = []

    # The whole

    def run(self) -> None:
        """Walks to the end."""
        words, declaration, body = self.words, self.declaration, self.body
        start = name_end(words, declaration)
        extends = next((i for i in range(start, body) if words.piece[i] == "extends"), body)
        colon = binder_end(words, start, extends)
        self._binders(start, colon, EVERYWHERE)
        self.span(colon + 1, extends)
        self.span(extends, body)
        if declaration.kind in INDUCTIVES:
            self._inductive(body)
        elif declaration.kind in STRUCTURES:
            self._structure(body)
        else:
            self._own_names(body)
            self.span(body, len(words))

    def span(self, start: int, end: int) -> None:
        """Walks over some of the tokens."""
        at = start
        while at < end:
            at = max(self._step(at), at + 1)

    def _inductive(self, body: int) -> None:
        spans = constructor_spans(self.words, body)
        self.span(body, spans[0][0] - 1 if spans else len(self.words))
        for at, end in spans:
            size = len(self.local)
            colon = binder_end(self.words, at + 1, end)
            self._binders(at + 1, colon, EVERYWHERE)
            self.span(colon + 1, end)
            self.local.cut(size)

    def _structure(self, body: int) -> None:
        words = self.words
        starts = list(field_starts(words, body))
        for number, (first, colon) in enumerate(starts):
            if colon < 0:
                continue
            end = starts[number + 1][0] if number + 1 < len(starts) else len(words)
            size = len(self.local)
            at = first
            while at < colon and words.ident[at]:
                at += 1
            self._binders(at, colon, EVERYWHERE)
            self.span(colon + 1, end)
            self.local.cut(size)
            for index in range(first, at):
                self._bind(words.piece[index], EVERYWHERE, kind=(colon + 1, end))

    def _own_names(self, body: int) -> None:
        """Functions that the body defines by ``where`` or ``let rec`` are known in all of it."""
        words = self.words
        for at in range(body, len(words) - 1):
            if words.piece[at] == "rec" and words.piece[at - 1] == "let" and words.ident[at + 1]:
                self._bind(words.piece[at + 1], EVERYWHERE, depth=0)
            elif words.piece[at] == "where" and at > body:
                for item in self._items(at):
                    self._bind(words.piece[item], EVERYWHERE, depth=0)

    def _items(self, where: int) -> list[int]:
        """The names that stand first in the items after a ``where``."""
        words = self.words
        at = where + 1
        if at >= len(words) or not words.ident[at]:
            return []
        column = words.column[at] if words.first[at] else -1
        found = []
        while at < len(words):
            if words.first[at] and words.column[at] < column:
                break
            if (
                words.ident[at]
                and (at == where + 1 or (words.first[at] and words.column[at] == column))
                and words.piece[at] not in WORDS
            ):
                found.append(at)
            at = words.close[at] + 1 if words.close[at] >= 0 else at + 1
        return found

    # One token

    def _step(self, at: int) -> int:
        words = self.words
        piece = words.piece[at]
        if words.first[at]:
            self._line(at)
        elif self._lead:
            self._indent = words.column[at]
        self._lead = piece in ("·", "|") and (words.first[at] or self._lead)
        if at in self._binders_at:
            end, column = self._binders_at.pop(at)
            self._binders(at, end, column)
            return end
        if not piece:
            return at + 1
        if words.close[at] >= 0:
            return self._open(at)
        if piece in lexer.CLOSERS:
            self._close()
            return at + 1
        if at in self._skipped:
            return at + 1
        handler = _HANDLERS.get(piece)
        if handler is not None and not (at and words.piece[at - 1] == "." and words.touches(at)):
            return handler(self, at)
        if words.ident[at]:
            return self._word(at)
        if piece == "|":
            return self._alternative(at)
        if piece in (".", "|>."):
            return self._dot(at)
        return at + 1

    def _line(self, at: int) -> None:
        column = self.words.column[at]
        self.local.line(column)
        while (
            self._alternatives
            and self._alternatives[-1].column > column
            and self._alternatives[-1].depth >= self.depth
        ):
            self._alternatives.pop()
        self._indent = column
        self._bar = self.words.piece[at] == "|"
        self._tactic = ""

    def _close(self) -> None:
        self.depth = max(0, self.depth - 1)
        if self._openers:
            self._openers.pop()
        self.local.close(self.depth)
        while self._alternatives and self._alternatives[-1].depth > self.depth:
            self._alternatives.pop()

    def _open(self, at: int) -> int:
        words = self.words
        piece = words.piece[at]
        end = words.close[at]
        if piece in ("@[", "`["):
            return end + 1
        if piece in _GROUPS and self._is_arrow_binder(at):
            self._binders(at, end + 1, self._column())
            return end + 1
        self.depth += 1
        self._openers.append(at)
        if piece == "{":
            self._brace(at, end)
        return at + 1

    def _is_arrow_binder(self, at: int) -> bool:
        """Whether a group is a binder of a dependent arrow: ``(x : T) → U``."""
        words = self.words
        if at + 1 >= len(words) or not words.ident[at + 1]:
            return False
        while at < len(words) and words.close[at] >= 0:
            end = words.close[at]
            if words.piece[at] not in _GROUPS or end >= len(words):
                return False
            if words.piece[at] != "[":
                index = at + 1
                while index < end and words.ident[index]:
                    index += 1
                if index == at + 1 or index >= end or words.piece[index] != ":":
                    return False
            at = end + 1
        return at < len(words) and words.piece[at] in _FOLLOWED

    def _brace(self, at: int, end: int) -> None:
        """The names that braces bind, ``{x | p}``, or the fields that they give."""
        words = self.words
        index = at + 1
        while index < end and words.ident[index] and words.piece[index] not in KEYWORDS:
            index += 1
        if at + 1 < index < end:
            stop = index
            kind = None
            if words.piece[index] == ":" or words.piece[index] in _RELATIONS:
                while stop < end and not self._divides(stop):
                    stop = words.close[stop] + 1 if words.close[stop] >= 0 else stop + 1
                if words.piece[index] == ":":
                    kind = (index + 1, stop)
            if stop < end and self._divides(stop):
                for number in range(at + 1, index):
                    self._bind(words.piece[number], EVERYWHERE, kind=kind)
                    self._skipped.add(number)
                self._skipped.add(stop)
                return
        self._instance(at, end)

    def _divides(self, at: int) -> bool:
        """Whether the condition of ``{x | p}`` or ``{x // p}`` begins."""
        piece = self.words.piece
        return piece[at] == "|" or (piece[at : at + 2] == ["/", "/"] and self.words.touches(at + 1))

    def _instance(self, at: int, end: int) -> None:
        """The fields of a structure instance ``{ a := 1, b }``."""
        words = self.words
        index = at + 1
        fields = []
        fresh = True
        while index < end:
            if words.ident[index] and (fresh or words.first[index]):
                after = index + 1
                while after < end and words.ident[after] and words.piece[after] not in KEYWORDS:
                    after += 1
                if after < end and words.piece[after] == ":=":
                    fields.append(words.piece[index])
                    self._skipped.add(index)
                    for argument in range(index + 1, after):
                        self._bind(words.piece[argument], words.column[index] + 1)
                        self._skipped.add(argument)
            fresh = words.piece[index] in (",", "with")
            index = words.close[index] + 1 if words.close[index] >= 0 else index + 1
        if fields:
            self.reader.fields(fields, at)

    def _word(self, at: int) -> int:
        words = self.words
        piece = words.piece[at]
        after = words.piece[at + 1] if at + 1 < len(words) else ""
        before = words.piece[at - 1] if at else ""
        if piece.startswith("`"):
            if piece.startswith("``"):
                self.reader.name(piece[2:], at)
            return at + 1
        if "«" in piece:
            piece = plain_name(piece)
        if self._is_tactic(at):
            self._tactic = piece
        if before == "(" and after == ":=":
            return at + 1
        if (after == ":" and before in _LABELLED) or (after == "@" and words.touches(at + 1)):
            self._bind(piece, self._column())
            return at + 1
        end = at + 1
        if after == "." and words.piece[at + 2 : at + 3] == ["{"] and words.touches(at + 1):
            end = words.close[at + 2] + 1
        parts = components(piece)
        local = self.local.get(parts[0], at)
        if local is not None:
            if local.group >= 0:
                self.reader.variable(local.group)
            if len(parts) > 1:
                self.reader.member(local, parts[1:], at)
        elif piece not in WORDS:
            self.reader.name(piece, at)
        return end

    def _is_tactic(self, at: int) -> bool:
        words = self.words
        return words.first[at] or words.piece[at - 1] in _BEFORE_TACTIC

    def _dot(self, at: int) -> int:
        words = self.words
        if at + 1 >= len(words) or not words.ident[at + 1]:
            return at + 1
        if words.piece[at] == "|>.":
            self.reader.selected(-1, words.piece[at + 1], at + 1)
            return at + 2
        if not words.touches(at + 1):
            return at + 1
        if words.touches(at) and (
            words.ident[at - 1]
            or words.piece[at - 1] in lexer.CLOSERS
            or words.piece[at - 1][:1].isdigit()
        ):
            self.reader.selected(at - 1, words.piece[at + 1], at + 1)
        else:
            self.reader.dotted(words.piece[at + 1], at + 1)
        return at + 2

    # Binding

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
            if words.first[at] and at > start and words.column[at] <= self._indent:
                return at
            if piece in _NAMES_END or piece in lexer.CLOSERS:
                return at
            at = words.close[at] + 1 if words.close[at] >= 0 else at + 1
        return len(words)

    def _colon(self, start: int, end: int) -> int:
        return min(binder_end(self.words, start, end), end)

    # Words

    def _quantifier(self, at: int) -> int:
        words = self.words
        if words.piece[at] == "exists" and self._is_tactic(at):
            return at + 1
        start = at + 1
        if words.piece[start : start + 1] == ["!"]:
            start += 1
        end = self._find(start, frozenset({","}), stop=frozenset({":="}))
        if end < 0:
            return at + 1
        self._binders(start, end, self._column())
        return end + 1

    def _function(self, at: int) -> int:
        words = self.words
        if words.piece[at + 1 : at + 2] == ["|"]:
            return at + 1
        end = self._find(at + 1, _ARROWS | {","}, stop=frozenset({":="}))
        if end < 0:
            return at + 1
        dotted = words.ident[at + 1] and "." in words.piece[at + 1]
        if self._colon(at + 1, end) < end or (
            not dotted
            and all(words.ident[i] or words.close[i] >= 0 for i in top_level(words, at + 1, end))
        ):
            self._binders(at + 1, end, self._column())
        else:
            self._pattern(at + 1, end, self._column())
        return end + 1

    def _let(self, at: int) -> int:
        words = self.words
        if self._is_tactic(at):
            self._tactic = words.piece[at]
        index = at + 1
        while index < len(words) and words.piece[index] in ("mut", "rec"):
            index += 1
        if index >= len(words):
            return index
        middle = self._find(
            index,
            frozenset({":=", "←", "<-", "from", "by", "|"}),
            stop=frozenset({"have", "let", ";"}),
        )
        stop = middle if middle >= 0 else self._names_end(index)
        since = self._value_end(middle, words.column[at]) if middle >= 0 else stop
        colon = self._colon(index, stop)
        column = self._column()
        piece = words.piece[index]
        defines = middle >= 0 and words.piece[middle] in _DEFINES
        if (words.close[index] >= 0 and index < colon) or (
            defines and (piece == "." or (words.ident[index] and "." in piece))
        ):
            self._pattern(index, colon, column, names_only=piece == "⟨")
            self.span(colon + 1, stop)
            return max(stop, index)
        name, start = "this", index
        if words.ident[index] and index < max(colon, stop) and piece not in WORDS:
            name, start = piece, index + 1
        if start < colon:
            self._binders(start, colon, column)
        self.span(colon + 1, stop)
        kind = (colon + 1, stop) if colon < stop else None
        is_value = defines and words.piece[middle] == ":=" and start >= colon
        value = (middle + 1, since) if is_value else None
        self._bind(name, column, since=since, kind=kind, value=value)
        return max(stop, index)

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

    def _intros(self, at: int) -> int:
        if not self._is_tactic(at):
            return self._word(at)
        if self.words.piece[at + 1 : at + 2] == ["|"]:
            return at + 1
        end = self._names_end(at + 1)
        colon = self._colon(at + 1, end)
        self._pattern(at + 1, colon, self._column(), names_only=True)
        self.span(colon + 1, end)
        self._tactic = self.words.piece[at]
        return end

    def _obtain(self, at: int) -> int:
        end = self._find(at + 1, frozenset({":="}))
        if end < 0:
            end = self._names_end(at + 1)
        colon = self._colon(at + 1, end)
        self._pattern(at + 1, colon, self._column(), names_only=True)
        self.span(colon + 1, end)
        return end

    def _for(self, at: int) -> int:
        end = self._find(at + 1, frozenset({"in"}), stop=frozenset({"do", ":="}))
        if end < 0:
            return at + 1
        self._pattern(at + 1, end, self._column())
        return end + 1

    def _case(self, at: int) -> int:
        words = self.words
        end = self._find(at + 1, _ARROWS, stop=_NO_PATTERN)
        if end < 0 or not self._is_tactic(at):
            return self._word(at) if end < 0 else at + 1
        start = at + 1
        if words.piece[at] != "next" and start < end and words.ident[start]:
            self.reader.alternative(words.piece[start], start, "")
            start += 1
        self._pattern(start, end, words.column[at] + 1, names_only=True)
        return end + 1

    def _choose(self, at: int) -> int:
        end = self._find(at + 1, frozenset({"using"}))
        if end < 0:
            return at + 1
        self._pattern(at + 1, end, self._column(), names_only=True)
        return end + 1

    def _generalize(self, at: int) -> int:
        words = self.words
        index = at + 1
        if words.piece[index + 1 : index + 2] == [":"] and words.ident[index]:
            self._bind(words.piece[index], self._column())
            index += 2
        end = self._names_end(index)
        equal = max((i for i in top_level(words, index, end) if words.piece[i] == "="), default=end)
        self.span(index, equal)
        for i in range(equal + 1, end):
            if words.ident[i]:
                self._bind(words.piece[i], self._column())
        return end

    def _match(self, at: int) -> int:
        words = self.words
        piece = words.piece[at]
        self._matcher = piece if piece in _TACTIC_MATCHERS else ""
        self._tactic = piece
        self._subjects = []
        start = at + 1
        if self._matcher:
            using = self._find(start, frozenset({"using"}), stop=frozenset({"with", ":="}))
            if using >= 0 and not any(words.first[i] for i in range(start, using)):
                # The alternatives are those of what it uses, not of a type.
                self._matcher = "using"
        while start < len(words):
            if words.ident[start] and words.piece[start + 1 : start + 2] == [":"]:
                start += 2
            self._subjects.append(self.reader.subject(start))
            comma = self._find(
                start, frozenset({","}), stop=frozenset({"with", "using", "generalizing", ":="})
            )
            if self._matcher or comma < 0:
                break
            start = comma + 1
        return at + 1

    def _with(self, at: int) -> int:
        words = self.words
        if words.piece[at + 1 : at + 2] == ["|"] or self._tactic not in _WITH_PATTERNS:
            return at + 1
        end = self._names_end(at + 1)
        self._pattern(at + 1, end, self._column(), names_only=True)
        return end

    def _where(self, at: int) -> int:
        """The items of a ``where``: fields of an instance, or functions of the body's own."""
        words = self.words
        fields = []
        for item in self._items(at):
            self._skipped.add(item)
            fields.append(words.piece[item])
            end = self._find(item + 1, frozenset({":=", "|"}), stop=frozenset({"where"}))
            colon = self._colon(item + 1, end) if end > 0 else 0
            if item + 1 < colon:
                self._binders_at[item + 1] = (colon, words.column[item] + 1)
        if at == self.body and fields:
            self.reader.fields(fields, at)
        return at + 1

    def _scoped(self, at: int) -> int:
        """``open … in`` and ``set_option … in`` within a term or before a tactic."""
        end = self._find(at + 1, frozenset({"in"}))
        return end + 1 if 0 < end - at < 12 else at + 2

    def _deriving(self, at: int) -> int:
        return len(self.words) if at > self.body else at + 1

    # Alternatives

    def _alternative(self, at: int) -> int:
        words = self.words
        end = self._find(at + 1, _ARROWS, stop=_NO_PATTERN)
        if end < 0 or (self._openers and words.piece[self._openers[-1]] == "{"):
            return at + 1
        before = words.piece[at - 1] if at else ""
        column = words.column[at] if words.first[at] else self._indent
        fresh = before in ("with", "fun", "λ") or not self._alternatives
        if not fresh:
            if words.first[at]:
                while self._alternatives and self._alternatives[-1].column > column:
                    self._alternatives.pop()
            top = self._alternatives[-1] if self._alternatives else None
            if top is None or top.depth != self.depth or (words.first[at] and top.column < column):
                fresh = True
            else:
                self.local.cut(top.size)
        if fresh:
            self._alternatives.append(self._begun(at, before, column))
        current = self._alternatives[-1]
        if current.tactic:
            expected = current.subjects[0] if current.subjects else ""
            bound = Bound(column + 1, self.depth, True)
            self._patterns.tactic(at + 1, end, bound, expected, kind=current.tactic)
        else:
            self._pattern(at + 1, end, column + 1, expected=current.subjects)
        return end + 1

    def _begun(self, at: int, before: str, column: int) -> _Alternatives:
        """The alternatives that the one at a bar is the first of."""
        tactic, subjects = "", []
        if before not in ("fun", "λ", "intro", "rintro"):
            if at == self.body:
                subjects = self.reader.equations()
            else:
                tactic, subjects = self._matcher, self._subjects
        self._matcher, self._subjects = "", []
        return _Alternatives(self.depth, column, len(self.local), tactic, subjects)


_HANDLERS: dict[str, Callable[[Walk, int], int]] = {
    word: handler
    for words, handler in (
        (_QUANTIFIERS, Walk._quantifier),
        (_FUNCTIONS, Walk._function),
        (_LETS, Walk._let),
        (_INTROS, Walk._intros),
        (frozenset({"obtain"}), Walk._obtain),
        (frozenset({"for"}), Walk._for),
        (frozenset({"case", "case'", "next"}), Walk._case),
        (frozenset({"choose", "choose!"}), Walk._choose),
        (frozenset({"with"}), Walk._with),
        (frozenset({"where"}), Walk._where),
        (frozenset({"open", "set_option"}), Walk._scoped),
        (frozenset({"deriving"}), Walk._deriving),
        (frozenset({"generalize"}), Walk._generalize),
        (_TACTIC_MATCHERS | {"match"}, Walk._match),
    )
    for word in words
}
