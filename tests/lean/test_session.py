"""Warm sessions: what a fresh Lean says, nothing left behind, and sick servers."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from lean_bench import Sleepers, level_or_skip, until

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import process, worker
from pytest_vsb.lean.diagnostics import ParsedOutput, parse
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.session import Session, SessionOutput
from pytest_vsb.lean.toolchain import Toolchain

STAND_IN = Path(__file__).with_name("stand_in_worker.py")
LIMITS = Limits(60.0, memory_mb=4000)

PREFIX = """\
inductive Tree (a : Type) where
  | leaf
  | node (left : Tree a) (value : a) (right : Tree a)

namespace Tree

def mirror {a : Type} : Tree a -> Tree a
  | leaf => leaf
  | node l x r => node r.mirror x l.mirror

"""
WRONG = (
    "theorem mirror_mirror {a : Type} (t : Tree a) : t.mirror.mirror = t := by\n"
    "  induction t with\n"
    "  | leaf => rfl\n"
    "  | node l x r hl hr => simp [mirror, hl]\n"
)
TEXTS = {
    "right": PREFIX + WRONG.replace("hl]", "hl, hr]") + "\nend Tree\n",
    "unsolved goals": PREFIX + WRONG + "\nend Tree\n",
    "sorry": PREFIX + "theorem t : 1 = 2 := sorry\n\nend Tree\n",
    "several, of commands at once": PREFIX
    + "theorem t (n : Nat) : n = 0 := by\n  cases n\n  · rfl\n  · exact foo\n\n"
    + WRONG
    + "theorem u : 2 = 2 := by\n  have unused := 3\n  exact bar\n\n#print axioms t\n#check u\n",
    "linter": PREFIX + "theorem t : 1 = 1 :=\n  let unused := 2\n  rfl\n\nend Tree\n",
    "parser": PREFIX + "theorem t : 1 = 1 := by\n  exact (rfl\n\ntheorem u : 1 = 1 := rfl\n",
    "no command": PREFIX + "theorem t : 1 = 1 := rfl nonsense here\n",
    "open comment": PREFIX + "theorem t : 1 = 1 := foo\n/- never closed",
    "wrong end": PREFIX + "theorem t : 1 = 1 := rfl\n\nend Forest\n\ntheorem",
    "beyond the BMP": PREFIX + "theorem «𝔸𝔹» (𝔸 : Nat) : 𝔸 = «𝔹𝔹𝔹𝔹» + foo := by\n  exact 𝔸 bar\n",
    "carriage returns": (PREFIX + WRONG + "\n#check foo\n").replace("\n", "\r\n"),
    "one carriage return": PREFIX + "#check foo\r#check bar\n#check baz",
    "nothing": "",
    "blank": "\n\n\n",
    "missing import": "import Nothing.Here\n\ntheorem t : 1 = 1 := rfl\n",
    "wrong import": "import\n\ntheorem t : 1 = 1 := foo\n",
    "import too late": PREFIX + "import Init\n",
    "a NUL": PREFIX + "theorem t : 1 = 1 := foo\0\n",
    "one change above": PREFIX.replace("value", "worth") + WRONG,
}


def fresh(
    toolchain: Toolchain, text: str, directory: Path, options: tuple[str, ...] = ()
) -> ParsedOutput:
    """What a Lean of its own says of a text."""
    file = directory / "VsbSubmission.lean"
    file.write_bytes(text.encode())
    done = process.run(
        toolchain.argv("--json", f"--root={directory}", *options, str(file)),
        cwd=directory,
        env=toolchain.environment(),
        limits=LIMITS,
    )
    return parse(done.stdout, file_name=str(file), json_lines=True)


@contextlib.contextmanager
def session(toolchain: Toolchain, *options: str, **named: object) -> Iterator[Session]:
    one = Session(toolchain, (), options, **{"limits": LIMITS, **named})  # type: ignore[arg-type]
    try:
        yield one
    finally:
        one.close()


def lean_processes() -> list[str]:
    """The command lines of this user's file workers, real or not, below this process."""
    found = []
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if "--worker" in child.cmdline():
                found.append(" ".join(child.cmdline()))
    return found


