"""The tables of a report, out of an analysis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pytest_vsb.metrics.averages import bucket_start
from pytest_vsb.metrics.errors import CLASSES
from pytest_vsb.provers.base import Usage
from pytest_vsb.report.analysis import Analysis, GroupRow, RunAnalysis
from pytest_vsb.report.formats.cells import Cell, Column, Table
from pytest_vsb.report.formats.published import Beside, nothing_beside
from pytest_vsb.report.patterns import MEASURES
from pytest_vsb.report.summary import Rate
from pytest_vsb.report.taxonomy import Errors

Row = tuple[Cell, ...]

RUN = Column("run", "run")

_UNTOLD: Row = ("",)
"""What a published row does not say."""

MEASURED = {
    "direct_project_deps": "direct dependencies, project",
    "direct_library_deps": "direct dependencies, libraries",
    "total_transitive_deps": "transitive dependencies",
    "nesting_depth": "nesting depth",
    "proof_length_lines": "lines of the reference proof",
}

_GROUPED: tuple[tuple[str, str, str, Callable[[RunAnalysis], tuple[GroupRow, ...]]], ...] = (
    ("by_repository", "By repository (Table 5)", "repository", lambda run: run.by_repository),
    ("by_category", "By category", "category", lambda run: run.by_category),
    ("by_scale", "By scale of the repository", "scale", lambda run: run.by_scale),
    ("by_subset", "By subset", "subset", lambda run: run.by_subset),
    ("by_depth", "By nesting depth", "depth", lambda run: run.by_depth),
    ("by_length", "By lines of the reference proof (quarters)", "lines", lambda run: run.by_length),
    (
        "by_dependency",
        "By transitive dependencies (quarters)",
        "dependencies",
        lambda run: run.by_dependency,
    ),
)


def tables(analysis: Analysis, beside: Beside | None = None) -> tuple[Table, ...]:
    """All tables that have something to say, in the order of a report.

    Args:
        analysis: of one run or more; a row's first cell is its run's name.
        beside: rows from elsewhere to be set beside the runs', such as the paper's.
    """
    beside = beside or nothing_beside()
    runs = analysis.runs
    found = [
        _overall(runs, beside),
        _curve(runs),
        _repair(runs),
        _averages(runs, beside),
        *(_grouped(key, title, name, runs, of, beside) for key, title, name, of in _GROUPED),
        _dependency_cdf(runs),
        _correlations(runs, beside),
        *_errors(analysis, beside),
        _patterns(runs, beside),
        _tactics(runs),
        _cost(runs),
    ]
    return tuple(table for table in found if table.rows)


def _told(cell: Cell) -> Cell:
    return "" if cell is None else cell


def _ends(runs: Sequence[RunAnalysis]) -> tuple[str, str]:
    """What the largest k is called, and a note where runs differ in it."""
    samples = {run.samples for run in runs}
    if len(samples) == 1:
        return f"pass@{samples.pop()}", ""
    told = ", ".join(f"{run.name}: {run.samples}" for run in runs)
    return "pass@n", f"n is the number of samples ({told}), so pass@n is not the same for all."


def _interval(rate: Rate) -> tuple[float, float] | None:
    return (rate.low, rate.high) if rate.low is not None and rate.high is not None else None


def _overall(runs: Sequence[RunAnalysis], beside: Beside) -> Table:
    last, note = _ends(runs)
    columns = (
        RUN,
        Column("setting", "setting"),
        Column("tasks", "tasks", "count"),
        Column("judged", "judged", "count"),
        Column("solved", "solved", "count"),
        Column("solved_without_repair", "no repair", "count"),
        Column("pass_1", "pass@1", "rate"),
        Column("pass_n_first", f"{last}, no repair", "rate"),
        Column("pass_n", last, "rate"),
        Column("interval", "95 % interval", "interval"),
        Column("clustered", "of repositories", "interval"),
    )
    rows: list[Row] = [
        (
            run.name,
            "",
            run.overall.tasks,
            run.overall.judged,
            run.overall.solved,
            run.overall.solved_without_repair,
            run.overall.pass_at[0].value,
            run.overall.last_first.value,
            run.overall.last.value,
            _interval(run.overall.last),
            run.clustered,
        )
        for run in runs
    ]
    for name, setting, rate, samples in beside.overall:
        rows.append((name, setting, *_UNTOLD * 6, rate, *_UNTOLD * 2))
        if samples and any(run.samples != samples for run in runs):
            note = note or f"The published rates are pass@{samples}."
    drawn = (
        "The first interval draws tasks, the second whole repositories: tasks of one repository "
        "resemble each other."
    )
    table = Table("overall", "Overall (Table 3)", columns, tuple(rows), f"{drawn} {note}".strip())
    return table if beside.overall else table.without("setting")


def _curve(runs: Sequence[RunAnalysis]) -> Table:
    columns = (
        RUN,
        Column("k", "k", "count"),
        Column("pass_k", "pass@k", "rate"),
        Column("pass_k_first", "no repair", "rate"),
    )
    rows: list[Row] = [
        (run.name, point.k, point.value, point.first)
        for run in runs
        if len(run.curve) > 1
        for point in run.curve
    ]
    return Table("curve", "pass@k", columns, tuple(rows))


def _repair(runs: Sequence[RunAnalysis]) -> Table:
    last, _ = _ends(runs)
    columns = (
        RUN,
        Column("round", "round", "count"),
        Column("solved", "solved", "count"),
        Column("pass_1", "pass@1", "rate"),
        Column("gain_1", "gain", "points"),
        Column("pass_n", last, "rate"),
        Column("gain_n", "gain", "points"),
        Column("attempts", "attempts", "count"),
    )
    rows: list[Row] = [
        (run.name, r.round, r.solved, r.pass_1, r.gain_1, r.pass_n, r.gain_n, r.attempts)
        for run in runs
        if len(run.repair) > 1
        for r in run.repair
    ]
    note = "By the end of each round; gains in points."
    return Table("repair", "Gain by round of repair", columns, tuple(rows), note)


def _averages(runs: Sequence[RunAnalysis], beside: Beside) -> Table:
    last, _ = _ends(runs)
    columns = (
        RUN,
        Column("average", "average"),
        Column("repositories", "repositories", "count"),
        Column("pass_n_first", f"{last}, no repair", "rate"),
        Column("pass_n", last, "rate"),
    )
    rows: list[Row] = []
    for name in ("micro", "macro"):
        for run in runs:
            every, first = run.averages, run.averages_first
            if every.groups > 1 or beside.averages:
                values = (
                    (first.micro, every.micro) if name == "micro" else (first.macro, every.macro)
                )
                rows.append((run.name, name, every.groups, *values))
        rows += [(who, name, "", "", rate) for who, what, rate in beside.averages if what == name]
    note = "micro: each task counts alike; macro: each repository does."
    return Table("averages", "Averages over repositories (Table 5)", columns, tuple(rows), note)


def _grouped(
    key: str,
    title: str,
    name: str,
    runs: Sequence[RunAnalysis],
    of: Callable[[RunAnalysis], tuple[GroupRow, ...]],
    beside: Beside,
) -> Table:
    last, _ = _ends(runs)
    columns = (
        RUN,
        Column(name, name),
        Column("tasks", "tasks", "count"),
        Column("solved", "solved", "count"),
        Column("solved_without_repair", "no repair", "count"),
        Column("pass_1", "pass@1", "rate"),
        Column("pass_n", last, "rate"),
        Column("interval", "95 % interval", "interval"),
    )
    published = beside.groups.get(key, ())
    groups = {run.name: of(run) for run in runs}
    if all(len(rows) <= 1 and not any(row.name for row in rows) for rows in groups.values()):
        return Table(key, title, columns, ())
    order = dict.fromkeys(row.name for rows in groups.values() for row in rows if row.name)
    order.update(dict.fromkeys(row[1] for row in published))
    rows: list[Row] = []
    for group in _ordered(key, order):
        for run in runs:
            rows += [
                (
                    run.name,
                    group or "(unknown)",
                    row.tasks,
                    row.solved,
                    row.solved_without_repair,
                    row.pass_at[0].value,
                    row.last.value,
                    _interval(row.last),
                )
                for row in groups[run.name]
                if row.name == group
            ]
        rows += [
            (who, what, _told(tasks), *_UNTOLD * 3, rate, "")
            for who, what, tasks, rate in published
            if what == group
        ]
    return Table(key, title, columns, tuple(rows))


def _ordered(key: str, names: Iterable[str]) -> list[str]:
    """The names of groups of several runs in one order, and the nameless group last."""
    found = list(names)
    if key in ("by_length", "by_dependency", "by_depth"):
        found.sort(key=bucket_start)
    return [*found, ""]


_SHARES = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


def _dependency_cdf(runs: Sequence[RunAnalysis]) -> Table:
    columns = (
        RUN,
        Column("outcome", "outcome"),
        *(Column(f"at_{share:g}", f"{share:.0%}", "number") for share in _SHARES),
    )
    rows: list[Row] = [
        (run.name, name, *(_at(steps, share) for share in _SHARES))
        for run in runs
        for name, steps in run.dependency_cdf.items()
        if steps
    ]
    note = "So many at most, for these shares of the judged tasks."
    title = "Distribution of transitive dependencies (Figure 6)"
    return Table("dependency_cdf", title, columns, tuple(rows), note)


def _at(steps: Sequence[tuple[float, float]], share: float) -> Cell:
    """The smallest value that at least this share does not exceed."""
    return int(next((value for value, reached in steps if reached >= share), steps[-1][0]))


def _correlations(runs: Sequence[RunAnalysis], beside: Beside) -> Table:
    columns = (
        RUN,
        Column("measure", "measure"),
        Column("n", "tasks", "count"),
        Column("rho", "rho", "rho"),
        Column("p", "p", "p"),
        Column("partial", "partial rho", "rho"),
        Column("partial_p", "p", "p"),
    )
    rows: list[Row] = []
    for measure, title in MEASURED.items():
        for run in runs:
            rows += [
                (run.name, title, row.n, row.rho, row.p, row.partial, row.partial_p)
                for row in run.correlations
                if row.measure == measure and row.n
            ]
        rows += [
            (who, title, "", _told(rho), "", _told(partial), "")
            for who, what, rho, partial in beside.correlations
            if what == measure
        ]
    note = (
        "Spearman's rho of the measure and success (1 or 0) over judged tasks; the partial one "
        "with the repository held fixed. p is two-sided."
    )
    return Table("correlations", "Success and dependencies (Table 6)", columns, tuple(rows), note)


def _errors(analysis: Analysis, beside: Beside) -> list[Table]:
    found: list[tuple[str, Errors]] = [(run.name, run.errors) for run in analysis.runs]
    if analysis.errors is not None:
        found.append(("no run proved it", analysis.errors))
    columns = (
        RUN,
        Column("error", "first error"),
        Column("tasks", "tasks", "count"),
        Column("share", "share", "rate"),
        Column("attempts", "attempts", "count"),
    )
    classes: list[Row] = []
    for name in CLASSES:
        for who, errors in found:
            classes += [
                (who, name, row.tasks, row.share, row.attempts)
                for row in errors.classes
                if row.name == name and errors.failed
            ]
        classes += [
            (who, name, tasks, share, "")
            for who, what, tasks, share in beside.errors
            if what == name
        ]
    fine: list[Row] = [
        (who, row.error, row.name, row.tasks, row.share, row.attempts)
        for who, errors in found
        for row in errors.fine
        if errors.failed
    ]
    places: list[Row] = [
        (who, row.place, row.tasks, row.share, ", ".join(row.examples[:3]), row.meaning)
        for who, errors in found
        for row in errors.unknown
    ]
    note = (
        "Tasks that were judged and not proved, each once, by the first diagnostic of its attempt "
        "that came nearest; attempts: all those that failed at these tasks."
    )
    return [
        Table("errors", "Errors (Table 7)", columns, tuple(classes), note),
        Table(
            "errors_fine",
            "Errors, finer",
            (columns[0], Column("class", "class"), *columns[1:]),
            tuple(fine),
        ),
        Table(
            "unknown",
            "Unknown identifiers: where the name is",
            (
                RUN,
                Column("place", "place"),
                Column("tasks", "tasks", "count"),
                Column("share", "share", "rate"),
                Column("examples", "examples"),
                Column("meaning", "meaning"),
            ),
            tuple(places),
        ),
    ]


def _patterns(runs: Sequence[RunAnalysis], beside: Beside) -> Table:
    columns = (
        RUN,
        Column("pattern", "pattern"),
        Column("proofs", "proofs", "count"),
        Column("share", "share", "rate"),
    )
    rows: list[Row] = []
    for measure, title in MEASURES.items():
        rows += [
            (run.name, title, run.patterns.proofs, getattr(run.patterns, measure))
            for run in runs
            if run.patterns is not None and run.patterns.proofs
        ]
        rows += [(who, title, "", share) for who, what, share in beside.patterns if what == measure]
    note = "Of different accepted proofs, told from their tokens."
    return Table("patterns", "Proof patterns", columns, tuple(rows), note)


def _tactics(runs: Sequence[RunAnalysis]) -> Table:
    columns = (
        RUN,
        Column("tactic", "tactic"),
        Column("uses", "uses", "count"),
        Column("first", "first", "count"),
        Column("last", "last", "count"),
    )
    rows: list[Row] = [
        (
            run.name,
            name,
            uses,
            run.patterns.first.get(name, 0),
            run.patterns.last.get(name, 0),
        )
        for run in runs
        if run.patterns is not None
        for name, uses in list(run.patterns.histogram.items())[:15]
    ]
    return Table("tactics", "Tactics of accepted proofs", columns, tuple(rows))


def _cost(runs: Sequence[RunAnalysis]) -> Table:
    columns = (
        RUN,
        Column("attempts", "attempts", "count"),
        Column("input_tokens", "tokens in", "count"),
        Column("output_tokens", "tokens out", "count"),
        Column("cost_usd", "cost", "dollars"),
        Column("cost_per_solved", "per solved", "dollars"),
        Column("seconds", "prover", "seconds"),
        Column("lean_seconds", "Lean", "seconds"),
        Column("lean_seconds_per_attempt", "per attempt", "seconds"),
    )
    rows: list[Row] = [
        (
            run.name,
            run.cost.attempts,
            run.cost.input_tokens,
            run.cost.output_tokens,
            run.cost.cost_usd,
            run.cost.cost_per_solved,
            run.cost.seconds,
            run.cost.lean_seconds,
            run.cost.lean_seconds_per_attempt,
        )
        for run in runs
        if run.cost.lean_seconds or run.overall.usage != Usage()  # an import says nothing of it
    ]
    return Table("cost", "Cost and time", columns, tuple(rows), "Sums over all attempts.")
