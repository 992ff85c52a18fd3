"""Checks on a Dask cluster of real processes: the verdicts are those of a judge here, whatever
becomes of the workers."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from dask_cluster import ENDLESS, NO_LIMIT, PROOFS, Machines, tasks, write_repository

import pytest_vsb
from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.executor import cluster as connecting
from pytest_vsb.executor.cluster import Cluster
from pytest_vsb.executor.identity import code_version
from pytest_vsb.executor.jobs import JudgeSettings
from pytest_vsb.executor.remote import RemoteJudge
from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.sandbox.choose import choose
from pytest_vsb.lean.toolchain import find
from pytest_vsb.provers.base import Candidate
from pytest_vsb.tasks.model import Task

pytestmark = pytest.mark.lean

Make = Callable[..., RemoteJudge]
SECONDS = 5.0
OTHER = "def Pool.size (n : Nat) : Nat := n + 0\n"


@pytest.fixture
def judge(place: Path, cluster: Cluster) -> Make:
    """Makes a judge for the repository as it is here."""

    def make(seconds: float = 60.0, root: Path = place / "pool") -> RemoteJudge:
        settings = JudgeSettings(Limits(seconds), session="off", cache=False)
        return RemoteJudge(root, "pool", cluster, settings)

    return make


@pytest.fixture
def swap(place: Path) -> Task:
    return tasks(place / "pool.vsb.jsonl")["swap"]


def plain(verdict: Verdict) -> Verdict:
    """A verdict without what differs between two runs of Lean."""
    return dataclasses.replace(verdict, lean_seconds=0.0, cpu_seconds=0.0, peak_memory_mb=0.0)


def wait_until(what: Callable[[], object]) -> None:
    end = time.monotonic() + 120
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


@contextlib.contextmanager
def background(judge: RemoteJudge, task: Task) -> Iterator[list[Verdict]]:
    """Judge a candidate that takes all the time there is, until the end of the ``with``."""
    found: list[Verdict] = []
    candidate = Candidate(ENDLESS, NO_LIMIT)
    thread = threading.Thread(target=lambda: found.append(judge.check(task, candidate)))
    thread.start()
    try:
        yield found
    finally:
        thread.join(120)


CANDIDATES = {
    VerdictKind.REJECTED: Candidate(":= ⟨h.1, h.2⟩", "/-- ℝ -/\ndef more : Nat := 1"),
    VerdictKind.FORBIDDEN: Candidate(":= by\n  run_tac pure ()"),
    VerdictKind.MALFORMED: Candidate(":= h\n\ntheorem more : 1 = 1 := rfl"),
    VerdictKind.ACCEPTED: Candidate(PROOFS["swap"]),
    VerdictKind.INCOMPLETE: Candidate(":= by\r\n  exact sorry"),
    VerdictKind.TIMEOUT: Candidate(ENDLESS, NO_LIMIT),
}


@pytest.mark.parametrize(
    "kinds",
    [list(CANDIDATES)[:3], pytest.param(list(CANDIDATES)[3:], marks=pytest.mark.slow)],
    ids=["by-text-or-one-lean", "by-several-leans"],
)
def test_verdicts_are_those_of_a_judge_here(
    machines: Machines, judge: Make, place: Path, swap: Task, kinds: list[VerdictKind]
) -> None:
    lean = find("auto")
    project = open_project(place / "pool", lean)
    # Long enough for what is to be no timeout on a busy machine.
    seconds = 4 * SECONDS
    here = Checker(project, Limits(seconds), sandbox=choose("auto", lean))
    there = judge(seconds)
    for kind in kinds:
        candidate = CANDIDATES[kind]
        ours, theirs = here.check(swap, candidate), there.check(swap, candidate)
        assert plain(theirs) == plain(ours)
        assert theirs.kind is kind
        assert there.excerpts(swap, candidate, theirs) == here.excerpts(swap, candidate, ours)
    assert there.prefix(swap) == here.prefix(swap)
    if VerdictKind.REJECTED in kinds:
        assert there.check(swap, CANDIDATES[VerdictKind.REJECTED]).cached


CLIENT = """
import sys
from pathlib import Path
from dask_cluster import ENDLESS, NO_LIMIT, tasks
from pytest_vsb.executor.cluster import Cluster
from pytest_vsb.executor.jobs import JudgeSettings
from pytest_vsb.executor.remote import RemoteJudge
from pytest_vsb.lean.process import Limits
from pytest_vsb.provers.base import Candidate

