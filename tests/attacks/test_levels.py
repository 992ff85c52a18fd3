"""The whole suite once more for each level of sandbox, for ``VSB_TEST_LEVELS=landlock,off,...``.

It takes minutes. Without that variable the suite runs at the best level of the machine only, and
``test_machine.py`` at every level.
"""

from __future__ import annotations

import os

import pytest
from candidate_files import CandidateFile
from judge_bench import Bench, copied_vault, find_lean
from test_attacks import ATTACKS, HONEST, must_be_accepted, must_not_be_accepted

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean.sandbox.choose import choose

LEVELS = [level for level in os.environ.get("VSB_TEST_LEVELS", "").split(",") if level]
NEED_LEAN = [each for each in ATTACKS if each.verdict not in ("forbidden", "malformed")]

pytestmark = [
    pytest.mark.lean,
    pytest.mark.slow,
    pytest.mark.skipif(not LEVELS, reason="VSB_TEST_LEVELS names no level"),
]


@pytest.fixture(scope="module", params=LEVELS or ["none"])
def boxed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    lean = find_lean()
    try:
        choice = choose(request.param, lean)
    except EnvironmentUnavailable as error:
        pytest.skip(error.message)
    return copied_vault(lean, tmp_path_factory.mktemp(request.param), choice)


@pytest.mark.parametrize("candidate", NEED_LEAN, ids=lambda each: each.name)
def test_an_attack_is_not_accepted(boxed: Bench, candidate: CandidateFile) -> None:
    must_not_be_accepted(boxed, candidate)


@pytest.mark.parametrize("candidate", HONEST, ids=lambda each: each.name)
def test_an_honest_candidate_is_accepted(boxed: Bench, candidate: CandidateFile) -> None:
    must_be_accepted(boxed, candidate)
