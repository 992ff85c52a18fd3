"""A line now and then on how far a run is, since one item may take hours."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time

import pytest

from pytest_vsb.plugin import options
from pytest_vsb.words import counted


class Progress:
    """Counts items and prints a line every ``--vsb-progress`` seconds while items run."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._seconds = options.progress_seconds(config)
        self._lock = threading.Lock()
        self._running: dict[str, float] = {}
        self._done = 0
        self._solved = 0
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._terminal: int | None = None
        self._written: tuple[int, int, int] | None = None

    def start(self) -> None:
        """Begin; to be called while pytest captures nothing."""
        if self._seconds > 0 and self._config.get_verbosity() >= 0:
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
            return (
                f"vsb: {counted(self._done, 'task')} done, {self._solved} solved, "
                f"{len(self._running)} running, the longest for {seconds:.0f} s: {longest}"
            )

    def _run(self) -> None:
        while not self._stopped.wait(self._seconds):
            line = self.line()
            reporter = self._config.pluginmanager.get_plugin("terminalreporter")
            if line and reporter is not None:
                self._write(line)

    def _write(self, line: str) -> None:
        writer = self._config.get_terminal_writer()
        with self._lock:
            place = (writer.width_of_current_line, self._done, len(self._running))
        # Unless nothing has been printed since the last of these lines.
        begun = place[0] > 0 and place != self._written
        self._written = place
        text = f"{chr(10) * begun}{line}"
        if self._terminal is None:
            writer.line(text)
            return
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        with contextlib.suppress(OSError):
            os.write(self._terminal, f"{text}\n".encode(encoding, "replace"))
