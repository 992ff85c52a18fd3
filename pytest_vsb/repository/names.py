"""Reading a name of a Lean file: which declaration of the repository it stands for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import NamedTuple

import msgspec

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.repository import symbols
from pytest_vsb.repository.facts import STRUCTURES, TYPES, Facts, Known, facts_of
from pytest_vsb.repository.index import Index
from pytest_vsb.repository.pieces import plain_text
from pytest_vsb.repository.scopes import Scope, components
from pytest_vsb.repository.shapes import head_of, telescope
from pytest_vsb.repository.stream import Stream, top_level
from pytest_vsb.repository.symbols import Notation
from pytest_vsb.repository.version import code_version
from pytest_vsb.source import Source, scan

_DEEPEST = 12
_REMEMBERED = 64
_TYPED = TYPES | {"def", "abbrev"}
# The operators that make a type something of Lean's own, loosest first.
_LOGICAL = {
    "\u2194": "Iff",
    "\u2228": "Or",
    "\u2227": "And",
    "\u00ac": "Not",
    "=": "Eq",
    "\u2260": "Ne",
    "==": "",
    "<": "",
    "\u2264": "",
    ">": "",
    "\u2265": "",
    "\u2208": "",
    "\u00d7": "Prod",
}


class Target(NamedTuple):
    """A name and the module that declares it."""

    module: str
    known: Known


class Viewer(NamedTuple):
    """Where a name is read.

    Attributes:
        start: where the declaration it is read in starts; what is declared later is not seen.
        end: where the ``mutual`` block around it ends, else as ``start``.
    """

    module: str
    start: int
    end: int


def _viewer(target: Target) -> Viewer:
    """Where a declaration's own statement is read: what it names may be itself."""
    return Viewer(target.module, target.known.start, target.known.end)


@cache
def kept_version() -> str:
    """A digest that differs whenever a file's names might be read otherwise."""
    digest = hashlib.sha256(code_version().encode())
    package = resources.files("pytest_vsb.repository")
    for file in sorted(package.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".py"):
            digest.update(file.read_bytes())
    return digest.hexdigest()


