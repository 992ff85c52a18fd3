"""Which worker of pytest-xdist runs what: tasks of one module on one worker, so that what it has
prepared for the first serves the rest.

Only imported where pytest-xdist is there, by a run that is distributed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from xdist.report import report_collection_diff
from xdist.scheduler import WorkStealingScheduling

from pytest_vsb.errors import VsbError
from pytest_vsb.plugin.collect import is_task_file, module_of
from pytest_vsb.tasks.dataset import read_tasks
from pytest_vsb.tasks.estimate import estimate

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController

_AHEAD = 2
"""Items that a worker must have to begin one: that one, and the next."""


@dataclass(frozen=True)
class Place:
    """Where an item belongs, and about how long it takes, in a unit that is the same for all."""

    repository: str
    module: str
    weight: int = 1


def places(root: Path, nodeids: Sequence[str]) -> list[Place]:
    """The places of items. Tasks are told by their task files, read here; all other items of one
    file belong together."""
    known: dict[str, dict[str, Place]] = {}
    found = []
    for nodeid in nodeids:
        file, _, name = nodeid.partition("::")
        if file not in known:
            known[file] = _tasks_of(root / file)
        found.append(known[file].get(name) or Place("", file))
    return found


def _tasks_of(path: Path) -> dict[str, Place]:
    if not is_task_file(path):
        return {}
    try:
        tasks = read_tasks(path).tasks
    except VsbError:
        # The workers have read it, perhaps elsewhere: its tasks are together all the same.
        return {}
    return {task.id: Place(*module_of(task), estimate(task)) for task in tasks}


class _Lane:
    """Items of one module in their order, not yet sent to a worker."""

    def __init__(self, key: tuple[str, str], items: Sequence[int], places: list[Place]) -> None:
        self.key = key
        self.items = deque(items)
        self._places = places
        self.weight = sum(places[index].weight for index in items)

    def first(self) -> int:
        index = self.items.popleft()
        self.weight -= self._places[index].weight
        return index

    def half(self) -> _Lane:
        """The end of it, of at least one item and at most half the time where that can be."""
        taken: deque[int] = deque()
        weight, most = 0, self.weight / 2
        while self.items:
            more = self._places[self.items[-1]].weight
            if taken and weight + more > most:
                break
            weight += more
            taken.appendleft(self.items.pop())
        self.weight -= weight
        return _Lane(self.key, taken, self._places)


class ModuleScheduling:
    """A scheduler of pytest-xdist.

    Each worker works at one module at a time, in order. One that is done takes the module that is
    longest of those nobody has begun, of the repository it knows if there is one; when all have
    begun, half of what is left of the longest. Items stay here until a worker needs its next, so
    that nothing has to be asked back.

    Args:
        config: pytest's.
        log: where pytest-xdist's debugging output goes.
        describe: says where the collected items belong.
    """

    def __init__(
        self,
        config: pytest.Config,
        log: Any = None,
        describe: Callable[[Sequence[str]], list[Place]] | None = None,
    ) -> None:
        self.config = config
        # How the workers are counted differs between versions of pytest-xdist.
        self.numnodes: int = WorkStealingScheduling(config).numnodes
        self.collection: list[str] | None = None
        self._log = log
        self._describe = describe or (lambda nodeids: places(config.rootpath, nodeids))
        self._places: list[Place] = []
        self._collections: dict[WorkerController, list[str]] = {}
        self._pending: dict[WorkerController, list[int]] = {}
        self._lanes: dict[WorkerController, _Lane] = {}
        """What each worker is at; it stays when it is empty, to tell what the worker knows."""
        self._pool: list[_Lane] = []

    # What pytest-xdist asks

    @property
    def nodes(self) -> list[WorkerController]:
        return list(self._pending)

    @property
    def collection_is_completed(self) -> bool:
        return len(self._collections) >= self.numnodes

    @property
    def tests_finished(self) -> bool:
        """Whether every worker has been sent all it will be sent."""
        return (
            self.collection_is_completed
            and not self._has_more()
            and all(len(pending) < _AHEAD for pending in self._pending.values())
        )

    @property
    def has_pending(self) -> bool:
        return self._has_more() or any(self._pending.values())

    def add_node(self, node: WorkerController) -> None:
        self._pending[node] = []

    def add_node_collection(self, node: WorkerController, collection: Sequence[str]) -> None:
        if self.collection_is_completed and self.collection is not None:
            # A worker in the place of one that died.
            first = next(iter(self._collections))
            if self._differs(first, self.collection, node, list(collection)):
                return
        self._collections[node] = list(collection)

    def schedule(self) -> None:
        """Begin, or go on with a worker more."""
        if self.collection is None:
            (first, collection), *others = self._collections.items()
            differs = [self._differs(first, collection, *other) for other in others]
            if any(differs):
                return
            self.collection = collection
            self._places = self._describe(collection)
            modules: dict[tuple[str, str], list[int]] = {}
            for index, place in enumerate(self._places):
                modules.setdefault((place.repository, place.module), []).append(index)
            self._pool = [_Lane(key, items, self._places) for key, items in modules.items()]
        self._feed()

    def mark_test_complete(
        self, node: WorkerController, item_index: int, duration: float = 0
    ) -> None:
        self._pending[node].remove(item_index)
        self._feed()

    def mark_test_pending(self, item: str) -> None:
        """Run an item again."""
        if self.collection is not None:
            self._give_back([self.collection.index(item)])
            self._feed()

    def remove_pending_tests_from_node(
        self, node: WorkerController, indices: Sequence[int]
    ) -> None:
        """Nothing is asked back of workers, so that none gives any."""

    def remove_node(self, node: WorkerController) -> str | None:
        """A worker has ended; the item that it died of, if it did."""
        pending = self._pending.pop(node)
        lane = self._lanes.pop(node, None)
        crashed = pending.pop(0) if pending else None
        self._give_back([*pending, *(lane.items if lane is not None else ())])
        self._feed()
        if crashed is None or self.collection is None:
            return None
        return self.collection[crashed]

    # Who gets what

    def _has_more(self) -> bool:
        return bool(self._pool) or any(lane.items for lane in self._lanes.values())

    def _feed(self) -> None:
        """Give every worker what it needs to go on; those for which there is nothing may end."""
        if self.collection is None:
            return
        up = [n for n in self._pending if n in self._collections and not n.shutting_down]
        hungry = [node for node in up if len(self._pending[node]) < _AHEAD]
        while hungry:
            # Nobody gets a second item before all have one.
            node = min(hungry, key=lambda each: len(self._pending[each]))
            index = self._next(node)
            if index is None:
                for each in hungry:
                    # It runs what it has without waiting for a next one.
                    each.shutdown()
                return
            self._pending[node].append(index)
            node.send_runtest_some([index])
            if len(self._pending[node]) >= _AHEAD:
                hungry.remove(node)

    def _next(self, node: WorkerController) -> int | None:
        lane = self._lanes.get(node)
        if lane is None or not lane.items:
            lane = self._begin(lane) or self._share(lane)
            if lane is None:
                return None
            self._lanes[node] = lane
        return lane.first()

    def _begin(self, last: _Lane | None) -> _Lane | None:
        """A module that nobody has begun, for a worker that was at ``last``."""
        if not self._pool:
            return None
        known = last.key if last is not None else ("", "")
        # Of equal ones the first.
        lane = max(
            self._pool,
            key=lambda each: (each.key == known, each.key[0] == known[0], each.weight),
        )
        self._pool.remove(lane)
        return lane

    def _share(self, last: _Lane | None) -> _Lane | None:
        """Half of what a worker has before it; rather of the module that this one knows."""
        busy = [lane for lane in self._lanes.values() if lane.items]
        if not busy:
            return None
        known = last.key if last is not None else None
        return max(busy, key=lambda each: each.weight * (2 if each.key == known else 1)).half()

    def _give_back(self, indices: Sequence[int]) -> None:
        modules: dict[tuple[str, str], list[int]] = {}
        for index in indices:
            place = self._places[index]
            modules.setdefault((place.repository, place.module), []).append(index)
        self._pool += [_Lane(key, items, self._places) for key, items in modules.items()]

    def _differs(
        self,
        node: WorkerController,
        collection: list[str],
        other: WorkerController,
        others: list[str],
    ) -> bool:
        """Whether two workers have collected different items; it is reported if so."""
        text = report_collection_diff(collection, others, node.gateway.id, other.gateway.id)
        if not text:
            return False
        if self._log is not None:
            self._log(text)
        report = pytest.CollectReport(
            nodeid=other.gateway.id, outcome="failed", longrepr=text, result=[]
        )
        self.config.hook.pytest_collectreport(report=report)
        return True
