"""Finding the parts of an answer: tagged sections and fenced code blocks.

Nothing here reads Lean. Every function takes any text, is linear in it, and never raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

Role = Literal["reasoning", "auxiliary", "proof"]

EXACT: Final[tuple[Role, ...]] = ("reasoning", "auxiliary", "proof")
"""The tags of the exact format, in their order."""

_SPELLINGS: Final[dict[str, Role]] = {
    **dict.fromkeys(
        ("reasoning", "think", "thinking", "thought", "thoughts", "analysis", "plan"), "reasoning"
    ),
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

_THOUGHTS = frozenset({"think", "thinking", "thought", "thoughts"})
_THOUGHT = re.compile(r"\s*<(?:think|thinking|thoughts?)>", re.IGNORECASE)
_THOUGHT_END = re.compile(r"</(?:think|thinking|thoughts?)>", re.IGNORECASE)

LEAN_LANGUAGES: Final = frozenset({"", "lean", "lean3", "lean4", "tactic", "tactics"})
"""What a fence may say of a block of Lean."""

_LANGUAGE = re.compile(r"[\w+-]*")


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
    """A fenced block: the first word of what its fence says, its text, and whether it is closed."""

    language: str
    text: str
    closed: bool = True


@dataclass(frozen=True)
class _Section:
    role: Role
    start: int  # where its opening tag begins
    content: str
    end: int
    closed: bool
    exact: bool


def find_sections(text: str) -> Sections:
    """The tagged sections of an answer.

    A section ends at its closing tag, or where that is missing at the next section's opening tag
    or the end of the text. Of several sections with one tag the last counts, since models revise;
    one that is never closed counts only where no other is.
    """
    result = Sections()
    notes = result.leniencies
    found: list[_Section] = []
    for section in _all_sections(text):
        earlier = next((s for s in found if s.role == section.role), None)
        if earlier is not None:
            if not section.closed and earlier.closed:
                continue
            notes.append("repeated-section")
            found.remove(earlier)
        found.append(section)
    outside: list[str] = []
    pos = 0
    for section in found:
        outside.append(text[pos : section.start])
        pos = section.end
        result.found[section.role] = section.content
        if not section.closed:
            notes.append("unclosed-section")
        elif not section.exact:
            notes.append("tag-spelling")
    outside.append(text[pos:])
    result.outside = "\n".join(piece.strip() for piece in outside if piece.strip())
    order = [section.role for section in found]
    if order != sorted(order, key=EXACT.index):
        notes.append("section-order")
    return result


def _all_sections(text: str) -> Iterator[_Section]:
    tags = [tag for tag in _TAG.finditer(text) if not _is_quoted(text, tag)]
    roles = [_SPELLINGS[tag.group("name").lower()] for tag in tags]
    closers = _next_closers(tags, roles)
    index = 0
    while index < len(tags):
        tag, role = tags[index], roles[index]
        if tag.group("close"):
            index += 1
            continue
        closer = closers[index]
        if closer < len(tags):
            # An opening tag that is only spoken of has the real one after it. What is thought
            # aloud may speak of anything.
            first = index
            if role != "reasoning":
                for later in range(index + 1, closer):
                    if roles[later] == role:
                        first = later
            opening, closing = tags[first], tags[closer]
            exact = opening.group() == f"<{role}>" and closing.group() == f"</{role}>"
            content = text[opening.end() : closing.start()]
            yield _Section(role, opening.start(), content, closing.end(), True, exact)
            index = closer + 1
            continue
        later = index + 1
        while later < len(tags) and (tags[later].group("close") or roles[later] == role):
            later += 1
        end = tags[later].start() if later < len(tags) else len(text)
        yield _Section(role, tag.start(), text[tag.end() : end], end, False, False)
        index = later


def _is_quoted(text: str, tag: re.Match[str]) -> bool:
    """Whether a tag is spoken of: it stands in quotes."""
    before, after = text[max(0, tag.start() - 1) : tag.start()], text[tag.end() : tag.end() + 1]
    return before != "" and before in "`\"'" and before == after


def _next_closers(tags: list[re.Match[str]], roles: list[Role]) -> list[int]:
    """For each tag the index of the next closing tag of its role, or the number of tags."""
    following: dict[Role, int] = {}
    found = [len(tags)] * len(tags)
    for index in range(len(tags) - 1, -1, -1):
        found[index] = following.get(roles[index], len(tags))
        if tags[index].group("close"):
            following[roles[index]] = index
    return found


def split_thinking(text: str) -> tuple[str, str]:
    """What a model thought aloud before its answer, and the answer.

    Servers of open models may leave it in the text, with or without its opening tag.
    """
    closing = _THOUGHT_END.search(text)
    if closing is None:
        return "", text
    opening = _THOUGHT.match(text)
    sections = _TAG.search(text)
    if opening is None and sections is not None and sections.group("name").lower() not in _THOUGHTS:
        first = sections.start()
        if first < closing.start() and not text[:first].strip():
            return "", text  # a section of the answer's own, which speaks of thinking
    start = opening.end() if opening else 0
    return text[start : closing.start()].strip(), text[closing.end() :]


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
        found = _LANGUAGE.match(opening.group("info").strip().lower())
        language = found.group() if found else ""
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
    """The blocks that may hold Lean by what they say of their language."""
    return [b for b in blocks if b.language in LEAN_LANGUAGES]
