"""What the judge said of candidates, kept in a file so that a later preparation need not ask again.

One JSON object a line, written when it is known. A line that a kill has torn is passed over.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from pytest_vsb.errors import UsageError
from pytest_vsb.prepare.reasons import JUDGED


@dataclass(frozen=True)
class Outcome:
    """What came of one filter for one candidate.

    Attributes:
        reason: the code of its rejection; empty if it passed.
        words: what exactly is wrong.
        assurance: the checks by which its proof was accepted.
    """

    reason: str = ""
    words: str = ""
    assurance: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether it did not reject the candidate."""
        return not self.reason


class _Line(msgspec.Struct, omit_defaults=True):
    key: str
    reason: str = ""
    words: str = ""
    assurance: tuple[str, ...] = ()


class Outcomes:
    """Outcomes by key, in memory and in a file. Safe under threads; made by :func:`open_outcomes`.

    Args:
        path: the file.
        stream: a descriptor of it, open for appending.
        known: those that are there.
    """

    def __init__(self, path: Path, stream: int, known: dict[str, Outcome]) -> None:
        self._path = path
        self._stream = stream
        self._known = known
        self._lock = threading.Lock()
        self._closed = False

    def get(self, key: str) -> Outcome | None:
        """The outcome kept under a key."""
        return self._known.get(key)

    def put(self, key: str, outcome: Outcome) -> None:
        """Keep an outcome.

        Raises:
            UsageError: it cannot be written.
        """
        line = _Line(key, outcome.reason, outcome.words, outcome.assurance)
        with self._lock:
            self._known[key] = outcome
            data = msgspec.json.encode(line) + b"\n"
            try:
                while data and not self._closed:
                    data = data[os.write(self._stream, data) :]
            except OSError as error:
                raise UsageError(
                    f"cannot be written: {error.strerror}", where=str(self._path)
                ) from error

    def close(self) -> None:
        """Write nothing more, whatever threads may still find out."""
        with self._lock:
            self._closed = True
            os.close(self._stream)


@contextlib.contextmanager
def open_outcomes(path: Path) -> Iterator[Outcomes]:
    """The outcomes kept in a file, which is made if need be and held until the ``with`` ends.

    Raises:
        UsageError: it cannot be written, or another process holds it.
    """
    try:
        stream = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror}", where=str(path), hint="choose another --output"
        ) from error
    try:
        _hold(stream, path)
        outcomes = Outcomes(path, stream, _read(stream, path))
    except BaseException:
        os.close(stream)
        raise
    try:
        yield outcomes
    finally:
        outcomes.close()


def _hold(stream: int, path: Path) -> None:
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Some file systems have no locks: then it is up to the user.
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            raise UsageError(
                "is in use by another preparation", where=str(path), hint="wait for its end"
            ) from error


def _read(stream: int, path: Path) -> dict[str, Outcome]:
    data = path.read_bytes()
    if data and not data.endswith(b"\n"):
        os.write(stream, b"\n")
    known: dict[str, Outcome] = {}
    for line in data.splitlines():
        with contextlib.suppress(msgspec.DecodeError, RecursionError):
            found = msgspec.json.decode(line, type=_Line)
            if found.reason in ("", *JUDGED):
                known[found.key] = Outcome(found.reason, found.words, found.assurance)
    return known
