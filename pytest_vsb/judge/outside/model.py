"""What an outside judge is asked, and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pytest_vsb.judge.located import Located
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.process import Completed


@dataclass(frozen=True)
class Case:
    """A submission to judge: the texts, and the oleans in ``directory``."""

    located: Located
    directory: Path
    original: Path
    """The olean of the original file, with ``sorry`` for the target's proof."""
    submission: Path
    original_text: str
    submission_text: str
    axioms: frozenset[str]
    """Those that a proof may rest on."""


@dataclass(frozen=True)
class Opinion:
    """What a judge says: accepted, refused, or nothing (``None``), with the reason.

    ``checks`` are the names of the checks that were made; ``kind`` the verdict for a process that
    ended as this one did, if it says nothing.
    """

    accepted: bool | None
    checks: tuple[str, ...] = ()
    reason: str = ""
    kind: VerdictKind = VerdictKind.CRASHED
    runs: tuple[Completed, ...] = ()


class Judge(Protocol):
    """A judge that is installed."""

    @property
    def name(self) -> str:
        """As in a verdict's ``assurance``."""
        ...

    @property
    def programs(self) -> tuple[Path, ...]:
        """The files that it runs."""
        ...

    def unsuited(self, case: Case) -> str | None:
        """Why it cannot judge a task, tried out on the task's own file as the submission; ``None``
        if it can.

        Raises:
            EnvironmentUnavailable: it cannot be started.
        """
        ...

    def judge(self, case: Case) -> Opinion:
        """Judge a submission.

        Raises:
            EnvironmentUnavailable: it cannot be started.
        """
        ...


class Asks(Protocol):
    """Runs a judge's program on a case: its words, and where else it may look for modules."""

    def __call__(
        self,
        program: Path,
        arguments: Sequence[str],
        directory: Path,
        search_path: Sequence[Path],
    ) -> Completed: ...
