"""Fixtures of the tests of executors: a cluster that the tests of a session share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from dask_cluster import Machines, write_repository, write_tasks

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.executor.cluster import Cluster
from pytest_vsb.lean import cache
from pytest_vsb.lean.toolchain import find


@pytest.fixture(scope="session")
def core_cache() -> Path:
    """The cache with the compiled core in it. Skips where there is no Lean."""
    try:
        find("auto")
    except EnvironmentUnavailable as error:
        pytest.skip(error.message)
    return cache.directory().path


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the repository ``pool`` as this machine has it, and its task file; in
    ``theirs``, where workers look for repositories, it is again. Tests put no others there."""
    path = tmp_path_factory.mktemp("executor")
    write_repository(path / "pool")
    write_repository(path / "theirs" / "pool")
    write_tasks(path / "pool.vsb.jsonl", "size_self", "swap")
    return path


@pytest.fixture(scope="session")
def _machines(place: Path, core_cache: Path) -> Iterator[Machines]:
    machines = Machines(place, {"VSB_CACHE_DIR": str(core_cache), "VSB_LEAN_JOBS": "2"})
    try:
        machines.start()
        yield machines
    finally:
        machines.stop()


@pytest.fixture(scope="session")
def _connection(_machines: Machines) -> Iterator[Cluster]:
    cluster = Cluster(str(_machines.file), wait=1.0)
    yield cluster
    cluster.close()


@pytest.fixture
def cluster(_connection: Cluster) -> Cluster:
    """A connection to the cluster; its jobs wait one second for a worker."""
    return _connection


@pytest.fixture
def machines(_machines: Machines, cluster: Cluster) -> Machines:
    """The cluster, with two workers that have the repository in ``theirs``."""
    for name in {*_machines.workers} - {"one", "two"}:
        _machines.kill(name)
    for name in ("one", "two"):
        if name not in _machines.workers:
            _machines.worker(name, _machines.place / "theirs")
    _machines.wait(2, cluster)
    return _machines
