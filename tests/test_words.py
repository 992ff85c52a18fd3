"""Numbers in sentences."""

from __future__ import annotations

import pytest

from pytest_vsb.words import counted


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [
        (0, "task", "0 tasks"),
        (1, "task", "1 task"),
        (2, "task", "2 tasks"),
        (1, "repository", "1 repository"),
        (1000, "repository", "1,000 repositories"),
        (3, "broken line", "3 broken lines"),
    ],
)
def test_counted(number: int, noun: str, text: str) -> None:
    assert counted(number, noun) == text
