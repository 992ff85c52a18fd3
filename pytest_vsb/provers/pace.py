"""One pace for all workers of a run: requests and tokens per minute, and requests at once.

Why not a library (looked at on 2026-11-30): ``limits`` keeps its counts in memory or in a server
(Redis, Memcached, MongoDB), not in a file; ``pyrate-limiter`` has an SQLite bucket, but writes one
row per unit of weight, so that a request of 50,000 tokens is 50,000 rows, and neither bounds the
requests in flight, frees the place of a worker that died, or learns from a provider's "slow
down". This needs one table of a few numbers in SQLite.

Rates follow the generic cell rate algorithm (ITU-T I.371): each request reserves the earliest
moment at which it keeps to the rate, in one transaction, and sleeps until then, so that nobody
polls and nobody is overtaken. The number at once adapts as TCP's window does: halved when the
provider refuses, then one more for each two rounds that went well.
"""

from __future__ import annotations

import contextlib
import platform
import queue
import re
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import filelock

from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.provers.pace_state import SCHEMA, PaceState, may_have_place

_P = ParamSpec("_P")
_T = TypeVar("_T")

_POLL_SECONDS = 0.05
"""How often to look for a place that another process left; those of this process are signalled."""
_REAP_SECONDS = 1.0
# Each machine has a file of its own: such files cannot be shared over a network.
_FILE = f"pace-{re.sub(r'[^A-Za-z0-9.-]', '_', platform.node())}.sqlite"


class PaceStopped(Exception):
    """The wait was ended because whoever waits is being closed."""


@dataclass(frozen=True)
class Admission:
    """Leave to send one request. ``waited`` is how many seconds it took to get."""

    waited: float


class _Place:
    """A request in flight inside a ``with``.

    No generator: one that an exception has left half-way would be ended by the garbage collector,
    perhaps while this thread holds a lock.
    """

    def __init__(self, pace: Pace, tokens: int, stop: threading.Event) -> None:
        self._pace = pace
        self._tokens = tokens
        self._stop = stop
        self.ticket = 0

    def __enter__(self) -> Admission:
        start = time.monotonic()
        try:
            self._pace._take_place(self, self._stop)
            self._pace._await_turn(self.ticket, self._tokens, self._stop)
        except BaseException:
            if self.ticket:
                self._pace._leave([self.ticket])
            raise
        return Admission(time.monotonic() - start)

    def __exit__(self, *_: object) -> None:
        self._pace._leave([self.ticket])


