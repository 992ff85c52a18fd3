"""Which shards of a run there are among runs that are joined, and which are not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_NAMED = 10


@dataclass(frozen=True)
class _Held:
    """A shard that a run holds."""

    run: str
    index: int
    count: int
    plan: str


def shards_of(run: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The shards that a run holds: ``shards`` of its ``run.json``, each with ``index``, ``count``
    and ``plan``. What is no such record is passed over."""
    found = run.get("shards")
    return [
        shard
        for shard in (found if isinstance(found, list) else ())
        if isinstance(shard, Mapping)
        and isinstance(shard.get("index"), int)
        and isinstance(shard.get("count"), int)
        and 1 <= shard["index"] <= shard["count"]
    ]


def all_shards(runs: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The shards that runs hold together, each once, by number."""
    found: list[Mapping[str, Any]] = []
    for run in runs:
        found += [shard for shard in shards_of(run) if shard not in found]
    return sorted(found, key=lambda shard: (shard["count"], shard["index"]))


def shard_notes(runs: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[str]:
    """What of the shards is missing, there twice, or does not fit.

    Args:
        runs: of each run its name and its ``run.json``. Runs of different seeds are further
            samples: each seed has shards of its own.
    """
    by_seed: dict[str, list[_Held]] = {}
    for name, run in runs:
        identity = run.get("identity")
        seed = identity.get("seed") if isinstance(identity, Mapping) else None
        for shard in shards_of(run):
            held = _Held(name, shard["index"], shard["count"], str(shard.get("plan", "")))
            by_seed.setdefault(str(seed), []).append(held)
    for seed, held_by in by_seed.items():
        prefix = f"seed {seed}: " if len(by_seed) > 1 else ""
        for note in _notes(held_by):
            yield prefix + note


def _notes(held_by: Sequence[_Held]) -> Iterator[str]:
    counts = sorted({held.count for held in held_by})
    if len(counts) > 1:
        each = "; ".join(
            f"{', '.join(_runs(held_by, count=count))}: of {count}" for count in counts
        )
        yield f"these are shards of different numbers of parts ({each}): they are no whole"
        return
    plans = {held.plan: held.run for held in held_by}
    if len(plans) > 1:
        yield (
            f"the shards are not of one division ({', '.join(sorted(plans.values()))} differ): "
            "their sessions had other tasks, options that select, or --vsb-shard-times, so tasks "
            "may be missing or there twice"
        )
    count = counts[0]
    there = {held.index for held in held_by}
    if len(there) < count:
        missing = [
            f"{index}/{count}"
            for index in range(1, min(count, len(there) + _NAMED) + 1)
            if index not in there
        ][:_NAMED]
        more = count - len(there) - len(missing)
        named = ", ".join(missing) + (f" and {more} more" if more else "")
        one = count - len(there) == 1
        yield f"shard{'' if one else 's'} {named} {'is' if one else 'are'} missing"
    for index in sorted(there):
        names = _runs(held_by, index=index)
        if len(names) > 1:
            yield f"shard {index}/{count} is there {len(names)} times: {', '.join(names)}"


def _runs(
    held_by: Sequence[_Held], *, count: int | None = None, index: int | None = None
) -> list[str]:
    return [
        held.run
        for held in held_by
        if (count is None or held.count == count) and (index is None or held.index == index)
    ]
