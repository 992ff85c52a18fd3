"""Holes: declarations that are not proved, and what rests on them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping

from pytest_vsb.repository.dependencies import Resolver
from pytest_vsb.repository.index import Ref
from pytest_vsb.source.lexer import tokens

WORDS = ("sorry", "admit", "sorryAx")
"""What stands in the place of a proof that is not there."""


def hole(text: str) -> str | None:
    """The first word of Lean text that leaves something unproved, if there is one."""
    if not any(word in text for word in WORDS):
        return None
    for token in tokens(text):
        if token.kind in ("ident", "keyword") and token.text in WORDS:
            return token.text
    return None


def resting_on(
    resolver: Resolver, holes: Iterable[Ref], progress: Callable[[int, int], None]
) -> Mapping[Ref, Ref]:
    """What depends on a declaration with a hole, directly or not, in its statement, its proof or
    anything that these use; and the hole that it comes upon first.

    Reads the whole repository, unless there is no hole; ``progress`` is told how many modules of
    how many have been read.
    """
    found = {ref: ref for ref in holes}
    if not found:
        return {}
    users: dict[Ref, list[Ref]] = {}
    modules = resolver.index.modules.order()
    for number, module in enumerate(modules):
        progress(number, len(modules))
        for position, uses in enumerate(resolver.module_uses(module)):
            for use in uses:
                if use.entry >= 0:
                    users.setdefault(Ref(use.module, use.entry), []).append(Ref(module, position))
    progress(len(modules), len(modules))
    waiting = deque(found)
    while waiting:
        ref = waiting.popleft()
        for user in users.get(ref, ()):
            if user not in found:
                found[user] = found[ref]
                waiting.append(user)
    return {ref: cause for ref, cause in found.items() if ref != cause}
