"""What the terminal section says beside a run's numbers, for the reports that have none."""

from __future__ import annotations

from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.section import embedded_notes, malformed_note
from pytest_vsb.report.summary import ks_for, summarise
from pytest_vsb.report.tables import PREFIX, notes


def caveats(run: LoadedRun) -> tuple[str, ...]:
    """The notes of the terminal section on a run, each without ``note:``: tasks and samples that
    are outside the rates, why most attempts hold no proof, and that Lean was the embedded one.
    What ``run.notes`` has is not among them."""
    summary = summarise(run.results, ks_for(run.samples))
    outside = [note.removeprefix(PREFIX) for note in notes(summary, run.ended)]
    attempts = (each for result in run.results for each in run.attempts(result.task.nodeid))
    malformed = malformed_note(summary.total, attempts)
    return (*filter(None, [malformed]), *outside, *embedded_notes(run.leans))
