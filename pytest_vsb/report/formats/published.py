"""The paper's rows, to be set beside a run's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_vsb.report.paper import CONTEXTS, PaperRow, PaperTable, disagreements, paper
from pytest_vsb.report.patterns import MEASURES


@dataclass(frozen=True)
class Beside:
    """Rows from elsewhere, with whose they are. Rates are fractions of one.

    Attributes:
        overall: whose, setting, rate, samples.
        averages: whose, micro or macro, rate.
        groups: by table: whose, group, tasks, rate.
        correlations: whose, measure, rho, partial rho.
        errors: whose, class, tasks, share.
        patterns: whose, measure, share.
        notes: what to know of them.
    """

    overall: tuple[tuple[str, str, float | None, int | None], ...] = ()
    averages: tuple[tuple[str, str, float | None], ...] = ()
    groups: Mapping[str, tuple[tuple[str, str, int | None, float | None], ...]] = field(
        default_factory=dict
    )
    correlations: tuple[tuple[str, str, float | None, float | None], ...] = ()
    errors: tuple[tuple[str, str, int, float], ...] = ()
    patterns: tuple[tuple[str, str, float | None], ...] = ()
    notes: tuple[str, ...] = ()


def nothing_beside() -> Beside:
    return Beside()


def paper_beside() -> Beside:
    """Everything that the paper publishes of provers, and where it disagrees with itself."""
    data = paper()
    overall = [
        (f"paper: {row.model}, {context}", row.setting, _fraction(rate), row.samples)
        for row in data.table3.rows
        for context, rate in (
            ("curated", row.curated),
            ("full", row.full),
            ("full, no lemmas of the same file", row.full_without_same_file_lemmas),
        )
        if rate is not None
    ]
    groups = {
        key: tuple((who, row.name, row.tasks, _fraction(rate)) for who, row, rate in _rows(table))
        for key, table in (
            ("by_repository", data.table5),
            ("by_scale", data.by_scale),
            ("by_depth", data.by_depth),
        )
    }
    failed = {
        context: sum(row.of(context) or 0 for row in data.table7.rows) for context in CONTEXTS
    }
    errors = [
        (who, row.name, int(rate), rate / failed[context])
        for context in CONTEXTS
        for who, row, rate in _rows(data.table7, context)
        if rate is not None
    ]
    patterns = [
        (f"paper: proofs of {name}", row.name, _fraction(share))
        for row in data.patterns.rows
        if row.name in MEASURES
        for name, share in (("VeriSoftBench", row.verisoftbench), ("Verina", row.verina))
    ]
    sources = [
        f"paper: {what}: {table.source}" + (f" ({table.model})" if table.model else "")
        for what, table in (
            ("by repository", data.table5),
            ("by scale", data.by_scale),
            ("by nesting depth", data.by_depth),
            ("averages", data.averages),
            ("correlations", data.table6),
            ("errors", data.table7),
            ("proof patterns", data.patterns),
        )
    ]
    apart = [f"the paper disagrees with itself: {each}" for each in disagreements()]
    return Beside(
        overall=tuple(overall),
        averages=tuple((who, row.name, _fraction(rate)) for who, row, rate in _rows(data.averages)),
        groups=groups,
        correlations=(
            *((who, row.name, rho, None) for who, row, rho in _rows(data.table6)),
            *(
                (f"paper: {data.partial.model}", row.name, None, row.value)
                for row in data.partial.rows
            ),
        ),
        errors=tuple(errors),
        patterns=tuple(patterns),
        notes=(
            f"paper: overall: {data.table3.source}; rates are those of all samples with repair",
            *sources,
            *apart,
        ),
    )


def _rows(table: PaperTable, *contexts: str) -> list[tuple[str, PaperRow, float | None]]:
    wanted = [context for context in CONTEXTS if not contexts or context in contexts]
    return [
        (f"paper: {table.model}, {context}", row, row.of(context))
        for row in table.rows
        for context in wanted
    ]


def _fraction(percent: float | None) -> float | None:
    return round(percent / 100, 6) if percent is not None else None
