"""Declarations of elsewhere written down so that they mean the same at another place.

They keep their full names, and what was in force where they stood is in force around them. What is
in force at the new place cannot be undone: a name may be ambiguous there that was not so before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_vsb.source import units as reading
from pytest_vsb.source.units import ScopeCommand, Unit


class Relocation:
    """Moves declarations to where a unit stands.

    Args:
        place: the unit before which they go.
    """

    def __init__(self, place: Unit) -> None:
        self.place = place
        self._scopes: dict[int, tuple[tuple[ScopeCommand, ...], list[ScopeCommand]]] = {}

    def new_scope(self, unit: Unit) -> list[ScopeCommand]:
        """The scope commands in force at a unit that are not so at the target's place."""
        # Units between two scope commands share one tuple.
        seen = self._scopes.get(id(unit.scope))
        if seen is not None and seen[0] is unit.scope:
            return seen[1]
        known = Counter(command.key for command in self.place.scope)
        new: list[ScopeCommand] = []
        for command in unit.scope:
            if known[command.key]:
                known[command.key] -= 1
            else:
                new.append(command)
        self._scopes[id(unit.scope)] = (unit.scope, new)
        return new

    def write(self, chosen: Sequence[Unit]) -> str:
        """The text of declarations, in this order, to go before the place."""
        groups: list[tuple[_Frame, list[str]]] = []
        done: set[tuple[int, int, int]] = set()
        for unit in chosen:
            frame = self._frame(unit)
            if unit.block is not None:
                mark = (id(unit.text), unit.block.start, unit.block.end)
                if mark in done:
                    continue
                done.add(mark)
            text = self._text(unit, frame, chosen)
            if groups and groups[-1][0] == frame:
                groups[-1][1].append(text)
            else:
                groups.append((frame, [text]))
        return "".join(f"{frame.around(texts)}\n\n" for frame, texts in groups)

    def _frame(self, unit: Unit) -> _Frame:
        here, there = self.place.namespace, unit.namespace
        scope = tuple(command.text for command in self.new_scope(unit))
        noncomputable = unit.noncomputable and not self.place.noncomputable
        if there == here:
            return _Frame(scope, noncomputable)
        if not here or there.startswith(f"{here}."):
            inner = there[len(here) + 1 :] if here else there
            return _Frame(scope, noncomputable, inner)
        opened = tuple(
            name
            for name in reading.ancestors(there)
            if name != here and not here.startswith(f"{name}.")
        )
        return _Frame(scope, noncomputable, "", opened, there or "_root_")

    def _text(self, unit: Unit, frame: _Frame, chosen: Sequence[Unit]) -> str:
        members = [unit]
        if unit.block is not None:
            members = [u for u in chosen if u.block == unit.block and u.text is unit.text]
        texts = [reading.renamed(u, frame.root) if frame.root else u.source for u in members]
        return texts[0] if len(texts) == 1 else "\n\n".join(["mutual", *texts, "end"])


@dataclass(frozen=True)
class _Frame:
    """What has to be around declarations so that they mean what they meant where they stood."""

    scope: tuple[str, ...] = ()
    noncomputable: bool = False
    namespace: str = ""
    opened: tuple[str, ...] = ()
    root: str = ""

    def around(self, texts: Sequence[str]) -> str:
        head: list[str] = []
        tail: list[str] = []
        section = "noncomputable section" if self.noncomputable else "section"
        if self.noncomputable or ((self.scope or self.opened) and not self.namespace):
            head.append(section)
            tail.append("end")
        if self.namespace:
            head.append(f"namespace {self.namespace}")
            tail.insert(0, f"end {self.namespace}")
        head += [f"open _root_.{name}" for name in self.opened]
        start, end = "\n".join([*head, *self.scope]), "\n".join(tail)
        return "\n\n".join(piece for piece in (start, *texts, end) if piece)
