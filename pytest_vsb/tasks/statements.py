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
# What a proof can begin with. A statement without it, as most are, needs no scan.
_PERHAPS_PROOF = re.compile(r":=|\bwhere\b|^\s*\|", re.MULTILINE)
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
    if not _perhaps_proof(statement):
        return
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
    if "\\n" in text and "\n" not in text:
        # Some published records have their line ends escaped twice.
        text = text.replace("\\n", "\n")
    declared = scan(text).declarations
    if declared:
        return declared[0].statement.of(text)
    return _SEPARATOR.sub("", text).strip()


def is_truncated(statement: str) -> bool:
    """Whether a cleaned statement stops within: some published records end at the ``:=`` of a
    ``let`` in the statement, as if the proof began there."""
    return statement.endswith(":=")


def _perhaps_proof(statement: str) -> bool:
    """Whether something outside all brackets looks like a proof separator. Cheap: it spares the
    scan of the many statements with named arguments such as ``(k := 2)``."""
    while _PERHAPS_PROOF.search(statement):
        shorter = _INNERMOST.sub("", statement)
        if shorter == statement:
            return True
        statement = shorter
    return False
