"""Scratch directories: gone afterwards, whatever becomes of their process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import scratch as module
from pytest_vsb.lean.scratch import PREFIX, scratch, sweep

PROGRAM = """
import sys, time
from pytest_vsb.lean.scratch import scratch
with scratch() as directory:
    (directory / "file").write_text("x")
    print(directory, flush=True)
    {then}
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory for temporary files of its own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path
    session = module._sessions.pop(tmp_path, None)
    if session is not None:
        session.remove()


def other(temporary: Path, then: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(then=then)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )


def test_a_directory_for_a_while(temporary: Path) -> None:
    with scratch() as one, scratch() as two:
        assert one != two
        assert one.parent == two.parent
        assert one.parent.parent == temporary.resolve()
        assert one.stat().st_mode & 0o077 == 0
        (one / "d").mkdir()
        (one / "d" / "f").write_text("x", encoding="ascii")
    assert not one.exists()
    assert [path.name for path in one.parent.iterdir()] == ["lock"]


def test_nothing_is_left_at_the_end_of_the_process(temporary: Path) -> None:
    with other(temporary, "pass") as process:
        process.communicate(timeout=180)
    assert process.returncode == 0
    assert list(temporary.iterdir()) == []


def test_what_a_killed_process_left_goes_with_the_next_one(temporary: Path) -> None:
    with other(temporary, "sys.stdin.read()") as process:
        assert process.stdout is not None
        left = Path(process.stdout.readline().strip())
        try:
            # As long as it lives, it is left alone.
            sweep(temporary)
            assert (left / "file").exists()
        finally:
            process.kill()
    assert (left / "file").exists()
    with scratch() as mine:
        assert mine.exists()
        assert not left.parent.exists()


def test_what_is_not_ours_is_left_alone(temporary: Path) -> None:
    target = temporary / "target"
    target.mkdir()
    (target / "lock").touch()
    (temporary / f"{PREFIX}link").symlink_to(target)
    young = temporary / f"{PREFIX}young"
    young.mkdir()
    old = temporary / f"{PREFIX}old"
    old.mkdir()
    os.utime(old, (1, 1))
    sweep(temporary)
    assert (target / "lock").exists()
    assert young.exists()
    assert not old.exists()


def test_a_session_directory_that_was_cleared_away(temporary: Path) -> None:
    with scratch() as one:
        session = one.parent
    (session / "lock").unlink()
    with scratch() as two:
        assert two.exists()
        assert two.parent != session


def test_threads_share_one(temporary: Path) -> None:
    found: list[Path] = []

    def use() -> None:
        with scratch() as directory:
            found.append(directory.parent)

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_a_forked_child_has_its_own(temporary: Path) -> None:
    program = (
        "import os\nfrom pytest_vsb.lean.scratch import scratch\n"
        "with scratch() as one: pass\n"
        "pid = os.fork()\n"
        "with scratch() as mine: same = mine.parent == one.parent\n"
        "if not pid: raise SystemExit(3 if same else 0)\n"
        "code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])\n"
        "print(code, one.parent.exists())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
        check=True,
    )
    assert done.stdout == "0 True\n"
    assert list(temporary.iterdir()) == []


def test_a_place_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(EnvironmentUnavailable, match="TMPDIR"), scratch():
        pass
