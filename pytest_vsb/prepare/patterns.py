"""Patterns for names, as the configuration has them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property


class Pattern:
    """A text in which ``*`` stands for any characters; all others stand for themselves.

    ``«»`` do not matter.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        parts = (re.escape(part) for part in bare(self.text).split("*"))
        return re.compile(".*".join(parts), re.DOTALL)

    def matches(self, names: Iterable[str]) -> bool:
        """Whether it stands for one of some names."""
        return any(self._regex.fullmatch(bare(name)) for name in names)


def bare(name: str) -> str:
    """A name without ``«»``."""
    return name.replace("\u00ab", "").replace("\u00bb", "")
