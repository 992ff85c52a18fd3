"""What this machine, or the container that this runs in, has for Lean: processors and memory."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil

_CGROUPS = Path("/proc/self/cgroup")
_MOUNT = Path("/sys/fs/cgroup")
_UNLIMITED_BYTES = 1 << 60
"""Version 1 of the control groups writes a number of about this size for no limit."""


def cores() -> int:
    """The processors that this process may use, by its affinity and by its container's quota."""
    try:
        count = len(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        count = os.cpu_count() or 1
    return max(1, min([count, *_quotas()]))


def total_mb() -> int:
    """All the memory there is, in MiB: the machine's, or what the container may have of it."""
    limits = (limit for limit, _, _ in _memory_groups())
    return min([psutil.virtual_memory().total, *limits]) >> 20


def available_mb() -> int:
    """The memory that can be taken now without swapping, in MiB.

    What only holds copies of files counts as available: the system gives it up.
    """
    rooms = (limit - used for limit, used, _ in _memory_groups())
    return max(0, min([psutil.virtual_memory().available, *rooms]) >> 20)


def resident_mb(pids: Iterable[int]) -> dict[int, float]:
    """The resident memory of all descendants of each process, without its own, in MiB."""
    wanted = set(pids)
    parents: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for process in psutil.process_iter(["ppid", "memory_info"]):
        memory = process.info["memory_info"]
        if memory is not None and process.info["ppid"] is not None:
            parents[process.pid] = process.info["ppid"]
            sizes[process.pid] = memory.rss
    found = dict.fromkeys(wanted, 0.0)
    for pid, size in sizes.items():
        above, seen = parents[pid], {pid}
        while above not in seen:
            if above in wanted:
                found[above] += size / 2**20
                break
            seen.add(above)
            above = parents.get(above, 0)
    return found


def started(pid: int) -> str:
    """When a process began, as a text that no other process of its number has; empty if it is
    dead."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return "" if fields[0] in (b"Z", b"X") else fields[19].decode()
    except (OSError, IndexError):
        if Path("/proc/self/stat").exists():
            return ""
    try:
        process = psutil.Process(pid)
        dead = process.status() == psutil.STATUS_ZOMBIE
        return "" if dead else f"{process.create_time():.0f}"
    except psutil.Error:
        return ""


@functools.lru_cache(maxsize=1)
def _groups() -> tuple[tuple[str, Path], ...]:
    """The control groups that this process is in, innermost first: the controller's name (empty for
    version 2, which has all in one) and the directory."""
    try:
        lines = _CGROUPS.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return ()
    found = []
    for line in lines:
        _, _, rest = line.partition(":")
        names, _, path = rest.partition(":")
        for name in names.split(","):
            root = _MOUNT / name if name else _MOUNT
            # In a container the path may be the one outside of it, and only the root is there.
            place = root / path.lstrip("/")
            while True:
                if place.is_dir():
                    found.append((name, place))
                if place == root or root not in place.parents:
                    break
                place = place.parent
    return tuple(found)


def _memory_groups() -> Iterator[tuple[int, int, Path]]:
    """Limit and use, in bytes, of each control group with a limit on memory."""
    for name, place in _groups():
        if name == "memory":
            limit, used = _number(place / "memory.limit_in_bytes"), "memory.usage_in_bytes"
            prefix = "total_"
        elif not name:
            limit, used, prefix = _number(place / "memory.max"), "memory.current", ""
        else:
            continue
        if limit is None or limit >= _UNLIMITED_BYTES:
            continue
        files = _statistics(
            place / "memory.stat", (f"{prefix}inactive_file", f"{prefix}active_file")
        )
        yield limit, max(0, (_number(place / used) or 0) - files), place


def _statistics(file: Path, names: tuple[str, ...]) -> int:
    try:
        lines = file.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return 0
    pairs = (line.split() for line in lines)
    return sum(int(pair[1]) for pair in pairs if len(pair) == 2 and pair[0] in names)


def _quotas() -> Iterator[int]:
    """How many processors' time each control group may use, rounded up."""
    for name, place in _groups():
        if name == "cpu":
            quota, period = (
                _number(place / "cpu.cfs_quota_us"),
                _number(place / "cpu.cfs_period_us"),
            )
        elif not name:
            try:
                words = (place / "cpu.max").read_text(encoding="ascii").split()
                quota, period = int(words[0]), int(words[1])
            except (OSError, ValueError, IndexError):
                continue
        else:
            continue
        if quota is not None and period is not None and quota > 0 and period > 0:
            yield math.ceil(quota / period)


def _number(file: Path) -> int | None:
    try:
        return int(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
