"""Progress of several things at once: a line each, redrawn on a terminal, and plain elsewhere."""

from __future__ import annotations

import re
import shutil
import sys
import threading
import time
from typing import TextIO

from wcwidth import wcswidth

_PLAIN_SECONDS = 60.0
_REDRAW_SECONDS = 0.1


class Board:
    """Shows what is being done with each of some names. Safe in any thread.

    On a terminal each name that is worked on has a line at the bottom, which is redrawn; what is
    done scrolls away above. Elsewhere a line is written for each new step, and once a minute for
    the progress of one.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._live = self._stream.isatty()
        self._lock = threading.Lock()
        self._current: dict[str, str] = {}
        self._told: dict[str, tuple[str, float]] = {}
        self._drawn = 0
        self._last = 0.0

    def say(self, name: str, text: str) -> None:
        """Show that this is being done now."""
        with self._lock:
            known = name in self._current
            self._current[name] = text
            if self._live:
                now = time.monotonic()
                if known and now - self._last < _REDRAW_SECONDS:
                    return
                self._last = now
                self._draw()
            elif self._is_news(name, text):
                self._write(f"{name}: {text}\n")

    def done(self, name: str, text: str) -> None:
        """Show that a name is done with, with its last lines."""
        with self._lock:
            self._current.pop(name, None)
            self._erase()
            self._write(f"{text}\n")
            if self._live:
                self._draw()

    def close(self) -> None:
        """Leave the terminal as it was."""
        with self._lock:
            self._erase()

    def _is_news(self, name: str, text: str) -> bool:
        step = re.sub(r"\d+", "0", text)
        before, at = self._told.get(name, ("", 0.0))
        now = time.monotonic()
        if step == before and now - at < _PLAIN_SECONDS:
            return False
        self._told[name] = (step, now)
        return True

    def _erase(self) -> None:
        if self._drawn:
            self._write(f"\x1b[{self._drawn}A\x1b[J")
        self._drawn = 0

    def _draw(self) -> None:
        self._erase()
        width = shutil.get_terminal_size().columns - 1
        for name, text in self._current.items():
            self._write(_cut(f"  {name}: {text}", width) + "\n")
            self._drawn += 1

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def _cut(text: str, width: int) -> str:
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    while text and wcswidth(text) > width:
        text = text[:-1]
    return text
