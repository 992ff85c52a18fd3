"""How long it takes to tell which theorems of a repository could be tasks, and how many there are.

Only the filters that need no Lean are applied, and dependencies are read in the text; what a judge
adds is its own time. Cold begins with an empty cache, warm reads it.

    python bench/prepare.py REPOSITORY...
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections import Counter
from pathlib import Path

from pytest_vsb.prepare.candidates import find_candidates
from pytest_vsb.prepare.config import PrepareConfig
from pytest_vsb.repository.dependencies import Resolver
from pytest_vsb.repository.index import open_index
from pytest_vsb.repository.store import Store


def measure(root: Path, store: Store) -> None:
    """Print one row, and the rejections by reason."""
    wall, processor = time.monotonic(), time.process_time()
    index = open_index(root, store=store)
    config = PrepareConfig(suite="bench", repository=root.name, dependencies="text")
    found = find_candidates(index, Resolver(index), config, ".")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"| {root.name} | {len(index.modules):,} | {sum(found.theorems.values()):,} | "
        f"{len(found.candidates):,} | {time.monotonic() - wall:.1f} | "
        f"{time.process_time() - processor:.1f} | {peak:,} |",
        flush=True,
    )
    reasons = Counter(rejection.reason for rejection in found.rejected)
    print("    ", ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common()))


def main() -> None:
    """Measure each repository with an empty cache and with a full one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repositories", nargs="+", type=Path)
    options = parser.parse_args()
    print("| repository | modules | theorems | candidates | wall s | cpu s | peak MB |")
    for root in options.repositories:
        with tempfile.TemporaryDirectory() as directory:
            for _ in ("cold", "warm"):
                measure(root, Store(Path(directory) / "store.sqlite"))


if __name__ == "__main__":
    main()
