"""A comparison as lines for a terminal, as Markdown, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import tabulate

from pytest_vsb.metrics.paired import FEW
from pytest_vsb.report import actions
from pytest_vsb.report.compare import Comparison, Pair, RateDifference
from pytest_vsb.report.gate import number
from pytest_vsb.report.results import plain
from pytest_vsb.report.tables import COLUMNS, dollars, duration, percent
from pytest_vsb.report.text import fit, one_line, wrap

SCHEMA_VERSION = 1
_NAME = 40
_TASK = 60
_BAR = 30
_WITHOUT_TASKS = 20


@dataclass(frozen=True)
class Table:
    """Cells of text; the first column is to the left, the others to the right."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Block = Table | str
Section = tuple[str, list[Block]]


def terminal_lines(found: Comparison, *, tasks: bool = False) -> Iterator[str]:
    """Lines of at most 100 columns where names allow; ``tasks`` adds one line a task."""
    for title, blocks in _sections(found, tasks=tasks):
        yield ""
        yield title
        yield ""
        was_text = False
        for block in blocks:
            if isinstance(block, str):
                yield from wrap(block, COLUMNS)
            else:
                yield from [""] * was_text
                yield from _tabulated(block)
                yield ""
            was_text = isinstance(block, str)


def markdown_lines(found: Comparison, *, tasks: bool = False) -> Iterator[str]:
    """The same as Markdown."""
    for title, blocks in _sections(found, tasks=tasks):
        yield f"## {actions.cell(title)}"
        yield ""
        was_table = True
        for block in blocks:
            if isinstance(block, str):
                yield f"- {actions.cell(block)}"
            else:
                if not was_table:
                    yield ""
                rows = [[actions.cell(text) for text in row] for row in block.rows]
                yield from actions.table([actions.cell(text) for text in block.header], rows)
                yield ""
            was_table = not isinstance(block, str)
        if not was_table:
            yield ""


def comparison_json(found: Comparison) -> bytes:
    """All of a comparison, with ``schema`` 1."""
    record: dict[str, Any] = {"schema": SCHEMA_VERSION, **msgspec.to_builtins(found)}
    for run, compared in zip(record["runs"], found.runs, strict=True):
        run["per_solved"] = {
            "cost_usd": compared.cost_per_solved,
            "tokens": compared.tokens_per_solved,
            "lean_seconds": compared.lean_seconds_per_solved,
            "prover_seconds": compared.prover_seconds_per_solved,
        }
    for task, held in zip(record["tasks"], found.tasks, strict=True):
        task["solved"] = held.solved
    return msgspec.json.format(msgspec.json.encode(plain(record)), indent=2) + b"\n"


def _sections(found: Comparison, *, tasks: bool) -> Iterator[Section]:
    names = [fit(run.name, _NAME) for run in found.runs]
    count = len(found.tasks)
    title = f"{len(names)} runs on {count} {'task' if count == 1 else 'tasks'}"
    blocks: list[Block] = [f"WARNING: {warning}" for warning in found.warnings]
    yield title, [*blocks, _runs(found, names), *(f"note: {note}" for note in found.notes)]
    for pair in found.pairs:
        yield f"{fit(pair.second, _NAME)} against {fit(pair.first, _NAME)}", _pair(pair)
    if len(names) > 2:
        yield "solved by exactly these runs", [_upset(found, names)]
    if tasks:
        yield "tasks", [_tasks(found)]


def _runs(found: Comparison, names: Sequence[str]) -> Table:
    header = ("run", "samples", "solved", "per solved: cost", "tokens", "prover", "Lean")
    rows = []
    for index, (run, name) in enumerate(zip(found.runs, names, strict=True)):
        cost, tokens = run.cost_per_solved, run.tokens_per_solved
        prover, lean = run.prover_seconds_per_solved, run.lean_seconds_per_solved
        rows.append(
            (
                f"[{index + 1}] {name}",
                str(run.samples),
                str(run.solved),
                "n/a" if cost is None else dollars(cost),
                "n/a" if tokens is None or not run.tokens else f"{tokens:,.0f}",
                duration(prover) if prover else "n/a",
                duration(lean) if lean else "n/a",
            )
        )
    return Table(header, tuple(rows))


