"""A report in the format that is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from pytest_vsb.report.analysis import Analysis
from pytest_vsb.report.formats.build import tables
from pytest_vsb.report.formats.cells import Table
from pytest_vsb.report.formats.data import as_csv, as_json
from pytest_vsb.report.formats.published import paper_beside
from pytest_vsb.report.formats.text import latex, markdown, terminal
from pytest_vsb.report.loaded import LoadedRun

Format = Literal["terminal", "md", "latex", "csv", "json", "html"]
FORMATS: tuple[Format, ...] = get_args(Format)

SUFFIXES: dict[str, Format] = {
    ".txt": "terminal",
    ".md": "md",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
    ".html": "html",
    ".htm": "html",
}
"""What the name of an output file says of its format."""


def render(
    runs: Sequence[LoadedRun], analysis: Analysis, format: Format, *, paper: bool = False
) -> str:
    """The report of some runs.

    Args:
        runs: as ``report.loaded.load_runs`` gives them.
        analysis: of these runs.
        format: which of ``FORMATS``.
        paper: put the published rows of the VeriSoftBench paper beside the runs'.
    """
    beside = paper_beside() if paper else None
    if format == "html":
        from pytest_vsb.report.html.page import build

        return build(runs, analysis, beside=beside)
    if format == "json":
        return as_json(analysis, beside)
    found = tables(analysis, beside)
    if format == "csv":
        return as_csv(found)
    compact = [table.compact() for table in found]
    shown = compact if paper or len(runs) > 1 else [_alone(table) for table in compact]
    text = {"terminal": terminal, "md": markdown, "latex": latex}[format]
    return text(shown, [*notes(analysis), *(beside.notes if beside else ())])


def notes(analysis: Analysis) -> tuple[str, ...]:
    """What a reader must know of runs, beside what their tables say."""
    several = len(analysis.runs) > 1
    told = [(run.name, note) for run in analysis.runs for note in (*run.notes, *run.caveats)]
    return (*(f"{name}: {note}" if several else note for name, note in told), *analysis.notes)


def _alone(table: Table) -> Table:
    """The table of a single run, which need not be named in each line."""
    return table.without("run") if len(table.columns) > 1 and table.key not in _NAMED else table


_NAMED = frozenset(["overall", "cost"])
