"""``vsb validate``: judge reference proofs, as a pytest run."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_vsb.errors import UsageError, VsbError

if TYPE_CHECKING:
    from pytest_vsb.cli.common import Commands

VALIDATING = ("--vsb-model=reference", "--vsb-samples=1", "--vsb-repairs=0")


def add(commands: Commands) -> None:
    """Add the command for its help; what follows it is pytest's to read."""
    text = "judge the reference proofs of task files, as a pytest run"
    sub = commands.add_parser(
        "validate",
        help=text,
        description=f"{text} with {' '.join(VALIDATING)}; all other options are pytest's.",
        usage="vsb validate TASKFILE... [pytest options, such as -n 2]",
        allow_abbrev=False,
    )
    sub.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Without arguments there is nothing to validate."""
    return validate([])


def validate(arguments: list[str]) -> int:
    """Become a pytest run with the reference prover."""
    names = [argument for argument in arguments if not argument.startswith("-")]
    if not any(Path(name.partition("::")[0]).exists() for name in names):
        raise UsageError(
            "no such task file" if names else "no task file is given",
            where=names[0] if names else "vsb validate",
            hint="vsb validate TASKFILE... [pytest options]",
        )
    fixed = {option.partition("=")[0] for option in VALIDATING}
    for option in (argument.partition("=")[0] for argument in arguments):
        if option in fixed:
            raise UsageError("validating sets this option itself", where=option)
    command = [sys.executable, "-m", "pytest", *VALIDATING, *arguments]
    sys.stdout.flush()
    try:
        os.execv(sys.executable, command)
    except OSError as error:
        raise VsbError(f"pytest cannot be started: {error.strerror}", where=command[0]) from error
