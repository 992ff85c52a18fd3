"""Requests that share a long context: the first one goes ahead and fills the provider's cache.

A cached prefix can be read only after the response that writes it has begun, so that requests
sent at the same moment all pay for writing it (Anthropic, "Prompt caching", platform.claude.com,
from excerpts found on 2026-11-30).
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_KEPT = 256
"""How many contexts are remembered; those of the tasks at work are few."""


class _Entry:
    def __init__(self) -> None:
        self.over = threading.Event()
        self.begun = False
        self.used = time.monotonic()


class HeadStart:
    """Holds requests back until the first one with the same context has begun to be answered.

    If that one fails, the others are held back no longer: they are not to fail one by one.

    Args:
        lifetime: seconds for which the provider keeps a context after its last use.
        patience: the longest time in seconds that a request is held back.
    """

    def __init__(self, lifetime: float, patience: float = 120.0) -> None:
        self.lifetime = lifetime
        self.patience = patience
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._closed = False

    @contextmanager
    def wait(self, context: str) -> Iterator[Callable[[], None]]:
        """Wait for leave to send a request with ``context``.

        Gives what the sender has to call when the response begins.
        """
        entry, first = self._enter(context)
        if first:
            try:
                yield lambda: self._begin(entry)
            finally:
                self._leave(context, entry)
        else:
            entry.over.wait(self.patience)
            yield lambda: self._begin(entry)

    def close(self) -> None:
        """Hold nothing back any more."""
        with self._lock:
            self._closed = True
            entries = list(self._entries.values())
        for entry in entries:
            entry.over.set()

    def _enter(self, context: str) -> tuple[_Entry, bool]:
        now = time.monotonic()
        with self._lock:
            entry = self._entries.get(context)
            stale = entry is not None and entry.begun and now - entry.used > self.lifetime
            if entry is not None and not stale:
                self._entries.move_to_end(context)
                return entry, False
            entry = self._entries[context] = _Entry()
            if self._closed:
                entry.over.set()
            while len(self._entries) > _KEPT:
                self._entries.popitem(last=False)
            return entry, True

    def _begin(self, entry: _Entry) -> None:
        entry.begun, entry.used = True, time.monotonic()
        entry.over.set()

    def _leave(self, context: str, entry: _Entry) -> None:
        with self._lock:
            if not entry.begun and self._entries.get(context) is entry:
                del self._entries[context]
        entry.over.set()
