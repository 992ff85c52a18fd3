"""Results joined where only results are kept: n and c of a task add up."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import combinations
from pathlib import Path
from typing import Any

from pytest_vsb.errors import UsageError
from pytest_vsb.metrics.passk import pass_at_k
from pytest_vsb.provers.base import Usage
from pytest_vsb.report.conflicts import Part, check, joined_status
from pytest_vsb.report.loaded import LoadedRun, load_runs
from pytest_vsb.report.merge import Merged, merge_runs
from pytest_vsb.report.parts import all_shards
from pytest_vsb.report.results import write_results
from pytest_vsb.report.section import report_run
from pytest_vsb.report.summary import ks_for, sum_known, summarise
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.records import TaskResult


def merge_to_results(paths: Sequence[Path], output: Path, *, whole: bool = False) -> Merged:
    """Join runs to one ``results.json``.

    Args:
        paths: run directories and results.
        output: the file; one that is there is replaced.
        whole: whether their shards must be all there are, each once.

    Raises:
        UsageError: a run cannot be read, or they do not belong together.
        VsbError: the file cannot be written.
    """
    if all((path / "run.json").exists() for path in paths):
        # The journals say more: which of all attempts came nearest, for one.
        with tempfile.TemporaryDirectory(prefix="vsb-merge-") as scratch:
            path = Path(scratch) / "run"
            merged = merge_runs(paths, path, whole=whole)
            found = report_run(RunDirectory(path))
            write_results(output, found.run, found.summary, found.results)
            return merged
    runs = sorted(load_runs(paths), key=lambda run: (str(run.run.get("created")), run.name))
    _no_run_twice(runs)
    lost = (f"{run.name}: {note}" for run in runs for note in run.losses)
    notes = (*check([_part(run) for run in runs], whole=whole), *lost)
    results = add_results([run.results for run in runs], [run.samples for run in runs])
    samples = max((max(r.pass_at, default=1) for r in results), default=1)
    shards = all_shards([run.run for run in runs])
    block = {
        **runs[0].run,
        "samples": samples,
        **({"shards": shards} if shards else {}),
        "merged": {"notes": list(notes), "runs": _runs(runs)},
    }
    write_results(output, block, summarise(results, ks_for(samples)), results)
    names = tuple(run.name for run in runs)
    return Merged(names, len(results), samples, notes)


def add_results(
    runs: Sequence[Sequence[TaskResult]], samples: Sequence[int]
) -> tuple[TaskResult, ...]:
    """The results of runs together, by nodeid; ``samples`` is what each run asked for."""
    by_task: dict[str, list[TaskResult]] = {}
    asked: Counter[str] = Counter()
    for results, number in zip(runs, samples, strict=True):
        for result in results:
            by_task.setdefault(result.task.nodeid, []).append(result)
            asked[result.task.nodeid] += number
    ks = ks_for(max(asked.values(), default=1))
    return tuple(_added(by_task[nodeid], ks) for nodeid in sorted(by_task))


def _added(found: Sequence[TaskResult], ks: Sequence[int]) -> TaskResult:
    n, c = sum(r.n for r in found), sum(r.c for r in found)
    verdicts: Counter[str] = Counter()
    for result in found:
        verdicts.update(result.verdicts)
    status, reason = joined_status([(r.status, r.reason) for r in found])
    tried = any(r.status != "not_run" for r in found)
    return TaskResult(
        task=found[0].task,
        status=status,
        n=n,
        c=c,
        c_first=sum_known(r.c_first for r in found),
        pass_at={k: pass_at_k(n, c, k) for k in ks} if tried else {},
        verdicts=dict(verdicts),
        first_error="" if c else next((r.first_error for r in found if r.first_error), ""),
        reason=reason,
        attempts=sum(r.attempts for r in found),
        unavailable_samples=sum(r.unavailable_samples for r in found),
        lean_seconds=sum(r.lean_seconds for r in found),
        usage=reduce(lambda total, result: total + result.usage, found, Usage()),
        cached_verdicts=sum(r.cached_verdicts for r in found),
    )


def _part(run: LoadedRun) -> Part:
    return Part(
        name=run.name,
        run=run.run,
        tasks={result.task.nodeid: result.task for result in run.results},
        statuses={r.task.nodeid: r.status for r in run.results if r.status != "not_run"},
    )


def _no_run_twice(runs: Sequence[LoadedRun]) -> None:
    for one, other in combinations(runs, 2):
        tried = [{r.task.nodeid for r in run.results if r.attempts} for run in (one, other)]
        begun = [(run.run.get("created"), run.identity) for run in (one, other)]
        same = (begun[0][0] and begun[0] == begun[1]) or one.results == other.results
        if same and tried[0] & tried[1]:
            raise UsageError(
                f"{one.name} and {other.name} are the same run",
                where="vsb merge",
                hint="name each run once",
            )


def _runs(runs: Sequence[LoadedRun]) -> list[Mapping[str, Any]]:
    return [
        {
            "name": run.name,
            "created": run.run.get("created"),
            "plugin_version": run.run.get("plugin_version"),
            "seed": run.identity.get("seed"),
            "samples": run.samples,
            "tasks": len(run.results),
        }
        for run in runs
    ]
