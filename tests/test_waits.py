"""Signals end a wait in the main thread, also those that do not interrupt it."""

from __future__ import annotations

import contextlib
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_vsb.lean import process
from pytest_vsb.lean.process import Limits
from pytest_vsb.prepare.outcomes import Outcome
from pytest_vsb.prepare.pool import Pool
from pytest_vsb.provers.base import Answer, Candidate, ProofRequest
from pytest_vsb.run.desk import Desk
from pytest_vsb.tasks.model import Task
from pytest_vsb.waits import take

pytestmark = pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread() or sys.platform == "win32",
    reason="signals come to the main thread",
)


Strike = Callable[[], contextlib.AbstractContextManager[None]]


class Struck(Exception):
    """What the handler raises."""


@pytest.fixture
def strike() -> Iterator[Strike]:
    """Lets a signal come soon, to a thread that is not waiting: the wait itself goes on. On a busy
    machine it may come before the wait."""

    def handler(_number: int, _frame: object) -> None:
        raise Struck

    def later() -> None:
        time.sleep(0.3)
        signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, handler)

    @contextlib.contextmanager
    def soon() -> Iterator[None]:
        threading.Thread(target=later, daemon=True).start()
        yield

    yield soon
    signal.signal(signal.SIGUSR1, before)


class Slow:
    """A prover that does not answer in time."""

    name = "slow"
    concurrency = 2
    needs_reference = False

    def prove(self, request: ProofRequest) -> Answer | None:
        time.sleep(20)
        return Answer(Candidate(":= rfl"))

    def close(self) -> None:
        pass


def test_a_queue(strike: Strike) -> None:
    with pytest.raises(Struck), strike():
        take(queue.SimpleQueue[int]())


def test_a_prover_that_is_waited_for(strike: Strike) -> None:
    task = Task(id="a", module="A", path="A.lean", name="a", statement="theorem a : True")
    request = ProofRequest(task=task, prefix="", sample=0, samples=2, round=0, seed=0)
    with Desk(Slow()) as desk:
        desk.ask((0, 0), request)
        with pytest.raises(Struck), strike():
            desk.next_reply()


def test_a_command_that_is_waited_for(strike: Strike, tmp_path: Path) -> None:
    with pytest.raises(Struck), strike():
        process.run(["/bin/sleep", "20"], cwd=tmp_path, env={}, limits=Limits(30.0))


def test_candidates_that_are_judged_at_once(strike: Strike) -> None:
    def judge(_task: Task) -> Outcome:
        time.sleep(20)
        return Outcome()

    tasks = [
        Task(id=name, module="A", path="A.lean", name=name, statement=f"theorem {name} : True")
        for name in "ab"
    ]
    with pytest.raises(Struck), strike():
        list(Pool(lambda: judge, 2).judge(tasks))
