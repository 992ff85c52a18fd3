"""Lean processes for the judge: in scratch directories, and told apart by who is to blame.

What a candidate does to Lean is a verdict on it; what the machine does to Lean (a full disk, a
kill from outside) never is.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol as Interface

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean import process
from pytest_vsb.lean.bounds import bounded
from pytest_vsb.lean.diagnostics import Diagnostic, ParsedOutput, Severity, parse
from pytest_vsb.lean.process import Completed, Limits, Outcome
from pytest_vsb.lean.sandbox import needs
from pytest_vsb.lean.sandbox.box import Box, Sandbox
from pytest_vsb.lean.sandbox.rlimits import Rlimits
from pytest_vsb.lean.scratch import scratch as scratch
from pytest_vsb.lean.slots import Slot
from pytest_vsb.lean.toolchain import Toolchain

_CORRECT_EXITS = (0, 1)

# By these one process ends another; in a sandbox, Lean cannot send them. By any other signal a
# process ends for a fault of its own, or since it went over a limit.
_FROM_OUTSIDE = frozenset(
    {signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGKILL, signal.SIGTERM}
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
_ROOM_BYTES, _ROOM_FILES = 1 << 30, 1000


class Slots(Interface):
    """A bound on Lean processes at once; see ``pytest_vsb.lean.slots``."""

    def acquire(self, kind: str = "") -> contextlib.AbstractContextManager[Slot]: ...


class Unlimited:
    """No bound."""

    @contextlib.contextmanager
    def acquire(self, kind: str = "") -> Iterator[Slot]:
        yield Slot(0.0)


def kind_of(toolchain: Toolchain, search_path: Sequence[Path], what: str) -> str:
    """What processes that do ``what`` with the same Lean and the same modules have in common: about
    the memory that they need."""
    lean = f"{toolchain.kind} {toolchain.version} {toolchain.commit}"
    return "\n".join((what, lean, *map(str, search_path)))


def note_peak(slot: Slot, completed: Completed) -> None:
    """Let the next process of the kind be given what this one took, unless it went over a limit:
    that was the candidate's doing, or there is no saying what it needs."""
    if completed.outcome in (Outcome.EXITED, Outcome.TIMEOUT):
        slot.measured(completed.peak_memory_mb)


@dataclass(frozen=True)
class LeanRun:
    """One Lean process and what it said of its file."""

    completed: Completed
    output: ParsedOutput

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.output.diagnostics if d.severity is Severity.ERROR)


class Runner:
    """Runs one Lean on files in scratch directories.

    Args:
        toolchain: the Lean.
        slots: a bound on processes at once.
        threads: how many threads a process may use; ``None`` leaves that to Lean.
        sandbox: what confines each process.
    """

    def __init__(
        self,
        toolchain: Toolchain,
        slots: Slots | None = None,
        threads: int | None = None,
        sandbox: Sandbox | None = None,
    ) -> None:
        self.toolchain = toolchain
        self.sandbox = sandbox or Rlimits()
        self.threads = threads
        self._slots = slots or Unlimited()

    def run(
        self,
        source: Path,
        search_path: tuple[Path, ...],
        *arguments: str,
        limits: Limits,
        olean: Path | None = None,
        hidden: tuple[Path, ...] = (),
    ) -> LeanRun:
        """Run Lean on a file within ``limits``, with ``arguments`` before its name.

        ``olean`` is what it is to write, if anything: without it, Lean may not write at all.
        Whatever else a candidate's text has written beside the file is removed. ``hidden`` are
        compiled files that it must not read. A Lean that something else killed is started once
        more.

        Raises:
            EnvironmentUnavailable: Lean cannot be started, is killed twice by something else, or
                fails for want of room on the disk.
        """
        flags = ["--json"] if self.toolchain.json else []
        flags += [f"-j{self.threads}"] if self.threads else []
        directory = source.parent
        argv = self.toolchain.argv(*flags, f"--root={directory}", *arguments, str(source))
        environment = self.toolchain.environment(search_path)
        environment["TMPDIR"] = str(directory)
        readable = (*needs.readable(self.toolchain, search_path), directory)
        writable = (directory,) if olean is not None else ()
        within = bounded(limits)
        container = self.toolchain.container
        if container is not None:
            container = container.limited(within.memory_mb)
        sandbox: Sandbox = container or self.sandbox
        confinement = sandbox.confine(tuple(argv), Box(readable, writable, hidden))
        there = {path.name for path in directory.iterdir()}
        what = "compile" if olean is not None else "run" if "--run" in arguments else "audit"
        kind = kind_of(self.toolchain, [p for p in search_path if p != directory], what)
        for attempt in range(2):
            with self._slots.acquire(kind) as slot:
                completed = process.run(
                    argv,
                    cwd=directory,
                    env=environment,
                    limits=within,
                    confinement=confinement,
                    writes=writable,
                )
                note_peak(slot, completed)
            if container is not None:
                completed = container.settle(completed, confinement)
            _keep_only(directory, there, olean)
            killer = killed_from_outside(completed, within)
            if killer is not None and olean is not None:
                # A part of one, perhaps.
                olean.unlink(missing_ok=True)
            if killer is not None and attempt:
                raise EnvironmentUnavailable(
                    f"Lean was killed twice, not by its limits but by {killer}",
                    where=completed.argv[0],
                    hint="is the machine short of memory, or does something else end processes?",
                )
            output = parse(
                completed.stdout, file_name=str(source), json_lines=self.toolchain.json or None
            )
            run = LeanRun(completed, output)
            if killer is None and not _blames_disk(run, directory):
                break
        return run


