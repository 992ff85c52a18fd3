"""Equal candidates are judged once, and no verdict on another one is ever believed."""

from __future__ import annotations

import dataclasses
import itertools
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judge_bench import LIMITS, Bench, find_lean

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge import identity
from pytest_vsb.judge import verdict_key as keys
from pytest_vsb.judge.cache import CachedJudge, VerdictCache, lasts, open_verdicts
from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean import machine
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.sandbox.choose import UNSANDBOXED, choose
from pytest_vsb.provers.base import Candidate
from pytest_vsb.repository.store import Store
from pytest_vsb.tasks.model import Task

pytestmark = pytest.mark.lean

MODULE = ".lake/build/lib/lean/Lib.olean"
FILES = {
    "lakefile.toml": 'name = "a"\n[[lean_lib]]\nname = "A"\n[[lean_lib]]\nname = "Lib"\n',
    "Lib.lean": "def k : Nat := 4\n",
    "A.lean": "import Lib\n\ntheorem t (n : Nat) : n = n := rfl\n\ntheorem u : k = 4 := rfl\n",
}


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A project with one built module, and a judge that confines Lean if anything can."""
    lean = find_lean()
    root = tmp_path_factory.mktemp("cached")
    for name, text in FILES.items():
        (root / name).write_text(text)
    made = root / MODULE
    made.parent.mkdir(parents=True)
    Bench(root, lean, root / "cache").checker._stages.runner.run(
        root / "Lib.lean", (), "-o", str(made), limits=LIMITS, olean=made
    )
    return Bench(root, lean, root / "cache", sandbox=choose("auto", lean))


@dataclass
class Told:
    """A judge that says what it is told to, of the right submission, and counts."""

    checker: Checker
    verdict: Verdict = Verdict(VerdictKind.REJECTED)  # noqa: RUF009 - frozen
    asked: list[str] = field(default_factory=list)

    def __call__(self, task: Task, candidate: Candidate) -> Verdict:
        self.asked.append(candidate.proof)
        digest = self.checker.submission(task, candidate).digest
        return replace(self.verdict, submission=digest)

    def ask(self, cache: VerdictCache, task: Task, candidate: Candidate) -> Verdict:
        return CachedJudge(self.checker, self, cache).check(task, candidate)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "kept" / "verdicts")


@pytest.fixture
def task(one: Bench) -> Task:
    return one.task("t", "A.lean")


def sandboxed(one: Bench) -> bool:
    return one.checker.sandbox.assurance != "unsandboxed"


def test_lean_judges_an_equal_candidate_once(one: Bench, task: Task, store: Store) -> None:
    asked: list[Candidate] = []

    def check(task: Task, candidate: Candidate) -> Verdict:
        asked.append(candidate)
        return one.checker.check(task, candidate)

    wrong, right = Candidate("by exact nothing"), Candidate("rfl")
    judge = CachedJudge(one.checker, check, VerdictCache(store))
    first = [judge.check(task, wrong), judge.check(task, right)]
    assert [verdict.kind for verdict in first] == [VerdictKind.REJECTED, VerdictKind.ACCEPTED]
    assert all(verdict.cpu_seconds > 0 and not verdict.cached for verdict in first)
    # Line ends are no difference.
    same = replace(right, proof="rfl\r")
    again = [judge.check(task, wrong), judge.check(task, same), judge.check(task, right)]
    assert again[:2] == [replace(verdict, cached=True) for verdict in first]
    assert again[2] == again[1]
    assert again[0].spent_seconds == 0 < first[0].spent_seconds
    assert asked == [wrong, right]
    # Another process.
    other = CachedJudge(one.checker, check, VerdictCache(Store(store.path)))
    assert other.check(task, wrong) == again[0]
    assert other.excerpts(task, wrong, again[0]) == judge.excerpts(task, wrong, first[0])
    assert "nothing" in other.excerpts(task, wrong, again[0])[0]
    accepted = other.check(task, right)
    assert accepted.kind is VerdictKind.ACCEPTED
    # Without a sandbox, Lean could have written into the database.
    assert accepted.cached == sandboxed(one)
    assert len(asked) == 2 + (not sandboxed(one))
    assert store.notes == []


def test_texts_that_take_no_lean(one: Bench, task: Task, store: Store) -> None:
    told = Told(one.checker)
    cache = VerdictCache(store)
    for _ in range(2):
        told.ask(cache, task, Candidate(":= rfl\naxiom a : False"))
    assert len(told.asked) == 2
    assert store.held().entries == 0


# What a verdict is kept under


def some_key(checker: Checker, task: Task, *, proof: str = ":= rfl", auxiliary: str = "") -> str:
    return keys.verdict_key(checker, task, checker.submission(task, Candidate(proof, auxiliary)))


def test_everything_that_a_verdict_depends_on_is_in_its_key(
    one: Bench, task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {"as it is": some_key(one.checker, task)}
    assert some_key(one.checker, task) == found["as it is"]

    def make(project: object = one.checker.project, **changes: object) -> Checker:
        given = {"sandbox": one.checker.sandbox, **changes}
        made = Checker(project, given.pop("limits", LIMITS), **given)  # type: ignore[arg-type]
        if "assurance" not in changes:
            # That takes a Lean.
            monkeypatch.setattr(made, "asks", one.checker.asks)
        return made

    assert some_key(make(), task) == found["as it is"]
    lean = one.checker.project.toolchain
    other_lean = replace(lean, commit="0" * 40)
    found |= {
        "the proof": some_key(one.checker, task, proof=":= by rfl"),
        "its auxiliary declarations": some_key(one.checker, task, auxiliary="def a := 1"),
        "the target": some_key(one.checker, one.task("u", "A.lean")),
        "the reference proof": some_key(one.checker, replace(task, reference_proof=":= rfl")),
        "seconds": some_key(make(limits=replace(LIMITS, wall_seconds=119.0)), task),
        "memory": some_key(make(limits=replace(LIMITS, memory_mb=4000)), task),
        "output": some_key(make(limits=replace(LIMITS, output_bytes=4000)), task),
        "axioms": some_key(make(allowed_axioms=frozenset({"propext"})), task),
        "policy": some_key(make(policy="permissive"), task),
        "assurance": some_key(make(assurance="replay"), task),
        "Lean": some_key(make(open_project(one.root, other_lean, cache=one.cache)), task),
    }
    if sandboxed(one):
        found["sandbox"] = some_key(make(sandbox=UNSANDBOXED), task)
    with monkeypatch.context() as patch:
        patch.setattr(keys, "code_version", lambda: "another")
        found["the judge's code"] = some_key(one.checker, task)
    with monkeypatch.context() as patch:
        patch.setattr(keys.memory, "most_mb", lambda: 123)
        found["the machine's memory"] = some_key(one.checker, task)
    program = tmp_path / "lean4checker"
    for number in range(2):
        program.write_text("#!/bin/sh\n" + "#" * number)
        with monkeypatch.context() as patch:
            patch.setattr(one.checker, "asks", lambda _: ("replay", "replayed", str(program)))
            found[f"a checker, version {number}"] = some_key(one.checker, task)
    root = tmp_path / "copy"
    shutil.copytree(one.root, root)
    copied = Bench(root, one.lean, root / "cache", sandbox=one.checker.sandbox)
    monkeypatch.setattr(copied.checker, "asks", one.checker.asks)
    # The same project at another place is the same one.
    assert some_key(copied.checker, task) == found["as it is"]
    with (root / MODULE).open("ab") as file:
        file.write(b"\0")
    changed = Bench(root, one.lean, root / "cache", sandbox=one.checker.sandbox).checker
    monkeypatch.setattr(changed, "asks", one.checker.asks)
    found["what it imports"] = some_key(changed, task)
    text = (root / "A.lean").read_text()
    (root / "A.lean").write_text(text.replace("\n\n", "\n\n-- before\n", 1))
    edited = Bench(root, one.lean, root / "cache", sandbox=one.checker.sandbox).checker
    monkeypatch.setattr(edited, "asks", one.checker.asks)
    found["the text before"] = some_key(edited, task)
    assert len(set(found.values())) == len(found), found


LINES = st.lists(st.sampled_from(["rfl", ":= rfl", "theorem t (n : Nat) : n = n", "by", ""]))
PARTS = st.tuples(LINES.map("\n".join), LINES.map("\n".join))


@settings(max_examples=50)
@given(one_parts=PARTS, other_parts=PARTS)
def test_another_candidate_has_another_key(
    one: Bench, one_parts: tuple[str, str], other_parts: tuple[str, str]
) -> None:
    """Also one of which the same file comes, cut at other places."""
    task = one.task("t", "A.lean")
    submissions = [
        one.checker.submission(task, Candidate(proof, auxiliary))
        for auxiliary, proof in (one_parts, other_parts)
    ]
    same = submissions[0] == submissions[1]
    found = [keys.verdict_key(one.checker, task, submission) for submission in submissions]
    assert (found[0] == found[1]) == same


def test_the_same_file_cut_at_another_place(one: Bench, task: Task) -> None:
    statement = "theorem t (n : Nat) : n = n "
    parts = [("", f":= rfl\n\n{statement}:= rfl"), (f"{statement}:= rfl", ":= rfl")]
    made = [one.checker.submission(task, Candidate(proof, text)) for text, proof in parts]
    assert made[0].text.split() == made[1].text.split()
    assert len({keys.verdict_key(one.checker, task, submission) for submission in made}) == 2


def test_the_code_has_one_version(monkeypatch: pytest.MonkeyPatch) -> None:
    version = identity.code_version()
    assert len(version) == 64
    identity.code_version.cache_clear()
    assert identity.code_version() == version
    identity.code_version.cache_clear()
    monkeypatch.setattr(identity, "_CODE", ("source", "lean"))
    assert identity.code_version() != version
    identity.code_version.cache_clear()


# Which verdicts are kept

NEVER = (
    Verdict(VerdictKind.UNAVAILABLE),
    Verdict(VerdictKind.CRASHED),
    Verdict(VerdictKind.FORBIDDEN),
    Verdict(VerdictKind.MALFORMED),
    # Lean waited for a processor half of the time, or nobody knows.
    Verdict(VerdictKind.TIMEOUT, lean_seconds=60.0, cpu_seconds=30.0),
    Verdict(VerdictKind.TIMEOUT, lean_seconds=60.0),
    Verdict(VerdictKind.TIMEOUT, lean_seconds=60.0, cpu_seconds=60.0, checker="session"),
    Verdict(VerdictKind.OUT_OF_MEMORY, checker="session"),
)
ALWAYS = (
    Verdict(VerdictKind.REJECTED, checker="session"),
    Verdict(VerdictKind.REJECTED),
    Verdict(VerdictKind.INCOMPLETE),
    Verdict(VerdictKind.UNSOUND),
    Verdict(VerdictKind.OUT_OF_MEMORY),
    Verdict(VerdictKind.TIMEOUT, lean_seconds=60.0, cpu_seconds=58.0),
)


@pytest.mark.parametrize("verdict", [*NEVER, *ALWAYS], ids=lambda v: f"{v.kind}-{v.checker}")
def test_only_what_lean_would_say_again(
    one: Bench, task: Task, store: Store, verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(one.checker._stages.runner, "threads", 1)
    told = Told(one.checker, verdict)
    cache = VerdictCache(store)
    for _ in range(3):
        told.ask(cache, task, Candidate(":= rfl"))
    kept = verdict in ALWAYS
    assert len(told.asked) == (1 if kept else 3)
    told.ask(VerdictCache(store), task, Candidate(":= rfl"))
    assert len(told.asked) == (1 if kept else 4)
    assert store.held().entries == kept
    assert lasts(verdict) == kept


@pytest.mark.parametrize(
    ("threads", "cpu_seconds", "kept"),
    [
        (1, 54.0, True),
        (1, 53.0, False),
        # One thread that had a processor, or two that waited half of the time each.
        (2, 60.0, False),
        (2, 107.0, False),
        (2, 108.0, True),
        # As many as there are processors.
        (None, 60.0, False),
        (None, 180.0, True),
    ],
)
def test_a_timeout_is_kept_where_each_thread_had_a_processor(
    one: Bench,
    task: Task,
    monkeypatch: pytest.MonkeyPatch,
    threads: int | None,
    cpu_seconds: float,
    kept: bool,
) -> None:
    monkeypatch.setattr(one.checker._stages.runner, "threads", threads)
    monkeypatch.setattr(machine, "cores", lambda: 3)
    verdict = Verdict(VerdictKind.TIMEOUT, lean_seconds=60.0, cpu_seconds=cpu_seconds)
    told = Told(one.checker, verdict)
    cache = VerdictCache()
    for _ in range(2):
        told.ask(cache, task, Candidate(":= rfl"))
    assert len(told.asked) == (1 if kept else 2)


def test_an_exception_is_no_verdict(one: Bench, task: Task, store: Store) -> None:
    def broken(_task: Task, _candidate: Candidate) -> Verdict:
        raise EnvironmentUnavailable("the disk is full")

    cache = VerdictCache(store)
    with pytest.raises(EnvironmentUnavailable):
        cache.judge(one.checker, task, Candidate("rfl"), broken)
    told = Told(one.checker)
    assert not told.ask(cache, task, Candidate("rfl")).cached


def test_without_a_sandbox_no_accepted_proof_on_disk_is_believed(
    one: Bench, task: Task, store: Store
) -> None:
    open_to_all = Checker(one.checker.project, LIMITS)
    accepted = Verdict(VerdictKind.ACCEPTED, assurance=("kernel-replay",))
    told = Told(open_to_all, accepted)
    cache = VerdictCache(store)
    assert [told.ask(cache, task, Candidate("rfl")).cached for _ in range(2)] == [False, True]
    assert store.held().entries == 0
    key = some_key(open_to_all, task, proof="rfl")
    digest = open_to_all.submission(task, Candidate("rfl")).digest
    forged = {"key": key, "verdict": dataclasses.replace(accepted, submission=digest)}
    store.write("verdict", "1", key, msgspec.json.encode(forged))
    assert not told.ask(VerdictCache(store), task, Candidate("rfl")).cached


def test_a_proof_that_was_not_replayed_is_not_kept_where_others_are(one: Bench, task: Task) -> None:
    """As when the audit's program fails for this task alone."""
    cache = VerdictCache()
    printed = Verdict(VerdictKind.ACCEPTED, assurance=("statement-printed", "axioms-printed"))
    told = Told(one.checker, printed)
    assert [told.ask(cache, task, Candidate("rfl")).cached for _ in range(2)] == [False, False]
    told.verdict = replace(printed, kind=VerdictKind.UNSOUND)
    assert [told.ask(cache, task, Candidate("rfl")).cached for _ in range(2)] == [False, False]
    told.verdict = replace(printed, assurance=("kernel-replay",))
    assert [told.ask(cache, task, Candidate("rfl")).cached for _ in range(2)] == [False, True]


