"""Waiting in a way that signals reach."""

from __future__ import annotations

import queue
from typing import TypeVar

WAKE_SECONDS = 0.5
"""The longest single wait. A signal that comes just before a wait begins, or that the system hands
to another thread, does not end it: Ctrl-C and time limits are seen between two waits."""

_T = TypeVar("_T")


def take(waiting: queue.SimpleQueue[_T]) -> _T:
    """The next item of a queue."""
    while True:
        try:
            return waiting.get(timeout=WAKE_SECONDS)
        except queue.Empty:
            continue
