"""A file as a sequence of units: what a declaration diff compares and moves.

A unit is a declaration, or a command that adds something (``attribute``, ``notation``, …). Those
that only set the scene (``namespace``, ``open``, ``variable``, …) become what is in force at a
unit; those that only show something are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pytest_vsb.source import grammar, header, lexer
from pytest_vsb.source.model import Command, Declaration, Source, Span, plain_name

_SCOPE = frozenset({"open", "variable", "universe", "set_option", "include", "omit"})
_LEFT_OUT = frozenset({"hash", "moduledoc", "trivia", "import", "prelude", "module"})


@dataclass(frozen=True)
class ScopeCommand:
    """A command in force to the end of its namespace or section; ``key`` is its tokens."""

    text: str
    key: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Unit:
    """A part of a file that can be new, changed or missing.

    Attributes:
        text: the whole file's.
        span: its own part of it.
        declaration: if it is one.
        block: the mutual block it is a member of, if any.
        namespace: where it stands, empty at the root.
        scope: the scope commands in force there, outermost first.
        noncomputable: whether a ``noncomputable section`` is open there.
    """

    text: str
    span: Span
    declaration: Declaration | None
    block: Span | None
    namespace: str
    scope: tuple[ScopeCommand, ...]
    noncomputable: bool

    @property
    def start(self) -> int:
        return self.span.start

    @property
    def name(self) -> str:
        """The full name of what it declares, empty for what has none."""
        return self.declaration.full_name if self.declaration else ""

    @cached_property
    def source(self) -> str:
        """Its text, without spaces and comments around it."""
        return self.span.of(self.text)

    @cached_property
    def key(self) -> tuple[str, ...]:
        """What tells whether two units are the same: where they stand and their tokens."""
        return (self.namespace, *significant(self.source))

    @cached_property
    def words(self) -> frozenset[str]:
        """The parts of all names in its text."""
        return frozenset(words(self.source))


def units(source: Source) -> list[Unit]:
    """The units of a file, in order."""
    return list(_Walk(source).run())


def significant(text: str) -> tuple[str, ...]:
    """The tokens of a text, without spaces, comments and documentation."""
    return tuple(
        text[start:end]
        for group, start, end, _ in lexer.lex(text)
        if group not in ("space", "line", "block")
    )


def words(text: str) -> set[str]:
    """The parts of all names in a text."""
    found: set[str] = set()
    for group, start, end, _ in lexer.lex(text):
        if group == "ident":
            found.update(parts(text[start:end].lstrip("`")))
        elif group == "interpolated":
            found.update(words(text[start:end].partition('"')[2]))
    return found


def parts(name: str) -> list[str]:
    """The components of a name as written; a dot inside ``«»`` does not split."""
    found: list[str] = []
    for piece in plain_name(name).split("."):
        if found and found[-1].count("\u00ab") > found[-1].count("\u00bb"):
            found[-1] += f".{piece}"
        else:
            found.append(piece)
    return [part for part in found if part]


def ancestors(namespace: str) -> list[str]:
    """``A``, ``A.B`` and ``A.B.C`` for ``A.B.C``."""
    pieces = parts(namespace)
    return [".".join(pieces[: count + 1]) for count in range(len(pieces))]


def prefixes(text: str, declaration: Declaration) -> list[str]:
    """The commands joined to a declaration by ``in``, as written, such as ``open Nat``."""
    found: list[str] = []
    start, depth = -1, 0
    for group, begin, end, _ in lexer.lex(text, declaration.span.start, declaration.keyword.start):
        piece = text[begin:end]
        if group == "symbol":
            depth += (piece[-1] in lexer.OPENERS) - (piece in lexer.CLOSERS)
        elif group == "ident" and depth <= 0:
            if start < 0 and piece in grammar.IN_COMMANDS:
                start = begin
            elif start >= 0 and piece == "in":
                found.append(text[start:begin].rstrip())
                start = -1
    return found


def renamed(unit: Unit, namespace: str) -> str:
    """A declaration's text with its name made absolute, as of that namespace.

    ``_root_`` for the namespace stands for the root.
    """
    declaration, text = unit.declaration, unit.text
    if declaration is None or not declaration.name or declaration.name.startswith("_root_."):
        return unit.source
    full = "_root_." if namespace == "_root_" else f"_root_.{namespace}."
    for group, start, end, _ in lexer.lex(text, declaration.keyword.end, declaration.statement.end):
        if group == "ident" and text[start:end] == declaration.name:
            return text[unit.span.start : start] + full + text[start : unit.span.end]
    return unit.source


@dataclass
class _Frame:
    """An open namespace component or section."""

    namespace: str
    noncomputable: bool
    scope: list[ScopeCommand]


class _Walk:
    def __init__(self, source: Source) -> None:
        self.text = source.text
        self.commands = source.commands
        self.frames = [_Frame("", False, [])]
        self._scope: tuple[ScopeCommand, ...] | None = ()

    def run(self) -> Iterator[Unit]:
        for command in self.commands:
            kind = command.kind
            if kind in ("namespace", "section", "end"):
                self._move(command)
            elif kind == "mutual":
                for member in command.members:
                    yield self._unit(member.span, member, member.mutual)
            elif command.declaration is not None:
                yield self._unit(command.declaration.span, command.declaration, None)
            elif kind in _LEFT_OUT:
                continue
            else:
                span = self._trimmed(command.span)
                if self._is_scope(command, span):
                    self._add(span.of(self.text))
                elif span:
                    yield self._unit(span, None, None)

    def _unit(self, span: Span, declaration: Declaration | None, block: Span | None) -> Unit:
        if self._scope is None:
            self._scope = tuple(command for frame in self.frames for command in frame.scope)
        return Unit(
            text=self.text,
            span=span,
            declaration=declaration,
            block=block,
            namespace=".".join(frame.namespace for frame in self.frames if frame.namespace),
            scope=self._scope,
            noncomputable=any(frame.noncomputable for frame in self.frames),
        )

    def _add(self, text: str) -> None:
        self.frames[-1].scope.append(ScopeCommand(text, significant(text)))
        self._scope = None

    def _move(self, command: Command) -> None:
        self._scope = None
        name = self._name(command)
        pieces = parts(name) or [""]
        if command.kind == "end":
            del self.frames[max(1, len(self.frames) - len(pieces)) :]
            return
        noncomputable = "noncomputable" in command.modifiers
        for piece in pieces:
            inside = piece if command.kind == "namespace" else ""
            self.frames.append(_Frame(inside, noncomputable, []))

    def _name(self, command: Command) -> str:
        for group, start, end, _ in lexer.lex(self.text, command.span.start, command.span.end):
            if group == "ident" and self.text[start:end] == command.keyword:
                return header.declared_name(self.text, command.keyword, end, command.span.end)[0]
        return ""

    def _is_scope(self, command: Command, span: Span) -> bool:
        if command.prefixes:
            return False
        if command.kind in _SCOPE or "local" in command.modifiers:
            return True
        tokens = significant(span.of(self.text)) if command.kind == "attribute" else ()
        return tokens[1:2] == ("[",) and "local" in tokens[2:4]

    def _trimmed(self, span: Span) -> Span:
        """A command's span without the spaces and comments around it."""
        start, stop = -1, span.end
        for group, begin, end, _ in lexer.lex(self.text, span.start, span.end):
            if group not in ("space", "line") and not (
                group == "block" and not lexer.is_doc(self.text, begin)
            ):
                start = begin if start < 0 else start
                stop = end
        return Span(start, stop) if start >= 0 else Span(span.start, span.start)
