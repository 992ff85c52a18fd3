"""Many workers on few processors: the network is waited for at once, Lean runs one by one."""

from __future__ import annotations

import json
import time

import psutil
import pytest
from mini_project import MINI, MiniProject, task_line

WORKERS, JOBS = 8, 2

PROVER = """
Scripted.concurrency = 4

def answer(request):
    began = time.time()
    time.sleep(1.5)
    note("asked.txt", f"{began} {time.time()}")
    return proof(':= rfl') if request.sample == 2 else no_answer()
"""


def lean_processes(mini: MiniProject) -> int:
    """How many scratch directories have a Lean at work on a file in them."""
    files = set()
    for process in psutil.process_iter(["cmdline", "environ"]):
        words = process.info["cmdline"] or ()
        files |= {w for w in words if "vsb-scratch-" in w and w.endswith(".lean")}
    return len({file for file in files if str(mini.path) in file})


@pytest.mark.slow
def test_lean_is_bounded_and_waiting_is_not(mini: MiniProject) -> None:
    records = []
    for module in range(4):
        mini.write(f"M{module}.lean", MINI)
        records += [
            task_line(name, id=f"{name}.{module}", number=None, path=f"M{module}.lean")
            for name in ("mirror_leaf", "isLeaf_leaf")
        ]
    mini.write("many.vsb.jsonl", "\n".join(map(json.dumps, records)) + "\n")
    mini.prover(PROVER)
    scratch = mini.path / "tmp"
    scratch.mkdir()
    mini.environment["TMPDIR"] = str(scratch)
    process = mini.start(
        *("--vsb-run=run", "-n", str(WORKERS), f"--vsb-lean-jobs={JOBS}"),
        *("--vsb-samples=4", "--vsb-repairs=0", "--vsb-session=off"),
    )
    seen = []
    while process.poll() is None:
        seen.append(lean_processes(mini))
        time.sleep(0.05)
    done = mini.wait(process)
    assert done.code == pytest.ExitCode.OK, done.text
    assert 1 <= max(seen) <= JOBS
    results = mini.by_task()
    assert len(results) == 8
    assert {(task["n"], task["c"]) for task in results.values()} == {(4, 1)}

    lines = (mini.path / "asked.txt").read_text().splitlines()
    spans = [tuple(map(float, line.split())) for line in lines]
    assert len(spans) == 32
    most = max(sum(began <= moment < ended for began, ended in spans) for moment, _ in spans)
    # More than all answers of one worker, and than Lean may run.
    assert most > 4