def test_where_sessions_are_off_only_fresh_leans_are_believed(
    one: Bench, task: Task, store: Store
) -> None:
    told = Told(one.checker, Verdict(VerdictKind.REJECTED, checker="session"))
    told.ask(VerdictCache(store), task, Candidate("rfl"))
    assert told.ask(VerdictCache(store), task, Candidate("rfl")).cached
    told.verdict = Verdict(VerdictKind.REJECTED)
    for cached in (False, True):
        found = told.ask(VerdictCache(store, sessions=False), task, Candidate("rfl"))
        assert (found.cached, found.checker) == (cached, "batch")


def test_what_no_fresh_lean_has_confirmed_is_kept_for_this_process(
    one: Bench, task: Task, store: Store
) -> None:
    alone = Verdict(VerdictKind.REJECTED, checker="session", assurance=("policy", "session-alone"))
    told, cache = Told(one.checker, alone), VerdictCache(store)
    assert [told.ask(cache, task, Candidate("rfl")).cached for _ in range(2)] == [False, True]
    cache.close()
    assert not told.ask(VerdictCache(store), task, Candidate("rfl")).cached


def test_what_a_session_said_that_was_wrong_is_forgotten(
    one: Bench, task: Task, store: Store
) -> None:
    told = Told(one.checker)
    cache = VerdictCache(store)

    def ask(cache: VerdictCache, proof: str, checker: str = "batch") -> tuple[bool, str]:
        told.verdict = Verdict(VerdictKind.REJECTED, checker=checker)
        found = told.ask(cache, task, Candidate(proof))
        return found.cached, found.checker

    for proof, checker in (("a", "session"), ("b", "batch")):
        assert ask(cache, proof, checker) == (False, checker)
    cache.close()
    assert ask(VerdictCache(Store(store.path)), "a") == (True, "session")
    ask(cache, "c", "session")
    cache.forget_sessions()
    cache.close()
    # Neither in memory nor on disk, written or yet to be.
    for proof in "ac":
        assert ask(cache, proof) == (False, "batch")
    assert ask(cache, "b") == (True, "batch")


