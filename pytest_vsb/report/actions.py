"""What a run tells GitHub Actions: annotations of lines of task files, and a summary of the job.

The commands are described in "Workflow commands for GitHub Actions" (docs.github.com).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pytest_vsb.report.gate import Change, Gate, number
from pytest_vsb.report.summary import Group, Summary
from pytest_vsb.report.tables import duration, percent
from pytest_vsb.report.text import clean, one_line

SHOWN = 10
"""Annotations of one level; GitHub shows no more of a step."""

MAX_SUMMARY = 1_000_000
"""Bytes of a job's summary; GitHub refuses more than 1 MiB a step."""

_MESSAGE = 2000
_ROWS = 200

Level = Literal["error", "warning", "notice"]


@dataclass(frozen=True)
class Annotation:
    """A message about a place: ``file`` relative to the checkout, ``line`` from 1; both may be
    missing."""

    level: Level
    message: str
    title: str = ""
    file: str = ""
    line: int | None = None

    def command(self) -> str:
        """The line that is to be printed."""
        pairs = {
            "file": self.file,
            "line": str(self.line) if self.file and self.line else "",
            "title": one_line(self.title, 200),
        }
        given = ",".join(f"{key}={_property(text)}" for key, text in pairs.items() if text)
        return f"::{self.level}{' ' * bool(given)}{given}::{_data(clean(self.message, _MESSAGE))}"


def commands(annotations: Iterable[Annotation]) -> list[str]:
    """The lines to print, errors first: at most ten of a level, of more the last says how many."""
    found = list(annotations)
    lines: list[str] = []
    levels: tuple[Level, ...] = ("error", "warning", "notice")
    for level in levels:
        some = [each for each in found if each.level == level]
        if len(some) > SHOWN:
            rest = len(some) - SHOWN + 1
            some = [*some[: SHOWN - 1], Annotation(level, f"and {rest} more, see the log")]
        lines += [each.command() for each in some]
    return lines


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def step_summary(
    title: str, summary: Summary, gate: Gate | None = None, failed: Sequence[str] = ()
) -> str:
    """The run in Markdown, for ``GITHUB_STEP_SUMMARY``.

    Args:
        title: such as the prover's name.
        summary: the run's summary.
        gate: what the gate decided, if there is one.
        failed: the nodeids of items that failed.
    """
    lines = [f"## {cell(title)}", ""]
    if gate is not None:
        verdict = "open" if gate.passed else "closed"
        lines += [f"**Regression gate: {verdict}**", ""]
        lines += [f"- {cell(failure)}" for failure in gate.failures] + [""]
    lines += [*_rates(summary), ""]
    if gate is not None:
        lines += _gate(gate)
    elif failed:
        lines += ["### Failed", "", *_some([f"- {code(nodeid)}" for nodeid in failed]), ""]
    text = "\n".join(lines).rstrip("\n") + "\n"
    return _cut(text, MAX_SUMMARY)


def _rates(summary: Summary) -> list[str]:
    ks = list(dict.fromkeys([*summary.ks[:1], *summary.ks[-1:]]))
    header = ["category", "tasks", "solved", *(f"pass@{k}" for k in ks), "Lean time"]
    groups: list[Group] = [*summary.categories, summary.total]
    if len(summary.categories) == 1:
        groups = [summary.total]
    rows = [
        [
            cell(group.name) or "(none)",
            str(group.tasks),
            str(group.solved),
            *(percent(rate.value if (rate := group.rate(k)) else None) for k in ks),
            duration(group.lean_seconds),
        ]
        for group in groups
    ]
    return table(header, rows)


def _gate(gate: Gate) -> list[str]:
    lines: list[str] = []
    for change, title in (
        (Change.REGRESSED, "Regressed"),
        (Change.LOST, "Lost, perhaps by bad luck"),
        (Change.GAINED, "Newly solved"),
    ):
        tasks = gate.of(change)
        if not tasks:
            continue
        rows = [
            [
                code(task.task.nodeid),
                f"{task.before.c} of {task.before.n}" if task.before else "",
                f"{task.now.c} of {task.now.n}",
                number(task.p) if task.p is not None else "",
            ]
            for task in tasks
        ]
        header = ["task", "baseline", "now", "p"]
        lines += [f"### {title}", "", *_some(table(header, rows)), ""]
    if gate.p is not None:
        lines += [
            f"All tasks together: p = {cell(number(gate.p))} (level {number(gate.p_level)}).",
            "",
        ]
    return lines + [f"- {cell(note)}" for note in gate.notes]


def _some(lines: list[str]) -> list[str]:
    if len(lines) <= _ROWS:
        return lines
    return [*lines[:_ROWS], "", f"and {len(lines) - _ROWS} more"]


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table of cells that are Markdown already; all but the first column to the
    right."""
    lines = [f"| {' | '.join(header)} |", f"| --- |{' ---: |' * (len(header) - 1)}"]
    return lines + [f"| {' | '.join(row)} |" for row in rows]


_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#|~&@$])")


def cell(text: str) -> str:
    """Text from outside as one line of Markdown that means itself."""
    return _MARKUP.sub(r"\\\1", one_line(text, 1000))


def code(text: str) -> str:
    """Text from outside as code within a line or a cell of Markdown."""
    line = one_line(text, 1000)
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", line)), default=0))
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}".replace("|", "\\|")


def _cut(text: str, most: int) -> str:
    data = text.encode("utf-8", "backslashreplace")
    if len(data) <= most:
        return data.decode()
    kept = data[: most - 100].decode("utf-8", "ignore").rpartition("\n")[0]
    return f"{kept}\n\nThe rest is too long for a summary.\n"
