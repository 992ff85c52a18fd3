"""Workers of pytest-xdist over a real ssh, with the run directory in reach and without: the results
are those of a local run, whoever dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from mini_project import PROOFS, Ended, MiniProject, case_properties, stable
from ssh_server import SshServer, serve

pytestmark = [pytest.mark.lean, pytest.mark.slow]

LeftBehind = Callable[[], list[str]]

ANSWERS = """
from pytest_vsb.provers.base import Answer, Candidate

def answer(request):
    task, place = request.task.id, (request.sample, request.round)
    if task == "mirror_mirror" and place == (1, 0) and "die" in os.environ.get("MINI_DEED", ""):
        os.kill(os.getpid(), signal.SIGKILL)
    if task == "mirror_injective" and place == (1, 0) and (HERE / "wait").exists():
        time.sleep(300)
    right = task != "mirror_injective" and place != (0, 0)
    text = PROOFS[task] if right else ":= by\\n  trivial"
    return Answer(Candidate(proof=text), response=f"{task} {place}: {text}")
"""


class Machine:
    """A project, and a machine that workers can run on over ssh."""

    def __init__(self, mini: MiniProject, server: SshServer, remote: Path) -> None:
        self.mini = mini
        self.server = server
        self.remote = remote

    def arguments(self, *more: str, workers: int = 2, python: str = sys.executable) -> list[str]:
        spec = self.server.spec(python, self.remote)
        project = str(self.mini.path)
        return [
            *("-d", "--tx", f"{workers}*{spec}", f"--rsyncdir={project}", project),
            *("--vsb-samples=2", "--vsb-repairs=1", *more),
        ]

    def run(self, *more: str, **options: Any) -> Ended:
        return self.mini.run(*self.arguments(*more, **options))

    def local(self, *more: str) -> Ended:
        ended = self.mini.run("-n", "2", "--vsb-samples=2", "--vsb-repairs=1", *more)
        assert ended.code == pytest.ExitCode.TESTS_FAILED
        return ended


def machine(mini: MiniProject, tmp_path: Path, *, far: bool, **deeds: str) -> Iterator[Machine]:
    mini.tasks(*PROOFS)
    mini.prover(ANSWERS)
    environment = {
        "VSB_CACHE_DIR": str(mini.cache),
        "MINI_MARK": str(mini.path),
        "TMPDIR": str(tmp_path),
        "PYTEST_ADDOPTS": mini.env()["PYTEST_ADDOPTS"],
        **deeds,
    }
    hidden = mini.path if far else None
    with serve(tmp_path / "ssh", environment, hidden=hidden) as server:
        yield Machine(mini, server, tmp_path / "remote")


@pytest.fixture(params=["shared", "far"])
def either(mini: MiniProject, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Machine]:
    yield from machine(mini, tmp_path, far=request.param == "far")


@pytest.fixture
def far(mini: MiniProject, tmp_path: Path) -> Iterator[Machine]:
    yield from machine(mini, tmp_path, far=True)


@pytest.fixture(params=["shared", "far"])
def deadly(mini: MiniProject, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Machine]:
    yield from machine(mini, tmp_path, far=request.param == "far", MINI_DEED="die")


def comparable(mini: MiniProject, run: str) -> list[str]:
    """The results of a run, a line a value, so that differences are seen."""
    results = mini.results(run)
    found = stable({"summary": results["summary"], "tasks": results["tasks"]}, mini.path)
    lines = json.dumps(found, indent=1, ensure_ascii=False).splitlines()
    # What a process has judged before and need not judge again is its own.
    return [line for line in lines if "cached_verdicts" not in line]


def told(mini: MiniProject, run: str) -> Counter[str]:
    """What the journals of a run say, in any order."""
    found: Counter[str] = Counter()
    for event in mini.events(run):
        attempt = event.get("attempt") or event
        answer = event.get("answer") or {}
        found[
            f"{event['event']} {attempt['nodeid']} {attempt.get('sample')} {attempt.get('round')} "
            f"{attempt.get('response_digest')} {answer.get('response_digest')}"
        ] += 1
    return found


def files(mini: MiniProject, run: str, directory: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (mini.path / run / directory).iterdir()}


def test_equals_a_local_run(either: Machine, nothing_left: LeftBehind) -> None:
    mini = either.mini
    ended = either.run("--vsb-run=run", "--vsb-html=page.html", "--junitxml=junit.xml")
    assert ended.code == pytest.ExitCode.TESTS_FAILED, ended.text + ended.errors
    shared = "shares the run directory" in ended.text
    assert shared != ("sends its journal" in ended.text)
    either.local("--vsb-run=localrun", "--junitxml=local.xml")
    assert comparable(mini, "run") == comparable(mini, "localrun")
    assert told(mini, "run") == told(mini, "localrun")
    assert len(files(mini, "run", "responses")) > 4
    assert files(mini, "run", "responses") == files(mini, "localrun", "responses")
    assert {name: p["vsb.c"] for name, p in case_properties(mini.junit()).items()} == {
        name: p["vsb.c"] for name, p in case_properties(mini.junit("local.xml")).items()
    }
    assert (mini.path / "page.html").exists()
    assert not (mini.path / "run" / "token").exists()
    sent = {path.name for path in (either.remote / "mini").iterdir()}
    assert {"Mini.lean", "mini.vsb.jsonl"} <= sent
    assert "run" not in sent
    assert nothing_left() == []


def test_killed_worker_loses_what_it_was_at(deadly: Machine, nothing_left: LeftBehind) -> None:
    ended = deadly.run("--vsb-run=run")
    assert ended.code == pytest.ExitCode.TESTS_FAILED, ended.text + ended.errors
    assert "INTERNALERROR" not in ended.text + ended.errors
    tasks = deadly.mini.by_task()
    assert {name: (t["status"], t["n"], t["c"], t["attempts"]) for name, t in tasks.items()} == {
        "mirror_leaf": ("done", 2, 2, 2),
        # Both rounds of the first sample were judged; the second was being asked for.
        "mirror_mirror": ("crashed", 2, 1, 3),
        "mirror_injective": ("done", 2, 0, 4),
        "isLeaf_leaf": ("done", 2, 2, 2),
    }
    assert tasks["mirror_mirror"]["verdicts"]["crashed"] == 1
    assert nothing_left() == []


def test_nothing_is_asked_twice_after_the_main_process_is_killed(
    far: Machine, nothing_left: LeftBehind
) -> None:
    mini = far.mini
    mini.write("wait", "")
    process = mini.start(*far.arguments("--vsb-run=run"))
    try:
        reached(lambda: asked(mini).count("mirror_injective 1 0") == 1, process)
        reached(lambda: sum(e["event"] == "ended" for e in mini.events()) == 3, process)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        mini.wait(process)
    # Its workers notice that nobody listens.
    wait_for_the_end(mini)
    assert nothing_left() == []
    before = asked(mini)
    (mini.path / "wait").unlink()
    resumed = far.run("--vsb-run=run", "--vsb-resume")
    assert resumed.code == pytest.ExitCode.TESTS_FAILED, resumed.text + resumed.errors
    again = Counter(asked(mini)) - Counter(before)
    assert set(again) == {"mirror_injective 1 0", "mirror_injective 1 1"}
    far.local("--vsb-run=localrun")
    assert comparable(mini, "run") == comparable(mini, "localrun")


def asked(mini: MiniProject) -> list[str]:
    return [
        f"{event['nodeid'].partition('::')[2]} {event['sample']} {event['round']}"
        for event in mini.events()
        if event["event"] == "asked"
    ]


def reached(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait until a condition holds in a run that has not ended."""
    end = time.monotonic() + 180
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.1)


