"""What the automation prover can tell from a statement's text: variables, hypotheses, goal.

This is a reading by layout, not by Lean: notations are unknown to it, and a wrong guess costs a
candidate proof, nothing else. It never raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

Role = Literal["data", "hypothesis", "function", "type", "instance"]

_OPEN = "([{⟨⦃⟦"
_CLOSE = ")]}⟩⦄⟧"
_TOKEN = re.compile(
    r"--[^\n]*|/-(?:[^-]|-(?!/))*-/"
    r'|"(?:\\.|[^"\\])*"'
    r"|(?:«[^»]*»|[^\W\d][\w'!?₀-₉]*)(?:\.(?:«[^»]*»|[^\W\d][\w'!?₀-₉]*))*"
    r"|:=|→|->|↔|∧|∨|¬|≤|≥|≠|∀|∃|\d+|\s+|.",
    re.DOTALL,
)
_NAME = re.compile(r"(?:«[^»]*»|[^\W\d][\w'!?₀-₉]*)(?:\.(?:«[^»]*»|[^\W\d][\w'!?₀-₉]*))*\Z")
_RELATION = re.compile(r"[=≠<>≤≥↔∧∨¬∀∃∈∉⊆⊢⇓⇒⟶≺≼≈∼~∣]|\|-|-->|(?<!\S):(?!\S)")
_SORT = re.compile(r"(?:Type|Sort|Prop)\b")


@dataclass(frozen=True)
class Variable:
    """A bound variable or hypothesis.

    ``type`` is empty where the text does not say. ``bound`` tells how it stands: before the colon
    of the statement (``binder``), after it (``goal``: it has to be introduced), or in a
    ``variable`` command of the file (``section``).
    """

    name: str
    type: str
    role: Role
    bound: Literal["binder", "goal", "section"] = "binder"

    @property
    def head(self) -> str:
        """The first identifier of the type."""
        match = re.match(r"[\s(]*([^\W\d][\w'!?.]*)", self.type)
        return match.group(1) if match else ""


@dataclass(frozen=True)
class Statement:
    """A statement taken apart.

    ``intros`` are the names to introduce before ``conclusion`` is the goal; hypotheses without a
    name get one. ``identifiers`` are all names in the statement, in order, without repetition.
    """

    name: str
    variables: tuple[Variable, ...]
    intros: tuple[str, ...]
    conclusion: str
    identifiers: tuple[str, ...]


def tokens(text: str) -> list[str]:
    """The tokens of a piece of Lean, without comments; spaces are tokens."""
    return [t for t in _TOKEN.findall(text) if not t.startswith(("--", "/-"))]


def identifiers(text: str) -> tuple[str, ...]:
    """The identifiers of a piece of Lean, in order, without repetition."""
    return tuple(dict.fromkeys(t for t in tokens(text) if _NAME.match(t)))


def split_top(parts: list[str], separator: str) -> tuple[list[str], list[str]] | None:
    """``parts`` before and after the first ``separator`` outside brackets, or ``None``."""
    depth = 0
    for index, token in enumerate(parts):
        if token in _OPEN:
            depth += 1
        elif token in _CLOSE:
            depth -= 1
        elif token == separator and depth == 0:
            return parts[:index], parts[index + 1 :]
    return None


def read_statement(text: str, section: tuple[Variable, ...] = ()) -> Statement:
    """Take a statement apart; ``section`` are the variables of the file that are in force."""
    parts = tokens(text)
    name, rest = _name(parts)
    variables: list[Variable] = []
    while True:
        rest = _strip(rest)
        if not rest or rest[0] == ":":
            rest = rest[1:]
            break
        if rest[0] in _OPEN:
            group, rest = _group(rest)
            variables.extend(_binder(group, "binder"))
        elif rest[0] == ":=":
            rest = []
            break
        else:
            rest = rest[1:]
    intros, goal_variables, conclusion = _peel(rest)
    used = identifiers(text)
    bases = {part for word in used for part in (word, word.split(".", 1)[0])}
    taken = {variable.name for variable in variables}
    inherited = [v for v in section if v.name in bases and v.name not in taken]
    return Statement(
        name=name,
        variables=_told_apart([*inherited, *variables, *goal_variables]),
        intros=tuple(intros),
        conclusion="".join(conclusion).strip(),
        identifiers=used,
    )


def _told_apart(variables: list[Variable]) -> tuple[Variable, ...]:
    """The variables, with those whose type speaks of data taken for hypotheses."""
    values = {v.name for v in variables if v.role in ("data", "function")}
    return tuple(
        replace(v, role="hypothesis")
        if v.role == "data" and values & set(identifiers(v.type))
        else v
        for v in variables
    )


def read_binders(text: str) -> tuple[Variable, ...]:
    """The variables of a ``variable`` command's text."""
    rest = tokens(text)
    found: list[Variable] = []
    while rest:
        if rest[0] in _OPEN:
            group, rest = _group(rest)
            found.extend(_binder(group, "section"))
        else:
            rest = rest[1:]
    return tuple(found)