# What a fresh Lean says


@pytest.mark.lean
def test_says_what_a_fresh_lean_says(toolchain: Toolchain, tmp_path: Path) -> None:
    with session(toolchain) as one:
        for name, text in TEXTS.items():
            got = one.check(text, wall_seconds=60)
            assert (got.ended, got.detail) == ("done", ""), name
            want = fresh(toolchain, text, tmp_path)
            assert got.output.diagnostics == want.diagnostics, name
        assert one.checks == len(TEXTS)


@pytest.mark.lean
def test_one_session_says_the_same_whatever_it_was_asked_before(toolchain: Toolchain) -> None:
    def errors(got: SessionOutput) -> list[str]:
        return [each.message for each in got.output.diagnostics]

    orders = (["right", "unsolved goals", "parser"], ["parser", "right", "unsolved goals", "right"])
    said: dict[str, list[list[str]]] = {}
    with session(toolchain) as one:
        for name in orders[0] + orders[1] * 2:
            said.setdefault(name, []).append(errors(one.check(TEXTS[name], wall_seconds=60)))
    assert said["right"] == [[]] * 5
    assert len(said["unsolved goals"][0]) == 1
    assert all(each == answers[0] for answers in said.values() for each in answers)


@pytest.mark.lean
def test_options_are_those_of_a_fresh_lean(toolchain: Toolchain, tmp_path: Path) -> None:
    text = "theorem t (xs : List alpha) : xs = xs := rfl\ntheorem u : 1 = 2 := foo\n"
    options = ("-DautoImplicit=false", "-DrelaxedAutoImplicit=false", "-DmaxRecDepth=300")
    with session(toolchain, *options, threads=1) as one:
        got = one.check(text, wall_seconds=60)
    assert got.output.diagnostics == fresh(toolchain, text, tmp_path, options).diagnostics
    with session(toolchain, "-DautoImplicit=true") as other:
        assert len(other.check(text, wall_seconds=60).output.diagnostics) == 1


@pytest.mark.lean
@pytest.mark.parametrize("level", ["bubblewrap", "landlock"])
def test_works_in_a_box(toolchain: Toolchain, level: str) -> None:
    with session(toolchain, sandbox=level_or_skip(level), threads=2) as one:
        first = one.check(TEXTS["right"], wall_seconds=60)
        second = one.check(TEXTS["unsolved goals"], wall_seconds=60)
        assert (first.ended, len(first.output.diagnostics)) == ("done", 0)
        assert (second.ended, len(second.output.diagnostics)) == ("done", 1)
        assert one.alive
        # Lean may go on for a moment after its answer.
        assert 20 < one.memory_mb < 2 * second.peak_memory_mb
    assert not one.alive
    assert one.memory_mb == 0
    assert lean_processes() == []


# Ends


@pytest.mark.lean
def test_a_check_over_its_time_ends_the_session_and_the_next_is_right(
    toolchain: Toolchain,
) -> None:
    loop = (
        "set_option maxHeartbeats 0 in\ntheorem t : 1 = 2 := by\n  repeat (first | done | skip)\n"
    )
    with session(toolchain) as one:
        one.check(PREFIX, wall_seconds=60)
        got = one.check(PREFIX + loop, wall_seconds=0.5)
        assert (got.ended, got.output.diagnostics) == ("timeout", ())
        assert got.wall_seconds >= 0.5
        assert not one.alive
        assert lean_processes() == []
        assert one.check(TEXTS["right"], wall_seconds=60).output == ParsedOutput((), "")


@pytest.mark.lean
def test_a_stack_overflow_is_the_end_of_a_session(toolchain: Toolchain) -> None:
    options = ("-DmaxRecDepth=1000000000", "-s512")
    deep = "theorem t (n : Nat) : n = n := " + "id (" * 4000 + "rfl" + ")" * 4000
    with session(toolchain, *options) as one:
        assert one.check(PREFIX, wall_seconds=60).ended == "done"
        got = one.check(PREFIX + deep, wall_seconds=60)
        assert got.ended == "died"
        assert "overflow" in got.detail
        assert not one.alive
        assert one.check(TEXTS["right"], wall_seconds=60).ended == "done"


