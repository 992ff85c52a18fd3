"""Recordings of whole runs: what the journals and the store of responses hold."""

from __future__ import annotations

import contextlib
import dataclasses
import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.provers.base import Answer, Candidate, ProofRequest, Usage
from pytest_vsb.provers.recorded import read_recording
from pytest_vsb.provers.registry import create, parse_spec
from pytest_vsb.provers.replay import ReplayProver
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.journal import Journal
from pytest_vsb.run.recording import record_run
from pytest_vsb.run.records import Attempt, TaskFacts
from pytest_vsb.tasks.dataset import task_digest
from pytest_vsb.tasks.model import Task

TASKS = {
    f"d.vsb.jsonl::{name}": Task(
        id=name,
        module="M",
        path="M.lean",
        name=name,
        statement=f"theorem {name} : 1 = 1",
        suite="s",
    )
    for name in ("A", "B")
}
A, B = TASKS
LONG = "the model's words, ℝ and all; " * 2000

FULL = Answer(
    Candidate("by simp", "lemma a : 1 = 1 := rfl", "why"),
    usage=Usage(10, 20, 5, 0.25, 1.5),
    response=LONG,
    prompt_digest="p0",
    model="model-2026",
    stop="end",
    retries=2,
    leniencies=("missing-by",),
)
ANSWERS: dict[tuple[str, int, int], Answer | None] = {
    (A, 0, 0): FULL,
    (A, 0, 1): Answer(None, malformed="no fence", response="short"),
    (A, 1, 0): dataclasses.replace(FULL, prompt_digest="p1"),
    (A, 2, 0): None,
    (B, 0, 0): Answer(Candidate("rfl"), response="short"),
}


def make_run(
    path: Path,
    answers: Mapping[tuple[str, int, int], Answer | None],
    *,
    model: str = "claude",
    prover: str = "claude/opus",
    settings: Mapping[str, str] | None = None,
    judged: frozenset[tuple[str, int, int]] = frozenset(ANSWERS) - {(A, 1, 0)},
) -> RunDirectory:
    """A run directory as a run leaves it behind; what is not ``judged`` was interrupted."""
    identity = {"model": model, "seed": 7, "repairs": 1, "prover": dict(settings or {"style": "x"})}
    run = RunDirectory.create(path, identity, {"samples": 3})
    run.add_tasks(TaskFacts.of(task, node, task_digest(task)) for node, task in TASKS.items())
    with contextlib.closing(Journal(run.journal, "main")) as journal:
        for (node, sample, round), given in answers.items():
            journal.asked(node, sample, round)
            kept = journal.answered(node, sample, round, given)
            if kept is not None and (node, sample, round) in judged:
                kind = VerdictKind.REJECTED if kept.candidate else VerdictKind.MALFORMED
                journal.judged(
                    Attempt(
                        nodeid=node,
                        sample=sample,
                        round=round,
                        verdict=Verdict(kind, kept.malformed),
                        candidate=kept.candidate,
                        prover=prover,
                    )
                )
        down = Verdict(VerdictKind.UNAVAILABLE, "the service is down")
        journal.judged(Attempt(B, 1, 0, down, prover=prover))
    return run


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    return make_run(tmp_path / "run", ANSWERS)


def replay(path: Path, **options: str) -> ReplayProver:
    prover = create(parse_spec(f"replay:{path}", options))
    assert isinstance(prover, ReplayProver)
    return prover


def ask(prover: ReplayProver, place: tuple[str, int, int]) -> Answer | None:
    node, sample, round = place
    return prover.prove(
        ProofRequest(TASKS[node], "", sample=sample, samples=3, round=round, seed=0)
    )


