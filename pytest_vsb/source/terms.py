"""Proofs within the terms and tactics of a definition."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pytest_vsb.source import evidence
from pytest_vsb.source.blocks import (
    AFTER_VALUE,
    block_end,
    items,
    outside_blocks,
    parts,
    value_end,
)
from pytest_vsb.source.knowledge import Knowledge
from pytest_vsb.source.model import Span
from pytest_vsb.source.region import Region
from pytest_vsb.source.sorts import sort_of

OMITTED = "…"
"""What stands for a proof that is left out."""


@dataclass(frozen=True)
class Cut:
    """A part of a text that is left out, and what stands in its place."""

    span: Span
    new: str


_ARROWS = evidence.ARROWS
_FUNCTIONS = evidence.FUNCTIONS
_COLON = frozenset({":"})
_COMMA = frozenset({","})
_ASSIGN = frozenset({":="})
_BINDERS = frozenset({"have", "haveI", "let", "letI", "suffices", "show"})
_TAILS = frozenset({"match", "if", "|", "fun", "λ", "let", "letI", "have", "haveI", "⟨", "{", "do"})
_TAIL_AFTER = frozenset({"=>", "↦", "then", "else"})
_MODIFIERS = frozenset({"private", "protected", "noncomputable", "partial", "unsafe", "@["})


# Brackets, bindings and fields nested deeper than this are searched for tactic blocks only.
_DEEPEST = 60


class Proofs:
    """Finds the proofs in a region, and collects them as cuts.

    Args:
        region: the body of a definition, or another command.
        facts: what is known of the names in it.
        local: the names bound around it; True for propositions.
        spaces: the namespaces that names are looked up in.
    """

    def __init__(
        self,
        region: Region,
        facts: Knowledge,
        local: Mapping[str, bool | None] = {},
        spaces: Collection[str] = ("",),
    ) -> None:
        self.region = region
        self.facts = facts
        self.local = dict(local)
        self.spaces = spaces
        self.cuts: list[Cut] = []
        self._depth = 0

    # The parts of a definition.

    def body(self, structure: str) -> None:
        """Reads ``:= …``, alternatives or ``where …`` of a definition.

        Args:
            structure: the type that it ends in, if it has a name.
        """
        if len(self.region) and self.region.words[0] == "where":
            self._fields_by_lines(1, len(self.region), structure)
            return
        lo = 1 if len(self.region) and self.region.words[0] == ":=" else 0
        self.walk(lo, len(self.region), inside=False, structure=structure)

    def walk(
        self,
        lo: int,
        hi: int,
        *,
        inside: bool,
        structure: str = "",
        tactics: bool = False,
        quiet: bool = False,
    ) -> None:
        """Reads a term, or the commands or tactics in it.

        Args:
            lo: its first token.
            hi: the one after its last.
            inside: whether it stands in brackets, so that a comma ends a block.
            structure: the type of its value, if known.
            tactics: whether these are tactics.
            quiet: whether it is a pattern or syntax, where only tactic blocks are proofs.
        """
        region, words = self.region, self.region.words
        if self._depth > _DEEPEST:
            self._blocks(lo, hi)
            return
        if not (lo < hi and words[lo] in _TAILS):
            structure = ""
        index = pattern = lo
        tail = True
        while index < hi:
            word = words[index]
            begins, tail = tail or words[index - 1] in _TAIL_AFTER, False
            if region.kinds[index] == "ident" and region.is_word(index):
                if word in ("by", "decreasing_by"):
                    index = self._block(index, hi, inside)
                    continue
                if quiet:
                    index += 1
                    continue
                if word == "calc" and index + 1 < hi:
                    end = block_end(region, index + 1, index, hi, inside)
                    self._cut(index + 1, end)
                    index = end
                    continue
                if word in _BINDERS:
                    index = self._binding(word, index, hi, inside, tactics)
                    tail = True
                    continue
                if word in _FUNCTIONS and index + 1 < hi and words[index + 1] != "|":
                    pattern = self._pattern(index + 1, hi, pattern)
                elif word == "where" and index + 1 < hi:
                    index = self._locals(index + 1, hi)
                    continue
                index += 1
            elif region.claims_comma(index):
                comma = region.find(_COMMA, index + 1, hi)
                if comma < hi:
                    self._bind(index + 1, comma)
                    pattern = max(pattern, comma)
                index += 1
            elif word == "|":
                pattern = self._pattern(index + 1, hi, pattern)
                index += 1
            elif region.mates[index] > index:
                end = min(region.mates[index], hi)
                known = structure if begins and index >= pattern else ""
                self._depth += 1
                self._group(index, end, quiet or index < pattern, known)
                self._depth -= 1
                index = end + 1
            else:
                index += 1

    def _blocks(self, lo: int, hi: int) -> None:
        """Cuts the tactic blocks of what is nested too deeply to be read as terms."""
        while lo < hi:
            if self.region.words[lo] == "by" and self.region.is_word(lo):
                lo = self._block(lo, hi, True)
            else:
                lo += 1

    def _pattern(self, lo: int, hi: int, known: int) -> int:
        """Where the pattern or binders that begin at ``lo`` end; binds what they name."""
        region = self.region
        for index in region.level(lo, hi):
            if region.words[index] in _ARROWS:
                self._bind(lo, index)
                return index
            if region.words[index] == ":=":
                break
        return known

    def _bind(self, lo: int, hi: int) -> None:
        for index in range(lo, hi):
            if self.region.kinds[index] == "ident":
                self.local.setdefault(self.region.words[index], None)

    # Tactic blocks and calculations.

    def _block(self, by: int, hi: int, inside: bool) -> int:
        end = block_end(self.region, by + 1, by, hi, inside)
        self._cut(by + 1, end)
        return end

    def tactics(self, lo: int, hi: int) -> None:
        """Reads the tactics that make data: they stay, but for the proofs in them."""
        self.walk(lo, hi, inside=False, tactics=True)

    def _cut(self, lo: int, hi: int, new: str = f" {OMITTED}") -> None:
        """Leaves out what stands from the end of the token before ``lo`` to the end of ``hi - 1``.

        The space or line break before it goes with it.
        """
        if lo < hi:
            start = self.region.ends[lo - 1] if lo else self.region.starts[lo]
            self.cuts.append(Cut(Span(start, self.region.ends[hi - 1]), new))

    def _cut_tight(self, lo: int, hi: int) -> None:
        """Leaves out these tokens and nothing before them."""
        if lo < hi:
            span = Span(self.region.starts[lo], self.region.ends[hi - 1])
            self.cuts.append(Cut(span, OMITTED))

    def _value(self, lo: int, hi: int, proof: bool, *, inside: bool, structure: str = "") -> None:
        """Reads the value behind a ``:=``; cuts it if it is a proof, or evidently one."""
        if lo >= hi:
            return
        if self.region.words[lo] != "by" and (proof or self.evident(lo, hi)):
            self._cut(lo, hi)
        else:
            self.walk(lo, hi, inside=inside, structure=structure)

    # Terms that say themselves that they are proofs.

    def evident(self, lo: int, hi: int) -> bool:
        """Whether a term is a theorem applied to something, or a proof by its first word."""
        return evidence.evident(self.region, lo, hi, self._is_proof_name)

    def _is_proof_name(self, name: str) -> bool:
        return evidence.names_proof(name, self.facts, self.local, self.spaces)

    def _proposes(self, lo: int, hi: int) -> bool | None:
        if lo >= hi:
            return None
        return self.facts.judge(sort_of(self.region, lo, hi), self.local)

    # Bindings.

    def _binding(self, word: str, at: int, hi: int, inside: bool, tactics: bool) -> int:
        """Reads ``have``, ``let``, ``suffices`` or ``show`` up to the end of its value."""
        region, words = self.region, self.region.words
        column = region.column(at)
        end = value_end(region, at + 1, hi, column, inside)
        closing = ("from",) if word == "show" else (":=", "|", "from", "by", "←", "<-")
        colon = at if word == "show" else end
        sign = end
        for index in region.level(at + 1, end):
            piece = words[index]
            if piece in closing or (word == "show" and piece == "by"):
                sign = index
                break
            if piece == ":" and colon == end:
                colon = index
        says = self._proposes(colon + 1, sign) if colon < sign else None
        self._bind(at + 1, min(colon, sign))
        if sign == end:
            # A tactic without a value, or nothing that is known.
            if word not in ("show", "suffices"):
                return at + 1
            self.walk(at + 1, end, inside=inside)
        elif word == "show":
            self._value(sign + (words[sign] == "from"), end, says is True, inside=inside)
        elif word == "suffices" and tactics:
            self.walk(sign, end, inside=inside)
        elif word == "suffices":
            return self._suffices(sign, end, hi, says)
        else:
            value = sign if words[sign] in ("|", "by") else sign + 1
            self._groups_of(at + 1, sign)
            proof = self._is_proof(word, at, colon, sign, says) and words[sign] not in ("←", "<-")
            if word == "let" and words[value : value + 1] == ["by"] and not proof:
                self.tactics(value + 1, end)
            else:
                self._value(value, end, proof, inside=inside)
        return end

    def _is_proof(self, word: str, at: int, colon: int, sign: int, says: bool | None) -> bool:
        """Whether the value of a binding is one: by its type, and of a ``have`` if not data."""
        if word != "have" or says is not None:
            return says is True
        return evidence.seems_proof(self.region, at + 1, colon, sign)

    def _suffices(self, sign: int, end: int, hi: int, says: bool | None) -> int:
        """Behind ``suffices h : p from value`` stands the proof of ``p``, to the end."""
        first = sign + (self.region.words[sign] == "from")
        self._value(first, end, False, inside=False)
        rest = end + 1 if end < hi and self.region.words[end] == ";" else end
        if says is False or rest >= hi or self.region.words[rest] in AFTER_VALUE:
            return end
        stop = value_end(self.region, rest, hi, -1, True)
        self._value(rest, stop, True, inside=False)
        return stop

    def _groups_of(self, lo: int, hi: int) -> None:
        for index in self.region.level(lo, hi):
            if self.region.mates[index] > index:
                self.walk(index + 1, self.region.mates[index], inside=True, quiet=True)

    # Brackets.

    def _group(self, lo: int, hi: int, quiet: bool, structure: str) -> None:
        """Reads what stands between two brackets; in a pattern only tactic blocks are proofs."""
        word = self.region.words[lo]
        before = evidence.touched(self.region, lo)
        if word == "`(" or before == "q":
            # Syntax that the program makes.
            return
        if quiet or (before and word == "(") or evidence.is_foreign(self.region, lo):
            self.walk(lo + 1, hi, inside=True, quiet=True)
        elif word == "⟨":
            self._anonymous(lo + 1, hi, structure)
        elif word == "{":
            self._instance(lo + 1, hi, structure)
        elif word == "(":
            self._parenthesised(lo + 1, hi, structure)
        else:
            self.walk(lo + 1, hi, inside=True)

    def _anonymous(self, lo: int, hi: int, structure: str) -> None:
        found = parts(self.region, lo, hi)
        proofs = self.facts.components(structure) if structure else ()
        for number, (start, end) in enumerate(found):
            # A last argument may stand for several.
            whole = number < len(found) - 1 or len(found) == len(proofs)
            proof = number < len(proofs) and (proofs[number] if whole else all(proofs[number:]))
            self._part(start, end, proof)

    def _part(self, lo: int, hi: int, proof: bool = False) -> None:
        if lo < hi and self.region.words[lo] != "by" and (proof or self.evident(lo, hi)):
            self._cut_tight(lo, hi)
        else:
            self.walk(lo, hi, inside=True)

    def _parenthesised(self, lo: int, hi: int, structure: str) -> None:
        region, words = self.region, self.region.words
        if hi - lo > 2 and words[lo + 1] == ":=" and region.kinds[lo] == "ident":
            # A named argument.
            self._value(lo + 2, hi, False, inside=True)
            return
        found = parts(region, lo, hi)
        if len(found) == 1:
            end = value_end(region, lo, hi, -1, True)
            colon = region.find(_COLON, lo, end)
            if words[lo] not in _FUNCTIONS and lo < colon < end and not self._binds(lo, colon):
                self._ascription(lo, colon, hi)
                return
            self._part_of_group(lo, hi, structure)
            return
        for start, end in found:
            self._part(start, end)

    def _binds(self, lo: int, hi: int) -> bool:
        """Whether these may be the names of a binder; one name alone is no proof to hide."""
        region = self.region
        opening = region.find(_BINDERS | _FUNCTIONS | {"by", "match", "if", "∀", "∃"}, lo, hi)
        if opening < hi or hi == lo + 1:
            return True
        after = region.mates[lo - 1] + 1
        follows = region.words[after] if after < len(region) else ""
        names = all(region.kinds[index] == "ident" for index in range(lo, hi))
        return names and follows in ("→", "->", "×", "(", "{", "[", "×'")

    def _ascription(self, lo: int, colon: int, hi: int) -> None:
        region = self.region
        sort = sort_of(region, colon + 1, hi)
        if self.facts.proposition(sort, self.local):
            self._part(lo, colon, True)
        else:
            self._part_of_group(lo, colon, sort.name)
        self.walk(colon + 1, hi, inside=True)

    def _part_of_group(self, lo: int, hi: int, structure: str) -> None:
        evident = lo < hi and self.region.words[lo] != "by" and self.evident(lo, hi)
        if evident and not evidence.chooses(self.region, lo, hi):
            self._cut_tight(lo, hi)
        else:
            self.walk(lo, hi, inside=True, structure=structure)

    # Structure instances.

    def _instance(self, lo: int, hi: int, structure: str) -> None:
        region, words = self.region, self.region.words
        given = region.find(frozenset({"with", ":="}), lo, hi)
        is_update = given < hi and words[given] == "with" and words[lo] != "match"
        first = given + 1 if is_update else lo
        if ":=" not in words[first:hi]:
            self.walk(lo, hi, inside=True)
            return
        found = parts(region, first, hi)
        if not found or not any(self._assigns(start, end) for start, end in found):
            self.walk(lo, hi, inside=True)
            return
        if is_update:
            self.walk(lo, given, inside=True)
        column = region.column(first)
        for start, end in found:
            for begin, stop in items(self.region, start, end, column):
                self._field(begin, stop, structure, inside=True)

    def _assigns(self, lo: int, hi: int) -> bool:
        sign = self.region.find(_ASSIGN, lo, hi)
        return (
            sign < hi
            and self.region.kinds[lo] == "ident"
            and self.region.words[lo]
            not in (
                "let",
                "have",
                "letI",
                "haveI",
                "fun",
                "do",
            )
        )

    def _where_end(self, lo: int, hi: int, column: int) -> int:
        region = self.region
        return next(
            (
                index
                for index in outside_blocks(region, lo + 1, hi)
                if region.leads[index]
                and (region.column(index) < column or region.words[index] in AFTER_VALUE)
            ),
            hi,
        )

    def _fields_by_lines(self, lo: int, hi: int, structure: str) -> None:
        if lo >= hi:
            return
        column = self.region.column(lo)
        end = self._where_end(lo, hi, column)
        for start, stop in items(self.region, lo, end, column):
            self._field(start, stop, structure, inside=False)
        self.walk(end, hi, inside=False)

    def _field(self, lo: int, hi: int, structure: str, *, inside: bool) -> None:
        region, words = self.region, self.region.words
        sign = region.find(frozenset({":=", "|", "where"}), lo, hi)
        if region.kinds[lo] != "ident" or sign == hi:
            self.walk(lo, hi, inside=inside)
            return
        bound = dict(self.local)
        self._bind(lo + 1, sign)
        self._groups_of(lo + 1, sign)
        name = words[lo].rsplit(".", 1)[-1]
        colon = region.find(_COLON, lo + 1, sign)
        says = self._proposes(colon + 1, sign) if colon < sign else None
        proof = says is True or self.facts.proof_field(name, structure)
        if proof and words[sign] != ":=":
            self._cut(sign, hi, f" := {OMITTED}")
        elif words[sign] == "where":
            self._fields_by_lines(sign + 1, hi, "")
        elif words[sign] == "|":
            self.walk(sign, hi, inside=inside)
        else:
            self._value(sign + 1, hi, proof, inside=inside)
        self.local = bound

    # Local declarations.

    def _locals(self, lo: int, hi: int) -> int:
        """Reads the declarations after a ``where``; those that prove something lose their body."""
        if lo >= hi:
            return hi
        column = self.region.column(lo)
        end = self._where_end(lo, hi, column)
        for start, stop in items(self.region, lo, end, column):
            self._local(start, stop)
        return end

    def _local(self, lo: int, hi: int) -> None:
        region, words = self.region, self.region.words
        while lo < hi and words[lo] in _MODIFIERS:
            lo = region.after(lo)
        sign = region.find(frozenset({":=", "|", "where"}), lo, hi)
        if sign == hi or words[lo] in AFTER_VALUE:
            self.walk(lo, hi, inside=False)
            return
        colon = region.find(_COLON, lo, sign)
        if colon < sign and self._proposes(colon + 1, sign) is True:
            self._cut(sign, hi, f" := {OMITTED}")
            return
        bound = dict(self.local)
        self._bind(lo + 1, sign)
        if words[sign] == "where":
            self._fields_by_lines(sign + 1, hi, "")
        elif words[sign] == ":=":
            self._value(sign + 1, hi, False, inside=False)
        else:
            self.walk(sign, hi, inside=False)
        self.local = bound
