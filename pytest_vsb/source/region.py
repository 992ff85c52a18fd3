"""A part of a text as tokens with brackets, columns and lines, for readers of terms."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_vsb.source import lexer
from pytest_vsb.source.model import Span

TRIVIA = frozenset({"space", "line", "block"})

# What binds names up to a comma of its own.
_QUANTIFIERS = frozenset("∀ ∃ ∄ ∑ ∏ Σ Π ⋃ ⋂ ⨆ ⨅ ∫ ∮ λ forall exists".split())
_NO_OPERATOR = frozenset({",", ";", ":", ":=", "=>", "|", ".", "..", "...", "@", "_", "#", "`"})


class Region:
    """The tokens of a part of a text that are neither space nor comment.

    Lists run in parallel: ``words`` (their text), ``kinds`` (the lexer's groups), ``starts`` and
    ``ends`` (offsets in the text), ``leads`` (whether a token is the first of its line), ``mates``
    (the index of the bracket that belongs to a bracket, -1 where there is none).
    """

    def __init__(self, text: str, span: Span) -> None:
        self.text = text
        self.words: list[str] = []
        self.kinds: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.leads: list[bool] = []
        self.mates: list[int] = []
        words, kinds, starts, ends, leads = (
            self.words,
            self.kinds,
            self.starts,
            self.ends,
            self.leads,
        )
        brackets: list[int] = []
        limit = span.end
        lead = not text[text.rfind("\n", 0, span.start) + 1 : span.start].strip()
        for group, start, stop, _ in lexer.lex(text, span.start, limit):
            if group in TRIVIA:
                lead = lead or "\n" in text[start:stop]
                continue
            word = text[start : stop if stop < limit else limit]
            if group == "symbol" and word[-1] in _BRACKETS:
                brackets.append(len(words))
            words.append(word)
            kinds.append(group)
            starts.append(start)
            ends.append(start + len(word))
            leads.append(lead)
            lead = False
        self.mates = _mates(words, brackets)

    def __len__(self) -> int:
        return len(self.words)

    def column(self, index: int) -> int:
        """The column of a token, from 0."""
        start = self.starts[index]
        return start - self.text.rfind("\n", 0, start) - 1

    def is_word(self, index: int) -> bool:
        """Whether the token there is an identifier or keyword, and no field of something."""
        return self.kinds[index] == "ident" and not self._is_field(index)

    def _is_field(self, index: int) -> bool:
        start = self.starts[index]
        return self.text[start - 1 : start] == "."

    def after(self, index: int) -> int:
        """The next token on the level of this one: behind its bracket, if it opens one."""
        mate = self.mates[index]
        return (mate if mate > index else index) + 1

    def level(self, lo: int, hi: int) -> Iterator[int]:
        """The tokens from ``lo`` to ``hi`` outside of brackets, each opening bracket for all of
        what it encloses."""
        mates = self.mates
        while lo < hi:
            yield lo
            lo = (mates[lo] if mates[lo] > lo else lo) + 1

    def find(self, words: frozenset[str], lo: int, hi: int) -> int:
        """The first of those tokens outside of brackets; ``hi`` if there is none."""
        for index in self.level(lo, hi):
            if self.words[index] in words and not self._is_field(index):
                return index
        return hi

    def encloses(self, lo: int, hi: int) -> bool:
        """Whether the tokens from ``lo`` to ``hi`` are one pair of brackets and what is inside."""
        return lo < hi and self.mates[lo] == hi - 1 > lo

    def operator(self, index: int, hi: int) -> tuple[str, int]:
        """The operator that begins there, of all symbols that touch, and the index behind it.

        Empty where no operator begins.
        """
        words, end = self.words, index
        while (
            end < hi
            and self.kinds[end] == "symbol"
            and words[end] not in _NO_OPERATOR
            and words[end][-1] not in lexer.OPENERS
            and words[end] not in lexer.CLOSERS
            and (end == index or self.starts[end] == self.ends[end - 1])
        ):
            end += 1
        return "".join(words[index:end]), max(end, index + 1)

    def claims_comma(self, index: int) -> bool:
        """Whether the next comma on the level belongs to the binder that begins there."""
        return self.words[index] in _QUANTIFIERS


def _mates(words: list[str], brackets: list[int]) -> list[int]:
    mates = [-1] * len(words)
    stack: list[tuple[str, int]] = []
    for index in brackets:
        word = words[index]
        if word[-1] in lexer.OPENERS:
            stack.append((lexer.CLOSER_OF[word[-1]], index))
            continue
        # A closer that belongs to none of what is open is no bracket at all.
        for depth in range(1, min(len(stack), _DEEPEST_REPAIR) + 1):
            if stack[-depth][0] == word:
                opener = stack[-depth][1]
                del stack[-depth:]
                mates[opener], mates[index] = index, opener
                break
    return mates


_BRACKETS = frozenset(lexer.OPENERS + lexer.CLOSERS)
# How many brackets may be left open within one that is closed; what keeps hostile text linear.
_DEEPEST_REPAIR = 8