place, file = Path(sys.argv[1]), sys.argv[2]
settings = JudgeSettings(Limits(600.0), session="off", cache=False)
judge = RemoteJudge(place / "pool", "pool", Cluster(file), settings)
judge.check(tasks(place / "pool.vsb.jsonl")["swap"], Candidate(ENDLESS, NO_LIMIT))
"""


@pytest.mark.slow
def test_a_client_that_is_killed_leaves_no_lean(machines: Machines, place: Path) -> None:
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, str(place), str(machines.file)], cwd=Path(__file__).parent
    )
    # The first two Leans are of the preparation.
    wait_until(lambda: any(_has_run(machines, name, 3.0) for name in machines.workers))
    client.kill()
    client.wait()
    wait_until(lambda: not any(machines.leans(name) for name in machines.workers))


def _has_run(machines: Machines, name: str, seconds: float) -> bool:
    """Whether something has been running below a worker for so long."""
    for process in machines.leans(name):
        with contextlib.suppress(psutil.NoSuchProcess):
            if time.time() - process.create_time() > seconds:
                return True
    return False


@pytest.mark.slow
def test_a_worker_is_killed_in_the_middle_of_a_check(
    machines: Machines, cluster: Cluster, judge: Make, swap: Task
) -> None:
    one = judge(SECONDS)
    one.prepare(swap)
    with background(one, swap) as found:
        wait_until(lambda: any(machines.leans(name) for name in machines.workers))
        victim = next(name for name in machines.workers if machines.leans(name))
        left = machines.leans(victim)
        machines.kill(victim)
    assert [verdict.kind for verdict in found] == [VerdictKind.TIMEOUT]
    assert found[0].lean_seconds >= SECONDS
    wait_until(lambda: not any(process.is_running() for process in left))


@pytest.mark.slow
def test_cancelling_ends_the_lean_of_the_worker(
    machines: Machines, judge: Make, swap: Task
) -> None:
    """As Ctrl-C or a time limit does: an exception out of a signal's handler."""
    one = judge(600.0)
    one.prepare(swap)

    class Cut(Exception):
        pass

    def cut(*_: object) -> None:
        raise Cut

    def send() -> None:
        wait_until(lambda: any(machines.leans(name) for name in machines.workers))
        os.kill(os.getpid(), signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, cut)
    try:
        thread = threading.Thread(target=send)
        thread.start()
        with pytest.raises(Cut):
            one.check(swap, Candidate(ENDLESS, NO_LIMIT))
        thread.join()
    finally:
        signal.signal(signal.SIGUSR1, before)
    wait_until(lambda: not any(machines.leans(name) for name in machines.workers))
    assert one.check(swap, Candidate(PROOFS["swap"])).accepted


def test_a_worker_with_another_text_judges_nothing(
    machines: Machines, cluster: Cluster, judge: Make, tmp_path: Path, swap: Task
) -> None:
    mine = write_repository(tmp_path / "pool", basis=OTHER)
    with pytest.raises(EnvironmentUnavailable) as raised, pytest.warns(RuntimeWarning):
        judge(root=mine).prepare(swap)
    text = str(raised.value)
    assert text.count("the modules that Pool.lean imports differ; they are Basis") == 2
    for address in machines.addresses(cluster).values():
        assert address in text


@pytest.mark.slow
def test_others_do_what_a_worker_refuses(
    machines: Machines, cluster: Cluster, judge: Make, tmp_path: Path, swap: Task
) -> None:
    write_repository(tmp_path / "others" / "pool", basis=OTHER)
    machines.kill("one")
    machines.wait(1, cluster)
    with background(judge(2 * SECONDS), swap):
        # The one that has the right text is busy, so that the other is asked first.
        wait_until(lambda: machines.leans("two"))
        machines.worker("wrong", tmp_path / "others")
        machines.wait(2, cluster)
        wrong = machines.addresses(cluster)["wrong"]
        with pytest.warns(RuntimeWarning, match=f"{wrong} cannot judge.*they are Basis"):
            assert judge().check(swap, Candidate(PROOFS["swap"])).accepted


def test_no_worker_has_the_repository(
    machines: Machines, cluster: Cluster, place: Path, swap: Task
) -> None:
    settings = JudgeSettings(Limits(60.0))
    one = RemoteJudge(place / "pool", "owner/pond", cluster, settings)
    with pytest.raises(EnvironmentUnavailable) as raised:
        one.prepare(swap)
    assert "has announced the repository owner/pond for 1 s" in raised.value.message
    hint = raised.value.hint or ""
    assert hint.startswith("announced are: ")
    assert hint.count(": pool") == 2


@pytest.mark.slow
def test_all_workers_are_gone(
    machines: Machines, cluster: Cluster, judge: Make, swap: Task
) -> None:
    one = judge()
    one.prepare(swap)
    for name in list(machines.workers):
        machines.kill(name)
    began = time.monotonic()
    for _ in range(3):
        with pytest.raises(EnvironmentUnavailable, match="has announced the repository pool"):
            one.check(swap, Candidate(PROOFS["swap"]))
    assert time.monotonic() - began < 20  # they are not waited for each time
    machines.worker("one", machines.place / "theirs")
    machines.wait(1, cluster)
    assert one.check(swap, Candidate(PROOFS["swap"])).accepted


