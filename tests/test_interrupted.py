"""What is shared is lost by no exception of a signal's handler, wherever it strikes.

Ctrl-C and pytest-timeout raise in the main thread where Python lets handlers run: when a function
begins, when a call returns, and when a loop begins again. Here one raises at each such place.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import dis
import functools
import gc
import signal
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType, SimpleNamespace
from typing import Any

import pytest

import pytest_vsb
from pytest_vsb.judge import cache as cache_module
from pytest_vsb.judge.cache import VerdictCache
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.judge.warm import Sessions
from pytest_vsb.lean import slots as slots_module
from pytest_vsb.lean.diagnostics import ParsedOutput
from pytest_vsb.lean.peaks import Peaks
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.sandbox.rlimits import Rlimits
from pytest_vsb.lean.session import Session, SessionOutput
from pytest_vsb.lean.session_pool import Document, SessionPool
from pytest_vsb.lean.slots import LeanSlots
from pytest_vsb.lean.toolchain import Toolchain
from pytest_vsb.provers import pace as pace_module
from pytest_vsb.provers.base import Candidate
from pytest_vsb.provers.pace import Pace
from pytest_vsb.run import session as session_module
from pytest_vsb.run.session import RunSession, Workshop

PACKAGE = Path(pytest_vsb.__file__).parent
SHARED = ("lean/slots", "lean/ledger", "lean/session_pool", "lean/session")
OTHERS = ("provers/pace", "judge/cache")
OURS = {contextlib.__file__, *(str(PACKAGE / f"{name}.py") for name in (*SHARED, *OTHERS))}
HANDLED_AFTER = ("CALL", "JUMP_BACKWARD", "JUMP_ABSOLUTE", "POP_JUMP_BACKWARD")


class Interrupted(BaseException):
    """As a handler raises it."""


@functools.cache
def instructions(code: CodeType) -> dict[int, tuple[str, object]]:
    """The name of each instruction, and where an exception in it is handled, as far as a table says
    that (since Python 3.11)."""
    bytecode = dis.Bytecode(code)
    table = getattr(bytecode, "exception_entries", ())

    def handler(offset: int) -> object:
        return next((each.target for each in table if each.start <= offset < each.end), None)

    return {each.offset: (each.opname, handler(each.offset)) for each in bytecode}


class Striking:
    """Raises in our code in this thread, at the place with this number of those that it passes."""

    def __init__(self, place: int) -> None:
        self.left = place
        self._last: dict[FrameType, tuple[str, object]] = {}

    def _pass(self) -> None:
        if not self.left:
            raise Interrupted
        self.left -= 1

    def __call__(self, frame: FrameType, event: str, _argument: object) -> Any:
        if event == "call":
            if frame.f_code.co_filename not in OURS:
                return None
            frame.f_trace_opcodes = True
            self._pass()
        elif event == "opcode":
            now = instructions(frame.f_code)[frame.f_lasti]
            last, handler = self._last.get(frame, ("", None))
            self._last[frame] = now
            # Python raises in the call; here it is raised in what follows.
            same = handler == now[1]
            if same and last.startswith(HANDLED_AFTER) and not last.startswith("CALL_INTRINSIC"):
                self._pass()
        return self


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    """What waits forever fails, and does not hang."""

    def fail(_number: int, _frame: object) -> None:
        raise AssertionError("it waits for what an exception has left")

    before = signal.signal(signal.SIGALRM, fail)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def interruptions(
    work: Callable[[], object], again: Callable[[], object] = lambda: None
) -> Iterator[list[Interrupted]]:
    """Do the work again and again, each time with an exception one place later, until there is no
    such place. Tracebacks hold all that there was: each exception is there until it is cleared.

    ``again`` does what must be done before the work can be done another time.
    """
    place = 0
    while True:
        caught = strike(work, again, place)
        if not caught:
            break
        yield caught
        caught.clear()
        place += 1
    assert place > 20


def strike(
    work: Callable[[], object], again: Callable[[], object], place: int
) -> list[Interrupted]:
    """Do the work with an exception at this place; that exception, if there is such a place."""
    before = sys.gettrace()
    striking = Striking(sys.maxsize)
    try:
        with within(60):
            sys.settrace(striking)
            try:
                if sys.version_info >= (3, 12):
                    # Only from the second time on are the instructions of a function told.
                    work()
                    again()
                striking.left = place
                work()
            finally:
                sys.settrace(before)
    except Interrupted as error:
        return [error]
    return []


EARLIER: set[str] = set()
"""The slots and reservations of this process that other tests have left."""


@pytest.fixture(autouse=True)
def earlier() -> Iterator[None]:
    EARLIER.update(slots_module._held)
    yield
    EARLIER.clear()


def held() -> int:
    """How many slots and reservations are this process's."""
    return len({*slots_module._held} - EARLIER)


