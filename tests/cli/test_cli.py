"""The ``vsb`` command, as a process and in this one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_vsb import __version__, cli
from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean import embedded, machine, toolchain
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity
from pytest_vsb.lean.sandbox import memory
from pytest_vsb.report.results import read_results
from pytest_vsb.report.verdict import verdict_lines

LEAN = """\
def twice (n : Nat) : Nat := n + n

theorem twice_zero : twice 0 = 0 := rfl

theorem twice_one : twice 1 = 2 := rfl
"""
STATEMENTS = {"twice_zero": "theorem twice_zero : twice 0 = 0",
              "twice_one": "theorem twice_one : twice 1 = 2"}  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A directory with a Lean file, two tasks for it, and some proofs."""
    (tmp_path / "A.lean").write_text(LEAN)
    lines = [
        {
            "id": name,
            "module": "A",
            "path": "A.lean",
            "root": ".",
            "name": name,
            "statement": statement,
            "reference_proof": ":= rfl",
            "category": "doubling",
        }
        for name, statement in STATEMENTS.items()
    ]
    (tmp_path / "a.vsb.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "good").write_text("by\n  rfl\n")
    (tmp_path / "bad").write_text("by\n  exact nonsense\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


@pytest.fixture(scope="module")
def lean() -> None:
    """Skips what needs a Lean where there is none."""
    try:
        toolchain.find("auto")
    except EnvironmentUnavailable as error:
        available, reason = embedded.is_available()
        if available:
            raise
        pytest.skip(f"{error.message}; {reason}")


def vsb(
    *arguments: str, cwd: Path, stdin: bytes = b"", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest_vsb.cli", *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        timeout=300,
        env={**os.environ, **(env or {})},
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in out + err
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


Here = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def here(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Here:
    """The command in this process, in the project, which spares the start of a Python."""
    monkeypatch.chdir(project)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        capsys.readouterr()
        code = cli.main([*arguments])
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return subprocess.CompletedProcess(arguments, code, said.out, said.err)

    return run


# Usage


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"pytest-vsb {__version__}\n"


@pytest.mark.parametrize("command", ["report", "check", "validate"])
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([command, "--help"]) == 0
    assert f"vsb {command}" in capsys.readouterr().out


def test_the_default_memory_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "--memory MB of Lean (default: 80 percent of this machine's)" in told
    assert memory.most_mb() == int(machine.total_mb() * 0.8)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["frobnicate"], "invalid choice: 'frobnicate'"),
        (["report"], "required: RUN"),
        (["report", "nowhere"], "no run in this directory"),
        (["report", "bad"], "hint: name a run directory"),
        (["report", "nowhere", "--output=no/x.html"], "--output=no/x.html: its directory is not"),
        (["report", "nowhere", "--output=."], "--output=.: this is a directory"),
        (["report", "nowhere", "--fast"], "unrecognized arguments: --fast"),
        (["check", "a.vsb.jsonl::twice_one"], "required: PROOF-FILE"),
        (["check", "a.vsb.jsonl", "good"], "not of the form TASKFILE::ID"),
        (["check", "b.vsb.jsonl::x", "good"], "b.vsb.jsonl"),
        (["check", "a.vsb.jsonl::twice_on", "good"], "did you mean twice_one"),
        (["check", "a.vsb.jsonl::twice_one", "nothing"], "PROOF-FILE nothing: cannot be read"),
        (["check", "a.vsb.jsonl::twice_one", "."], "PROOF-FILE .: cannot be read"),
        (["check", "a.vsb.jsonl::twice_one", "binary"], "is not UTF-8"),
        (["check", "a.vsb.jsonl::twice_one", "good", "--timeout=x"], "--timeout: 'x'"),
        (["check", "a.vsb.jsonl::twice_one", "good", "--memory=0"], "--memory: '0'"),
        (["check", "a.vsb.jsonl::twice_one", "good", "--lean=embeded"], "embedded"),
        (["check", "a.vsb.jsonl::twice_one", "good", "--auxiliary=no"], "--auxiliary no"),
        (["validate"], "no task file is given"),
        (["validate", "-n", "2"], "no such task file"),
        (["validate", "a.vsb.jsonl", "--json"], "--json: which file?"),
        (["validate", "a.vsb.jsonl", "--vsb-samples=3"], "--vsb-samples: validating sets"),
    ],
)
def test_wrong_usage_is_one_message(
    arguments: list[str],
    words: str,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(project)
    (project / "binary").write_bytes(b"by \xff\xfe")
    assert cli.main(arguments) == 4
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("vsb: error: ")
    assert words in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "a::b", "p"], "--lean=elan, --repos; --vsb-run, --assurance=replay"),
        (["dataset", "stats", "f"], "--vsb-lean=elan, --repos; --vsb-run, --vsb-assurance=replay"),
        (["validate", "f"], "--vsb-lean=elan, --vsb-repos; --vsb-run, --vsb-assurance=replay"),
        ([], "--vsb-lean=elan, --vsb-repos; --vsb-run, --vsb-assurance=replay"),
    ],
)
def test_hints_name_the_options_of_the_command(
    arguments: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refuse(_: list[str]) -> int:
        raise UsageError(
            "no", hint="--vsb-lean=elan, --vsb-repos; --vsb-run, --vsb-assurance=replay"
        )

    monkeypatch.setattr(sys.modules["pytest_vsb.cli.main"], "_run", refuse)
    assert cli.main(arguments) == 4
    assert capsys.readouterr().err == f"vsb: error: no\n  hint: {said}\n"


def test_no_command_shows_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 4
    assert "validate" in capsys.readouterr().out


# Output


def test_a_verdict_is_safe_to_print() -> None:
    diagnostic = Diagnostic(
        Severity.ERROR, "\x1b[2J no\nℝ", Position(3, 1), region="proof", goal=None
    )
    verdict = Verdict(VerdictKind.REJECTED, "why\x07", (diagnostic,), lean_seconds=1.0)
    lines = list(verdict_lines("t\x1b", verdict, ("    3 | \x1b",)))
    assert lines[0].startswith("rejected: t")
    assert "error at 3:1 in the proof:" in lines
    assert "  ℝ" in lines
    assert not any(char in line for line in lines for char in "\x1b\x07")


def test_a_reader_that_has_gone_is_no_error(project: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "pytest_vsb.cli", "--help"],
        stdout=writer,
        stderr=subprocess.PIPE,
        timeout=180,
    )
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode in (0, 141)


