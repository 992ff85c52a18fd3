"""What a prover may see of a repository: the kinds of context."""

from __future__ import annotations

import difflib
import importlib.util
import re
from dataclasses import dataclass
from typing import Final, Literal

from pytest_vsb.errors import UsageError

KindName = Literal["curated", "full", "full-limited", "same-file", "retrieved"]

KINDS: Final[tuple[KindName, ...]] = ("curated", "full", "full-limited", "same-file", "retrieved")
"""The kinds; ``retrieved`` takes a number, as in ``retrieved:50``."""

BUDGETED: Final[frozenset[KindName]] = frozenset({"full-limited"})
"""The kinds that are cut to a number of tokens."""

_RETRIEVED = re.compile(r"retrieved:([1-9]\d{0,5})\Z")


@dataclass(frozen=True)
class ContextKind:
    """A kind of context, and for ``retrieved`` the number of declarations."""

    name: KindName
    count: int = 0

    @property
    def shows_dependencies(self) -> bool:
        """Whether it shows what the reference proof uses, which no user of a prover would know."""
        return self.name in ("curated", "full-limited")

    def __str__(self) -> str:
        return f"{self.name}:{self.count}" if self.name == "retrieved" else self.name


DEFAULT_CONTEXT: Final = ContextKind("curated")


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


def check_needs(kind: ContextKind, budget: int | None) -> None:
    """Whether contexts of a kind can be put together at all.

    Raises:
        UsageError: the kind is cut to a number of tokens that is not known, or needs a package
            that is not installed.
    """
    if kind.name in BUDGETED and budget is None:
        raise UsageError(
            f"the context {kind} needs to know how many tokens there may be",
            hint="--vsb-context-tokens=N: the context window of the prover's model is not known",
        )
    if kind.name == "retrieved" and importlib.util.find_spec("bm25s") is None:
        raise UsageError(
            f"the context {kind} needs bm25s", hint="pip install 'pytest-vsb[retrieval]'"
        )