def small(tmp_path: Path, limit: int = 1) -> LeanSlots:
    peaks = Peaks(tmp_path / "peaks")
    for kind in ("", "compile", DOCUMENT.kind):
        peaks.add(kind, 10)
    slots = LeanSlots(tmp_path / "slots", limit, peaks=peaks, available_mb=lambda: 10_000)
    slots._margin = 0.0
    return slots


LEAN = Toolchain("path", "4.9.0", "", ("lean",), (), (), "asked for", True)
DOCUMENT = Document(Path("A"), LEAN, (), (), (), Rlimits(), Limits(wall_seconds=10.0))


def test_a_slot(tmp_path: Path) -> None:
    slots = small(tmp_path)

    def work() -> None:
        with slots.acquire("compile"):
            pass

    for caught in interruptions(work):
        with within(60), slots.acquire("compile"):
            assert len(slots._ledger.look().entries) == 1
        assert slots.idle()
        caught.clear()
    assert held() == 0


def test_a_slot_that_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots_module, "_FIRST_POLL_SECONDS", 0.001)
    slots = small(tmp_path)
    blocked = False

    def fits(*_: object, **__: object) -> bool:
        nonlocal blocked
        blocked = not blocked
        return not blocked

    monkeypatch.setattr(slots, "_fits", fits)
    monkeypatch.setattr(slots, "_must_run", lambda *_: False)

    def work() -> None:
        nonlocal blocked
        blocked = False
        with slots.acquire("compile"):
            pass

    for caught in interruptions(work):
        with within(60):
            slots.settle()
        assert slots._ledger.look().entries == []
        assert not list(slots._ledger.directory.glob("bell-*"))
        caught.clear()
    assert held() == 0


class Opened:
    """Makes sessions that do nothing, and knows those that are not closed and not forgotten."""

    def __init__(self) -> None:
        self._made: weakref.WeakSet[_Session] = weakref.WeakSet()

    def __call__(self, _: Document) -> _Session:
        session = _Session()
        self._made.add(session)
        return session

    def __len__(self) -> int:
        return sum(not session.closed for session in self._made)


class _Session:
    alive = True
    checks = 1
    memory_mb = 1.0
    closed = False

    def check(self, text: str, *, wall_seconds: float) -> SessionOutput:
        return SessionOutput("done", ParsedOutput((), ""), 0.0, 1.0)

    def close(self) -> None:
        self.closed = True


def there(opened: Opened, number: int) -> bool:
    """Whether so many sessions are open, and as many slots and reservations are this process's."""
    for last in (False, True):
        found = len(opened), held()
        if found == (number, number) or last:
            break
        gc.collect()
    return found == (number, number)


OTHER = Document(Path("B"), LEAN, (), (), (), Rlimits(), Limits(wall_seconds=10.0))


def test_a_session_that_is_lent(tmp_path: Path) -> None:
    slots, opened = small(tmp_path), Opened()
    pool = SessionPool(most=1, slots=slots, open=opened)

    def work() -> None:
        with pool.lease(DOCUMENT) as lease:
            assert lease is not None

    for number, caught in enumerate(interruptions(work)):
        document = DOCUMENT if number % 2 else OTHER
        with within(60), pool.lease(document) as lease:
            assert lease is not None
        assert slots.idle()
        caught.clear()
        # Nothing is kept for what is not in the pool any more, either.
        assert there(opened, 1)
    pool.close()
    assert there(opened, 0)


def test_a_session_that_is_looked_at() -> None:
    session = Session(LEAN, (), limits=Limits(wall_seconds=10.0))

    def work() -> None:
        for _ in range(5):
            assert not session.alive

    for _caught in interruptions(work):
        with within(60), concurrent.futures.ThreadPoolExecutor(1) as executor:
            executor.submit(session.close).result()


