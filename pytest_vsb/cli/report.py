"""``vsb report``: fold a run directory again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_vsb.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the command's arguments."""
    text = "fold a run directory again: write results.json, print the section"
    sub = commands.add_parser("report", help=text, description=text, allow_abbrev=False)
    sub.add_argument("run", metavar="RUN", help="a run directory, also of a run that was killed")
    sub.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Fold the journals of a run directory and report them as the run itself would have."""
    from pytest_vsb.report.results import write_results
    from pytest_vsb.report.section import TITLE, report_run, section_lines
    from pytest_vsb.run.directory import RunDirectory

    directory = RunDirectory(Path(options.run).expanduser().absolute())
    found = report_run(directory)
    model = str(found.run.get("identity", {}).get("model", ""))
    print(f"{TITLE}\n")
    for line in section_lines(found.summary, found.run, model=model, path=directory.path):
        print(line)
    sys.stdout.flush()
    write_results(directory.results, found.run, found.summary, found.results)
    return 0
