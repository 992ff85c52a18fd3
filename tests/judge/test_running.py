"""What a Lean may do while it runs on a candidate, by a program in its place that tries it."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.running import LeanRun, Runner, failure
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.process import Limits, Outcome
from pytest_vsb.lean.sandbox.choose import choose
from pytest_vsb.lean.scratch import scratch
from pytest_vsb.lean.toolchain import Toolchain

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")

LIMITS = Limits(wall_seconds=60.0)
Run = Callable[..., LeanRun]


class Bed:
    """A program in the place of Lean, run on a file in a scratch directory."""

    def __init__(self, level: str, directory: Path, place: Path) -> None:
        self.level = level
        self.directory = directory
        self.place = place

    def run(
        self,
        text: str,
        *,
        limits: Limits = LIMITS,
        writes: bool = True,
        hidden: tuple[Path, ...] = (),
        search_path: tuple[Path, ...] = (),
    ) -> LeanRun:
        program = self.place / "lean"
        program.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        program.chmod(0o755)
        lean = Toolchain("path", "4.9.0", "", (str(program),), (), (), "of a test", json=True)
        try:
            sandbox = choose(self.level).sandbox
        except EnvironmentUnavailable as error:
            pytest.skip(str(error))
        source = self.directory / "A.lean"
        source.write_text("source", encoding="ascii")
        return Runner(lean, sandbox=sandbox).run(
            source,
            search_path,
            limits=limits,
            olean=self.directory / "A.olean" if writes else None,
            hidden=hidden,
        )

    def left(self) -> list[str]:
        return sorted(path.name for path in self.directory.iterdir())


@pytest.fixture(params=["off", "landlock", "bubblewrap"])
def bed(request: pytest.FixtureRequest, tmp_path: Path):  # type: ignore[no-untyped-def]
    with scratch() as directory:
        yield Bed(request.param, directory, tmp_path)


@pytest.fixture
def boxed_bed(bed: Bed) -> Bed:
    if bed.level == "off":
        pytest.skip("needs a sandbox")
    return bed


# What is left in the directory


def test_only_the_olean_stays(bed: Bed) -> None:
    run = bed.run(
        "echo olean > A.olean; echo part > A.olean.private; echo '{}' > Init.olean; mkdir -p Lean\n"
        "echo x > Lean/Meta.olean; echo x > VsbAudit.lean; : > .hidden; exit 0"
    )
    assert run.completed.exit_code == 0
    assert bed.left() == ["A.lean", "A.olean", "A.olean.private"]


def test_links_do_not_stay(bed: Bed) -> None:
    precious = bed.place / "precious"
    precious.write_text("kept", encoding="ascii")
    bed.run(
        f"ln -s {precious} VsbAudit.lean; ln -s {precious} A.olean; rm A.lean\n"
        f"ln -s {precious} A.lean; ln -s {bed.place} Init; exit 0"
    )
    assert bed.left() == []
    assert precious.read_text(encoding="ascii") == "kept"


def test_a_directory_in_place_of_the_olean(bed: Bed) -> None:
    bed.run("mkdir -p A.olean/deep; exit 0")
    assert bed.left() == ["A.lean"]


def test_who_is_to_write_nothing_cannot(boxed_bed: Bed) -> None:
    run = boxed_bed.run("echo x > A.olean || echo x > A.lean || exit 1", writes=False)
    assert run.completed.exit_code != 0
    assert boxed_bed.left() == ["A.lean"]
    assert (boxed_bed.directory / "A.lean").read_text(encoding="ascii") == "source"


# What it sees


def test_no_key_is_in_its_environment(bed: Bed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_API_KEY", "sk-secret")
    run = bed.run("env; exit 0")
    assert "sk-secret" not in run.completed.stdout
    assert f"TMPDIR={bed.directory}\n" in run.completed.stdout
    names = {line.partition("=")[0] for line in run.completed.stdout.splitlines()}
    allowed = {"PATH", "LANG", "LEAN_PATH", "TMPDIR", "PWD", "LD_LIBRARY_PATH", "_", "SHLVL"}
    assert names - allowed == {"OLDPWD"} & names


def test_sources_task_files_and_original_oleans_are_out_of_reach(boxed_bed: Bed) -> None:
    project = boxed_bed.place / "project"
    library = project / ".lake" / "build" / "lib"
    (library / "P").mkdir(parents=True)
    reference = "the reference proof"
    for path in (project / "P" / "T.lean", project / "tasks.jsonl", library / "P" / "T.olean"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(reference, encoding="ascii")
    (library / "P" / "Other.olean").write_text("an import", encoding="ascii")
    run = boxed_bed.run(
        f"cd {project}; cat P/T.lean tasks.jsonl {library}/P/T.olean {library}/P/Other.olean\n"
        f"ls -R P; grep -r reference {boxed_bed.place}; exit 0",
        search_path=(library,),
        hidden=(library / "P" / "T.olean",),
    )
    said = run.completed.stdout
    assert "an import" in said
    assert reference not in said


def test_compiled_modules_behind_links_are_there(boxed_bed: Bed) -> None:
    """As those of projects that are compiled here: one view of links to the cache."""
    module = boxed_bed.place / "cache" / "modules" / "key"
    view = boxed_bed.place / "cache" / "views" / "digest"
    (module / "P").mkdir(parents=True)
    (view / "P").mkdir(parents=True)
    (module / "P" / "M.olean").write_text("the module", encoding="ascii")
    (view / "P" / "M.olean").symlink_to(module / "P" / "M.olean")
    run = boxed_bed.run(f"cat {view}/P/M.olean; exit 0", search_path=(view,))
    assert run.completed.stdout == "the module"


# How it ends


def kill_one(mark: str, times: int) -> threading.Thread:
    """Kills, from outside, so many processes with a word on their command line."""

    def kill() -> None:
        killed: set[int] = set()
        end = time.monotonic() + 60
        while len(killed) < times and time.monotonic() < end:
            for each in psutil.process_iter():
                with contextlib.suppress(psutil.Error):
                    if each.cmdline()[:2] == ["sleep", mark] and each.pid not in killed:
                        each.kill()
                        killed.add(each.pid)
            time.sleep(0.02)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def test_killed_by_something_else_once(bed: Bed) -> None:
    mark = f"1.{os.getpid():07d}1"
    thread = kill_one(mark, 1)
    # The second time it comes to its end.
    run = bed.run(f"exec sleep {mark}")
    thread.join()
    assert (run.completed.outcome, run.completed.exit_code) == (Outcome.EXITED, 0)


def test_killed_by_something_else_twice(bed: Bed) -> None:
    mark = f"60.{os.getpid():07d}2"
    thread = kill_one(mark, 2)
    with pytest.raises(EnvironmentUnavailable, match="killed twice"):
        bed.run(f": > A.olean; exec sleep {mark}")
    thread.join()
    assert "A.olean" not in bed.left()


@pytest.mark.parametrize(
    "text",
    ["kill -9 $$; exit 3", "kill -TERM $$; exit 3", "exit 137", "exit 143"],
)
def test_a_candidate_cannot_make_itself_unavailable(boxed_bed: Bed, text: str) -> None:
    run = boxed_bed.run(text)
    kind, _ = failure(run.completed, LIMITS)
    assert kind is VerdictKind.CRASHED


@pytest.mark.parametrize(
    ("text", "limits", "said"),
    [
        (
            "i=0; while [ $i -lt 300 ]; do (setsid sleep 30 &) ; i=$((i+1)); done; sleep 30",
            Limits(60.0, threads=100),
            "too many processes",
        ),
        (
            "head -c 40000000 /dev/zero > big; sleep 30",
            Limits(60.0, disk_bytes=20_000_000),
            "wrote too much",
        ),
        (
            "i=0; while [ $i -lt 400 ]; do : > $i; i=$((i+1)); done; sleep 30",
            Limits(60.0, disk_files=200),
            "too many files",
        ),
        ("kill -SEGV $$", LIMITS, "signal 11"),
        ("kill -ABRT $$", LIMITS, "signal 6"),
        ("kill -USR1 $$", LIMITS, "signal 10"),
        ("kill -XCPU $$", LIMITS, "signal 24"),
        ("exit 77", LIMITS, "exit code 77"),
    ],
)
def test_crashes(bed: Bed, text: str, limits: Limits, said: str) -> None:
    run = bed.run(text, limits=limits)
    kind, reason = failure(run.completed, limits)
    assert kind is VerdictKind.CRASHED
    assert said in reason
    assert set(bed.left()) <= {"A.lean"}


def test_half_a_line_and_no_text_are_no_trouble(bed: Bed) -> None:
    error = '{"severity":"error","data":"bad","pos":{"line":1,"column":0},"fileName":"%s"}'
    line = error % (bed.directory / "A.lean")
    run = bed.run(f"echo '{line}'\nprintf '\\377\\376 {{\"severity\":\"err'; exit 1")
    assert [error.message for error in run.errors] == ["bad"]
    assert failure(run.completed, LIMITS)[0] is None


def test_a_memory_hog(bed: Bed) -> None:
    # The system's own program: an interpreter on PATH may be one that the box does not show.
    limits = Limits(60.0, memory_mb=200)
    run = bed.run("exec /usr/bin/tail -n 1 /dev/zero", limits=limits)
    assert failure(run.completed, limits)[0] is VerdictKind.OUT_OF_MEMORY, run.completed
