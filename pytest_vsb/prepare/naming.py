"""The ids and categories of tasks."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pytest_vsb.lean.imports import components
from pytest_vsb.prepare.config import PrepareConfig
from pytest_vsb.prepare.patterns import Pattern, bare

_UNUSABLE = re.compile("[\\s:\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def short_id(module: str, name: str) -> str:
    """The id of a theorem if no other has it: its name behind its module's, neither with what the
    whole project begins with, and the module not twice: ``Queue.push`` for ``Demo.Queue.push`` in
    ``Demo.Queue``. Blanks become underscores."""
    top, *inner = [bare(part) for part in components(module)] or [""]
    parts = [bare(part) for part in components(name)] or [bare(name)]
    if len(parts) > 1 and parts[0] == top:
        parts = parts[1:]
    if parts[: len(inner)] != inner or len(parts) == len(inner):
        parts = [*inner, *parts]
    return plain(".".join(parts))


def plain(text: str) -> str:
    """A text without what an id may not have."""
    return _UNUSABLE.sub("_", text)


def ids(places: Iterable[tuple[str, str]]) -> Mapping[tuple[str, str], str]:
    """The ids of theorems by module and name.

    Those that would share one get ``module/name``, and where that is shared as well, a few digits
    of a digest: an id depends on nothing but who else has the same.
    """
    short = {place: short_id(*place) for place in places}
    shared = Counter(short.values())
    long = {place: plain(f"{bare(place[0])}/{bare(place[1])}") for place in short}
    again = Counter(long.values())

    def choose(place: tuple[str, str]) -> str:
        if shared[short[place]] == 1:
            return short[place]
        if again[long[place]] == 1:
            return long[place]
        digest = hashlib.sha256("\0".join(place).encode("utf-8", "surrogatepass")).hexdigest()
        return f"{long[place]}~{digest[:8]}"

    return {place: choose(place) for place in short}


class Categories:
    """Tells a theorem's category.

    Args:
        config: gives the patterns; what none fits, or where there are none, goes by its folder.
    """

    def __init__(self, config: PrepareConfig) -> None:
        self._patterns = [(Pattern(text), category) for text, category in config.categories]

    def of(self, names: Sequence[str], module: str) -> str:
        """The category of what has those names, in a module."""
        for pattern, category in self._patterns:
            if pattern.matches(names):
                return category
        return folder(module)


def folder(module: str) -> str:
    """The first two folders of a module, without the module itself: ``Lib.Data`` for
    ``Lib.Data.List.Basic``, ``Lib`` for ``Lib.Basic``."""
    parts = [bare(part) for part in components(module)]
    return ".".join(parts[:-1][:2] or parts)
