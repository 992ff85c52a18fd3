"""The floor: limits on each process, and no box."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_vsb.lean.sandbox import limits
from pytest_vsb.lean.sandbox.box import Box, Confinement, Level


@dataclass(frozen=True)
class Rlimits:
    """Keeps to limits and confines in no other way; the environment is empty at all levels."""

    @property
    def level(self) -> Level:
        return Level.RLIMITS

    def describe(self) -> str:
        return "limits only"

    def confine(self, argv: tuple[str, ...], box: Box) -> Confinement:
        """See :class:`~pytest_vsb.lean.sandbox.box.Sandbox`; the box is open."""
        return Confinement(argv, {"rlimits": limits.numbers(), "confines": False})
