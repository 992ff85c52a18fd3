"""Samples, repair rounds, seeds, and recordings of a run."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mini_project import PROOFS, MiniProject, stable

pytestmark = pytest.mark.lean


def notes(mini: MiniProject, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (mini.path / name).read_text("utf-8").splitlines()]


def test_repairs_see_what_failed(near: MiniProject) -> None:
    near.tasks("mirror_injective")
    near.prover(
        """
        import dataclasses, json

        def answer(request):
            history = [dataclasses.asdict(feedback) for feedback in request.history]
            note("requests.txt", json.dumps({
                "round": request.round, "history": history, "samples": request.samples,
                "reference": request.task.reference_proof, "prefix": request.prefix,
            }, default=str))
            if request.round == 0:
                return proof(":= by\\n  rw [mirror_mirror]", "theorem one : True := trivial")
            if request.round == 1:
                return no_answer("only words")
            return right(request)
        """
    )
    ended = near.bench("--vsb-repairs=3")
    assert ended.code == pytest.ExitCode.OK
    first, second, third = notes(near, "requests.txt")
    assert [len(r["history"]) for r in (first, second, third)] == [0, 1, 2]
    assert first["samples"] == 1
    assert first["reference"] is None, "the reference proof is never shown"
    assert first["prefix"].startswith("namespace Mini")
    assert "mirror_injective" not in first["prefix"]
    (feedback,) = second["history"]
    assert feedback["outcome"] == "rejected"
    assert feedback["candidate"]["proof"] == ":= by\n  rw [mirror_mirror]"
    problem = feedback["problems"][0]
    assert problem["diagnostic"]["severity"].endswith("error")
    assert problem["diagnostic"]["region"] == "proof"
    assert "⊢ s = t" in (problem["diagnostic"]["goal"] or problem["diagnostic"]["message"])
    assert "rw [mirror_mirror]" in problem["excerpt"]
    assert third["history"][0] == feedback
    assert third["history"][1]["outcome"] == "malformed"
    assert third["history"][1]["reason"] == "only words"
    task = near.by_task()["mirror_injective"]
    assert (task["n"], task["c"], task["c_first"], task["attempts"]) == (1, 1, 0, 3)
    assert task["solved_without_repair"] is False


def test_rounds_end_with_a_proof_or_when_nothing_more_is_offered(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    near.prover(
        """
        def answer(request):
            if request.sample == 0:
                return right(request)
            if request.sample == 1:
                return None
            if request.sample == 2:
                return no_answer() if request.round < 2 else None
            return no_answer()
        """
    )
    near.run("--vsb-run=run", "--vsb-samples=4", "--vsb-repairs=3")
    expected = {0: 1, 1: 1, 2: 3, 3: 4}
    assert near.asked() == [
        f"mirror_leaf {sample} {round}"
        for sample, times in expected.items()
        for round in range(times)
    ]
    task = near.by_task()["mirror_leaf"]
    # A sample without any answer is not in the denominator.
    assert (task["n"], task["c"], task["attempts"]) == (3, 1, 7)
    assert task["pass_at"]["4"] is None


def test_prover_with_nothing_to_offer(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    near.prover("def answer(request): return None")
    ended = near.bench("--junitxml=junit.xml")
    assert ended.code == pytest.ExitCode.TESTS_FAILED
    assert "INTERNALERROR" not in ended.text
    task = near.by_task()["mirror_leaf"]
    assert (task["status"], task["n"], task["attempts"]) == ("done", 0, 0)


@pytest.mark.slow
def test_seeds(mini: MiniProject) -> None:
    mini.tasks("mirror_leaf", "isLeaf_leaf")
    mini.prover("def answer(request): return no_answer() if request.round == 0 else None")

    def seeds(run: str, *options: str) -> dict[tuple[str, str], set[str]]:
        (mini.path / "calls.txt").unlink(missing_ok=True)
        mini.run(f"--vsb-run={run}", "--vsb-samples=3", "--vsb-repairs=1", *options)
        found: dict[tuple[str, str], set[str]] = {}
        for line in (mini.path / "calls.txt").read_text("utf-8").splitlines():
            task, sample, _, seed = line.split()
            found.setdefault((task, sample), set()).add(seed)
        return found

    first = seeds("first")
    assert len(first) == 6
    assert all(len(of_sample) == 1 for of_sample in first.values()), "one seed a sample"
    assert len(set.union(*first.values())) == 6, "another for each sample"
    assert seeds("second", "-n", "2") == first
    assert set.union(*seeds("third", "--vsb-seed=1").values()).isdisjoint(
        set.union(*first.values())
    )


def test_recording_gives_the_same_results_again(near: MiniProject) -> None:
    near.tasks("mirror_leaf", "mirror_injective", "isLeaf_leaf")
    near.prover(
        """
        from pytest_vsb.provers.base import Usage

        def answer(request):
            if request.task.id == "mirror_leaf":
                return Answer(Candidate(":= rfl", "theorem one : True := trivial", "ℝ"),
                              usage=Usage(input_tokens=7, cost_usd=0.5))
            if request.task.id == "mirror_injective":
                if request.sample == 1 and request.round == 1:
                    return right(request)
                return proof(":= by rfl")
            return None if request.sample else no_answer("only words")
        """
    )
    protocol = ("--vsb-samples=2", "--vsb-repairs=1")
    near.run("--vsb-run=made", "-n", "2", "--vsb-record=answers.jsonl", *protocol)
    # The recording is complete by itself: the prover is not asked.
    (near.path / "conftest.py").unlink()
    ended = near.run(
        "--vsb-run=again", "--vsb-record=second.jsonl", *protocol, model="replay:answers.jsonl"
    )
    assert "INTERNALERROR" not in ended.text
    made, again = (
        {name: _outcome(task, near) for name, task in near.by_task(run).items()}
        for run in ("made", "again")
    )
    # The second sample of isLeaf_leaf had no answer at all, so a recording of it has none either.
    assert made.pop("isLeaf_leaf")["n"] == again.pop("isLeaf_leaf")["n"] == 1
    assert made == again

    def lines(name: str) -> list[str]:
        return (near.path / name).read_text("utf-8").splitlines()[1:]

    assert lines("second.jsonl") == lines("answers.jsonl")


def _outcome(task: dict[str, Any], mini: MiniProject) -> dict[str, Any]:
    found = stable(task, mini.path)
    assert isinstance(found, dict)
    return found


@pytest.mark.slow
def test_resumed_run_records_everything(mini: MiniProject) -> None:
    mini.tasks("mirror_leaf", "isLeaf_leaf")
    mini.prover("def answer(request): return right(request)")
    mini.bench("--vsb-limit=1", "--vsb-record=answers.jsonl")
    mini.bench("--vsb-resume", "--vsb-record=answers.jsonl")
    assert mini.asked() == ["isLeaf_leaf 0 0", "mirror_leaf 0 0"]
    recorded = [json.loads(line) for line in (mini.path / "answers.jsonl").open("rb")]
    assert sorted(line["task"] for line in recorded[1:]) == ["isLeaf_leaf", "mirror_leaf"]
    # It is kept from other runs, and from this one once something else is in it.
    path = mini.path / "answers.jsonl"
    for text, options, run in (
        (path.read_bytes(), (), "other"),
        (b"something else", ("--vsb-resume",), "run"),
    ):
        path.write_bytes(text)
        ended = mini.bench("--vsb-record=answers.jsonl", *options, run=run)
        assert ended.code == pytest.ExitCode.USAGE_ERROR
        assert "--vsb-record=answers.jsonl: the file is there already" in ended.errors
        assert path.read_bytes() == text
    assert not (mini.path / "other").exists()


def test_reference_prover_solves_all(near: MiniProject) -> None:
    near.tasks(*PROOFS)
    ended = near.bench(model="reference")
    assert ended.code == pytest.ExitCode.OK
    assert ended.counts() == {"passed": 4}
