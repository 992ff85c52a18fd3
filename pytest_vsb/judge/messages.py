"""Lean's messages about a submission, as a verdict holds them."""

from __future__ import annotations

import dataclasses

from pytest_vsb.lean.diagnostics import (
    Diagnostic,
    ParsedOutput,
    Position,
    Severity,
    cap,
    goal_state,
)
from pytest_vsb.source.splice import Submission

MESSAGE_LIMIT = 20_000
"""Code points kept of one diagnostic."""

DIAGNOSTIC_LIMIT = 50
"""Diagnostics kept of one verdict: the first ones, errors before others."""


def mapped(output: ParsedOutput, submission: Submission) -> tuple[Diagnostic, ...]:
    """The diagnostics with region, place in it and goal state, in order, within bounds.

    Without what is no error and not about the candidate: the repository's own warnings, and those
    about the probe, which stands below the submission.
    """
    last = submission.text.count("\n") + 1
    told = []
    for diagnostic in output.diagnostics:
        start = diagnostic.start
        region = submission.region_at(start.line, start.column)
        if diagnostic.severity is Severity.ERROR or (start.line <= last and region != "context"):
            local = Position(*submission.local_at(start.line, start.column))
            # A place without an extent, however Lean tells of it.
            end = None if diagnostic.end == start else diagnostic.end
            told.append(dataclasses.replace(diagnostic, end=end, region=region, local=local))
    told.sort(key=_order)
    return tuple(
        dataclasses.replace(
            diagnostic,
            message=cap(diagnostic.message, MESSAGE_LIMIT),
            goal=goal_state(cap(diagnostic.message, MESSAGE_LIMIT)),
        )
        for diagnostic in told[:DIAGNOSTIC_LIMIT]
    )


def _order(diagnostic: Diagnostic) -> tuple[object, ...]:
    """Errors first; what the parser says, which has no extent, before what comes of it; else as it
    stands in the file. Lean elaborates in several threads, and tells in no certain order."""
    return (
        diagnostic.severity is not Severity.ERROR,
        diagnostic.region != "context",
        diagnostic.region not in ("context", "auxiliary"),
        diagnostic.end is not None,
        diagnostic.start,
        diagnostic.end or diagnostic.start,
        diagnostic.message,
    )


def excerpt(lines: list[str], diagnostic: Diagnostic, around: int = 2, most: int = 12) -> str:
    first = max(1, diagnostic.start.line - around)
    end = diagnostic.end.line if diagnostic.end else diagnostic.start.line
    last = min(len(lines), end + around, first + most - 1)
    numbered = enumerate(lines[first - 1 : last], first)
    return "\n".join(f"{number:>5} | {line}".rstrip() for number, line in numbered)
