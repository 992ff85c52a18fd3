"""A run directory whose content goes to the main process, line by line."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from pytest_vsb.plugin.remote import RemoteWorkers, SentDirectory
from pytest_vsb.provers.base import Answer, Candidate
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.history import read_history
from pytest_vsb.run.records import TaskFacts


class Wire:
    """Hands what is sent to the receiver at once, as execnet does in the end, or fails."""

    def __init__(self, receive: Any) -> None:
        self.receive = receive
        self.broken = False

    def send(self, message: Any) -> None:
        if self.broken:
            raise OSError("cannot send (already closed?)")
        self.receive(message)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunDirectory:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return RunDirectory.create(tmp_path / "run", {"seed": 0}, {})


@pytest.fixture
def wire(run: RunDirectory, pytestconfig: pytest.Config) -> Wire:
    settings: Any = None  # Only what asks for a budget looks at them.
    workers = RemoteWorkers(pytestconfig, settings, run, None)
    return Wire(workers._receiver("gw3"))


def test_all_that_is_written_is_in_the_run(run: RunDirectory, wire: Wire) -> None:
    sent = SentDirectory(wire)
    sent.add_tasks(TaskFacts(id=name, nodeid=f"f::{name}") for name in "ab")
    sent.add_shard(2, 4, "plan")
    journal = sent.open_journal("gw3")
    journal.started("f::a", "digest")
    journal.asked("f::a", 0, 0)
    answer = Answer(Candidate(proof=":= rfl"), response="what the model said")
    kept = journal.answered("f::a", 0, 0, answer)
    assert kept is not None
    # Each line is there when it has been written, whatever comes after.
    history = read_history(run.path)["f::a"]
    assert history.answers[0, 0] == kept
    stored = run.path / "responses" / f"{kept.response_digest}.json"
    assert b"what the model said" in stored.read_bytes()
    (sent.path / "contexts").mkdir()
    (sent.path / "contexts" / "c.json").write_text("{}")
    (sent.path / "contexts" / ".part").write_text("of a file")
    journal.ended("f::a", "done")
    journal.close()
    sent.remove()
    assert not sent.path.exists()
    assert [task.id for task in run.tasks()] == ["a", "b"]
    assert run.read()["shards"] == [{"index": 2, "count": 4, "plan": "plan"}]
    assert [path.name for path in (run.path / "contexts").iterdir()] == ["c.json"]
    assert read_history(run.path)["f::a"].status == "done"


def test_what_cannot_be_sent_is_not_asked_for(run: RunDirectory, wire: Wire) -> None:
    sent = SentDirectory(wire)
    journal = sent.open_journal("gw3")
    journal.started("f::a")
    wire.broken = True
    with pytest.raises(OSError, match="the main process cannot be reached"):
        journal.asked("f::a", 0, 0)
    assert b"asked" not in journal.path.read_bytes()
    journal.close()
    sent.remove()


def test_what_killed_workers_left_is_removed(run: RunDirectory, wire: Wire) -> None:
    killed, young, alive = SentDirectory(wire), SentDirectory(wire), SentDirectory(wire)
    for directory in (killed, young):
        directory._held.release()  # as the system does for a process that dies
    for directory in (killed, alive):
        os.utime(directory.path / "worker.lock", (0, 0))
    sent = SentDirectory(wire)
    left = {path.name for path in sent.path.parent.glob("vsb-run-*")}
    assert left == {young.path.name, alive.path.name, sent.path.name}
    for directory in (alive, young, sent):
        directory.remove()


def test_a_torn_line_stays_alone(run: RunDirectory, pytestconfig: pytest.Config) -> None:
    (run.journal / "gw3.jsonl").write_bytes(b'{"event":"start')
    settings: Any = None
    receive = RemoteWorkers(pytestconfig, settings, run, None)._receiver("gw3")
    sent = SentDirectory(Wire(receive))
    journal = sent.open_journal("gw3")
    journal.started("f::a")
    assert "f::a" in read_history(run.path)
    journal.close()
    sent.remove()


@pytest.mark.parametrize(
    "message", [("file", ("journal", "gw0.jsonl", b"x")), ("file", ("contexts", "../x", b"x"))]
)
def test_nothing_else_is_written(run: RunDirectory, wire: Wire, message: Any) -> None:
    before = sorted(run.path.rglob("*"))
    wire.receive(message)
    assert sorted(run.path.rglob("*")) == before
