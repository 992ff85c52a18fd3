"""Where commands begin.

A file is searched by one regex for what may begin a command, and for what must be skipped or
counted (comments, strings, brackets). At each candidate the prefix before the command word
(docstring, attributes, modifiers, ``open … in``) is read; whether a command begins there then
depends on the word, its column, and the command before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pytest_vsb.source import grammar, lexer
from pytest_vsb.source.model import Span

_FIRST_WORDS = grammar.COMMANDS | grammar.MODIFIERS
_SKELETON = re.compile(
    rf"""
    (?P<line>--[^\n]*)
  | (?P<block>/-)
  | (?P<raw>(?<![{lexer.IDENT_REST}.`])r\#*")
  | (?P<string>")
  | (?P<char>(?<![{lexer.IDENT_REST}\u00bb]){lexer.CHAR})
  | (?P<quoted>\u00ab[^\u00ab\u00bb\n]*\u00bb(?:\.{lexer.IDENT})?)
  | (?P<first>^{lexer.IDENT})
  | (?P<word>(?<![{lexer.IDENT_REST}.`\#$@\u00bb])(?=[a-z])(?:{grammar.words_pattern(_FIRST_WORDS)})
      (?![{lexer.IDENT_REST}]|\.[{lexer.IDENT_START}\u00ab]))
  | (?P<hash>(?<![^\s)\]}}])\#[a-z][a-z_]+(?![{lexer.IDENT_REST}]))
  | (?P<open>@\[|`\(|[{re.escape(lexer.OPENERS)}])
  | (?P<close>[{re.escape(lexer.CLOSERS)}])
    """,
    re.VERBOSE | re.MULTILINE,
)
_INDENT = re.compile(r"[ \t]*")
# How far a prefix is followed before it is given up: what keeps hostile text linear.
_LONGEST_PREFIX = 4000
# A line that ends so goes on, whatever the next one begins with.
_UNFINISHED = re.compile(
    r"(?:[^\w\s'!?)\]}⟩⟧⌋⌉»\"₀-₉]"
    r"|(?<!\w)(?:by|do|then|else|from|with|where|in|at|fun|of|calc|using|only|return))\Z"
)


@dataclass
class Head:
    """The beginning of a command, up to its keyword."""

    start: int
    column: int
    keyword: str
    word: Span
    docs: int = 0
    attributes: list[str] = field(default_factory=list)
    modifiers: list[str] = field(default_factory=list)
    prefixes: list[str] = field(default_factory=list)

    @property
    def short(self) -> bool:
        return self.keyword in grammar.SHORT_COMMANDS


class Splitter:
    """Finds the heads of all commands of a text, and its plain comments (by their ends)."""

    def __init__(self, text: str, commands: frozenset[str] = frozenset()) -> None:
        self.text = text
        self.extra = commands
        self.heads: list[Head] = []
        self.comments: dict[int, int] = {}
        self._stack: list[str] = []
        self._quotations = 0
        self._line = 0
        self._last = 0

    def run(self) -> None:
        """Fills `heads` and `comments`."""
        text, search, pos = self.text, _SKELETON.search, 0
        while True:
            match = search(text, pos)
            if match is None:
                return
            group, start = match.lastgroup, match.start()
            pos = match.end()
            if group == "line":
                self._note_line(start, pos)
            elif group == "open":
                opener = match.group()
                if opener == "@[" and not self._inside():
                    pos = self._candidate(start, opener)
                else:
                    self._push(opener)
            elif group == "close":
                self._pop(match.group())
            elif group in ("first", "word", "hash"):
                pos = self._candidate(start, match.group())
            elif group == "string":
                pos = lexer.any_string_end(text, start)[0]
            elif group == "block":
                pos = self._block(start)
            elif group == "raw":
                pos = lexer.raw_string_end(text, pos - 1, pos - 2 - start)[0]

    def trim(self, end: int, start: int = 0) -> int:
        """``end`` moved back over spaces and plain comments, but not before ``start``."""
        text = self.text
        while end > start:
            # A slice of bounded size at a time: rstrip on the whole text would be quadratic.
            piece = text[max(start, end - 256) : end]
            kept = len(piece.rstrip())
            end -= len(piece) - kept
            if kept:
                opened = self.comments.get(end)
                if opened is None or opened < start:
                    return end
                end = opened
        return start

    def _note_line(self, start: int, end: int) -> None:
        # By where its text ends, so that `trim` finds it after the spaces at its end.
        self.comments[start + len(self.text[start:end].rstrip())] = start

    # Brackets.

    def _push(self, opener: str) -> None:
        self._stack.append(opener)
        self._quotations += opener == "`("

    def _pop(self, closer: str) -> None:
        stack = self._stack
        # A stray closer may close one unbalanced bracket, not the whole nest.
        for depth in range(1, min(len(stack), 3) + 1):
            if lexer.CLOSER_OF[stack[-depth][-1]] == closer:
                for opener in stack[-depth:]:
                    self._quotations -= opener == "`("
                del stack[-depth:]
                return

    def _inside(self) -> bool:
        return bool(self._stack)

    # Candidates.

    def _place(self, pos: int) -> tuple[int, bool]:
        """The column of a position, and whether it is the first token of its line."""
        newline = self.text.rfind("\n", self._last, pos)
        if newline >= 0:
            self._line = newline + 1
        self._last = pos
        indent = _INDENT.match(self.text, self._line)
        return pos - self._line, indent is not None and indent.end() >= pos

    def _block(self, start: int) -> int:
        text = self.text
        end, _ = lexer.comment_end(text, start)
        if text.startswith("/-!", start):
            column, _ = self._place(start)
            if not self._quotations:
                self._begin(Head(start, column, "moduledoc", Span(start, end)))
            return end
        if lexer.is_doc(text, start):
            return self._candidate(start, "/--")
        self.comments[end] = start
        return end

    def _begin(self, head: Head) -> None:
        self.heads.append(head)
        self._stack.clear()
        self._quotations = 0

    def _candidate(self, start: int, word: str) -> int:
        """Begins a command at ``start`` if one begins there; returns where to go on."""
        column, first = self._place(start)
        top = first and column == 0
        if self._stack and (self._quotations or not top):
            return self._skip(start, word)
        if word[0] not in "/@#" and word not in _FIRST_WORDS and word not in self.extra:
            if self._new_word(start, word):
                self._begin(Head(start, column, "", Span(start, start + len(word))))
            return start + len(word)
        head = self._read_prefix(start, column)
        if self._accepts(head, first):
            self._begin(head)
        if not head.keyword and head.word.start == start:
            return self._skip(start, word)
        return head.word.end if head.keyword else head.word.start

    def _skip(self, start: int, word: str) -> int:
        if word == "/--":
            return lexer.comment_end(self.text, start)[0]
        if word == "@[":
            self._push(word)
        return start + len(word)

    def _accepts(self, head: Head, first: bool) -> bool:
        """Whether a command with this head begins at its place, the first of its line or not."""
        keyword = head.keyword
        before = self.heads[-1] if self.heads else None
        if before is None:
            return True
        prefixed = head.start != head.word.start
        shallow = first and (before.short or head.column <= before.column)
        if not keyword:
            # Before a word of the repository's own; before `|` it documents a constructor.
            next_token = lexer.TOKEN.match(self.text, head.word.start)
            known = next_token is None or next_token.lastgroup == "ident"
            return first and head.column == 0 and known and prefixed
        if head.prefixes and not shallow:
            # In a proof ``open … in`` and ``set_option … in`` are tactics. Before a declaration
            # keyword they are not.
            return first and keyword in grammar.DECLARATIONS
        if keyword in self.extra:
            return first and (shallow or prefixed)
        if keyword in grammar.DECLARATIONS - grammar.SOFT_COMMANDS:
            return True
        if keyword in grammar.RESERVED_COMMANDS:
            return first or before.short or before.keyword in grammar.DECLARATIONS
        if keyword in grammar.HASH_COMMANDS:
            return True
        return shallow or (first and prefixed) or before.short

    def _new_word(self, start: int, word: str) -> bool:
        """Whether an unreserved word at column 0 begins a command of the repository's own."""
        if word.split(".", 1)[0] in grammar.CONTINUATIONS:
            return False
        if not self.heads:
            return True
        before = self.heads[-1]
        end = self.trim(start, before.start)
        if end <= before.start:
            return False
        if before.short:
            return True
        if _UNFINISHED.search(self.text[max(before.start, end - 12) : end]):
            return False
        if self._stack:
            return False
        if not before.keyword:
            return True
        return self.text.count("\n", end, start) > 1

    def _read_prefix(self, start: int, column: int) -> Head:
        """The head that begins at ``start``, with an empty keyword where no command word follows.

        Where what begins there is no prefix at all (an attribute list without an end, the
        ``deriving`` of a structure), its word is empty and at ``start``.
        """
        text = self.text
        head = Head(start, column, "", Span(start, start))
        pos = start
        while True:
            match = lexer.TOKEN.match(text, pos)
            if match is None:
                head.word = Span(len(text), len(text))
                return head
            group, here, pos = match.lastgroup, match.start(), match.end()
            if group == "space":
                continue
            if group == "line":
                self._note_line(here, pos)
                continue
            if group == "block":
                end, _ = lexer.comment_end(text, here)
                if lexer.is_doc(text, here):
                    head.docs += 1
                elif text.startswith("/-!", here):
                    head.word = Span(here, here)
                    return head
                else:
                    self.comments[end] = here
                pos = end
                continue
            word = match.group()
            if word == "@[":
                end_of = self._read_attributes(pos, head.attributes)
                if end_of is None:
                    head.word = Span(here, here)
                    return head
                pos = end_of
                continue
            if word == "#":
                hashed = _SKELETON.match(text, here)
                if hashed is not None and hashed.lastgroup == "hash":
                    word, pos = hashed.group(), hashed.end()
            if word in grammar.MODIFIERS:
                head.modifiers.append(word)
                if word == "scoped" and text.startswith("[", pos):
                    pos = text.find("]", pos, pos + 200) + 1 or pos
                continue
            if word == "deriving":
                following = _NEXT_WORD.match(text, pos)
                if following is None or following.group(1) != "instance":
                    head.word = Span(here, here)
                    return head
                pos = following.end()
            if word in grammar.IN_COMMANDS:
                joined = self._find_in(pos)
                if joined is not None:
                    head.prefixes.append(text[here:joined].removesuffix("in").rstrip())
                    pos = joined
                    continue
            if word in grammar.COMMANDS or word in self.extra or (len(word) > 1 and word[0] == "#"):
                if word == "class":
                    following = _NEXT_WORD.match(text, pos)
                    if following is not None and following.group(1) in ("inductive", "abbrev"):
                        pos = following.end()
                        word = f"class {following.group(1)}"
                head.keyword, head.word = word, Span(here, pos)
                return head
            head.word = Span(here, here)
            return head

    def _read_attributes(self, pos: int, into: list[str]) -> int | None:
        """Reads an attribute list from after its ``@[``; where it ends, or None if it does not."""
        text, depth, item = self.text, 0, pos
        for group, start, end, closed in lexer.lex(text, pos, pos + _LONGEST_PREFIX):
            if not closed:
                return None
            if group != "symbol":
                continue
            symbol = text[start:end]
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

    @staticmethod
    def _next_command(piece: str, group: str, depth: int) -> bool:
        if depth:
            return piece in _STOPS_IN
        return piece == "#" or (group == "ident" and piece != "in")

    def _find_in(self, pos: int) -> int | None:
        """The end of the ``in`` that joins the command read from ``pos`` to the next one."""
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
            if newline and self._next_command(text[start:end], group, depth):
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


_NEXT_WORD = re.compile(r"\s+([a-z]+)\b")
_NOT_BEFORE_IN = frozenset({":=", "=>", ";", "|", "<;>"})
_STOPS_IN = (grammar.COMMANDS | grammar.MODIFIERS | {"by", "where"}) - {"scoped", "local"}
