"""The warm Lean sessions of one process: few, bounded, and gone when nobody needs them.

A session is lent to one holder at a time. It is ended when it has answered often enough, has grown,
is sick, has been idle, has to make room for another, or when its pool is closed.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
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
    lock: threading.Lock = field(default_factory=threading.Lock)
    held: int = 0
    first_mb: float = 0.0
    last_used: float = field(default_factory=time.monotonic)

    def end(self) -> None:
        try:
            self.lease.session.close()
        finally:
            if self.reserved is not None:
                self.reserved.release()


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
        self._entries: dict[Document, _Entry] = {}
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

    @contextlib.contextmanager
    def lease(
        self, document: Document, *, patience: float = 0.0, ahead: bool = False
    ) -> Iterator[Lease | None]:
        """Hold the document's session inside the ``with``, one that is made if there is none.

        ``None`` if it does not become free within ``patience`` seconds, if all that may be open are
        in use, if there is no memory for one, or if the pool is closed. If the ``with`` ends by an
        exception, the session ends. ``ahead`` is for one that nobody waits for: only what is older
        than the last used makes room for it.
        """
        entry = self._take(document, patience, ahead=ahead)
        if entry is None:
            yield None
            return
        whole = False
        try:
            with contextlib.nullcontext() if self._slots is None else self._slots.acquire():
                # The wait for a slot may have been long.
                yield None if self._closed.is_set() else entry.lease
            whole = True
        finally:
            self._give_back(entry, whole=whole)

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
        return self._evict(lambda entry: entry.last_used <= before)

    def close(self) -> None:
        """End all sessions, also those that are lent: their holders see them die. Safe twice."""
        self._closed.set()
        with self._guard:
            entries = list(self._entries.values())
            self._entries.clear()
        for entry in entries:
            entry.end()

    # Steps

    def _take(self, document: Document, patience: float, *, ahead: bool) -> _Entry | None:
        end = time.monotonic() + patience
        while True:
            entry = self._find(document, ahead=ahead)
            if entry is None:
                return None
            while not entry.lock.acquire(timeout=max(0.0, min(WAKE_SECONDS, _left(end)))):
                if _left(end) <= 0:
                    return None
            with self._guard:
                if self._entries.get(document) is entry:
                    return entry
            # It was ended while we waited for it.
            entry.lock.release()

    def _find(self, document: Document, *, ahead: bool) -> _Entry | None:
        """The document's entry, as the last one used; makes room for a new one if there is none."""
        with self._guard:
            if self._closed.is_set():
                return None
            entry = self._entries.pop(document, None) or self._new(document, ahead=ahead)
            if entry is not None:
                self._entries[document] = entry
                self._keep()
        return entry

    def _new(self, document: Document, *, ahead: bool) -> _Entry | None:
        there = list(self._entries.values())
        free = [each for each in (there[:-1] if ahead else there) if not each.lock.locked()]
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

    def _give_back(self, entry: _Entry, *, whole: bool) -> None:
        try:
            entry.last_used = time.monotonic()
            if not whole or entry.lease.discarded or self._closed.is_set() or self._is_worn(entry):
                with self._guard:
                    if self._entries.get(entry.document) is entry:
                        del self._entries[entry.document]
                entry.end()
        finally:
            entry.lock.release()

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
            leaving = [
                entry
                for entry in self._entries.values()
                if not entry.lock.locked() and matches(entry)
            ]
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


def _left(end: float) -> float:
    return end - time.monotonic()
