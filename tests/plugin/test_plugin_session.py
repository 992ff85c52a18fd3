"""Warm Leans in a run: they refuse, they are gone at its end, and what they got wrong is told."""

from __future__ import annotations

import contextlib
import signal
import time

import psutil
import pytest
from mini_project import MiniProject

pytestmark = pytest.mark.lean

SAMPLES = """
def answer(request):
    if request.sample == 4:
        return right(request)
    return proof(f":= by exact nowhere{request.sample}")
"""

DISAGREEMENT = """
def pytest_vsb_report(config, directory):
    place = directory / "disagreements"
    place.mkdir()
    (place / "0.json").write_text("{}")
"""


SLOW = """
def answer(request):
    if request.sample == 2:
        note("waiting.txt", "")
        time.sleep(120)
    return proof(f":= by exact nowhere{request.sample}")
"""


@pytest.fixture
def watched(mini: MiniProject) -> MiniProject:
    """A project whose Leans all run below it."""
    (mini.path / "tmp").mkdir()
    mini.environment["TMPDIR"] = str(mini.path / "tmp")
    return mini


def leans(project: MiniProject) -> list[psutil.Process]:
    """The file workers of a project's runs."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            inside = str(project.path / "tmp") in " ".join([process.cwd(), *process.cmdline()])
            if inside and "--worker" in process.cmdline():
                found.append(process)
    return found


def test_warm_leans_refuse_and_are_gone_afterwards(watched: MiniProject) -> None:
    mini = watched
    mini.tasks("mirror_mirror")
    mini.prover(SAMPLES, DISAGREEMENT)
    ended = mini.run("--vsb-run=run", "--vsb-samples=5", "--vsb-repairs=0")
    assert ended.code == 0, ended.text + ended.errors
    judged = [event["attempt"]["verdict"] for event in mini.events() if event["event"] == "judged"]
    assert [verdict["kind"] for verdict in judged] == ["rejected"] * 4 + ["accepted"]
    assert [verdict.get("checker", "batch") for verdict in judged] == ["session"] * 4 + ["batch"]
    assert "session-alone" in judged[0]["assurance"]
    # One was put there by this test.
    assert "WARNING: 1 disagreement between warm Leans and fresh ones" in ended.text
    assert "sessions: 4 of 5 candidates refused by warm sessions; 1 candidate judged both" in (
        ended.section("verification benchmark")
    )
    assert leans(mini) == []


def test_a_run_that_verifies_says_how_many_it_compared(near: MiniProject) -> None:
    near.tasks("mirror_mirror")
    near.prover(SAMPLES)
    ended = near.run("--vsb-session=verify", "--vsb-samples=5", "--vsb-repairs=0")
    assert "sessions: 5 candidates judged both ways, 0 differences" in (
        ended.section("verification benchmark")
    )


def test_warm_leans_are_gone_after_an_interrupt(watched: MiniProject) -> None:
    watched.tasks("mirror_mirror")
    watched.prover(SLOW)
    process = watched.start("--vsb-run=run", "--vsb-samples=5", "--vsb-repairs=0")
    while not (watched.path / "waiting.txt").exists():
        assert process.poll() is None
        time.sleep(0.05)
    warm = leans(watched)
    assert warm
    process.send_signal(signal.SIGINT)
    ended = watched.wait(process)
    assert ended.code == pytest.ExitCode.INTERRUPTED
    _, alive = psutil.wait_procs(warm, timeout=30)
    assert alive == []
    assert leans(watched) == []


def test_the_option_is_checked(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    near.prover("def answer(request): return no_answer()")
    ended = near.run("--vsb-session=verfy")
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "Did you mean 'verify'" in ended.errors
    assert "auto, off, verify" in ended.errors
