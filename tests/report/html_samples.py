"""Runs for the tests of the page: one with everything in it, and one that is hostile throughout."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity, goal_state
from pytest_vsb.provers.base import Candidate, Usage
from pytest_vsb.report.analysis import analyse
from pytest_vsb.report.html.page import build
from pytest_vsb.report.loaded import LoadedRun, load_runs
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.journal import Journal
from pytest_vsb.run.records import Attempt, TaskFacts
from pytest_vsb.tasks.model import TaskMetrics

FILE = "demo.vsb.jsonl"
GOALS = "case succ\nn : Nat\nih : n + 0 = n\n⊢ n + 1 + 0 = n + 1"
FIRST = "by\n  induction n with\n  | zero => rfl\n  | succ n ih => simp [foo]\n"
SECOND = "by\n  induction n with\n  | zero => rfl\n  | succ n ih =>\n    rw [ih] -- again\n"

HOSTILE = (
    "<script>window.hit = 1</script>",
    "<img src=x onerror=window.hit=2>",
    '"><svg onload=window.hit=3>',
    "</script><script>window.hit = 4</script>",
    "' autofocus onfocus='window.hit = 5' x='",
    "</style></title></textarea><script>window.hit = 6</script>",
    "javascript:window.hit=7",
    "<!-- <script> --!><script>window.hit=8</script>",
    "{{ 7 * 191 }}{% raw %}${window.hit = 9}",
    "<a href=javascript:window.hit=10>link</a>",
    "<iframe srcdoc='<script>parent.hit=11</script>'></iframe>",
    "\\u003cscript>window.hit=12</script>\u2028\x1b[31m\u202e\x00",
)


def task(name: str, repository: str = "demo", **more: Any) -> TaskFacts:
    """A task's facts; ``metrics`` by name or none."""
    return TaskFacts(
        id=name,
        nodeid=f"{FILE}::{name}",
        name=f"Demo.{name}",
        module="Demo.Basic",
        suite="demo",
        repository=repository,
        **more,
    )


def make_run(
    path: Path,
    tasks: Sequence[TaskFacts],
    attempts: Sequence[Attempt],
    *,
    statuses: Mapping[str, str] | None = None,
    samples: int = 1,
    **identity: Any,
) -> Path:
    """A run directory as runs write theirs; tasks without attempts or a status were not run."""
    run = RunDirectory.create(path, {"model": "made-up", **identity}, {"samples": samples})
    run.add_tasks(tasks)
    journal = Journal(run.journal, "main")
    for each in tasks:
        made = [attempt for attempt in attempts if attempt.nodeid == each.nodeid]
        status = (statuses or {}).get(each.id, "done" if made else "")
        if status:
            journal.started(each.nodeid)
            for attempt in made:
                journal.judged(attempt)
            journal.ended(each.nodeid, status)
    journal.close()
    return path


def usual_run(path: Path, *, model: str = "made-up", skill: int = 2) -> Path:
    """Twelve tasks in three repositories: solved at once, by repair, not at all, not judged."""
    tasks = [
        task(
            f"thm_{number:02}",
            f"repo-{number % 3}",
            category=("Semantics", "Compilers")[number % 2],
            subsets=("small",) if number % 4 else (),
            metrics=TaskMetrics(number, number * 3, number, 2 * number + 1),
        )
        for number in range(12)
    ]
    made = [one for number, each in enumerate(tasks) for one in _attempts(each, number, skill)]
    statuses = {tasks[11].id: "interrupted"}
    return make_run(path, tasks, made, samples=4, model=model, repairs=1, seed=7, statuses=statuses)


def _attempts(task: TaskFacts, number: int, skill: int) -> Iterator[Attempt]:
    if number == 11:
        return
    for sample in range(4):
        if number == 10:
            yield _attempt(task, sample, 0, VerdictKind.UNAVAILABLE, "", reason="no Lean")
        elif number % 3 < skill and sample == number % 4:
            kind = VerdictKind.REJECTED if number % 2 else VerdictKind.ACCEPTED
            yield _attempt(task, sample, 0, kind, FIRST)
            if number % 2:
                yield _attempt(
                    task, sample, 1, VerdictKind.ACCEPTED, SECOND, "theorem foo : p := q"
                )
        else:
            yield _attempt(task, sample, 0, VerdictKind.REJECTED, FIRST)
            yield _attempt(task, sample, 1, VerdictKind.TIMEOUT, SECOND, reason="after 300 s")


