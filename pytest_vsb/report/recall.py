"""How much of what proofs use a retriever finds that sees only the statements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.context.retrieve import Retriever
from pytest_vsb.errors import EnvironmentUnavailable, VsbError
from pytest_vsb.metrics.distribution import recall_at
from pytest_vsb.report.dataset import Repositories
from pytest_vsb.repository.dependencies import Resolver
from pytest_vsb.repository.index import Index, Ref
from pytest_vsb.tasks.model import Task


@dataclass(frozen=True)
class Recall:
    """Premise recall of one task: the share of what it uses that a retriever finds.

    ``premises`` are the declarations of the project that its statement and proof use; ``found``
    gives recall@N by N; ``ceiling`` the share that can be found at all, since it is in a module
    that the target's file imports or before the target.
    """

    task: str
    repository: str
    premises: int
    ceiling: float
    found: dict[int, float]


def premise_recall(
    tasks: Iterable[Task], repositories: Repositories, sizes: Sequence[int]
) -> tuple[tuple[Recall, ...], tuple[str, ...]]:
    """How much of what tasks use a retriever finds that sees only their statements.

    Args:
        tasks: of which those that use nothing of the project are left out.
        repositories: where they are.
        sizes: the N of recall@N.

    Returns:
        The recalls, and notes on what could not be measured.
    """
    found: list[Recall] = []
    notes: dict[str, None] = {}
    retrievers: dict[Path, Retriever] = {}
    for task in tasks:
        try:
            index, resolver = repositories.of(task)
            module = index.modules.by_path(task.path)
            if module is None:
                raise EnvironmentUnavailable(f"{task.path} is none of its modules")
            target = resolver.find(task.name, module=module.name)
        except VsbError as error:
            notes.setdefault(f"{task.id}: {error}")
            continue
        wanted = _premises(task, index, resolver, target)
        if not wanted:
            continue
        retriever = retrievers.setdefault(index.root, Retriever(index))
        visible = index.modules.closure(module.name)
        start = index.entry(target).start
        ranked = retriever.rank(
            f"{task.name} {task.statement}", visible, max(sizes), module=module.name, before=start
        )
        reachable = frozenset(
            ref
            for ref in wanted
            if ref.module in visible
            or (ref.module == module.name and index.entry(ref).end <= start)
        )
        found.append(
            Recall(
                task=task.id,
                repository=task.repository or index.root.name,
                premises=len(wanted),
                ceiling=len(reachable) / len(wanted),
                found={n: recall_at(ranked, frozenset(wanted), n) or 0.0 for n in sizes},
            )
        )
    return tuple(found), tuple(notes)


def _premises(task: Task, index: Index, resolver: Resolver, target: Ref) -> frozenset[Ref]:
    """What a target uses, and the lemmas that its task lists: those of a proof that a repository
    may not show. (Definitions are listed with all that they need.)"""
    uses = resolver.uses(target)
    listed = (d for d in task.dependencies if d.scope != "library" and d.role == "lemma")
    found = {ref for d in listed for ref in index.find(d.name)}
    found |= {Ref(use.module, use.entry) for use in uses if use.entry >= 0}
    return frozenset(found - {target})
