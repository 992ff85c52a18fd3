"""A Lean file taken apart: its declarations and what is between them, without proofs."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import msgspec

from pytest_vsb.source import Declaration, Source, Span, scan
from pytest_vsb.source.elide import OMITTED, PROVING, Cut, cuts
from pytest_vsb.source.facts import Facts, facts_of

Role = Literal["definition", "lemma"]


@dataclass(frozen=True)
class Entry:
    """One declaration of a repository, as a prover may see it.

    Attributes:
        module: the module it is in.
        path: of the module's file, relative to the repository's root.
        name: full name; empty if it has none of its own. A private one has its plain name.
        kind: its keyword (``theorem``, ``def``, ``class inductive``, ...).
        role: whether it is a proposition with a proof, or anything else.
        private: whether it is marked so.
        start: where it starts in the file, docstring and attributes included, in code points.
        end: where it ends in the file.
        line: the 1-based line of its keyword.
        text: of a lemma its statement, from the keyword on; of a definition all of it, without
            proofs. Lines end in a line feed.
    """

    module: str
    path: str
    name: str
    kind: str
    role: Role
    private: bool
    start: int
    end: int
    line: int
    text: str


@dataclass(frozen=True)
class Piece:
    """A part of a file without its proofs; the texts of a file's pieces, joined, are that file.

    Attributes:
        text: what a prover may see of it. Lines end in a line feed.
        kind: ``declaration``, ``example``, ``trivia`` for spaces and comments, or the kind of
            command that it is: ``import``, ``namespace``, ``open``, ``variable``, ``end``, ...
        start: where it starts in the file, in code points.
        end: where it ends in the file.
        entry: the index of the declaration that it is, among those of its module.
    """

    text: str
    kind: str
    start: int
    end: int
    entry: int | None


@dataclass(frozen=True)
class Outline:
    """What other files need to know of a file: the names that it declares, in order, and facts."""

    names: list[str]
    facts: Facts


class _Part(NamedTuple):
    """A piece as it is kept."""

    text: str
    kind: str
    start: int
    end: int


class _Kept(NamedTuple):
    """A declaration as it is kept: which part it is, and where in that its own text is."""

    part: int
    name: str
    kind: str
    private: bool
    line: int
    start: int
    end: int


class _File(NamedTuple):
    parts: list[_Part]
    declarations: list[_Kept]


@dataclass(frozen=True)
class Parts:
    """All of one module."""

    entries: tuple[Entry, ...]
    pieces: tuple[Piece, ...]
    size: int
    """About how many bytes of memory it takes."""


class File:
    """A file that has been scanned.

    Args:
        data: its bytes; what is not UTF-8 in them is replaced.
        commands: words that begin commands of the repository's own; see :func:`.source.scan`.
    """

    def __init__(self, data: bytes, commands: Iterable[str] = ()) -> None:
        self._original = data.decode("utf-8", "replace")
        self.source = scan(plain_text(self._original), commands=commands)

    def outline(self) -> Outline:
        """What other files need to know of it."""
        declarations = self.source.declarations
        return Outline(
            [d.full_name for d in declarations if d.kind != "example"], facts_of(self.source)
        )

    def take_apart(self, facts: Facts) -> bytes:
        """What is kept of it, without its proofs; :func:`put_together` reads that.

        Args:
            facts: of the files that it imports.
        """
        source = self.source
        places = _Places(self._original, source.text)
        lines = _Lines(source.text)
        elided = _Elided(source.text, cuts(source, facts))
        parts: list[_Part] = []
        kept: list[_Kept] = []
        for kind, span, declaration in _spans(source):
            shown = elided.next(span)
            if declaration is not None and kind != "example":
                kept.append(_keep(len(parts), declaration, shown, lines))
            start, end = places.original(span.start), places.original(span.end)
            parts.append(_Part(shown, kind, start, end))
        return msgspec.msgpack.encode(_File(parts, kept))


def put_together(kept: bytes, module: str, path: str) -> Parts:
    """A module's declarations and pieces, from what :meth:`File.take_apart` made of its file."""
    file = msgspec.msgpack.decode(kept, type=_File)
    entries: list[Entry] = []
    index: dict[int, int] = {}
    for number, found in enumerate(file.declarations):
        part = file.parts[found.part]
        index[found.part] = number
        entries.append(
            Entry(
                module=module,
                path=path,
                name=found.name,
                kind=found.kind,
                role="lemma" if found.kind in PROVING else "definition",
                private=found.private,
                start=part.start,
                end=part.end,
                line=found.line,
                text=part.text[found.start : found.end],
            )
        )
    pieces = tuple(Piece(*part, index.get(number)) for number, part in enumerate(file.parts))
    size = 2 * len(kept) + 300 * len(entries) + 200 * len(pieces)
    return Parts(tuple(entries), pieces, size)


