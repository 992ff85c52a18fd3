"""First looks at a piece of text: whether it is Lean, and of what sort."""

from __future__ import annotations

import re

from pytest_vsb.context.body import evenly_spaced, read_body, trim
from pytest_vsb.source import grammar, lexer, scan

_BY_LINE = re.compile(r"^(?::=[ ]*)?by(?![\w'!?.])", re.MULTILINE)
_COMMAND_LINE = re.compile(
    rf"^(?:@\[|/--|(?:{grammar.words_pattern(grammar.COMMANDS | grammar.MODIFIERS)})(?![\w'!?.]))",
    re.MULTILINE,
)
_TRIVIA = frozenset({"space", "line", "block"})


def normal(text: str, notes: list[str]) -> str:
    """Commands that are indented as a whole moved to column 0."""
    text = evenly_spaced(trim(text), notes)
    lines = text.split("\n")
    margin = min((len(x) - len(x.lstrip(" ")) for x in lines if x.strip()), default=0)
    if not margin:
        return text
    notes.append("indentation")
    return "\n".join(line[margin:] for line in lines)


def _first(text: str) -> str:
    for group, start, end, _ in lexer.lex(text):
        if group == "block" and (lexer.is_doc(text, start) or text.startswith("/-!", start)):
            return "/--"
        if group not in _TRIVIA:
            return text[start:end]
    return ""


def begins_command(text: str) -> bool:
    """Whether a piece of Lean is commands rather than a body."""
    word = _first(text)
    if word in ("/--", "@["):
        return True
    commands = scan(trim(text)).commands
    first = next((c for c in commands if c.kind != "trivia"), None)
    if first is None or first.kind == "unknown" or not first.keyword:
        return False
    # In a proof `open ... in` and `set_option ... in` stand before tactics.
    return first.declaration is not None or not re.match(r"(?:open|set_option)\b[^\n]*\bin\b", text)


def begins_code(text: str) -> bool:
    """Whether a text without any markup looks like Lean from its beginning on."""
    word = _first(text)
    return word in ("by", ":=", "|", "·", "fun") or begins_command(text) or _is_tactic(text)


def _is_tactic(text: str) -> bool:
    return "missing-by" in read_body(text).leniencies and not re.search(r"[.!?][ \n]+[A-Z]", text)


def is_prose(text: str) -> bool:
    """Whether a piece that no command begins is a sentence or a heading and no Lean.

    Commands of a repository's own begin with a small letter.
    """
    text = text.strip()
    if not text or ":=" in text or "=>" in text:
        return False
    return (text[0].isupper() or text[0] in "*#-_") and text[-1] in ".:!*_"


def without_prose(text: str, *, commands: bool = False) -> str:
    """A piece of Lean without the sentences in front of it: a body whose ``by`` begins a line, or
    commands whose first one does."""
    found = (_COMMAND_LINE if commands else _BY_LINE).search(text)
    if found is None or not is_prose(text[: found.start()]):
        return text
    return text[found.start() :]


def words(text: str) -> set[str]:
    """The parts of all names in a piece of Lean."""
    return {
        part
        for group, start, end, _ in lexer.lex(text)
        if group == "ident"
        for part in text[start:end].split(".")
    }


def declared(text: str) -> set[str]:
    """The last parts of the names that a piece of Lean declares."""
    return {d.name.rsplit(".", 1)[-1] for d in scan(text).declarations if d.name}
