"""The declarations of a whole repository, scanned when they are asked for and kept on disk."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.repository import pieces as parts
from pytest_vsb.repository.crew import Crew
from pytest_vsb.repository.modules import Module, Modules, find_modules
from pytest_vsb.repository.pieces import Entry, Parts, Piece
from pytest_vsb.repository.scanned import Scanned
from pytest_vsb.repository.store import Store, open_store
from pytest_vsb.repository.version import code_version

__all__ = ["Entry", "Index", "Piece", "Ref", "open_index"]

MEMORY = 64 * 1024**2
"""How many bytes of scanned modules an index holds at once, about."""

_CHUNK = 4 * 1024**2
_Texts = list[tuple[str, str]]
_Names = list[tuple[str, list[str]]]


@dataclass(frozen=True)
class Ref:
    """A declaration of a repository: its module, and its position among that module's entries."""

    module: str
    position: int


class Index:
    """The declarations of one repository, as its files were when the index was opened.

    Safe under threads. ``notes`` says what was left out or went wrong, for a report. Made by
    :func:`open_index`.
    """

    def __init__(
        self,
        modules: Modules,
        store: Store,
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.root = modules.root
        self.modules = modules
        self.store = store
        self._scanned = Scanned(modules, store)
        self._progress = progress
        self._names: Mapping[str, tuple[Ref, ...]] | None = None
        self._held: OrderedDict[str, Parts] = OrderedDict()
        self._bytes = 0
        self._lock = threading.RLock()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, changed underneath, or could not be kept."""
        return (*self.modules.notes, *self._scanned.notes, *self.store.notes)

    def entries(self, module: str) -> tuple[Entry, ...]:
        """The declarations of a module in the order of its file, without examples.

        None at all if the file has gone since the index was opened.

        Raises:
            KeyError: there is no such module.
        """
        return self._parts(module).entries

    def pieces(self, module: str) -> tuple[Piece, ...]:
        """A module's file without its proofs, in pieces. Their texts joined are the whole file.

        Raises:
            KeyError: there is no such module.
        """
        return self._parts(module).pieces

    def before(self, module: str, offset: int) -> tuple[Piece, ...]:
        """The pieces of a module that end before an offset in its file, or there.

        Raises:
            KeyError: there is no such module.
        """
        return tuple(piece for piece in self.pieces(module) if piece.end <= offset)

    def text(self, module: str) -> str:
        """A module's file without its proofs: quicker than joining pieces, and nothing is held.

        Raises:
            KeyError: there is no such module.
        """
        return parts.joined(self._scanned.module(self.modules[module]))

    def texts(self) -> Iterator[tuple[str, str]]:
        """The names and texts of all modules in order; see :meth:`text`.

        Scans the whole repository at the first time; later only reads it from the disk, a few
        megabytes at a time.
        """
        digest = self.modules.digest
        done = number = 0
        while done < len(self.modules):
            kept = self.store.read("texts", code_version(), f"{digest} {number}")
            if kept is None:
                break
            chunk = msgspec.msgpack.decode(kept, type=_Texts)
            yield from chunk
            done, number = done + len(chunk), number + 1
        chunk, size = [], 0
        for module in Crew(self._scanned, "module", self._progress).over(done):
            text = self.text(module.name)
            yield module.name, text
            chunk.append((module.name, text))
            size, done = size + len(text), done + 1
            if size >= _CHUNK or done == len(self.modules):
                if self._scanned.is_whole:
                    kept = msgspec.msgpack.encode(chunk)
                    self.store.write("texts", code_version(), f"{digest} {number}", kept)
                chunk, size, number = [], 0, number + 1

    def names(self) -> Mapping[str, tuple[Ref, ...]]:
        """Where each full name is declared, in the order of the modules and of their files.

        Scans the whole repository when it is asked for the first time; later sessions are quick.
        Several declarations have one name where modules are not imported together, or are private.
        """
        with self._lock:
            if self._names is None:
                self._names = _by_name(self._all_names())
            return self._names

    def find(self, name: str, module: str | None = None) -> tuple[Ref, ...]:
        """Where a full name is declared: anywhere, or in one module, which alone is then scanned.

        Raises:
            KeyError: there is no such module.
        """
        if module is None:
            return self.names().get(name, ())
        return tuple(
            Ref(entry.module, position)
            for position, entry in enumerate(self.entries(module))
            if name and entry.name == name
        )

    def entry(self, ref: Ref) -> Entry:
        """The declaration that a reference stands for.

        Raises:
            KeyError: there is no such module.
            EnvironmentUnavailable: its file has changed since the index was opened.
        """
        found = self.entries(ref.module)
        if not self._scanned.is_whole and not self._is_same(ref, found):
            raise EnvironmentUnavailable(
                f"the module {ref.module} has changed while it was in use",
                where=str(self.root / self.modules[ref.module].path),
                hint="start again once nothing writes into the repository",
            )
        return found[ref.position]

    def module_of_path(self, path: str | Path) -> Module | None:
        """The module of a file, by its path relative to the repository's root."""
        return self.modules.by_path(path)

    # Inside

    def _parts(self, name: str) -> Parts:
        module = self.modules[name]
        with self._lock:
            found = self._held.get(module.name)
            if found is not None:
                self._held.move_to_end(module.name)
                return found
            found = parts.put_together(self._scanned.module(module), module.name, module.path)
            self._held[module.name] = found
            self._bytes += found.size
            while self._bytes > MEMORY and len(self._held) > 1:
                self._bytes -= self._held.popitem(last=False)[1].size
            return found

    def _is_same(self, ref: Ref, found: Sequence[Entry]) -> bool:
        names = self._scanned.outline(self.modules[ref.module]).names
        return names == [entry.name for entry in found]

    def _all_names(self) -> _Names:
        digest = self.modules.digest
        kept = self.store.read("names", code_version(), digest)
        if kept is not None:
            return msgspec.msgpack.decode(kept, type=_Names)
        crew = Crew(self._scanned, "outline", self._progress)
        found = [(module.name, self._scanned.outline(module).names) for module in crew.over()]
        if self._scanned.is_whole:
            self.store.write("names", code_version(), digest, msgspec.msgpack.encode(found))
        return found


def _by_name(modules: _Names) -> Mapping[str, tuple[Ref, ...]]:
    found: dict[str, tuple[Ref, ...]] = {}
    for module, names in modules:
        for position, name in enumerate(names):
            if name:
                ref = Ref(module, position)
                found[name] = (*found[name], ref) if name in found else (ref,)
    return found


def open_index(
    root: Path,
    *,
    store: Store | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Index:
    """The index of the repository in a directory. Nothing is scanned yet.

    Args:
        store: where scanned files are kept; by default, the usual one.
        progress: called with how many files of how many are done while all are scanned; see
            :class:`.progress.Progress`.

    Raises:
        EnvironmentUnavailable: there is no such directory.
    """
    store = store if store is not None else open_store()
    return Index(find_modules(root, store=store), store, progress=progress)
