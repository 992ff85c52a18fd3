"""Statement texts: where a declaration's statement begins and ends."""

from __future__ import annotations

import re

from pytest_vsb.tasks.checks import InvalidLine

_COMMENT = r"(?:/-(?:[^-]|-(?!/))*-/|--[^\n]*\n)"
_ATTRIBUTES = r"@\[(?:[^\[\]]|\[[^\[\]]*\])*\]"
_MODIFIER = r"(?:private|protected|public|meta|noncomputable|nonrec|unsafe|partial|scoped|local)\b"
_IN = r"(?:open|omit|include|set_option|variable|attribute|universe)\b[^\n]*?\bin\b"
_HEADER = re.compile(rf"(?:\s+|{_COMMENT}|{_ATTRIBUTES}|{_MODIFIER}|{_IN})*")
_KIND = re.compile(r"[a-z_]+\b")
_SEPARATOR = re.compile(r"(?::=(?:\s*by)?|\bwhere)\s*$")
_BINDING = re.compile(r"\b(?:letI?|haveI?|let_fun)\b[^;\n]*$")


def kind_of(statement: str) -> str:
    """The keyword that a statement begins with, such as ``theorem`` or ``lemma``."""
    found = _KIND.match(statement.lstrip())
    return found[0] if found else "theorem"


def check(statement: str) -> None:
    """Refuse a statement that goes on to its proof.

    Raises:
        InvalidLine: it ends with a proof separator.
    """
    if found := _SEPARATOR.search(statement):
        raise InvalidLine(
            f"`statement` goes on to the proof separator `{found[0].strip()}`",
            "the statement ends before it; the separator belongs to `reference_proof`",
        )


def clean(text: str) -> str:
    """A statement as the task record has it, from a declaration's text in a dataset: without
    what precedes the keyword and without the proof separator at its end."""
    if "\\n" in text and "\n" not in text:
        # Some records of the official dataset have their line ends escaped twice.
        text = text.replace("\\n", "\n")
    found = _HEADER.match(text)
    start = found.end() if found else 0
    return _SEPARATOR.sub("", text[start:]).rstrip()


def is_truncated(text: str) -> bool:
    """Whether a dataset's statement stops within: at a local definition's ``:=`` that was taken
    for the proof separator, or with brackets left open."""
    end = _SEPARATOR.sub("", text).rstrip()
    opened = sum(map(end.count, "([{⟨")) - sum(map(end.count, ")]}⟩"))
    return opened > 0 or bool(_BINDING.search(end) and _SEPARATOR.search(text))
