"""``vsb check``: judge one proof by hand."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_vsb.cli.common import ACCEPTED, NOT_ACCEPTED, find_task, number, read_text

if TYPE_CHECKING:
    from pytest_vsb.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the command's arguments."""
    from pytest_vsb.judge.outside.levels import ASSURANCES
    from pytest_vsb.judge.policy import PROFILES
    from pytest_vsb.lean.sandbox.box import MODES

    text = "judge one proof by hand; exit code 0 if it is accepted, 1 if not"
    sub = commands.add_parser("check", help=text, description=text, allow_abbrev=False)
    sub.add_argument("task", metavar="TASKFILE::ID", help="a task, by its nodeid")
    sub.add_argument(
        "proof",
        metavar="PROOF-FILE",
        help="the proof, from `:=` or `by` on; - reads it from standard input",
    )
    sub.add_argument("--auxiliary", metavar="FILE", help="declarations to go before the target")
    sub.add_argument(
        "--negation", action="store_true", help="the proof is one of the statement's negation"
    )
    sub.add_argument(
        "--lean",
        default="auto",
        metavar="LEAN",
        help="auto, elan, embedded, a path, or docker:IMAGE (default: auto)",
    )
    sub.add_argument("--repos", metavar="DIR", help="directory of the repositories")
    sub.add_argument("--timeout", metavar="SECONDS", default="300", help="of Lean (default: 300)")
    sub.add_argument(
        "--memory", metavar="MB", help="of Lean (default: 80 percent of this machine's)"
    )
    sub.add_argument("--policy", choices=PROFILES, default=PROFILES[0], help="default: strict")
    sub.add_argument("--sandbox", choices=MODES, default=MODES[0], help="default: auto")
    sub.add_argument(
        "--assurance", choices=ASSURANCES, default="standard", help="default: standard"
    )
    sub.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Judge one proof and print the verdict, its reason and Lean's messages."""
    from pytest_vsb.judge.check import Checker
    from pytest_vsb.lean import toolchain
    from pytest_vsb.lean.process import Limits
    from pytest_vsb.lean.project import open_project
    from pytest_vsb.lean.sandbox.choose import choose
    from pytest_vsb.provers.base import Candidate
    from pytest_vsb.report.verdict import verdict_lines
    from pytest_vsb.tasks.locate import project_root

    limits = Limits(
        wall_seconds=number("--timeout", options.timeout, 0.1),
        memory_mb=int(number("--memory", options.memory, 1)) if options.memory else None,
    )
    task = find_task(options.task)
    candidate = Candidate(
        proof=read_text(options.proof, "PROOF-FILE"),
        auxiliary=read_text(options.auxiliary, "--auxiliary") if options.auxiliary else "",
    )
    repos = Path(options.repos) if options.repos else None
    root = project_root(task, repos)
    lean = toolchain.find(options.lean, project=root)
    project, sandbox = open_project(root, lean), choose(options.sandbox, lean)
    checker = Checker(
        project,
        limits,
        policy=options.policy,
        sandbox=sandbox,
        assurance=options.assurance,
    )
    if options.negation:
        task = checker.negation(task)
    verdict = checker.check(task, candidate)
    for line in verdict_lines(task.id, verdict, checker.excerpts(task, candidate, verdict)):
        print(line)
    hint = None if verdict.accepted else _hint(candidate.proof)
    if hint:
        print(f"hint: {hint}")
    if options.negation and verdict.accepted:
        print(f"the statement of {options.task} is false")
    return ACCEPTED if verdict.accepted else NOT_ACCEPTED


def _hint(proof: str) -> str | None:
    """What is wrong with a proof file that holds more than a proof."""
    from pytest_vsb.source import scan

    text = proof.strip()
    if re.search(r"^[ \t]*(?:`{3,}|~{3,})", text, re.MULTILINE):
        return "give the Lean alone, without the fences of a Markdown block"
    declared = scan(text).declarations
    if declared and declared[0].span.start == 0:
        return "give only what follows the statement, from `:=` or `by` on"
    return None
