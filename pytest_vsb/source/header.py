"""Where a declaration's statement ends and its body begins.

The separator is a ``:=``, ``where`` or equation alternative ``|`` outside all brackets that no
part of the statement claims: a ``let`` or ``have`` owns the next ``:=``, a ``match`` or ``fun``
owns the alternatives that stand no further left than its first, ``|x|`` is an absolute value.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pytest_vsb.source import lexer
from pytest_vsb.source.grammar import BODILESS, KEYWORDS

_BINDERS = frozenset({"let", "have", "letI", "haveI", "let_fun", "let_delayed"})
_TACTIC_BINDERS = frozenset({"obtain", "set"})
# Declarations whose alternatives are constructors: `|` without `=>`.
_CONSTRUCTED = frozenset({"inductive", "coinductive", "class inductive", "structure", "class"})
_NUMBER_OR_LITERAL = frozenset({"number", "string", "char", "raw", "interpolated"})
_UNIVERSE = re.compile(r"\.\{[^}\n]*\}")

_PLAIN_NAME = re.compile(rf"\s+({lexer.IDENT})(?:\.\{{[^}}\n]*\}})?(?![\"!\#{lexer.IDENT_REST}.])")
_I = lexer.IDENT_REST
_WORD_END = rf"(?![{_I}]|\.[{lexer.IDENT_START}\u00ab])"
# What matters to a statement without binders and alternatives of its own: brackets, what may hold
# brackets, and where its body may begin. The groups tell what is what.
_SKIPPED = rf"""
    "()
  | --[^\n]*()
  | /-()
  | '(?<![{_I}\u00bb]'){lexer.CHAR.removeprefix("'")}
  | \u00ab[^\u00ab\u00bb\n]*\u00bb
  | [{re.escape(lexer.OPENERS)}]()
  | [{re.escape(lexer.CLOSERS)}]()
