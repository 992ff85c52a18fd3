"""The binder groups of ``variable`` commands, as those declarations see them that use them."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_vsb.repository.scopes import Variables, components
from pytest_vsb.repository.stream import Stream


@dataclass(frozen=True)
class Group:
    """One binder group.

    Attributes:
        words: its tokens, brackets included.
        names: the names that it binds.
        type: the tokens of its type, as a range; None without one.
        instance: whether it is in square brackets.
        mentions: what its type mentions, as written, up to the first dot.
    """

    words: Stream
    names: tuple[str, ...]
    type: tuple[int, int] | None
    instance: bool
    mentions: frozenset[str]

    @classmethod
    def of(cls, text: str, variables: Variables) -> Group:
        """The group at some place of a file."""
        words = Stream(text, variables.start, variables.end)
        end = max(len(words) - 1, 1)
        at = 1
        while at < end and words.ident[at]:
            at += 1
        names = tuple(words.piece[1:at])
        instance = words.piece[:1] == ["["]
        kind = None
        if at < end and words.piece[at] == ":":
            kind = (at + 1, end)
        elif instance:
            names, kind = (), (1, end)
        start = kind[0] if kind is not None else end
        mentions = frozenset(
            components(words.piece[i])[0] for i in range(start, end) if words.ident[i]
        )
        return cls(words, names, kind, instance, mentions)