# Clusters of their own


@pytest.fixture
def own(tmp_path: Path, core_cache: Path) -> Iterator[Callable[..., Machines]]:
    """Starts a cluster without workers, for a test that spoils it."""
    started: list[Machines] = []

    def start(**environment: str) -> Machines:
        given = {"VSB_CACHE_DIR": str(core_cache), "VSB_LEAN_JOBS": "2", **environment}
        machines = Machines(tmp_path, given)
        started.append(machines)
        machines.start()
        return machines

    yield start
    for machines in started:
        machines.stop()


@pytest.fixture
def connect(own: Callable[..., Machines]) -> Iterator[Callable[[Machines], Cluster]]:
    clusters: list[Cluster] = []

    def make(machines: Machines) -> Cluster:
        clusters.append(Cluster(str(machines.file), wait=1.0))
        return clusters[-1]

    yield make
    for cluster in clusters:
        cluster.close()


SETTINGS = JudgeSettings(Limits(600.0), session="off", cache=False)


def failing(
    judge: RemoteJudge, task: Task
) -> tuple[threading.Thread, list[EnvironmentUnavailable]]:
    """Judge a candidate that never ends, and keep what is raised."""
    found: list[EnvironmentUnavailable] = []

    def check() -> None:
        try:
            judge.check(task, Candidate(ENDLESS, NO_LIMIT))
        except EnvironmentUnavailable as error:
            found.append(error)

    thread = threading.Thread(target=check)
    thread.start()
    return thread, found


@pytest.mark.slow
def test_the_prover_is_not_blamed_where_workers_die_of_a_check_each_time(
    own: Callable[..., Machines], connect: Callable[[Machines], Cluster], place: Path, swap: Task
) -> None:
    machines = own(DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="1")
    cluster = connect(machines)
    for name in ("one", "two"):
        machines.worker(name, place / "theirs")
    machines.wait(2, cluster)
    judge = RemoteJudge(place / "pool", "pool", cluster, SETTINGS)
    thread, found = failing(judge, swap)
    for _ in range(2):
        wait_until(lambda: any(machines.leans(name) for name in machines.workers))
        machines.kill(next(name for name in machines.workers if machines.leans(name)))
    thread.join(120)
    assert "2 Dask workers died while they judged this" in found[0].message


@pytest.mark.slow
def test_the_scheduler_goes_and_comes_back(
    own: Callable[..., Machines],
    connect: Callable[[Machines], Cluster],
    place: Path,
    swap: Task,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connecting, "CONNECT_SECONDS", 2.0)
    monkeypatch.setattr(connecting, "_AGAIN_SECONDS", 2.0)
    machines = own()
    cluster = connect(machines)
    machines.worker("one", place / "theirs")
    machines.wait(1, cluster)
    judge = RemoteJudge(place / "pool", "pool", cluster, SETTINGS)
    thread, found = failing(judge, swap)
    wait_until(lambda: machines.leans("one"))
    machines.stop()
    thread.join(120)
    assert "the Dask scheduler is gone" in found[0].message
    for _ in range(2):
        with pytest.raises(EnvironmentUnavailable, match="Dask scheduler"):
            judge.check(swap, Candidate(PROOFS["swap"]))
    machines.start()
    machines.worker("one", place / "theirs")

    def reachable() -> bool:
        with contextlib.suppress(EnvironmentUnavailable):
            return bool(cluster.having("pool"))
        return False

    # The connection is not tried again at once, and on a busy machine it takes its time.
    monkeypatch.setattr(connecting, "CONNECT_SECONDS", 30.0)
    wait_until(reachable)
    assert judge.check(swap, Candidate(PROOFS["swap"])).accepted


@pytest.mark.slow
def test_a_worker_with_another_version_judges_nothing(
    own: Callable[..., Machines],
    connect: Callable[[Machines], Cluster],
    place: Path,
    tmp_path: Path,
    swap: Task,
) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    copy = tmp_path / "other" / "pytest_vsb"
    shutil.copytree(Path(pytest_vsb.__file__).parent, copy, ignore=ignored)
    with (copy / "judge" / "policy.py").open("a") as file:
        file.write("# another policy\n")
    machines = own(PYTHONPATH=str(copy.parent))
    cluster = connect(machines)
    machines.worker("one", place / "theirs")
    machines.wait(1, cluster)
    judge = RemoteJudge(place / "pool", "pool", cluster, SETTINGS)
    with pytest.raises(EnvironmentUnavailable) as raised:
        judge.check(swap, Candidate(PROOFS["swap"]))
    assert f"pytest-vsb is {pytest_vsb.__version__} (" in raised.value.message
    assert f" there and {code_version()} here" in raised.value.message
