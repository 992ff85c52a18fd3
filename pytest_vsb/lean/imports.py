"""Module names, and the imports in a Lean file's header."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_DELIMITER = re.compile(r"/-|-/")
_COMPONENT = r"(?:«[^»\n]*»|[^\W\d][\w'!?₀-₉]*)"
_NAME = re.compile(rf"{_COMPONENT}(?:\.{_COMPONENT})*")
_PART = re.compile(r"«(?P<quoted>[^»\n]*)»|(?P<plain>[^.«»]+)")


@dataclass(frozen=True)
class Header:
    """What a Lean file says before its first command."""

    imports: tuple[str, ...]
    """Modules in order, as written, without the ``Init`` that every ordinary file imports."""
    prelude: bool = False
    """Whether not even ``Init`` is imported."""
    module: bool = False
    """Whether it takes part in the module system."""


def read_header(text: str) -> Header:
    """The header of a Lean file. Any text has one, if an empty one."""
    at = _skip(text, 0)
    module = prelude = False
    if word := _word(text, at, "module"):
        module, at = True, _skip(text, word)
    if word := _word(text, at, "prelude"):
        prelude, at = True, _skip(text, word)
    found: list[str] = []
    while True:
        # public? meta? import all? NAME
        end = at
        for keyword in ("public", "private", "meta"):
            end = _skip(text, _word(text, end, keyword) or end)
        start = _word(text, end, "import")
        if not start:
            return Header(tuple(found), prelude, module)
        start = _skip(text, start)
        if after := _word(text, start, "all"):
            start = _skip(text, after)
        name = _NAME.match(text, start)
        if name is None:
            return Header(tuple(found), prelude, module)
        found.append(name[0])
        at = _skip(text, name.end())


def _word(text: str, at: int, word: str) -> int:
    """Where a keyword that stands here ends, else 0."""
    end = at + len(word)
    if not text.startswith(word, at):
        return 0
    following = text[end : end + 1]
    return 0 if following.isalnum() or (following and following in "_'!?.") else end


def _skip(text: str, at: int) -> int:
    """Past white space and comments; a documentation comment is part of a command."""
    while at < len(text):
        if text[at].isspace() or text[at] == "\ufeff":
            at += 1
        elif text.startswith("--", at):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end + 1
        elif text.startswith("/-", at) and text[at + 2 : at + 3] not in ("-", "!"):
            at = _comment_end(text, at)
        else:
            break
    return at


def _comment_end(text: str, at: int) -> int:
    depth = 0
    for match in _DELIMITER.finditer(text, at):
        depth += 1 if match[0] == "/-" else -1
        if depth == 0:
            return match.end()
    return len(text)


def components(module: str) -> tuple[str, ...]:
    """The parts of a module's name, without quotes: ``A.«b-c»`` is ``("A", "b-c")``."""
    return tuple(
        match["plain"] if match["quoted"] is None else match["quoted"]
        for match in _PART.finditer(module)
    )


def module_path(module: str, suffix: str) -> Path:
    """The relative path of a module's file: its parts as directories.

    The name comes from a file of someone else: no part can lead out of the directory.
    """
    parts = [part.replace("/", "_").replace("\0", "_") for part in components(module)] or ["_"]
    safe = ["_" if part in ("", ".", "..") else part for part in parts]
    return Path(*safe[:-1], safe[-1] + suffix)
