"""``vsb report``: fold a run directory again, or report runs in another format."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pytest_vsb.cli.common import existing
from pytest_vsb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_vsb.cli.common import Commands
    from pytest_vsb.report.formats.render import Format
    from pytest_vsb.report.loaded import LoadedRun

_FORMATS = ("terminal", "md", "latex", "csv", "json", "html")


def add(commands: Commands) -> None:
    """Add the command's arguments."""
    text = "fold a run directory again, or report runs as tables, data or a page"
    sub = commands.add_parser(
        "report",
        help=text,
        description="With one run directory and no format: fold its journals again, write "
        "results.json, print the section that the run itself would have ended with. Otherwise: "
        "every table of the analysis, of one run or several side by side.",
        allow_abbrev=False,
    )
    sub.add_argument(
        "runs",
        metavar="RUN",
        nargs="+",
        help="a run directory, also of a run that was killed; a results.json; results of the "
        "reference suite (its directory or summary.json); a JSON array of outcomes",
    )
    sub.add_argument("--format", choices=_FORMATS, help="default: as the name of --output says")
    sub.add_argument("--output", metavar="FILE", help="write the report there, not to the terminal")
    sub.add_argument(
        "--paper", action="store_true", help="put the VeriSoftBench paper's rows beside the runs'"
    )
    sub.add_argument(
        "--repos",
        metavar="DIR",
        help="directory of the repositories, to tell where unknown identifiers are and how large "
        "a repository is",
    )
    sub.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Report runs."""
    paths = [Path(name).expanduser() for name in options.runs]
    plain = not (options.format or options.output or options.paper or options.repos)
    if plain and len(paths) == 1 and (paths[0] / "run.json").exists():
        return _fold(paths[0])
    return _report(options, paths)


def _fold(path: Path) -> int:
    """Fold the journals of a run directory and report them as the run itself would have."""
    from pytest_vsb.report.results import write_results
    from pytest_vsb.report.section import TITLE, report_run, section_lines
    from pytest_vsb.run.directory import RunDirectory

    directory = RunDirectory(path.absolute())
    found = report_run(directory)
    model = str(found.run.get("identity", {}).get("model", ""))
    print(f"{TITLE}\n")
    for line in section_lines(
        found.summary,
        found.run,
        model=model,
        path=directory.path,
        histories=found.histories,
    ):
        print(line)
    sys.stdout.flush()
    write_results(directory.results, found.run, found.summary, found.results)
    return 0


def _report(options: argparse.Namespace, paths: Sequence[Path]) -> int:
    from pytest_vsb.files import write_atomically
    from pytest_vsb.report.analysis import analyse
    from pytest_vsb.report.formats.render import notes, render
    from pytest_vsb.report.loaded import load_runs
    from pytest_vsb.report.unknown import Finder

    output = Path(options.output).expanduser() if options.output else None
    if output is not None:
        _check_output(output)
    format = _format(options.format, output)
    repos = existing("--repos", options.repos) if options.repos else None
    runs = load_runs(paths)
    scales = _scales(runs, repos) if repos is not None else None
    analysis = analyse(runs, finder=Finder(repos), scales=scales)
    text = render(runs, analysis, format, paper=options.paper)
    if format == "csv":  # which has no place for them
        for note in notes(analysis):
            print(f"note: {note}", file=sys.stderr)
    if output is None:
        sys.stdout.write(text)
        return 0
    try:
        write_atomically(output, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror or error}", where=f"--output={output}"
        ) from error
    print(f"{output}: {len(runs)} {'run' if len(runs) == 1 else 'runs'}, {format}")
    return 0


def _check_output(output: Path) -> None:
    """Say before anything is read that there is no place for the file."""
    where = f"--output={output}"
    if output.is_dir():
        raise UsageError("this is a directory", where=where, hint="name a file in it")
    if not output.parent.is_dir():
        raise UsageError(
            "its directory is not there",
            where=where,
            hint=f"mkdir -p {shlex.quote(str(output.parent))}",
        )


def _format(asked: str | None, output: Path | None) -> Format:
    from pytest_vsb.report.formats.render import SUFFIXES

    if asked:
        return cast("Format", asked)
    if output is None:
        return "terminal"
    found = SUFFIXES.get(output.suffix.lower())
    if found is None:
        raise UsageError(
            f"the name of the file says no format: {output.suffix or 'it has no suffix'}",
            where=f"--output={output}",
            hint=f"end it in one of {', '.join(SUFFIXES)}; or give --format, "
            f"one of {', '.join(_FORMATS)}",
        )
    return found


def _scales(runs: Sequence[LoadedRun], repos: Path) -> Mapping[str, str]:
    """Which of the repositories at hand are large, for those that the paper does not tell of."""
    from pytest_vsb.context.tokens import token_counter
    from pytest_vsb.report.dataset import repository_scale
    from pytest_vsb.report.paper import paper_scales

    known = paper_scales()
    names = {result.task.repository for run in runs for result in run.results} - known.keys()
    counter = token_counter("estimate")
    scales = {
        name: repository_scale(repos / name, counter)
        for name in sorted(filter(None, names))
        if (repos / name).is_dir()
    }
    return {name: scale for name, scale in scales.items() if scale}
