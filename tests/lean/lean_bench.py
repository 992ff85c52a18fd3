"""What the tests that run processes and Lean share beside fixtures."""

from __future__ import annotations

import itertools
import os
import time

import psutil
import pytest

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean.sandbox.box import Sandbox
from pytest_vsb.lean.sandbox.choose import choose


class Sleepers:
    """Processes marked by an argument that no other process has."""

    _numbers = itertools.count()

    def __init__(self) -> None:
        self.mark = f"1000.{os.getpid():07d}{next(self._numbers):04d}"
        self.sleep = f"sleep {self.mark}"

    def alive(self) -> list[str]:
        """The command lines of those that run."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.status() != psutil.STATUS_ZOMBIE and self.mark in process.cmdline():
                    found.append(" ".join(process.cmdline()))
            except psutil.Error:
                continue
        return found

    def gone(self, seconds: float = 60.0) -> bool:
        """Whether all are gone, waiting so long for it."""
        return until(lambda: not self.alive(), seconds)

    def there(self, number: int = 1, seconds: float = 60.0) -> bool:
        """Whether so many run, waiting so long for it."""
        return until(lambda: len(self.alive()) >= number, seconds)


def until(condition, seconds: float = 60.0) -> bool:  # type: ignore[no-untyped-def]
    """Wait for a condition. Returns whether it came true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def level_or_skip(level: str) -> Sandbox:
    """The sandbox of a level, tested; skips where this system has none."""
    try:
        return choose(level).sandbox
    except EnvironmentUnavailable as error:
        pytest.skip(str(error))
