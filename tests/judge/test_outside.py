"""Outside judges, by stand-ins that keep to the documented interface of each program."""

from __future__ import annotations

import dataclasses
import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from judge_bench import LIMITS, Bench

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.outside.levels import Assurance
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.toolchain import Toolchain
from pytest_vsb.provers.base import Candidate

FILE = """\
def double (n : Nat) : Nat := n + n
theorem target (n : Nat) : double n = n + n := by
  rfl
private theorem hidden (n : Nat) : double n = n + n := by
  rfl
"""
HONEST = Candidate("rfl")
LIAR = Candidate("liar n", "theorem liar (n : Nat) : double n = n + n := rfl")
"""The stand-ins refuse whatever has this name in it."""
WEIRD = Candidate("odd n", "theorem odd (n : Nat) : double n = n + n := rfl")
"""The stand-ins fail on this one without a word about it."""

# leanchecker MODULE: the olean is on LEAN_PATH; exit code 0, or a line and another code.
LEANCHECKER = """
module, = sys.argv[1:]
places = os.environ["LEAN_PATH"].split(":")
data = next(open(f"{p}/{module}.olean", "rb").read() for p in places
            if os.path.exists(f"{p}/{module}.olean"))
fail_if(b"odd" in data)
if b"liar" in data:
    sys.exit(f"leanchecker found a problem in {module}\\n(kernel) declaration type mismatch")
"""

# safe_verify ORIGINAL SUBMISSION: "Finished.", or lines about declarations on stderr.
SAFE_VERIFY = """
original, submission = sys.argv[1:]
assert os.path.exists(original)
data = open(submission, "rb").read()
fail_if(b"odd" in data)
bad = "liar" if b"liar" in data else "target" if b"sorryAx" in data else None
if bad:
    sys.exit(f"Found a problem in {submission} with declaration {bad}: disallowed axioms")
print("Finished.")
"""

# comparator CONFIG, in a Lake project: one line if the solution is right, else another exit code.
COMPARATOR = """
import json
config = json.load(open(sys.argv[1]))
challenge, solution = (
    open(config[f"{which}_module"] + ".lean").read() for which in ("challenge", "solution")
)
for name in ("COMPARATOR_LANDRUN", "COMPARATOR_LEAN4EXPORT"):
    assert os.access(os.environ[name], os.X_OK)
assert os.environ["LAKE_ENV"] == "yes"
assert os.path.exists("lakefile.toml")
for name in config["theorem_names"]:
    assert name in challenge and name in solution
fail_if("odd" in solution)
if "sorry" in solution and "sorryAx" not in config["permitted_axioms"]:
    sys.exit("illegal axiom sorryAx")
if "liar" in solution:
    sys.exit("uncaught exception: const 'target' does not match")
if config["enable_nanoda"]:
    print("nanoda kernel accepts the solution")
print("Your solution is okay!")
"""
LAKE = """
assert sys.argv[1] == "env"
os.environ["LAKE_ENV"] = "yes"
os.execv(sys.argv[2], sys.argv[2:])
"""


def program(directory: Path, name: str, body: str = "") -> Path:
    """An executable Python script."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / name
    head = f"#!{sys.executable}\nimport os, signal, sys\n"
    helper = "def fail_if(c):\n    if c: os.kill(os.getpid(), signal.SIGSEGV)\n"
    path.write_text(head + helper + body)
    path.chmod(0o755)
    return path


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory at the start of PATH."""
    directory = tmp_path / "bin"
    directory.mkdir()
    monkeypatch.setenv("PATH", f"{directory}{os.pathsep}{os.environ['PATH']}")
    for variable in ("COMPARATOR_LANDRUN", "COMPARATOR_LEAN4EXPORT", "COMPARATOR_NANODA"):
        monkeypatch.delenv(variable, raising=False)
    return directory


@pytest.fixture
def full(lean: Toolchain, tmp_path: Path) -> Toolchain:
    """A Lean that is a program of its own, with ``lake`` beside it, and lacks the module Lean."""
    place = tmp_path / "toolchain" / "bin"
    place.mkdir(parents=True)
    words = " ".join(shlex.quote(word) for word in lean.command)
    (place / "lean").write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    (place / "lean").chmod(0o755)
    program(place, "lake", LAKE)
    return dataclasses.replace(lean, kind="path", command=(str(place / "lean"),))


Judge = Callable[..., Verdict]


