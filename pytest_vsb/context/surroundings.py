"""What a task's prompt says of its surroundings: dependencies, and the file before the target."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_vsb.source import Source, lexer, scan
from pytest_vsb.source.elide import elide, elided, statement_only
from pytest_vsb.tasks import statements
from pytest_vsb.tasks.model import Dependency, Role

_COMMENTS = ("line", "block")
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")


@dataclass(frozen=True)
class Item:
    """A dependency as a template sees it.

    ``text`` is its source without proofs: of a lemma the statement. It is empty where the task
    file has none. ``shown`` says that the file before the target declares it.
    """

    name: str
    module: str
    role: Role
    text: str
    shown: bool


@dataclass(frozen=True)
class ModuleText:
    """Another module of the repository, or some of it, without its proofs. ``imported`` says that
    the target's file can use it."""

    module: str
    text: str
    imported: bool


@dataclass(frozen=True)
class Surroundings:
    """Dependencies by where they live, and the file before the target without its proofs.

    ``namespace`` is the one that the target stands in, empty at the root. ``declared`` counts the
    named declarations of the file before the target. ``repository`` is what is shown of other
    modules beside the dependencies.
    """

    library: tuple[Item, ...]
    project: tuple[Item, ...]
    file: tuple[Item, ...]
    local_context: str
    namespace: str
    declared: int = 0
    repository: tuple[ModuleText, ...] = ()


def surroundings(
    dependencies: Sequence[Dependency], prefix: str, shown: str | None = None
) -> Surroundings:
    """What is known around a target.

    Args:
        dependencies: the task's.
        prefix: the text of its file before it.
        shown: that text without its proofs, from whoever knows what of the repository is a proof;
            by default what the text itself tells.
    """
    source = scan(prefix.replace("\r\n", "\n"))
    declared = {d.full_name for d in source.declarations if d.full_name}
    items = {
        scope: tuple(_item(d, declared) for d in dependencies if d.scope == scope)
        for scope in ("library", "project", "file")
    }
    return Surroundings(
        library=items["library"],
        project=items["project"],
        file=items["file"],
        local_context=(elide(source) if shown is None else shown).strip("\n").rstrip(),
        namespace=".".join(open_namespaces(source)),
        declared=len(declared),
    )


def shown_texts(around: Surroundings) -> Iterator[str]:
    """All Lean that is shown, piece by piece."""
    for item in (*around.library, *around.project, *around.file):
        yield item.text
    for module in around.repository:
        yield module.text
    yield around.local_context


def without_comments(around: Surroundings) -> Surroundings:
    """The same without any comment, documentation included."""
    return replace(
        around,
        library=tuple(replace(item, text=_bare(item.text)) for item in around.library),
        project=tuple(replace(item, text=_bare(item.text)) for item in around.project),
        file=tuple(replace(item, text=_bare(item.text)) for item in around.file),
        repository=tuple(replace(m, text=_bare(m.text)) for m in around.repository),
        local_context=_bare(around.local_context),
    )


def _bare(text: str) -> str:
    kept = (
        text[start:end]
        for group, start, end, _ in lexer.lex(text)
        if group not in ("line", "block")
    )
    return _BLANK_LINES.sub("\n\n", "".join(kept)).strip("\n").rstrip()


def open_namespaces(source: Source) -> tuple[str, ...]:
    """The parts of the namespace that is open at the end of a source."""
    # A declaration put there says it: the scanner keeps no state of its own to ask.
    text = f"{source.text}\n\ntheorem place : True := trivial\n"
    declarations = scan(text).declarations
    space = declarations[-1].namespace if declarations else ""
    return tuple(part for part in space.split(".") if part)


def _item(dependency: Dependency, declared: set[str]) -> Item:
    return Item(
        name=dependency.name,
        module=dependency.module,
        role=dependency.role,
        text=_text(dependency.text, dependency.role),
        shown=dependency.name in declared,
    )


def _text(text: str, role: Role) -> str:
    text = text.replace("\r\n", "\n").strip("\n").rstrip()
    if not text:
        return ""
    source = scan(text)
    if not source.declarations:
        # A fragment: if it goes on to a proof, only what precedes that is shown.
        return statements.clean(text) if role == "lemma" else elide(source)
    if role == "definition":
        return elide(source)
    return "\n".join(
        elided(source, d)
        if d.kind in ("inductive", "structure", "class", "class inductive", "coinductive")
        else statement_only(source, d)
        for d in source.declarations
    )
