"""A task file in numbers: what its tasks depend on and how much context they need.

The tables are those of the VeriSoftBench paper: Table 2 (scale), Table 4 (dependencies), the left
half of Table 5 (the same by repository), and the data of Figure 6 (their distribution).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.context.assemble import Assembler
from pytest_vsb.context.kinds import ContextKind
from pytest_vsb.context.tokens import TokenCounter
from pytest_vsb.errors import EnvironmentUnavailable, VsbError
from pytest_vsb.judge.located import before, find_target
from pytest_vsb.metrics.distribution import cdf, mean
from pytest_vsb.repository.dependencies import Dependencies, Resolver
from pytest_vsb.repository.index import Index, Ref, open_index
from pytest_vsb.tasks.locate import project_root, source_file
from pytest_vsb.tasks.model import Task

LARGE = 200_000
"""Tokens of full context from which on a repository is large (Table 2)."""

MEASURES = ("proj_direct", "proj_transitive", "lib_direct", "lib_transitive", "depth")


@dataclass(frozen=True)
class TaskNumbers:
    """One task in numbers; None where neither the task file nor a repository says it.

    Attributes:
        proj_direct: declarations of the project that statement and proof use.
        proj_transitive: those and all that they need in turn.
        lib_direct: declarations of libraries that they use by name.
        lib_transitive: those that everything in ``proj_transitive`` uses, too.
        depth: the nesting depth.
        curated_tokens: of its curated context.
    """

    task: str
    repository: str
    category: str
    proj_direct: int | None
    proj_transitive: int | None
    lib_direct: int | None
    lib_transitive: int | None
    depth: int | None
    curated_tokens: int | None


@dataclass(frozen=True)
class RepositoryNumbers:
    """One repository in numbers; ``None`` where it is not at hand."""

    repository: str
    declarations: int | None
    full_tokens: int | None

    @property
    def scale(self) -> str:
        """``large`` or ``regular``, as in Table 2; empty where it is not known."""
        if self.full_tokens is None:
            return ""
        return "large" if self.full_tokens > LARGE else "regular"


@dataclass(frozen=True)
class DatasetNumbers:
    """All of a task file; ``notes`` says what could not be counted, and why."""

    tasks: tuple[TaskNumbers, ...]
    repositories: tuple[RepositoryNumbers, ...]
    method: str
    notes: tuple[str, ...] = ()


class Repositories:
    """The repositories of a task file, each opened once."""

    def __init__(
        self,
        directory: Path | None,
        counter: TokenCounter,
        progress: Callable[[str], Callable[[int, int], None]] | None = None,
    ) -> None:
        self.directory = directory
        self.counter = counter
        self._progress = progress
        self._opened: dict[Path, tuple[Index, Resolver]] = {}

    def of(self, task: Task) -> tuple[Index, Resolver]:
        """The repository of a task; raises ``EnvironmentUnavailable``."""
        root = project_root(task, self.directory)
        if root not in self._opened:
            progress = self._progress(root.name) if self._progress else None
            index = open_index(root, progress=progress)
            self._opened[root] = (index, Resolver(index))
        return self._opened[root]

    def prefix(self, task: Task) -> str:
        """The text before a task's target; raises ``EnvironmentUnavailable``."""
        return before(*find_target(task, source_file(task, self.directory)))


def dataset_numbers(tasks: Iterable[Task], repositories: Repositories) -> DatasetNumbers:
    """Count what there is: direct dependencies in the repositories that are at hand, and where one
    is not, in the task file's lists; transitive ones and depths as the task file says, if it does.
    """
    rows: list[TaskNumbers] = []
    notes: dict[str, None] = {}
    known: dict[str, RepositoryNumbers] = {}
    for task in tasks:
        found: Dependencies | None = None
        reached: int | None = None
        curated: int | None = None
        name = task.repository
        try:
            index, resolver = repositories.of(task)
            name = name or index.root.name
            if name not in known or known[name].declarations is None:
                known[name] = _repository(name, index, repositories.counter)
            module = index.modules.by_path(task.path)
            if module is None:
                raise EnvironmentUnavailable(f"{task.path} is none of its modules")
            found = resolver.of(module.name, task.name)
            reached = _libraries(resolver, resolver.find(task.name, module=module.name))
            assembler = Assembler(
                index, ContextKind("curated"), repositories.counter, resolver=resolver
            )
            curated = assembler.of(task, repositories.prefix(task)).source_tokens
        except VsbError as error:
            notes.setdefault(f"{task.id}: {error}")
            known.setdefault(name, RepositoryNumbers(name, None, None))
        rows.append(_task(task, name, found, reached, curated))
    ordered = tuple(known[name] for name in sorted(known))
    return DatasetNumbers(tuple(rows), ordered, repositories.counter.method, tuple(notes))


