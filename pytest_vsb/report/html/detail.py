"""What the page tells of each task: all attempts, packed.

A run of 500 tasks and 32 samples has some 40 MB of proofs and messages. Attempts at one task are
much alike, so each task's are packed by themselves (zlib, base64), and the page unpacks those of a
task when it is opened. Texts are made safe to show, and one that several attempts share is there
once.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from pytest_vsb.lean.diagnostics import Diagnostic, goal_state
from pytest_vsb.provers.base import Usage
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.text import clean, one_line
from pytest_vsb.run.records import Attempt, TaskResult
from pytest_vsb.source.splice import normalise_proof

PROOF_LIMIT = 60_000
MESSAGE_LIMIT = 4_000
DIAGNOSTICS = 20
_NAME = 1_000

_UNINDENTED = re.compile(r"\n\S")
_SPECIAL = re.compile(r"\s*(?:--|/-|\||where)")


def pack(content: Any) -> str:
    """JSON data as the page takes it: zlib, then base64."""
    return base64.b64encode(zlib.compress(msgspec.json.encode(content), 6)).decode("ascii")


def task_detail(
    found: Sequence[tuple[int, LoadedRun, TaskResult]], most: int | None = None
) -> dict[str, Any]:
    """All that is known of a task in the runs that have it.

    Args:
        found: the number of each run in the report, the run, and its result for the task.
        most: about how many attempts of each run to tell of, of which there may be more.
    """
    texts = _Texts()
    facts = found[0][2].task
    task = next((t for _, run, r in found if (t := run.tasks.get(r.task.nodeid))), None)
    return {
        "name": one_line(facts.name or facts.id, _NAME),
        "nodeid": one_line(facts.nodeid, _NAME),
        "facts": _facts(found),
        "statement": clean(task.statement, PROOF_LIMIT) if task else "",
        "runs": [
            {
                "run": number,
                "status": one_line(result.status, _NAME),
                "reason": clean(result.reason, MESSAGE_LIMIT),
                "error": clean(result.first_error, MESSAGE_LIMIT),
                "n": result.n,
                "c": result.c,
                "first": result.c_first,
                **_attempts(run.attempts(result.task.nodeid), most, texts),
            }
            for number, run, result in found
        ],
        "texts": texts.all,
    }


def _attempts(attempts: Sequence[Attempt], most: int | None, texts: _Texts) -> dict[str, Any]:
    """The attempts to be shown, and how many are ``left``."""
    shown = attempts if most is None else whole_samples(attempts, most)
    found: dict[str, Any] = {"attempts": [_attempt(attempt, texts) for attempt in shown]}
    if len(shown) < len(attempts):
        found["left"] = len(attempts) - len(shown)
    return found


def whole_samples(attempts: Sequence[Attempt], most: int) -> Sequence[Attempt]:
    """Of the attempts at a task at most so many, in their order: whole samples, the first one that
    proved the task before all others, and at least one."""
    samples: dict[int, list[Attempt]] = {}
    for attempt in attempts:
        samples.setdefault(attempt.sample, []).append(attempt)
    # The sort keeps the order of the others.
    proved = [n for n, made in samples.items() if any(a.verdict.accepted for a in made)][:1]
    kept: set[int] = set()
    room = most
    for number in sorted(samples, key=lambda number: number not in proved):
        room -= len(samples[number])
        if room < 0 and kept:
            break
        kept.add(number)
    return [attempt for attempt in attempts if attempt.sample in kept]


def _facts(found: Sequence[tuple[int, LoadedRun, TaskResult]]) -> list[list[str]]:
    facts = found[0][2].task
    metrics = facts.metrics
    numbers = (
        ("nesting depth", metrics.nesting_depth),
        ("transitive dependencies", metrics.transitive_dependencies),
        ("direct dependencies", metrics.direct_dependencies),
        ("lines of the reference proof", metrics.proof_lines),
    )
    told = (
        ("repository", facts.repository),
        ("module", facts.module),
        ("category", facts.category),
        ("subsets", ", ".join(facts.subsets)),
        ("suite", facts.suite),
        *((name, str(number)) for name, number in numbers if number is not None),
    )
    return [[name, one_line(text, _NAME)] for name, text in told if text]


class _Texts:
    """Texts by number, each once, and what was found out about them."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._numbers: dict[str, int] = {}
        self._goals: dict[int, list[int] | None] = {}
        self._proofs: dict[str, int] = {}

    def number(self, text: str, limit: int) -> int:
        """The number of a text, made safe."""
        return self._add(clean(text, limit))

    def proof(self, text: str) -> int:
        """The number of a proof as it was put into its file."""
        known = self._proofs.get(text)
        if known is None:
            known = self._proofs[text] = self.number(_submitted(text), PROOF_LIMIT)
        return known

    def goals(self, number: int, goal: str) -> list[int] | None:
        """Which lines of a message show its goals, as the first and the one after the last."""
        if number not in self._goals:
            self._goals[number] = _goal_lines(self.all[number], goal)
        return self._goals[number]

    def _add(self, text: str) -> int:
        known = self._numbers.get(text)
        if known is None:
            known = self._numbers[text] = len(self.all)
            self.all.append(text)
        return known


