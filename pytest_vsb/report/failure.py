"""Why a task was not solved, in a few lines instead of a traceback."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.diagnostics import Diagnostic, Severity
from pytest_vsb.report.summary import VERDICTS, in_order
from pytest_vsb.report.tables import COLUMNS, counts
from pytest_vsb.report.text import clean, fit
from pytest_vsb.run.records import Attempt, TaskResult

LINES = 10

# Best first: how near to a proof an attempt with that verdict came.
_PROGRESS = (
    VerdictKind.ACCEPTED,
    VerdictKind.INCOMPLETE,
    VerdictKind.UNSOUND,
    VerdictKind.REJECTED,
    VerdictKind.TIMEOUT,
    VerdictKind.OUT_OF_MEMORY,
    VerdictKind.CRASHED,
    VerdictKind.FORBIDDEN,
    VerdictKind.MALFORMED,
    VerdictKind.UNAVAILABLE,
)
_SHOWN = 20_000  # characters of a message, of which ten lines can hold far fewer
_UNCOUNTED = 1_000_000  # rejected without a diagnostic: worse than any number of errors


def best_attempt(attempts: Iterable[Attempt]) -> Attempt | None:
    """The attempt that came nearest to a proof; ``None`` where there is none.

    By verdict: accepted, incomplete, unsound, rejected, timeout, out of memory, crashed,
    forbidden, malformed, unavailable. Of equals, the one with the fewest errors; then one whose
    first error is in the proof rather than in the statement or an auxiliary declaration; then
    the one whose first error comes latest, counted from the target; then the earliest sample and
    round. The order of ``attempts`` does not matter.
    """
    return min(attempts, key=_rank, default=None)


def first_diagnostic(attempt: Attempt) -> Diagnostic | None:
    """The first error of ``attempt`` in the file, or its first diagnostic if none is an error."""
    diagnostics = attempt.verdict.diagnostics
    return min(_errors(attempt) or diagnostics, key=_position, default=None)


def first_error(attempts: Iterable[Attempt]) -> str:
    """The first diagnostic of the best attempt, or its reason, for ``TaskResult.first_error``."""
    best = best_attempt(attempts)
    if best is None or best.verdict.accepted:
        return ""
    diagnostic = first_diagnostic(best)
    return clean(_describe(diagnostic) if diagnostic else best.verdict.reason, 4000)


def explain(result: TaskResult, best: Attempt | None) -> str:
    """What was tried and how far it got, in at most ten lines of at most 100 columns.

    Lines and columns are Lean's: lines from 1, columns from 0, in the submitted file.
    """
    lines = [fit(_outcome(result), COLUMNS)]
    if result.attempts or result.verdicts:
        tried = f"{result.attempts} {_plural('attempt', result.attempts)}"
        lines.append(fit(f"tried: {tried}: {counts(in_order(result.verdicts, VERDICTS))}", COLUMNS))
    if result.unavailable_samples and result.n:
        lost = f"{result.unavailable_samples} {_plural('sample', result.unavailable_samples)}"
        lines.append(f"not counted: {lost} that could not be judged")
    if result.reason:
        lines += _block(result.reason, 3 if best or result.first_error else LINES - len(lines))
    if best is not None and not best.verdict.accepted:
        kind = f"{best.verdict.kind}"
        reason = f": {best.verdict.reason}" if best.verdict.reason else ""
        place = f"sample {best.sample}" + (f", repair {best.round}" if best.round else "")
        lines.append(fit(f"best attempt: {place}: {kind}{reason}", COLUMNS))
        diagnostic = first_diagnostic(best)
        if diagnostic is not None:
            lines += _block(_describe(diagnostic), LINES - len(lines))
    elif best is None and result.first_error:
        lines += _block(result.first_error, LINES - len(lines))
    return "\n".join(lines[:LINES])


def _outcome(result: TaskResult) -> str:
    samples = f"{result.n} {_plural('sample', result.n)}"
    if result.solved:
        return f"solved: {result.c} of {samples}"
    state = {
        "done": "unsolved",
        "crashed": "crashed: the worker that ran this item died",
        "cut_off": "cut off by a time limit on the whole item",
        "unavailable": "unavailable: no sample could be judged, so the task counts in no rate",
        "unfinished": "unfinished: the run was interrupted",
        "budget": "not finished: the run's budget is spent",
        "excluded": "excluded",
        "not_run": "not run",
    }.get(result.status, result.status)
    if result.status == "done" or result.n:
        return f"{state}: {result.c} of {samples} proved it"
    return state


def _describe(diagnostic: Diagnostic) -> str:
    where = f"{diagnostic.region or 'file'} {diagnostic.start.line}:{diagnostic.start.column}"
    return f"{where}: {diagnostic.severity.value}: {diagnostic.message}"


def _block(text: str, lines: int) -> list[str]:
    """``text`` indented, in at most ``lines`` lines, the last one saying how many more."""
    # Only the beginning can be shown; the rest, of any size, is only counted.
    found = _filled(clean(text[:_SHOWN], 6 * _SHOWN).expandtabs(2).split("\n"))
    if lines <= 0 or not found:
        return []
    total = len(found) + len(_filled(text[_SHOWN:].split("\n")[1:]))
    shown = found if total <= lines else found[: lines - 1]
    block = ["  " + _fit_indented(line) for line in shown]
    if len(shown) < total:
        rest = total - len(shown)
        block.append(f"  ... {rest} more {_plural('line', rest)}")
    return block


def _filled(lines: list[str]) -> list[str]:
    return [line for line in lines if line.strip()]


def _fit_indented(line: str) -> str:
    body = line.lstrip(" ")
    margin = min(len(line) - len(body), COLUMNS // 2)
    return " " * margin + fit(body, COLUMNS - 2 - margin)


def _rank(attempt: Attempt) -> tuple[int, int, bool, int, int, int, int, str]:
    verdict = attempt.verdict
    errors = _errors(attempt)
    first = min(errors, key=_position, default=None)
    line, column = _position(first) if first else (0, 0)
    if first and first.region == "proof" and attempt.candidate:
        # The auxiliary declarations stand before the target and push its lines down.
        line -= len(attempt.candidate.auxiliary.splitlines())
    return (
        _PROGRESS.index(verdict.kind),
        len(errors) if errors or verdict.kind is not VerdictKind.REJECTED else _UNCOUNTED,
        not (first and first.region == "proof"),
        -line,
        -column,
        attempt.sample,
        attempt.round,
        attempt.nodeid,
    )


def _errors(attempt: Attempt) -> list[Diagnostic]:
    return [d for d in attempt.verdict.diagnostics if d.severity is Severity.ERROR]


def _position(diagnostic: Diagnostic) -> tuple[int, int]:
    return (diagnostic.start.line, diagnostic.start.column)


def _plural(noun: str, count: int) -> str:
    return noun if count == 1 else noun + "s"
