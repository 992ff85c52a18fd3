"""Text from outside (Lean, provers, task files) made fit for terminals, logs and XML."""

from __future__ import annotations

import re

from wcwidth import wcswidth, wcwidth

_BIDI = (0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_UNPRINTABLE = (
    *range(0x80, 0xA0),  # C1 controls: some terminals act on them as on ESC sequences
    *_BIDI,  # they reorder the text around them
    0x2028,  # line and paragraph separator: a new line to some readers only
    0x2029,
    *range(0xD800, 0xE000),  # lone surrogates: no encoder takes them
    0xFFFE,  # not characters, and not allowed in XML 1.0
    0xFFFF,
)


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


# C0 controls have pictures of their own in Unicode: U+241B for ESC, and so on.
_TABLE: dict[int, str] = {
    **{code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\n\t"},
    0x7F: "\u2421",
    **{code: _escape(code) for code in _UNPRINTABLE},
}
_HOSTILE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_ELLIPSIS = "..."


def clean(text: str, limit: int) -> str:
    """``text`` safe to print, to log and to put into XML 1.0 (by any writer that escapes markup).

    Control characters, lone surrogates, bidirectional controls and the like become visible
    stand-ins; line feeds, tabs and all other Unicode stay; CRLF becomes LF. More than ``limit``
    characters are cut in the middle, with a note of how many are gone; the result, note
    included, is never longer than ``limit``, so that cleaning twice changes nothing.
    """
    text = text.replace("\r\n", "\n")
    if _HOSTILE.search(text):
        text = text.translate(_TABLE)
    return _cap(text, limit)


def one_line(text: str, limit: int) -> str:
    """As :func:`clean`, with every run of white space a single space and none at the ends."""
    # Cleaned first: str.split takes some control characters for white space.
    return _cap(" ".join(clean(text, len(text) * 6).split()), limit)


def width(text: str) -> int:
    """The terminal columns of ``text``, which should be clean and one line."""
    columns = wcswidth(text)
    return columns if columns >= 0 else sum(max(wcwidth(character), 0) for character in text)


def fit(text: str, columns: int) -> str:
    """``text`` on one line, clean, and shortened at its end to at most ``columns`` columns."""
    line = one_line(text, max(columns, 0) * 8)
    if width(line) <= columns:
        return line
    kept: list[str] = []
    room = columns - len(_ELLIPSIS)
    for character in line:
        room -= max(wcwidth(character), 0)
        if room < 0:
            break
        kept.append(character)
    # A variation selector can make the character before it wider than it is alone.
    while kept and width("".join(kept)) > columns - len(_ELLIPSIS):
        kept.pop()
    return ("".join(kept).rstrip() + _ELLIPSIS)[: max(columns, 0)]


def wrap(text: str, columns: int, indent: str = "  ") -> list[str]:
    """``text`` in lines of at most ``columns`` columns, all but the first one indented.

    A word that is longer than a line stays whole: it is a path or a name to be copied.
    """
    lines: list[str] = []
    line = ""
    for word in one_line(text, 100_000).split(" "):
        if line.strip() and width(line) + 1 + width(word) > columns:
            lines.append(line)
            line = indent + word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line] if line else lines


def _cap(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    # The note's own length depends on the count it shows; its longest form is reserved.
    reserved = len(_note(len(text)))
    if limit < reserved + 2:
        return _ELLIPSIS[: max(limit, 0)] if limit <= 3 else text[: limit - 3] + _ELLIPSIS
    room = limit - reserved
    tail = room // 3
    head = room - tail
    return text[:head] + _note(len(text) - room) + (text[-tail:] if tail else "")


def _note(count: int) -> str:
    return f"[... {count} characters cut ...]"
