"""Fixtures of the tests that run pytest with the plugin in processes of their own."""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from filelock import FileLock
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


@pytest.fixture(scope="session")
def shared_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One directory for all workers of this session."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def bytecode(shared_directory: Path) -> Path | None:
    """Where the processes that tests start keep compiled modules, if Python was told not to keep
    them beside their sources: each of them would compile some hundred anew."""
    return shared_directory / "bytecode" if sys.dont_write_bytecode else None


@pytest.fixture
def mini(tmp_path: Path, core_cache: Path, bytecode: Path | None) -> MiniProject:
    """A tiny Lean project without tasks."""
    return MiniProject(tmp_path / "mini", core_cache, bytecode=bytecode)


class QuickProject(MiniProject):
    """Runs pytest in this process, which spares the start of a Python and of a Lean. What is
    started, not run, has a process of its own."""

    def __init__(self, pytester: pytest.Pytester, cache: Path, bytecode: Path | None) -> None:
        super().__init__(pytester.path, cache, bytecode=bytecode)
        self._pytester = pytester

    def run(self, *arguments: str, model: str | None = "scripted") -> Ended:
        given = [f"--vsb-model={model}"] if model else []
        result = self._pytester.runpytest_inprocess(*given, *arguments)
        return Ended(int(result.ret), result.stdout.str() + "\n", result.stderr.str())


@pytest.fixture
def quick(
    pytester: pytest.Pytester, bytecode: Path | None, monkeypatch: pytest.MonkeyPatch
) -> MiniProject:
    """A tiny Lean project without tasks, for runs in this process that need no Lean."""
    monkeypatch.setenv("VSB_CACHE_DIR", str(pytester.path / "cache"))
    return QuickProject(pytester, pytester.path / "cache", bytecode)


@pytest.fixture
def near(quick: MiniProject, core_cache: Path, monkeypatch: pytest.MonkeyPatch) -> MiniProject:
    """The same with the compiled core at hand, for runs with Lean."""
    monkeypatch.setenv("VSB_CACHE_DIR", str(core_cache))
    monkeypatch.setenv("PYTEST_ADDOPTS", quick.addopts)
    if quick.bytecode is not None:
        # For the workers of such a run.
        monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(quick.bytecode))
    quick.cache = core_cache
    return quick


Make = Callable[[MiniProject], Any]


@pytest.fixture(scope="session")
def share(
    shared_directory: Path, core_cache: Path, bytecode: Path | None
) -> Callable[[str, Make], Any]:
    """Makes what tests of several workers look at, such as a run of a project, once for all."""

    def made(name: str, make: Make) -> Any:
        kept = shared_directory / f"{name}.pickle"
        with FileLock(shared_directory / f"{name}.lock"):
            if not kept.exists():
                path = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=shared_directory))
                found = make(MiniProject(path, core_cache, bytecode=bytecode))
                kept.write_bytes(pickle.dumps(found))
            return pickle.loads(kept.read_bytes())

    return made


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
        _, alive = psutil.wait_procs(found(), timeout=60)
        return [" ".join(process.cmdline()) for process in alive]

    yield left
    rest = found()
    for process in rest:
        process.kill()
    assert rest == [], "processes were left behind"