@pytest.mark.lean
def test_too_little_memory_is_the_end_of_a_session(toolchain: Toolchain) -> None:
    limits = dataclasses.replace(LIMITS, memory_mb=20)
    with session(toolchain, limits=limits) as one:
        got = one.check(PREFIX, wall_seconds=60)
        assert got.ended == "out_of_memory"
        assert got.peak_memory_mb > 20
        assert not one.alive


@contextlib.contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Raises in the midst of what is inside, or before that begins, where the machine is busy."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def check_for_ever(one: Session) -> None:
    while True:
        one.check(PREFIX + f"-- {time.monotonic()}", wall_seconds=60)


@pytest.mark.lean
def test_an_exception_in_the_middle_leaves_nothing_behind(toolchain: Toolchain) -> None:
    # Some files are opened once, and stay so.
    with session(toolchain) as first:
        first.check(PREFIX, wall_seconds=60)
    with session(toolchain) as one:
        before = psutil.Process().num_fds()
        for seconds in (0.02, 0.2, 0.45):
            with pytest.raises(KeyboardInterrupt), interrupted_after(seconds):
                check_for_ever(one)
            assert not one.alive
            assert lean_processes() == []
        assert until(lambda: psutil.Process().num_fds() <= before)
        assert one.check(TEXTS["right"], wall_seconds=60).ended == "done"


# Sick servers

Make = Callable[..., Toolchain]


@pytest.fixture
def stand_in() -> Make:
    """A Lean whose worker is `stand_in_worker.py` with the mode given."""

    def make(mode: str) -> Toolchain:
        command = (sys.executable, "-I", "-S", str(STAND_IN), mode)
        return Toolchain("path", "4.30.0", "", command, (), (), "a test's", True)

    return make


def said(got: SessionOutput) -> str:
    assert got.ended == "done", got
    (only,) = got.output.diagnostics
    return only.message


def test_only_what_comes_after_a_change_is_sent(stand_in: Make) -> None:
    """The stand-in puts the document together from changes, and says all of it."""
    texts = [
        "a\nb\nc",
        "a\nb\nd",
        "a\nb",
        "",
        "\n",
        "a\r\nb\r\n𝔸",
        "a\r\nb\r\n𝔸c\n",
        "a\nb\r\n",
        "a",
    ]
    with session(stand_in("ok")) as one:
        for text in [*texts, *reversed(texts), "a", "a"]:
            assert said(one.check(text, wall_seconds=60)) == text
        assert one.checks == 2 * len(texts) + 2


@pytest.mark.parametrize(
    ("mode", "ended", "words"),
    [
        ("silent", "timeout", ""),
        ("half", "timeout", ""),
        ("prints", "died", "no message begins with 'hello"),
        ("prints-much", "died", "no message begins with 'Content-Length-or"),
        ("half-and-ends", "died", "exit code 3"),
        ("long", "died", "a message of 999999999999 bytes"),
        ("no-json", "died", "cannot be read"),
        ("list", "died", "no object"),
        ("flood", "died", "bytes of messages"),
        ("no-diagnostics", "died", "without diagnostics"),
        ("other-version", "died", "without diagnostics"),
        ("refuses", "died", "-32801"),
        ("wrong-diagnostics", "died", "diagnostics that are none"),
        ("crash", "died", "signal 11: what it died of"),
        ("closes", "died", "signal 9"),
        ("hog", "out_of_memory", ""),
    ],
)
def test_sick_servers_end(
    stand_in: Make, mode: str, ended: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "_CHECK_BYTES", 1 << 24)
    limits = dataclasses.replace(LIMITS, memory_mb=200)
    with session(stand_in(mode), limits=limits) as one:
        assert said(one.check("a\nb", wall_seconds=60)) == "a\nb"
        wall = 0.3 if ended == "timeout" else 60.0
        got = one.check("a\nnow", wall_seconds=wall)
        assert (got.ended, got.output) == (ended, ParsedOutput((), ""))
        assert words in got.detail
        assert not one.alive
        assert lean_processes() == []
        assert said(one.check("a\nc", wall_seconds=60)) == "a\nc"
        assert one.alive


