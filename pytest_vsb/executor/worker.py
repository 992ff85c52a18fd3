"""Makes a Dask worker one that judges::

    dask worker ADDRESS --preload pytest_vsb.executor.worker

It announces, as Dask resources, the repositories that its machine has in ``VSB_REPOS_DIR``, and how
many Leans may run at once: by cores and memory, or ``VSB_LEAN_JOBS``.
"""

from __future__ import annotations

import logging

from distributed.worker import Worker

from pytest_vsb.executor import repositories, work

_log = logging.getLogger("distributed.worker")


def resources(threads: int) -> dict[str, float]:
    """What a worker with so many threads announces; raises ``UsageError``."""
    jobs = float(min(threads, repositories.lean_jobs()))
    found = {repositories.resource(name): jobs for name in repositories.repositories()}
    return {repositories.LEAN: jobs, **found}


def dask_setup(worker: Worker) -> None:
    """Called by Dask before the worker tells the scheduler of itself."""
    ours = resources(worker.state.nthreads)
    worker.state.total_resources.update(ours)
    worker.state.available_resources.update(ours)
    names = ", ".join(repositories.announced(ours))
    _log.info("pytest-vsb: %g Lean jobs; repositories: %s", ours[repositories.LEAN], names)
    if not names:
        _log.warning("pytest-vsb: no repositories here; set VSB_REPOS_DIR to their directory")


def dask_teardown(worker: Worker) -> None:
    """Called by Dask when the worker ends in an orderly way."""
    work.close()
