"""What may stand before a command's keyword: docstring, attributes, modifiers, ``open … in``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pytest_vsb.source import grammar, lexer
from pytest_vsb.source.model import Span

# How far a prefix is followed before it is given up: what keeps hostile text linear.
_LONGEST_PREFIX = 4000
_NEXT_WORD = re.compile(r"\s+([a-z]+)\b")
_HASH_WORD = re.compile(rf"(?<![^\s)\]}}])\#[a-z][a-z_]+(?![{lexer.IDENT_REST}])")
_WORD_IN = re.compile(r"\bin\b")
_NEXT_LINE_AT_0 = re.compile(r"\n(?=[^\s])")
_NOT_BEFORE_IN = frozenset({":=", "=>", ";", "|", "<;>"})
_STOPS_IN = (grammar.COMMANDS | grammar.MODIFIERS | {"by", "where"}) - {"scoped", "local"}
_SIMPLE = grammar.COMMANDS - grammar.IN_COMMANDS - {"class", "deriving"}


@dataclass(slots=True)
class Head:
    """The beginning of a command, up to its keyword."""

    start: int
    column: int
    keyword: str
    word: Span
    attributes: list[str] = field(default_factory=list)
    modifiers: list[str] = field(default_factory=list)
    prefixes: list[str] = field(default_factory=list)

    @property
    def short(self) -> bool:
        """Whether any word at column 0 after it is a new command."""
        return self.keyword in grammar.SHORT_COMMANDS


class PrefixReader:
    """Reads prefixes of one text; notes the plain comments it passes by their ends."""

    def __init__(self, text: str, extra: frozenset[str], comments: dict[int, int]) -> None:
        self.text = text
        self.extra = extra
        self.comments = comments

    def note_line(self, start: int, end: int) -> None:
        """Notes a line comment."""
        # By where its text ends, so that the spaces at its end are passed first.
        self.comments[start + len(self.text[start:end].rstrip())] = start

    def read(self, start: int, column: int, word: str = "") -> Head:
        """The head that begins at ``start``, with an empty keyword where no command word follows.

        Where what begins there is no prefix at all (an attribute list without an end, the
        ``deriving`` of a structure), its word is empty and at ``start``. ``word`` is the whole
        word that stands there, if that is known.
        """
        if word in _SIMPLE and word not in self.extra:
            return Head(start, column, word, Span(start, start + len(word)))
        head = Head(start, column, "", Span(start, start))
        pos, text = start, self.text
        while True:
            match = lexer.TOKEN.match(text, pos)
            if match is None:
                head.word = Span(len(text), len(text))
                return head
            group, here, pos = match.lastgroup, match.start(), match.end()
            if group == "space":
                continue
            if group == "line":
                self.note_line(here, pos)
                continue
            if group == "block":
                end, _ = lexer.comment_end(text, here)
                if text.startswith("/-!", here):
                    head.word = Span(here, here)
                    return head
                if not lexer.is_doc(text, here):
                    self.comments[end] = here
                pos = end
                continue
            following = self._read_word(match.group(), here, pos, head)
            if following is None:
                return head
            pos = following

    def _read_word(self, word: str, here: int, pos: int, head: Head) -> int | None:
        """Takes one word or symbol into the head; where it ends, or None when the head is over."""
        text = self.text
        if word == "@[":
            end_of = self._read_attributes(pos, head.attributes)
            if end_of is None:
                head.word = Span(here, here)
            return end_of
        if word == "#":
            hashed = _HASH_WORD.match(text, here)
            if hashed is not None:
                word, pos = hashed.group(), hashed.end()
        if word in grammar.MODIFIERS:
            head.modifiers.append(word)
            if word == "scoped" and text.startswith("[", pos):
                pos = text.find("]", pos, pos + 200) + 1 or pos
            return pos
        if word == "deriving":
            following = _NEXT_WORD.match(text, pos)
            if following is None or following.group(1) != "instance":
                head.word = Span(here, here)
                return None
            pos = following.end()
        if word in grammar.IN_COMMANDS:
            joined = self._find_in(pos)
            if joined is not None:
                head.prefixes.append(text[here:joined].removesuffix("in").rstrip())
                return joined
        if word in grammar.COMMANDS or word in self.extra or (len(word) > 1 and word[0] == "#"):
            if word == "class":
                following = _NEXT_WORD.match(text, pos)
                if following is not None and following.group(1) in ("inductive", "abbrev"):
                    pos = following.end()
                    word = f"class {following.group(1)}"
            head.keyword, head.word = word, Span(here, pos)
            return None
        head.word = Span(here, here)
        return None

    def _read_attributes(self, pos: int, into: list[str]) -> int | None:
        """Reads an attribute list from after its ``@[``; where it ends, or None if it does not."""
        text, depth, item = self.text, 0, pos
        for group, start, end, closed in lexer.lex(text, pos, pos + _LONGEST_PREFIX):
            if not closed:
                return None
            if group != "symbol":
                continue
            symbol = text[start:end]
            if symbol == "@[":
                return None  # the next list: this one was left open
            if depth == 0 and symbol in (",", "]"):
                into.append(text[item:start].strip())
                item = end
                if symbol == "]":
                    return end
            elif symbol[-1] in lexer.OPENERS:
                depth += 1
            elif symbol in lexer.CLOSERS:
                depth -= 1
        return None

    def _find_in(self, pos: int) -> int | None:
        """The end of the ``in`` that joins the command read from ``pos`` to the next one."""
        text = self.text
        line = _NEXT_LINE_AT_0.search(text, pos, pos + _LONGEST_PREFIX)
        if line is not None and _begins_word(text[line.end()]):
            piece = text[pos : line.start()]
            # The quick answer for most: no `in` before the next line at column 0.
            if _WORD_IN.search(piece) is None and _is_level(piece):
                return None if text[line.end() : line.end() + 2] != "in" else self._read_in(pos)
        return self._read_in(pos)

    def _read_in(self, pos: int) -> int | None:
        text, depth, newline = self.text, 0, False
        for group, start, end, closed in lexer.lex(text, pos, pos + _LONGEST_PREFIX):
            if not closed or (group == "block" and text[start + 2 : start + 3] in ("-", "!")):
                return None
            if group == "space":
                newline = text[end - 1] == "\n"
                if depth == 0 and text.count("\n", start, end) > 1:
                    return None
                continue
            # A word at column 0 is the next command, whatever it is; so is `#`.
            if newline and _next_command(text[start:end], group, depth):
                return None
            newline = False
            if group == "symbol":
                symbol = text[start:end]
                if symbol[-1] in lexer.OPENERS:
                    depth += 1
                elif symbol in lexer.CLOSERS:
                    depth -= 1
                    if depth < 0:
                        return None
                elif depth == 0 and symbol in _NOT_BEFORE_IN:
                    return None
            elif group == "ident" and depth == 0:
                word = text[start:end]
                if word == "in":
                    return end
                if word in _STOPS_IN:
                    return None
        return None


def _begins_word(char: str) -> bool:
    return char.isalpha() and char.isascii()


def _is_level(piece: str) -> bool:
    """Whether no bracket is left open in a piece, as far as counting tells."""
    return all(
        piece.count(opener) == piece.count(closer)
        for opener, closer in zip(lexer.OPENERS, lexer.CLOSERS, strict=True)
    )


def _next_command(piece: str, group: str, depth: int) -> bool:
    if depth:
        return piece in _STOPS_IN
    return piece == "#" or (group == "ident" and piece != "in")
