"""Running one command under limits, so that nothing of it is left behind, whatever happens.

Each command runs below a small supervisor process (:mod:`pytest_vsb.lean.supervisor`), which
enforces the time and memory limits, kills every descendant when the command ends, and does the same
when this process dies. This side only feeds and drains the pipes.
"""

from __future__ import annotations

import collections
import contextlib
import fcntl
import functools
import itertools
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import psutil

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import supervisor
from pytest_vsb.lean.sandbox.box import Confinement
from pytest_vsb.waits import WAKE_SECONDS

_GRACE_SECONDS = 15.0
_BLOCK = 1 << 16
_FIRST_FD = 10
STOPPED = "the command was stopped before its end"
_CRASH_SIGNALS = frozenset({4, 6, 7, 8, 9, 10, 11})


@dataclass(frozen=True)
class Limits:
    """What a command may use."""

    wall_seconds: float
    """Seconds from its start until it is killed."""
    memory_mb: int | None = None
    """Resident memory of the whole process tree in MiB, or None for no limit."""
    output_bytes: int = 8 * 2**20
    """Bytes kept of each of stdout and stderr; the rest is read and dropped."""
    threads: int | None = None
    """Threads at once of the whole process tree, at least one a process, or None for no limit."""
    disk_bytes: int = 2**31
    """Bytes in the directories that the command may write, where they are told."""
    disk_files: int = 4096
    """Files and directories in them."""


class Outcome(str, Enum):
    """How a command ended."""

    EXITED = "exited"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out_of_memory"
    TOO_MANY_PROCESSES = "too_many_processes"
    TOO_MUCH_DISK = "too_much_disk"
    KILLED = "killed"
    """By a signal that it did not handle: a crash."""


@dataclass(frozen=True)
class Completed:
    """A command that has ended, with all its descendants."""

    argv: tuple[str, ...]
    outcome: Outcome
    exit_code: int | None
    """None if a signal ended it, or we did."""
    signal: int | None
    """The signal that ended it, ours included."""
    stdout: str
    stderr: str
    truncated: bool
    """Whether stdout or stderr was longer than the limit."""
    wall_seconds: float
    cpu_seconds: float
    """User and system time of the command and of those descendants that were waited for; of all
    that ran at the end, where it was killed."""
    peak_memory_mb: float
    """The largest resident memory seen, in MiB."""

    @property
    def crashed(self) -> bool:
        """Whether it died of a fault, also as told by a shell between us: 128 + signal."""
        if self.outcome is Outcome.KILLED:
            return True
        return self.exit_code is not None and self.exit_code - 128 in _CRASH_SIGNALS

    @property
    def stack_overflow(self) -> bool:
        """Whether Lean said on stderr that its stack overflowed before it died."""
        return self.crashed and "stack overflow" in self.stderr.lower()


class Cancel:
    """Lets another thread end commands: all that were run with it, and all that will be.

    It holds two file descriptors until it is closed.
    """

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()
        self._lock = threading.Lock()

    def set(self) -> None:
        """End the commands. Safe in any thread, any number of times."""
        with self._lock:
            if self._writer >= 0:
                # The end of the stream, which every poll sees and no read can take away.
                os.close(self._writer)
                self._writer = -1

    def is_set(self) -> bool:
        """Whether it was set."""
        return self._writer < 0

    def fileno(self) -> int:
        """The descriptor that is readable once this is set; negative once it is closed."""
        return self._reader

    def close(self) -> None:
        """End the commands and give the descriptors back; no command may still be running."""
        self.set()
        with self._lock:
            if self._reader >= 0:
                os.close(self._reader)
                self._reader = -1


CANCEL: ContextVar[Cancel | None] = ContextVar("CANCEL", default=None)
"""What ends the commands of this thread that were given no ``cancel`` of their own."""


