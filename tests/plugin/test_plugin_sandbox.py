"""--vsb-sandbox: what is required must hold before any Lean runs, and what held is said."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from mini_project import MiniProject

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean.sandbox import bubblewrap
from pytest_vsb.lean.sandbox.choose import choose

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")

PASSING_THROUGH = """\
#!/bin/sh
case "$1" in --version) echo bubblewrap 9.9; exit 0;; esac
while [ "$1" != "--" ]; do shift; done
shift
exec "$@"
"""
RIGHT = """
def answer(request):
    return right(request)
"""


@pytest.fixture
def only_bwrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A program that passes everything through is the only ``bwrap`` that a session finds."""
    program = tmp_path / "bin" / "bwrap"
    program.parent.mkdir()
    program.write_text(PASSING_THROUGH, encoding="ascii")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setitem(sys.modules, bubblewrap.WHEEL, None)
    return program


def test_what_is_required_and_does_not_hold_stops_the_session_before_any_lean(
    quick: MiniProject, only_bwrap: Path
) -> None:
    mini = quick
    mini.tasks("mirror_leaf")
    mini.prover(RIGHT)
    lean = mini.write("bin/lean", f"#!/bin/sh\ntouch {mini.path}/ran\n")
    lean.chmod(0o755)
    ended = mini.bench("--vsb-sandbox=bubblewrap", f"--vsb-lean={lean}")
    assert ended.code == 4
    assert "does not hold: a program in it reads files outside of it" in ended.errors
    assert "--vsb-sandbox=bubblewrap" in ended.errors
    assert "Traceback" not in ended.errors + ended.text
    assert not (mini.path / "ran").exists()
    assert not (mini.path / "run").exists()
    assert mini.asked() == []


@pytest.mark.lean
def test_a_sandbox_that_does_not_hold_is_not_credited(near: MiniProject, only_bwrap: Path) -> None:
    mini = near
    mini.tasks("mirror_leaf")
    mini.prover(RIGHT)
    ended = mini.bench()
    assert ended.counts() == {"passed": 1}
    head = next(line for line in ended.lines if line.startswith("vsb sandbox: "))
    assert "no bubblewrap 9.9" in head
    assert "it does not hold" in head
    record = json.loads((mini.path / "run" / "run.json").read_text(encoding="utf-8"))
    assert f"vsb sandbox: {record['sandbox']}" == head
    said = json.dumps(mini.events())
    try:
        choose("landlock")
    except EnvironmentUnavailable:
        assert "unsandboxed" in said
    else:
        assert "sandbox:landlock" in said
        assert "unsandboxed" not in said
    assert "sandbox:bubblewrap" not in said


@pytest.mark.lean
def test_off_by_the_ini_file_is_said(near: MiniProject) -> None:
    mini = near
    mini.tasks("mirror_leaf")
    mini.prover(RIGHT)
    mini.write("pytest.ini", "[pytest]\nvsb_sandbox = off\n")
    ended = mini.bench()
    assert ended.counts() == {"passed": 1}
    line = "sandbox: none, limits only; switched off by --vsb-sandbox=off"
    assert f"vsb {line}" in ended.lines
    assert line in ended.lines
    assert '"unsandboxed"' in json.dumps(mini.events())


def test_a_mode_that_is_none(quick: MiniProject) -> None:
    mini = quick
    mini.tasks("mirror_leaf")
    mini.prover(RIGHT)
    ended = mini.bench("--vsb-sandbox=requires")
    assert ended.code == 4
    assert "--vsb-sandbox: 'requires' is not a valid value" in ended.errors
    assert "did you mean 'require'?" in ended.errors.lower()
