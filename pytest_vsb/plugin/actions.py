"""Telling GitHub Actions of a run, where it is there."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_vsb.plugin.gate import DECIDED
from pytest_vsb.plugin.runner import decode
from pytest_vsb.report.actions import Annotation, commands, step_summary
from pytest_vsb.report.gate import Change
from pytest_vsb.report.summary import Summary
from pytest_vsb.run.records import TaskResult


def in_actions(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this process runs in GitHub Actions."""
    return environment.get("GITHUB_ACTIONS") == "true"


@dataclass(frozen=True)
class _Place:
    file: str
    line: int | None


class ActionsReporter:
    """Annotates failed tasks and regressions, and writes the job's summary."""

    def __init__(self, config: pytest.Config, model: str) -> None:
        self.config = config
        self.model = model
        self._summary: Summary | None = None
        self._places: dict[str, _Place] = {}
        self._failed: dict[str, Annotation] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        text = getattr(report, "vsb", None)
        if text is None:
            return
        place = self._place(report)
        self._places[report.nodeid] = place
        if report.failed:
            result = decode(text).result
            regressed = getattr(report, "vsb_change", "") == str(Change.REGRESSED)
            what = "regression" if regressed else "unsolved" if result.n else result.status
            self._failed[report.nodeid] = Annotation(
                "error",
                report.longreprtext,
                f"{what}: {result.task.id}",
                place.file,
                place.line,
            )

    def _place(self, report: pytest.TestReport) -> _Place:
        file, line, _ = report.location
        path = self.config.rootpath / file
        workspace = os.environ.get("GITHUB_WORKSPACE")
        if workspace:
            try:
                file = path.resolve().relative_to(Path(workspace).resolve()).as_posix()
            except (ValueError, OSError):
                file = path.as_posix()
        return _Place(file, line + 1 if line is not None else None)

    def pytest_vsb_report(self, summary: Summary, results: Sequence[TaskResult]) -> None:
        self._summary = summary

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._summary is None:
            return
        decided = self.config.stash.get(DECIDED, None)
        found = list(self._failed.values())
        if decided is not None:
            # First: of ten errors, none may be the one that is left out.
            found[:0] = [
                Annotation("error", failure, "regression gate") for failure in decided.failures
            ]
            for task in decided.of(Change.GAINED):
                place = self._places.get(task.task.nodeid, _Place("", None))
                found.append(
                    Annotation(
                        "notice", task.text, f"newly solved: {task.task.id}", place.file, place.line
                    )
                )
        terminalreporter.ensure_newline()
        for line in commands(found):
            terminalreporter.write_line(line)
        self._write(step_summary(self.model, self._summary, decided, list(self._failed)))

    def _write(self, text: str) -> None:
        given = os.environ.get("GITHUB_STEP_SUMMARY")
        if not given:
            return
        try:
            # Other commands of the step write to it, too.
            with Path(given).open("a", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            reporter = self.config.pluginmanager.get_plugin("terminalreporter")
            if reporter is not None:
                reporter.write_line(f"the step summary cannot be written: {error.strerror}")
