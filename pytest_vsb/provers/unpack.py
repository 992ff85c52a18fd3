"""What a remote prover gives back: an archive, a file or a patch, none of it trusted.

Archives are read in memory, only their ``.lean`` files, and only within bounds: nothing is written
to disk, links and devices are passed over, and a name that leads out of the archive is refused.
"""

from __future__ import annotations

import gzip
import io
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from pytest_vsb.errors import VsbError


class BadReturn(VsbError):
    """What came back is no archive or patch that can be used."""


@dataclass(frozen=True)
class Bounds:
    """How much is read of an archive: bytes before and after decompression, and files."""

    packed: int = 200_000_000
    unpacked: int = 100_000_000
    file: int = 2_000_000
    files: int = 20_000


def read_archive(data: bytes, bounds: Bounds = Bounds()) -> dict[str, str]:
    """The ``.lean`` files of a ``.tar``, ``.tar.gz`` or ``.zip``, by their paths in it.

    Raises:
        BadReturn: it is none of these, is damaged, is too large, or holds an unsafe name.
    """
    if len(data) > bounds.packed:
        raise BadReturn(f"the archive is {len(data):,} bytes, more than {bounds.packed:,}")
    try:
        if data[:2] == b"PK":
            return _collected(_zip_members(data, bounds), bounds)
        if data[:2] == b"\x1f\x8b":
            data = _gunzip(data, bounds.unpacked)
        return _collected(_tar_members(data), bounds)
    except BadReturn:
        raise
    except (
        OSError,
        EOFError,
        ValueError,
        LookupError,
        NotImplementedError,
        RuntimeError,
        zlib.error,
        zipfile.BadZipFile,
        tarfile.TarError,
    ) as error:
        raise BadReturn(f"the archive cannot be read: {error}") from error


def _gunzip(data: bytes, most: int) -> bytes:
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
        found = stream.read(most + 1)
    if len(found) > most:
        raise BadReturn(f"the archive holds more than {most:,} bytes")
    return found


def _tar_members(data: bytes) -> Iterator[tuple[str, int, io.BufferedIOBase]]:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for member in archive:
            if not member.isfile() or member.issparse():
                continue
            stream = archive.extractfile(member)
            if stream is not None:
                yield member.name, member.size, stream  # type: ignore[misc]


