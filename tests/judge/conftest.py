"""Fixtures of the judge's tests: a Lean project, its tasks, and a judge for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from judge_bench import LIMITS, Bench, copied_vault, find_lean

from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.toolchain import Toolchain


@pytest.fixture(scope="session")
def lean() -> Toolchain:
    return find_lean()


@pytest.fixture(scope="session")
def vault(lean: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return copied_vault(lean, tmp_path_factory.mktemp("judge"))


@pytest.fixture
def bench(lean: Toolchain, tmp_path: Path) -> Callable[..., Bench]:
    """Makes a project of the files given: ``bench({"A.lean": text}, limits=…)``."""

    def make(files: dict[str, str], limits: Limits = LIMITS, lean: Toolchain = lean) -> Bench:
        root = tmp_path / "project"
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(text.encode())
        return Bench(root, lean, tmp_path / "cache", limits)

    return make
