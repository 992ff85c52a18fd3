from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.provers.pace import Pace, PaceStopped

Paces = Callable[..., Pace]


@pytest.fixture
def pace() -> Iterator[Paces]:
    made: list[Pace] = []

    def make(directory: Path | None = None, **limits: int | None) -> Pace:
        made.append(Pace(directory, **limits))
        return made[-1]

    yield make
    for one in made:
        one.close()


def child(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("limit", ["requests_per_minute", "tokens_per_minute", "concurrency"])
@pytest.mark.parametrize("value", [0, -5])
def test_limit_that_admits_nothing(limit: str, value: int) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        Pace(None, **{limit: value})


def test_no_limits(pace: Paces) -> None:
    one = pace()
    with one.admit(10**9), one.admit(10**9) as second:
        assert one.in_flight == 2
        assert one.allowed is None
        assert second.waited >= 0
    assert one.in_flight == 0


def test_place_is_left_after_an_exception(pace: Paces) -> None:
    one = pace(concurrency=1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), one.admit():
            raise ZeroDivisionError
    assert one.in_flight == 0


# Places


def test_places_within_a_process(pace: Paces) -> None:
    one = pace(concurrency=3)
    inside: list[int] = []
    together = threading.Barrier(3, timeout=60)
    lock = threading.Lock()
    most = [0]

    def work() -> None:
        with one.admit():
            with lock:
                inside.append(1)
                most[0] = max(most[0], len(inside))
            together.wait()
            with lock:
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # The barrier lets nobody out before three are in.
    assert most == [3]


COUNTING = """
import sys, threading, time
from pathlib import Path
from pytest_vsb.provers.pace import Pace

pace = Pace(Path(sys.argv[1]), concurrency=2)

def work():
    for _ in range(3):
        with pace.admit():
            begin = time.monotonic()
            time.sleep(0.02)
            spans.append((begin, time.monotonic()))

spans = []
sys.stdin.readline()
threads = [threading.Thread(target=work) for _ in range(2)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
for span in spans:
    print(*span)
"""


def test_places_over_processes(tmp_path: Path) -> None:
    children = [child(COUNTING, tmp_path) for _ in range(3)]
    spans: list[tuple[float, float]] = []
    for one in children:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    for one in children:
        out, _ = one.communicate(timeout=120)
        spans += [(float(a), float(b)) for a, b in (line.split() for line in out.splitlines())]
    assert len(spans) == 18
    changes = sorted([(begin, 1) for begin, _ in spans] + [(end, -1) for _, end in spans])
    inside = 0
    for _, change in changes:
        inside += change
        assert inside <= 2


HOLDING = """
import sys
from pathlib import Path
from pytest_vsb.provers.pace import Pace

with Pace(Path(sys.argv[1]), concurrency=1).admit():
    print("in", flush=True)
    sys.stdin.readline()
"""


def test_place_of_a_killed_process_is_free(tmp_path: Path, pace: Paces) -> None:
    holder = child(HOLDING, tmp_path)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "in\n"
    one = pace(tmp_path, concurrency=1)
    assert one.in_flight == 1
    os.kill(holder.pid, signal.SIGKILL)
    with one.admit():
        assert one.in_flight == 1
    holder.communicate(timeout=60)
    # Only what is in use stays behind.
    assert len(list(tmp_path.glob("*.alive"))) == 1


def test_place_of_a_dead_session_is_no_place_of_the_next(tmp_path: Path, pace: Paces) -> None:
    holder = child(HOLDING, tmp_path)
    assert holder.stdout is not None
    holder.stdout.readline()
    holder.kill()
    holder.communicate(timeout=60)
    assert pace(tmp_path).in_flight == 0


def test_old_files_of_the_dead_are_removed(tmp_path: Path, pace: Paces) -> None:
    old, new = tmp_path / "old.alive", tmp_path / "new.alive"
    for file in (old, new):
        file.touch()
    os.utime(old, (0, 0))
    first = pace(tmp_path)
    assert not old.exists()
    assert new.exists()
    (own,) = set(tmp_path.glob("*.alive")) - {new}
    os.utime(own, (0, 0))
    pace(tmp_path)
    assert own.exists()
    first.close()
    assert not own.exists()


# Rates


def test_requests_keep_their_distance(tmp_path: Path, pace: Paces) -> None:
    paces = [pace(tmp_path, requests_per_minute=1200) for _ in range(2)]
    times: list[float] = []

    def work(one: Pace) -> None:
        for _ in range(3):
            with one.admit():
                times.append(time.time())

    threads = [threading.Thread(target=work, args=(one,)) for one in paces for _ in range(2)]
    start = time.time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(times) == 12
    # The first may go at once, each further one a twentieth of a second later.
    for number, moment in enumerate(sorted(times)):
        assert moment >= start + number * 0.05 - 0.001


def test_tokens_are_paid_for_before_the_next(pace: Paces) -> None:
    one = pace(tokens_per_minute=60_000)
    begun = time.time()
    # The first is free to go, whatever its size; what has no tokens is not held up.
    with one.admit(200), one.admit(0), one.admit(100):
        assert time.time() >= begun + 0.2
    with one.admit(1):
        assert time.time() >= begun + 0.3


def test_estimates_are_corrected(pace: Paces) -> None:
    one = pace(tokens_per_minute=60)
    with one.admit(1000):
        pass
    # A wrong estimate would cost a quarter of an hour.
    one.correct(1000, 0)
    with one.admit(1) as admission:
        pass
    assert admission.waited < 60
    pace(concurrency=1).correct(5, 10)


def test_clock_that_is_set_back(pace: Paces, monkeypatch: pytest.MonkeyPatch) -> None:
    one = pace(requests_per_minute=600)
    with one.admit():
        pass
    one.slow_down(0.2)
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() - 3600)
    with one.admit() as admission:
        pass
    # An hour's wait would have run into the test's time limit.
    assert admission.waited > 0


