"""A supervised command that is written to and read from while it runs.

The same supervisor, limits and confinement as in :mod:`pytest_vsb.lean.process`, and the same
promise: when this side goes, in whatever way, nothing of the command is left behind. There is no
wall limit of the command's own: whoever talks to it says how long to wait for an answer.
"""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import supervisor
from pytest_vsb.lean.process import (
    CANCEL,
    STOPPED,
    Completed,
    Kept,
    Limits,
    Running,
    make_job,
)
from pytest_vsb.lean.sandbox.box import Confinement
from pytest_vsb.waits import WAKE_SECONDS

_TAIL_BYTES = 1 << 16
_END_SECONDS = 2.0


class Stopped(Exception):
    """Another thread has asked for the end, or made it."""


class Interactive:
    """One command, started by :meth:`start` and ended by :meth:`end`.

    Making one has no effect, so that it can be noted before anything is there to be lost. All
    methods but :meth:`stop` and :meth:`end` are for one thread at a time.
    """

    def __init__(self) -> None:
        self._ending = threading.RLock()
        self._running: _Conversation | None = None
        self._stopped = False
        self._argv: tuple[str, ...] = ()
        self._passes_on = False

    def start(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        limits: Limits,
        confinement: Confinement | None = None,
        writes: Sequence[Path] = (),
    ) -> None:
        """Start the command; see :func:`pytest_vsb.lean.process.run` for the arguments.

        Of ``limits``, the wall-clock seconds and the size of the output do not count.

        Raises:
            EnvironmentUnavailable: no such command can be.
        """
        job = make_job(argv, cwd, env, limits, confinement, writes)
        job["wall"] = float("inf")
        self._argv = tuple(argv)
        self._passes_on = confinement is not None and confinement.tells_signals
        self._running = _Conversation()
        self._running.start(job, None, stays_open=True)

    def send(self, data: bytes) -> None:
        """Write to the command's stdin, as soon as it reads: that is, during :meth:`receive`."""
        if self._running is not None:
            self._running.queue(data)

    def receive(self, seconds: float) -> bytes | None:
        """What the command has written to its stdout: at least a byte of it.

        Nothing if it has not in so many seconds, and None once it has ended or closed its stdout.

        Raises:
            Stopped: see :meth:`stop` and :meth:`end`.
            EnvironmentUnavailable: the commands of this thread are to end; see
                :data:`pytest_vsb.lean.process.CANCEL`.
        """
        end = time.monotonic() + seconds
        cancel = CANCEL.get()
        while True:
            if cancel is not None and cancel.is_set():
                raise EnvironmentUnavailable(STOPPED)
            running = self._running
            if self._stopped or running is None:
                raise Stopped
            # In short steps, so that signals and `stop` are seen.
            left = end - time.monotonic()
            try:
                data = running.receive(min(left, WAKE_SECONDS))
            except (OSError, LookupError) as error:
                if self._stopped:
                    # Its pipes were closed meanwhile.
                    raise Stopped from error
                raise
            if data is None and self._stopped:
                # It has ended since it was ended here.
                raise Stopped
            if data != b"" or left <= WAKE_SECONDS:
                return data

    def is_over(self) -> bool:
        """Whether the command has ended, or was not started."""
        return self._running is None or self._running.is_over()

    def pids(self) -> tuple[int, ...]:
        """The processes of the command that are there, as far as that can be told."""
        started = None if self._running is None else self._running.started()
        if started is None:
            return ()
        return (started, *supervisor.linux_descendants(started))

    def stop(self) -> None:
        """Have a :meth:`receive` in another thread end soon, and each later one at once."""
        self._stopped = True

    def ending(self) -> Completed:
        """How a command that is about to end, or has ended, does; after this nothing is there.

        Raises:
            EnvironmentUnavailable: it could not be started at all.
            Stopped: see :meth:`end`.
        """
        running = self._running
        if running is None:
            raise Stopped
        try:
            running.wait(_END_SECONDS)
        finally:
            self.end()
        return running.completed(self._argv, passes_on=self._passes_on)

    def end(self) -> None:
        """Kill the command with all its descendants, if it runs; what others do with it is stopped.

        Safe any number of times and in any thread.
        """
        self._stopped = True
        with self._ending:
            running = self._running
            if running is None:
                return
            try:
                running.end()
            except BaseException:
                # Interrupted while clearing up: nothing must stay behind all the same.
                running.end()
                raise
            finally:
                self._running = None


class _Tail(Kept):
    """The last bytes of a stream."""

    def __init__(self) -> None:
        super().__init__(_TAIL_BYTES, None)

    def add(self, block: bytes) -> None:
        self.data += block
        if len(self.data) > self.limit:
            del self.data[: -self.limit]
            self.truncated = True


class _Conversation(Running):
    def __init__(self) -> None:
        super().__init__(0, None)
        self._err = _Tail()
        self._incoming = bytearray()
        self._poll = select.poll()
        self._over = False

    def start(self, job: dict[str, Any], stdin: bytes | None, *, stays_open: bool = False) -> None:
        super().start(job, stdin, stays_open=stays_open)
        out = next(fd for fd, kept in self._readers.items() if kept is self._out)
        self._readers[out] = self._incoming
        for fd in self._readers:
            self._poll.register(fd, select.POLLIN)

    def queue(self, data: bytes) -> None:
        if self._stdin >= 0:
            self._pending = memoryview(bytes(self._pending) + data)
            self._poll.register(self._stdin, select.POLLOUT)

    def receive(self, seconds: float) -> bytes | None:
        end = time.monotonic() + seconds
        while not self._incoming:
            left = end - time.monotonic()
            if self._over:
                return None
            if left <= 0:
                return b""
            self._step(left)
        data = bytes(self._incoming)
        self._incoming.clear()
        return data

    def wait(self, seconds: float) -> None:
        """Wait until the supervisor has told how the command ended."""
        end = time.monotonic() + seconds
        while not any(frame[0] in ("done", "failed") for frame in self._frames()):
            left = end - time.monotonic()
            if left <= 0 or self._status not in self._readers.values():
                return
            self._step(left)
            self._incoming.clear()

    def is_over(self) -> bool:
        """Whether an end has been seen, or is there to be seen."""
        status = next((fd for fd, kept in self._readers.items() if kept is self._status), None)
        while not self._over and status is not None:
            watch = select.poll()
            watch.register(status, select.POLLIN)
            if not watch.poll(0):
                return False
            if not self._take(status):
                self._poll.unregister(status)
                self._lose(status)
        return True

    def started(self) -> int | None:
        return next((frame[1] for frame in self._frames() if frame[0] == "started"), None)

    def _step(self, seconds: float) -> None:
        for fd, _ in self._poll.poll(min(seconds, WAKE_SECONDS) * 1000):
            if fd == self._stdin:
                if not self._feed():
                    self._poll.unregister(fd)
            elif not self._take(fd):
                self._poll.unregister(fd)
                self._lose(fd)

    def _lose(self, fd: int) -> None:
        """A stream has ended: without its stdout or its supervisor, a command is over."""
        kept = self._readers.pop(fd)
        if kept is self._status:
            # What its pipes still hold is all there is.
            for other in list(self._readers):
                while self._take(other, once=True):
                    continue
        self._over = self._over or kept is not self._err
