"""What the files of a repository are without their proofs, scanned once and kept on disk."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable

import msgspec

from pytest_vsb.repository.modules import Module, Modules
from pytest_vsb.repository.pieces import File, Outline
from pytest_vsb.repository.store import Store
from pytest_vsb.repository.version import code_version
from pytest_vsb.source.facts import Facts, merge

_OUTLINE, _MODULE = "outline", "module"
_MERGED = 8


class Scanned:
    """The scanned files of one repository. Safe under threads.

    ``notes`` says which files changed since the repository was opened; then not ``is_whole``.
    """

    def __init__(self, modules: Modules, store: Store) -> None:
        self.modules = modules
        self.store = store
        self.notes: list[str] = []
        self._lock = threading.RLock()
        self._outlines: dict[str, Outline] = {}
        self._merged: OrderedDict[tuple[str, ...], Facts] = OrderedDict()
        self._commands: dict[tuple[str, ...], frozenset[str]] = {}
        self._digests: dict[tuple[str, ...], str] = {}

    @property
    def is_whole(self) -> bool:
        """Whether all files that were looked at are still those that were found."""
        return not self.notes

    def outline(self, module: Module) -> Outline:
        """The names that a module declares, and its facts."""
        with self._lock:
            found = self._outlines.get(module.name)
            if found is None:
                kept = self.store.read(_OUTLINE, code_version(), self._outline_key(module))
                if kept is not None:
                    found = msgspec.msgpack.decode(kept, type=Outline)
                else:
                    found = self._scan_outline(module, self._scan(module))
                self._outlines[module.name] = found
            return found

    def module(self, module: Module) -> bytes:
        """What :func:`.pieces.put_together` makes a module's pieces of."""
        key = self._module_key(module)
        kept = self.store.read(_MODULE, code_version(), key)
        if kept is not None:
            return kept
        with self._lock:
            facts = self._facts(self.modules.imports_of(module.name))
            file, same = scan = self._scan(module)
            if module.name not in self._outlines:
                self._outlines[module.name] = self._scan_outline(module, scan)
            kept = file.take_apart(facts)
            if same:
                self.store.write(_MODULE, code_version(), key, kept)
            return kept

    def _scan_outline(self, module: Module, scan: tuple[File, bool]) -> Outline:
        file, same = scan
        found = file.outline()
        if same:
            key = self._outline_key(module)
            self.store.write(_OUTLINE, code_version(), key, msgspec.msgpack.encode(found))
        return found

    def _scan(self, module: Module) -> tuple[File, bool]:
        """A module's file, and whether it is still as it was found."""
        commands = self._commands_of(self.modules.imports_of(module.name))
        try:
            data = (self.modules.root / module.path).read_bytes()
        except OSError as error:
            self._note(f"{module.path} cannot be read any more: {error.strerror}")
            return File(b""), False
        same = hashlib.sha256(data).hexdigest() == module.digest
        if not same:
            self._note(f"{module.path} has changed since the repository was opened")
        return File(data, commands), same

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)

    # What the imports decide. Most modules of a large repository share theirs with others.

    def _imported(self, imports: Iterable[str]) -> list[Module]:
        """These modules and all that they import, in their order."""
        return [self.modules[name] for name in self.modules.closure_of(imports)]

    def _commands_of(self, imports: tuple[str, ...]) -> frozenset[str]:
        if imports not in self._commands:
            self._commands[imports] = frozenset(
                word for module in self._imported(imports) for word in module.commands
            )
        return self._commands[imports]

    def _facts(self, imports: tuple[str, ...]) -> Facts:
        if imports not in self._merged:
            parts = [self.outline(module).facts for module in self._imported(imports)]
            self._merged[imports] = merge(parts, complete=True)
            if len(self._merged) > _MERGED:
                self._merged.popitem(last=False)
        self._merged.move_to_end(imports)
        return self._merged[imports]

    def _outline_key(self, module: Module) -> str:
        commands = sorted(self._commands_of(self.modules.imports_of(module.name)))
        return _digest([module.digest, *commands])

    def _module_key(self, module: Module) -> str:
        imports = self.modules.imports_of(module.name)
        if imports not in self._digests:
            self._digests[imports] = _digest(other.digest for other in self._imported(imports))
        return _digest([module.digest, self._digests[imports]])


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
