"""What the journals of a run say, item by item: the reading end, for resuming and reporting."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_vsb.provers.base import Answer
from pytest_vsb.run.index import JournalIndex
from pytest_vsb.run.journal import (
    Answered,
    Asked,
    Ended,
    Event,
    Judged,
    Remembered,
    Started,
    Unreadable,
)
from pytest_vsb.run.records import Attempt

Place = tuple[int, int]
"""Where an attempt stands in its item: (sample, round)."""

_NAMED = 5
_ROOM = 8 * 2**20
"""Bytes of journal that histories are kept of; in memory they take some three times as much."""


@dataclass(frozen=True)
class SessionUse:
    """What warm sessions did: of the ``candidates`` that Lean ran for, how many they ``refused``,
    and how many were ``compared``, judged by a session and from scratch."""

    candidates: int = 0
    refused: int = 0
    compared: int = 0

    def __add__(self, other: SessionUse) -> SessionUse:
        return SessionUse(
            self.candidates + other.candidates,
            self.refused + other.refused,
            self.compared + other.compared,
        )


@dataclass(frozen=True)
class _Facts:
    """Of an item, what is asked of all together."""

    toolchains: frozenset[str]
    sessions: SessionUse


@dataclass
class ItemHistory:
    """Everything journaled about one item, over all sessions of the run.

    ``attempts`` holds the newest complete attempt of each place; ``answers`` what the prover
    answered (``None``: nothing more to offer); ``asked`` the places that the last session asked a
    prover for and that have no attempt yet; ``remembered`` what the prover kept for a place.
    ``status`` is that of the last end, or ``unfinished``. ``digest`` is
    of the task as it was attempted: once it changes, what was made before is no longer about
    this task and is left out. ``basis`` says what it is made of. ``unreadable`` are the lines that
    the last session at it left and that are no events.
    """

    attempts: dict[Place, Attempt] = field(default_factory=dict)
    answers: dict[Place, Answer | None] = field(default_factory=dict)
    asked: set[Place] = field(default_factory=set)
    remembered: dict[Place, dict[str, str]] = field(default_factory=dict)
    status: str = "unfinished"
    reason: str = ""
    digest: str = ""
    basis: dict[str, str] = field(default_factory=dict)
    unreadable: list[Unreadable] = field(default_factory=list)

    def add(self, event: Event | Unreadable) -> None:
        if isinstance(event, Unreadable):
            self.unreadable.append(event)
        elif isinstance(event, Started):
            if event.digest and event.digest != self.digest:
                self.attempts.clear()
                self.answers.clear()
                self.remembered.clear()
                self.digest, self.basis = event.digest, event.basis
            self.status, self.reason = "unfinished", ""
            self.asked.clear()
            self.unreadable.clear()  # whatever is missing is made again from here on
        elif isinstance(event, Asked):
            self.asked.add((event.sample, event.round))
        elif isinstance(event, Remembered):
            place = (event.sample, event.round)
            self.remembered.setdefault(place, {})[event.key] = event.value
        elif isinstance(event, Answered):
            self.answers[event.sample, event.round] = event.answer
            if event.answer is None:
                self.asked.discard((event.sample, event.round))
        elif isinstance(event, Judged):
            self._add_attempt(event.attempt)
        elif isinstance(event, Ended):
            self.status, self.reason = event.status, event.reason

    def _add_attempt(self, attempt: Attempt) -> None:
        place = (attempt.sample, attempt.round)
        self.asked.discard(place)
        known = self.attempts.get(place)
        if known is None or attempt.reusable or not known.reusable:
            self.attempts[place] = attempt

    @property
    def outcome(self) -> tuple[str, str]:
        """The item's status and its reason, as in ``TaskResult``. Where lines cannot be read
        nobody knows what is missing: it is not done, even if its end says so."""
        if self.unreadable and self.status == "done":
            places = ", ".join(line.place for line in self.unreadable[:_NAMED])
            more = len(self.unreadable) - _NAMED
            told = places + (f" and {more} more" if more > 0 else "")
            return "unfinished", f"lines of the journal cannot be read: {told}"
        return ("unfinished" if self.status == "interrupted" else self.status), self.reason

    @property
    def begun(self) -> bool:
        """Whether a prover was asked and something came of it."""
        return bool(self.attempts or self.answers)

    @property
    def toolchains(self) -> frozenset[str]:
        """The Leans that judged its attempts."""
        verdicts = (attempt.verdict for attempt in self.attempts.values())
        return frozenset(v.toolchain for v in verdicts if v.toolchain and v.lean_seconds > 0)

    @property
    def sessions(self) -> SessionUse:
        """What warm sessions did about its attempts."""
        verdicts = [attempt.verdict for attempt in self.attempts.values()]
        ran = [verdict for verdict in verdicts if verdict.spent_seconds > 0]
        return SessionUse(
            candidates=len(ran),
            refused=sum(verdict.checker == "session" for verdict in ran),
            compared=sum(verdict.compared for verdict in ran),
        )

    def reusable(self) -> dict[Place, Attempt]:
        """The attempts that need not be made again: those judged to the end."""
        return {place: a for place, a in self.attempts.items() if a.reusable}

    def in_order(self) -> tuple[Attempt, ...]:
        return tuple(self.attempts[place] for place in sorted(self.attempts))


class History(Mapping[str, ItemHistory]):
    """What the journals of a run said when they were last looked at, by nodeid.

    An item's history is read from the journals when it is asked for, and kept only as long as
    there is room: a run of any size can be gone through. What is written meanwhile is not seen
    before :meth:`refresh`.

    Args:
        run: the run directory.
        index: a file with an index that another process of this session has kept.

    Raises:
        OSError: here and wherever an item is asked for, a journal cannot be read.
        UsageError: where an item is asked for, its journal has been changed.
    """

    def __init__(self, run: Path, index: Path | None = None) -> None:
        self._index = JournalIndex(run)
        self._kept: OrderedDict[tuple[str, bool], tuple[ItemHistory, int]] = OrderedDict()
        self._room = _ROOM
        self._facts: dict[str, _Facts] = {}
        if index is not None:
            self._index.load(index)
        self._index.refresh()

    @property
    def unreadable(self) -> Sequence[Unreadable]:
        """The lines of the journals that are no events, and so are in no history. Where an item was
        begun anew after one, whatever it told has been made again: it is not among them."""
        lost = [
            line
            for line in self._index.unreadable
            if line.nodeid not in self or line in self[line.nodeid].unreadable
        ]
        return tuple(sorted(lost, key=lambda line: (line.path, line.line)))

    def samples(self) -> int:
        """How many samples the attempts that count have: the largest number of one, and one
        more."""
        return self._index.samples()

    def toolchains(self) -> frozenset[str]:
        """The Leans that judged attempts of any item."""
        return frozenset[str]().union(*(facts.toolchains for facts in self._all_facts()))

    def sessions(self) -> SessionUse:
        """What warm sessions did about the attempts at all items."""
        return sum((facts.sessions for facts in self._all_facts()), SessionUse())

    def _all_facts(self) -> Iterator[_Facts]:
        for nodeid in self._index.nodeids():
            if nodeid not in self._facts:
                self._item(nodeid, whole=False)
            yield self._facts[nodeid]

    def refresh(self) -> None:
        """See what has been written since the journals were last looked at."""
        for nodeid in self._index.refresh():
            self._forget((nodeid, True))
            self._forget((nodeid, False))
            self._facts.pop(nodeid, None)

    def save(self, path: Path) -> None:
        """Keep the index in a file, for other processes of this session; raises ``OSError``."""
        self._index.save(path)

    def __getitem__(self, nodeid: str) -> ItemHistory:
        return self._item(nodeid, whole=True)

    def attempts(self, nodeid: str) -> tuple[Attempt, ...]:
        """The attempts at an item, in order; none if there is no such item. They take less time
        to read than all of its history."""
        if nodeid not in self._index:
            return ()
        whole = (nodeid, True) in self._kept
        return self._item(nodeid, whole=whole).in_order()

    def _item(self, nodeid: str, *, whole: bool) -> ItemHistory:
        key = (nodeid, whole)
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept[0]
        history, size = ItemHistory(), 0
        for event, length in self._index.events(nodeid, whole=whole):
            history.add(event)
            size += length
        self._facts[nodeid] = _Facts(history.toolchains, history.sessions)
        self._kept[key] = history, size
        self._room -= size
        while self._room < 0 and len(self._kept) > 1:
            self._forget(next(iter(self._kept)))
        return history

    def _forget(self, key: tuple[str, bool]) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._room += kept[1]

    def __contains__(self, nodeid: object) -> bool:
        return nodeid in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._index.nodeids())

    def __len__(self) -> int:
        return len(self._index)


def read_history(run: Path) -> History:
    """What the journals of run directory ``run`` say, by nodeid."""
    return History(run)
