"""The record of one benchmark task."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Scope = Literal["library", "project", "file"]
Role = Literal["definition", "lemma"]


@dataclass(frozen=True)
class Dependency:
    """One declaration that a task's statement or reference proof mentions.

    ``scope`` tells where it lives: a library (core, Mathlib, ...), another file of the project,
    or the task's own file. ``text`` is its source text where the dataset has it.
    """

    name: str
    module: str = ""
    scope: Scope = "project"
    role: Role = "definition"
    text: str = ""


@dataclass(frozen=True)
class TaskMetrics:
    """How much a task depends on: counts of project declarations, depth of the longest chain,
    and the lines of the reference proof. ``None`` where the dataset does not say."""

    direct_dependencies: int | None = None
    transitive_dependencies: int | None = None
    nesting_depth: int | None = None
    proof_lines: int | None = None


@dataclass(frozen=True)
class Origin:
    """Where a task was read: the task file and the 1-based line in it."""

    file: Path
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Task:
    """One proof obligation: a declaration of a Lean file whose proof is to be found.

    ``id`` is unique in its task file and makes the nodeid. ``number`` is the numeric id of the
    official dataset, where there is one. ``path`` is relative to the Lean project's root, with
    forward slashes; ``root`` is that root, relative to the task file, or empty when the
    repository is looked up by name. ``statement`` runs from the declaration keyword to before
    the proof separator; ``reference_proof`` from the separator on, and is never shown to a
    prover (see :meth:`without_reference`). ``known_bad`` says why a task is known to be false or
    unprovable, if it is. Keys of the file that are not ours are in ``extra``.
    """

    id: str
    module: str
    path: str
    name: str
    statement: str
    suite: str = ""
    repository: str = ""
    root: str = ""
    kind: str = "theorem"
    number: int | None = None
    reference_proof: str | None = None
    category: str = ""
    subsets: tuple[str, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    metrics: TaskMetrics = TaskMetrics()
    known_bad: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    origin: Origin | None = None

    def without_reference(self) -> Task:
        """The task as a prover may see it: no reference proof, no key that could hold one, and
        nothing said of whether it is true."""
        return dataclasses.replace(self, reference_proof=None, extra={}, known_bad="")
