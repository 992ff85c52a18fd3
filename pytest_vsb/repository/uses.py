"""The record of one use of one declaration by another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pytest_vsb.source import Declaration
from pytest_vsb.source.elide import PROVING

Part = Literal["statement", "body", "proof"]
How = Literal["exact", "heuristic"]


@dataclass(frozen=True)
class Use:
    """One declaration that another one uses.

    Attributes:
        name: its full name; of a library's as far as it is known.
        module: where it is; empty for a library's, of which a text does not tell.
        entry: its position among the declarations of its module; -1 for a library's.
        part: where it is used: in the statement if it is used there at all.
        how: whether Lean said so or the text was read.
    """

    name: str
    module: str
    entry: int
    part: Part
    how: How = "heuristic"


class Uses:
    """The uses of one declaration, each once."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, int], Use] = {}

    def add(self, use: Use) -> None:
        """One more use; that in a statement replaces one elsewhere."""
        key = ("", use.module, use.entry) if use.entry >= 0 else (use.name, use.module, -1)
        before = self._found.get(key)
        if before is None or (use.part == "statement" and before.part != "statement"):
            self._found[key] = use

    def all(self) -> tuple[Use, ...]:
        """All of them, in the order in which they were first added."""
        return tuple(self._found.values())


def part_of(declaration: Declaration, offset: int) -> Part:
    """The part of a declaration that a place in its file belongs to."""
    if declaration.body is None or offset < declaration.body.start:
        return "statement"
    return "proof" if declaration.kind in PROVING else "body"
