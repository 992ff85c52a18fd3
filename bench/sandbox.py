"""Measure what each level of the sandbox costs: seconds of one small check, and of the self-test.

python bench/sandbox.py [--repeat N]
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.running import Runner
from pytest_vsb.lean import toolchain
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.sandbox import selftest
from pytest_vsb.lean.sandbox.box import Sandbox
from pytest_vsb.lean.sandbox.choose import choose
from pytest_vsb.lean.scratch import scratch

LIMITS = Limits(wall_seconds=120.0)
SOURCE = "theorem t (p : Prop) (h : p) : p := h\n"


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=20, help="checks of each level")
    parser.add_argument("--lean", default="auto", help="which Lean")
    options = parser.parse_args()
    lean = toolchain.find(options.lean)
    print(lean.describe())
    levels: dict[str, Sandbox] = {}
    for level in ("off", "landlock", "bubblewrap"):
        try:
            levels[level] = choose(level, lean).sandbox
        except EnvironmentUnavailable as error:
            print(error.message)
    times: dict[str, list[float]] = {level: [] for level in levels}
    with scratch() as directory:
        source, olean = directory / "T.lean", directory / "T.olean"
        source.write_text(SOURCE, encoding="utf-8")
        runners = {level: Runner(lean, sandbox=sandbox) for level, sandbox in levels.items()}
        # In turn, so that other work on the machine slows all alike.
        for _ in range(options.repeat):
            for level, runner in runners.items():
                times[level].append(_check(runner, source, olean))
    print("| level | one check, median s | fastest s | self-test s |")
    print("| --- | ---: | ---: | ---: |")
    for level, found in times.items():
        median, fastest = statistics.median(found), min(found)
        start = time.perf_counter()
        trouble = selftest.trouble(levels[level])
        tested = f"{time.perf_counter() - start:.2f}" if trouble is None else "does not hold"
        print(f"| {level} | {median:.3f} | {fastest:.3f} | {tested} |")


def _check(runner: Runner, source: Path, olean: Path) -> float:
    start = time.perf_counter()
    run = runner.run(source, (), "-o", str(olean), limits=LIMITS, olean=olean)
    if run.completed.exit_code != 0:
        raise SystemExit(f"Lean failed: {run.completed.stderr or run.completed.stdout}")
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
