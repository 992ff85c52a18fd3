"""Reading what Lean says about a file: its messages, as JSON lines or as text, and positions.

Nothing here raises on any text. Lean's own messages are one JSON object per line under ``--json``;
the text format is for Leans without it. A file can print whatever it likes, so whether there was an
error is also told by the exit code, never by this text alone.
"""

from __future__ import annotations

import bisect
import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Severity(str, Enum):
    """How bad a message is."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"


@dataclass(frozen=True, order=True)
class Position:
    """A place in a file as Lean counts it."""

    line: int
    """From 1; lines end at a line feed only."""
    column: int
    """From 0, in code points."""


@dataclass(frozen=True)
class Diagnostic:
    """One message of Lean about a place in the file."""

    severity: Severity
    message: str
    start: Position
    end: Position | None = None
    kind: str = ""
    """Lean's name for this kind of message, such as ``lean.unknownIdentifier``, or empty."""
    region: str = ""
    """The part of a submission that it is in; filled in by those who know the parts."""
    goal: str | None = None
    """The goals shown in the message, if any."""
    local: Position | None = None
    """Where it starts in its region's own text (less line ends before it); filled in likewise."""


@dataclass(frozen=True)
class ParsedOutput:
    """The output of Lean on one file."""

    diagnostics: tuple[Diagnostic, ...]
    other: str
    """Text that is no message about the file: of other files, printed by it, notes of a crash."""


