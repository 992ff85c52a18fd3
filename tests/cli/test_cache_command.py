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
