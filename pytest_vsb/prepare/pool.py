"""Judging several candidates at once, in an order that is given."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence

from pytest_vsb.prepare.outcomes import Outcome
from pytest_vsb.tasks.model import Task
from pytest_vsb.waits import take

JudgeOf = Callable[[Task], Outcome]


class Pool:
    """Threads that judge, each with a judge of its own.

    They are daemons: an interrupt ends the process without waiting for them, and the Leans that
    they run end with it.

    Args:
        make: makes a judge.
        jobs: how many at once.
    """

    def __init__(self, make: Callable[[], JudgeOf], jobs: int) -> None:
        self._make = make
        self._jobs = max(1, jobs)
        self._judges: list[JudgeOf] = []

    def judge(self, tasks: Sequence[Task]) -> Iterator[tuple[Task, Outcome]]:
        """The outcomes of some tasks, each when it is known.

        Raises:
            BaseException: what a judge raised.
        """
        waiting: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        done: queue.SimpleQueue[tuple[Task, Outcome] | BaseException] = queue.SimpleQueue()
        workers = min(self._jobs, len(tasks))
        while len(self._judges) < workers:
            self._judges.append(self._make())
        if workers <= 1:
            # In the caller's own thread, which an interrupt reaches at once.
            for task in tasks:
                yield task, self._judges[0](task)
            return
        for item in (*tasks, *(None,) * workers):
            waiting.put(item)

        def work(judge: JudgeOf) -> None:
            try:
                while (task := waiting.get()) is not None:
                    done.put((task, judge(task)))
            except BaseException as error:
                done.put(error)

        for judge in self._judges[:workers]:
            threading.Thread(target=work, args=(judge,), name="vsb-prepare", daemon=True).start()
        for _ in tasks:
            found = take(done)
            if isinstance(found, BaseException):
                raise found
            yield found
