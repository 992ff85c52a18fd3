"""How long pytest takes to collect a large task file, and how much memory.

    python bench/collect.py [--tasks N] [--repeat R]

Synthetic native tasks go to a temporary directory and `pytest --collect-only -q` runs on it, with
the plugin and, to show what pytest itself costs, without it on an empty directory. The best of
the repetitions counts. The goal is 10,000 tasks in 5 s and 300 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CATEGORIES = ("Semantics", "Compiler correctness", "Type systems", "Data structures")
BANDS = ("easy", "medium", "hard")


@dataclass(frozen=True)
class Measurement:
    """Wall and processor time in seconds, peak resident memory in MB, and exit code of one
    process. On a busy machine the processor time is the one to look at."""

    seconds: float
    processor: float
    megabytes: float
    code: int
    output: str


def tasks(count: int) -> Iterator[dict[str, Any]]:
    """Tasks of the size that a real dataset has: 40 modules, eight dependencies each."""
    for number in range(count):
        module = f"Bench.Module{number % 40}"
        yield {
            "id": f"Module{number % 40}.theorem_{number}",
            "number": number,
            "suite": "bench",
            "repository": f"repository-{number % 23}",
            "root": ".",
            "module": module,
            "path": module.replace(".", "/") + ".lean",
            "name": f"{module}.theorem_{number}",
            "statement": f"theorem theorem_{number} (a b : Nat) (h : a < b + {number}) :\n"
            f"    f a b + {number} = {number} + f b (a := a)",
            "reference_proof": ":= by\n  induction a with\n  | zero => simp\n  | succ n => omega",
            "category": CATEGORIES[number % len(CATEGORIES)],
            "subsets": [BANDS[number % len(BANDS)]],
            "dependencies": [
                {
                    "name": f"{module}.definition_{number % 97 + i}",
                    "module": module,
                    "scope": "project",
                    "role": "definition",
                }
                for i in range(8)
            ],
            "metrics": {
                "direct_dependencies": 8,
                "transitive_dependencies": 21,
                "nesting_depth": number % 6,
                "proof_lines": 3,
            },
        }


def measure(directory: Path, *options: str) -> Measurement:
    """Runs pytest's collection in a directory of its own configuration."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-c", "pytest.ini"]
    command += ["-p", "no:cacheprovider", *options, "."]
    output = directory.with_suffix(".out")
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        with output.open("wb") as stream:
            os.dup2(stream.fileno(), 1)
            os.dup2(stream.fileno(), 2)
        os.chdir(directory)
        os.execv(sys.executable, command)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - started
    # ru_maxrss is in kilobytes on Linux, in bytes on macOS.
    megabytes = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    text = output.read_text(encoding="utf-8", errors="replace")
    processor = usage.ru_utime + usage.ru_stime
    return Measurement(seconds, processor, megabytes, os.waitstatus_to_exitcode(status), text)


def best(repeat: int, directory: Path, *options: str) -> Measurement:
    return min((measure(directory, *options) for _ in range(repeat)), key=lambda m: m.seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vsb-bench-") as name:
        full, empty = Path(name) / "full", Path(name) / "empty"
        for directory in (full, empty):
            directory.mkdir()
            (directory / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        file = full / "bench.vsb.jsonl"
        with file.open("w", encoding="utf-8") as stream:
            for task in tasks(arguments.tasks):
                stream.write(json.dumps(task) + "\n")
        rows = [
            ("pytest alone, no tasks", best(arguments.repeat, empty, "-p", "no:vsb")),
            ("plugin, no tasks", best(arguments.repeat, empty)),
            (f"plugin, {arguments.tasks:,} tasks", best(arguments.repeat, full)),
        ]
    print(f"{'':<28}{'wall s':>9}{'cpu s':>9}{'peak MB':>9}")
    for label, row in rows:
        print(f"{label:<28}{row.seconds:>9.2f}{row.processor:>9.2f}{row.megabytes:>9.0f}")
    collected = rows[-1][1]
    found = sum("::" in line for line in collected.output.splitlines())
    if collected.code != 0 or found != arguments.tasks:
        print(f"\ncollected {found:,} tasks, exit code {collected.code}:", file=sys.stderr)
        print(collected.output[-2000:], file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
