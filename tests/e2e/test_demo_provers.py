"""The demo over the wire and by a program, on two workers, as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from pytest_vsb.context import format_answer
from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import cache
from pytest_vsb.lean.toolchain import find
from pytest_vsb.tasks.dataset import read_tasks
from pytest_vsb.tasks.model import Task

DEMO = Path(__file__).parents[2] / "benchmark" / "demo" / "demo.vsb.jsonl"
IDS = (
    "Queue.toList_push",
    "Compiler.ofBool_and",
    "Sorted.SearchTree.sorted_toList",
    "Hoare.assign'",
)
pytestmark = [pytest.mark.lean, pytest.mark.slow]


@pytest.fixture(scope="module")
def tasks() -> Mapping[str, Task]:
    try:
        find("auto")
    except EnvironmentUnavailable as error:
        pytest.skip(error.message)
    return {task.id: task for task in read_tasks(DEMO).tasks if task.id in IDS}


def run(directory: Path, model: str, *arguments: str, **environment: str) -> dict[str, Any]:
    """The results of a run of some demo tasks on two workers."""
    nodeids = [f"{DEMO}::{name}" for name in IDS]
    options = ["-n", "2", f"--vsb-model={model}", "--vsb-run=run", "--vsb-fail-on=never"]
    options.append("--vsb-no-cache")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *nodeids, *options, *arguments],
        cwd=directory,
        env={**os.environ, "VSB_CACHE_DIR": str(cache.directory().path), **environment},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((directory / "run" / "results.json").read_text("utf-8"))
    return {task["id"]: task for task in results["tasks"]}


def test_an_openai_compatible_server(tmp_path: Path, tasks: Mapping[str, Task]) -> None:
    """The first answer of each sample is wrong; its repair is the reference proof."""

    def answer(request: Request) -> Response:
        body = json.loads(request.get_data())
        asked = body["messages"][1]["content"]
        task = next(task for task in tasks.values() if f"Prove `{task.name}`" in asked)
        first = len(body["messages"]) == 2
        proof = ":= by\n  exact nothing_of_this_name" if first else task.reference_proof
        text = format_answer(proof or "", "", "as it is known")
        usage = {"prompt_tokens": 900, "completion_tokens": 40}
        values: list[Any] = [
            {"model": "served", "choices": [{"index": 0, "delta": {"content": text}}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
            {"choices": [], "usage": usage},
        ]
        stream = "".join(f"data: {json.dumps(value)}\n\n" for value in values)
        return Response(stream + "data: [DONE]\n\n", content_type="text/event-stream")

    with HTTPServer(threaded=True) as server:
        server.expect_request("/v1/chat/completions").respond_with_handler(answer)
        found = run(
            tmp_path,
            "openai-compatible/served",
            "--vsb-samples=2",
            "--vsb-repairs=1",
            OPENAI_COMPATIBLE_BASE_URL=server.url_for("/v1"),
        )
    assert set(found) == set(IDS)
    for task in found.values():
        assert (task["n"], task["c"], task["c_first"]) == (2, 2, 0), task
        assert task["verdicts"] == {"accepted": 2, "rejected": 2}
        assert task["usage"]["input_tokens"] == 4 * 900


def test_a_program(tmp_path: Path, tasks: Mapping[str, Task]) -> None:
    program = tmp_path / "prover.py"
    program.write_text(
        "import json, sys\n"
        f"proofs = json.load(open({str(tmp_path / 'proofs.json')!r}, encoding='utf-8'))\n"
        "task = json.load(sys.stdin)['task']\n"
        "json.dump({'proof': proofs[task['id']]}, sys.stdout)\n",
        encoding="utf-8",
    )
    proofs = {name: task.reference_proof for name, task in tasks.items()}
    proofs["Hoare.assign'"] = ":= by\n  sorry"
    (tmp_path / "proofs.json").write_text(json.dumps(proofs), encoding="utf-8")
    found = run(
        tmp_path,
        f"command:{sys.executable} {program}",
        "--vsb-samples=1",
        "--vsb-repairs=0",
        "--vsb-model-option",
        "project=none",
    )
    assert {name: task["c"] for name, task in found.items()} == {
        name: int(name != "Hoare.assign'") for name in IDS
    }
    assert found["Hoare.assign'"]["verdicts"] == {"incomplete": 1}
