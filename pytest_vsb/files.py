"""Writing files so that no reader, and no reader after a kill, ever sees a part of one; and the
digest of our own."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to be written in the place of ``path``.

    It takes that place, whole and on the disk, when the ``with`` ends well; otherwise what was
    there before is still there. Safe under many processes that write the same file.

    Raises:
        OSError: it cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def write_atomically(path: Path, content: bytes) -> None:
    """Replace the file at ``path`` by ``content``; see :func:`replacing`."""
    with replacing(path) as stream:
        stream.write(content)


_CODE_SUFFIXES = (".py", ".lean")


def code_digest(names: Iterable[str]) -> str:
    """The SHA-256, in hex, of the code of modules and packages below this one, by their paths in
    it."""
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for name in names:
        place = package / name
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.suffix in _CODE_SUFFIXES:
                data = file.read_bytes()
                digest.update(f"{file.relative_to(package).as_posix()} {len(data)}\n".encode())
                digest.update(data)
    return digest.hexdigest()
