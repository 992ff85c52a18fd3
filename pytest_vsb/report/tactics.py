"""The tactics of a proof, in order, told from its tokens and its layout alone.

Where a tactic begins is what Lean's layout says: after ``by``, at the column of its block, after a
focus dot, ``;`` or ``<;>``, after a combinator such as ``all_goals``, and behind the ``=>`` of an
alternative of ``cases``, ``induction`` or a ``match`` that is a tactic itself. Needs no Lean, works
on any text, and is linear in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pytest_vsb.source.lexer import CLOSERS, OPENERS, lex

COMBINATORS = frozenset(
    "all_goals any_goals try repeat repeat' repeat1 iterate focus first fail_if_success solve "
    "on_goal pick_goal swap rotate_left rotate_right case case' next conv conv_lhs conv_rhs "
    "classical set_option open unhygienic with_reducible with_unfolding_all done skip "
    "stop work_on_goal on_goals any_goals' sleep_heartbeats with_annotate_state "
    "with_reducible_and_instances map_tacs".split()
)
"""Tactics that only arrange others: they are no tactic use of their own."""

_ALTERNATIVES = frozenset("cases induction match fun_induction fun_cases nomatch".split())
_ARROW = frozenset("case case' next conv on_goal pick_goal work_on_goal".split())
_RUNS_NEXT = frozenset(
    "all_goals any_goals try repeat repeat' repeat1 focus fail_if_success unhygienic "
    "with_reducible with_unfolding_all".split()
)
_DEEPEST = 100  # blocks in each other: keeps hostile text linear
_CHOICES = frozenset(["first", "solve"])
_PATTERNED = frozenset("rcases obtain rintro intro cases'".split())
_BULLETS = frozenset("\u00b7.")


_TELLING = frozenset([*OPENERS, *CLOSERS, *"by | ; <;> => then else in".split()])
_STRINGS = frozenset(["string", "raw", "interpolated"])


@dataclass
class _Block:
    """A sequence of tactics: the column where they begin, and the brackets around it.

    ``head`` is the tactic that is being read; ``arrow`` whether tactics follow its next ``=>``;
    ``bar`` the column of the ``|`` of its first alternative that begins a line.
    """

    column: int
    depth: int
    head: str = ""
    arrow: bool = False
    bar: int | None = None


@dataclass
class _Reader:
    blocks: list[_Block] = field(default_factory=list)
    depth: int = 0
    starts: bool = False
    """Whether the next token begins a block of tactics."""

    def read(self, text: str) -> Iterator[str]:
        line, first = 0, True
        for group, start, end, _ in lex(text):
            if group not in ("space", "line", "block"):
                piece = text[start:end]
                # Most tokens are in the middle of a term and say nothing.
                if first or self.starts or piece in _TELLING:
                    yield from self._token(group, piece, start - line, first)
                first = False
                if group not in _STRINGS:
                    continue
            newline = text.rfind("\n", start, end)
            if newline >= 0:
                line, first = newline + 1, first or group not in _STRINGS

    def _token(self, group: str, text: str, column: int, first: bool) -> Iterator[str]:
        if self.starts and text not in CLOSERS and len(self.blocks) < _DEEPEST:
            self.blocks.append(_Block(column, self.depth))
            yield from self._head(group, text)
            return
        self.starts = False
        if text == "|":
            self._bar(column if first else None)
        elif first and self._begins(text, column):
            yield from self._head(group, text)
        elif text in OPENERS:
            self.depth += 1
        elif text in CLOSERS:
            self._close()
        elif text == "by":
            self.starts = True
        else:
            self._inside(text)

    def _begins(self, text: str, column: int) -> bool:
        """Whether the first token of a line begins a tactic; leaves the blocks that end here."""
        while (block := self._block()) is not None:
            if block.column < column:
                return False
            if block.column == column:
                return text not in ("<;>", "=>", "then", "else", "with")
            self.blocks.pop()
        return False

    def _inside(self, text: str) -> None:
        """A token that is no beginning of a tactic by its place, nor a bracket."""
        block = self._block()
        if block is None:
            return
        if text in (";", "<;>"):
            self.starts = True
        elif text in ("=>", "then"):
            self.starts, block.arrow = block.arrow and (text == "=>" or block.head == "if"), False
        elif text == "else":
            self._leave_for(lambda other: other.head == "if")
            self.starts = block.head == "if" or self.blocks[-1].head == "if"
        elif text == "in":
            self.starts = block.head in ("set_option", "open")

    def _bar(self, column: int | None) -> None:
        """A ``|``, with its column where it begins a line."""
        here = [block for block in self.blocks if block.depth == self.depth]
        if not here or (column is None and here[-1].head in _PATTERNED):
            return
        takers = [block for block in here if block.head in _ALTERNATIVES | _CHOICES]
        if column is not None:
            # The alternatives of one tactic stand below each other; others are of a `match` term.
            takers = [block for block in takers if block.bar == column] or [
                block for block in takers[-1:] if block.bar is None
            ]
        if not takers:
            return
        taker = takers[-1]
        self._leave_for(lambda other: other is taker)
        if column is not None:
            taker.bar = column
        if taker.head in _CHOICES:
            self.starts = True
        else:
            taker.arrow = True

    def _leave_for(self, wanted: Callable[[_Block], bool]) -> None:
        """Leave the blocks within the nearest one that is wanted, in the same brackets."""
        for back, block in enumerate(reversed(self.blocks)):
            if block.depth != self.depth:
                return
            if wanted(block):
                del self.blocks[len(self.blocks) - back :]
                return

    def _head(self, group: str, text: str) -> Iterator[str]:
        """A token where a tactic begins."""
        block = self.blocks[-1]
        block.head, block.bar = text, None
        block.arrow = text in _ARROW or text == "if"
        self.starts = text in _BULLETS or text in _RUNS_NEXT or text in ("(", "{", "[", "by")
        if text in OPENERS:
            self.depth += 1
        elif text in CLOSERS:
            self._close()
        if text in _BULLETS:
            yield "\u00b7"
        elif group == "ident" and text not in ("by", "_"):  # `_` begins a step of `calc`
            yield text

    def _block(self) -> _Block | None:
        if self.blocks and self.blocks[-1].depth == self.depth:
            return self.blocks[-1]
        return None

    def _close(self) -> None:
        self.depth = max(0, self.depth - 1)
        while self.blocks and self.blocks[-1].depth > self.depth:
            self.blocks.pop()


def tactics(proof: str) -> tuple[str, ...]:
    """The tactics of a proof in the order of its text: their names as written, such as ``rw``,
    ``simp`` or ``have``; a middle dot for a focus dot. None for a proof that is a term.

    Args:
        proof: from ``:=`` or ``by`` on, as in a candidate.
    """
    return tuple(_Reader().read(proof))