def _task(
    task: Task,
    repository: str,
    found: Dependencies | None,
    reached: int | None,
    curated: int | None,
) -> TaskNumbers:
    listed = task.dependencies
    metrics = task.metrics
    project = sum(d.scope != "library" for d in listed) if listed else None
    library = len(listed) - project if project is not None else None
    if found is not None:
        # The lists of the official dataset hold what those need in turn, too.
        project = len(found.project())
        library = len(found.direct) - project
    transitive, depth = metrics.transitive_dependencies, metrics.nesting_depth
    if found is not None:
        transitive = len(found.transitive) if transitive is None else transitive
        depth = found.depth if depth is None else depth
    return TaskNumbers(
        task=task.id,
        repository=repository,
        category=task.category,
        proj_direct=project,
        proj_transitive=transitive,
        lib_direct=library,
        lib_transitive=reached,
        depth=depth,
        curated_tokens=curated,
    )


def _libraries(resolver: Resolver, ref: Ref) -> int:
    """How many names of libraries all that a declaration depends on uses."""
    names = {
        use.name
        for other in resolver.reach([ref], proofs=True)
        for use in resolver.uses(other)
        if use.entry < 0
    }
    return len(names)


def _repository(name: str, index: Index, counter: TokenCounter) -> RepositoryNumbers:
    assembler = Assembler(index, ContextKind("full"), counter)
    declarations = tokens = 0
    for module in index.modules:
        count = assembler.count(module)
        declarations += count.declarations
        tokens += count.tokens
    return RepositoryNumbers(name, declarations, tokens)


def repository_scale(root: Path, counter: TokenCounter) -> str:
    """``large`` or ``regular`` for the repository in a directory, by the tokens of its full
    context; empty where it cannot be read. Scans all of it."""
    try:
        return _repository(root.name, open_index(root), counter).scale
    except VsbError:
        return ""


# Tables


def table2(numbers: DatasetNumbers) -> list[dict[str, object]]:
    """Table 2: by scale, averages over repositories (of the repositories' own averages)."""
    rows: list[dict[str, object]] = []
    for scale in ("regular", "large"):
        chosen = [each for each in numbers.repositories if each.scale == scale]
        if not chosen:
            continue
        tasks = {each.repository: _of(numbers, each.repository) for each in chosen}
        rows.append(
            {
                "scale": scale,
                "repositories": len(chosen),
                "tasks": sum(map(len, tasks.values())),
                "curated_tokens": _mean_of_means(tasks.values(), "curated_tokens"),
                "full_tokens": mean([each.full_tokens or 0 for each in chosen]),
                "transitive_dependencies": _mean_of_means(tasks.values(), "proj_transitive"),
                "declarations": mean([each.declarations or 0 for each in chosen]),
            }
        )
    return rows


def table4(numbers: DatasetNumbers, name: str) -> dict[str, object]:
    """Table 4's row of the dataset: averages over tasks."""
    return {"dataset": name, "tasks": len(numbers.tasks), **_averages(numbers.tasks)}


def table5(numbers: DatasetNumbers) -> list[dict[str, object]]:
    """The left half of Table 5: averages over the tasks of each repository, largest first."""
    rows: list[dict[str, object]] = []
    for each in numbers.repositories:
        tasks = _of(numbers, each.repository)
        rows.append({"repository": each.repository, "tasks": len(tasks), **_averages(tasks)})
    return sorted(rows, key=lambda row: (-int(str(row["tasks"])), str(row["repository"])))


def figure6(numbers: DatasetNumbers) -> dict[str, tuple[tuple[float, float], ...]]:
    """Figure 6: for each measure the share of tasks that have at most so many."""
    return {measure: cdf(_values(numbers.tasks, measure)) for measure in MEASURES}


def _of(numbers: DatasetNumbers, repository: str) -> list[TaskNumbers]:
    return [task for task in numbers.tasks if task.repository == repository]


def _values(tasks: Iterable[TaskNumbers], measure: str) -> list[float]:
    found = (getattr(task, measure) for task in tasks)
    return [value for value in found if value is not None]


def _averages(tasks: Sequence[TaskNumbers]) -> dict[str, object]:
    return {measure: mean(_values(tasks, measure)) for measure in MEASURES}


def _mean_of_means(groups: Iterable[Sequence[TaskNumbers]], measure: str) -> float | None:
    means = [mean(_values(group, measure)) for group in groups]
    return mean([value for value in means if value is not None])
