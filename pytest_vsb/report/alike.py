"""Whether runs can be held against each other: the same tasks, attempted and judged in one way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pytest_vsb.run.records import TaskFacts, TaskResult

PROTOCOL = (
    "repairs",
    "context",
    "context_tokens",
    "check_timeout",
    "check_memory_mb",
    "policy",
    "assurance",
)
"""The settings of a run's identity on which its success depends and its prover does not."""


def protocol_differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> tuple[str, ...]:
    """In what two runs were attempted or judged differently, such as ``repairs: 3 and 0``.

    Args:
        first: the block ``identity`` of a run.
        second: that of another.

    What one of them does not say is no difference: another program's results say little.
    """
    found = [key for key in PROTOCOL if key in first and key in second]
    if any(run.get("context_tokens") is not None for run in (first, second)):
        found.append("tokenizer")
    return tuple(
        f"{key}: {_shown(first.get(key))} and {_shown(second.get(key))}"
        for key in found
        if first.get(key) != second.get(key)
    )


def setting_notes(first: Mapping[str, Any], second: Mapping[str, Any]) -> tuple[str, ...]:
    """What else a reader must know of two runs' ``run`` blocks: other Leans, unknown settings."""
    notes = []
    leans = [lean_of(run) for run in (first, second)]
    if all(leans) and leans[0] != leans[1]:
        notes.append(f"judged by different Leans: {leans[0]}, and {leans[1]}")
    for run in (first, second):
        identity = run.get("identity") or {}
        unknown = [key for key in PROTOCOL if key not in identity]
        if unknown:
            name = identity.get("model") or "a run"
            notes.append(f"{name} does not say its {', '.join(unknown)}")
    return tuple(dict.fromkeys(notes))


def judged(result: TaskResult) -> bool:
    """Whether a task counts in rates: a sample of it was judged, and it is not known to be bad."""
    return result.n > 0 and result.status != "known_bad"


class TaskIndex:
    """The tasks of a run, to be found by another run's.

    By nodeid, or by the task's id where that is unique: the same task file may be at another place
    in another checkout.
    """

    def __init__(self, results: Iterable[TaskResult]) -> None:
        self.results = tuple(results)
        self._by_nodeid = {result.task.nodeid: result for result in self.results}
        ids = Counter(result.task.id for result in self.results)
        self._by_id = {r.task.id: r for r in self.results if ids[r.task.id] == 1}

    def find(self, task: TaskFacts) -> TaskResult | None:
        """This run's result of a task; None if it has none."""
        found = self._by_nodeid.get(task.nodeid)
        return found if found is not None else self._by_id.get(task.id)


def same_obligation(tasks: Sequence[TaskFacts]) -> bool:
    """Whether tasks are of one theorem, as far as their digests tell."""
    return len({task.digest for task in tasks if task.digest}) <= 1


def lean_of(run: Mapping[str, Any]) -> str:
    """The Lean of a run, without why it was taken, which tells of the machine; empty where that is
    not known."""
    text = str(run.get("lean") or "")
    kind = ", embedded" if "(embedded" in text else ""
    return text.partition(" (")[0] + kind


def _shown(value: Any) -> str:
    return "none" if value is None else str(value)
