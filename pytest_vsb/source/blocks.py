"""Where a tactic block, or the value of a binding, ends."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_vsb.source import lexer
from pytest_vsb.source.region import Region

#: Words that begin what belongs to a declaration and no longer to its value, on a line of theirs.
AFTER_VALUE = frozenset(
    {"where", "termination_by", "decreasing_by", "deriving", "partial_fixpoint", "finally"}
)
# Tactics with a comma, or a colon, of their own; any other ends a block inside brackets.
_WITH_COMMA = frozenset(
    "use use! exists existsi match cases induction generalize injection rcases fun_induction "
    "fun_cases obtain rintro".split()
)
_WITH_COLON = frozenset(
    "have let haveI letI suffices obtain generalize fun λ intro cases rcases match induction if "
    "by_cases set case next rintro show calc ∀ ∃ replace".split()
)


def block_end(region: Region, first: int, by: int, hi: int, inside: bool) -> int:
    """The index after the last token of the tactic block that begins at index ``first``.

    A block of several lines goes on while lines are indented as its first tactic is; one that
    begins beside its ``by``, while they are indented deeper than the line it stands in. Closing
    brackets of what is around it end it, and so do ``else`` and ``then`` of what is around it;
    ``inside`` brackets a comma or a colon does, too.
    """
    if first >= hi:
        return hi
    words = region.words
    beside = not region.leads[first]
    limit = _indent(region, by) + 1 if beside else region.column(first)
    branches = 0
    ends = {",", ":"} if inside else set()
    index = first
    while index < hi:
        word = words[index]
        if index > first and region.leads[index] and region.column(index) < limit:
            return index
        if word in ends:
            return index
        if region.kinds[index] == "symbol":
            if word in lexer.CLOSERS and region.mates[index] < first:
                return index
        elif region.is_word(index):
            if word in _WITH_COMMA:
                ends.discard(",")
            if word in _WITH_COLON:
                ends.discard(":")
            if word == "if":
                branches += 1
            elif word == "else":
                branches -= 1
                if branches < 0:
                    return index
            elif word == "then":
                if not branches:
                    return index
            elif word in AFTER_VALUE and region.leads[index]:
                return index
        index = region.after(index)
    return hi


def _indent(region: Region, index: int) -> int:
    """The indentation of the line that a token stands in."""
    start = region.starts[index]
    line = region.text.rfind("\n", 0, start) + 1
    text = region.text[line:start]
    return len(text) - len(text.lstrip())


def value_end(region: Region, lo: int, hi: int, column: int, inside: bool) -> int:
    """The index after the value that begins at ``lo``.

    It goes on while lines are indented deeper than ``column``, up to a semicolon, a closing
    bracket of what is around it or, ``inside`` brackets, a comma.
    """
    words = region.words
    commas, index = 0, lo
    while index < hi:
        word = words[index]
        if region.leads[index] and region.column(index) <= column:
            return index
        if word == ";" or (word in lexer.CLOSERS and region.mates[index] < lo):
            return index
        if word == "," and inside:
            if not commas:
                return index
            commas -= 1
        elif region.claims_comma(index):
            commas += 1
        elif region.kinds[index] == "ident":
            if word == "by" and region.is_word(index):
                index = block_end(region, index + 1, index, hi, inside)
                continue
            if word == "match":
                commas = hi
            elif word == "with":
                commas = 0
            elif word in AFTER_VALUE and region.leads[index]:
                return index
        index = region.after(index)
    return hi


def parts(region: Region, lo: int, hi: int) -> list[tuple[int, int]]:
    """The comma-separated parts of what stands between two brackets."""
    found: list[tuple[int, int]] = []
    while lo < hi:
        end = value_end(region, lo, hi, -1, True)
        # A semicolon separates nothing there.
        while end < hi and region.words[end] != ",":
            end = value_end(region, end + 1, hi, -1, True)
        found.append((lo, end))
        lo = end + 1
    return found


def outside_blocks(region: Region, lo: int, hi: int) -> Iterator[int]:
    """The tokens from ``lo`` to ``hi`` outside of brackets and tactic blocks."""
    while lo < hi:
        yield lo
        if region.words[lo] == "by" and region.is_word(lo):
            lo = block_end(region, lo + 1, lo, hi, False)
        else:
            lo = region.after(lo)


def items(region: Region, lo: int, hi: int, column: int) -> list[tuple[int, int]]:
    """What begins at ``lo`` and on each line that is indented as far as ``column``."""
    starts = [
        index
        for index in outside_blocks(region, lo, hi)
        if index == lo or (region.leads[index] and region.column(index) == column)
    ]
    return list(zip(starts, [*starts[1:], hi], strict=True)) if starts else []