def test_what_changes_meanwhile_is_not_kept(one: Bench, store: Store, tmp_path: Path) -> None:
    """A build in the middle of a run: the verdict may be about the old modules or the new."""
    shutil.copytree(one.root, tmp_path / "copy")
    root = tmp_path / "copy"
    bench = Bench(root, one.lean, root / "cache", sandbox=one.checker.sandbox)
    task = bench.task("u", "A.lean")
    told = Told(bench.checker)
    cache = VerdictCache(store)
    told.ask(cache, task, Candidate("rfl"))
    cache.close()
    assert store.held().entries == 1
    with (root / MODULE).open("ab") as file:
        file.write(b"\0")
    told.ask(cache, task, Candidate(":= by rfl"))
    cache.close()
    assert store.held().entries == 1


def test_many_modules_are_not_looked_at_for_each_verdict(
    one: Bench, task: Task, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float] = []
    now = 100.0

    def slowly(_task: Task) -> bool:
        nonlocal now
        looks.append(now)
        now += 0.05
        return True

    monkeypatch.setattr(one.checker, "unchanged", slowly)
    monkeypatch.setattr("pytest_vsb.judge.cache.time", SimpleNamespace(monotonic=lambda: now))
    told = Told(one.checker)
    cache = VerdictCache(store)
    for number in range(20):
        told.ask(cache, task, Candidate(f":= by exact {number}"))
        now += 0.1
    assert 1 < len(looks) < 5
    # Another task ends the wait for this one, and so does the end.
    told.ask(cache, one.task("u", "A.lean"), Candidate("rfl"))
    assert store.held().entries >= 20
    cache.close()
    assert store.held().entries == 21


