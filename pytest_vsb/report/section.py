"""What is reported of a run directory: its results, their summary, the terminal section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_vsb.errors import VsbError
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.report.fold import fold_run
from pytest_vsb.report.results import read_results
from pytest_vsb.report.summary import Group, Summary, ks_for, summarise, unreadable_lines
from pytest_vsb.report.tables import EMBEDDED_NOTE, terminal_lines
from pytest_vsb.report.text import one_line
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.history import History, ItemHistory, SessionUse, read_history
from pytest_vsb.run.records import Attempt, TaskResult
from pytest_vsb.words import counted

TITLE = "verification benchmark"


@dataclass(frozen=True)
class RunReport:
    """A run as its journals tell it.

    ``run`` is the block of that name in ``results.json``; ``histories`` are what they say in full.
    """

    run: Mapping[str, Any]
    results: Sequence[TaskResult]
    summary: Summary
    histories: History


def report_run(directory: RunDirectory) -> RunReport:
    """Fold a run directory, of a run that has ended in whatever way or still goes on.

    Raises:
        UsageError: there is no run in the directory.
    """
    run = directory.read()
    histories = read_history(directory.path)
    samples = samples_of(directory, run, histories)
    results = fold_run(directory, samples=samples, histories=histories)
    lines = unreadable_lines(histories.unreadable)
    summary = summarise(results, ks_for(samples), unreadable=lines)
    return RunReport({**run, "samples": samples}, results, summary, histories)


def section_lines(
    summary: Summary,
    run: Mapping[str, Any],
    *,
    model: str,
    path: Path,
    histories: Mapping[str, ItemHistory] | None = None,
) -> list[str]:
    """The terminal section of a run, without its title.

    Args:
        summary: the run's summary.
        run: the contents of ``run.json``.
        model: the prover as it was asked for.
        path: the run directory.
        histories: what its journals say, if that has been read.
    """
    histories = read_history(path) if histories is None else histories
    leans = judging_leans(histories, str(run.get("lean", "")))
    total = summary.total
    short = any(rate.tasks < rate.judged for rate in total.pass_at)
    attempts = (a for nodeid in histories for a in histories[nodeid].attempts.values())
    return terminal_lines(
        summary,
        prover=model,
        leans=leans,
        embedded=any(map(_is_embedded, leans)),
        sandbox=str(run.get("sandbox", "")),
        sessions=session_text(histories, path),
        run_directory=str(path),
        ended=samples_where_ended(histories) if short else (),
        malformed=malformed_note(total, attempts),
    )


def session_text(histories: Mapping[str, ItemHistory], path: Path) -> str:
    """What warm sessions did in the run at ``path``, in one line; empty where there were none."""
    if isinstance(histories, History):
        use = histories.sessions()
    else:
        use = sum((history.sessions for history in histories.values()), SessionUse())
    parts = []
    if use.refused:
        candidates = counted(use.candidates, "candidate")
        parts.append(f"{use.refused:,} of {candidates} refused by warm sessions")
    if use.compared:
        differences = len(list(RunDirectory(path).disagreements.glob("*.json")))
        parts.append(
            f"{counted(use.compared, 'candidate')} judged both ways, "
            f"{counted(differences, 'difference')}"
        )
    return "; ".join(parts)


def judging_leans(histories: Mapping[str, ItemHistory], default: str) -> Sequence[str]:
    """The Leans that judged attempts, one line each; ``default``, which describes the Lean of a
    project that pins none, is among them only if it judged."""
    if isinstance(histories, History):
        names = histories.toolchains()
    else:
        names = frozenset[str]().union(*(history.toolchains for history in histories.values()))
    lines = []
    for name in sorted(names):
        kind, _, version = name.partition(" ")
        same = default.startswith(f"Lean {version} ") and f"({kind}: " in default
        lines.append(default if same else f"Lean {version} ({kind})")
    return lines


def samples_where_ended(histories: Mapping[str, ItemHistory]) -> tuple[int, ...]:
    """How many samples were asked for, of each task that is done, has a judged sample, and whose
    prover had no more to offer for another one."""
    found = []
    for nodeid in histories:
        history = histories[nodeid]
        ended = any(answer is None and not round for (_, round), answer in history.answers.items())
        if ended and history.outcome[0] == "done":
            last = {
                sample: history.attempts[sample, round].verdict
                for sample, round in sorted(history.attempts)
            }
            if any(verdict.counts for verdict in last.values()):
                found.append(len(last))
    return tuple(found)


_REASON = 300  # characters


def malformed_note(total: Group, attempts: Iterable[Attempt]) -> str:
    """The commonest reason why attempts hold no proof, where that is so of most of them; else
    empty, and ``attempts`` are not looked at."""
    malformed = total.verdicts.get(VerdictKind.MALFORMED.value, 0)
    if 2 * malformed <= total.attempts:
        return ""
    reasons = Counter(
        one_line(attempt.verdict.reason, _REASON)
        for attempt in attempts
        if attempt.verdict.kind is VerdictKind.MALFORMED and attempt.verdict.reason
    )
    hold = "attempt holds" if total.attempts == 1 else "attempts hold"
    told = f"malformed: {malformed:,} of {total.attempts:,} {hold} no proof to judge"
    if not reasons:
        return told
    reason, count = min(reasons.items(), key=lambda each: (-each[1], each[0]))
    often = "" if count == malformed else f"; in {count:,} of them"
    return f"{told}{often}: {reason}"


def embedded_notes(leans: Sequence[str]) -> list[str]:
    """What a reader of a run's numbers must know of these Leans, as :func:`judging_leans` names
    them: nothing, unless one of them is the embedded one."""
    found = [lean for lean in leans if _is_embedded(lean)]
    return [*(f"Lean: {lean}" for lean in found), *[EMBEDDED_NOTE][: len(found)]]


def _is_embedded(lean: str) -> bool:
    return "(embedded" in lean


def samples_of(directory: RunDirectory, run: Mapping[str, Any], histories: History) -> int:
    """How many samples the run asked for: a later session may have asked for more than the first,
    and have been killed before it wrote so."""
    found = [1, run.get("samples"), histories.samples()]
    try:
        found.append(read_results(directory.results).run.get("samples"))
    except (VsbError, OSError):
        found.append(None)
    return max(number for number in found if isinstance(number, int))
