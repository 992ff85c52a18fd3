"""Running items in this process, and what their reports carry to the main process."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import pytest

from pytest_vsb.errors import VsbError, described
from pytest_vsb.plugin import options
from pytest_vsb.plugin.gate import GATE
from pytest_vsb.plugin.items import RUNNER as RUNNER
from pytest_vsb.plugin.shards import PLAN
from pytest_vsb.provers.base import Excluded
from pytest_vsb.report.failure import best_attempt, explain
from pytest_vsb.report.fold import fold_task
from pytest_vsb.report.gate import Change
from pytest_vsb.report.junit import gate_properties, properties
from pytest_vsb.run import jsontext
from pytest_vsb.run.budget import BudgetExhausted
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.records import Attempt, TaskFacts, TaskResult
from pytest_vsb.run.session import KNOWN_BAD, RunSession
from pytest_vsb.run.settings import Settings
from pytest_vsb.tasks.dataset import task_digest

if TYPE_CHECKING:
    from pytest_vsb.plugin.items import TaskItem

PROVER_SECONDS = 600.0
"""What one answer may take before its item is thought to hang, if the prover says no more."""

SETUP_SECONDS = 600.0
"""The same for compiling what a task imports."""


@dataclass(frozen=True)
class Payload:
    """What an item's report carries: the attempts made in this session, the result, and what has
    changed, in words, if what earlier sessions made does not count for that."""

    attempts: tuple[Attempt, ...]
    result: TaskResult
    anew: tuple[str, ...] = ()


def encode(payload: Payload) -> str:
    return jsontext.encode(payload).decode()


def decode(text: str) -> Payload:
    return msgspec.json.decode(text, type=Payload)


class ItemRunner:
    """Runs the task items of this process."""

    def __init__(
        self,
        config: pytest.Config,
        settings: Settings,
        directory: RunDirectory,
        session: RunSession,
    ) -> None:
        self.config = config
        self.settings = settings
        self.directory = directory
        self.session = session
        self.fail_on = options.fail_on(config)
        self.baseline = config.stash.get(GATE, None)

    def fails(self, result: TaskResult) -> bool:
        """Whether an item with this result fails."""
        if result.solved or self.fail_on == "never":
            return False
        if self.fail_on == "unsolved" or self.baseline is None:
            return True
        return self.baseline.judge(result).change is Change.REGRESSED

    def add_tasks(self, items: list[TaskItem]) -> None:
        """Record what is in the run."""
        self.directory.add_tasks(self._facts(item) for item in items)

    def add_shard(self) -> None:
        """Record which shard of a run this is, if it is one."""
        plan = self.config.stash.get(PLAN, None)
        if plan is not None:
            self.directory.add_shard(plan.shard.index, plan.shard.count, plan.plan)

    def limit_time(self, items: list[TaskItem]) -> None:
        """Mark each item with a limit that no sound run comes near, unless the user set one."""
        manager = self.config.pluginmanager
        if not items or not manager.hasplugin("timeout") or _has_own_timeout(self.config):
            return
        marker = pytest.mark.timeout(self.item_seconds())
        for item in items:
            item.add_marker(marker)

    def item_seconds(self) -> float:
        """The most an item may take: k samples of 1 + r rounds, each an answer and two Lean
        processes, which may have to wait for the other workers' Lean processes."""
        protocol, check = self.settings.protocol, self.settings.limits.wall_seconds
        workers = int(getattr(self.config, "workerinput", {}).get("workercount", 1))
        # Where memory is short, or on a cluster of one worker, Lean processes run one at a time.
        crowd = max(1, workers)
        rounds = protocol.most_attempts
        own = float(getattr(self.session.workshop.prover, "answer_seconds", 0.0))
        answer = max(PROVER_SECONDS, own)
        return SETUP_SECONDS + 2 * check * crowd + rounds * (answer + 2 * check * crowd)

    def prepare(self, item: TaskItem) -> bool:
        """Begin an item; false if it is known to be bad or the run's budget leaves nothing for
        it."""
        item.result = None
        item.attempts = []
        if item.task.known_bad and not options.value(self.config, "run-known-bad"):
            self.session.leave_out(item.task, item.nodeid)
            item.result = self._fold(item, KNOWN_BAD, item.task.known_bad)
            return False
        try:
            self.session.prepare(item.task, item.nodeid)
        except BudgetExhausted as error:
            item.attempts = [*self.session.earlier(item.nodeid).in_order()]
            item.result = self._fold(item, "budget", str(error))
            return False
        except VsbError as error:
            item.attempts = [*self.session.earlier(item.nodeid).in_order()]
            item.result = self._fold(item, "unavailable", str(error))
            raise
        return True

    def run(self, item: TaskItem) -> TaskResult:
        try:
            status, reason = self.session.run(item.task, item.nodeid, item.attempts, item.following)
        except BudgetExhausted as error:
            return self._fold(item, "budget", str(error))
        except Excluded as error:
            return self._fold(item, "excluded", str(error))
        except pytest.fail.Exception as error:
            item.result = self._fold(item, "cut_off", str(error))
            raise
        except OSError as error:
            # What cannot be journaled must not be asked for.
            item.session.shouldstop = f"the run directory cannot be written: {error}"
            item.result = self._fold(item, "unavailable", item.session.shouldstop)
            raise VsbError(item.session.shouldstop) from error
        except Exception as error:
            item.result = self._fold(item, "unavailable", described(error))
            raise
        return self._fold(item, status, reason)

    def decorate(self, item: TaskItem, report: pytest.TestReport) -> None:
        """Put an item's result on its report, for the main process and for JUnit."""
        if report.when == "teardown":
            # Items live as long as the session; the journals have the attempts.
            item.attempts = []
            return
        if item.result is None:
            return
        if report.when == "setup" and report.passed:
            return
        earlier = self.session.earlier(item.nodeid).attempts
        fresh = tuple(a for a in item.attempts if earlier.get((a.sample, a.round)) != a)
        item.user_properties[:] = properties(item.result)
        if self.baseline is not None:
            found = self.baseline.judge(item.result)
            item.user_properties += gate_properties(found)
            report.vsb_change = str(found.change)  # type: ignore[attr-defined]
        report.user_properties = list(item.user_properties)
        anew = self.session.anew(item.nodeid)
        report.vsb = encode(Payload(fresh, item.result, anew))  # type: ignore[attr-defined]
        if item.result.status == "unavailable" and report.failed:
            # pytest and JUnit count what fails outside the call as an error, not as a failure.
            report.when = "setup"

    def explain(self, item: TaskItem) -> str:
        if item.result is None:
            return ""
        text = explain(item.result, best_attempt(item.attempts))
        change = self.baseline.judge(item.result).text if self.baseline else ""
        return f"{change}\n{text}" if change else text

    def _fold(self, item: TaskItem, status: str, reason: str) -> TaskResult:
        return fold_task(
            self._facts(item),
            item.attempts,
            samples=self.settings.protocol.samples,
            status=status,
            reason=reason,
        )

    def _facts(self, item: TaskItem) -> TaskFacts:
        return TaskFacts.of(item.task, item.nodeid, task_digest(item.task))


def _has_own_timeout(config: pytest.Config) -> bool:
    return bool(
        config.getoption("--timeout", None) is not None
        or config.getini("timeout")
        or os.environ.get("PYTEST_TIMEOUT")
    )
