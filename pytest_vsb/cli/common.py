"""What several commands need: exit codes, arguments, the task that is meant."""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_vsb.errors import UsageError

if TYPE_CHECKING:
    from pytest_vsb.tasks.model import Task

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

ACCEPTED, NOT_ACCEPTED, USAGE, INTERRUPTED, BROKEN_PIPE = 0, 1, 4, 130, 141
"""Exit codes. pytest's own for a usage error is 4, so it is ours."""

MAX_PROOF_BYTES = 16 * 2**20


def find_task(nodeid: str) -> Task:
    """The task of a nodeid ``TASKFILE::ID``."""
    from pytest_vsb.tasks.dataset import read_tasks

    name, separator, wanted = nodeid.partition("::")
    if not separator or not name or not wanted:
        raise UsageError(
            f"not of the form TASKFILE::ID: {nodeid!r}", hint="such as mine.vsb.jsonl::my_theorem"
        )
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


def read_text(name: str, what: str) -> str:
    """The text of a file, or of standard input for ``-``; ``what`` names the argument."""
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


def number(option: str, text: str, least: float) -> float:
    """The number that an option gives, of at least ``least``."""
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not least <= number < float("inf"):
        raise UsageError(f"{text!r} is not a number of at least {least:g}", where=option)
    return number


def existing(option: str, name: str) -> Path:
    """The directory that an option names."""
    path = Path(name).expanduser()
    if not path.is_dir():
        raise UsageError("no such directory", where=f"{option}={name}")
    return path