@pytest.fixture
def judge(lean: Toolchain, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Judge:
    root = tmp_path / "project"
    root.mkdir()
    (root / "A.lean").write_text(FILE)
    cache = tmp_path_factory.getbasetemp() / "outside-cache"
    bench = Bench(root, lean, cache)

    checkers: dict[tuple[object, ...], Checker] = {}

    def check(
        candidate: Candidate, level: Assurance, lean: Toolchain = lean, name: str = "target"
    ) -> Verdict:
        installed = sorted((tmp_path / "bin").iterdir())
        facts = (level, lean.kind, *((file.name, file.read_text()) for file in installed))
        if facts not in checkers:
            project = open_project(root, lean, cache=cache)
            checkers[facts] = Checker(project, LIMITS, assurance=level)
        task = bench.task(name, "A.lean")
        checkers[facts].prepare(task)
        return checkers[facts].check(task, candidate)

    return check


def test_without_outside_judges_the_own_replay_is_enough(judge: Judge, path: Path) -> None:
    verdict = judge(HONEST, "replay")
    if "kernel-replay" not in verdict.assurance:
        pytest.skip("this Lean does not replay")
    assert verdict.kind is VerdictKind.ACCEPTED


def test_leanchecker_is_asked_where_it_is_installed(judge: Judge, path: Path) -> None:
    program(path, "leanchecker", LEANCHECKER)
    assert "leanchecker" not in judge(LIAR, "standard").assurance
    assert judge(HONEST, "replay").assurance[-2:-1] == ("leanchecker",)
    refused = judge(LIAR, "replay")
    assert refused.kind is VerdictKind.UNSOUND
    assert "leanchecker refuses it" in refused.reason
    assert "type mismatch" in refused.reason
    silent = judge(WEIRD, "replay")
    # It has died: nothing is said in its name, and the own replay stands.
    assert silent.kind is VerdictKind.ACCEPTED
    assert "leanchecker" not in silent.assurance


def test_an_older_name_and_a_built_package(judge: Judge, path: Path, tmp_path: Path) -> None:
    built = tmp_path / "project/.lake/packages/lean4checker/.lake/build/bin"
    program(built, "lean4checker", LEANCHECKER)
    assert "lean4checker" in judge(HONEST, "replay").assurance


def test_a_lean_that_cannot_replay_by_itself(judge: Judge, full: Toolchain, path: Path) -> None:
    assert "kernel-replay" not in judge(HONEST, "standard", full).assurance
    with pytest.raises(EnvironmentUnavailable) as caught:
        judge(HONEST, "replay", full)
    assert "lean4checker" in str(caught.value)
    assert "does not compile the audit's program" in str(caught.value)
    program(path, "leanchecker", LEANCHECKER)
    verdict = judge(HONEST, "replay", full)
    assert verdict.kind is VerdictKind.ACCEPTED
    assert "leanchecker" in verdict.assurance
    weird = judge(WEIRD, "replay", full)
    assert weird.kind is VerdictKind.CRASHED
    assert "no kernel has checked it a second time" in weird.reason


def test_a_judge_that_does_not_work_is_not_asked(judge: Judge, full: Toolchain, path: Path) -> None:
    program(path, "leanchecker", "sys.exit('incompatible header')")
    # Nor is one that finds nothing wrong with a file with `sorry`.
    program(path, "safe_verify", "print('Finished.')")
    with pytest.raises(EnvironmentUnavailable, match=r"incompatible header.*safeverify"):
        judge(HONEST, "replay", full)


@pytest.mark.slow
def test_safe_verify(judge: Judge, path: Path) -> None:
    program(path, "safe_verify", SAFE_VERIFY)
    assert "safeverify" in judge(HONEST, "replay").assurance
    refused = judge(LIAR, "replay")
    assert refused.kind is VerdictKind.UNSOUND
    assert "SafeVerify refuses liar: disallowed axioms" in refused.reason
    assert "safeverify" not in judge(WEIRD, "replay").assurance


def test_comparator_says_what_is_missing(judge: Judge, full: Toolchain, path: Path) -> None:
    with pytest.raises(EnvironmentUnavailable, match="a full Lean toolchain with lake"):
        judge(HONEST, "comparator")
    program(path, "leanchecker", LEANCHECKER)
    program(path, "comparator", COMPARATOR)
    with pytest.raises(EnvironmentUnavailable) as caught:
        judge(HONEST, "comparator", full)
    assert "landrun on PATH or in COMPARATOR_LANDRUN" in str(caught.value)
    assert "lean4export on PATH" in str(caught.value)
    assert "comparator (" not in str(caught.value)


@pytest.mark.slow
def test_comparator(judge: Judge, full: Toolchain, path: Path, tmp_path: Path) -> None:
    for name in ("landrun", "lean4export"):
        program(path, name)
    program(path, "leanchecker", LEANCHECKER.replace("liar", "none").replace("odd", "none"))
    record = tmp_path / "seen.json"
    spy = (
        "import json\nfrom pathlib import Path\nseen = [p.name for p in Path('.').rglob('*')]\n"
        "json.dump([open('config.json').read(), open('Challenge.lean').read(), "
        f"open('Solution.lean').read(), seen], open({str(record)!r}, 'w'))\n"
    )
    program(path, "comparator", spy + COMPARATOR)
    verdict = judge(HONEST, "comparator", full)
    assert verdict.kind is VerdictKind.ACCEPTED
    assert verdict.assurance[-3:-1] == ("leanchecker", "comparator")
    config, challenge, solution, seen = json.loads(record.read_text())
    assert json.loads(config) == {
        "challenge_module": "Challenge",
        "solution_module": "Solution",
        "theorem_names": ["target"],
        "definition_names": [],
        "permitted_axioms": ["Classical.choice", "Quot.sound", "propext"],
        "enable_nanoda": False,
    }
    assert "theorem target (n : Nat) : double n = n + n := sorry" in challenge
    assert "sorry" not in solution
    assert "lakefile.toml" in seen
    refused = judge(LIAR, "comparator", full)
    assert refused.kind is VerdictKind.UNSOUND
    assert "const 'target' does not match" in refused.reason
    # What dies without a word accepts nothing, and refuses nothing.
    assert judge(WEIRD, "comparator", full).kind is VerdictKind.CRASHED
    with pytest.raises(EnvironmentUnavailable, match="private declaration"):
        judge(HONEST, "comparator", full, "hidden")
    program(path, "nanoda_bin")
    assert "nanoda" in judge(HONEST, "comparator", full).assurance
