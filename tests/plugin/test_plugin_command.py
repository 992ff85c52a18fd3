"""Runs whose prover is a program: the example over two workers, and the record it leaves."""

from __future__ import annotations

import gzip
import json
import re
import shlex
import signal
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from mini_project import MiniProject, stable

pytestmark = pytest.mark.lean

EXAMPLE = Path(__file__).parents[2] / "examples" / "command_prover.py"


@pytest.mark.slow
def test_the_example_over_two_workers_is_recorded_and_replayed(mini: MiniProject) -> None:
    mini.tasks("mirror_leaf", "mirror_mirror")
    model = f"command:{sys.executable} {shlex.quote(str(EXAMPLE))}"
    protocol = ("--vsb-samples=2", "--vsb-repairs=1")
    ended = mini.run(
        *("-n", "2", "--vsb-run=made", "--vsb-record=run.jsonl.gz", "--vsb-model-option=name=ex"),
        *protocol,
        model=model,
    )
    made = mini.by_task("made")
    # The one by rfl, the other by the induction that the second sample's repair tries.
    assert {name: (task["n"], task["c"], task["c_first"]) for name, task in made.items()} == {
        "mirror_leaf": (2, 2, 2),
        "mirror_mirror": (2, 1, 0),
    }

    lines = gzip.decompress((mini.path / "run.jsonl.gz").read_bytes()).splitlines()
    header, *rest = map(json.loads, lines)
    assert header["provers"] == ["ex"]
    assert header["metadata"]["prover.project"] == "copy"
    answers = [line for line in rest if "task" in line]
    texts = {line["vsb_response"]: line["text"] for line in rest if "vsb_response" in line}
    assert len(answers) == header["answers"] == sum(task["attempts"] for task in made.values())
    assert len(texts) == header["responses"]
    assert f"({len(answers)} answers, {len(texts)} raw responses)" in ended.text
    for answer in answers:
        stdout = json.loads(json.loads(texts[answer["response_digest"]])["stdout"])
        assert stdout.get("proof") == answer.get("proof")

    mini.run(
        *("--vsb-run=again", "--vsb-record=again.jsonl.gz", *protocol),
        model="replay:run.jsonl.gz",
    )
    assert stable(mini.by_task("again"), mini.path) == stable(made, mini.path)
    again, first = ((mini.path / name).read_bytes() for name in ("again.jsonl.gz", "run.jsonl.gz"))
    assert again == first


@pytest.mark.slow
def test_a_changed_task_is_told(mini: MiniProject) -> None:
    mini.tasks("mirror_leaf")
    mini.bench("--vsb-record=run.jsonl", model="reference")
    text = (mini.path / "Mini.lean").read_text(encoding="utf-8")
    mini.write("Mini.lean", text.replace("Tree.leaf.mirror = Tree.leaf", "Tree.leaf = Tree.leaf"))
    task = (mini.path / "mini.vsb.jsonl").read_text(encoding="utf-8")
    mini.tasks(task.replace("Tree.leaf.mirror = Tree.leaf", "Tree.leaf = Tree.leaf").strip())
    ended = mini.bench("--vsb-run=again", model="replay:run.jsonl")
    assert ended.counts() == {"passed": 1, "warning": 1}
    assert "the task of 'mirror_leaf' has changed since its answers were recorded" in ended.text


@pytest.mark.parametrize("seconds", ["60", "90000"])
@pytest.mark.slow
def test_an_item_has_time_for_the_answers_that_are_allowed(mini: MiniProject, seconds: str) -> None:
    mini.tasks("mirror_leaf")
    hook = """
    def pytest_runtest_setup(item):
        print("limit", item.get_closest_marker("timeout").args[0])
    """
    mini.write("conftest.py", textwrap.dedent(hook))
    ended = mini.bench("-s", f"--vsb-model-option=timeout={seconds}", model="command:false")
    (limit,) = re.findall(r"limit ([\d.]+)", ended.text)
    # Setting up, and four Lean processes of the default 300 seconds.
    assert float(limit) == 600 + 4 * 300 + max(600, int(seconds))


def test_ctrl_c_leaves_no_program(mini: MiniProject, nothing_left: Callable[[], list[str]]) -> None:
    mini.tasks("mirror_leaf")
    mini.write("slow.py", "import os, time\nopen('began', 'w').close()\ntime.sleep(300)\n")
    running = mini.start(
        *("--vsb-run=run", "--vsb-samples=2", "--vsb-model-option=concurrency=2"),
        model=f"command:{sys.executable} slow.py",
    )
    end = time.monotonic() + 60
    while not (mini.path / "began").exists() and time.monotonic() < end:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    ended = mini.wait(running, 60)
    assert ended.code == pytest.ExitCode.INTERRUPTED
    assert nothing_left() == []
