"""A bound on how many Lean processes run at once, over all workers on this machine."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import filelock

from pytest_vsb.errors import EnvironmentUnavailable

_POLL_SECONDS = 0.02


class LeanSlots:
    """A number of slots, each a lock on a file, shared by all who name the same directory.

    The operating system frees the slot of a holder that dies.

    Args:
        directory: where the locks are; made if missing.
        limit: how many may be held at once, at least 1.

    Raises:
        ValueError: the limit is below 1.
        EnvironmentUnavailable: the directory cannot be made.
    """

    def __init__(self, directory: Path, limit: int) -> None:
        if limit < 1:
            raise ValueError(f"at least one slot is needed, not {limit}")
        self.directory = directory
        self.limit = limit
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EnvironmentUnavailable(
                f"cannot make a directory for locks: {error.strerror}", where=str(directory)
            ) from error

    @contextlib.contextmanager
    def acquire(self) -> Iterator[float]:
        """Hold a slot inside the ``with``. The value is how many seconds the wait for it took.

        Raises:
            EnvironmentUnavailable: the locks cannot be used, as on some network file systems.
        """
        start = time.monotonic()
        # Each starts its round at another slot, so that no slot has a crowd.
        first = os.getpid() % self.limit
        order = [(first + step) % self.limit for step in range(self.limit)]
        locks = [
            filelock.FileLock(self.directory / f"slot-{number}.lock", thread_local=False)
            for number in order
        ]
        held: filelock.BaseFileLock | None = None
        try:
            while held is None:
                for lock in locks:
                    # Set first: an exception between acquiring and noting it must release it too.
                    held = lock
                    if _try(lock):
                        break
                    held = None
                else:
                    time.sleep(_POLL_SECONDS)
            yield time.monotonic() - start
        finally:
            if held is not None:
                held.release()


def _try(lock: filelock.BaseFileLock) -> bool:
    try:
        lock.acquire(blocking=False)
    except filelock.Timeout:
        return False
    except (OSError, NotImplementedError) as error:
        raise EnvironmentUnavailable(
            f"cannot lock a file: {error}", where=str(lock.lock_file)
        ) from error
    return True
