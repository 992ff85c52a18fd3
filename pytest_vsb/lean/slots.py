"""A bound on how many Lean processes run at once, over all workers on this machine: by processors,
and by the memory that there is.

A process that runs holds a slot and the memory it is expected to need, by what earlier ones of its
kind took (:mod:`pytest_vsb.lean.peaks`); until one has been measured, no two of a kind run at once.
A process that only stays, such as a warm session, holds memory and no slot. What does not fit
waits, and asks those that only stay to go; but where nothing else runs, one always may.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import math
import os
import platform
import re
import threading
import time
import warnings
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import machine
from pytest_vsb.lean.ledger import Book, Entry, Ledger
from pytest_vsb.lean.peaks import Peaks
from pytest_vsb.waits import WAKE_SECONDS

UNKNOWN_MB = 4096.0
"""What a process is given of whose kind nothing is known, in MiB."""

_MARGIN, _MOST_MARGIN_MB = 0.05, 1024.0
"""Share of the memory that is left alone, and the most of it."""
_RESIDENTS_SECONDS = 5.0
"""How long those that only stay are given to go before one starts that does not fit."""
_FIRST_POLL_SECONDS, _POLL_SECONDS = 0.25, WAKE_SECONDS
"""How often who is first looks for memory given back and for dead holders, and how often all
others do: a bell wakes them for all else."""
_PRESSURE_SECONDS = 0.25
_CHANGE = 0.05
"""By what share a resident's memory must have changed for the ledger to be told."""

_numbers = itertools.count()


@dataclass(frozen=True)
class _Holder:
    """Who has an id: in which ledger, and, if it is for as long as a ``with`` lasts, the thread."""

    directory: Path
    thread: int | None


_held: dict[str, _Holder] = {}
"""The ids of this process that are in use. An id is noted here before it is in a ledger, and until
it has been removed from there: what is lost by an exception of a signal's handler, which can strike
anywhere, is found here."""


class Slot:
    """A place for one process to run, after ``waited`` seconds."""

    def __init__(self, waited: float, kind: str = "", peaks: Peaks | None = None) -> None:
        self.waited = waited
        self._kind = kind
        self._peaks = peaks

    def measured(self, peak_mb: float) -> None:
        """Note the most resident memory that the process had, in MiB, for the next of its kind."""
        if self._kind and self._peaks is not None and peak_mb > 0:
            self._peaks.add(self._kind, peak_mb)


class _Place:
    """A slot inside a ``with``.

    No generator: one that an exception has left half-way would be ended by the garbage collector,
    perhaps in the middle of a change to the ledger.
    """

    def __init__(self, slots: LeanSlots, kind: str) -> None:
        self._slots = slots
        self._kind = kind
        self._id = _new_id()

    def __enter__(self) -> Slot:
        slots = self._slots
        slots.settle()
        start = time.monotonic()
        try:
            _held[self._id] = _Holder(slots.directory, threading.get_ident())
            slots._enter(self._id, self._kind)
        except BaseException:
            slots._leave(self._id)
            raise
        return Slot(time.monotonic() - start, self._kind, slots.peaks)

    def __exit__(self, *_: object) -> None:
        self._slots._leave(self._id)


class Reservation:
    """Memory for a process that stays, until :meth:`release`, or until nobody has this object any
    more. Safe in any thread."""

    def __init__(self, slots: LeanSlots, entry: Entry, kind: str) -> None:
        self._slots = slots
        self._id = entry.id
        self._kind = kind
        self._sure = entry.sure
        self.memory_mb = entry.memory_mb
        """What is held for it, in MiB."""
        # No change to the ledger: this can happen in the middle of one.
        weakref.finalize(self, _held.pop, entry.id, None).atexit = False

    def measured(self, resident_mb: float) -> None:
        """Note the resident memory that the process has, in MiB: it holds that now."""
        if resident_mb <= 0:
            return
        self._slots.peaks.add(self._kind, resident_mb)
        if not self._sure or abs(resident_mb - self.memory_mb) > _CHANGE * self.memory_mb:
            self._sure, self.memory_mb = True, resident_mb
            self._slots._resize(self._id, resident_mb)

    def release(self) -> None:
        """Give the memory back; any number of times."""
        self._slots._leave(self._id)


