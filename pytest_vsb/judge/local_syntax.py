"""New syntax that the profile ``permissive`` allows: local, and a mere abbreviation.

A macro is a program, so only those whose result is one quotation filled with what it was given
are let through: whatever such a macro writes has been seen. Local ones are not kept in the
compiled file, so the process that audits it reads its questions as Lean does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pytest_vsb.judge.constructs import Found, command_start, plain
from pytest_vsb.source.lexer import IDENT, Token
from pytest_vsb.source.model import Command

_NOTATIONS = frozenset("notation notation3 infix infixl infixr prefix postfix".split())
_MACROS = frozenset(["macro", "macro_rules"])
_ALLOWED = _NOTATIONS | _MACROS | {"syntax"}
_OPENING, _CLOSING = ("(", "[", "{", "`(", "⟨", "@["), (")", "]", "}", "⟩")
_ODD = ('"', "'", "\\", "«", "»", "--", "/-", "-/", "`", "\n")
# Tokens that are there already, and words, which end where names end.
_LEANS_OWN = frozenset({"-", "/", "//", "<-"})
_INTERPOLATING = frozenset({"s!", "m!", "f!"})
_WORD = re.compile(IDENT)
_ENDS_IN_R = re.compile(r"r#*$")
# Parsers that read text in a way of their own, whose strings and comments are not ours.
_OWN_READING = re.compile(r"interpolated|comment|doc|raw|parser|chars?$|fn$|token", re.IGNORECASE)


def allowed(
    text: str, commands: Sequence[Command], tokens: Sequence[Token]
) -> tuple[set[int], set[int], list[Found]]:
    """The offsets of the commands for new syntax and of their keywords, those of the strings that
    are tokens in them, and what is wrong with the commands.

    Args:
        text: the auxiliary text.
        commands: its commands.
        tokens: its tokens without spaces and comments.
    """
    free: set[int] = set()
    literals: set[int] = set()
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
                if command.keyword != "macro_rules":
                    after = (token for token in own if token.span.start > keyword.span.start)
                    literals |= {token.span.start for token in _before_arrow(after)}
                free |= {keyword.span.start, command_start(text, command)}
        position = end
    return free, literals, wrong


def _problems(command: Command, own: Sequence[Token], keyword: Token) -> Iterator[Found]:
    start = keyword.span.start
    if "local" not in command.modifiers:
        yield start, command.keyword, "new syntax must be `local`"
    after = [token for token in own if token.span.start > start]
    if command.keyword == "macro":
        yield from _odd_tokens(_before_arrow(after))
        yield from _odd_parsers(_before_arrow(after))
        yield from _results(after)
    elif command.keyword == "macro_rules":
        yield from _results(after)
    elif command.keyword == "syntax":
        yield from _odd_tokens(after)
        yield from _odd_parsers(after)
    else:
        yield from _odd_tokens(_before_arrow(after))


def _before_arrow(tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.text == "=>":
            return
        yield token


def _odd_tokens(tokens: Iterable[Token]) -> Iterator[Found]:
    """New tokens after which Lean would read strings, comments or names where we do not."""
    for token in tokens:
        if token.kind == "string" and _is_odd(token.text):
            yield token.span.start, token.text, "a token of this kind may hide what follows it"


def _is_odd(literal: str) -> bool:
    if literal[0] != '"' or any(odd in literal[1:-1] for odd in _ODD):
        return True
    text = literal[1:-1].strip()
    if text in _INTERPOLATING:
        return True
    if text in _LEANS_OWN or _WORD.fullmatch(text):
        return False
    return text[-1:] in ("-", "/") or _ENDS_IN_R.search(text) is not None


def _odd_parsers(tokens: Iterable[Token]) -> Iterator[Found]:
    """Parsers in new syntax that read the text by rules of their own."""
    for token in tokens:
        if token.kind == "ident" and _OWN_READING.search(plain(token.text)):
            yield token.span.start, token.text, "a parser of this kind may hide what follows it"


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
