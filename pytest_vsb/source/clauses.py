"""The clauses after a declaration's value: ``where``, ``termination_by``, ``deriving``, …"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from pytest_vsb.source import lexer
from pytest_vsb.source.model import Declaration, Span

ClauseKind = Literal[
    "where",
    "termination_by",
    "decreasing_by",
    "deriving",
    "partial_fixpoint",
    "inductive_fixpoint",
    "coinductive_fixpoint",
]
_KINDS: tuple[ClauseKind, ...] = get_args(ClauseKind)
_TRIVIA = frozenset({"space", "line", "block"})


@dataclass(frozen=True)
class Clause:
    """One clause, from its word to its end, without spaces and comments after it."""

    kind: ClauseKind
    span: Span


def clauses(text: str, declaration: Declaration) -> tuple[Clause, ...]:
    """The clauses of a declaration's body, in order. Never raises.

    The ``where`` with which a body begins (of an instance or structure) is not one; the ``where``
    that adds local definitions is, and its span holds the clauses of these, which are listed after
    it. A clause goes on while lines are indented deeper than the line that its word stands in, or,
    where its word begins the line, deeper than its word; those below a ``where``, as deep as it.
    """
    body = declaration.body
    if body is None:
        return ()
    found: list[Clause] = []
    open_clauses: list[tuple[ClauseKind, int, int]] = []  # kind, start, column it must stay beyond
    depth, last, line = 0, body.start, text.rfind("\n", 0, body.start) + 1

    def close(column: int, kind: str = "") -> None:
        while open_clauses:
            open_kind, start, limit = open_clauses[-1]
            # A local definition's clause stays inside `where`; any other ends the one before it.
            if column > limit and not (kind and open_kind != "where"):
                return
            found.append(Clause(open_kind, Span(start, last)))
            open_clauses.pop()

    for group, start, end, _ in lexer.lex(text, body.start, body.end):
        if group in _TRIVIA:
            continue
        piece = text[start:end]
        newline = text.rfind("\n", last, start)
        if newline >= 0:
            line = newline + 1
            if depth == 0:
                close(start - line)
        if group == "symbol":
            depth = max(0, depth + (piece[-1] in lexer.OPENERS) - (piece in lexer.CLOSERS))
        elif group == "ident" and depth == 0 and text[start - 1] != ".":
            kind = next((kind for kind in _KINDS if kind == piece), None)
            if kind is not None and (kind != "where" or start > body.start):
                close(start - line, kind)
                leading = text[line:start]
                indent = len(leading) - len(leading.lstrip())
                if kind == "where" and not leading.strip():
                    indent -= 1  # local definitions may stand right below it
                open_clauses.append((kind, start, indent))
        last = min(end, body.end)
    close(-1)
    return tuple(sorted(found, key=lambda clause: clause.span.start))