# Entries

TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=20)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
POSITION = st.builds(Position, st.integers(1, 10**6), st.integers(0, 10**4))
DIAGNOSTIC = st.builds(
    Diagnostic,
    st.sampled_from(Severity),
    TEXT,
    POSITION,
    end=st.none() | POSITION,
    kind=TEXT,
    region=TEXT,
    goal=st.none() | TEXT,
    local=st.none() | POSITION,
)
NUMBER = st.floats().map(abs)
VERDICT = st.builds(
    Verdict,
    kind=st.sampled_from(VerdictKind),
    reason=TEXT,
    diagnostics=st.lists(DIAGNOSTIC, max_size=3).map(tuple),
    axioms=TEXTS,
    assurance=TEXTS,
    lean_seconds=NUMBER,
    cpu_seconds=NUMBER,
    peak_memory_mb=NUMBER,
    toolchain=TEXT,
    checker=st.sampled_from(["batch", "session"]),
)
numbers = itertools.count()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("shared") / "verdicts")


@settings(max_examples=50)
@given(verdict=VERDICT)
def test_a_verdict_comes_back_whole_or_not_at_all(
    one: Bench, shared: Store, verdict: Verdict
) -> None:
    task, store = one.task("t", "A.lean"), shared
    told = Told(one.checker, verdict)
    candidate = Candidate(f":= by exact {next(numbers)}")
    first = told.ask(VerdictCache(store), task, candidate)
    again = told.ask(VerdictCache(store), task, candidate)
    if not again.cached:
        texts = repr(verdict)
        finite = not any(word in texts for word in ("nan", "inf"))
        whole = "\\ud" not in texts
        unbelieved = verdict.accepted and not sandboxed(one)
        believed = one.checker.is_as_asked(task, verdict) and not unbelieved
        assert not (finite and whole and lasts(verdict) and believed)
        assert repr(again) == repr(first)
    else:
        assert again == replace(first, cached=True)


