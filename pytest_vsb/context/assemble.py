"""Putting together what a prover may see of a repository, for one task after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import msgspec

from pytest_vsb.context.headings import Headings
from pytest_vsb.context.kinds import ContextKind, check_needs
from pytest_vsb.context.prompt import PromptBuilder
from pytest_vsb.context.records import HEADINGS, ContextTooLong, Omitted, Part, TaskContext
from pytest_vsb.context.retrieve import Retriever
from pytest_vsb.context.surroundings import (
    Item,
    ModuleText,
    Surroundings,
    shown_texts,
    surroundings,
    without_comments,
)
from pytest_vsb.context.tokens import TokenCounter
from pytest_vsb.context.words import name_words, text_words
from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.repository.dependencies import Resolver, as_task_fields
from pytest_vsb.repository.index import Entry, Index
from pytest_vsb.repository.version import code_version
from pytest_vsb.source import leak
from pytest_vsb.source.model import DeclarationNotFound
from pytest_vsb.tasks.model import Dependency, Scope, Task

_COUNTS_VERSION = "1"


_FRAME = frozenset(
    "namespace section end open variable universe export include omit set_option mutual".split()
)
"""Commands without which a declaration's text does not say what it means."""


class _Counts(NamedTuple):
    """The tokens of a module's text, of its frame, and of each declaration with its name."""

    whole: int
    frame: int
    declared: tuple[tuple[str, int], ...]


