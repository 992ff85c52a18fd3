"""``vsb cache``."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_vsb.cli import main
from pytest_vsb.judge.cache import open_verdicts
from pytest_vsb.judge.shelf import open_originals


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_info_and_clear(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, other = place / "verdicts-1.sqlite3", place / "originals-1.sqlite3"
    assert main(["cache", "info"]) == 0
    assert capsys.readouterr().out == (
        f"verdicts: 0, 0.0 MB of at most 1,024.0 MB\nfile: {file}\n"
        f"compiled files: 0, 0.0 MB of at most 2,048.0 MB\nfile: {other}\n"
        f"directory: {place}\n"
    )
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out == (
        f"dropped 0 verdicts: {file}\ndropped 0 compiled files: {other}\n"
    )
    assert not file.exists()

    store = open_verdicts()
    for number in range(1000):
        store.write("verdict", "1", str(number), bytes(3000))
    originals = open_originals()
    originals.write("original", "1", "7", b"olean")
    originals.close()
    # Another process has it open meanwhile.
    assert main(["cache", "info"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("verdicts: 1,000, ")
    assert "0.0 MB of" not in said.splitlines()[0]
    assert "compiled files: 1, " in said
    (place / "core").mkdir()
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out == (
        f"dropped 1,000 verdicts: {file}\ndropped 1 compiled file: {other}\n"
    )
    assert store.read("verdict", "1", "7") is None
    store.write("verdict", "1", "7", b"again")
    store.close()
    assert main(["cache", "info"]) == 0
    assert capsys.readouterr().out.startswith("verdicts: 1, 0.0 MB of")
    assert (place / "core").is_dir()


def test_what_else_is_there_is_told_and_stays(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "core-1a2b/Init.olean": ("the embedded Lean's core, compiled", 3),
        "core-3c4d/Init/Core.olean": ("the embedded Lean's core, compiled", 1),
        "core-3c4d.lock": ("the embedded Lean's core, compiled", 0),
        "audit-1a2b/VsbAuditProgram.olean": ("the audit's program, compiled", 2),
        "lean/modules/1a2b/Base.olean": ("modules that tasks import, compiled", 5),
        "repositories-1.sqlite3": ("the index of repositories", 6),
        "repositories-1.sqlite3-wal": ("the index of repositories", 1),
        "dask-slots/host/ledger.json": ("the places of Leans", 1),
        "slots/host/ledger.json": ("the places of Leans", 1),
        "pace/account/pace.sqlite": ("the pace of requests", 9),
        "verdicts-0.sqlite3": ("other files", 8),
    }
    expected: dict[str, int] = {}
    for name, (what, size) in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(bytes(size << 20))
        expected[what] = expected.get(what, 0) + size
    # What is elsewhere does not count, and a circle ends.
    (place / "lean" / "views").mkdir()
    (place / "lean" / "views" / "link").symlink_to(place / "lean")
    open_verdicts().write("verdict", "1", "7", bytes(3 << 20))
    told = [f"{what}: {size}.0 MB" for what, size in expected.items()]
    assert main(["cache", "info"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[4:] == [*told, f"directory: {place}"]
    assert main(["cache", "clear"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[2:] == [f"left {line}" for line in told]
    assert all((place / name).is_file() for name in files)


def test_a_database_that_cannot_be_cleared(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_vsb.repository.store._BUSY_SECONDS", 0.01)
    store = open_verdicts()
    store.write("verdict", "1", "7", b"kept")
    assert store._connection is not None
    store._connection.execute("BEGIN IMMEDIATE")
    assert main(["cache", "clear"]) == 4
    error = capsys.readouterr().err
    assert "locked" in error
    assert str(store.path) in error
    store._connection.execute("ROLLBACK")
    assert store.read("verdict", "1", "7") == b"kept"


def test_what_to_do_must_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache"]) == 4
    assert "VERB" in capsys.readouterr().err
