from __future__ import annotations

from pathlib import Path

import pytest
from prover_requests import make_request, make_task

from pytest_vsb.provers.base import Candidate, Prover, ProverUnavailable
from pytest_vsb.provers.registry import create, parse_spec
from pytest_vsb.tasks.model import Origin


@pytest.fixture
def prover() -> Prover:
    return create(parse_spec("reference"))


@pytest.mark.parametrize("proof", [":= rfl", "| x => rfl", ":= by\n  rfl\ntermination_by x"])
def test_gives_the_reference_proof_once_a_sample(prover: Prover, proof: str) -> None:
    task = make_task(reference_proof=proof)
    for sample in range(3):
        answer = prover.prove(make_request(task, sample=sample))
        assert answer is not None
        assert answer.candidate == Candidate(proof)
    assert prover.prove(make_request(task, round=1)) is None
    assert prover.needs_reference
    assert prover.settings() == {}
    prover.close()


@pytest.mark.parametrize("proof", [None, "", " \n"])
def test_a_task_without_one(prover: Prover, proof: str | None) -> None:
    task = make_task(reference_proof=proof, origin=Origin(Path("a.vsb.jsonl"), 3))
    with pytest.raises(ProverUnavailable) as caught:
        prover.prove(make_request(task))
    assert str(caught.value) == "a.vsb.jsonl:3: the task file has no reference proof of 'T'"
