"""The journal: what is written is read again, torn or whole."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_records import NODEIDS, attempt, attempts, events

from pytest_vsb.errors import UsageError
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.provers.base import Answer, Candidate
from pytest_vsb.run.history import ItemHistory, read_history
from pytest_vsb.run.journal import (
    Answered,
    Asked,
    Event,
    Journal,
    Judged,
    read_events,
    read_journals,
)
from pytest_vsb.run.responses import ResponseStore


@contextlib.contextmanager
def journal(run: Path, worker: str = "main") -> Iterator[Journal]:
    with contextlib.closing(Journal(run / "journal", worker)) as opened:
        yield opened


def written(run: Path, *given: Event, worker: str = "main") -> Path:
    with journal(run, worker) as opened:
        for event in given:
            opened.append(event)
    return opened.path


@given(st.lists(events, max_size=6))
@settings(deadline=None, max_examples=60)
def test_round_trip(given: list[Event]) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = written(Path(name), *given)
        assert list(read_events(path)) == given


@given(st.lists(events, min_size=1, max_size=4), st.data())
@settings(deadline=None, max_examples=60)
def test_torn_at_any_byte_loses_the_last_event_at_most(
    given: list[Event], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = written(Path(name), *given)
        whole = path.read_bytes()
        begin = len(b"".join(whole.splitlines(keepends=True)[:-1]))
        path.write_bytes(whole[: data.draw(st.integers(begin, len(whole)))])
        assert list(read_events(path)) in (given, given[:-1])
        # The next session of the same worker goes on in the same file.
        with journal(Path(name)) as opened:
            opened.append(given[0])
        found = list(read_events(path))
        assert found[-1] == given[0]
        assert found[:-1] in (given, given[:-1])


@given(st.lists(attempts, max_size=6))
@settings(deadline=None, max_examples=60)
def test_history_keeps_the_newest_complete_attempt_of_each_place(given: list) -> None:  # type: ignore[type-arg]
    with tempfile.TemporaryDirectory() as name:
        written(Path(name), *(Judged(float(i), a) for i, a in enumerate(given)))
        history = dict(read_history(Path(name)))
    expected: dict[tuple[str, int, int], object] = {}
    for reusable in (False, True):  # one that may be kept wins over any that may not
        for a in given:
            if a.reusable is reusable:
                expected[a.nodeid, a.sample, a.round] = a
    found = {
        (nodeid, *place): a
        for nodeid, item in history.items()
        for place, a in item.attempts.items()
    }
    assert found == expected
    for item in history.values():
        assert list(item.in_order()) == sorted(
            item.attempts.values(), key=lambda a: (a.sample, a.round)
        )
        assert all(a.complete and a.verdict.counts for a in item.reusable().values())


def test_lines_that_are_no_events_are_passed_over(tmp_path: Path) -> None:
    good = Asked(NODEIDS[0], 0, 0, 1.0)
    path = written(tmp_path, good)
    with path.open("ab") as file:
        for line in (b"{}", b"[]", b"null", b"7", b'{"event": "other"}', b'{"event": []}'):
            file.write(line + b"\n")
        file.write(b'{"event": "asked", "nodeid": "x"}\n\xff\xfe\n\x00\n\n' + b"[" * 100_000)
    written(tmp_path, good)
    assert list(read_events(path)) == [good, good]


def test_journals_are_merged_by_time(tmp_path: Path) -> None:
    written(tmp_path, Asked("x", 0, 0, 1.0), Asked("x", 2, 0, 3.0), worker="gw0")
    written(tmp_path, Asked("x", 1, 0, 2.0), Asked("x", 3, 0, 4.0), worker="gw1")
    assert [e.sample for e in read_journals(tmp_path) if isinstance(e, Asked)] == [0, 1, 2, 3]


def test_no_journal_is_an_empty_history(tmp_path: Path) -> None:
    assert read_history(tmp_path) == {}


def test_lone_surrogates_are_replaced(tmp_path: Path) -> None:
    answer = Answer(Candidate(proof="\ud800 ℝ"), malformed="\udfff")
    path = written(tmp_path, Answered("x", 0, 0, 1.0, answer))
    (event,) = read_events(path)
    assert isinstance(event, Answered)
    assert event.answer is not None
    assert event.answer.candidate == Candidate(proof="? ℝ")


def test_directory_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "journal").write_text("a file")
    with pytest.raises(UsageError, match="the journal cannot be written"):
        Journal(tmp_path / "journal", "main")


def test_events_are_on_disk_when_appended(tmp_path: Path) -> None:
    with journal(tmp_path) as opened:
        opened.asked("x", 0, 0)
        assert json.loads(opened.path.read_bytes())["event"] == "asked"


def test_responses_go_to_files_of_their_own(tmp_path: Path) -> None:
    with journal(tmp_path) as opened:
        kept = opened.answered("x", 0, 0, Answer(Candidate("p"), response="raw ℝ"))
        again = opened.answered("x", 1, 0, Answer(Candidate("p"), response="raw ℝ"))
        assert opened.answered("x", 2, 0, None) is None
    assert kept is not None
    assert kept == again
    assert kept.response == ""
    assert ResponseStore(tmp_path / "responses").get(kept.response_digest) == "raw ℝ"
    assert len(list((tmp_path / "responses").iterdir())) == 1
    assert "raw" not in opened.path.read_text("utf-8")


def test_place_in_flight() -> None:
    item = ItemHistory()
    item.add(Asked("x", 0, 0, 1.0))
    assert item.asked == {(0, 0)}
    item.add(Judged(2.0, attempt(0, 0, VerdictKind.ACCEPTED)))
    assert not item.asked
    item.add(Asked("x", 1, 0, 3.0))
    item.add(Answered("x", 1, 0, 4.0, None))
    assert not item.asked


def test_what_was_made_of_a_task_that_changed_is_left_out(tmp_path: Path) -> None:
    with journal(tmp_path) as opened:
        opened.started(NODEIDS[0], "old")
        opened.answered(NODEIDS[0], 0, 0, Answer(Candidate("p")))
        opened.judged(attempt(0, 0, VerdictKind.ACCEPTED))
        opened.ended(NODEIDS[0], "done")
        assert read_history(tmp_path)[NODEIDS[0]].in_order() != ()
        opened.started(NODEIDS[0], "old")
        assert read_history(tmp_path)[NODEIDS[0]].in_order() != ()
        opened.started(NODEIDS[0], "new")
    history = read_history(tmp_path)[NODEIDS[0]]
    assert (history.attempts, history.answers, history.digest) == ({}, {}, "new")
