"""The charts of a report, each with its numbers as a table for those who cannot see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_vsb.report.analysis import Analysis, RunAnalysis
from pytest_vsb.report.formats.success import counted_note
from pytest_vsb.report.html import svg
from pytest_vsb.report.html.chart import Chart, Legend, legend_of
from pytest_vsb.report.html.distributions import (
    costs,
    dependencies,
    lean_seconds,
    prover_seconds,
    times,
)
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.measures import GroupRow
from pytest_vsb.report.summary import Rate
from pytest_vsb.report.tables import percent
from pytest_vsb.report.text import one_line

_NAME = 200
_ROWS = 60


def charts(runs: Sequence[LoadedRun], analysis: Analysis) -> tuple[Chart, ...]:
    """All charts that the runs have numbers for."""
    names = [one_line(run.name, _NAME) for run in analysis.runs]
    made = [
        _curve(analysis, names),
        _groups(
            "depth",
            "Success by nesting depth",
            "nesting depth",
            analysis,
            names,
            lambda run: run.by_depth,
        ),
        _repair(analysis, names),
        _repositories(analysis, names),
        _errors(analysis, names),
        dependencies(runs, names),
        _groups(
            "length",
            "Success by length of the reference proof",
            "lines of the reference proof",
            analysis,
            names,
            lambda run: run.by_length,
        ),
        _groups(
            "characters",
            "Success by length of the reference proof",
            "characters of the reference proof",
            analysis,
            names,
            lambda run: run.by_characters,
        ),
        times("lean", "Lean time a task", lean_seconds, runs, names),
        times("prover", "Prover time a task", prover_seconds, runs, names),
        costs(runs, names),
    ]
    return tuple(chart for chart in made if chart is not None)


def _curve(analysis: Analysis, names: Sequence[str]) -> Chart | None:
    last = max(run.samples for run in analysis.runs)
    if last == 1:  # one number: it stands above
        return None
    series: list[svg.Series] = []
    legend: list[Legend] = []
    rows: list[tuple[str, ...]] = []
    for number, (run, name) in enumerate(zip(analysis.runs, names, strict=True)):
        points = [(point.k, point.value) for point in run.curve if point.value is not None]
        if not points:
            continue
        first = [(point.k, point.first) for point in run.curve if point.first is not None]
        intervals = tuple(
            (float(rate.k), rate.low, rate.high)
            for rate in run.overall.pass_at
            if rate.low is not None and rate.high is not None
        )
        series.append(svg.Series(name, tuple(points), intervals, colour=number))
        legend.append(Legend(name, number))
        repaired = first not in ([], points)
        if repaired:
            plain = f"{name}, without repair"
            series.append(svg.Series(plain, tuple(first), dashed=True, colour=number))
            legend.append(Legend(plain, number, dashed=True))
        both = zip(run.overall.pass_at, run.overall.pass_at_first, strict=True)
        for rate, without in both:
            values = (percent(rate.value), _interval(rate), percent(without.value))
            rows.append((name, str(rate.k), *values, str(rate.tasks)))
    if not series:
        return None
    top = max([y for line in series for _, y in line.points] + [_top(analysis)])
    return Chart(
        "curve",
        "pass@k",
        " ".join(
            [
                "The chance that at least one of k samples is a proof, by the unbiased estimate. "
                "Whiskers are 95 % intervals over tasks.",
                *_counted(analysis, names),
            ]
        ),
        svg.line_chart(
            "pass@k by the number of samples",
            series,
            svg.power_axis("samples (k)", last),
            svg.fraction_axis("pass@k", top),
        ),
        ("run", "k", "pass@k", "95 % interval", "without repair", "tasks"),
        tuple(rows),
        tuple(legend) if legend[1:] else (),
    )


def _counted(analysis: Analysis, names: Sequence[str]) -> list[str]:
    """What to know of the curves whose points do not all count the same tasks."""
    notes = [counted_note(run.curve) for run in analysis.runs]
    shown = [f"{name}: {note}" for name, note in zip(names, notes, strict=True) if note]
    return shown if names[1:] else list(filter(None, notes))


def _top(analysis: Analysis) -> float:
    highs = [rate.high for run in analysis.runs for rate in run.overall.pass_at]
    return max((high for high in highs if high is not None), default=0.0)


def _interval(rate: Rate) -> str:
    if rate.low is None or rate.high is None:
        return ""
    return f"{100 * rate.low:.1f} - {100 * rate.high:.1f} %"


def _named(rows: Sequence[GroupRow]) -> list[GroupRow]:
    return [row for row in rows if row.judged]


def _groups(
    key: str,
    title: str,
    label: str,
    analysis: Analysis,
    names: Sequence[str],
    rows_of: Callable[[RunAnalysis], Sequence[GroupRow]],
) -> Chart | None:
    found = [{row.name: row for row in _named(rows_of(run))} for run in analysis.runs]
    order = list(dict.fromkeys(name for rows in found for name in rows))
    order.sort(key=lambda name: name == "")
    if not [name for name in order if name]:
        return None
    groups = []
    table = []
    top = 0.0
    for name in order:
        shown = name or "not known"
        bars = []
        for number, (rows, run) in enumerate(zip(found, names, strict=True)):
            row = rows.get(name)
            rate = row.last if row else None
            bars.append(_bar(rate, number))
            top = max(top, bars[-1].high or 0.0, bars[-1].value)
            if row and rate:
                table.append(
                    (
                        *(shown, run, f"pass@{rate.k}", percent(rate.value), _interval(rate)),
                        *(str(rate.tasks), f"{row.solved}/{row.judged}"),
                    )
                )
        groups.append(svg.Bars(shown, tuple(bars)))
    ks = _last(analysis)
    return Chart(
        key,
        title,
        f"{ks} with 95 % intervals over tasks.",
        svg.column_chart(title, groups, svg.fraction_axis(ks, top), label),
        (label, "run", "rate", "value", "95 % interval", "tasks", "solved"),
        tuple(table),
        legend_of(names),
    )


def _last(analysis: Analysis) -> str:
    return ", ".join(dict.fromkeys(f"pass@{run.samples}" for run in analysis.runs))


def _bar(rate: Rate | None, number: int) -> svg.Bar:
    if rate is None or rate.value is None:
        return svg.Bar(0.0, "n/a", colour=number)
    return svg.Bar(rate.value, percent(rate.value), rate.low, rate.high, number)


def _repositories(analysis: Analysis, names: Sequence[str]) -> Chart | None:
    found = [{row.name: row for row in _named(run.by_repository)} for run in analysis.runs]
    order = list(dict.fromkeys(name for rows in found for name in rows))
    if not order:
        return None

    def best(name: str) -> float:
        rates = [rows[name].last.value for rows in found if name in rows]
        return max((rate for rate in rates if rate is not None), default=0.0)

    order.sort(key=lambda name: -best(name))
    groups = []
    table = []
    for name in order:
        shown = one_line(name, _NAME) or "not known"
        row = next(rows[name] for rows in found if name in rows)
        bars = [_bar(rows[name].last, number) for number, rows in enumerate(found) if name in rows]
        groups.append(svg.Bars(shown, tuple(bars), f"{row.judged}"))
        for rows, run in zip(found, names, strict=True):
            if name in rows:
                each = rows[name]
                table.append(
                    (
                        *(shown, run, str(each.judged), str(each.solved)),
                        *(percent(each.last.value), str(each.last.tasks), _interval(each.last)),
                    )
                )
    ks = _last(analysis)
    return Chart(
        "repository",
        "Success by repository",
        f"{ks} with 95 % intervals over tasks; in brackets the number of tasks.",
        svg.bar_chart("Success by repository", groups[:_ROWS]),
        ("repository", "run", "tasks", "solved", ks, f"in {ks}", "95 % interval"),
        tuple(table),
        legend_of(names),
        tall=True,
    )


def _errors(analysis: Analysis, names: Sequence[str]) -> Chart | None:
    failed = [run.errors.failed for run in analysis.runs]
    if not any(failed):
        return None
    order = list(dict.fromkeys(row.name for run in analysis.runs for row in run.errors.classes))
    found = [{row.name: row for row in run.errors.classes} for run in analysis.runs]
    groups = []
    table = []
    for name in order:
        bars = []
        for number, rows in enumerate(found):
            row = rows.get(name)
            share = row.share if row and row.share is not None else 0.0
            tasks = row.tasks if row else 0
            bars.append(svg.Bar(share, f"{tasks} ({percent(share)})", colour=number))
            table.append((name, names[number], str(tasks), percent(share)))
        groups.append(svg.Bars(name, tuple(bars)))
    for run, label in zip(analysis.runs, names, strict=True):
        table += [
            (f"{row.error}: {row.name}", label, str(row.tasks), percent(row.share))
            for row in run.errors.fine
            if row.name != row.error
        ]
    return Chart(
        "errors",
        "Why tasks were not proved",
        "Tasks that no attempt proved, by the first diagnostic of the attempt that came nearest.",
        svg.bar_chart("Error classes of the tasks that were not proved", groups),
        ("class", "run", "tasks", "share"),
        tuple(table),
        legend_of(names),
        tall=True,
    )


def _repair(analysis: Analysis, names: Sequence[str]) -> Chart | None:
    if max(len(run.repair) for run in analysis.runs) < 2:
        return None
    ks = _last(analysis)
    several = any(run.samples > 1 for run in analysis.runs)
    rounds = list(dict.fromkeys(row.round for run in analysis.runs for row in run.repair))
    groups = []
    table = []
    top = 0.0
    for step in sorted(rounds):
        bars = []
        for number, run in enumerate(analysis.runs):
            row = next((row for row in run.repair if row.round == step), None)
            value = row.pass_n if row and row.pass_n is not None else 0.0
            top = max(top, value)
            bars.append(svg.Bar(value, percent(value), colour=number))
            if row:
                table.append(
                    (
                        *(str(step), names[number], str(row.solved)),
                        *([percent(row.pass_1)] if several else ()),
                        *(percent(row.pass_n), str(row.tasks), _gain(row.gain_n)),
                        f"{row.attempts:,}" if row.attempts is not None else "",
                    )
                )
        groups.append(svg.Bars(str(step), tuple(bars)))
    return Chart(
        "repair",
        "What repair adds",
        "Success by the end of each round of repair; round 0 is without any.",
        svg.column_chart("Success by round of repair", groups, svg.fraction_axis(ks, top), "round"),
        (
            *("round", "run", "solved", *(["pass@1"] if several else ())),
            *(ks, f"in {ks}", "gain", "attempts"),
        ),
        tuple(table),
        legend_of(names),
    )


def _gain(value: float | None) -> str:
    return "" if value is None else f"{100 * value:+.1f} points"
