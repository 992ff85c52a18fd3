"""Candidates that try to be accepted without a proof, and honest ones that look odd.

Nearly all attacks aim at a false statement, so that one accepted would be a plain contradiction.
"""

from __future__ import annotations

import pytest
from candidate_files import CandidateFile, batch, read_all
from judge_bench import Bench

from pytest_vsb.judge.policy import PROFILES, Profile, find_forbidden, find_unreadable
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.source.check import check_parts

ATTACKS = read_all("refused")
HONEST = read_all("accepted")
FORBIDDEN = [each for each in ATTACKS if each.verdict == "forbidden"]
TARGET = "Vault.double_two"

TOGETHER = [each for each in HONEST if each.target == TARGET and not each.alone]
"""Those whose oddity is in the declarations and terms, not in where a proof begins and ends: they
are judged together, which takes one check in place of many."""

ALONE = [each for each in HONEST if each not in TOGETHER]


def _named(candidates: list[CandidateFile]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("candidate", candidates, ids=lambda each: each.name)


def must_not_be_accepted(bench: Bench, candidate: CandidateFile) -> None:
    verdict = bench.judge(candidate.target, candidate.proof, candidate.auxiliary)
    assert not verdict.accepted
    assert str(verdict.kind) in candidate.verdicts, (verdict.reason, verdict.diagnostics)
    assert verdict.reason or verdict.diagnostics


def must_be_accepted(bench: Bench, candidate: CandidateFile) -> None:
    verdict = bench.judge(candidate.target, candidate.proof, candidate.auxiliary)
    assert verdict.accepted, (verdict.kind, verdict.reason, verdict.diagnostics)
    assert verdict.reason == ""


@_named(ATTACKS)
@pytest.mark.lean
def test_an_attack_is_not_accepted(vault: Bench, candidate: CandidateFile) -> None:
    must_not_be_accepted(vault, candidate)


@_named(ALONE)
@pytest.mark.lean
def test_an_honest_candidate_is_accepted(vault: Bench, candidate: CandidateFile) -> None:
    must_be_accepted(vault, candidate)


@pytest.mark.lean
def test_honest_candidates_are_accepted_together(vault: Bench) -> None:
    auxiliary = batch(TOGETHER, "double 2 = 4")
    verdict = vault.judge(TARGET, "rfl", auxiliary)
    first = verdict.diagnostics[0] if verdict.diagnostics else None
    assert verdict.accepted, (verdict.kind, verdict.reason, first)


@_named(TOGETHER)
@pytest.mark.lean
@pytest.mark.slow
def test_each_of_them_is_accepted(vault: Bench, candidate: CandidateFile) -> None:
    must_be_accepted(vault, candidate)


@_named(HONEST)
@pytest.mark.parametrize("profile", PROFILES)
def test_an_honest_candidate_gets_to_lean(candidate: CandidateFile, profile: Profile) -> None:
    auxiliary, proof = candidate.auxiliary, candidate.proof
    assert find_forbidden(auxiliary, proof, profile) is None
    assert find_unreadable(auxiliary) is None
    normal = [text.replace("\r\n", "\n") for text in (auxiliary, proof)]
    assert not list(check_parts(*normal))


@_named(FORBIDDEN)
def test_the_policy_alone_refuses(candidate: CandidateFile) -> None:
    refusal = find_forbidden(candidate.auxiliary, candidate.proof)
    assert refusal is not None
    assert refusal.construct in f"{candidate.auxiliary}{candidate.proof}" or refusal.line > 0


LOCAL_SYNTAX = {"notation_local"}
"""What is refused for its new syntax only: the permissive profile leaves it to the audit."""


@_named(FORBIDDEN)
def test_the_permissive_profile_refuses_all_that_runs_code(candidate: CandidateFile) -> None:
    refusal = find_forbidden(candidate.auxiliary, candidate.proof, "permissive")
    assert (refusal is None) == (candidate.name in LOCAL_SYNTAX)


def test_there_are_enough_and_they_are_sound() -> None:
    assert len(ATTACKS) >= 60
    assert len(HONEST) >= 60
    assert {each.verdict for each in HONEST} == {"accepted"}
    kinds = {str(kind) for kind in VerdictKind} - {"accepted", "unavailable"}
    assert {kind for each in ATTACKS for kind in each.verdicts} <= kinds
