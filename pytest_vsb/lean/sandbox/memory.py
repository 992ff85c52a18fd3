"""How much memory one command may take where nobody has set a limit."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import psutil

_SHARE = 0.8
_CGROUP_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


@functools.lru_cache(maxsize=1)
def most_mb() -> int:
    """Most of the memory that this machine, or the container that this runs in, has, in MiB.

    A command that grows beyond it is ended by us, and known to be the one: the system's own killer
    would come later, and might choose another.
    """
    limits = [psutil.virtual_memory().total, *_of_containers()]
    return max(1, int(min(limits) * _SHARE) >> 20)


def _of_containers() -> Iterator[int]:
    for name in _CGROUP_FILES:
        try:
            text = Path(name).read_text(encoding="ascii").strip()
        except OSError:
            continue
        if text.isdigit() and int(text) > 0:
            yield int(text)