def out_of_time(limits: Limits) -> str:
    """The reason of a verdict ``timeout``."""
    return f"Lean ran longer than {limits.wall_seconds:g} s"


def _keep_only(directory: Path, there: set[str], olean: Path | None) -> None:
    """Remove from a directory what is new there and is not an olean that was asked for, and every
    link: what is written or imported there next must not lead to somewhere else.

    An olean can come in several files, with further suffixes.
    """
    for path in directory.iterdir():
        wanted = path.name in there or (olean is not None and path.name.startswith(olean.name))
        if wanted and path.is_file() and not path.is_symlink():
            continue
        if path.is_dir() and not path.is_symlink():
            if path.name not in there:
                shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


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
    if number not in _FROM_OUTSIDE:
        return None
    return f"the signal {signal.Signals(number).name}"


def failure(completed: Completed, limits: Limits) -> tuple[VerdictKind | None, str]:
    """The verdict kind of a process that did not end by itself in an orderly way."""
    if completed.outcome is Outcome.TIMEOUT:
        return VerdictKind.TIMEOUT, out_of_time(limits)
    if completed.outcome is Outcome.OUT_OF_MEMORY:
        if limits.memory_mb is None:
            return VerdictKind.OUT_OF_MEMORY, "Lean used more memory than the system has"
        return VerdictKind.OUT_OF_MEMORY, f"Lean used more than {limits.memory_mb} MB"
    if completed.outcome is Outcome.TOO_MANY_PROCESSES:
        return VerdictKind.CRASHED, "Lean started too many processes or threads"
    if completed.outcome is Outcome.TOO_MUCH_DISK:
        return VerdictKind.CRASHED, "Lean wrote too much, or too many files"
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


def _blames_disk(run: LeanRun, directory: Path) -> bool:
    """Whether a failure without an error about the file claims to be the disk's, though there is
    room. A candidate could make that claim, or another process may have freed some meanwhile.

    Raises:
        EnvironmentUnavailable: the disk is full, or cannot be written.
    """
    if run.completed.exit_code in (0, None) or run.errors:
        return False
    said = f"{run.completed.stderr}\n{run.output.other}".lower()
    told = next((words for words in _DISK_WORDS if words in said), None)
    wrong = _probe_disk(directory) or (told if told and _is_nearly_full(directory) else None)
    if wrong:
        raise EnvironmentUnavailable(
            f"Lean failed for a reason outside of the file: {wrong}",
            where=str(directory.parent),
            hint="is there room on the disk? TMPDIR names the directory for scratch files",
        )
    return told is not None


def _is_nearly_full(directory: Path) -> bool:
    try:
        facts = os.statvfs(directory)
    except OSError:
        return True
    few_files = facts.f_files > 0 and facts.f_favail < _ROOM_FILES
    return facts.f_bavail * facts.f_frsize < _ROOM_BYTES or few_files


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
