"""``--vsb-shard`` in pytest: how long tasks took before, which shard this is, and saying so."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING

import pytest

from pytest_vsb.errors import UsageError
from pytest_vsb.plugin import options

if TYPE_CHECKING:
    from pytest_vsb.tasks.shards import ShardPlan

TIMES_KEY = "vsb_shard_times"
PLAN_KEY = "vsb_shard_plan"
PLAN: pytest.StashKey[ShardPlan] = pytest.StashKey()
_TIMES: pytest.StashKey[Mapping[str, int]] = pytest.StashKey()


def times(config: pytest.Config) -> Mapping[str, int]:
    """Milliseconds that tasks took, by nodeid, in the run that ``--vsb-shard-times`` names; empty
    without one. A worker has them from the main process.

    Raises:
        UsageError: there is no such run, or no shard to use it for.
    """
    if _TIMES not in config.stash:
        given = getattr(config, "workerinput", {}).get(TIMES_KEY)
        config.stash[_TIMES] = _read(config) if given is None else given
    return config.stash[_TIMES]


def _read(config: pytest.Config) -> Mapping[str, int]:
    path = options.shard_times(config)
    if path is None:
        return {}
    from pytest_vsb.report.loaded import load_run

    try:
        results = load_run(path).results
    except UsageError as error:
        raise UsageError(
            error.message, where=f"--vsb-shard-times: {error.where}", hint=error.hint
        ) from error
    return {
        result.task.nodeid: round(1000 * (result.lean_seconds + result.usage.seconds))
        for result in results
        if result.attempts
    }


def keep(config: pytest.Config, plan: ShardPlan) -> None:
    """Remember which shard this session is, for the run directory and for whoever reads.

    Raises:
        UsageError: the run whose times were to be used knows none of the tasks.
    """
    if plan.of and not plan.timed and options.shard_times(config) is not None:
        raise UsageError(
            f"none of the {plan.of} tasks has been attempted in that run",
            where=f"--vsb-shard-times={options.shard_times(config)}",
            hint="tasks are known by their nodeids: name a run that was started in the same place",
        )
    config.stash[PLAN] = plan
    output = getattr(config, "workeroutput", None)
    if output is not None:
        output[PLAN_KEY] = [str(plan), len(plan.chosen), plan.of]


class ShardReporter:
    """Says in the main process which shard has run, and that having nothing to do is no failure
    for one of more shards than tasks."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self._told: tuple[str, int, int] | None = None

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        found = getattr(node, "workeroutput", {}).get(PLAN_KEY)
        if found:
            self._told = (found[0], found[1], found[2])

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        plan = self.config.stash.get(PLAN, None)
        if plan is not None:
            self._told = (str(plan), len(plan.chosen), plan.of)
        outcome = yield
        # Last of all: other plugins set the status, too.
        nothing = session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED
        if nothing and self._told and not self._told[1] and self._told[2]:
            session.exitstatus = pytest.ExitCode.OK
        return outcome

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._told:
            terminalreporter.write_line(f"vsb {self._told[0]}")