class Pace:
    """Limits that all processes naming the same directory keep together.

    Args:
        directory: where the shared file is; made if missing, to be on a local disk. ``None``
            limits this process alone.
        requests_per_minute: how many requests may be begun in a minute; ``None`` for any number.
        tokens_per_minute: how many tokens, by the callers' estimates; ``None`` for any number.
        concurrency: how many requests may be in flight; ``None`` for any number until the
            provider refuses.

    Raises:
        UsageError: a limit is below 1.
        EnvironmentUnavailable: the file cannot be made or opened.
    """

    def __init__(
        self,
        directory: Path | None = None,
        *,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        concurrency: int | None = None,
    ) -> None:
        limits = {
            "requests per minute": requests_per_minute,
            "tokens per minute": tokens_per_minute,
            "requests at once": concurrency,
        }
        for name, limit in limits.items():
            if limit is not None and limit < 1:
                raise UsageError(f"a limit of {limit} {name} admits nothing; it must be at least 1")
        self.directory = directory
        self.requests_per_minute = requests_per_minute
        self.tokens_per_minute = tokens_per_minute
        self.concurrency = concurrency
        self._owner = uuid.uuid4().hex
        self._lock = threading.Lock()
        self._head = threading.Lock()
        self._freed: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._mine: dict[int, int] = {}
        """The tickets of this process that are in use, and the threads that have them. One is noted
        before it is there for others."""
        self._left: set[int] = set()
        self._closed = False
        self._held = contextlib.ExitStack()
        try:
            self._database = self._open()
            self._reap()
        except (OSError, NotImplementedError, sqlite3.Error) as error:
            self._held.close()
            raise EnvironmentUnavailable(
                f"cannot share the pace of requests: {error}",
                where=str(directory),
                hint="The directory must be on a local disk that can be written.",
            ) from error
        except BaseException:
            self._held.close()
            raise

    def _open(self) -> sqlite3.Connection:
        if self.directory is None:
            return self._connect(":memory:")
        self.directory.mkdir(parents=True, exist_ok=True)
        # Held until this process ends, however it does: its places are free then.
        alive = filelock.FileLock(self._liveness(self._owner), thread_local=False)
        alive.acquire(blocking=False)
        self._held.callback(alive.release)
        self._held.callback(Path(alive.lock_file).unlink, missing_ok=True)
        # One process at a time changes the new file's mode: SQLite does not wait for that.
        with filelock.FileLock(self.directory / "open.lock", timeout=60):
            return self._connect(str(self.directory / _FILE))

    def _connect(self, target: str) -> sqlite3.Connection:
        database = sqlite3.connect(
            target, timeout=30.0, isolation_level=None, check_same_thread=False
        )
        self._held.callback(database.close)
        # Losing the last moments to a power cut costs nothing: a limit starts afresh.
        database.execute("pragma journal_mode=wal")
        database.execute("pragma synchronous=off")
        database.executescript(SCHEMA)
        return database

    def _liveness(self, owner: str) -> str:
        assert self.directory is not None
        return str(self.directory / f"{owner}.alive")

    # Transactions

    def _transact(
        self, work: Callable[Concatenate[PaceState, _P], _T], *args: _P.args, **kwargs: _P.kwargs
    ) -> _T:
        """What ``work`` returns, which is given the numbers, for this thread alone, and what else
        is to be passed to it."""
        # Not a ``with`` of our own around what others do: an exception of a signal's handler, just
        # before it is entered or left, would keep the lock, and the next would wait for it forever.
        with self._lock:
            if self._closed:
                raise PaceStopped
            return self._transact_locked(work, *args, **kwargs)

    def _transact_locked(
        self, work: Callable[Concatenate[PaceState, _P], _T], *args: _P.args, **kwargs: _P.kwargs
    ) -> _T:
        """The same for a thread that holds the lock."""
        try:
            # It ends the transaction, in one way or the other, wherever an exception strikes.
            with self._database:
                self._database.execute("begin immediate")
                state = PaceState(self._database)
                done = work(state, *args, **kwargs)
                state.write()
            return done
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _unusable(self, error: sqlite3.Error) -> EnvironmentUnavailable:
        return EnvironmentUnavailable(
            f"cannot share the pace of requests: {error}", where=str(self.directory)
        )

    # Admission

    def admit(
        self, tokens: int = 0, *, stop: threading.Event | None = None
    ) -> contextlib.AbstractContextManager[Admission]:
        """Wait for leave to send a request of about ``tokens`` tokens; it is in flight inside the
        ``with``.

        Raises:
            PaceStopped: in the ``with``: ``stop`` was set, or the pace closed, while waiting.
            EnvironmentUnavailable: in the ``with``: the shared file has become unusable.
        """
        return _Place(self, tokens, stop or threading.Event())

    def settle(self) -> None:
        """Give up the places that this thread still has though their ``with`` is over: an exception
        of a signal's handler can strike when that has just been entered or is about to end."""
        thread = threading.get_ident()
        mine = [ticket for ticket, other in list(self._mine.items()) if other == thread]
        if mine:
            self._leave(mine)

    def _take_place(self, place: _Place, stop: threading.Event) -> None:
        held: list[bool] = []
        try:
            # One thread of a process stands in the common queue, so that processes take turns.
            # That this one does so is noted in the call that makes it so.
            while not held:
                held.extend(filter(None, map(self._head.acquire, (True,), (0.5,))))
                self._check(stop)
            self._await_place(place, stop)
        finally:
            if held:
                self._head.release()

    def _await_place(self, place: _Place, stop: threading.Event) -> None:
        ticket = place.ticket = self._transact(self._enqueue)
        next_reap = time.monotonic() + _REAP_SECONDS
        while True:
            self._check(stop)
            if self._may_have_place(ticket) and self._transact(
                PaceState.place, ticket, self._owner, self.concurrency
            ):
                return
            if time.monotonic() >= next_reap:
                self._reap()
                next_reap = time.monotonic() + _REAP_SECONDS
            with contextlib.suppress(queue.Empty):
                self._freed.get(timeout=_POLL_SECONDS)

    def _enqueue(self, state: PaceState) -> int:
        # What else waits is of a thread that does not stand in the queue any more.
        state.leave_queue(self._owner)
        ticket = state.enqueue(self._owner)
        self._mine[ticket] = threading.get_ident()
        return ticket

    def _may_have_place(self, ticket: int) -> bool:
        """A look without a transaction, which is most of what waiting costs."""
        with self._lock:
            if self._closed:
                raise PaceStopped
            try:
                return may_have_place(self._database, ticket, self.concurrency)
            except sqlite3.Error as error:
                raise self._unusable(error) from error

    def _await_turn(self, ticket: int, tokens: int, stop: threading.Event) -> None:
        costs = self._costs(tokens)
        while True:
            self._check(stop)
            wait = self._transact(self._wait, ticket, costs)
            if wait <= 0:
                return
            # In steps, to notice a provider's "slow down" and a clock that was set.
            _pause(stop, min(wait, 1.0))

    def _wait(self, state: PaceState, ticket: int, costs: Mapping[str, float]) -> float:
        return state.turn(ticket, self._owner, costs) - state.now

    def _costs(self, tokens: int) -> Mapping[str, float]:
        """How many seconds of each rate a request takes."""
        costs = {}
        if self.requests_per_minute is not None:
            costs["requests"] = 60 / self.requests_per_minute
        if self.tokens_per_minute is not None and tokens > 0:
            costs["tokens"] = tokens * 60 / self.tokens_per_minute
        return costs

    def _check(self, stop: threading.Event) -> None:
        if stop.is_set() or self._closed:
            raise PaceStopped

    def _leave(self, tickets: Collection[int]) -> None:
        try:
            self._give_up(tickets)
        except BaseException:
            # Interrupted: a place that stayed would be taken for as long as this process is.
            self._give_up(tickets)
            raise

    def _give_up(self, tickets: Collection[int]) -> None:
        # Where the file cannot be used now, the place is given up with a later one.
        self._left.update(tickets)
        left = set(self._left)
        with self._suppressed():
            self._transact(PaceState.leave, left, self._owner)
            self._left -= left
        for ticket in tickets:
            self._mine.pop(ticket, None)
        self._wake()

    def _wake(self) -> None:
        """Have who waits for a place look again."""
        if self._freed.empty():
            self._freed.put(None)

    def _reap(self) -> None:
        """Give up the places of processes that died, and remove the files that told of them."""
        if self.directory is None:
            return
        owners = self._transact(PaceState.owners)
        # A new file's lock may not have been taken yet; one with a place has it for sure.
        old = time.time() - 24 * 3600
        for file in self.directory.glob("*.alive"):
            with contextlib.suppress(OSError):
                if file.stem not in owners and file.stat().st_mtime < old:
                    owners.add(file.stem)
        for owner in owners - {self._owner}:
            lock = filelock.FileLock(self._liveness(owner), thread_local=False)
            try:
                lock.acquire(blocking=False)
            except filelock.Timeout:
                continue
            self._transact(PaceState.drop, owner)
            Path(self._liveness(owner)).unlink(missing_ok=True)
            lock.release()

    # What the provider says

    def slow_down(self, seconds: float, *, refused: bool = True) -> None:
        """Let nobody begin a request for ``seconds``.

        ``refused`` says that the provider turned a request down, so that fewer are kept in flight
        from now on; refusals close together count once.
        """
        with self._suppressed():
            self._transact(PaceState.block, max(0.0, seconds), refused, self.concurrency)

    def succeeded(self) -> None:
        """Note a request that went well: after a while of those, more are let in again."""
        with self._suppressed():
            self._transact(PaceState.widen, self.concurrency)

    def correct(self, estimated: int, actual: int) -> None:
        """Replace a request's estimate by the tokens that the provider counted."""
        if self.tokens_per_minute is not None:
            seconds = (actual - estimated) * 60 / self.tokens_per_minute
            with self._suppressed():
                self._transact(PaceState.shift_tokens, seconds)

    def _suppressed(self) -> contextlib.suppress:
        # What is only noted must not cost an answer that is there.
        return contextlib.suppress(PaceStopped, EnvironmentUnavailable)

    @property
    def allowed(self) -> int | None:
        """How many may be in flight now; ``None`` for any number."""
        return self._transact(PaceState.allowed, self.concurrency)

    @property
    def in_flight(self) -> int:
        """How many are in flight now, in all processes."""
        return self._transact(PaceState.active)

    def close(self) -> None:
        """End all waits of this process and give up its places."""
        # In one go: a place given up before the end would be taken by a thread that waits for it.
        with self._lock:
            if not self._closed:
                self._closed = True
                with self._suppressed():
                    self._transact_locked(PaceState.drop, self._owner)
                self._held.close()
        self._wake()


def _pause(stop: threading.Event, seconds: float) -> None:
    """Wait so long, or until the event is set."""
    # An event's own wait can leave it locked where a signal's handler raises in it.
    end = time.monotonic() + seconds
    while not stop.is_set() and (left := end - time.monotonic()) > 0:
        time.sleep(min(left, _POLL_SECONDS))