# With a Lean


@pytest.mark.lean
def test_check(lean: None, project: Path) -> None:
    good = vsb("check", "a.vsb.jsonl::twice_one", "good", cwd=project)
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.startswith("accepted: twice_one\n")
    checked = next(line for line in good.stdout.splitlines() if line.startswith("checked: "))
    assert checked.startswith("checked: policy, compile, olean-layout, statement, ")
    assert "axioms" in checked
    assert "sandbox" in checked
    assert "axioms: none" in good.stdout
    options = ["check", "--sandbox=off", "a.vsb.jsonl::twice_one", "bad"]
    bad = vsb(*options, cwd=project, env={"PYTHONUTF8": "0"})
    assert "unsandboxed" in bad.stdout
    assert (bad.returncode, bad.stderr) == (1, "")
    assert bad.stdout.startswith("rejected: twice_one\n")
    assert "in the proof:" in bad.stdout
    assert "exact nonsense" in bad.stdout
    assert "hint: " not in bad.stdout


@pytest.mark.lean
def test_a_proof_file_that_holds_more_than_a_proof(
    lean: None,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(project)
    (project / "whole").write_text("theorem twice_one : twice 1 = 2 := rfl\n")
    (project / "fenced").write_text("```lean\nrfl\n```\n")
    for name, hint in (("whole", "only what follows the statement"), ("fenced", "without the fen")):
        assert cli.main(["check", "a.vsb.jsonl::twice_one", name]) == 1
        assert hint in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.lean
def test_check_with_auxiliary_text_from_standard_input(lean: None, project: Path) -> None:
    (project / "helper").write_text("theorem helper : twice 1 = 2 := sorry\n")
    done = vsb(
        "check", "a.vsb.jsonl::twice_one", "-", "--auxiliary", "helper",
        cwd=project, stdin=b"helper",
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stdout.startswith("incomplete: twice_one\n")
    assert "sorryAx" in done.stdout


@pytest.mark.lean
def test_check_in_a_broken_project(lean: None, project: Path, here: Here) -> None:
    (project / "A.lean").write_text(LEAN.replace("n + n", "n + m"))
    done = here("check", "a.vsb.jsonl::twice_one", "good")
    assert (done.returncode, done.stdout) == (4, "")
    assert "does not compile" in done.stderr


@pytest.mark.lean
def test_validate_and_report(lean: None, project: Path, here: Here) -> None:
    done = vsb("validate", "a.vsb.jsonl", "--vsb-run=run", "-p", "no:xdist", cwd=project)
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
    before = (project / "run" / "results.json").read_bytes()
    section = done.stdout.partition("verification benchmark")[2]
    (project / "run" / "results.json").unlink()
    again = here("report", "run")
    assert (again.returncode, again.stderr) == (0, "")
    assert (project / "run" / "results.json").read_bytes() == before
    table = [line for line in again.stdout.splitlines() if line.startswith("doubling")]
    assert table
    assert table[0] in section


@pytest.mark.lean
@pytest.mark.slow
def test_validate_fails_where_a_reference_is_wrong(lean: None, project: Path) -> None:
    text = (project / "a.vsb.jsonl").read_text()
    (project / "a.vsb.jsonl").write_text(text.replace(":= rfl", ":= nonsense", 1))
    options = ("--json=out.json", "--known-bad", "bad.txt", "-p", "no:xdist")
    done = vsb("validate", "a.vsb.jsonl", *options, cwd=project)
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
    table = done.stdout.partition("\nreference proofs\n")[2]
    words = [line.split() for line in table.splitlines() if line.startswith("twice_")]
    assert [(name, kind, axioms) for name, kind, _, _, axioms in words] == [
        ("twice_zero", "rejected", "-"),
        ("twice_one", "accepted", "none"),
    ]
    assert all(float(seconds) > 0 and float(memory) > 0 for _, _, seconds, memory, _ in words)
    assert "accepted: 1 of 2\nunsound: a.vsb.jsonl::twice_zero: " in table
    tasks = json.loads((project / "out.json").read_bytes())["tasks"]
    assert [(t["id"], t["accepted"], t["unsound"]) for t in tasks] == [
        ("twice_zero", False, True),
        ("twice_one", True, False),
    ]
    assert (project / "bad.txt").read_text().startswith("twice_zero\tthe reference proof is rej")
    # Marked so, it is in no rate.
    done = vsb("validate", "a.vsb.jsonl", "--vsb-known-bad=bad.txt", "--vsb-run=b", cwd=project)
    assert done.returncode == 0
    assert "1 passed, 1 skipped" in done.stdout
    assert "not judged: a.vsb.jsonl::twice_zero: the reference proof is rejected" in done.stdout


@pytest.mark.lean
def test_report_of_a_killed_run(lean: None, project: Path, here: Here) -> None:
    slow = (
        "import os, time\n"
        "from pytest_vsb.provers.base import Answer, Candidate\n\n"
        "class Slow:\n"
        "    name, needs_reference = 'slow', False\n"
        "    def settings(self): return {}\n"
        "    def close(self): pass\n"
        "    def prove(self, request):\n"
        "        if request.task.name == 'twice_one':\n"
        "            open('asked', 'w').close()\n"
        "            time.sleep(120)\n"
        "        return Answer(Candidate('rfl')) if request.round == 0 else None\n\n"
        "def make(spec): return Slow()\n"
    )
    (project / "slow.py").write_text(slow)
    (project / "conftest.py").write_text(
        "import slow\ndef pytest_vsb_provers(config): return {'slow': slow.make}\n"
    )
    run = subprocess.Popen(
        [sys.executable, "-m", "pytest", "a.vsb.jsonl", "--vsb-model=slow", "--vsb-samples=2",
         "--vsb-run=run", "-p", "no:xdist"],
        cwd=project, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        end = time.monotonic() + 120
        while not (project / "asked").exists() and time.monotonic() < end:
            assert run.poll() is None
            time.sleep(0.05)
    finally:
        run.send_signal(signal.SIGKILL)
        run.wait()
    assert not (project / "run" / "results.json").exists()
    done = here("report", "run")
    assert (done.returncode, done.stderr) == (0, "")
    results = {r.task.nodeid: r for r in read_results(project / "run" / "results.json").tasks}
    finished = results["a.vsb.jsonl::twice_zero"]
    assert (finished.status, finished.n, finished.c) == ("done", 2, 2)
    assert results["a.vsb.jsonl::twice_one"].status == "unfinished"


# A false statement


@pytest.mark.usefixtures("lean")
def test_a_proof_of_the_negation(project: Path, here: Here) -> None:
    (project / "A.lean").write_text(LEAN.replace("twice 1 = 2 := rfl", "twice 1 = 3 := sorry"))
    tasks = project / "a.vsb.jsonl"
    tasks.write_text(tasks.read_text().replace("twice 1 = 2", "twice 1 = 3"))
    (project / "denial").write_text("fun h => nomatch (h : 2 = 3)")
    done = here("check", "--negation", "a.vsb.jsonl::twice_one", "denial")
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("accepted: twice_one_negation\n")
    assert done.stdout.endswith("the statement of a.vsb.jsonl::twice_one is false\n")
    done = here("check", "--negation", "a.vsb.jsonl::twice_zero", "denial")
    assert done.returncode == 1
    assert "is false" not in done.stdout
