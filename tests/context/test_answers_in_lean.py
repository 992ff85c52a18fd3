"""That Lean accepts what is made of answers."""

from __future__ import annotations

import pytest
from answer_samples import FILE, GOOD, PREFIX, TASK

from pytest_vsb.context import parse_answer
from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.check import Checker
from pytest_vsb.lean import embedded, toolchain
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.project import open_project
from pytest_vsb.provers.base import Candidate

pytestmark = pytest.mark.lean


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Checker:
    try:
        lean = toolchain.find("auto")
    except EnvironmentUnavailable as error:
        available, reason = embedded.is_available()
        if available:
            raise
        pytest.skip(f"{error.message}; {reason}")
    place = tmp_path_factory.mktemp("answers")
    (place / "project").mkdir()
    (place / "project" / "Box.lean").write_text(FILE, encoding="utf-8")
    project = open_project(place / "project", lean, cache=place / "cache")
    return Checker(project, Limits(wall_seconds=120.0))


def test_lean_accepts_every_answer(checker: Checker) -> None:
    assert checker.prefix(TASK) == PREFIX
    seen = set()
    for name, (text, _) in GOOD.items():
        parsed = parse_answer(text, TASK, prefix=PREFIX)
        assert parsed.proof is not None, name
        candidate = Candidate(parsed.proof, parsed.auxiliary)
        if candidate in seen:
            continue
        seen.add(candidate)
        verdict = checker.check(TASK, candidate)
        assert verdict.accepted, (name, candidate, verdict.reason, verdict.diagnostics)
    assert len(seen) > 15
