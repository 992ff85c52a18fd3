"""Server-sent events, as the HTML standard says how to read them.

WHATWG HTML Living Standard, section 9.2.6, "Interpreting an event stream" (read 2026-11-30).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

_LINE_END = re.compile(r"\r\n|\r|\n")


class SseEvent(NamedTuple):
    """One event: its type, ``"message"`` where the stream names none, and its data."""

    event: str
    data: str


class SseDecoder:
    """Events out of the bytes of a stream, however they are cut into pieces.

    Comments, unknown fields and events without data are passed over. An event that the stream's
    end cuts off is never given out, as the standard demands.
    """

    def __init__(self) -> None:
        self._text = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._pending: list[str] = []
        self._after_return = False
        self._event = ""
        self._data: list[str] = []

    def feed(self, piece: bytes) -> Iterator[SseEvent]:
        """The events that ``piece`` completes."""
        text = self._text.decode(piece)
        if self._after_return and text:
            # The "\r" before was a line's end; a "\n" now belongs to it.
            text = text.removeprefix("\n")
            self._after_return = False
        self._after_return = self._after_return or text.endswith("\r")
        *lines, rest = _LINE_END.split(text)
        for line in lines:
            self._pending.append(line)
            whole = "".join(self._pending)
            self._pending.clear()
            event = self._line(whole)
            if event is not None:
                yield event
        if rest:
            self._pending.append(rest)

    def _line(self, line: str) -> SseEvent | None:
        if not line:
            event, data = self._event or "message", self._data
            self._event, self._data = "", []
            return SseEvent(event, "\n".join(data)) if data else None
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        return None
