"""Whether a proof shows in what a prover is shown: runs of its tokens in a prompt.

A prompt quotes statements and definitions, and a proof quotes them too, so that some tokens in
common prove nothing. Three things tell a leak:

- a run of at least `LEAST` tokens of the proof that no text has which may be shown;
- of a proof too short for that, all of it behind a statement: the end of the target's statement
  and the beginning of its proof, one after the other;
- comments and spaces count for nothing: what is in a comment is looked at by itself.

`LEAST` is what `bench/leaks.py` found between the two: over the theorems of 23 repositories, runs
that only chance or custom brings about are shorter (patterns of cases, calls with the same
arguments), and what is longer was a proof in each case that was looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_vsb.errors import VsbError

LEAST = 16
"""How many tokens of a proof in one run are a leak."""

_TAIL = 12
_ATOM = r"(?:[^\W\d][\w'!?]*|«[^»\n]*»)"
_WORD = rf"{_ATOM}(?:\.{_ATOM})*|\d+(?:\.\d+)?|:=|=>|<;>|<\||\|>\.?|\.\.|<-|->|::|\S"
_PLAIN = re.compile(_WORD)
_COMMENT = re.compile(r"--[^\n]*|/-(?s:.*?)(?:-/|\Z)")
_PLACEHOLDERS = frozenset({"sorry", "…", "...", "..", "?_", "_", "<", "?"})
_BEGINNINGS = frozenset({":=", "by"})


class LeakError(VsbError):
    """A prompt that shows a part of the proof it asks for. It must not be sent."""


@dataclass(frozen=True)
class Run:
    """Tokens that two texts have in common, one after the other, joined by spaces."""

    length: int
    text: str


@dataclass(frozen=True)
class Leak:
    """A part of a proof that a prompt shows.

    ``behind_statement`` says that it is the whole beginning of the proof, behind its statement.
    """

    run: Run
    behind_statement: bool = False


def tokens(text: str) -> list[str]:
    """The tokens of a text, Lean or not, without spaces and comments. Takes any text."""
    return _tokens(text)[0]


def _tokens(text: str) -> tuple[list[str], list[str]]:
    """The tokens outside of comments, and those of the comments."""
    if "--" not in text and "/-" not in text:
        return _PLAIN.findall(text), []
    code: list[str] = []
    comments: list[str] = []
    pos = 0
    for found in _COMMENT.finditer(text):
        code += _PLAIN.findall(text, pos, found.start())
        # A token of its own keeps what stands in two comments apart.
        comments += (*_PLAIN.findall(found.group()), "")
        pos = found.end()
    return code + _PLAIN.findall(text, pos), comments


class Matcher:
    """A text whose runs are looked up in many others: a suffix automaton over its tokens.

    Made in time linear in the text, and each text is matched in time linear in it.
    """

    def __init__(self, text: Iterable[str]) -> None:
        self._next: list[dict[str, int]] = [{}]
        self._link = [-1]
        self._length = [0]
        last = 0
        for token in text:
            last = self._add(token, last)

    def _add(self, token: str, last: int) -> int:
        following, link, length = self._next, self._link, self._length
        new = len(length)
        following.append({})
        link.append(0)
        length.append(length[last] + 1)
        state = last
        while state >= 0 and token not in following[state]:
            following[state][token] = new
            state = link[state]
        if state < 0:
            return new
        target = following[state][token]
        if length[state] + 1 == length[target]:
            link[new] = target
            return new
        clone = len(length)
        following.append(dict(following[target]))
        link.append(link[target])
        length.append(length[state] + 1)
        while state >= 0 and following[state].get(token) == target:
            following[state][token] = clone
            state = link[state]
        link[target] = link[new] = clone
        return new

    def longest(self, tokens: Iterable[str]) -> tuple[int, int]:
        """The length of the longest run in common, and where it ends in ``tokens``."""
        following, link, length = self._next, self._link, self._length
        best = end = state = run = 0
        for index, token in enumerate(tokens):
            step = following[state].get(token)
            if step is None:
                while state and step is None:
                    state = link[state]
                    step = following[state].get(token)
                run = length[state] if step is not None else 0
                if step is None:
                    continue
            state = step
            run += 1
            if run > best:
                best, end = run, index + 1
        return best, end


def longest_common_run(first: Sequence[str], second: Sequence[str]) -> Run:
    """The longest run of tokens that stands in both; the earliest in the longer of several."""
    short, long = sorted((first, second), key=len)
    length, end = Matcher(short).longest(long)
    return Run(length, " ".join(long[end - length : end]))


def find_leak(
    prompt: str,
    proof: str,
    *,
    statement: str = "",
    allowed: Iterable[str] = (),
    least: int = LEAST,
) -> Leak | None:
    """The part of a proof that a prompt shows though it must not, or None.

    Args:
        prompt: all of it.
        proof: the reference proof, from its ``:=`` on.
        statement: the statement that it proves.
        allowed: texts that may be shown whatever the proof says: the statements of other
            declarations, and definitions. Never what elision makes of the target itself. Looked at
            only where something was found.
        least: the length of a run that is a leak.
    """
    steps = tokens(proof)
    shown = _tokens(prompt)
    behind = _behind_statement(shown, tokens(statement), steps) if statement else None
    if behind is not None:
        return behind
    if len(steps) < least:
        return None
    coder = _Coder(steps)
    coded = coder.code(steps)
    grams = {coded[i : i + least] for i in range(len(coded) - least + 1)}
    found = {gram for part in shown for gram in coder.common(part, grams, least)}
    if not found:
        return None
    for text in (statement, *allowed):
        for part in _tokens(text):
            found.difference_update(coder.common(part, found, least))
        if not found:
            return None
    # What hangs together in the proof is one run.
    best = start = run = 0
    for index in range(len(coded) - least + 1):
        run = run + 1 if coded[index : index + least] in found else 0
        if run > best:
            best, start = run, index - run + 1
    length = best + least - 1
    return Leak(Run(length, " ".join(steps[start : start + length])))


def check(
    prompt: str,
    proof: str,
    *,
    where: str,
    statement: str = "",
    allowed: Iterable[str] = (),
) -> None:
    """Refuses a prompt that shows a part of the proof.

    Args:
        where: the task, for the message.

    The others are those of `find_leak`.

    Raises:
        LeakError: there is a leak.
    """
    leak = find_leak(prompt, proof, statement=statement, allowed=allowed)
    if leak is None:
        return
    text = leak.run.text
    text = text if len(text) <= 200 else f"{text[:200]} …"
    kind = "the beginning of its proof" if leak.behind_statement else "a part of its proof"
    raise LeakError(
        f"the prompt shows {kind}, {leak.run.length} tokens: {text}",
        where=where,
        hint="a file of the repository may state the theorem twice, or prove it in a way that is "
        "not recognised as a proof",
    )


class _Coder:
    """Texts as strings of one character a token; a token that a proof has not is always the
    same, which none of the proof's is."""

    def __init__(self, steps: Sequence[str]) -> None:
        self._codes = _Codes()
        for number, token in enumerate(dict.fromkeys(steps), 1):
            # Not the surrogates.
            self._codes[token] = chr(number if number < 0xD800 else number + 0x800)

    def code(self, text: Sequence[str]) -> str:
        return "".join(map(self._codes.__getitem__, text))

    def common(self, text: Sequence[str], grams: set[str], length: int) -> set[str]:
        """Which of these runs of that length the text has."""
        found: set[str] = set()
        for part in self.code(text).split("\0"):
            if len(part) >= length:
                found.update(part[i : i + length] for i in range(len(part) - length + 1))
        return found & grams


class _Codes(dict[str, str]):
    def __missing__(self, token: str) -> str:
        return "\0"


def _behind_statement(
    shown: tuple[list[str], list[str]], statement: list[str], steps: list[str]
) -> Leak | None:
    """The end of the statement with the beginning of its proof behind it, if that is shown."""
    begun = next((n for n, token in enumerate(steps) if token not in _BEGINNINGS), len(steps))
    if begun == len(steps) or steps[begun] in _PLACEHOLDERS or not statement:
        return None
    tail = statement[-_TAIL:]
    wanted = [*tail, *steps[: begun + 2]]
    for part in shown:
        for at in _positions(part, wanted):
            both = zip(part[at + len(tail) :], steps, strict=False)
            length = next((n for n, (one, other) in enumerate(both) if one != other), len(steps))
            return Leak(Run(length, " ".join(steps[:length])), behind_statement=True)
    return None


def _positions(text: list[str], wanted: list[str]) -> Iterable[int]:
    first, size = wanted[-1], len(wanted)
    at = -1
    while True:
        try:
            at = text.index(first, at + 1)
        except ValueError:
            return
        begin = at - size + 1
        if begin >= 0 and text[begin : at + 1] == wanted:
            yield begin
