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
    ``ends`` (offsets in the text), ``columns``, ``leads`` (whether a token is the first of its
    line), ``mates`` (the index of the bracket that belongs to a bracket, -1 where there is none).
    """

    def __init__(self, text: str, span: Span) -> None:
        self.text = text
        self.words: list[str] = []
        self.kinds: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.columns: list[int] = []
        self.leads: list[bool] = []
        line = text.rfind("\n", 0, span.start) + 1
        lead = not text[line : span.start].strip()
        for group, start, stop, _ in lexer.lex(text, span.start, span.end):
            end = min(stop, span.end)
            if group in TRIVIA:
                newline = text.rfind("\n", start, end)
                if newline >= 0:
                    line = newline + 1
                    lead = True
                continue
            self.words.append(text[start:end])
            self.kinds.append(group)
            self.starts.append(start)
            self.ends.append(end)
            self.columns.append(start - line)
            self.leads.append(lead)
            lead = False
        self.mates = self._mates()

    def __len__(self) -> int:
        return len(self.words)

    def _mates(self) -> list[int]:
        mates = [-1] * len(self.words)
        stack: list[tuple[str, int]] = []
        for index, (word, kind) in enumerate(zip(self.words, self.kinds, strict=True)):
            if kind != "symbol":
                continue
            if word[-1] in lexer.OPENERS:
                stack.append((lexer.CLOSER_OF[word[-1]], index))
            elif word in lexer.CLOSERS:
                # A closer that belongs to none of what is open is no bracket at all.
                depth = next((d for d in range(len(stack)) if stack[-1 - d][0] == word), -1)
                if 0 <= depth < _DEEPEST_REPAIR:
                    del stack[len(stack) - depth :]
                    opener = stack.pop()[1]
                    mates[opener], mates[index] = index, opener
        return mates

    def is_word(self, index: int) -> bool:
        """Whether the token there is an identifier or keyword, and no field of something."""
        return self.kinds[index] == "ident" and not self._is_field(index)

    def _is_field(self, index: int) -> bool:
        start = self.starts[index]
        return self.text[start - 1 : start] == "."

    def after(self, index: int) -> int:
        """The next token on the level of this one: behind its bracket, if it opens one."""
        return max(self.mates[index], index) + 1

    def level(self, lo: int, hi: int) -> Iterator[int]:
        """The tokens from ``lo`` to ``hi`` outside of brackets, each opening bracket for all of
        what it encloses."""
        while lo < hi:
            yield lo
            lo = self.after(lo)

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


# How many brackets may be left open within one that is closed; what keeps hostile text linear.
_DEEPEST_REPAIR = 8
