"""``vsb dataset stats`` and ``vsb dataset recall``: a task file in numbers."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_vsb.cli.common import ACCEPTED, existing
from pytest_vsb.errors import UsageError

if TYPE_CHECKING:
    from pytest_vsb.report.dataset import DatasetNumbers, Repositories
    from pytest_vsb.report.recall import Recall
    from pytest_vsb.tasks.model import Task

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

NOTES = 10
"""Notes that are printed without ``--json``."""

SIZES = "10,20,50,100"


def add(verbs: Commands) -> None:
    """Add the two verbs' arguments."""
    text = "dependencies and context sizes: Tables 2 and 4, the left half of 5, Figure 6's data"
    stats = verbs.add_parser("stats", help=text, description=text, allow_abbrev=False)
    stats.set_defaults(command=run_stats)
    text = "recall of the retriever of --vsb-context=retrieved:N against what proofs use; no model"
    recall = verbs.add_parser("recall", help=text, description=text, allow_abbrev=False)
    recall.add_argument(
        "--sizes", metavar="N,...", default=SIZES, help=f"the N of recall@N (default: {SIZES})"
    )
    recall.set_defaults(command=run_recall)
    for verb in (stats, recall):
        verb.add_argument("file", metavar="TASKFILE")
        verb.add_argument("--repos", metavar="DIR", help="directory of the repositories")
        verb.add_argument(
            "--tokenizer", metavar="NAME", default="estimate", help="default: estimate"
        )
        verb.add_argument("--json", action="store_true", help="print one JSON object instead")


def run_stats(options: argparse.Namespace) -> int:
    """Print the tables of a task file."""
    from pytest_vsb.report.dataset import dataset_numbers, figure6, table2, table4, table5

    tasks, repositories = _opened(options)
    numbers = dataset_numbers(tasks, repositories)
    tables: Mapping[str, Any] = {
        "table2": table2(numbers),
        "table4": table4(numbers, Path(options.file).name),
        "table5": table5(numbers),
    }
    if options.json:
        _print_json({**_record(numbers), **tables, "figure6": figure6(numbers)})
        return ACCEPTED
    _print_table(
        f"Scale (Table 2; averages over repositories; tokens: {numbers.method})", tables["table2"]
    )
    _print_table("Dependencies (Table 4; averages over tasks)", [tables["table4"]])
    _print_table("By repository (Table 5)", tables["table5"])
    print("Distribution (Figure 6): so many at most, for these shares of the tasks\n")
    rows = []
    for measure, steps in figure6(numbers).items():
        if steps:
            shares = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
            row = {f"{share:.0%}": _at(steps, share) for share in shares}
            rows.append({"measure": measure, **row})
    _print_table("", rows)
    _print_notes(numbers.notes)
    return ACCEPTED


def run_recall(options: argparse.Namespace) -> int:
    """Print recall@N, overall and by repository."""
    from pytest_vsb.context.kinds import ContextKind, check_needs
    from pytest_vsb.report.recall import premise_recall

    sizes = _sizes(options.sizes)
    check_needs(ContextKind("retrieved", max(sizes)), None)
    tasks, repositories = _opened(options)
    recalls, notes = premise_recall(tasks, repositories, sizes)
    names = sorted({recall.repository for recall in recalls})
    groups = [(name, [r for r in recalls if r.repository == name]) for name in names]
    rows = [_recall_row(name, group, sizes) for name, group in groups]
    if len(rows) != 1:
        rows.append(_recall_row("all", recalls, sizes))
    if options.json:
        import msgspec

        tasks_found = [msgspec.to_builtins(recall) for recall in recalls]
        _print_json({"sizes": sizes, "tasks": tasks_found, "rows": rows, "notes": notes})
        return ACCEPTED
    _print_table(
        "Premise recall (averages over tasks that use anything of the project;\n"
        "`ceiling` is what is visible at the target)",
        rows,
    )
    _print_notes(notes)
    return ACCEPTED


def _opened(options: argparse.Namespace) -> tuple[Sequence[Task], Repositories]:
    from pytest_vsb.context.tokens import token_counter
    from pytest_vsb.report.dataset import Repositories
    from pytest_vsb.repository.progress import Progress
    from pytest_vsb.tasks.dataset import read_tasks

    file = read_tasks(Path(options.file).expanduser())
    if not file.tasks:
        raise UsageError("none of its lines can be read", where=options.file)
    directory = existing("--repos", options.repos) if options.repos else None
    return file.tasks, Repositories(directory, token_counter(options.tokenizer), Progress)


def _sizes(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and 0 < int(part) < 10**6 for part in parts):
        raise UsageError(f"{text!r} are no numbers such as {SIZES}", where="--sizes")
    return tuple(sorted({int(part) for part in parts}))


def _recall_row(
    name: str, recalls: Sequence[Recall], sizes: Sequence[int]
) -> dict[str, str | int | float]:
    count = len(recalls)
    row: dict[str, str | int | float] = {"repository": name, "tasks": count}
    if count:
        row["premises"] = sum(recall.premises for recall in recalls) / count
        row["ceiling"] = sum(recall.ceiling for recall in recalls) / count
        for n in sizes:
            row[f"recall@{n}"] = sum(recall.found[n] for recall in recalls) / count
    return row


def _at(steps: Sequence[tuple[float, float]], share: float) -> float:
    return next((value for value, reached in steps if reached >= share - 1e-9), steps[-1][0])


def _record(numbers: DatasetNumbers) -> dict[str, Any]:
    import msgspec

    return {
        "method": numbers.method,
        "tasks": msgspec.to_builtins(numbers.tasks),
        "repositories": msgspec.to_builtins(numbers.repositories),
        "notes": numbers.notes,
    }


def _print_json(record: Mapping[str, Any]) -> None:
    print(json.dumps(record, ensure_ascii=False, indent=2))


def _print_table(title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    from tabulate import tabulate

    if title:
        print(f"{title}\n")
    if rows:
        headers = {key: key.replace("_", " ") for key in rows[0]}
        columns = [
            ".2f" if key == "ceiling" or key.startswith("recall") else ",.1f" for key in rows[0]
        ]
        shown = tabulate(rows, headers=headers, floatfmt=columns, intfmt=",", missingval="-")
        print(f"{shown}\n")
    else:
        print("  not known: the repositories are not at hand (--repos=DIR)\n")


def _print_notes(notes: Iterable[str]) -> None:
    listed = list(notes)
    for note in listed[:NOTES]:
        print(f"note: {note}", file=sys.stderr)
    if len(listed) > NOTES:
        print(f"note: and {len(listed) - NOTES} more; --json has all", file=sys.stderr)
