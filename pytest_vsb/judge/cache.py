"""Verdicts that are kept: an equal candidate under equal circumstances is judged once.

In memory for one process, whose samples often repeat themselves; and on disk, in one SQLite
database in the cache directory, for all runs. Both are only a cache: whatever goes wrong, Lean
judges.

What is kept is what Lean will say again. So a timeout is kept only where each thread of Lean's had
a processor to itself until then; what the machine did, and crashes, never are. What a sandboxed
Lean was given can write nothing into the database; without a sandbox, no accepted proof is kept on
disk, and none that is there is believed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
import time
import warnings
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import msgspec

from pytest_vsb.errors import VsbError
from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.located import Key
from pytest_vsb.judge.located import key as task_key
from pytest_vsb.judge.opinion import ALONE
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.judge.verdict_key import verdict_key
from pytest_vsb.lean import machine
from pytest_vsb.provers.base import Candidate
from pytest_vsb.tasks.model import Task

if TYPE_CHECKING:
    from pytest_vsb.repository.store import Store

LIMIT = 1024**3
"""How large the database may become, in bytes."""

FILE = "verdicts-1.sqlite3"

KEPT = frozenset(
    {
        VerdictKind.ACCEPTED,
        VerdictKind.REJECTED,
        VerdictKind.INCOMPLETE,
        VerdictKind.UNSOUND,
        VerdictKind.TIMEOUT,
        VerdictKind.OUT_OF_MEMORY,
    }
)

_KIND, _VERSION = "verdict", "1"
_OWN_SHARE = 0.9
_MEMORY_BYTES = 32 * 2**20
# A look at thousands of compiled modules takes long: no more than this part of the time goes there.
_LOOKING_SHARE = 0.05

Judging = Callable[[Task, Candidate], Verdict]


@dataclass(frozen=True)
class _Entry:
    """What is written: the verdict, and once more what it is for."""

    key: str
    verdict: Verdict


@dataclass
class _Unwritten:
    """Verdicts for one task that are to be written if what it imports has not changed meanwhile."""

    checker: Checker
    task: Task
    entries: list[tuple[str, bytes]] = field(default_factory=list)
    not_before: float = 0.0


@dataclass(eq=False)
class _Flight:
    """A candidate that is being judged, or is about to be. It is forgotten with its last user.

    The lock is to be held by a plain ``with`` alone, which no exception of a signal's handler can
    part from what it protects.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)


def lasts(verdict: Verdict, threads: int = 1) -> bool:
    """Whether Lean, which was given so many threads, would say the same again of an equal
    candidate, within the same limits."""
    if verdict.kind not in KEPT:
        return False
    if verdict.kind is VerdictKind.OUT_OF_MEMORY:
        # That of a session holds what other candidates have left there.
        return verdict.checker == "batch"
    if verdict.kind is VerdictKind.TIMEOUT:
        # On a busy machine, Lean may have waited for a processor.
        return verdict.checker == "batch" and _had_processors(verdict, threads)
    return True


def _had_processors(verdict: Verdict, threads: int) -> bool:
    """Whether no thread can have waited for a processor for long.

    Of several threads whose times add up to that of one, nobody knows whether one ran alone or
    each waited half of the time; the system tells that of threads that are there, not of those
    that have ended.
    """
    return 0 < _OWN_SHARE * threads * verdict.lean_seconds <= verdict.cpu_seconds