def joined(kept: bytes) -> str:
    """A file's text without its proofs, from what :meth:`File.take_apart` made."""
    return "".join(part.text for part in msgspec.msgpack.decode(kept, type=_File).parts)


def plain_text(text: str) -> str:
    """A file's text without byte order mark, its lines ended by line feeds."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _spans(source: Source) -> Iterator[tuple[str, Span, Declaration | None]]:
    """Kinds and places of all pieces, which tile the text; none is empty."""
    text = source.text
    for command in source.commands:
        at = command.span.start
        alone = command.declaration is not None
        for declaration in command.members or filter(None, (command.declaration,)):
            span = declaration.span
            if at < span.start:
                between = Span(at, span.start)
                trivia = alone or between.of(text).isspace()
                yield "trivia" if trivia else command.kind, between, None
            yield "example" if declaration.kind == "example" else "declaration", span, declaration
            at = span.end
        if at < command.span.end:
            yield "trivia" if alone else command.kind, Span(at, command.span.end), None


def _keep(part: int, declaration: Declaration, shown: str, lines: _Lines) -> _Kept:
    start, end = 0, len(shown)
    if declaration.kind in PROVING:
        # Nothing before the keyword is ever cut.
        start = declaration.keyword.start - declaration.span.start
        end = len(shown.removesuffix(f" := {OMITTED}"))
    return _Kept(
        part=part,
        name=declaration.full_name,
        kind=declaration.kind,
        private="private" in declaration.modifiers,
        line=lines.of(declaration.keyword.start),
        start=start,
        end=end,
    )


class _Elided:
    """A text with cuts, read from its beginning to its end."""

    def __init__(self, text: str, found: Sequence[Cut]) -> None:
        self._text = text
        self._cuts = found
        self._next = 0
        self._at = 0

    def next(self, span: Span) -> str:
        """What is shown of a span, which begins where the last one asked for ends."""
        text = self._text
        shown: list[str] = []
        while self._next < len(self._cuts) and self._cuts[self._next].span.start < span.end:
            cut = self._cuts[self._next]
            shown += (text[self._at : cut.span.start], cut.new)
            self._at = cut.span.end
            self._next += 1
        shown.append(text[self._at : span.end])
        self._at = max(self._at, span.end)
        return "".join(shown)


class _Lines:
    """Line numbers of a text, without counting from its beginning each time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1

    def of(self, offset: int) -> int:
        """The 1-based line of an offset that is not before the last one asked for."""
        self._line += self._text.count("\n", self._at, offset)
        self._at = offset
        return self._line


class _Places:
    """Offsets in a file's text from those in its plain text."""

    def __init__(self, original: str, text: str) -> None:
        self._shift = int(original.startswith("\ufeff"))
        self._removed: list[int] = []
        if len(original) - self._shift != len(text):
            at = original.find("\r\n")
            while at >= 0:
                self._removed.append(at - self._shift - len(self._removed))
                at = original.find("\r\n", at + 2)

    def original(self, offset: int) -> int:
        return offset + self._shift + bisect.bisect_left(self._removed, offset)
