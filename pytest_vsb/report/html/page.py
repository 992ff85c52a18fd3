"""The page: everything about some runs in one HTML file that needs no other and no network.

What models, Lean and task files say is hostile text: the template escapes all of it, what a task's
attempts hold is put into the page by the page's script as text only, and the page's content
security policy lets no other script run than that one, named by its digest, and nothing be loaded.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import jinja2
from markupsafe import Markup

from pytest_vsb import __version__
from pytest_vsb.report.analysis import Analysis
from pytest_vsb.report.formats.build import tables
from pytest_vsb.report.formats.cells import Table, shown
from pytest_vsb.report.formats.published import Beside
from pytest_vsb.report.html.charts import charts
from pytest_vsb.report.html.detail import pack, task_detail
from pytest_vsb.report.html.overview import overview, settings
from pytest_vsb.report.html.rows import RESULTS, TaskRow, task_rows
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.tables import dollars, duration
from pytest_vsb.report.text import one_line
from pytest_vsb.source.grammar import CONTINUATIONS, KEYWORDS

ATTEMPTS = 32_000
"""So many attempts are on a page at most, but for a sample of each task: some 15 MB."""

_NAME = 300
_SCRIPTS = ("inflate.js", "text.js", "page.js")
_OPEN = frozenset({"overall", "by_category", "correlations", "errors"})
"""Tables that are unfolded when the page opens."""


def build(runs: Sequence[LoadedRun], analysis: Analysis, *, beside: Beside | None = None) -> str:
    """The page, as the text of an HTML file in UTF-8.

    Args:
        runs: one or more, as ``report.loaded.load_runs`` gives them.
        analysis: of the same runs, in the same order.
        beside: rows from elsewhere for the tables, such as the paper's.

    Raises:
        ValueError: there is no run, or the analysis is of others.
    """
    if not runs or [run.name for run in runs] != [run.name for run in analysis.runs]:
        raise ValueError("a page needs runs, and the analysis of those")
    rows = task_rows(runs, analysis)
    most = _most(rows)
    names = [one_line(run.name, _NAME) for run in runs]
    style, script = _asset("style.css"), "".join(map(_asset, _SCRIPTS))
    title = "Results: " + ", ".join(names)
    return _template().render(
        policy=_policy(style, script),
        version=__version__,
        title=one_line(title, _NAME),
        heading="pytest-vsb",
        style=Markup(style),
        script=Markup(script),
        names=names,
        overview=overview(runs, analysis),
        notes=[*_notes(analysis, rows), *_left_out(rows, most)],
        table_notes=[one_line(note, 1000) for note in beside.notes] if beside else [],
        settings=settings(runs, names),
        created=one_line(str(runs[0].run.get("created", "")), _NAME),
        charts=charts(runs, analysis),
        tables=[_view(table) for table in tables(analysis, beside)],
        rows=rows,
        results=RESULTS,
        kinds={kind for row in rows for kind in row.kinds},
        choices=_choices(rows),
        has_categories=any(row.category for row in rows),
        has_cost=any(row.cost_usd is not None for row in rows),
        duration=duration,
        dollars=dollars,
        packed=[Markup(pack(task_detail(row.results, most))) for row in rows],
        words=_words(names),
    )


@dataclass(frozen=True)
class _View:
    key: str
    title: str
    head: tuple[str, ...]
    kinds: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str
    open: bool


def _notes(analysis: Analysis, rows: Sequence[TaskRow]) -> list[str]:
    notes = [*analysis.notes]
    differ = sum(row.differs for row in rows)
    if differ:
        notes.append(
            f"{differ} {'task is' if differ == 1 else 'tasks are'} not the same in all runs: what "
            "is to be proved, or the text before it, differs."
        )
    return [one_line(note, 1000) for note in notes]


def _most(rows: Sequence[TaskRow]) -> int | None:
    """About how many attempts at a task, of a run, the page may have; None for all of them."""
    results = [result for row in rows for _, run, result in row.results if run.has_attempts]
    if sum(result.attempts for result in results) <= ATTEMPTS:
        return None
    return max(1, ATTEMPTS // len(results))


def _left_out(rows: Sequence[TaskRow], most: int | None) -> list[str]:
    if most is None:
        return []
    made = sum(row.attempts for row in rows)
    return [
        f"This page does not show all {made:,} attempts: of each task about {most} of a run, as "
        "whole samples, a proved one first. All numbers are of all attempts; the others are in the "
        "run directory (vsb export)."
    ]


def _view(table: Table) -> _View:
    table = table.compact()
    first, second = table.columns[:2]
    if first.key == "run" and second.kind == "text" and len({row[0] for row in table.rows}) == 1:
        table = table.without("run")
    kinds = tuple(column.kind for column in table.columns)
    return _View(
        key=table.key,
        title=table.title,
        head=tuple(column.title for column in table.columns),
        kinds=kinds,
        rows=tuple(
            tuple(one_line(shown(cell, kind), 1000) for cell, kind in zip(row, kinds, strict=True))
            for row in table.rows
        ),
        note=table.note,
        open=table.key in _OPEN,
    )


def _choices(rows: Sequence[TaskRow]) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    for key, name in (("repository", "Repository"), ("category", "Category"), ("error", "Error")):
        values = sorted({getattr(row, key) for row in rows} - {""})
        if len(values) > 1 or (values and key == "error"):
            found.append({"key": key, "name": name, "values": values})
    return found


def _words(names: Sequence[str]) -> Markup:
    """What the script must know: the names of the runs, and Lean's words to highlight."""
    known = {
        "runs": list(names),
        "keywords": sorted(KEYWORDS),
        "tactics": sorted(CONTINUATIONS - KEYWORDS),
    }
    # Within a script element only a `<` could end it, or begin a comment.
    return Markup(json.dumps(known, ensure_ascii=False).replace("<", "\\u003c"))


def _policy(style: str, script: str) -> str:
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_digest(script)}'",
            f"style-src '{_digest(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return "sha256-" + base64.b64encode(digest).decode("ascii")


def _asset(name: str) -> str:
    text = (resources.files(__package__) / "assets" / name).read_text(encoding="utf-8")
    return text.replace("\r\n", "\n")


@lru_cache(maxsize=1)
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=jinja2.FunctionLoader(_asset),
    )
    return environment.get_template("page.html.j2")