def _attempt(
    task: TaskFacts,
    sample: int,
    step: int,
    kind: VerdictKind,
    proof: str,
    auxiliary: str = "",
    *,
    reason: str = "",
) -> Attempt:
    found: tuple[Diagnostic, ...] = ()
    if kind is VerdictKind.REJECTED:
        found = (
            diagnostic("Unknown identifier `foo`", Position(4, 23), Position(4, 26)),
            diagnostic(f"unsolved goals\n{GOALS}", Position(4, 17), Position(4, 27)),
            dataclasses.replace(
                diagnostic("unused variable `n`", Position(1, 14), Position(1, 15)),
                severity=Severity.WARNING,
                region="statement",
            ),
        )
    return Attempt(
        nodeid=task.nodeid,
        sample=sample,
        round=step,
        verdict=Verdict(
            kind,
            reason,
            found,
            axioms=("propext",) if kind is VerdictKind.ACCEPTED else (),
            assurance=("policy", "compile"),
            lean_seconds=0.5 * (sample + 1) * (step + 1),
            peak_memory_mb=512.0,
            toolchain="4.35.0",
        ),
        candidate=Candidate(proof, auxiliary) if proof else None,
        usage=Usage(1200, 340, 100, 0.0125, 3.5),
        model="made-up-1",
        seed=sample,
    )


def diagnostic(message: str, start: Position, end: Position | None) -> Diagnostic:
    """An error in a proof that begins in line 10 of its file, at places within it."""
    return Diagnostic(
        Severity.ERROR,
        message,
        Position(start.line + 9, start.column),
        Position(end.line + 9, end.column) if end else None,
        kind="Tactic.unsolvedGoals" if message.startswith("unsolved") else "",
        region="proof",
        goal=goal_state(message),
        local=start,
    )


def hostile_run(path: Path) -> Path:
    """A run with something hostile in every field that is text, in turns."""
    turn = itertools.cycle(HOSTILE)
    tasks = []
    made = []
    for number in range(len(HOSTILE)):
        task = TaskFacts(
            id=f"{number} {next(turn)}",
            nodeid=f"demo.vsb.jsonl::{number} {next(turn)}",
            name=f"{number} {next(turn)}",
            module=next(turn),
            suite=next(turn),
            repository=next(turn),
            category=next(turn),
            subsets=(next(turn), next(turn)),
            metrics=TaskMetrics(3, 4, number, 6),
            digest=next(turn),
        )
        tasks.append(task)
        for step in range(2):
            severities = itertools.cycle(Severity)
            made.append(
                Attempt(
                    nodeid=task.nodeid,
                    sample=0,
                    round=step,
                    verdict=Verdict(
                        VerdictKind.REJECTED,
                        next(turn),
                        tuple(
                            Diagnostic(
                                next(severities),
                                f"{payload}\nx : {payload}\n⊢ {payload}",
                                Position(1, 0),
                                Position(2, 3),
                                kind=next(turn),
                                region=region,
                                goal=f"x : {payload}\n⊢ {payload}",
                                local=Position(1, 0),
                            )
                            for payload in HOSTILE
                            for region in ("proof", "auxiliary", next(turn))
                        )[step::2],
                        axioms=(next(turn), next(turn)),
                        assurance=(next(turn),),
                        lean_seconds=1.0,
                        toolchain=next(turn),
                        submission=next(turn),
                    ),
                    candidate=Candidate(
                        "\n".join(["by", *HOSTILE, str(step)]),
                        "\n".join(HOSTILE[step:]),
                        next(turn),
                    ),
                    usage=Usage(1, 2, 3, 0.1, 1.0),
                    prover=next(turn),
                    model=next(turn),
                    prompt_digest=next(turn),
                    response_digest=next(turn),
                    stop=next(turn),
                    leniencies=(next(turn), next(turn)),
                    plugin_version=next(turn),
                    complete=bool(step),
                )
            )
    return make_run(
        path,
        tasks,
        made,
        model=HOSTILE[1],
        statuses={tasks[-1].id: "crashed"},
        prover={HOSTILE[2]: HOSTILE[3]},
        context=HOSTILE[4],
        policy=HOSTILE[5],
        assurance=HOSTILE[6],
        lean=HOSTILE[0],
    )


def page_of(*paths: Path) -> tuple[str, tuple[LoadedRun, ...]]:
    """The page of some runs, and the runs."""
    runs = load_runs(paths)
    return build(runs, analyse(runs)), runs


def digest(text: str) -> str:
    """A script's or style sheet's digest, as policies name it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
