"""``vsb validate``: judge reference proofs, by a pytest run, and tell of each task."""

from __future__ import annotations

import argparse
import contextlib
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_vsb.errors import UsageError, VsbError

if TYPE_CHECKING:
    from pytest_vsb.cli.common import Commands
    from pytest_vsb.report.validation import Checked

VALIDATING = ("--vsb-model=reference", "--vsb-samples=1", "--vsb-repairs=0")
OWN = ("--json", "--known-bad")


def add(commands: Commands) -> None:
    """Add the command for its help; what follows it is pytest's to read."""
    text = "judge the reference proofs of task files, as a pytest run"
    sub = commands.add_parser(
        "validate",
        help=text,
        description=f"{text} with {' '.join(VALIDATING)}, and tell of each task whether its "
        "reference proof is accepted, how long Lean took, its memory, and the axioms; all other "
        "options are pytest's.",
        usage="vsb validate TASKFILE... [--json FILE] [--known-bad FILE] "
        "[pytest options, such as -n 2]",
        allow_abbrev=False,
    )
    sub.add_argument("--json", metavar="FILE", help="write the same as JSON")
    sub.add_argument(
        "--known-bad", metavar="FILE", help="write a list of the unsound, for --vsb-known-bad"
    )
    sub.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Without arguments there is nothing to validate."""
    return validate([])


def validate(arguments: list[str]) -> int:
    """Run pytest with the reference prover, then print a line for each task of the run."""
    from pytest_vsb.report.validation import (
        TITLE,
        checked_json,
        checked_lines,
        checked_tasks,
        unsound_text,
    )
    from pytest_vsb.run.directory import RunDirectory, default_path

    own, arguments = _take(OWN, arguments)
    _check(arguments)
    given = _last(arguments, "--vsb-run")
    path = Path(given).expanduser() if given else default_path(Path(), "reference")
    if not given:
        arguments = [*arguments, f"--vsb-run={path}"]
    code = _pytest([*VALIDATING, *arguments])
    if not (path / "tasks.jsonl").exists():
        return code
    tasks = checked_tasks(RunDirectory(path.absolute()))
    print(f"\n{TITLE}\n")
    for line in checked_lines(tasks):
        print(line)
    sys.stdout.flush()
    writers: dict[str, Callable[[Sequence[Checked]], bytes]] = {
        "--json": checked_json,
        "--known-bad": lambda tasks: unsound_text(tasks).encode("utf-8", "backslashreplace"),
    }
    for option, file in own.items():
        _write(Path(file).expanduser(), writers[option](tasks), option)
    return code


def _check(arguments: list[str]) -> None:
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


def _take(options: Sequence[str], arguments: list[str]) -> tuple[dict[str, str], list[str]]:
    """The values of our own options, and the arguments without them."""
    found: dict[str, str] = {}
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        option, separator, value = word.partition("=")
        if option not in options:
            rest.append(word)
            continue
        if not separator:
            value = next(words, "")
        if not value:
            raise UsageError("which file?", where=option, hint=f"{option}=FILE")
        found[option] = value
    return found, rest


def _last(arguments: Sequence[str], option: str) -> str:
    """The value that an option of pytest's is given last."""
    value = ""
    for index, word in enumerate(arguments):
        name, separator, given = word.partition("=")
        if name == option:
            value = given if separator else "".join(arguments[index + 1 : index + 2])
    return value


def _pytest(arguments: list[str]) -> int:
    """Run pytest, pass on what ends us, and give its exit code."""
    command = [sys.executable, "-m", "pytest", *arguments]
    sys.stdout.flush()
    try:
        process = subprocess.Popen(command)
    except OSError as error:
        raise VsbError(f"pytest cannot be started: {error.strerror}", where=command[0]) from error
    with _passing_on(process):
        code = process.wait()
    return code if code >= 0 else 128 - code


@contextlib.contextmanager
def _passing_on(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Leave Ctrl-C to pytest, which the terminal tells as well, and pass on a request to end."""
    before = {
        number: signal.signal(number, handler)
        for number, handler in (
            (signal.SIGINT, lambda *_: None),
            (signal.SIGTERM, lambda *_: process.terminate()),
        )
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _write(path: Path, content: bytes, option: str) -> None:
    from pytest_vsb.files import write_atomically

    try:
        write_atomically(path, content)
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror or error}", where=f"{option}={path}"
        ) from error
