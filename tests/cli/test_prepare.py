"""``vsb prepare`` on a small repository, judged by a real Lean."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_vsb import cli
from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import embedded, toolchain
from pytest_vsb.tasks.dataset import read_tasks
from pytest_vsb.tasks.locate import project_root

sys.path.insert(0, str(Path(__file__).parents[1] / "prepare"))
from prepare_repository import CONFIG, REASONS, write

DEMO = Path(__file__).parents[2] / "benchmark" / "demo"


def need(lean: str) -> None:
    try:
        toolchain.find(lean)
    except EnvironmentUnavailable as error:
        pytest.skip(error.message)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory to work in, with the repository and a configuration."""
    write(tmp_path / "small")
    (tmp_path / "small.toml").write_text(CONFIG, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def reasons(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return {record["name"]: record["reason"] for record in map(json.loads, lines)}


def interrupted(arguments: list[str], kept: Path) -> tuple[int, tuple[str, str]]:
    """The exit code and output of ``vsb`` when Ctrl-C comes as soon as an outcome is kept."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest_vsb.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 200
    while not (kept.exists() and kept.read_bytes().count(b"\n")) and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=180)
    return process.returncode, said


@pytest.mark.lean
def test_from_a_repository_to_tasks(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    need("embedded")
    arguments = ["prepare", "small", "--config=small.toml", "--output=out.vsb.jsonl"]
    arguments.append("--lean=embedded")
    tasks, kept = small / "out.vsb.jsonl", small / "out.outcomes.jsonl"

    # Interrupted after its first outcome, it keeps that.
    for _ in range(20):
        code, said = interrupted(arguments, kept)
        if code != 0 and not tasks.exists():
            break
        # On a busy machine it may have been done before the signal came.
        for file in small.glob("out.*"):
            file.unlink()
    assert code == 130, said
    assert "Traceback" not in said[1]
    assert (
        f"interrupted: the same command goes on from here; what has been judged is in {kept}"
        in said[1]
    )
    assert not tasks.exists()
    first = kept.read_bytes()
    assert first.count(b"\n") >= 1

    # It goes on where it was.
    assert cli.main([*arguments, "--jobs=2"]) == 0
    assert kept.read_bytes().startswith(first)
    assert reasons(small / "out.rejected.jsonl") == {n: r for n, r in REASONS.items() if r}
    file = read_tasks(tasks)
    assert not file.problems
    assert {task.name for task in file.tasks} == {n for n, r in REASONS.items() if not r}
    for task in file.tasks:
        assert (task.root, task.repository, task.suite) == ("small", "small", "small")
        assert project_root(task) == (small / "small").resolve()
    sheet = json.loads((small / "out.datasheet.json").read_text(encoding="utf-8"))
    assert sheet["lean"].startswith(embedded.LEAN_VERSION)
    assert sheet["dependencies"] == {"exact": len(file.tasks), "text": 0}
    assert sheet["assurance"][0]["checks"][:2] == ["policy", "compile"]
    assert str(small) not in (small / "out.datasheet.md").read_text(encoding="utf-8")
    assert str(small) not in (small / "out.rejected.jsonl").read_text(encoding="utf-8")
    told = capsys.readouterr().out
    assert f"{len(file.tasks)} task of {len(REASONS) + 1} theorems" in told
    # What is wrong with the repository is said, with its place.
    assert "  1: not found as source, nor compiled by Lean " in told
    assert "  1: Small.Fault: its file does not compile with `sorry` for the proof: 3:19: " in told
    assert "Small.wrong in Small.Trust: its proof is not accepted: rejected: line 19: " in told
    assert "by_trust" in told
    assert "mirror_leaf" not in told

    # What is there is not replaced unasked.
    assert cli.main(arguments) == 4
    assert "is there already" in capsys.readouterr().err

    # All is known now, so no Lean is asked, and nothing new is written.
    known, made = kept.read_bytes(), tasks.read_bytes()
    assert cli.main([*arguments, "--force"]) == 0
    assert (kept.read_bytes(), tasks.read_bytes()) == (known, made)
    assert cli.main([*arguments, "--force", "--no-automation"]) == 0
    assert kept.read_bytes() == known
    assert {task.name for task in read_tasks(tasks).tasks} == {
        name for name, reason in REASONS.items() if reason in ("", "automation")
    }
    assert cli.main([*arguments, "--force", "--no-automation", "--count=2", "--seed=4"]) == 0
    assert len(read_tasks(tasks).tasks) == 2
    assert list(reasons(small / "out.rejected.jsonl").values()).count("not_drawn") >= 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none"], "none: there is no such directory"),
        (["bare"], "bare: there are no Lean files in this directory"),
        (["small", "--config=no.toml"], "no.toml: cannot be read"),
        (["small", "--count=0"], "--count: '0' is not a number of at least 1"),
        (["small", "--count=1.5"], "--count: '1.5' is not a whole number"),
        (["small", "--seed=x"], "--seed: 'x' is not a number"),
        (["small", "--lean=/none/lean"], "/none/lean"),
        (["small", "--output=none/o.vsb.jsonl"], "its directory is not there"),
        (["small", "--output=o.txt"], "does not end in .jsonl"),
    ],
)
def test_what_cannot_be_prepared(
    small: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    (small / "bare").mkdir()
    assert cli.main(["prepare", "--output=o.vsb.jsonl", *arguments]) == 4
    assert said in capsys.readouterr().err
    assert {path.name for path in small.iterdir()} == {"small", "small.toml", "bare"}


@pytest.mark.lean
def test_no_theorem_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    need("auto")
    write(tmp_path / "empty", {"A.lean": "def a := 1\n\ntheorem b : a = 1 := by sorry\n"})
    monkeypatch.chdir(tmp_path)
    assert cli.main(["prepare", "empty", "--output=o.vsb.jsonl"]) == 4
    said = capsys.readouterr().err
    assert "no theorem of 1 becomes a task: 1 hole" in said
    assert not (tmp_path / "o.vsb.jsonl").exists()
    assert reasons(tmp_path / "o.rejected.jsonl") == {"b": "hole"}


@pytest.mark.lean
@pytest.mark.slow
@pytest.mark.parametrize("name", ["demo", "extended"])
def test_the_demo_s_task_files(tmp_path: Path, name: str) -> None:
    """Byte for byte, with the judge, by the command that their configurations name."""
    need("embedded")
    output = tmp_path / f"{name}.vsb.jsonl"
    arguments = ["prepare", str(DEMO), f"--config={DEMO / name}.prepare.toml"]
    assert cli.main([*arguments, f"--output={output}", "--lean=embedded", "--jobs=2"]) == 0
    assert output.read_bytes() == (DEMO / output.name).read_bytes()
