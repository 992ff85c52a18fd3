"""``vsb merge``: shards and repeated runs joined to one."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_vsb.errors import UsageError
from pytest_vsb.words import counted

if TYPE_CHECKING:
    from pytest_vsb.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the command's arguments."""
    text = "join shards of a run, and runs repeated for more samples, exactly"
    sub = commands.add_parser("merge", help=text, description=text, allow_abbrev=False)
    sub.add_argument(
        "runs", metavar="RUN", nargs="+", help="run directories; results.json files for a FILE.json"
    )
    sub.add_argument(
        "--output",
        metavar="DIR|FILE.json",
        required=True,
        help="a new run directory, or a results file",
    )
    sub.add_argument(
        "--whole",
        action="store_true",
        help="refuse shards of which one is missing, there twice, or of another division",
    )
    sub.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Merge, and say what came of it."""
    from pytest_vsb.report.merge import merge_runs
    from pytest_vsb.report.merge_results import merge_to_results

    paths = [Path(path).expanduser() for path in options.runs]
    output = Path(options.output).expanduser()
    if output.suffix == ".json":
        merged = merge_to_results(paths, output, whole=options.whole)
    else:
        for path in paths:
            if path.exists() and not (path / "run.json").exists():
                raise UsageError(
                    "is no run directory: there are no journals to merge",
                    where=str(path),
                    hint="results alone can be merged to a file: --output=FILE.json",
                )
        merged = merge_runs(paths, output.absolute(), whole=options.whole)
    for note in merged.notes:
        print(f"note: {note}")
    runs, tasks = counted(len(merged.sources), "run"), counted(merged.tasks, "task")
    samples = counted(merged.samples, "sample")
    print(f"{output}: {runs}, {tasks}, at most {samples} a task")
    return 0
