"""What a warm session's answer about a candidate comes to, and whether a fresh Lean contradicts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_vsb.judge.messages import mapped
from pytest_vsb.judge.running import LeanRun, out_of_time
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity
from pytest_vsb.lean.process import Limits
from pytest_vsb.source.splice import Submission

if TYPE_CHECKING:
    from pytest_vsb.lean.session import SessionOutput

# What the profilers say (`trace.profiler`, `profiler`): a trace with its time, lines of times.
_TIMED_TRACE = re.compile(r"\[[\w.«»]+\] \[\d+\.\d+\] ")
_TIMED_LINE = re.compile(r".* took \d+(?:\.\d+)?m?s")

ALONE = "session-alone"
"""The name of the check by a session whose file no fresh Lean has compiled."""

_MARGIN = 0.8
_AT_WORK = 0.5
"""What share of the time a session must have computed for the candidate to be to blame."""

# What depends on the state of the process, not on the text alone.
_FICKLE = re.compile(
    r"deterministic\) timeout|maximum number of heartbeats|deep recursion|stack overflow"
    r"|\binterrupted\b|out of memory|memory consumption|internal exception",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Opinion:
    """A session's answer about a candidate.

    ``kind`` is ``rejected`` or ``timeout``, or ``None`` if a fresh Lean has to decide: there is no
    error, or ``odd`` says what is out of the ordinary.
    """

    kind: VerdictKind | None
    reason: str
    diagnostics: tuple[Diagnostic, ...]
    output: SessionOutput
    odd: str = ""
    checked: str = "session"
    """The name of the check: ``session-alone`` where no fresh Lean had compiled the task's file."""


@dataclass(frozen=True)
class Basis:
    """What a task's own file, with ``sorry``, comes to."""

    said: tuple[Diagnostic, ...]
    seconds: float
    """How long a fresh Lean takes for it, about."""
    fresh: bool
    """Whether a fresh Lean has said so, or the session alone."""

    def is_slow(self, limits: Limits, more: float = 0.0) -> bool:
        """Whether a fresh Lean may run out of time at it, and at ``more`` seconds of a candidate's
        own."""
        return self.seconds + more > _MARGIN * limits.wall_seconds


def opinion_of(
    output: SessionOutput, submission: Submission, basis: Basis, limits: Limits
) -> Opinion:
    """What an answer comes to, by what the task's own file comes to."""
    diagnostics = mapped(output.output, submission)
    checked = "session" if basis.fresh else ALONE
    odd = ""
    if output.ended == "timeout":
        if output.cpu_seconds >= _AT_WORK * limits.wall_seconds:
            reason = out_of_time(limits)
            return Opinion(VerdictKind.TIMEOUT, reason, diagnostics, output, checked=checked)
        odd = "the session was not at work when its time was over"
    elif output.ended != "done":
        odd = f"the session ended: {output.ended}"
    elif basis.is_slow(limits, output.wall_seconds):
        odd = "a fresh Lean may run out of time"
    else:
        odd = _odd(output.output.diagnostics, basis.said, _end_of_context(submission))
    errors = any(each.severity is Severity.ERROR for each in output.output.diagnostics)
    kind = VerdictKind.REJECTED if errors and not odd else None
    return Opinion(kind, "", diagnostics, output, odd, checked)


def alike(some: tuple[Diagnostic, ...], other: tuple[Diagnostic, ...]) -> bool:
    """Whether two Leans say the same, but for words of what are no errors, such as times."""
    return same(*(tuple(map(_outline, found)) for found in (some, other)))


def _outline(diagnostic: Diagnostic) -> Diagnostic:
    if diagnostic.severity is Severity.ERROR:
        return diagnostic
    return replace(diagnostic, message="", end=None)


def disagreement(
    opinion: Opinion, compiled: LeanRun, said: tuple[Diagnostic, ...], verdict: Verdict
) -> str:
    """In which way an opinion and a verdict from scratch cannot both be right; empty if they can.

    Args:
        said: what Lean said when it compiled the submission from scratch, as verdicts have it.
    """
    if verdict.kind in (VerdictKind.TIMEOUT, VerdictKind.OUT_OF_MEMORY):
        return ""
    if opinion.kind is VerdictKind.TIMEOUT:
        return f"the session ran out of time, the fresh Lean did not: {verdict.kind}"
    if opinion.kind is None and opinion.odd:
        return ""
    if opinion.kind is None:
        return "the session found no error, the fresh Lean did" if compiled.errors else ""
    if not compiled.errors:
        return f"the session found errors, the fresh Lean did not: {verdict.kind}"
    if _comparable(opinion.diagnostics) != _comparable(said):
        return "their messages differ"
    return ""


def same(some: tuple[Diagnostic, ...], other: tuple[Diagnostic, ...]) -> bool:
    """Whether two Leans say the same, in whatever order."""
    return Counter(_comparable(some)) == Counter(_comparable(other))


def _odd(
    diagnostics: tuple[Diagnostic, ...], original: tuple[Diagnostic, ...], place: Position
) -> str:
    """Why errors are not enough to reject a submission; empty if they are.

    Args:
        original: what was said of the task's own file.
        place: where the text before the target ends, in both.
    """
    before, known = (
        tuple(each for each in found if each.start < place) for found in (diagnostics, original)
    )
    if not same(before, known):
        return "other messages than before about the text before the target"
    for each in diagnostics:
        if each.severity is Severity.ERROR and _FICKLE.search(each.message):
            return "an error that depends on the process"
    return ""


def _comparable(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """The diagnostics as far as a session is told of them: without Lean's names for their kinds,
    without an end that is the start, and without what profilers say."""
    return tuple(
        replace(each, kind="", end=None if each.end == each.start else each.end)
        for each in diagnostics
        if not _is_profile(each)
    )


def _is_profile(diagnostic: Diagnostic) -> bool:
    """Whether it says how long something took, and nothing else. Two Leans differ not in the times
    alone: what there is a message about depends on them, too. So it is left out as a whole, which
    can hide no error and no warning."""
    if diagnostic.severity is not Severity.INFORMATION:
        return False
    if _TIMED_TRACE.match(diagnostic.message):
        return True
    return all(map(_TIMED_LINE.fullmatch, diagnostic.message.rstrip("\n").split("\n")))


def _end_of_context(submission: Submission) -> Position:
    """Where the text ends that a submission has in common with the task's own file."""
    context = submission.region("context")
    end = 0 if context is None else context.end
    return Position(
        submission.text.count("\n", 0, end) + 1, end - 1 - submission.text.rfind("\n", 0, end)
    )
