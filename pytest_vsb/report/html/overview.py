"""The top of the page: what a run comes to, what to know of it, and how it was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pytest_vsb.report.analysis import Analysis, RunAnalysis
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.measures import GroupRow
from pytest_vsb.report.summary import Rate
from pytest_vsb.report.tables import dollars, duration, percent
from pytest_vsb.report.text import one_line

_NAME = 300
_NOTE = 1000

_STATUSES = {
    "crashed": "ended with the death of its process",
    "cut_off": "cut off by a time limit",
    "unavailable": "not judged, since the environment or the prover failed",
    "unfinished": "not finished: interrupted, or not readable to the end",
    "budget": "not run to the end, since the budget was spent",
    "excluded": "not for this prover",
    "known_bad": "known to be false or unprovable, and in no rate",
    "not_run": "not run",
}


@dataclass(frozen=True)
class Tile:
    """One number: its name, itself, a fraction of one to draw if it is one, and a note."""

    name: str
    value: str
    note: str = ""
    share: float | None = None


@dataclass(frozen=True)
class RunOverview:
    """A run's numbers and the notes on it."""

    number: int
    name: str
    tiles: tuple[Tile, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Settings:
    """A row a setting, a column a run."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def overview(runs: Sequence[LoadedRun], analysis: Analysis) -> tuple[RunOverview, ...]:
    """The numbers of each run."""
    return tuple(
        RunOverview(
            number, one_line(run.name, _NAME), tuple(_tiles(found)), tuple(_notes(run, found))
        )
        for number, (run, found) in enumerate(zip(runs, analysis.runs, strict=True))
    )


def _tiles(found: RunAnalysis) -> list[Tile]:
    all_ = found.overall
    tiles = [_solved(all_), _rate(all_.pass_at[0])]
    if len(all_.pass_at) > 1:
        tiles.append(_rate(all_.last))
    first = all_.solved_without_repair
    if first is not None and (all_.solved != first or len(found.repair) > 1):
        share = first / all_.judged if all_.judged else None
        value = f"{first} of {all_.judged}"
        tiles.append(Tile("Solved without repair", value, percent(share), share))
    cost = found.cost
    by = f"{dollars(cost.cost_per_solved)} a solved task" if cost.cost_per_solved else ""
    if cost.cost_usd is not None:
        tiles.append(Tile("Cost", dollars(cost.cost_usd), by))
    if cost.input_tokens or cost.output_tokens:
        tokens = f"{cost.input_tokens + cost.output_tokens:,}"
        tiles.append(Tile("Tokens", tokens, f"{cost.output_tokens:,} of them out"))
    each = cost.lean_seconds_per_attempt
    note = f"{duration(each)} an attempt" if each is not None else ""
    tiles.append(Tile("Attempts", f"{cost.attempts:,}", f"in {all_.tasks} tasks"))
    if cost.lean_seconds:
        tiles.append(Tile("Lean time", duration(cost.lean_seconds), note))
    return tiles


def _solved(all_: GroupRow) -> Tile:
    share = all_.solved / all_.judged if all_.judged else None
    return Tile("Solved", f"{all_.solved} of {all_.judged}", percent(share), share)


def _rate(rate: Rate) -> Tile:
    note = f"of {rate.tasks} tasks"
    if rate.tasks < rate.judged:
        note = f"of the {rate.tasks} of {rate.judged} tasks with {rate.k} samples"
    if rate.low is not None and rate.high is not None:
        note = f"95 % interval {100 * rate.low:.1f} - {100 * rate.high:.1f} %, {note}"
    return Tile(f"pass@{rate.k}", percent(rate.value), note, rate.value)


def _notes(run: LoadedRun, found: RunAnalysis) -> list[str]:
    notes = [one_line(note, _NOTE) for note in found.notes]
    statuses = Counter(result.status for result in run.results)
    for status, text in _STATUSES.items():
        if statuses[status]:
            number = statuses[status]
            notes.append(f"{number} {'task' if number == 1 else 'tasks'} {text}.")
    thinned = sum(result.n > 0 and result.unavailable_samples > 0 for result in run.results)
    if thinned:
        notes.append(
            f"{thinned} {'task has' if thinned == 1 else 'tasks have'} fewer samples than the "
            "others: some could not be judged."
        )
    if "(embedded" in str(run.run.get("lean", "")):
        notes.append(
            "Judged by the embedded Lean, which has its own small core library: its scores are "
            "the demo's."
        )
    return notes


def settings(runs: Sequence[LoadedRun], names: Sequence[str]) -> Settings:
    """How the runs were made, as far as they say, without the paths of a machine."""
    found = [_settings(run) for run in runs]
    order = dict.fromkeys(name for run in found for name in run)
    rows = tuple((name, *(run.get(name, "") for run in found)) for name in order)
    return Settings(("setting", *names), rows)


def _settings(run: LoadedRun) -> dict[str, str]:
    identity = run.identity
    prover = identity.get("prover")
    options = prover.items() if isinstance(prover, dict) else ()
    told: list[tuple[str, Any]] = [
        ("prover", identity.get("model")),
        *((f"prover: {name}", value) for name, value in options),
        ("samples", run.samples),
        ("repairs", identity.get("repairs")),
        ("seed", identity.get("seed")),
        ("context", identity.get("context")),
        ("context tokens", identity.get("context_tokens")),
        ("check timeout, s", identity.get("check_timeout")),
        ("check memory, MB", identity.get("check_memory_mb")),
        ("policy", identity.get("policy")),
        ("assurance", identity.get("assurance")),
        ("Lean", run.run.get("lean")),
        ("sandbox", str(run.run.get("sandbox") or "").partition(" at ")[0].replace("(", "")),
        ("plugin version", run.run.get("plugin_version")),
        ("Python", run.run.get("python")),
        ("platform", run.run.get("platform")),
        ("began", run.run.get("created")),
    ]
    return {
        one_line(str(name), _NAME): one_line(str(value), _NAME)
        for name, value in told
        if value is not None and value != ""
    }
