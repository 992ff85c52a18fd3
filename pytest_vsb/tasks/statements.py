"""Statement texts: where a declaration's statement begins and ends."""

from __future__ import annotations

import re

from pytest_vsb.source.scanner import scan
from pytest_vsb.tasks.checks import InvalidLine

_WORD = re.compile(r"[a-z_]+\b")
_MODIFIERS = frozenset(
    ["meta", "noncomputable", "nonrec", "partial", "private", "protected", "public", "unsafe"]
)
_SEPARATOR = re.compile(r"(?::=(?:\s*by)?|\bwhere)\s*\Z")
_PROOF_START = re.compile(r":=|\bby\b|\bwhere\b|^\s*\|", re.MULTILINE)
_INNERMOST = re.compile(r"[(\[{⟨][^()\[\]{}⟨⟩]*[)\]}⟩]")


def keyword_of(statement: str) -> str:
    """The declaration keyword that a statement begins with, such as ``theorem`` or ``lemma``.

    Raises:
        InvalidLine: it begins with something else.
    """
    found = _WORD.match(statement)
    if found and found[0] not in _MODIFIERS:
        return found[0]
    raise InvalidLine(
        f"`statement` does not begin with a declaration keyword: {statement[:40]!r}",
        "leave out what stands before it: docstring, attributes, modifiers, `open ... in`",
    )


def check(statement: str) -> None:
    """Refuse a statement that goes on to its proof.

    Raises:
        InvalidLine: it holds the proof separator or ends with it.
    """
    if not _proof_start(statement):
        return  # as most: the scan is worth sparing
    declared = scan(statement).declarations
    if declared and (body := declared[0].body):
        start = body.of(statement)
    elif found := _SEPARATOR.search(statement):
        start = found[0]
    else:
        return
    raise InvalidLine(
        f"`statement` goes on to the proof: {start[:40]!r}",
        "the statement ends before the proof separator, which belongs to `reference_proof`",
    )


def clean(text: str) -> str:
    """The statement in a declaration's text of a dataset: from its keyword to before its proof.

    A text that was cut at a ``:=`` within the statement keeps it: see :func:`is_truncated`.
    """
    if "\\n" in text and "\n" not in text and '"' not in text:
        # Some published records have their line ends escaped twice.
        text = text.replace("\\n", "\n")
    declared = scan(text).declarations
    if declared:
        return declared[0].statement.of(text)
    # A command of the repository's own that proves something, such as `prove_correct f by ...`.
    found = _proof_start(text)
    return (text[: found.start()] if found else text).strip()


def is_truncated(statement: str) -> bool:
    """Whether a cleaned statement stops within: some published records end at the ``:=`` of a
    ``let`` in the statement, as if the proof began there."""
    return statement.endswith(":=")


def agrees(statement: str, found: str) -> bool:
    """Whether a task's statement is the one found in the source file, whatever the blanks between
    the words. A truncated statement agrees with those that begin with it."""
    words, source = statement.split(), found.split()
    return words == (source[: len(words)] if is_truncated(statement) else source)


def _proof_start(text: str) -> re.Match[str] | None:
    """The first thing outside all brackets that looks like the beginning of a proof."""
    found = _PROOF_START.search(text)
    while found:
        masked = _INNERMOST.sub(lambda bracket: "." * len(bracket[0]), text)
        if masked == text:
            break
        text = masked
        found = _PROOF_START.search(text)
    return found
