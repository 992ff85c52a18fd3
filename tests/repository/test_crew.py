"""Other processes that scan ahead."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from repository_files import write

from pytest_vsb.repository import Store, crew, find_modules, open_index, pieces
from pytest_vsb.repository.crew import Crew, help_out
from pytest_vsb.repository.scanned import Scanned

COUNT = 24


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {f"M{n:02}.lean": f"theorem t{n} : {n} = {n} := by rfl\n" for n in range(COUNT)}
    return write(tmp_path / "r", dict(files))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store.sqlite3")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "_PATIENCE", 0.0)
    monkeypatch.setattr(crew, "_WORTH_WHILE", 0.0)
    monkeypatch.setattr(crew, "_processors", lambda: 2)


class Scans:
    """The files that this process scans itself."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.texts: list[str] = []
        scan = pieces.scan

        def counting(text: str, **options: object) -> object:
            self.texts.append(text)
            return scan(text, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(pieces, "scan", counting)


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> Scans:
    return Scans(monkeypatch)


@pytest.mark.usefixtures("impatient")
def test_the_others_do_their_share(root: Path, store: Store, scans: Scans) -> None:
    told: list[tuple[int, int]] = []
    opened = open_index(root, store=store, progress=lambda *at: told.append(at))
    names = opened.names()
    assert list(names) == [f"t{n}" for n in range(COUNT)]
    assert 0 < len(scans.texts) < COUNT
    assert told == [(n, COUNT) for n in range(COUNT + 1)]
    assert not list(root.parent.glob("*.lock"))
    scans.texts.clear()
    texts = list(opened.texts())
    assert [name for name, _ in texts] == list(opened.modules)
    assert texts[3] == ("M03", "theorem t3 : 3 = 3 := …\n")
    assert 0 < len(scans.texts) < COUNT
    scans.texts.clear()
    again = open_index(root, store=Store(store.path))
    assert list(again.texts()) == texts
    assert again.names() == names
    assert scans.texts == []


@pytest.mark.usefixtures("impatient")
def test_nothing_hangs_on_the_others(
    root: Path, store: Store, scans: Scans, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert len(open_index(root, store=store).names()) == COUNT
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert len(list(open_index(root, store=store).texts())) == COUNT
    assert len(scans.texts) == 2 * COUNT


@pytest.mark.usefixtures("impatient")
def test_without_a_store_nobody_can_help(root: Path, scans: Scans) -> None:
    assert len(open_index(root, store=Store(None)).names()) == COUNT
    assert len(scans.texts) == COUNT


@pytest.mark.usefixtures("impatient")
def test_stopping_early_ends_the_others(root: Path, store: Store) -> None:
    gang = Crew(Scanned(find_modules(root, store=store), store), "outline", None)
    over = gang.over()
    assert [next(over).name for _ in range(3)] == ["M00", "M01", "M02"]
    others = list(gang._others)
    assert len(others) == 1
    over.close()
    assert all(process.poll() is not None for process in others)


def test_chunks_are_read_as_far_as_they_go(
    root: Path, store: Store, monkeypatch: pytest.MonkeyPatch, scans: Scans
) -> None:
    monkeypatch.setattr("pytest_vsb.repository.index._CHUNK", 100)
    opened = open_index(root, store=store)
    partly = opened.texts()
    for _ in range(10):
        next(partly)
    partly.close()
    texts = list(opened.texts())
    assert len(texts) == COUNT
    assert texts == [(name, opened.text(name)) for name in opened.modules]
    assert len(scans.texts) == COUNT
    assert list(opened.texts()) == texts


def test_one_part(root: Path, store: Store, scans: Scans) -> None:
    modules = find_modules(root, store=store)
    assert store.path is not None
    help_out([str(root), str(store.path), modules.digest, "module", "4", "7"])
    assert sorted(scans.texts) == [f"theorem t{n} : {n} = {n} := by rfl\n" for n in (4, 5, 6)]
    scans.texts.clear()
    # A repository that has changed is no longer what help was asked for.
    help_out([str(root), str(store.path), "other", "module", "0", "7"])
    assert scans.texts == []
    help_out([str(root), str(store.path), modules.digest, "outline", "0", "5"])
    assert len(scans.texts) == 4


WAITING = """
import threading, time
from pytest_vsb.repository import crew
threading.Thread(target=crew._end_with_parent, daemon=True).start()
time.sleep(600)
"""


def test_a_helper_ends_with_who_called_it() -> None:
    process = subprocess.Popen([sys.executable, "-c", WAITING], stdin=subprocess.PIPE)
    killer = threading.Timer(180, process.kill)
    killer.start()
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait() == 0
    killer.cancel()
