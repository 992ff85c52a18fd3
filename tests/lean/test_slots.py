"""The bound on Lean processes at once, by processors and by memory."""

from __future__ import annotations

import hashlib
import math
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import psutil
import pytest

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import machine
from pytest_vsb.lean.ledger import Book, Entry, Ledger, State
from pytest_vsb.lean.peaks import Peaks
from pytest_vsb.lean.slots import UNKNOWN_MB, LeanSlots

HOLD = """
import sys, time
from pathlib import Path
from pytest_vsb.lean.slots import LeanSlots
with LeanSlots(Path(sys.argv[1]), int(sys.argv[2])).acquire(sys.argv[3]):
    print("held", flush=True)
    time.sleep(600)
"""


def holder(directory: Path, limit: int, kind: str = "") -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(directory), str(limit), kind],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


class Waiter(threading.Thread):
    """Asks for a slot, keeps it until it is told."""

    def __init__(self, slots: LeanSlots, kind: str = "") -> None:
        super().__init__(daemon=True)
        self.slots, self.kind = slots, kind
        self.entered, self.go = threading.Event(), threading.Event()
        self.waited = 0.0
        self.start()

    def run(self) -> None:
        with self.slots.acquire(self.kind) as slot:
            self.waited = slot.waited
            self.entered.set()
            self.go.wait(120)

    def leave(self) -> None:
        self.go.set()
        self.join(60)
        assert not self.is_alive()


def reached(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)


def waiting(slots: LeanSlots) -> int:
    return len(slots._ledger.look().of("waiting"))


def small(tmp_path: Path, free_mb: float, limit: int = 4, **kinds: float) -> LeanSlots:
    """Slots on a machine with so much memory and known kinds of processes."""
    peaks = Peaks(tmp_path / "peaks")
    for kind, peak in kinds.items():
        peaks.add(kind, peak)
    slots = LeanSlots(tmp_path / "slots", limit, peaks=peaks, available_mb=lambda: free_mb)
    slots._margin = 0.0
    return slots


def test_never_more_than_the_limit(tmp_path: Path) -> None:
    slots = LeanSlots(tmp_path / "locks", 2)
    lock = threading.Lock()
    now = most = served = 0

    def work() -> None:
        nonlocal now, most, served
        for _ in range(5):
            with slots.acquire() as slot:
                assert slot.waited >= 0
                with lock:
                    now += 1
                    most = max(most, now)
                time.sleep(0.005)
                with lock:
                    now -= 1
                    served += 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most <= 2, served) == (True, 30)
    assert slots._ledger.look().entries == []
    assert slots.idle()
    waiter = Waiter(slots)
    assert waiter.entered.wait(60)
    assert slots.idle()
    with slots.acquire():
        assert not slots.idle()
    waiter.leave()


def test_other_processes_count_and_a_killed_holder_frees_its_slot(tmp_path: Path) -> None:
    first, second = holder(tmp_path, 2), holder(tmp_path, 2)
    try:
        slots = LeanSlots(tmp_path, 2)
        assert not slots.idle()
        waiter = Waiter(slots)
        reached(lambda: waiting(slots) == 1)
        assert not waiter.entered.wait(0.3)
        os.kill(first.pid, signal.SIGKILL)
        # Not yet waited for: a dead process that still has its number.
        assert waiter.entered.wait(60)
        assert waiter.waited >= 0.25
        waiter.leave()
    finally:
        for process in (first, second):
            process.kill()
            process.communicate()


def test_slot_is_free_again_after_an_exception(tmp_path: Path) -> None:
    slots = LeanSlots(tmp_path, 1)
    for _ in range(3):
        with pytest.raises(KeyError), slots.acquire():
            raise KeyError
    with slots.acquire():
        pass


def test_a_signal_reaches_who_waits(tmp_path: Path) -> None:
    process = holder(tmp_path, 1)
    script = HOLD.replace("with Lean", 'print("waits", flush=True)\nwith Lean')
    waiter = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path), "1", ""],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        slots = LeanSlots(tmp_path, 1)
        reached(lambda: waiting(slots) == 1)
        waiter.send_signal(signal.SIGINT)
        out, error = waiter.communicate(timeout=60)
        assert (out, "KeyboardInterrupt" in error) == ("waits\n", True)
        assert waiting(slots) == 0
        assert [file.name for file in slots._ledger.directory.glob("bell-*")] == []
    finally:
        for one in (process, waiter):
            one.kill()
            one.communicate()


