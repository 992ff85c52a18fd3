from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_vsb.lean.interactive import Interactive, Stopped
from pytest_vsb.lean.process import Limits


@pytest.fixture
def cat(tmp_path: Path) -> Iterator[Interactive]:
    one = Interactive()
    one.start(["cat"], cwd=tmp_path, env=os.environ, limits=Limits(60.0))
    try:
        yield one
    finally:
        one.end()


def test_what_is_sent_comes_back(cat: Interactive) -> None:
    cat.send(b"a word")
    assert cat.receive(60) == b"a word"
    assert cat.receive(0) == b""
    assert not cat.is_over()


def test_end_of_the_command(cat: Interactive) -> None:
    cat.send(b"one")
    assert cat.receive(60) == b"one"
    (pid,) = cat.pids()
    os.kill(pid, 15)
    assert cat.receive(60) is None
    assert cat.ending().signal == 15
    with pytest.raises(Stopped):
        cat.receive(0)
    with pytest.raises(Stopped):
        cat.ending()


def ends_of(one: Interactive, begun: threading.Event, found: list[object]) -> None:
    try:
        begun.set()
        found.append(one.receive(60))
    except BaseException as error:
        found.append(error)
    finally:
        one.end()


@pytest.mark.parametrize("how", ["stop", "end"])
def test_another_thread_makes_an_end(tmp_path: Path, how: str) -> None:
    for number in range(8):
        one = Interactive()
        one.start(["cat"], cwd=tmp_path, env=os.environ, limits=Limits(60.0))
        found: list[object] = []
        begun = threading.Event()
        thread = threading.Thread(target=ends_of, args=(one, begun, found))
        thread.start()
        begun.wait(20)
        threading.Event().wait(number * 0.01)
        getattr(one, how)()
        thread.join(30)
        assert [type(each) for each in found] == [Stopped]
        one.end()
        assert one.pids() == ()