def test_clock_that_is_set_back_during_a_wait(pace: Paces, monkeypatch: pytest.MonkeyPatch) -> None:
    one = pace(requests_per_minute=40)
    real = time.time
    with one.admit():
        setting = threading.Timer(
            0.3, lambda: monkeypatch.setattr(time, "time", lambda: real() - 3600)
        )
        setting.start()
        with one.admit() as admission:
            pass
        setting.join()
    assert admission.waited > 0


RESERVING = """
import sys, threading
from pathlib import Path
from pytest_vsb.provers.pace import Pace

pace = Pace(Path(sys.argv[1]), tokens_per_minute=60)
with pace.admit(1):
    pass

def work():
    with pace.admit(100_000):
        pass

threading.Thread(target=work, daemon=True).start()
while pace.in_flight == 0:
    pass
print("waiting", flush=True)
sys.stdin.readline()
"""


def test_turn_of_a_killed_process_is_given_back(tmp_path: Path, pace: Paces) -> None:
    waiting = child(RESERVING, tmp_path)
    assert waiting.stdout is not None
    assert waiting.stdout.readline() == "waiting\n"
    time.sleep(0.1)
    waiting.kill()
    waiting.communicate(timeout=60)
    # A day's worth of tokens was taken, and none sent.
    with pace(tmp_path, tokens_per_minute=60).admit(1) as admission:
        pass
    assert admission.waited < 60


# What the provider says


def test_slow_down_is_heard_by_all(tmp_path: Path, pace: Paces) -> None:
    first, second = pace(tmp_path), pace(tmp_path)
    until = time.time() + 0.3
    first.slow_down(0.3)
    with second.admit():
        assert time.time() >= until - 0.01


def test_slow_down_reaches_those_who_wait_already(pace: Paces) -> None:
    one = pace(requests_per_minute=30)
    admitted = threading.Event()

    def work() -> None:
        with one.admit():
            admitted.set()

    with one.admit():
        until = time.time() + 2.5
        thread = threading.Thread(target=work)
        thread.start()
        # Before its turn, in two seconds.
        one.slow_down(2.5, refused=False)
        thread.join(60)
    assert admitted.is_set()
    assert time.time() >= until - 0.01


