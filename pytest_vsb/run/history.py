"""What the journals of a run say, item by item: the reading end, for resuming and reporting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_vsb.provers.base import Answer
from pytest_vsb.run.journal import (
    Answered,
    Asked,
    Ended,
    Event,
    Judged,
    Remembered,
    Started,
    read_journals,
)
from pytest_vsb.run.records import Attempt

Place = tuple[int, int]
"""Where an attempt stands in its item: (sample, round)."""


@dataclass
class ItemHistory:
    """Everything journaled about one item, over all sessions of the run.

    ``attempts`` holds the newest complete attempt of each place; ``answers`` what the prover
    answered (``None``: nothing more to offer); ``asked`` the places that the last session asked a
    prover for and that have no attempt yet; ``remembered`` what the prover kept for a place.
    ``status`` is that of the last end, or ``unfinished``. ``digest`` is
    of the task as it was attempted: once it changes, what was made before is no longer about
    this task and is left out.
    """

    attempts: dict[Place, Attempt] = field(default_factory=dict)
    answers: dict[Place, Answer | None] = field(default_factory=dict)
    asked: set[Place] = field(default_factory=set)
    remembered: dict[Place, dict[str, str]] = field(default_factory=dict)
    status: str = "unfinished"
    reason: str = ""
    digest: str = ""

    def add(self, event: Event) -> None:
        if isinstance(event, Started):
            if event.digest and event.digest != self.digest:
                self.attempts.clear()
                self.answers.clear()
                self.remembered.clear()
                self.digest = event.digest
            self.status, self.reason = "unfinished", ""
            self.asked.clear()
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
    def begun(self) -> bool:
        """Whether a prover was asked and something came of it."""
        return bool(self.attempts or self.answers)

    def reusable(self) -> dict[Place, Attempt]:
        """The attempts that need not be made again: those judged to the end."""
        return {place: a for place, a in self.attempts.items() if a.reusable}

    def in_order(self) -> tuple[Attempt, ...]:
        return tuple(self.attempts[place] for place in sorted(self.attempts))


def read_history(run: Path) -> Mapping[str, ItemHistory]:
    """Fold the journals of run directory ``run`` by nodeid."""
    items: dict[str, ItemHistory] = {}
    for event in read_journals(run):
        items.setdefault(event.nodeid, ItemHistory()).add(event)
    return items
