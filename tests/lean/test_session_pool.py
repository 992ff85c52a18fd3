"""The pool of warm sessions: who gets which, and when one ends."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import math
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_vsb.lean.diagnostics import ParsedOutput
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.sandbox.rlimits import Rlimits
from pytest_vsb.lean.session import SessionOutput
from pytest_vsb.lean.session_pool import Document, SessionPool
from pytest_vsb.lean.slots import LeanSlots
from pytest_vsb.lean.toolchain import Toolchain

LEAN = Toolchain("path", "4.9.0", "", ("lean",), (), (), "asked for", True)


def document(name: str) -> Document:
    return Document(Path(name), LEAN, (), (), (), Rlimits(), Limits(wall_seconds=10.0))


class Recorded:
    """A session that does nothing but note what is done to it."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.alive = True
        self.checks = 0
        self.memory_mb = 100.0
        self.closed = 0
        self.ended = threading.Event()
        self.during: Callable[[], object] = lambda: None

    def check(self, text: str, *, wall_seconds: float) -> SessionOutput:
        self.checks += 1
        self.during()
        return SessionOutput("done", ParsedOutput((), ""), 0.0, self.memory_mb)

    def close(self) -> None:
        self.closed += 1
        self.alive = False
        self.ended.set()


class Opened:
    """Makes sessions, and remembers them."""

    def __init__(self) -> None:
        self.sessions: list[Recorded] = []

    def __call__(self, document: Document) -> Recorded:
        self.sessions.append(Recorded(document))
        return self.sessions[-1]

    @property
    def open(self) -> list[str]:
        return [str(each.document.path) for each in self.sessions if not each.closed]


@pytest.fixture
def opened() -> Opened:
    return Opened()


def ask(pool: SessionPool, name: str) -> bool:
    """Whether a document's session could be asked."""
    with pool.lease(document(name)) as lease:
        if lease is None:
            return False
        lease.session.check("", wall_seconds=1.0)
        return True


def ask_elsewhere(pool: SessionPool, name: str) -> bool:
    """The same in another thread, as one that holds a session gives it back when it asks."""
    with concurrent.futures.ThreadPoolExecutor(1) as executor:
        return executor.submit(ask, pool, name).result()


def test_a_document_keeps_its_session_and_its_notes(opened: Opened) -> None:
    pool = SessionPool(open=opened)
    with pool.lease(document("A")) as lease:
        assert lease is not None
        lease.notes["known"] = 1
    with pool.lease(document("A")) as lease:
        assert lease is not None
        assert lease.notes == {"known": 1}
    assert opened.open == ["A"]
    pool.close()
    assert opened.open == []


def test_all_that_lean_depends_on_tells_documents_apart() -> None:
    one = document("A")
    others = [
        dataclasses.replace(one, path=Path("B")),
        dataclasses.replace(one, toolchain=dataclasses.replace(LEAN, version="4.10.0")),
        dataclasses.replace(one, search_path=(Path("lib"),)),
        dataclasses.replace(one, options=("-DautoImplicit=false",)),
        dataclasses.replace(one, hidden=(Path("A.olean"),)),
        dataclasses.replace(one, limits=Limits(wall_seconds=20.0)),
        dataclasses.replace(one, threads=1),
    ]
    assert len({one, *others}) == len(others) + 1


def test_the_one_not_used_for_longest_makes_room(opened: Opened) -> None:
    pool = SessionPool(most=2, open=opened)
    for name in ("A", "B", "A", "C"):
        assert ask(pool, name)
    assert opened.open == ["A", "C"]
    assert len(pool) == 2
    pool.close()


def test_a_session_in_use_does_not_make_room(opened: Opened) -> None:
    pool = SessionPool(most=1, open=opened)
    with pool.lease(document("A")) as lease:
        assert lease is not None
        assert not ask_elsewhere(pool, "B")
        assert not ask_elsewhere(pool, "A")
        assert pool.evict_idle() == 0
    assert ask(pool, "B")
    assert opened.open == ["B"]
    pool.close()


