"""What a chart of the page is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True)
class Legend:
    """What a colour, or a dashed line of that colour, stands for."""

    name: str
    colour: int
    dashed: bool = False


@dataclass(frozen=True)
class Chart:
    """A chart: ``title`` says what it shows, ``note`` how to read it, ``head`` and ``rows`` its
    numbers; ``tall`` for one that may be longer than others."""

    id: str
    title: str
    note: str
    drawing: Markup
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    legend: tuple[Legend, ...] = ()
    tall: bool = False


def legend_of(names: Sequence[str]) -> tuple[Legend, ...]:
    """The legend of a chart with one colour a run; none for one run."""
    return tuple(Legend(name, number) for number, name in enumerate(names)) if names[1:] else ()
