"""One task in several runs: each run's proof and its verdict, side by side."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import msgspec
from wcwidth import wcwidth

from pytest_vsb.errors import UsageError
from pytest_vsb.report.actions import cell
from pytest_vsb.report.alike import TaskIndex, same_obligation
from pytest_vsb.report.failure import best_attempt
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.results import plain
from pytest_vsb.report.text import clean, width
from pytest_vsb.report.verdict import verdict_lines
from pytest_vsb.run.records import Attempt, TaskResult
from pytest_vsb.words import counted

NARROWEST = 38
"""Columns that a proof needs at least; in less, runs stand below each other."""

_GAP = " | "
_TEXT = 20_000


@dataclass(frozen=True)
class Shown:
    """What a run has to show of a task: its first accepted attempt, or the one that came nearest;
    None where no attempt is kept."""

    run: str
    result: TaskResult
    attempt: Attempt | None

    @property
    def heading(self) -> list[str]:
        result, attempt = self.result, self.attempt
        lines = [
            self.run,
            f"{result.c} of {counted(result.n, 'sample')} proved it ({result.status})",
        ]
        if attempt is None:
            return [*lines, "no attempt is kept"]
        place = f"sample {attempt.sample}" + (f", repair {attempt.round}" if attempt.round else "")
        return [*lines, f"{'proof' if attempt.verdict.accepted else 'nearest'}: {place}"]

    @property
    def code(self) -> list[str]:
        """The auxiliary declarations and the proof."""
        if self.attempt is None or self.attempt.candidate is None:
            return []
        candidate = self.attempt.candidate
        parts = [part.strip("\n") for part in (candidate.auxiliary, candidate.proof) if part]
        return clean("\n\n".join(parts), _TEXT).expandtabs(2).split("\n")

    @property
    def verdict(self) -> list[str]:
        if self.attempt is None:
            return clean(self.result.first_error or self.result.reason, _TEXT).split("\n")
        verdict = self.attempt.verdict
        if verdict.accepted:  # hints at a proof's style
            verdict = dataclasses.replace(verdict, diagnostics=())
        return list(verdict_lines(self.result.task.name or self.result.task.id, verdict))


def shown(runs: Sequence[LoadedRun], name: str) -> tuple[Shown, ...]:
    """The task of that id or nodeid in each run that has it.

    Raises:
        UsageError: none has, or several tasks have that id.
    """
    found: list[Shown] = []
    for run in runs:
        named = [r for r in run.results if name in (r.task.nodeid, r.task.id, r.task.name)]
        exact = [result for result in named if result.task.nodeid == name] or named
        if len(exact) > 1:
            raise UsageError(
                f"{len(exact)} tasks of {run.name} are called {name!r}",
                where="--task",
                hint=f"such as {exact[0].task.nodeid}",
            )
        if not exact and found:
            other = TaskIndex(run.results).find(found[0].result.task)
            exact = [other] if other is not None else []
        for result in exact:
            attempts = run.attempts(result.task.nodeid)
            accepted = [attempt for attempt in attempts if attempt.verdict.accepted]
            found.append(Shown(run.name, result, best_attempt(accepted or attempts)))
    if not found:
        raise UsageError(f"no run has a task {name!r}", where="--task")
    return tuple(found)


def side_by_side(found: Sequence[Shown], columns: int) -> Iterator[str]:
    """The proofs in columns if a terminal of so many columns is wide enough, else in turn."""
    if not same_obligation([each.result.task for each in found]):
        yield "WARNING: the runs have different statements of this task"
    each_columns = (columns - len(_GAP) * (len(found) - 1)) // len(found)
    parts = [[*each.heading, "", *each.code, "", *each.verdict] for each in found]
    if each_columns < NARROWEST:
        for number, lines in enumerate(parts):
            if number:
                yield "-" * min(columns, 72)
            yield from lines
        return
    # Heads, proofs and verdicts begin in one line each.
    for piece in ("heading", "code", "verdict"):
        blocks = [
            [part for line in getattr(one, piece) for part in _folded(line, each_columns)]
            for one in found
        ]
        for row in zip_longest(*blocks, fillvalue=""):
            cells = (text + " " * (each_columns - width(text)) for text in row)
            yield _GAP.join(cells).rstrip()
        if piece != "verdict":
            yield _GAP.join("-" * each_columns for _ in found)


def markdown(found: Sequence[Shown]) -> Iterator[str]:
    """The same as Markdown, in turn."""
    yield f"## {cell(found[0].result.task.nodeid)}"
    for one in found:
        heading = [cell(line) for line in one.heading]
        yield from ("", f"### {heading[0]}", "", "; ".join(heading[1:]), "")
        for language, lines in (("lean", one.code), ("text", one.verdict)):
            if any(lines):
                fence = "`" * max(3, 1 + max(_ticks(line) for line in lines))
                yield from (f"{fence}{language}", *lines, fence, "")


def as_json(found: Sequence[Shown]) -> bytes:
    """The same as JSON: one object a run."""
    records = [
        {
            "run": one.run,
            "task": one.result.task.nodeid,
            "n": one.result.n,
            "c": one.result.c,
            "status": one.result.status,
            "attempt": msgspec.to_builtins(one.attempt),
        }
        for one in found
    ]
    return msgspec.json.format(msgspec.json.encode(plain(records)), indent=2) + b"\n"


def _ticks(line: str) -> int:
    longest = run = 0
    for character in line:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return longest


def _folded(line: str, columns: int) -> list[str]:
    """A line cut into pieces of at most so many columns."""
    pieces, piece, room = [], "", columns
    for character in line:
        size = max(wcwidth(character), 0)
        if size > room:
            pieces.append(piece)
            piece, room = "", columns
        piece += character
        room -= size
    return [*pieces, piece]
