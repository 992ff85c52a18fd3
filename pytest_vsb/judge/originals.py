"""What a task's own file compiles to: with ``sorry``, and with the reference proof."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace

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

    by_limits = False
    """Whether it ran out of time or memory: another time it may not."""


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
        self._stubs: dict[Key, Compiled | None] = {}
        self._places: dict[Key, str] = {}
        self._references: dict[tuple[Key, str], Compiled | None] = {}

    def stub(self, task: Task, located: Located) -> Compiled:
        """The file with ``sorry`` for the target's proof.

        Raises:
            StubFails: it does not compile.
        """
        found = self.known(task, located)
        if found is None:
            found = self._stubs[key(task)] = self._make_stub(task, located)
        return found

    def known(self, task: Task, located: Located) -> Compiled | None:
        """The file with ``sorry``, if it has been compiled."""
        if key(task) not in self._stubs:
            place = self._places[key(task)] = self._place(located)
            found = None if self._shelf is None else self._shelf.find(place)
            self._stubs[key(task)] = found
        return self._stubs[key(task)]

    def note_replayed(self, task: Task, located: Located) -> None:
        """Note that the file with ``sorry`` has been replayed."""
        known = self._stubs[key(task)]
        assert known is not None
        made = self._stubs[key(task)] = replace(known, replayed=True)
        self._keep(task, located, made)

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

    def _make_stub(self, task: Task, located: Located) -> Compiled:
        made = self._compile(located, stub(located.source, located.target))
        if isinstance(made, _Failure):
            error = unusable(task, located, made.why)
            error.by_limits = made.by_limits
            raise error
        self._keep(task, located, made)
        return made

    def _keep(self, task: Task, located: Located, made: Compiled) -> None:
        place = self._places[key(task)]
        # A build may have replaced what it imports meanwhile.
        if self._shelf is not None and self._place(located) == place:
            self._shelf.keep(place, made)

    def _place(self, located: Located) -> str:
        """What the file with ``sorry`` is kept under, as things are now."""
        if self._shelf is None:
            return ""
        text = self._stages.text(located, stub(located.source, located.target))
        return self._shelf.key(located, text)

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


def undeclared(task: Task, located: Located) -> StubFails:
    """The error for a task whose target Lean does not find in its own file."""
    return StubFails(
        f"Lean declares no {task.name} in the file, compiled with `sorry` as its proof",
        where=str(located.path),
        hint="something before it may end the file (`#exit`), or open a namespace by a command of "
        "the repository's own",
    )
