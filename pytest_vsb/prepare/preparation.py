"""From a repository to tasks: candidates, sampling, judging, in that order."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean.project import Project
from pytest_vsb.prepare.candidates import Candidate, Found, find_candidates
from pytest_vsb.prepare.config import PrepareConfig
from pytest_vsb.prepare.outcomes import Outcome
from pytest_vsb.prepare.patterns import Pattern
from pytest_vsb.prepare.pool import JudgeOf, Pool
from pytest_vsb.prepare.reasons import NOT_DRAWN, NOT_DRAWN_WORDS, Rejection
from pytest_vsb.prepare.sample import Item, Sampler
from pytest_vsb.repository.dependencies import Dependencies, Resolver, as_task_fields
from pytest_vsb.repository.ilean import IleanStore
from pytest_vsb.repository.index import Index
from pytest_vsb.tasks.model import Task
from pytest_vsb.words import counted

__all__ = ["Prepared", "built", "prepare"]

Report = Callable[[int, int, int], None]
"""Called with how many candidates have been judged, are taken, and are wanted."""


@dataclass(frozen=True)
class Prepared:
    """What a preparation came to.

    Attributes:
        tasks: in the order of the repository.
        rejected: every theorem that is no task, in the same order.
        found: all theorems, and which of them were rejected without a Lean.
        assurance: how many reference proofs were accepted by which checks.
        exact: how many tasks have dependencies that Lean itself told; the others' text was read.
        proof_lines, dependencies: the greatest values of the lowest and of the middle third of the
            candidates.
    """

    tasks: tuple[Task, ...]
    rejected: tuple[Rejection, ...]
    found: Found
    assurance: tuple[tuple[tuple[str, ...], int], ...]
    exact: int
    proof_lines: tuple[int, int]
    dependencies: tuple[int, int]


def prepare(
    index: Index,
    resolver: Resolver,
    config: PrepareConfig,
    root: str,
    judge: Callable[[], JudgeOf],
    *,
    jobs: int = 1,
    report: Report | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Prepared:
    """The tasks of a repository.

    Args:
        index: the repository.
        resolver: tells what its declarations depend on.
        config: what is asked for.
        root: the tasks' ``root``.
        judge: makes what judges candidates; called once for each of ``jobs`` threads.
        jobs: how many candidates are judged at once; the result does not depend on it.
        report: told of progress in judging.
        progress: told of progress in reading, in modules.

    Raises:
        UsageError: see :func:`.candidates.find_candidates`.
        EnvironmentUnavailable: the repository changes underneath, or no candidate can be judged.
    """
    found = find_candidates(index, resolver, config, root, progress)
    by_id = {candidate.task.id: candidate for candidate in found.candidates}
    sampler = Sampler([_item(candidate) for candidate in found.candidates], config.seed)
    outcomes = _judge(sampler, by_id, config.count, Pool(judge, jobs), report)
    taken = set(sampler.picture(config.count, lambda name: _passes(outcomes, name)).taken)
    failing = [outcome for outcome in outcomes.values() if outcome.reason == "cannot_be_judged"]
    if failing and len(failing) == len(outcomes):
        raise EnvironmentUnavailable(
            f"none of {counted(len(failing), 'candidate')} can be judged; of the first: "
            f"{failing[0].words}",
            where=str(index.root),
            hint="is the repository built, and with this Lean? `vsb prepare --help` has --lean",
        )
    tasks: list[Task] = []
    exact = 0
    rejected = {(r.module, r.line, r.name): r for r in found.rejected}
    assurance: dict[tuple[str, ...], int] = {}
    for candidate in found.candidates:
        task, outcome = candidate.task, outcomes.get(candidate.task.id)
        if task.id in taken and outcome is not None:
            dependencies = resolver.of_ref(candidate.ref)
            exact += any(used.how == "exact" for used in dependencies.direct)
            tasks.append(_finished(candidate, dependencies, sampler, config))
            assurance[outcome.assurance] = assurance.get(outcome.assurance, 0) + 1
        elif outcome is not None and not outcome.passed:
            entry = candidate.rejection(outcome.reason, outcome.words)
            rejected[entry.module, entry.line, entry.name] = entry
        else:
            entry = candidate.rejection(NOT_DRAWN, NOT_DRAWN_WORDS)
            rejected[entry.module, entry.line, entry.name] = entry
    rank = {name: number for number, name in enumerate(index.modules)}
    return Prepared(
        tasks=tuple(tasks),
        rejected=tuple(sorted(rejected.values(), key=lambda r: (rank[r.module], r.line, r.name))),
        found=found,
        assurance=tuple(sorted(assurance.items())),
        exact=exact,
        proof_lines=(sampler.proof_lines.low, sampler.proof_lines.middle),
        dependencies=(sampler.dependencies.low, sampler.dependencies.middle),
    )


def _item(candidate: Candidate) -> Item:
    task = candidate.task
    return Item(
        id=task.id,
        category=task.category,
        proof_lines=task.metrics.proof_lines or 0,
        dependencies=task.metrics.transitive_dependencies or 0,
    )


def _passes(outcomes: dict[str, Outcome], name: str) -> bool | None:
    outcome = outcomes.get(name)
    return None if outcome is None else outcome.passed


def _judge(
    sampler: Sampler,
    candidates: dict[str, Candidate],
    count: int | None,
    pool: Pool,
    report: Report | None,
) -> dict[str, Outcome]:
    """The outcomes of all candidates that must be judged, and of no others."""
    outcomes: dict[str, Outcome] = {}
    while True:
        picture = sampler.picture(count, lambda name: _passes(outcomes, name))
        if not picture.unknown:
            return outcomes
        # All of these are needed, whatever becomes of them, so none is judged in vain.
        known = len(picture.taken) - len(picture.unknown)
        for task, outcome in pool.judge([candidates[name].task for name in picture.unknown]):
            outcomes[task.id] = outcome
            known += outcome.passed
            if report is not None:
                report(len(outcomes), known, len(picture.taken))


def _finished(
    candidate: Candidate, dependencies: Dependencies, sampler: Sampler, config: PrepareConfig
) -> Task:
    """The task with its dependencies, whose texts the repository has, and its subsets."""
    task = candidate.task
    listed, metrics = as_task_fields(dependencies)
    names = (task.name, task.module, task.id)
    given = (
        name
        for name, texts in config.subsets
        if any(Pattern(text).matches(names) for text in texts)
    )
    return replace(
        task,
        dependencies=tuple(replace(dependency, text="") for dependency in listed),
        metrics=replace(metrics, proof_lines=task.metrics.proof_lines),
        subsets=tuple(dict.fromkeys((sampler.band(task.id), *given))),
    )


def built(project: Project, modules: Sequence[str], config: PrepareConfig) -> IleanStore | None:
    """What Lean wrote of a repository's modules, if the configuration asks for it.

    Where Lake has built nothing, modules are compiled into the cache, those that compile.

    Raises:
        EnvironmentUnavailable: what the project says of itself cannot be read.
    """
    if config.dependencies == "text":
        return None
    directories = project.layout.library_directories or _compiled(project, modules)
    return IleanStore(directories) if directories else None


def _compiled(project: Project, modules: Sequence[str]) -> tuple[Path, ...]:
    with contextlib.suppress(EnvironmentUnavailable):
        return project.search_path(modules)
    found: dict[Path, None] = {}
    for module in modules:
        with contextlib.suppress(EnvironmentUnavailable):
            found |= dict.fromkeys(project.search_path([module]))
    return tuple(found)
