"""A Lean project with a judge for it, as the tests use it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.verdict import Verdict
from pytest_vsb.lean import embedded, toolchain
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.sandbox.choose import UNSANDBOXED, Choice
from pytest_vsb.lean.toolchain import Toolchain
from pytest_vsb.provers.base import Candidate
from pytest_vsb.source.scanner import scan
from pytest_vsb.tasks.model import Task

VAULT = Path(__file__).with_name("vault")
"""The project that most candidates are about."""

LIMITS = Limits(wall_seconds=120.0)


def find_lean() -> Toolchain:
    """A full Lean if there is one, else the embedded one; skips the test without any."""
    try:
        return toolchain.find("auto")
    except EnvironmentUnavailable as error:
        available, reason = embedded.is_available()
        if available:
            raise
        pytest.skip(f"{error.message}; {reason}")


def copied_vault(lean: Toolchain, place: Path, sandbox: Choice = UNSANDBOXED) -> Bench:
    """The project in ``vault/``, from a copy."""
    shutil.copytree(VAULT, place / "vault")
    return Bench(place / "vault", lean, place / "cache", sandbox=sandbox)


class Bench:
    """A Lean project in a directory, and a judge for it."""

    def __init__(
        self,
        root: Path,
        lean: Toolchain,
        cache: Path,
        limits: Limits = LIMITS,
        sandbox: Choice = UNSANDBOXED,
    ) -> None:
        self.root = root
        self.lean = lean
        self.cache = cache
        self.checker = Checker(open_project(root, lean, cache=cache), limits, sandbox=sandbox)

    def task(self, name: str, path: str = "Vault.lean", reference: str | None = None) -> Task:
        """The task of proving a declaration of the project."""
        source = scan((self.root / path).read_bytes().decode())
        target = source.find(name)
        statement = target.statement.of(source.text)
        module = path.removesuffix(".lean").replace("/", ".")
        return Task(
            id=name,
            module=module,
            path=path,
            name=name,
            statement=statement,
            reference_proof=reference,
        )

    def judge(
        self, name: str, proof: str, auxiliary: str = "", path: str = "Vault.lean"
    ) -> Verdict:
        """The verdict on one candidate."""
        return self.checker.check(self.task(name, path), Candidate(proof, auxiliary))
