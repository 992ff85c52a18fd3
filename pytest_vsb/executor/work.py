"""The functions that Dask's workers call. What they are given and give back is plain JSON."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Iterator

from distributed import get_worker
from distributed.worker import Worker

from pytest_vsb.errors import VsbError
from pytest_vsb.executor.bench import Bench, Refused
from pytest_vsb.executor.identity import code_version
from pytest_vsb.executor.jobs import Job, Reply, Trouble, decode, encode
from pytest_vsb.judge.cache import CachedJudge, VerdictCache, open_verdicts
from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.verdict import Verdict
from pytest_vsb.lean import process

_LOOK_SECONDS = 0.25


@functools.cache
def bench() -> Bench:
    """The judges of this process."""
    return Bench(suspect=_forget_sessions)


def _forget_sessions() -> None:
    with _making:
        caches = [*_verdicts.values()]
    for cache in caches:
        cache.forget_sessions()


_verdicts: dict[bool, VerdictCache] = {}
_making = threading.Lock()


def verdicts(*, sessions: bool) -> VerdictCache:
    """The verdicts that need not be found again, those of warm Leans among them or not."""
    with _making:
        if sessions not in _verdicts:
            _verdicts[sessions] = VerdictCache(open_verdicts(), sessions=sessions)
        return _verdicts[sessions]


def close() -> None:
    """End what waits for the next job, and write what is to be kept."""
    bench().close()
    while _verdicts:
        _verdicts.popitem()[1].close()


def prepare(data: bytes, anchor: bytes | None = None) -> bytes:
    """Make sure that a job's task can be judged here. Its result is kept on the worker that made
    it, so that what is given it as ``anchor`` goes to the same worker: there, more is ready."""
    return _reply(data)


def check(data: bytes, anchor: bytes | None = None) -> bytes:
    """Judge a job's candidate; for ``anchor``, see :func:`prepare`."""
    return _reply(data)


def _reply(data: bytes) -> bytes:
    worker = get_worker()
    address = str(worker.contact_address)
    reply = Reply(code_version(), address)
    try:
        job = decode(data, Job)
        if job.plugin != code_version():
            what = f"pytest-vsb is {code_version()} there and {job.plugin} here"
            return encode(Reply(code_version(), address, refused=(what,)))
        with cancelled_with(worker), bench().checker(job) as checker:
            reply = Reply(code_version(), address, verdict=_do(job, checker))
    except Refused as error:
        reply = Reply(code_version(), address, refused=error.reasons, modules=error.modules)
    except VsbError as error:
        reply = Reply(code_version(), address, trouble=Trouble.of(error))
    return encode(reply)


def _do(job: Job, checker: Checker) -> Verdict | None:
    if job.candidate is None:
        checker.prepare(job.task)
        return None
    settings = job.settings
    if not settings.cache or settings.session == "verify":
        # What this process remembers may be of an earlier run.
        return checker.check(job.task, job.candidate)
    cache = verdicts(sessions=settings.session != "off")
    return CachedJudge(checker, checker.check, cache).check(job.task, job.candidate)


@contextlib.contextmanager
def cancelled_with(worker: Worker) -> Iterator[None]:
    """End the Lean that runs inside the ``with`` once nobody wants the result of the current task
    any more: its future was cancelled, or who held it is gone."""
    name = worker.get_current_task()
    over = threading.Event()
    with contextlib.closing(process.Cancel()) as cancel:

        def watch() -> None:
            while not over.wait(_LOOK_SECONDS):
                task = worker.state.tasks.get(name)
                if task is None or task.state == "cancelled":
                    cancel.set()
                    return

        watcher = threading.Thread(target=watch, name="vsb-watch", daemon=True)
        watcher.start()
        token = process.CANCEL.set(cancel)
        try:
            yield
        finally:
            process.CANCEL.reset(token)
            over.set()
            watcher.join()
