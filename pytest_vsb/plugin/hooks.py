"""pytest's hooks. This module is imported at every start of pytest, so it imports little."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_vsb.errors import UsageError
from pytest_vsb.plugin import collect, hookspecs, options
from pytest_vsb.plugin.fixtures import _vsb_workshop, vsb_checker, vsb_prover
from pytest_vsb.plugin.option_table import add_options

if TYPE_CHECKING:
    from pytest_vsb.plugin.items import TaskItem

__all__ = ["_vsb_workshop", "vsb_checker", "vsb_prover"]


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(hookspecs)


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "vsb(suite, repository, category): a task of a task file (pytest-vsb)"
    )
    config.addinivalue_line(
        "markers",
        "vsb_tasks(*files, repository, category, subset, ids): what the vsb_task fixture runs over",
    )
    if options.model(config) is None:
        return
    from pytest_vsb.plugin import setup

    try:
        setup.configure(config)
    except UsageError as error:
        if not setup.is_worker(config):
            raise pytest.UsageError(str(error)) from None
        from pytest_vsb.plugin.remote import about_here

        # xdist would start the worker again and again.
        config.workeroutput["vsb_usage_error"] = about_here(config, error)  # type: ignore[attr-defined]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if collect.is_task_file(file_path):
        return collect.TaskFileCollector.from_parent(parent, path=file_path)
    return None


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if collect.is_task_file(path):
        return collect.TaskDirectory.from_parent(parent, path=path)
    return None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "vsb_task" in metafunc.fixturenames:
        from pytest_vsb.plugin.fixtures import parametrize

        parametrize(metafunc)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "vsb_usage_error" in getattr(config, "workeroutput", ()):
        items.clear()
        return
    try:
        collect.deselect(config, items)
        collect.gather(items)
    except UsageError as error:
        # pytest calls pytest_collection_finish all the same.
        items.clear()
        if not hasattr(config, "workeroutput"):
            raise pytest.UsageError(str(error)) from None
        # A worker cannot end the run by itself; the main process reads this when it has ended.
        config.workeroutput["vsb_usage_error"] = str(error)


def pytest_collection_finish(session: pytest.Session) -> None:
    if options.model(session.config) is None or session.config.option.collectonly:
        return
    from pytest_vsb.plugin.items import TaskItem
    from pytest_vsb.plugin.runner import RUNNER

    runner = session.config.stash.get(RUNNER, None)
    if runner is None:
        return
    items = [item for item in session.items if isinstance(item, TaskItem)]
    # All workers collect the same items: one of them records which.
    if runner.session.worker in ("main", "gw0"):
        try:
            runner.add_tasks(items)
            runner.add_shard()
        except UsageError as error:
            raise pytest.UsageError(str(error)) from None
    runner.limit_time(items)


def pytest_report_collectionfinish(config: pytest.Config, items: list[pytest.Item]) -> str | None:
    if config.option.collectonly and options.value(config, "shard"):
        from pytest_vsb.plugin.shards import PLAN

        return f"vsb {config.stash[PLAN]}" if PLAN in config.stash else None
    if options.model(config) is None and any(
        isinstance(item.parent, collect.TaskFileCollector) for item in items
    ):
        return "vsb: no prover is chosen, so tasks are skipped; give --vsb-model=NAME"
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Tell a task's item what comes next; running it is left to others."""
    both: list[TaskItem] = [item, nextitem]  # type: ignore[list-item]
    if all(each and isinstance(each.parent, collect.TaskFileCollector) for each in both):
        both[0].following = both[1].task


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if isinstance(item.parent, collect.TaskFileCollector):
        task_item: TaskItem = item  # type: ignore[assignment]
        if call.when == "setup" and call.excinfo and report.failed:
            # pytest asks an item how its failure reads only for the call.
            report.longrepr = task_item.repr_failure(call.excinfo)
        if task_item.runner is not None:
            task_item.runner.decorate(task_item, report)
    return report


def pytest_report_teststatus(report: Any) -> tuple[str, str, str] | None:
    """``SOLVED 3/8`` in place of ``PASSED``; a letter of its own for what is unsolved and yet
    does not fail."""
    text = getattr(report, "vsb", None)
    if text is None or report.when != "call" or report.skipped:
        return None
    from pytest_vsb.plugin.runner import decode

    result = decode(text).result
    count = f"{result.c}/{result.n}"
    change = getattr(report, "vsb_change", "")
    if change in ("regressed", "lost", "gained"):
        count += f" ({change})"
    if report.failed:
        return "failed", "F", f"UNSOLVED {count}"
    if result.solved:
        return "passed", ".", f"SOLVED {count}"
    return "unsolved", "u", f"UNSOLVED {count}"
