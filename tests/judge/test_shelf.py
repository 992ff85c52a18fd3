"""Compiled original files that are kept from run to run."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from judge_bench import LIMITS, Bench

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.running import LeanRun
from pytest_vsb.judge.stages import Stages
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean import process
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.sandbox.choose import UNSANDBOXED, Choice, choose
from pytest_vsb.provers.base import Candidate
from pytest_vsb.repository.store import Store
from pytest_vsb.tasks.model import Task

pytestmark = pytest.mark.lean

FILES = {
    "Lib.lean": "def k : Nat := 4\n",
    "Main.lean": "import Lib\n\ntheorem first : k = 4 := rfl\n\ntheorem last : k = 4 := rfl\n",
}
RIGHT, WRONG = Candidate(":= first"), Candidate(":= by cases k")


class Counted(Store):
    """A store that says what is asked of it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.found = 0
        self.kept = 0

    def read(self, kind: str, version: str, digest: str) -> bytes | None:
        data = super().read(kind, version, digest)
        self.found += data is not None
        return data

    def write(self, kind: str, version: str, digest: str, data: bytes) -> None:
        self.kept += 1
        super().write(kind, version, digest, data)


@pytest.fixture
def one(bench: Callable[..., Bench]) -> Bench:
    return bench(FILES)


@pytest.fixture
def boxed() -> Choice:
    for level in ("bubblewrap", "landlock"):
        try:
            return choose(level)
        except EnvironmentUnavailable:
            continue
    pytest.skip("no sandbox here")


def make(one: Bench, store: Store, sandbox: Choice) -> Checker:
    """A judge of another run."""
    project = open_project(one.root, one.lean, cache=one.cache)
    return Checker(project, LIMITS, sandbox=sandbox, originals=store)


def task(one: Bench) -> Task:
    return one.task("last", "Main.lean")


def test_what_was_compiled_is_found(
    one: Bench, boxed: Choice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Counted(tmp_path / "kept.sqlite3")
    first = make(one, store, boxed)
    assert first.check(task(one), RIGHT).accepted
    # When it was compiled, and when the audit's program had tried it.
    assert (store.found, store.kept) == (0, 2)

    second = make(one, store, boxed)
    replayed = []
    replay = second._acceptance._replayer.replay

    def noted(*args: Any) -> Any:
        replayed.append(args[1])
        return replay(*args)

    monkeypatch.setattr(second._acceptance._replayer, "replay", noted)
    second.prepare(task(one))
    assert replayed == []
    assert second.check(task(one), RIGHT).accepted
    assert len(replayed) == 1
    assert second.check(task(one), WRONG).kind is VerdictKind.REJECTED
    assert (store.found, store.kept) == (1, 2)
    located = first._locate(task(one))
    originals = [checker._acceptance.originals for checker in (first, second)]
    assert originals[0].stub(task(one), located) == originals[1].stub(task(one), located)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("Lib.lean", "def k : Nat := 2 + 2\n"),
        ("Main.lean", FILES["Main.lean"].replace("first :", "first (_ : Nat) :")),
        (
            "lakefile.toml",
            'name = "p"\n[leanOptions]\nautoImplicit = false\n[[lean_lib]]\nname = "Main"\n',
        ),
    ],
)
def test_what_it_is_made_of_counts(
    one: Bench, boxed: Choice, tmp_path: Path, file: str, text: str
) -> None:
    store = Counted(tmp_path / "kept.sqlite3")
    make(one, store, boxed).prepare(task(one))
    (one.root / file).write_text(text, encoding="utf-8")
    make(one, store, boxed).prepare(task(one))
    assert (store.found, store.kept) == (0, 4)


def test_what_changes_meanwhile_is_not_kept(
    bench: Callable[..., Bench], boxed: Choice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build that ends while the file is compiled with what was there before."""
    one = bench({**FILES, "lakefile.toml": 'name = "p"\n[[lean_lib]]\nname = "Main"\n'})
    olean = one.root / ".lake" / "build" / "lib" / "lean" / "Lib.olean"
    olean.parent.mkdir(parents=True)
    for text, name in (("def k : Nat := 4\n", "Lib"), ("def k : Nat := 2 + 2\n", "New")):
        source = tmp_path / f"{name}.lean"
        source.write_text(text, encoding="utf-8")
        argv = one.lean.argv("-o", str(olean.with_stem(name)), str(source))
        done = process.run(argv, cwd=tmp_path, env=one.lean.environment(()), limits=LIMITS)
        assert done.exit_code == 0, done.stdout
    compile = Stages.compile

    def build_meanwhile(stages: Stages, *args: Any) -> LeanRun:
        made = compile(stages, *args)
        with contextlib.suppress(FileNotFoundError):
            olean.with_stem("New").replace(olean)
        return made

    monkeypatch.setattr(Stages, "compile", build_meanwhile)
    store = Counted(tmp_path / "kept.sqlite3")
    for found, kept in ((0, 0), (0, 2), (1, 2)):
        make(one, store, boxed).prepare(task(one))
        assert (store.found, store.kept) == (found, kept)


def test_a_file_that_does_not_compile_is_not_kept(
    bench: Callable[..., Bench], boxed: Choice, tmp_path: Path
) -> None:
    one = bench({"Main.lean": "theorem first : 0 = 1 := rfl\n\ntheorem last : 0 = 0 := rfl\n"})
    store = Counted(tmp_path / "kept.sqlite3")
    for _ in range(2):
        with pytest.raises(EnvironmentUnavailable, match="does not compile"):
            make(one, store, boxed).prepare(task(one))
    assert (store.found, store.kept) == (0, 0)


def test_damage_is_as_if_nothing_was_kept(one: Bench, boxed: Choice, tmp_path: Path) -> None:
    class Damaged(Counted):
        def read(self, kind: str, version: str, digest: str) -> bytes | None:
            data = super().read(kind, version, digest)
            return None if data is None else data[:-7]

    store = Damaged(tmp_path / "kept.sqlite3")
    make(one, store, boxed).prepare(task(one))
    assert make(one, store, boxed).check(task(one), RIGHT).accepted
    assert (store.found, store.kept) == (1, 4)


def test_without_a_sandbox_nothing_is_kept_or_believed(
    one: Bench, boxed: Choice, tmp_path: Path
) -> None:
    store = Counted(tmp_path / "kept.sqlite3")
    make(one, store, UNSANDBOXED).prepare(task(one))
    assert store.kept == 0
    make(one, store, boxed).prepare(task(one))
    make(one, store, UNSANDBOXED).prepare(task(one))
    assert (store.found, store.kept) == (0, 2)