def _name(parts: list[str]) -> tuple[str, list[str]]:
    """The declared name, and the tokens after it and its universe parameters."""
    rest = _strip(_strip(parts)[1:])
    if not rest or not _NAME.match(rest[0]):
        return "", rest
    name, rest = rest[0], rest[1:]
    if rest[:2] == [".", "{"]:
        _, rest = _group(rest[1:])
    return name, rest


def _strip(parts: list[str]) -> list[str]:
    start, end = 0, len(parts)
    while start < end and parts[start].isspace():
        start += 1
    while end > start and parts[end - 1].isspace():
        end -= 1
    return parts[start:end]


def _group(parts: list[str]) -> tuple[list[str], list[str]]:
    """A bracketed group, brackets included, and what follows it."""
    depth = 0
    for index, token in enumerate(parts):
        if token in _OPEN:
            depth += 1
        elif token in _CLOSE:
            depth -= 1
            if depth == 0:
                return parts[: index + 1], parts[index + 1 :]
    return parts, []


def _binder(group: list[str], bound: Literal["binder", "goal", "section"]) -> Iterator[Variable]:
    inner = group[1:-1]
    split = split_top(inner, ":")
    names, kind = split if split else (inner, [])
    default = split_top(kind, ":=")
    text = "".join(default[0] if default else kind).strip()
    if group[0] == "[":
        if split is None:
            names, text = [], "".join(inner).strip()
        words = [word for word in names if _NAME.match(word)] or [""]
        yield from (Variable(word, text, "instance", bound) for word in words)
        return
    for word in names:
        if _NAME.match(word) and "." not in word:
            yield Variable(word, text, _role(word, text), bound)


def _role(name: str, text: str) -> Role:
    if _SORT.match(text):
        return "type"
    if re.match(r"[hH](?:[\W\d_₀-₉]|[a-zA-Z]{0,3}['₀-₉]*\Z)", name) and text:
        return "hypothesis"
    if "→" in text or "->" in text:
        return "hypothesis" if _RELATION.search(text.replace("->", "→")) else "function"
    if _RELATION.search(text):
        return "hypothesis"
    return "data"


def _peel(parts: list[str]) -> tuple[list[str], list[Variable], list[str]]:
    """The names to introduce, the variables they become, and the goal that remains."""
    intros: list[str] = []
    variables: list[Variable] = []
    rest = _strip(parts)
    fresh = 0
    while rest:
        if rest[0] == "∀":
            split = split_top(rest, ",")
            if split is None:
                break
            found = list(_quantified(_strip(split[0][1:])))
            if not found:
                break
            variables += found
            intros += [variable.name or "_" for variable in found]
            rest = _strip(split[1])
        elif rest[0] == "let":
            split = split_top(rest, ";")
            word = next((word for word in rest[1:] if not word.isspace()), "")
            if split is None or not _NAME.match(word):
                break
            intros.append(word)
            rest = _strip(split[1])
        elif rest[0] == "¬" and split_top(rest, "→") is None and not _connected(rest[1:]):
            fresh += 1
            name = f"hyp{fresh}"
            variables.append(Variable(name, "".join(rest[1:]).strip(), "hypothesis", "goal"))
            intros.append(name)
            rest = ["False"]
        else:
            split = split_top(rest, "→")
            # Of the connectives only the equivalence binds less tightly than the arrow.
            loose = split_top(rest, "↔") is not None
            if split is None or loose or {"∃", "fun", "match"} & set(split[0]):
                break
            fresh += 1
            name = f"hyp{fresh}"
            text = "".join(split[0]).strip()
            variables.append(Variable(name, text, "hypothesis", "goal"))
            intros.append(name)
            rest = _strip(split[1])
    return intros, variables, rest


def _connected(parts: list[str]) -> bool:
    """Whether a connective stands outside brackets."""
    return any(split_top(parts, word) is not None for word in ("↔", "∧", "∨"))


def _quantified(parts: list[str]) -> Iterator[Variable]:
    """The variables between a ``∀`` and its comma."""
    if parts and parts[0] in _OPEN:
        while parts:
            if parts[0] in _OPEN:
                group, parts = _group(parts)
                yield from _binder(group, "goal")
            else:
                parts = parts[1:]
        return
    split = split_top(parts, ":")
    names, kind = split if split else (parts, [])
    text = "".join(kind).strip()
    if any(not (word.isspace() or _NAME.match(word) or word == "_") for word in names):
        return
    for word in names:
        if word == "_" or _NAME.match(word):
            yield Variable(word, text, _role(word, text), "goal")
