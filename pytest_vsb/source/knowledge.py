"""What is known of the names in a file: which types are propositions, which fields are proofs."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Literal

from pytest_vsb.source import sorts
from pytest_vsb.source.facts import Facts
from pytest_vsb.source.sorts import Sort
from pytest_vsb.source.structures import Structure

_RELATION_PRECEDENCE = 50
_ARROW_PRECEDENCE = 25
_MOST_MEANINGS = 8
_DEEPEST = 4
# What is said of all things, where nothing tells what it is: not a family of types.
_PREDICATE = re.compile(r"(?!motive)[a-z][\w'!?.]+|[pqPQRΦφψ]'?")
_SNAKE = re.compile(r"[a-z].*_(?!(?:decidable|fintype|inhabited|inst))[^_]+'*")

#: Laws of the classes and structures of Lean, Std and Mathlib whose names have no underscore.
_LAWS = frozenset(
    "refl symm trans irrefl asymm antisymm total assoc comm idempotent left_id right_id rfl "
    "eq_of_beq iseqv sound inj injective surjective nodup property is_lt isLt wf reprove "
    "left_inv right_inv coe_injective' map_rel_iff' lt_iff_le_not_le toIsEquiv".split()
)


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


class Knowledge:
    """The facts of a file and of those that it imports. Nothing is copied of either.

    Args:
        layers: facts; of a name that several have, what the first says counts.
    """

    def __init__(self, *layers: Facts) -> None:
        self.layers = layers
        self.complete = any(layer.complete for layer in layers)

    def _find_type(self, name: str) -> Sort | None:
        return next((layer.types[name] for layer in self.layers if name in layer.types), None)

    def _find_structure(self, name: str) -> Structure | None:
        found = (layer.structures[name] for layer in self.layers if name in layer.structures)
        return next(found, None)

    def _find_relation(self, operator: str) -> tuple[str, int] | None:
        found = (layer.relations.get(operator) for layer in self.layers)
        return next((relation for relation in found if relation is not None), None)

    def _named(self, index: Literal["types_by_last", "structures_by_last"], name: str) -> list[str]:
        """The full names that end as a name does, each once."""
        last = name.rsplit(".", 1)[-1]
        found: dict[str, None] = {}
        for layer in self.layers:
            names: Mapping[str, list[str]] = getattr(layer, index)
            found.update(dict.fromkeys(names.get(last, ())))
        return list(found)

    def may_name_theorem(self, names: Collection[str]) -> bool:
        """Whether one of the names is the last part of a theorem's."""
        return any(not layer.theorem_parts.isdisjoint(names) for layer in self.layers)

    def is_theorem(self, name: str, spaces: Collection[str]) -> bool:
        """Whether a name means a theorem in one of the namespaces; ``""`` is the root."""
        meant = [f"{space}.{name}" if space else name for space in spaces]
        return any(not layer.theorems.isdisjoint(meant) for layer in self.layers)

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
            found = self._find_relation(operator)
            if found is not None and found[1] <= _ARROW_PRECEDENCE:
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
        found = self._find_relation(operator)
        if found is None or seen > _DEEPEST:
            return None
        head, precedence = found
        sort = self._find_type(head)
        if sort is not None:
            return self.judge(sort, {}, seen + 1)
        answer = self._type(head, seen)
        return True if answer is None and precedence == _RELATION_PRECEDENCE else answer

    def _type(self, name: str, seen: int) -> bool | None:
        candidates = self._named("types_by_last", name)
        exact = [full for full in candidates if full == name or full.endswith(f".{name}")]
        if not exact and "." in name:
            # Of `x.Sound` only the last part names something.
            exact = candidates
        if len(exact) > _MOST_MEANINGS:
            return None
        sorts_found = [self._find_type(full) for full in exact if seen < _DEEPEST]
        answers = {self.judge(sort, {}, seen + 1) for sort in sorts_found if sort is not None}
        library = sorts.library_says(name)
        if library is not None:
            answers.add(library)
        return answers.pop() if len(answers) == 1 else None

    def structure(self, name: str) -> str:
        """The full name of the structure that a name means, empty if there is none or several.

        Operators between double quotes mean what their notations stand for.
        """
        if name.startswith('"'):
            found = map(self._find_relation, name[1:-1].split())
            heads = {relation[0] for relation in found if relation is not None}
            name = heads.pop() if len(heads) == 1 else ""
        if self._find_structure(name) is not None:
            return name
        candidates = self._named("structures_by_last", name)
        exact = [full for full in candidates if full.endswith(f".{name}")]
        exact += [name] if name in _LIBRARY else []
        return exact[0] if len(exact) == 1 else ""

    def components(self, name: str) -> tuple[bool, ...]:
        """Which arguments of a structure's anonymous constructor are proofs; empty if unknown."""
        full = self.structure(name)
        found = self._find_structure(full)
        if found is not None:
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
                for layer in self.layers
                for found in layer.holders.get(name, ())
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
        return plain and not self._named("structures_by_last", name)

    def _field(
        self, name: str, structure: str, depth: int
    ) -> tuple[Sort, Mapping[str, bool | None]] | None:
        found = self._find_structure(structure)
        if found is None or depth > _DEEPEST:
            return None
        for field_name, sort in found.fields:
            if field_name == name:
                return sort, found.local
        for parent in found.parents:
            inherited = self._field(name, self.structure(parent), depth + 1)
            if inherited is not None:
                return inherited
        return None
