"""When a warm session is asked, what its answers come to, and what happens to one that is wrong."""

from __future__ import annotations

import dataclasses
import itertools
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_bench import LIMITS, find_lean

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.running import LeanRun
from pytest_vsb.judge.stages import Stages
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.judge.warm import Sessions, _Known, _seconds
from pytest_vsb.lean.diagnostics import Diagnostic, ParsedOutput, Position, Severity
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.session import Ended, Session, SessionOutput
from pytest_vsb.lean.session_pool import Document, SessionPool, Warm, open_session
from pytest_vsb.provers.base import Candidate
from pytest_vsb.tasks.model import Task

pytestmark = pytest.mark.lean

FILES = {
    "Small.lean": "theorem unused (n : Nat) : n = n := rfl\n\ntheorem target : 1 + 1 = 2 := rfl\n",
    "Other.lean": "theorem target : 1 + 1 = 2 := rfl\n",
    "Behind.lean": "theorem before : 1 = 1 := rfl\n\n#exit\n\ntheorem target : 1 + 1 = 2 := rfl\n",
    "Renamed.lean": 'macro "ns " x:ident : command => `(namespace $x)\n\nns Foo\n\n'
    "theorem target : 1 + 1 = 2 := rfl\n",
    "Half.lean": "theorem target : 1 + 1 = 2 := rfl\n\ntheorem nonsense : Foo = Bar.baz := rfl\n",
    "Broken.lean": "theorem early : 1 + 1 = 3 := rfl\n\ntheorem target : 1 + 1 = 2 := rfl\n",
}
RIGHT, WRONG = Candidate("rfl"), Candidate("by exact nowhere")
TASK = Task(
    id="small",
    module="Small",
    path="Small.lean",
    name="target",
    statement="theorem target : 1 + 1 = 2",
)
OTHER = dataclasses.replace(TASK, id="other", module="Other", path="Other.lean")
BROKEN = dataclasses.replace(TASK, id="broken", module="Broken", path="Broken.lean")

Change = Callable[[str, SessionOutput], SessionOutput]


class Changed:
    """A real session, which is asked once about each text, and whose answers are changed on their
    way."""

    def __init__(self, session: Warm, change: Change, known: dict[str, SessionOutput]) -> None:
        self._session = session
        self._change = change
        self._known = known
        self.closed = 0
        self.checks = 0

    @property
    def alive(self) -> bool:
        return self.checks > 0 and not self.closed

    @property
    def memory_mb(self) -> float:
        return self._session.memory_mb

    def check(self, text: str, *, wall_seconds: float) -> SessionOutput:
        self.checks += 1
        if text not in self._known:
            self._known[text] = self._session.check(text, wall_seconds=wall_seconds)
        return self._change(text, self._known[text])

    def close(self) -> None:
        self.closed += 1
        self._session.close()


class World:
    """A judge with sessions that do as they are told."""

    def __init__(self, place: Path) -> None:
        for name, text in FILES.items():
            (place / "project").mkdir(exist_ok=True)
            (place / "project" / name).write_text(text, encoding="utf-8")
        self.disagreements = place / "disagreements"
        self.opened: list[Changed] = []
        self.known: dict[str, SessionOutput] = {}
        self.change: Change = lambda _, output: output
        self.sessions = Sessions()
        self.begin()
        self.project = open_project(place / "project", find_lean(), cache=place / "cache")
        self.forget()

    def forget(self) -> None:
        """Have no task's own file compiled."""
        self.checker = Checker(self.project, LIMITS, sessions=self.sessions)

    def compiled(self, task: Task = TASK) -> bool:
        """Whether a fresh Lean has compiled a task's own file."""
        located = self.checker._locate(task)
        return self.checker._acceptance.originals.known(task, located) is not None

    def begin(self) -> None:
        """As at the beginning of a run."""
        self.sessions.pool.close()
        fresh = Sessions("auto", 32, SessionPool(open=self.open), self.disagreements)
        self.sessions.__dict__.update(fresh.__dict__)
        self.opened.clear()
        self.change = lambda _, output: output
        for path in self.disagreements.glob("*"):
            path.unlink()

    def open(self, document: Document) -> Changed:
        # What is done to it may change from one check to the next.
        session = Changed(open_session(document), lambda *args: self.change(*args), self.known)
        self.opened.append(session)
        return session

    def says(self, *diagnostics: Diagnostic, about: str = "") -> None:
        """Have sessions say this about candidates, or about what has a certain text in it."""
        of_stub = ":= sorry"

        def change(text: str, output: SessionOutput) -> SessionOutput:
            if about not in text or (not about and of_stub in text):
                return output
            return dataclasses.replace(output, output=ParsedOutput(diagnostics, ""))

        self.change = change

    def ends(self, ended: Ended) -> None:
        """Have sessions end in this way when they are asked about candidates."""

        def change(text: str, output: SessionOutput) -> SessionOutput:
            return output if ":= sorry" in text else dataclasses.replace(output, ended=ended)

        self.change = change

    def check(self, candidate: Candidate, task: Task = TASK) -> Verdict:
        return self.checker.check(task, candidate)

    def kept(self) -> list[dict[str, object]]:
        return [msgspec.json.decode(path.read_bytes()) for path in self.disagreements.glob("*")]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = World(tmp_path_factory.mktemp("warm"))
    yield world
    world.sessions.close()


