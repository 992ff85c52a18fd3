"""Shared by the tests of provers."""

from __future__ import annotations

from pytest_vsb.provers.base import Feedback, ProofRequest
from pytest_vsb.tasks.model import Task


def make_task(id: str = "T", statement: str = "theorem T : 1 = 1", **more: object) -> Task:
    return Task(
        id=id,
        module="M",
        path="M.lean",
        name=id,
        statement=statement,
        suite="demo",
        **more,  # type: ignore[arg-type]
    )


def make_request(
    task: Task,
    *,
    prefix: str = "",
    sample: int = 0,
    samples: int = 8,
    round: int = 0,
    history: tuple[Feedback, ...] = (),
) -> ProofRequest:
    return ProofRequest(
        task=task,
        prefix=prefix,
        sample=sample,
        samples=samples,
        round=round,
        seed=0,
        history=history,
    )
