"""The compiled modules that a file rests on: all that its imports import, and what tells each from
another of its name.

An olean need not change when what it rests on does, so the direct imports tell nothing about the
rest. What a module imports is read from its olean, not from its source, which may be newer.

An olean begins with a header that says where its pointers count from, and holds objects: a header
of 8 bytes (a reference count, a size, the number of pointers, a tag), then pointers. The root is an
object whose first pointer leads to the array of imports. Its address stands after the header, or at
the end of the file in older formats. See also :mod:`pytest_vsb.judge.olean`.
"""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
import re
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_vsb.lean.imports import components, module_path

_PARTS = (".olean", ".olean.server", ".olean.private", ".ir")
"""The files that others import a module from; the last three are of files with ``module``."""

_HEADER, _WORD = struct.Struct("<iHBB"), struct.Struct("<Q")
_FORMATS = {b"olean\x01": 48, b"olean\x02": 80}
"""Where the address that pointers count from stands, by the first bytes of a file."""
_ARRAY, _STRING = 246, 249
_MOST = 100_000
"""More than any module's imports, or than any name's parts."""

_DIGEST = re.compile("[0-9a-f]{40}")
_Facts = tuple[str, int, int, int]
_contents: dict[_Facts, str] = {}
_imports: dict[_Facts, tuple[str, ...] | None] = {}


def stamps(imports: Sequence[str], search_path: Sequence[Path]) -> Iterator[str]:
    """What identifies each compiled module that is reached from some imports.

    A module of the project, or of a package at a place of its own, is identified by its content. A
    module of a package that Lake keeps for the project, of which there can be thousands with
    gigabytes, by its size and time of change, together with the project's ``lake-manifest.json``,
    which names the revision of each package. A module that we compiled is in a directory that is
    named by its content. Modules of Lean itself are not looked at: Lean's version says what they
    are. A file is read once in a process as long as it stays the same.

    Args:
        imports: the modules' names.
        search_path: the directories that Lean looks for them in, in order.
    """
    kept = {directory: _manifest(directory) for directory in search_path}
    yield from sorted({_content(path) for path in kept.values() if path is not None})
    found: dict[str, str] = {}
    listed: set[Path] = set()
    todo = list(imports)
    while todo:
        # The same module can be written in several ways.
        name = _quoted(components(todo.pop()))
        if name in found:
            continue
        directory = _directory(name, search_path)
        if directory is None:
            found[name] = "not here"
            continue
        olean = directory / module_path(name, ".olean")
        files = [directory / module_path(name, suffix) for suffix in _PARTS]
        if is_view(directory):
            found[name] = "ours"
        elif kept[directory] is not None:
            found[name] = " ".join(_stamp(file) for file in files)
        else:
            found[name] = " ".join(_content(file) for file in files)
        more = _imports_of(olean)
        if more is not None:
            todo += more
        elif directory not in listed and olean.is_file():
            # No format that we know: it may rest on anything there.
            listed.add(directory)
            found[str(directory)] = _listing(directory)
    yield from (f"{name} {found[name]}" for name in sorted(found))


def is_view(directory: Path) -> bool:
    """Whether a directory of compiled modules is one that we have made, and named by the digest of
    what is in it; see :mod:`pytest_vsb.lean.project`."""
    return directory.parent.name == "views" and _DIGEST.fullmatch(directory.name) is not None


def _directory(name: str, search_path: Sequence[Path]) -> Path | None:
    """As Lean does: the first directory with the name's root is the only one looked into."""
    root = module_path(_quoted(components(name)[:1]), "")
    for directory in search_path:
        place = directory / root
        if place.is_dir() or place.with_name(f"{place.name}.olean").is_file():
            return directory
    return None


def _quoted(parts: Sequence[str]) -> str:
    return ".".join(f"«{part}»" for part in parts)


def _manifest(directory: Path) -> Path | None:
    """The manifest of the project that Lake keeps a package for, given where the package's modules
    are; ``None`` for the project itself, and for a package that it does not keep."""
    for place in directory.parents:
        if place.name == "packages" and place.parent.name == ".lake":
            manifest = place.parent.parent / "lake-manifest.json"
        elif place.name == "lake-packages":
            manifest = place.parent / "lake-manifest.json"
        else:
            continue
        return manifest if manifest.is_file() else None
    return None


