"""Candidates that try to be accepted without a proof, and honest ones that look odd.

Nearly all attacks aim at a false statement, so that one accepted would be a plain contradiction.
"""

from __future__ import annotations

import pytest
from candidate_files import CandidateFile, read_all
from judge_bench import Bench

from pytest_vsb.judge.policy import find_forbidden

ATTACKS = read_all("attacks")
HONEST = read_all("honest")


def _named(candidates: list[CandidateFile]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("candidate", candidates, ids=lambda each: each.name)


@_named(ATTACKS)
@pytest.mark.lean
def test_an_attack_is_not_accepted(vault: Bench, candidate: CandidateFile) -> None:
    verdict = vault.judge(candidate.target, candidate.proof, candidate.auxiliary)
    assert not verdict.accepted
    assert str(verdict.kind) == candidate.verdict, (verdict.reason, verdict.diagnostics)
    assert verdict.reason or verdict.diagnostics


@_named(HONEST)
@pytest.mark.lean
def test_an_honest_candidate_is_accepted(vault: Bench, candidate: CandidateFile) -> None:
    verdict = vault.judge(candidate.target, candidate.proof, candidate.auxiliary)
    assert verdict.accepted, (verdict.kind, verdict.reason, verdict.diagnostics)
    assert verdict.reason == ""


@_named([each for each in ATTACKS if each.verdict == "forbidden"])
def test_the_policy_alone_refuses(candidate: CandidateFile) -> None:
    assert find_forbidden(candidate.auxiliary, candidate.proof) is not None


def test_there_are_enough_and_they_are_sound() -> None:
    assert len(ATTACKS) >= 60
    assert len(HONEST) >= 25
    assert {each.verdict for each in HONEST} == {"accepted"}
    assert "accepted" not in {each.verdict for each in ATTACKS}
