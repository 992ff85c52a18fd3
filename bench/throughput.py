"""How many attempts a minute a run makes with more and more workers, the prover being slow.

    python bench/throughput.py [--workers 1,2,4,16] [--latency 2] [--tasks 16] [--samples 8]
                               [--jobs N]

Runs tasks of the demo with a prover that takes so many seconds for each answer, of which one a task
is right, and that can be asked for all samples of a task at once. Lean processes are bounded by
--vsb-lean-jobs, by default the processors. Verdicts are not kept. Seconds are of the whole command,
processor seconds of all its processes. The limit is the longer of two: the processor seconds spread
over the processors, and the answers' time of one worker. At once: the most Lean processes that
worked at a time, as seen every 10 ms.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from mix import candidates

from pytest_vsb.lean import machine
from pytest_vsb.lean.ledger import Ledger
from pytest_vsb.provers.base import Answer, ProofRequest, ProverSpec

DEMO = Path(__file__).parents[1] / "benchmark" / "demo" / "demo.vsb.jsonl"
LATENCY = "VSB_BENCH_LATENCY"


class Slow:
    """A prover with a network's latency that knows the mix of answers of a model."""

    name = "slow"
    needs_reference = True
    concurrency = 64

    def __init__(self, spec: ProverSpec) -> None:
        self.spec = spec

    def settings(self) -> Mapping[str, str]:
        return {"latency": os.environ[LATENCY]}

    def prove(self, request: ProofRequest) -> Answer:
        time.sleep(float(os.environ[LATENCY]))
        proof = request.task.reference_proof or ""
        return Answer(candidates(proof, right=1, count=request.samples)[request.sample])

    def close(self) -> None:
        pass


def most_at_once(run: Path, process: subprocess.Popen[bytes]) -> int:
    """Wait for a run's end; the most entries that ran in its ledger of Lean processes."""
    most = 0
    while process.poll() is None:
        for file in (run / "slots").glob("*/ledger.json"):
            most = max(most, len(Ledger(file.parent).look().of("running")))
        time.sleep(0.01)
    return most


def measure(workers: int, options: argparse.Namespace) -> tuple[float, float, int, int]:
    """Seconds, processor seconds, attempts, and the most Lean processes at once of a run."""
    with tempfile.TemporaryDirectory(prefix="vsb-bench-") as place:
        run = Path(place) / "run"
        words = [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(DEMO)),
            *("--vsb-model=throughput:Slow", f"--vsb-run={run}", f"--vsb-limit={options.tasks}"),
            *(f"--vsb-samples={options.samples}", "--vsb-repairs=0", "--vsb-fail-on=never"),
            *("--vsb-no-cache", f"--vsb-lean-jobs={options.jobs}", "-n", str(workers)),
        ]
        path = os.pathsep.join((str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")))
        environment = {**os.environ, "PYTHONPATH": path, LATENCY: str(options.latency)}
        began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(
            words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        try:
            most = most_at_once(run, process)
        finally:
            process.kill()
            said = process.communicate()[0].decode(errors="replace")
        seconds, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        if process.returncode:
            raise SystemExit(f"the run failed:\n{said}")
        attempts = sum(
            b'"event":"judged"' in line
            for journal in (run / "journal").glob("*.jsonl")
            for line in journal.read_bytes().splitlines()
        )
        work = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return seconds, work, attempts, most


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", default="1,2,4,16")
    parser.add_argument("--latency", type=float, default=2.0)
    parser.add_argument("--tasks", type=int, default=16)
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=machine.cores())
    options = parser.parse_args()
    print(
        f"{machine.cores()} processors, {options.jobs} Lean processes at once, {options.tasks} "
        f"tasks x {options.samples} samples, {options.latency:g} s a sample"
    )
    print("| workers | seconds | processor seconds | attempts a minute | of the limit | at once |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for workers in map(int, options.workers.split(",")):
        seconds, work, attempts, most = measure(workers, options)
        waits = -(-options.tasks // workers) * options.latency
        limit = max(work / machine.cores(), waits)
        print(
            f"| {workers} | {seconds:.1f} | {work:.1f} | {60 * attempts / seconds:.0f} "
            f"| {limit / seconds:.0%} | {most} |"
        )


if __name__ == "__main__":
    main()
