"""Fixtures of the judge's tests: a Lean project, its tasks, and a judge for them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from judge_bench import LIMITS, Bench

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import embedded, toolchain
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.toolchain import Toolchain

VAULT = Path(__file__).with_name("vault")


@pytest.fixture(scope="session")
def lean() -> Toolchain:
    """A full Lean if there is one, else the embedded one."""
    try:
        return toolchain.find("auto")
    except EnvironmentUnavailable as error:
        available, reason = embedded.is_available()
        if available:
            raise
        pytest.skip(f"{error.message}; {reason}")


@pytest.fixture(scope="session")
def vault(lean: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The project in ``vault/``, from a copy."""
    place = tmp_path_factory.mktemp("judge")
    shutil.copytree(VAULT, place / "vault")
    return Bench(place / "vault", lean, place / "cache")


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