@pytest.mark.parametrize("way", ["drop", "evict", "close"])
def test_a_session_that_is_to_end(tmp_path: Path, way: str) -> None:
    slots, opened = small(tmp_path), Opened()
    pool = SessionPool(most=1, slots=slots, open=opened)

    def work() -> None:
        if way == "drop":
            pool.drop(DOCUMENT)
        elif way == "evict":
            pool.evict_idle()
        else:
            pool.close()

    def fill() -> None:
        nonlocal pool
        if way == "close":
            pool = SessionPool(most=1, slots=slots, open=opened)
        with pool.lease(DOCUMENT) as lease:
            assert lease is not None

    fill()
    for caught in interruptions(work, fill):
        caught.clear()
        with within(60):
            work()
        assert there(opened, 0)
        fill()
    pool.close()


def test_a_session_in_use_when_its_pool_is_asked_by_another_thread(tmp_path: Path) -> None:
    """What another thread has is not taken for what an exception has left."""
    pool = SessionPool(most=1, open=Opened())
    entered, go = threading.Event(), threading.Event()

    def hold() -> None:
        with pool.lease(DOCUMENT):
            entered.set()
            go.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    assert entered.wait(60)
    pool.settle()
    with pool.lease(DOCUMENT) as lease:
        assert lease is None
    go.set()
    thread.join()
    with pool.lease(DOCUMENT) as lease:
        assert lease is not None
    pool.close()


def test_a_candidate_that_is_being_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "verdict_key", lambda *_: "key")
    level = SimpleNamespace(is_sandbox=True)
    checker: Any = SimpleNamespace(
        refused=lambda _: None,
        submission=lambda *_: SimpleNamespace(digest="digest"),
        is_as_asked=lambda *_: True,
        threads=1,
        sandbox=SimpleNamespace(sandbox=SimpleNamespace(level=level)),
    )
    verdict = Verdict(VerdictKind.REJECTED, submission="digest")
    cache = VerdictCache()
    asked: Any = (checker, None, Candidate("rfl"), lambda *_: verdict)

    def work() -> None:
        nonlocal cache
        cache = VerdictCache()
        cache.judge(*asked)

    for _caught in interruptions(work):
        with within(60), concurrent.futures.ThreadPoolExecutor(1) as executor:
            assert executor.submit(cache.judge, *asked).result().kind is verdict.kind
    gc.collect()
    assert not cache._flights


def test_what_is_left_is_given_back_at_the_end_of_an_item(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that judges nothing more holds up no other worker."""
    slots, opened = small(tmp_path, limit=2), Opened()
    pool = SessionPool(slots=slots, open=opened)

    class Loop:
        def __init__(self, *_: object, **__: object) -> None: ...

        def run(self) -> Iterator[None]:
            # As if what leaves them had been struck.
            assert pool.lease(DOCUMENT).__enter__() is not None
            raise Interrupted
            yield

        def cut_off(self, *_: object) -> list[None]:
            return []

    monkeypatch.setattr(session_module, "TaskLoop", Loop)
    settings: Any = SimpleNamespace(protocol=None)
    workshop = Workshop(settings)
    monkeypatch.setattr(workshop, "judge", lambda _: None)
    monkeypatch.setattr(workshop, "_prover", object())
    workshop.__dict__.update(_slots=slots, contexts=None, _sessions=Sessions("auto", 1, pool))
    directory: Any = None
    session = RunSession(workshop, directory, "main")
    session.__dict__.update(budget=None, journal=SimpleNamespace(ended=lambda *_: None))
    task: Any = None
    with pytest.raises(Interrupted):
        session.run(task, "nodeid", [])
    assert slots._ledger.look().entries == []
    assert (len(pool), len(opened)) == (0, 0)


@pytest.mark.parametrize("waits", [False, True])
def test_a_place_among_the_requests(
    tmp_path: Path, waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0
    look = pace_module.may_have_place

    def every_other(*arguments: Any) -> bool:
        nonlocal looks
        looks += 1
        return look(*arguments) and (looks % 2 == 0 or not waits)

    monkeypatch.setattr(pace_module, "may_have_place", every_other)
    monkeypatch.setattr(pace_module, "_POLL_SECONDS", 0.001)
    pace = Pace(tmp_path, concurrency=1)

    def work() -> None:
        nonlocal looks
        looks = 0
        with pace.admit():
            pass

    try:
        for number, _caught in enumerate(interruptions(work)):
            with within(60):
                if number % 2:
                    # As the next request of this thread does.
                    pace.settle()
                    with pace.admit():
                        assert pace.in_flight == 1
                else:
                    pace.settle()
            assert pace.in_flight == 0
            assert not pace._mine
    finally:
        pace.close()
