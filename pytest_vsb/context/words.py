"""Names cut into the words they are made of, for telling which declarations speak of the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_vsb.source import lexer
from pytest_vsb.source.grammar import KEYWORDS

_WORD = re.compile(
    # getBit_repr2α₁: get, bit, repr, 2, α. Subscripts tell variables apart, not meanings.
    r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z\u2080-\u209c]+"
)
_PLAIN = frozenset("( ) [ ] { } ⟨ ⟩ ⦃ ⦄ , : ; := | => . fun λ".split())
_WHOLE = 4
"""Characters from which on a compound name counts as a word of its own, too."""


def name_words(name: str) -> Iterator[str]:
    """The words of a name, in lower case: cut at dots, underscores, camel case, digits and where
    one script ends. A compound last component is a word of its own as well."""
    last = name.rsplit(".", 1)[-1].strip("«»")
    pieces = 0
    for found in _WORD.finditer(name):
        word = found[0].lower()
        pieces += found.start() >= len(name) - len(last)
        yield word
    if pieces > 1 and len(last) >= _WHOLE:
        yield last.lower()


def text_words(text: str) -> Iterator[str]:
    """The words of all names in a piece of Lean, and its signs other than brackets and the like."""
    for group, start, end, _ in lexer.lex(text):
        piece = text[start:end]
        if group == "ident":
            if piece not in _PLAIN and piece not in KEYWORDS:
                yield from name_words(piece)
        elif group == "symbol" and piece not in _PLAIN:
            yield piece
