"""How long a task may take, told from its record alone.

Shards are cut on machines that do not talk to each other, so what an estimate rests on must be the
same on all of them: the task file is, a repository on a disk need not be. Estimates are whole
numbers, so that no rounding differs between machines either. Their unit is about a millisecond of
one check on the demo; only their ratios matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_vsb.tasks.model import Task

_BASE = 1000
"""What every check costs: two processes that start, import and audit."""

_CONTEXT_KEYS = ("local_ctx", "local_context")
"""Keys of published records that hold the text of the file before the target."""


def estimate(task: Task) -> int:
    """About how long one attempt at ``task`` takes to judge, at least 1.

    It grows with the text before the target, where the record has it; with the statement and the
    reference proof, since what is long to state and to prove is long to try; and with the number
    of declarations it depends on. A task that is known to be bad is not run.
    """
    if task.known_bad:
        return 1
    before = sum(len(text) for text in map(task.extra.get, _CONTEXT_KEYS) if isinstance(text, str))
    own = sum(dependency.scope == "file" for dependency in task.dependencies)
    others = len(task.dependencies) - own
    chain = task.metrics.transitive_dependencies or 0
    return (
        _BASE
        + before // 20
        + 2 * min(len(task.statement), 5_000)
        + min(len(task.reference_proof or ""), 20_000)
        + 20 * own
        + 5 * others
        + 2 * min(chain, 1_000)
    )


def estimates(
    tasks: Sequence[Task],
    keys: Sequence[str] | None = None,
    measured: Mapping[str, int] | None = None,
) -> tuple[int, ...]:
    """The estimates of tasks, each at least 1.

    Args:
        tasks: the tasks.
        keys: a text per task, such as its nodeid, by which ``measured`` knows it.
        measured: milliseconds that tasks took in an earlier run. Other tasks are estimated, in the
            measure of those: by how much these were over or under their estimates together.
    """
    plain = [estimate(task) for task in tasks]
    if not measured or keys is None:
        return tuple(plain)
    known = [(plain[i], measured[key]) for i, key in enumerate(keys) if key in measured]
    guessed, took = (sum(column) for column in zip(*known, strict=True)) if known else (1, 1)
    return tuple(
        max(1, measured[key] if key in measured else plain[i] * took // guessed)
        for i, key in enumerate(keys)
    )
