"""What ``pytest benchmark`` collects: the demo, which ends within a minute on two cores.

Its further tasks are collected where their file is named, as in
``pytest benchmark/demo/extended.vsb.jsonl``.
"""

from pathlib import Path

import pytest

EXTENDED = "extended.vsb.jsonl"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the further tasks out unless an argument names their file."""
    if collection_path.name != EXTENDED:
        return None
    named = any(argument.split("::")[0].endswith(EXTENDED) for argument in config.args)
    return None if named else True
