"""Values out of JSON that anyone may have written: what is not of the kind asked for is empty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def as_object(value: Any) -> Mapping[str, Any]:
    """``value`` if it is a JSON object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: Any) -> list[Any]:
    """``value`` if it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str:
    """``value`` if it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def as_count(value: Any) -> int:
    """``value`` if it is a number from 0 on, else 0."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return 0
    return int(value) if 0 <= value < 1e15 else 0
