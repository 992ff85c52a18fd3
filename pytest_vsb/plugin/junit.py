"""Adding properties to pytest's JUnit file where pytest has no public way to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def _xml(config: pytest.Config) -> Any:
    from _pytest.junitxml import xml_key

    return config.stash.get(xml_key, None)


def add_suite_properties(config: pytest.Config, pairs: Sequence[tuple[str, str]]) -> None:
    """Put properties on the testsuite element."""
    xml = _xml(config)
    if xml is not None:
        for name, value in pairs:
            xml.add_global_property(name, value)


def add_properties(config: pytest.Config, report: pytest.TestReport) -> None:
    """Put a report's properties on its testcase element now, not at its teardown."""
    xml = _xml(config)
    if xml is not None:
        reporter = xml.node_reporter(report)
        for name, value in report.user_properties:
            reporter.add_property(name, str(value))
