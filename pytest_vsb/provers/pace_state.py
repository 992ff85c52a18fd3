"""The numbers that a pace is kept by, and what one transaction does to them."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection, Mapping

_CUT_SECONDS = 5.0
"""Refusals this close together tell of one overload: the number at once is halved once."""
_FORGET_SECONDS = 600.0
"""After so long without a refusal, what was learned from the last one is of no use."""
_UNLIMITED = 0.0

SCHEMA = """
create table if not exists state (key text primary key, value real not null);
create table if not exists places (
    ticket integer primary key autoincrement,
    owner text not null,
    active integer not null default 0,
    turn real not null default 0,
    requests real not null default 0,
    tokens real not null default 0);
"""
# A place waits, then is active. ``turn`` is the moment when its request may be sent, for which
# ``requests`` and ``tokens`` seconds of the rates have been taken.

_LOOK = """
select
    (select count(*) from places where active = 1),
    (select count(*) from places where active = 0 and ticket < ?),
    coalesce((select value from state where key = 'window'), 0);
"""


def _allowed(window: float, concurrency: int | None) -> int | None:
    """How many may be in flight, by what was learned from refusals and by the user's limit."""
    if window == _UNLIMITED:
        return concurrency
    return max(1, min(int(window), concurrency or int(window)))


def may_have_place(database: sqlite3.Connection, ticket: int, concurrency: int | None) -> bool:
    """Whether there is room for a ticket that waits: a look without a transaction."""
    active, earlier, window = database.execute(_LOOK, (ticket,)).fetchone()
    allowed = _allowed(window, concurrency)
    return allowed is None or active + earlier < allowed


class PaceState:
    """The shared numbers inside one transaction. Times are seconds since the epoch, since all
    processes and also a resumed run, after the machine was started anew, must agree on them."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        rows = database.execute("select key, value from state").fetchall()
        self._values: dict[str, float] = dict(rows)
        self._read = dict(self._values)
        self.now = time.time()
        back = self._values.get("updated", self.now) - self.now
        if back > 0:
            # The clock was set back: what lay ahead by it still lies as far ahead.
            for key in ("requests", "tokens", "blocked", "cut"):
                if key in self._values:
                    self._values[key] -= back
            database.execute("update places set turn = turn - ? where turn > 0", (back,))
        self._values["updated"] = self.now
        if self.now > self._values.get("cut", self.now) + _FORGET_SECONDS:
            self._values["window"] = _UNLIMITED

    def write(self) -> None:
        changed = [item for item in self._values.items() if self._read.get(item[0]) != item[1]]
        self._database.executemany("insert or replace into state values (?, ?)", changed)

    # Places

    def enqueue(self, owner: str) -> int:
        cursor = self._database.execute("insert into places (owner) values (?)", (owner,))
        return int(cursor.lastrowid or 0)

    def place(self, ticket: int, owner: str, concurrency: int | None) -> bool:
        """Make the ticket active if there is room and no earlier one has a claim to it."""
        allowed = self.allowed(concurrency)
        if allowed is not None:
            earlier = self._count("active = 0 and ticket < ?", ticket)
            if self.active() + earlier >= allowed:
                return False
        self._activate(ticket, owner)
        return True

    def _activate(self, ticket: int, owner: str) -> None:
        # Also where the place is gone, as after someone removed the file that tells that its owner
        # is alive.
        self._database.execute(
            "insert or replace into places (ticket, owner, active) values (?, ?, 1)",
            (ticket, owner),
        )

    def active(self) -> int:
        return self._count("active = 1")

    def _count(self, condition: str, *values: int) -> int:
        row = self._database.execute(f"select count(*) from places where {condition}", values)
        return int(row.fetchone()[0])

    def leave(self, tickets: Collection[int], owner: str) -> None:
        """Give up an owner's places, and what was taken for requests that have not been sent."""
        for ticket in tickets:
            self._remove("ticket = ? and owner = ?", ticket, owner)

    def leave_queue(self, owner: str) -> None:
        """Give up the places of an owner that wait."""
        self._remove("active = 0 and owner = ?", owner)

    def drop(self, owner: str) -> None:
        """Give up all places of an owner."""
        self._remove("owner = ?", owner)

    def _remove(self, condition: str, *values: int | str) -> None:
        rows = self._database.execute(
            f"select requests, tokens from places where {condition} and turn > ?",
            (*values, self.now),
        )
        for requests, tokens in rows.fetchall():
            self._refund(requests, tokens)
        self._database.execute(f"delete from places where {condition}", values)

    def owners(self) -> set[str]:
        return {row[0] for row in self._database.execute("select distinct owner from places")}

    # The number at once

    def allowed(self, concurrency: int | None) -> int | None:
        return _allowed(self._values.get("window", _UNLIMITED), concurrency)

    def widen(self, concurrency: int | None) -> None:
        window = self._values.get("window", _UNLIMITED)
        if window == _UNLIMITED or self.now < self.blocked_until:
            return
        window += 1 / (2 * window)
        if concurrency is not None and window >= concurrency:
            window = _UNLIMITED
        self._values["window"] = window

    # Rates

    @property
    def blocked_until(self) -> float:
        return self._values.get("blocked", 0.0)

    def block(self, seconds: float, refused: bool, concurrency: int | None) -> None:
        if refused and self.now >= self._values.get("cut", 0.0):
            window = self._values.get("window", _UNLIMITED) or concurrency or self.active()
            self._values["window"] = max(1.0, min(window, concurrency or window) / 2)
        if refused:
            self._values["cut"] = self.now + max(seconds, _CUT_SECONDS)
        self._values["blocked"] = max(self.blocked_until, self.now + seconds)

    def turn(self, ticket: int, owner: str, costs: Mapping[str, float]) -> float:
        """The moment when the place's request may be sent; it is taken when first asked for."""
        row = self._database.execute(
            "select turn, requests, tokens from places where ticket = ?", (ticket,)
        ).fetchone()
        if row is None:
            self._activate(ticket, owner)
        elif row[0] and self.blocked_until <= max(self.now, row[0]):
            return float(row[0])
        elif row[0]:
            # The provider has said "slow down" since: the turn would come too early.
            self._refund(row[1], row[2])
        moment = max(self.now, self.blocked_until, *(self._values.get(key, 0.0) for key in costs))
        for key, seconds in costs.items():
            self._values[key] = moment + seconds
        self._database.execute(
            "update places set turn = ?, requests = ?, tokens = ? where ticket = ?",
            (moment, costs.get("requests", 0.0), costs.get("tokens", 0.0), ticket),
        )
        return moment

    def _refund(self, requests: float, tokens: float) -> None:
        for key, seconds in (("requests", requests), ("tokens", tokens)):
            if seconds:
                self._values[key] = self._values.get(key, self.now) - seconds

    def shift_tokens(self, seconds: float) -> None:
        self._values["tokens"] = self._values.get("tokens", self.now) + seconds
