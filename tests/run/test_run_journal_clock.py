"""Journals on machines whose clock jumps, and on full disks."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from pytest_vsb.errors import UsageError
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.run.history import read_history
from pytest_vsb.run.journal import Journal, read_journals
from pytest_vsb.run.records import Attempt

ITEM = "a.vsb.jsonl::a"
LONG = '{"time": 9e99} "time": 8e88 '


def session(run: Path, worker: str, digest: str, status: str, sample: int) -> None:
    journal = Journal(run / "journal", worker)
    journal.started(ITEM, digest)
    verdict = Verdict(VerdictKind.REJECTED, reason=LONG * 10)
    journal.judged(Attempt(nodeid=ITEM, sample=sample, round=0, verdict=verdict))
    journal.ended(ITEM, status, LONG)
    journal.close()


@pytest.mark.parametrize("jump", [-3e7, -60.0, 3e7])
def test_a_later_session_is_later_whatever_the_clock_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    session(tmp_path, "gw0", "one", "interrupted", 0)
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + jump)
    session(tmp_path, "gw1", "one", "done", 1)
    history = read_history(tmp_path)[ITEM]
    assert (history.status, sorted(history.attempts)) == ("done", [(0, 0), (1, 0)])
    # The task changes, and the clock is set right again: what was made before is void.
    monkeypatch.setattr(time, "time", lambda: real() - jump)
    session(tmp_path, "gw0", "two", "done", 2)
    history = read_history(tmp_path)[ITEM]
    assert (history.digest, sorted(history.attempts)) == ("two", [(2, 0)])
    times = [event.time for event in read_journals(tmp_path)]
    assert times == sorted(times)
    assert len(set(times)) == len(times)


def test_a_clock_that_jumps_within_a_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = iter(range(100, 0, -1))
    monkeypatch.setattr(time, "time", lambda: 1e9 + 3600 * next(hours))
    for number in range(3):
        session(tmp_path, f"gw{number}", "one", f"status {number}", number)
    assert read_history(tmp_path)[ITEM].status == "status 2"


def test_a_journal_that_ends_in_garbage(tmp_path: Path) -> None:
    session(tmp_path, "gw0", "one", "done", 0)
    with (tmp_path / "journal" / "gw0.jsonl").open("ab") as file:
        file.write(b"\0" * (3 << 20) + b'{"event":"ended","time":')
    before = max(event.time for event in read_journals(tmp_path))
    session(tmp_path, "gw1", "one", "excluded", 1)
    assert read_history(tmp_path)[ITEM].status == "excluded"
    assert max(event.time for event in read_journals(tmp_path)) > before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk(tmp_path: Path) -> None:
    session(tmp_path, "main", "one", "interrupted", 0)
    directory = tmp_path / "journal"
    (directory / "gw0.jsonl").symlink_to("/dev/full")
    journal = Journal(directory, "gw0")
    with pytest.raises(OSError, match="No space left"):
        journal.started(ITEM, "one")
    journal.close()
    assert read_history(tmp_path)[ITEM].status == "interrupted"
    (directory / "gw0.jsonl").unlink()
    session(tmp_path, "gw0", "one", "done", 1)
    assert sorted(read_history(tmp_path)[ITEM].attempts) == [(0, 0), (1, 0)]


def test_a_journal_that_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "journal" / "gw0.jsonl").mkdir(parents=True)
    with pytest.raises(UsageError, match="cannot be written"):
        Journal(tmp_path / "journal", "gw0")
