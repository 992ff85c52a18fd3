"""Runs of pytest whose checks are made on a Dask cluster."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dask_cluster import Machines

from pytest_vsb.executor import cluster as connecting
from pytest_vsb.executor.cluster import Cluster

pytest_plugins = ("pytester",)
pytestmark = pytest.mark.lean

DEMO = Path(__file__).parents[2] / "benchmark" / "demo"


def start(place: Path, file: Path, *arguments: str, wait: str = "60") -> subprocess.Popen[str]:
    """Begin a run of one sample a task, into ``place``."""
    options = ("--vsb-samples=1", "--vsb-repairs=0", "--vsb-no-cache", "--vsb-fail-on=never")
    plugins = (
        "-c",
        "pytest.ini",
        "-p",
        "no:hypothesispytest",
        "-p",
        "no:syrupy",
        "-p",
        "no:cacheprovider",
    )
    place.mkdir(exist_ok=True)
    (place / "pytest.ini").write_text("[pytest]\n")
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "pytest",
            "-c",
            "pytest.ini",
            *plugins,
            str(file),
            *options,
            *arguments,
        ],
        cwd=place,
        env={**os.environ, "VSB_DASK_WAIT": wait, "COLUMNS": "200", "PYTEST_ADDOPTS": ""},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )


def end(process: subprocess.Popen[str]) -> str:
    try:
        return process.communicate(timeout=900)[0]
    except BaseException:
        process.kill()
        process.communicate()
        raise


def wait_until(what: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait for something that a run does."""
    limit = time.monotonic() + 120
    while not what():
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < limit
        time.sleep(0.05)


def results(run: Path) -> dict[str, dict[str, Any]]:
    return {task["id"]: task for task in json.loads((run / "results.json").read_text())["tasks"]}


def outcomes(run: Path) -> dict[str, tuple[Any, ...]]:
    """What came of each task, without times."""
    return {
        name: (task["status"], task["n"], task["c"], task["verdicts"])
        for name, task in results(run).items()
    }


def kill_a_busy_one(machines: Machines, over: Callable[[], object]) -> None:
    """Kill a worker in the middle of a check, unless the run is over before."""
    limit = time.monotonic() + 120
    while not over() and time.monotonic() < limit:
        for name in list(machines.workers):
            if machines.leans(name):
                machines.kill(name)
                return
        time.sleep(0.02)


def test_a_worker_is_killed_in_a_run(
    machines: Machines, place: Path, pytester: pytest.Pytester
) -> None:
    over = threading.Event()
    killer = threading.Thread(target=kill_a_busy_one, args=(machines, over.is_set))
    killer.start()
    result = pytester.runpytest_inprocess(
        str(place / "pool.vsb.jsonl"), "--vsb-model=reference", "--vsb-ids=swap", "--vsb-run=dask",
        "--vsb-no-cache", machines.option,
    )  # fmt: skip
    over.set()
    killer.join()
    assert len(machines.workers) == 1
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines("vsb executor: Dask at *: 2 workers, 2 Lean jobs, pool")
    run = pytester.path / "dask"
    assert outcomes(run) == {"swap": ("done", 1, 1, {"accepted": 1})}
    assert json.loads((run / "run.json").read_text())["executor"].startswith("Dask at ")


