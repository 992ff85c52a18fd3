"""Why tasks failed: the error classes of the tasks that nothing proved (Table 7, and finer)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.metrics.errors import CLASSES, FINE, ErrorClass, classify, unknown_name
from pytest_vsb.report.failure import best_attempt, first_diagnostic
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.unknown import PLACES, Finder, Place
from pytest_vsb.run.records import Attempt, TaskFacts, TaskResult

_OF_VERDICT = {
    VerdictKind.TIMEOUT: "timeout",
    VerdictKind.OUT_OF_MEMORY: "memory",
    VerdictKind.CRASHED: "crash",
    VerdictKind.FORBIDDEN: "policy",
    VerdictKind.MALFORMED: "malformed",
    VerdictKind.INCOMPLETE: "incomplete",
    VerdictKind.UNSOUND: "unsound",
}
_TOLD = re.compile(
    r"(?:statement|auxiliary|proof|context|file) \d+:\d+: (?:error|warning|information): "
)
_UNSUPPORTED = re.compile(r"(?i)mutual|extract|unsupported|not supported|not implemented")
"""Why a prover made nothing of a task, where results say so: it does not take tasks of its kind."""
_SHOWN = 200
_EXAMPLES = 10


@dataclass(frozen=True)
class FailedTask:
    """A task that was judged and not proved, by the first diagnostic of its nearest attempt.

    ``fine`` is one of ``metrics.errors.FINE``; ``name`` the identifier that was unknown, if one
    was, and ``place`` where it is; ``message`` the beginning of the diagnostic.
    """

    nodeid: str
    run: str
    error: ErrorClass
    fine: str
    message: str = ""
    name: str = ""
    place: Place | None = None


@dataclass(frozen=True)
class ErrorRow:
    """A class of errors: how many tasks failed so, and how many attempts at all failed tasks.

    ``share`` is of the failed tasks, a fraction of one; ``attempts`` is None where no attempts
    are kept.
    """

    name: str
    tasks: int
    share: float | None
    attempts: int | None
    error: str = ""


@dataclass(frozen=True)
class PlaceRow:
    """Where unknown identifiers are: tasks, share of the tasks with one, and some of the names."""

    place: Place
    meaning: str
    tasks: int
    share: float
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Errors:
    """The errors of ``failed`` tasks. ``classes`` are the five of Table 7, all of them, in its
    order; ``fine`` the finer ones that occur; ``unknown`` the places of unknown identifiers."""

    failed: int
    classes: tuple[ErrorRow, ...] = ()
    fine: tuple[ErrorRow, ...] = ()
    unknown: tuple[PlaceRow, ...] = ()
    tasks: tuple[FailedTask, ...] = field(default=(), repr=False)


def errors_of(runs: Sequence[LoadedRun], finder: Finder | None = None) -> Errors:
    """The errors of tasks that none of some runs proved, each task counted once.

    Tasks are the same in several runs by repository, module and name, or by nodeid where they
    have no name. Of all attempts at a task the nearest to a proof decides (see
    ``report.failure.best_attempt``), by its first diagnostic, or by its verdict where that says
    more: a limit, the policy, an answer without a proof. Tasks that were not judged, and those
    known to be bad, do not count.
    """
    tried: dict[object, list[tuple[LoadedRun, TaskResult]]] = {}
    for run in runs:
        for result in run.results:
            if result.n > 0 and result.status != "known_bad":
                tried.setdefault(task_key(result.task), []).append((run, result))
    failed: list[FailedTask] = []
    counted: Counter[str] = Counter()
    known = False
    for found in tried.values():
        if any(result.solved for _, result in found):
            continue
        failed.append(_failed(found, finder))
        for run, result in found:
            attempts = run.attempts(result.task.nodeid)
            known = known or bool(attempts)
            counted.update(fine_class(a) for a in attempts if a.verdict.counts)
    return _table(failed, counted if known else None)


def task_key(task: TaskFacts) -> tuple[str, ...]:
    """What makes a task the same in two runs, whatever its task file is called."""
    if task.name:
        return (task.repository, task.module, task.name)
    return (task.nodeid,)


def fine_class(attempt: Attempt) -> str:
    """The finer class of an attempt that failed."""
    verdict = attempt.verdict
    found = _OF_VERDICT.get(verdict.kind)
    if found is not None:
        return found
    diagnostic = first_diagnostic(attempt)
    if diagnostic is not None:
        return classify(diagnostic.message, diagnostic.kind)
    return classify(verdict.reason)


def _failed(found: Sequence[tuple[LoadedRun, TaskResult]], finder: Finder | None) -> FailedTask:
    every = [(a, run, r) for run, r in found for a in run.attempts(r.task.nodeid)]
    best = best_attempt(attempt for attempt, _, _ in every if attempt.verdict.counts)
    if best is not None:
        run, result = next((run, result) for a, run, result in every if a is best)
        diagnostic = first_diagnostic(best)
        message = diagnostic.message if diagnostic is not None else best.verdict.reason
        fine = fine_class(best)
    else:
        run, result = found[0]
        message = _TOLD.sub("", result.first_error, count=1)
        fine = _by_result(result, message)
    name = unknown_name(message) if FINE[fine] == "unknown identifier" else ""
    place: Place | None = None
    if FINE[fine] == "unknown identifier":
        task = run.tasks.get(result.task.nodeid)
        place = (finder or Finder()).place(name, result.task, task)
    line = message.strip().partition("\n")[0][:_SHOWN]
    return FailedTask(result.task.nodeid, run.name, FINE[fine], fine, line, name, place)


def _by_result(result: TaskResult, message: str) -> str:
    """The class where no attempts are kept: by what is said, else by the verdicts."""
    if _TOLD.match(result.first_error):
        return classify(message)
    kinds = [kind for kind in VerdictKind if result.verdicts.get(kind.value)]
    if kinds == [VerdictKind.MALFORMED] and _UNSUPPORTED.search(message):
        return "unsupported"
    if len(kinds) == 1 and kinds[0] in _OF_VERDICT:
        return _OF_VERDICT[kinds[0]]
    return classify(message)


def _table(failed: Sequence[FailedTask], counted: Counter[str] | None) -> Errors:
    total = len(failed)

    def row(name: str, tasks: int, fines: Iterable[str], error: str = "") -> ErrorRow:
        attempts = sum(counted[fine] for fine in fines) if counted is not None else None
        return ErrorRow(name, tasks, tasks / total if total else None, attempts, error)

    by_class = Counter(task.error for task in failed)
    by_fine = Counter(task.fine for task in failed)
    occurring = [fine for fine in FINE if by_fine[fine] or (counted and counted[fine])]
    occurring.sort(
        key=lambda fine: (CLASSES.index(FINE[fine]), -by_fine[fine], -(counted or by_fine)[fine])
    )
    classes = tuple(
        row(name, by_class[name], [fine for fine in FINE if FINE[fine] == name]) for name in CLASSES
    )
    fine = tuple(row(name, by_fine[name], [name], FINE[name]) for name in occurring)
    return Errors(total, classes, fine, _places(failed), tuple(failed))


def _places(failed: Sequence[FailedTask]) -> tuple[PlaceRow, ...]:
    placed: dict[Place, list[str]] = {}
    for task in failed:
        if task.place is not None:
            placed.setdefault(task.place, []).append(task.name)
    total = sum(map(len, placed.values()))
    meanings: Mapping[Place, str] = PLACES
    return tuple(
        PlaceRow(
            place,
            meaning,
            len(placed[place]),
            len(placed[place]) / total,
            tuple(list(dict.fromkeys(filter(None, placed[place])))[:_EXAMPLES]),
        )
        for place, meaning in meanings.items()
        if place in placed
    )