def _pair(pair: Pair) -> list[Block]:
    counts = (pair.both, len(pair.gained), len(pair.lost), pair.neither)
    blocks: list[Block] = [
        "solved: both {}, gained {}, lost {}, neither {}".format(*counts),
        Table(
            ("rate", "first", "second", "difference", "95 % interval", "tasks"),
            tuple(_rate(rate) for rate in pair.rates),
        ),
        f"McNemar's exact test of what is solved: p = {number(pair.mcnemar.p)}, two-sided",
    ]
    blocks.append(f"intervals: {_method(pair)}, of points of a hundred")
    blocks.append(
        "where the exact test sees no difference (p above 0.05), the interval holds 0, however few "
        "tasks differ"
    )
    blocks += [f"note: {note}" for note in pair.notes]
    for what, nodeids in (("gained", pair.gained), ("lost", pair.lost)):
        blocks += [f"{what}: {fit(nodeid, 200)}" for nodeid in nodeids[:_WITHOUT_TASKS]]
        if len(nodeids) > _WITHOUT_TASKS:
            blocks.append(f"{what}: {len(nodeids) - _WITHOUT_TASKS} more, see --tasks")
    return blocks


def _method(pair: Pair) -> str:
    differences = [rate.difference for rate in pair.rates]
    drawn = "tasks"
    if any(each.clusters < each.n for each in differences):
        drawn = f"{max(each.clusters for each in differences)} repositories"
    method = f"paired bootstrap over {drawn}"
    if not any(each.few for each in differences):
        return method
    return (
        f"{method}; where fewer than {FEW} tasks differ, or all alike, widened to the exact "
        "intervals of the shares gained and lost, put together"
    )


def _rate(rate: RateDifference) -> tuple[str, ...]:
    found = rate.difference
    interval = "n/a"
    if found.low is not None and found.high is not None:
        interval = f"{_points(found.low)} to {_points(found.high)}"
    return (
        f"pass@{rate.k}",
        percent(rate.first),
        percent(rate.second),
        _points(found.value),
        interval,
        str(found.n),
    )


def _points(value: float) -> str:
    text = f"{100 * value:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text


def _upset(found: Comparison, names: Sequence[str]) -> Table:
    header = (*(f"[{index + 1}]" for index in range(len(names))), "tasks", "")
    most = max(len(overlap.nodeids) for overlap in found.overlaps)
    rows = tuple(
        (
            *("x" if solved else "." for solved in overlap.solved),
            str(len(overlap.nodeids)),
            "#" * max(1, round(_BAR * len(overlap.nodeids) / most)),
        )
        for overlap in found.overlaps
    )
    return Table(header, rows)


def _tasks(found: Comparison) -> Table:
    header = ("task", *(f"[{index + 1}]" for index in range(len(found.runs))), "")
    rows = []
    for task in found.tasks:
        what = ""
        if len(set(task.solved)) > 1:
            what = ("lost" if task.solved[0] else "gained") if len(found.runs) == 2 else "differs"
        rows.append(
            (
                fit(task.nodeid, _TASK) + " (other theorems)" * task.changed,
                *(f"{counts.c}/{counts.n}" for counts in task.counts),
                what,
            )
        )
    return Table(header, tuple(rows))


def _tabulated(block: Table) -> list[str]:
    rows = [[one_line(text, 200) for text in row] for row in block.rows]
    last = "left" if not block.header[-1] else "right"
    text = tabulate.tabulate(
        rows,
        headers=list(block.header),
        tablefmt="simple",
        disable_numparse=True,
        colalign=("left", *["right"] * (len(block.header) - 2), last),
    )
    return [line.rstrip() for line in text.split("\n")]
