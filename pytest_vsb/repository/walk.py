"""A walk over the tokens of one declaration that tells its global names from its local ones.

It follows how Lean binds names by words and layout, without elaborating anything: what a tactic of
the repository's own binds it cannot know.
"""

from __future__ import annotations

from collections.abc import Callable

from pytest_vsb.repository.binders import Binders
from pytest_vsb.repository.facts import INDUCTIVES, STRUCTURES
from pytest_vsb.repository.locals import EVERYWHERE
from pytest_vsb.repository.scopes import components
from pytest_vsb.repository.shapes import binder_end, constructor_spans, field_starts, name_end
from pytest_vsb.repository.words import WORDS
from pytest_vsb.source import lexer
from pytest_vsb.source.grammar import KEYWORDS
from pytest_vsb.source.model import plain_name

_QUANTIFIERS = frozenset("∀ ∃ forall exists ∑ ∏ Σ Π ⋃ ⋂ ⨆ ⨅ ∫ ∀ᶠ ∃ᶠ".split())
_FUNCTIONS = frozenset({"fun", "λ"})
_RELATIONS = frozenset("∈ ∉ ⊆ ⊂ < ≤ > ≥ ≠".split())
_FOLLOWED = frozenset({"→", "->", "×"})
_GROUPS = frozenset({"(", "{", "[", "⦃"})
_LETS = frozenset("let have haveI letI let_fun replace suffices set set!".split())
_INTROS = frozenset(
    "intro intros rintro rename_i ext funext ext1 introv iintro intro' generalize_proofs by_contra "
    "by_contra! extract_lets".split()
)
_MATCHERS = frozenset({"cases", "induction", "fun_induction", "fun_cases", "match"})
_LABELLED = frozenset("if by_cases cases match rcases induction by_cases!".split())


class Walk(Binders):
    """Goes over one declaration, from its statement to its end."""

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
        return self.words.piece[at] in ("|", "//")

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
        (_MATCHERS, Walk._match),
    )
    for word in words
}
