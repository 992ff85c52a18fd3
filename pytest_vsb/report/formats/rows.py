"""Rows of tables by the keys of their columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pytest_vsb.report.analysis import RunAnalysis
from pytest_vsb.report.formats.cells import Cell, Column, Table

Row = Mapping[str, Cell]
"""A row's cells by the columns' keys; what is not told, as in many a published row, is left out."""

RUN = Column("run", "run")


def table(
    key: str, title: str, columns: tuple[Column, ...], rows: Iterable[Row], note: str = ""
) -> Table:
    """A table of such rows."""
    cells = tuple(tuple(row.get(column.key, "") for column in columns) for row in rows)
    return Table(key, title, columns, cells, note)


def row_of(who: str, record: object, *keys: str, **cells: Cell) -> Row:
    """A row of attributes of a record that are called as the columns are, and of further cells."""
    return {"run": who, **{key: getattr(record, key) for key in keys}, **cells}


def published(who: str, **cells: Cell) -> Row:
    """A row from elsewhere; what it does not say is left empty, not ``n/a``."""
    return {"run": who, **{key: cell for key, cell in cells.items() if cell is not None}}


def ends(runs: Sequence[RunAnalysis]) -> tuple[str, str]:
    """What the largest k is called, and a note where runs differ in it."""
    samples = {run.samples for run in runs}
    if len(samples) == 1:
        return f"pass@{samples.pop()}", ""
    told = ", ".join(f"{run.name}: {run.samples}" for run in runs)
    return "pass@n", f"n is the number of samples ({told}), so pass@n is not the same for all."