def wait_for_the_end(mini: MiniProject) -> None:
    """Wait until the workers have gone: execnet gives them up to 15 seconds."""

    def there() -> bool:
        for process in psutil.process_iter():
            try:
                if process.environ().get("MINI_MARK") == str(mini.path):
                    return True
            except psutil.Error:
                continue
        return False

    end = time.monotonic() + 60
    while there() and time.monotonic() < end:
        time.sleep(0.5)


def test_what_another_machine_lacks_is_said_at_the_start(
    far: Machine, nothing_left: LeftBehind
) -> None:
    mini = far.mini
    mini.environment["ANTHROPIC_API_KEY"] = "not-a-key"
    project = str(mini.path)
    usage = pytest.ExitCode.USAGE_ERROR

    ended = far.run("--vsb-run=run", "--vsb-model=claude", workers=1)
    assert ended.code == usage
    assert ended.text.count("needs a key") == 1
    assert "ERROR: worker gw0 on " in ended.text
    assert "environment variables such as keys are its own" in ended.text

    ended = far.run("--vsb-run=run", "--vsb-max-tokens=9")
    assert ended.code == usage
    assert "--vsb-max-tokens: worker gw0 on " in ended.errors
    assert "cannot reach the run directory" in ended.errors

    ended = far.run("--vsb-run=run", python="/no/such/python")
    assert ended.code == usage
    assert "is the Python that `//python=` names there?" in ended.errors

    spec = f"ssh=nobody//ssh_config={far.server.here}/client"
    ended = mini.run("-d", "--tx", spec, f"--rsyncdir={project}", project, "--vsb-run=run")
    assert ended.code == usage
    assert "no worker could be started over ssh: nobody" in ended.errors

    spec = far.server.spec(sys.executable, far.remote)
    ended = mini.run("-d", "--tx", spec, "mini.vsb.jsonl", "--vsb-run=run")
    assert ended.code == usage
    assert "what is run must be sent to the other machines" in ended.errors

    # Nothing is sent: the project is there, in a directory that items are not named from here.
    there = far.remote.parent / "there"
    (there / "other").mkdir(parents=True)
    for name in ("mini.vsb.jsonl", "Mini.lean", "lakefile.toml"):
        (there / "other" / name).write_bytes((mini.path / name).read_bytes())
    (there / "pytest.ini").write_text("[pytest]\n")
    place = far.server.spec(sys.executable, there)
    ended = mini.run("-d", "--tx", place, "--vsb-run=there", "--vsb-samples=1", model="reference")
    assert ended.code == pytest.ExitCode.OK, ended.text + ended.errors
    assert "has items of other/mini.vsb.jsonl, which is not there in " in ended.text
    assert {task["c"] for task in mini.by_task("there").values()} == {1}

    ended = mini.run("--tx", spec, "--vsb-run=run")
    assert ended.code == usage
    assert "hint: add -d (or --dist=load)" in ended.errors

    plain = str(Path(sys.base_prefix) / "bin" / "python3")
    if Path(plain).exists() and "pytest-vsb" not in installed(plain):
        ended = far.run("--vsb-run=run", python=plain)
        assert ended.code == usage
        assert f"pytest-vsb is not installed for {plain}"[:40] in ended.errors

    assert not (mini.path / "run").exists(), "a run that never began was left"
    assert nothing_left() == []


def installed(python: str) -> str:
    program = (
        "import importlib.metadata as m; print([d.metadata['Name'] for d in m.distributions()])"
    )
    return subprocess.run([python, "-c", program], capture_output=True, text=True).stdout
