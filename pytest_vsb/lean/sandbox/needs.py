"""What a Lean needs to see of the file system to compile one file."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_vsb.lean.sandbox import paths
from pytest_vsb.lean.toolchain import Toolchain

_NO_TOOLCHAINS = frozenset(map(Path, ("/", "/usr", "/usr/local")))
_ELAN_FILES = ("bin", "toolchains", "settings.toml")
_VIEWS = "views"


def readable(toolchain: Toolchain, search_path: Sequence[Path] = ()) -> tuple[Path, ...]:
    """The files and directories that this Lean reads, with compiled modules in ``search_path``.

    No sources are among them: Lean reads those of the file alone that it is given.
    """
    modules = (part for directory in search_path for part in _modules(directory))
    return tuple(dict.fromkeys((*_of_toolchain(toolchain), *modules)))


@functools.lru_cache(maxsize=32)
def _of_toolchain(toolchain: Toolchain) -> tuple[Path, ...]:
    if toolchain.container is not None:
        return ()
    found = list(toolchain.library_path)
    if toolchain.kind == "embedded":
        # Options of Lean's may follow.
        named = [Path(word) for word in toolchain.command[1:] if Path(word).is_absolute()]
        library = next(path for path in named if path.name.endswith(".so"))
        launcher = next(path for path in named if path.suffix == ".py")
        found += [*paths.python_files(), launcher, library.parent]
        found.append(library.parent.with_name(f"{library.parent.name}.libs"))
        return tuple(found)
    for binary in (Path(toolchain.command[0]), paths.real(Path(toolchain.command[0]))):
        root = binary.parent.parent
        # Else it is a program among others, such as a script somewhere.
        whole = binary.parent.name == "bin" and (root / "lib").is_dir()
        found.append(root if whole and not _is_common(root) else binary)
    home = dict(toolchain.env).get("ELAN_HOME")
    if home:
        found += [Path(home, name) for name in _ELAN_FILES]
    return tuple(found)


def _is_common(root: Path) -> bool:
    """Whether much else is kept in a directory that has a ``bin`` and a ``lib``."""
    return root in _NO_TOOLCHAINS or root == Path("~").expanduser() or root.name == ".local"


@functools.lru_cache(maxsize=1024)
def _modules(directory: Path) -> tuple[Path, ...]:
    return (directory, *dict.fromkeys(_linked(directory)))


def _linked(directory: Path) -> Iterator[Path]:
    """Directories and files that links in a directory of compiled modules lead to.

    Those that this package makes out of its cache consist of links; elsewhere only the topmost
    entries are looked at.
    """
    views = directory.parent.name == _VIEWS
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                if entry.is_symlink():
                    target = paths.real(Path(entry.path))
                    yield target.parent if views else target
                elif views and entry.is_dir():
                    yield from _nested(Path(entry.path))
    except OSError:
        return


def _nested(directory: Path) -> Iterator[Path]:
    for path in directory.rglob("*"):
        if path.is_symlink():
            yield paths.real(path).parent
