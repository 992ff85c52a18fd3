"""Limits on each process that hold at every level."""

from __future__ import annotations

import resource
import sys

FILE_BYTES = 1 << 30
"""The largest file that Lean may write. The olean of one submission is thousands of times less."""

OPEN_FILES = 8192
"""Descriptors at once; Lean keeps one open for each olean that it has mapped."""


def numbers() -> list[tuple[int, int]]:
    """The limits, as pairs of a number of :func:`resource.setrlimit` and a value."""
    found = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, FILE_BYTES)]
    found.append((resource.RLIMIT_NOFILE, OPEN_FILES))
    if sys.platform.startswith("linux"):
        # Message queues would outlive the command.
        found.append((resource.RLIMIT_MSGQUEUE, 0))
    return found
