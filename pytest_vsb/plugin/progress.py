"""A line now and then on how far a run is, since one item may take hours."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable

import pytest

from pytest_vsb.plugin import options
from pytest_vsb.words import counted

_LOOK_SECONDS = 2.0
"""How often it is seen whether checks wait."""


class Progress:
    """Counts items and prints a line every ``--vsb-progress`` seconds while items run, and one as
    soon as they wait for something; of that alone it warns where no lines are wanted.

    Args:
        config: pytest's.
        waits: what checks wait for, or an empty text; None where they never wait for others.
    """

    def __init__(self, config: pytest.Config, waits: Callable[[], str] | None = None) -> None:
        self._config = config
        self._seconds = options.progress_seconds(config)
        self._quiet = self._seconds <= 0 or config.get_verbosity() < 0
        self._waits = waits
        self._told = False
        self._lock = threading.Lock()
        self._running: dict[str, float] = {}
        self._done = 0
        self._solved = 0
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._terminal: int | None = None
        self._left: str | None = None

    def start(self) -> None:
        """Begin; to be called while pytest captures nothing."""
        if self._waits is not None or not self._quiet:
            with contextlib.suppress(OSError, ValueError, AttributeError):
                # While an item runs, its captured output takes the place of the terminal.
                self._terminal = os.dup(sys.stdout.fileno())
            self._thread = threading.Thread(target=self._run, name="vsb-progress", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(timeout=5)
        if self._terminal is not None:
            with contextlib.suppress(OSError):
                os.close(self._terminal)
            self._terminal = None

    def item_started(self, nodeid: str) -> None:
        with self._lock:
            self._running[nodeid] = time.monotonic()

    def item_ended(self, nodeid: str, solved: bool) -> None:
        with self._lock:
            self._running.pop(nodeid, None)
            self._done += 1
            self._solved += solved

    def line(self) -> str:
        """How far the run is, in one line; empty while nothing runs."""
        with self._lock:
            if not self._running:
                return ""
            longest, since = min(self._running.items(), key=lambda pair: pair[1])
            seconds = time.monotonic() - since
            begun = (
                f"vsb: {counted(self._done, 'task')} done, {self._solved} solved, "
                f"{len(self._running)} running"
            )
        waits = self._waits() if self._waits is not None else ""
        return f"{begun}, {waits or f'the longest for {seconds:.0f} s: {longest}'}"

    def _run(self) -> None:
        due = time.monotonic() + self._seconds
        while not self._stopped.wait(self._pause(due)):
            line = self.line_now(due)
            if time.monotonic() >= due:
                due = time.monotonic() + self._seconds
            reporter = self._config.pluginmanager.get_plugin("terminalreporter")
            if line and reporter is not None:
                self._write(line)

    def _pause(self, due: float) -> float:
        """How long to do nothing: to the next line, or to a look at what is waited for."""
        if self._waits is None:
            return max(due - time.monotonic(), 0.0)
        return (
            _LOOK_SECONDS if self._quiet else min(max(due - time.monotonic(), 0.0), _LOOK_SECONDS)
        )

    def line_now(self, due: float) -> str:
        """The line to be printed now, if any; the next usual one is ``due`` by the monotonic
        clock."""
        waits = self._waits() if self._waits is not None else ""
        begun, self._told = bool(waits) and not self._told, bool(waits)
        if self._quiet:
            return f"vsb: WARNING: {waits}" if begun else ""
        return self.line() if begun or time.monotonic() >= due else ""

    def _write(self, line: str) -> None:
        writer = self._config.get_terminal_writer()
        with contextlib.suppress(OSError, ValueError):
            writer.flush()
        # What it has printed since its last line end, or as much of a pytest that does not tell.
        current = str(getattr(writer, "_current_line", " " * writer.width_of_current_line))
        # A line that was there when the last of these was written has been ended by that.
        begun = current not in ("", self._left)
        text = f"{chr(10) * begun}{line}"
        if self._terminal is None:
            writer.line(text)
            return
        self._left = current
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        with contextlib.suppress(OSError):
            os.write(self._terminal, f"{text}\n".encode(encoding, "replace"))
