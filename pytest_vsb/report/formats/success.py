"""The tables of what was proved: overall, by number of samples, by round, by group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pytest_vsb.metrics.averages import bucket_start
from pytest_vsb.report.analysis import RunAnalysis
from pytest_vsb.report.formats.cells import Cell, Column, Table
from pytest_vsb.report.formats.published import Beside
from pytest_vsb.report.formats.rows import RUN, Row, ends, published, row_of, table
from pytest_vsb.report.measures import CurvePoint, GroupRow
from pytest_vsb.report.summary import Rate


def overall(runs: Sequence[RunAnalysis], beside: Beside) -> Table:
    last, note = ends(runs)
    solved = _solved_columns(last)
    first = Column("pass_n_first", f"{last}, no repair", "rate")
    columns = (
        *(RUN, Column("setting", "setting")),
        *(*solved[:5], first, *solved[5:]),
        Column("clustered", "of repositories", "interval"),
    )
    rows = [
        _solved(
            run.name,
            run.overall,
            pass_n_first=run.overall.last_first.value,
            clustered=run.clustered,
        )
        for run in runs
    ]
    for name, setting, rate, samples in beside.overall:
        rows.append(published(name, setting=setting, pass_n=rate))
        if samples and any(run.samples != samples for run in runs):
            note = note or f"The published rates are pass@{samples}."
    drawn = (
        "The first interval is over tasks, the second over repositories, since tasks of one "
        "resemble each other. Both are wide where there are few."
    )
    found = table("overall", "Overall (Table 3)", columns, rows, f"{drawn} {note}".strip())
    return found if beside.overall else found.without("setting")


def curve(runs: Sequence[RunAnalysis]) -> Table:
    columns = (
        RUN,
        Column("k", "k", "count"),
        Column("pass_k", "pass@k", "rate"),
        Column("pass_k_first", "no repair", "rate"),
        Column("tasks", "tasks", "count"),
    )
    shown = [run for run in runs if len(run.curve) > 1]
    rows = [
        row_of(run.name, point, "k", "tasks", pass_k=point.value, pass_k_first=point.first)
        for run in shown
        for point in run.curve
    ]
    notes = {run.name: counted_note(run.curve) for run in shown}
    told = [f"{name}: {note}" if len(shown) > 1 else note for name, note in notes.items() if note]
    return table("curve", "pass@k", columns, rows, " ".join(told))


def counted_note(curve: Sequence[CurvePoint]) -> str:
    """What to know of a curve on which not all points count the same tasks; else empty."""
    last: dict[int, int] = {}
    for point in curve:
        last[point.tasks] = point.k
    if len(last) < 2:
        return ""
    told = ", ".join(f"{tasks} up to k = {k}" for tasks, k in last.items())
    return (
        f"Each pass@k is the mean over the tasks with at least k samples ({told}), so it can fall "
        "as k grows."
    )


def repair(runs: Sequence[RunAnalysis]) -> Table:
    last, _ = ends(runs)
    one = last == "pass@1"
    columns = (
        RUN,
        Column("round", "round", "count"),
        Column("solved", "solved", "count"),
        _pass_1(last),
        Column("gain_1", "gain", "points", repeats="gain_n" if one else ""),
        Column("pass_n", last, "rate"),
        Column("gain_n", "gain", "points"),
        Column("tasks", f"in {last}", "count"),
        Column("attempts", "attempts", "count"),
    )
    rows = [
        row_of(run.name, row, *(column.key for column in columns[1:]))
        for run in runs
        if len(run.repair) > 1
        for row in run.repair
    ]
    note = "By the end of each round; gains in points."
    return table("repair", "Gain by round of repair", columns, rows, note)


def averages(runs: Sequence[RunAnalysis], beside: Beside) -> Table:
    last, _ = ends(runs)
    columns = (
        RUN,
        Column("average", "average"),
        Column("repositories", "repositories", "count"),
        Column("tasks", "tasks", "count"),
        Column("pass_n_first", f"{last}, no repair", "rate"),
        Column("pass_n", last, "rate"),
    )
    rows: list[Row] = []
    for name in ("micro", "macro"):
        rows += [
            row_of(
                run.name,
                run.averages,
                "tasks",
                average=name,
                repositories=run.averages.groups,
                pass_n_first=getattr(run.averages_first, name),
                pass_n=getattr(run.averages, name),
            )
            for run in runs
            if run.averages.groups or beside.averages
        ]
        rows += [
            published(who, average=name, pass_n=rate)
            for who, what, rate in beside.averages
            if what == name
        ]
    note = f"micro: each task counts alike; macro: each repository does. Tasks are those in {last}."
    return table("averages", "Averages over repositories (Table 5)", columns, rows, note)


def grouped(
    key: str,
    title: str,
    name: str,
    runs: Sequence[RunAnalysis],
    of: Callable[[RunAnalysis], tuple[GroupRow, ...]],
    beside: Beside,
) -> Table:
    last, _ = ends(runs)
    columns = (RUN, Column(name, name), *_solved_columns(last))
    elsewhere = beside.groups.get(key, ())
    groups = {run.name: of(run) for run in runs}
    if all(len(rows) <= 1 and not any(row.name for row in rows) for rows in groups.values()):
        return table(key, title, columns, ())
    order = dict.fromkeys(row.name for rows in groups.values() for row in rows if row.name)
    order.update(dict.fromkeys(row[1] for row in elsewhere))
    rows: list[Row] = []
    for group in _ordered(key, order):
        rows += [
            _solved(who, row, **{name: group or "(unknown)"})
            for who, found in groups.items()
            for row in found
            if row.name == group
        ]
        rows += [
            published(who, **{name: what}, tasks=tasks, pass_n=rate)
            for who, what, tasks, rate in elsewhere
            if what == group
        ]
    return table(key, title, columns, rows)


def _ordered(key: str, names: Iterable[str]) -> list[str]:
    """The names of groups of several runs in one order, and the nameless group last."""
    found = list(names)
    if key in ("by_length", "by_characters", "by_dependency", "by_depth"):
        found.sort(key=bucket_start)
    return [*found, ""]


_SHARES = {f"at_{share:g}": share for share in (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)}


def dependency_cdf(runs: Sequence[RunAnalysis]) -> Table:
    columns = (
        RUN,
        Column("outcome", "outcome"),
        *(Column(key, f"{share:.0%}", "number") for key, share in _SHARES.items()),
    )
    rows = [
        {"run": run.name, "outcome": name, **{k: _at(steps, share) for k, share in _SHARES.items()}}
        for run in runs
        for name, steps in run.dependency_cdf.items()
        if steps
    ]
    note = "So many at most, for these shares of the judged tasks."
    title = "Distribution of transitive dependencies (Figure 6)"
    return table("dependency_cdf", title, columns, rows, note)


def _at(steps: Sequence[tuple[float, float]], share: float) -> Cell:
    """The smallest value that at least this share does not exceed."""
    return int(next((value for value, reached in steps if reached >= share), steps[-1][0]))


MEASURED = {
    "direct_project_deps": "direct dependencies, project",
    "direct_library_deps": "direct dependencies, libraries",
    "total_transitive_deps": "transitive dependencies",
    "nesting_depth": "nesting depth",
    "proof_length_lines": "lines of the reference proof",
    "proof_length_characters": "characters of the reference proof",
}


def correlations(runs: Sequence[RunAnalysis], beside: Beside) -> Table:
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
        rows += [
            row_of(run.name, row, "n", "rho", "p", "partial", "partial_p", measure=title)
            for run in runs
            for row in run.correlations
            if row.measure == measure and row.n
        ]
        rows += [
            published(who, measure=title, rho=rho, partial=partial)
            for who, what, rho, partial in beside.correlations
            if what == measure
        ]
    note = (
        "Spearman's rho of the measure and success (1 or 0) over judged tasks; the partial one "
        "with the repository held fixed. p is two-sided."
    )
    return table("correlations", "Success and dependencies (Table 6)", columns, rows, note)


def _solved_columns(last: str) -> tuple[Column, ...]:
    """What a group of tasks comes to; see :func:`_solved`."""
    return (
        Column("tasks", "tasks", "count"),
        Column("judged", "judged", "count", repeats="tasks"),
        Column("solved", "solved", "count"),
        Column("solved_without_repair", "no repair", "count"),
        _pass_1(last),
        Column("pass_n", last, "rate"),
        Column("counted", f"in {last}", "count", repeats="judged"),
        Column("interval", "95 % interval", "interval"),
    )


def _pass_1(last: str) -> Column:
    return Column("pass_1", "pass@1", "rate", repeats="pass_n" if last == "pass@1" else "")


def _solved(who: str, group: GroupRow, **cells: Cell) -> Row:
    return row_of(
        who,
        group,
        *("tasks", "judged", "solved", "solved_without_repair"),
        pass_1=group.pass_at[0].value,
        pass_n=group.last.value,
        counted=group.last.tasks,
        interval=_interval(group.last),
        **cells,
    )


def _interval(rate: Rate) -> tuple[float, float] | None:
    return (rate.low, rate.high) if rate.low is not None and rate.high is not None else None
