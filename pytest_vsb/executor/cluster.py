"""This process's connection to a Dask cluster: a job goes there, and a reply comes back.

Whatever fails on the way is the environment's fault. What a worker was doing that died is done by
another: Dask sees to that, up to its ``allowed-failures``.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from distributed import Client, Future, KilledWorker

from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.executor import address, repositories
from pytest_vsb.executor.waiting import Notice
from pytest_vsb.words import counted

WAIT_VARIABLE = "VSB_DASK_WAIT"
WAIT_SECONDS = 120.0
"""How long a job waits while no worker announces its repository; workers take time to start."""

CONNECT_SECONDS = 15.0
_AGAIN_SECONDS = 60.0
"""After a connection has failed, how long all that is asked fails at once."""
_LOOK_SECONDS, _MOST_LOOK_SECONDS = 1.0, 15.0
"""How often a job that waits looks at which workers there are: at first, and later."""
_POLL_SECONDS = 0.5

_PRELOAD = "dask worker ADDRESS --preload pytest_vsb.executor.worker"

Work = Callable[[bytes, "bytes | None"], bytes]


@dataclass(frozen=True)
class Done:
    """What a job gave back, and the result itself, which stays on its worker as long as this is
    kept, to be given to others as their anchor."""

    data: bytes
    future: Future


class Cluster:
    """A connection, made when it is first needed.

    Args:
        where: the scheduler's address or file; see :func:`.address.parse_executor`.
        wait: seconds that a job waits for a worker that announces its repository.
        notice: where to say that jobs wait.
    """

    def __init__(
        self, where: str, *, wait: float | None = None, notice: Notice | None = None
    ) -> None:
        self.where = where
        self._notice = notice
        self._wait = wait_seconds() if wait is None else wait
        self._client: Client | None = None
        self._failed: tuple[float, EnvironmentUnavailable] | None = None
        self._absent: dict[str, float] = {}

    @property
    def client(self) -> Client:
        """The client; raises ``EnvironmentUnavailable`` if there is no scheduler."""
        if self._client is not None and self._client.status in ("closed", "closing"):
            self._client = None
        if self._client is None:
            now = time.monotonic()
            if self._failed is not None and now - self._failed[0] < _AGAIN_SECONDS:
                raise self._failed[1]
            self._client = self._connect()
            self._failed = None
        return self._client

    def _connect(self) -> Client:
        given: dict[str, Any] = {"address": self.where}
        if address.is_file(self.where):
            given = {"scheduler_file": self.where}
        name = f"pytest-vsb-{socket.gethostname()}-{os.getpid()}"
        try:
            return Client(**given, name=name, set_as_default=False, timeout=CONNECT_SECONDS)
        except Exception as error:
            found = EnvironmentUnavailable(
                f"there is no Dask scheduler at {self.where}: {_said(error)}",
                where="--vsb-executor",
                hint="is `dask scheduler` running, and can this machine reach it? For TLS, see "
                "Dask's configuration",
            )
            self._failed = (time.monotonic(), found)
            raise found from error

    def announced(self) -> Mapping[str, tuple[str, ...]]:
        """The repositories that each worker announces, by its address.

        Raises:
            EnvironmentUnavailable: there is no scheduler.
        """
        return {
            worker: repositories.announced(facts.get("resources") or {})
            for worker, facts in self._workers().items()
        }

    def describe(self) -> str:
        """One line for a report's header; raises ``EnvironmentUnavailable``."""
        workers = self._workers()
        jobs = sum(
            (facts.get("resources") or {}).get(repositories.LEAN, 0) for facts in workers.values()
        )
        names = sorted({name for names in self.announced().values() for name in names})
        return (
            f"Dask at {self.where}: {counted(len(workers), 'worker')}, "
            f"{counted(int(jobs), 'Lean job')}, "
            f"{', '.join(names) or 'no repositories'}"
        )

    def lacking(self) -> str:
        """What keeps all jobs waiting as the cluster is now, and what to do; empty where a worker
        announces a repository. Raises ``EnvironmentUnavailable``."""
        if any(self.announced().values()):
            return ""
        what = "no worker announces a repository" if self._workers() else "there are no workers"
        return (
            f"{what}: checks wait for one for {self._wait:g} s ({WAIT_VARIABLE}); start: {_PRELOAD}"
        )

    def _workers(self) -> Mapping[str, Mapping[str, Any]]:
        client = self.client
        try:
            try:
                info = client.scheduler_info(n_workers=-1)
            except TypeError:  # older ones always tell of all
                info = client.scheduler_info()
        except (OSError, RuntimeError, ValueError) as error:
            raise self._lost(_said(error)) from error
        found: Mapping[str, Mapping[str, Any]] = info["workers"]
        return found

    def run(
        self,
        work: Work,
        data: bytes,
        repository: str,
        *,
        anchor: Future | None = None,
        avoid: Collection[str] = (),
    ) -> Done:
        """Have ``work`` done on a worker that announces the repository, and wait for what it gives
        back.

        Whatever ends the wait early (Ctrl-C, a time limit) cancels the job: the worker ends the
        Lean that it runs for it.

        Args:
            anchor: an earlier result; the job is rather done where that is.
            avoid: addresses of workers that are not to do it.

        Raises:
            EnvironmentUnavailable: no worker can or will.
        """
        for last in (False, True):
            future = self._submit(work, data, repository, anchor, avoid)
            try:
                try:
                    self._await(future, repository, avoid)
                finally:
                    if self._notice is not None:
                        self._notice.over(future.key)
                if future.status == "finished":
                    found = self._result(future)
                    if found is not None:
                        return Done(found, future)
                elif future.status == "error":
                    self._raise(future)
            except BaseException:
                # Not `cancel`, which waits for the scheduler: nobody else wants it.
                future.release()
                raise
            # The connection was lost for a moment, or the scheduler began anew.
            status = future.status
            future.release()
            anchor = None
            if last or not self._reconnected():
                break
        raise self._lost(f"the job is {status}")

    def _submit(
        self,
        work: Work,
        data: bytes,
        repository: str,
        anchor: Future | None,
        avoid: Collection[str],
    ) -> Future:
        workers = None
        if avoid:
            having = self.having(repository)
            workers = [worker for worker in having if worker not in avoid]
        near = anchor is not None and anchor.status == "finished" and anchor.client is self.client
        try:
            return self.client.submit(
                work,
                data,
                anchor if near else None,
                resources={repositories.resource(repository): 1, repositories.LEAN: 1},
                workers=workers or None,
                key=f"vsb-{work.__name__}-{uuid.uuid4().hex}",
            )
        except (OSError, RuntimeError) as error:
            raise self._lost(_said(error)) from error

    def having(self, repository: str) -> tuple[str, ...]:
        """The addresses of the workers that announce a repository.

        Raises:
            EnvironmentUnavailable: there is no scheduler.
        """
        name = repositories.base_name(repository)
        return tuple(worker for worker, names in self.announced().items() if name in names)

    def _await(self, future: Future, repository: str, avoid: Collection[str]) -> None:
        """Wait until a job is over, one way or the other.

        Raises:
            EnvironmentUnavailable: for too long, no worker has announced the repository.
        """
        over = threading.Event()
        future.add_done_callback(lambda _: over.set())
        pause = _LOOK_SECONDS
        look = time.monotonic() + pause
        while not over.wait(_POLL_SECONDS):
            if future.status != "pending":
                return
            if time.monotonic() < look:
                continue
            self._check_workers(repository, avoid, future.key)
            pause = min(_MOST_LOOK_SECONDS, 2 * pause, max(_LOOK_SECONDS, self._wait / 4))
            look = time.monotonic() + pause

    def _check_workers(self, repository: str, avoid: Collection[str], job: str) -> None:
        name = repositories.base_name(repository)
        having = [worker for worker in self.having(repository) if worker not in avoid]
        if having:
            self._absent.pop(name, None)
            if self._notice is not None:
                self._notice.over(job)
            return
        since = self._absent.setdefault(name, time.monotonic())
        waited = time.monotonic() - since
        if waited < self._wait:
            if self._notice is not None:
                self._notice.waits(job, repository, waited, self._wait)
            return
        raise self._nobody(repository, avoid)

    def _nobody(self, repository: str, avoid: Collection[str]) -> EnvironmentUnavailable:
        there = self.announced()
        told = "; ".join(
            f"{worker}: {', '.join(names) or 'none'}" for worker, names in there.items()
        )
        other = " other" if avoid else ""
        return EnvironmentUnavailable(
            f"no{other} Dask worker has announced the repository {repository} for {self._wait:g} s",
            where=self.where,
            hint=f"announced are: {told}" if told else f"there are no workers; start: {_PRELOAD}",
        )

    def _result(self, future: Future) -> bytes | None:
        """What a job that is done gave back; ``None`` if it has gone with its worker."""
        try:
            found = future.result(timeout=60)
        except Exception:
            return None
        return bytes(found)

    def _raise(self, future: Future) -> None:
        error = future.exception(timeout=CONNECT_SECONDS)
        if isinstance(error, KilledWorker):
            # By the machine, as far as anybody knows: Lean runs below limits of its own.
            raise EnvironmentUnavailable(
                f"{error.allowed_failures + 1} Dask workers died while they judged this; the last "
                f"was {error.last_worker.address}",
                where=self.where,
                hint="do their machines have the memory that --vsb-check-memory and the number of "
                "Lean jobs ask for? The workers' logs may tell",
            ) from error
        raise EnvironmentUnavailable(
            f"a Dask worker could not run the check: {_said(error)}",
            where=self.where,
            hint="is the same pytest-vsb installed on all workers, and are they started by "
            f"`{_PRELOAD}`?",
        ) from error

    def _reconnected(self) -> bool:
        """Wait a little for the scheduler to be there again."""
        end = time.monotonic() + CONNECT_SECONDS
        while self._client is not None and time.monotonic() < end:
            if self._client.status != "connecting":
                return bool(self._client.status == "running")
            time.sleep(_POLL_SECONDS)
        return False

    def _lost(self, why: str) -> EnvironmentUnavailable:
        found = EnvironmentUnavailable(
            f"the Dask scheduler is gone: {why}",
            where=self.where,
            hint="start it again and resume the run: what was judged is kept",
        )
        if self._client is None or self._client.status != "running":
            self._failed = (time.monotonic(), found)
        return found

    def close(self) -> None:
        """End the connection; what still runs is cancelled."""
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(Exception):
                client.close(timeout=2)


def wait_seconds() -> float:
    """How long to wait for workers: ``VSB_DASK_WAIT``, or :data:`WAIT_SECONDS`.

    Raises:
        UsageError: the variable is no number of seconds.
    """
    given = os.environ.get(WAIT_VARIABLE, "").strip()
    try:
        seconds = float(given or WAIT_SECONDS)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise UsageError(f"{given!r} is not a number of seconds", where=WAIT_VARIABLE)
    return seconds


def _said(error: BaseException | None) -> str:
    text = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
