"""What a task's file says before the target, as far as reading an answer needs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from pytest_vsb.context.surroundings import open_namespaces
from pytest_vsb.context.target import tokens_of
from pytest_vsb.source import Declaration, Source, scan
from pytest_vsb.source.elide import PROVING, elided

#: Commands whose effect lasts to the end of their section, past the auxiliary declarations.
LASTING = frozenset({"open", "set_option", "variable", "universe", "include", "omit"})


@dataclass(frozen=True)
class Context:
    """What stands before the target in its file, as far as reading an answer needs it.

    Attributes:
        namespace: the parts of the one that is open at the end.
        in_force: ``open``, ``variable`` and the like whose effect lasts to the end, as tokens.
        others: commands that declare nothing by a name, such as notations, as tokens.
        declared: declarations by full name (all without one under the empty name), each as the
            token sequences that count as the same.
    """

    namespace: tuple[str, ...] = ()
    in_force: frozenset[tuple[str, ...]] = frozenset()
    others: frozenset[tuple[str, ...]] = frozenset()
    declared: Mapping[str, frozenset[tuple[str, ...]]] = field(default_factory=dict)

    @staticmethod
    @lru_cache(maxsize=4)
    def of(prefix: str) -> Context:
        """The context that the text before a target makes."""
        if not prefix.strip():
            return Context()
        source = scan(prefix)
        commands: list[set[tuple[str, ...]]] = [set()]
        others: set[tuple[str, ...]] = set()
        for command in source.commands:
            if command.keyword in ("namespace", "section"):
                commands.append(set())
            elif command.keyword == "end":
                if len(commands) > 1:
                    commands.pop()
            elif command.keyword in LASTING:
                commands[-1].add(tokens_of(command.span.of(prefix)))
            elif command.declaration is None and not command.members:
                others.add(tokens_of(command.span.of(prefix)))
        declared: dict[str, set[tuple[str, ...]]] = {}
        for declaration in source.declarations:
            forms = declared.setdefault(declaration.full_name, set())
            forms.update(forms_of(source, declaration))
        return Context(
            namespace=open_namespaces(source),
            in_force=frozenset().union(*commands),
            others=frozenset(others),
            declared={name: frozenset(forms) for name, forms in declared.items()},
        )

    def declares(self, name: str, forms: set[tuple[str, ...]]) -> bool:
        """Whether the file already has that declaration, under this name as written in it or in
        one of the namespaces around the target."""
        if not name:
            return not self.declared.get("", frozenset()).isdisjoint(forms)
        spaces = [self.namespace[:n] for n in range(len(self.namespace), -1, -1)]
        for space in spaces:
            known = self.declared.get(".".join((*space, name)))
            if known is not None and not known.isdisjoint(forms):
                return True
        return False


def forms_of(source: Source, declaration: Declaration) -> set[tuple[str, ...]]:
    """A declaration as tokens: what says that two are the same. Of a proposition its statement; of
    the others all of it, as it is and with its proofs left out."""
    text = source.text
    statement = _plain(declaration, tokens_of(declaration.statement.of(text)))
    if declaration.kind in PROVING:
        return {("theorem", *statement[1:])}
    if declaration.body is None:
        return {statement}
    whole = text[declaration.keyword.start : declaration.span.end]
    shown = elided(source, declaration)[declaration.keyword.start - declaration.span.start :]
    return {_plain(declaration, tokens_of(whole)), _plain(declaration, tokens_of(shown))}


def _plain(declaration: Declaration, found: tuple[str, ...]) -> tuple[str, ...]:
    """The tokens with the name left out, which may be written with or without its namespace."""
    head = len(declaration.kind.split())
    if declaration.name and found[head : head + 1] == (declaration.name,):
        return (*found[:head], *found[head + 1 :])
    return found
