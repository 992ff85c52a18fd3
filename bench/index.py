"""How long a repository's index takes to make and to read again, and how much memory.

    python bench/index.py DIR [DIR ...]

Each step runs in a process of its own, with a cache that is empty at first: the names of all
declarations and then the text of the whole repository without proofs, each made (cold) and read
again (warm). Processor seconds include those of the helping processes; on a single processor
(`taskset -c 0 python ...`) there are none. Nothing is written into the repositories.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from pytest_vsb.repository import Index, Store, open_index

STEPS: dict[str, Callable[[Index], int]] = {
    "names": lambda index: sum(map(len, index.names().values())),
    "texts": lambda index: sum(len(text) for _, text in index.texts()),
}


@dataclass(frozen=True)
class Measurement:
    """One step: seconds to find the modules, and to do it, processor seconds, peak memory."""

    modules: int
    result: int
    opened: float
    seconds: float
    processor: float
    megabytes: float


def measure(root: Path, store: Path, step: str) -> Measurement:
    """Do one step in this process, which has done nothing else."""
    started = time.perf_counter()
    index = open_index(root, store=Store(store))
    opened = time.perf_counter()
    result = STEPS[step](index)
    seconds = time.perf_counter() - opened
    index.store.close()
    own, others = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    processor = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
    # ru_maxrss is in kilobytes on Linux, in bytes on macOS.
    unit = 2**20 if sys.platform == "darwin" else 2**10
    megabytes = max(own.ru_maxrss, others.ru_maxrss) / unit
    return Measurement(len(index.modules), result, opened - started, seconds, processor, megabytes)


def apart(root: Path, store: Path, step: str) -> Measurement:
    """The same in another process."""
    words = [sys.executable, __file__, str(root), "--store", str(store), "--step", step]
    done = subprocess.run(words, stdout=subprocess.PIPE)
    if done.returncode:
        raise SystemExit(done.returncode)
    return Measurement(**json.loads(done.stdout))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("directories", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--store", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--step", choices=list(STEPS), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        print(
            json.dumps(asdict(measure(arguments.directories[0], arguments.store, arguments.step)))
        )
        return 0
    print(f"{'':<28}{'modules':>9}{'result':>12}{'open s':>8}{'wall s':>8}{'cpu s':>8}{'MB':>7}")
    for root in arguments.directories:
        with tempfile.TemporaryDirectory(prefix="vsb-bench-") as name:
            for step in STEPS:
                for state in ("cold", "warm"):
                    row = apart(root, Path(name) / "store", step)
                    print(
                        f"{f'{root.name}, {step} {state}':<28}{row.modules:>9,}{row.result:>12,}"
                        f"{row.opened:>8.2f}{row.seconds:>8.2f}{row.processor:>8.2f}"
                        f"{row.megabytes:>7.0f}"
                    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
