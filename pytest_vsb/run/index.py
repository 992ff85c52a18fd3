"""Where in a run's journals the events of each item are, so that they are read when asked for.

The index of 100,000 attempts takes some 10 MB, whatever the attempts say. It can be brought up to
date by reading only what has been written since, and be given to other processes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import sys
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from pytest_vsb.errors import UsageError
from pytest_vsb.files import write_atomically
from pytest_vsb.run.journal import (
    Ended,
    Event,
    Judged,
    Started,
    Unreadable,
    decode_event,
    journal_files,
    read_lines,
)

_FORMAT = f"1 {sys.byteorder}"
_FILE_SHIFT = 44  # 16 TiB a file
_OFFSET = (1 << _FILE_SHIFT) - 1
_TAIL = 4096


@dataclass
class _File:
    """How far a journal file has been read: ``read`` bytes and ``lines`` lines; ``latest`` is the
    largest time so far, and ``item`` the one that its process was at work on."""

    name: str
    read: int = 0
    lines: int = 0
    latest: float = float("-inf")
    item: str = ""


@dataclass
class _Places:
    """An item's events: the time to sort each by, the file and offset, and what it means for the
    number of samples: the sample of an attempt, ``-1 - n`` for a start with the n-th digest."""

    times: array[float] = field(default_factory=lambda: array("d"))
    where: array[int] = field(default_factory=lambda: array("Q"))
    notes: array[int] = field(default_factory=lambda: array("i"))

    def add(self, time: float, where: int, note: int) -> None:
        self.times.append(time)
        self.where.append(where)
        self.notes.append(note)


_NO_NOTE = -1


class JournalIndex:
    """The events of a run by item, in the order in which ``read_journals`` gives them.

    ``unreadable`` are the lines that are no events, in the order found. The last line of a file
    that may still be being written is only among them once another one follows it.

    Args:
        run: the run directory. Nothing is read before :meth:`refresh` or :meth:`load`.
    """

    def __init__(self, run: Path) -> None:
        self.run = run
        self.unreadable: list[Unreadable] = []
        self._lost: list[tuple[float, int]] = []  # the time and place of each
        self._lost_of: dict[str, list[int]] = {}  # their numbers by item
        self._files: list[_File] = []
        self._numbers: dict[str, int] = {}
        self._items: dict[str, _Places] = {}
        self._digests: dict[str, int] = {"": 0}
        self._order: list[str] | None = None

    def refresh(self) -> set[str]:
        """Read what the journals have more by now; returns the items that it is about.

        Raises:
            OSError: a journal cannot be read.
        """
        changed: set[str] = set()
        for path in journal_files(self.run):
            number = self._numbers.get(path.name)
            if number is None:
                number = self._numbers[path.name] = len(self._files)
                self._files.append(_File(path.name))
            changed |= self._read(path, self._files[number], number)
        if changed:
            self._order = None
        return changed

    def _read(self, path: Path, file: _File, number: int) -> set[str]:
        changed = set()
        for line in read_lines(path, file.read, file.lines + 1):
            event = line.event
            where = number << _FILE_SHIFT | line.offset
            if isinstance(event, Unreadable):
                if not line.whole:
                    break
                nodeid = event.nodeid or file.item
                self._lose(dataclasses.replace(event, nodeid=nodeid), file.latest, where)
                changed.add(nodeid)
            else:
                # As heapq.merge orders events whose file's clock went back.
                file.latest = max(file.latest, event.time)
                # A process works on one item at a time.
                file.item = event.nodeid if not isinstance(event, Ended) else ""
                changed.add(event.nodeid)
                places = self._items.get(event.nodeid)
                if places is None:
                    places = self._items[event.nodeid] = _Places()
                places.add(file.latest, where, self._note(event))
            file.read, file.lines = line.end, line.number - (not line.whole)
        return changed

    def _lose(self, line: Unreadable, time: float, where: int) -> None:
        self._lost_of.setdefault(line.nodeid, []).append(len(self.unreadable))
        self.unreadable.append(line)
        self._lost.append((time, where))

    def _note(self, event: Event) -> int:
        if isinstance(event, Judged):
            return min(event.attempt.sample, 2**31 - 1)
        if isinstance(event, Started):
            return -1 - self._digests.setdefault(event.digest, len(self._digests))
        return _NO_NOTE

    def nodeids(self) -> list[str]:
        """The items, in the order of their first events."""
        if self._order is None:
            ranks = self._ranks()
            firsts = {
                nodeid: min(map(self._key(ranks), places.times, places.where))
                for nodeid, places in self._items.items()
            }
            self._order = sorted(firsts, key=firsts.__getitem__)
        return self._order

    def __contains__(self, nodeid: object) -> bool:
        return nodeid in self._items

    def __len__(self) -> int:
        return len(self._items)

    def events(
        self, nodeid: str, *, whole: bool = True
    ) -> Iterator[tuple[Event | Unreadable, int]]:
        """The events of an item, and lines about it that are none, each with its length in bytes,
        read from the journals now. Where they need not be ``whole``, only those that decide which
        attempts there are.

        Raises:
            KeyError: there are none.
            OSError: a journal cannot be read.
            UsageError: a journal is not what it was.
        """
        places = self._items[nodeid]
        lost = {self._lost[n]: self.unreadable[n] for n in self._lost_of.get(nodeid, ()) if whole}
        known = [
            (time, where)
            for time, where, note in zip(places.times, places.where, places.notes, strict=True)
            if whole or note != _NO_NOTE
        ]
        key = self._key(self._ranks())
        order = sorted([*known, *lost], key=lambda pair: key(*pair))
        with contextlib.ExitStack() as stack:
            files: dict[int, BinaryIO] = {}
            for time, where in order:
                if (time, where) in lost:
                    yield lost[time, where], 0
                    continue
                number = where >> _FILE_SHIFT
                if number not in files:
                    path = self._path(number)
                    files[number] = stack.enter_context(path.open("rb"))
                file = files[number]
                file.seek(where & _OFFSET)
                line = file.readline()
                event = decode_event(line)
                if isinstance(event, str) or event.nodeid != nodeid:
                    raise UsageError(
                        "the journal has been changed while it was read",
                        where=str(self._path(number)),
                        hint="journals are only ever added to; once it is whole, run this again",
                    )
                yield event, len(line)

    def samples(self) -> int:
        """How many samples the attempts that count have, over all items: the largest number of
        one, and one more."""
        ranks = self._ranks()
        return max((self._samples(places, ranks) for places in self._items.values()), default=0)

    def _samples(self, places: _Places, ranks: list[int]) -> int:
        key = self._key(ranks)
        found, digest = 0, 0
        for _, _, note in sorted(
            zip(places.times, places.where, places.notes, strict=True),
            key=lambda entry: key(entry[0], entry[1]),
        ):
            if note >= 0:
                found = max(found, note + 1)
            elif note < _NO_NOTE and note != -1 - digest:
                # The task was another one before.
                found, digest = 0, -1 - note
        return found

    def _ranks(self) -> list[int]:
        """The place of each file in the order of their names, which decides at equal times."""
        ranks = [0] * len(self._files)
        by_name = sorted(range(len(self._files)), key=lambda number: self._files[number].name)
        for rank, number in enumerate(by_name):
            ranks[number] = rank
        return ranks

    @staticmethod
    def _key(ranks: list[int]) -> Any:
        def key(time: float, where: int) -> tuple[float, int, int]:
            return time, ranks[where >> _FILE_SHIFT], where & _OFFSET

        return key

    def _path(self, number: int) -> Path:
        return self.run / "journal" / self._files[number].name

    def save(self, path: Path) -> None:
        """Keep the index in a file, for other processes to :meth:`load`; raises ``OSError``."""
        content = _Saved(
            format=_FORMAT,
            files=[(file, self._mark(file)) for file in self._files],
            digests=list(self._digests),
            items={
                nodeid: (places.times.tobytes(), places.where.tobytes(), places.notes.tobytes())
                for nodeid, places in self._items.items()
            },
            unreadable=[
                (time, where, each.line, each.reason, each.torn, each.nodeid)
                for (time, where), each in zip(self._lost, self.unreadable, strict=True)
            ],
        )
        write_atomically(path, msgspec.msgpack.encode(content))

    def load(self, path: Path) -> None:
        """Begin with a kept index, if there is one of these journals; :meth:`refresh` reads what
        it does not have."""
        found = JournalIndex(self.run)
        try:
            found._take(msgspec.msgpack.decode(path.read_bytes(), type=_Saved))
        except (OSError, ValueError, msgspec.MsgspecError):
            return
        self.__dict__.update(found.__dict__)

    def _take(self, saved: _Saved) -> None:
        if saved.format != _FORMAT:
            raise ValueError("another format")
        for number, (file, mark) in enumerate(saved.files):
            self._numbers[file.name] = number
            self._files.append(file)
            if self._mark(file) != mark:
                raise ValueError("the index is of other journals")
        self._digests = {digest: number for number, digest in enumerate(saved.digests)}
        for nodeid, (times, where, notes) in saved.items.items():
            places = self._items[nodeid] = _Places()
            places.times.frombytes(times)
            places.where.frombytes(where)
            places.notes.frombytes(notes)
        for time, place, number, reason, torn, nodeid in saved.unreadable:
            path = self._path(place >> _FILE_SHIFT)
            line = Unreadable(path, number, place & _OFFSET, reason, torn, nodeid)
            self._lose(line, time, place)

    def _mark(self, file: _File) -> bytes:
        """What tells a journal from another one: a digest of the end of what has been read."""
        with (self.run / "journal" / file.name).open("rb") as stream:
            start = max(0, file.read - _TAIL)
            stream.seek(start)
            return hashlib.sha256(stream.read(file.read - start)).digest()


@dataclass
class _Saved:
    format: str
    files: list[tuple[_File, bytes]]
    digests: list[str]
    items: dict[str, tuple[bytes, bytes, bytes]]
    unreadable: list[tuple[float, int, int, str, bool, str]]
