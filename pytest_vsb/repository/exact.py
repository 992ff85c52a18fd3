"""Which declarations a declaration uses, as Lean itself wrote it down in an ``.ilean``."""

from __future__ import annotations

import bisect
from collections.abc import Iterator

from pytest_vsb.repository.facts import members
from pytest_vsb.repository.ilean import Ilean, Positions, Reference
from pytest_vsb.repository.names import Table, Viewer
from pytest_vsb.repository.resolve import Reading, read_module
from pytest_vsb.repository.scopes import components, parent
from pytest_vsb.repository.uses import Part, Use, Uses, part_of
from pytest_vsb.source import Declaration, Source


def exact_uses(
    table: Table, module: str, source: Source, ilean: Ilean
) -> list[tuple[Use, ...]] | None:
    """What each declaration of a module uses, in the order of the file, without examples.

    What notations and macros stand for is added from the text: an ``.ilean`` has only names that
    stand in the file. None if the ``.ilean`` was made from another text than this.
    """
    declarations = [
        declaration
        for command in source.commands
        for declaration in members(command)
        if declaration.kind != "example"
    ]
    positions = Positions(source.text)
    if not _fits(declarations, positions, source, ilean):
        return None
    table.imported(module)
    places = sorted(
        ((d.span.start, d.span.end, number) for number, d in enumerate(declarations)),
    )
    readings = read_module(table, module, source)
    found = [Uses() for _ in declarations]
    at = 0
    variables = _Variables(readings)
    for start, end, reference in sorted(_spans(positions, ilean), key=lambda item: item[0]):
        for number in variables.at(start):
            use = _use(table, module, declarations[number], "statement", reference)
            if use is not None:
                found[number].add(use)
        while at < len(places) and places[at][1] <= start:
            at += 1
        if at == len(places) or start < places[at][0] or end > places[at][1]:
            continue
        number = places[at][2]
        if start < declarations[number].statement.start:
            # An attribute's or a docstring's: the declaration does not need it.
            continue
        part = part_of(declarations[number], start)
        use = _use(table, module, declarations[number], part, reference)
        if use is not None and (use.module, use.entry) != (module, number):
            found[number].add(use)
    for number, reading in enumerate(readings):
        for use in reading.symbol_uses:
            found[number].add(use)
    return [uses.all() for uses in found]


class _Variables:
    """Which declarations the binder groups of ``variable`` commands belong to."""

    def __init__(self, readings: list[Reading]) -> None:
        found: dict[tuple[int, int], list[int]] = {}
        for number, reading in enumerate(readings):
            for group in reading.variables:
                found.setdefault((group.start, group.end), []).append(number)
        self._groups = sorted(found.items())
        self._starts = [start for (start, _), _ in self._groups]

    def at(self, offset: int) -> list[int]:
        """The declarations that a group at some place belongs to."""
        index = bisect.bisect_right(self._starts, offset) - 1
        if index < 0 or offset >= self._groups[index][0][1]:
            return []
        return self._groups[index][1]


def _spans(positions: Positions, ilean: Ilean) -> Iterator[tuple[int, int, Reference]]:
    for reference in ilean.usages:
        span = positions.span(reference)
        if span is not None:
            yield span.start, span.end, reference


def _fits(
    declarations: list[Declaration], positions: Positions, source: Source, ilean: Ilean
) -> bool:
    """Whether an ``.ilean`` is of this text: what it says is defined stands where it says."""
    places = {d.full_name: d for d in declarations if d.full_name}
    for reference in ilean.definitions:
        declaration = places.get(reference.name)
        if declaration is None:
            continue
        span = positions.span(reference)
        if span is None or components(reference.name)[-1].strip("\u00ab\u00bb") not in span.of(
            source.text
        ):
            return False
    return all(positions.span(reference) is not None for reference in ilean.usages)


def _use(
    table: Table, module: str, declaration: Declaration, part: Part, reference: Reference
) -> Use | None:
    name = reference.name
    where = reference.module
    project = where in table.index.modules if where else None
    if project is not False:
        end = declaration.mutual.end if declaration.mutual is not None else declaration.span.end
        found = _declared(table, name, where, Viewer(module, declaration.span.start, end))
        if found is not None:
            return Use(*found, part, "exact")
        if project:
            return None
    return Use(name, where, -1, part, "exact")


def _declared(table: Table, name: str, where: str, viewer: Viewer) -> tuple[str, str, int] | None:
    """The declaration that a name belongs to: the name's own, or the one it was generated for."""
    while name:
        if where:
            for known in table.facts(where).known:
                if known.name == name and known.entry >= 0:
                    return table.facts(where).names[known.entry] or name, where, known.entry
        else:
            target = table.lookup(name, viewer)
            if target is not None and target.known.entry >= 0:
                entry = target.known.entry
                return table.facts(target.module).names[entry] or name, target.module, entry
        name = parent(name)
    return None
