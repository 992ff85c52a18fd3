"""The tokens of a part of a text, with brackets matched: what readers of Lean terms walk over."""

from __future__ import annotations

from collections.abc import Iterator, KeysView

from pytest_vsb.source import lexer

_TRIVIA = frozenset({"space", "line", "block"})
_STRINGS = frozenset({"raw", "string", "char"})


class Stream:
    """Tokens in order, as parallel lists; spaces and comments are left out.

    Attributes:
        text: the text they are of.
        piece: the text of each token; empty for strings and characters, which hold no names.
        ident: whether it is an identifier or a word.
        start, end: its offsets in the text.
        close: for an opening bracket the index of its closing one, or the number of tokens; -1 for
            every other token.
        first: whether it is the first token of its line.
        column: the column it stands in.
    """

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.piece: list[str] = []
        self.ident: list[bool] = []
        self.start: list[int] = []
        self.end: list[int] = []
        self.first: list[bool] = []
        self.column: list[int] = []
        line = text.rfind("\n", 0, start) + 1
        new = not text[line:start].strip()
        seen = start
        for group, at, stop in _lex(text, start, end):
            newline = text.rfind("\n", seen, at)
            if newline >= 0:
                line, new = newline + 1, True
            seen = min(stop, end)
            self.piece.append("" if group in _STRINGS else text[at:seen])
            self.ident.append(group == "ident")
            self.start.append(at)
            self.end.append(seen)
            self.first.append(new)
            self.column.append(at - line)
            new = False
        self.close = _brackets(self.piece)
        self._places: dict[str, list[int]] | None = None

    def __len__(self) -> int:
        return len(self.piece)

    def pieces(self) -> KeysView[str]:
        """All different tokens."""
        return self._where().keys()

    def places(self, piece: str) -> list[int]:
        """The indices of all tokens of that text, in order."""
        return self._where().get(piece, [])

    def _where(self) -> dict[str, list[int]]:
        if self._places is None:
            self._places = {}
            for index, piece in enumerate(self.piece):
                self._places.setdefault(piece, []).append(index)
        return self._places

    def at(self, offset: int) -> int:
        """The index of the first token that begins at or after an offset."""
        low, high = 0, len(self.start)
        while low < high:
            middle = (low + high) // 2
            if self.start[middle] < offset:
                low = middle + 1
            else:
                high = middle
        return low

    def touches(self, index: int) -> bool:
        """Whether a token stands right behind the one before, with nothing between."""
        return index > 0 and self.start[index] == self.end[index - 1]


def top_level(words: Stream, start: int, end: int) -> list[int]:
    """The tokens of a range that are in no bracket, opening ones included."""
    found = []
    at = start
    while at < end:
        found.append(at)
        at = words.close[at] + 1 if words.close[at] >= 0 else at + 1
    return found


def _lex(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    for group, at, stop, _ in lexer.lex(text, start, end):
        if group in _TRIVIA:
            continue
        if group == "interpolated":
            # The terms in its braces may name things.
            quote = text.index('"', at)
            pos = quote + 1
            while True:
                opening = text.find("{", pos, stop)
                closing = text.find("}", opening, stop) if opening >= 0 else -1
                if closing < 0:
                    break
                if text[opening - 1] != "\\":
                    yield from _lex(text, opening, closing + 1)
                pos = closing + 1
        else:
            yield group, at, stop


def _brackets(pieces: list[str]) -> list[int]:
    close = [-1] * len(pieces)
    stack: list[int] = []
    for index, piece in enumerate(pieces):
        if not piece:
            continue
        if piece[-1] in lexer.OPENERS and not piece[0].isalnum():
            close[index] = len(pieces)
            stack.append(index)
        elif piece in lexer.CLOSERS and stack:
            # An opening bracket that is not closed does not swallow its surroundings' closing one.
            wanted = piece
            for depth in range(len(stack) - 1, -1, -1):
                if lexer.CLOSER_OF[pieces[stack[depth]][-1]] == wanted:
                    close[stack[depth]] = index
                    del stack[depth:]
                    break
    return close
