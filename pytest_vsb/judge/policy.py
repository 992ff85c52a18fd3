"""What a candidate may not contain, decided on its tokens before Lean sees it.

The policy keeps out what can run code during elaboration, change how later text is read, or bend
what the kernel is asked. Soundness does not rest on it alone: statement and axioms are audited
on the compiled result. It speaks of tokens, so the same words in comments, in strings, between
``«»`` and as field names are free.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from pytest_vsb.judge import constructs, local_syntax, readings
from pytest_vsb.judge.readings import MAX_INTERPOLATED
from pytest_vsb.source.lexer import tokens
from pytest_vsb.source.scanner import scan

Profile = Literal["strict", "permissive"]
"""``strict`` refuses all new syntax. ``permissive`` allows local notations, and local macros that
only abbreviate; what they make of the text, the kernel and the audit decide."""

PROFILES: tuple[Profile, ...] = get_args(Profile)


@dataclass(frozen=True)
class Refusal:
    """A construct that is refused: what, why, and where (1-based line and 0-based column in the
    ``part``, which is ``auxiliary`` or ``proof``)."""

    construct: str
    why: str
    part: str
    line: int
    column: int
    profile: Profile = "strict"

    def __str__(self) -> str:
        place = f"{self.part} {self.line}:{self.column}"
        return f"`{self.construct}` is not allowed ({self.profile} policy): {self.why} [{place}]"


def find_forbidden(auxiliary: str, proof: str, profile: Profile = "strict") -> Refusal | None:
    """The first construct of a candidate that the policy refuses, if any."""
    for part, text in (("auxiliary", auxiliary), ("proof", proof)):
        found = min(_constructs(text, part, profile), key=lambda each: each[0], default=None)
        if found is not None:
            offset, construct, why = found
            line, column = _position(text, offset)
            return Refusal(construct, why, part, line, column, profile)
    return None


def find_unreadable(auxiliary: str) -> str | None:
    """What in the auxiliary text is no command of Lean's, and where, if there is such a thing."""
    for command in scan(auxiliary).commands:
        if command.kind == "unknown":
            start = constructs.command_start(auxiliary, command)
            line, column = _position(auxiliary, start)
            word = auxiliary[start : start + 30].split("\n")[0].strip()
            return f"auxiliary {line}:{column}: no declaration begins with `{word}`"
    return None


def _position(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1)


def _constructs(text: str, part: str, profile: Profile) -> Iterator[constructs.Found]:
    if "/--/" in text:
        yield text.index("/--/"), "/--/", "where this comment ends may be read in two ways"
    if text.count('!"') > MAX_INTERPOLATED:
        yield text.index('!"'), '!"', f"more than {MAX_INTERPOLATED} such strings are not read"
        return
    every = list(tokens(text))
    meaningful = [token for token in every if token.kind not in ("space", "comment", "doc")]
    commands = scan(text).commands if part == "auxiliary" else ()
    free: set[int] = set()
    literals: set[int] = set()
    if commands and profile == "permissive":
        free, literals, wrong = local_syntax.allowed(text, commands, meaningful)
        yield from wrong
    yield from readings.quotes(every)
    yield from readings.comments(every)
    yield from constructs.words(meaningful, free)
    yield from readings.strings(text, meaningful, literals)
    yield from constructs.documentation(every)
    yield from constructs.commands(text, commands, free)
