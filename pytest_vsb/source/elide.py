"""Lean source with its proofs left out: what a prover may be shown of a file or a declaration.

What is left out, and what stands in its place:

- The body of a theorem, lemma or example, whatever it is, and of a definition or instance whose
  type is certainly a proposition: ``:= …``.
- Every tactic block, ``by …``, ``decreasing_by …``, and calculation, ``calc …``, in any other body,
  field or default value; also the value of a ``have``, and of a ``let``, ``show … from``,
  ``(… : p)``, field or local declaration whose type is certainly a proposition: ``…``.
- A term that is a theorem of the repository applied to something, or a proof by its first word
  (``rfl``), where it stands alone: as an argument in brackets, a field, a component.

What stays: statements with all that they contain; data, also where a theorem's name stands as an
argument in it; the tactics of a definition that is made by tactics, without the blocks in them
(its type says only that it is data; the tactics say what it is). `facts` says what is certain.
What cannot be told without types stays: a proof that is written as a term, of a field that no
known structure declares, beginning with a name that is not known to be a theorem's.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterable

from pytest_vsb.source.evidence import may_prove
from pytest_vsb.source.facts import NO_FACTS, Facts, facts_of
from pytest_vsb.source.knowledge import Knowledge
from pytest_vsb.source.model import Declaration, Source, Span
from pytest_vsb.source.region import Region
from pytest_vsb.source.sorts import Sort, binders, colon_of, sort_of
from pytest_vsb.source.structures import fields_of
from pytest_vsb.source.terms import OMITTED, Cut, Proofs

__all__ = ["OMITTED", "PROVING", "Cut", "cuts", "elide", "elided", "proof_spans", "statement_only"]

PROVING = frozenset({"theorem", "lemma", "example", "proof_wanted"})
"""Declarations whose body is a proof."""

_TYPES = frozenset({"inductive", "coinductive", "class inductive"})
_STRUCTURES = frozenset({"structure", "class"})
# Where the body of one of these is nothing but a tactic block, it would say nothing without it.
_TACTIC_DEFINED = frozenset({"def", "abbrev", "irreducible_def", "opaque"})
# Commands of the repository's own may prove something; those of Lean's are no proofs.
_UNTOUCHED = frozenset(
    "macro elab syntax notation simproc moduledoc trivia variable import open namespace section "
    "end universe export attribute set_option".split()
)
_OPENED = re.compile(r"\bopen\b(?:\s+scoped)?((?:[ \t]+[^\s()]+)+)")


def elide(source: Source, facts: Facts = NO_FACTS) -> str:
    """The text of ``source`` without its proofs.

    Everything else stays byte for byte: comments, docstrings, statements, definitions. A comment
    between a statement and its proof goes with the proof.

    Args:
        facts: what is known of other files; what the file itself says is known anyhow.
    """
    return _cut(source.text, cuts(source, facts), 0)


def elided(source: Source, declaration: Declaration, facts: Facts = NO_FACTS) -> str:
    """The text of one declaration without its proofs, from its docstring or attributes on."""
    span = declaration.span
    return _cut(span.of(source.text), _eliding(source, facts).declaration(declaration), span.start)


def statement_only(source: Source, declaration: Declaration) -> str:
    """The statement of a declaration, from its keyword to before its body."""
    return declaration.statement.of(source.text)


def proof_spans(source: Source, facts: Facts = NO_FACTS) -> tuple[Span, ...]:
    """What `elide` leaves out, in order; what lies between them is what it shows."""
    return tuple(cut.span for cut in cuts(source, facts))


def cuts(source: Source, facts: Facts = NO_FACTS) -> tuple[Cut, ...]:
    """The same with what stands in the place of each. No two overlap."""
    eliding = _eliding(source, facts)
    found: list[Cut] = []
    for command in source.commands:
        if command.declaration is not None:
            found += eliding.declaration(command.declaration)
        elif command.members:
            for member in command.members:
                found += eliding.declaration(member)
        elif command.kind not in _UNTOUCHED:
            found += eliding.command(command.span)
    return tuple(sorted(found, key=lambda cut: cut.span.start))


def _cut(text: str, found: Iterable[Cut], offset: int) -> str:
    pieces: list[str] = []
    pos = 0
    for cut in sorted(found, key=lambda cut: cut.span.start):
        pieces += (text[pos : cut.span.start - offset], cut.new)
        pos = cut.span.end - offset
    return "".join((*pieces, text[pos:]))


_last: list[tuple[weakref.ref[Source], Facts, _Eliding]] = []


def _eliding(source: Source, facts: Facts) -> _Eliding:
    # What a file says of itself is read once, however many declarations of it are asked for.
    for known, given, eliding in tuple(_last):
        if known() is source and given is facts:
            return eliding
    made = _Eliding(source, facts)
    _last[:] = [(weakref.ref(source), facts, made)]
    return made


class _Eliding:
    def __init__(self, source: Source, facts: Facts) -> None:
        self.text = source.text
        self.own = facts_of(source)
        self.facts = Knowledge(self.own, facts)
        self.opened = frozenset(
            name for names in _OPENED.findall(source.text) for name in names.split() if name != "in"
        )
        self.variables: dict[str, bool | None] = {}
        for command in source.commands:
            if command.kind == "variable":
                region = Region(source.text, command.span)
                self.variables.update(binders(region, 0, len(region)))

    def command(self, span: Span) -> list[Cut]:
        region = Region(self.text, span)
        proofs = Proofs(region, self.facts)
        proofs.walk(0, len(region), inside=False)
        return proofs.cuts

    def declaration(self, declaration: Declaration) -> list[Cut]:
        kind, body = declaration.kind, declaration.body
        if kind in PROVING:
            # What follows the statement up to the end goes even where no body was recognised.
            return self._whole(declaration)
        if body is None or kind in _TYPES:
            return []
        spaces = self._spaces(declaration.namespace)
        if kind in _STRUCTURES:
            return self._defaults(declaration, spaces)
        statement = Region(self.text, declaration.statement)
        local = self.variables | binders(statement, 0, len(statement))
        sort = self._type(declaration, statement)
        if self.facts.proposition(sort, local):
            return self._whole(declaration)
        if not may_prove(self.text, body, self.facts):
            return []
        region = Region(self.text, body)
        proofs = Proofs(region, self.facts, local, spaces)
        if kind in _TACTIC_DEFINED and region.words[:2] == [":=", "by"]:
            proofs.tactics(2, len(region))
        elif proofs.evident(1, len(region)) and region.words[:1] == [":="]:
            return self._whole(declaration)
        else:
            proofs.body(sort.name)
        return proofs.cuts

    def _whole(self, declaration: Declaration) -> list[Cut]:
        start, end = declaration.statement.end, declaration.span.end
        if declaration.body is None and not self.text[start:end].strip():
            return []
        return [Cut(Span(start, end), f" := {OMITTED}")]

    def _type(self, declaration: Declaration, statement: Region) -> Sort:
        # Behind the keyword and the name.
        first = len(declaration.kind.split()) + bool(declaration.name)
        colon = colon_of(statement, min(first, len(statement)), len(statement))
        return sort_of(statement, colon + 1, len(statement))

    def _defaults(self, declaration: Declaration, spaces: frozenset[str]) -> list[Cut]:
        """The proofs among the default values of a structure's fields."""
        found: list[Cut] = []
        full = self.own.structures.get(declaration.full_name)
        local = full.local if full is not None else {}
        for field in fields_of(self.text, declaration):
            if field.default is None:
                continue
            region = Region(self.text, field.default)
            proofs = Proofs(region, self.facts, local, spaces)
            proof = self.facts.proposition(field.sort, local) or proofs.evident(0, len(region))
            if proof and region.words[0] != "by":
                found.append(Cut(field.default, OMITTED))
                continue
            proofs.walk(0, len(region), inside=False)
            found += proofs.cuts
        return found

    def _spaces(self, namespace: str) -> frozenset[str]:
        around = ["", *self.opened]
        parts = namespace.split(".") if namespace else []
        around += (".".join(parts[:n]) for n in range(1, len(parts) + 1))
        around += (f"{a}.{o}" for a in around[1 + len(self.opened) :] for o in self.opened)
        return frozenset(around)
