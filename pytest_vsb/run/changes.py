"""Why a task is begun anew: what of that which its digest is made of has changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

_NAMES = {
    "statement": "its line in the task file",
    "text": "the text of its file before the theorem",
    "imports": "the compiled modules that its file imports",
    "files": "the files, or the Lean",
    "options": "the options of Lean",
    "lean": "the Lean",
    "policy": "the policy",
    "judge": "the version of the judge",
}
_TOLD = ("lean", "policy", "judge")
_MOST = 6

UNTOLD = "the file, what it imports, the Lean, or the judge; the journal does not say which"
"""Where all that is known is that the digest is another."""


def changes(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[str, ...]:
    """What is not as it was, in words, by what the journal has of two sessions at a task: there is
    at least one such thing. What a session does not tell is not compared."""
    found = []
    for key, name in _NAMES.items():
        was, other = before.get(key), now.get(key)
        if was and other and was != other:
            found.append(f"{name} ({was}, now {other})" if key in _TOLD else name)
    return tuple(found) or (UNTOLD,)


def causes(found: Collection[tuple[str, ...]]) -> str:
    """What has changed, of several tasks: the most frequent first."""
    counts = Counter(cause for of_task in found for cause in of_task)
    told = [
        cause if count == len(found) else f"{cause} ({count:,} of them)"
        for cause, count in counts.most_common(_MOST)
    ]
    if len(counts) > _MOST:
        told.append(f"and {len(counts) - _MOST:,} more causes")
    return "; ".join(told)
