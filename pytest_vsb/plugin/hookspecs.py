"""The hooks that pytest-vsb calls. Implement them in a ``conftest.py`` or a plugin.

All are called in the main process, once for each event, whether or not pytest-xdist runs the
items elsewhere; ``pytest_vsb_provers`` is called in every process that needs a prover.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_vsb.provers.registry import ProverFactory
    from pytest_vsb.report.summary import Summary
    from pytest_vsb.run.records import Attempt, TaskResult


@pytest.hookspec
def pytest_vsb_provers(config: pytest.Config) -> Mapping[str, ProverFactory] | None:
    """Offer provers for ``--vsb-model``: names, and functions that take a ``ProverSpec`` and
    return a ``Prover``."""


@pytest.hookspec
def pytest_vsb_attempt(config: pytest.Config, attempt: Attempt) -> None:
    """An attempt has been judged. Called when its item has ended, in order of sample and round;
    not called for the attempts that a resumed run keeps from earlier sessions."""


@pytest.hookspec
def pytest_vsb_task_result(config: pytest.Config, result: TaskResult) -> None:
    """A task has its result, after its last ``pytest_vsb_attempt``."""


@pytest.hookspec
def pytest_vsb_report(
    config: pytest.Config, summary: Summary, results: Sequence[TaskResult], directory: Path
) -> None:
    """The run has ended and ``results.json`` is written in the run directory ``directory``."""
