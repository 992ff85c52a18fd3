"""The rates that the VeriSoftBench paper publishes, and what they say of each other."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Literal

import msgspec

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

from pytest_vsb.metrics.averages import weighted

Context = Literal["curated", "full"]
CONTEXTS: tuple[Context, ...] = ("curated", "full")


@dataclass(frozen=True)
class Published:
    """One prover on one task set (Table 3): percent of tasks proved, by context."""

    setting: str
    model: str
    curated: float | None = None
    full: float | None = None
    samples: int | None = None
    repairs: int | None = None
    full_without_same_file_lemmas: float | None = None
    note: str = ""


@dataclass(frozen=True)
class PaperRow:
    """One row of a table: its name, and a number for each context, in the table's unit."""

    name: str
    curated: float | None = None
    full: float | None = None
    tasks: int | None = None
    verisoftbench: float | None = None
    verina: float | None = None
    value: float | None = None

    def of(self, context: Context) -> float | None:
        return self.curated if context == "curated" else self.full


@dataclass(frozen=True)
class PaperTable:
    """A table; ``source`` is where in the paper, ``model`` whose numbers they are."""

    source: str
    rows: tuple[PaperRow, ...]
    model: str = ""
    large_repositories: tuple[str, ...] = ()

    def row(self, name: str) -> PaperRow | None:
        return next((row for row in self.rows if row.name == name), None)


@dataclass(frozen=True)
class Provers:
    """Table 3."""

    source: str
    rows: tuple[Published, ...]


@dataclass(frozen=True)
class Paper:
    """Everything in ``paper.toml``. Rates are percentages."""

    table3: Provers
    by_scale: PaperTable
    by_depth: PaperTable
    table5: PaperTable
    averages: PaperTable
    table6: PaperTable
    partial: PaperTable
    table7: PaperTable
    patterns: PaperTable


@dataclass(frozen=True)
class Disagreement:
    """Two numbers of the paper that should be one.

    ``told`` stands at ``source``; ``computed`` follows from ``basis``. In percent, or tasks.
    """

    what: str
    context: Context
    told: float
    source: str
    computed: float
    basis: str
    unit: str = "%"
    rounding: bool = field(default=False)

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        how = "; rounding may explain it" if self.rounding else ""
        return (
            f"{self.what}, {self.context} context: {self.told:g}{unit} in {self.source}, "
            f"{self.computed:g}{unit} from {self.basis}{how}"
        )


@cache
def paper() -> Paper:
    """The published numbers."""
    text = resources.files(__package__).joinpath("paper.toml").read_text(encoding="utf-8")
    raw: dict[str, Any] = tomllib.loads(text)
    return msgspec.convert(raw, Paper)


def paper_scales() -> Mapping[str, str]:
    """``large`` or ``regular`` for each repository of the benchmark (Table 2)."""
    large = set(paper().by_scale.large_repositories)
    return {row.name: "large" if row.name in large else "regular" for row in paper().table5.rows}


def disagreements() -> tuple[Disagreement, ...]:
    """Where the paper's text and tables say different things of Gemini-3-Pro.

    From Table 5 follow how many tasks were proved in each repository, hence the micro and macro
    averages, the rates by scale, and how many tasks failed, which Table 7 counts by error. A
    difference of at most 0.1 points between averages can be due to rounding.
    """
    found: list[Disagreement] = []
    data = paper()
    scales = paper_scales()
    for context in CONTEXTS:
        rows = [(row, row.of(context) or 0.0, row.tasks or 0) for row in data.table5.rows]
        means = weighted([(tasks, rate) for _, rate, tasks in rows])
        solved = {row.name: round(rate * tasks / 100) for row, rate, tasks in rows}
        sizes = {row.name: tasks for row, _, tasks in rows}
        total, number = sum(solved.values()), sum(sizes.values())

        def say(
            what: str,
            told: float | None,
            source: str,
            computed: float | None,
            basis: str,
            *,
            unit: str = "%",
            context: Context = context,
        ) -> None:
            if told is None or computed is None:
                return
            computed = round(computed, 1)
            apart = abs(told - computed)
            if apart > 0.05:
                small = unit == "%" and apart < 0.15
                found.append(
                    Disagreement(what, context, told, source, computed, basis, unit, small)
                )

        for name, value in (("micro", means.micro), ("macro", means.macro)):
            row = data.averages.row(name)
            told = row.of(context) if row else None
            say(f"{name} average", told, data.averages.source, value, data.table5.source)
        for scale in ("regular", "large"):
            row = data.by_scale.row(scale)
            inside = [name for name in sizes if scales[name] == scale]
            rate = 100 * sum(solved[name] for name in inside) / sum(sizes[name] for name in inside)
            told = row.of(context) if row else None
            say(f"{scale} repositories", told, data.by_scale.source, rate, data.table5.source)
        full = [
            each
            for each in data.table3.rows
            if each.model == data.table5.model and each.setting == "VeriSoftBench-Full"
        ]
        for each in full:
            told = each.curated if context == "curated" else each.full
            rate = 100 * total / number
            say("tasks proved", told, data.table3.source, rate, data.table5.source)
        failed = sum(row.of(context) or 0 for row in data.table7.rows)
        say(
            "tasks that failed",
            failed,
            data.table7.source,
            number - total,
            data.table5.source,
            unit="tasks",
        )
    return tuple(found)
