"""What a prover is given to see of a repository for one task, in records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pytest_vsb.context.kinds import ContextKind
from pytest_vsb.context.surroundings import Surroundings
from pytest_vsb.errors import VsbError

HEADINGS = "headings"
"""The part of a context that is headings, titles and the fences of blocks."""


class ContextTooLong(VsbError):
    """A context has more tokens than the model takes at all."""


@dataclass(frozen=True)
class Part:
    """One part of a context: how many declarations it shows, and in how many tokens."""

    name: str
    declarations: int
    tokens: int


@dataclass(frozen=True)
class Omitted:
    """What of the repository is not shown, and why.

    One declaration that did not fit the ``budget``; or, with an empty name, all ``declarations`` of
    a module that is ``not imported`` by the target's file, which could not use them.
    """

    name: str
    module: str
    reason: Literal["budget", "not imported"]
    tokens: int
    declarations: int = 1


@dataclass(frozen=True)
class TaskContext:
    """The context of one task.

    ``method`` says how tokens were counted; ``budget`` how many there may be, for a kind that is
    cut to a number. ``parts`` go from what is shown first to what is shown last.
    """

    kind: ContextKind
    around: Surroundings
    parts: tuple[Part, ...]
    method: str
    budget: int | None = None
    omitted: tuple[Omitted, ...] = ()

    @property
    def tokens(self) -> int:
        """The tokens of all parts; the task itself comes to them."""
        return sum(part.tokens for part in self.parts)

    @property
    def source_tokens(self) -> int:
        """The same without the headings: what the Lean and the names have."""
        return sum(part.tokens for part in self.parts if part.name != HEADINGS)
