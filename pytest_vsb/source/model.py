"""What a scan of Lean source yields: spans, commands, declarations."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from pytest_vsb.errors import VsbError


@dataclass(frozen=True)
class Span:
    """A half-open range of a text, in code points."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """The part of ``text`` that the span covers."""
        return text[self.start : self.end]

    def contains(self, other: Span) -> bool:
        """Whether ``other`` lies within this span."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True)
class Declaration:
    """A declaration and its parts.

    Attributes:
        kind: its keyword (``theorem``, ``lemma``, ``def``, ``class inductive``, …).
        name: as written; empty for ``example`` and anonymous instances.
        full_name: with its namespaces, without ``_root_``; a private one by its plain name.
        modifiers: ``private``, ``noncomputable``, … in order.
        attributes: each attribute of its ``@[…]`` as written.
        span: all of it, from its docstring, attributes or ``open … in`` to the end of its body,
            without spaces and comments after it.
        keyword: its keyword.
        statement: from the keyword to before the body, without spaces and comments after it.
        body: from ``:=``, ``|`` or ``where`` to the end; None without a body.
        namespace: the namespace it stands in, empty at the root.
        mutual: the whole ``mutual … end`` block it is in, if any.
    """

    kind: str
    name: str
    full_name: str
    modifiers: tuple[str, ...]
    attributes: tuple[str, ...]
    span: Span
    keyword: Span
    statement: Span
    body: Span | None
    namespace: str
    mutual: Span | None


@dataclass(frozen=True)
class Command:
    """One command of a file.

    Attributes:
        kind: ``declaration``, ``mutual``, ``namespace``, ``open``, ``notation``, ``hash`` (for
            ``#eval`` and its like), ``moduledoc``, …; ``custom`` for a command that a repository
            introduces, ``unknown`` for one the scanner has no word for, ``trivia`` for a file of
            spaces and comments only.
        keyword: the word itself (``infixl``, ``#eval``); empty where there is none.
        span: from the end of the command before; what follows it up to the next command, spaces and
            comments, belongs to it, so that the spans of a file's commands tile it.
        modifiers: those before the keyword (``local``, ``noncomputable``, …).
        attributes: those before the keyword.
        prefixes: the commands joined to it by ``in``, as written (``open Nat``).
        declaration: what it declares, if it is one declaration.
        members: the declarations of a ``mutual`` block.
    """

    kind: str
    keyword: str
    span: Span
    modifiers: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    declaration: Declaration | None = None
    members: tuple[Declaration, ...] = ()


@dataclass(frozen=True)
class Import:
    """An import, with the words before its module's name that matter in files with ``module``."""

    name: str
    public: bool = False
    meta: bool = False
    all: bool = False


class DeclarationNotFound(VsbError, LookupError):
    """No declaration, or more than one, has the name asked for."""


@dataclass(frozen=True)
class Source:
    """A scanned file; ``imports`` are the names of ``imported``."""

    text: str
    commands: tuple[Command, ...]
    imports: tuple[str, ...]
    declarations: tuple[Declaration, ...]
    imported: tuple[Import, ...] = ()

    @property
    def newline(self) -> str:
        """The line ending the file uses."""
        return "\r\n" if "\r\n" in self.text else "\n"

    def line_of(self, offset: int) -> int:
        """The 1-based line of an offset."""
        return self.text.count("\n", 0, offset) + 1

    def find(self, name: str, *, line: int | None = None) -> Declaration:
        """The declaration of that full name.

        Args:
            name: full name; ``_root_.`` and needless ``«»`` are ignored.
            line: the 1-based line of any part of it, to choose among several of that name.

        Raises:
            DeclarationNotFound: there is none, or several and ``line`` does not choose one.
        """
        wanted = plain_name(name)
        found = [d for d in self.declarations if d.full_name and d.full_name == wanted]
        if len(found) > 1 and line is not None:
            found = [
                d for d in found if self.line_of(d.span.start) <= line <= self.line_of(d.span.end)
            ]
            if not found:
                raise DeclarationNotFound(f"no declaration {wanted} on line {line}")
        if len(found) == 1:
            return found[0]
        if found:
            lines = ", ".join(str(self.line_of(d.keyword.start)) for d in found)
            raise DeclarationNotFound(
                f"{wanted} is declared {len(found)} times (lines {lines})",
                hint="say which one by its line",
            )
        names = sorted({d.full_name for d in self.declarations if d.full_name})
        near = difflib.get_close_matches(wanted, names, n=3, cutoff=0.6)
        last = wanted.rsplit(".", 1)[-1]
        near += [n for n in names if n.rsplit(".", 1)[-1] == last and n not in near][:3]
        raise DeclarationNotFound(
            f"no declaration {wanted} among {len(names)}",
            hint=f"near names: {', '.join(near)}" if near else None,
        )


_QUOTED = re.compile("\u00ab([^\u00bb]*)\u00bb")
_PLAIN = re.compile(r"[^\W\d][\w'!?]*\Z")


def plain_name(name: str) -> str:
    """A name without ``_root_.`` and without ``«»`` around parts that do not need them."""
    bare = _QUOTED.sub(lambda m: m.group(1) if _PLAIN.match(m.group(1)) else m.group(), name)
    return bare.removeprefix("_root_.")
