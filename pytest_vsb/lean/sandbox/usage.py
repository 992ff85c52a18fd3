"""How much of the disk a command holds, for the supervisor, which has the standard library only."""

from __future__ import annotations

import os


def used(directories: list[bytes], most_files: int) -> tuple[int, int]:
    """Bytes in files below the directories, and how many entries there are.

    It stops counting one above ``most_files``, so that it takes a bounded time. Links are not
    followed.
    """
    total = files = 0
    todo = list(directories)
    while todo:
        try:
            with os.scandir(todo.pop()) as entries:
                for entry in entries:
                    files += 1
                    if files > most_files:
                        return total, files
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
                    else:
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
        except OSError:
            continue  # Gone meanwhile, or made unreadable: what it holds is its own.
    return total, files


def unlinked(pids: list[int]) -> int:
    """Bytes in files that have no name any more, and live because a process has them open."""
    sizes = {}
    for pid in pids:
        try:
            fds = os.listdir(f"/proc/{pid}/fd")  # noqa: PTH208 - pathlib costs import time
        except OSError:
            continue
        for fd in fds:
            try:
                facts = os.stat(f"/proc/{pid}/fd/{fd}")  # noqa: PTH116
            except OSError:
                continue
            if facts.st_nlink == 0 and facts.st_mode & 0o170000 == 0o100000:
                sizes[facts.st_dev, facts.st_ino] = facts.st_blocks * 512
    return sum(sizes.values())
