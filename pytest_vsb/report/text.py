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
_BLANKS = re.compile("(?:\r\n|[ \t\n])+")
_ELLIPSIS = "..."


def clean(text: str, limit: int) -> str:
    """``text`` safe to print, to log and to put into XML 1.0 (by any writer that escapes markup).

    Control characters, lone surrogates, bidirectional controls and the like become visible
    stand-ins; line feeds, tabs and all other Unicode stay; CRLF becomes LF. A result of more than
    ``limit`` characters is cut in the middle, with a note of how many characters of the text are
    gone; the note included, it is never longer than ``limit``, so that cleaning twice changes
    nothing.
    """
    text = text.replace("\r\n", "\n")
    if len(text) <= limit:
        cleaned = _replace(text)
        if len(cleaned) <= limit:
            return cleaned
    # The note's length depends on the count it shows; that of its longest form is set aside.
    room = limit - len(_note(len(text)))
    if room < 2:
        kept = max(limit - len(_ELLIPSIS), 0)
        return (_replace(text[:kept])[:kept] + _ELLIPSIS)[: max(limit, 0)]
    tail = room // 3
    before = _fitting(text[: room - tail], room - tail)
    after = _fitting(text[::-1][:tail], tail)[::-1]
    count = len(text) - len(before) - len(after)
    return _replace(before) + _note(count) + _replace(after)


def one_line(text: str, limit: int) -> str:
    """As :func:`clean`, with every run of blanks, tabs and line ends a single blank."""
    return clean(_BLANKS.sub(" ", text).strip(" "), limit)


def width(text: str) -> int:
    """The terminal columns of ``text``, which should be clean and one line."""
    columns = wcswidth(text)
    return columns if columns >= 0 else sum(max(wcwidth(character), 0) for character in text)


def fit(text: str, columns: int) -> str:
    """``text`` on one line, clean, and shortened at its end to at most ``columns`` columns."""
    columns = max(columns, 0)
    enough = 100 * columns
    if len(text) > enough:  # only the beginning can be shown
        text = text[:enough] + _ELLIPSIS
    line = one_line(text, 8 * columns)
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
    return ("".join(kept).rstrip() + _ELLIPSIS)[:columns]


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


def _replace(text: str) -> str:
    return text.translate(_TABLE) if _HOSTILE.search(text) else text


def _fitting(text: str, room: int) -> str:
    """The longest beginning of ``text`` whose replacement has at most ``room`` characters."""
    for index, character in enumerate(text):
        room -= len(_TABLE.get(ord(character), character))
        if room < 0:
            return text[:index]
    return text


def _note(count: int) -> str:
    return f"[... {count} characters cut ...]"
