"""Candidates that really run code, with the policy out of the way: what is left is the sandbox.

The embedded Lean has no `IO` of its own, but its library does, and an opaque constant of the right
name gets at it. Without a sandbox each of these reaches what it wants, or there would be nothing
to test.
"""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from candidate_files import CandidateFile, read_all
from judge_bench import Bench, copied_vault, find_lean

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.cache import open_verdicts
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.sandbox.choose import choose
from pytest_vsb.lean.toolchain import Toolchain

MACHINE = {each.name: each for each in read_all("machine")}
LEVELS = ("off", "landlock", "bubblewrap")
SHELL = shutil.which("bash") or ""

pytestmark = [
    pytest.mark.lean,
    pytest.mark.skipif(not SHELL, reason="there is no bash"),
]

Judge = Callable[[str], Verdict]


@pytest.fixture(scope="module")
def lean() -> Toolchain:
    found = find_lean()
    if found.kind != "embedded":
        pytest.skip("these candidates bind what the embedded Lean does not declare")
    return found


@pytest.fixture(scope="module", params=LEVELS)
def boxed(
    request: pytest.FixtureRequest, lean: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> Bench:
    try:
        choice = choose(request.param, lean)
    except EnvironmentUnavailable as error:
        pytest.skip(error.message)
    return copied_vault(lean, tmp_path_factory.mktemp("machine"), choice)


@pytest.fixture(autouse=True)
def no_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A policy with a hole in it."""
    monkeypatch.setattr("pytest_vsb.judge.check.find_forbidden", lambda *_: None)


def judged(bench: Bench, name: str, **places: object) -> Verdict:
    candidate: CandidateFile = MACHINE[name]
    auxiliary = candidate.auxiliary.replace("@SHELL@", SHELL)
    for place, value in places.items():
        auxiliary = auxiliary.replace(f"@{place.upper()}@", str(value))
    candidate = replace(candidate, auxiliary=auxiliary)
    return bench.judge(candidate.target, candidate.proof, candidate.auxiliary)


def confined(bench: Bench) -> bool:
    """Whether the bench claims a sandbox."""
    return bench.checker.sandbox.assurance != "unsandboxed"


def test_nothing_is_written_outside(boxed: Bench, tmp_path: Path) -> None:
    verdict = judged(boxed, "write", outside=tmp_path)
    assert verdict.kind is VerdictKind.INCOMPLETE, (verdict.reason, verdict.diagnostics)
    assert (tmp_path / "made").exists() != confined(boxed)
    assert boxed.checker.sandbox.assurance in verdict.assurance


def test_the_database_of_verdicts_is_out_of_reach(
    boxed: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is kept beside compiled modules, which Lean has to read."""
    monkeypatch.setenv("VSB_CACHE_DIR", str(boxed.cache))
    database = open_verdicts().path
    assert database is not None
    made = database.parent / "made"
    verdict = judged(boxed, "write", outside=database.parent)
    reached = made.exists()
    if reached:
        made.rmdir()
    assert verdict.kind is VerdictKind.INCOMPLETE, (verdict.reason, verdict.diagnostics)
    assert reached != confined(boxed)


def test_nothing_is_read_outside(boxed: Bench, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(":= by omega", encoding="utf-8")
    verdict = judged(boxed, "read", outside=tmp_path)
    expected = VerdictKind.REJECTED if confined(boxed) else VerdictKind.INCOMPLETE
    assert verdict.kind is expected, (verdict.reason, verdict.diagnostics)


def test_a_program_reaches_nobody_and_does_not_stay(boxed: Bench, tmp_path: Path) -> None:
    # Another worker may be at this, too.
    seconds = f"31536.{os.getpid():07d}"
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        verdict = judged(boxed, "program", outside=tmp_path, port=port, seconds=seconds)
        server.settimeout(0.01)
        try:
            server.accept()[0].close()
            connected = True
        except TimeoutError:
            connected = False
    assert verdict.kind is VerdictKind.INCOMPLETE, (verdict.reason, verdict.diagnostics)
    assert (connected, (tmp_path / "made").exists()) == (not confined(boxed),) * 2
    commands = [each.info["cmdline"] or [] for each in psutil.process_iter(["cmdline"])]
    assert not any(seconds in command for command in commands)