def test_an_entry_for_another_candidate_is_none(one: Bench, task: Task, store: Store) -> None:
    """As if the database had mixed them up."""
    told = Told(one.checker, Verdict(VerdictKind.REJECTED))
    told.ask(VerdictCache(store), task, Candidate("rfl"))
    right, wrong = (some_key(one.checker, task, proof=proof) for proof in ("rfl", "by rfl"))
    data = store.read("verdict", "1", right)
    assert data is not None
    digest = one.checker.submission(task, Candidate("by rfl")).digest
    verdict = Verdict(VerdictKind.ACCEPTED, submission=digest)
    entries = [
        data,
        data[:-9],
        b"\xff",
        b"[]",
        msgspec.json.encode({"key": right, "verdict": verdict}),
        msgspec.json.encode({"key": wrong, "verdict": replace(verdict, submission="0" * 64)}),
        msgspec.json.encode(
            {"key": wrong, "verdict": replace(verdict, kind=VerdictKind.UNAVAILABLE)}
        ),
        msgspec.json.encode({"key": wrong, "verdict": {"kind": "proved", "submission": digest}}),
    ]
    for entry in entries:
        store.write("verdict", "1", wrong, entry)
        assert not told.ask(VerdictCache(store), task, Candidate("by rfl")).cached, entry


