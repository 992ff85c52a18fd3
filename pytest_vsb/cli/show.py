"""``vsb show``: the exact prompt of a task."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_vsb.cli.common import find_task, number
from pytest_vsb.errors import UsageError

if TYPE_CHECKING:
    from pytest_vsb.cli.common import Commands
    from pytest_vsb.context.prompt import Prompt
    from pytest_vsb.context.records import TaskContext
    from pytest_vsb.repository.index import Index
    from pytest_vsb.tasks.model import Task

SHOWN = 20
"""Omitted declarations that are named without ``--omitted``."""


def add(commands: Commands) -> None:
    """Add the command's arguments."""
    text = "print the prompt that a model gets for a task, its tokens by part, and what it lacks"
    sub = commands.add_parser("show", help=text, description=text, allow_abbrev=False)
    sub.add_argument("task", metavar="TASKFILE::ID", help="a task, by its nodeid")
    sub.add_argument(
        "--context",
        metavar="KIND",
        default="curated",
        help="curated, full, full-limited, same-file, or retrieved:N (default: curated)",
    )
    sub.add_argument(
        "--context-tokens",
        metavar="N",
        help="tokens that a context may have; full-limited needs it",
    )
    sub.add_argument("--tokenizer", metavar="NAME", default="estimate", help="default: estimate")
    sub.add_argument("--repos", metavar="DIR", help="directory of the repositories")
    sub.add_argument("--templates", metavar="DIR", help="prompt templates of your own")
    sub.add_argument("--style", default="default", help="default or whole-file")
    sub.add_argument("--omitted", action="store_true", help="name all declarations left out")
    sub.add_argument("--counts", action="store_true", help="print no prompt, only the counts")
    sub.add_argument("--json", action="store_true", help="print one JSON object instead")
    sub.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Print the prompt as it would be sent in round 0."""
    from pytest_vsb.context.assemble import Assembler
    from pytest_vsb.context.kinds import parse_context
    from pytest_vsb.context.prompt import PromptBuilder
    from pytest_vsb.context.tokens import token_counter
    from pytest_vsb.judge.located import before, find_target
    from pytest_vsb.repository.index import open_index
    from pytest_vsb.repository.progress import Progress
    from pytest_vsb.tasks.locate import project_root, source_file

    try:
        kind = parse_context(options.context)
    except UsageError as error:
        raise UsageError(error.message, where="--context", hint=error.hint) from error
    budget = None
    if options.context_tokens:
        budget = int(number("--context-tokens", options.context_tokens, 1))
    templates = Path(options.templates) if options.templates else None
    builder = PromptBuilder(templates, options.style)
    counter = token_counter(options.tokenizer)
    task = find_task(options.task)
    repos = Path(options.repos) if options.repos else None
    root = project_root(task, repos)
    prefix = before(*find_target(task, source_file(task, repos)))
    index = open_index(root, progress=Progress(root.name))
    context = Assembler(index, kind, counter, budget=budget, builder=builder).of(task, prefix)
    shown = task if kind.shows_dependencies else _without_dependencies(task)
    prompt = builder.build(shown, prefix, context=context)
    parts = {"system": prompt.system, "context": prompt.context, "task": prompt.task}
    counts = {name: counter.count(text) for name, text in parts.items()}
    hidden = _hidden(index, task, context)
    if options.json:
        record = {**_record(task, prompt, context, counts), "not_shown": hidden}
        print(json.dumps(record, ensure_ascii=False, indent=2))
        return 0
    if not options.counts:
        for name, text in parts.items():
            if text:
                print(f"==== {name}\n{text}\n")
    for line in _summary(context, counts, hidden, everything=options.omitted):
        print(line)
    return 0


def _hidden(index: Index, task: Task, context: TaskContext) -> int:
    """How many declarations of the modules that the target's file imports are not shown, for a
    kind of context that does not tell which it leaves out."""
    own = index.modules.by_path(task.path)
    if own is None or context.kind.name in ("full", "full-limited"):
        return 0
    shown = {item.name for item in context.around.project}
    return sum(
        (entry.name or entry.kind) not in shown
        for module in index.modules.closure(own.name)
        if module != own.name
        for entry in index.entries(module)
    )


def _without_dependencies(task: Task) -> Task:
    import dataclasses

    return dataclasses.replace(task, dependencies=())


def _summary(
    context: TaskContext, counts: dict[str, int], hidden: int, *, everything: bool
) -> list[str]:
    from tabulate import tabulate

    rows = [
        *((f"  {part.name}", part.declarations, part.tokens) for part in context.parts),
    ]
    table = [
        ("system", None, counts["system"]),
        ("context", None, counts["context"]),
        *rows,
        ("task", None, counts["task"]),
        ("prompt", None, sum(counts.values())),
    ]
    lines = [
        f"==== tokens ({context.method}), context {context.kind}"
        + (f", at most {context.budget:,}" if context.budget else ""),
        *tabulate(
            table, headers=("part", "declarations", "tokens"), intfmt=",", missingval=""
        ).splitlines(),
        "",
    ]
    if hidden:
        what = "declaration" if hidden == 1 else "declarations"
        lines.append(
            f"Not shown: {hidden:,} {what} of the modules that the file imports. "
            "Proofs are never shown."
        )
        return lines
    if not context.omitted:
        before = (
            "that comes before the target"
            if context.kind.name == "full"
            else "that the file can use"
        )
        return [*lines, f"No declaration {before} was left out. Proofs are never shown."]
    reasons: Counter[str] = Counter()
    for omitted in context.omitted:
        reasons[omitted.reason] += omitted.declarations
    why = ", ".join(f"{count:,} {reason}" for reason, count in sorted(reasons.items()))
    total = sum(reasons.values())
    were = "declaration was" if total == 1 else "declarations were"
    lines.append(f"{total:,} {were} left out ({why}):")
    named = context.omitted if everything else context.omitted[:SHOWN]
    lines += [
        f"  {omitted.name or f'all {omitted.declarations:,}'} of {omitted.module}: "
        f"{omitted.reason}, {omitted.tokens:,} tokens"
        for omitted in named
    ]
    if len(named) < len(context.omitted):
        lines.append(f"  and {len(context.omitted) - len(named):,} lines more: --omitted")
    return lines


def _record(
    task: Task, prompt: Prompt, context: TaskContext, counts: dict[str, int]
) -> dict[str, Any]:
    import msgspec

    return {
        "task": task.id,
        "context": str(context.kind),
        "method": context.method,
        "budget": context.budget,
        "digest": prompt.digest,
        "prompt": {"system": prompt.system, "context": prompt.context, "task": prompt.task},
        "tokens": counts,
        "parts": msgspec.to_builtins(context.parts),
        "omitted": msgspec.to_builtins(context.omitted),
    }
