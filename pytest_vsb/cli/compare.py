"""``vsb compare``: runs held against each other."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_vsb.cli.common import Commands

FORMATS = ("terminal", "md", "json")


def add(commands: Commands) -> None:
    """Add the command's arguments."""
    text = "hold runs against the first of them: tasks gained and lost, tests, cost"
    sub = commands.add_parser("compare", help=text, description=text, allow_abbrev=False)
    sub.add_argument("runs", metavar="RUN", nargs="+", help="run directories or results.json files")
    sub.add_argument("--tasks", action="store_true", help="list all tasks, too")
    sub.add_argument("--task", metavar="ID", help="show this task's proofs side by side instead")
    sub.add_argument(
        "--anyway",
        action="store_true",
        help="compare runs of different datasets or protocols, with a warning",
    )
    sub.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="default: terminal")
    sub.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Compare, and print."""
    from pytest_vsb.report import compare_text, side_by_side
    from pytest_vsb.report.compare import compare
    from pytest_vsb.report.loaded import load_runs

    runs = load_runs([Path(path) for path in options.runs])
    if options.task is not None:
        found = side_by_side.shown(runs, options.task)
        if options.format == "json":
            sys.stdout.write(side_by_side.as_json(found).decode())
        elif options.format == "md":
            _print(side_by_side.markdown(found))
        else:
            columns = shutil.get_terminal_size((120, 24)).columns
            _print(side_by_side.side_by_side(found, columns))
        return 0
    comparison = compare(runs, anyway=options.anyway)
    if options.format == "json":
        sys.stdout.write(compare_text.comparison_json(comparison).decode())
    elif options.format == "md":
        _print(compare_text.markdown_lines(comparison, tasks=options.tasks))
    else:
        _print(compare_text.terminal_lines(comparison, tasks=options.tasks))
    return 0


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)