class Table:
    """What the modules of a repository declare, read when it is first needed."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._facts: dict[str, Facts] = {}
        self._named: dict[str, list[Target]] = {}
        self._last: dict[str, list[Target]] = {}
        self._imported: dict[tuple[str, ...], frozenset[str]] = {}
        self._visible: dict[str, frozenset[str]] = {}
        self._symbols: dict[tuple[str, Scope], dict[str, list[tuple[str, Scope, Notation]]]] = {}
        self._types: dict[tuple[str, str, int], str] = {}
        self._own: dict[str, dict[int, Known]] = {}
        self._introduced: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._expanded: dict[tuple[str, int, str], Target | None] = {}
        self._near: dict[tuple[str, str], frozenset[str]] = {}

    def source(self, module: str) -> Source:
        """A module's file, scanned with the commands that its imports introduce.

        Raises:
            EnvironmentUnavailable: it cannot be read.
        """
        return scan(self._text(module), commands=self._commands(module))

    def _commands(self, module: str) -> tuple[str, ...]:
        modules = self.index.modules
        imports = modules.imports_of(module)
        if imports not in self._introduced:
            self._introduced[imports] = tuple(
                sorted({c for name in modules.closure(module) for c in modules[name].commands})
            )
        return self._introduced[imports]

    def _text(self, module: str) -> str:
        file = self.index.root / self.index.modules[module].path
        try:
            return plain_text(file.read_bytes().decode("utf-8", "replace"))
        except OSError as error:
            raise EnvironmentUnavailable(
                f"cannot be read: {error.strerror or error}", where=str(file)
            ) from error

    def facts(self, module: str) -> Facts:
        """What a module declares."""
        found = self._facts.get(module)
        if found is None:
            digest = "\0".join([self.index.modules[module].digest, *self._commands(module)])
            data = self.index.store.get(
                "declared",
                kept_version(),
                digest,
                lambda: msgspec.msgpack.encode(facts_of(self.source(module))),
            )
            found = msgspec.msgpack.decode(data, type=Facts)
            self._facts[module] = found
            for known in found.known:
                target = Target(module, known)
                self._named.setdefault(known.name, []).append(target)
                self._last.setdefault(components(known.name)[-1], []).append(target)
        return found

    def imported(self, module: str) -> frozenset[str]:
        """The modules that a module imports, also through others. Those that are given are read,
        and the module itself."""
        found = self._visible.get(module)
        if found is None:
            # Many modules of a large repository share their imports, and then the set.
            imports = self.index.modules.imports_of(module)
            if imports not in self._imported:
                self._imported[imports] = frozenset(self.index.modules.closure(module))
            found = self._imported[imports]
            for name in (*found, module):
                self.facts(name)
            self._visible[module] = found
        return found

    def sees(self, viewer: Viewer, target: Target) -> bool:
        """Whether a declaration is known at some place."""
        known = target.known
        if target.module == viewer.module:
            return known.start < viewer.end or known.start == viewer.start
        return not known.private and target.module in self.imported(viewer.module)

    def lookup(self, name: str, viewer: Viewer, *, short: bool = False) -> Target | None:
        """The declaration of that full name, the nearest of several; None if none is seen.

        Args:
            short: whether the name is reached by its last component alone, which does not do for a
                protected declaration.
        """
        best: Target | None = None
        for target in self._named.get(name, ()):
            if not self.sees(viewer, target) or (short and target.known.protected):
                continue
            if best is None or target.module == viewer.module:
                best = target
        if best is not None and best.known.kind == "alias":
            return self._aliased(best, viewer)
        return best

    def _aliased(self, alias: Target, viewer: Viewer) -> Target | None:
        for name in alias.known.targets:
            if name != alias.known.name:
                for target in self._named.get(name, ()):
                    if target.known.kind != "alias" and self.sees(viewer, target):
                        return target
        return None

    def resolve(self, name: str, scope: Scope, viewer: Viewer) -> tuple[Target, list[str]] | None:
        """What a name stands for, and the components after it that select from it.

        The longest part of the name that is known counts; among readings of the same part the
        innermost namespace, then what was opened last, then the root.
        """
        self.imported(viewer.module)
        parts = components(name)
        if parts[0] == "_root_":
            scope, parts = Scope(), parts[1:]
        for length in range(len(parts), 0, -1):
            target = self._global(".".join(parts[:length]), length == 1, scope, viewer)
            if target is not None:
                return target, parts[length:]
        return None

    def _global(self, name: str, short: bool, scope: Scope, viewer: Viewer) -> Target | None:
        if components(name)[-1] not in self._last and not any(o.renamed for o in scope.opens):
            # Most names are a library's.
            return None
        for prefix in scope.prefixes():
            target = self.lookup(f"{prefix}.{name}", viewer, short=short)
            if target is not None:
                return target
        for opened in reversed(scope.opens):
            if opened.scoped:
                continue
            first, *others = components(name)
            wanted = next((old for old, new in opened.renamed if new == first), first)
            if opened.only is not None and wanted not in opened.only:
                continue
            if wanted in opened.hidden or any(old == first for old, _ in opened.renamed):
                continue
            rest = ".".join([wanted, *others])
            for prefix in opened.prefixes:
                target = self.lookup(f"{prefix}.{rest}", viewer, short=short)
                if target is not None:
                    return target
        return self.lookup(name, viewer)

    def type_of(self, target: Target) -> str:
        """The full name of the type of what a declaration yields; empty if that is not known."""
        known = target.known
        if known.kind == "constructor":
            return known.head
        if known.head:
            return self._full(known.head, target)
        return self.type_named(known.result, target)

    def arguments_of(self, target: Target, *, implicit: bool = False) -> list[str]:
        """The full names of the types of a declaration's explicit arguments, as far as known; of a
        constructor's all arguments if ``implicit``."""
        texts = target.known.implicit if implicit else target.known.arguments
        return [self.type_named(text, target) for text in texts]

    def declared(self, module: str, entry: int) -> Known | None:
        """The name that is a declaration's own; None if it has none."""
        found = self._own.get(module)
        if found is None:
            found = {}
            for known in self.facts(module).known:
                found.setdefault(known.entry, known)
            self._own[module] = found
        return found.get(entry)

    def type_named(self, text: str, around: Target) -> str:
        """The full name that a type begins with which is written in some declaration."""
        if not text:
            return ""
        key = (text, around.module, around.known.scope)
        if key not in self._types:
            words = Stream(text, 0, len(text))
            scope = self.facts(around.module).scopes[around.known.scope]
            self._types[key] = self.read_type(words, 0, len(words), scope, _viewer(around))
        return self._types[key]

    def read_type(self, words: Stream, start: int, end: int, scope: Scope, viewer: Viewer) -> str:
        """The full name that a type begins with, or that its notation stands for; else empty."""
        arguments, result = telescope(words, start, end)
        if arguments:
            return ""
        start, end = result
        top = top_level(words, start, end)
        if start < end and words.piece[start] == "\u2203":
            return "Exists"
        there = {words.piece[at] for at in top}
        for operator, name in _LOGICAL.items():
            if operator in there:
                return name
        known = self.symbols(viewer, scope)
        for at in top:
            here = known.get(words.piece[at])
            for module, where, notation in symbols.used(words, at, start, end, here or ()):
                target = self.expanded(module, where, notation, notation.names[0])
                return target.known.name if target is not None else ""
        head = head_of(words, start, end)
        if not head:
            return ""
        found = self.resolve(head, scope, viewer)
        if found is None:
            return head if head[:1].isupper() else ""
        return "" if found[1] else found[0].known.name

    def constructor_of(self, type_name: str, viewer: Viewer) -> Target | None:
        """The constructor of the structure of that full name."""
        target = self.lookup(type_name, viewer)
        if target is None:
            return None
        if target.known.kind not in STRUCTURES:
            body = self._full(target.known.body, target)
            return self.constructor_of(body, viewer) if body and body != type_name else None
        for known in self.facts(target.module).known:
            if known.kind == "constructor" and known.head == target.known.name:
                return Target(target.module, known)
        return None

    def near(self, target: Target) -> frozenset[str]:
        """The full names of the types that a declaration mentions, itself or by notations."""
        key = (target.module, target.known.name)
        if key not in self._near:
            around = _viewer(target)
            scope = self.facts(target.module).scopes[target.known.scope]
            known = self.symbols(around, scope)
            found = set()
            for name in target.known.mentions:
                resolved = self.resolve(name, scope, around)
                if resolved is not None and resolved[0].known.kind in _TYPED:
                    found.add(resolved[0].known.name)
                for module, where, notation in known.get(name, ()):
                    expanded = self.expanded(module, where, notation, notation.names[0])
                    if expanded is not None:
                        found.add(expanded.known.name)
            self._near[key] = frozenset(found)
        return self._near[key]

    def expanded(self, module: str, scope: Scope, notation: Notation, name: str) -> Target | None:
        """What a name in the expansion of a notation stands for."""
        key = (module, notation.start, name)
        if key not in self._expanded:
            found = self.resolve(name, scope, Viewer(module, notation.start, notation.start))
            self._expanded[key] = found[0] if found is not None else None
        return self._expanded[key]

    def _full(self, name: str, around: Target) -> str:
        if not name:
            return ""
        scope = self.facts(around.module).scopes[around.known.scope]
        found = self.resolve(name, scope, _viewer(around))
        if found is None:
            return name
        return found[0].known.name if not found[1] else ""

    def member(self, type_name: str, member: str, viewer: Viewer, deep: int = 0) -> Target | None:
        """What ``x.member`` stands for, for an ``x`` of the type of that full name."""
        if not type_name or deep > _DEEPEST:
            return None
        found = self.lookup(f"{type_name}.{member}", viewer)
        if found is not None:
            return found
        target = self.lookup(type_name, viewer)
        if target is None:
            return None
        for name in (*target.known.parents, target.known.body):
            found = self.member(self._full(name, target), member, viewer, deep + 1)
            if found is not None:
                return found
        return None

    def ending_in(self, member: str, viewer: Viewer) -> Iterator[Target]:
        """The declarations in a namespace whose last component is ``member``."""
        self.imported(viewer.module)
        for target in self._last.get(member, ()):
            if "." in target.known.name and self.sees(viewer, target):
                if target.known.kind == "alias":
                    aliased = self._aliased(target, viewer)
                    if aliased is not None:
                        yield aliased
                else:
                    yield target

    def symbols(self, viewer: Viewer, scope: Scope) -> dict[str, list[tuple[str, Scope, Notation]]]:
        """The notations that hold at some place, with their modules and scopes, by the token that
        tells a use of them."""
        key = (viewer.module, scope)
        if key not in self._symbols:
            if len(self._symbols) >= _REMEMBERED:
                del self._symbols[next(iter(self._symbols))]
            self._symbols[key] = self._symbols_of(viewer, scope)
        found = self._symbols[key]
        own = self.facts(viewer.module).symbols
        if not own or own[-1].notation.start < viewer.start:
            return found
        # What the file itself declares later does not hold yet.
        return {
            token: kept
            for token, all_ in found.items()
            if (
                kept := [
                    item
                    for item in all_
                    if item[0] != viewer.module or item[2].start < viewer.start
                ]
            )
        }

    def _symbols_of(
        self, viewer: Viewer, scope: Scope
    ) -> dict[str, list[tuple[str, Scope, Notation]]]:
        around = set(scope.prefixes())
        for opened in scope.opens:
            around.update(opened.prefixes)
        found: dict[str, list[tuple[str, Scope, Notation]]] = {}
        for module in sorted({*self.imported(viewer.module), viewer.module}):
            facts = self.facts(module)
            for symbol in facts.symbols:
                notation = symbol.notation
                if notation.local and module != viewer.module:
                    continue
                where = facts.scopes[symbol.scope]
                if notation.scoped and where.namespace and where.namespace not in around:
                    continue
                token = notation.telling()
                if token:
                    found.setdefault(token, []).append((module, where, notation))
        return found
