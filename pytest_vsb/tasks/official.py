"""The record of the VeriSoftBench dataset, read as it is published.

Keys: https://github.com/utopia-group/VeriSoftBench, ``data/verisoftbench.jsonl``.
"""

from __future__ import annotations

import re
import sys
from typing import Any

import msgspec

from pytest_vsb.tasks import checks, statements
from pytest_vsb.tasks.checks import InvalidLine
from pytest_vsb.tasks.model import Dependency, Origin, Role, Scope, Task, TaskMetrics

SUITE = "verisoftbench"
ARISTOTLE = "aristotle"

_HINT = (
    "a line of the VeriSoftBench dataset needs thm_name, lean_root, rel_path and thm_stmt; "
    "for the native keys see docs/task-files.md"
)

# The lists of dependencies; the same lists have two names in published files.
_DEPENDENCIES: tuple[tuple[str, Scope, Role], ...] = (
    ("used_lib_defs", "library", "definition"),
    ("lib_defs", "library", "definition"),
    ("lib_lemmas", "library", "lemma"),
    ("used_repo_defs", "project", "definition"),
    ("repo_defs", "project", "definition"),
    ("repo_lemmas", "project", "lemma"),
    ("used_local_defs", "file", "definition"),
    ("local_defs", "file", "definition"),
    ("used_local_lemmas", "file", "lemma"),
    ("local_lemmas", "file", "lemma"),
)

_DECLARED = re.compile(
    r"(?:^|[\s\]])(?:theorem|lemma|def|abbrev|structure|inductive|class|instance|opaque|axiom)"
    r"\s+(?!\b(?:inductive)\b)((?:«[^»]*»|[^\s«»:(){}\[\]⦃⦄,])+)"
)


class OfficialLine(msgspec.Struct):
    """The keys that we read, and their types."""

    thm_name: str
    lean_root: str
    rel_path: str
    thm_stmt: str = ""
    target_theorem: str = ""
    id: int | None = None
    ground_truth_proof: str | None = None
    nesting_depth: int | None = None
    transitive_dep_count: int | None = None
    category: str | None = None
    is_aristotle: bool | None = None


_MAPPED = frozenset(OfficialLine.__struct_fields__) - {"target_theorem"}


def is_official(record: dict[str, Any]) -> bool:
    """Whether a line is a record of the official dataset, whole or not."""
    return "thm_name" in record or "lean_root" in record


def task_of(record: dict[str, Any], origin: Origin) -> Task:
    """The task of an official record. Its ``id`` is repository/name: whether that is unique is
    for the reader of the whole file to see.

    Raises:
        InvalidLine: a key is missing or a value cannot be used.
    """
    line = checks.converted(record, OfficialLine, _HINT)
    path = checks.lean_file("rel_path", line.rel_path)
    repository = sys.intern(checks.relative_path("lean_root", line.lean_root))
    name = checks.single_line("thm_name", line.thm_name)
    checks.task_id("thm_name", f"{repository}/{name}")
    if line.category:
        checks.single_line("category", line.category)
    proof = line.ground_truth_proof
    if proof is not None and (not proof.strip() or "\0" in proof):
        proof = None
    statement = _statement(line)
    return Task(
        id=f"{repository}/{name}",
        module=_module(path),
        path=path,
        name=name,
        statement=statement,
        suite=SUITE,
        repository=repository,
        kind=sys.intern(_kind(statement)),
        number=line.id,
        reference_proof=proof,
        category=sys.intern(line.category or ""),
        subsets=(ARISTOTLE,) if line.is_aristotle else (),
        dependencies=_dependencies(record),
        metrics=TaskMetrics(
            transitive_dependencies=line.transitive_dep_count,
            nesting_depth=line.nesting_depth,
            proof_lines=len(proof.strip().splitlines()) if proof else None,
        ),
        extra={key: value for key, value in record.items() if key not in _MAPPED},
        origin=origin,
    )


def _statement(line: OfficialLine) -> str:
    """The statement from ``thm_stmt``, or from ``target_theorem`` where only that is whole."""
    texts = (line.thm_stmt, line.target_theorem)
    cleaned = [statements.clean(text) for text in texts if text.strip()]
    if not cleaned:
        raise InvalidLine("Object missing required field `thm_stmt`", _HINT)
    whole = (text for text in cleaned if text and not statements.is_truncated(text))
    return checks.text("thm_stmt", next(whole, cleaned[0]))


def _kind(statement: str) -> str:
    try:
        return statements.keyword_of(statement)
    except InvalidLine:  # the records have statements that begin in the middle
        return "theorem"


def _module(path: str) -> str:
    """The module of a file. A leading ``src`` is a source directory, not a part of the name."""
    return sys.intern(path.removesuffix(".lean").removeprefix("src/").replace("/", "."))


def _dependencies(record: dict[str, Any]) -> tuple[Dependency, ...]:
    found: dict[Dependency, None] = {}
    for key, scope, role in _DEPENDENCIES:
        entries = record.get(key)
        if entries is None:
            continue
        if not isinstance(entries, list):
            raise InvalidLine(f"Expected `array`, got `{type(entries).__name__}` - at `$.{key}`")
        for position, entry in enumerate(entries):
            dependency = _dependency(entry, scope, role, f"$.{key}[{position}]")
            if dependency is not None:
                found[dependency] = None
    return tuple(found)


def _dependency(entry: Any, scope: Scope, role: Role, where: str) -> Dependency | None:
    """One entry of a list: an object, a declaration's text, or a name. ``None`` for one that says
    nothing, of which the published lists have some."""
    if isinstance(entry, str):
        entry = {"content": entry} if entry.split() != [entry] else {"name": entry}
    if not isinstance(entry, dict):
        raise InvalidLine(
            f"Expected `object` or `str`, got `{type(entry).__name__}` - at `{where}`"
        )
    name, module, text = (
        _string(entry, keys, where) for keys in (("name",), ("module",), ("content", "text"))
    )
    if not name and (declared := _DECLARED.search(text)):
        name = declared[1]
    if not name and (scope == "library" or not text.strip()):
        return None
    return Dependency(name.strip(), sys.intern(module.strip()), scope, role, text)


def _string(entry: dict[str, Any], keys: tuple[str, ...], where: str) -> str:
    for key in keys:
        value = entry.get(key)
        if value is not None:
            if not isinstance(value, str):
                raise InvalidLine(
                    f"Expected `str`, got `{type(value).__name__}` - at `{where}.{key}`"
                )
            return value
    return ""
