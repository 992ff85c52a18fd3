"""Which module name a file of a repository has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
    packages: dict[PurePosixPath, _Package | None] = {}
    names: dict[str, str] = {}
    taken: set[str] = set()
    for path in sorted(paths, key=lambda path: (path.count("/"), path)):
        pure = PurePosixPath(path)
        package = _package_above(root, pure, packages, notes)
        name = package.name(pure) if package is not None else _name(pure.parts)
        if name in taken:
            whole = _name(pure.parts)
            if whole in taken:
                whole = canonical([path.removesuffix(".lean")])
            notes.append(f"{path}: another file is the module {name}; this one is called {whole}")
            name = whole
        taken.add(name)
        names[path] = name
    return names, notes


def _name(parts: Sequence[str]) -> str:
    return canonical([*parts[:-1], parts[-1].removesuffix(".lean")])


class _Package:
    """A directory with a lakefile, and what names its files have."""

    def __init__(self, root: Path, directory: PurePosixPath, layout: Layout) -> None:
        base = (root / directory).resolve()
        sources: list[tuple[PurePosixPath, tuple[str, ...]]] = []
        for library in layout.libraries:
            if (source := _below(library.source_directory, base)) is not None:
                sources.append((directory / source, library.roots))
        # The deepest first: a library in `src/` is also below `.`.
        self._libraries = sorted(sources, key=lambda item: -len(item[0].parts))
        others = (_below(source, base) for source in layout.source_directories)
        self._others = sorted(
            {directory, *(directory / other for other in others if other is not None)},
            key=lambda item: (-len(item.parts), item),
        )

    def name(self, path: PurePosixPath) -> str:
        for source, roots in self._libraries:
            if path.is_relative_to(source):
                name = _name(path.relative_to(source).parts)
                plain = name.replace("\u00ab", "").replace("\u00bb", "")
                if any(plain == root or plain.startswith(root + ".") for root in roots):
                    return name
        for source in self._others:
            if path.is_relative_to(source):
                return _name(path.relative_to(source).parts)
        return _name(path.parts)


def _below(path: Path, base: Path) -> PurePosixPath | None:
    try:
        return PurePosixPath(path.resolve().relative_to(base).as_posix())
    except (ValueError, OSError, RuntimeError):
        return None


def _package_above(
    root: Path,
    path: PurePosixPath,
    packages: dict[PurePosixPath, _Package | None],
    notes: list[str],
) -> _Package | None:
    for directory in path.parents:
        if directory not in packages:
            packages[directory] = _read_package(root, directory, notes)
        package = packages[directory]
        if package is not None:
            return package
    return None


def _read_package(root: Path, directory: PurePosixPath, notes: list[str]) -> _Package | None:
    place = root / directory
    if not any((place / name).is_file() for name in LAKEFILES):
        return None
    try:
        return _Package(root, directory, read_layout(place))
    except VsbError as error:
        notes.append(f"{error.where or place}: {error.message}; modules are named by their paths")
        return None
