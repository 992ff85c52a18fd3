"""What is computed from files, kept on disk between runs: bytes by what they were made from.

One SQLite database in the cache directory. It is only a cache: whatever goes wrong with it, what
was asked for is computed instead.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import filelock

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import cache
from pytest_vsb.repository.disks import is_shared

T = TypeVar("T")

LIMIT = 2 * 1024**3
"""How large the database may become, in bytes."""

_FILE = "repositories-1.sqlite3"
_BUSY_SECONDS = 30.0
# After so many failures in a row it is not tried again.
_PATIENCE = 3
_DAY = 24 * 3600
# How many reads or writes go by before ages are noted, or the size is looked at.
_BATCH = 64
# What is left of the limit when the oldest has been dropped.
_KEPT = 0.75
_SCHEMA = """
CREATE TABLE IF NOT EXISTS blobs (
    key BLOB PRIMARY KEY, used INTEGER NOT NULL, size INTEGER NOT NULL, sum INTEGER NOT NULL,
    data BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS blobs_by_use ON blobs (used, size);
"""


@dataclass(frozen=True)
class Held:
    """What a store holds."""

    entries: int
    size: int
    """Bytes of the database on disk, free space in it included."""


class Store:
    """Bytes by kind, version and digest. Any number of processes and threads may use it at once.

    Args:
        path: the database's file, made when it is first needed; None to keep nothing.
        limit: how large the file may become, in bytes; what was not used for longest goes first.

    ``notes`` says what went wrong with keeping, for a report.
    """

    def __init__(self, path: Path | None, *, limit: int = LIMIT) -> None:
        self.path = path
        self.limit = limit
        self.notes: list[str] = []
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self._inode = 0
        self._off = path is None
        self._failures = {"read": 0, "write": 0}
        self._writes = 0
        self._read: list[bytes] = []

    @property
    def keeps(self) -> bool:
        """Whether anything is kept, as far as is known."""
        return not self._off

    def get(self, kind: str, version: str, digest: str, make: Callable[[], bytes]) -> bytes:
        """What is kept under these three, or else what ``make`` returns, kept from then on.

        Args:
            kind: what it is.
            version: of the code that makes it: another version never sees what this one made.
            digest: of everything else that goes into it.
        """
        found = self.read(kind, version, digest)
        if found is None:
            found = make()
            self.write(kind, version, digest, found)
        return found

    def read(self, kind: str, version: str, digest: str) -> bytes | None:
        """What is kept under these three, None if nothing is or it is damaged."""
        key = _key(kind, version, digest)
        with self._lock:
            return self._guarded("read", lambda database: self._find(database, key))

    def write(self, kind: str, version: str, digest: str, data: bytes) -> None:
        """Keep this, in the place of what was kept before. It may be dropped at any time."""
        if len(data) > self.limit // 8:
            return
        row = (_key(kind, version, digest), _now(), len(data), zlib.crc32(data), data)
        with self._lock:
            self._guarded("write", lambda database: self._put(database, row))

    def held(self) -> Held:
        """How much is kept. Makes no database where there is none."""
        if self.path is None or not self.path.is_file():
            return Held(0, 0)
        with self._lock:
            count = self._guarded("read", _count) or 0
        sizes = (_size(_beside(self.path, suffix)) for suffix in ("", "-wal"))
        return Held(count, sum(sizes))

    def clear(self) -> bool:
        """Drop all that is kept. Returns whether that has been possible."""
        if self.path is None or not self.path.is_file():
            return True
        with self._lock:
            return self._guarded("write", _drop_all) is not None

    def close(self) -> None:
        """Let go of the database. It is opened again when something is asked for."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                with contextlib.suppress(sqlite3.Error):
                    self._note_use(self._connection)
                self._connection.close()
            self._connection = None

    # With a connection

    def _find(self, database: sqlite3.Connection, key: bytes) -> bytes | None:
        query = "SELECT used, sum, data FROM blobs WHERE key = ?"
        row: tuple[int, int, bytes] | None = database.execute(query, (key,)).fetchone()
        if row is None:
            return None
        used, checksum, data = row
        if zlib.crc32(data) != checksum:
            return None
        if used + _DAY < _now():
            self._read.append(key)
            if len(self._read) >= _BATCH:
                self._note_use(database)
        return data

    def _note_use(self, database: sqlite3.Connection) -> None:
        keys, self._read = self._read, []
        with _transaction(database):
            database.executemany(
                "UPDATE blobs SET used = ? WHERE key = ?", [(_now(), key) for key in keys]
            )

    def _put(self, database: sqlite3.Connection, row: tuple[bytes, int, int, int, bytes]) -> None:
        database.execute("INSERT OR REPLACE INTO blobs VALUES (?, ?, ?, ?, ?)", row)
        if self._writes % _BATCH == 0 or row[2] > self.limit // (8 * _BATCH):
            self._shrink(database)
        self._writes += 1

    def _shrink(self, database: sqlite3.Connection) -> None:
        pages, free, size = (
            int(database.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
        excess = (pages - free) * size - int(self.limit * _KEPT)
        if (pages - free) * size <= self.limit:
            return
        with _transaction(database):
            oldest = []
            for row, length in database.execute("SELECT rowid, size FROM blobs ORDER BY used"):
                if excess <= 0:
                    break
                oldest.append((row,))
                excess -= max(length, 200)
            database.executemany("DELETE FROM blobs WHERE rowid = ?", oldest)

    # Without one

    def _guarded(self, kind: str, action: Callable[[sqlite3.Connection], T | None]) -> T | None:
        """The result of an action on the database, None if the database is of no use."""
        for _ in range(2):
            # Each failure may have taken the time that is waited for a lock.
            if self._failures[kind] >= _PATIENCE:
                return None
            try:
                database = self._connected()
                found = action(database) if database is not None else None
                self._failures[kind] = 0
                return found
            except sqlite3.Error as error:
                if not _is_damage(error):
                    # Locked for long, full, or not writable: what it holds may still be read.
                    self._failures[kind] += 1
                    self._note(f"not all is kept in {self.path}: {error}")
                    return None
                self._set_aside(error)
            except OSError as error:
                self._off = True
                self._note(f"nothing is kept in {self.path}: {error.strerror or error}")
                return None
        return None

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)

    def _connected(self) -> sqlite3.Connection | None:
        if self._off or self.path is None:
            return None
        if self._connection is not None and self._process == os.getpid():
            return self._connection
        # A connection must not be used, nor closed, on the other side of a fork.
        self._process = os.getpid()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            database = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        except sqlite3.OperationalError as error:
            self._off = True
            raise OSError(str(error)) from error
        self._connection = database
        self._inode = self.path.stat().st_ino
        database.execute("PRAGMA synchronous = NORMAL")
        # The log's index is memory that processes share: those of several machines cannot.
        mode = "delete" if is_shared(self.path) else "wal"
        if database.execute("PRAGMA journal_mode").fetchone()[0] != mode:
            # Refused while another process does the same, or by the disk: slower, no worse.
            with contextlib.suppress(sqlite3.OperationalError):
                database.execute(f"PRAGMA journal_mode = {mode}")
        if database.execute("SELECT name FROM sqlite_master LIMIT 1").fetchone() is None:
            with _transaction(database):
                for statement in filter(str.strip, _SCHEMA.split(";")):
                    database.execute(statement)
        return database

    def _set_aside(self, error: sqlite3.Error) -> None:
        """Move a damaged database out of the way, unless another process already has."""
        assert self.path is not None
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None
        self._note(f"{self.path} was damaged and is made anew: {error}")
        try:
            with filelock.FileLock(_beside(self.path, ".lock"), timeout=_BUSY_SECONDS):
                if self.path.stat().st_ino != self._inode:
                    return
                # The log first: beside a new database it would be taken for the new one's.
                for suffix in ("-wal", "-shm", ""):
                    with contextlib.suppress(FileNotFoundError):
                        _beside(self.path, suffix).replace(_beside(self.path, f".damaged{suffix}"))
        except FileNotFoundError:
            return
        except (OSError, filelock.Timeout):
            self._off = True


def _key(kind: str, version: str, digest: str) -> bytes:
    text = "\0".join((kind, version, digest))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()


def _count(database: sqlite3.Connection) -> int:
    return int(database.execute("SELECT count(*) FROM blobs").fetchone()[0])


def _drop_all(database: sqlite3.Connection) -> bool:
    with _transaction(database):
        database.execute("DELETE FROM blobs")
    # The space is given back now if nobody else reads, and used again in any case.
    with contextlib.suppress(sqlite3.OperationalError):
        database.execute("VACUUM")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return True


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _now() -> int:
    return int(time.time())


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


@contextlib.contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether it says that the file is no database of ours, rather than that it is busy."""
    if type(error) is sqlite3.DatabaseError:
        return True
    return isinstance(error, sqlite3.OperationalError) and "no such" in str(error)


def open_store(file: str = _FILE, *, limit: int = LIMIT) -> Store:
    """A store in the cache directory; one that keeps nothing where no disk can be written.

    Args:
        file: the name of its file; that of what is computed from repositories, unless told.
        limit: how large it may become, in bytes.
    """
    try:
        place = cache.directory()
    except EnvironmentUnavailable as error:
        store = Store(None)
        store.notes.append(error.message)
        return store
    store = Store(place.path / file, limit=limit)
    if place.note:
        store.notes.append(f"what is kept is in {place.path}: {place.note}")
    return store
