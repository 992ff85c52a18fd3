"""Shared by the tests of chat provers: local services that answer as the providers document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from http_service import SSE, Step, chunked
from prover_requests import make_request, make_task

from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity
from pytest_vsb.provers.base import Candidate, Feedback, Problem, ProofRequest, ProverSpec
from pytest_vsb.provers.chat import ChatProver
from pytest_vsb.provers.http import HttpPolicy

KEY = "sk-test-0123456789abcdefghij"
QUICK = HttpPolicy(
    connect_seconds=60.0, read_seconds=60.0, retries=2, backoff_base=0.01, backoff_cap=0.02
)
PREFIX = "namespace Demo\n\ndef double (n : Nat) : Nat := n + n\n\n"
TASK = make_task("Demo.double_zero", "theorem double_zero : double 0 = 0")
TEXT = (
    "<reasoning>\nBy computation.\n</reasoning>\n<auxiliary>\n</auxiliary>\n<proof>\nrfl\n</proof>"
)
CUT = "<reasoning>\nBy computation.\n</reasoning>\n<auxiliary>\n</auxiliary>\n<proof>\nby\n  ind"


def request(**changes: Any) -> ProofRequest:
    return make_request(TASK, prefix=PREFIX, **changes)


def repair_request() -> ProofRequest:
    """Round 2, after a proof that Lean rejected and an answer that could not be read."""
    place = Position(5, 2)
    diagnostic = Diagnostic(
        Severity.ERROR, "unsolved goals", place, region="proof", goal="⊢ double 0 = 0"
    )
    history = (
        Feedback(
            round=0,
            candidate=Candidate("by skip", reasoning="Nothing to do."),
            outcome="rejected",
            reason="",
            problems=(Problem(diagnostic, "5 |   skip"),),
        ),
        Feedback(round=1, candidate=None, outcome="malformed", reason="the answer is empty"),
    )
    return request(round=2, history=history)


def make(
    kind: type[ChatProver],
    url: str,
    *,
    name: str = "",
    model: str = "",
    key: str | None = KEY,
    policy: HttpPolicy = QUICK,
    **options: str,
) -> ChatProver:
    """A prover that asks the service at ``url``; ``_`` in the names of options stands for ``-``,
    but not in keys of the body."""
    environment = {kind.url_variables[0]: url}
    if key is not None:
        environment[kind.key_variables[0]] = key
    spec = ProverSpec(
        name=name or kind.provider,
        model_id=model,
        options={
            option if option.startswith("body.") else option.replace("_", "-"): value
            for option, value in options.items()
        },
    )
    return kind(spec, policy=policy, environment=environment)


def stream(*values: Any, named: bool = False, end: str = "", done: bool = True) -> Step:
    """An event stream of JSON values; ``named`` puts their types on the events."""
    pieces = []
    for value in values:
        head = f"event: {value['type']}\n" if named else ""
        pieces.append(f"{head}data: {json.dumps(value, ensure_ascii=False)}\n\n".encode())
    if end:
        pieces.append(f"data: {end}\n\n".encode())
    return chunked(pieces, SSE, end=done)


def texts(value: Any) -> list[str]:
    """All texts anywhere in a JSON value, in order."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for inner in value.values() for text in texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in texts(inner)]
    return []