_SEVERITIES = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "information": Severity.INFORMATION,
    "info": Severity.INFORMATION,
    "trace": Severity.INFORMATION,
}
_PLACE = re.compile(
    r":(?P<line>\d{1,9}):(?P<column>\d{1,9})"
    r"(?:-(?P<end_line>\d{1,9}):(?P<end_column>\d{1,9}))?: "
    r"(?P<severity>error|warning|information|info|trace)(?:\((?P<kind>[^)\n]*)\))?:(?: |$)"
)
_OTHER_FILE = re.compile(r"[^\s:][^\n:]*(?=:\d)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NAMED_ERROR = "._namedError"


def parse(stdout: str, *, file_name: str, json_lines: bool | None = None) -> ParsedOutput:
    """Lean's messages about a file in its output, in order.

    Args:
        file_name: the file as it was named on Lean's command line, which is how messages name it.
        json_lines: whether Lean ran with ``--json``; None tells it from the output.
    """
    lines = stdout.split("\n")
    read = [_read_json(line, file_name) for line in lines]
    if json_lines is None:
        json_lines = any(item is not None for item in read)
    if not json_lines:
        return _parse_text(lines, file_name)
    found: list[Diagnostic] = []
    other: list[str] = []
    for line, item in zip(lines, read, strict=True):
        if item is None:
            other.append(line)
            continue
        before, diagnostic = item
        found.append(diagnostic)
        if before:
            other.append(before)
    return ParsedOutput(tuple(found), _tidy(other))


def _read_json(line: str, file_name: str) -> tuple[str, Diagnostic] | None:
    """A message at the end of a line, and what was printed before it without a line's end."""
    start = line.find('{"')
    for _ in range(4):
        if start < 0:
            return None
        try:
            value = json.loads(line[start:])
        except (ValueError, RecursionError):
            value = None
        diagnostic = _from_json(value, file_name)
        if diagnostic is not None:
            return line[:start], diagnostic
        start = line.find('{"', start + 1)
    return None


def _from_json(value: Any, file_name: str) -> Diagnostic | None:
    if not isinstance(value, dict) or value.get("fileName") != file_name:
        return None
    severity, data = value.get("severity"), value.get("data")
    if not isinstance(severity, str) or not isinstance(data, str):
        return None
    caption, kind = value.get("caption"), value.get("kind")
    if isinstance(caption, str) and caption:
        data = f"{caption}:\n{data}"
    message = _SURROGATE.sub("\ufffd", data)
    kind = kind if isinstance(kind, str) and kind != "[anonymous]" else ""
    return Diagnostic(
        # Better one error too many than one unseen.
        severity=_SEVERITIES.get(severity, Severity.ERROR),
        message=message,
        start=_json_position(value.get("pos")) or Position(1, 0),
        end=_json_position(value.get("endPos")),
        kind=_SURROGATE.sub("\ufffd", kind).removesuffix(_NAMED_ERROR),
        goal=goal_state(message),
    )


def _json_position(value: Any) -> Position | None:
    if not isinstance(value, dict):
        return None
    line, column = value.get("line"), value.get("column")
    if type(line) is int and type(column) is int and line >= 1 and column >= 0:
        return Position(line, column)
    return None


def _parse_text(lines: list[str], file_name: str) -> ParsedOutput:
    found: list[Diagnostic] = []
    other: list[str] = []
    header: re.Match[str] | None = None
    body: list[str] = []

    def close() -> None:
        if header is not None:
            found.append(_from_text(header, _tidy(body)))

    for line in lines:
        if line.startswith(file_name) and (match := _PLACE.match(line, len(file_name))):
            close()
            header, body = match, [line[match.end() :]]
        elif (name := _OTHER_FILE.match(line)) and _PLACE.match(line, name.end()):
            close()
            header = None
            other.append(line)
        else:
            (other if header is None else body).append(line)
    close()
    return ParsedOutput(tuple(found), _tidy(other))


def _from_text(header: re.Match[str], message: str) -> Diagnostic:
    end = None
    if header["end_line"]:
        end = Position(max(1, int(header["end_line"])), int(header["end_column"]))
    return Diagnostic(
        severity=_SEVERITIES[header["severity"]],
        message=message,
        start=Position(max(1, int(header["line"])), int(header["column"])),
        end=end,
        kind=(header["kind"] or "").removesuffix(_NAMED_ERROR),
        goal=goal_state(message),
    )


def _tidy(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n")


def first_error(stdout: str, stderr: str, *, file_name: str) -> str | None:
    """The first error as ``line:column: message``, else the first line of anything else said."""
    parsed = parse(stdout, file_name=file_name)
    for diagnostic in parsed.diagnostics:
        if diagnostic.severity is Severity.ERROR:
            start = diagnostic.start
            return f"{start.line}:{start.column}: {cap(diagnostic.message, 1000)}"
    for line in f"{stderr}\n{parsed.other}".split("\n"):
        if line.strip():
            return cap(line.strip(), 1000)
    return None


# ---- Goals ---------------------------------------------------------------------------------------

_TURNSTILE = "⊢"
_CONTEXT_LINE = re.compile(r"case \S|\S.* : |\S.* :$")


def goal_state(message: str) -> str | None:
    """The goals in a message: from the first one's context to the end of the last one.

    None if the message shows no goal.
    """
    lines = message.split("\n")
    turnstiles = [number for number, line in enumerate(lines) if line.startswith(_TURNSTILE)]
    if not turnstiles:
        return None
    start = first = turnstiles[0]
    # A message's own words come before the context, with or without a blank line between.
    while start > 0:
        line = lines[start - 1]
        if not line.startswith((" ", "\t")) and not _CONTEXT_LINE.match(line):
            break
        start -= 1
    while start < first and lines[start].startswith((" ", "\t")):
        start += 1
    end = turnstiles[-1] + 1
    while end < len(lines) and lines[end].strip():
        end += 1
    return "\n".join(line.rstrip() for line in lines[start:end])


def cap(text: str, limit: int) -> str:
    """The text, or if it is longer than the limit, its start and end and how much was cut."""
    if len(text) <= limit:
        return text
    note = "\n[... {} characters cut ...]\n"
    room = limit - len(note.format(len(text)))
    if room <= 0:
        return text[: max(0, limit)]
    head = room * 2 // 3
    tail = room - head
    return text[:head] + note.format(len(text) - room) + text[len(text) - tail :]


# ---- Positions -----------------------------------------------------------------------------------


class LineIndex:
    """From offsets in a text, in code points, to positions as Lean counts them, and back."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def position(self, offset: int) -> Position:
        """The position of an offset; one outside the text counts as its nearest end."""
        offset = min(max(offset, 0), self._length)
        line = bisect.bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1])

    def offset(self, position: Position) -> int:
        """The offset of a position; a line or column too large counts as the last one there is."""
        if position.line < 1:
            return 0
        if position.line > len(self._starts):
            return self._length
        start = self._starts[position.line - 1]
        last = position.line == len(self._starts)
        end = self._length if last else self._starts[position.line] - 1
        return min(start + max(position.column, 0), end)
