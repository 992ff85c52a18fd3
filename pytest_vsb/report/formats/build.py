"""The tables of a report, out of an analysis."""

from __future__ import annotations

from collections.abc import Callable

from pytest_vsb.report.analysis import Analysis, RunAnalysis
from pytest_vsb.report.formats import attempts, success
from pytest_vsb.report.formats.cells import Table
from pytest_vsb.report.formats.published import Beside, nothing_beside
from pytest_vsb.report.measures import GroupRow

_GROUPED: tuple[tuple[str, str, str, Callable[[RunAnalysis], tuple[GroupRow, ...]]], ...] = (
    ("by_repository", "By repository (Table 5)", "repository", lambda run: run.by_repository),
    ("by_category", "By category", "category", lambda run: run.by_category),
    ("by_scale", "By scale of the repository", "scale", lambda run: run.by_scale),
    ("by_subset", "By subset", "subset", lambda run: run.by_subset),
    ("by_depth", "By nesting depth", "depth", lambda run: run.by_depth),
    ("by_length", "By lines of the reference proof (quarters)", "lines", lambda run: run.by_length),
    (
        "by_characters",
        "By characters of the reference proof (quarters)",
        "characters",
        lambda run: run.by_characters,
    ),
    (
        "by_dependency",
        "By transitive dependencies (quarters)",
        "dependencies",
        lambda run: run.by_dependency,
    ),
)


def tables(analysis: Analysis, beside: Beside | None = None) -> tuple[Table, ...]:
    """All tables that have something to say, in the order of a report.

    Args:
        analysis: of one run or more; a row's first cell is its run's name.
        beside: rows from elsewhere to be set beside the runs', such as the paper's.
    """
    beside = beside or nothing_beside()
    runs = analysis.runs
    found = [
        success.overall(runs, beside),
        success.curve(runs),
        success.repair(runs),
        success.averages(runs, beside),
        *(success.grouped(key, title, name, runs, of, beside) for key, title, name, of in _GROUPED),
        success.dependency_cdf(runs),
        success.correlations(runs, beside),
        *attempts.errors(analysis, beside),
        attempts.patterns(runs, beside),
        attempts.tactics(runs),
        attempts.cost(runs),
    ]
    return tuple(table for table in found if table.rows)
