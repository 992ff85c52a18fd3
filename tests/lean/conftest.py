"""Fixtures of the tests that run processes and Lean."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from box_fixtures import Boxed

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import embedded
from pytest_vsb.lean.sandbox.box import Sandbox
from pytest_vsb.lean.sandbox.choose import choose
from pytest_vsb.lean.toolchain import Toolchain, find


@pytest.fixture(scope="session")
def embedded_toolchain() -> Toolchain:
    """The embedded Lean, its core compiled."""
    available, reason = embedded.is_available()
    if not available:
        pytest.skip(reason)
    return find("embedded")


@pytest.fixture(scope="session")
def toolchain() -> Toolchain:
    """A full Lean if there is one, else the embedded one."""
    available, reason = embedded.is_available()
    try:
        return find("auto")
    except EnvironmentUnavailable as error:
        if available:
            raise
        pytest.skip(f"{error.message}; {reason}")


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

    def gone(self, seconds: float = 20.0) -> bool:
        """Whether all are gone, waiting so long for it."""
        return until(lambda: not self.alive(), seconds)

    def there(self, number: int = 1, seconds: float = 20.0) -> bool:
        """Whether so many run, waiting so long for it."""
        return until(lambda: len(self.alive()) >= number, seconds)


def until(condition, seconds: float = 20.0) -> bool:  # type: ignore[no-untyped-def]
    """Wait for a condition. Returns whether it came true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def sleepers() -> Iterator[Sleepers]:
    """A mark for sleeping processes; ends any left by a test that failed."""
    marked = Sleepers()
    yield marked
    for process in psutil.process_iter():
        try:
            if marked.mark in process.cmdline():
                process.kill()
        except psutil.Error:
            continue


@pytest.fixture(autouse=True)
def no_process_left() -> Iterator[None]:
    """Every test here ends with the children that it began with, and not one zombie."""
    before = {child.pid for child in psutil.Process().children()}
    yield
    after = psutil.Process().children()
    assert [child for child in after if child.pid not in before] == []


@pytest.fixture
def script(tmp_path: Path):  # type: ignore[no-untyped-def]
    """Makes an executable shell script: ``script(path, text)``."""

    def make(path: Path, text: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    return make


def level_or_skip(level: str) -> Sandbox:
    """The sandbox of a level, tested; skips where this system has none."""
    try:
        return choose(level).sandbox
    except EnvironmentUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture(params=["bubblewrap", "landlock"])
def boxed(request: pytest.FixtureRequest, tmp_path: Path) -> Boxed:
    """A box of each level."""
    sandbox = level_or_skip(request.param)
    inside, outside = tmp_path.resolve() / "in side é", tmp_path.resolve() / "outside"
    inside.mkdir()
    outside.mkdir()
    return Boxed(sandbox, inside, outside)
