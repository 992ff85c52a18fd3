"""What an attempt costs beside the prover and Lean: loop, journal, locks, budget, reports.

    python bench/overhead.py [--tasks N] [--samples K] [--repeat R]

Whole runs of pytest, of a prover that answers at once and a judge that refuses at once, with
messages like Lean's, so that every sample takes four rounds. One run is of one task, one of N: what
the second takes more, by attempt, is no matter of starting. Processor seconds are of all processes
of the run; wall seconds count what waits for the disk, too. The best of the repetitions counts. The
goal is 10 ms of either.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

PLUGIN = '''
import pathlib

from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity
from pytest_vsb.provers.base import Answer, Candidate, Usage
from pytest_vsb.run.session import Workshop

GOAL = "\\n".join(f"h{i} : step s{i} = some s{i + 1}" for i in range(12)) + "\\n|- step s0 = none"
MESSAGES = tuple(
    Diagnostic(Severity.ERROR, f"unsolved goals\\ncase node\\n{GOAL}", Position(100 + i, 4),
               Position(100 + i, 20), region="proof", goal=GOAL)
    for i in range(4)
)
PROOF = "by\\n" + "\\n".join(f"  simp only [step, State.next, h{i}] at h{i + 1}" for i in range(30))


class Judge:
    """Refuses everything, at once."""

    root = pathlib.Path(__file__).parent

    def prefix(self, task):
        return "namespace Bench\\n" * 50

    def check(self, task, candidate):
        return Verdict(VerdictKind.REJECTED, diagnostics=MESSAGES, toolchain="none 4.35.0")

    def excerpts(self, task, candidate, verdict):
        return tuple(PROOF.split("\\n")[:4])

    def prepare(self, task):
        pass

    def fingerprint(self, task):
        return "the file"

    def basis(self, task):
        return {"file": "the file"}


class Prover:
    """Answers at once; each answer has a raw response of its own."""

    name = "instant"
    needs_reference = False

    def __init__(self, spec):
        pass

    def settings(self):
        return {}

    def prove(self, request):
        place = f"{request.task.id} {request.sample} {request.round}"
        return Answer(Candidate(PROOF), usage=Usage(1000, 500, 0, 0.01, 0.0),
                      response=place + PROOF, model="instant", prompt_digest="p")

    def close(self):
        pass


def pytest_vsb_provers(config):
    return {"instant": Prover}


JUDGE = Judge()
Workshop.judge = Workshop.bench = lambda self, task: JUDGE
Workshop.expect = lambda self, task: None
'''

RUNS = {
    "alone": (),
    "with a budget": ("--vsb-max-tokens=1000000000",),
    "-n 2": ("-n", "2"),
}


@dataclass(frozen=True)
class Cost:
    """Wall and processor seconds."""

    wall: float
    processor: float


def run(directory: Path, tasks: int, samples: int, options: tuple[str, ...]) -> Cost:
    """One run of pytest in a new directory."""
    directory.mkdir()
    (directory / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (directory / "conftest.py").write_text(PLUGIN, encoding="utf-8")
    with (directory / "bench.vsb.jsonl").open("w", encoding="utf-8") as stream:
        for number in range(tasks):
            record = {
                "id": f"task-{number}",
                "suite": "bench",
                "path": "Bench.lean",
                "name": f"Bench.task_{number}",
                "statement": f"theorem task_{number} : step s0 = none",
            }
            stream.write(json.dumps(record) + "\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:syrupy"]
    command += ["-p", "no:hypothesispytest", "--vsb-model=instant", "--vsb-run=run"]
    command += [f"--vsb-samples={samples}", "--vsb-fail-on=never", *options]
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        with (directory / "output.txt").open("wb") as stream:
            os.dup2(stream.fileno(), 1)
            os.dup2(stream.fileno(), 2)
        os.chdir(directory)
        os.execv(sys.executable, command)
    _, status, usage = os.wait4(child, 0)
    wall = time.perf_counter() - started
    made = sum(
        line.startswith(b'{"event":"judged"')
        for file in (directory / "run" / "journal").glob("*.jsonl")
        for line in file.read_bytes().splitlines()
    )
    if os.waitstatus_to_exitcode(status) != 0 or made != tasks * samples * 4:
        text = (directory / "output.txt").read_text("utf-8", "replace")
        raise SystemExit(f"{made} attempts were made:\n{text[-3000:]}")
    return Cost(wall, usage.ru_utime + usage.ru_stime)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tasks", type=int, default=51)
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--repeat", type=int, default=2)
    options = parser.parse_args()
    more = (options.tasks - 1) * options.samples * 4
    print(f"{more:,} attempts more\n{'':<16}{'start s':>9}{'wall ms':>9}{'cpu ms':>9}")
    with tempfile.TemporaryDirectory(prefix="vsb-bench-") as name:
        for label, given in RUNS.items():
            costs: dict[int, list[Cost]] = {1: [], options.tasks: []}
            for number in range(options.repeat):
                for tasks, found in costs.items():
                    place = Path(name) / f"{label.replace(' ', '-')}-{tasks}-{number}"
                    found.append(run(place, tasks, options.samples, given))
            few, many = costs.values()
            wall = min(c.wall for c in many) - min(c.wall for c in few)
            processor = min(c.processor for c in many) - min(c.processor for c in few)
            start = min(c.wall for c in few)
            print(
                f"{label:<16}{start:>9.2f}{1e3 * wall / more:>9.2f}{1e3 * processor / more:>9.2f}"
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
