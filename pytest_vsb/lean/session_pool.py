"""The warm Lean sessions of one process: few, bounded, and gone when nobody needs them.

A session is lent to one holder at a time. It is ended when it has answered often enough, has grown,
is sick, has been idle, has to make room for another, or when its pool is closed.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.sandbox.box import Sandbox
from pytest_vsb.lean.toolchain import Toolchain
from pytest_vsb.waits import WAKE_SECONDS

if TYPE_CHECKING:
    from pytest_vsb.lean.session import SessionOutput

USES = 1000
"""Checks after which a session is ended."""

GROWTH_MB = 1024.0
"""MiB by which it may have grown since its first check."""

IDLE_SECONDS = 300.0
"""How long one is kept that nobody asks."""

_MEASURED = 8
"""Each so-manieth time that a session is given back, its memory is measured."""

_TICK_SECONDS = 1.0


@dataclass(frozen=True)
class Document:
    """What a session is for: one file, and all that Lean's answers about it depend on."""

    path: Path
    toolchain: Toolchain
    search_path: tuple[Path, ...]
    options: tuple[str, ...]
    hidden: tuple[Path, ...]
    sandbox: Sandbox
    limits: Limits
    threads: int | None = None

    @property
    def kind(self) -> str:
        """What sessions that need about the same memory have in common."""
        lean = self.toolchain
        return "\0".join(("session", lean.kind, lean.version, *map(str, self.search_path)))


class Warm(Protocol):
    """What a pool needs of a session; see :class:`pytest_vsb.lean.session.Session`."""

    @property
    def alive(self) -> bool: ...

    @property
    def checks(self) -> int: ...

    @property
    def memory_mb(self) -> float: ...

    def check(self, text: str, *, wall_seconds: float) -> SessionOutput: ...

    def close(self) -> None: ...


class Reserved(Protocol):
    """Memory for a process that stays; see ``pytest_vsb.lean.slots``."""

    def measured(self, resident_mb: float) -> None: ...

    def release(self) -> None: ...


class Slots(Protocol):
    """A bound on Lean processes at once, and on their memory; see ``pytest_vsb.lean.slots``."""

    def acquire(self) -> contextlib.AbstractContextManager[object]: ...

    def reserve(self, kind: str) -> Reserved | None: ...

    def on_pressure(self, callback: Callable[[], object]) -> None: ...

    def idle(self) -> bool: ...


def open_session(document: Document) -> Warm:
    """A session for a document; its Lean starts with the first check."""
    from pytest_vsb.lean.session import Session

    return Session(
        document.toolchain,
        document.search_path,
        document.options,
        sandbox=document.sandbox,
        hidden=document.hidden,
        threads=document.threads,
        limits=document.limits,
    )


@dataclass(eq=False)
class Lease:
    """A session, lent.

    ``notes`` are what its holders have found out about it; they end with it.
    """

    session: Warm
    notes: dict[Any, Any] = field(default_factory=dict)
    discarded: bool = False

    def discard(self) -> None:
        """Have the session ended instead of lent again."""
        self.discarded = True


@dataclass(eq=False)
class _Entry:
    document: Document
    lease: Lease
    reserved: Reserved | None = None
    holder: _Loan | None = None
    """Whom it is lent to. It is set with the pool's lock held."""
    freed: queue.SimpleQueue[None] = field(default_factory=queue.SimpleQueue)
    """Wakes who waits for it."""
    held: int = 0
    first_mb: float = 0.0
    last_used: float = field(default_factory=time.monotonic)

    def end(self) -> None:
        try:
            self._end()
        except BaseException:
            # Interrupted: nothing must stay behind all the same.
            self._end()
            raise

    def _end(self) -> None:
        try:
            self.lease.session.close()
        finally:
            if self.reserved is not None:
                self.reserved.release()

    def free(self) -> None:
        """Let it be lent again."""
        self.holder = None
        if self.freed.empty():
            self.freed.put(None)