def _zip_members(data: bytes, bounds: Bounds) -> Iterator[tuple[str, int, io.BufferedIOBase]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for member in archive.infolist():
            # The file type that Unix puts into the attributes; 0 where there is none.
            kind = member.external_attr >> 28
            if member.is_dir() or kind not in (0, 0o10):
                continue
            if member.flag_bits & 1:
                raise BadReturn("the archive is encrypted")
            with archive.open(member) as stream:
                yield member.filename, member.file_size, stream  # type: ignore[misc]


def _collected(
    members: Iterator[tuple[str, int, io.BufferedIOBase]], bounds: Bounds
) -> dict[str, str]:
    found: dict[str, str] = {}
    left = bounds.unpacked
    for count, (name, size, stream) in enumerate(members, 1):
        if count > bounds.files:
            raise BadReturn(f"the archive holds more than {bounds.files:,} files")
        path = safe_path(name)
        if path.suffix != ".lean" or any(part.startswith(".") for part in path.parts[:-1]):
            continue
        # The size that an archive states is a claim; what is read is bounded by itself.
        content = stream.read(min(bounds.file, left) + 1)
        if max(size, len(content)) > bounds.file or len(content) > left:
            raise BadReturn(f"the archive's {path} is too large")
        left -= len(content)
        found[str(path)] = decoded(content, str(path))
    return found


def safe_path(name: str) -> PurePosixPath:
    """A name in an archive or patch as a relative path.

    Raises:
        BadReturn: it is absolute, leads out, or cannot be a name.
    """
    path = PurePosixPath(name)
    drive = re.match(r"[A-Za-z]:", name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name or drive:
        raise BadReturn(f"an unsafe name: {name!r}")
    if not path.parts or len(name) > 1000:
        raise BadReturn(f"no name for a file: {name[:100]!r}")
    return path


def decoded(content: bytes, name: str) -> str:
    """A file's text.

    Raises:
        BadReturn: it is not UTF-8.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadReturn(f"{name} is not UTF-8: {error}") from error


def below(files: Mapping[str, str], path: str) -> dict[str, str]:
    """The files of an archive relative to the project in it.

    An archive may hold the project in a directory of its own: where that is shows ``path``, which
    the project has. The copy least deep counts.

    Raises:
        BadReturn: no file of the archive is at that path.
    """
    wanted = PurePosixPath(path).parts
    tops = [
        parts[: len(parts) - len(wanted)]
        for parts in (PurePosixPath(name).parts for name in files)
        if parts[-len(wanted) :] == wanted
    ]
    if not tops:
        raise BadReturn(f"the archive has no {path}")
    top = min(tops, key=lambda parts: (len(parts), parts))
    found: dict[str, str] = {}
    for name, text in files.items():
        parts = PurePosixPath(name).parts
        if parts[: len(top)] == top:
            found["/".join(parts[len(top) :])] = text
    return found


# Patches

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_NO_NEWLINE = "\\"


def apply_patch(files: Mapping[str, str], patch: str) -> dict[str, str]:
    """Text files changed by a patch in the unified form, as ``git diff`` writes it.

    A hunk must fit exactly, at its line or at the one nearest to it. Changes to files other than
    ``.lean`` files are passed over, and so are removals.

    Raises:
        BadReturn: the patch cannot be read, does not fit, or has an unsafe name.
    """
    found = dict(files)
    lines = _lines(patch)
    at = 0
    old = ""
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith("--- "):
            old = _patched_name(line)
        elif line.startswith("+++ "):
            new = _patched_name(line)
            hunks, at = _hunks(lines, at)
            if new and new.endswith(".lean"):
                given = found.get(old, "") if old else ""
                if old and old not in found:
                    raise BadReturn(f"the patch changes {old}, which was not sent")
                found[new] = _changed(given, hunks, new)
        elif line.startswith("GIT binary patch"):
            raise BadReturn("the patch is binary")
        elif _HUNK.match(line):
            raise BadReturn("the patch has a change without a file")
    return found


def _lines(text: str) -> list[str]:
    """The lines of a text with their ends. Only a line feed ends one, unlike in ``splitlines``."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _patched_name(line: str) -> str:
    """The path in a ``---`` or ``+++`` line, empty for no file."""
    name = line[4:].rstrip("\r\n").partition("\t")[0]
    if name == "/dev/null":
        return ""
    if name.startswith('"'):
        try:
            name = name.strip('"').encode("latin-1").decode("unicode_escape")
            name = name.encode("latin-1").decode("utf-8")
        except UnicodeError as error:
            raise BadReturn(f"a name that cannot be read: {line.strip()!r}") from error
    path = safe_path(name)
    return "/".join(path.parts[1:] if path.parts[0] in ("a", "b") else path.parts)


_Hunk = tuple[int, list[str], list[str]]


def _hunks(lines: list[str], at: int) -> tuple[list[_Hunk], int]:
    """The hunks of one file from a line on: where, the old lines and the new ones."""
    found: list[_Hunk] = []
    while at < len(lines) and (head := _HUNK.match(lines[at])):
        at += 1
        old: list[str] = []
        new: list[str] = []
        previous = ""
        want_old = int(head[2]) if head[2] is not None else 1
        want_new = int(head[4]) if head[4] is not None else 1
        while len(old) < want_old or len(new) < want_new or _is_marker(lines, at):
            if at >= len(lines):
                raise BadReturn("the patch ends in the middle")
            line = lines[at]
            at += 1
            mark, rest = line[:1], line[1:]
            if mark == _NO_NEWLINE:
                for side, marks in ((old, " -"), (new, " +")):
                    if side and previous in marks:
                        side[-1] = side[-1].rstrip("\r\n")
                continue
            if mark not in (" ", "-", "+", "\n"):
                raise BadReturn(f"the patch has a line that begins with {mark!r}")
            previous = mark = " " if mark == "\n" else mark
            rest = rest or "\n"
            if mark in " -":
                old.append(rest)
            if mark in " +":
                new.append(rest)
        if (len(old), len(new)) != (want_old, want_new):
            raise BadReturn("a change in the patch has other lines than it says")
        found.append((int(head[1]), old, new))
    return found, at


def _is_marker(lines: list[str], at: int) -> bool:
    return at < len(lines) and lines[at].startswith(_NO_NEWLINE)


def _changed(text: str, hunks: list[_Hunk], name: str) -> str:
    given = _lines(text)
    result: list[str] = []
    done = 0
    for start, old, new in hunks:
        # A hunk without old lines goes after the line it names.
        wanted = start if not old else start - 1
        place = _place(given, old, max(wanted, done), done)
        if place is None:
            raise BadReturn(f"the patch does not fit {name} at line {start}")
        result += [*given[done:place], *new]
        done = place + len(old)
    return "".join([*result, *given[done:]])


def _place(given: list[str], old: list[str], wanted: int, least: int) -> int | None:
    last = len(given) - len(old)
    if least <= wanted <= last and given[wanted : wanted + len(old)] == old:
        return wanted
    fits = [n for n in range(least, last + 1) if given[n : n + len(old)] == old] if old else []
    return min(fits, key=lambda n: abs(n - wanted), default=None)