def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    limits: Limits,
    stdin: bytes | None = None,
    cancel: Cancel | None = None,
    sink: Callable[[bytes], object] | None = None,
    confinement: Confinement | None = None,
    writes: Sequence[Path] = (),
) -> Completed:
    """Run a command to its end and return what it said and used.

    The command has exactly the environment ``env``, its own session, no core dump, and an empty
    stdin if none is given. When it ends, what it started ends too. Safe in any thread. If an
    exception is raised in the middle (Ctrl-C, a test's timeout), the whole tree is killed before
    the exception goes on. ``sink`` is given all that the command says, on stdout and stderr, as it
    comes and without a limit; what it raises ends the command and goes on.
    With a ``confinement``, its command is run instead, confined; the result names ``argv``.
    ``writes`` are the directories for which the limits on disk hold.

    Raises:
        EnvironmentUnavailable: the command cannot be started at all, or ``cancel`` ended it.
    """
    job = make_job(argv, cwd, env, limits, confinement, writes)
    running = Running(limits.output_bytes, sink)
    try:
        running.start(job, stdin)
        running.drain(limits.wall_seconds + _GRACE_SECONDS, cancel or CANCEL.get())
    finally:
        try:
            running.end()
        except BaseException:
            # Interrupted while clearing up: nothing must stay behind all the same.
            running.end()
            raise
    passes_on = confinement is not None and confinement.tells_signals
    return running.completed(tuple(argv), passes_on=passes_on)


def make_job(
    argv: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    limits: Limits,
    confinement: Confinement | None,
    writes: Sequence[Path],
) -> dict[str, Any]:
    """What the supervisor is told of a command.

    Raises:
        EnvironmentUnavailable: no command can have such words.
    """
    if not argv:
        raise ValueError("an empty command")
    started = confinement.argv if confinement is not None else argv
    directories = [os.fsencode(path) for path in writes]
    words = [os.fsencode(word) for word in started]
    if any(b"\0" in word for word in [*words, os.fsencode(cwd)]):
        raise EnvironmentUnavailable("a command or directory with a NUL character", where=argv[0])
    return {
        "argv": words,
        "steps": dict(confinement.steps) if confinement is not None else None,
        "env": {os.fsencode(name): os.fsencode(value) for name, value in env.items()},
        "cwd": os.fsencode(cwd),
        "wall": max(0.0, float(limits.wall_seconds)),
        "memory": None if limits.memory_mb is None else limits.memory_mb * 2**20,
        "threads": limits.threads,
        "disk": (directories, limits.disk_bytes, limits.disk_files) if directories else None,
    }


class Kept:
    """The first bytes of a stream."""

    def __init__(self, limit: int, sink: Callable[[bytes], object] | None) -> None:
        self.data = bytearray()
        self.limit = limit
        self.sink = sink
        self.truncated = False

    def add(self, block: bytes) -> None:
        if self.sink is not None and block:
            self.sink(block)
        room = self.limit - len(self.data)
        self.data += block[: max(0, room)]
        self.truncated = self.truncated or len(block) > room

    def text(self) -> str:
        return self.data.decode("utf-8", errors="replace")


