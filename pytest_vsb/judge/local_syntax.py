"""New syntax that the profile ``permissive`` allows: local, and a mere abbreviation.

A macro is a program, so only those whose result is one quotation filled with what it was given
are let through: whatever such a macro writes has been seen. Local ones are not kept in the
compiled file, so the process that audits it reads its questions as Lean does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_vsb.judge.constructs import Found, command_start
from pytest_vsb.source.lexer import Token
from pytest_vsb.source.model import Command

_NOTATIONS = frozenset("notation notation3 infix infixl infixr prefix postfix".split())
_MACROS = frozenset(["macro", "macro_rules"])
_ALLOWED = _NOTATIONS | _MACROS | {"syntax"}
_OPENING, _CLOSING = ("(", "[", "{", "`(", "⟨", "@["), (")", "]", "}", "⟩")
_ODD = ('"', "'", "\\", "«", "»", "--", "/-", "-/", "`", "\n")


def allowed(
    text: str, commands: Sequence[Command], tokens: Sequence[Token]
) -> tuple[set[int], list[Found]]:
    """The offsets of the commands for new syntax and of their keywords, and what is wrong with
    them.

    Args:
        text: the auxiliary text.
        commands: its commands.
        tokens: its tokens without spaces and comments.
    """
    free: set[int] = set()
    wrong: list[Found] = []
    position = 0
    for command in commands:
        while position < len(tokens) and tokens[position].span.start < command.span.start:
            position += 1
        end = position
        while end < len(tokens) and tokens[end].span.start < command.span.end:
            end += 1
        if command.keyword in _ALLOWED:
            own = tokens[position:end]
            keyword = next((t for t in own if t.text == command.keyword), None)
            if keyword is not None:
                problems = list(_problems(command, own, keyword))
                wrong += problems
                free |= {keyword.span.start, command_start(text, command)}
        position = end
    return free, wrong


def _problems(command: Command, own: Sequence[Token], keyword: Token) -> Iterator[Found]:
    start = keyword.span.start
    if "local" not in command.modifiers:
        yield start, command.keyword, "new syntax must be `local`"
    after = [token for token in own if token.span.start > start]
    if command.keyword == "macro":
        yield from _odd_tokens(_before_arrow(after))
        yield from _results(after)
    elif command.keyword == "macro_rules":
        yield from _results(after)
    elif command.keyword == "syntax":
        yield from _odd_tokens(after)
    else:
        yield from _odd_tokens(_before_arrow(after))


def _before_arrow(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.text == "=>":
            return
        yield token


def _odd_tokens(tokens: Iterator[Token] | Sequence[Token]) -> Iterator[Found]:
    """New tokens after which Lean would read strings, comments or names where we do not."""
    for token in tokens:
        if token.kind == "string" and any(odd in token.text[1:-1] for odd in _ODD):
            yield token.span.start, token.text, "a token of this kind may hide what follows it"


def _results(tokens: Sequence[Token]) -> Iterator[Found]:
    """What is not one quotation for each alternative of a macro, with names only put into it."""
    state, depth = "pattern", 0
    for index, token in enumerate(tokens):
        word, place = token.text, token.span.start
        if word == "$" and index + 1 < len(tokens) and tokens[index + 1].text == "(":
            yield place, "$(", "a macro may only fill in what it was given"
            return
        if (state == "result" and word != "`(") or (state == "end" and word != "|"):
            break
        if word in _OPENING:
            depth += 1
            state = "quotation" if state == "result" else state
        elif word in _CLOSING:
            depth -= 1
            state = "end" if state == "quotation" and depth == 0 else state
        elif depth == 0 and word == "=>":
            state = "result"
        elif state == "end":
            state = "pattern"
    else:
        if state == "end":
            return
    yield place if tokens else 0, "macro", "a macro may only be a quotation"
