"""Checks that lines of both formats share."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, TypeVar

import msgspec

MAX_ID = 1000

_Record = TypeVar("_Record")
# Control characters, line and paragraph separators, and the ones that reorder a terminal's text.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_DRIVE = re.compile(r"[A-Za-z]:")


class InvalidLine(Exception):
    """A line that gives no task. It never leaves :func:`pytest_vsb.tasks.dataset.read_tasks`."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def converted(record: dict[str, Any], form: type[_Record], hint: str) -> _Record:
    """The record in the given form, its types checked.

    Raises:
        InvalidLine: a required key is missing or a value has another type; says which.
    """
    try:
        return msgspec.convert(record, form, strict=True)
    except msgspec.ValidationError as error:
        raise InvalidLine(str(error), hint) from error


def single_line(key: str, value: str) -> str:
    """The value, which must be printable text of one line without blank ends, and not empty."""
    if not value or value.isspace():
        raise InvalidLine(f"`{key}` is empty")
    if found := _UNPRINTABLE.search(value):
        name = unicodedata.name(found[0], f"U+{ord(found[0]):04X}")
        raise InvalidLine(f"`{key}` holds a character that cannot be shown: {name}")
    if value[0].isspace() or value[-1].isspace():
        raise InvalidLine(f"`{key}` begins or ends with a space: {value!r}")
    return value


def task_id(key: str, value: str) -> str:
    """The value, which must do as the last part of a nodeid."""
    single_line(key, value)
    if "::" in value:
        raise InvalidLine(
            f"`{key}` holds `::`, which separates the parts of a nodeid: {value!r}",
            "use `.` or `/`",
        )
    if len(value) > MAX_ID:
        raise InvalidLine(f"`{key}` has {len(value):,} characters; at most {MAX_ID:,} are allowed")
    return value


def relative_path(key: str, value: str, *, up: bool = False) -> str:
    """The value, which must be a relative path with forward slashes.

    Args:
        up: whether ``..`` is allowed.
    """
    single_line(key, value)
    if "\\" in value:
        raise InvalidLine(f"`{key}` holds a backslash: {value!r}", "use forward slashes")
    if value.startswith("/") or _DRIVE.match(value):
        raise InvalidLine(f"`{key}` is an absolute path: {value!r}", "make it relative")
    if value.startswith("~"):
        raise InvalidLine(f"`{key}` begins with `~`: {value!r}", "make it relative")
    if not up and ".." in value.split("/"):
        raise InvalidLine(f"`{key}` leads out of the project: {value!r}", "remove `..`")
    return value


def lean_file(key: str, value: str) -> str:
    """The value, which must be the path of a Lean file in its project; without ``.`` parts."""
    relative_path(key, value)
    if not value.endswith(".lean") or value.endswith("/.lean") or value == ".lean":
        raise InvalidLine(f"`{key}` is not the path of a .lean file: {value!r}")
    if "//" in value or "./" in value:
        return "/".join(part for part in value.split("/") if part not in ("", "."))
    return value


def text(key: str, value: str) -> str:
    """The value, which must hold more than blanks and no NUL."""
    if not value or value.isspace():
        raise InvalidLine(f"`{key}` is empty")
    if "\0" in value:
        raise InvalidLine(f"`{key}` holds a NUL character")
    return value
