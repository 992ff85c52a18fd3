"""``vsb export``: a run for other programs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_vsb.cli.common import ACCEPTED, NOT_ACCEPTED
from pytest_vsb.errors import UsageError, VsbError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_vsb.cli.common import Commands
    from pytest_vsb.report.loaded import LoadedRun

FORMATS = ("csv", "parquet", "inspect", "leaderboard")


def add(commands: Commands) -> None:
    """Add the command's arguments."""
    text = "write a run for other programs, or check what was written"
    sub = commands.add_parser("export", help=text, description=text, allow_abbrev=False)
    sub.add_argument("run", metavar="RUN", help="a run directory or results.json")
    sub.add_argument(
        "--format",
        choices=FORMATS,
        help="tables as csv or parquet; a log for Inspect's viewer; an entry of a leaderboard",
    )
    sub.add_argument(
        "--output",
        metavar="PATH",
        help="a directory for tables; a file, or a directory for a log or an entry",
    )
    sub.add_argument(
        "--verify",
        metavar="FILE",
        help="check that this entry of a leaderboard is what RUN gives; exit code 1 if not",
    )
    sub.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Write the files and name them, or verify one."""
    from pytest_vsb.report.loaded import load_run

    if options.verify is not None:
        if options.format or options.output:
            raise UsageError("nothing is written when verifying", where="--verify")
        return _verify(Path(options.verify).expanduser(), load_run(Path(options.run)))
    if not options.format or not options.output:
        raise UsageError("how, and where to?", where="vsb export", hint="--format=csv --output=DIR")
    for path in _write(options.format, load_run(Path(options.run)), Path(options.output)):
        print(path)
    return ACCEPTED


def _write(name: str, run: LoadedRun, output: Path) -> tuple[Path, ...]:
    output = output.expanduser()
    if name == "csv":
        from pytest_vsb.report.export import write_csv

        return write_csv(run, output)
    if name == "parquet":
        from pytest_vsb.report.export import write_parquet

        return write_parquet(run, output)
    if name == "inspect":
        from pytest_vsb.report.inspect_log import file_name, inspect_parts

        return (_file(output, file_name(run), inspect_parts(run)),)
    from pytest_vsb.report.leaderboard import entry_bytes

    return (_file(output, "leaderboard.json", [entry_bytes(run)]),)


def _file(output: Path, name: str, content: Iterable[bytes]) -> Path:
    from pytest_vsb.files import replacing

    path = output if output.suffix == ".json" and not output.is_dir() else output / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as stream:
            stream.writelines(content)
    except OSError as error:
        raise VsbError(f"cannot be written: {error.strerror or error}", where=str(path)) from error
    return path


def _verify(file: Path, run: LoadedRun) -> int:
    from pytest_vsb.report.leaderboard import verify
    from pytest_vsb.report.text import clean

    differences = verify(file, run)
    for difference in differences:
        print(clean(f"differs: {difference}", 1000))
    print(f"{file}: {'is not what the run gives' if differences else 'is what the run gives'}")
    return NOT_ACCEPTED if differences else ACCEPTED
