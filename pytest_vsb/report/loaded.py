"""Runs to be reported and compared, whatever they are kept in: a run directory, a results.json, or
another program's results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from pytest_vsb.errors import UsageError, VsbError
from pytest_vsb.report.fold import fold_run
from pytest_vsb.report.imported import WHICH_RUN, Imported, read_imported
from pytest_vsb.report.results import FILE_NAME, read_results
from pytest_vsb.report.section import judging_leans, samples_of, samples_where_ended
from pytest_vsb.report.summary import UnreadableLines, unreadable_lines
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.history import read_history
from pytest_vsb.run.records import Attempt, TaskResult
from pytest_vsb.tasks.dataset import read_tasks
from pytest_vsb.tasks.model import Task


def _none(nodeid: str) -> tuple[Attempt, ...]:
    """Where only results are kept, no attempt is known."""
    return ()


@dataclass(frozen=True)
class LoadedRun:
    """A run, read once, to be reported.

    Attributes:
        name: a short name for tables; see :func:`load_runs`.
        path: where it was read.
        run: the block ``run`` of ``results.json``: ``identity`` (model, seed, repairs, context,
            judge's settings), ``samples``, ``lean``, versions. What an imported run does not say
            is not there.
        results: of all tasks, sorted by nodeid.
        attempts: the attempts at a task by its nodeid, by sample and round; none where only
            results are kept (``has_attempts`` is false then).
        tasks: by nodeid the tasks as their task files have them now, with statements; without
            those whose file is gone or is not what was run. Read when first asked for.
        proof_characters: by nodeid how long the reference proof is, where it is another program's
            results that say so; of others the tasks' ``metrics`` have the lines.
        notes: what a reader must know of where the numbers come from.
        leans: the Leans that judged, one line each; where only results are kept, the one that
            judges unless a project pins another, if any attempt was judged.
        ended: how many samples each task has whose prover had no more to offer, as far as is known.
    """

    name: str
    path: Path | None
    run: Mapping[str, Any]
    results: tuple[TaskResult, ...]
    attempts: Callable[[str], tuple[Attempt, ...]] = field(default=_none, repr=False)
    tasks: Mapping[str, Task] = field(default_factory=dict, repr=False)
    has_attempts: bool = False
    proof_characters: Mapping[str, int] = field(default_factory=dict, repr=False)
    notes: tuple[str, ...] = ()
    leans: tuple[str, ...] = ()
    ended: tuple[int, ...] = ()

    @property
    def identity(self) -> Mapping[str, Any]:
        """The settings that the run was made with, as far as they are known."""
        found = self.run.get("identity")
        return found if isinstance(found, Mapping) else {}

    @property
    def model(self) -> str:
        """The prover as it was asked for."""
        return str(self.identity.get("model", "") or self.name)

    @property
    def losses(self) -> tuple[str, ...]:
        """Those of the notes that tell of journals' lines that cannot be read."""
        return tuple(note for note in self.notes if UnreadableLines.SAID in note)

    @property
    def samples(self) -> int:
        """How many samples a task has at most: what was asked for, or what was judged."""
        asked = self.run.get("samples")
        found = max((result.n for result in self.results), default=1)
        return max(asked, found, 1) if isinstance(asked, int) else max(found, 1)


_NOTHING = "there is no run in this directory: it is not there"


def load_run(path: Path) -> LoadedRun:
    """Read a run.

    Args:
        path: a run directory, also of a run that goes on or was killed; a ``results.json``; or
            what ``report.imported`` reads: the directory of results or the ``summary.json`` of the
            reference suite, or a JSON array of a prover's outcomes.

    Raises:
        UsageError: there is nothing of the kind there, or it cannot be read.
    """
    path = path.expanduser()
    if path.name.endswith(".vsb.jsonl") and path.is_file():
        raise UsageError(
            "this is a task file, not a run",
            where=str(path),
            hint=f"pytest {path.name} --vsb-model=NAME makes a run, and says where it is",
        )
    if (path / "run.json").exists():
        return _from_directory(RunDirectory(path.absolute()))
    if not path.is_dir() or not (path / FILE_NAME).exists():
        imported = read_imported(path)
        if imported is not None:
            return _from_import(imported, path)
        if not path.is_file():
            raise UsageError(
                "there is no run in this directory" if path.is_dir() else _NOTHING,
                where=str(path),
                hint=WHICH_RUN,
            )
    return _from_results(path)


def load_runs(paths: Sequence[Path]) -> tuple[LoadedRun, ...]:
    """Read several runs, and give each a name of its own: the prover's, with the run's place where
    two are alike, or with a number where that does not tell them apart either.

    Raises:
        UsageError: one of them cannot be read; see :func:`load_run`.
    """
    runs = [load_run(path) for path in paths]
    alike = Counter(run.name for run in runs)
    names = [
        f"{run.name} ({_place(run)})" if alike[run.name] > 1 and _place(run) else run.name
        for run in runs
    ]
    alike = Counter(names)
    seen: Counter[str] = Counter()
    for number, name in enumerate(names):
        if alike[name] > 1:
            seen[name] += 1
            names[number] = f"{name} #{seen[name]}"
    return tuple(replace(run, name=name) for run, name in zip(runs, names, strict=True))


def _place(run: LoadedRun) -> str:
    if run.path is None:
        return ""
    path = run.path.absolute()
    return path.parent.name if path.name == FILE_NAME else path.name


def _from_directory(directory: RunDirectory) -> LoadedRun:
    record = directory.read()
    try:
        histories = read_history(directory.path)
        samples = samples_of(directory, record, histories)
        results = fold_run(directory, samples=samples, histories=histories)
        leans = judging_leans(histories, str(record.get("lean", "")))
        short = any(result.n < samples for result in results)
        ended = samples_where_ended(histories) if short else ()
    except msgspec.MsgspecError as error:
        raise UsageError(f"cannot be read: {error}", where=str(directory.path)) from error

    run = {**record, "samples": samples}
    return LoadedRun(
        name=_name(run, directory.path),
        path=directory.path,
        run=run,
        results=_sorted(results),
        attempts=histories.attempts,
        tasks=_TaskTexts(run, results),
        has_attempts=True,
        notes=(
            *filter(None, [unreadable_lines(histories.unreadable).note]),
            *_merged_notes(record),
        ),
        leans=tuple(leans),
        ended=ended,
    )


def _likely_leans(run: Mapping[str, Any], results: Sequence[TaskResult]) -> tuple[str, ...]:
    """Results do not say which Lean judged an attempt, only which one does by default."""
    lean = run.get("lean")
    judged = any(result.lean_seconds or result.cached_verdicts for result in results)
    return (lean,) if isinstance(lean, str) and lean and judged else ()


def _merged_notes(run: Mapping[str, Any]) -> tuple[str, ...]:
    """What was said of runs when they were merged to this one."""
    merged = run.get("merged")
    notes = merged.get("notes") if isinstance(merged, Mapping) else None
    return tuple(str(note) for note in notes) if isinstance(notes, Sequence) else ()


def _from_results(path: Path) -> LoadedRun:
    found = read_results(path)
    return LoadedRun(
        name=_name(found.run, path),
        path=path,
        run=found.run,
        results=_sorted(found.tasks),
        tasks=_TaskTexts(found.run, found.tasks),
        notes=(
            "only results are kept: no attempts, hence no proofs",
            *filter(None, [found.summary.unreadable.note]),
            *_merged_notes(found.run),
        ),
        leans=_likely_leans(found.run, found.tasks),
    )


def _from_import(imported: Imported, path: Path) -> LoadedRun:
    return LoadedRun(
        name=imported.name,
        path=path,
        run=imported.run,
        results=_sorted(imported.results),
        attempts=lambda nodeid: imported.attempts.get(nodeid, ()),
        has_attempts=any(imported.attempts.values()),
        proof_characters=imported.proof_characters,
        notes=imported.notes,
    )


def _name(run: Mapping[str, Any], path: Path) -> str:
    identity = run.get("identity")
    model = identity.get("model") if isinstance(identity, Mapping) else None
    if isinstance(model, str) and model:
        return model
    path = path.absolute()
    return path.parent.name if path.name == FILE_NAME else path.stem


def _sorted(results: Sequence[TaskResult]) -> tuple[TaskResult, ...]:
    return tuple(sorted(results, key=lambda result: result.task.nodeid))


class _TaskTexts(Mapping[str, Task]):
    """The tasks of a run, read from its task files when first asked for."""

    def __init__(self, run: Mapping[str, Any], results: Sequence[TaskResult]) -> None:
        identity = run.get("identity")
        root = identity.get("rootdir") if isinstance(identity, Mapping) else None
        self._root = Path(root) if isinstance(root, str) and root else None
        self._facts = {result.task.nodeid: result.task for result in results}
        self._found: dict[str, Task] | None = None

    def __getitem__(self, nodeid: str) -> Task:
        return self._tasks()[nodeid]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tasks())

    def __len__(self) -> int:
        return len(self._tasks())

    def _tasks(self) -> dict[str, Task]:
        if self._found is None:
            self._found = {}
            if self._root is not None:
                files = dict.fromkeys(nodeid.partition("::")[0] for nodeid in self._facts)
                for file in files:
                    self._found.update(self._read(self._root, file))
        return self._found

    def _read(self, root: Path, file: str) -> dict[str, Task]:
        try:
            tasks = read_tasks(root / file).tasks
        except VsbError:
            return {}
        named = {f"{file}::{task.id}": task for task in tasks}
        return {
            nodeid: task
            for nodeid, task in named.items()
            if nodeid in self._facts and self._facts[nodeid].name == task.name
        }
