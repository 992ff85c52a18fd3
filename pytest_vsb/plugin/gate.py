"""The regression gate in a pytest run: the baseline for its items, and the decision at its end."""

from __future__ import annotations

import dataclasses
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest

from pytest_vsb.errors import UsageError
from pytest_vsb.plugin import options
from pytest_vsb.report.alike import protocol_differences, setting_notes
from pytest_vsb.report.gate import Baseline, Gate, Rules, gate, gate_lines
from pytest_vsb.report.loaded import LoadedRun, load_run
from pytest_vsb.report.tables import COLUMNS
from pytest_vsb.report.text import one_line, wrap
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.records import TaskResult
from pytest_vsb.run.session import Workshop

TITLE = "regression gate"
GATE: pytest.StashKey[Baseline] = pytest.StashKey()
DECIDED: pytest.StashKey[Gate] = pytest.StashKey()


def read_baseline(config: pytest.Config, workshop: Workshop) -> LoadedRun | None:
    """Read the baseline, if one is given, for the items of this process and for the end.

    Raises:
        UsageError: it cannot be read, is this very run, or was attempted or judged differently.
    """
    path = options.baseline(config)
    if path is None:
        return None
    if options.far(config) is not None:
        from pytest_vsb.plugin.remote import baseline_results

        config.stash[GATE] = Baseline(baseline_results(config), gate_rules(config, workshop))
        return None
    where = f"--vsb-baseline={path}"
    given = options.value(config, "run")
    if given and _same(path, options.base_directory(config) / given):
        raise UsageError("a run cannot be its own baseline", where=where)
    try:
        run = load_run(path)
    except UsageError as error:
        raise UsageError(
            error.message, where=f"--vsb-baseline: {error.where}", hint=error.hint
        ) from error
    different = protocol_differences(run.identity, workshop.settings.identity())
    if different:
        raise UsageError(
            f"the baseline was made with other settings ({'; '.join(different)})",
            where=where,
            hint="give the same options as then, or make a baseline with these",
        )
    rules = gate_rules(config, workshop)
    config.stash[GATE] = Baseline(run.results, rules)
    return run


def gate_rules(config: pytest.Config, workshop: Workshop) -> Rules:
    """What the gate lets through, given the prover."""
    deterministic = bool(getattr(workshop.prover, "deterministic", False))
    return dataclasses.replace(options.gate_rules(config), deterministic=deterministic)


def _same(path: Path, run: Path) -> bool:
    try:
        return any(each.resolve() == run.resolve() for each in (path, path.parent))
    except OSError:
        return False


class GateController:
    """Decides at the end of a run, in the main process, and closes it with exit code 1 if the gate
    is closed."""

    def __init__(
        self, config: pytest.Config, rules: Rules, run: LoadedRun | None, directory: RunDirectory
    ) -> None:
        self.config = config
        self.rules = rules
        self._run = run
        self._directory = directory

    def pytest_vsb_report(self, results: Sequence[TaskResult]) -> None:
        notes: list[str] = []
        if self._run is not None:
            notes += self._run.notes if "imported" in self._run.run else ()
            notes += setting_notes(self._run.run, self._directory.read())
            notes += [f"baseline: {note}" for note in self._run.losses]
        self.config.stash[DECIDED] = gate(
            self.config.stash.get(GATE, None), results, self.rules, notes=notes
        )

    @pytest.hookimpl(wrapper=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        # The controller, whose wrapper is the innermost, has called the hook above by the end.
        outcome = yield
        decided = self.config.stash.get(DECIDED, None)
        if decided is not None and not decided.passed and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        return outcome

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        decided = self.config.stash.get(DECIDED, None)
        if decided is None:
            return
        terminalreporter.section(TITLE)
        if self._run is not None:
            terminalreporter.write_line(f"baseline: {one_line(str(self._run.path), 4096)}")
        for line in gate_lines(decided):
            closed = line.startswith("gate: closed")
            for part in wrap(line, COLUMNS):
                terminalreporter.write_line(part, red=closed)
