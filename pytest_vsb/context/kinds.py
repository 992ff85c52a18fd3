"""What a prover may see of a repository: the kinds of context."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Final, Literal

from pytest_vsb.errors import UsageError

KindName = Literal["curated", "full", "full-limited", "same-file", "retrieved"]

KINDS: Final[tuple[KindName, ...]] = ("curated", "full", "full-limited", "same-file", "retrieved")
"""The kinds; ``retrieved`` takes a number, as in ``retrieved:50``."""

DEFAULT_KIND: Final = "curated"

BUDGETED: Final[frozenset[KindName]] = frozenset({"full-limited"})
"""The kinds that are cut to a number of tokens."""

_RETRIEVED = re.compile(r"retrieved:([1-9]\d{0,5})\Z")


@dataclass(frozen=True)
class ContextKind:
    """A kind of context, and for ``retrieved`` the number of declarations."""

    name: KindName
    count: int = 0

    def __str__(self) -> str:
        return f"{self.name}:{self.count}" if self.name == "retrieved" else self.name


def parse_context(text: str) -> ContextKind:
    """The kind that ``text`` names, such as ``full`` or ``retrieved:50``.

    Raises:
        UsageError: there is no such kind.
    """
    text = text.strip()
    for name in KINDS:
        if text == name != "retrieved":
            return ContextKind(name)
    found = _RETRIEVED.match(text)
    if found:
        return ContextKind("retrieved", int(found[1]))
    valid = [*KINDS[:-1], "retrieved:N"]
    if text.partition(":")[0] == "retrieved":
        hint = "say how many declarations, as in retrieved:50"
    else:
        near = difflib.get_close_matches(text, KINDS, n=1)
        start = f"Did you mean {near[0]}? " if near else ""
        hint = f"{start}Valid values: {', '.join(valid)}."
    raise UsageError(f"there is no context {text!r}", hint=hint)
