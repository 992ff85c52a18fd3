"""What a task's own file compiles to: with ``sorry``, and with the reference proof."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.compiled import Compiled
from pytest_vsb.judge.located import Key, Located, key
from pytest_vsb.judge.running import failure
from pytest_vsb.judge.shelf import Shelf
from pytest_vsb.judge.stages import Stages, compiled_file, trouble
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.scratch import scratch
from pytest_vsb.source.splice import Submission, splice, stub
from pytest_vsb.tasks.model import Task

ORIGINAL = "VsbOriginal"
"""The name of the original file's olean beside a submission's."""


class StubFails(EnvironmentUnavailable):
    """A task's own file does not compile with ``sorry`` as its proof, or cannot be audited then."""


@dataclass(frozen=True)
class _Failure:
    """Why a file was not compiled, and whether a limit of time or memory was the reason: another
    time it may be."""

    why: str
    by_limits: bool


class Originals:
    """Compiles the original files of tasks, each once.

    Args:
        stages: compiles.
        shelf: where the files with ``sorry`` are kept from run to run, if they are.
    """

    def __init__(self, stages: Stages, shelf: Shelf | None = None) -> None:
        self._stages = stages
        self._shelf = shelf
        self._stubs: dict[Key, Compiled] = {}
        self._references: dict[tuple[Key, str], Compiled | None] = {}

    def stub(self, task: Task, located: Located) -> Compiled:
        """The file with ``sorry`` for the target's proof.

        Raises:
            StubFails: it does not compile.
        """
        if key(task) not in self._stubs:
            self._stubs[key(task)] = self._find_stub(task, located)
        return self._stubs[key(task)]

    def reference(self, task: Task, located: Located) -> Compiled | None:
        """The file with the reference proof, if there is one and it compiles.

        Raises:
            EnvironmentUnavailable: there is no telling, since time or memory was over.
        """
        if task.reference_proof is None:
            return None
        place = key(task), task.reference_proof
        if place not in self._references:
            text = splice(located.source, located.target, auxiliary="", proof=task.reference_proof)
            found = self._compile(located, text)
            if isinstance(found, _Failure) and found.by_limits:
                raise EnvironmentUnavailable(
                    f"the file cannot be compiled with the reference proof of {task.name}, which "
                    f"settles what the statement is: {found.why}",
                    where=str(located.path),
                    hint="is the machine short of memory or time? See --vsb-check-timeout",
                )
            self._references[place] = None if isinstance(found, _Failure) else found
        return self._references[place]

    def _find_stub(self, task: Task, located: Located) -> Compiled:
        submission = stub(located.source, located.target)
        text = self._stages.text(located, submission)
        shelf = self._shelf
        place = shelf.key(located, text) if shelf is not None else ""
        found = shelf.find(place) if shelf is not None else None
        if found is not None:
            return found
        made = self._compile(located, submission)
        if isinstance(made, _Failure):
            raise unusable(task, located, made.why)
        # A build may have replaced what it imports meanwhile.
        if shelf is not None and shelf.key(located, text) == place:
            shelf.keep(place, made)
        return made

    def _compile(self, located: Located, submission: Submission) -> Compiled | _Failure:
        with scratch() as directory:
            run = self._stages.compile(located, submission, directory)
            wrong = trouble(run, directory)
            if wrong is not None:
                kind, _ = failure(run.completed, self._stages.limits)
                return _Failure(wrong, kind in (VerdictKind.TIMEOUT, VerdictKind.OUT_OF_MEMORY))
            olean = compiled_file(directory)
            stem = olean.name.removesuffix(".olean")
            files = sorted(directory.glob(f"{olean.name}*"))
            return Compiled(
                tuple(
                    (file.name.removeprefix(stem), zlib.compress(file.read_bytes(), 1))
                    for file in files
                ),
                said=run.output.diagnostics,
                seconds=run.completed.wall_seconds,
            )


def unusable(task: Task, located: Located, why: str) -> StubFails:
    """The error for a task whose own file cannot be judged."""
    return StubFails(
        f"the file does not compile with `sorry` as the proof of {task.name}: {why}",
        where=str(located.path),
        hint="the repository may be at another commit, or its Lean another version",
    )
