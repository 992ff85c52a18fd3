"""The main process of a run: hooks, JUnit, results and the terminal section."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
import shlex
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_vsb.errors import VsbError
from pytest_vsb.executor.address import is_remote
from pytest_vsb.plugin import junit
from pytest_vsb.plugin.progress import Progress
from pytest_vsb.plugin.runner import Payload, decode, encode
from pytest_vsb.plugin.setup import LACKING, PLACE
from pytest_vsb.report.fold import fold_run, fold_task
from pytest_vsb.report.junit import properties, suite_properties
from pytest_vsb.report.results import write_results
from pytest_vsb.report.section import TITLE, section_lines
from pytest_vsb.report.summary import Summary, ks_for, summarise, unreadable_lines
from pytest_vsb.report.text import clean
from pytest_vsb.run.changes import causes
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.history import History, ItemHistory, read_history
from pytest_vsb.run.journal import Journal
from pytest_vsb.run.records import TaskFacts, TaskResult
from pytest_vsb.run.session import end_crashed
from pytest_vsb.run.settings import Settings

CRASH_REASON = "the worker process died"
_NOTE = 2000
"""Characters of a note."""


class Controller:
    """What happens once a run, in the main process."""

    def __init__(self, config: pytest.Config, settings: Settings, directory: RunDirectory) -> None:
        self.config = config
        self.settings = settings
        self.directory = directory
        self.problems: list[str] = []
        self._summary: Summary | None = None
        self._recorded = ""
        self._page = ""
        self._anew: dict[str, tuple[str, ...]] = {}
        self._stopped = False
        self._tasks: dict[str, TaskFacts] = {}
        self._progress = Progress(config, self._waits if is_remote(settings.executor) else None)

    def _waits(self) -> str:
        """That checks wait for a worker of the cluster; empty while none does."""
        from pytest_vsb.executor.waiting import longest

        now = time.time()
        wait = longest(self.directory.waiting, now)
        return wait.text(now) if wait is not None else ""

    @functools.cached_property
    def run(self) -> dict[str, Any]:
        """The run as ``run.json`` has it."""
        return self.directory.read()

    @functools.cached_property
    def _history(self) -> History:
        """What the journals say; to be refreshed before it is used."""
        return read_history(self.directory.path)

    def pytest_report_header(self) -> list[str]:
        protocol = self.settings.protocol
        where = self.config.stash[PLACE]
        return [
            f"vsb: {self.settings.model}, {_count(protocol.samples, 'sample')}, "
            f"{_count(protocol.repairs, 'repair')}, seed {protocol.seed}; {self.run['lean']}",
            *(f"vsb {name}: {where[name]}" for name in ("executor", "sandbox") if name in where),
            *(f"vsb WARNING: {each}" for each in [self.config.stash.get(LACKING, "")] if each),
            f"vsb run: {self.directory.path}",
        ]

    def pytest_sessionstart(self) -> None:
        self._progress.start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._progress.item_started(nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        text = getattr(report, "vsb", None)
        if text is None:
            return
        payload = decode(text)
        self._progress.item_ended(report.nodeid, payload.result.solved)
        if payload.anew:
            self._anew[report.nodeid] = payload.anew
        for attempt in payload.attempts:
            self.config.hook.pytest_vsb_attempt(config=self.config, attempt=attempt)
        self.config.hook.pytest_vsb_task_result(config=self.config, result=payload.result)
        if report.when not in ("setup", "call", "teardown"):
            # JUnit takes an item's properties from its teardown, which a dead worker has not sent.
            junit.add_properties(self.config, report)
        # pytest keeps all reports to the end of the session; the journals have the attempts.
        report.vsb = encode(dataclasses.replace(payload, attempts=()))  # type: ignore[attr-defined]

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> None:
        if crashitem not in self._tasks:
            self._tasks = {task.nodeid: task for task in self.directory.tasks()}
        if crashitem not in self._tasks:
            return
        journal = Journal(self.directory.journal, "main")
        with contextlib.closing(journal):
            self._history.refresh()
            known = self._history.get(crashitem, ItemHistory())
            end_crashed(known, journal, crashitem, CRASH_REASON)
        self._history.refresh()
        attempts = self._history[crashitem].in_order()
        result = fold_task(
            self._tasks[crashitem],
            attempts,
            samples=self.settings.protocol.samples,
            status="crashed",
            reason=CRASH_REASON,
        )
        report.user_properties = [*properties(result)]
        report.vsb = encode(Payload(attempts, result))  # type: ignore[attr-defined]

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        # Before pytest's own JUnit writer, which is no wrapper; it writes the file.
        self._progress.stop()
        if session.config.getoption("xmlpath", None):
            _, summary = self._fold()
            junit.add_suite_properties(self.config, suite_properties(summary, self._run_block()))
        # After the workers have ended, and before the terminal's summary.
        outcome = yield
        stopped = session.shouldstop or session.shouldfail
        self._stopped = bool(stopped) or session.exitstatus == pytest.ExitCode.INTERRUPTED
        if self._never_began(session):
            self.directory.remove()
        else:
            self._finish()
        if self.problems:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
        return outcome

    def _never_began(self, session: pytest.Session) -> bool:
        """Whether the options turned out to be wrong, after all, before the run held anything."""
        wrong = bool(self.problems) or session.exitstatus == pytest.ExitCode.USAGE_ERROR
        return wrong and not self.directory.tasks() and not any(self.directory.journal.glob("*"))

    def _finish(self) -> None:
        results, summary = self._fold()
        self._summary = summary
        try:
            write_results(self.directory.results, self._run_block(), summary, results)
            self._write_recording()
            self._write_page()
        except VsbError as error:
            self.problems.append(str(error))
        self.config.hook.pytest_vsb_report(
            config=self.config, summary=summary, results=results, directory=self.directory.path
        )

    def _fold(self) -> tuple[Sequence[TaskResult], Summary]:
        samples = self.settings.protocol.samples
        self._history.refresh()
        results = fold_run(self.directory, samples=samples, histories=self._history)
        lost = unreadable_lines(self._history.unreadable)
        return results, summarise(results, ks_for(samples), unreadable=lost)

    def _run_block(self) -> dict[str, Any]:
        # Read again: which shard it is becomes known when its tasks are collected.
        return {**self.directory.read(), "samples": self.settings.protocol.samples}

    def _write_recording(self) -> None:
        from pytest_vsb.plugin import options
        from pytest_vsb.run.recording import record_run

        given = options.value(self.config, "record")
        if not given:
            return
        path = options.base_directory(self.config) / given
        recorded = record_run(path, self.directory)
        if path.is_file():
            with contextlib.suppress(OSError):
                self.directory.remember_recording(path)
        self._recorded = f"recording: {path} ({recorded})"

    def _write_page(self) -> None:
        from pytest_vsb.plugin import options

        given = options.value(self.config, "html")
        if not given:
            return
        from pytest_vsb.report.html.write import write_page

        path = options.base_directory(self.config) / given
        size = write_page(self.directory.path, path)
        self._page = f"page: {path} ({max(size // 1000, 1):,} kB)"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for problem in self.problems:
            terminalreporter.write_line(f"ERROR: {problem}", red=True)
        if self._summary is None or not self._summary.total.tasks:
            return
        terminalreporter.section(TITLE)
        path = self.directory.path
        for line in section_lines(
            self._summary,
            self.run,
            model=self.settings.model,
            path=path,
            histories=self._history,
        ):
            terminalreporter.write_line(line)
        if self._recorded:
            terminalreporter.write_line(self._recorded)
        if self._page:
            terminalreporter.write_line(self._page)
        if disagreements := self._disagreements():
            terminalreporter.write_line(disagreements, red=True)
        for line in (self._changed(), self._how_to_go_on()):
            if line:
                terminalreporter.write_line(line)

    def _disagreements(self) -> str:
        found = len(list(self.directory.disagreements.glob("*.json")))
        if not found:
            return ""
        return (
            f"WARNING: {_count(found, 'disagreement')} between warm Leans and fresh ones, whose "
            f"verdicts count: {self.directory.disagreements}; please report it, and use "
            "--vsb-session=off until then"
        )

    def _changed(self) -> str:
        if not self._anew:
            return ""
        number = len(self._anew)
        have, were = ("have", "were") if number > 1 else ("has", "was")
        text = (
            f"note: {_count(number, 'task')} {have} changed since the earlier session and {were} "
            f"attempted anew: {causes(self._anew.values())}"
        )
        # The journal tells what was, and may be anybody's.
        return clean(text, _NOTE)

    def _how_to_go_on(self) -> str:
        """The command that continues a run that was stopped; empty if nothing is left."""
        if self._summary is None or not self._stopped:
            return ""
        statuses = self._summary.total.statuses
        if not statuses.get("unfinished", 0) + statuses.get("not_run", 0):
            return ""
        command = continuing(self.config.invocation_params.args, self.directory.path)
        return f"to continue: {command}"

    # pytest-xdist

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        from pytest_vsb.plugin.setup import PROTOCOL_KEY, WORKER_KEY

        protocol = self.settings.protocol
        node.workerinput[WORKER_KEY] = str(self.directory.path)
        node.workerinput[PROTOCOL_KEY] = [protocol.samples, protocol.repairs]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        problem = getattr(node, "workeroutput", {}).get("vsb_usage_error")
        if problem and problem not in self.problems:
            self.problems.append(problem)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """Keep a module's tasks on one worker, and let idle workers take from busy ones, unless
        the user asked for a way to distribute."""
        if config.getoption("dist") != "load" or _chose_dist(config):
            return None
        from pytest_vsb.plugin.scheduler import ModuleScheduling

        return ModuleScheduling(config, log)


def _chose_dist(config: pytest.Config) -> bool:
    """Whether ``--dist`` was given, also where defaults are."""
    given = [str(argument) for argument in config.invocation_params.args]
    for more in (config.getini("addopts"), os.environ.get("PYTEST_ADDOPTS", "")):
        given += shlex.split(more) if isinstance(more, str) else more
    return any(argument == "--dist" or argument.startswith("--dist=") for argument in given)


def continuing(arguments: Sequence[str | os.PathLike[str]], run: Path) -> str:
    """The command that goes on with a run which pytest was started for with ``arguments``."""
    given = [str(argument) for argument in arguments]
    kept = []
    for index, argument in enumerate(given):
        separate = index > 0 and given[index - 1] == "--vsb-run"
        if not separate and argument not in ("--vsb-run", "--vsb-resume"):
            kept.append(argument)
    kept = [argument for argument in kept if not argument.startswith("--vsb-run=")]
    return shlex.join(["pytest", *kept, f"--vsb-run={run}", "--vsb-resume"])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
