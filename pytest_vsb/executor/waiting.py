"""Jobs that wait for a worker of the cluster, for whoever tells how far a run is.

The processes of a run each keep a small file while they wait; what one of them cannot write, or
read, is only not told.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from pytest_vsb.files import write_atomically

_LATE_SECONDS = 30.0
"""After its time is over, how long a wait may still be told: its process may have been killed."""


@dataclass(frozen=True)
class Wait:
    """A job that waits since ``since`` (seconds since the epoch), at most ``most`` seconds."""

    repository: str
    since: float
    most: float

    def text(self, now: float) -> str:
        """What is waited for, and how long already, in a few words."""
        waited = min(max(now - self.since, 0.0), self.most)
        return (
            f"waiting for a Dask worker with the repository {self.repository} "
            f"({waited:.0f} of {self.most:g} s)"
        )


class Notice:
    """Tells in a directory that this process waits, for as long as any of its jobs does."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._file = directory / f"{os.getpid()}-{uuid.uuid4().hex[:8]}.json"
        self._lock = threading.Lock()
        self._waits: dict[str, Wait] = {}

    def waits(self, job: str, repository: str, waited: float, most: float) -> None:
        """Say that a job has waited for so many seconds, if that is not said yet."""
        with self._lock:
            if job not in self._waits:
                self._waits[job] = Wait(repository, time.time() - waited, most)
                self._write()

    def over(self, job: str) -> None:
        """Say that a job waits no more."""
        with self._lock:
            if self._waits.pop(job, None) is not None:
                self._write()

    def _write(self) -> None:
        with contextlib.suppress(OSError):
            if self._waits:
                self._directory.mkdir(parents=True, exist_ok=True)
                first = min(self._waits.values(), key=lambda wait: wait.since)
                write_atomically(self._file, msgspec.json.encode(first))
            else:
                self._file.unlink(missing_ok=True)
                self._directory.rmdir()


def longest(directory: Path, now: float) -> Wait | None:
    """The wait that began first of those that the processes of a run tell of."""
    return min(_read(directory, now), key=lambda wait: wait.since, default=None)


def _read(directory: Path, now: float) -> Iterator[Wait]:
    for file in directory.glob("*.json"):
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            wait = msgspec.json.decode(file.read_bytes(), type=Wait)
            if now - wait.since <= wait.most + _LATE_SECONDS:
                yield wait
