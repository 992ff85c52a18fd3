"""Lean source text to commands and declarations, with exact spans."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from pytest_vsb.source import grammar, header, lexer
from pytest_vsb.source.introduced import commands_introduced
from pytest_vsb.source.model import Command, Declaration, Import, Source, Span, plain_name
from pytest_vsb.source.prefix import Head
from pytest_vsb.source.splitter import Splitter

SCANNER_VERSION = "4"
"""Raised with every change of what :func:`scan` and what is read from its results finds."""


def scan(text: str, *, commands: Iterable[str] = ()) -> Source:
    """Splits Lean source into commands, and declarations into their parts. Takes any text.

    Args:
        text: a file's text; offsets are code points in it.
        commands: words that begin commands of the repository's own, beside those the file itself
            declares by ``syntax``, ``macro`` or ``elab``.
    """
    extra = frozenset(commands) - grammar.COMMANDS - grammar.MODIFIERS
    own = commands_introduced(text)
    if "import Lake" in text and _IMPORTS_LAKE.search(text) is not None:
        own |= grammar.LAKE_COMMANDS
    return _Assembler(text, extra | own).run()


_IMPORTS_LAKE = re.compile(r"^(?:(?:public|meta)\s+)*import Lake\b", re.MULTILINE)


class _Assembler:
    def __init__(self, text: str, commands: frozenset[str]) -> None:
        self.text = text
        self.splitter = Splitter(text, commands)
        # Each scope is a component of a namespace or section, or a mutual block.
        self.scopes: list[tuple[str, str]] = []

    def run(self) -> Source:
        text, splitter = self.text, self.splitter
        splitter.run()
        heads = splitter.heads
        first = _first_significant(text)
        if first is not None and (not heads or heads[0].start > first):
            heads.insert(0, Head(first, 0, "", Span(first, first)))
        if not heads:
            trivia = (Command("trivia", "", Span(0, len(text))),) if text else ()
            return Source(text, trivia, (), ())
        commands: list[Command] = []
        imports: list[Import] = []
        block: list[Command] | None = None
        for index, head in enumerate(heads):
            end = heads[index + 1].start if index + 1 < len(heads) else len(text)
            command = self._command(head, 0 if index == 0 else head.start, end)
            if head.keyword == "import":
                imports.append(self._imported(head, end))
            if block is not None:
                block.append(command)
                if head.keyword == "end" and not self._in_mutual():
                    commands.append(self._mutual(block))
                    block = None
            elif head.keyword == "mutual":
                block = [command]
            else:
                commands.append(command)
        if block is not None:
            commands.append(self._mutual(block))
        declarations = tuple(
            d for c in commands for d in (c.members or ((c.declaration,) if c.declaration else ()))
        )
        imported = tuple(i for i in imports if i.name)
        names = tuple(i.name for i in imported)
        return Source(text, tuple(commands), names, declarations, imported)

    def _in_mutual(self) -> bool:
        return any(kind == "mutual" for kind, _ in self.scopes)

    def _mutual(self, block: list[Command]) -> Command:
        first, last = block[0], block[-1]
        head_start = self._mutual_start
        span = Span(head_start, self.splitter.trim(last.span.end, head_start))
        members = tuple(
            replace(c.declaration, mutual=span) for c in block if c.declaration is not None
        )
        return replace(
            first, kind="mutual", span=Span(first.span.start, last.span.end), members=members
        )

    def _command(self, head: Head, start: int, end: int) -> Command:
        keyword = head.keyword
        declaration = None
        if keyword == "mutual" and not self._in_mutual():
            self._mutual_start = head.start
        if keyword in _DECLARING:
            declaration = self._declaration(head, end)
        elif keyword in ("namespace", "section", "mutual", "end"):
            self._scope(keyword, head.word.end, end)
        if declaration is not None:
            kind = "declaration"
        elif keyword in self.splitter.extra:
            kind = "custom"
        else:
            kind = grammar.command_kind(keyword)
        return Command(
            kind=kind,
            keyword=keyword,
            span=Span(start, end),
            modifiers=tuple(head.modifiers),
            attributes=tuple(head.attributes),
            prefixes=tuple(head.prefixes),
            declaration=declaration,
        )

    def _scope(self, keyword: str, pos: int, end: int) -> None:
        scopes = self.scopes
        name = "" if keyword == "mutual" else header.declared_name(self.text, keyword, pos, end)[0]
        parts = _components(name) or [""]
        if keyword != "end":
            scopes.extend((keyword, part) for part in parts)
        else:
            del scopes[max(0, len(scopes) - len(parts)) :]

    def _namespace(self) -> str:
        return ".".join(name for kind, name in self.scopes if kind == "namespace" and name)

    def _declaration(self, head: Head, end: int) -> Declaration:
        text, kind = self.text, head.keyword
        stop = self.splitter.trim(end, head.word.end)
        name, after = header.declared_name(text, kind, head.word.end, stop)
        statement_end, body = header.split(text, kind, after, stop, self.splitter.trim)
        if kind == "example":
            name = ""
        namespace = self._namespace()
        if name.startswith("_root_."):
            full = plain_name(name)
        else:
            full = plain_name(f"{namespace}.{name}" if namespace and name else name)
        return Declaration(
            kind=kind,
            name=name,
            full_name=full,
            modifiers=tuple(head.modifiers),
            attributes=tuple(head.attributes),
            span=Span(head.start, stop),
            keyword=head.word,
            # A string left open at the end of a file goes on to its last space.
            statement=Span(head.word.start, min(statement_end, stop)),
            body=Span(body, stop) if body is not None else None,
            namespace=plain_name(namespace),
            mutual=None,
        )

    def _imported(self, head: Head, end: int) -> Import:
        name, of_all = "", False
        for group, start, stop, _ in lexer.lex(self.text, head.word.end, end):
            if group == "ident":
                name = self.text[start:stop]
                if name != "all":
                    break
                of_all, name = True, ""
        return Import(name, "public" in head.modifiers, "meta" in head.modifiers, of_all)


_DECLARING = grammar.DECLARATIONS | {"class inductive", "class abbrev"}


def _components(name: str) -> list[str]:
    """The parts of a name; a dot inside ``«»`` does not split."""
    parts: list[str] = []
    for piece in name.split("."):
        if parts and parts[-1].count("\u00ab") > parts[-1].count("\u00bb"):
            parts[-1] += f".{piece}"
        else:
            parts.append(piece)
    return [part for part in parts if part]


def _first_significant(text: str) -> int | None:
    for group, start, _, _ in lexer.lex(text):
        if group == "block":
            if lexer.is_doc(text, start) or text.startswith("/-!", start):
                return start
        elif group not in ("space", "line"):
            return start
    return None
