"""Tables as data: columns, cells, and how a cell reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pytest_vsb.report.tables import dollars, duration, percent

Kind = Literal[
    "text", "count", "number", "rate", "points", "interval", "rho", "p", "seconds", "dollars"
]
"""What a column holds: ``rate`` a fraction of one shown in percent, ``points`` the difference of
two, ``interval`` a pair of fractions, ``rho`` a correlation, ``p`` a p-value."""

Cell = str | int | float | tuple[float, float] | None


@dataclass(frozen=True)
class Column:
    """A column. ``key`` names it for programs, ``title`` for readers. What says the same in every
    row as the column ``repeats`` need not be shown to a reader; see :meth:`Table.compact`."""

    key: str
    title: str
    kind: Kind = "text"
    repeats: str = ""


@dataclass(frozen=True)
class Table:
    """One table of a report.

    Its first columns, of kind ``text``, name a row; the first of all is the run. ``note`` says
    what a reader must know to read the numbers.
    """

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def without(self, key: str) -> Table:
        """The table without a column."""
        keep = [place for place, column in enumerate(self.columns) if column.key != key]
        return Table(
            self.key,
            self.title,
            tuple(self.columns[place] for place in keep),
            tuple(tuple(row[place] for place in keep) for row in self.rows),
            self.note,
        )

    def compact(self) -> Table:
        """The table without columns that only repeat another one, for readers."""
        places = {column.key: place for place, column in enumerate(self.columns)}
        table = self
        for place, column in enumerate(self.columns):
            other = places.get(column.repeats)
            if other is not None and all(row[place] in ("", row[other]) for row in self.rows):
                table = table.without(column.key)
        return table


def shown(cell: Cell, kind: Kind) -> str:
    """A cell as a reader sees it; ``n/a`` for what is not defined, empty text for empty text."""
    if isinstance(cell, str):
        return cell
    if cell is None:
        return "n/a"
    if isinstance(cell, tuple):
        low, high = (percent(value).removesuffix(" %") for value in cell)
        return f"{low} - {high}"
    if kind == "count":
        return f"{cell:,}"
    if kind == "rate":
        return percent(cell)
    if kind == "points":
        return f"{100 * cell:+.1f}"
    if kind == "rho":
        return f"{cell:+.3f}"
    if kind == "p":
        return "< 0.001" if cell < 0.001 else f"{cell:.3f}"
    if kind == "seconds":
        return duration(cell)
    if kind == "dollars":
        return dollars(cell)
    return f"{cell:,.1f}" if isinstance(cell, float) else f"{cell:,}"
