"""The index of journals: item by item it gives what reading all journals whole gives."""

from __future__ import annotations

import contextlib
import dataclasses
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_records import NODEIDS, attempt, attempts, events

from pytest_vsb.errors import UsageError
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.run import history as history_module
from pytest_vsb.run.history import History, ItemHistory, read_history
from pytest_vsb.run.journal import Ended, Event, Journal, Judged, Started, read_journals

starts = st.builds(
    Started,
    nodeid=st.sampled_from(NODEIDS),
    worker=st.just("w"),
    pid=st.just(1),
    time=st.integers(0, 5).map(float),
    digest=st.sampled_from(["", "one", "two"]),
)
judged = st.builds(Judged, time=st.integers(0, 5).map(float), attempt=attempts)
# Clocks that go back, equal times, and tasks that change.
journals = st.lists(
    st.tuples(st.sampled_from(["gw0", "gw1", "main"]), events | starts | judged), max_size=14
)


def write(run: Path, worker: str, *given: Event) -> Path:
    with contextlib.closing(Journal(run / "journal", worker)) as journal:
        for event in given:
            journal.append(event)
    return journal.path


def whole(run: Path) -> dict[str, ItemHistory]:
    """The same as ``read_history``, by reading all events at once."""
    items: dict[str, ItemHistory] = {}
    for event in read_journals(run):
        items.setdefault(event.nodeid, ItemHistory()).add(event)
    return items


def same(history: History, run: Path) -> bool:
    expected = whole(run)
    attempts = [place for item in expected.values() for place in item.attempts]
    # First, so that no item's whole history has been kept.
    made = {nodeid: history.attempts(nodeid) for nodeid in [*expected, "no item"]}
    return (
        made == {**{n: item.in_order() for n, item in expected.items()}, "no item": ()}
        and list(history) == list(expected)
        and {n: dataclasses.replace(i, unreadable=[]) for n, i in history.items()} == expected
        and history.samples() == max((sample + 1 for sample, _ in attempts), default=0)
    )


