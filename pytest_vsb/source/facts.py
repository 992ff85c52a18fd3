"""What a repository's own declarations say about which terms are proofs.

The theorems, the names that are propositions, the fields of structures and the relations that
notations introduce, of one file or of many together: what `elide` needs to tell a proof that is
written as a term from data.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pytest_vsb.source import sorts
from pytest_vsb.source.model import Command, Declaration, Source, Span
from pytest_vsb.source.region import Region
from pytest_vsb.source.sorts import Sort

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
_RELATION_PRECEDENCE = 50
_ARROW_PRECEDENCE = 25
# What is said of all things, where nothing tells what it is: not a family of types.
_PREDICATE = re.compile(r"(?!motive)[a-z][\w'!?.]+|[pqPQRΦφψ]'?")
_SNAKE = re.compile(r"[a-z].*_(?!(?:decidable|fintype|inhabited|inst))[^_]+'*")

#: Laws of the classes and structures of Lean, Std and Mathlib whose names have no underscore.
_LAWS = frozenset(
    "refl symm trans irrefl asymm antisymm total assoc comm idempotent left_id right_id rfl "
    "eq_of_beq iseqv sound inj injective surjective nodup property is_lt isLt wf reprove "
    "left_inv right_inv coe_injective' map_rel_iff' lt_iff_le_not_le toIsEquiv".split()
)


@dataclass(frozen=True)
class Structure:
    """The fields of a structure or class with what their types tell, and what it extends.

    ``local`` has its parameters and fields: True for those whose values are propositions, False
    for types, None for all others.
    """

    parents: tuple[str, ...]
    fields: tuple[tuple[str, Sort], ...]
    local: Mapping[str, bool | None] = field(default_factory=dict)


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
    def _by_last(self) -> dict[str, list[str]]:
        return _index(self.types)

    @cached_property
    def _structures_by_last(self) -> dict[str, list[str]]:
        return _index(self.structures)

    @cached_property
    def theorem_parts(self) -> frozenset[str]:
        """The last parts of the theorems' names."""
        return frozenset(name.rsplit(".", 1)[-1] for name in self.theorems)

    def is_theorem(self, name: str, spaces: Collection[str]) -> bool:
        """Whether a name means a theorem in one of the namespaces; ``""`` is the root."""
        return any((f"{space}.{name}" if space else name) in self.theorems for space in spaces)

    def proposition(self, sort: Sort, local: Mapping[str, bool | None], seen: int = 0) -> bool:
        """Whether a type of that sort is certainly a proposition.

        Args:
            sort: what its syntax tells.
            local: names bound around it; True for those whose values are propositions.
        """
        return self.judge(sort, local, seen) is True

    def judge(
        self, sort: Sort, local: Mapping[str, bool | None] = {}, seen: int = 0
    ) -> bool | None:
        """The same, with False where it certainly is none and None where nothing tells."""
        for operator in sort.loose.split():
            if self.relations.get(operator, ("", 99))[1] <= _ARROW_PRECEDENCE:
                sort = Sort(None, f'"{operator}"')
        name = sort.name
        if sort.proposition is not None:
            # A repository may take a relation's sign for something else.
            signs = name[1:-1].split() if name.startswith('"') else []
            if signs and all(self._relation(sign, seen) is False for sign in signs):
                return False
            return sort.proposition
        answer: bool | None = None
        if name.startswith('"'):
            says = [self._relation(operator, seen) for operator in name[1:-1].split()]
            answer = next((found for found in says if found is not None), None)
        elif name in local:
            answer = local[name]
        elif name:
            answer = self._type(name, seen)
            if answer is None and sort.quantified and _PREDICATE.fullmatch(name):
                return True
        return answer

    def _relation(self, operator: str, seen: int) -> bool | None:
        if operator not in self.relations or seen > 4:
            return None
        head, precedence = self.relations[operator]
        if head in self.types:
            return self.judge(self.types[head], {}, seen + 1)
        answer = self._type(head, seen)
        return True if answer is None and precedence == _RELATION_PRECEDENCE else answer

    def _type(self, name: str, seen: int) -> bool | None:
        candidates = self._by_last.get(name.rsplit(".", 1)[-1], [])
        exact = [full for full in candidates if full == name or full.endswith(f".{name}")]
        if not exact and "." in name:
            # Of `x.Sound` only the last part names something.
            exact = candidates
        answers = {self.judge(self.types[full], {}, seen + 1) for full in exact if seen < 4}
        library = sorts.library_says(name)
        if library is not None:
            answers.add(library)
        return answers.pop() if len(answers) == 1 else None

    def structure(self, name: str) -> str:
        """The full name of the structure that a name means, empty if there is none or several.

        Operators between double quotes mean what their notations stand for.
        """
        if name.startswith('"'):
            heads = {self.relations[op][0] for op in name[1:-1].split() if op in self.relations}
            name = heads.pop() if len(heads) == 1 else ""
        if name in self.structures:
            return name
        candidates = self._structures_by_last.get(name.rsplit(".", 1)[-1], [])
        exact = [full for full in candidates if full.endswith(f".{name}")]
        exact += [name] if name in _LIBRARY else []
        return exact[0] if len(exact) == 1 else ""

    def components(self, name: str) -> tuple[bool, ...]:
        """Which arguments of a structure's anonymous constructor are proofs; empty if unknown."""
        full = self.structure(name)
        if full in self.structures:
            found = self.structures[full]
            local = found.local
            parents = tuple(False for _ in found.parents)
            return parents + tuple(self.proposition(sort, local) for _, sort in found.fields)
        return _LIBRARY.get(full, ())

    def proof_field(self, name: str, structure: str = "") -> bool:
        """Whether a field of a structure instance is a proof.

        Args:
            name: the field, without what precedes its last dot.
            structure: the structure, where it is known.
        """
        known = self._field(name, self.structure(structure) if structure else "", 0)
        if known is not None:
            return self.proposition(known[0], known[1])
        others = (
            []
            if self._is_library(structure)
            else [
                (sort, found.local)
                for found in self._by_holder.get(name, ())
                for field_name, sort in found.fields
                if field_name == name
            ]
        )
        if others:
            return all(self.proposition(sort, local) for sort, local in others)
        if name in _LAWS:
            return structure != "Trans"
        # Of a library's structures the proofs are named in snake case, and only they.
        return self.complete and bool(_SNAKE.fullmatch(name))

    def _is_library(self, name: str) -> bool:
        plain = bool(name) and not name.startswith('"')
        return plain and name.rsplit(".", 1)[-1] not in self._structures_by_last

    @cached_property
    def _by_holder(self) -> dict[str, list[Structure]]:
        found: dict[str, list[Structure]] = {}
        for structure in self.structures.values():
            for name, _ in structure.fields:
                found.setdefault(name, []).append(structure)
        return found

    def _field(
        self, name: str, structure: str, depth: int
    ) -> tuple[Sort, Mapping[str, bool | None]] | None:
        found = self.structures.get(structure)
        if found is None or depth > 8:
            return None
        for field_name, sort in found.fields:
            if field_name == name:
                return sort, found.local
        for parent in found.parents:
            inherited = self._field(name, self.structure(parent), depth + 1)
            if inherited is not None:
                return inherited
        return None