def test_what_waits_is_served_in_its_order(tmp_path: Path) -> None:
    slots = small(tmp_path, 1000, 1, some=10)
    first = Waiter(slots)
    assert first.entered.wait(60)
    rest = []
    for number in range(4):
        rest.append(Waiter(slots, "some"))
        reached(lambda number=number: waiting(slots) == number + 1)  # type: ignore[misc]
    first.leave()
    for waiter in rest:
        assert waiter.entered.wait(60)
        assert [other.entered.is_set() for other in rest].count(True) == rest.index(waiter) + 1
        waiter.leave()


def test_bad_limits_and_directories(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one slot"):
        LeanSlots(tmp_path, 0)
    (tmp_path / "file").touch()
    with pytest.raises(EnvironmentUnavailable, match="directory for locks"):
        LeanSlots(tmp_path / "file" / "x", 1)
    slots = LeanSlots(tmp_path, 1)
    (slots._ledger.directory / "ledger.json").mkdir()
    with pytest.raises(EnvironmentUnavailable, match="cannot lock or write"), slots.acquire():
        pass


@pytest.mark.parametrize("text", [b"{", b"[]", b'{"entries": 3}', b"\xff"])
def test_a_ledger_that_is_none_stops_nobody(tmp_path: Path, text: bytes) -> None:
    slots = LeanSlots(tmp_path, 1)
    (slots._ledger.directory / "ledger.json").write_bytes(text)
    with slots.acquire():
        assert not slots.idle()
    assert slots.idle()


# Memory


def test_what_does_not_fit_waits(tmp_path: Path) -> None:
    slots = small(tmp_path, 1000, big=500)
    need = slots.peaks.estimate("big")
    assert need is not None
    assert 500 < need < 1000
    first, second = Waiter(slots, "big"), None
    assert first.entered.wait(60)
    second = Waiter(slots, "big")
    reached(lambda: slots._ledger.look().starving)
    # What needs no memory of its own goes past it; there are slots left.
    third = Waiter(slots)
    assert third.entered.wait(60)
    assert not second.entered.is_set()
    first.leave()
    third.leave()
    assert second.entered.wait(60)
    second.leave()
    assert not slots._ledger.look().starving


def test_one_that_never_fits_runs_alone_and_that_is_said_once(tmp_path: Path) -> None:
    slots = small(tmp_path, 100, huge=5000)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        waiters = [Waiter(slots, "huge") for _ in range(3)]
        reached(lambda: any(waiter.entered.is_set() for waiter in waiters))
        time.sleep(0.6)
        for _ in waiters:
            reached(lambda: any(w.entered.is_set() and w.is_alive() for w in waiters))
            inside = [w for w in waiters if w.entered.is_set() and w.is_alive()]
            assert len(inside) == 1
            inside[0].leave()
    assert len(said) == 1
    assert "5,814 MB" in str(said[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        slots._ledger.directory.joinpath("ledger.json").unlink()
        with slots.acquire("huge"):  # A warning that is made an error must not stop it.
            pass


def test_an_unknown_kind_runs_once_until_it_is_measured(tmp_path: Path) -> None:
    slots = small(tmp_path, 4 * UNKNOWN_MB)
    first = Waiter(slots, "new")
    assert first.entered.wait(60)
    second, other = Waiter(slots, "new"), Waiter(slots, "other")
    assert not second.entered.wait(0.4)
    # It waits for knowledge: nobody has to go for that.
    assert not slots._ledger.look().starving
    slots.peaks.add("new", 100)
    assert second.entered.wait(60)
    assert other.entered.wait(60)
    for waiter in (first, second, other):
        waiter.leave()


def test_what_holders_use_already_does_not_count_twice(tmp_path: Path) -> None:
    """A hog of 300 MB that was given 400 leaves 100 to be taken from what is still free."""
    hog = (
        "import sys, time; from pathlib import Path; import subprocess\n"
        "from pytest_vsb.lean.slots import LeanSlots; from pytest_vsb.lean.peaks import Peaks\n"
        "slots = LeanSlots(Path(sys.argv[1]), 4, peaks=Peaks(Path(sys.argv[2])))\n"
        "with slots.acquire('hog'):\n"
        '    code = \'x = bytearray(b"1") * (300 << 20); print("held", flush=True); input()\'\n'
        "    subprocess.run([sys.executable, '-c', code])\n"
    )
    slots = small(tmp_path, 500, hog=300, other=300)
    process = subprocess.Popen(
        [sys.executable, "-c", hog, str(tmp_path / "slots"), str(tmp_path / "peaks")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        # 409 are needed, 409 are held, of which at most 100 are not yet taken from the 500 free.
        waiter = Waiter(slots, "other")
        reached(lambda: waiter.entered.is_set() or slots._ledger.look().starving)
        assert waiter.entered.is_set() is (machine.resident_mb([process.pid])[process.pid] > 318)
        process.communicate("\n", timeout=60)
        assert waiter.entered.wait(60)
        waiter.leave()
    finally:
        process.kill()
        process.communicate()


def test_residents_go_when_memory_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_vsb.lean.slots._RESIDENTS_SECONDS", math.inf)
    slots = small(tmp_path, 1000, session=600, batch=600)
    reservation = slots.reserve("session")
    assert reservation is not None
    assert slots.reserve("session") is None, "there is no room for a second"
    reservation.measured(700)
    assert reservation.memory_mb == 700
    asked: list[str] = []

    def broken() -> None:
        raise RuntimeError

    def go() -> None:
        assert slots.reserve("tiny") is None, "others wait"
        asked.append(threading.current_thread().name)
        reservation.release()

    slots.on_pressure(broken)
    slots.on_pressure(go)
    with slots.acquire():  # Its own check needs no more memory, and is not idle.
        pass
    with slots.acquire("batch"):
        pass
    assert set(asked) == {"vsb-memory"}
    reservation.release()
    reached(lambda: slots._watcher is None)
    assert slots.reserve("session") is None, "it would have to go again for the next batch"
    slots.peaks.add("tiny", 10)
    again = slots.reserve("tiny")
    assert again is not None
    assert slots._watcher is not None
    assert slots._watcher.is_alive()
    again.release()


def test_residents_that_do_not_go_keep_nobody_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_vsb.lean.slots._RESIDENTS_SECONDS", 0.4)
    slots = small(tmp_path, 1000, session=600, batch=600)
    reservation = slots.reserve("session")
    assert reservation is not None
    with pytest.warns(RuntimeWarning, match="one is run at a time"), slots.acquire("batch") as slot:
        assert slot.waited >= 0.4
    reservation.release()


def test_memory_of_a_dead_process_is_there_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A killed run leaves a session, a process that runs and one that waits in its ledger."""
    monkeypatch.setattr("pytest_vsb.lean.slots._RESIDENTS_SECONDS", math.inf)
    slots = small(tmp_path, 1000, 2, session=600, batch=600)
    script = """
import os, sys, threading, time
from pathlib import Path
from pytest_vsb.lean.peaks import Peaks
from pytest_vsb.lean.slots import LeanSlots
here = Path(sys.argv[1])
free = lambda: 1000
slots = LeanSlots(here / "slots", 2, peaks=Peaks(here / "peaks"), available_mb=free)
slots._margin = 0.0
kept = slots.reserve("session")
assert kept
threading.Thread(target=lambda: slots.acquire("batch").__enter__(), daemon=True).start()
with slots.acquire():
    while not slots._ledger.look().starving or not list(slots._ledger.directory.glob("bell-*")):
        time.sleep(0.01)
    os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], timeout=120)
    assert done.returncode == -signal.SIGKILL
    assert sorted(e.state for e in slots._ledger.look().entries) == [
        *("resident", "running", "waiting")
    ]
    with slots.acquire("batch"):
        assert [entry.pid for entry in slots._ledger.look().entries] == [os.getpid()]
    assert list(slots._ledger.directory.glob("bell-*")) == []


def of_the_dead(state: State, kind: str, memory_mb: float, **more: bool) -> Entry:
    """An entry of a process that has died; another has its number now."""
    digest = hashlib.sha256(kind.encode()).hexdigest()[:12]
    ticket = 1 if state == "waiting" else 0
    return Entry("0-0-0", os.getpid(), "1", state, digest, memory_mb, ticket=ticket, **more)


@pytest.mark.parametrize(
    "entry",
    [
        of_the_dead("resident", "session", 900),
        of_the_dead("running", "batch", 900),
        of_the_dead("running", "batch", 0),
        # Nobody knows yet what its kind needs.
        of_the_dead("running", "new", 900, sure=False),
        of_the_dead("waiting", "batch", 900),
        of_the_dead("waiting", "batch", 900, starved=True),
        of_the_dead("waiting", "batch", 0),
    ],
    ids=lambda entry: f"{entry.state}-{entry.memory_mb:g}-{entry.sure}-{entry.starved}",
)
@pytest.mark.parametrize("kind", ["", "batch", "new"])
def test_what_a_dead_process_has_left_holds_up_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: Entry, kind: str
) -> None:
    """Not even where there is memory for one process and a place for one."""

    def waits(*_: object) -> NoReturn:
        raise AssertionError("it waits")

    monkeypatch.setattr(Ledger, "bell", waits)
    slots = small(tmp_path, UNKNOWN_MB + 100, 1, session=600, batch=600)
    slots._ledger.change(Book.put, entry)
    assert slots.idle()
    with slots.acquire(kind):
        ours = [each for each in slots._ledger.look().entries if each.id != entry.id]
        assert [each.state for each in ours] == ["running"]
    slots._ledger.change(Book.put, entry)
    reservation = slots.reserve(kind or "session")
    assert reservation is not None
    assert entry.id not in [each.id for each in slots._ledger.look().entries]
    reservation.release()


def test_for_one_that_died_waiting_no_resident_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_vsb.lean.slots._PRESSURE_SECONDS", 0.01)
    slots = small(tmp_path, 1000, session=600)
    asked: list[int] = []
    slots.on_pressure(lambda: asked.append(1))
    reservation = slots.reserve("session")
    assert reservation is not None
    slots._ledger.change(Book.put, of_the_dead("waiting", "batch", 900, starved=True))
    looks: list[int] = []
    look = slots._ledger.look

    def counted() -> Book:
        looks.append(1)
        return look()

    monkeypatch.setattr(slots._ledger, "look", counted)
    reached(lambda: len(looks) > 5)
    assert asked == []
    reservation.release()


def test_peaks_are_shared_and_one_hog_does_not_rule(tmp_path: Path) -> None:
    one, other = Peaks(tmp_path / "memory"), Peaks(tmp_path / "memory")
    assert one.estimate("k") is None
    for _ in range(30):
        one.add("k", 100)
    usual = one.estimate("k")
    assert usual is not None
    one.add("k", 20_000)
    assert other.estimate("k") == usual
    for _ in range(8):
        other.add("k", 1000)
    grown = other.estimate("k")
    assert grown is not None
    assert grown > 1000
    assert one.estimate("k") == grown
    # A damaged file and one that cannot be written are as if there were none.
    for file in (tmp_path / "memory").iterdir():
        file.write_text("{")
    assert Peaks(tmp_path / "memory").estimate("k") is None
    (tmp_path / "file").touch()
    lost = Peaks(tmp_path / "file" / "x")
    lost.add("k", 7)
    assert lost.estimate("k") is not None
    alone = Peaks(None)
    alone.add("k", 7)
    assert alone.estimate("k") == lost.estimate("k")


def test_the_machine(tmp_path: Path) -> None:
    assert 1 <= machine.cores() <= (os.cpu_count() or 1)
    assert 0 < machine.available_mb() <= machine.total_mb()
    assert machine.total_mb() <= psutil.virtual_memory().total >> 20
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        born = machine.started(child.pid)
        assert born
        assert born == machine.started(child.pid) != machine.started(1)
        assert machine.resident_mb([os.getpid()])[os.getpid()] > 1
        child.kill()
        reached(lambda: machine.started(child.pid) == "")
    finally:
        child.kill()
        child.communicate()
    assert machine.started(child.pid) == ""


def test_limits_of_control_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tightest of a group and those above it holds, in both versions."""
    one = tmp_path / "memory" / "outer" / "inner"
    two = tmp_path / "outer" / "inner"
    for place in (one, two, tmp_path / "cpu"):
        place.mkdir(parents=True)
    mb = 1 << 20
    (tmp_path / "groups").write_text("4:memory:/outer/inner\n1:cpu:/gone\n0::/outer/inner\n")
    (one / "memory.limit_in_bytes").write_text("9223372036854771712\n")
    (one.parent / "memory.limit_in_bytes").write_text(f"{90 * mb}\n")
    (one.parent / "memory.usage_in_bytes").write_text(f"{50 * mb}\n")
    (one.parent / "memory.stat").write_text(f"total_inactive_file {20 * mb}\ninactive_file 7\n")
    (two / "memory.max").write_text(f"{80 * mb}\n")
    (two / "memory.current").write_text(f"{30 * mb}\n")
    (two.parent / "memory.max").write_text("max\n")
    (two.parent / "cpu.max").write_text("100 1000\n")
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text("-1\n")
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    monkeypatch.setattr(machine, "_CGROUPS", tmp_path / "groups")
    monkeypatch.setattr(machine, "_MOUNT", tmp_path)
    machine._groups.cache_clear()
    try:
        assert machine.total_mb() == 80
        assert machine.available_mb() == 50
        assert machine.cores() == 1
    finally:
        machine._groups.cache_clear()
