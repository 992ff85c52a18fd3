"""The charts of how something is distributed over the tasks: cumulative distribution functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_vsb.metrics.distribution import cdf
from pytest_vsb.report.analysis import sound
from pytest_vsb.report.html import svg
from pytest_vsb.report.html.chart import Chart, Legend, legend_of
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.tables import dollars, duration
from pytest_vsb.run.records import TaskResult


def dependencies(runs: Sequence[LoadedRun], names: Sequence[str]) -> Chart | None:
    """How many dependencies proved and other tasks have; none where no task says."""
    series = []
    legend = []
    table = []
    for number, (run, name) in enumerate(zip(runs, names, strict=True)):
        judged = [result for result in sound(run) if result.n > 0]
        for solved in (True, False):
            values = [
                float(result.task.metrics.transitive_dependencies)
                for result in judged
                if result.solved is solved
                and result.task.metrics.transitive_dependencies is not None
            ]
            if not values:
                continue
            label = "proved" if solved else "not proved"
            shown = f"{name}, {label}" if names[1:] else label
            points = cdf(values)
            series.append((shown, points, number, not solved))
            legend.append(Legend(shown, number, dashed=not solved))
            table.append(
                (
                    *(shown, str(len(values))),
                    *(f"{_at(points, share):g}" for share in (0.25, 0.5, 0.75, 1.0)),
                )
            )
    if not series:
        return None
    top = max(points[-1][0] for _, points, _, _ in series)
    lines = [
        svg.Series(shown, ((0.0, 0.0), *points, (top, 1.0)), steps=True, dashed=dashed, colour=n)
        for shown, points, n, dashed in series
    ]
    return Chart(
        "dependencies",
        "Dependencies of proved and other tasks",
        "The share of tasks with at most so many transitive dependencies in the project.",
        svg.line_chart(
            "Cumulative distribution of transitive dependencies, of tasks proved and not proved",
            lines,
            svg.count_axis("transitive dependencies", top),
            svg.fraction_axis("share"),
        ),
        ("tasks", "number", "lower quartile", "median", "upper quartile", "largest"),
        tuple(table),
        tuple(legend),
    )


def _at(points: Sequence[tuple[float, float]], share: float) -> float:
    return next((value for value, so_far in points if so_far >= share - 1e-12), points[-1][0])


def lean_seconds(result: TaskResult) -> float | None:
    """Lean's time for a task, if it took any."""
    return result.lean_seconds or None


def prover_seconds(result: TaskResult) -> float | None:
    """The prover's time for a task, if it is known."""
    return result.usage.seconds or None


def _cost(result: TaskResult) -> float | None:
    return result.usage.cost_usd or None


def times(
    key: str,
    title: str,
    value: Callable[[TaskResult], float | None],
    runs: Sequence[LoadedRun],
    names: Sequence[str],
) -> Chart | None:
    """How long tasks took, by a time that some have."""
    return _distribution(
        key,
        title,
        "The share of tasks that took at most so long, all attempts together.",
        value,
        svg.time_axis,
        duration,
        runs,
        names,
    )


def costs(runs: Sequence[LoadedRun], names: Sequence[str]) -> Chart | None:
    """What tasks cost; none where no price is known."""
    return _distribution(
        "cost",
        "Cost a task",
        "The share of tasks that cost at most so much, all attempts together.",
        _cost,
        svg.money_axis,
        dollars,
        runs,
        names,
    )


def _distribution(
    key: str,
    title: str,
    note: str,
    value: Callable[[TaskResult], float | None],
    axis: Callable[[str, float, float], svg.Axis],
    text: Callable[[float], str],
    runs: Sequence[LoadedRun],
    names: Sequence[str],
) -> Chart | None:
    series = []
    table = []
    for number, (run, name) in enumerate(zip(runs, names, strict=True)):
        values = [found for result in sound(run) if (found := value(result)) is not None]
        if not values:
            continue
        points = cdf(values)
        series.append(svg.Series(name, ((points[0][0], 0.0), *points), steps=True, colour=number))
        table.append(
            (
                *(name, str(len(values))),
                *(text(_at(points, share)) for share in (0.25, 0.5, 0.75, 1.0)),
                text(sum(values)),
            )
        )
    if not series:
        return None
    low = min(line.points[0][0] for line in series)
    high = max(line.points[-1][0] for line in series)
    return Chart(
        key,
        title,
        note,
        svg.line_chart(title, series, axis(title, low, high), svg.fraction_axis("share of tasks")),
        ("run", "tasks", "lower quartile", "median", "upper quartile", "largest", "sum"),
        tuple(table),
        legend_of(names),
    )
