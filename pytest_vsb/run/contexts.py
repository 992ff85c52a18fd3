"""What a run's prover may see of repositories: one context a task, put together when asked for."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pytest_vsb.context.kinds import ContextKind, check_needs
from pytest_vsb.context.records import ContextTooLong, TaskContext
from pytest_vsb.context.tokens import TokenCounter
from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.files import write_atomically
from pytest_vsb.provers.base import Excluded
from pytest_vsb.tasks.model import Task

if TYPE_CHECKING:
    from pytest_vsb.context.assemble import Assembler

_HELD = 4
"""Contexts held at once: those of the tasks in work."""


class Contexts:
    """The contexts of one process. Thread-safe.

    Args:
        kind: what is shown.
        counter: how tokens are counted.
        budget: the most tokens that there may be, or None where nobody knows.
        directory: where to record of each context what it has and what was left out.

    Raises:
        UsageError: see :func:`pytest_vsb.context.kinds.check_needs`.
    """

    def __init__(
        self,
        kind: ContextKind,
        counter: TokenCounter,
        *,
        budget: int | None = None,
        directory: Path | None = None,
    ) -> None:
        check_needs(kind, budget)
        self.kind = kind
        self.counter = counter
        self.budget = budget
        self.directory = directory
        self._assemblers: dict[Path, Assembler] = {}
        self._held: OrderedDict[tuple[Path, str, str], TaskContext] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, task: Task, root: Path, prefix: str) -> TaskContext:
        """The context of a task.

        Args:
            task: with its reference proof, if there is one: the context is held against it.
            root: of its Lean project.
            prefix: the text of its file before the target.

        Raises:
            Excluded: the context is longer than the prover takes.
            EnvironmentUnavailable: the repository cannot be read, or the context would show a
                proof that it must not.
        """
        key = (root, task.id, task.path)
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
            found = self._put_together(task, root, prefix)
            self._record(task, found)
            self._held[key] = found
            if len(self._held) > _HELD:
                self._held.popitem(last=False)
            return found

    def _put_together(self, task: Task, root: Path, prefix: str) -> TaskContext:
        # Most provers never ask for a context: what puts one together is loaded late.
        from pytest_vsb.source.leak import LeakError

        try:
            return self._assembler(root).of(task, prefix)
        except ContextTooLong as error:
            raise Excluded(error.message, where=error.where, hint=error.hint) from error
        except LeakError as error:
            raise EnvironmentUnavailable(
                error.message, where=error.where, hint=error.hint
            ) from error

    def _assembler(self, root: Path) -> Assembler:
        from pytest_vsb.context.assemble import Assembler
        from pytest_vsb.repository.index import open_index
        from pytest_vsb.repository.progress import Progress

        if root not in self._assemblers:
            index = open_index(root, progress=Progress(root.name))
            self._assemblers[root] = Assembler(index, self.kind, self.counter, budget=self.budget)
        return self._assemblers[root]

    def _record(self, task: Task, context: TaskContext) -> None:
        if self.directory is None:
            return
        name = hashlib.sha256(task.id.encode("utf-8", "replace")).hexdigest()[:32]
        record = {
            "task": task.id,
            "kind": str(context.kind),
            "tokens": context.tokens,
            "method": context.method,
            "budget": context.budget,
            "parts": context.parts,
            "omitted": context.omitted,
        }
        # What was left out is told again by `vsb show`: a full disk is not to cost an answer.
        with contextlib.suppress(OSError):
            self.directory.mkdir(parents=True, exist_ok=True)
            path = self.directory / f"{name}.json"
            if not path.exists():
                write_atomically(path, msgspec.json.encode(record))
