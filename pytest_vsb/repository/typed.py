"""The types of expressions, as far as the text tells them without elaboration."""

from __future__ import annotations

from pytest_vsb.repository.locals import Local, Locals
from pytest_vsb.repository.names import Table, Viewer
from pytest_vsb.repository.scopes import Scope, components
from pytest_vsb.repository.shapes import binder_end, head_of, telescope
from pytest_vsb.repository.stream import Stream

_DEEPEST = 8
_SUBJECT_ENDS = frozenset({"with", ",", "using", "generalizing", ";", "<;>"})
_APPLIED = frozenset({"", ".", "_", "$", "<|", "?"})


class Types:
    """Tells types by their full names at the places of one declaration; "" for what is not known.

    ``local`` is what is local there, as a walk goes on.
    """

    def __init__(self, table: Table, scope: Scope, viewer: Viewer) -> None:
        self._table = table
        self._scope = scope
        self._viewer = viewer
        self.local = Locals()

    def of(self, local: Local, at: int, deep: int = 0) -> str:
        """The type of a local name."""
        if local.known or deep > _DEEPEST:
            return local.known
        if local.type is not None:
            return self.written(local.words, *local.type, at)
        if local.value is not None:
            return self.value(local.words, *local.value, at, deep)
        return ""

    def written(self, words: Stream, start: int, end: int, at: int) -> str:
        """The type that some tokens say."""
        arguments, (first, last) = telescope(words, start, end)
        if (
            not arguments
            and first < last
            and words.ident[first]
            and self.local.get(components(words.piece[first])[0], at) is not None
            and (last == first + 1 or head_of(words, first, last))
        ):
            return ""
        return self._table.read_type(words, start, end, self._scope, self._viewer)

    def value(self, words: Stream, start: int, end: int, at: int, deep: int = 0) -> str:
        """The type of an expression, if it is a name that is applied or selected from."""
        while start < end and words.piece[start] == "@":
            start += 1
        if start >= end or deep > _DEEPEST:
            return ""
        if words.piece[start] == "(":
            close = min(words.close[start], end)
            if close + 1 < end:
                return self.ends(words, end - 1) if self._is_chain(words, close + 1, end) else ""
            colon = binder_end(words, start + 1, close)
            if colon < close:
                return self.written(words, colon + 1, close, at)
            return self.value(words, start + 1, close, at, deep + 1)
        if not words.ident[start] or self._operates(words, start, end):
            return ""
        first, *rest = components(words.piece[start])
        local = self.local.get(first, at)
        if local is not None:
            kind = self.of(local, at, deep + 1)
            if not kind and not rest and end > start + 1 and local.type is not None:
                arguments, result = telescope(local.words, *local.type)
                kind = self.written(local.words, *result, at) if arguments else ""
        else:
            found = self._table.resolve(words.piece[start], self._scope, self._viewer)
            if found is None:
                return ""
            kind, rest = self._table.type_of(found[0]), found[1]
        for name in rest:
            target = self._table.member(kind, name, self._viewer) if kind else None
            kind = self._table.type_of(target) if target is not None else ""
        return kind

    def _is_chain(self, words: Stream, start: int, end: int) -> bool:
        """Whether tokens only select from what stands before them: ``.1.foo``."""
        return (end - start) % 2 == 0 and all(
            words.piece[at] == "." and words.touches(at) and words.touches(at + 1)
            for at in range(start, end, 2)
        )

    def _operates(self, words: Stream, start: int, end: int) -> bool:
        """Whether operators make an expression something else than its first name applied."""
        at = start + 1
        while at < end:
            piece = words.piece[at]
            if words.close[at] >= 0:
                at = words.close[at]
            elif not words.ident[at] and piece not in _APPLIED and not piece[0].isdigit():
                return True
            at += 1
        return False

    def subject(self, words: Stream, at: int) -> str:
        """The type of what is matched, from its first token."""
        end = at
        while end < len(words) and words.piece[end] not in _SUBJECT_ENDS:
            if end > at and words.first[end]:
                break
            end = words.close[end] + 1 if words.close[end] >= 0 else end + 1
        return self.value(words, at, min(end, len(words)), at)

    def ends(self, words: Stream, before: int) -> str:
        """The type of the expression that ends with a token."""
        piece = words.piece[before]
        selects = before > 1 and words.piece[before - 1] == "." and words.touches(before)
        if selects and piece[:1].isdigit():
            fields = self.fields_of(self.ends(words, before - 2))
            number = int(piece) if piece.isdecimal() else 0
            return fields[number - 1] if 0 < number <= len(fields) else ""
        if words.ident[before]:
            if not selects:
                return self.value(words, before, before + 1, before)
            kind = self.ends(words, before - 2)
            for name in components(piece):
                target = self._table.member(kind, name, self._viewer) if kind else None
                kind = self._table.type_of(target) if target is not None else ""
            return kind
        if piece != ")":
            return ""
        opening = next((i for i in range(before - 1, -1, -1) if words.close[i] == before), -1)
        return self.value(words, opening, before + 1, before) if opening >= 0 else ""

    def fields_of(self, type_name: str) -> list[str]:
        """The types of the fields of a structure."""
        found = self._table.constructor_of(type_name, self._viewer) if type_name else None
        return self._table.arguments_of(found) if found is not None else []
