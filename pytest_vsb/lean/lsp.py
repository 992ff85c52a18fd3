"""The wire of Lean's language server: frames, messages, and positions in UTF-16.

Sources: the Language Server Protocol 3.17 (base protocol, text documents) and what Lean's server
adds to it. Nothing read here is trusted to be well-formed: the text of a file can make Lean print.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity, goal_state

_HEADER_BYTES = 1 << 10
_HEADER = re.compile(rb"(?:[A-Za-z-]+: ?[^\r\n]{1,200}\r\n){1,4}\r\n")
_LENGTH = re.compile(rb"(?i:content-length): ?(\d{1,12})\r\n")
_METHOD = re.compile(rb'"method": ?"([^"\\]{1,80})"')
_METHOD_BYTES = 200
_LAST_BMP = 0xFFFF
_SEVERITIES = {1: Severity.ERROR, 2: Severity.WARNING}
_UNSOLVED_GOALS = 1
_LINTER = re.compile(r"`set_option (linter\.[\w.]+) false`\Z")
_SURROGATE = re.compile("[\ud800-\udfff]")


class ProtocolError(Exception):
    """The other end does not speak the protocol; the message says what came instead."""


def encode(method: str, params: Mapping[str, Any] | None, *, number: int | None = None) -> bytes:
    """The frame of a notification, or with a number that of a request."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    if number is not None:
        message["id"] = number
    if params is not None:
        message["params"] = params
    return _frame(message)


def encode_nothing(number: Any) -> bytes:
    """The frame of the empty answer to a request of the server's."""
    return _frame({"jsonrpc": "2.0", "id": number, "result": None})


def _frame(message: Mapping[str, Any]) -> bytes:
    # Lone surrogates have no UTF-8; escaped, as they are here, they are the reader's affair.
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Decoder:
    """Takes a stream apart into the bodies of its frames.

    Args:
        limit: bytes of the longest body there may be.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._data = bytearray()
        self._needed = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The bodies that are whole with these further bytes.

        Raises:
            ProtocolError: the stream holds something else, or too long a body.
        """
        self._data += data
        while len(self._data) >= self._needed and (size := self._size()) is not None:
            start, length = size
            if len(self._data) < start + length:
                # So that a long body is not looked at with each of its parts.
                self._needed = start + length
                return
            body = bytes(self._data[start : start + length])
            del self._data[: start + length]
            self._needed = 0
            yield body

    def _size(self) -> tuple[int, int] | None:
        """Where the next body starts and how long it is, once its header is there."""
        head = bytes(self._data[:_HEADER_BYTES])
        end = head.find(b"\r\n\r\n") + 4
        if end < 4:
            if len(head) == _HEADER_BYTES or not b"Content-".startswith(head[:8]):
                raise ProtocolError(f"no message begins with {_shown(head)}")
            return None
        length = _LENGTH.search(head, 0, end)
        if length is None or not _HEADER.fullmatch(head, 0, end):
            raise ProtocolError(f"no message begins with {_shown(head)}")
        if int(length[1]) > self._limit:
            raise ProtocolError(f"a message of {int(length[1])} bytes")
        return end, int(length[1])


def _shown(data: bytes) -> str:
    return repr(data[:80].decode("utf-8", errors="replace"))


def method_of(body: bytes) -> str:
    """The method that a body names near its start, without reading all of it; or empty."""
    match = _METHOD.search(body, 0, _METHOD_BYTES)
    return match[1].decode("ascii", errors="replace") if match else ""


def parse_body(body: bytes) -> dict[str, Any]:
    """A body as a message.

    Raises:
        ProtocolError: it is none.
    """
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"a message that cannot be read: {error}") from error
    if not isinstance(message, dict):
        raise ProtocolError(f"a message that is no object: {_shown(body)}")
    return message


# ---- Positions -----------------------------------------------------------------------------------


class Lines:
    """The lines of a text, to turn positions of the protocol (lines from 0, columns in UTF-16) into
    those of Lean (lines from 1, columns in code points).
    """

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        # As many UTF-16 units as code points: then they count alike.
        self._plain = len(text.encode("utf-16-le", "surrogatepass")) == 2 * len(text)

    @property
    def end(self) -> dict[str, int]:
        """The end of the text, in the protocol's terms."""
        last = self._lines[-1]
        units = len(last.encode("utf-16-le", "surrogatepass")) // 2
        return {"line": len(self._lines) - 1, "character": units}

    def position(self, line: int, column: int) -> Position:
        """A position of Lean's. A column in the middle of a character is at that character."""
        if self._plain or line >= len(self._lines):
            return Position(line + 1, column)
        units = points = 0
        for letter in self._lines[line]:
            units += 2 if ord(letter) > _LAST_BMP else 1
            if units > column:
                return Position(line + 1, points)
            points += 1
        # A place after the line's end, which only a wrong one can be.
        return Position(line + 1, points + column - units)


# ---- Diagnostics ---------------------------------------------------------------------------------


def diagnostics(params: Any, lines: Lines) -> tuple[Diagnostic, ...]:
    """The diagnostics of a ``textDocument/publishDiagnostics``.

    Raises:
        ProtocolError: they are none.
    """
    try:
        return tuple(_diagnostic(item, lines) for item in params["diagnostics"])
    except (TypeError, KeyError, AttributeError) as error:
        raise ProtocolError(f"diagnostics that are none: {error!r}") from error


def _diagnostic(item: Any, lines: Lines) -> Diagnostic:
    full = item.get("fullRange") or item["range"]
    start, end = _place(full["start"], lines), _place(full["end"], lines)
    message = _SURROGATE.sub("\ufffd", item["message"])
    severity = _SEVERITIES.get(item.get("severity", 1), Severity.INFORMATION)
    return Diagnostic(
        severity=severity,
        message=message,
        start=start,
        # A message at a point has no end, such as those of the parser.
        end=end if end != start else None,
        kind=_kind(item, message, severity),
        goal=goal_state(message),
    )


def _kind(item: Any, message: str, severity: Severity) -> str:
    """Lean's name for the kind of a message, which a server tells of named errors only; of the
    others, those are known by which reports count.
    """
    code = item.get("code")
    if isinstance(code, str):
        return code
    if _UNSOLVED_GOALS in (item.get("leanTags") or ()):
        return "Tactic.unsolvedGoals"
    if severity is Severity.WARNING:
        if message.startswith("declaration uses "):
            return "hasSorry"
        if linter := _LINTER.search(message):
            return linter[1]
    return ""


def _place(value: Any, lines: Lines) -> Position:
    line, column = value["line"], value["character"]
    if type(line) is not int or type(column) is not int or line < 0 or column < 0:
        raise ProtocolError(f"no position: {value!r}")
    return lines.position(line, column)