@pytest.mark.slow
def test_all_workers_go_and_the_run_is_resumed(
    machines: Machines, cluster: Cluster, place: Path, tmp_path: Path
) -> None:
    conftest = """
import pathlib, time
from pytest_vsb.provers.base import Answer, Candidate
HERE = pathlib.Path(__file__).parent

class Slow:
    name = "slow"
    needs_reference = True

    def __init__(self, spec): pass
    def settings(self): return {}
    def close(self): pass

    def prove(self, request):
        with open(HERE / "asked", "a") as file:
            file.write(request.task.id + "\\n")
        if request.task.id == "swap" and not (HERE / "go").exists():
            while not (HERE / "go").exists():
                time.sleep(0.05)
        return Answer(Candidate(request.task.reference_proof))

def pytest_vsb_provers(config): return {"slow": Slow}
"""
    home = tmp_path / "run"
    home.mkdir()
    (home / "conftest.py").write_text(conftest)
    arguments = (machines.option, "--vsb-model=slow", "--vsb-run=dask", "--rootdir=.")
    process = start(home, place / "pool.vsb.jsonl", *arguments, "-p", "conftest", wait="1")
    asked = home / "asked"
    asked.touch()
    wait_until(lambda: "swap" in asked.read_text(), process)
    for name in list(machines.workers):
        machines.kill(name)
    (home / "go").write_text("")
    text = end(process)
    assert process.returncode == pytest.ExitCode.TESTS_FAILED, text
    assert "no Dask worker has announced the repository pool" in text
    assert "there are no workers; start: dask worker" in text
    found = results(home / "dask")
    assert {name: task["status"] for name, task in found.items()} == {
        "size_self": "done",
        "swap": "unavailable",
    }
    machines.worker("one", machines.place / "theirs")
    machines.wait(1, cluster)
    text = end(start(home, place / "pool.vsb.jsonl", *arguments, "-p", "conftest", "--vsb-resume"))
    assert outcomes(home / "dask") == {
        "size_self": ("done", 1, 1, {"accepted": 1}),
        "swap": ("done", 1, 1, {"accepted": 1}),
    }, text
    # What was answered before is not asked again.
    assert asked.read_text().split() == ["size_self", "swap"]


@pytest.mark.slow
def test_a_run_says_that_it_waits_for_a_worker(
    machines: Machines, cluster: Cluster, place: Path, tmp_path: Path
) -> None:
    for name in list(machines.workers):
        machines.kill(name)
    limit = time.monotonic() + 60
    while cluster.announced():
        assert time.monotonic() < limit
        time.sleep(0.1)
    arguments = (machines.option, "--vsb-model=reference", "--vsb-run=dask", "-k=swap")
    text = end(start(tmp_path, place / "pool.vsb.jsonl", *arguments, wait="8"))
    assert ": 0 workers, 0 Lean jobs, no repositories" in text
    assert (
        "vsb WARNING: there are no workers: checks wait for one for 8 s (VSB_DASK_WAIT); "
        "start: dask worker ADDRESS --preload pytest_vsb.executor.worker"
    ) in text
    assert re.search(
        r"^vsb: 0 tasks done, 0 solved, 1 running, waiting for a Dask worker with the repository "
        r"pool \(\d of 8 s\)$",
        text,
        re.MULTILINE,
    ), text
    assert not (tmp_path / "dask" / "waiting").exists()


def test_a_cluster_that_is_not_there_ends_the_run_at_once(
    place: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "CONNECT_SECONDS", 0.5)
    (pytester.path / "scheduler.json").write_text('{"address": "tcp://127.0.0.1:9"}')
    result = pytester.runpytest_inprocess(
        str(place / "pool.vsb.jsonl"), "--vsb-model=reference", "--vsb-run=dask",
        "--vsb-executor=dask:scheduler.json",
    )  # fmt: skip
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --vsb-executor: there is no Dask scheduler at *scheduler.json: *", "  hint: *"]
    )
    assert "Traceback" not in result.stderr.str()
    assert not (pytester.path / "dask").exists()


@pytest.mark.slow
def test_the_demo_with_a_worker_killed_has_the_results_of_a_plain_run(
    machines: Machines, cluster: Cluster, tmp_path: Path
) -> None:
    for name in list(machines.workers):
        machines.kill(name)
        machines.worker(name, DEMO.parent)
    limit = time.monotonic() + 60
    while sorted(cluster.announced().values()) != [("demo",), ("demo",)]:
        assert time.monotonic() < limit
        time.sleep(0.1)
    file = DEMO / "demo.vsb.jsonl"
    arguments = ("-n", "2", "--vsb-model=automation", "--vsb-samples=2")
    process = start(tmp_path, file, *arguments, machines.option, "--vsb-run=dask")
    journal = tmp_path / "dask" / "journal"
    wait_until(
        lambda: sum(path.read_text().count('"judged"') for path in journal.glob("*.jsonl")) >= 5,
        process,
    )
    kill_a_busy_one(machines, lambda: process.poll() is not None)
    text = end(process)
    assert len(machines.workers) == 1, text
    plain = start(tmp_path, file, *arguments, "--vsb-run=plain")
    text += end(plain)
    assert plain.returncode == process.returncode == 0, text
    there, here = outcomes(tmp_path / "dask"), outcomes(tmp_path / "plain")
    assert len(here) == 32
    assert there == here
    assert {status for status, *_ in here.values()} == {"done"}
