"""A warm Lean: it keeps a file elaborated, and elaborates again only what comes after a change.

What a session says is what a fresh Lean would say of the same text, as far as is known. It must
not be trusted with more than that: what ran in the process before could have changed it. See
``docs/sessions.md``.
"""

from __future__ import annotations

import re
import threading
import time
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean.bounds import bounded
from pytest_vsb.lean.diagnostics import ParsedOutput
from pytest_vsb.lean.interactive import Stopped
from pytest_vsb.lean.lsp import ProtocolError
from pytest_vsb.lean.process import Completed, Limits, Outcome
from pytest_vsb.lean.sandbox.box import Sandbox
from pytest_vsb.lean.sandbox.rlimits import Rlimits
from pytest_vsb.lean.toolchain import Toolchain
from pytest_vsb.lean.worker import NO_DELAY, Over, TooLate, Worker

Ended = Literal["done", "timeout", "out_of_memory", "died"]

_STDERR_CHARACTERS = 2000
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOTHING = ParsedOutput((), "")

_with_delay: set[tuple[str, ...]] = set()
"""The commands of Leans that do not know the option of no delay."""


@dataclass(frozen=True)
class SessionOutput:
    """What a session said of one text."""

    ended: Ended
    """``died`` is any end but by a limit, and anything that is not as it should be."""
    output: ParsedOutput
    """What :func:`pytest_vsb.lean.diagnostics.parse` gives for ``lean --json`` of the same text."""
    wall_seconds: float
    """Of this check."""
    peak_memory_mb: float
    """Largest resident memory of the session's processes so far, in MiB."""
    detail: str = ""
    """What is wrong, if it died."""
    cpu_seconds: float = 0.0
    """Processor time of this check; 0 if the process ended by itself."""