def test_a_lean_without_the_option_of_no_delay(stand_in: Make) -> None:
    with session(stand_in("old")) as one:
        assert said(one.check("a", wall_seconds=60)) == "a"


def test_a_lean_that_cannot_start_is_the_environments_fault(stand_in: Make, tmp_path: Path) -> None:
    with session(stand_in("absent")) as one:
        with pytest.raises(EnvironmentUnavailable, match="no such option: --worker"):
            one.check("a", wall_seconds=60)
        assert not one.alive
    missing = dataclasses.replace(stand_in("ok"), command=(str(tmp_path / "lean"),))
    with session(missing) as one, pytest.raises(EnvironmentUnavailable, match="cannot run"):
        one.check("a", wall_seconds=60)


def test_half_a_character_is_no_text(stand_in: Make) -> None:
    with session(stand_in("ok")) as one:
        assert one.check("a \ud800", wall_seconds=60).ended == "died"


def test_a_worker_that_dies_between_checks_is_not_alive(stand_in: Make) -> None:
    with session(stand_in("ok")) as one:
        one.check("a", wall_seconds=60)
        for child in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                if "--worker" in child.cmdline():
                    child.kill()
        assert until(lambda: not one.alive)
        assert said(one.check("b", wall_seconds=60)) == "b"


# Closing


def test_nothing_stays_behind(stand_in: Make, sleepers: Sleepers) -> None:
    with session(stand_in(f"sleeper {sleepers.sleep}")) as one:
        thread = threading.Thread(target=lambda: one.check("now", wall_seconds=60))
        thread.start()
        assert sleepers.there()
        one.close()
        thread.join(60)
        assert not thread.is_alive()
        assert sleepers.gone()
        one.close()


def test_closing_in_another_thread_ends_a_check(stand_in: Make) -> None:
    got: list[SessionOutput] = []
    with session(stand_in("silent")) as one:
        thread = threading.Thread(target=lambda: got.append(one.check("now", wall_seconds=60)))
        thread.start()
        assert until(lambda: bool(lean_processes()))
        assert one.alive
        one.close()
        thread.join(60)
        assert [(each.ended, each.detail) for each in got] == [("died", "the session was closed")]


def test_checks_of_several_threads_wait_for_each_other(stand_in: Make) -> None:
    got: dict[str, str] = {}
    with session(stand_in("ok")) as one:

        def check(text: str) -> None:
            for number in range(5):
                got[f"{text}{number}"] = said(one.check(f"{text}{number}", wall_seconds=60))

        threads = [threading.Thread(target=check, args=(f"a\n{name}",)) for name in "xyz"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert len(got) == one.checks == 15
    assert all(text == answer for text, answer in got.items())


PROGRAM = """
import os, sys, threading
from pathlib import Path
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.session import Session
from pytest_vsb.lean.toolchain import Toolchain

command = (sys.executable, "-I", "-S", sys.argv[1], sys.argv[2])
lean = Toolchain("path", "4.30.0", "", command, (), (), "a test's", True)
one = Session(lean, (), limits=Limits(60.0))
one.check("a", wall_seconds=60)
thread = threading.Thread(target=lambda: one.check("now", wall_seconds=60), daemon=True)
thread.start()
print("ready", flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize("how", ["exit", "kill"])
def test_nothing_stays_behind_an_interpreter(
    stand_in: Make, sleepers: Sleepers, how: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", PROGRAM, str(STAND_IN), f"sleeper {sleepers.sleep}"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as running:
        assert running.stdin is not None
        assert sleepers.there()
        if how == "kill":
            running.kill()
        else:
            running.stdin.close()
        running.wait(120)
    assert sleepers.gone()
    if how == "exit":
        assert running.returncode == 0
        assert list(tmp_path.iterdir()) == []
