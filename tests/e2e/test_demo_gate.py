"""The gate on the demo, as in continuous integration: the same commit passes, a worse one fails."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import cache
from pytest_vsb.lean.toolchain import find

DEMO = Path(__file__).parents[2] / "benchmark" / "demo" / "demo.vsb.jsonl"
PROVED = ("Machine.Code.loop_append", "Queue.toList_empty!", "Forest.length_flatten_map")
OPEN = "Hoare.assign'"
SPOILT = PROVED[:2]
pytestmark = [pytest.mark.lean, pytest.mark.slow]

COMMIT = """
from pytest_vsb.provers.automation import AutomationProver
from pytest_vsb.provers.base import Answer, Candidate


class Prover(AutomationProver):
    def prove(self, request):
        if request.task.id in {spoilt!r}:
            return Answer(Candidate("by\\n  exact nothing_of_this_name"))
        return super().prove(request)
"""


def commit(
    directory: Path, run: str, *arguments: str, spoilt: tuple[str, ...] = ()
) -> tuple[int, str]:
    """Run a commit's prover; returns the exit code and what was printed, lines joined."""
    (directory / "commit.py").write_text(COMMIT.format(spoilt=spoilt), encoding="utf-8")
    nodeids = [f"{DEMO}::{name}" for name in (*PROVED, OPEN)]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", *nodeids, "--vsb-model=commit:Prover"),
            *(f"--vsb-run={run}", "--vsb-samples=2", "--vsb-repairs=0", *arguments),
        ],
        cwd=directory,
        env={
            **os.environ,
            "VSB_CACHE_DIR": str(cache.directory().path),
            "PYTHONPATH": str(directory),
            "GITHUB_ACTIONS": "",
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        timeout=600,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_gate_on_the_demo(tmp_path: Path) -> None:
    try:
        find("auto")
    except EnvironmentUnavailable as error:
        pytest.skip(error.message)
    gate = ("--vsb-fail-on=regression", "--vsb-baseline=main")
    code, text = commit(tmp_path, "main", "--vsb-fail-on=never")
    assert code == 0, text

    code, text = commit(tmp_path, "same", *gate)
    assert code == 0, text
    assert "tasks: 3 solved, 1 unsolved" in text
    assert "gate: open" in text

    code, text = commit(tmp_path, "worse", *gate, spoilt=SPOILT)
    assert code == pytest.ExitCode.TESTS_FAILED, text
    assert "tasks: 2 regressed, 1 solved, 1 unsolved" in text
    assert "gate: closed: 2 tasks regressed" in text
    named = set(re.findall(r"::(\S+): regression: 0 of 2 samples proved it", text))
    assert named == set(SPOILT)
    assert re.search(r"\b2 failed\b", text)

    done = subprocess.run(
        [sys.executable, "-m", "pytest_vsb.cli", "gate", "main", "worse", "--deterministic"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "gate: closed" in done.stdout
