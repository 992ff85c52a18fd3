"""What a verdict is kept under: a digest of all that it depends on."""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.located import key
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.sandbox import memory
from pytest_vsb.lean.toolchain import Toolchain
from pytest_vsb.source.splice import Submission
from pytest_vsb.tasks.model import Task

_CODE = ("source", "lean", "judge")
_SUFFIXES = (".py", ".lean")


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
        "lean": list(_lean(checker.project.toolchain)),
        "policy": checker.policy,
        "checks": [*asked, *(_stamp(Path(word)) for word in asked if os.sep in word)],
        "axioms": sorted(checker.allowed_axioms),
        "limits": _limits(checker.limits),
        "sandbox": checker.sandbox.assurance,
    }
    # ASCII, whatever the texts hold.
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("ascii")).hexdigest()


@functools.cache
def code_version() -> str:
    """A digest of the code that judges: another version never believes what this one found."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for name in _CODE:
        for file in sorted((package / name).rglob("*")):
            if file.suffix in _SUFFIXES:
                data = file.read_bytes()
                digest.update(f"{file.relative_to(package)} {len(data)}\n".encode())
                digest.update(data)
    return digest.hexdigest()


def _lean(toolchain: Toolchain) -> Iterator[str]:
    """The Lean: a build of one's own may change without telling another version."""
    yield from (toolchain.kind, toolchain.version, toolchain.commit, *toolchain.command)
    yield from map(str, (*toolchain.env, *toolchain.library_path))
    if toolchain.container is not None:
        yield toolchain.container.identity
        return
    for word in toolchain.command:
        path = Path(word)
        if path.is_absolute():
            yield _stamp(path)
            library = Path(os.path.realpath(path)).parent.parent / "lib" / "lean"
            yield from map(_stamp, sorted(library.glob("lib*")))


def _limits(limits: Limits) -> list[float | None]:
    return [
        limits.wall_seconds,
        limits.memory_mb or memory.most_mb(),
        limits.output_bytes,
        limits.threads,
        limits.disk_bytes,
        limits.disk_files,
    ]


def _stamp(path: Path) -> str:
    try:
        facts = path.stat()
    except OSError as error:
        return f"{path} {error.errno}"
    return f"{path} {facts.st_size} {facts.st_mtime_ns}"
