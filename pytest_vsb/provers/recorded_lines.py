"""Files of JSON lines, plain or packed by gzip: what a recording is made of."""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from pytest_vsb.errors import UsageError
from pytest_vsb.files import replacing


def replace_lines(path: Path, lines: Iterable[bytes]) -> None:
    """Write a file in one step, with its directory; packed if its name ends in ``.gz``.

    Raises:
        OSError: it cannot be written; then what was there before is still there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        if path.suffix == ".gz":
            # No name and no time in it: the same answers make the same file.
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                packed.writelines(line + b"\n" for line in lines)
        else:
            file.writelines(line + b"\n" for line in lines)


class HashedFile(io.RawIOBase):
    """A file read once from its beginning, and the SHA-256 of all its bytes."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb", buffering=0)
        self._hash = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = self._file.readinto(buffer) or 0
        self._hash.update(memoryview(buffer)[:size])
        return size

    def digest(self) -> str:
        """The digest, also of what has not been read yet."""
        while self.read(1 << 16):
            continue
        return self._hash.hexdigest()

    def close(self) -> None:
        self._file.close()
        super().close()


def open_recording(path: Path) -> HashedFile:
    """Open a recording to read it once.

    Raises:
        UsageError: it is not there or cannot be opened.
    """
    try:
        return HashedFile(path)
    except FileNotFoundError as error:
        raise UsageError("there is no such recording", where=str(path)) from error
    except OSError as error:
        raise _unreadable(error, path) from error


def _unreadable(error: OSError, path: Path) -> UsageError:
    return UsageError(f"the recording cannot be read: {error.strerror or error}", where=str(path))


def json_lines(file: HashedFile, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of all lines that are not blank, with their 1-based numbers; unpacked if the
    file is packed, whatever its name.

    Raises:
        UsageError: the file cannot be read, is damaged, or a line is no JSON object.
    """
    stream = io.BufferedReader(file, 1 << 16)
    try:
        packed = stream.peek(2)[:2] == b"\x1f\x8b"
    except OSError as error:
        raise _unreadable(error, path) from error
    source: io.BufferedIOBase = gzip.GzipFile(fileobj=stream) if packed else stream
    number = 0
    try:
        while True:
            try:
                line = source.readline()
            except (OSError, EOFError, zlib.error) as error:
                if not packed and isinstance(error, OSError):
                    raise _unreadable(error, path) from error
                raise UsageError(
                    f"the compressed file is damaged: {error}", where=f"{path}:{number + 1}"
                ) from error
            if not line:
                return
            number += 1
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if not line.strip():
                continue
            yield number, _json_object(line, f"{path}:{number}")
    finally:
        # The caller closes the file itself.
        if not stream.closed:
            stream.detach()


def _json_object(line: bytes, where: str) -> dict[str, Any]:
    try:
        raw = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"the line is no JSON: {error}", where=where) from error
    if not isinstance(raw, dict):
        raise UsageError("the line is no JSON object", where=where)
    return raw