def _facts(file: Path) -> _Facts | None:
    try:
        facts = file.stat()
    except OSError:
        return None
    return str(file), facts.st_size, facts.st_mtime_ns, facts.st_ino


def _stamp(file: Path) -> str:
    facts = _facts(file)
    return "-" if facts is None else f"{facts[1]}/{facts[2]}"


def _content(file: Path) -> str:
    """The digest of a file; ``-`` if there is none."""
    facts = _facts(file)
    if facts is None:
        return "-"
    if facts not in _contents:
        try:
            digest = hashlib.sha256()
            with file.open("rb") as opened:
                while block := opened.read(1 << 20):
                    digest.update(block)
            _contents[facts] = digest.hexdigest()
        except OSError as error:
            return f"unreadable: {error.strerror}"
    return _contents[facts]


def _listing(directory: Path) -> str:
    """The digest of the names, sizes and times of all oleans below a directory."""
    entries = []
    for place, _, names in os.walk(directory):
        for name in names:
            if name.endswith(_PARTS):
                file = Path(place, name)
                entries.append(f"{file.relative_to(directory)} {_stamp(file)}")
    return hashlib.sha256("\0".join(sorted(entries)).encode("utf-8", "surrogateescape")).hexdigest()


def _imports_of(olean: Path) -> tuple[str, ...] | None:
    """The modules that a compiled module imports, by their parts; ``None`` if that cannot be
    told."""
    facts = _facts(olean)
    if facts is None:
        return None
    if facts not in _imports:
        _imports[facts] = None
        # Only a few pages of what can be many megabytes are looked at.
        with (
            contextlib.suppress(OSError, ValueError),
            olean.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
        ):
            _imports[facts] = read_imports(data)
    return _imports[facts]


def read_imports(data: bytes | mmap.mmap) -> tuple[str, ...] | None:
    """The names of the modules in the list of imports of an olean; ``None`` where the file is of no
    format that is known here.

    Args:
        data: the whole file.
    """
    base = _FORMATS.get(bytes(data[:6]))
    if base is None:
        return None
    for place in (base + 8, len(data) - 8):
        with contextlib.suppress(struct.error, IndexError, ValueError):
            return _Reader(data, base).imports(place)
    return None


class _Reader:
    """Reads objects; raises ValueError, IndexError or struct.error where something is none."""

    def __init__(self, data: bytes | mmap.mmap, base: int) -> None:
        self._data = data
        self._base = self._word(base)

    def imports(self, root: int) -> tuple[str, ...]:
        """The imports of the module whose address stands at ``root``."""
        module = self._object(root, tag=0)
        array = self._object(module + 8, tag=_ARRAY)
        size = self._word(array + 8)
        if size > _MOST:
            raise ValueError("too many")
        return tuple(self._name(array + 24 + 8 * number) for number in range(size))

    def _name(self, pointer: int) -> str:
        place = self._object(pointer, tag=0) + 8
        parts: list[str] = []
        while self._word(place) != 1:
            name = self._object(place, tag=1)
            parts.append(self._string(name + 16))
            if len(parts) > _MOST:
                raise ValueError("a name without end")
            place = name + 8
        return _quoted(parts[::-1])

    def _string(self, pointer: int) -> str:
        place = self._object(pointer, tag=_STRING)
        size = self._word(place + 8)
        if not 0 < size <= len(self._data) - place - 32:
            raise ValueError("too long")
        return bytes(self._data[place + 32 : place + 31 + size]).decode("utf-8")

    def _object(self, pointer: int, tag: int) -> int:
        """Where the object is that a pointer leads to."""
        place = self._word(pointer) - self._base
        if not 0 <= place < len(self._data) or place % 8:
            raise ValueError("no object")
        if _HEADER.unpack_from(self._data, place)[3] != tag:
            raise ValueError("another object")
        return place

    def _word(self, place: int) -> int:
        if place < 0:
            raise ValueError("before the file")
        found: int = _WORD.unpack_from(self._data, place)[0]
        return found
