"""A Lean project with a judge for it, as the tests use it."""

from __future__ import annotations

from pathlib import Path

from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.verdict import Verdict
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.toolchain import Toolchain
from pytest_vsb.provers.base import Candidate
from pytest_vsb.source.scanner import scan
from pytest_vsb.tasks.model import Task

LIMITS = Limits(wall_seconds=120.0)


class Bench:
    """A Lean project in a directory, and a judge for it."""

    def __init__(self, root: Path, lean: Toolchain, cache: Path, limits: Limits = LIMITS) -> None:
        self.root = root
        self.lean = lean
        self.cache = cache
        self.checker = Checker(open_project(root, lean, cache=cache), limits)

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