class Running:
    """A supervisor and our ends of its pipes, for this module and `interactive`.

    A signal handler's exception can strike between any two bytecodes. So what must not be parted,
    such as making a descriptor and noting it, is done here inside one call of C code.
    """

    def __init__(self, output_bytes: int, sink: Callable[[bytes], object] | None) -> None:
        self._pids: list[int] = []
        self._fds: list[int] = []
        self._control = -1
        self._stdin = -1
        self._pending = memoryview(b"")
        self._status = bytearray()
        self._unanswered = False
        self._began = time.monotonic()
        self._readers: dict[int, Kept | bytearray] = {}
        self._out, self._err = Kept(output_bytes, sink), Kept(output_bytes, sink)

    def start(self, job: dict[str, Any], stdin: bytes | None, *, stays_open: bool = False) -> None:
        """Start the supervisor, and it the command.

        ``stays_open`` says that more is written to the command later.
        """
        if not sys.executable:
            raise EnvironmentUnavailable("this Python does not know its own executable")
        command_in, our_in = self._pipe() if stdin or stays_open else (self._null(), -1)
        our_out, command_out = self._pipe()
        our_err, command_err = self._pipe()
        our_status, status_out = self._pipe()
        control_in, control = self._pipe()
        theirs = {0: command_in, 1: command_out, 2: command_err}
        theirs |= {supervisor.CONTROL: control_in, supervisor.STATUS: status_out}
        spawn = functools.partial(
            os.posix_spawn,
            file_actions=[(os.POSIX_SPAWN_DUP2, ours, number) for number, ours in theirs.items()],
            setsigmask=[],
        )
        command = [sys.executable, "-I", "-S", str(Path(supervisor.__file__))]
        # Our own environment may hold keys, and the command could read it from /proc.
        keep = {"LD_LIBRARY_PATH", "PATH"} & os.environ.keys()
        environment = {name: os.environ[name] for name in keep}
        self._control = control
        self._pids.extend(map(spawn, [sys.executable], [command], [environment]))
        for fd in theirs.values():
            self._close(fd)
        for fd in (our_out, our_err, our_status):
            os.set_blocking(fd, False)
        self._readers = {our_out: self._out, our_err: self._err, our_status: self._status}
        self._write_job(supervisor.encode_frame(job))
        if our_in >= 0:
            os.set_blocking(our_in, False)
            self._stdin = our_in
            self._pending = memoryview(stdin or b"")

    def _pipe(self) -> tuple[int, int]:
        self._fds.extend(itertools.chain.from_iterable(itertools.starmap(os.pipe, [()])))
        reader, writer = self._fds[-2:]
        return self._raised(reader), self._raised(writer)

    def _null(self) -> int:
        self._fds.extend(itertools.starmap(os.open, [(os.devnull, os.O_RDONLY)]))
        return self._raised(self._fds[-1])

    def _raised(self, fd: int) -> int:
        """The descriptor under a number above the targets of the child's dup2 calls."""
        self._fds.extend(itertools.starmap(fcntl.fcntl, [(fd, fcntl.F_DUPFD_CLOEXEC, _FIRST_FD)]))
        raised = self._fds[-1]
        self._close(fd)
        return raised

    def _close(self, fd: int) -> None:
        if fd in self._fds:
            _exhaust(map(os.close, map(self._fds.pop, [self._fds.index(fd)])))

    def _close_all(self) -> None:
        # The control pipe was made last: it is closed first, and the supervisor clears up.
        while self._fds:
            with contextlib.suppress(OSError):
                _exhaust(map(os.close, map(self._fds.pop, [-1])))

    def _write_job(self, data: bytes) -> None:
        # A supervisor that died at once shows as one that said nothing, in `completed`.
        with contextlib.suppress(BrokenPipeError):
            view = memoryview(data)
            while view:
                view = view[os.write(self._control, view) :]

    def drain(self, patience: float, cancel: Cancel | None) -> None:
        """Feed and read until the supervisor has ended, or for so many seconds.

        Raises:
            EnvironmentUnavailable: ``cancel`` was set.
        """
        status_fd = next(fd for fd, kept in self._readers.items() if kept is self._status)
        end = time.monotonic() + patience
        poll = select.poll()
        for fd in self._readers:
            poll.register(fd, select.POLLIN)
        if self._stdin >= 0:
            poll.register(self._stdin, select.POLLOUT)
        cancelled = -1
        if cancel is not None:
            cancelled = cancel.fileno()
            if cancelled < 0:
                raise EnvironmentUnavailable(STOPPED)
            poll.register(cancelled, select.POLLIN)
        while True:
            left = end - time.monotonic()
            if left <= 0:
                self._unanswered = True
                return
            for fd, _ in poll.poll(min(left, WAKE_SECONDS) * 1000):
                if fd == cancelled:
                    raise EnvironmentUnavailable(STOPPED)
                if fd == self._stdin:
                    if not self._feed():
                        poll.unregister(fd)
                        self._close(fd)
                        self._stdin = -1
                elif not self._take(fd):
                    poll.unregister(fd)
                    if fd == status_fd:
                        # The command is over: what its pipes still hold is all there is.
                        for other in list(self._readers):
                            while other != status_fd and self._take(other, once=True):
                                continue
                        return

    def _feed(self) -> bool:
        try:
            written = os.write(self._stdin, self._pending[:_BLOCK])
        except BlockingIOError:
            return True
        except BrokenPipeError:
            return False
        self._pending = self._pending[written:]
        return len(self._pending) > 0

    def _take(self, fd: int, *, once: bool = False) -> bool:
        """Read one block. False at the end of the stream; with `once`, also when it is dry."""
        try:
            block = os.read(fd, _BLOCK)
        except BlockingIOError:
            return not once
        kept = self._readers[fd]
        if isinstance(kept, Kept):
            kept.add(block)
        else:
            kept += block
        return bool(block)

    def end(self) -> None:
        """Close everything, let the supervisor clear up, and wait for it."""
        self._close_all()
        end = time.monotonic() + _GRACE_SECONDS
        pause = 0.0005
        while self._pids:
            try:
                pid, status = os.waitpid(self._pids[0], os.WNOHANG)
            except ChildProcessError:
                pid, status = self._pids[0], 0
            if pid:
                self._pids.pop()
                if status:
                    self._kill_session()
            elif time.monotonic() > end:
                _kill_tree(self._pids[0])
                end = time.monotonic() + _GRACE_SECONDS
            else:
                time.sleep(pause)
                pause = min(0.02, pause * 1.5)

    def _kill_session(self) -> None:
        """The supervisor died before its time: kill what can still be found of the command."""
        started = next((frame[1] for frame in self._frames() if frame[0] == "started"), None)
        if started is None:
            return
        for pid in psutil.pids():
            with contextlib.suppress(OSError):
                if os.getsid(pid) == started:
                    os.kill(pid, signal.SIGKILL)

    def _frames(self) -> list[Any]:
        return supervisor.decode_frames(bytes(self._status))

    def completed(self, argv: tuple[str, ...], *, passes_on: bool) -> Completed:
        facts: dict[str, Any] = {"killed": "", "status": int(signal.SIGKILL), "oom_killer": False}
        facts |= {"wall": time.monotonic() - self._began, "cpu": 0.0, "peak": 0}
        if self._unanswered:
            facts["killed"] = "timeout"
        frames = self._frames()
        for frame in frames:
            if frame[0] == "failed":
                raise EnvironmentUnavailable(frame[2], where=argv[0])
            if frame[0] == "done":
                facts = frame[1]
        if not frames:
            raise EnvironmentUnavailable(
                "the supervising process did not start",
                where=sys.executable,
                hint="`python -I -S -c pass` must work with this Python",
            )
        outcome, exit_code, number = _outcome(facts, passes_on=passes_on)
        return Completed(
            argv=argv,
            outcome=outcome,
            exit_code=exit_code,
            signal=number,
            stdout=self._out.text(),
            stderr=self._err.text(),
            truncated=self._out.truncated or self._err.truncated,
            wall_seconds=facts["wall"],
            cpu_seconds=facts["cpu"],
            peak_memory_mb=facts["peak"] / 2**20,
        )


