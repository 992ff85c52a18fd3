"""Scratch directories, which are gone afterwards even if their process was killed.

All of one process are in one directory with a lock that the process holds while it lives. Whoever
makes the next one removes those whose lock is free.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import filelock

from pytest_vsb.errors import EnvironmentUnavailable

PREFIX = "vsb-scratch-"
_LOCK = "lock"
_UNLOCKED_SECONDS = 3600.0


class _Session:
    """The directory of this process below one directory for temporary files."""

    def __init__(self, parent: Path) -> None:
        self.pid = os.getpid()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent)).resolve()
        self._lock = filelock.FileLock(self.path / _LOCK, thread_local=False)
        self._lock.acquire(blocking=False)

    def usable(self) -> bool:
        # A child that was forked must not share what its parent removes at its end.
        return self.pid == os.getpid() and (self.path / _LOCK).exists()

    def remove(self) -> None:
        if self.pid == os.getpid():
            self._lock.release(force=True)
            shutil.rmtree(self.path, ignore_errors=True)


_sessions: dict[Path, _Session] = {}
_guard = threading.Lock()


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A directory that is there as long as the context; its system errors are the environment's.

    Its path has no links in it. No other user may look into it.

    Raises:
        EnvironmentUnavailable: it cannot be made or written.
    """
    try:
        with tempfile.TemporaryDirectory(dir=_session().path, ignore_cleanup_errors=True) as name:
            yield Path(name)
    except OSError as error:
        raise EnvironmentUnavailable(
            f"a check cannot be made: {error.strerror or error}",
            where=str(error.filename or tempfile.gettempdir()),
            hint="is there room on the disk? TMPDIR names the directory for scratch files",
        ) from error


def _session() -> _Session:
    parent = Path(tempfile.gettempdir()).absolute()
    with _guard:
        session = _sessions.get(parent)
        if session is None or not session.usable():
            sweep(parent)
            session = _sessions[parent] = _Session(parent)
        return session


def sweep(parent: Path) -> None:
    """Remove what processes of this user that were killed have left in a directory."""
    for path in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if path.is_symlink() or path.stat().st_uid != os.getuid():
                continue
            if _is_left(path):
                shutil.rmtree(path, ignore_errors=True)


def _is_left(path: Path) -> bool:
    file = path / _LOCK
    if not file.exists():
        # Perhaps just being made.
        return time.time() - path.stat().st_mtime > _UNLOCKED_SECONDS
    lock = filelock.FileLock(file, thread_local=False)
    try:
        lock.acquire(blocking=False)
    except (filelock.Timeout, NotImplementedError):
        return False
    lock.release()
    return True


def _remove_all() -> None:
    for session in _sessions.values():
        session.remove()


atexit.register(_remove_all)
