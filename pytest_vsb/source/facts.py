"""What a repository's own declarations say about which terms are proofs.

The theorems, the names that are propositions, the fields of structures and the relations that
notations introduce, of one file or of many together: what `elide` needs to tell a proof that is
written as a term from data.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pytest_vsb.source import sorts
from pytest_vsb.source.model import Command, Declaration, Source, Span
from pytest_vsb.source.region import Region
from pytest_vsb.source.sorts import Sort
from pytest_vsb.source.structures import Structure, structure_of

FACTS_VERSION = "1"
"""Raised with each change of what is found in the same text."""

_TYPES = frozenset({"structure", "class", "inductive", "class inductive", "coinductive"})
_DEFINING = frozenset({"def", "abbrev", "opaque", "irreducible_def", "axiom"})
_THEOREMS = frozenset({"theorem", "lemma"})
_INFIX = re.compile(
    r"\binfix[lr]?\s*:\s*(\d+|max|arg|lead)[^\"]*\"\s*([^\"\s]+)\s*\"\s*=>\s*@?(\S+)"
)
_NOTATION = re.compile(
    r"\bnotation3?\s*(?::\s*(\d+|max|arg|lead))?[^\"=]*?[\w'₀-₉](?:\s*:\s*\w+)?\s*"
    r"\"\s*([^\"\s]+)\s*\"[^=]*(?:=(?!>)[^=]*)*=>\s*@?([^\s(]+)"
)
_LONGEST_BODY = 4000


@dataclass(frozen=True)
class Facts:
    """Facts of some files.

    Attributes:
        theorems: the full names of theorems and lemmas.
        types: full names of types and of definitions of types, with their sort.
        structures: structures and classes by full name.
        relations: operators of notations, with the head of what they stand for and their
            precedence.
        complete: whether these are the facts of all files that are imported from the same
            repository, so that a field that no structure of theirs has is a library's.
    """

    theorems: frozenset[str] = frozenset()
    types: Mapping[str, Sort] = field(default_factory=dict)
    structures: Mapping[str, Structure] = field(default_factory=dict)
    relations: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    complete: bool = False

    @cached_property
    def digest(self) -> str:
        """A digest of the facts: what is elided by them depends on nothing else."""
        parts = (
            FACTS_VERSION,
            repr(sorted(self.theorems)),
            repr(sorted(self.types.items(), key=lambda item: item[0])),
            repr(sorted(self.structures.items(), key=lambda item: item[0])),
            repr(sorted(self.relations.items())),
            repr(self.complete),
        )
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    @cached_property
    def types_by_last(self) -> Mapping[str, list[str]]:
        """The full names of types by their last part."""
        return _index(self.types)

    @cached_property
    def structures_by_last(self) -> Mapping[str, list[str]]:
        """The same for structures."""
        return _index(self.structures)

    @cached_property
    def holders(self) -> Mapping[str, list[Structure]]:
        """The structures that have a field of a name."""
        found: dict[str, list[Structure]] = {}
        for structure in self.structures.values():
            for name, _ in structure.fields:
                found.setdefault(name, []).append(structure)
        return found

    @cached_property
    def theorem_parts(self) -> frozenset[str]:
        """The last parts of the theorems' names."""
        return frozenset(name.rsplit(".", 1)[-1] for name in self.theorems)


NO_FACTS = Facts()


def _index(names: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name.rsplit(".", 1)[-1], []).append(name)
    return found


def merge(parts: Iterable[Facts], *, complete: bool = False) -> Facts:
    """The facts of several files together. Of names that several declare, the last counts."""
    theorems: set[str] = set()
    types: dict[str, Sort] = {}
    structures: dict[str, Structure] = {}
    relations: dict[str, tuple[str, int]] = {}
    for part in parts:
        theorems |= part.theorems
        types.update(part.types)
        structures.update(part.structures)
        relations.update(part.relations)
    return Facts(frozenset(theorems), types, structures, relations, complete)


def facts_of(source: Source) -> Facts:
    """The facts of one file."""
    theorems: set[str] = set()
    types: dict[str, Sort] = {}
    structures: dict[str, Structure] = {}
    relations: dict[str, tuple[str, int]] = {}
    for declaration in source.declarations:
        kind, name = declaration.kind, declaration.full_name
        if kind in _THEOREMS:
            theorems.add(name)
        elif kind in _TYPES:
            types[name] = _declared(source.text, declaration)
            if kind in ("structure", "class"):
                structure = structure_of(source.text, declaration)
                structures[name] = structure
                for field_name, sort in structure.fields:
                    if sort.name == "Prop":
                        types[f"{name}.{field_name}"] = Sort(True)
        elif kind in _DEFINING:
            sort = _declared(source.text, declaration)
            if sort.proposition is None:
                sort = _defined(source.text, declaration)
            if sort != Sort(None):
                types[name] = sort
    for command in source.commands:
        if command.kind == "notation":
            _add_notation(source.text, command, relations)
    for operator, (head, precedence) in relations.items():
        # What the same file declares is what a notation of it means.
        meant = [full for full in types if full == head or full.endswith(f".{head}")]
        if len(meant) == 1:
            relations[operator] = (meant[0], precedence)
    return Facts(frozenset(theorems), types, structures, relations)


def _add_notation(text: str, command: Command, relations: dict[str, tuple[str, int]]) -> None:
    piece = command.span.of(text)
    found = (_INFIX if "infix" in command.keyword else _NOTATION).search(piece[:1000])
    if found:
        precedence, operator, head = found.groups()
        number = int(precedence) if precedence and precedence.isdigit() else 0
        relations[operator] = (head, number)


def _declared(text: str, declaration: Declaration) -> Sort:
    """What is a value of what is declared: of `def P : Nat → Prop`, a proposition."""
    region = Region(text, declaration.statement)
    hi = len(region)
    if declaration.kind in ("structure", "class") and "extends" in region.words:
        hi = region.find(frozenset({"extends"}), 0, hi)
    colon = sorts.colon_of(region, 0, hi)
    if colon < hi:
        last = region.words[hi - 1]
        if last in ("Prop", "Sort"):
            return Sort(True)
        if declaration.kind in _TYPES or last == "Type" or "Type" in region.words[-4:]:
            return Sort(False)
        return Sort(None)
    return Sort(False if declaration.kind in _TYPES else None)


def _defined(text: str, declaration: Declaration) -> Sort:
    """What is a value of a definition without a type: of `def P n := n = 1`, a proposition."""
    statement, body = declaration.statement.of(text), declaration.body
    if body is None or ":" in statement.rsplit(")", 1)[-1] or not text.startswith(":=", body.start):
        return Sort(None)
    region = Region(text, Span(body.start + 2, min(body.end, body.start + _LONGEST_BODY)))
    sort = sorts.sort_of(region, 0, len(region))
    if sort.proposition or sort.name[:1] == '"':
        return sort
    # What is defined as a `∀` is a proposition, but for a family of types.
    head = Region(text, declaration.statement)
    family = sorts.binders(head, 0, len(head)).get(sort.name) is False
    return Sort(True) if sort.quantified and not family else Sort(None)
