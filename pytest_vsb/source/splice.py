"""A candidate spliced into the file its target comes from.

What precedes the target stays byte for byte, auxiliary declarations go before it (before its whole
``mutual`` block if it is in one), its statement stays byte for byte, the proof replaces its body,
and what follows is cut, except the rest of its mutual block.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from pytest_vsb.source import lexer
from pytest_vsb.source.model import Declaration, Source, Span


@dataclass(frozen=True)
class Region:
    """A part of a submission: ``context``, ``auxiliary``, ``statement``, ``proof`` or ``mutual``.

    ``statement`` is the target from its docstring or attributes to its separator, ``mutual`` what
    else stands in its mutual block.
    """

    kind: str
    span: Span


@dataclass(frozen=True)
class Submission:
    """The text to be judged, and what its parts are. The regions tile the text."""

    text: str
    regions: tuple[Region, ...]
    target: str

    @property
    def digest(self) -> str:
        """SHA-256 of the text, in hex."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()

    def region(self, kind: str) -> Span | None:
        """The first region of that kind."""
        return next((r.span for r in self.regions if r.kind == kind), None)

    @cached_property
    def _line_starts(self) -> list[int]:
        lengths = map((1).__add__, map(len, self.text.split("\n")))
        return list(accumulate(lengths, initial=0))[:-1]

    def offset_at(self, line: int, column: int) -> int:
        """The offset of a position as Lean reports it: 1-based line, 0-based column in code points.

        A position outside the text gives the nearest one inside.
        """
        starts = self._line_starts
        if line < 1:
            return 0
        if line > len(starts):
            return len(self.text)
        end = starts[line] - 1 if line < len(starts) else len(self.text)
        return min(starts[line - 1] + max(0, column), end)

    def region_at(self, line: int, column: int) -> str:
        """The kind of the region at a position as Lean reports it (see `offset_at`)."""
        return self._region(self.offset_at(line, column)).kind

    def local_at(self, line: int, column: int) -> tuple[int, int]:
        """A position as Lean reports it, counted from the start of its region, or from the first
        character there that is no line end: a 1-based line, a 0-based column."""
        offset = self.offset_at(line, column)
        start = self._region(offset).span.start
        while start < offset and self.text[start] in "\r\n":
            start += 1
        before = self.text[start:offset]
        return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1)

    def _region(self, offset: int) -> Region:
        starts = [r.span.start for r in self.regions]
        return self.regions[max(0, bisect_right(starts, offset) - 1)]


def splice(source: Source, target: Declaration, *, auxiliary: str, proof: str) -> Submission:
    """Puts a candidate in the place of the target's proof.

    Args:
        source: the scanned file.
        target: one of its declarations.
        auxiliary: declarations to go before it; may be empty.
        proof: a body with or without its ``:=`` (see `normalise_proof`).
    """
    text, newline = source.text, source.newline
    block = target.mutual or target.span
    # On a line of its own the target keeps its indentation, and the auxiliary text gets column 0.
    place = text.rfind("\n", 0, block.start) + 1
    if text[place : block.start].strip():
        place = block.start
    extra = _trimmed(auxiliary)
    if extra:
        extra = _with_newline(extra, newline) + newline * 2
        if place == block.start and place > 0 and text[place - 1] != "\n":
            extra = newline + extra
    body = target.body.of(text) if target.body else None
    gap = text[target.statement.end : target.body.start] if target.body else " "
    if proof.rstrip() == body:
        new = body
    else:
        new = _with_newline(normalise_proof(proof), newline)
        if new.startswith("|"):
            gap = newline + " " * _alternative_column(new)
    rest = text[target.span.end : block.end]
    if not rest.startswith(("\n", "\r\n")):
        rest = newline + rest
    if not rest.endswith("\n"):
        rest += newline
    pieces = [
        ("context", text[:place]),
        ("auxiliary", extra),
        ("mutual", text[place : target.span.start] if target.mutual else ""),
        (
            "statement",
            text[target.span.start if target.mutual else place : target.statement.end] + gap,
        ),
        ("proof", new if target.mutual else new + rest),
        ("mutual", rest if target.mutual else ""),
    ]
    regions: list[Region] = []
    pos = 0
    for kind, piece in pieces:
        if piece:
            regions.append(Region(kind, Span(pos, pos + len(piece))))
        pos += len(piece)
    return Submission("".join(piece for _, piece in pieces), tuple(regions), target.full_name)


def stub(source: Source, target: Declaration) -> Submission:
    """The target with ``sorry`` for its proof and nothing added: the baseline of a candidate."""
    return splice(source, target, auxiliary="", proof=":= sorry")


def normalise_proof(proof: str) -> str:
    """A proof as the body of a declaration: from its separator on, ``\\n`` for line ends.

    A text that begins with ``:=``, ``|`` or ``where`` is a body already; before any other goes
    ``:=``. Where a line after the first stands at column 0, and so could be taken for a new
    command, all lines after the first move right by the same amount, but for those inside a string.
    """
    text = _trimmed(proof).lstrip()
    if not _is_body(text):
        text = f":= {text}" if text else ":="
    inside = lines_in_strings(text)
    lines = text.split("\n")
    movable = [
        (number, line)
        for number, line in enumerate(lines)
        if number and number not in inside and line.strip()
    ]
    if any(not line[0].isspace() for _, line in movable):
        for number, line in movable:
            lines[number] = f"  {line}"
    return "\n".join(lines)


def _is_body(text: str) -> bool:
    for group, start, _, _ in lexer.lex(text):
        if group not in ("space", "line", "block"):
            text = text[start:]
            break
    if text.startswith(":=") or re.match(r"where(?![\w'!?.])", text):
        return True
    return text.startswith("|") and not text.startswith("||") and "=>" in text


def lines_in_strings(text: str) -> set[int]:
    """The numbers of the lines that begin inside a string."""
    numbers: set[int] = set()
    line = 0
    for group, start, end, _ in lexer.lex(text):
        count = text.count("\n", start, end)
        if count and group in ("string", "raw", "interpolated"):
            numbers.update(range(line + 1, line + count + 1))
        line += count
    return numbers


def _alternative_column(body: str) -> int:
    """Where the first alternative goes: Lean wants the others no further left than it."""
    indents = [
        len(line) - len(line.lstrip(" "))
        for line in body.split("\n")[1:]
        if line.lstrip(" ").startswith("|")
    ]
    return min(indents, default=2)


def _trimmed(text: str) -> str:
    """Without blank lines around it and spaces after it; line ends as ``\\n``."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    blank = re.match(r"(?:[^\S\n]*\n)+", text)
    return text[blank.end() :] if blank else text


def _with_newline(text: str, newline: str) -> str:
    return text if newline == "\n" else text.replace("\n", newline)
