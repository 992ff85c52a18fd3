"""The tables of what attempts were like: why they failed, how proofs look, what they cost."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_vsb.metrics.errors import CLASSES
from pytest_vsb.provers.base import Usage
from pytest_vsb.report.analysis import Analysis, RunAnalysis
from pytest_vsb.report.formats.cells import Column, Table
from pytest_vsb.report.formats.published import Beside
from pytest_vsb.report.formats.rows import RUN, Row, published, row_of, table
from pytest_vsb.report.patterns import MEASURES
from pytest_vsb.report.taxonomy import Errors


def errors(analysis: Analysis, beside: Beside) -> list[Table]:
    found: list[tuple[str, Errors]] = [(run.name, run.errors) for run in analysis.runs]
    if analysis.errors is not None:
        found.append(("no run proved it", analysis.errors))
    counts = (Column("tasks", "tasks", "count"), Column("share", "share", "rate"))
    attempts = Column("attempts", "attempts", "count")
    columns = (RUN, Column("error", "first error"), *counts, attempts)
    classes: list[Row] = []
    for name in CLASSES:
        classes += [
            row_of(who, row, "tasks", "share", "attempts", error=name)
            for who, errors in found
            for row in errors.classes
            if row.name == name and errors.failed
        ]
        classes += [
            published(who, error=name, tasks=tasks, share=share)
            for who, what, tasks, share in beside.errors
            if what == name
        ]
    fine: list[Row] = [
        {**row_of(who, row, "tasks", "share", "attempts"), "class": row.error, "error": row.name}
        for who, errors in found
        for row in errors.fine
        if errors.failed
    ]
    places = [
        row_of(who, row, "place", "tasks", "share", "meaning", examples=", ".join(row.examples[:3]))
        for who, errors in found
        for row in errors.unknown
    ]
    note = (
        "Tasks that were judged and not proved, each once, by the first diagnostic of its attempt "
        "that came nearest; attempts: all those that failed at these tasks."
    )
    placed = (
        *(RUN, Column("place", "place"), *counts),
        *(Column("examples", "examples"), Column("meaning", "meaning")),
    )
    return [
        table("errors", "Errors (Table 7)", columns, classes, note),
        table("errors_fine", "Errors, finer", (RUN, Column("class", "class"), *columns[1:]), fine),
        table("unknown", "Unknown identifiers: where the name is", placed, places),
    ]


def patterns(runs: Sequence[RunAnalysis], beside: Beside) -> Table:
    columns = (
        RUN,
        Column("pattern", "pattern"),
        Column("proofs", "proofs", "count"),
        Column("share", "share", "rate"),
    )
    rows: list[Row] = []
    for measure, title in MEASURES.items():
        rows += [
            row_of(
                run.name,
                run.patterns,
                "proofs",
                pattern=title,
                share=getattr(run.patterns, measure),
            )
            for run in runs
            if run.patterns is not None and run.patterns.proofs
        ]
        rows += [
            {"run": who, "pattern": title, "share": share}
            for who, what, share in beside.patterns
            if what == measure
        ]
    note = "Of different accepted proofs, told from their tokens."
    return table("patterns", "Proof patterns", columns, rows, note)


def tactics(runs: Sequence[RunAnalysis]) -> Table:
    columns = (
        RUN,
        Column("tactic", "tactic"),
        *(Column(key, key, "count") for key in ("uses", "first", "last")),
    )
    rows: list[Row] = [
        {
            "run": run.name,
            "tactic": name,
            "uses": uses,
            "first": run.patterns.first.get(name, 0),
            "last": run.patterns.last.get(name, 0),
        }
        for run in runs
        if run.patterns is not None
        for name, uses in list(run.patterns.histogram.items())[:15]
    ]
    return table("tactics", "Tactics of accepted proofs", columns, rows)


def cost(runs: Sequence[RunAnalysis]) -> Table:
    columns = (
        RUN,
        Column("attempts", "attempts", "count"),
        Column("input_tokens", "tokens in", "count"),
        Column("output_tokens", "tokens out", "count"),
        Column("cost_usd", "cost", "dollars"),
        Column("cost_per_solved", "per solved", "dollars"),
        Column("seconds", "prover", "seconds"),
        Column("lean_seconds", "Lean", "seconds"),
        Column("lean_seconds_per_attempt", "per attempt", "seconds"),
    )
    rows = [
        row_of(run.name, run.cost, *(column.key for column in columns[1:]))
        for run in runs
        if run.cost.lean_seconds or run.overall.usage != Usage()  # an import says nothing of it
    ]
    return table("cost", "Cost and time", columns, rows, "Sums over all attempts.")
