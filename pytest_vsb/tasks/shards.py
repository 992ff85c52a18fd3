"""Parts of a run for several machines, of about equal length, each with whole modules where that
costs little.

Everything here is arithmetic on whole numbers in an order that is given: all machines and versions
of Python cut alike.
"""

from __future__ import annotations

import hashlib
import heapq
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from pytest_vsb.tasks.estimate import estimates
from pytest_vsb.tasks.model import Task

_SLACK = 20
"""A border between shards may lie up to 1/20 of a mean shard from where it would be best, to fall
between two modules."""


@dataclass(frozen=True)
class Shard:
    """Part ``index`` (1-based) of ``count`` parts."""

    index: int
    count: int


@dataclass(frozen=True)
class ShardPlan:
    """One shard of a selection.

    ``chosen`` are positions among all tasks of the session. ``of`` is how many tasks all shards
    have together, ``timed`` for how many of them an earlier run said how long they take.
    ``permille`` is the estimated share of all shards' time. Shards of one division have the same
    ``plan``, and no others have.
    """

    shard: Shard
    chosen: tuple[int, ...]
    of: int
    timed: int
    permille: int
    plan: str

    def __str__(self) -> str:
        tasks = f"{len(self.chosen)} of {self.of} task{'' if self.of == 1 else 's'}"
        told = f", {self.timed} timed by an earlier run" if self.timed else ""
        return (
            f"shard {self.shard.index}/{self.shard.count}: {tasks}, "
            f"{self.permille / 10:.1f} % of the estimated time{told}"
        )


def plan_shard(
    tasks: Sequence[Task],
    selected: Sequence[int],
    shard: Shard,
    keys: Sequence[str] | None = None,
    measured: Mapping[str, int] | None = None,
) -> ShardPlan:
    """What of the selected tasks is in a shard, in the order of the tasks.

    Args:
        tasks: all tasks of the session.
        selected: the positions of those that are divided.
        shard: which part.
        keys: a text per task, such as its nodeid, by which it is known on all machines.
        measured: milliseconds that tasks took in an earlier run, by their keys.
    """

    def key(index: int) -> str:
        task = tasks[index]
        return keys[index] if keys is not None else f"{task.suite}\n{task.repository}\n{task.id}"

    def group(index: int) -> tuple[str, ...]:
        task = tasks[index]
        return (task.repository, task.root, task.suite, task.module)

    order = sorted(selected, key=lambda index: (group(index), key(index)))
    names = [key(index) for index in order]
    weights = estimates([tasks[index] for index in order], names, measured)
    assigned = assign(weights, [group(index) for index in order], shard.count)
    mine = [place for place, number in enumerate(assigned) if number == shard.index - 1]
    return ShardPlan(
        shard=shard,
        chosen=tuple(sorted(order[place] for place in mine)),
        of=len(order),
        timed=sum(name in measured for name in names) if measured else 0,
        permille=1000 * sum(weights[place] for place in mine) // max(1, sum(weights)),
        plan=plan_digest(names, weights, shard.count),
    )


def assign(weights: Sequence[int], groups: Sequence[object], count: int) -> list[int]:
    """The shard, from 0, of each item.

    The heaviest shard is at most 4/3 of the lightest that the heaviest shard could be in any
    division of the items. For an item above a third of a mean shard is placed first, each where
    least is so far, from the heaviest on, which keeps to that bound (Graham, "Bounds on
    Multiprocessing Timing Anomalies", 1969); the others fill up the shards in their order, so no
    border is further than a sixth of a mean shard from its place. Where there are as many items as
    shards, none is empty.

    Args:
        weights: of the items, in an order in which like items are neighbours; each at least 1.
        groups: what an item belongs to, such as a module: it should stay together.
        count: how many shards there are.
    """
    # More shards than items have nothing in them.
    count = min(count, len(weights))
    total = sum(weights)
    loads = [0] * count
    shard = [0] * len(weights)
    heap = [(0, number) for number in range(count)]
    large = [i for i, weight in enumerate(weights) if 3 * count * weight > total]
    for i in sorted(large, key=lambda i: (-weights[i], i)):
        load, number = heap[0]
        shard[i] = number
        loads[number] = load + weights[i]
        heapq.heapreplace(heap, (loads[number], number))
    placed = set(large)
    rest = [i for i in range(len(weights)) if i not in placed]
    if rest:
        _pour(rest, weights, groups, loads, shard, total)
    return shard


def _pour(
    rest: list[int],
    weights: Sequence[int],
    groups: Sequence[object],
    loads: Sequence[int],
    shard: list[int],
    total: int,
) -> None:
    """Fill the least loaded shards to one level with items that are small, in their order."""
    sums = [0, *accumulate(weights[i] for i in rest)]
    # The level is amount / len(filled): as water stands over the lowest steps.
    lowest = sorted(range(len(loads)), key=lambda number: (loads[number], number))
    amount, size = sums[-1], 0
    while size < len(lowest) and loads[lowest[size]] * size < amount:
        amount += loads[lowest[size]]
        size += 1
    filled = sorted(lowest[:size])
    borders = [
        position
        for position in range(1, len(rest))
        if groups[rest[position]] != groups[rest[position - 1]]
    ]
    # An empty shard is to get an item.
    empty = [not loads[number] for number in filled]
    owed = sum(empty)
    start, below = 0, 0
    for place, number in enumerate(filled):
        below += loads[number]
        owed -= empty[place]
        end = len(rest)
        if place < size - 1:
            # In units of 1/size, so that it is a whole number.
            target = (place + 1) * amount - size * below
            slack = total * size // (_SLACK * len(loads))
            end = _border(sums, borders, target, size, slack)
            end = max(start + empty[place], min(end, len(rest) - owed))
        for position in range(start, end):
            shard[rest[position]] = number
        start = end


def _border(sums: Sequence[int], borders: Sequence[int], target: int, unit: int, slack: int) -> int:
    """The position whose sum is nearest to ``target / unit``; one between two groups if that is
    no further than ``slack / unit``."""
    for candidates, most in ((borders, slack), (range(len(sums)), None)):
        found = bisect_left(candidates, target, key=lambda position: sums[position] * unit)
        near = [candidates[k] for k in (found - 1, found) if 0 <= k < len(candidates)]
        if near:
            best = min(near, key=lambda position: abs(sums[position] * unit - target))
            if most is None or abs(sums[best] * unit - target) <= most:
                return best
    return 0


def plan_digest(keys: Sequence[str], weights: Sequence[int], count: int) -> str:
    """What must be the same for shards to fit together: which tasks there are, and what their
    estimates are."""
    digest = hashlib.sha256(f"{count}\n".encode())
    for key, weight in sorted(zip(keys, weights, strict=True)):
        digest.update(f"{weight} {key}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]
