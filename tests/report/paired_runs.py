"""Loaded runs and run directories that are made up, for comparing, merging and exporting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity
from pytest_vsb.metrics.passk import pass_at_k
from pytest_vsb.provers.base import Answer, Candidate, Usage
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.summary import ks_for
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.journal import Answered, Asked, Ended, Event, Judged, Started
from pytest_vsb.run.jsontext import encode
from pytest_vsb.run.records import Attempt, TaskFacts, TaskResult

IDENTITY: dict[str, Any] = {
    "model": "m",
    "prover": {},
    "seed": 0,
    "repairs": 1,
    "context": "curated",
    "context_tokens": None,
    "tokenizer": "estimate",
    "check_timeout": 300.0,
    "check_memory_mb": None,
    "policy": "strict",
    "assurance": "standard",
    "lean": "auto",
    "rootdir": "",
}
FILE = "a.vsb.jsonl"


def facts(name: str, *, digest: str | None = None, repository: str = "R") -> TaskFacts:
    return TaskFacts(
        id=name,
        nodeid=f"{FILE}::{name}",
        name=f"N.{name}",
        repository=repository,
        category="C",
        digest=f"digest of {name}" if digest is None else digest,
    )


def result(name: str, n: int, c: int, *, status: str = "done", **more: Any) -> TaskResult:
    kept = {key: more.pop(key) for key in ("digest", "repository") if key in more}
    passed = {k: pass_at_k(n, c, k) for k in ks_for(max(n, 1))}
    return TaskResult(facts(name, **kept), status, n, c, c, passed, **more)


def loaded(name: str, results: Sequence[TaskResult], **identity: Any) -> LoadedRun:
    """A run without attempts."""
    run = {"identity": {**IDENTITY, "model": name, **identity}, "lean": "Lean 4.9.0 abc (elan: x)"}
    return LoadedRun(name, None, run, tuple(sorted(results, key=lambda r: r.task.nodeid)))


ACCEPTED, REJECTED, UNAVAILABLE = (
    VerdictKind.ACCEPTED,
    VerdictKind.REJECTED,
    VerdictKind.UNAVAILABLE,
)


def verdict(kind: VerdictKind) -> Verdict:
    error = Diagnostic(Severity.ERROR, "unsolved goals\n⊢ False", Position(4, 2), region="proof")
    return Verdict(
        kind,
        "" if kind is ACCEPTED else "one error",
        () if kind is ACCEPTED else (error,),
        axioms=("propext",) if kind is ACCEPTED else (),
        lean_seconds=1.5,
        peak_memory_mb=100.0,
        toolchain="Lean 4.9.0",
    )


def write_run(
    path: Path,
    samples: Mapping[str, Sequence[Sequence[VerdictKind]]],
    *,
    at: float = 1000.0,
    status: str = "done",
    digests: Mapping[str, str] | None = None,
    proof: str = "by simp",
    created: str = "",
    facts_: Mapping[str, Any] | None = None,
    **identity: Any,
) -> Path:
    """Write a run directory: of each task its samples, each the verdicts of its rounds.

    Events are dated from ``at`` on, one a second. ``digests`` replace those of tasks.
    """
    directory = RunDirectory.create(
        path,
        {**IDENTITY, **identity},
        {
            "samples": max((len(rounds) for rounds in samples.values()), default=1),
            "lean": "Lean 4.9.0 abc (elan: x)",
            **(facts_ or {}),
        },
    )
    if created:
        file = path / "run.json"
        old = directory.read()["created"]
        file.write_text(file.read_text("utf-8").replace(old, created), encoding="utf-8")
    digests = digests or {}
    tasks = [facts(name, digest=digests.get(name)) for name in samples]
    directory.add_tasks(tasks)
    (path / "responses").mkdir(exist_ok=True)
    events: list[Event] = []

    def now() -> float:
        return at + len(events)

    for task in tasks:
        events.append(Started(task.nodeid, "main", 1, now(), f"file and {task.digest}"))
        for sample, kinds in enumerate(samples[task.id]):
            for round, kind in enumerate(kinds):
                candidate = Candidate(f"{proof} [{task.id}, {sample}, {round}]", "theorem aux : 1")
                usage = Usage(100, 10, 0, 0.25, 2.0)
                events.append(Asked(task.nodeid, sample, round, now()))
                response = f"{at} {task.id} {sample} {round}"
                (path / "responses" / f"{response.replace(' ', '-')}.json").write_text(response)
                answer = Answer(candidate, usage=usage, response_digest=response)
                events.append(Answered(task.nodeid, sample, round, now(), answer))
                attempt = Attempt(
                    task.nodeid,
                    sample,
                    round,
                    verdict(kind),
                    candidate,
                    usage,
                    prover="m",
                    prompt_digest=f"prompt of {task.id}",
                    response_digest=response,
                    started=now(),
                )
                events.append(Judged(now(), attempt))
        events.append(Ended(task.nodeid, status, "", now()))
    lines = []
    for event in events:
        record = {"event": type(event).__name__.lower(), **msgspec.to_builtins(event)}
        lines.append(encode(record) + b"\n")
    (directory.journal / "main.jsonl").write_bytes(b"".join(lines))
    return path
