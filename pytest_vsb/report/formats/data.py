"""Reports as data: CSV, a number a line, and JSON, the whole analysis."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

import msgspec

from pytest_vsb.report.analysis import Analysis
from pytest_vsb.report.formats.cells import Table
from pytest_vsb.report.formats.published import Beside
from pytest_vsb.report.paper import disagreements, paper
from pytest_vsb.report.results import plain
from pytest_vsb.report.text import one_line

SCHEMA_VERSION = 1

CSV_COLUMNS = ("table", "run", "row", "measure", "value", "low", "high")


def as_csv(tables: Sequence[Table]) -> str:
    """CSV in the long form that pandas and polars read without help: one number a line.

    ``table`` is the table's key; ``run`` and ``row`` name the line in it, ``measure`` the column.
    Rates are fractions of one, times seconds, costs dollars. An interval has no ``value``, but
    ``low`` and ``high``. What is not defined is empty.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for table in tables:
        texts = [place for place, column in enumerate(table.columns) if column.kind == "text"]
        names = [place for number, place in enumerate(texts) if place == number]
        keys = [place for place, column in enumerate(table.columns) if column.key in _NUMBERING]
        for row in table.rows:
            named = " / ".join(
                one_line(str(row[place]), 1000) for place in [*names[1:], *keys] if row[place] != ""
            )
            for place, column in enumerate(table.columns):
                cell = row[place]
                if place in texts or place in keys or cell == "":
                    continue
                low, high = cell if isinstance(cell, tuple) else (None, None)
                value = None if isinstance(cell, tuple) else cell
                line = (value, low, high)
                writer.writerow(
                    [
                        table.key,
                        _safe(one_line(str(row[0]), 1000)),
                        _safe(named),
                        column.key,
                        *("" if each is None else repr(each) for each in line),
                    ]
                )
    return out.getvalue()


_NUMBERING = frozenset(["k", "round"])


def _safe(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") and len(text) > 1 else text


def as_json(analysis: Analysis, beside: Beside | None = None) -> str:
    """The analysis as JSON: its attributes as keys, in ``schema`` 1; with the paper's numbers and
    where they disagree, if they are asked for."""
    document: dict[str, Any] = {
        "schema": SCHEMA_VERSION,
        **msgspec.to_builtins(analysis, str_keys=True),
    }
    if beside is not None:
        document["paper"] = {
            **msgspec.to_builtins(paper(), str_keys=True),
            "disagreements": msgspec.to_builtins(disagreements()),
        }
    text = msgspec.json.format(msgspec.json.encode(plain_in_order(document)), indent=2)
    return text.decode() + "\n"


def plain_in_order(value: Any) -> Any:
    """As ``report.results.plain``, with keys left in their order."""
    if isinstance(value, dict):
        return {str(plain(key)): plain_in_order(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_in_order(inner) for inner in value]
    return plain(value)
