"""Where the commands of a file stand: namespaces, opened namespaces, variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pytest_vsb.repository.stream import Stream
from pytest_vsb.source.model import Command, Declaration, Source, plain_name


@dataclass(frozen=True)
class Open:
    """One namespace that an ``open`` makes visible.

    Attributes:
        prefixes: the full names that the namespace may have, by where the ``open`` stands.
        only: the names it opens, where it says which; None for all.
        hidden: names it leaves out.
        renamed: names it gives another name, as (old, new).
        scoped: whether it is an ``open scoped``, which opens notations, not names.
    """

    prefixes: tuple[str, ...]
    only: tuple[str, ...] | None = None
    hidden: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    scoped: bool = False


@dataclass(frozen=True)
class Scope:
    """What decides how a name is read at some place."""

    namespace: str = ""
    opens: tuple[Open, ...] = ()

    def prefixes(self) -> Iterator[str]:
        """The namespace and those around it, innermost first; not the root."""
        name = self.namespace
        while name:
            yield name
            name = parent(name)


@dataclass(frozen=True)
class Variables:
    """One binder group of a ``variable`` command, by its offsets in the file, brackets included."""

    start: int
    end: int


@dataclass(frozen=True)
class Place:
    """A command, its scope, and the variables that are declared before it and still count."""

    command: Command
    scope: Scope
    variables: tuple[Variables, ...]
    included: frozenset[str]


def inside(scope: Scope, declaration: Declaration) -> Scope:
    """The scope of what a declaration says: ``def A.f`` is read as if in ``namespace A``."""
    name = declaration.full_name
    if "." not in declaration.name or declaration.name.startswith("_root_."):
        return scope
    return Scope(parent(name), scope.opens)


def parent(name: str) -> str:
    """A name without its last component; a dot within ``«»`` does not separate."""
    return ".".join(components(name)[:-1])


def components(name: str) -> list[str]:
    """The components of a name; a dot within ``«»`` does not separate."""
    if "\u00ab" not in name:
        return name.split(".")
    parts: list[str] = []
    for piece in name.split("."):
        if parts and parts[-1].count("\u00ab") > parts[-1].count("\u00bb"):
            parts[-1] += f".{piece}"
        else:
            parts.append(piece)
    return parts


@dataclass
class _Frame:
    kind: str
    name: str
    opens: int
    variables: int
    included: frozenset[str] = field(default_factory=frozenset)


def places(source: Source) -> Iterator[Place]:
    """All commands of a file in order, each with its scope."""
    walk = _Walk(source)
    for command in source.commands:
        yield from walk.step(command)


class _Walk:
    def __init__(self, source: Source) -> None:
        self.text = source.text
        self.frames: list[_Frame] = []
        self.opens: list[Open] = []
        self.variables: list[Variables] = []
        self.included: frozenset[str] = frozenset()
        self.scope = Scope()

    def step(self, command: Command) -> Iterator[Place]:
        kind = command.kind
        if kind in ("namespace", "section", "end", "open", "variable", "include", "omit"):
            self._enter(command)
        scope, opens, included = self.scope, len(self.opens), self.included
        for prefix in command.prefixes:
            self._prefix(prefix)
        if len(self.opens) > opens:
            scope = self._scope()
        yield Place(command, scope, tuple(self.variables), self.included)
        del self.opens[opens:]
        self.included = included

    def _scope(self) -> Scope:
        namespace = ".".join(f.name for f in self.frames if f.kind == "namespace" and f.name)
        return Scope(namespace, tuple(self.opens))

    def _prefix(self, text: str) -> None:
        words = Stream(text, 0, len(text))
        keyword = words.piece[0] if len(words) else ""
        if keyword == "open":
            self.opens += read_open(words, 1, self._scope())
        elif keyword in ("include", "omit"):
            self._include(keyword, words, 0)

    def _include(self, keyword: str, words: Stream, at: int) -> None:
        names = {words.piece[i] for i in range(at + 1, len(words)) if words.ident[i]}
        self.included = self.included | names if keyword == "include" else self.included - names

    def _enter(self, command: Command) -> None:
        words = Stream(self.text, command.span.start, command.span.end)
        at = 0
        while at < len(words) and words.piece[at] != command.keyword:
            at += 1
        kind = command.kind
        if kind == "open":
            self.opens += read_open(words, at + 1, self.scope)
        elif kind == "variable":
            self.variables += _groups(words, at + 1)
        elif kind in ("include", "omit"):
            self._include(kind, words, at)
        else:
            name = words.piece[at + 1] if at + 1 < len(words) and words.ident[at + 1] else ""
            parts = components(plain_name(name)) if name else [""]
            if kind == "end":
                for _ in parts[: len(self.frames)]:
                    frame = self.frames.pop()
                    del self.opens[frame.opens :]
                    del self.variables[frame.variables :]
                    self.included = frame.included
            else:
                for part in parts:
                    self.frames.append(
                        _Frame(kind, part, len(self.opens), len(self.variables), self.included)
                    )
        self.scope = self._scope()


def read_open(words: Stream, at: int, scope: Scope) -> list[Open]:
    """What the words after an ``open`` open, up to ``in`` or their end."""
    found: list[Open] = []
    scoped = at < len(words) and words.piece[at] == "scoped"
    if scoped:
        at += 1
    here = scope
    while at < len(words) and words.ident[at] and words.piece[at] != "in":
        if words.first[at] and words.column[at] == 0 and at and words.start[at - 1] >= 0 and found:
            break
        name = plain_name(words.piece[at])
        at += 1
        only: tuple[str, ...] | None = None
        hidden: list[str] = []
        renamed: list[tuple[str, str]] = []
        if at < len(words) and words.piece[at] == "(":
            end = min(words.close[at], len(words))
            only = tuple(words.piece[i] for i in range(at + 1, end) if words.ident[i])
            at = end + 1
        elif at < len(words) and words.piece[at] == "hiding":
            at += 1
            while at < len(words) and words.ident[at] and words.piece[at] != "in":
                hidden.append(words.piece[at])
                at += 1
        elif at < len(words) and words.piece[at] == "renaming":
            at += 1
            while (
                at + 2 < len(words) and words.ident[at] and words.piece[at + 1] in ("\u2192", "->")
            ):
                renamed.append((words.piece[at], words.piece[at + 2]))
                at += 3
                if at < len(words) and words.piece[at] == ",":
                    at += 1
        opened = Open(tuple(namespaces(name, here)), only, tuple(hidden), tuple(renamed), scoped)
        found.append(opened)
        if not scoped:
            here = Scope(here.namespace, (*here.opens, opened))
    return found


def namespaces(name: str, scope: Scope) -> list[str]:
    """The full names that a namespace named in some scope may have, likeliest first."""
    if name.startswith("_root_."):
        return [name.removeprefix("_root_.")]
    found = [f"{prefix}.{name}" for prefix in scope.prefixes()]
    for opened in reversed(scope.opens):
        if opened.only is None and not opened.scoped:
            found += [f"{prefix}.{name}" for prefix in opened.prefixes]
    found.append(name)
    return list(dict.fromkeys(found))[:64]


def _groups(words: Stream, at: int) -> list[Variables]:
    found = []
    while at < len(words):
        if words.close[at] >= 0:
            end = min(words.close[at], len(words) - 1)
            found.append(Variables(words.start[at], words.end[end]))
            at = end
        at += 1
    return found
