"""Where commands begin.

A file is searched by one regex for what may begin a command and for what must be skipped (comments,
strings). At each candidate the prefix before the command word (docstring, attributes, modifiers,
``open … in``) is read; whether a command begins there then depends on the word, its column, and the
command before. Brackets are counted only where the answer depends on them.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_vsb.source import grammar, lexer
from pytest_vsb.source.model import Span
from pytest_vsb.source.prefix import Head, PrefixReader

_FIRST_WORDS = grammar.COMMANDS | grammar.MODIFIERS
_I, _S = lexer.IDENT_REST, lexer.IDENT_START
# What ends a word: no further letter, no field.
_WORD_END = rf"(?![{_I}]|\.[{_S}\u00ab])"
_WORD = rf"(?:{grammar.words_pattern(_FIRST_WORDS)}){_WORD_END}"
# What no command word may follow immediately.
_BEFORE_WORD = rf"[^{_I}.`\#$@\u00bb]"

# Every alternative begins with a character, so that the regex engine tries few of them at a place;
# a word's is the one before it. The empty groups tell which alternative matched.
_EVENTS = rf"""
    "()
  | /-()
  | --[^\n]*()
  | (?:'(?<![{_I}\u00bb]'){lexer.CHAR.removeprefix("'")}|//)()
  | \u00ab[^\u00ab\u00bb\n]*\u00bb(?:\.{lexer.IDENT})?()
  | @\[()
  | \n(?!r\#*"|\u00ab)(?:{lexer.IDENT})()
  | \#(?<![^\s)\]}}]\#)[a-z][a-z_]+(?![{_I}])()
  | {_BEFORE_WORD}{_WORD}()
"""
_STRING, _BLOCK, _LINE, _CHAR, _QUOTED, _ATTRIBUTE, _FIRST, _HASH, _KEYWORD, _OWN = range(1, 11)
_WORDS = (_FIRST, _KEYWORD)
_PLAIN_EVENTS = re.compile(_EVENTS, re.VERBOSE)
_WORD_AT = re.compile(_WORD)
_MAY_PRECEDE = re.compile(_BEFORE_WORD)
_IDENT_AT = re.compile(rf'(?!r#*"|\u00ab){lexer.IDENT}')
_RAW_BEFORE = re.compile(rf"(?<![{_I}.`])r\#*\Z")
_BRACKET = re.compile(rf"`\(|[{re.escape(lexer.OPENERS + lexer.CLOSERS)}]")
_INDENT = re.compile(r"[ \t]*")
# A line that ends so goes on, whatever the next one begins with.
_UNFINISHED = re.compile(
    r"(?:[^\w\s'!?)\]}⟩⟧⌋⌉»\"₀-₉]"
    r"|(?<!\w)(?:by|do|then|else|from|with|where|in|at|fun|of|calc|using|only|return))\Z"
)
# Only with Mathlib is `lemma` no name.
_NAMES = re.compile(r"\b(?:have|let|haveI|letI|exact|apply|refine|using|from)[ \t]+\Z")
_SURELY = grammar.DECLARATIONS - grammar.SOFT_COMMANDS


@lru_cache(maxsize=64)
def _events(extra: frozenset[str]) -> re.Pattern[str]:
    """The regex, for files with commands of their own."""
    words = [word for word in extra if word[0] != "#"]
    if not words:
        return _PLAIN_EVENTS
    own = "|".join(sorted(map(re.escape, words), key=lambda w: (-len(w), w)))
    return re.compile(rf"{_EVENTS} | \n[ \t]+(?:{own}){_WORD_END}()", re.VERBOSE)


class Splitter:
    """Finds the heads of all commands of a text, and its plain comments (by their ends)."""

    def __init__(self, text: str, commands: frozenset[str] = frozenset()) -> None:
        self.text = text
        self.extra = commands
        self.heads: list[Head] = []
        self.comments: dict[int, int] = {}
        self.prefix = PrefixReader(text, commands, self.comments)
        self._brackets: list[str] = []
        self._quotations = 0
        # Parts of the text, without strings and comments, whose brackets are not counted yet.
        self._uncounted: list[tuple[int, int]] = []
        self._counted = 0
        self._sought = 0  # no quotation begins between the uncounted parts' start and here
        self._line = 0
        self._last = 0

    def run(self) -> None:
        """Fills `heads` and `comments`."""
        text = self.text
        search = _events(self.extra).search
        pos = self._at_start()
        while True:
            match = search(text, pos)
            if match is None:
                return
            event, start, end = match.lastindex, match.start(), match.end()
            if event in _WORDS:
                pos = self._candidate(start + 1, text[start + 1 : end])
            elif event == _LINE:
                self._pass_over(start, end)
                self.prefix.note_line(start, end)
                pos = end
                continue
            elif event == _STRING:
                pos = self._string(start)
                self._pass_over(start, pos)
            elif event == _BLOCK:
                pos = self._block(start)
            elif event == _ATTRIBUTE:
                pos = self._candidate(start, "@[")
            elif event == _HASH:
                pos = self._candidate(start, text[start:end])
            elif event == _OWN:
                word = text[start:end].split()[0]
                pos = self._candidate(end - len(word), word)
            else:
                self._pass_over(start, end)
                pos = end
            pos = self._resume(pos)

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

    # Going on.

    def _at_start(self) -> int:
        """Looks at the first word of the text, which no character precedes."""
        found = _IDENT_AT.match(self.text)
        return self._resume(self._candidate(0, found.group())) if found else 0

    def _resume(self, pos: int) -> int:
        """Where to search on from ``pos``: a word is found by the character before it."""
        text = self.text
        while 0 < pos < len(text):
            before = text[pos - 1]
            if before.isspace():
                return pos - 1
            if not text[pos].islower() or _MAY_PRECEDE.match(before) is None:
                return pos
            found = _WORD_AT.match(text, pos)
            if found is None:
                return pos
            pos = self._candidate(pos, found.group())
        return pos

    def _string(self, start: int) -> int:
        text = self.text
        if start and text[start - 1] in "r#":
            raw = _RAW_BEFORE.search(text, max(0, start - 300), start)
            if raw is not None:
                return lexer.raw_string_end(text, start, start - raw.start() - 1)[0]
        return lexer.any_string_end(text, start)[0]

    # Brackets.

    def _pass_over(self, start: int, end: int) -> None:
        """Leaves a comment or string out of the count of brackets."""
        if self._counted < start:
            self._uncounted.append((self._counted, start))
        self._counted = end

    def _count(self, end: int) -> None:
        """Counts brackets up to ``end``."""
        self._pass_over(end, end)
        text = self.text
        for start, stop in self._uncounted:
            for bracket in _BRACKET.findall(text, start, stop):
                if bracket in lexer.CLOSER_OF or bracket == "`(":
                    self._brackets.append(bracket)
                    self._quotations += bracket == "`("
                else:
                    self._close(bracket)
        self._uncounted.clear()

    def _close(self, closer: str) -> None:
        stack = self._brackets
        # A stray closer may close one unbalanced bracket, not the whole nest.
        for depth in range(1, min(len(stack), 3) + 1):
            if lexer.CLOSER_OF[stack[-depth][-1]] == closer:
                for opener in stack[-depth:]:
                    self._quotations -= opener == "`("
                del stack[-depth:]
                return

    def _is_inside(self, start: int, top: bool) -> bool:
        """Whether brackets keep a command from beginning at ``start``.

        At the top level, at column 0, only a quotation does: any other bracket was forgotten.
        """
        if top and not self._quotations:
            begin = self._uncounted[0][0] if self._uncounted else self._counted
            if self.text.find("`(", max(begin, self._sought - 1), start) < 0:
                self._sought = start
                return False
        self._count(start)
        return bool(self._brackets) and (not top or self._quotations > 0)

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
        if text.startswith("/-!", start):
            end, _ = lexer.comment_end(text, start)
            column, _ = self._place(start)
            self._count(start)
            if not self._quotations:
                self._begin(Head(start, column, "moduledoc", Span(start, end)), end)
            self._pass_over(start, end)
            return end
        if lexer.is_doc(text, start):
            return self._candidate(start, "/--")
        end, _ = lexer.comment_end(text, start)
        self._pass_over(start, end)
        self.comments[end] = start
        return end

    def _begin(self, head: Head, end: int) -> None:
        self.heads.append(head)
        self._brackets.clear()
        self._quotations = 0
        self._uncounted.clear()
        self._counted = self._sought = end

    def _candidate(self, start: int, word: str) -> int:
        """Begins a command at ``start`` if one begins there; returns where to go on."""
        column, first = self._place(start)
        if self._is_inside(start, first and column == 0):
            return self._skip(start, word)
        if word[0] not in "/@#" and word not in _FIRST_WORDS and word not in self.extra:
            if self._new_word(start, word):
                self._begin(Head(start, column, "", Span(start, start + len(word))), start)
            return start + len(word)
        if word == "lemma" and not first and _NAMES.search(self.text, max(0, start - 30), start):
            return start + len(word)
        head = self.prefix.read(start, column, word)
        stop = head.word.end if head.keyword else head.word.start
        if self._accepts(head, first):
            self._begin(head, stop)
        elif stop > start:
            # Brackets of a prefix are its own.
            self._pass_over(start, stop)
        if not head.keyword and head.word.start == start:
            return self._skip(start, word)
        return stop

    def _skip(self, start: int, word: str) -> int:
        if word == "/--":
            end = lexer.comment_end(self.text, start)[0]
            self._pass_over(start, end)
            return end
        return start + len(word)

    def _accepts(self, head: Head, first: bool) -> bool:
        """Whether a command with this head begins at its place, the first of its line or not."""
        keyword = head.keyword
        before = self.heads[-1] if self.heads else None
        if before is None:
            return True
        prefixed = head.start != head.word.start
        if keyword in _SURELY and not head.prefixes and keyword not in self.extra:
            return True
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
            return shallow
        if keyword in _SURELY:
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
        self._count(start)
        if self._brackets:
            return False
        if not before.keyword:
            return True
        return self.text.count("\n", end, start) > 1