def test_one_opened_ahead_leaves_the_last_used_alone(opened: Opened) -> None:
    pool = SessionPool(most=2, open=opened)
    for name in ("A", "B"):
        assert ask(pool, name)
    assert pool.has_room()
    with pool.lease(document("C"), ahead=True) as lease:
        assert lease is not None
    assert opened.open == ["B", "C"]
    pool.close()
    one = SessionPool(most=1, open=opened)
    assert one.has_room()
    assert ask(one, "A")
    assert not one.has_room()
    with one.lease(document("B"), ahead=True) as lease:
        assert lease is None
    assert opened.open == ["A"]
    one.close()


def test_waiting_for_a_session_in_use(opened: Opened) -> None:
    pool = SessionPool(open=opened)
    entered, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with pool.lease(document("A")):
            entered.set()
            leave.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    assert entered.wait(30)
    timer = threading.Timer(0.05, leave.set)
    timer.start()
    with pool.lease(document("A"), patience=30) as lease:
        assert lease is not None
    thread.join()
    timer.join()
    assert len(opened.sessions) == 1
    pool.close()


@pytest.mark.parametrize("cause", ["uses", "growth", "sick", "discarded", "exception"])
def test_a_session_ends_in_time(opened: Opened, cause: str) -> None:
    pool = SessionPool(open=opened, uses=3 if cause == "uses" else 100, growth_mb=50.0)
    ask(pool, "A")
    session = opened.sessions[0]
    if cause == "uses":
        ask(pool, "A")
        assert not session.closed
        ask(pool, "A")
    elif cause == "growth":
        session.memory_mb += 51.0
        for _ in range(6):
            assert ask(pool, "A")
        ask(pool, "A")
    elif cause == "sick":
        session.during = lambda: setattr(session, "alive", False)
        ask(pool, "A")
    elif cause == "discarded":
        with pool.lease(document("A")) as lease:
            assert lease is not None
            lease.discard()
    else:
        with pytest.raises(KeyboardInterrupt), pool.lease(document("A")):
            raise KeyboardInterrupt
    assert session.closed
    assert document("A") not in pool
    assert ask(pool, "A")
    assert len(opened.sessions) == 2
    pool.close()


def test_an_idle_session_ends_by_itself(opened: Opened) -> None:
    pool = SessionPool(open=opened, idle_seconds=0.05)
    ask(pool, "A")
    assert opened.sessions[0].ended.wait(30)
    assert ask(pool, "A")
    pool.close()


def test_closing_ends_what_is_in_use_and_opens_nothing_more(opened: Opened) -> None:
    pool = SessionPool(open=opened)
    with pool.lease(document("A")) as lease:
        assert lease is not None
        pool.close()
        assert opened.open == []
        # As one would that was asked just then, and started another Lean.
        opened.sessions[0].closed = 0
    assert opened.open == []
    assert not ask(pool, "A")
    assert not pool.has_room()
    pool.close()
    assert len(opened.sessions) == 1


class Told(LeanSlots):
    """Slots with as much memory as they are told."""

    def __init__(self, directory: Path) -> None:
        self.free_mb = 10_000.0
        super().__init__(directory, 1, available_mb=lambda: self.free_mb)


def test_an_open_session_holds_its_memory_and_one_in_use_a_slot(
    tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "cache"))
    slots = Told(tmp_path / "slots")
    pool = SessionPool(most=2, slots=slots, open=opened)
    assert pool.has_room()
    with pool.lease(document("A")) as lease:
        assert lease is not None
        assert not slots.idle()
        assert not pool.has_room()
        lease.session.check("", wall_seconds=1.0)
    assert slots.idle()
    slots.free_mb = 0.0
    # The first one goes, since there is no memory for both; but even then there is not enough.
    assert not ask(pool, "B")
    assert opened.open == []
    slots.free_mb = 10_000.0
    assert ask(pool, "B")
    assert pool.memory_mb == 100.0
    pool.close()
    assert pool.memory_mb == 0.0


def test_who_waits_for_memory_gets_that_of_idle_sessions(
    tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "cache"))
    slots = Told(tmp_path / "slots")
    # However long the thread takes that asks sessions to go.
    monkeypatch.setattr("pytest_vsb.lean.slots._RESIDENTS_SECONDS", math.inf)
    pool = SessionPool(slots=slots, open=opened)
    assert ask(pool, "A")
    slots.free_mb = 0.0
    with slots.acquire("compile"):
        # It would not have waited for ever, but for longer than this session was kept.
        assert opened.open == []
    pool.close()
