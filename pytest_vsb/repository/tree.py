"""The Lean files of a directory tree, read again only where they changed."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from pytest_vsb.lean.imports import read_header
from pytest_vsb.repository.layout import LAKEFILES
from pytest_vsb.repository.store import Store
from pytest_vsb.repository.version import code_version
from pytest_vsb.source.introduced import commands_introduced

_KIND = "files"
# A file may change twice within one tick of its disk's clock.
_SETTLED_NS = 2_000_000_000
_Stamp = tuple[int, int, int, int]
_Row = tuple[str, _Stamp, int, str, tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class File:
    """A Lean file: its path below the root and the digest of its bytes.

    ``imports`` are the modules it imports, ``commands`` the words that begin commands of its own.
    """

    path: str
    digest: str
    imports: tuple[str, ...]
    commands: tuple[str, ...]


def read(root: Path, store: Store) -> tuple[list[File], list[str]]:
    """All Lean files below a directory by path, and which could not be used."""
    digest = hashlib.sha256(os.fsencode(root)).hexdigest()
    kept = store.read(_KIND, code_version(), digest)
    known = {row[0]: row for row in _decode(kept)} if kept is not None else {}
    files: list[File] = []
    rows: list[_Row] = []
    notes: list[str] = []
    changed = False
    for path, facts in _walk(root, notes):
        stamp = (facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_ino)
        row = known.get(path)
        if row is None or row[1] != stamp or max(stamp[1:3]) + _SETTLED_NS > row[2]:
            changed = True
            row = _read_file(root, path, stamp, notes)
        if row is None:
            continue
        rows.append(row)
        if row[3]:
            files.append(File(path, *row[3:]))
        else:
            notes.append(f"{path} is left out: it is not UTF-8 text")
    if changed or len(rows) != len(known):
        store.write(_KIND, code_version(), digest, msgspec.msgpack.encode(rows))
    files.sort(key=lambda file: file.path)
    return files, sorted(notes)


def _decode(data: bytes) -> list[_Row]:
    return msgspec.msgpack.decode(data, type=list[_Row])


def _read_file(root: Path, path: str, stamp: _Stamp, notes: list[str]) -> _Row | None:
    now = time.time_ns()
    try:
        data = (root / path).read_bytes()
    except OSError as error:
        notes.append(f"{path} is left out: it cannot be read: {error.strerror}")
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return path, stamp, now, "", (), ()
    digest = hashlib.sha256(data).hexdigest()
    commands = tuple(sorted(commands_introduced(text)))
    return path, stamp, now, digest, read_header(text).imports, commands


def _walk(root: Path, notes: list[str]) -> Iterator[tuple[str, os.stat_result]]:
    """The Lean files below a directory that may be modules, with what the disk says of them."""
    todo = [("", root)]
    while todo:
        prefix, directory = todo.pop()
        try:
            with os.scandir(directory) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            notes.append(f"{prefix or '.'} is left out: it cannot be read: {error.strerror}")
            continue
        is_package = not prefix or any(entry.name in LAKEFILES for entry in entries)
        for entry in entries:
            path = prefix + entry.name
            try:
                if entry.is_dir(follow_symlinks=False):
                    if not _is_skipped(entry.name, is_package):
                        todo.append((f"{path}/", directory / entry.name))
                elif _is_source(entry.name) and _is_inside(root, entry):
                    path.encode("utf-8")
                    yield path, entry.stat()
            except UnicodeEncodeError:
                notes.append(f"{path!r} is left out: its name is not UTF-8")
            except OSError as error:
                notes.append(f"{path} is left out: it cannot be read: {error.strerror}")


def _is_skipped(name: str, in_package: bool) -> bool:
    if name.startswith("."):
        return True
    # Where Lake 3 and older put what they made and fetched.
    return in_package and name in ("build", "lake-packages")


def _is_source(name: str) -> bool:
    return name.endswith(".lean") and not name.startswith(".") and name not in LAKEFILES


def _is_inside(root: Path, entry: os.DirEntry[str]) -> bool:
    if not entry.is_symlink():
        return entry.is_file()
    return entry.is_file() and Path(entry.path).resolve().is_relative_to(root.resolve())
