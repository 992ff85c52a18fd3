"""Runs in numbers: the rows of every table and figure of a report.

The tables are those of the VeriSoftBench paper (3, 5, 6, 7, section 4, success by depth and by
scale) and what a prover team needs beside them. Everything here is typed data; ``report.formats``
and ``report.html`` show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_vsb.metrics.averages import (
    DEPTHS,
    Averages,
    bucket_start,
    depth_bucket,
    quantile_buckets,
)
from pytest_vsb.metrics.paired import clustered_interval
from pytest_vsb.metrics.passk import pass_at_k
from pytest_vsb.provers.base import Candidate
from pytest_vsb.report.caveats import caveats
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.measures import (
    CorrelationRow,
    CostRow,
    CurvePoint,
    GroupRow,
    RepairRow,
    correlations,
    cost,
    curve,
    dependency_cdf,
    first_counts,
    group_averages,
    group_row,
    repair,
)
from pytest_vsb.report.patterns import Patterns, patterns
from pytest_vsb.report.summary import ks_for
from pytest_vsb.report.taxonomy import Errors, errors_of
from pytest_vsb.report.unknown import Finder
from pytest_vsb.run.records import TaskResult


@dataclass(frozen=True)
class RunAnalysis:
    """One run. ``by_*`` have a row a group; the group of tasks of which nothing is known is named
    ``""`` and comes last. ``averages`` and ``averages_first`` are micro and macro means over
    repositories of pass@k of all samples, with repair and without. ``clustered`` is the 95 %
    interval of the last rate if repositories are drawn, not tasks. ``dependency_cdf`` is the data
    of Figure 6: for ``all``, ``solved`` and ``unsolved`` judged tasks the share of them with at
    most so many transitive dependencies, at each number that occurs. ``notes`` tell where the
    numbers come from, ``caveats`` what they leave out and which Lean they are of
    (``report.caveats``)."""

    name: str
    samples: int
    overall: GroupRow
    clustered: tuple[float, float] | None
    curve: tuple[CurvePoint, ...]
    repair: tuple[RepairRow, ...]
    averages: Averages
    averages_first: Averages
    by_repository: tuple[GroupRow, ...]
    by_category: tuple[GroupRow, ...]
    by_scale: tuple[GroupRow, ...]
    by_subset: tuple[GroupRow, ...]
    by_depth: tuple[GroupRow, ...]
    by_length: tuple[GroupRow, ...]
    by_characters: tuple[GroupRow, ...]
    by_dependency: tuple[GroupRow, ...]
    dependency_cdf: Mapping[str, tuple[tuple[float, float], ...]]
    correlations: tuple[CorrelationRow, ...]
    errors: Errors
    patterns: Patterns | None
    cost: CostRow
    notes: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()


@dataclass(frozen=True)
class Analysis:
    """All runs of a report. ``errors`` are those of the tasks that no run proved, each counted
    once; None for a single run, whose own are the same."""

    runs: tuple[RunAnalysis, ...]
    errors: Errors | None = None
    notes: tuple[str, ...] = ()


def analyse(
    runs: Sequence[LoadedRun],
    *,
    finder: Finder | None = None,
    scales: Mapping[str, str] | None = None,
) -> Analysis:
    """Analyse runs, each on its own and their failures together.

    Args:
        runs: as ``report.loaded.load_runs`` gives them.
        finder: where unknown identifiers are looked up; without one, in no repository but those
            that lie beside their task file.
        scales: ``large`` or ``regular`` by repository, beside what is known of the benchmark's
            own (``report.paper``).
    """
    from pytest_vsb.report.paper import paper_scales

    finder = finder or Finder()
    known = {**paper_scales(), **(scales or {})}
    found = tuple(_analyse(run, finder, known) for run in runs)
    errors = errors_of(runs, finder) if len(runs) > 1 else None
    return Analysis(found, errors, tuple(dict.fromkeys(finder.notes)))


def sound(run: LoadedRun) -> tuple[TaskResult, ...]:
    """The results of a run without the tasks that are known to be bad."""
    return tuple(result for result in run.results if result.status != "known_bad")


def _analyse(run: LoadedRun, finder: Finder, scales: Mapping[str, str]) -> RunAnalysis:
    results = sound(run)
    samples = run.samples
    ends = tuple(dict.fromkeys((1, samples)))

    def groups(
        names: Callable[[TaskResult], Iterable[str]], order: Callable[[GroupRow], object]
    ) -> tuple[GroupRow, ...]:
        members: dict[str, list[TaskResult]] = {}
        for result in results:
            for name in dict.fromkeys(names(result)):
                members.setdefault(name, []).append(result)
        rows = [group_row(name, found, ends) for name, found in members.items()]
        return tuple(sorted(rows, key=lambda row: (row.name == "", order(row))))

    def buckets(values: Sequence[float | None]) -> tuple[GroupRow, ...]:
        names = dict(zip((r.task.nodeid for r in results), quantile_buckets(values), strict=True))
        return groups(lambda r: (names[r.task.nodeid],), lambda row: bucket_start(row.name))

    def by_name(row: GroupRow) -> tuple[str, str]:
        return (row.name.casefold(), row.name)

    depths = ("0", *DEPTHS, "")
    last = samples
    judged = [result for result in results if result.n]
    of_last = [pass_at_k(r.n, r.c, last) for r in judged]
    kept = [(r.task.repository, v) for r, v in zip(judged, of_last, strict=True) if v is not None]
    return RunAnalysis(
        name=run.name,
        samples=samples,
        overall=group_row("total", results, ks_for(samples), intervals=True),
        clustered=clustered_interval([v for _, v in kept], [name for name, _ in kept]),
        curve=curve(judged, samples),
        repair=repair(run, judged),
        averages=group_averages(judged, [(r.n, r.c) for r in judged], last),
        averages_first=group_averages(judged, first_counts(judged), last),
        by_repository=groups(
            lambda r: (r.task.repository,), lambda row: (-row.tasks, *by_name(row))
        ),
        by_category=groups(lambda r: (r.task.category,), by_name),
        by_scale=groups(
            lambda r: (scales.get(r.task.repository, ""),), lambda r: r.name != "regular"
        ),
        by_subset=groups(lambda r: r.task.subsets, by_name),
        by_depth=groups(
            lambda r: (depth_bucket(r.task.metrics.nesting_depth),),
            lambda row: depths.index(row.name),
        ),
        by_length=buckets([r.task.metrics.proof_lines for r in results]),
        by_characters=buckets([run.proof_characters.get(r.task.nodeid) for r in results]),
        by_dependency=buckets([r.task.metrics.transitive_dependencies for r in results]),
        dependency_cdf=dependency_cdf(judged),
        correlations=correlations(run, judged),
        errors=errors_of([run], finder),
        patterns=_patterns(run),
        cost=cost(results),
        notes=run.notes,
        caveats=caveats(run),
    )


def _patterns(run: LoadedRun) -> Patterns | None:
    if not run.has_attempts:
        return None
    proofs: dict[str, list[Candidate]] = {}
    for result in sound(run):
        proofs[result.task.nodeid] = [
            attempt.candidate
            for attempt in run.attempts(result.task.nodeid)
            if attempt.verdict.accepted and attempt.candidate is not None
        ]
    return patterns(proofs)
