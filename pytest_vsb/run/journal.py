"""The append-only journal of a run: one JSON line per event, written when it happens.

Each process writes its own file ``journal/<worker>.jsonl`` and nothing else, so a run that is
killed at any instant loses at most the attempt in flight. What was written is never rewritten;
a line torn by a kill is skipped on reading and the next writer starts on a line of its own.
"""

from __future__ import annotations

import contextlib
import dataclasses
import heapq
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import Answer
from pytest_vsb.run.jsontext import encode
from pytest_vsb.run.records import Attempt
from pytest_vsb.run.responses import ResponseStore


@dataclass(frozen=True)
class Started:
    """An item began; ``pid`` and ``worker`` say where. ``digest`` is of its task and of the file
    that the task is in, up to the target; empty where that could not be read. ``basis`` has what
    the digest is made of, by name: ``statement``, and what ``Checker.basis`` says."""

    nodeid: str
    worker: str
    pid: int
    time: float
    digest: str = ""
    basis: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """The prover was asked for round ``round`` of sample ``sample``."""

    nodeid: str
    sample: int
    round: int
    time: float


@dataclass(frozen=True)
class Answered:
    """The prover answered; journaled before judging, so that a paid answer is never lost.

    ``answer`` is ``None`` when the prover had nothing more to offer for the sample.
    """

    nodeid: str
    sample: int
    round: int
    time: float
    answer: Answer | None


@dataclass(frozen=True)
class Remembered:
    """Something that the prover wants to know again if this process dies before it answers, such
    as the id of a remote job."""

    nodeid: str
    sample: int
    round: int
    time: float
    key: str
    value: str


@dataclass(frozen=True)
class Judged:
    """An attempt is complete."""

    time: float
    attempt: Attempt

    @property
    def nodeid(self) -> str:
        return self.attempt.nodeid


@dataclass(frozen=True)
class Ended:
    """An item came to an end; ``status`` as in ``TaskResult``, or ``interrupted``."""

    nodeid: str
    status: str
    reason: str
    time: float


Event = Started | Asked | Answered | Remembered | Judged | Ended
_TYPES: dict[str, type[Any]] = {
    cls.__name__.lower(): cls for cls in (Started, Asked, Answered, Remembered, Judged, Ended)
}


class Journal:
    """The writing end of one process's journal file.

    Times never go back: what is written is dated after all that was in the run's journals when
    this one was opened, whatever the clock says, so that they can be merged by time.

    Args:
        directory: the run's ``journal`` directory.
        worker: the process's name, such as ``gw0`` or ``main``.
        copy: is called with each line before it is written; what it raises is raised.

    Raises:
        UsageError: the directory cannot be written.
    """

    def __init__(
        self, directory: Path, worker: str, *, copy: Callable[[bytes], None] | None = None
    ) -> None:
        self.worker = worker
        self._copy = copy
        self._lock = threading.Lock()  # provers remember things from threads of their own
        self._responses = ResponseStore(directory.parent / "responses")
        self.path = directory / f"{worker}.jsonl"
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._latest = _latest(directory)
            end_line(self.path)
            self._file: BinaryIO = self.path.open("ab")
        except OSError as error:
            raise UsageError(
                f"the journal cannot be written: {error.strerror or error}",
                where=str(self.path),
                hint="choose a writable directory with --vsb-run=DIR",
            ) from error

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._file.flush()

    def append(self, event: Event) -> None:
        """Write ``event`` and hand it to the operating system before returning."""
        record = {"event": type(event).__name__.lower(), **msgspec.to_builtins(event)}
        line = encode(record) + b"\n"
        with self._lock:
            if self._copy is not None:
                self._copy(line)
            self._write(line)

    def _now(self) -> float:
        with self._lock:
            self._latest = max(time.time(), self._latest + _TICK)
            return self._latest

    def asked(self, nodeid: str, sample: int, round: int) -> None:
        self.append(Asked(nodeid, sample, round, self._now()))

    def remembered(self, nodeid: str, sample: int, round: int, key: str, value: str) -> None:
        self.append(Remembered(nodeid, sample, round, self._now(), key, value))

    def started(
        self, nodeid: str, digest: str = "", basis: Mapping[str, str] | None = None
    ) -> None:
        made_of = dict(basis or {})
        self.append(Started(nodeid, self.worker, os.getpid(), self._now(), digest, made_of))

    def answered(
        self, nodeid: str, sample: int, round: int, answer: Answer | None
    ) -> Answer | None:
        """Keep ``answer``; its raw response goes to a file of its own, named by its digest."""
        if answer is not None and answer.response:
            # Where the store cannot be written, the journal keeps what was paid for.
            with contextlib.suppress(OSError):
                digest = self._responses.put(answer.response)
                answer = dataclasses.replace(answer, response="", response_digest=digest)
        self.append(Answered(nodeid, sample, round, self._now(), answer))
        return answer

    def judged(self, attempt: Attempt) -> None:
        self.append(Judged(self._now(), attempt))

    def ended(self, nodeid: str, status: str, reason: str = "") -> None:
        self.append(Ended(nodeid, status, reason, self._now()))

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._file.close()


