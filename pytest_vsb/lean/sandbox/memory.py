"""How much memory one command may take where nobody has set a limit."""

from __future__ import annotations

import functools

from pytest_vsb.lean import machine

_SHARE = 0.8


@functools.lru_cache(maxsize=1)
def most_mb() -> int:
    """Most of the memory that this machine, or the container that this runs in, has, in MiB.

    A command that grows beyond it is ended by us, and known to be the one: the system's own killer
    would come later, and might choose another.
    """
    return max(1, int(machine.total_mb() * _SHARE))
