"""Which modules of a Lean project are needed, and which of them Lake has built."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.lean.imports import components, module_path, read_header
from pytest_vsb.lean.lakefile import Layout, read_layout

_OF_THE_TOOLCHAIN = frozenset({"Init", "Std", "Lean", "Lake"})


@dataclass(frozen=True)
class Built:
    """What is built of some modules and all that they import."""

    total: int
    missing: tuple[str, ...]
    """Modules without an olean, the project's own first; of libraries only those that the
    project's own files import."""


def built(root: Path, modules: Sequence[str] | None = None) -> Built:
    """What Lake has built of a project.

    Args:
        modules: what is needed; None for all that the project's libraries import, or all its
            files where the lakefile does not show its libraries.

    Raises:
        EnvironmentUnavailable: the project's lakefile or manifest cannot be read.
    """
    layout = read_layout(root)
    if modules is None:
        modules = [name for library in layout.libraries for name in library.roots]
        if layout.is_lake and not modules:
            # A lakefile that is a program may hide its libraries from us.
            modules = _all_files(root)
    own, foreign = _closure(layout, modules)
    missing = [name for name in own if not _has(name, layout.library_directories)]
    packages = (*layout.library_directories, *layout.package_directories)
    missing += [name for name in foreign if not _has(name, packages)]
    return Built(len(own) + len(foreign), tuple(missing))


def imports_of(file: Path) -> tuple[str, ...]:
    """The modules that a file imports, without the toolchain's own; empty if it cannot be read."""
    try:
        text = file.read_bytes().decode("utf-8", "replace")
    except OSError:
        return ()
    return tuple(name for name in read_header(text).imports if not of_the_toolchain(name))


def of_the_toolchain(name: str) -> bool:
    """Whether a module comes with every Lean."""
    return components(name)[:1] == () or components(name)[0] in _OF_THE_TOOLCHAIN


def uses_mathlib(root: Path) -> bool:
    """Whether a project depends on Mathlib, going by Lake's manifest, or its lakefile if it has
    none."""
    for name in ("lake-manifest.json", "lakefile.toml", "lakefile.lean"):
        try:
            text = (root / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if name == "lake-manifest.json":
            return '"mathlib"' in text
        if "mathlib" in text:
            return True
    return False


def _all_files(root: Path) -> list[str]:
    found = []
    for file in sorted(root.rglob("*.lean")):
        parts = file.relative_to(root).with_suffix("").parts
        hidden = any(part.startswith(".") for part in parts)
        if not hidden and parts[0] not in ("build", "lake-packages", "lakefile"):
            found.append(".".join(parts))
    return found


def _closure(layout: Layout, modules: Iterable[str]) -> tuple[list[str], list[str]]:
    own: dict[str, None] = {}
    foreign: dict[str, None] = {}
    todo = list(modules)
    while todo:
        name = todo.pop()
        if name in own or name in foreign or of_the_toolchain(name):
            continue
        source = _source(layout, name)
        if source is None:
            foreign[name] = None
        else:
            own[name] = None
            todo += imports_of(source)
    return sorted(own), sorted(foreign)


def _source(layout: Layout, name: str) -> Path | None:
    for directory in layout.source_directories:
        file = directory / module_path(name, ".lean")
        if file.is_file():
            return file
    return None


def _has(name: str, directories: Sequence[Path]) -> bool:
    return any((directory / module_path(name, ".olean")).is_file() for directory in directories)
