"""Fixtures of the tests that run pytest with the plugin in processes of their own."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from mini_project import Ended, MiniProject

# What a run imports is imported once, not again by each run in this process.
import pytest_vsb.plugin.controller
import pytest_vsb.plugin.items
import pytest_vsb.plugin.setup  # noqa: F401
from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import cache
from pytest_vsb.lean.toolchain import find


@pytest.fixture(scope="session")
def core_cache() -> Path:
    """The cache with the compiled core in it: the user's own or ``VSB_CACHE_DIR``'s, so that the
    core is compiled once for all processes and sessions. Skips where there is no Lean."""
    try:
        find("auto")
    except EnvironmentUnavailable as error:
        pytest.skip(error.message)
    return cache.directory().path


@pytest.fixture
def mini(tmp_path: Path, core_cache: Path) -> MiniProject:
    """A tiny Lean project without tasks."""
    return MiniProject(tmp_path / "mini", core_cache)


class QuickProject(MiniProject):
    """Runs pytest in this process, for the many runs that end before any item does."""

    def __init__(self, pytester: pytest.Pytester, cache: Path) -> None:
        super().__init__(pytester.path, cache)
        self._pytester = pytester

    def run(self, *arguments: str, model: str | None = "scripted") -> Ended:
        given = [f"--vsb-model={model}"] if model else []
        result = self._pytester.runpytest_inprocess(*given, *arguments)
        return Ended(int(result.ret), result.stdout.str() + "\n", result.stderr.str())


@pytest.fixture
def quick(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> MiniProject:
    """A tiny Lean project without tasks, for runs that need no Lean."""
    monkeypatch.setenv("VSB_CACHE_DIR", str(pytester.path / "cache"))
    return QuickProject(pytester, pytester.path / "cache")


@pytest.fixture
def quick_lean(
    quick: MiniProject, core_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> MiniProject:
    """The same with the compiled core at hand."""
    monkeypatch.setenv("VSB_CACHE_DIR", str(core_cache))
    monkeypatch.setenv("PYTEST_ADDOPTS", quick.caching)
    return quick


@pytest.fixture(scope="module")
def make_mini(
    tmp_path_factory: pytest.TempPathFactory, core_cache: Path
) -> Callable[[], MiniProject]:
    """Makes projects for runs that several tests look at."""
    numbers = itertools.count()
    return lambda: MiniProject(tmp_path_factory.mktemp(f"mini{next(numbers)}"), core_cache)


@pytest.fixture
def nothing_left(mini: MiniProject) -> Iterator[Callable[[], list[str]]]:
    """Says which processes still run below the project's directory; a test that leaves some
    fails, and they are killed."""

    def found() -> list[psutil.Process]:
        there = []
        for process in psutil.process_iter():
            try:
                if process.status() == psutil.STATUS_ZOMBIE:
                    continue
                words = " ".join(process.cmdline())
                if str(mini.path) in words or process.environ().get("MINI_MARK") == str(mini.path):
                    there.append(process)
            except psutil.Error:
                continue
        return there

    mini.environment["MINI_MARK"] = str(mini.path)

    def left() -> list[str]:
        # What has been killed may take a moment to go.
        _, alive = psutil.wait_procs(found(), timeout=20)
        return [" ".join(process.cmdline()) for process in alive]

    yield left
    rest = found()
    for process in rest:
        process.kill()
    assert rest == [], "processes were left behind"
