"""The parts of a declaration's statement and body, by its tokens: binders, types, constructors."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_vsb.repository.stream import Stream
from pytest_vsb.source.model import Declaration, plain_name

_MODIFIERS = frozenset({"private", "protected", "public", "noncomputable"})
_FOR_ALL = frozenset({"\u2200", "forall", "\u03a0"})
_ARROWS = frozenset({"\u2192", "->"})
_GROUPS = frozenset({"(", "{", "[", "\u2983"})
# What may stand in an application without making it something else.
_APPLIED = frozenset({"_", "@", ".", "*", "$", "<|", "", "?", "\u00b7"})


def binder_end(words: Stream, at: int, end: int) -> int:
    """The index of the colon after a declaration's binders, or of ``end`` if it has none."""
    while at < end:
        if words.close[at] >= 0:
            at = min(words.close[at], end)
        elif words.piece[at] == ":":
            return at
        at += 1
    return end


def telescope(words: Stream, start: int, end: int) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """The explicit arguments of a function type, each by its type's tokens, and what it yields."""
    arguments: list[tuple[int, int]] = []
    at = start
    while at < end:
        piece = words.piece[at]
        if piece in _FOR_ALL:
            stop = at + 1
            while stop < end and words.piece[stop] != ",":
                stop = words.close[stop] + 1 if words.close[stop] >= 0 else stop + 1
            arguments += binder_types(words, at + 1, stop)
            at = stop + 1
            continue
        arrow = at
        while arrow < end and words.piece[arrow] not in _ARROWS:
            arrow = words.close[arrow] + 1 if words.close[arrow] >= 0 else arrow + 1
        if arrow >= end:
            break
        if piece in _GROUPS and _groups_only(words, at, arrow):
            arguments += binder_types(words, at, arrow)
        else:
            arguments.append((at, arrow))
        at = arrow + 1
    return arguments, (min(at, end), end)


def binder_types(
    words: Stream, start: int, end: int, *, implicit: bool = False
) -> list[tuple[int, int]]:
    """The types of the explicit names in binders, or of all, one range for each name."""
    found: list[tuple[int, int]] = []
    at = start
    bare = 0
    while at < end:
        piece = words.piece[at]
        if words.close[at] >= 0:
            close = min(words.close[at], end)
            colon = binder_end(words, at + 1, close)
            if (piece == "(" or (implicit and piece in ("{", "\u2983"))) and colon < close:
                stop = colon + 1
                while stop < close and words.piece[stop] != ":=":
                    stop = words.close[stop] + 1 if words.close[stop] >= 0 else stop + 1
                found += [(colon + 1, min(stop, close))] * (colon - at - 1)
            at = close
        elif piece == ":":
            found += [(at + 1, end)] * bare
            break
        elif words.ident[at]:
            bare += 1
        at += 1
    return found


def _groups_only(words: Stream, start: int, end: int) -> bool:
    """Whether there are only binder groups with types before an arrow."""
    at = start
    while at < end:
        if words.piece[at] not in _GROUPS:
            return False
        close = min(words.close[at], end)
        if words.piece[at] != "[" and (
            at + 1 >= close
            or not words.ident[at + 1]
            or not all(words.ident[i] for i in range(at + 1, binder_end(words, at + 1, close)))
            or binder_end(words, at + 1, close) == close
        ):
            return False
        at = close + 1
    return True


def head_of(words: Stream, start: int, end: int) -> str:
    """What a type that is no function type begins with: a name, or nothing.

    A binary operator, which makes the type something else, leaves nothing.
    """
    while start < end and words.piece[start] == "@":
        start += 1
    if start >= end:
        return ""
    if words.piece[start] == "(" and words.close[start] == end - 1:
        return head_of(words, start + 1, end - 1)
    if not words.ident[start] or words.piece[start] in ("fun", "if", "let", "match", "by", "have"):
        return ""
    index = start + 1
    while index < end:
        piece = words.piece[index]
        if words.close[index] >= 0:
            index = words.close[index]
        elif not words.ident[index] and piece not in _APPLIED and not piece[0].isdigit():
            return ""
        index += 1
    return plain_name(words.piece[start])


def name_end(words: Stream, declaration: Declaration) -> int:
    """The index of the first token after a declaration's name, in the words of its statement."""
    at = 0
    while at < len(words) and words.start[at] < declaration.keyword.end:
        at += 1
    if declaration.name:
        start = at
        while at < len(words) and words.piece[at] != declaration.name:
            at += 1
        at = at + 1 if at < len(words) else start
        # `foo.{u, v}`
        if at + 1 < len(words) and words.piece[at] == "." and words.piece[at + 1] == "{":
            at = words.close[at + 1] + 1
    return min(at, len(words))


def constructor_spans(words: Stream, body: int) -> list[tuple[int, int]]:
    """The constructors of an inductive type whose body begins at ``body``: the index of the name of
    each and of what follows it."""
    bars: list[int] = []
    at = body
    last = len(words)
    while at < last:
        if words.close[at] >= 0:
            at = words.close[at]
        elif words.piece[at] == "deriving":
            last = at
        elif words.piece[at] == "|":
            bars.append(at)
        at += 1
    found = []
    for bar, end in zip(bars, [*bars[1:], last], strict=False):
        at = bar + 1
        while at < end and (words.piece[at] in _MODIFIERS or words.close[at] >= 0):
            at = words.close[at] + 1 if words.close[at] >= 0 else at + 1
        if at < end:
            found.append((at, end))
    return found


def field_starts(words: Stream, body: int) -> Iterator[tuple[int, int]]:
    """The fields of a structure whose body begins at ``body``: the index of the first name of each
    and of the colon before its type; -1 for a constructor's name (``mk ::``)."""
    at = body + 1
    column = -1
    while at < len(words) and words.piece[at] != "deriving":
        piece = words.piece[at]
        if words.ident[at] and at + 1 < len(words) and words.piece[at + 1] == "::":
            yield at, -1
            at += 2
            continue
        if words.first[at] or at == body + 1:
            if column < 0 and words.first[at]:
                column = words.column[at]
            if column < 0 or words.column[at] <= column or at == body + 1:
                start = at
                while start < len(words) and (
                    words.piece[start] in _MODIFIERS or words.piece[start] == "@["
                ):
                    start = words.close[start] + 1 if words.close[start] >= 0 else start + 1
                if start < len(words) and words.ident[start]:
                    colon = binder_end(words, start, len(words))
                    if colon < len(words):
                        yield start, colon
                        at = colon
                elif start < len(words) and piece in ("(", "{", "[", "\u2983"):
                    # `(field : T)` is a field as well.
                    closing = min(words.close[start], len(words))
                    colon = binder_end(words, start + 1, closing)
                    if colon < closing and words.ident[start + 1]:
                        yield start + 1, colon
                    at = closing
        if at < len(words) and words.close[at] >= 0:
            at = words.close[at]
        at += 1