@given(journals, st.data())
@settings(deadline=None, max_examples=80)
def test_items_are_as_when_read_whole(given: list[tuple[str, Event]], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        run = Path(name)
        cut = data.draw(st.integers(0, len(given)))
        for worker, event in given[:cut]:
            write(run, worker, event)
        # A process is killed at any byte; others look at what there is, and go on.
        if cut:
            path = run / "journal" / f"{given[cut - 1][0]}.jsonl"
            content = path.read_bytes()
            path.write_bytes(content[: len(content) - data.draw(st.integers(0, 40))])
        history = read_history(run)
        assert same(history, run)
        history.save(run / "index")
        for worker, event in given[cut:]:
            write(run, worker, event)
        history.refresh()
        assert same(history, run)
        assert same(History(run, run / "index"), run)
        assert all(line.torn for line in history.unreadable)
        assert History(run, run / "index").unreadable == read_history(run).unreadable


def test_a_history_is_of_the_time_when_it_was_read(tmp_path: Path) -> None:
    write(tmp_path, "gw0", Started("x", "gw0", 1, 1.0, "one"), Judged(2.0, attempt(nodeid="x")))
    history = read_history(tmp_path)
    write(tmp_path, "gw0", Started("x", "gw0", 1, 3.0, "two"), Ended("y", "done", "", 4.0))
    assert (history["x"].digest, list(history)) == ("one", ["x"])
    history.refresh()
    assert (history["x"].digest, history["x"].attempts, list(history)) == ("two", {}, ["x", "y"])


def test_lines_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    path = write(tmp_path, "gw0", Ended("x", "done", "", 1.0))
    damaged = path.read_bytes().replace(b'"done"', b"done")
    with path.open("ab") as file:
        # Damaged, of another version, torn by a kill; blank lines lose nothing.
        file.write(damaged + b'\n{"event":"moved","nodeid":"x"}\n\n{"event":"ended","no')
    write(tmp_path, "gw0", Ended("y", "done", "", 2.0))
    with path.open("ab") as file:
        file.write(b'{"event":"ended","nodeid":"z","time":3')  # being written
    history = read_history(tmp_path)
    assert list(history) == ["x", "y"]
    assert [(each.line, each.torn) for each in history.unreadable] == [
        (2, False),
        (4, False),
        (6, True),
    ]
    assert {each.path for each in history.unreadable} == {path}
    lines = path.read_bytes()
    assert all(lines[each.offset :].startswith(b'{"event":') for each in history.unreadable)
    with path.open("ab") as file:
        file.write(b',"status":"done","reason":""}\n')
    history.refresh()
    assert (list(history), len(history.unreadable)) == (["x", "y", "z"], 3)


JUDGED = b'{"event":"judged","time":3.0,"attempt":{"nodeid":"x","sample":1,'


@pytest.mark.parametrize(
    ("line", "nodeid"),
    [
        (JUDGED + b'"round":0,"verdict"\x00}}\n', "x"),
        (b"\x00" * 40 + b"\n", "x"),  # its process was at work on x
        (b'{"event":"judged","attempt":{"reason":"\\"nodeid\\":\\"y\\"","nodeid":"y"\n', "y"),
        (b'{"event":"judged","attempt":{"nodeid":"no such item"}}\n', "no such item"),
    ],
)
def test_an_item_with_lines_that_cannot_be_read_is_not_done(
    tmp_path: Path, line: bytes, nodeid: str
) -> None:
    write(tmp_path, "gw1", Started("y", "gw1", 1, 0.5, "d"), Ended("y", "done", "", 0.6))
    path = write(tmp_path, "gw0", Started("x", "gw0", 1, 1.0, "d"))
    write(tmp_path, "gw0", Judged(2.0, attempt(nodeid="x", kind=VerdictKind.REJECTED)))
    with path.open("ab") as file:
        file.write(line)
    write(tmp_path, "gw0", Ended("x", "done", "", 4.0))
    history = read_history(tmp_path)
    assert [(each.place, each.nodeid) for each in history.unreadable] == [
        ("journal/gw0.jsonl:3", nodeid)
    ]
    history.save(tmp_path / "index")
    for read in (history, History(tmp_path, tmp_path / "index")):
        for name in ("x", "y"):
            told = ("unfinished", "lines of the journal cannot be read: journal/gw0.jsonl:3")
            assert read[name].outcome == (told if name == nodeid else ("done", ""))
            assert read[name].status == "done"
    # What is missing is made again when the run is resumed.
    write(tmp_path, "main", Started("x", "main", 2, 5.0, "d"), Ended("x", "done", "", 6.0))
    resumed = read_history(tmp_path)
    assert resumed["x"].outcome == ("done", "")
    assert [each.nodeid for each in resumed.unreadable] == ([nodeid] if nodeid != "x" else [])


def test_only_what_there_is_room_for_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_module, "_ROOM", 4000)
    text = "x" * 1500
    for number in range(6):
        given = attempt(nodeid=f"item {number}", reason=text, kind=VerdictKind.REJECTED)
        write(tmp_path, "main", Judged(float(number), given))
    history = read_history(tmp_path)
    for _ in range(2):
        assert [item.in_order()[0].verdict.reason for item in history.values()] == [text] * 6
    assert history["item 5"] is history["item 5"]
    first = history["item 0"]
    assert [history[f"item {number}"].in_order() for number in range(1, 6)]
    assert history["item 0"] is not first
    assert history["item 0"] == first


def test_a_journal_that_is_changed_meanwhile(tmp_path: Path) -> None:
    path = write(tmp_path, "gw0", Ended("x", "done", "", 1.0), Ended("y", "done", "", 2.0))
    history = read_history(tmp_path)
    history.save(tmp_path / "index")
    path.write_bytes(path.read_bytes()[1:])
    with pytest.raises(UsageError, match="changed while it was read"):
        history["y"]
    assert list(History(tmp_path, tmp_path / "index")) == ["y"]
    path.unlink()
    with pytest.raises(OSError, match="No such file"):
        history["x"]
    assert list(History(tmp_path, tmp_path / "index")) == []
    (tmp_path / "index").write_bytes(b"\0 no index")
    assert list(History(tmp_path, tmp_path / "index")) == []


def test_an_attempt_of_another_state_of_the_task_gives_no_samples(tmp_path: Path) -> None:
    many = dataclasses.replace(attempt(nodeid="x"), sample=31)
    write(tmp_path, "main", Started("x", "main", 1, 1.0, "one"), Judged(2.0, many))
    assert read_history(tmp_path).samples() == 32
    write(tmp_path, "main", Started("x", "main", 1, 3.0, ""))
    assert read_history(tmp_path).samples() == 32
    write(tmp_path, "main", Started("x", "main", 1, 4.0, "two"))
    assert read_history(tmp_path).samples() == 0