@pytest.fixture
def world(shared: World) -> World:
    shared.begin()
    return shared


def error(message: str, line: int = 3, column: int = 33) -> Diagnostic:
    return Diagnostic(Severity.ERROR, message, Position(line, column), Position(line, column + 7))


def test_a_session_refuses_and_never_accepts(world: World) -> None:
    refused = world.check(WRONG)
    assert refused.kind is VerdictKind.REJECTED
    assert refused.checker == "session"
    assert refused.assurance[0] == "policy"
    assert refused.lean_seconds > 0
    assert refused.peak_memory_mb > 0
    assert refused.submission == world.checker.submission(TASK, WRONG).digest
    accepted = world.check(RIGHT)
    assert accepted.accepted
    assert accepted.checker == "batch"
    assert "kernel-replay" in accepted.assurance
    assert world.check(WRONG).checker == "session"
    assert len(world.opened) == 1


def test_without_sessions_all_is_judged_from_scratch(world: World) -> None:
    world.sessions.mode = "off"
    world.checker.prepare(TASK)
    world.checker.expect(OTHER)
    verdict = world.check(WRONG)
    assert (verdict.kind, verdict.checker) == (VerdictKind.REJECTED, "batch")
    assert world.opened == []


def test_what_a_session_finds_no_error_in_counts_for_nothing(world: World) -> None:
    world.says()
    verdict = world.check(WRONG)
    assert (verdict.kind, verdict.checker) == (VerdictKind.REJECTED, "batch")
    (kept,) = world.kept()
    assert kept["what"] == "the session found no error, the fresh Lean did"
    assert "nowhere" in str(kept["submission"])
    assert kept["session"]["output"]["output"]["diagnostics"] == []  # type: ignore[index]
    assert "nowhere" in kept["batch"]["completed"]["stdout"]  # type: ignore[index]
    # It has lied once: it is ended, and no other is asked.
    assert [each.closed > 0 for each in world.opened] == [True]
    assert world.check(WRONG).checker == "batch"
    assert len(world.opened) == 1


def test_a_session_that_refuses_too_much_is_found_out(world: World) -> None:
    world.sessions.mode = "verify"
    world.says(error("no"))
    suspected: list[str] = []
    world.sessions.suspect = lambda: suspected.append("once")
    verdict = world.check(RIGHT)
    assert suspected == ["once"]
    assert verdict.accepted
    assert verdict.checker == "batch"
    assert world.kept()[0]["what"] == ("the session found errors, the fresh Lean did not: accepted")
    # Who verifies wants to know of all of them.
    world.says(error("something else"))
    assert world.check(WRONG).kind is VerdictKind.REJECTED
    assert {each["what"] for each in world.kept()} >= {"their messages differ"}
    assert len(world.opened) == 2


