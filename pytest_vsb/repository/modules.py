"""The modules of a Lean repository: their names, imports and order. No Lean is needed."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean.imports import components
from pytest_vsb.repository import tree
from pytest_vsb.repository.layout import canonical, name_files
from pytest_vsb.repository.store import Store, open_store

_REMEMBERED = 128


@dataclass(frozen=True)
class Module:
    """One Lean file of a repository.

    Attributes:
        name: its module name, as an import would say it; ``«»`` only where needed.
        path: of the file, relative to the repository's root, with ``/``.
        imports: modules as written, the project's and libraries', without the implied ``Init``.
        digest: SHA-256 of the file's bytes, in hexadecimal.
        commands: words that begin commands which the file introduces.
    """

    name: str
    path: str
    imports: tuple[str, ...]
    digest: str
    commands: tuple[str, ...] = ()


class Modules(Mapping[str, Module]):
    """The modules of one repository, as found at one time. Made by :func:`find_modules`.

    A mapping from names, in the form of :attr:`Module.name` or any other that means the same, that
    goes through the modules in :meth:`order`. ``notes`` says which files were left out and why.
    """

    def __init__(self, root: Path, modules: Sequence[Module], notes: Sequence[str]) -> None:
        self.root = root
        self.notes = tuple(notes)
        self._modules = {module.name: module for module in modules}
        self._paths = {module.path: module for module in modules}
        self._imports = {
            name: tuple(dict.fromkeys(_project_imports(self._modules, module)))
            for name, module in self._modules.items()
        }
        self._order = _sorted(self._imports)
        self._rank = {name: rank for rank, name in enumerate(self._order)}
        self._closures: dict[tuple[str, ...], tuple[str, ...]] = {}

    def __getitem__(self, name: str) -> Module:
        found = self._modules.get(name)
        return found if found is not None else self._modules[canonical(components(name))]

    def __iter__(self) -> Iterator[str]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._modules)

    def by_path(self, path: str | Path) -> Module | None:
        """The module of a file, by its path relative to the root, or an absolute one."""
        pure = PurePosixPath(path)
        if pure.is_absolute():
            try:
                pure = pure.relative_to(self.root)
            except ValueError:
                return None
        return self._paths.get(str(pure))

    @property
    def digest(self) -> str:
        """One digest of all modules: their names, paths and contents."""
        whole = hashlib.sha256()
        for name in self._order:
            module = self._modules[name]
            whole.update(f"{name}\0{module.path}\0{module.digest}\n".encode())
        return whole.hexdigest()

    def order(self) -> tuple[str, ...]:
        """All modules, each after those that it imports; otherwise by name.

        Where modules import each other in a circle, the one that comes first by name is last.
        """
        return self._order

    def imports_of(self, name: str) -> tuple[str, ...]:
        """The project's modules that a module imports itself, as they are named here."""
        return self._imports[self[name].name]

    def closure(self, name: str) -> tuple[str, ...]:
        """The project's modules that ``name`` imports, also through others, in :meth:`order`.

        ``name`` itself is not among them, even where it imports itself through others.

        Raises:
            KeyError: there is no such module.
        """
        name = self[name].name
        found = self.closure_of(self.imports_of(name))
        return tuple(other for other in found if other != name) if name in found else found

    def closure_of(self, names: Iterable[str]) -> tuple[str, ...]:
        """These modules and all of the project's that they import, in :meth:`order`.

        Raises:
            KeyError: there is no module of one of these names.
        """
        start = tuple(self[name].name for name in names)
        if start not in self._closures:
            if len(self._closures) >= _REMEMBERED:
                del self._closures[next(iter(self._closures))]
            found = set(start)
            waiting = list(start)
            while waiting:
                for other in self._imports[waiting.pop()]:
                    if other not in found:
                        found.add(other)
                        waiting.append(other)
            self._closures[start] = tuple(sorted(found, key=self._rank.__getitem__))
        return self._closures[start]

    def distance(self, name: str) -> Mapping[str, int]:
        """How many imports lead from ``name`` to each of the project's modules, at the least.

        0 for itself, 1 for those that it imports; modules that it does not import are not there.

        Raises:
            KeyError: there is no such module.
        """
        name = self[name].name
        found = {name: 0}
        waiting = deque([name])
        while waiting:
            current = waiting.popleft()
            for other in self._imports[current]:
                if other not in found:
                    found[other] = found[current] + 1
                    waiting.append(other)
        return found


def _project_imports(modules: Mapping[str, Module], module: Module) -> Iterator[str]:
    for written in module.imports:
        if written in modules:
            yield written
        elif "\u00ab" in written and (plain := canonical(components(written))) in modules:
            yield plain


def _sorted(imports: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    order: dict[str, None] = {}
    seen: set[str] = set()
    # A stack of its own: a chain of imports may be longer than Python's.
    todo = [(name, False) for name in sorted(imports, reverse=True)]
    while todo:
        name, done = todo.pop()
        if done:
            order[name] = None
        elif name not in seen:
            seen.add(name)
            todo.append((name, True))
            todo += [(other, False) for other in reversed(imports[name]) if other not in seen]
    return tuple(order)


def find_modules(root: Path, *, store: Store | None = None) -> Modules:
    """The modules of the repository in a directory: one for every Lean file in it.

    Their names follow the source directories that the repository's lakefiles give. Left out are
    what Lake made or fetched, hidden directories, lakefiles, links that lead out of the repository,
    and files that cannot be read or are not UTF-8; of the last ones a note is made.

    Args:
        store: remembers what was read of unchanged files; by default, the usual one.

    Raises:
        EnvironmentUnavailable: there is no such directory.
    """
    root = root.absolute()
    if not root.is_dir():
        raise EnvironmentUnavailable(
            f"the repository {root.name!r} is not there",
            where=str(root),
            hint="clone it there, or say with --vsb-repos where the repositories are",
        )
    files, notes = tree.read(root, store if store is not None else open_store())
    names, more = name_files(root, [file.path for file in files])
    modules = [
        Module(names[file.path], file.path, file.imports, file.digest, file.commands)
        for file in files
    ]
    return Modules(root, modules, [*notes, *more])
