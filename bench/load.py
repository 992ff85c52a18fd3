"""How long loading a file of the official dataset's format takes, and how much memory.

    python bench/load.py [--tasks N] [--kilobytes K] [--repeat R] [--file FILE]

Loads a given file, or a synthetic one of so many lines of about so many kilobytes each: a
statement, a proof, and mostly the text of the file before the theorem and of its dependencies. It
is read at once (`read_tasks`) and one task at a time (`iter_tasks`), each in a process of its own.
The best of the repetitions counts. The goal is 500 tasks in 2 s and 200 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

WORDS = "theorem lemma def Nat List simp rfl induction h x y ⊢ → ∀ ∃ α β := by exact apply".split()
PROGRAMS = {
    "read_tasks": "print(len(read_tasks(path).tasks))",
    "iter_tasks": "print(sum(isinstance(item, Task) for item in iter_tasks(path)))",
    "start alone": "print(0)",
}


def text(size: int, source: random.Random) -> str:
    """Something like Lean text of about so many bytes."""
    words = []
    while size > 0:
        words.append(source.choice(WORDS) + ("\n" if source.random() < 0.1 else ""))
        size -= len(words[-1].encode()) + 1
    return " ".join(words)


def write(path: Path, tasks: int, kilobytes: float) -> None:
    """A synthetic file of the official format."""
    source = random.Random(1)
    with path.open("w", encoding="utf-8") as stream:
        for number in range(tasks):
            size = int(kilobytes * 1000 * source.uniform(0.2, 1.8))
            entries = [
                {
                    "name": f"Bench.d{i}",
                    "module": "Bench.Basic",
                    "content": text(size // 40, source),
                }
                for i in range(16)
            ]
            record = {
                "id": number + 1,
                "thm_name": f"Bench.Module{number % 40}.theorem_{number}",
                "thm_stmt": f"theorem theorem_{number} (a b : Nat) (h : a < b) : a < {number} + b",
                "lean_root": f"repository-{number % 23}",
                "rel_path": f"Bench/Module{number % 40}.lean",
                "imports": [f"Bench.Module{i}" for i in range(8)],
                "used_lib_defs": entries[:4],
                "used_repo_defs": entries[4:8],
                "lib_lemmas": entries[8:12],
                "repo_lemmas": entries[12:],
                "local_ctx": text(size // 2, source),
                "ground_truth_proof": ":= by\n" + text(600, source),
                "nesting_depth": number % 6,
                "transitive_dep_count": number % 50,
                "category": "Semantics",
                "is_aristotle": number % 5 == 0,
            }
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")


def measure(path: Path, program: str) -> tuple[float, float, int]:
    """Processor seconds, peak resident MB, and what the program counted, in its own process."""
    start = (
        "import sys; from pathlib import Path; from pytest_vsb.tasks.model import Task; "
        "from pytest_vsb.tasks.dataset import iter_tasks, read_tasks; path = Path(sys.argv[1]); "
    )
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writer, 1)
        os.execv(sys.executable, [sys.executable, "-c", start + program, str(path)])
    os.close(writer)
    with os.fdopen(reader) as stream:
        counted = int(stream.read() or -1)
    _, _, usage = os.wait4(child, 0)
    # ru_maxrss is in kilobytes on Linux, in bytes on macOS.
    megabytes = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    return usage.ru_utime + usage.ru_stime, megabytes, counted


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tasks", type=int, default=500)
    parser.add_argument("--kilobytes", type=float, default=60.0)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--file", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vsb-bench-") as name:
        path = arguments.file or Path(name) / "verisoftbench.jsonl"
        if arguments.file is None:
            write(path, arguments.tasks, arguments.kilobytes)
        print(f"{path.stat().st_size / 1e6:.1f} MB")
        print(f"{'':<14}{'tasks':>7}{'cpu s':>8}{'peak MB':>9}")
        started = time.monotonic()
        for label, program in PROGRAMS.items():
            rows = [measure(path, program) for _ in range(arguments.repeat)]
            seconds, megabytes, counted = min(rows)
            print(f"{label:<14}{counted:>7}{seconds:>8.2f}{megabytes:>9.0f}")
        print(f"measured in {time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