class Session:
    """One warm Lean with one document.

    Any thread may use it; checks wait for each other. After a check that has not ended with
    ``done`` its process is gone, and the next check starts another.

    Args:
        toolchain: the Lean, not in a container.
        search_path: directories of compiled modules.
        options: such as ``-DautoImplicit=false``, as a fresh Lean gets them.
        sandbox: what confines it; by default, limits only.
        hidden: compiled files that it must not read.
        threads: how many threads Lean may use; None leaves that to Lean.
        limits: on memory, threads and disk. The wall-clock seconds do not count here.
        module: the name of the file as a module.
    """

    def __init__(
        self,
        toolchain: Toolchain,
        search_path: tuple[Path, ...],
        options: tuple[str, ...] = (),
        *,
        sandbox: Sandbox | None = None,
        hidden: tuple[Path, ...] = (),
        threads: int | None = None,
        limits: Limits,
        module: str = "VsbSubmission",
    ) -> None:
        self._toolchain = toolchain
        self._search_path = search_path
        self._arguments = (*([f"-j{threads}"] if threads else []), *options)
        self._sandbox: Sandbox = sandbox or Rlimits()
        self._hidden = hidden
        self._limits = bounded(limits)
        self._module = module
        self._lock = threading.RLock()
        self._worker: Worker | None = None
        self._guard: weakref.finalize[..., Session] | None = None
        self._peak = 0.0
        self._cpu = self._cpu_before = 0.0
        self.checks = 0
        """Checks that ended with ``done``, over all processes so far."""
        self.last_used = time.monotonic()
        """When the last check ended, by the monotonic clock."""

    @property
    def alive(self) -> bool:
        """Whether there is a process, and with it what it has elaborated."""
        held: list[bool] = []
        try:
            # It is noted in the call that takes the lock: an exception of a signal's handler, which
            # can strike after any call, must not keep it.
            held.extend(filter(None, map(self._lock.acquire, (False,))))
            return not held or (self._worker is not None and self._worker.alive())
        finally:
            if held:
                self._lock.release()

    @property
    def memory_mb(self) -> float:
        """Resident memory now, in MiB; 0 without a process."""
        worker = self._worker
        return 0.0 if worker is None else worker.memory()[0]

    def check(self, text: str, *, wall_seconds: float) -> SessionOutput:
        """What Lean says of a file with this text.

        The first check elaborates all of it; a later one what comes after the last line that is
        the same as in the text before.

        Raises:
            EnvironmentUnavailable: Lean cannot be started at all.
        """
        with self._lock:
            begun = time.monotonic()
            self._cpu = 0.0
            try:
                ended, output, detail = self._check(text, begun + wall_seconds)
            except BaseException:
                # Such as Ctrl-C, or a test's time limit by a signal.
                self._drop()
                raise
            now = self.last_used = time.monotonic()
            return SessionOutput(ended, output, now - begun, self._peak, detail, self._cpu)

    def close(self) -> None:
        """End the process, if there is one; a check in another thread ends with ``died``.

        Safe any number of times, and in any thread. It happens by itself when the session is
        collected as garbage and when the interpreter exits.
        """
        worker = self._worker
        if worker is not None:
            worker.stop()
        with self._lock:
            self._drop()

    # Steps

    def _check(self, text: str, deadline: float) -> tuple[Ended, ParsedOutput, str]:
        if _SURROGATE.search(text):
            # No file can hold it.
            self._drop()
            return "died", _NOTHING, "the text holds half of a character"
        worker = self._worker
        if worker is not None and not (worker.alive() and worker.keeps_header(text)):
            self._drop()
            worker = None
        if worker is None:
            worker = self._start()
        try:
            found = worker.ask(text, deadline)
        except Over as over:
            return self._over(over, text, deadline)
        except (TooLate, Stopped, ProtocolError) as error:
            self._note_use(worker)
            self._drop()
            if isinstance(error, TooLate):
                return "timeout", _NOTHING, ""
            return "died", _NOTHING, str(error) or "the session was closed"
        self._note_use(worker)
        self.checks += 1
        return "done", ParsedOutput(found, ""), ""

    def _start(self) -> Worker:
        if self._toolchain.container is not None:
            raise EnvironmentUnavailable("there are no sessions with a Lean in a container")
        no_delay = self._toolchain.command not in _with_delay
        worker = self._worker = Worker()
        self._guard = weakref.finalize(self, worker.end)
        worker.start(
            self._toolchain,
            self._search_path,
            (*self._arguments, *([NO_DELAY] if no_delay else [])),
            sandbox=self._sandbox,
            hidden=self._hidden,
            limits=self._limits,
            module=self._module,
        )
        return worker

    def _over(self, over: Over, text: str, deadline: float) -> tuple[Ended, ParsedOutput, str]:
        """What to make of a process that ended on its own."""
        self._drop()
        done = over.completed
        self._peak = max(self._peak, done.peak_memory_mb)
        if done.outcome is Outcome.OUT_OF_MEMORY:
            return "out_of_memory", _NOTHING, ""
        said = done.stderr.strip()[-_STDERR_CHARACTERS:]
        if not over.heard and done.outcome in (Outcome.EXITED, Outcome.KILLED):
            command = self._toolchain.command
            if "reportDelayMs" in said and command not in _with_delay:
                _with_delay.add(command)
                return self._check(text, deadline)
            raise EnvironmentUnavailable(
                f"Lean's file worker does not start: {_ending(done)}: {said or 'it said nothing'}",
                where=command[0],
            )
        return "died", _NOTHING, f"{_ending(done)}: {said}" if said else _ending(done)

    def _note_use(self, worker: Worker) -> None:
        self._peak = max(self._peak, worker.memory()[1])
        total = worker.cpu_seconds()
        self._cpu, self._cpu_before = max(0.0, total - self._cpu_before), total

    def _drop(self) -> None:
        if self._worker is not None:
            self._worker.end()
            self._worker = None
            self._cpu_before = 0.0
        if self._guard is not None:
            self._guard.detach()
            self._guard = None


def _ending(done: Completed) -> str:
    if done.outcome is Outcome.EXITED:
        return f"exit code {done.exit_code}"
    if done.outcome is Outcome.KILLED:
        return "a stack overflow" if done.stack_overflow else f"signal {done.signal}"
    return str(done.outcome.value).replace("_", " ")
