"""Limits for a Lean for which nobody has set any."""

from __future__ import annotations

import os
from dataclasses import replace

from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.sandbox import memory

_THREADS = 256 + 4 * (os.cpu_count() or 1)
"""Far more than Lean uses: a bound for what a candidate may start."""


def bounded(limits: Limits) -> Limits:
    """The limits, with bounds on memory and threads where nobody has set any."""
    return replace(
        limits,
        memory_mb=limits.memory_mb or memory.most_mb(),
        threads=limits.threads or _THREADS,
    )
