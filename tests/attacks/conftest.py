"""Fixtures of the attack suite: the vault of the judge's tests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "judge"))

from judge_bench import Bench, copied_vault, find_lean

from pytest_vsb.lean.sandbox.choose import choose


@pytest.fixture(scope="session")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The vault with a judge that confines Lean as a run does that is not told otherwise."""
    lean = find_lean()
    return copied_vault(lean, tmp_path_factory.mktemp("attacks"), choose("auto", lean))
