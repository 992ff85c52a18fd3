"""The theorems of a repository that could be tasks, by all that can be told without a Lean."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

import msgspec

from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.prepare import holes
from pytest_vsb.prepare.config import PrepareConfig
from pytest_vsb.prepare.naming import Categories, ids
from pytest_vsb.prepare.patterns import Pattern, bare
from pytest_vsb.prepare.reasons import STATIC, Rejection
from pytest_vsb.repository.dependencies import Resolver
from pytest_vsb.repository.index import Entry, Index, Ref
from pytest_vsb.source import DeclarationNotFound, scan
from pytest_vsb.tasks import native
from pytest_vsb.tasks.checks import InvalidLine
from pytest_vsb.tasks.model import Origin, Task, TaskMetrics

THEOREMS = frozenset({"theorem", "lemma"})
_TILL_THEN = 200


@dataclass(frozen=True)
class Candidate:
    """A theorem that could be a task. Its task has all but its dependencies and subsets."""

    ref: Ref
    line: int
    task: Task

    def rejection(self, reason: str, words: str) -> Rejection:
        """The record of its being none."""
        return Rejection(self.ref.module, self.task.name, self.line, reason, words)


@dataclass(frozen=True)
class Found:
    """The theorems of a repository.

    Attributes:
        candidates: those that could be tasks, in the order of the repository.
        rejected: the others, in the same order.
        theorems: how many theorems each module has, of modules that have any.
        declarations: how many declarations the repository has.
        notes: remarks, such as patterns that fit nothing.
    """

    candidates: tuple[Candidate, ...]
    rejected: tuple[Rejection, ...]
    theorems: dict[str, int]
    declarations: int
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Theorem:
    ref: Ref
    entry: Entry
    id: str

    @property
    def names(self) -> tuple[str, ...]:
        """What patterns are held against."""
        return (self.entry.name, self.entry.module, self.id)


def find_candidates(
    index: Index,
    resolver: Resolver,
    config: PrepareConfig,
    root: str,
    progress: Callable[[int, int], None] | None = None,
) -> Found:
    """The theorems of a repository that pass the filters of :data:`.reasons.STATIC`.

    Args:
        index: the repository.
        resolver: tells what its declarations use.
        config: what is asked for.
        root: the tasks' ``root``.
        progress: called with how many modules of how many have been read.

    Raises:
        UsageError: a pattern of ``include`` fits no theorem.
        EnvironmentUnavailable: a file has changed since the index was made.
    """
    return _Finder(index, resolver, config, root, progress or _silent).found()


class _Finder:
    def __init__(
        self,
        index: Index,
        resolver: Resolver,
        config: PrepareConfig,
        root: str,
        progress: Callable[[int, int], None],
    ) -> None:
        self._index = index
        self._resolver = resolver
        self._config = config
        self._root = root
        self._progress = progress
        self._categories = Categories(config)
        self._declarations = 0
        self._names: dict[str, Counter[str]] = {}
        self._holes: dict[Ref, str] = {}
        self._lemmas: set[Ref] = set()
        self._theorems: list[_Theorem] = []
        self._rejected: dict[Ref, Rejection] = {}

    def found(self) -> Found:
        self._read()
        counts = Counter(theorem.ref.module for theorem in self._theorems)
        notes = self._check_patterns()
        resting = holes.resting_on(self._resolver, self._holes, self._progress)
        possible = [
            theorem
            for theorem in self._theorems
            if not self._reject(theorem, self._static(theorem, resting))
        ]
        candidates: list[Candidate] = []
        modules = [
            (module, list(group))
            for module, group in itertools.groupby(possible, key=lambda each: each.ref.module)
        ]
        for number, (module, group) in enumerate(modules):
            self._progress(number, len(modules))
            candidates += self._of_module(module, group)
        self._progress(len(modules), len(modules))
        order = [theorem.ref for theorem in self._theorems]
        return Found(
            candidates=tuple(candidates),
            rejected=tuple(self._rejected[ref] for ref in order if ref in self._rejected),
            theorems=dict(counts),
            declarations=self._declarations,
            notes=tuple(notes),
        )

    # All declarations

    def _read(self) -> None:
        entries: list[tuple[Ref, Entry]] = []
        for name in self._index.modules:
            found = self._index.entries(name)
            self._declarations += len(found)
            self._names[name] = Counter(entry.name for entry in found)
            self._find_holes(name, found)
            for position, entry in enumerate(found):
                ref = Ref(name, position)
                if entry.role == "lemma":
                    self._lemmas.add(ref)
                if entry.kind in THEOREMS:
                    entries.append((ref, replace(entry, text="")))
        chosen = ids((entry.module, entry.name) for _, entry in entries)
        self._theorems = [
            _Theorem(ref, entry, chosen[entry.module, entry.name]) for ref, entry in entries
        ]

    def _find_holes(self, module: str, entries: Sequence[Entry]) -> None:
        text = self._file(module)
        if not any(word in text for word in holes.WORDS):
            return
        for position, entry in enumerate(entries):
            word = holes.hole(text[entry.start : entry.end])
            if word is not None:
                self._holes[Ref(module, position)] = word

    def _file(self, module: str) -> str:
        """A module's file as it is."""
        found = self._index.modules[module]
        path = self._index.root / found.path
        try:
            data = path.read_bytes()
        except OSError as error:
            raise EnvironmentUnavailable(
                f"cannot be read: {error.strerror}", where=str(path)
            ) from error
        if hashlib.sha256(data).hexdigest() != found.digest:
            raise EnvironmentUnavailable(
                f"the module {module} has changed while it was in use",
                where=str(path),
                hint="start again once nothing writes into the repository",
            )
        return data.decode("utf-8", "replace")

    def _check_patterns(self) -> list[str]:
        """Remarks on patterns that fit nothing; one of ``include`` is refused."""
        config = self._config
        given = [("include", text) for text in config.include]
        given += [("exclude", text) for text in config.exclude]
        given += [("categories", text) for text, _ in config.categories]
        given += [("subsets", text) for _, texts in config.subsets for text in texts]
        literal = {bare(name) for theorem in self._theorems for name in theorem.names}
        idle = [
            (key, text)
            for key, text in given
            if bare(text) not in literal
            and not ("*" in text and Pattern(text).matches(sorted(literal)))
        ]
        for key, text in idle:
            if key == "include":
                near = get_close_matches(bare(text), literal, n=1)
                raise UsageError(
                    f"{text!r} fits no theorem of the repository",
                    where="`include`",
                    hint=f"did you mean {near[0]!r}?" if near else None,
                )
        return [f"`{key}`: {text!r} fits no theorem" for key, text in idle]

    # Filters

    def _reject(self, theorem: _Theorem, found: tuple[str, str] | None) -> bool:
        if found is not None:
            reason, words = found
            entry = theorem.entry
            self._rejected[theorem.ref] = Rejection(
                entry.module, entry.name, entry.line, reason, words
            )
        return found is not None

    @cached_property
    def _include(self) -> list[Pattern]:
        return [Pattern(text) for text in self._config.include]

    @cached_property
    def _exclude(self) -> list[Pattern]:
        return [Pattern(text) for text in self._config.exclude]

    def _static(self, theorem: _Theorem, resting: Mapping[Ref, Ref]) -> tuple[str, str] | None:
        entry = theorem.entry
        if not entry.name:
            return "unnamed", STATIC["unnamed"]
        if self._names[entry.module][entry.name] > 1:
            count = self._names[entry.module][entry.name]
            return "ambiguous", f"{count} declarations of its module have this name"
        if self._include and not any(p.matches(theorem.names) for p in self._include):
            return "not_included", STATIC["not_included"]
        for pattern in self._exclude:
            if pattern.matches(theorem.names):
                return "excluded", f"excluded by {pattern.text!r}"
        if theorem.ref in self._holes:
            return "hole", f"has `{self._holes[theorem.ref]}`"
        if theorem.ref in resting:
            cause = self._index.entry(resting[theorem.ref])
            name = cause.name or f"an unnamed {cause.kind}"
            return "rests_on_hole", f"rests on {name} of {cause.module}, which has a hole"
        return None

    def _of_module(self, module: str, theorems: list[_Theorem]) -> Iterator[Candidate]:
        """The candidates among some theorems of one module."""
        path = self._index.root / self._index.modules[module].path
        source = scan(self._file(module))
        for theorem in theorems:
            entry = theorem.entry
            try:
                declaration = source.find(entry.name)
            except DeclarationNotFound as error:
                self._reject(theorem, ("unusable", _short(error)))
                continue
            if source.line_of(declaration.keyword.start) != entry.line:
                self._reject(theorem, ("unusable", "its name leads to another declaration"))
                continue
            if declaration.body is None:
                self._reject(theorem, ("unproved", STATIC["unproved"]))
                continue
            proof = declaration.body.of(source.text)
            lines = sum(1 for line in proof.splitlines() if line.strip())
            uses = self._resolver.uses(theorem.ref)
            own = [use for use in uses if use.entry >= 0]
            task = Task(
                id=theorem.id,
                module=module,
                path=entry.path,
                name=entry.name,
                statement=declaration.statement.of(source.text),
                suite=self._config.suite,
                repository=self._config.repository,
                root=self._root,
                kind=declaration.kind,
                reference_proof=proof,
                category=self._categories.of(theorem.names, module),
                metrics=TaskMetrics(
                    direct_dependencies=len(own),
                    proof_lines=lines,
                ),
            )
            found = self._unusable(task, path) or self._outside(task, theorem)
            if not self._reject(theorem, found):
                metrics = replace(
                    task.metrics,
                    transitive_dependencies=len(self._resolver.reach([theorem.ref], proofs=True))
                    - 1,
                    nesting_depth=self._resolver.depth(theorem.ref),
                )
                yield Candidate(theorem.ref, entry.line, replace(task, metrics=metrics))

    def _unusable(self, task: Task, path: Path) -> tuple[str, str] | None:
        """Why a line of a task file would not give the task again, if so."""
        try:
            record = msgspec.json.decode(native.encode(task))
            again = native.task_of(record, Origin(path, 1))
        except InvalidLine as error:
            return "unusable", _short(error)
        if replace(again, origin=None) != task:
            return "unusable", "its task would not be read as it is written"
        return None

    def _outside(self, task: Task, theorem: _Theorem) -> tuple[str, str] | None:
        """Which limit of the configuration the task does not keep to."""
        config, lines = self._config, task.metrics.proof_lines or 0
        if lines < config.min_proof_lines:
            return "too_short", f"its proof has {_lines(lines)}"
        if config.max_proof_lines is not None and lines > config.max_proof_lines:
            return "too_long", f"its proof has {_lines(lines)}"
        if config.definitions and not self._uses_definition(theorem.ref):
            return "no_definition", STATIC["no_definition"]
        return None

    def _uses_definition(self, ref: Ref) -> bool:
        used = (Ref(use.module, use.entry) for use in self._resolver.uses(ref) if use.entry >= 0)
        return any(other not in self._lemmas for other in used)


def _silent(done: int, total: int) -> None:
    """Where nobody wants to know."""


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


def _short(error: Exception) -> str:
    text = " ".join(getattr(error, "message", str(error)).split())
    return text if len(text) <= _TILL_THEN else f"{text[:_TILL_THEN]}..."