class LeanSlots:
    """Places for Lean processes, shared by all on this machine who name the same directory.

    What a holder that dies had is free again. Who waits does so in the order of asking, except
    that what needs no memory of its own goes past what waits for memory.

    Args:
        directory: where the ledger is; made if missing. Each machine has its own part of it.
        limit: how many may run at once, at least 1.
        peaks: what is known of the memory that they need; by default, the user's.
        available_mb: says how much memory there is to be had, in MiB.

    Raises:
        ValueError: the limit is below 1.
        EnvironmentUnavailable: the directory cannot be made.
    """

    def __init__(
        self,
        directory: Path,
        limit: int,
        *,
        peaks: Peaks | None = None,
        available_mb: Callable[[], float] = machine.available_mb,
    ) -> None:
        if limit < 1:
            raise ValueError(f"at least one slot is needed, not {limit}")
        self.directory = directory
        self.limit = limit
        self.peaks = peaks or Peaks.of_user()
        self._available_mb = available_mb
        self._margin = min(_MOST_MARGIN_MB, _MARGIN * machine.total_mb())
        # Process numbers mean nothing on another machine that has the same directory.
        host = re.sub(r"[^\w.-]", "_", platform.node()) or "host"
        self._ledger = Ledger(directory / host)
        self._callbacks: list[Callable[[], object]] = []
        self._watcher: threading.Thread | None = None
        self._guard = threading.Lock()

    def acquire(self, kind: str = "") -> contextlib.AbstractContextManager[Slot]:
        """Hold a slot inside the ``with``, and memory for a process of this kind.

        A thread has one at a time: what it still has when it asks, an exception has left.
        Without a kind it is a slot alone, for a process whose memory is held by a
        :class:`Reservation`.

        Raises:
            EnvironmentUnavailable: in the ``with``: the ledger cannot be kept, as on some network
                file systems.
        """
        return _Place(self, kind)

    def settle(self) -> None:
        """Give back the slot that this thread still has though its ``with`` is over: an exception
        of a signal's handler can strike when that has just been entered or is about to end."""
        mine = _Holder(self.directory, threading.get_ident())
        for id in [id for id, holder in list(_held.items()) if holder == mine]:
            self._leave(id)

    def reserve(self, kind: str) -> Reservation | None:
        """Memory for a process of this kind that stays; ``None``, at once, if there is none to
        spare beside what one process that runs needs, or somebody waits for nothing but memory.

        Raises:
            EnvironmentUnavailable: the ledger cannot be kept.
        """
        id = _new_id()
        try:
            entry = replace(self._entry(id, kind), state="resident")
            reservation = Reservation(self, entry, kind)
            _held[id] = _Holder(self.directory, None)
            if self._ledger.change(self._let_stay, entry):
                self._watch()
                return reservation
        except BaseException:
            self._leave(id)
            raise
        _held.pop(id, None)
        return None

    def idle(self) -> bool:
        """Whether a slot is free and nobody waits for one, nor for memory."""
        book = self._ledger.look()
        book.bury()
        return not book.of("waiting") and len(book.of("running")) < self.limit

    def on_pressure(self, callback: Callable[[], object]) -> None:
        """Have ``callback`` called, in a thread of ours, while somebody waits for memory and this
        process has reservations: it is to end what is idle and release that. What it raises is
        dropped."""
        self._callbacks.append(callback)

    # The queue

    def _entry(self, id: str, kind: str) -> Entry:
        estimate = self.peaks.estimate(kind) if kind else 0.0
        pid = os.getpid()
        return Entry(
            id=id,
            pid=pid,
            born=machine.started(pid),
            state="running",
            kind=hashlib.sha256(kind.encode()).hexdigest()[:12] if kind else "",
            memory_mb=UNKNOWN_MB if estimate is None else round(estimate, 1),
            sure=estimate is not None,
        )

    def _enter(self, id: str, kind: str) -> None:
        entry = self._entry(id, kind)
        ticket = self._ledger.change(self._begin_or_queue, entry)
        if not ticket:
            return
        bell = self._ledger.bell(id)
        try:
            short_since = math.inf
            while True:
                # Others may have been measured meanwhile.
                entry = replace(self._entry(id, kind), ticket=ticket)
                short_seconds = time.monotonic() - short_since
                may, first = self._ledger.change(self._begin_or_wait, entry, short_seconds)
                if may is True:
                    return
                short_since = min(short_since, time.monotonic()) if may is None else math.inf
                bell.wait(_FIRST_POLL_SECONDS if first else _POLL_SECONDS)
        finally:
            bell.close()
            self._ledger.take_down(id)

    def _begin_or_queue(self, book: Book, entry: Entry) -> int:
        """Have it run, or wait: then its number in the queue."""
        _tidy(book)
        if self._may_run(book, entry, 0.0) is True:
            _begin(book, entry)
            return 0
        ticket = book.next
        book.next += 1
        book.put(replace(entry, state="waiting", ticket=ticket))
        return ticket

    def _begin_or_wait(
        self, book: Book, entry: Entry, short_seconds: float
    ) -> tuple[bool | None, bool]:
        """Have it run that waits, if it may (see :meth:`_may_run`); else, whether it is first."""
        may = self._may_run(book, entry, short_seconds)
        if may is True:
            _begin(book, replace(entry, ticket=0))
            self._wake(book)
            return may, True
        if any(e.id == entry.id and e.starved != (may is None) for e in book.entries):
            book.change(entry.id, starved=may is None)
        return may, self._is_first(book, entry)

    def _let_stay(self, book: Book, entry: Entry) -> bool:
        _tidy(book)
        book.bury()
        may = self._may_stay(book, entry)
        if may:
            book.put(entry)
        return may

    def _leave(self, id: str) -> None:
        try:
            self._remove(id)
        except BaseException:
            # Interrupted: what stayed in the ledger would be held for as long as this process is.
            self._remove(id)
            raise

    def _remove(self, id: str) -> None:
        # Where the ledger cannot be written any more, the next who asks is told.
        with contextlib.suppress(EnvironmentUnavailable):
            self._ledger.change(self._take_out, id)
        self._ledger.take_down(id)
        _held.pop(id, None)

    def _take_out(self, book: Book, id: str) -> None:
        book.remove(id)
        self._wake(book)

    def _resize(self, id: str, memory_mb: float) -> None:
        with contextlib.suppress(EnvironmentUnavailable):
            self._ledger.change(self._note, id, memory_mb)

    def _note(self, book: Book, id: str, memory_mb: float) -> None:
        book.change(id, memory_mb=memory_mb, sure=True)
        self._wake(book)

    def _wake(self, book: Book) -> None:
        if len(book.of("running")) < self.limit:
            for memory in (False, True):
                for entry in book.waiting(memory=memory)[:1]:
                    self._ledger.ring(entry.id)

    def _may_run(self, book: Book, entry: Entry, short_seconds: float) -> bool | None:
        """Whether it may run now; ``None`` if only memory keeps it from that, for which it has
        waited so long."""
        may = self._decide(book, entry, short_seconds)
        if may is not True and book.bury():
            self._ledger.sweep(book)
            may = self._decide(book, entry, short_seconds)
        return may

    def _decide(self, book: Book, entry: Entry, short_seconds: float) -> bool | None:
        if not self._has_turn(book, entry):
            return False
        if not entry.memory_mb:
            return True
        if self._is_tried(book, entry):
            return False
        if self._fits(book, entry) or self._must_run(book, entry, short_seconds):
            return True
        return None

    def _has_turn(self, book: Book, entry: Entry) -> bool:
        return self._is_first(book, entry) and len(book.of("running")) < self.limit

    def _is_first(self, book: Book, entry: Entry) -> bool:
        ahead = book.waiting(memory=bool(entry.memory_mb))
        if entry.ticket:
            ahead = [other for other in ahead if other.ticket < entry.ticket]
        return not ahead

    # Memory

    def _is_tried(self, book: Book, entry: Entry) -> bool:
        """Whether one of its kind, of which nothing is known, is about to show what it needs."""
        return not entry.sure and any(
            e.kind == entry.kind and not e.sure and e.state != "waiting" for e in book.entries
        )

    def _may_stay(self, book: Book, entry: Entry) -> bool:
        """Whether it may take memory for as long as it is of use."""
        if book.starving or self._is_tried(book, entry):
            return False
        # Otherwise it would only have to go again for the next that runs.
        running = sum(each.memory_mb for each in book.of("running"))
        return self._fits(book, entry, spare_mb=max(0.0, book.largest_mb - running))

    def _fits(self, book: Book, entry: Entry, spare_mb: float = 0.0) -> bool:
        """Whether its memory, and some to spare, is there beside what all others are to have."""
        holders = [e for e in book.entries if e.state != "waiting"]
        free = self._available_mb() - self._margin - entry.memory_mb - spare_mb
        if free >= sum(holder.memory_mb for holder in holders):
            return True
        # What they have already is not available any more, and must not count twice.
        held: dict[int, float] = {}
        for holder in holders:
            held[holder.pid] = held.get(holder.pid, 0.0) + holder.memory_mb
        has = machine.resident_mb(held)
        return free >= sum(max(0.0, held[pid] - has[pid]) for pid in held)

    def _must_run(self, book: Book, entry: Entry, short_seconds: float) -> bool:
        """Whether it is to run though it does not fit, since waiting will not help."""
        if book.of("running"):
            return False
        if book.of("resident") and short_seconds < _RESIDENTS_SECONDS:
            return False
        if entry.sure and not book.said:
            book.said = True
            with contextlib.suppress(RuntimeWarning):
                free = max(0.0, self._available_mb() - self._margin)
                warnings.warn(
                    f"a Lean process is expected to need {entry.memory_mb:,.0f} MB of memory, of "
                    f"which there are {free:,.0f} to spare: one is run at a time",
                    RuntimeWarning,
                    stacklevel=2,
                )
        return True

    def _watch(self) -> None:
        with self._guard:
            if self._watcher is None or not self._watcher.is_alive():
                self._watcher = threading.Thread(
                    target=self._look_out, name="vsb-memory", daemon=True
                )
                self._watcher.start()

    def _look_out(self) -> None:
        """Tell those who hold memory in this process while somebody waits for some."""
        while True:
            time.sleep(_PRESSURE_SECONDS)
            book = self._ledger.look()
            if not _holds(book):
                with self._guard:
                    # Whoever has reserved meanwhile took this thread for alive.
                    book = self._ledger.look()
                    if not _holds(book):
                        self._watcher = None
                if self._watcher is None:
                    # What is in the ledger of ours all the same has been lost.
                    with contextlib.suppress(EnvironmentUnavailable):
                        self._ledger.change(_tidy)
                    return
            if book.starving:
                # One that died waiting needs no memory any more.
                book.bury()
            if book.starving:
                for callback in list(self._callbacks):
                    with contextlib.suppress(Exception):
                        callback()


def _new_id() -> str:
    return f"{os.getpid()}-{next(_numbers)}-{os.urandom(3).hex()}"


def _begin(book: Book, entry: Entry) -> None:
    book.put(entry)
    if entry.sure:
        book.largest_mb = max(book.largest_mb, entry.memory_mb)


def _holds(book: Book) -> bool:
    """Whether this process holds memory for what only stays."""
    return any(entry.id in _held for entry in book.of("resident"))


def _tidy(book: Book) -> None:
    """Remove what an exception at a bad moment left of this process's."""
    pid = os.getpid()
    if any(entry.pid == pid and entry.id not in _held for entry in book.entries):
        born = machine.started(pid)
        book.entries = [
            entry
            for entry in book.entries
            if entry.pid != pid or entry.born != born or entry.id in _held
        ]
