"""Measure the two ways to audit a compiled submission: the replay, and printing.

    python bench/replay.py TASKFILE [--limit N] [--lean LEAN]

For each task with a reference proof its file is compiled with that proof; then both audits look at
it. The columns are medians of processor seconds of the Lean processes, and how many tasks were
accepted by each.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path

from pytest_vsb.judge.audit import STANDARD_AXIOMS, judge_axioms
from pytest_vsb.judge.located import locate
from pytest_vsb.judge.names import others, targets
from pytest_vsb.judge.originals import ORIGINAL, Originals
from pytest_vsb.judge.program.run import Replayer
from pytest_vsb.judge.running import Runner
from pytest_vsb.judge.stages import Stages, compiled_file, trouble
from pytest_vsb.lean import toolchain
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.scratch import scratch
from pytest_vsb.source.splice import splice
from pytest_vsb.tasks.dataset import read_tasks
from pytest_vsb.tasks.locate import project_root


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", type=Path, metavar="TASKFILE")
    parser.add_argument("--limit", type=int, default=None, help="the first tasks only")
    parser.add_argument("--lean", default="auto", help="which Lean")
    options = parser.parse_args()
    seconds: dict[str, list[float]] = {"compile": [], "print": [], "replay": []}
    accepted = {"compile": 0, "print": 0, "replay": 0}
    limits = Limits(wall_seconds=600.0)
    for task in read_tasks(options.tasks).tasks[: options.limit]:
        if task.reference_proof is None:
            continue
        root = project_root(task, None)
        lean = toolchain.find(options.lean, project=root)
        runner = Runner(lean)
        stages, replayer = Stages(runner, limits), Replayer(runner)
        located = locate(open_project(root, lean), task)
        original = Originals(stages).stub(task, located)
        proof = splice(located.source, located.target, auxiliary="", proof=task.reference_proof)
        with scratch() as directory:
            compiled = stages.compile(located, proof, directory)
            accepted["compile"] += trouble(compiled, directory) is None
            findings, printed = stages.audit(located, directory)
            accepted["print"] += findings is not None
            restored = original.restore(directory, ORIGINAL)
            done = replayer.replay(
                restored,
                compiled_file(directory),
                located.search_path,
                targets(located),
                others(located),
                limits,
            )
        report = done.report
        if report is not None and report.complete and not (report.statement or report.file):
            accepted["replay"] += (
                judge_axioms(report.axioms, STANDARD_AXIOMS)[0].value == "accepted"
            )
        for name, run in (("compile", compiled), ("print", printed), ("replay", done.run)):
            if run is not None:
                seconds[name].append(run.completed.cpu_seconds)
    print("| process | tasks | accepted | median cpu s | most cpu s |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, found in seconds.items():
        median, most = statistics.median(found), max(found)
        print(f"| {name} | {len(found)} | {accepted[name]} | {median:.2f} | {most:.2f} |")


if __name__ == "__main__":
    main()