def _submitted(proof: str) -> str:
    """The proof as ``source.splice`` puts it into a file, so that lines and columns fit."""
    if _UNINDENTED.search(proof) or _SPECIAL.match(proof) or "\r" in proof:
        return normalise_proof(proof)
    # What this comes to where no line moves and no comment hides the beginning.
    text = proof.strip()
    return text if text.startswith(":=") else f":= {text}".rstrip()


def _goal_lines(message: str, goal: str) -> list[int] | None:
    start = message.find(goal)
    if start < 0:  # the message was cut, made safe, or has blanks at the ends of lines
        goal = goal_state(message) or ""
        message = "\n".join(line.rstrip() for line in message.split("\n"))
        start = message.find(goal) if goal else -1
    if start < 0:
        return None
    first = message.count("\n", 0, start)
    return [first, first + goal.count("\n") + 1]


def _attempt(attempt: Attempt, texts: _Texts) -> dict[str, Any]:
    verdict, candidate = attempt.verdict, attempt.candidate
    found: dict[str, Any] = {
        "sample": attempt.sample,
        "round": attempt.round,
        "verdict": verdict.kind.value,
        "lean": round(verdict.lean_seconds, 3),
        "memory": round(verdict.peak_memory_mb),
        "facts": _attempt_facts(attempt),
    }
    if verdict.reason:
        found["reason"] = texts.number(verdict.reason, MESSAGE_LIMIT)
    if candidate is not None:
        found["proof"] = texts.proof(candidate.proof)
        if candidate.auxiliary.strip():
            found["auxiliary"] = texts.number(_auxiliary(candidate.auxiliary), PROOF_LIMIT)
    if verdict.diagnostics:
        found["diagnostics"] = [_diagnostic(d, texts) for d in verdict.diagnostics[:DIAGNOSTICS]]
    if len(verdict.diagnostics) > DIAGNOSTICS:
        found["more"] = len(verdict.diagnostics) - DIAGNOSTICS
    if not attempt.complete:
        found["cut"] = True
    return found


def _auxiliary(text: str) -> str:
    """Auxiliary declarations as they were put into a file."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    return re.sub(r"\A(?:[^\S\n]*\n)+", "", text)


def _diagnostic(diagnostic: Diagnostic, texts: _Texts) -> dict[str, Any]:
    number = texts.number(diagnostic.message, MESSAGE_LIMIT)
    found: dict[str, Any] = {
        "severity": diagnostic.severity.value,
        "line": diagnostic.start.line,
        "column": diagnostic.start.column,
        "message": number,
        "region": _name(diagnostic.region),
    }
    if diagnostic.kind:
        found["kind"] = _name(diagnostic.kind)
    if diagnostic.goal:
        goals = texts.goals(number, diagnostic.goal)
        if goals:
            found["goals"] = goals
    local, end = diagnostic.local, diagnostic.end
    if local is not None:
        found["at"] = [local.line, local.column]
        if end is not None and (end.line, end.column) >= (
            diagnostic.start.line,
            diagnostic.start.column,
        ):
            lines = end.line - diagnostic.start.line
            moved = diagnostic.start.column - local.column if lines == 0 else 0
            found["to"] = [local.line + lines, end.column - moved]
    return found


def _attempt_facts(attempt: Attempt) -> list[list[str]]:
    verdict, usage = attempt.verdict, attempt.usage
    told = (
        *_usage(usage),
        ("model", _name(attempt.model)),
        ("prover", _name(attempt.prover)),
        ("stopped", _name(attempt.stop)),
        ("requests that failed before", str(attempt.retries or "")),
        ("forgiven", _names(attempt.leniencies)),
        ("seed", str(attempt.seed)),
        ("checked", _names(verdict.assurance)),
        ("axioms", _names(verdict.axioms) or ("none" if verdict.accepted else "")),
        ("Lean", _name(verdict.toolchain)),
        ("judged", "before, as an equal candidate" if verdict.cached else ""),
    )
    return [[name, text] for name, text in told if text]


@lru_cache(maxsize=1024)
def _name(text: str) -> str:
    return one_line(text, _NAME) if text else ""


@lru_cache(maxsize=1024)
def _names(texts: tuple[str, ...]) -> str:
    return one_line(", ".join(texts), _NAME)


def _usage(usage: Usage) -> tuple[tuple[str, str], ...]:
    return (
        ("tokens in", f"{usage.input_tokens:,}" if usage.input_tokens else ""),
        ("of them cached", f"{usage.cached_tokens:,}" if usage.cached_tokens else ""),
        ("tokens out", f"{usage.output_tokens:,}" if usage.output_tokens else ""),
        ("cost", "" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"),
        ("prover time", f"{usage.seconds:.2f} s" if usage.seconds else ""),
    )
