"""Fixtures of the tests that run processes and Lean."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from box_fixtures import Boxed
from lean_bench import Sleepers, level_or_skip, until

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import embedded
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

    def new() -> list[psutil.Process]:
        return [child for child in psutil.Process().children() if child.pid not in before]

    # One may be ended by a thread that has not come to it yet.
    assert until(lambda: not new()), new()


@pytest.fixture
def script(tmp_path: Path):  # type: ignore[no-untyped-def]
    """Makes an executable shell script: ``script(path, text)``."""

    def make(path: Path, text: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    return make


@pytest.fixture(params=["bubblewrap", "landlock"])
def boxed(request: pytest.FixtureRequest, tmp_path: Path) -> Boxed:
    """A box of each level."""
    sandbox = level_or_skip(request.param)
    inside, outside = tmp_path.resolve() / "in side é", tmp_path.resolve() / "outside"
    inside.mkdir()
    outside.mkdir()
    return Boxed(sandbox, inside, outside)