def test_all_answers_come_again_with_their_raw_responses(run: RunDirectory, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl.gz"
    recorded = record_run(path, run)
    assert (recorded.answers, recorded.responses, recorded.lost) == (5, 2, 0)
    assert str(recorded) == "5 answers, 2 raw responses"
    prover = replay(path)
    assert prover.name == "replay:claude/opus"
    for place, given in ANSWERS.items():
        got = ask(prover, place)
        if got is not None:
            assert got.response_digest
            got = dataclasses.replace(got, response_digest="")
        assert got == given
    # Two answers share one response of 60,000 characters.
    assert path.stat().st_size < 3000


def test_the_lines(run: RunDirectory, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    record_run(path, run)
    header, *lines = (json.loads(line) for line in path.open(encoding="utf-8"))
    assert header.pop("metadata") == {
        "model": "claude",
        "plugin_version": run.read()["plugin_version"],
        "prover.style": "x",
        "repairs": "1",
        "samples": "3",
        "seed": "7",
    }
    assert header == {
        "vsb_recording": 2,
        "provers": ["claude/opus"],
        "answers": 5,
        "responses": 2,
    }
    first: dict[str, Any] = lines[0]
    digest = first.pop("response_digest")
    assert first == {
        "task": "A",
        "suite": "s",
        "sample": 0,
        "round": 0,
        "auxiliary": "lemma a : 1 = 1 := rfl",
        "proof": "by simp",
        "reasoning": "why",
        "usage": {
            "input_tokens": 10,
            "output_tokens": 20,
            "cached_tokens": 5,
            "cost_usd": 0.25,
            "seconds": 1.5,
        },
        "prompt_digest": "p0",
        "prover": "claude/opus",
        "task_digest": task_digest(TASKS[A]),
        "model": "model-2026",
        "stop": "end",
        "retries": 2,
        "leniencies": ["missing-by"],
    }
    assert {line["vsb_response"]: line["text"] for line in lines[5:]}[digest] == LONG
    nothing = lines[3]
    assert nothing.pop("task_digest")
    assert nothing == {
        "task": "A",
        "suite": "s",
        "sample": 2,
        "round": 0,
        "nothing": True,
        "prover": "claude/opus",
    }


def test_a_recording_of_a_replayed_run_is_the_same_file(run: RunDirectory, tmp_path: Path) -> None:
    first, second = tmp_path / "1.jsonl.gz", tmp_path / "2.jsonl.gz"
    record_run(first, run)
    prover = replay(first)
    again = make_run(
        tmp_path / "again",
        {place: ask(prover, place) for place in reversed(ANSWERS)},
        model=f"replay:{first}",
        prover=prover.name,
        settings=prover.settings(),
    )
    record_run(second, again)
    assert gzip.decompress(second.read_bytes()) == gzip.decompress(first.read_bytes())
    assert second.read_bytes() == first.read_bytes()


def test_responses_that_are_gone_or_damaged_are_counted(run: RunDirectory, tmp_path: Path) -> None:
    files = sorted((run.path / "responses").iterdir(), key=lambda file: file.stat().st_size)
    files[0].write_text('{"response": "other"}')
    files[1].write_bytes(files[1].read_bytes()[:-10])
    path = tmp_path / "r.jsonl"
    recorded = record_run(path, run)
    assert str(recorded) == "5 answers, 0 raw responses, 2 more are lost"
    answer = ask(replay(path), (A, 0, 0))
    assert answer is not None
    assert answer.response == ""
    assert answer.response_digest
    assert answer.candidate == FULL.candidate
    files[0].unlink()
    assert record_run(path, run) == recorded


def test_attempts_of_a_journal_without_answers_are_recorded(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {})
    with contextlib.closing(Journal(run.journal, "gw0")) as journal:
        verdict = Verdict(VerdictKind.ACCEPTED)
        journal.judged(Attempt(A, 0, 0, verdict, Candidate("rfl"), prover="p", response_digest="q"))
        journal.judged(Attempt(A, 1, 0, Verdict(VerdictKind.CRASHED), prover="p"))
    recorded = record_run(tmp_path / "r.jsonl", run)
    assert (recorded.answers, recorded.responses, recorded.lost) == (1, 0, 1)
    (answer,) = read_recording(tmp_path / "r.jsonl").answers
    assert (answer.proof, answer.task_digest) == ("rfl", task_digest(TASKS[A]))
