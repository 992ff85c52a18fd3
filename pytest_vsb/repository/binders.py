"""The words of terms and tactics that bind names, and what they bind."""

from __future__ import annotations

from pytest_vsb.repository.binding import Alternatives, Binding
from pytest_vsb.repository.patterns import Bound
from pytest_vsb.repository.stream import top_level
from pytest_vsb.repository.words import WORDS

_ARROWS = frozenset({"=>", "↦"})
_DEFINES = frozenset({":=", "←", "<-"})
_WITH_PATTERNS = frozenset(
    "rcases cases' induction' injection injections split_ifs set set! lift by_contra! obtain "
    "casesm icases".split()
)
_TACTIC_MATCHERS = frozenset({"cases", "induction", "fun_induction", "fun_cases"})
# What stands between the bar of an alternative and its arrow is never one of these.
_NO_PATTERN = frozenset(
    "fun λ by do match if let have exact apply simp rw then else show from := at with intro "
    "where".split()
)


class Binders(Binding):
    """Reads the words that bind names. Each method is given the index of its word and returns where
    the walk goes on."""

    def _quantifier(self, at: int) -> int:
        words = self.words
        if words.piece[at] == "exists" and self._is_tactic(at):
            return at + 1
        start = at + 1
        if words.piece[start : start + 1] == ["!"]:
            start += 1
        end = self._find(start, frozenset({","}), stop=frozenset({":="}))
        if end < 0:
            return at + 1
        self._binders(start, end, self._column())
        return end + 1

    def _function(self, at: int) -> int:
        words = self.words
        if words.piece[at + 1 : at + 2] == ["|"]:
            return at + 1
        end = self._find(at + 1, _ARROWS | {","}, stop=frozenset({":="}))
        if end < 0:
            return at + 1
        dotted = words.ident[at + 1] and "." in words.piece[at + 1]
        if self._colon(at + 1, end) < end or (
            not dotted
            and all(words.ident[i] or words.close[i] >= 0 for i in top_level(words, at + 1, end))
        ):
            self._binders(at + 1, end, self._column())
        else:
            self._pattern(at + 1, end, self._column())
        return end + 1

    def _let(self, at: int) -> int:
        words = self.words
        if self._is_tactic(at):
            self._tactic = words.piece[at]
        index = at + 1
        while index < len(words) and words.piece[index] in ("mut", "rec"):
            index += 1
        if index >= len(words):
            return index
        middle = self._find(
            index,
            frozenset({":=", "←", "<-", "from", "by", "|"}),
            stop=frozenset({"have", "let", ";"}),
        )
        stop = middle if middle >= 0 else self._names_end(index)
        since = self._value_end(middle, words.column[at]) if middle >= 0 else stop
        colon = self._colon(index, stop)
        column = self._column()
        piece = words.piece[index]
        defines = middle >= 0 and words.piece[middle] in _DEFINES
        if (words.close[index] >= 0 and index < colon) or (
            defines and (piece == "." or (words.ident[index] and "." in piece))
        ):
            self._pattern(index, colon, column, names_only=piece == "⟨")
            self.span(colon + 1, stop)
            return max(stop, index)
        name, start = "this", index
        if words.ident[index] and index < max(colon, stop) and piece not in WORDS:
            name, start = piece, index + 1
        if start < colon:
            self._binders(start, colon, column)
        self.span(colon + 1, stop)
        kind = (colon + 1, stop) if colon < stop else None
        is_value = defines and words.piece[middle] == ":=" and start >= colon
        value = (middle + 1, since) if is_value else None
        self._bind(name, column, since=since, kind=kind, value=value)
        return max(stop, index)

    def _intros(self, at: int) -> int:
        if not self._is_tactic(at):
            return self._word(at)
        if self.words.piece[at + 1 : at + 2] == ["|"]:
            return at + 1
        end = self._names_end(at + 1)
        colon = self._colon(at + 1, end)
        self._pattern(at + 1, colon, self._column(), names_only=True)
        self.span(colon + 1, end)
        self._tactic = self.words.piece[at]
        return end

    def _obtain(self, at: int) -> int:
        end = self._find(at + 1, frozenset({":="}))
        if end < 0:
            end = self._names_end(at + 1)
        colon = self._colon(at + 1, end)
        self._pattern(at + 1, colon, self._column(), names_only=True)
        self.span(colon + 1, end)
        return end

    def _for(self, at: int) -> int:
        end = self._find(at + 1, frozenset({"in"}), stop=frozenset({"do", ":="}))
        if end < 0:
            return at + 1
        self._pattern(at + 1, end, self._column())
        return end + 1

    def _case(self, at: int) -> int:
        words = self.words
        end = self._find(at + 1, _ARROWS, stop=_NO_PATTERN)
        if end < 0 or not self._is_tactic(at):
            return self._word(at) if end < 0 else at + 1
        start = at + 1
        if words.piece[at] != "next" and start < end and words.ident[start]:
            # Its tag is a constructor's name at most, and no reference to it.
            start += 1
        self._pattern(start, end, words.column[at] + 1, names_only=True)
        return end + 1

    def _choose(self, at: int) -> int:
        end = self._find(at + 1, frozenset({"using"}))
        if end < 0:
            return at + 1
        self._pattern(at + 1, end, self._column(), names_only=True)
        return end + 1

    def _generalize(self, at: int) -> int:
        words = self.words
        index = at + 1
        if words.piece[index + 1 : index + 2] == [":"] and words.ident[index]:
            self._bind(words.piece[index], self._column())
            index += 2
        end = self._names_end(index)
        equal = max((i for i in top_level(words, index, end) if words.piece[i] == "="), default=end)
        self.span(index, equal)
        for i in range(equal + 1, end):
            if words.ident[i]:
                self._bind(words.piece[i], self._column())
        return end

    def _match(self, at: int) -> int:
        words = self.words
        piece = words.piece[at]
        self._matcher = piece if piece in _TACTIC_MATCHERS else ""
        self._tactic = piece
        self._subjects = []
        start = at + 1
        if self._matcher:
            using = self._find(start, frozenset({"using"}), stop=frozenset({"with", ":="}))
            if using >= 0 and not any(words.first[i] for i in range(start, using)):
                # The alternatives are those of what it uses, not of a type.
                self._matcher = "using"
        while start < len(words):
            if words.ident[start] and words.piece[start + 1 : start + 2] == [":"]:
                start += 2
            self._subjects.append(self.reader.subject(start))
            comma = self._find(
                start, frozenset({","}), stop=frozenset({"with", "using", "generalizing", ":="})
            )
            if self._matcher or comma < 0:
                break
            start = comma + 1
        return at + 1

    def _with(self, at: int) -> int:
        words = self.words
        if words.piece[at + 1 : at + 2] == ["|"] or self._tactic not in _WITH_PATTERNS:
            return at + 1
        end = self._names_end(at + 1)
        self._pattern(at + 1, end, self._column(), names_only=True)
        return end

    def _where(self, at: int) -> int:
        """The items of a ``where``: fields of an instance, or functions of the body's own."""
        words = self.words
        fields = []
        for item in self._items(at):
            self._skipped.add(item)
            fields.append(words.piece[item])
            end = self._find(item + 1, frozenset({":=", "|"}), stop=frozenset({"where"}))
            colon = self._colon(item + 1, end) if end > 0 else 0
            if item + 1 < colon:
                self._binders_at[item + 1] = (colon, words.column[item] + 1)
        if at == self.body and fields:
            self.reader.fields(fields, at)
        return at + 1

    def _items(self, where: int) -> list[int]:
        """The names that stand first in the items after a ``where``."""
        words = self.words
        at = where + 1
        if at >= len(words) or not words.ident[at]:
            return []
        column = words.column[at] if words.first[at] else -1
        found = []
        while at < len(words):
            if words.first[at] and words.column[at] < column:
                break
            if (
                words.ident[at]
                and (at == where + 1 or (words.first[at] and words.column[at] == column))
                and words.piece[at] not in WORDS
            ):
                found.append(at)
            at = words.close[at] + 1 if words.close[at] >= 0 else at + 1
        return found

    def _scoped(self, at: int) -> int:
        """``open … in`` and ``set_option … in`` within a term or before a tactic."""
        end = self._find(at + 1, frozenset({"in"}))
        return end + 1 if 0 < end - at < 12 else at + 2

    def _deriving(self, at: int) -> int:
        return len(self.words) if at > self.body else at + 1

    def _alternative(self, at: int) -> int:
        words = self.words
        end = self._find(at + 1, _ARROWS, stop=_NO_PATTERN)
        if end < 0 or (self._openers and words.piece[self._openers[-1]] == "{"):
            return at + 1
        before = words.piece[at - 1] if at else ""
        column = words.column[at] if words.first[at] else self._indent
        fresh = before in ("with", "fun", "λ") or not self._alternatives
        if not fresh:
            if words.first[at]:
                while self._alternatives and self._alternatives[-1].column > column:
                    self._alternatives.pop()
            top = self._alternatives[-1] if self._alternatives else None
            if top is None or top.depth != self.depth or (words.first[at] and top.column < column):
                fresh = True
            else:
                self.local.cut(top.size)
        if fresh:
            self._alternatives.append(self._begun(at, before, column))
        current = self._alternatives[-1]
        if current.tactic:
            expected = current.subjects[0] if current.subjects else ""
            bound = Bound(column + 1, self.depth, True)
            self._patterns.tactic(at + 1, end, bound, expected, kind=current.tactic)
        else:
            self._pattern(at + 1, end, column + 1, expected=current.subjects)
        return end + 1

    def _begun(self, at: int, before: str, column: int) -> Alternatives:
        """The alternatives that the one at a bar is the first of."""
        tactic, subjects = "", []
        if before not in ("fun", "λ", "intro", "rintro"):
            if at == self.body:
                subjects = self.reader.equations()
            else:
                tactic, subjects = self._matcher, self._subjects
        self._matcher, self._subjects = "", []
        return Alternatives(self.depth, column, len(self.local), tactic, subjects)
