"""The ``vsb`` command: what is not a test run."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from pytest_vsb import __version__
from pytest_vsb.errors import UsageError, VsbError

if TYPE_CHECKING:
    from pytest_vsb.tasks.model import Task

ACCEPTED, NOT_ACCEPTED, USAGE, INTERRUPTED, BROKEN_PIPE = 0, 1, 4, 130, 141
"""Exit codes. pytest's own for a usage error is 4, so it is ours."""

MAX_PROOF_BYTES = 16 * 2**20
VALIDATING = ("--vsb-model=reference", "--vsb-samples=1", "--vsb-repairs=0")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, 1 (not accepted), 4 (usage, environment)."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except VsbError as error:
        _complain(str(error))
        return USAGE
    except BrokenPipeError:
        # Whoever read our output has gone; Python must not complain of it at its end, either.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _complain(text: str) -> None:
    with contextlib.suppress(OSError):
        print(f"vsb: error: {text}", file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message, hint=f"{self.prog} --help")


def _run(arguments: list[str]) -> int:
    parser = _parser()
    if arguments[:1] == ["validate"] and not {"-h", "--help"} & set(arguments):
        # What follows is pytest's: `-n 2` is no option of ours and no task file.
        return validate(arguments[1:])
    try:
        options = parser.parse_args(arguments)
    except SystemExit as end:  # after --help or --version
        return int(end.code or 0)
    command: Callable[[argparse.Namespace], int] | None = options.command
    if command is None:
        parser.print_help()
        return USAGE
    return command(options)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="vsb", description="Verification benchmarks in Lean.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"pytest-vsb {__version__}")
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    text = "fold a run directory again: write results.json, print the section"
    sub = commands.add_parser("report", help=text, description=text, allow_abbrev=False)
    sub.add_argument("run", metavar="RUN", help="a run directory, also of a run that was killed")
    sub.set_defaults(command=report)

    text = "judge one proof by hand; exit code 0 if it is accepted, 1 if not"
    sub = commands.add_parser("check", help=text, description=text, allow_abbrev=False)
    sub.add_argument("task", metavar="TASKFILE::ID", help="a task, by its nodeid")
    sub.add_argument("proof", metavar="PROOF-FILE", help="the proof, from `:=` or `by` on; - reads")
    sub.add_argument("--auxiliary", metavar="FILE", help="declarations to go before the target")
    sub.add_argument("--lean", default="auto", help="auto, elan, embedded, or a path")
    sub.add_argument("--repos", metavar="DIR", help="directory of the repositories")
    sub.add_argument("--timeout", metavar="SECONDS", default="300", help="of Lean (default: 300)")
    sub.add_argument("--memory", metavar="MB", help="of Lean (default: no limit)")
    sub.set_defaults(command=check)

    text = "judge the reference proofs of task files, as a pytest run"
    commands.add_parser(
        "validate",
        help=text,
        description=f"{text} with {' '.join(VALIDATING)}; all other options are pytest's.",
        usage="vsb validate TASKFILE... [pytest options, such as -n 2]",
        allow_abbrev=False,
    )
    return parser


# ---- vsb report ----------------------------------------------------------------------------------


def report(options: argparse.Namespace) -> int:
    """Fold the journals of a run directory and report them as the run itself would have."""
    from pytest_vsb.report.results import write_results
    from pytest_vsb.report.section import TITLE, report_run, section_lines
    from pytest_vsb.run.directory import RunDirectory

    directory = RunDirectory(Path(options.run).expanduser().absolute())
    found = report_run(directory)
    model = str(found.run.get("identity", {}).get("model", ""))
    print(f"{TITLE}\n")
    for line in section_lines(found.summary, found.run, model=model, path=directory.path):
        print(line)
    sys.stdout.flush()
    write_results(directory.results, found.run, found.summary, found.results)
    return 0


# ---- vsb check -----------------------------------------------------------------------------------


def check(options: argparse.Namespace) -> int:
    """Judge one proof and print the verdict, its reason and Lean's messages."""
    from pytest_vsb.judge.check import Checker
    from pytest_vsb.lean import toolchain
    from pytest_vsb.lean.process import Limits
    from pytest_vsb.lean.project import open_project
    from pytest_vsb.provers.base import Candidate
    from pytest_vsb.report.verdict import verdict_lines
    from pytest_vsb.tasks.locate import project_root

    limits = Limits(
        wall_seconds=_number("--timeout", options.timeout, 0.1),
        memory_mb=int(_number("--memory", options.memory, 1)) if options.memory else None,
    )
    task = _find_task(options.task)
    candidate = Candidate(
        proof=_read_text(options.proof, "PROOF-FILE"),
        auxiliary=_read_text(options.auxiliary, "--auxiliary") if options.auxiliary else "",
    )
    repos = Path(options.repos) if options.repos else None
    root = project_root(task, repos)
    checker = Checker(open_project(root, toolchain.find(options.lean, project=root)), limits)
    verdict = checker.check(task, candidate)
    for line in verdict_lines(task.id, verdict, checker.excerpts(task, candidate, verdict)):
        print(line)
    return ACCEPTED if verdict.accepted else NOT_ACCEPTED


def _find_task(nodeid: str) -> Task:
    from pytest_vsb.tasks.dataset import read_tasks

    name, separator, wanted = nodeid.partition("::")
    if not separator or not name or not wanted:
        raise UsageError(f"not of the form TASKFILE::ID: {nodeid!r}", hint="vsb check --help")
    file = read_tasks(Path(name).expanduser())
    for task in file.tasks:
        if task.id == wanted:
            return task
    ids = [task.id for task in file.tasks]
    near = difflib.get_close_matches(wanted, ids, n=3)
    broken = f"; {len(file.problems)} of its lines are broken" if file.problems else ""
    raise UsageError(
        f"no task {wanted!r} among {len(ids)}{broken}",
        where=name,
        hint=f"did you mean {', '.join(near)}?" if near else None,
    )


def _read_text(name: str, what: str) -> str:
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MAX_PROOF_BYTES + 1)
        else:
            with Path(name).expanduser().open("rb") as file:
                data = file.read(MAX_PROOF_BYTES + 1)
        if len(data) > MAX_PROOF_BYTES:
            raise UsageError(f"larger than {MAX_PROOF_BYTES} bytes", where=f"{what} {name}")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise UsageError(
            f"cannot be read: {error.strerror or error}", where=f"{what} {name}"
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"is not UTF-8 text: {error}", where=f"{what} {name}") from error


def _number(option: str, text: str, least: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not least <= number < float("inf"):
        raise UsageError(f"{text!r} is not a number of at least {least:g}", where=option)
    return number


# ---- vsb validate --------------------------------------------------------------------------------


def validate(arguments: list[str]) -> int:
    """Become a pytest run with the reference prover."""
    names = [argument for argument in arguments if not argument.startswith("-")]
    if not any(Path(name.partition("::")[0]).exists() for name in names):
        raise UsageError(
            "no such task file" if names else "no task file is given",
            where=names[0] if names else "vsb validate",
            hint="vsb validate TASKFILE... [pytest options]",
        )
    fixed = {option.partition("=")[0] for option in VALIDATING}
    for option in (argument.partition("=")[0] for argument in arguments):
        if option in fixed:
            raise UsageError("validating sets this option itself", where=option)
    command = [sys.executable, "-m", "pytest", *VALIDATING, *arguments]
    sys.stdout.flush()
    try:
        os.execv(sys.executable, command)
    except OSError as error:
        raise VsbError(f"pytest cannot be started: {error.strerror}", where=command[0]) from error


if __name__ == "__main__":
    sys.exit(main())
