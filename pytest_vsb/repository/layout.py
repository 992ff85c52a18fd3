"""Which module name a file of a repository has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pytest_vsb.errors import VsbError
from pytest_vsb.lean.lakefile import Layout, read_layout

LAKEFILES = ("lakefile.toml", "lakefile.lean")

_PLAIN = re.compile(r"[^\W\d][\w'!?]*\Z")


def canonical(parts: Iterable[str]) -> str:
    """A module's name from its parts, with ``«»`` around those that need it."""
    return ".".join(part if _PLAIN.match(part) else f"\u00ab{part}\u00bb" for part in parts)


def name_files(root: Path, paths: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The module names of Lean files, by their paths relative to the root, and remarks.

    The lakefile nearest above a file decides: repositories may hold packages of their own. If the
    file is below a root of one of its libraries, the name counts from that library's source
    directory, else from the package's. If two files would have one name, the one that is less deep
    has it, and the other is named by its whole path.
    """
    notes: list[str] = []
    directories = _Directories(root, notes)
    names: dict[str, str] = {}
    taken: set[str] = set()
    for path in sorted(paths, key=lambda path: (path.count("/"), path)):
        directory, _, file = path.rpartition("/")
        name = directories.naming(directory).name(file.removesuffix(".lean"))
        if name in taken:
            whole = canonical(path.removesuffix(".lean").split("/"))
            if whole in taken:
                whole = f"\u00ab{path.removesuffix('.lean')}\u00bb"
            notes.append(f"{path}: another file is the module {name}; this one is called {whole}")
            name = whole
        taken.add(name)
        names[path] = name
    return names, notes


@dataclass(frozen=True)
class _Choice:
    """What the files of a directory are called if they belong to a library with these roots."""

    prefix: str
    plain: str
    roots: tuple[str, ...]

    def holds(self, stem: str) -> bool:
        name = self.plain + stem
        return any(name == root or name.startswith(root + ".") for root in self.roots)


@dataclass(frozen=True)
class _Naming:
    """What the files of one directory are called."""

    choices: tuple[_Choice, ...]
    prefix: str

    def name(self, stem: str) -> str:
        chosen = next((choice.prefix for choice in self.choices if choice.holds(stem)), self.prefix)
        return chosen + canonical([stem])


@dataclass(frozen=True)
class _Package:
    """A directory with a lakefile: where its libraries' sources are, and where else it has some."""

    libraries: tuple[tuple[PurePosixPath, tuple[str, ...]], ...]
    others: tuple[PurePosixPath, ...]


class _Directories:
    """The directories of a repository, each looked into once."""

    def __init__(self, root: Path, notes: list[str]) -> None:
        self._root = root
        self._notes = notes
        self._namings: dict[str, _Naming] = {}
        self._packages: dict[PurePosixPath, _Package | None] = {}

    def naming(self, directory: str) -> _Naming:
        if directory not in self._namings:
            self._namings[directory] = self._make(PurePosixPath(directory))
        return self._namings[directory]

    def _make(self, directory: PurePosixPath) -> _Naming:
        package = self._above(directory)
        if package is None:
            return _Naming((), _prefix(directory.parts))
        choices = tuple(
            _Choice(_prefix(parts), "".join(f"{part}." for part in parts), roots)
            for source, roots in package.libraries
            if directory.is_relative_to(source)
            for parts in (directory.relative_to(source).parts,)
        )
        base = next(other for other in package.others if directory.is_relative_to(other))
        return _Naming(choices, _prefix(directory.relative_to(base).parts))

    def _above(self, directory: PurePosixPath) -> _Package | None:
        if directory not in self._packages:
            package = self._read(directory)
            if package is None and directory.parts:
                package = self._above(directory.parent)
            self._packages[directory] = package
        return self._packages[directory]

    def _read(self, directory: PurePosixPath) -> _Package | None:
        place = self._root / directory
        if not any((place / name).is_file() for name in LAKEFILES):
            return None
        try:
            return _package(directory, place.resolve(), read_layout(place))
        except VsbError as error:
            self._notes.append(
                f"{error.where or place}: {error.message}; modules are named by their paths"
            )
            return _Package((), (directory,))


def _package(directory: PurePosixPath, base: Path, layout: Layout) -> _Package:
    libraries = [
        (directory / source, library.roots)
        for library in layout.libraries
        if (source := _below(library.source_directory, base)) is not None
    ]
    others = [_below(source, base) for source in layout.source_directories]
    places = {directory, *(directory / other for other in others if other is not None)}
    # The deepest first: a library in `src/` is also below `.`.
    return _Package(
        tuple(sorted(libraries, key=lambda item: -len(item[0].parts))),
        tuple(sorted(places, key=lambda place: (-len(place.parts), place))),
    )


def _below(path: Path, base: Path) -> PurePosixPath | None:
    try:
        return PurePosixPath(path.resolve().relative_to(base).as_posix())
    except (ValueError, OSError, RuntimeError):
        return None


def _prefix(parts: Iterable[str]) -> str:
    prefix = canonical(parts)
    return f"{prefix}." if prefix else ""