def end_line(path: Path) -> None:
    """End the last line of a journal file, if there is one, that a kill has torn."""
    if not path.exists() or not path.stat().st_size:
        return
    with path.open("rb+") as file:
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            file.write(b"\n")


# Quotes within texts have a backslash before them, so these are an event's own time.
_TIME = re.compile(rb'(?<!\\)"time":\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?)')
_TICK = 1e-6
_TAIL = 1 << 16


def _latest(directory: Path) -> float:
    """The latest time in the journals of a directory, near enough: each ends with its latest."""
    times = [0.0]
    for path in journal_files(directory.parent):
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            tail, begin = _TAIL, size
            while begin:
                begin = max(0, size - tail)
                file.seek(begin)
                found = _TIME.findall(file.read(size - begin))
                times += map(float, found)
                if found:
                    break
                tail *= 8
    return max(times)


@dataclass(frozen=True)
class Unreadable:
    """A line of a journal that is no event.

    ``line`` counts from 1, ``offset`` is where the line begins, in bytes. ``torn`` lines are
    beginnings of one: the process was killed, or the disk was full, while it was written. Others
    have been damaged since, or another version of the plugin wrote them; what they told is lost.
    ``nodeid`` is the item that it says it is about; empty where that cannot be made out.
    """

    path: Path
    line: int
    offset: int
    reason: str
    torn: bool
    nodeid: str = ""

    @property
    def place(self) -> str:
        """Where in the run directory it is, as ``journal/main.jsonl:17``."""
        return f"{self.path.parent.name}/{self.path.name}:{self.line}"


class Line(NamedTuple):
    """A line of a journal: its ``number`` from 1, where it begins and the next one does, in bytes,
    and its event or why it has none. One that is not ``whole`` is torn, or being written."""

    number: int
    offset: int
    end: int
    whole: bool
    event: Event | Unreadable


def read_lines(path: Path, offset: int = 0, line: int = 1) -> Iterator[Line]:
    """The lines of one journal file in the order written, read one at a time; blank ones are left
    out.

    Args:
        path: the file.
        offset: where to begin, in bytes: at the beginning of a line, or after an event at the end
            of what there was of the file.
        line: the number of that line.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        file.seek(offset)
        for number, text in enumerate(file, line):
            if not text.isspace():
                found: Event | Unreadable | str = decode_event(text)
                if isinstance(found, str):
                    torn = _torn(text, found)
                    found = Unreadable(path, number, offset, found, torn, _nodeid(text))
                whole = text.endswith(b"\n")
                yield Line(number, offset, offset + len(text), whole, found)
            offset += len(text)


def read_events(path: Path) -> Iterator[Event]:
    """The events of one journal file in the order written; lines that cannot be read, such as
    one torn by a kill, are passed over."""
    for line in read_lines(path):
        if not isinstance(line.event, Unreadable):
            yield line.event


# As this module writes lines, their kind can be told without reading the rest.
_DECODERS = {
    f'{{"event":"{name}",'.encode(): msgspec.json.Decoder(kind) for name, kind in _TYPES.items()
}


def decode_event(line: bytes) -> Event | str:
    """The event of a line, or why there is none."""
    event: Event
    try:
        decoder = _DECODERS.get(line[: line.find(b",") + 1])
        if decoder is not None:
            event = decoder.decode(line)
            return event
        record = msgspec.json.decode(line)
        event = msgspec.convert(record, _TYPES[record.pop("event")])
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        return str(error) or type(error).__name__
    except (LookupError, AttributeError, TypeError, ValueError):
        return "it is no event"
    return event


# Within texts, quotes have a backslash before them.
_NODEID = re.compile(rb'(?<!\\)"nodeid":\s*("(?:[^"\\]|\\.)*")')


def _nodeid(line: bytes) -> str:
    found = _NODEID.search(line)
    if found is not None:
        with contextlib.suppress(msgspec.DecodeError, UnicodeError):
            return msgspec.json.decode(found[1], type=str)
    return ""


def _torn(line: bytes, reason: str) -> bool:
    """Whether a line that is no event is the beginning of one."""
    return line.startswith(b"{") and ("truncated" in reason or not line.rstrip().endswith(b"}"))


def read_journals(directory: Path) -> Iterator[Event]:
    """The events of all journals of run ``directory``, merged by time.

    Within a file the order written is kept whatever the clock did.
    """
    streams = [read_events(path) for path in journal_files(directory)]
    return heapq.merge(*streams, key=lambda event: event.time)


def journal_files(directory: Path) -> list[Path]:
    """The journal files of a run directory, by name; nothing that is no file of a disk."""
    return sorted(path for path in (directory / "journal").glob("*.jsonl") if path.is_file())
