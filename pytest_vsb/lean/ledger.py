"""The ledger of all Lean processes on this machine that share one bound: who runs, who waits, and
what memory each is to have."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import select
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Concatenate, Literal, ParamSpec, TypeVar

import msgspec

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import machine

State = Literal["waiting", "running", "resident"]

_P = ParamSpec("_P")
_T = TypeVar("_T")


@dataclass(frozen=True)
class Entry:
    """One process that runs, is to run, or stays in memory while nothing is asked of it.

    ``pid`` and ``born`` are of the process that asked for it. ``kind`` tells by what it is
    measured, in short. ``memory_mb`` is what it is to have, 0 if it needs none beside what others
    have been given for it. ``sure`` is false while nothing is known of its kind. ``starved``: only
    memory keeps it waiting.
    """

    id: str
    pid: int
    born: str
    state: State
    kind: str = ""
    memory_mb: float = 0.0
    sure: bool = True
    ticket: int = 0
    starved: bool = False


@dataclass
class Book:
    """The entries, the number of the next that waits, the most memory that one which ran was known
    to need, and whether it has been said that memory is short."""

    entries: list[Entry] = field(default_factory=list)
    next: int = 1
    largest_mb: float = 0.0
    said: bool = False

    def of(self, state: State) -> list[Entry]:
        return [entry for entry in self.entries if entry.state == state]

    def waiting(self, *, memory: bool) -> list[Entry]:
        """Those that wait, in their order: with a need of memory, or without."""
        found = [e for e in self.of("waiting") if bool(e.memory_mb) == memory]
        return sorted(found, key=lambda entry: entry.ticket)

    @property
    def starving(self) -> bool:
        """Whether somebody waits for memory alone."""
        return any(entry.starved for entry in self.entries)

    def remove(self, id: str) -> None:
        self.entries = [entry for entry in self.entries if entry.id != id]

    def put(self, entry: Entry) -> None:
        """Add it, in the place of the one with its id if there is one."""
        self.remove(entry.id)
        self.entries.append(entry)

    def change(self, id: str, **changes: object) -> None:
        self.entries = [
            replace(entry, **changes) if entry.id == id else entry  # type: ignore[arg-type]
            for entry in self.entries
        ]

    def bury(self) -> bool:
        """Remove the entries of processes that have died; whether there were any."""
        born = {pid: machine.started(pid) for pid in {entry.pid for entry in self.entries}}
        alive = [entry for entry in self.entries if born[entry.pid] == entry.born]
        gone = len(alive) < len(self.entries)
        self.entries = alive
        return gone


class Ledger:
    """A book in a directory, changed by one at a time.

    It is written in place, under a lock on the file: it is short, and to replace the file would
    take the file system longer than all the rest.

    Raises:
        EnvironmentUnavailable: the directory cannot be made.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._file = directory / "ledger.json"
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EnvironmentUnavailable(
                f"cannot make a directory for locks: {error.strerror}", where=str(directory)
            ) from error

    def change(
        self, work: Callable[Concatenate[Book, _P], _T], *args: _P.args, **kwargs: _P.kwargs
    ) -> _T:
        """What ``work`` returns, which is given the book, for this thread alone, and what else is
        to be passed to it. When it has ended well, the book is written.

        Raises:
            EnvironmentUnavailable: it cannot be written, or not locked, as on some network file
                systems.
        """
        # Not a ``with`` of our own around what others do: an exception of a signal's handler, just
        # before it is entered or left, would keep the lock, and the next would wait for it forever.
        try:
            if not self._file.exists():
                self._file.touch()
            with self._file.open("r+b", buffering=0) as file:
                # Closing it gives the lock back, and so does the end of this process.
                fcntl.flock(file, fcntl.LOCK_EX)
                before = file.read()
                book = _decode(before)
                done = work(book, *args, **kwargs)
                after = msgspec.json.encode(book)
                if after != before.rstrip():
                    # In one piece, and over all that was there.
                    os.pwrite(file.fileno(), after.ljust(len(before)), 0)
            return done
        except OSError as error:
            raise EnvironmentUnavailable(
                f"cannot lock or write a file: {error.strerror or error}", where=str(self._file)
            ) from error

    def look(self) -> Book:
        """The book as it is; an empty one where it cannot be read."""
        try:
            with self._file.open("rb", buffering=0) as file:
                fcntl.flock(file, fcntl.LOCK_SH)
                return _decode(file.read())
        except OSError:
            return Book()

    # Bells

    def bell(self, id: str) -> Bell:
        """What wakes who waits with this id, until it is taken down."""
        return Bell(self._bell(id))

    def take_down(self, id: str) -> None:
        """Remove the bell of who has waited with this id, if there is one."""
        with contextlib.suppress(OSError):
            self._bell(id).unlink(missing_ok=True)

    def ring(self, id: str) -> None:
        """Wake who waits with this id, if somebody does."""
        with contextlib.suppress(OSError), io.FileIO(self._bell(id), "r+") as bell:
            # Whoever does not hear it must not hold up others.
            os.set_blocking(bell.fileno(), False)
            bell.write(b"\0")

    def sweep(self, book: Book) -> None:
        """Remove the bells of those that are not in the book any more: they died waiting."""
        there = {self._bell(entry.id) for entry in book.of("waiting")}
        for path in self.directory.glob("bell-*"):
            if path not in there:
                path.unlink(missing_ok=True)

    def _bell(self, id: str) -> Path:
        return self.directory / f"bell-{id}"


class Bell:
    """Waits to be woken.

    Args:
        path: where it hangs.
    """

    _WITHOUT_SECONDS = 0.02

    def __init__(self, path: Path) -> None:
        self._file: io.FileIO | None = None
        self._poll = select.poll()
        # There are file systems without such files.
        with contextlib.suppress(OSError):
            os.mkfifo(path)
            # For writing too: otherwise it would ring for ever once its first writer is gone.
            self._file = io.FileIO(path, "r+")
            os.set_blocking(self._file.fileno(), False)
            self._poll.register(self._file, select.POLLIN)

    def wait(self, seconds: float) -> None:
        """Wait for the bell, at most so long. A signal's handler is run at once."""
        if self._file is None:
            seconds = min(seconds, self._WITHOUT_SECONDS)
        if self._poll.poll(seconds * 1000) and self._file is not None:
            self._file.read(4096)

    def close(self) -> None:
        """Hear nothing any more."""
        if self._file is not None:
            self._file.close()


def _decode(data: bytes) -> Book:
    if not data.strip():
        return Book()
    try:
        return msgspec.json.decode(data, type=Book)
    except msgspec.DecodeError:
        # Not ours any more: what it said is lost, but nobody waits for it for ever.
        return Book()
