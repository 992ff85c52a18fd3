"""How fast a Dask cluster judges, by its workers, and what a check costs beside Lean.

    python bench/executor.py [--candidates N] [--clients C] [--workers 1 2] [--task ID]

Starts a real scheduler and real workers on this machine, each worker for one Lean at a time and
with the demo. The same candidates (wrong ones, all different) are judged in a process of its own
here, one after another, and on one and on two workers, asked for by several clients at once as the
workers of pytest-xdist do. Caches and warm sessions are off: each candidate is one compilation. The
overhead is the time of a check that the policy refuses, which takes no Lean. The last row kills a
worker in the middle.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from pytest_vsb.executor.cluster import Cluster
from pytest_vsb.executor.jobs import JudgeSettings
from pytest_vsb.executor.remote import RemoteJudge
from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.sandbox.choose import choose
from pytest_vsb.lean.toolchain import find
from pytest_vsb.provers.base import Candidate
from pytest_vsb.tasks.dataset import read_tasks
from pytest_vsb.tasks.model import Task

DEMO = Path(__file__).parents[1] / "benchmark" / "demo"
SETTINGS = JudgeSettings(Limits(120.0), session="off", cache=False)
REFUSED = Candidate(":= by\n  run_tac pure ()")


def wrong(number: int) -> Candidate:
    return Candidate(f":= by\n  exact nothing_{number}")


class Machines:
    """A scheduler and workers, as a shell starts them."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.file = place / "scheduler.json"
        self.environment = {**os.environ, "VSB_REPOS_DIR": str(DEMO.parent)}
        self.scheduler = self._run("scheduler", "--no-show", "--port", "0")
        self.workers: list[subprocess.Popen[bytes]] = []
        while not self.file.exists():
            time.sleep(0.1)

    def _run(self, *arguments: str) -> subprocess.Popen[bytes]:
        words = (*arguments, "--scheduler-file", str(self.file), "--host", "127.0.0.1")
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            env=self.environment,
            cwd=self.place,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def scale(self, count: int, cluster: Cluster) -> None:
        while len(self.workers) < count:
            options = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
            preload = ("--preload", "pytest_vsb.executor.worker")
            self.workers.append(self._run("worker", *options, *preload))
        while len(cluster.having("demo")) != count:
            time.sleep(0.1)

    def kill(self) -> None:
        worker = self.workers.pop()
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()

    def stop(self) -> None:
        for process in [*self.workers, self.scheduler]:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def shares(candidates: int, clients: int, first: int) -> Iterator[list[Candidate]]:
    """Different candidates for each client."""
    for client in range(clients):
        yield [wrong(first + number) for number in range(client, candidates, clients)]


def judge_there(
    file: Path, task: Task, root: Path, share: list[Candidate], lost: list[str]
) -> None:
    cluster = Cluster(str(file))
    judge = RemoteJudge(root, "demo", cluster, SETTINGS)
    for candidate in share:
        verdict = judge.check(task, candidate)
        if verdict.kind is not VerdictKind.REJECTED:
            lost.append(f"{verdict.kind}: {verdict.reason}")
    cluster.close()


def timed_there(
    machines: Machines, task: Task, root: Path, count: int, clients: int, first: int, kill: bool
) -> tuple[float, list[str]]:
    lost: list[str] = []
    threads = [
        threading.Thread(target=judge_there, args=(machines.file, task, root, share, lost))
        for share in shares(count, clients, first)
    ]
    begin = time.monotonic()
    for thread in threads:
        thread.start()
    if kill:
        time.sleep(1.0)
        machines.kill()
    for thread in threads:
        thread.join()
    return time.monotonic() - begin, lost


def overhead(check: object, task: Task, times: int = 50) -> float:
    """Milliseconds of a check without Lean: the median."""
    found = []
    for _ in range(times):
        begin = time.monotonic()
        verdict = check(task, REFUSED)  # type: ignore[operator]
        found.append(time.monotonic() - begin)
        assert verdict.kind is VerdictKind.FORBIDDEN, verdict
    return 1000 * statistics.median(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--candidates", type=int, default=24)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--task", default="Queue.toList_push")
    arguments = parser.parse_args()
    tasks = {task.id: task for task in read_tasks(DEMO / "demo.vsb.jsonl").tasks}
    task, count = tasks[arguments.task], arguments.candidates
    lean = find("auto")
    checker = Checker(open_project(DEMO, lean), SETTINGS.limits, sandbox=choose("auto", lean))
    checker.prepare(task)
    print(f"{'':<34}{'seconds':>9}{'checks/s':>10}{'ms beside Lean':>16}{'lost':>6}")

    def row(label: str, seconds: float, beside: float | None, lost: list[str]) -> None:
        shown = "" if beside is None else f"{beside:.1f}"
        print(f"{label:<34}{seconds:>9.1f}{count / seconds:>10.2f}{shown:>16}{len(lost):>6}")

    begin = time.monotonic()
    for candidate in next(shares(count, 1, 0)):
        checker.check(task, candidate)
    row("here, one after another", time.monotonic() - begin, overhead(checker.check, task), [])
    with tempfile.TemporaryDirectory(prefix="vsb-bench-") as name:
        machines = Machines(Path(name))
        cluster = Cluster(str(machines.file))
        judge = RemoteJudge(DEMO, "demo", cluster, SETTINGS)
        try:
            for number, workers in enumerate(arguments.workers, 1):
                machines.scale(workers, cluster)
                # Each client once: what a worker does first for a task is not measured.
                timed_there(machines, task, DEMO, 2 * workers, 2 * workers, 10_000 * number, False)
                seconds, lost = timed_there(
                    machines, task, DEMO, count, arguments.clients, 1000 * number, False
                )
                label = f"Dask, {workers} worker{'s' if workers > 1 else ''}"
                row(label, seconds, overhead(judge.check, task), lost)
            seconds, lost = timed_there(
                machines, task, DEMO, count, arguments.clients, 900_000, True
            )
            row("Dask, one of them killed", seconds, None, lost)
        finally:
            cluster.close()
            machines.stop()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
