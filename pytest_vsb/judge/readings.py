"""Finding text that Lean may read in another way than we do.

Lean's tokens depend on what a repository has declared, and on what a parser asks for. So a token
of a repository may end in the middle of what is a comment or a string for us (``+-`` in ``+--``,
``]'`` before ``"'"``), and after any word a string may have terms in its braces. What we take for
a comment or a string could then be code to Lean, and the other way round. Where two readings are
possible, candidate text is refused; a space keeps apart what is meant to be apart.

Every finder yields (offset, construct, why) and takes time in proportion to the text, but for
the strings in whose braces terms may stand: at most `MAX_INTERPOLATED` of them are read.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from pytest_vsb.judge import constructs, forbidden
from pytest_vsb.judge.constructs import Found
from pytest_vsb.source import lexer
from pytest_vsb.source.lexer import Token, tokens
from pytest_vsb.source.model import Span

MAX_INTERPOLATED = 50
"""How many strings with terms in them a part may have; finding their ends may take long."""

_INTERPOLATING = frozenset({"s!", "m!", "f!"})

_OPENING = frozenset([*lexer.OPENERS, "@[", "`(", ","])
"""After these a string or character begins: no token goes on from them to a quote."""

_BRACKETS = _OPENING | {*lexer.CLOSERS, ";", ":="}

_PLAIN_AFTER = frozenset(
    [*_OPENING, ":=", "=", "≠", "==", "!=", "=>", "++", "|", "<|", "→", "←"]
) | {*"exact show from then else return".split()}
"""After these stands a term, and a string that is a term of its own has no terms in it."""

_TWO_WAYS = "it may begin a string or not"
_COMMENT = "what it hides may be read as code: put a space before it"
_BRACES = "its braces may be read in two ways"


def quotes(sequence: Iterable[Token]) -> Iterator[Found]:
    """Characters, raw strings and quoted names that a token before them may reach into.

    Args:
        sequence: all tokens, with spaces and comments.
    """
    before: Token | None = None
    for token in sequence:
        touches = before is not None and (
            before.kind == "char" or (before.kind == "symbol" and before.text not in _OPENING)
        )
        if token.kind == "symbol" and token.text in ("«", "»"):
            yield token.span.start, token.text, "a name over several lines cannot be read"
        elif touches and token.kind == "char" and not _is_letter(token.text[1:-1]):
            # A letter and the quote after it would be a name: `xs[i]'h'`.
            yield token.span.start, token.text, _TWO_WAYS
        elif touches and _is_raw(token):
            yield token.span.start, token.text.partition('"')[0], _TWO_WAYS
        before = token


def _is_raw(token: Token) -> bool:
    return token.kind == "string" and token.text.partition('"')[0].rstrip("#") == "r"


def _is_letter(character: str) -> bool:
    return len(character) == 1 and (character.isalnum() or character == "_")


def comments(sequence: Iterable[Token]) -> Iterator[Found]:
    """Comments directly after a token that could reach into them and that hide code.

    Args:
        sequence: all tokens, with spaces and comments.
    """
    before: Token | None = None
    for token in sequence:
        if token.kind in ("comment", "doc") and before is not None:
            bracket = before.text in _BRACKETS
            if (before.kind == "symbol" and not bracket) or (
                (before.kind in ("ident", "keyword") or bracket) and _holds_code(token.text)
            ):
                yield token.span.start, token.text[:2], _COMMENT
        before = token


def _holds_code(comment: str) -> bool:
    """Whether a comment would do harm if Lean took what follows its first character for code."""
    text = comment[1:].removesuffix("-/").lstrip("-!")
    if any(edge in text for edge in ('"', "--", "/-", "«", "»")):
        return True
    inner = [token for token in tokens(text) if token.kind != "space"]
    if any(token.kind in ("char", "comment", "doc") or token.text == "'" for token in inner):
        return True
    return next(constructs.words(inner, ()), None) is not None


def strings(text: str, sequence: Sequence[Token], literals: Container[int]) -> Iterator[Found]:
    """What would run in a string with terms in it, and strings that Lean may end where we do not.

    Args:
        text: what the tokens are of.
        sequence: its tokens without spaces and comments.
        literals: where strings begin that are certain to have no terms in them.
    """
    found = [index for index, token in enumerate(sequence) if token.kind == "string"]
    if not any("{" in sequence[index].text for index in found):
        return
    read = 0
    for index in found:
        token = sequence[index]
        hidden = forbidden.IN_STRINGS.search(token.text)
        if hidden is not None:
            why = f"in a string, it {forbidden.RUNS_CODE}"
            yield token.span.start + hidden.start(), hidden.group(), why
        if "{" not in token.text or token.span.start in literals or _is_raw(token):
            continue
        opening = token.text.partition('"')[0]
        if not opening and index and _is_plain_after(sequence, index - 1):
            continue
        read += 1
        if read > MAX_INTERPOLATED:
            why = f"more than {MAX_INTERPOLATED} such strings are not read"
            yield token.span.start, '"{', why
            return
        yield from _string(text, token, opening)


def _is_plain_after(sequence: Sequence[Token], before: int) -> bool:
    """Whether a string after that token has no terms in it."""
    if before and sequence[before - 1].text == "#":
        return sequence[before].text in ("check", "check_failure", "print")
    return sequence[before].text in _PLAIN_AFTER


def _string(text: str, token: Token, opening: str) -> Iterator[Found]:
    """What is wrong with a string that may have terms in it."""
    if opening and opening not in _INTERPOLATING:
        yield token.span.start, opening, _BRACES
        return
    end, closed, terms = lexer.interpolated(text, token.span.start + len(opening))
    if not closed or end != token.span.end:
        yield token.span.start, opening or '"{', _BRACES
        return
    for term in terms:
        inner = [_moved(each, term.start) for each in tokens(term.of(text))]
        yield from quotes(inner)
        yield from comments(inner)
        meaningful = [each for each in inner if each.kind not in ("space", "comment", "doc")]
        yield from strings(text, meaningful, ())


def _moved(token: Token, by: int) -> Token:
    span = Span(token.span.start + by, token.span.end + by)
    return Token(token.kind, token.text, span, token.closed)