def test_now_and_then_a_refusal_is_judged_from_scratch(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_vsb.judge.warm.SPOT_CHECK", 3)
    assert [world.check(WRONG).checker for _ in range(3)] == ["session", "session", "batch"]
    assert world.kept() == []


def test_a_session_that_does_not_know_the_file_is_not_asked(world: World) -> None:
    world.says(error("what is this?", line=1, column=0), about="sorry")
    assert world.check(WRONG).checker == "batch"
    assert world.opened[0].closed
    assert world.kept() == []
    (account,) = world.sessions._accounts.values()
    assert account.off
    world.begin()
    world.sessions.mode = "verify"
    world.says(error("what is this?", line=1, column=0), about="sorry")
    assert world.check(WRONG).kind is VerdictKind.REJECTED
    assert "the task's own file" in str(world.kept()[0]["what"])


def test_what_is_out_of_the_ordinary_is_left_to_a_fresh_lean(world: World) -> None:
    for odd in (
        error("(deterministic) timeout at `whnf`, maximum number of heartbeats (200000) has been"),
        error("(kernel) deep recursion detected"),
        error("nowhere", line=1, column=0),
    ):
        world.says(odd, error("Unknown identifier `nowhere`"))
        verdict = world.check(WRONG)
        assert (verdict.kind, verdict.checker) == (VerdictKind.REJECTED, "batch")
        assert odd not in verdict.diagnostics
    assert world.kept() == []


def test_a_candidate_is_not_blamed_for_the_end_of_a_session(world: World) -> None:
    for number, ended in enumerate(get_args(Ended)[2:]):
        world.ends(ended)
        verdict = world.check(WRONG)
        assert (verdict.kind, verdict.checker) == (VerdictKind.REJECTED, "batch")
        assert [each.closed > 0 for each in world.opened] == [True] * (number + 1)
    assert world.kept() == []
    world.change = lambda _, output: output
    assert world.check(WRONG).checker == "session"


def test_the_next_process_of_a_session_is_asked_about_the_file_first(world: World) -> None:
    assert world.check(WRONG).checker == "session"
    world.opened[0].checks = 0
    assert world.check(WRONG).checker == "session"
    assert world.opened[0].checks == 2


def test_a_session_that_cannot_be_opened_is_not_missed(world: World) -> None:
    def fail(text: str, output: SessionOutput) -> SessionOutput:
        raise EnvironmentUnavailable("it does not start")

    world.change = fail
    assert world.check(WRONG).checker == "batch"
    (account,) = world.sessions._accounts.values()
    assert account.off == "EnvironmentUnavailable: it does not start"


def test_a_candidate_that_takes_all_the_time_is_out_of_time(world: World) -> None:
    def busy(seconds: float) -> Change:
        def change(text: str, output: SessionOutput) -> SessionOutput:
            if ":= sorry" in text:
                return output
            return dataclasses.replace(output, ended="timeout", cpu_seconds=seconds)

        return change

    world.change = busy(0.9 * LIMITS.wall_seconds)
    verdict = world.check(WRONG)
    assert (verdict.kind, verdict.checker) == (VerdictKind.TIMEOUT, "session")
    assert verdict.reason == "Lean ran longer than 120 s"
    # One that did not compute all that time may have waited for something of its own.
    world.change = busy(1.0)
    verdict = world.check(WRONG)
    assert (verdict.kind, verdict.checker) == (VerdictKind.REJECTED, "batch")
    assert world.kept() == []


def test_who_may_be_out_of_time_afresh_is_judged_afresh(world: World) -> None:
    def slow(text: str, output: SessionOutput) -> SessionOutput:
        return dataclasses.replace(output, wall_seconds=0.85 * LIMITS.wall_seconds)

    world.change = slow
    assert world.check(WRONG).checker == "batch"


# Before a fresh Lean has compiled the task's own file


def test_a_task_that_nobody_comes_near_to_takes_no_fresh_lean(world: World) -> None:
    world.forget()
    world.checker.prepare(TASK)
    assert [world.check(WRONG).checker for _ in range(2)] == ["session", "session"]
    assert len(world.opened) == 1
    assert not world.compiled()
    assert world.check(RIGHT).accepted
    assert world.compiled()
    assert world.kept() == []
    assert world.check(WRONG).checker == "session"


@pytest.mark.parametrize("few", [True, False])
def test_who_is_not_asked_at_once_vouches_for_nothing(world: World, few: bool) -> None:
    world.forget()
    if few:
        world.sessions.planned = 3
    else:
        world.sessions.mode = "verify"
    world.checker.prepare(TASK)
    assert world.compiled()


def test_a_fresh_lean_decides_whether_a_task_can_be_judged(world: World) -> None:
    world.forget()
    world.says(error("what is this?", line=1, column=0), about="sorry")
    world.checker.prepare(TASK)
    assert world.compiled()
    assert world.check(WRONG).checker == "batch"
    with pytest.raises(EnvironmentUnavailable, match="does not compile with `sorry`"):
        world.checker.prepare(BROKEN)
    assert world.kept() == []


@pytest.mark.parametrize("path", ["Behind.lean", "Renamed.lean"])
def test_a_target_that_is_not_there_is_vouched_for_by_nobody(world: World, path: str) -> None:
    """Lean finds no error in these files; but there is no such theorem in them."""
    world.forget()
    task = dataclasses.replace(TASK, id=path, module=path[:-5], path=path)
    for act in (world.checker.prepare, lambda task: world.check(WRONG, task)) * 2:
        with pytest.raises(EnvironmentUnavailable, match="Lean declares no target in the file"):
            act(task)
    assert world.kept() == []


def test_a_task_that_cannot_be_judged_is_found_out_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.forget()
    compiled: list[object] = []
    compile = Stages.compile

    def counted(*args: Any) -> LeanRun:
        compiled.append(args)
        return compile(*args)

    monkeypatch.setattr(Stages, "compile", counted)
    for candidate in (RIGHT, WRONG, RIGHT):
        with pytest.raises(EnvironmentUnavailable, match="does not compile with `sorry`"):
            world.check(candidate, BROKEN)
    assert len(compiled) == 1


def test_other_tasks_of_a_file_are_not_to_blame(world: World) -> None:
    world.forget()
    first, second = (
        dataclasses.replace(
            TASK, id=name, module="Half", path="Half.lean", name=name, statement=text
        )
        for name, text in (
            ("target", "theorem target : 1 + 1 = 2"),
            ("nonsense", "theorem nonsense : Foo = Bar.baz"),
        )
    )
    with pytest.raises(EnvironmentUnavailable, match="does not compile with `sorry`"):
        world.checker.prepare(second)
    world.checker.prepare(first)
    assert world.check(WRONG, first).checker == "session"
    assert not world.compiled(first)


def test_who_is_believed_without_a_fresh_lean_says_so(world: World) -> None:
    world.forget()
    assert world.check(WRONG).assurance == ("policy", "session-alone", "unsandboxed")
    assert world.check(RIGHT).accepted
    assert world.check(WRONG).assurance == ("policy", "session", "unsandboxed")


def test_words_that_change_each_time_are_no_disagreement(world: World) -> None:
    world.forget()
    times = itertools.count()

    def change(text: str, output: SessionOutput) -> SessionOutput:
        timed = Diagnostic(Severity.INFORMATION, f"took {next(times)}ms", Position(1, 0))
        said = ParsedOutput((timed, *output.output.diagnostics), "")
        return dataclasses.replace(output, output=said)

    world.change = change
    assert world.check(WRONG).kind is VerdictKind.REJECTED
    assert world.check(RIGHT).accepted
    assert world.check(WRONG).checker == "batch"


@given(
    st.lists(st.integers(0, 9), unique=True, max_size=6),
    st.lists(st.floats(0.1, 100), min_size=10, max_size=10),
)
def test_the_time_of_a_fresh_lean_is_not_taken_for_less(
    asked: list[int], each: list[float]
) -> None:
    """A session reads from where the text differs; a fresh Lean reads all of it."""
    known: list[_Known] = []
    reached = 0
    for place in asked:
        own = sum(each[reached : place + 1])
        seconds = _seconds(place, own, known)
        assert seconds >= sum(each[: place + 1]) * 0.999
        known.append(_Known("done", (), True, place, seconds))
        reached = place + 1


def test_a_session_that_dies_on_the_file_vouches_for_nothing(world: World) -> None:
    world.forget()
    world.change = lambda _, output: dataclasses.replace(output, ended="died")
    world.checker.prepare(TASK)
    assert world.compiled()


def test_what_a_session_said_of_the_file_is_held_against_a_fresh_lean(world: World) -> None:
    world.forget()
    odd = dataclasses.replace(error("how odd", line=1), severity=Severity.WARNING)

    def change(text: str, output: SessionOutput) -> SessionOutput:
        said = ParsedOutput((odd, *output.output.diagnostics), "")
        return dataclasses.replace(output, output=said)

    world.change = change
    suspected: list[str] = []
    world.sessions.suspect = lambda: suspected.append("once")
    assert world.check(WRONG).checker == "session"
    assert world.check(RIGHT).accepted
    (kept,) = world.kept()
    assert "the task's own file" in str(kept["what"])
    assert "how odd" in str(kept["session"])
    assert "how odd" not in str(kept["batch"])
    assert suspected == ["once"]
    assert world.check(WRONG).checker == "batch"
    # Where it has refused nobody, there is nothing to tell, and it is not asked any more.
    world.begin()
    world.forget()
    world.change = change
    assert world.check(RIGHT).accepted
    assert world.check(WRONG).checker == "batch"
    assert world.kept() == []


def test_a_session_that_finds_no_error_where_there_is_one_is_found_out(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.forget()

    def change(text: str, output: SessionOutput) -> SessionOutput:
        found = tuple(each for each in output.output.diagnostics if each.start.line > 2)
        return dataclasses.replace(output, output=ParsedOutput(found, ""))

    world.change = change
    assert world.check(WRONG, BROKEN).checker == "session"
    for candidate in (RIGHT, WRONG):
        with pytest.raises(EnvironmentUnavailable, match="does not compile with `sorry`"):
            world.check(candidate, BROKEN)
    (kept,) = world.kept()
    assert "the task's own file" in str(kept["what"])
    assert "does not compile" in str(kept["batch"])
    assert "disagree" in caplog.text


def test_few_candidates_open_a_session_only_after_a_rejection(world: World) -> None:
    world.sessions.planned = 3
    world.checker.prepare(TASK)
    assert world.opened == []
    assert world.check(WRONG).checker == "batch"
    assert world.check(WRONG).checker == "session"


def test_sessions_that_save_nothing_are_given_up(world: World) -> None:
    def dear(text: str, output: SessionOutput) -> SessionOutput:
        if ":= sorry" not in text:
            said = ParsedOutput((error("(kernel) deep recursion detected"),), "")
            output = dataclasses.replace(output, output=said)
        return dataclasses.replace(output, wall_seconds=5.0)

    world.change = dear
    assert [world.check(WRONG).checker for _ in range(3)] == ["batch"] * 3
    # The opening and three candidates are more than three times the opening: that is enough.
    (account,) = world.sessions._accounts.values()
    assert (account.spent, account.saved, account.pays) == (20.0, 0.0, False)
    world.change = lambda _, output: output
    assert world.check(WRONG).checker == "batch"


def test_half_a_character_is_for_a_fresh_lean(world: World) -> None:
    assert world.check(WRONG).checker == "session"
    assert world.check(Candidate('by exact nowhere -- "\ud800"')).checker == "batch"
    assert world.check(WRONG).checker == "session"
    assert len(world.opened) == 1


def test_sessions_are_opened_before_they_are_needed(world: World) -> None:
    opened, go = threading.Event(), threading.Event()

    def wait(text: str, output: SessionOutput) -> SessionOutput:
        opened.set()
        go.wait(60)
        return output

    world.change = wait
    world.checker.expect(OTHER)
    assert opened.wait(60)
    # Nothing has to make room for what is only expected.
    world.checker.expect(TASK)
    go.set()
    assert world.check(WRONG, OTHER).checker == "session"
    assert [each.checks for each in world.opened] == [2]


def lean_processes() -> list[psutil.Process]:
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            if "--worker" in process.cmdline():
                found.append(process)
        except psutil.Error:
            continue
    return found


def test_nothing_stays_when_the_sessions_are_closed(world: World) -> None:
    world.known.clear()
    assert world.check(WRONG).checker == "session"
    before = lean_processes()
    assert before
    # While another is just being opened.
    world.checker.expect(OTHER)
    world.sessions.close()
    gone, alive = psutil.wait_procs(before, timeout=30)
    assert gone
    assert not alive
    deadline = threading.Event()
    while any(thread.name == "vsb-warm" for thread in threading.enumerate()):
        deadline.wait(0.05)
    assert not lean_processes()
    assert world.check(WRONG).checker == "batch"


def test_a_session_is_one_of_this_package() -> None:
    document = Document(Path("A"), find_lean(), (), (), (), None, LIMITS)  # type: ignore[arg-type]
    assert isinstance(open_session(document), Session)
