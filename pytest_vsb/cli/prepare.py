"""``vsb prepare``: tasks out of a Lean repository."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_vsb.cli.common import ACCEPTED, number
from pytest_vsb.errors import UsageError
from pytest_vsb.words import counted

if TYPE_CHECKING:
    from pytest_vsb.cli.common import Commands
    from pytest_vsb.lean.toolchain import Toolchain
    from pytest_vsb.prepare.config import PrepareConfig
    from pytest_vsb.prepare.outcomes import Outcomes
    from pytest_vsb.prepare.output import Outputs
    from pytest_vsb.prepare.preparation import Prepared
    from pytest_vsb.repository.index import Index


def add(commands: Commands) -> None:
    """Add the command's arguments."""
    from pytest_vsb.lean.sandbox.box import MODES

    text = "make a task file of a Lean repository's theorems: filtered, judged, sampled"
    sub = commands.add_parser(
        "prepare", help=text, description=f"{text}; see docs/prepare.md", allow_abbrev=False
    )
    sub.add_argument("repository", metavar="REPO", help="the directory of the Lean project")
    sub.add_argument("--output", metavar="FILE", required=True, help="such as mine.vsb.jsonl")
    sub.add_argument("--config", metavar="FILE", help="what is asked for, as TOML")
    sub.add_argument("--count", metavar="N", help="how many tasks (default: all that pass)")
    sub.add_argument("--seed", metavar="N", help="of the sampling (default: 0)")
    sub.add_argument(
        "--no-automation",
        action="store_true",
        help="do not leave out what standard automation proves",
    )
    sub.add_argument(
        "--lean",
        default="auto",
        metavar="LEAN",
        help="auto, elan, embedded, a path, or docker:IMAGE (default: auto)",
    )
    sub.add_argument("--jobs", metavar="N", default="1", help="Leans at once (default: 1)")
    sub.add_argument(
        "--check-timeout", metavar="SECONDS", default="300", help="of Lean (default: 300)"
    )
    sub.add_argument("--sandbox", choices=MODES, default=MODES[0], help="default: auto")
    sub.add_argument("--force", action="store_true", help="replace the output if it is there")
    sub.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Prepare, write all files, and say what came of it."""
    from pytest_vsb.lean import toolchain
    from pytest_vsb.prepare.outcomes import open_outcomes
    from pytest_vsb.prepare.output import outputs
    from pytest_vsb.repository.index import open_index
    from pytest_vsb.repository.progress import Progress

    repository = Path(options.repository).expanduser()
    if not repository.is_dir():
        raise UsageError("there is no such directory", where=str(repository))
    repository = repository.resolve()
    config = _config(options, repository)
    files = outputs(Path(options.output).expanduser().absolute(), force=options.force)
    root = config.root
    if root is None:
        root = Path(os.path.relpath(repository, files.tasks.parent.resolve())).as_posix()
    elif root and (files.tasks.parent / root).resolve() != repository:
        _say(f"note: the tasks' root, {root!r}, does not lead from {files.tasks} to {repository}")
    lean = toolchain.find(options.lean, project=repository)
    _say(lean.describe())
    index = open_index(repository, progress=Progress(repository.name))
    if not index.modules:
        raise UsageError(
            "there are no Lean files in this directory",
            where=str(repository),
            hint="; ".join(index.notes) or "REPO is the directory of the project's lakefile",
        )
    with open_outcomes(files.outcomes) as outcomes:
        try:
            prepared = _prepare(options, config, root, lean, index, outcomes)
        except KeyboardInterrupt:
            _say(
                "interrupted: the same command goes on from here; "
                f"what has been judged is in {files.outcomes}"
            )
            raise
    return _write(files, prepared, config, lean, index)


def _prepare(
    options: argparse.Namespace,
    config: PrepareConfig,
    root: str,
    lean: Toolchain,
    index: Index,
    outcomes: Outcomes,
) -> Prepared:
    from pytest_vsb.judge.check import Checker
    from pytest_vsb.lean.process import Limits
    from pytest_vsb.lean.project import open_project
    from pytest_vsb.lean.sandbox.choose import choose
    from pytest_vsb.prepare.judged import Judge
    from pytest_vsb.prepare.pool import JudgeOf
    from pytest_vsb.prepare.preparation import built, prepare
    from pytest_vsb.repository.dependencies import Resolver
    from pytest_vsb.repository.progress import Progress

    limits = Limits(wall_seconds=number("--check-timeout", options.check_timeout, 0.1))
    jobs = int(number("--jobs", options.jobs, 1))
    sandbox = choose(options.sandbox, lean)

    def judge() -> JudgeOf:
        project = open_project(index.root, lean)
        threads = max(1, (os.cpu_count() or 1) // jobs)
        return Judge(
            lambda: Checker(project, limits, threads=threads, sandbox=sandbox),
            outcomes,
            automation=config.automation,
        ).outcome

    build = built(open_project(index.root, lean), index.modules.order(), config)
    resolver = Resolver(index, build=build)
    prepared = prepare(
        index,
        resolver,
        config,
        root,
        judge,
        jobs=jobs,
        report=_Judging(),
        progress=Progress(f"{index.root.name}, dependencies"),
    )
    notes = (*index.notes, *prepared.found.notes, *resolver.notes, *(build.notes if build else ()))
    for note in dict.fromkeys(notes):
        _say(f"note: {note}")
    return prepared


def _write(
    files: Outputs, prepared: Prepared, config: PrepareConfig, lean: Toolchain, index: Index
) -> int:
    from pytest_vsb.prepare.datasheet import as_json, as_markdown, datasheet, origin_of
    from pytest_vsb.prepare.output import rejected_lines, task_lines, write
    from pytest_vsb.prepare.reasons import causes

    sheet = datasheet(prepared, config, origin_of(index, lean))
    write(files.rejected, rejected_lines(prepared.rejected))
    write(files.sheet_json, as_json(sheet).encode())
    write(files.sheet, as_markdown(sheet, files.tasks).encode())
    reasons = Counter(rejection.reason for rejection in prepared.rejected)
    told = ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common())
    theorems = sum(prepared.found.theorems.values())
    wrong = causes(prepared.rejected)
    if not prepared.tasks:
        raise UsageError(
            "\n  ".join(
                (f"no theorem of {theorems:,} becomes a task: {told or 'there is none'}", *wrong)
            ),
            where=str(index.root),
            hint=f"the reasons are in {files.rejected}",
        )
    write(files.tasks, task_lines(prepared.tasks))
    made = f"{len(prepared.tasks):,} {'task' if len(prepared.tasks) == 1 else 'tasks'}"
    print(f"{files.tasks}: {made} of {theorems:,} {'theorem' if theorems == 1 else 'theorems'}")
    if config.count is not None and len(prepared.tasks) < config.count:
        print(f"fewer than the {config.count:,} asked for: no others pass")
    if told:
        print(f"left out: {told}")
    for line in wrong:
        print(f"  {line}")
    print(f"{files.sheet}\n{files.sheet_json}\n{files.rejected}\n{files.outcomes}")
    return ACCEPTED


def _config(options: argparse.Namespace, repository: Path) -> PrepareConfig:
    """The configuration file's, with what the options say instead."""
    from pytest_vsb.prepare.config import PrepareConfig, read_config

    config = PrepareConfig()
    if options.config:
        config = read_config(Path(options.config).expanduser())
    if options.count is not None:
        config = replace(config, count=_whole("--count", options.count, 1))
    if options.seed is not None:
        config = replace(config, seed=_whole("--seed", options.seed, 0))
    if options.no_automation:
        config = replace(config, automation=False)
    name = config.repository or repository.name
    return replace(config, repository=name, suite=config.suite or name)


def _whole(option: str, text: str, least: int) -> int:
    found = number(option, text, least)
    if found != int(found):
        raise UsageError(f"{text!r} is not a whole number", where=option)
    return int(found)


class _Judging:
    """Says how far judging has come: on a terminal in one line, elsewhere from time to time."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._next = time.monotonic() + (0.5 if self._terminal else 5.0)

    def __call__(self, judged: int, taken: int, wanted: int) -> None:
        now = time.monotonic()
        if now < self._next and not (self._terminal and taken == wanted):
            return
        self._next = now + (0.5 if self._terminal else 20.0)
        text = f"judged {judged:,}; {taken:,} of {counted(wanted, 'task')}"
        if self._terminal:
            end = "\n" if taken == wanted else ""
            print(f"\r{text}\x1b[K", end=end, file=sys.stderr, flush=True)
        else:
            _say(text)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
