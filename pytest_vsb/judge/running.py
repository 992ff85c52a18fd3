"""Lean processes for the judge: in scratch directories, and told apart by who is to blame.

What a candidate does to Lean is a verdict on it; what the machine does to Lean (a full disk, a
kill from outside) never is.
"""

from __future__ import annotations

import contextlib
import errno
import signal
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol as Interface

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean import process
from pytest_vsb.lean.diagnostics import Diagnostic, ParsedOutput, Severity, parse
from pytest_vsb.lean.process import Completed, Limits, Outcome
from pytest_vsb.lean.toolchain import Toolchain

_CORRECT_EXITS = (0, 1)

# By these a process ends for a fault of its own; any other signal came from outside.
_FAULTS = frozenset(
    getattr(signal, name)
    for name in ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS")
)
_DISK_WORDS = (
    "no space left",
    "disk quota exceeded",
    "read-only file system",
    "input/output error",
    "too many open files",
    "resource temporarily unavailable",
)
_PROBE_BYTES = 1 << 20


class Slots(Interface):
    """A bound on Lean processes at once; see ``pytest_vsb.lean.slots``."""

    def acquire(self) -> contextlib.AbstractContextManager[float]: ...


class Unlimited:
    """No bound."""

    @contextlib.contextmanager
    def acquire(self) -> Iterator[float]:
        yield 0.0


@dataclass(frozen=True)
class LeanRun:
    """One Lean process and what it said of its file."""

    completed: Completed
    output: ParsedOutput

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.output.diagnostics if d.severity is Severity.ERROR)


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A directory that is there as long as the context; its system errors are the environment's.

    Raises:
        EnvironmentUnavailable: it cannot be made or written.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="vsb-", ignore_cleanup_errors=True) as name:
            yield Path(name).resolve()
    except OSError as error:
        raise EnvironmentUnavailable(
            f"a check cannot be made: {error.strerror or error}",
            where=str(error.filename or tempfile.gettempdir()),
            hint="is there room on the disk? TMPDIR names the directory for scratch files",
        ) from error


class Runner:
    """Runs one Lean on files in scratch directories.

    Args:
        toolchain: the Lean.
        slots: a bound on processes at once.
        threads: how many threads a process may use; ``None`` leaves that to Lean.
    """

    def __init__(
        self, toolchain: Toolchain, slots: Slots | None = None, threads: int | None = None
    ) -> None:
        self.toolchain = toolchain
        self._threads = [f"-j{threads}"] if threads else []
        self._slots = slots or Unlimited()

    def run(
        self,
        source: Path,
        search_path: tuple[Path, ...],
        *arguments: str,
        limits: Limits,
        olean: Path | None = None,
    ) -> LeanRun:
        """Run Lean on a file within ``limits``, with ``arguments`` before its name.

        ``olean`` is what it is to write, if anything. A Lean that something else killed is started
        once more.

        Raises:
            EnvironmentUnavailable: Lean cannot be started, is killed twice by something else, or
                fails for want of room on the disk.
        """
        flags = ["--json"] if self.toolchain.json else []
        flags += self._threads
        argv = self.toolchain.argv(*flags, f"--root={source.parent}", *arguments, str(source))
        environment = self.toolchain.environment(search_path)
        for _ in range(2):
            with self._slots.acquire():
                completed = process.run(argv, cwd=source.parent, env=environment, limits=limits)
            killer = killed_from_outside(completed, limits)
            if killer is None:
                break
            if olean is not None:
                olean.unlink(missing_ok=True)
        else:
            raise EnvironmentUnavailable(
                f"Lean was killed twice, not by its limits but by {killer}",
                where=completed.argv[0],
                hint="is the machine short of memory, or does something else end processes?",
            )
        output = parse(
            completed.stdout, file_name=str(source), json_lines=self.toolchain.json or None
        )
        run = LeanRun(completed, output)
        if completed.exit_code not in (0, None) and not run.errors:
            _blame_disk(run, source.parent)
        return run


def killed_from_outside(completed: Completed, limits: Limits) -> str | None:
    """What ended a process that neither its own fault nor its limits ended; ``None`` if they, or
    nothing, did."""
    if completed.outcome is Outcome.OUT_OF_MEMORY:
        # The system's own killer struck; below the limit it may have struck the wrong one.
        below = limits.memory_mb is not None and completed.peak_memory_mb <= limits.memory_mb
        return "the system, which ran out of memory" if below else None
    number = completed.signal if completed.outcome is Outcome.KILLED else None
    if number is None and (completed.exit_code or 0) > 128:
        # A shell between us tells a signal so. A Lean that ends itself never does.
        number = (completed.exit_code or 0) - 128
    if number is None or number in _FAULTS:
        return None
    try:
        return f"the signal {signal.Signals(number).name}"
    except ValueError:
        return None


def failure(completed: Completed, limits: Limits) -> tuple[VerdictKind | None, str]:
    """The verdict kind of a process that did not end by itself in an orderly way."""
    if completed.outcome is Outcome.TIMEOUT:
        return VerdictKind.TIMEOUT, f"Lean ran longer than {limits.wall_seconds:g} s"
    if completed.outcome is Outcome.OUT_OF_MEMORY:
        if limits.memory_mb is None:
            return VerdictKind.OUT_OF_MEMORY, "Lean used more memory than the system has"
        return VerdictKind.OUT_OF_MEMORY, f"Lean used more than {limits.memory_mb} MB"
    text = (completed.stderr or completed.stdout).strip()[-500:]
    if completed.stack_overflow:
        return VerdictKind.CRASHED, f"Lean's stack overflowed: {text}"
    if completed.outcome is Outcome.KILLED:
        return VerdictKind.CRASHED, f"Lean died of signal {completed.signal}: {text}"
    if completed.exit_code not in _CORRECT_EXITS:
        return VerdictKind.CRASHED, f"Lean ended with exit code {completed.exit_code}: {text}"
    return None, ""


def tail(run: LeanRun) -> str:
    """The end of what a process said, its errors if there are any."""
    errors = " ".join(d.message for d in run.errors)
    text = errors or run.completed.stderr.strip() or run.output.other.strip() or "no output"
    return text[-500:]


def _blame_disk(run: LeanRun, directory: Path) -> None:
    """Raise if a failure without an error about the file is the disk's."""
    said = f"{run.completed.stderr}\n{run.output.other}".lower()
    told = next((words for words in _DISK_WORDS if words in said), None)
    full = None if told else _probe_disk(directory)
    if told or full:
        raise EnvironmentUnavailable(
            f"Lean failed for a reason outside of the file: {told or full}",
            where=str(directory.parent),
            hint="is there room on the disk? TMPDIR names the directory for scratch files",
        )


def _probe_disk(directory: Path) -> str | None:
    """Why a file cannot be written in a directory, if so."""
    file = directory / "probe"
    try:
        file.write_bytes(b"\0" * _PROBE_BYTES)
        file.unlink()
    except OSError as error:
        with contextlib.suppress(OSError):
            file.unlink()
        return error.strerror or errno.errorcode.get(error.errno or 0, str(error))
    return None
