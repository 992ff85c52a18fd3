"""What a run with the reference prover says of its tasks, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import tabulate

from pytest_vsb.report.fold import fold_run
from pytest_vsb.report.text import clean, fit, one_line
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.history import read_history
from pytest_vsb.tasks.known_bad import known_bad_text

TITLE = "reference proofs"
SCHEMA_VERSION = 1

_NAME_COLUMNS = 60
_REASON_COLUMNS = 200


@dataclass(frozen=True)
class Checked:
    """One task: ``accepted`` if its reference proof is; ``unsound`` if that was judged and is not,
    and neither if it was not judged at all.

    ``outcome`` is the verdict's kind, or the task's status where there is no verdict.
    ``lean_seconds`` is wall-clock time, ``peak_memory_mb`` that of the largest process tree.
    """

    id: str
    nodeid: str
    outcome: str
    accepted: bool = False
    unsound: bool = False
    lean_seconds: float = 0.0
    peak_memory_mb: float = 0.0
    axioms: tuple[str, ...] = ()
    reason: str = ""


def checked_tasks(run: RunDirectory) -> tuple[Checked, ...]:
    """The tasks of a run directory, in the order they were collected; raises ``UsageError``."""
    histories = read_history(run.path)
    found = []
    for result in fold_run(run, samples=1):
        task = result.task
        history = histories.get(task.nodeid)
        attempts = history.in_order() if history is not None else ()
        if not attempts or result.status == "known_bad":
            found.append(Checked(task.id, task.nodeid, result.status, reason=result.reason))
            continue
        verdict = attempts[-1].verdict
        first = next((d.message for d in verdict.diagnostics if d.severity.value == "error"), "")
        found.append(
            Checked(
                id=task.id,
                nodeid=task.nodeid,
                outcome=str(verdict.kind),
                accepted=verdict.accepted,
                unsound=verdict.counts and not verdict.accepted,
                lean_seconds=verdict.lean_seconds,
                peak_memory_mb=verdict.peak_memory_mb,
                axioms=verdict.axioms,
                reason="" if verdict.accepted else verdict.reason or first or result.reason,
            )
        )
    return tuple(found)


def checked_lines(tasks: Sequence[Checked]) -> list[str]:
    """A line a task, then what is wrong with which."""
    rows = [
        [
            fit(task.id, _NAME_COLUMNS),
            task.outcome.replace("_", " "),
            f"{task.lean_seconds:.2f}" if task.lean_seconds else "-",
            f"{task.peak_memory_mb:.0f}" if task.peak_memory_mb else "-",
            one_line(", ".join(task.axioms), _REASON_COLUMNS) or ("none" if task.accepted else "-"),
        ]
        for task in tasks
    ]
    text = tabulate.tabulate(
        rows,
        headers=["task", "reference", "Lean s", "MB", "axioms"],
        tablefmt="simple",
        disable_numparse=True,
        colalign=("left", "left", "right", "right", "left"),
    )
    lines = [line.rstrip() for line in text.split("\n")] if rows else ["no tasks"]
    unsound = [task for task in tasks if task.unsound]
    missing = [task for task in tasks if not task.accepted and not task.unsound]
    lines += ["", f"accepted: {sum(task.accepted for task in tasks)} of {len(tasks)}"]
    for name, some in (("unsound", unsound), ("not judged", missing)):
        lines += [
            f"{name}: {fit(task.nodeid, _REASON_COLUMNS)}: "
            f"{one_line(task.reason, _REASON_COLUMNS) or task.outcome}"
            for task in some
        ]
    if unsound:
        lines.append(
            f"note: {len(unsound)} unsound, not to count in rates: write a list with "
            "--known-bad=FILE, and run with --vsb-known-bad=FILE"
        )
    return lines


def checked_json(tasks: Sequence[Checked]) -> bytes:
    """The same as JSON: ``{"schema": 1, "tasks": [...]}``, text made safe to print."""
    records: list[dict[str, Any]] = msgspec.to_builtins(list(tasks))
    for record in records:
        record["reason"] = clean(record["reason"], 4000)
    document = {"schema": SCHEMA_VERSION, "tasks": records}
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def unsound_text(tasks: Sequence[Checked]) -> str:
    """The unsound tasks as a list for ``--vsb-known-bad``."""
    return known_bad_text(
        {
            task.id: f"the reference proof is {task.outcome}: {one_line(task.reason, 200)}"
            for task in tasks
            if task.unsound
        }
    )
