"""What a verdict is kept under: a digest of all that it depends on."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.identity import code_version, lean_identity, stamp
from pytest_vsb.judge.located import key
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.sandbox import memory
from pytest_vsb.source.splice import Submission
from pytest_vsb.tasks.model import Task


def verdict_key(checker: Checker, task: Task, submission: Submission) -> str:
    """The SHA-256 of all that a checker's verdict on a submission depends on, in hex.

    That is the submission and where its parts are; the task with its reference proof, which may
    settle what the statement is; the fingerprint of what is there before the candidate comes; the
    Lean, as the version that it tells and as files; the checks that an accepted proof must pass
    here, the axioms that it may rest on, the limits, and whether a sandbox holds; and the code of
    the judge itself.

    Raises:
        EnvironmentUnavailable: the task cannot be judged at all; see ``Checker.prepare``.
    """
    asked = checker.asks(task)
    parts = {
        "judge": code_version(),
        "task": [*key(task), task.reference_proof, checker.fingerprint(task)],
        "submission": submission.digest,
        "regions": [[r.kind, r.span.start, r.span.end] for r in submission.regions],
        "lean": list(lean_identity(checker.project.toolchain)),
        "policy": checker.policy,
        "checks": [*asked, *(stamp(Path(word)) for word in asked if os.sep in word)],
        "axioms": sorted(checker.allowed_axioms),
        "limits": _limits(checker.limits),
        "sandbox": checker.sandbox.assurance,
    }
    # ASCII, whatever the texts hold.
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("ascii")).hexdigest()


def _limits(limits: Limits) -> list[float | None]:
    return [
        limits.wall_seconds,
        limits.memory_mb or memory.most_mb(),
        limits.output_bytes,
        limits.threads,
        limits.disk_bytes,
        limits.disk_files,
    ]