class _Loan:
    """A session inside a ``with``.

    No generator: one that an exception has left half-way would be ended by the garbage collector,
    perhaps while this thread holds the pool's lock.
    """

    def __init__(
        self, pool: SessionPool, document: Document, patience: float, *, ahead: bool
    ) -> None:
        self.document = document
        self.patience = patience
        self.ahead = ahead
        self.thread = threading.get_ident()
        self.entry: _Entry | None = None
        self.place: contextlib.AbstractContextManager[object] | None = None
        """The slot that it holds."""
        self._pool = pool

    def __enter__(self) -> Lease | None:
        try:
            return self._pool._lend(self)
        except BaseException:
            self._end(whole=False)
            raise

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self._end(whole=kind is None)
        except BaseException:
            self._end(whole=False)
            raise

    def _end(self, *, whole: bool) -> None:
        try:
            if self.place is not None:
                self.place.__exit__(None, None, None)
        finally:
            self._pool._give_back(self, whole=whole)


class SessionPool:
    """Lends sessions. Safe in any thread.

    Args:
        most: how many may be open at once, if their memory allows.
        slots: a bound on Lean processes at once; a session that is lent holds one, and any that is
            open holds its memory.
        open: makes a session.
        uses, growth_mb, idle_seconds: see the constants of this module.
    """

    def __init__(
        self,
        *,
        most: int = 1,
        slots: Slots | None = None,
        open: Callable[[Document], Warm] = open_session,
        uses: int = USES,
        growth_mb: float = GROWTH_MB,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self.most = most
        self._slots = slots
        self._open = open
        self._uses, self._growth_mb, self._idle_seconds = uses, growth_mb, idle_seconds
        self._entries: OrderedDict[Document, _Entry] = OrderedDict()
        """The one that was used last comes last."""
        self._guard = threading.Lock()
        self._closed = threading.Event()
        self._keeper: threading.Thread | None = None
        if slots is not None:
            slots.on_pressure(self.evict_idle)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, document: Document) -> bool:
        return document in self._entries

    @property
    def memory_mb(self) -> float:
        """The resident memory of all sessions now, in MiB."""
        with self._guard:
            entries = list(self._entries.values())
        return sum(entry.lease.session.memory_mb for entry in entries)

    def lease(
        self, document: Document, *, patience: float = 0.0, ahead: bool = False
    ) -> contextlib.AbstractContextManager[Lease | None]:
        """Hold the document's session inside the ``with``, one that is made if there is none.

        ``None`` if it does not become free within ``patience`` seconds, if all that may be open are
        in use, if there is no memory for one, or if the pool is closed. If the ``with`` ends by an
        exception, the session ends. ``ahead`` is for one that nobody waits for: only what is older
        than the last used makes room for it. A thread holds one at a time: what it still has when
        it asks, an exception has left.
        """
        return _Loan(self, document, patience, ahead=ahead)

    def settle(self) -> None:
        """End the session that this thread still has though its ``with`` is over: an exception of a
        signal's handler can strike when that has just been entered or is about to end."""
        thread = threading.get_ident()
        self._evict(lambda entry: entry.holder is not None and entry.holder.thread == thread)

    def drop(self, document: Document) -> None:
        """End the document's session, if there is one."""
        with self._guard:
            entry = self._entries.pop(document, None)
        if entry is not None:
            entry.end()

    def has_room(self) -> bool:
        """Whether one could be opened ahead now, beside the last used, with a slot to spare."""
        free = (self.most > 1 or not self._entries) and not self._closed.is_set()
        return free and (self._slots is None or self._slots.idle())

    def evict_idle(self, seconds: float = 0.0) -> int:
        """End the sessions that nobody has held for so many seconds; how many those were."""
        before = time.monotonic() - seconds
        return self._evict(lambda entry: entry.holder is None and entry.last_used <= before)

    def close(self) -> None:
        """End all sessions, also those that are lent: their holders see them die. Safe twice."""
        self._closed.set()
        with self._guard:
            entries = list(self._entries.values())
            self._entries.clear()
        for entry in entries:
            entry.end()

    # Steps

    def _lend(self, loan: _Loan) -> Lease | None:
        self.settle()
        entry = self._take(loan)
        if entry is None:
            return None
        if self._slots is not None:
            place = self._slots.acquire()
            place.__enter__()
            loan.place = place
        # The wait for a slot may have been long.
        return None if self._closed.is_set() else entry.lease

    def _take(self, loan: _Loan) -> _Entry | None:
        end = time.monotonic() + loan.patience
        while True:
            with self._guard:
                entry = self._find(loan.document, ahead=loan.ahead)
                if entry is None:
                    return None
                if entry.holder is None:
                    loan.entry = entry
                    entry.holder = loan
                    return entry
            left = end - time.monotonic()
            if left <= 0:
                return None
            with contextlib.suppress(queue.Empty):
                # It may also be ended meanwhile.
                entry.freed.get(timeout=min(WAKE_SECONDS, left))

    def _find(self, document: Document, *, ahead: bool) -> _Entry | None:
        """The document's entry, as the last one used; makes room for a new one if there is none."""
        if self._closed.is_set():
            return None
        entry = self._entries.get(document)
        if entry is not None:
            self._entries.move_to_end(document)
        else:
            entry = self._new(document, ahead=ahead)
            if entry is None:
                return None
            self._entries[document] = entry
        self._keep()
        return entry

    def _new(self, document: Document, *, ahead: bool) -> _Entry | None:
        there = list(self._entries.values())
        free = [each for each in (there[:-1] if ahead else there) if each.holder is None]
        while len(self._entries) >= self.most:
            if not self._end_first(free):
                return None
        reserved = None
        while self._slots is not None:
            reserved = self._slots.reserve(document.kind)
            if reserved is not None:
                break
            if not self._end_first(free):
                return None
        try:
            return _Entry(document, Lease(self._open(document)), reserved)
        except BaseException:
            if reserved is not None:
                reserved.release()
            raise

    def _end_first(self, free: list[_Entry]) -> bool:
        """End the one that has not been used for longest, if there is one."""
        if not free:
            return False
        entry = free.pop(0)
        del self._entries[entry.document]
        entry.end()
        return True

    def _give_back(self, loan: _Loan, *, whole: bool) -> None:
        entry = loan.entry
        if entry is None or entry.holder is not loan:
            return
        entry.last_used = time.monotonic()
        if not whole or entry.lease.discarded or self._closed.is_set() or self._is_worn(entry):
            with self._guard:
                if self._entries.get(entry.document) is entry:
                    del self._entries[entry.document]
            entry.end()
        # The last step: until then, it is known whose it is.
        entry.free()

    def _is_worn(self, entry: _Entry) -> bool:
        session = entry.lease.session
        if not session.checks:
            return False
        if not session.alive or session.checks >= self._uses:
            return True
        entry.held += 1
        if entry.first_mb and entry.held % _MEASURED:
            return False
        memory = session.memory_mb
        if entry.reserved is not None:
            entry.reserved.measured(memory)
        if not entry.first_mb:
            entry.first_mb = memory
        return memory > entry.first_mb + self._growth_mb

    def _evict(self, matches: Callable[[_Entry], bool]) -> int:
        with self._guard:
            leaving = [entry for entry in self._entries.values() if matches(entry)]
            for entry in leaving:
                del self._entries[entry.document]
        for entry in leaving:
            entry.end()
        return len(leaving)

    def _keep(self) -> None:
        """See to it that somebody looks after idle sessions, as long as there are any."""
        if self._keeper is None or not self._keeper.is_alive():
            self._keeper = threading.Thread(
                target=self._look_after, name="vsb-sessions", daemon=True
            )
            self._keeper.start()

    def _look_after(self) -> None:
        while not self._closed.wait(min(_TICK_SECONDS, self._idle_seconds)):
            self.evict_idle(self._idle_seconds)
            with self._guard:
                if not self._entries:
                    # Whoever adds one starts another.
                    self._keeper = None
                    return
