"""One benchmark task as one pytest item. Collecting needs this module, so it imports little."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_vsb.errors import EnvironmentUnavailable, VsbError

if TYPE_CHECKING:
    from pytest_vsb.plugin.runner import ItemRunner
    from pytest_vsb.run.records import Attempt, TaskResult
    from pytest_vsb.tasks.model import Task

RUNNER: pytest.StashKey[ItemRunner] = pytest.StashKey()
"""What runs the items of this process, if there is a prover."""


class Unsolved(Exception):
    """No sample proved the task; the message explains."""


def _why_not(result: TaskResult | None) -> str:
    if result is None:
        return "budget"
    return f"known to be bad: {result.reason}" if result.status == "known_bad" else result.reason


class TaskItem(pytest.Item):
    """A task. Its call makes all samples with their repairs and passes if one proves it."""

    def __init__(self, *, task: Task, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.task = task
        self.attempts: list[Attempt] = []
        self.result: TaskResult | None = None
        self.following: Task | None = None
        """The task of the item that comes next, if that is known and is one of a task."""

    @property
    def runner(self) -> ItemRunner | None:
        return self.config.stash.get(RUNNER, None)

    def setup(self) -> None:
        if self.runner is None:
            pytest.skip("no prover is chosen: give --vsb-model=NAME")
        if not self.runner.prepare(self):
            pytest.skip(_why_not(self.result))

    def runtest(self) -> None:
        if self.runner is None:
            raise RuntimeError("an item without a prover is skipped in setup")
        self.result = self.runner.run(self)
        if self.result.status in ("budget", "excluded", "known_bad"):
            pytest.skip(_why_not(self.result))
        if self.result.status == "unavailable":
            raise EnvironmentUnavailable(self.result.reason)
        if self.runner.fails(self.result):
            raise Unsolved

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        line = self.task.origin.line - 1 if self.task.origin else None
        # Not the name alone: where a nodeid ends with this, pytest takes its dots for a class's.
        return Path(self.path), line, f"task {self.name}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """A few lines on what was tried; a traceback only for what should not happen."""
        error = excinfo.value
        if isinstance(error, (Unsolved, pytest.fail.Exception)) and self.runner is not None:
            return self.runner.explain(self)
        if isinstance(error, VsbError):
            from pytest_vsb.report.text import clean

            return clean(str(error), 4000)
        return super().repr_failure(excinfo)
