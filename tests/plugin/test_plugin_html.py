"""``--vsb-html``: the page that a run leaves, also one that is interrupted."""

from __future__ import annotations

import base64
import json
import re
import signal
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from mini_project import MiniProject

pytestmark = pytest.mark.lean

ANSWERS = """
def answer(request):
    if request.task.id == "mirror_injective":
        if not (HERE / "waiting").exists():
            note("waiting", "")
        time.sleep(300)
    if request.task.id == "mirror_leaf":
        return right(request)
    wrong = "by\\n  induction t with\\n  | leaf => rfl\\n  | node l r hl hr => exact nonsense"
    return proof(wrong, "theorem aux : True :=\\n  trivial")
"""


def told(page: Path) -> dict[str, dict[str, Any]]:
    """What the page has of each task, by name."""
    text = page.read_text(encoding="utf-8")
    packed = re.findall(r'<script type="application/octet-stream" id="packed-\d+">(.*?)<', text)
    tasks = [json.loads(zlib.decompress(base64.b64decode(each))) for each in packed]
    return {task["name"]: task for task in tasks}


def test_the_page_of_a_run(near: MiniProject) -> None:
    near.tasks("mirror_leaf", "mirror_mirror")
    near.prover(ANSWERS)
    (near.path / "out").mkdir()
    options = ("--vsb-samples=1", "--vsb-repairs=1", "--vsb-run=run")
    ended = near.run(*options, "--vsb-html=out/page.html")
    assert ended.code == pytest.ExitCode.TESTS_FAILED
    page = near.path / "out" / "page.html"
    assert re.search(rf"^page: {re.escape(str(page))} \(\d+ kB\)$", ended.text, re.MULTILINE)
    tasks = told(page)
    assert set(tasks) == {"Mini.mirror_leaf", "Mini.mirror_mirror"}
    assert tasks["Mini.mirror_leaf"]["runs"][0]["c"] == 1
    task = tasks["Mini.mirror_mirror"]
    assert task["statement"].startswith("theorem mirror_mirror (t : Tree)")
    first, second = task["runs"][0]["attempts"]
    assert (first["verdict"], second["round"]) == ("rejected", 1)
    # What Lean said is told at its place in the proof, which a real Lean has placed in the file.
    (error,) = first["diagnostics"]
    proof, message = task["texts"][first["proof"]], task["texts"][error["message"]]
    assert "nonsense" in message
    line, column = error["at"]
    assert proof.split("\n")[line - 1][column : error["to"][1]] == "nonsense"
    assert error["region"] == "proof"
    assert task["texts"][first["auxiliary"]] == "theorem aux : True :=\n  trivial"


@pytest.mark.slow
def test_the_page_of_an_interrupted_run(mini: MiniProject) -> None:
    mini.tasks("mirror_leaf", "mirror_injective")
    mini.prover(ANSWERS)
    running = mini.start(
        "--vsb-samples=1", "--vsb-repairs=0", "--vsb-run=run", "--vsb-html=page.html"
    )
    end = time.monotonic() + 120
    while not (mini.path / "waiting").exists() and running.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    ended = mini.wait(running, 60)
    assert ended.code == pytest.ExitCode.INTERRUPTED
    assert "page.html (" in ended.text
    page = mini.path / "page.html"
    said = page.read_text("utf-8")
    assert "1 task not finished: interrupted, or not readable to the end." in said
    tasks = told(page)
    assert tasks["Mini.mirror_leaf"]["runs"][0]["c"] == 1
    assert tasks["Mini.mirror_injective"]["runs"][0]["status"] == "unfinished"


def test_a_page_that_cannot_be_written(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    name = "x" * 300
    ended = near.run("--vsb-samples=1", f"--vsb-html={name}", model="reference")
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "ERROR: " in ended.text
    assert "cannot write the page: " in ended.text
    assert "Traceback" not in ended.text + ended.errors
    assert "verification benchmark" in ended.text


def test_a_page_in_no_directory(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    ended = near.run("--vsb-samples=1", "--vsb-html=none/page.html", model="reference")
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "--vsb-html=none/page.html: its directory is not there" in ended.text + ended.errors
    assert "Traceback" not in ended.text + ended.errors
    # Before anything was run or made.
    assert not (near.path / "vsb-runs").exists()
    assert not (near.path / "none").exists()