def _exhaust(calls: Iterator[None]) -> None:
    """Make the calls of an iterator, with no bytecode in between."""
    collections.deque(calls, maxlen=0)


def _outcome(
    facts: Mapping[str, Any], *, passes_on: bool
) -> tuple[Outcome, int | None, int | None]:
    """Outcome, exit code and signal, from what the supervisor saw.

    ``passes_on`` says that an exit code above 128 is what a program between us makes of a signal.
    """
    status: int | None = facts["status"]
    if facts["killed"] and facts["killed"] != "orphaned":
        return Outcome(facts["killed"]), None, int(signal.SIGKILL)
    number = None
    if status is None:
        number = int(signal.SIGKILL)
    elif os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
    elif passes_on and os.WEXITSTATUS(status) > 128:
        number = os.WEXITSTATUS(status) - 128
    if number is None:
        return Outcome.EXITED, os.WEXITSTATUS(status or 0), None
    # A shell between a command and us that passes on SIGKILL by its exit code gets SIGSYS for it
    # where codes above 128 are refused.
    if status is not None and number in (signal.SIGKILL, signal.SIGSYS) and facts["oom_killer"]:
        return Outcome.OUT_OF_MEMORY, None, number
    return Outcome.KILLED, None, number


def _kill_tree(pid: int) -> None:
    """Kill a supervisor that does not answer, its descendants first, while they are below it."""
    with contextlib.suppress(psutil.Error):
        root = psutil.Process(pid)
        for _ in range(100):
            children = root.children(recursive=True)
            alive = [child for child in children if child.status() != psutil.STATUS_ZOMBIE]
            for child in alive:
                with contextlib.suppress(psutil.Error):
                    child.kill()
            if not alive:
                break
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)
