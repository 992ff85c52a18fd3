"""The files that a preparation writes beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from pytest_vsb.errors import UsageError
from pytest_vsb.files import write_atomically
from pytest_vsb.prepare.reasons import Rejection
from pytest_vsb.tasks import native
from pytest_vsb.tasks.model import Task

_SUFFIXES = (".vsb.jsonl", ".jsonl")


@dataclass(frozen=True)
class Outputs:
    """Where everything goes, by the task file's path: ``NAME.vsb.jsonl`` has
    ``NAME.datasheet.md``, ``NAME.datasheet.json``, ``NAME.rejected.jsonl`` and
    ``NAME.outcomes.jsonl`` beside it."""

    tasks: Path

    def _beside(self, suffix: str) -> Path:
        name = self.tasks.name
        for end in _SUFFIXES:
            if name.endswith(end) and name != end:
                name = name.removesuffix(end)
                break
        return self.tasks.with_name(name + suffix)

    @property
    def sheet(self) -> Path:
        """The datasheet, to be read."""
        return self._beside(".datasheet.md")

    @property
    def sheet_json(self) -> Path:
        """The datasheet, for programs."""
        return self._beside(".datasheet.json")

    @property
    def rejected(self) -> Path:
        """The theorems that are no tasks."""
        return self._beside(".rejected.jsonl")

    @property
    def outcomes(self) -> Path:
        """What the judge said."""
        return self._beside(".outcomes.jsonl")


def outputs(path: Path, *, force: bool) -> Outputs:
    """The files for a task file.

    Raises:
        UsageError: it is there already, unless ``force``, or cannot be written there.
    """
    if not path.name or path.is_dir():
        raise UsageError("is a directory; a file is expected", where=f"--output={path}")
    if not path.name.endswith(".jsonl"):
        raise UsageError(
            "does not end in .jsonl",
            where=f"--output={path}",
            hint="pytest collects task files named *.vsb.jsonl",
        )
    if path.exists() and not force:
        raise UsageError("is there already", where=str(path), hint="--force replaces it")
    if not path.parent.is_dir():
        raise UsageError("its directory is not there", where=f"--output={path}")
    return Outputs(path)


def task_lines(tasks: Sequence[Task]) -> bytes:
    """A task file with some tasks."""
    return "".join(f"{native.encode(task)}\n" for task in tasks).encode()


def rejected_lines(rejected: Sequence[Rejection]) -> bytes:
    """One JSON object a line for each theorem that is no task."""
    return b"".join(msgspec.json.encode(rejection) + b"\n" for rejection in rejected)


def write(path: Path, data: bytes) -> None:
    """Write one file whole.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        write_atomically(path, data)
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror or error}", where=str(path)
        ) from error
