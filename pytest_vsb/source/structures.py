"""Structures and classes: what they extend, their fields, and the defaults of those."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_vsb.source import sorts
from pytest_vsb.source.model import Declaration, Span
from pytest_vsb.source.region import Region
from pytest_vsb.source.sorts import Sort


@dataclass(frozen=True)
class Structure:
    """The fields of a structure or class with what their types tell, and what it extends.

    ``local`` has its parameters and fields: True for those whose values are propositions, False
    for types, None for all others.
    """

    parents: tuple[str, ...]
    fields: tuple[tuple[str, Sort], ...]
    local: Mapping[str, bool | None] = field(default_factory=dict)


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