# Many at once


def test_threads_with_one_candidate(one: Bench, task: Task) -> None:
    told = Told(one.checker)
    cache = VerdictCache()
    begun = threading.Event()

    def slow(task: Task, candidate: Candidate) -> Verdict:
        begun.wait(60)
        return told(task, candidate)

    found: list[Verdict] = []
    judge = CachedJudge(one.checker, slow, cache)
    threads = [
        threading.Thread(target=lambda: found.append(judge.check(task, Candidate("rfl"))))
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    # Another candidate does not have to wait for this one.
    assert not told.ask(cache, task, Candidate("by rfl")).cached
    begun.set()
    for thread in threads:
        thread.join(60)
    assert told.asked == ["by rfl", "rfl"]
    assert sorted(verdict.cached for verdict in found) == [False, True, True, True, True]


def test_memory_is_bounded(one: Bench, task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_vsb.judge.cache._MEMORY_BYTES", 10_000)
    told = Told(one.checker, Verdict(VerdictKind.REJECTED, reason="x" * 900))
    cache = VerdictCache()
    for number in range(40):
        told.ask(cache, task, Candidate(f":= by exact {number}"))
    assert 2 < len(cache._memory) < 12
    assert sum(map(len, cache._memory.values())) == cache._memory_bytes <= 10_000
    assert told.ask(cache, task, Candidate(":= by exact 39")).cached
    assert not told.ask(cache, task, Candidate(":= by exact 0")).cached


WRITER = """
import sys
from pathlib import Path
from types import SimpleNamespace
import msgspec
from pytest_vsb.judge.cache import _Entry
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.repository.store import Store
store = Store(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    key = f"{sys.argv[2]} {number}"
    verdict = Verdict(VerdictKind.REJECTED, reason="r" * 3000, submission=key)
    store.write("verdict", "1", key, msgspec.json.encode(_Entry(key, verdict)))
    if number == 20:
        print("begun", flush=True)
assert store.notes == [], store.notes
print("done", flush=True)
"""


def test_processes_that_write_at_once_and_one_that_is_killed(store: Store) -> None:
    def start(name: str, number: int) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", WRITER, str(store.path), name, str(number)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    processes = [start("a", 90), start("b", 90), start("killed", 10**6)]
    killed = processes[2]
    assert killed.stdout is not None
    assert killed.stdout.readline() == "begun\n"
    os.kill(killed.pid, signal.SIGKILL)
    killed.communicate(timeout=60)
    for process in processes[:2]:
        out, _ = process.communicate(timeout=120)
        assert out.split() == ["begun", "done"]
    for name in "ab":
        for number in range(90):
            data = store.read("verdict", "1", f"{name} {number}")
            assert data is not None
            assert msgspec.json.decode(data)["key"] == f"{name} {number}"
    assert store.read("verdict", "1", "killed 20") is not None
    assert store.notes == []
    assert store.path is not None
    database = sqlite3.connect(store.path)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


# Without a database


def broken_file(path: Path) -> None:
    path.write_bytes(b"no database at all" * 1000)


def a_directory(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    path.mkdir()


def of_a_later_version(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("ALTER TABLE blobs RENAME COLUMN data TO other")
    database.close()


@pytest.mark.parametrize("damage", [broken_file, a_directory, of_a_later_version])
def test_a_broken_database_is_told_of_once(
    one: Bench, task: Task, store: Store, damage: Callable[[Path], None]
) -> None:
    told = Told(one.checker)
    cache = VerdictCache(store)
    told.ask(cache, task, Candidate("rfl"))
    cache.close()
    assert store.path is not None
    damage(store.path)
    cache = VerdictCache(Store(store.path))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for number in range(3):
            verdict = told.ask(cache, task, Candidate(f":= by exact {number}"))
            assert verdict.kind is VerdictKind.REJECTED
        cache.close()
    assert len(caught) == 1
    assert "the cache of verdicts: " in str(caught[0].message)
    assert str(store.path) in str(caught[0].message)
    with warnings.catch_warnings():
        # Where warnings are errors, the verdict stands all the same.
        warnings.simplefilter("error")
        cache = VerdictCache(Store(store.path.parent / "verdicts" / "below a file"))
        assert told.ask(cache, task, Candidate("by simp")).kind is VerdictKind.REJECTED


def test_the_usual_place_and_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "cache"))
    store = open_verdicts()
    assert store.path == tmp_path / "cache" / "verdicts-1.sqlite3"
    assert store.limit == 2**30
    (tmp_path / "file").touch()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    store = open_verdicts()
    assert store.path is not None
    assert store.path.is_relative_to(tmp_path / "temporary")
    # It has been told where, once: a run has more to say than that each time.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        VerdictCache(store).close()


def test_fields_of_verdicts_are_all_written() -> None:
    """A new field of a verdict that is no plain data would be lost."""
    verdict = Verdict(VerdictKind.REJECTED)
    assert msgspec.json.decode(msgspec.json.encode(verdict), type=Verdict) == verdict
    assert set(msgspec.to_builtins(verdict)) == {f.name for f in dataclasses.fields(Verdict)}
