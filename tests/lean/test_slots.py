"""The bound on Lean processes at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean.slots import LeanSlots

HOLD = """
import sys, time
from pathlib import Path
from pytest_vsb.lean.slots import LeanSlots
with LeanSlots(Path(sys.argv[1]), int(sys.argv[2])).acquire():
    print("held", flush=True)
    time.sleep(60)
"""


def holder(directory: Path, limit: int) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(directory), str(limit)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_never_more_than_the_limit(tmp_path: Path) -> None:
    slots = LeanSlots(tmp_path / "locks", 2)
    lock = threading.Lock()
    now = most = served = 0

    def work() -> None:
        nonlocal now, most, served
        for _ in range(5):
            with slots.acquire() as waited:
                assert waited >= 0
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
    assert (most, served) == (2, 30)


def test_other_processes_count_and_a_killed_holder_frees_its_slot(tmp_path: Path) -> None:
    first, second = holder(tmp_path, 2), holder(tmp_path, 2)
    try:
        entered = threading.Event()
        waits: list[float] = []

        def work() -> None:
            with LeanSlots(tmp_path, 2).acquire() as waited:
                waits.append(waited)
                entered.set()

        thread = threading.Thread(target=work)
        thread.start()
        assert not entered.wait(0.3)
        os.kill(first.pid, signal.SIGKILL)
        assert entered.wait(20)
        thread.join()
        assert waits[0] >= 0.25
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


def test_bad_limits_and_directories(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one slot"):
        LeanSlots(tmp_path, 0)
    (tmp_path / "file").touch()
    with pytest.raises(EnvironmentUnavailable, match="directory for locks"):
        LeanSlots(tmp_path / "file" / "x", 1)
