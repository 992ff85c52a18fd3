"""A Dask cluster of real processes on this machine, and the small repository that it judges."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import psutil

from pytest_vsb.executor.cluster import Cluster
from pytest_vsb.executor.repositories import announced
from pytest_vsb.source.scanner import scan
from pytest_vsb.tasks.dataset import read_tasks
from pytest_vsb.tasks.model import Task

BASIS = """\
def Pool.size (n : Nat) : Nat := n
"""

POOL = """\
import Basis

namespace Pool

theorem size_self (n : Nat) : size n = n := rfl

theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩

end Pool
"""

PROOFS = {"size_self": ":= rfl", "swap": ":= ⟨h.2, h.1⟩"}

ENDLESS = ":= by\n  repeat (have x : True := trivial)\n  exact ⟨h.2, h.1⟩"
NO_LIMIT = "set_option maxHeartbeats 0\nset_option maxRecDepth 100000000\n"


def write_repository(path: Path, basis: str = BASIS, pool: str = POOL) -> Path:
    """The repository ``pool`` in a directory."""
    path.mkdir(parents=True)
    (path / "Basis.lean").write_text(basis, encoding="utf-8")
    (path / "Pool.lean").write_text(pool, encoding="utf-8")
    (path / "lakefile.toml").write_text('name = "pool"\n\n[[lean_lib]]\nname = "Pool"\n')
    return path


def write_tasks(path: Path, *names: str, root: str = "pool") -> Path:
    """A task file for theorems of the repository at ``root``, relative to the file."""
    source = scan(POOL)
    lines = []
    for name in names:
        target = source.find(f"Pool.{name}")
        record = {
            "id": name,
            "suite": "pool",
            "repository": "pool",
            "root": root,
            "path": "Pool.lean",
            "name": f"Pool.{name}",
            "statement": target.statement.of(POOL),
            "reference_proof": PROOFS[name],
        }
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    path.write_text("".join(lines), encoding="utf-8")
    return path


def tasks(path: Path) -> dict[str, Task]:
    return {task.id: task for task in read_tasks(path).tasks}


class Machines:
    """A scheduler and its workers, each a process as a shell would start it."""

    def __init__(self, place: Path, environment: Mapping[str, str]) -> None:
        self.place = place
        self.file = place / "scheduler.json"
        self.environment = {**os.environ, **environment}
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def option(self) -> str:
        return f"--vsb-executor=dask:{self.file}"

    def start(self) -> None:
        """Start the scheduler."""
        self.file.unlink(missing_ok=True)
        self.scheduler = self._run("scheduler", "--no-show", "--port", "0")
        end = time.monotonic() + 120
        while not self.file.exists():
            assert self.scheduler.poll() is None, self.log("scheduler")
            assert time.monotonic() < end, self.log("scheduler")
            time.sleep(0.05)

    def worker(self, name: str, repositories: Path, *arguments: str) -> None:
        """Start a worker for one job at a time; see :meth:`wait`."""
        self.workers[name] = self._run(
            "worker",
            *("--name", name, "--nthreads", "1", "--no-nanny", "--no-dashboard"),
            *("--local-directory", str(self.place / f"{name}.space")),
            *("--preload", "pytest_vsb.executor.worker"),
            *arguments,
            log=name,
            VSB_REPOS_DIR=str(repositories),
        )

    def _run(
        self, what: str, *arguments: str, log: str = "", **environment: str
    ) -> subprocess.Popen[bytes]:
        where = ["--scheduler-file", str(self.file), "--host", "127.0.0.1"]
        with (self.place / f"{log or what}.log").open("ab") as stream:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", what, *where, *arguments],
                env={**self.environment, **environment},
                cwd=self.place,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )

    def log(self, name: str) -> str:
        return (self.place / f"{name}.log").read_text("utf-8", "replace")

    def wait(self, count: int, cluster: Cluster) -> None:
        """Wait until so many workers announce the repository, and no others."""
        end = time.monotonic() + 120
        while len(cluster.having("pool")) != count or len(cluster.announced()) != count:
            for name, process in self.workers.items():
                assert process.poll() is None, self.log(name)
            assert time.monotonic() < end, cluster.announced()
            time.sleep(0.1)

    def addresses(self, cluster: Cluster) -> dict[str, str]:
        """The address of each worker, by its name."""
        info = cluster.client.scheduler_info(n_workers=-1)["workers"]
        return {
            str(facts["name"]): address
            for address, facts in info.items()
            if announced(facts["resources"])
        }

    def kill(self, name: str) -> None:
        """End a worker by SIGKILL."""
        process = self.workers.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def leans(self, name: str) -> list[psutil.Process]:
        """What runs below a worker."""
        with contextlib.suppress(psutil.NoSuchProcess):
            return psutil.Process(self.workers[name].pid).children(recursive=True)
        return []

    def stop(self) -> None:
        processes = [*self.workers.values(), *filter(None, [self.scheduler])]
        for process in processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.workers.clear()
        self.scheduler = None
