"""What programs need of the file system, and how links lead to it."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

# Programs and libraries, where distributions keep them. Not the whole of /usr: projects, too, are
# kept below it in containers.
_SYSTEM = (
    "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/usr/bin", "/usr/sbin", "/usr/lib",
    "/usr/lib32", "/usr/lib64", "/usr/libx32", "/usr/libexec", "/usr/local/bin", "/usr/local/lib",
    "/usr/local/lib64", "/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/ld.so.conf",
    "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/alternatives",
)  # fmt: skip
_MOST_LINKS = 40


def real(path: Path) -> Path:
    """The path without links in it; as far as it is there."""
    return Path(os.path.realpath(path))


@functools.lru_cache(maxsize=1)
def system_files() -> tuple[Path, ...]:
    """The system's own programs and libraries, without links."""
    return tuple(dict.fromkeys(real(path) for path in map(Path, _SYSTEM) if path.exists()))


@functools.lru_cache(maxsize=1)
def system_paths() -> tuple[Path, ...]:
    """The same by the names that programs know, such as ``/bin``."""
    return tuple(path for path in map(Path, _SYSTEM) if path.exists())


@functools.lru_cache(maxsize=1)
def python_files() -> tuple[Path, ...]:
    """What this Python needs to start, without site packages."""
    executable = Path(sys.executable)
    prefix = Path(sys.base_prefix)
    found = [executable, executable.parent.parent / "pyvenv.cfg", executable.parent / "pyvenv.cfg"]
    found += [real(executable)]
    found += [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")]
    library = sysconfig.get_config_var("LDLIBRARY")
    if library:
        found += [prefix / "lib" / str(library), prefix / "lib64" / str(library)]
        found += list((prefix / "lib").glob(f"{library}*"))
    return tuple(dict.fromkeys(path for path in found if path.exists()))


def links(path: Path) -> Iterator[tuple[Path, str]]:
    """The symbolic links on the way to a path, each with what it says, and those that they lead
    to; a loop ends it."""
    todo = [path]
    seen: set[Path] = set()
    while todo:
        current = todo.pop()
        for part in (*reversed(current.parents), current):
            if part in seen or not part.is_symlink():
                continue
            seen.add(part)
            if len(seen) > _MOST_LINKS:
                return
            target = os.readlink(part)  # noqa: PTH115 - as it is written, relative or not
            yield part, target
            rest = current.relative_to(part)
            # Dots are kept for the next round to resolve, after the links before them.
            todo.append(Path(os.path.normpath(part.parent / target / rest)))
            break


def outermost(found: Iterable[Path]) -> tuple[Path, ...]:
    """The paths without those that are below others, in order."""
    ordered = sorted(set(found), key=lambda path: (len(path.parts), str(path)))
    kept: list[Path] = []
    for path in ordered:
        if not any(other in path.parents for other in kept):
            kept.append(path)
    return tuple(kept)
