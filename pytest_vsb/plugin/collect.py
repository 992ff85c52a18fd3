"""Collecting task files: one pytest item a task, one collection error a broken line."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_vsb.errors import VsbError

if TYPE_CHECKING:
    from pytest_vsb.plugin.items import TaskItem
    from pytest_vsb.tasks.dataset import LineProblem
    from pytest_vsb.tasks.model import Task


def is_task_file(path: Path) -> bool:
    """Whether a path names a task file: ``*.vsb.jsonl`` or ``verisoftbench*.jsonl``."""
    name = path.name
    return name.endswith(".vsb.jsonl") or (
        name.startswith("verisoftbench") and name.endswith(".jsonl")
    )


class TaskFileCollector(pytest.File):
    """A task file."""

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        from pytest_vsb.plugin.items import TaskItem
        from pytest_vsb.tasks.dataset import read_tasks
        from pytest_vsb.tasks.select import markers

        try:
            file = read_tasks(self.path)
        except VsbError as error:
            raise self.CollectError(str(error)) from None
        for problem in file.problems:
            yield BrokenLine.from_parent(self, name=f"line {problem.line}", problem=problem)
        known_bad = _known_bad(self.config)
        for task in file.tasks:
            if reason := known_bad.get(task.id):
                task = dataclasses.replace(task, known_bad=reason)
            item = TaskItem.from_parent(self, name=task.id, task=task)
            item.add_marker(_vsb_marker(task))
            for name in markers(task):
                item.add_marker(_marker(self.config, name))
            yield item


class BrokenLine(pytest.Collector):
    """A line of a task file that gave no task: collecting it is the error."""

    def __init__(self, *, problem: LineProblem, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.problem = problem

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        raise self.CollectError(str(self.problem.error(self.path)))


class TaskDirectory(pytest.Directory):
    """A directory named like a task file."""

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        raise self.CollectError(f"{self.path}: is a directory, not a task file")


def _vsb_marker(task: Task) -> pytest.MarkDecorator:
    return _cached_vsb_marker(task.suite, task.repository, task.category)


@functools.cache
def _cached_vsb_marker(suite: str, repository: str, category: str) -> pytest.MarkDecorator:
    return pytest.mark.vsb(suite=suite, repository=repository, category=category)


_KNOWN_BAD: pytest.StashKey[Mapping[str, str]] = pytest.StashKey()


def _known_bad(config: pytest.Config) -> Mapping[str, str]:
    if _KNOWN_BAD not in config.stash:
        from pytest_vsb.plugin import options

        config.stash[_KNOWN_BAD] = options.known_bad(config)
    return config.stash[_KNOWN_BAD]


_KNOWN: pytest.StashKey[dict[str, pytest.MarkDecorator]] = pytest.StashKey()


def _marker(config: pytest.Config, name: str) -> pytest.MarkDecorator:
    """The marker of that name, registered so that ``--strict-markers`` knows it."""
    known = config.stash.setdefault(_KNOWN, {})
    if name not in known:
        config.addinivalue_line("markers", f"{name}: tasks of a task file (pytest-vsb)")
        marker: pytest.MarkDecorator = getattr(pytest.mark, name)
        known[name] = marker
    return known[name]


def deselect(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep of the task items those that the ``--vsb-*`` options select; other items stay.

    Raises:
        UsageError: an option names what no task has.
    """
    if not any(isinstance(item.parent, TaskFileCollector) for item in items):
        return
    from pytest_vsb.plugin import options

    if not options.selects(config):
        return
    from pytest_vsb.plugin import shards
    from pytest_vsb.plugin.items import TaskItem
    from pytest_vsb.tasks.select import select

    found = [item for item in items if isinstance(item, TaskItem)]
    selected = select(
        [item.task for item in found],
        options.read_selection(config),
        [item.nodeid for item in found],
        shards.times(config),
    )
    if selected.plan is not None:
        shards.keep(config, selected.plan)
    kept = {found[index] for index in selected.indices}
    dropped = [item for item in found if item not in kept]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        gone = set(dropped)
        items[:] = [item for item in items if item not in gone]


def module_of(task: Task) -> tuple[str, str]:
    """The repository and the module that a task is in: what one Lean session can be warm for."""
    if task.root and task.origin is not None:
        return str(task.origin.file.parent / task.root), task.path
    return task.repository, task.path


def gather(items: list[pytest.Item]) -> None:
    """Put the tasks of one module next to each other, in the order of their first ones, where a
    task file's items stand in the order of the file. Another order is somebody's wish."""
    start = 0
    while start < len(items):
        parent = items[start].parent
        end = start
        while end < len(items) and items[end].parent is parent:
            end += 1
        if isinstance(parent, TaskFileCollector):
            found: list[TaskItem] = items[start:end]  # type: ignore[assignment]
            lines = [item.task.origin.line if item.task.origin else 0 for item in found]
            if lines == sorted(lines):
                modules: dict[tuple[str, str], list[TaskItem]] = {}
                for item in found:
                    modules.setdefault(module_of(item.task), []).append(item)
                items[start:end] = [item for module in modules.values() for item in module]
        start = end
