"""Which candidates are taken: balanced over categories and both axes of difficulty, by a seed.

A candidate's *cell* is its two ranks, from 0 to 2: by the lines of its proof, and by how much of
the repository it depends on. The candidates of each cell of each category are in an order that
only the seed and their ids decide. The next one to be taken is always from the category that has
given the fewest so far, and there from the cell that has given the fewest; one that a filter
rejects gives its turn to the next of its cell. What is taken so depends only on the candidates and
on what becomes of each, never on when that is known.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

Cell = tuple[int, int]


@dataclass(frozen=True)
class Item:
    """A candidate, as sampling sees it.

    Attributes:
        id: of its task.
        category: of its task.
        proof_lines: how long its proof is.
        dependencies: of how many of the repository's declarations it depends, in all.
    """

    id: str
    category: str
    proof_lines: int
    dependencies: int


@dataclass(frozen=True)
class Bins:
    """The greatest values of the lowest and the middle third of some numbers."""

    low: int
    middle: int

    def rank(self, value: int) -> int:
        """Which third a value belongs to: 0, 1 or 2. Equal values are never parted."""
        return 0 if value <= self.low else 1 if value <= self.middle else 2


def thirds(values: Sequence[int]) -> Bins:
    """The bins of some numbers; of none at all, everything is in the lowest."""
    if not values:
        return Bins(0, 0)
    ordered = sorted(values)
    return Bins(*(ordered[math.ceil(len(ordered) * part / 3) - 1] for part in (1, 2)))


@dataclass(frozen=True)
class Picture:
    """What is taken as far as is known, and what must be known next.

    Attributes:
        taken: ids of the candidates taken, or that will be if they pass, in the order of drawing.
        unknown: those of them that have not been judged, in the same order. Each must be, whatever
            becomes of the others.
    """

    taken: tuple[str, ...]
    unknown: tuple[str, ...]


class Sampler:
    """Draws from some candidates.

    Args:
        items: the candidates.
        seed: any number.
    """

    def __init__(self, items: Sequence[Item], seed: int) -> None:
        self.proof_lines = thirds([item.proof_lines for item in items])
        self.dependencies = thirds([item.dependencies for item in items])
        self._cells = {item.id: self._cell(item) for item in items}
        strata: dict[str, dict[Cell, list[str]]] = {}
        for item in items:
            strata.setdefault(item.category, {}).setdefault(self._cells[item.id], []).append(
                item.id
            )

        def drawn(*what: object) -> str:
            return hashlib.sha256("\0".join(map(str, (seed, *what))).encode()).hexdigest()

        self._strata: Mapping[str, Mapping[Cell, Sequence[str]]] = {
            category: {
                cell: sorted(strata[category][cell], key=lambda name: (drawn(name), name))
                for cell in sorted(
                    strata[category], key=lambda cell: (drawn("cell", category, *cell), cell)
                )
            }
            for category in sorted(strata, key=lambda name: (drawn("category", name), name))
        }

    def _cell(self, item: Item) -> Cell:
        return self.proof_lines.rank(item.proof_lines), self.dependencies.rank(item.dependencies)

    def cell(self, name: str) -> Cell:
        """The ranks of a candidate's proof and dependencies."""
        return self._cells[name]

    def band(self, name: str) -> str:
        """``easy``, ``medium`` or ``hard``, by the sum of a candidate's ranks."""
        both = sum(self._cells[name])
        return "easy" if both < 2 else "medium" if both == 2 else "hard"

    def picture(self, count: int | None, passes: Callable[[str], bool | None]) -> Picture:
        """What is taken.

        Args:
            count: how many at most; None for all.
            passes: whether a candidate passes the filters; None where that is not known yet.
        """
        taken: list[str] = []
        unknown: list[str] = []
        queues = [_Queue(cells, passes) for cells in self._strata.values()]
        while queues and (count is None or len(taken) < count):
            queue = min(queues, key=lambda queue: queue.given)
            found = queue.next()
            if found is None:
                queues.remove(queue)
                continue
            name, known = found
            taken.append(name)
            if not known:
                unknown.append(name)
        return Picture(tuple(taken), tuple(unknown))


@dataclass
class _Given:
    """What is left of a cell, and how many it has given."""

    names: Iterator[str]
    given: int = 0


class _Queue:
    """What one category gives."""

    def __init__(
        self, cells: Mapping[Cell, Sequence[str]], passes: Callable[[str], bool | None]
    ) -> None:
        self._cells = [_Given(iter(names)) for names in cells.values()]
        self._passes = passes
        self.given = 0

    def next(self) -> tuple[str, bool] | None:
        """The next one that passes or may pass, and whether it is known to; None at the end."""
        while self._cells:
            cell = min(self._cells, key=lambda cell: cell.given)
            for name in cell.names:
                outcome = self._passes(name)
                if outcome is not False:
                    cell.given += 1
                    self.given += 1
                    return name, outcome is True
            self._cells.remove(cell)
        return None
