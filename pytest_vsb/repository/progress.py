"""Saying on the terminal that something takes its time, once it does."""

from __future__ import annotations

import sys
import time

_PATIENCE = 2.0
_STEP = 0.5


class Progress:
    """A callback that writes to the error output how far something has come.

    Nothing is written in the first two seconds. A terminal gets one line that counts; anything
    else a line at the beginning and one at the end.
    """

    def __init__(self, label: str) -> None:
        self._label = label
        self._started = self._next = time.monotonic()
        self._next += _PATIENCE
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        finished = done >= total
        if not (self._shown and finished) and now < self._next:
            return
        self._next = now + _STEP
        text = f"{self._label}: {done:,} of {total:,} files"
        if finished:
            text += f" in {now - self._started:.0f} s"
        if sys.stderr.isatty():
            print(f"\r{text}", end="\n" if finished else "", file=sys.stderr, flush=True)
        elif finished or not self._shown:
            print(text, file=sys.stderr, flush=True)
        self._shown = not finished
