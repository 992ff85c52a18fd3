"""Files are written whole or not at all."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_vsb.files import write_atomically


def test_a_reader_of_a_killed_writer_sees_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    file.write_bytes(b"the old contents")
    writer = (
        "import os, pathlib, pytest_vsb.files as files\n"
        "files.os.fsync = lambda descriptor: os.kill(os.getpid(), 9)\n"
        f"files.write_atomically(pathlib.Path({str(file)!r}), b'half a fi')\n"
    )
    done = subprocess.run([sys.executable, "-c", writer], check=False)
    assert done.returncode != 0
    assert file.read_bytes() == b"the old contents"


def test_writing_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "ℝ a" / "results.json"
    file.parent.mkdir()
    for content in (b"one", b"two"):
        write_atomically(file, content)
    assert file.read_bytes() == b"two"
    assert list(file.parent.iterdir()) == [file]


def test_the_file_obeys_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "f", b"")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == 0o640


def test_writing_leaves_the_old_file_when_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.json"
    write_atomically(path, b"old")
    with pytest.raises(TypeError):
        write_atomically(path, "no bytes")  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    monkeypatch.chdir(tmp_path)
    write_atomically(path, json.dumps({}).encode())
    assert path.stat().st_mode & 0o600 == 0o600