NO_FACTS = Facts()

#: Which components of an anonymous constructor of a library's structure are proofs.
_LIBRARY: dict[str, tuple[bool, ...]] = {
    "Subtype": (False, True),
    "Fin": (False, True),
    "Exists": (False, True),
    "Vector": (False, True),
    "Equiv": (False, False, True, True),
    "Finset": (False, True),
    "Setoid": (False, True),
    "Rat": (False, False, True, True),
}


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


def structure_of(text: str, declaration: Declaration) -> Structure:
    """The parents and fields of a structure or class."""
    fields: list[tuple[str, Sort]] = []
    for field_ in fields_of(text, declaration):
        fields += ((name, field_.sort) for name in field_.names)
    head = Region(text, declaration.statement)
    local = sorts.binders(head, 0, len(head))
    local.update((name, True) for name, sort in fields if sort.name == "Prop")
    return Structure(_parents(head), tuple(fields), local)


def _parents(region: Region) -> tuple[str, ...]:
    hi = len(region)
    at = region.find(frozenset({"extends"}), 0, hi)
    parents: list[str] = []
    expected = True
    for index in region.level(at + 1, hi):
        word = region.words[index]
        if word == ":" and at + 3 < hi and region.words[at + 2] == ":" and index == at + 2:
            expected = True
        elif word == ":":
            break
        elif word == ",":
            expected = True
        elif expected and region.kinds[index] == "ident":
            parents.append(word)
            expected = False
    return tuple(parents)


@dataclass(frozen=True)
class Field:
    """One declaration of fields in a structure.

    ``default`` is the span of its default value, without ``:=``.
    """

    names: tuple[str, ...]
    sort: Sort
    default: Span | None


def fields_of(text: str, declaration: Declaration) -> list[Field]:
    """The fields that a structure or class declares, in order."""
    if declaration.body is None:
        return []
    region = Region(text, declaration.body)
    lo, hi = 1, region.find(frozenset({"deriving"}), 1, len(region))
    # ``where mk ::``
    mk = region.find(frozenset({"::"}), lo, min(hi, lo + 8))
    if mk < min(hi, lo + 8):
        lo = mk + 1
    if lo >= hi:
        return []
    column = region.column(lo)
    starts = [
        index
        for index in region.level(lo, hi)
        if index == lo or (region.leads[index] and region.column(index) <= column)
    ]
    found = (_field(region, *ends) for ends in zip(starts, [*starts[1:], hi], strict=True))
    return [field_ for field_ in found if field_ is not None]


_FIELD_MODIFIERS = frozenset({"private", "protected", "noncomputable", "public", "@["})


def _field(region: Region, lo: int, hi: int) -> Field | None:
    words = region.words
    while lo < hi and words[lo] in _FIELD_MODIFIERS:
        lo = region.after(lo)
    if lo >= hi:
        return None
    if words[lo] in ("(", "{", "[", "⦃") and region.mates[lo] > 0:
        lo, hi = lo + 1, region.mates[lo]
    assign = region.find(frozenset({":="}), lo, hi)
    colon = region.find(frozenset({":"}), lo, assign)
    names: list[str] = []
    for index in region.level(lo, colon):
        if region.kinds[index] != "ident":
            break
        names.append(words[index])
    value = assign + 1
    default = Span(region.starts[value], region.ends[hi - 1]) if value < hi else None
    sort = sorts.sort_of(region, colon + 1, assign) if colon < assign else Sort(None)
    if colon < assign and words[assign - 1] == "Prop":
        sort = Sort(False, "Prop")
    return Field(tuple(names), sort, default)
