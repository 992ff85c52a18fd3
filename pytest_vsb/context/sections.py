"""Finding the parts of an answer: tagged sections and fenced code blocks.

Nothing here reads Lean. Every function takes any text, is linear in it, and never raises.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Literal

Role = Literal["reasoning", "auxiliary", "proof"]

EXACT: Final[tuple[Role, ...]] = ("reasoning", "auxiliary", "proof")
"""The tags of the exact format, in their order."""

_SPELLINGS: Final[dict[str, Role]] = {
    **dict.fromkeys(("reasoning", "think", "thinking", "thought", "analysis", "plan"), "reasoning"),
    **dict.fromkeys(
        (
            "auxiliary",
            "aux",
            "lemmas",
            "auxiliary_lemmas",
            "aux_lemmas",
            "auxiliary_declarations",
            "auxiliarylemmas",
        ),
        "auxiliary",
    ),
    **dict.fromkeys(
        ("proof", "final_proof", "proof_body", "lean_proof", "main_proof", "answer"), "proof"
    ),
}
_TAG = re.compile(
    rf"<(?P<close>/?)[ \t]*(?P<name>{'|'.join(sorted(_SPELLINGS, key=len, reverse=True))})"
    r"[ \t]*(?P<attributes>[a-z_-]+=\"[^\"<>\n]*\"[ \t]*)?>",
    re.IGNORECASE,
)
_FENCE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)$", re.MULTILINE
)

LEAN_LANGUAGES: Final = frozenset({"", "lean", "lean4", "lean 4", "lean3", "tactics", "tactic"})
"""What a fence may say of a block of Lean."""


@dataclass
class Sections:
    """The tagged sections of an answer.

    ``outside`` is what stands outside of them, blank space apart. ``leniencies`` names how far the
    tags were from the exact form.
    """

    found: dict[Role, str] = field(default_factory=dict)
    outside: str = ""
    leniencies: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and whether its fence is closed."""

    language: str
    text: str
    closed: bool = True


def find_sections(text: str) -> Sections:
    """The tagged sections of an answer.

    A section ends at its closing tag, or where that is missing at the next section's opening tag
    or the end of the text. Of several sections with one tag the last counts, since models revise.
    """
    result = Sections()
    notes = result.leniencies
    outside: list[str] = []
    order: list[Role] = []
    tags = list(_TAG.finditer(text))
    closers = _next_closers(tags)
    pos, index = 0, 0
    while index < len(tags):
        tag = tags[index]
        role = _SPELLINGS[tag.group("name").lower()]
        if tag.group("close") or not _opens(text, tag, role):
            index += 1
            continue
        end_index, closed = _section_end(tags, index, closers[index])
        end = tags[end_index].start() if end_index < len(tags) else len(text)
        outside.append(text[pos : tag.start()])
        exact = tag.group() == f"<{role}>"
        if closed:
            exact = exact and tags[end_index].group() == f"</{role}>"
            pos, index = tags[end_index].end(), end_index + 1
        else:
            notes.append("unclosed-section")
            pos, index = end, end_index
        if not exact:
            notes.append("tag-spelling")
        if role in result.found and role != "reasoning":
            notes.append("repeated-section")
        content = text[tag.end() : end]
        if role == "reasoning" and role in result.found:
            notes.append("repeated-section")
            content = f"{result.found[role]}\n{content}"
        result.found[role] = content
        order.append(role)
    outside.append(text[pos:])
    result.outside = "\n".join(piece.strip() for piece in outside if piece.strip())
    if order != sorted(order, key=EXACT.index):
        notes.append("section-order")
    return result


def _opens(text: str, tag: re.Match[str], role: Role) -> bool:
    """Whether a tag opens a section: one of plain words that is quoted or in a line does not."""
    before = text[max(0, tag.start() - 1) : tag.start()]
    return before not in ("`", '"', "'")


def _next_closers(tags: list[re.Match[str]]) -> list[int]:
    """For each tag the index of the next closing tag of its role, or the number of tags."""
    following: dict[Role, int] = {}
    found = [len(tags)] * len(tags)
    for index in range(len(tags) - 1, -1, -1):
        role = _SPELLINGS[tags[index].group("name").lower()]
        found[index] = following.get(role, len(tags))
        if tags[index].group("close"):
            following[role] = index
    return found


def _section_end(tags: list[re.Match[str]], index: int, closer: int) -> tuple[int, bool]:
    """The index of the tag that ends the section, and whether it closes it."""
    if closer < len(tags):
        return closer, True
    role = _SPELLINGS[tags[index].group("name").lower()]
    for later in range(index + 1, len(tags)):
        other = _SPELLINGS[tags[later].group("name").lower()]
        if other != role:
            return later, False
    return len(tags), False


def find_blocks(text: str) -> tuple[list[Block], str]:
    """The fenced blocks of a text in order, and the text around them."""
    blocks: list[Block] = []
    around: list[str] = []
    pos = 0
    while opening := _FENCE.search(text, pos):
        around.append(text[pos : opening.start()])
        marks, start = opening.group("marks"), opening.end() + 1
        closing = _closing(text, marks, start)
        end = closing.start() if closing else len(text)
        body = text[start:end].removesuffix("\n") if start <= end else ""
        language = opening.group("info").strip().lower()
        blocks.append(Block(language, _unindented(body, opening.group("indent")), bool(closing)))
        pos = closing.end() if closing else len(text)
    around.append(text[pos:])
    return blocks, "\n".join(piece.strip() for piece in around if piece.strip())


def _closing(text: str, marks: str, start: int) -> re.Match[str] | None:
    pos = start
    while found := _FENCE.search(text, pos):
        same = found.group("marks")[0] == marks[0] and len(found.group("marks")) >= len(marks)
        if same and not found.group("info").strip():
            return found
        pos = found.end()
    return None


def _unindented(text: str, indent: str) -> str:
    """A block's text without the indentation of its fence."""
    if not indent:
        return text
    return "\n".join(line.removeprefix(indent) for line in text.split("\n"))


def lean_blocks(blocks: list[Block]) -> list[Block]:
    """The blocks that hold Lean by their language; of unknown ones those without a language."""
    named = [b for b in blocks if b.language and b.language.split(",")[0] in LEAN_LANGUAGES]
    return named or [b for b in blocks if not b.language]
