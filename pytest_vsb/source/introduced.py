"""The commands that a file introduces: the words that begin them in the files that import it.

Read from ``syntax``, ``macro`` and ``elab`` commands of the category ``command``, and from parsers
with the attribute ``command_parser``. A command that begins with other syntax (``syntax kind ident
: command``) begins with the words of that, if the same file defines it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from pytest_vsb.source import grammar, lexer
from pytest_vsb.source.model import Source

_START = re.compile(
    rf"(?<![{lexer.IDENT_REST}.`\u00bb])(?:syntax|macro|elab|(?:builtin_)?command_parser)(?![{lexer.IDENT_REST}.])"
)
_MODIFIERS = (
    r"(?:(?:@\[[^\]\n]*\]|scoped\s*\[[^\]\n]*\]|"
    rf"{grammar.words_pattern(grammar.MODIFIERS)})\s+)*"
)
_BEFORE = re.compile(rf"\s*{_MODIFIERS}(?:(?:(?:open|set_option)\s.*\bin|/--.*-/)\s+)?{_MODIFIERS}")
_LONGEST = 3000
_DEEPEST = 20
_WORD = re.compile(rf"\s*({lexer.IDENT})")
_KNOWN = grammar.COMMANDS | grammar.MODIFIERS | grammar.KEYWORDS

# Syntax that may be empty, or that is read as part of what precedes any command.
_EMPTY = frozenset(
    "ppSpace ppHardSpace ppLine ppIndent ppDedent ppGroup ppAllowUngrouped noWs ws linebreak "
    "colGt colGe colEq checkColGt checkColGe hygieneInfo declModifiers docComment visibility "
    "attrKind attributes namedName namedPrio optNamedName optNamedPrio".split()
)
_MAY_BE_EMPTY = frozenset({"optional", "many", "sepBy", "manyIndent", "sepByIndent"})
_AROUND = frozenset(
    "atomic group withPosition ppGroup ppDedent ppIndent ppRealGroup ppRealFill many1 many1Indent "
    "sepBy1 sepBy1Indent withoutPosition interpolatedStr nonReservedSymbol".split()
)

_Token = tuple[str, int, int]


@dataclass
class _First:
    """What a piece of syntax may begin with: words, and other syntax by its name."""

    words: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    empty: bool = False

    def add(self, other: _First) -> None:
        self.words |= other.words
        self.names |= other.names


def commands_introduced(source: Source | str) -> frozenset[str]:
    """The words that begin the commands a file introduces, without those that Lean or Mathlib has.

    Commands that begin with a symbol are left out; so are those with ``#``, which are recognised
    without being named. Takes any text.
    """
    text = source if isinstance(source, str) else source.text
    # Most files introduce nothing.
    if "command" not in text or _START.search(text) is None:
        return frozenset()
    return _introduced(text)


@lru_cache(maxsize=8)
def _introduced(text: str) -> frozenset[str]:
    commands = _First()
    kinds: dict[str, _First] = {}
    for keyword, tokens in _definitions(text):
        reader = _Reader(text, tokens)
        first, names = reader.parser() if keyword == "command_parser" else reader.definition()
        for name in names:
            if name == "command":
                commands.add(first)
            else:
                kinds.setdefault(name, _First()).add(first)
    found, seen, open_names = set(commands.words), set[str](), set(commands.names)
    while open_names:
        name = open_names.pop()
        if name not in seen:
            seen.add(name)
            kind = kinds.get(name)
            if kind is not None:
                found |= kind.words
                open_names |= kind.names
    return frozenset(found - _KNOWN)


def _definitions(text: str) -> Iterator[tuple[str, list[_Token]]]:
    """Each ``syntax``, ``macro`` or ``elab``, with the tokens that may be its own."""
    pos = 0
    while (match := _START.search(text, pos)) is not None:
        pos = match.end()
        word, tokens = match.group().removeprefix("builtin_"), list[_Token]()
        declared = word != "command_parser"  # a parser's declaration follows its attribute
        if declared and not _leads(text, match.start()):
            continue
        for group, start, end, closed in lexer.lex(text, pos, pos + _LONGEST):
            if not closed:
                break
            if group in ("space", "line", "block"):
                if tokens and group == "block" and lexer.is_doc(text, start):
                    break
                continue
            piece = text[start:end]
            if group == "ident" and tokens and piece in grammar.COMMANDS:
                if declared and _leads(text, start):
                    break
                declared = True
            tokens.append((piece, start, end))
            pos = end
            if piece == "=>" and word != "command_parser":
                break
        yield word, tokens


def _leads(text: str, start: int) -> bool:
    """Whether a word is the first of its line, but for attributes, modifiers and ``open … in``.

    A word in the middle of a comment or string mostly is not.
    """
    line = text[text.rfind("\n", max(0, start - 200), start) + 1 : start]
    return _BEFORE.fullmatch(line) is not None


class _Reader:
    """Reads one definition of syntax."""

    def __init__(self, text: str, tokens: list[_Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.at = 0

    def _piece(self, ahead: int = 0) -> str:
        index = self.at + ahead
        return self.tokens[index][0] if index < len(self.tokens) else ""

    def _is_tight(self, ahead: int = 0) -> bool:
        """Whether the token there follows the one before it without a space."""
        index = self.at + ahead
        return 0 < index < len(self.tokens) and self.tokens[index][1] == self.tokens[index - 1][2]

    def definition(self) -> tuple[_First, list[str]]:
        """What it begins with, and the names that others may give to it: category, own name."""
        names = self._head()
        category = self._category()
        if category:
            names.append(category)
        return self._sequence(0), names

    def parser(self) -> tuple[_First, list[str]]:
        """The same for a definition by a parser: its first word, by a plain look."""
        pieces = [piece for piece, _, _ in self.tokens[:60]]
        if "leading_parser" in pieces:
            for piece in pieces[pieces.index("leading_parser") :]:
                if piece.startswith('"'):
                    return _first_of(piece), ["command"]
        return _First(), []

    def _head(self) -> list[str]:
        """Passes precedence, name and priority."""
        names: list[str] = []
        if self._piece() == ":":
            self.at += 2
        while self._piece() == "(" and self._piece(2) == ":=":
            if self._piece(1) == "name":
                names.append(_last(self._piece(3)))
            while self._piece() and self._piece() != ")":
                self.at += 1
            self.at += 1
        if self._piece(1) == ":=":
            names.append(_last(self._piece()))
            self.at += 2
        return names

    def _category(self) -> str:
        """The category after the last colon outside brackets; what follows it is cut off."""
        depth, found, cut = 0, "", len(self.tokens)
        for index in range(self.at, len(self.tokens)):
            piece = self.tokens[index][0]
            if piece in ("(", "[", "{", "`("):
                depth += 1
            elif piece in (")", "]", "}"):
                depth -= 1
            elif depth == 0 and piece == "=>":
                break
            elif depth == 0 and piece == ":" and index + 1 < len(self.tokens):
                # `x:term` binds, and `term:max` has a precedence; a category stands apart.
                start = self.tokens[index][1]
                if (
                    index == self.at
                    or self.tokens[index - 1][2] < start
                    or not _is_word(self.tokens[index - 1][0])
                ):
                    found, cut = self.tokens[index + 1][0], index
        del self.tokens[cut:]
        return found

    def _sequence(self, depth: int, closing: str = "") -> _First:
        """What a sequence of items may begin with; goes on to its closing bracket, if any."""
        found = _First(empty=True)
        while self.at < len(self.tokens) and self._piece() != closing:
            item = self._item(depth)
            while self._piece() == "<|>":
                self.at += 1
                other = self._item(depth)
                item.add(other)
                item.empty |= other.empty
            if found.empty:
                found.add(item)
                found.empty = item.empty
            if not found.empty and not closing:
                break
        if closing:
            self.at += 1
        return found

    def _item(self, depth: int) -> _First:
        piece = self._piece()
        if self._piece(1) == ":" and self._is_tight(1) and self._is_tight(2) and _is_word(piece):
            self.at += 2
            piece = self._piece()
        self.at += 1
        if piece == "&":
            piece = self._piece()
            self.at += 1
        if piece.startswith('"'):
            found = _first_of(piece)
        elif piece == "(" and depth < _DEEPEST:
            found = self._sequence(depth + 1, ")")
        elif self._piece() == "(" and self._is_tight() and depth < _DEEPEST:
            self.at += 1
            found = self._sequence(depth + 1, ")")
            if _last(piece) not in _AROUND | _MAY_BE_EMPTY:
                found = _First()
            found.empty |= _last(piece) in _MAY_BE_EMPTY
        else:
            name = _last(piece)
            plain = name.rstrip("?")
            found = _First(names={plain}, empty=plain in _EMPTY or name != plain)
        return self._suffixed(found)

    def _suffixed(self, item: _First) -> _First:
        while (piece := self._piece()) in ("?", "*", "+", ",", ":", "?*") and piece:
            if piece == ":":
                if not self._is_tight():
                    break
                self.at += 1
            elif piece in ("?", "*", "?*"):
                item.empty = True
            self.at += 1
        return item


def _first_of(literal: str) -> _First:
    word = _WORD.match(literal[1:-1])
    return _First(words={word.group(1)} if word else set())


def _last(name: str) -> str:
    return name.rsplit(".", 1)[-1]


def _is_word(piece: str) -> bool:
    return bool(piece) and (piece[0].isalpha() or piece[0] in "_\u00ab")
