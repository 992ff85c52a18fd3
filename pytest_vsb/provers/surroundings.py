"""What the automation prover finds in the file before its target."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pytest_vsb.provers.statement import (
    Statement,
    Variable,
    identifiers,
    read_binders,
    read_statement,
    tokens,
)
from pytest_vsb.source.model import Command, Declaration, Source
from pytest_vsb.source.scanner import scan

_DEFINITIONS = frozenset({"def", "abbrev"})
_LEMMAS = frozenset({"theorem", "lemma"})
_INDUCTIVES = frozenset({"inductive", "structure", "class inductive"})
_NOTATIONS = frozenset({"notation", "infix", "infixl", "infixr", "prefix", "postfix"})
_CONSTRUCTOR = re.compile(r"\|\s*([^\W\d][\w'!?]*)")
_CONSTANT = re.compile(r"(?:[A-Z][\w'!?]*\.)+[^\W\d][\w'!?]*\Z")


@dataclass(frozen=True)
class Known:
    """A declaration of the file: its full name, the names it mentions, and its text.

    A lemma is ``circular`` if one of its hypotheses looks like its conclusion, as in symmetry or
    transitivity: a search that applies it has no end.
    """

    name: str
    mentions: frozenset[str]
    text: str
    equation: bool = False
    simp: bool = False
    recursive: bool = False
    circular: bool = False

    @property
    def last(self) -> str:
        return self.name.rsplit(".", 1)[-1]


@dataclass(frozen=True)
class Surroundings:
    """The file before the target.

    ``borrowed`` are the qualified names that the file's own proofs mention, latest first.
    """

    definitions: tuple[Known, ...] = ()
    lemmas: tuple[Known, ...] = ()
    constructors: tuple[tuple[str, tuple[str, ...]], ...] = ()
    variables: tuple[Variable, ...] = ()
    notations: tuple[tuple[tuple[str, ...], frozenset[str]], ...] = ()
    borrowed: tuple[str, ...] = ()

    def relevant_definitions(self, statement: Statement, limit: int) -> tuple[Known, ...]:
        """Definitions that the statement mentions, and those that they mention, nearest first."""
        wanted = self.words(statement)
        found: dict[str, Known] = {}
        for _ in range(3):
            grown = set(wanted)
            for known in self.definitions:
                if known.name not in found and known.last in wanted:
                    found[known.name] = known
                    grown |= known.mentions
            if grown == wanted or len(found) >= limit:
                break
            wanted = frozenset(grown)
        return tuple(found.values())[:limit]

    def relevant_lemmas(
        self, statement: Statement, limit: int, *, equations: bool
    ) -> tuple[Known, ...]:
        """Lemmas that share the most names with the statement, later ones first among equals."""
        wanted = self.words(statement)
        for known in self.relevant_definitions(statement, 8):
            wanted = wanted | known.mentions | {known.last}
        scored = [
            (-len(known.mentions & wanted) / (1 + len(known.mentions)), -index, known)
            for index, known in enumerate(self.lemmas)
            if known.mentions & wanted and (known.equation or not equations)
        ]
        return tuple(known for _, _, known in sorted(scored, key=lambda item: item[:2])[:limit])

    def relevant_constructors(self, statement: Statement, limit: int) -> tuple[str, ...]:
        """Constructors of the inductive types that the statement mentions."""
        wanted = self.words(statement)
        names = [
            f"{name}.{constructor}"
            for name, constructors in self.constructors
            if name.rsplit(".", 1)[-1] in wanted
            for constructor in constructors
        ]
        return tuple(names[:limit])

    def words(self, statement: Statement) -> frozenset[str]:
        """The parts of all names in the statement, notations of the file read."""
        parts = set(words_of(statement.identifiers))
        text = "".join(v.type for v in statement.variables) + statement.conclusion
        for symbols, names in self.notations:
            if symbols and all(symbol in text for symbol in symbols):
                parts |= names
        return frozenset(parts)


def words_of(names: Iterable[str]) -> Iterator[str]:
    """The parts between the dots of names."""
    for name in names:
        yield from name.split(".")


def read_surroundings(prefix: str) -> Surroundings:
    """Read the text of a file up to the target. Takes any text."""
    source = scan(prefix)
    text = source.text
    definitions: list[Known] = []
    lemmas: list[Known] = []
    constructors: list[tuple[str, tuple[str, ...]]] = []
    borrowed: dict[str, None] = {}
    for declaration in source.declarations:
        if not declaration.full_name:
            continue
        kind = declaration.kind
        if kind in _DEFINITIONS:
            definitions.append(_definition(declaration, text))
        elif kind in _LEMMAS:
            lemmas.append(_lemma(declaration, text))
        elif kind in _INDUCTIVES:
            span = declaration.span.of(text)
            names = tuple(dict.fromkeys(_CONSTRUCTOR.findall(span)))
            constructors.append((declaration.full_name, names if kind != "structure" else ("mk",)))
        if declaration.body is not None and kind in _LEMMAS:
            for name in identifiers(declaration.body.of(text)):
                if _CONSTANT.match(name):
                    borrowed.pop(name, None)
                    borrowed[name] = None
    return Surroundings(
        definitions=tuple(definitions),
        lemmas=tuple(lemmas),
        constructors=tuple(constructors),
        variables=_variables_in_force(source),
        notations=tuple(_notation(c, text) for c in source.commands if c.keyword in _NOTATIONS),
        borrowed=tuple(reversed(borrowed)),
    )


def _definition(declaration: Declaration, text: str) -> Known:
    whole = declaration.keyword.start, declaration.span.end
    span = text[whole[0] : whole[1]]
    mentions = frozenset(words_of(identifiers(span)))
    last = declaration.full_name.rsplit(".", 1)[-1]
    body = declaration.body.of(text) if declaration.body else ""
    recursive = last in set(words_of(identifiers(body)))
    return Known(declaration.full_name, mentions - {last}, span, recursive=recursive)


def _lemma(declaration: Declaration, text: str) -> Known:
    statement = declaration.statement.of(text)
    mentions = frozenset(words_of(identifiers(statement)))
    equation = re.search(r"=|↔", statement) is not None
    simp = any(re.match(r"simp\b", attribute) for attribute in declaration.attributes)
    last = declaration.full_name.rsplit(".", 1)[-1]
    return Known(
        declaration.full_name,
        mentions - {last},
        statement,
        equation=equation,
        simp=simp,
        circular=_is_circular(read_statement(statement)),
    )


def _is_circular(statement: Statement) -> bool:
    bound = {variable.name for variable in statement.variables}

    def skeleton(text: str) -> tuple[str, ...]:
        return tuple(t for t in tokens(text) if not (t.isspace() or t in bound or t in "()"))

    goal = skeleton(statement.conclusion)
    return any(skeleton(v.type) == goal for v in statement.variables if v.role == "hypothesis")


def _variables_in_force(source: Source) -> tuple[Variable, ...]:
    """The variables of the sections that are still open at the end."""
    scopes: list[list[Variable]] = [[]]
    for command in source.commands:
        if command.keyword in ("section", "namespace"):
            scopes.append([])
        elif command.keyword == "end" and len(scopes) > 1:
            scopes.pop()
        elif command.keyword == "variable":
            scopes[-1].extend(read_binders(command.span.of(source.text)))
    found = {variable.name: variable for scope in scopes for variable in scope}
    return tuple(found.values())


def _notation(command: Command, text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The symbols of a notation, and the parts of the names it stands for."""
    left, _, right = command.span.of(text).partition("=>")
    symbols = tuple(s.strip() for s in re.findall(r'"([^"\n]*)"', left) if s.strip())
    return symbols, frozenset(words_of(identifiers(right)))
