"""The parts of a declaration's statement, and its docstring, found when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pytest_vsb.source import header, lexer
from pytest_vsb.source.model import Declaration, Span

BinderKind = Literal["explicit", "implicit", "strict", "instance"]

_Token = tuple[str, int, int]
_TRIVIA = frozenset({"space", "line", "block"})
_KIND: dict[str, BinderKind] = {
    "(": "explicit",
    "{": "implicit",
    "\u2983": "strict",
    "[": "instance",
}
_EXTENDS = "extends"


@dataclass(frozen=True)
class Binder:
    """One binder of a declaration, with its brackets.

    Attributes:
        names: what it binds, ``_`` too; empty for an instance without a name.
        type: its type, None for a binder without one.
        kind: ``explicit`` (``(x : T)`` and ``x``), ``implicit`` (``{x : T}``), ``strict``
            (``⦃x : T⦄`` and ``{{x : T}}``), ``instance`` (``[T]``).
        span: all of it.
        default: the value or tactic block after its ``:=``.
    """

    names: tuple[str, ...]
    type: Span | None
    kind: BinderKind
    span: Span
    default: Span | None = None


@dataclass(frozen=True)
class Signature:
    """The binders of a declaration and its type, which is None where it is left out.

    For a structure or class the type is that of the structure itself, and ``parents`` is what
    stands after ``extends``.
    """

    binders: tuple[Binder, ...]
    type: Span | None
    parents: Span | None = None


def signature(text: str, declaration: Declaration) -> Signature:
    """The binders and the type of a declaration of ``text``. Never raises."""
    statement = declaration.statement
    name, pos = header.declared_name(text, declaration.kind, declaration.keyword.end, statement.end)
    tokens = list(_tokens(text, pos, statement.end))
    index = 0
    if not name and declaration.kind == "instance":
        # ``instance (priority := low) : …`` has no binder there.
        pieces = [text[start:end] for _, start, end in tokens[:3]]
        if pieces == ["(", "priority", ":="]:
            index = _closing(text, tokens, 0) + 1
    binders: list[Binder] = []
    while index < len(tokens):
        group, start, end = tokens[index]
        piece = text[start:end]
        if piece in _KIND:
            stop = _closing(text, tokens, index)
            binders.append(_binder(text, tokens[index : stop + 1]))
            index = stop + 1
        elif group == "ident" and piece != _EXTENDS:
            binders.append(Binder((piece,), None, "explicit", Span(start, end)))
            index += 1
        else:
            break
    return _after_binders(text, tokens[index:], tuple(binders))


def docstring(text: str, declaration: Declaration) -> Span | None:
    """Where a declaration's docstring is, from ``/--`` to ``-/``; the last, if it has several."""
    found = None
    start, end = declaration.span.start, declaration.keyword.start
    for group, begin, stop, closed in lexer.lex(text, start, end):
        if group == "block" and closed and lexer.is_doc(text, begin):
            found = Span(begin, stop)
    return found


def _tokens(text: str, start: int, end: int) -> Iterator[_Token]:
    for group, begin, stop, _ in lexer.lex(text, start, end):
        if group not in _TRIVIA:
            yield group, begin, min(stop, end)


def _nesting(symbol: str) -> int:
    return (symbol[-1] in lexer.OPENERS) - (symbol in lexer.CLOSERS)


def _closing(text: str, tokens: list[_Token], index: int) -> int:
    """The index of the bracket that closes the one at ``index``; the last token's if none does."""
    depth = 0
    for at in range(index, len(tokens)):
        group, start, end = tokens[at]
        if group == "symbol":
            depth += _nesting(text[start:end])
            if depth <= 0:
                return at
    return len(tokens) - 1


def _outside(text: str, tokens: list[_Token]) -> Iterator[tuple[int, str]]:
    """The tokens outside brackets, by their index."""
    depth = 0
    for at, (group, start, end) in enumerate(tokens):
        piece = text[start:end]
        nesting = _nesting(piece) if group == "symbol" else 0
        if depth == 0 and nesting == 0:
            yield at, piece
        depth = max(0, depth + nesting)


def _covered(tokens: list[_Token]) -> Span | None:
    return Span(tokens[0][1], tokens[-1][2]) if tokens else None


def _binder(text: str, tokens: list[_Token]) -> Binder:
    """The binder that a bracketed group is."""
    span = Span(tokens[0][1], tokens[-1][2])
    kind = _KIND[text[tokens[0][1] : tokens[0][2]]]
    closed = len(tokens) > 1 and text[tokens[-1][1] : tokens[-1][2]] in lexer.CLOSERS
    inner = tokens[1:-1] if closed else tokens[1:]
    doubled = [text[start:end] for _, start, end in (*inner[:1], *inner[-1:])]
    if kind == "implicit" and len(inner) > 1 and doubled == ["{", "}"]:
        kind, inner = "strict", inner[1:-1]
    colon = assign = len(inner)
    for at, piece in _outside(text, inner):
        if piece == ":" and colon == len(inner):
            colon = at
        elif piece == ":=":
            assign = at
            break
    colon = min(colon, assign)
    if kind == "instance" and colon == len(inner):
        return Binder((), _covered(inner), kind, span)
    names = tuple(text[start:end] for group, start, end in inner[:colon] if group == "ident")
    found = _covered(inner[colon + 1 : assign]) if colon < assign else None
    return Binder(names, found, kind, span, _covered(inner[assign + 1 :]))


def _after_binders(text: str, tokens: list[_Token], binders: tuple[Binder, ...]) -> Signature:
    marks = {":": len(tokens), _EXTENDS: len(tokens)}
    for at, piece in _outside(text, tokens):
        # A colon after the type's own is part of the type.
        if piece in marks and marks[piece] == len(tokens):
            marks[piece] = at
    colon, extends = marks[":"], marks[_EXTENDS]
    type_end = extends if extends > colon else len(tokens)
    parents_end = colon if colon > extends else len(tokens)
    return Signature(
        binders, _covered(tokens[colon + 1 : type_end]), _covered(tokens[extends + 1 : parents_end])
    )
