"""``vsb repos`` as a command, and its progress."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from repos_world import TOOLCHAIN, World

from pytest_vsb import cli
from pytest_vsb.cli.board import Board


@pytest.fixture(autouse=True)
def manifest(world: World) -> None:
    """The manifest that the commands are given."""
    world.simple(world.serve_lean(), more='license = "MIT"\nnote = "handle with care"\n')


def vsb(world: World, *arguments: str) -> int:
    return cli.main(["repos", *arguments, f"--manifest={world.base}/my repos.toml"])


@pytest.mark.parametrize("verb", ["list", "fetch", "build", "status"])
def test_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["repos", verb, "--help"]) == 0
    assert f"vsb repos {verb}" in capsys.readouterr().out


def test_list(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert vsb(world, "list") == 0
    out = capsys.readouterr().out
    assert f"{world.url('thing')}" in out
    assert "thing: handle with care" in out
    assert vsb(world, "list", "--json") == 0
    (one,) = json.loads(capsys.readouterr().out)
    assert (one["name"], one["license"]) == ("thing", "MIT")
    assert cli.main(["repos", "list", "clean", "veil"]) == 0
    assert capsys.readouterr().out.count("github.com") == 2


def test_from_nothing_to_ready(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert vsb(world, "status") == 1
    out = capsys.readouterr().out
    assert "thing  missing: not fetched\n" in out
    assert f"$ vsb repos fetch thing '--manifest={world.base}/my repos.toml'\n" in out
    assert f"0 of 1 ready in {world.places.directory}\n" in out
    assert vsb(world, "build") == 0
    err = capsys.readouterr().err
    assert err.startswith(f"1 repository in {world.places.directory}\nlicence MIT: thing\n")
    assert "note on thing: handle with care\n" in err
    assert "disk: about 2 MB; " in err
    assert f"thing: installing {TOOLCHAIN}\n" in err
    assert "thing: ready (" in err
    assert err.endswith("1 of 1 built\n")
    assert vsb(world, "status", "--json") == 0
    (status,) = json.loads(capsys.readouterr().out)
    assert (status["state"], status["repair"]) == ("ready", "")


def test_failures(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    (world.elan_home / "lake-trouble").write_text("no memory\n")
    assert vsb(world, "build", "--json") == 1
    out, err = capsys.readouterr()
    assert "thing: FAILED: " in err
    assert "error: no memory" in err
    assert "  hint: all it said is in " in err
    (result,) = json.loads(out)
    assert (result["ok"], result["status"]["state"]) == (False, "not-built")


def test_what_tasks_need(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        {"id": "t", "module": "Thing.Extra", "path": "Thing/Extra.lean", "name": "t",
         "statement": "theorem t : one = 1", "repository": "o/thing"},
    ]  # fmt: skip
    tasks = world.base / "t.vsb.jsonl"
    tasks.write_text("".join(json.dumps(line) + "\n" for line in lines) + "{\n")
    assert vsb(world, "build", f"--tasks={tasks}") == 0
    assert f"vsb: warning: {tasks}:2: " in capsys.readouterr().err
    calls = (world.elan_home / "lake-calls").read_text()
    assert '"+Thing.Basic"' in calls
    assert vsb(world, "status", f"--tasks={tasks}") == 0
    assert vsb(world, "status") == 1
    assert f"--tasks={tasks}" not in capsys.readouterr().out
    (world.places.repository("thing") / ".lake/build/lib/lean/Thing/Basic.olean").unlink()
    assert vsb(world, "status", f"--tasks={tasks}") == 1
    assert f"--tasks={tasks}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "required: VERB"),
        (["fetch", "nothing"], "no repository 'nothing'"),
        (["fetch", "--jobs=0"], "--jobs: '0'"),
        (["fetch", "--timeout=x"], "--timeout: 'x'"),
        (["status", "--repos=a file"], "is not a directory"),
        (["status", "--tasks=gone"], "no such task file"),
        (["status", "--tasks=rooted.vsb.jsonl"], "they name none"),
        (["status", "thing", "--tasks=rooted.vsb.jsonl"], "no task is about it"),
    ],
)
def test_usage(
    world: World,
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(world.base)
    Path("a file").touch()
    line = {"id": "t", "module": "A", "path": "A.lean", "name": "t", "statement": "theorem t : 1",
            "root": "."}  # fmt: skip
    Path("rooted.vsb.jsonl").write_text(json.dumps(line) + "\n")
    code = vsb(world, *arguments) if arguments else cli.main(["repos"])
    assert code == 4
    assert words in capsys.readouterr().err


def test_small_disk(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    text = (world.base / "my repos.toml").read_text()
    (world.base / "my repos.toml").write_text(text.replace("source_mb = 1", "source_mb = 99999999"))
    assert vsb(world, "fetch") == 4
    assert "go on with --force" in capsys.readouterr().err
    assert not world.places.directory.exists()
    assert vsb(world, "fetch", "--force") == 0


# The board


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def screen(text: str) -> list[str]:
    """What a terminal shows after a text with the control sequences that the board uses."""
    lines = [""]
    for part in text.replace("\x1b[J", "\x1b[0J").split("\x1b["):
        if part[:2] == "0J":
            part = part[2:]
        elif part[1:2] == "A":
            del lines[len(lines) - 1 - int(part[0]) :]
            lines.append("")
            part = part[2:]
        for letter in part:
            if letter == "\n":
                lines.append("")
            else:
                lines[-1] += letter
    return lines


def test_on_a_terminal_lines_are_redrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    stream = Terminal()
    board = Board(stream)
    board.say("a", "fetching")
    board.say("b", "fetching a very long name")
    assert screen(stream.getvalue()) == ["  a: fetching", "  b: fetching a ver", ""]
    board.done("a", "a: fetched")
    assert screen(stream.getvalue())[:2] == ["a: fetched", "  b: fetching a ver"]
    board.done("b", "b: FAILED")
    board.close()
    assert screen(stream.getvalue()) == ["a: fetched", "b: FAILED", ""]


def test_elsewhere_each_step_is_told_once() -> None:
    stream = io.StringIO()
    board = Board(stream)
    for text in ("lake build 1/9", "lake build 2/9", "submodules", "lake build 3/9"):
        board.say("a", text)
    board.done("a", "a: ready")
    board.close()
    assert stream.getvalue() == ("a: lake build 1/9\na: submodules\na: lake build 3/9\na: ready\n")
