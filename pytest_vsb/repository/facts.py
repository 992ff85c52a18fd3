"""What one file declares, as far as reading names of it elsewhere needs to know.

It depends on nothing but the file's text, so it is kept on disk by the file's digest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pytest_vsb.repository.scopes import Place, Scope, components, inside, namespaces, places
from pytest_vsb.repository.shapes import (
    binder_end,
    binder_types,
    constructor_spans,
    field_starts,
    head_of,
    name_end,
    telescope,
)
from pytest_vsb.repository.stream import Stream
from pytest_vsb.repository.symbols import COMMON, Notation, notations
from pytest_vsb.source.elide import PROVING
from pytest_vsb.source.grammar import KEYWORDS
from pytest_vsb.source.model import Command, Declaration, Source, plain_name

STRUCTURES = frozenset({"structure", "class"})
INDUCTIVES = frozenset({"inductive", "coinductive", "class inductive"})
TYPES = STRUCTURES | INDUCTIVES
_LONGEST = 300
_MOST_MENTIONS = 60


@dataclass(frozen=True)
class Known:
    """One name that a file declares.

    Attributes:
        name: its full name.
        kind: the keyword of its declaration; ``constructor``, ``field`` or ``derived`` for names
            that come with a declaration; ``alias`` for another name of something; ``attribute`` for
            a set of simplification lemmas.
        entry: the position of the declaration it belongs to among the file's declarations without
            examples; -1 for an alias.
        start: where that declaration starts.
        end: where what it may name ends: after its ``mutual`` block, else right after its start.
        private: whether it is known in its file only.
        protected: whether its last component alone does not name it.
        head: what the type of what it yields begins with, as written: ``List`` for
            ``(n : Nat) → List Nat``; empty if that is no name.
        result: the type of what it yields, as written, where it has no head.
        arguments: the types of its explicit arguments, as written.
        implicit: of a constructor the types of all its arguments, as written.
        mentions: the names and symbols of its statement, and of a definition's body, as written.
        equations: how many of these stand before the colon; the others are what equations match.
        proves: whether it is a type of proofs: an inductive proposition.
        body: for an abbreviation or definition, what its body begins with.
        parents: the structures that a structure extends, as written.
        scope: the index of its scope in the file.
        targets: for an alias the full names that it may stand for, likeliest first.
    """

    name: str
    kind: str
    entry: int
    start: int
    end: int
    private: bool = False
    protected: bool = False
    head: str = ""
    result: str = ""
    arguments: tuple[str, ...] = ()
    implicit: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    equations: int = 0
    proves: bool = False
    body: str = ""
    parents: tuple[str, ...] = ()
    scope: int = 0
    targets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Symbol:
    """A notation, with the index of its scope in the file."""

    notation: Notation
    scope: int


@dataclass(frozen=True)
class Facts:
    """All that a file declares."""

    known: tuple[Known, ...]
    symbols: tuple[Symbol, ...]
    scopes: tuple[Scope, ...]
    roles: tuple[str, ...]
    """The role of each declaration, in the order of the file, without examples."""
    names: tuple[str, ...]
    """Their full names."""


def facts_of(source: Source) -> Facts:
    """What a scanned file declares."""
    return _Reader(source).run()


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.known: list[Known] = []
        self.symbols: list[Symbol] = []
        self.scopes: dict[Scope, int] = {Scope(): 0}
        self.roles: list[str] = []
        self.names: list[str] = []

    def run(self) -> Facts:
        for place in places(self.source):
            scope = self.scopes.setdefault(place.scope, len(self.scopes))
            self._command(place, scope)
        return Facts(
            tuple(self.known),
            tuple(self.symbols),
            tuple(self.scopes),
            tuple(self.roles),
            tuple(self.names),
        )

    def _command(self, place: Place, scope: int) -> None:
        command = place.command
        for declaration in members(command):
            if declaration.kind != "example":
                own = inside(place.scope, declaration)
                number = self.scopes.setdefault(own, len(self.scopes))
                self._declaration(declaration, number, place.scope)
        for notation in notations(self.text, command):
            self.symbols.append(Symbol(notation, scope))
        if command.kind == "alias":
            self._alias(command, scope, place.scope)
        elif command.kind == "export":
            self._export(command, scope, place.scope)
        elif command.kind in ("register_simp_attr", "register_label_attr"):
            self._attribute(command, scope)

    def _words(self, command: Command) -> tuple[Stream, int]:
        words = Stream(self.text, command.span.start, command.span.end)
        at = next((i for i in range(len(words)) if words.piece[i] == command.keyword), len(words))
        return words, at + 1

    def _alias(self, command: Command, scope: int, around: Scope) -> None:
        # `alias new := old`, `alias ⟨a, b⟩ := old`; formerly `alias old ← new`.
        words, at = self._words(command)
        middle = next((i for i in range(at, len(words)) if words.piece[i] in (":=", "\u2190")), -1)
        if middle < 0:
            return
        left = [words.piece[i] for i in range(at, middle) if words.ident[i]]
        right = [words.piece[i] for i in range(middle + 1, len(words)) if words.ident[i]]
        new, old = (left, right) if words.piece[middle] == ":=" else (right, left)
        if not old:
            return
        targets = tuple(namespaces(plain_name(old[0]), around))
        for name in new:
            if name != "_":
                self.known.append(
                    Known(
                        _full(name, around.namespace),
                        "alias",
                        -1,
                        command.span.start,
                        command.span.start + 1,
                        private="private" in command.modifiers,
                        protected="protected" in command.modifiers,
                        scope=scope,
                        targets=targets,
                    )
                )

    def _attribute(self, command: Command, scope: int) -> None:
        """The name of a set of simplification lemmas, which no lemma has then."""
        words, at = self._words(command)
        if at < len(words) and words.ident[at]:
            start = command.span.start
            name = plain_name(words.piece[at])
            self.known.append(Known(name, "attribute", -1, start, start + 1, scope=scope))

    def _export(self, command: Command, scope: int, around: Scope) -> None:
        words, at = self._words(command)
        while at < len(words) and words.ident[at]:
            name = plain_name(words.piece[at])
            opening = at + 1
            if opening >= len(words) or words.piece[opening] != "(":
                return
            end = min(words.close[opening], len(words))
            for index in range(opening + 1, end):
                if words.ident[index]:
                    short = words.piece[index]
                    self.known.append(
                        Known(
                            _full(short, around.namespace),
                            "alias",
                            -1,
                            command.span.start,
                            command.span.start + 1,
                            scope=scope,
                            targets=tuple(f"{n}.{short}" for n in namespaces(name, around)),
                        )
                    )
            at = end + 1

    def _declaration(self, declaration: Declaration, scope: int, around: Scope) -> None:
        entry = len(self.roles)
        self.roles.append("lemma" if declaration.kind in PROVING else "definition")
        self.names.append(declaration.full_name)
        words = Stream(self.text, declaration.statement.start, declaration.span.end)
        body = words.at(declaration.body.start) if declaration.body is not None else len(words)
        first = name_end(words, declaration)
        extends = next((i for i in range(first, body) if words.piece[i] == "extends"), body)
        colon = binder_end(words, first, extends)
        name, start = declaration.full_name, declaration.span.start
        private = "private" in declaration.modifiers
        before = binder_types(words, first, colon)
        after, result = telescope(words, colon + 1, extends)
        head = head_of(words, *result)
        is_type = declaration.kind in TYPES
        mutual = declaration.mutual
        end = mutual.end if mutual is not None else start + 1
        base = Known(name, declaration.kind, entry, start, end, private, scope=scope)
        known = replace(
            base,
            protected="protected" in declaration.modifiers,
            head="" if is_type else head,
            result="" if is_type or head else _written(words, result),
            arguments=tuple(_written(words, range_) for range_ in (*before, *after)),
            equations=len(before),
            proves=is_type and head == "Prop",
            mentions=_mentions(words, first, body if self.roles[-1] == "lemma" else len(words)),
        )
        if declaration.kind in STRUCTURES:
            known = replace(known, parents=tuple(_parents(words, body)))
        elif declaration.kind in ("abbrev", "def", "irreducible_def"):
            stop = _first_end(words, body + 1)
            if not telescope(words, body + 1, stop)[0]:
                known = replace(known, body=head_of(words, body + 1, stop))
        if name:
            self.known.append(known)
        if is_type and name:
            found = _constructors if declaration.kind in INDUCTIVES else _fields
            inherited = known.parents
            for child, kind, yields, explicit, every in found(words, body, name):
                handed_down = inherited if kind == "constructor" else ()
                self.known.append(
                    replace(
                        base,
                        name=f"{name}.{child}",
                        kind=kind,
                        head=yields,
                        arguments=(*handed_down, *(_written(words, tokens) for tokens in explicit)),
                        implicit=(*handed_down, *(_written(words, tokens) for tokens in every)),
                    )
                )
            for parent in inherited:
                last = components(parent)[-1]
                child = f"to{last[:1].upper()}{last[1:]}"
                self.known.append(replace(base, name=f"{name}.{child}", kind="field", head=parent))
        for handler in _deriving(words, body) if name else ():
            last, short = components(handler)[-1], components(name)[-1]
            child = _full(f"inst{last}{short}", around.namespace)
            self.known.append(replace(base, name=child, kind="derived"))


def _mentions(words: Stream, start: int, end: int) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for at in range(start, end):
        piece = words.piece[at]
        if (words.ident[at] and piece not in KEYWORDS) or (
            piece and not words.ident[at] and piece not in COMMON and not piece[0].isdigit()
        ):
            found[piece] = None
            if len(found) >= _MOST_MENTIONS:
                break
    return tuple(found)


def _written(words: Stream, tokens: tuple[int, int]) -> str:
    """The text of some tokens, without its line breaks; empty if it is long."""
    start, end = tokens
    if start >= end or words.end[end - 1] - words.start[start] > _LONGEST:
        return ""
    return " ".join(words.text[words.start[start] : words.end[end - 1]].split())


def members(command: Command) -> tuple[Declaration, ...]:
    """The declarations of a command: its own, or those of a mutual block."""
    if command.declaration is not None:
        return (command.declaration,)
    return command.members


def _full(name: str, namespace: str) -> str:
    if name.startswith("_root_."):
        return plain_name(name)
    return plain_name(f"{namespace}.{name}" if namespace else name)


def _first_end(words: Stream, at: int) -> int:
    """Where the first term of a body ends: at a clause of the declaration, or its end."""
    while at < len(words):
        if words.piece[at] in ("deriving", "where", "termination_by", "decreasing_by"):
            return at
        at += 1
    return at


def _parents(words: Stream, body: int) -> Iterator[str]:
    at = next((i for i in range(body) if words.piece[i] == "extends"), body)
    fresh = True
    at += 1
    while at < body:
        piece = words.piece[at]
        if fresh and words.ident[at]:
            fresh = False
            # `extends toBase : Base`
            if at + 2 < body and words.piece[at + 1] == ":":
                at += 2
            yield plain_name(words.piece[at])
        elif piece == ":":
            return
        elif piece == ",":
            fresh = True
        elif words.close[at] >= 0:
            at = words.close[at]
        at += 1


_Ranges = list[tuple[int, int]]
_Child = tuple[str, str, str, _Ranges, _Ranges]


def _constructors(words: Stream, body: int, name: str) -> Iterator[_Child]:
    """The constructors of an inductive type: name, kind, type, and types of their arguments."""
    for at, end in constructor_spans(words, body):
        if not words.ident[at]:
            continue
        colon = binder_end(words, at + 1, end)
        after = telescope(words, colon + 1, end)[0]
        explicit = binder_types(words, at + 1, colon) + after
        every = binder_types(words, at + 1, colon, implicit=True) + after
        yield plain_name(words.piece[at]), "constructor", name, explicit, every


def _fields(words: Stream, body: int, name: str) -> Iterator[_Child]:
    """The constructor and the fields of a structure, as :func:`_constructors`."""
    starts = list(field_starts(words, body))
    constructor = "mk"
    types: list[tuple[int, int]] = []
    for number, (first, colon) in enumerate(starts):
        if colon < 0:
            constructor = plain_name(words.piece[first])
            continue
        following = starts[number + 1][0] if number + 1 < len(starts) else len(words)
        end = colon + 1
        while end < following and words.piece[end] not in (":=", "deriving"):
            end = words.close[end] + 1 if words.close[end] >= 0 else end + 1
        tokens = (colon + 1, min(end, following))
        head = head_of(words, *telescope(words, *tokens)[1])
        for index in range(first, colon):
            if not words.ident[index]:
                break
            types.append(tokens)
            yield plain_name(words.piece[index]), "field", head, [], []
    yield constructor, "constructor", name, types, types


def _deriving(words: Stream, body: int) -> Iterator[str]:
    at = next((i for i in range(body, len(words)) if words.piece[i] == "deriving"), len(words))
    for index in range(at + 1, len(words)):
        if words.ident[index]:
            yield plain_name(words.piece[index])
        elif words.piece[index] != ",":
            return