class VerdictCache:
    """The verdicts of one process, and those on disk. Safe in any thread.

    Args:
        store: the database; ``None`` for memory alone.
        sessions: whether a warm session's verdicts on disk are believed, too.
    """

    def __init__(self, store: Store | None = None, *, sessions: bool = True) -> None:
        self._store = store
        self._sessions = sessions
        self._lock = threading.RLock()
        self._memory: OrderedDict[str, bytes] = OrderedDict()
        self._memory_bytes = 0
        self._flights: WeakValueDictionary[str, _Flight] = WeakValueDictionary()
        self._unwritten: dict[tuple[int, Key], _Unwritten] = {}
        self._by_sessions: list[str] = []
        """The keys of what warm sessions of this process have said."""
        # Where it is instead of the usual place is told elsewhere.
        self._told = len(store.notes) if store is not None else 0

    def judge(self, checker: Checker, task: Task, candidate: Candidate, judge: Judging) -> Verdict:
        """The verdict on a candidate: that on an equal one, else what ``judge`` says.

        Args:
            checker: the judge that is asked in the end, here or elsewhere.

        Raises:
            EnvironmentUnavailable: see ``Checker.check``.
        """
        if checker.refused(candidate) is not None:
            # Cheaper to find than to look up.
            return judge(task, candidate)
        submission = checker.submission(task, candidate)
        key = verdict_key(checker, task, submission)
        # Nobody else in this process looks for, or judges, the same candidate meanwhile.
        flight = self._flight(key)
        with flight.lock:
            found = self._find(key, submission.digest, believes=_is_confined(checker))
            if found is not None:
                return dataclasses.replace(found, cached=True)
            verdict = judge(task, candidate)
            right = verdict.submission == submission.digest
            threads = checker.threads or machine.cores()
            if right and lasts(verdict, threads) and checker.is_as_asked(task, verdict):
                self._keep(key, verdict, checker, task)
            return verdict

    def forget_sessions(self) -> None:
        """Drop what this process's warm sessions have said: one of them was found to be wrong."""
        with self._lock:
            keys, self._by_sessions = set(self._by_sessions), []
            for key in keys:
                self._memory_bytes -= len(self._memory.pop(key, b""))
            for waiting in self._unwritten.values():
                waiting.entries = [entry for entry in waiting.entries if entry[0] not in keys]
            if self._store is not None:
                for key in keys:
                    # Which is no verdict.
                    self._store.write(_KIND, _VERSION, key, b"")

    def close(self) -> None:
        """Write what is still to be written. More may be asked afterwards."""
        with self._lock:
            for key in list(self._unwritten):
                self._write(key, now=True)
        if self._store is not None:
            self._store.close()

    def _flight(self, key: str) -> _Flight:
        with self._lock:
            return self._flights.setdefault(key, _Flight())

    # Reading

    def _find(self, key: str, submission: str, *, believes: bool) -> Verdict | None:
        with self._lock:
            data = self._memory.get(key)
            if data is not None:
                self._memory.move_to_end(key)
                return _decode(data, key, submission)
        if self._store is None:
            return None
        data = self._store.read(_KIND, _VERSION, key)
        self._tell()
        verdict = None if data is None else _decode(data, key, submission)
        if verdict is None or data is None:
            return None
        if (verdict.accepted and not believes) or (
            verdict.checker != "batch" and not self._sessions
        ):
            return None
        self._remember(key, data)
        return verdict

    # Keeping

    def _keep(self, key: str, verdict: Verdict, checker: Checker, task: Task) -> None:
        try:
            data = msgspec.json.encode(_Entry(key, verdict))
        except UnicodeEncodeError:
            return  # Half a character, which would come back as another.
        if _decode(data, key, verdict.submission) != verdict:
            return
        self._remember(key, data)
        if verdict.checker == "session":
            with self._lock:
                self._by_sessions.append(key)
        if self._store is None or (verdict.accepted and not _is_confined(checker)):
            return
        if ALONE in verdict.assurance:
            # What shows that the session was wrong would not be there in another process.
            return
        place = (id(checker), task_key(task))
        with self._lock:
            for other in [other for other in self._unwritten if other != place]:
                self._write(other, now=True)
                del self._unwritten[other]
            waiting = self._unwritten.setdefault(place, _Unwritten(checker, task))
            waiting.entries.append((key, data))
            self._write(place)

    def _remember(self, key: str, data: bytes) -> None:
        with self._lock:
            before = self._memory.pop(key, b"")
            self._memory[key] = data
            self._memory_bytes += len(data) - len(before)
            while self._memory_bytes > _MEMORY_BYTES:
                _, dropped = self._memory.popitem(last=False)
                self._memory_bytes -= len(dropped)

    def _write(self, place: tuple[int, Key], *, now: bool = False) -> None:
        """Write a task's verdicts, if it is time to, unless what they rest on has changed since."""
        waiting = self._unwritten[place]
        begin = time.monotonic()
        if not waiting.entries or (begin < waiting.not_before and not now):
            return
        try:
            same = waiting.checker.unchanged(waiting.task)
        except (VsbError, OSError):
            same = False
        end = time.monotonic()
        waiting.not_before = end + (end - begin) / _LOOKING_SHARE
        if same and self._store is not None:
            for key, data in waiting.entries:
                self._store.write(_KIND, _VERSION, key, data)
        waiting.entries.clear()
        self._tell()

    def _tell(self) -> None:
        """Warn of what is wrong with the database, once."""
        assert self._store is not None
        notes, self._told = self._store.notes[self._told :], len(self._store.notes)
        for note in notes:
            # Where warnings are errors, it is no reason to lose a verdict.
            with contextlib.suppress(RuntimeWarning):
                warnings.warn(f"the cache of verdicts: {note}", RuntimeWarning, stacklevel=2)


class CachedJudge:
    """A checker behind a cache, as the loop asks it.

    Args:
        checker: knows the tasks.
        judge: judges a candidate that is not in the cache: the checker, or one elsewhere.
        cache: the cache.
    """

    def __init__(self, checker: Checker, judge: Judging, cache: VerdictCache) -> None:
        self._checker = checker
        self._judge = judge
        self._cache = cache

    @property
    def root(self) -> Path:
        """See ``Checker.root``."""
        return self._checker.root

    def prefix(self, task: Task) -> str:
        """See ``Checker.prefix``."""
        return self._checker.prefix(task)

    def check(self, task: Task, candidate: Candidate) -> Verdict:
        """See ``Checker.check``."""
        return self._cache.judge(self._checker, task, candidate, self._judge)

    def excerpts(self, task: Task, candidate: Candidate, verdict: Verdict) -> tuple[str, ...]:
        """See ``Checker.excerpts``."""
        return self._checker.excerpts(task, candidate, verdict)


def open_verdicts() -> Store:
    """The database of verdicts in the cache directory."""
    from pytest_vsb.repository.store import open_store

    return open_store(FILE, limit=LIMIT)


def _is_confined(checker: Checker) -> bool:
    return checker.sandbox.sandbox.level.is_sandbox


def _decode(data: bytes, key: str, submission: str) -> Verdict | None:
    """The verdict in an entry; ``None`` if it is none for this, or none that is ever kept."""
    try:
        entry = msgspec.json.decode(data, type=_Entry)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    verdict = entry.verdict
    right = entry.key == key and verdict.submission == submission
    return verdict if right and lasts(verdict) else None
