"""Going through all modules of a large repository with the help of other processes."""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import filelock

import pytest_vsb
from pytest_vsb.repository.modules import Module, Modules, find_modules
from pytest_vsb.repository.scanned import Scanned
from pytest_vsb.repository.store import Store

Work = Literal["outline", "module"]
"""What is made of each module: see :class:`.scanned.Scanned`."""

_PATIENCE = 1.0
_WORTH_WHILE = 4.0
_MOST = 8
_LOCK_SECONDS = 600.0


class Crew:
    """The modules of a repository in order, with others at work further along.

    Where going through them turns out to take long, the rest is divided among as many processes as
    there are processors. The others only leave what they find in the store: whatever becomes of
    them, nothing is lost but time.

    Args:
        scanned: of the repository, with the store that all share.
        work: what is asked of ``scanned`` for each module.
        progress: called with how many modules of how many are done.
    """

    def __init__(
        self, scanned: Scanned, work: Work, progress: Callable[[int, int], None] | None
    ) -> None:
        self._modules = list(scanned.modules.values())
        self._scanned = scanned
        self._work = work
        self._progress = progress if progress is not None else _silent
        self._others: list[subprocess.Popen[bytes]] = []
        self._own_end = 0

    def over(self, first: int = 0) -> Iterator[Module]:
        """The modules from a position on. What is asked for between two of them is the work."""
        modules = self._modules
        with self._alone(), contextlib.closing(self):
            started = time.monotonic()
            for index in range(first, len(modules)):
                self._progress(index, len(modules))
                if index == self._own_end:
                    self._wait()
                elif not self._own_end and _is_long(started, index - first, len(modules) - index):
                    self._call(index)
                yield modules[index]
            self._progress(len(modules), len(modules))

    def close(self) -> None:
        """End the others, whatever they are at."""
        for process in self._others:
            process.terminate()
        self._wait()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """One process at a time asks for help; who comes later finds everything done."""
        path = self._scanned.store.path
        if path is None:
            yield
            return
        name = f"{path.name}.{self._scanned.modules.digest[:16]}.{self._work}.lock"
        lock = filelock.FileLock(path.with_name(name), timeout=_LOCK_SECONDS)
        with contextlib.suppress(OSError, filelock.Timeout):
            lock.acquire()
        try:
            yield
        finally:
            lock.release()
            with contextlib.suppress(OSError):
                path.with_name(name).unlink()

    def _call(self, index: int) -> None:
        store = self._scanned.store
        # Once: the position where the others begin is never the first.
        self._own_end = len(self._modules)
        if not store.keeps or not sys.executable:
            return
        bounds = self._divide(index, min(_processors(), _MOST))
        self._own_end = bounds[1]
        for first, last in itertools.pairwise(bounds[1:]):
            words = [str(self._scanned.modules.root), str(store.path)]
            words += [self._scanned.modules.digest, self._work, str(first), str(last)]
            with contextlib.suppress(OSError):
                self._others.append(
                    subprocess.Popen(
                        [sys.executable, "-m", __spec__.name, *words],
                        # Python looks for modules there first: not in a directory of others'.
                        cwd=Path(pytest_vsb.__file__).parents[1],
                        stdin=subprocess.PIPE,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                    )
                )

    def _divide(self, index: int, parts: int) -> list[int]:
        """Positions from ``index`` to the end between which there is about as much to read."""
        sizes = [_size(self._scanned.modules.root / m.path) for m in self._modules[index:]]
        share = sum(sizes) / parts
        bounds, total = [index], 0
        for position, size in enumerate(sizes, index):
            total += size
            if total >= share * len(bounds) and len(bounds) < parts:
                bounds.append(position + 1)
        return [*bounds, len(self._modules)]

    def _wait(self) -> None:
        for process in self._others:
            process.wait()
            if process.stdin is not None:
                process.stdin.close()
        self._others = []


def _silent(done: int, total: int) -> None:
    pass


def _is_long(started: float, done: int, left: int) -> bool:
    elapsed = time.monotonic() - started
    return elapsed > _PATIENCE and elapsed * left > _WORTH_WHILE * done


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def help_out(words: Sequence[str]) -> None:
    """Do one part of the work: what one of the other processes runs."""
    root, path, digest, work, first, last = words
    store = Store(Path(path))
    modules: Modules = find_modules(Path(root), store=store)
    if modules.digest != digest:
        return
    scanned = Scanned(modules, store)
    for module in list(modules.values())[int(first) : int(last)]:
        if work == "outline":
            scanned.outline(module)
        else:
            scanned.module(module)
    store.close()


def _end_with_parent() -> None:
    """Whoever called for help holds the other end of the input, and lets go of it by dying."""
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    help_out(sys.argv[1:])
