"""Lean's tokens, as far as finding commands and their parts needs them.

One compiled regex finds the start of every token; comments and strings, which may nest, are
completed by hand. Every function is linear in the text and none raises on any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pytest_vsb.source.grammar import KEYWORDS
from pytest_vsb.source.model import Span

TokenKind = Literal[
    "ident", "keyword", "symbol", "string", "char", "number", "comment", "doc", "space"
]

# Lean's identifier letters: ASCII, Latin, Greek but for the binders, letter-like and script ones.
_START = (
    "A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0391-\u039f\u03a1\u03a2\u03a4-\u03a9"
    "\u03b1-\u03ba\u03bc-\u03fb\u1f00-\u1ffe\u2100-\u214f\U0001d49c-\U0001d59f"
)
_REST = _START + "0-9'!?\u2080-\u2089\u2090-\u209c\u1d62-\u1d6a\u2c7c"
_ATOM = f"(?:[{_START}][{_REST}]*|\u00ab[^\u00ab\u00bb\n]*\u00bb)"
IDENT = rf"{_ATOM}(?:\.{_ATOM})*"
IDENT_START, IDENT_REST = _START, _REST

CHAR = r"'(?:\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\}|[^\n])|\r\n|[^\\'])'"

OPENERS = "([{\u27e8\u27e6\u2983\u27ea\u230a\u2308\u2039\u27ee\u2045"
CLOSERS = ")]}\u27e9\u27e7\u2984\u27eb\u230b\u2309\u203a\u27ef\u2046"
CLOSER_OF = dict(zip(OPENERS, CLOSERS, strict=True))

TOKEN = re.compile(
    rf"""
    (?P<space>\s+)
  | (?P<line>--[^\n]*)
  | (?P<block>/-)
  | (?P<raw>r\#*")
  | (?P<interpolated>[{_START}][{_REST}]*!")
  | (?P<ident>`{{0,2}}{IDENT})
  | (?P<number>0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+
      |[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
  | (?P<string>")
  | (?P<char>{CHAR})
  | (?P<symbol>::?=|\.\.\.?|=+>|<;>|<\|>|<\||\|>\.?|\|\|\|?|\|=+>?|@\[|`\(|//|<->|->|<-|::|\S)
    """,
    re.VERBOSE,
)
_COMMENT_EDGE = re.compile(r"/-|-/")
_STRING_END = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_STRING_PIECE = re.compile(r'[^"\\{]*(?:\\.[^"\\{]*)*(?P<edge>["{])', re.DOTALL)

# What keeps a file full of the beginnings of interpolated strings linear.
_LONGEST_INTERPOLATED = 20_000
_DEEPEST_INTERPOLATED = 8

_Kinds = dict[str, TokenKind]
_KIND: _Kinds = {
    "line": "comment",
    "block": "comment",
    "raw": "string",
    "interpolated": "string",
    "string": "string",
    "ident": "ident",
    "number": "number",
    "char": "char",
    "symbol": "symbol",
    "space": "space",
}


@dataclass(frozen=True)
class Token:
    """One token. ``closed`` is false for a comment or string that the text ends inside of.

    An interpolated string is one token, with the terms in its braces.
    """

    kind: TokenKind
    text: str
    span: Span
    closed: bool = True


def comment_end(text: str, start: int) -> tuple[int, bool]:
    """Where the block comment at ``start`` ends, and whether it is closed. Comments nest."""
    # The dash of `/--` opens and does not close: `/--/` is the beginning of a comment.
    depth, pos = 1, start + (3 if text.startswith("/--", start) else 2)
    while depth:
        edge = _COMMENT_EDGE.search(text, pos)
        if edge is None:
            return len(text), False
        depth += 1 if edge.group() == "/-" else -1
        pos = edge.end()
    return pos, True


def is_doc(text: str, start: int) -> bool:
    """Whether the block comment at ``start`` documents a declaration (``/-- … -/``)."""
    return text.startswith("/--", start)


def string_end(text: str, quote: int) -> tuple[int, bool]:
    """Where the string whose opening quote is at ``quote`` ends, and whether it is closed."""
    found = _STRING_END.match(text, quote + 1)
    return (found.end(), True) if found else (len(text), False)


def raw_string_end(text: str, quote: int, hashes: int) -> tuple[int, bool]:
    """The same for a raw string with that many ``#`` before its opening quote."""
    closing = '"' + "#" * hashes
    found = text.find(closing, quote + 1)
    return (found + len(closing), True) if found >= 0 else (len(text), False)


def interpolated_end(text: str, quote: int) -> tuple[int, bool]:
    """The same for an interpolated string, whose braces hold terms with strings of their own."""
    end, closed, _ = interpolated(text, quote)
    return end, closed


def interpolated(text: str, quote: int) -> tuple[int, bool, tuple[Span, ...]]:
    """The same, with where the terms in its own braces are."""
    terms: list[Span] = []
    begun = quote
    # Each entry is the brace depth inside one interpolated string's term; -1: in its text.
    stack = [-1]
    pos = quote + 1
    while stack:
        if stack[-1] < 0:
            piece = _STRING_PIECE.match(text, pos)
            if piece is None:
                return len(text), False, ()
            pos = piece.end()
            if piece.group("edge") == "{":
                stack[-1] = 0
                begun = pos if len(stack) == 1 else begun
            else:
                stack.pop()
            continue
        token = TOKEN.match(text, pos)
        if token is None or token.lastgroup == "block" or pos - quote > _LONGEST_INTERPOLATED:
            return len(text), False, ()
        group = token.lastgroup
        if group == "interpolated":
            if len(stack) == _DEEPEST_INTERPOLATED:
                return len(text), False, ()
            stack.append(-1)
            pos = token.end()
            continue
        if group == "symbol" and token.group() == "{":
            stack[-1] += 1
        elif group == "symbol" and token.group() == "}":
            stack[-1] -= 1
            if stack == [-1]:
                terms.append(Span(begun, pos))
        pos, closed = _complete(text, token)
        if not closed:
            return len(text), False, ()
    return pos, True, tuple(terms)


def any_string_end(text: str, quote: int) -> tuple[int, bool]:
    """The end of a string by what stands before its quote: an identifier ending in ``!`` or not.

    ``panic!"…{"`` looks like an interpolated string and is not: where the braces do not come out,
    the string is taken as a plain one.
    """
    if quote >= 2 and text[quote - 1] == "!" and (text[quote - 2].isalnum()):
        end, closed = interpolated_end(text, quote)
        if closed:
            return end, True
    return string_end(text, quote)


def _complete(text: str, match: re.Match[str]) -> tuple[int, bool]:
    group, end = match.lastgroup, match.end()
    if group == "block":
        return comment_end(text, match.start())
    if group == "string":
        return string_end(text, end - 1)
    if group == "raw":
        return raw_string_end(text, end - 1, end - 2 - match.start())
    if group == "interpolated":
        return any_string_end(text, end - 1)
    return end, True


def lex(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[str, int, int, bool]]:
    """The tokens from ``start`` on as (regex group, start, end, closed), the cheap form.

    Stops before the first token that begins at or after ``end``. The groups are those of `TOKEN`;
    ``block`` covers documentation comments too.
    """
    limit = len(text) if end is None else end
    pos, match = start, TOKEN.match
    while pos < limit:
        found = match(text, pos)
        if found is None:  # pragma: no cover - the last alternatives match any character
            return
        group = found.lastgroup or "symbol"
        if group in _LONG:
            stop, closed = _complete(text, found)
        else:
            stop, closed = found.end(), True
        yield group, pos, stop, closed
        pos = stop


_LONG = frozenset({"block", "string", "raw", "interpolated"})


def tokens(text: str) -> Iterator[Token]:
    """Every token of the text, in order, spaces and comments too; together they are the text.

    Reserved words are ``keyword`` unless they are a field name (``s.end``); documentation and
    module comments are ``doc``.
    """
    for group, start, end, closed in lex(text):
        piece = text[start:end]
        kind = _KIND[group]
        if group == "block" and (is_doc(text, start) or piece.startswith("/-!")):
            kind = "doc"
        elif group == "ident" and piece in KEYWORDS and text[start - 1 : start] != ".":
            kind = "keyword"
        yield Token(kind, piece, Span(start, end), closed)