class Assembler:
    """Contexts of one kind for the tasks of one repository.

    Args:
        index: the repository.
        kind: what of it is shown.
        counter: how tokens are counted.
        budget: the most tokens that a context may have, as it stands in the prompt. A kind that
            is cut is cut to it; a ``full`` one that is longer is refused.
        resolver: finds what a declaration depends on.
        builder: makes the prompts, and so the headings that count; by default from our templates.

    Raises:
        UsageError: see :func:`.kinds.check_needs`.
    """

    def __init__(
        self,
        index: Index,
        kind: ContextKind,
        counter: TokenCounter,
        *,
        budget: int | None = None,
        resolver: Resolver | None = None,
        builder: PromptBuilder | None = None,
    ) -> None:
        check_needs(kind, budget)
        self.index = index
        self.kind = kind
        self.counter = counter
        self.budget = budget
        self._resolver = resolver or Resolver(index)
        self._headings = Headings(builder or PromptBuilder(), counter)
        self._retriever: Retriever | None = None
        self._counted: dict[str, _Counts] = {}

    def of(self, task: Task, prefix: str) -> TaskContext:
        """The context of a task.

        Args:
            task: the task; its dependencies are what the task file lists, if it lists any.
            prefix: the text of its file before the target.

        Raises:
            ContextTooLong: it has more tokens than there may be, and is of no kind that is cut.
            EnvironmentUnavailable: the repository does not have the task's file.
            LeakError: it would show a part of the reference proof.
        """
        context = self._of(task, prefix)
        try:
            self._check(task, context)
        except leak.LeakError:
            # Old versions of proofs stand in comments.
            context = replace(context, around=without_comments(context.around))
            self._check(task, context)
        return context

    def _check(self, task: Task, context: TaskContext) -> None:
        if task.reference_proof:
            leak.check(
                "\n\n".join(shown_texts(context.around)),
                task.reference_proof,
                where=task.id,
                statement=task.statement,
                allowed=self._allowed(task, context),
            )

    def _allowed(self, task: Task, context: TaskContext) -> Iterator[str]:
        """What may be shown whatever the proof says: definitions, and what others state."""
        around = context.around
        for item in (*around.library, *around.project, *around.file):
            if item.name != task.name:
                yield item.text
        for shown in around.repository:
            for entry in self.index.entries(shown.module):
                yield entry.text
        module = self.index.modules.by_path(task.path)
        if module is not None:
            for entry in self.index.entries(module.name):
                if entry.name != task.name:
                    yield entry.text

    def count(self, module: str) -> Part:
        """A module without its proofs, in declarations and tokens.

        Raises:
            KeyError: there is no such module.
        """
        counts = self._counts(module)
        return Part(module, len(counts.declared), counts.whole)

    def _of(self, task: Task, prefix: str) -> TaskContext:
        module = self._module(task)
        if self.kind.name == "full":
            return self._full(task, prefix, module)
        if self.kind.name == "same-file":
            return self._finished(task, self._around((), prefix, module))
        if self.kind.name == "retrieved":
            return self._retrieved(task, prefix, module)
        dependencies = self._dependencies(task, module)
        around = self._around(dependencies, prefix, module)
        if self.kind.name == "curated":
            return self._finished(task, around)
        return self._filled(task, around, module, {d.name for d in dependencies})

    def _module(self, task: Task) -> str:
        found = self.index.modules.by_path(task.path)
        if found is not None:
            return found.name
        if self.kind.name in ("curated", "same-file"):
            return task.module
        raise EnvironmentUnavailable(
            f"{task.path} is none of the repository's modules",
            where=str(self.index.root),
            hint="is it where the task file says, and not below .lake?",
        )

    # The kinds

    def _dependencies(self, task: Task, module: str) -> tuple[Dependency, ...]:
        """What the task file lists, or else what the reference proof and the statement mention;
        and all definitions of the repository that those need."""
        listed = task.dependencies
        if module in self.index.modules and all(d.scope == "library" for d in listed):
            known = {d.name for d in listed}
            listed = (*listed, *(d for d in self._direct(task, module) if d.name not in known))
        known = {task.name, *(d.name for d in listed)}
        names = [d.name for d in listed if d.scope != "library" and d.name]
        needed = []
        for ref in self._resolver.closure(names):
            entry = self.index.entry(ref)
            if entry.role == "definition" and entry.name not in known:
                scope: Scope = "file" if ref.module == module else "project"
                name = entry.name or entry.kind
                needed.append(Dependency(name, ref.module, scope, "definition", entry.text))
        return tuple(self._with_text(d) for d in (*listed, *needed))

    def _direct(self, task: Task, module: str) -> tuple[Dependency, ...]:
        """What the declaration in the repository uses."""
        try:
            return as_task_fields(self._resolver.of(module, task.name))[0]
        except DeclarationNotFound:
            return ()

    def _with_text(self, dependency: Dependency) -> Dependency:
        """A dependency with its source, where the task file gives only its name."""
        if dependency.text or dependency.scope == "library" or not dependency.name:
            return dependency
        module = dependency.module if dependency.module in self.index.modules else None
        for ref in self.index.find(dependency.name, module):
            entry = self.index.entry(ref)
            return replace(dependency, text=entry.text, module=entry.module)
        return dependency

    def _full(self, task: Task, prefix: str, module: str) -> TaskContext:
        around = self._around((), prefix, module)
        chosen = self._other_modules(module)
        counts = [self._counts(name) for name in chosen]
        whole = sum(each.whole for each in counts)
        visible = set(self.index.modules.closure(module))
        local = self._local(around)
        headings = self._headings.part(task, around, (local,))
        headings += self._headings.modules(
            task,
            [
                (name, name in visible)
                for name, each in zip(chosen, counts, strict=True)
                if each.whole
            ],
        )
        total = local.tokens + whole + headings
        texts: tuple[ModuleText, ...] = ()
        if self.budget is None or total <= self.budget:
            texts = tuple(
                ModuleText(name, text, name in visible)
                for name in chosen
                if (text := self._module_text(name))
            )
        if self.budget is not None and texts:
            # Texts side by side may have more tokens than the sum of what each has.
            total = max(total, self._headings.whole(task, replace(around, repository=texts)))
        if self.budget is not None and total > self.budget:
            raise ContextTooLong(
                f"the full context has about {total:,} tokens ({self.counter.method}), and "
                f"{self.budget:,} are the most that the prover takes",
                where=task.id,
                hint="--vsb-context=full-limited cuts it to what fits",
            )
        shown = sum(len(each.declared) for each in counts)
        return self._context(
            replace(around, repository=texts),
            (Part("repository", shown, whole), local, Part(HEADINGS, 0, headings)),
        )

    def _filled(
        self, task: Task, around: Surroundings, module: str, known: set[str]
    ) -> TaskContext:
        """The curated context, and of what else the target's file can see as much as fits.

        What is nearer by imports comes first; at one distance, what shares more words with the
        target's name and statement; then what comes first in the repository.
        """
        assert self.budget is not None
        parts = self._parts(around)
        used = self._headings.whole(task, around)
        if used > self.budget:
            raise ContextTooLong(
                f"the curated context alone has about {used:,} tokens ({self.counter.method}), and "
                f"{self.budget:,} are the most that there may be",
                where=task.id,
            )
        distance = self.index.modules.distance(module)
        words = set(text_words(task.statement)) | set(name_words(task.name))
        candidates: list[tuple[int, int, str, int]] = []
        omitted: list[Omitted] = []
        for name in self._other_modules(module):
            counts = self._counts(name)
            if name not in distance:
                number = len(counts.declared)
                if number:
                    omitted.append(Omitted("", name, "not imported", counts.whole, number))
                continue
            for position, (declared, _) in enumerate(counts.declared):
                if declared and declared in known:
                    continue
                shared = len(words.intersection(name_words(declared)))
                candidates.append((distance[name], -shared, name, position))
        # Sorting is stable: equals stay in the order of the repository.
        candidates.sort(key=lambda candidate: candidate[:2])
        chosen: list[tuple[str, int]] = []
        begun: set[str] = set()
        filled = used
        for _, _, name, position in candidates:
            counts = self._counts(name)
            declared, tokens = counts.declared[position]
            cost = tokens
            if name not in begun:
                cost += counts.frame
                cost += (
                    self._headings.module(task, name, imported=True)
                    if begun
                    else self._headings.modules(task, [(name, True)])
                )
            if filled + cost <= self.budget:
                filled += cost
                begun.add(name)
                chosen.append((name, position))
            else:
                omitted.append(Omitted(declared, name, "budget", tokens))
        around, whole, dropped = self._fitted(task, around, chosen)
        kept = chosen[: len(chosen) - len(dropped)]
        filled = sum(self._counts(name).declared[position][1] for name, position in kept)
        filled += sum(self._counts(name).frame for name in {name for name, _ in kept})
        parts = (Part("repository", len(kept), filled), *parts)
        return self._context(around, self._headings.added(parts, whole), (*omitted, *dropped))

    def _fitted(
        self, task: Task, around: Surroundings, chosen: Sequence[tuple[str, int]]
    ) -> tuple[Surroundings, int, list[Omitted]]:
        """The surroundings with as many of the chosen declarations, first ones first, as fit the
        budget as they are shown; the tokens of that; and those that do not fit.

        Texts side by side may have more tokens than the sum of what each has.
        """
        assert self.budget is not None
        dropped: list[Omitted] = []
        left = list(chosen)
        while True:
            by_module: dict[str, set[int]] = {}
            for name, position in left:
                by_module.setdefault(name, set()).add(position)
            shown = replace(around, repository=tuple(self._excerpts(by_module)))
            whole = self._headings.whole(task, shown)
            over = whole - self.budget
            if over <= 0 or not left:
                return shown, whole, dropped
            while left and over > 0:
                name, position = left.pop()
                declared, tokens = self._counts(name).declared[position]
                dropped.append(Omitted(declared, name, "budget", tokens))
                over -= max(1, tokens)

    def _retrieved(self, task: Task, prefix: str, module: str) -> TaskContext:
        if self._retriever is None:
            self._retriever = Retriever(self.index)
        refs = self._retriever.rank(
            f"{task.name} {task.statement}", self.index.modules.closure(module), self.kind.count
        )
        entries = [self.index.entry(ref) for ref in refs]
        around = self._around((), prefix, module)
        return self._finished(task, replace(around, project=tuple(map(_item, entries))))

    # What they are made of

    def _around(self, dependencies: Sequence[Dependency], prefix: str, module: str) -> Surroundings:
        shown = None
        if module in self.index.modules:
            pieces = self.index.before(module, len(prefix))
            # Else the file has changed since, or the target begins within a piece.
            if pieces and pieces[-1].end == len(prefix):
                shown = "".join(piece.text for piece in pieces)
        return surroundings(dependencies, prefix, shown)

    def _other_modules(self, module: str) -> list[str]:
        """The modules of the repository, in the order of imports, without the target's own and
        those that import it: what they say comes later than the target."""
        later = {module}
        found = []
        for name in self.index.modules.order():
            if name == module:
                continue
            if later.intersection(self.index.modules[name].imports):
                later.add(name)
            else:
                found.append(name)
        return found

    def _module_text(self, name: str) -> str:
        return self.index.text(name).strip("\n").rstrip()

    def _counts(self, name: str) -> _Counts:
        if name not in self._counted:
            version = f"{_COUNTS_VERSION}/{code_version()}/{self.counter.method}"
            digest = self.index.modules[name].digest
            data = self.index.store.get("tokens", version, digest, lambda: self._count(name))
            self._counted[name] = msgspec.msgpack.decode(data, type=_Counts)
        return self._counted[name]

    def _count(self, name: str) -> bytes:
        frame = [0]
        declared: list[tuple[str, int]] = []
        entries = self.index.entries(name)
        for piece in self.index.pieces(name):
            if piece.entry is not None:
                tokens = self.counter.count(piece.text)
                declared.append((entries[piece.entry].name, tokens))
            elif piece.kind in _FRAME:
                frame.append(self.counter.count(piece.text))
        whole = self.counter.count(self._module_text(name))
        return msgspec.msgpack.encode(_Counts(whole, sum(frame), tuple(declared)))

    def _excerpts(self, chosen: Mapping[str, set[int]]) -> Iterator[ModuleText]:
        """Chosen declarations in the text of their modules: what is between them is left out, but
        for the namespaces, variables and the like that they stand in."""
        for name in self.index.modules.order():
            if name in chosen:
                text = "\n\n".join(
                    piece.text.strip("\n").rstrip()
                    for piece in self.index.pieces(name)
                    if piece.kind in _FRAME or piece.entry in chosen[name]
                )
                yield ModuleText(name, text, imported=True)

    def _finished(self, task: Task, around: Surroundings) -> TaskContext:
        whole = self._headings.whole(task, around)
        return self._context(around, self._headings.added(self._parts(around), whole))

    def _context(
        self,
        around: Surroundings,
        parts: Sequence[Part],
        omitted: tuple[Omitted, ...] = (),
    ) -> TaskContext:
        return TaskContext(
            self.kind, around, tuple(parts), self.counter.method, self.budget, omitted
        )

    def _parts(self, around: Surroundings) -> tuple[Part, ...]:
        groups: Mapping[str, Sequence[Item]] = {
            "library": around.library,
            "project": around.project,
            "file": [item for item in around.file if not item.shown],
        }
        found = [
            Part(name, len(items), sum(self.counter.count(i.text or i.name) for i in items))
            for name, items in groups.items()
            if items
        ]
        return (*found, self._local(around))

    def _local(self, around: Surroundings) -> Part:
        tokens = self.counter.count(around.local_context) if around.local_context else 0
        return Part("file before the target", around.declared, tokens)


def _item(entry: Entry) -> Item:
    return Item(entry.name or entry.kind, entry.module, entry.role, entry.text, shown=False)
