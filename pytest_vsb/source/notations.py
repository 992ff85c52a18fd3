"""What a command for new syntax introduces: its tokens, and what they stand for."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_vsb.source import lexer
from pytest_vsb.source.grammar import KEYWORDS
from pytest_vsb.source.model import Command, Span

_KINDS = frozenset({"notation", "macro", "elab", "syntax", "binder_predicate"})
# These give meaning to syntax that is there already.
_NOTHING_NEW = frozenset({"macro_rules", "elab_rules", "declare_syntax_cat"})
_TRIVIA = frozenset({"space", "line", "block"})


@dataclass(frozen=True)
class Notation:
    """New syntax.

    Attributes:
        tokens: the tokens and keywords it introduces, without the spaces around them.
        expansion: what stands after ``=>``; None for ``syntax``, which has none.
        names: the names in the expansion, each once, without the notation's own variables.
    """

    tokens: tuple[str, ...]
    expansion: Span | None
    names: tuple[str, ...]


def notation_of(text: str, command: Command) -> Notation | None:
    """What a command of ``text`` introduces; None for a command that introduces no syntax."""
    if command.kind not in _KINDS or command.keyword in _NOTHING_NEW:
        return None
    tokens = [
        (group, start, min(end, command.span.end))
        for group, start, end, _ in lexer.lex(text, command.span.start, command.span.end)
        if group not in _TRIVIA
    ]
    pieces = [text[start:end] for _, start, end in tokens]
    if command.keyword not in pieces:
        return None
    index = pieces.index(command.keyword) + 1
    arrow = _arrow(pieces, index)
    new = [
        piece.strip('"').strip()
        for piece, (group, _, _) in zip(pieces[index:arrow], tokens[index:arrow], strict=True)
        if group == "string"
    ]
    # The separator of a list, as in ``sepBy(term, ",")``, is a token of its own as well.
    found = tuple(dict.fromkeys(token for token in new if token))
    if arrow >= len(tokens) - 1:
        return Notation(found, None, ())
    variables = {
        piece
        for piece, (group, _, _) in zip(pieces[index:arrow], tokens[index:arrow], strict=True)
        if group == "ident"
    }
    expansion = Span(tokens[arrow + 1][1], tokens[-1][2])
    names: dict[str, None] = {}
    for at in range(arrow + 1, len(tokens)):
        group, piece = tokens[at][0], pieces[at]
        if group != "ident" or piece in variables or piece in KEYWORDS or pieces[at - 1] == "$":
            continue
        if pieces[at - 1] == "`(" and at + 1 < len(pieces) and pieces[at + 1] == "|":
            continue  # the kind of a quotation
        names[piece.lstrip("`")] = None
    return Notation(found, expansion, tuple(names))


def _arrow(pieces: list[str], index: int) -> int:
    depth = 0
    for at in range(index, len(pieces)):
        piece = pieces[at]
        if piece == "=>" and depth == 0:
            return at
        if piece[0] != '"':
            depth = max(0, depth + (piece[-1] in lexer.OPENERS) - (piece in lexer.CLOSERS))
    return len(pieces)
