"""The local names of a declaration: where they are bound and how far they hold."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_vsb.repository.stream import Stream

EVERYWHERE = -1
"""The column of a local name that holds to the end of its declaration."""


@dataclass
class Local:
    """One local name.

    Attributes:
        name: it.
        depth: how many brackets are open where it was bound; it ends with the last of them.
        column: a line that begins left of it ends it.
        since: the index of the first token at which it holds.
        words: the tokens that ``type`` and ``value`` are about.
        type: the tokens of its type, as a range; None if it is not said.
        value: the tokens of what it was defined as, as a range.
        known: the full name of its type, where it follows from what binds it.
        group: the number of the ``variable`` group it comes from, else -1.
    """

    name: str
    depth: int
    column: int
    since: int
    words: Stream
    type: tuple[int, int] | None = None
    value: tuple[int, int] | None = None
    known: str = ""
    group: int = -1

    @property
    def untyped(self) -> bool:
        """Whether nothing tells its type."""
        return not self.known and self.type is None and self.value is None


class Locals:
    """The local names at one place of a declaration, as a walk through it goes on."""

    def __init__(self) -> None:
        self._stack: list[Local] = []
        self._named: dict[str, list[Local]] = {}

    def __len__(self) -> int:
        return len(self._stack)

    def add(self, local: Local) -> None:
        """Another local name; it hides those of the same name before it."""
        self._stack.append(local)
        self._named.setdefault(local.name, []).append(local)

    def get(self, name: str, at: int) -> Local | None:
        """The innermost local of that name that holds at a token."""
        for local in reversed(self._named.get(name, ())):
            if local.since <= at:
                return local
        return None

    def cut(self, size: int) -> None:
        """Forget all but the first ``size`` names."""
        while len(self._stack) > size:
            self._pop()

    def close(self, depth: int) -> None:
        """Brackets are closed and only ``depth`` are open."""
        while self._stack and self._stack[-1].depth > depth:
            self._pop()

    def line(self, column: int) -> None:
        """A line begins at a column."""
        while self._stack and self._stack[-1].column > column:
            self._pop()

    def _pop(self) -> None:
        local = self._stack.pop()
        self._named[local.name].remove(local)