def test_number_at_once_is_halved_once_and_comes_back(
    pace: Paces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_vsb.provers.pace_state._CUT_SECONDS", 600.0)
    one = pace(concurrency=8)
    for _ in range(5):
        one.slow_down(0.0)
    assert one.allowed == 4
    for _ in range(7):
        one.succeeded()
    assert one.allowed == 4
    for _ in range(100):
        one.succeeded()
    assert one.allowed == 8


def test_number_at_once_never_falls_to_none(pace: Paces) -> None:
    one = pace(concurrency=1)
    one.slow_down(0.0)
    assert one.allowed == 1
    with one.admit():
        pass


def test_provider_without_a_known_limit(pace: Paces) -> None:
    one = pace()
    with one.admit(), one.admit(), one.admit(), one.admit():
        one.slow_down(0.0, refused=False)
        assert one.allowed is None
        one.slow_down(0.0)
        assert one.allowed == 2
    one.succeeded()
    one.succeeded()
    one.succeeded()
    one.succeeded()
    one.succeeded()
    assert one.allowed == 3


def test_old_refusals_are_forgotten(pace: Paces, monkeypatch: pytest.MonkeyPatch) -> None:
    one = pace(concurrency=8)
    one.slow_down(0.0)
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 500)
    assert one.allowed == 4
    monkeypatch.setattr(time, "time", lambda: real() + 700)
    assert one.allowed == 8


# Ends


def held(one: Pace, stop: threading.Event | None = None) -> list[str]:
    """What comes of an admission that has to wait, when ``stop`` is set or the pace closed."""
    ends: list[str] = []

    def work() -> None:
        try:
            with one.admit(1, stop=stop):
                ends.append("admitted")
        except PaceStopped:
            ends.append("stopped")

    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive() and not ends:
        if stop is not None:
            stop.set()
        else:
            one.close()
        thread.join(0.05)
    thread.join(60)
    return ends


def test_stop_ends_a_wait_for_a_place(pace: Paces) -> None:
    one = pace(concurrency=1)
    with one.admit():
        assert held(one, threading.Event()) == ["stopped"]
        assert one.in_flight == 1


def test_stop_ends_a_wait_for_a_turn_which_is_given_back(pace: Paces) -> None:
    one = pace(tokens_per_minute=60)
    stop = threading.Event()
    with one.admit(1):
        timer = threading.Timer(0.2, stop.set)
        timer.start()
        with pytest.raises(PaceStopped), one.admit(10**6, stop=stop):
            pass
        timer.join()
    with one.admit(1) as admission:
        pass
    assert admission.waited < 60


def test_close_ends_a_wait(pace: Paces) -> None:
    # Often, as a place that is given up must at no moment be there for the one that waits.
    for _ in range(30):
        one = pace(concurrency=1)
        with one.admit():
            assert held(one) == ["stopped"]
    with pytest.raises(PaceStopped), one.admit():
        pass
    one.close()


def test_closed_pace_leaves_its_places(tmp_path: Path, pace: Paces) -> None:
    first, second = pace(tmp_path, concurrency=1), pace(tmp_path, concurrency=1)
    with first.admit():
        first.close()
        with second.admit():
            assert second.in_flight == 1


def test_process_taken_for_dead_goes_on(tmp_path: Path, pace: Paces) -> None:
    """As when a cleaner of temporary files has been there."""
    one = pace(tmp_path, concurrency=1)
    with one.admit():
        for file in tmp_path.glob("*.alive"):
            file.unlink()
        other = pace(tmp_path, concurrency=1)
        with other.admit():
            pass
    with one.admit():
        assert one.in_flight == 1


# Files


def test_directory_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentUnavailable) as caught:
        Pace(tmp_path / "file")
    assert caught.value.where == str(tmp_path / "file")
    assert caught.value.hint is not None


def test_file_that_is_none_of_ours(tmp_path: Path) -> None:
    Pace(tmp_path).close()
    (file,) = tmp_path.glob("pace-*.sqlite")
    file.write_text("something else " * 100)
    with pytest.raises(EnvironmentUnavailable, match="cannot share the pace"):
        Pace(tmp_path)


def test_broken_file_costs_no_answer(tmp_path: Path, pace: Paces) -> None:
    one = pace(tmp_path, concurrency=2)
    answer = ""
    with one.admit():
        (file,) = tmp_path.glob("pace-*.sqlite")
        with sqlite3.connect(file) as database:
            database.execute("drop table places")
        database.close()
        one.succeeded()
        one.slow_down(1.0)
        answer = "here"
    assert answer == "here"
    with pytest.raises(EnvironmentUnavailable), one.admit():
        pass