"""
_STRING, _LINE, _BLOCK, _OPENER, _CLOSER, _ASSIGN, _WHERE = range(1, 8)
_OTHERS = (8, 9, 10)
_INSIDE = re.compile(_SKIPPED, re.VERBOSE)
_OUTSIDE = re.compile(
    rf"""{_SKIPPED}
  | ::?=()
  | [wd](?:here|eriving)(?<![{_I}.`]where)(?<![{_I}.`]deriving){_WORD_END}()
  | <\|>? | \|>\.? | \|\|\|?
  | \|()
  | '(?<![{_I}\u00bb]')(?='*[a-z])()
  | (?<![{_I}])(?:let|have|letI|haveI|let_fun|let_delayed|obtain|set|calc)(?![{_I}])()
""",
    re.VERBOSE,
)


def declared_name(text: str, kind: str, pos: int, end: int) -> tuple[str, int]:
    """The name after a declaration keyword at ``pos``, empty if none, and where it ends."""
    plain = _PLAIN_NAME.match(text, pos)
    if plain is not None and plain.end() < end and plain.group(1) not in KEYWORDS:
        return plain.group(1), plain.end()
    depth = 0
    for group, start, stop, _ in lexer.lex(text, pos, end):
        if group in ("space", "line", "block"):
            continue
        piece = text[start:stop]
        if depth == 0 and group == "ident":
            if piece in KEYWORDS:
                return "", pos
            universe = _UNIVERSE.match(text, stop)
            return piece, universe.end() if universe else stop
        if kind != "instance":
            return "", pos
        # ``instance (priority := high) name``: the only bracket that may precede a name.
        if piece == "(" or depth:
            depth += (piece in lexer.OPENERS) - (piece in lexer.CLOSERS)
            if depth == 1 and piece == "(" and not text.startswith("priority", stop):
                return "", pos
            continue
        return "", pos
    return "", pos


def split(
    text: str, kind: str, pos: int, end: int, trim: Callable[[int, int], int] | None = None
) -> tuple[int, int | None]:
    """Where the statement ends and the body starts, for a header read from ``pos`` to ``end``.

    The body is None when there is no separator. ``trim`` moves an offset back over spaces and
    plain comments, not before another one; with it most headers are read quicker.
    """
    if kind in BODILESS:
        return _last_token_end(text, pos, end), None
    body = _plain_separator(text, pos, end) if trim is not None else -1
    if trim is not None and body >= 0:
        return trim(body, pos), body
    return _Walk(text, kind, pos, end).run()


def _plain_separator(text: str, pos: int, end: int) -> int:
    """The offset of the separator of a plain header; -1 if it takes a walk to find it.

    Plain is a header where the first ``:=``, ``where`` or ``deriving`` outside brackets comes
    before any bar and any word that has a ``:=`` of its own.
    """
    depth = 0
    pattern = _OUTSIDE
    while True:
        match = pattern.search(text, pos, end)
        if match is None:
            return -1
        event, pos = match.lastindex, match.end()
        if event == _OPENER:
            depth += 1
            pattern = _INSIDE
        elif event == _CLOSER:
            depth = max(0, depth - 1)
            if not depth:
                pattern = _OUTSIDE
        elif event == _STRING:
            if text[match.start() - 1] in "r#":
                return -1
            pos = lexer.any_string_end(text, match.start())[0]
        elif event == _BLOCK:
            if lexer.is_doc(text, match.start()):
                return -1
            pos = lexer.comment_end(text, match.start())[0]
        elif event == _ASSIGN:
            if pos - match.start() == 2:
                return match.start()
        elif event == _WHERE:
            return match.start()
        elif event in _OTHERS:
            return -1


def _last_token_end(text: str, pos: int, end: int) -> int:
    last = pos
    for group, _, stop, _ in lexer.lex(text, pos, end):
        if group not in ("space", "line", "block"):
            last = stop
    return last


class _Walk:
    def __init__(self, text: str, kind: str, pos: int, end: int) -> None:
        self.text, self.kind, self.pos, self.end = text, kind, pos, end
        self.pending = 0  # binders that still await their `:=`
        self.before_calc = -1  # `pending` outside the innermost calculation, if there is one
        self.tactics = False  # a `by` was seen, so tactic binders count too
        self.alternatives: list[int] = []  # columns of open match/fun alternatives; -1: none yet
        self.last = pos  # where the last token ended
        self.line = self.seen = text.rfind("\n", 0, pos) + 1
        self.absolute = 0  # open absolute values
        self.bars_until = 0  # bars before this offset are known not to be equations

    def run(self) -> tuple[int, int | None]:
        text = self.text
        depth = 0
        operand, previous = True, ""
        for group, start, stop, _ in lexer.lex(text, self.pos, self.end):
            if group in ("space", "line", "block"):
                continue
            if group == "symbol":
                piece = text[start:stop]
                if piece[-1] in lexer.OPENERS:
                    depth += 1
                    operand = False
                elif piece in lexer.CLOSERS:
                    depth = max(0, depth - 1)
                    operand = True
                elif depth:
                    operand = False
                elif piece == ":=":
                    if not self.pending:
                        return self.last, start
                    self.pending -= 1
                    operand = False
                elif piece == "\u2190" or piece == "<-":
                    self.pending = max(0, self.pending - 1)
                    operand = False
                elif piece == ";":
                    operand = False
                elif piece == "|":
                    if self._is_alternative(start, stop, operand, previous):
                        return self.last, start
                    operand = not operand
                else:
                    # `Type*` and postfix operators end an operand.
                    operand = piece in ("*", "!") and text[start - 1 : start].isalnum()
                previous = piece
            elif group == "ident":
                if depth == 0:
                    piece = text[start:stop]
                    if text[start - 1] != "." and self._word(piece, start):
                        return self.last, start
                    previous = piece
                    operand = piece not in KEYWORDS or piece in ("Type", "Prop", "Sort", "sorry")
                else:
                    operand = True
            else:
                operand = True
                previous = ""
            self.last = stop
        return self.last, None

    def _word(self, word: str, start: int) -> bool:
        """Notes a word of the statement; true if the body begins with it."""
        if word == "where":
            return True
        if word == "deriving":
            return True
        if word in _BINDERS or (self.tactics and word in _TACTIC_BINDERS):
            self.pending += 1
        elif word == "from":
            self.pending = max(0, self.pending - 1)
        elif word == "match":
            self.alternatives.append(-1)
        elif word == "by":
            self.tactics = True
        elif word == "calc":
            self.before_calc = self.pending
            self.pending += 1
        elif word == "_" and self.before_calc >= 0 and "\n" in self.text[self.last : start]:
            # The next step of a calculation; each has a `:=` of its own, but perhaps the first.
            self.pending = self.before_calc + 1
        return False

    def _column(self, pos: int) -> int:
        # Asked for ever greater positions, so each part of the text is searched once.
        newline = self.text.rfind("\n", self.seen, pos)
        if newline >= 0:
            self.line = newline + 1
        self.seen = pos
        return pos - self.line

    def _is_alternative(self, start: int, stop: int, operand: bool, previous: str) -> bool:
        """Whether the ``|`` there begins the declaration's own first alternative."""
        text = self.text
        if previous in ("fun", "\u03bb"):
            self.alternatives.append(self._column(start))
            return False
        if self.alternatives:
            if previous == "with" and self.alternatives[-1] < 0:
                self.alternatives[-1] = self._column(start)
                return False
            column = self._column(start)
            while self.alternatives and column < self.alternatives[-1]:
                self.alternatives.pop()
            if self.alternatives:
                return False
        if self.pending:
            # ``let f | 0 => a | n + 1 => b``
            self.pending -= 1
            self.alternatives.append(self._column(start))
            return False
        spaced = text[stop : stop + 1].isspace()
        tight_before = not text[start - 1 : start].isspace()
        if self.absolute and tight_before:
            self.absolute -= 1
            return False
        if self.kind in _CONSTRUCTED:
            return operand or spaced
        if not spaced and (not operand or self._closes(stop)):
            self.absolute += 1
            return False
        if start < self.bars_until:
            return False
        return self._leads_to_arrow(stop)

    def _closes(self, pos: int) -> bool:
        """Whether an absolute value that opens before ``pos`` is closed."""
        text, depth = self.text, 0
        for group, start, stop, _ in lexer.lex(text, pos, self.end):
            if group != "symbol":
                continue
            piece = text[start:stop]
            if piece[-1] in lexer.OPENERS:
                depth += 1
            elif piece in lexer.CLOSERS:
                depth -= 1
            elif depth == 0 and piece == "|":
                return not text[start - 1].isspace()
            elif depth < 0 or (depth == 0 and piece in (":=", "=>")):
                return False
        return False

    def _leads_to_arrow(self, pos: int) -> bool:
        """Whether a ``=>`` follows before any ``:=``; remembers the answer if not."""
        text, depth = self.text, 0
        for group, start, stop, _ in lexer.lex(text, pos, self.end):
            if group != "symbol":
                continue
            piece = text[start:stop]
            if piece[-1] in lexer.OPENERS:
                depth += 1
            elif piece in lexer.CLOSERS:
                depth -= 1
            elif depth == 0 and piece == "=>":
                return True
            elif depth == 0 and piece == ":=":
                self.bars_until = start
                return False
        self.bars_until = self.end
        return False
