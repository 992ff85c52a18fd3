"""What a declaration depends on: directly, and through what it depends on.

Where the project is built, Lean's own ``.ilean`` files say it; elsewhere the text is read. Both
ways give the same records. See docs/dependencies.md.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from pytest_vsb.repository import library
from pytest_vsb.repository.exact import exact_uses
from pytest_vsb.repository.ilean import Ilean, IleanStore
from pytest_vsb.repository.index import Index, Ref
from pytest_vsb.repository.names import Table, kept_version
from pytest_vsb.repository.resolve import read_module
from pytest_vsb.repository.scopes import components
from pytest_vsb.repository.uses import How, Part, Use
from pytest_vsb.source import DeclarationNotFound
from pytest_vsb.tasks.model import Dependency, Role, Scope, TaskMetrics

_Module = tuple[tuple[Use, ...], ...]


@dataclass(frozen=True)
class Used:
    """One declaration that another one depends on.

    Attributes:
        name: its full name.
        module: its module; empty where that is not known, as for a library's that is not at hand.
        scope: a library's, another file's of the project, or the same file's.
        role: whether it is a lemma or a definition; of a library's as its spelling tells.
        text: its text without proofs, of a lemma only the statement; empty for a library's.
        part: where the declaration uses it, in its statement if there at all.
        how: whether Lean said so or the text was read.
    """

    name: str
    module: str
    scope: Scope
    role: Role
    text: str
    part: Part
    how: How


@dataclass(frozen=True)
class Dependencies:
    """What one declaration depends on.

    Attributes:
        direct: what it uses itself, in the order of its text.
        transitive: all of the project that it depends on, itself or through others, in the order
            of the modules and of their files; libraries' are only among ``direct``.
        depth: how many declarations of the project the longest chain of dependencies has, itself
            included: 1 for one that uses nothing of the project. Declarations that use each other
            count as one.
    """

    direct: tuple[Used, ...]
    transitive: tuple[Used, ...]
    depth: int

    def project(self) -> tuple[Used, ...]:
        """Those of ``direct`` that are declared in the project."""
        return tuple(used for used in self.direct if used.scope != "library")

    def count(self, scope: Scope, role: Role) -> int:
        """How many of ``direct`` there are of a scope and a role."""
        return sum(used.scope == scope and used.role == role for used in self.direct)


class Resolver:
    """Tells what the declarations of a repository depend on. Safe under threads.

    Args:
        index: the repository.
        build: what Lean wrote of its modules; where a module is not there, or was made from
            another text, its text is read instead.
        libraries: repositories whose modules and roles are given for libraries' names.
    """

    def __init__(
        self, index: Index, *, build: IleanStore | None = None, libraries: Sequence[Index] = ()
    ) -> None:
        self.index = index
        self.notes: list[str] = []
        self._build = build
        self._libraries = tuple(libraries)
        self._table = Table(index)
        self._lock = threading.RLock()
        self._uses: dict[str, _Module] = {}
        self._depths: dict[Ref, int] = {}
        self._exact: dict[str, bool] = {}
        self._digests: dict[tuple[str, ...], str] = {}

    # One declaration

    def find(self, name: str, *, module: str | None = None, line: int | None = None) -> Ref:
        """The declaration of that full name.

        Args:
            module: its module; None for any.
            line: the 1-based line of its keyword, to choose among several of that name.

        Raises:
            DeclarationNotFound: there is none, or several and ``line`` does not choose one.
            KeyError: there is no such module.
        """
        found = self.index.find(name, module)
        if line is not None and len(found) > 1:
            found = tuple(ref for ref in found if self.index.entry(ref).line == line)
        if len(found) == 1:
            return found[0]
        where = f" in {module}" if module is not None else ""
        if not found:
            raise DeclarationNotFound(f"no declaration {name}{where}")
        raise DeclarationNotFound(
            f"{name} is declared {len(found)} times{where}", hint="say which one by its line"
        )

    def of(self, module: str, name: str, *, line: int | None = None) -> Dependencies:
        """What a declaration depends on.

        Raises:
            DeclarationNotFound: see :meth:`find`.
            KeyError: there is no such module.
        """
        return self.of_ref(self.find(name, module=module, line=line))

    def of_ref(self, ref: Ref) -> Dependencies:
        """What a declaration depends on."""
        own = self.uses(ref)
        direct = {_ref(use): use for use in own if use.entry >= 0}
        everything = self.reach([ref], proofs=True)
        transitive = [
            self._used(direct[other], ref) if other in direct else self._through(other, ref)
            for other in everything
            if other != ref
        ]
        return Dependencies(
            direct=tuple(self._used(use, ref) for use in own),
            transitive=tuple(transitive),
            depth=self.depth(ref),
        )

    def _used(self, use: Use, user: Ref) -> Used:
        if use.entry < 0:
            module, role = self._in_library(use)
            return Used(use.name, module, "library", role, "", use.part, use.how)
        entry = self.index.entry(_ref(use))
        scope: Scope = "file" if use.module == user.module else "project"
        return Used(use.name, use.module, scope, entry.role, entry.text, use.part, use.how)

    def _through(self, ref: Ref, user: Ref) -> Used:
        """Something that is used by what is used; its part is that of its first user."""
        entry = self.index.entry(ref)
        scope: Scope = "file" if ref.module == user.module else "project"
        how: How = "exact" if self._is_exact(ref.module) else "heuristic"
        return Used(entry.name, ref.module, scope, entry.role, entry.text, "body", how)

    def _in_library(self, use: Use) -> tuple[str, Role]:
        name = use.name
        while name:
            for index in self._libraries:
                found = index.find(name)
                if found:
                    return use.module or found[0].module, index.entry(found[0]).role
            name = ".".join(components(name)[:-1])
        return use.module, library.role_of(use.name)

    def declared_by(self, ref: Ref) -> tuple[str, ...]:
        """The full names that a declaration brings: its own, its constructors, its fields."""
        with self._lock:
            facts = self._table.facts(ref.module)
        return tuple(known.name for known in facts.known if known.entry == ref.position)

    # Many

    def uses(self, ref: Ref) -> tuple[Use, ...]:
        """What a declaration uses itself."""
        return self.module_uses(ref.module)[ref.position]

    def module_uses(self, module: str) -> tuple[tuple[Use, ...], ...]:
        """What each declaration of a module uses, in the order of :meth:`Index.entries`.

        Raises:
            KeyError: there is no such module.
        """
        module = self.index.modules[module].name
        found = self._uses.get(module)
        if found is None:
            with self._lock:
                found = self._uses[module] = self._kept(module)
        return found

    def _kept(self, module: str) -> _Module:
        ilean = self._build.get(module) if self._build is not None else None
        data = self.index.store.get(
            "uses",
            kept_version(),
            self._surroundings(module, ilean),
            lambda: msgspec.msgpack.encode(self._read(module, ilean)),
        )
        return msgspec.msgpack.decode(data, type=_Module)

    def uses_all(self) -> Iterator[tuple[Ref, tuple[Use, ...]]]:
        """What each declaration of the repository uses, in the order of the modules."""
        for module in self.index.modules:
            for position, uses in enumerate(self.module_uses(module)):
                yield Ref(module, position), uses

    def reach(self, refs: Iterable[Ref], *, proofs: bool = False) -> tuple[Ref, ...]:
        """What some declarations depend on, directly or not, with themselves, in the order of the
        repository.

        Args:
            proofs: whether the proofs of lemmas count, too, and not only what is needed to say
                what they state: statements, and the bodies of definitions.
        """
        found = set(refs)
        waiting = list(found)
        while waiting:
            for use in self.uses(waiting.pop()):
                if use.entry < 0 or (use.part == "proof" and not proofs):
                    continue
                other = _ref(use)
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        rank = {name: number for number, name in enumerate(self.index.modules)}
        return tuple(sorted(found, key=lambda ref: (rank[ref.module], ref.position)))

    def closure(self, names: Iterable[str]) -> tuple[Ref, ...]:
        """The declarations of those full names, with all that is needed to say what they state.

        Names that the repository does not declare are left out; of a name that several modules
        declare, all are taken.
        """
        return self.reach(ref for name in names for ref in self.index.find(name))

    def depth(self, ref: Ref) -> int:
        """The length of the longest chain of dependencies; see :class:`Dependencies`."""
        if ref not in self._depths:
            for group in _components(ref, self._neighbours, self._depths):
                inner = set(group)
                below = [
                    self._depths[other]
                    for member in group
                    for other in self._neighbours(member)
                    if other not in inner
                ]
                deep = 1 + max(below, default=0)
                self._depths.update(dict.fromkeys(group, deep))
        return self._depths[ref]

    def _neighbours(self, ref: Ref) -> list[Ref]:
        return [_ref(use) for use in self.uses(ref) if use.entry >= 0]

    # Reading

    def _is_exact(self, module: str) -> bool:
        found = self._exact.get(module)
        if found is None:
            found = any(use.how == "exact" for uses in self.module_uses(module) for use in uses)
            self._exact[module] = found
        return found

    def _surroundings(self, module: str, ilean: Ilean | None) -> str:
        """A digest of all that the uses of a module depend on."""
        modules = self.index.modules
        imports = modules.imports_of(module)
        if imports not in self._digests:
            # Most modules of a large repository share their imports with others.
            imported = (f"{name} {modules[name].digest}\n" for name in modules.closure(module))
            self._digests[imports] = hashlib.sha256("".join(imported).encode()).hexdigest()
        own = f"{module} {modules[module].digest} {self._digests[imports]}"
        digest = hashlib.sha256(own.encode())
        if ilean is not None:
            digest.update(ilean.digest.encode())
        return digest.hexdigest()

    def _read(self, module: str, ilean: Ilean | None) -> _Module:
        source = self._table.source(module)
        found = None
        if ilean is not None:
            found = exact_uses(self._table, module, source, ilean)
            if found is None:
                self.notes.append(
                    f"what is built of {module} is of another text; its text was read instead"
                )
        if found is None:
            found = [reading.uses for reading in read_module(self._table, module, source)]
        return tuple(found)


def _ref(use: Use) -> Ref:
    return Ref(use.module, use.entry)


def _components(
    start: Ref, neighbours: Callable[[Ref], list[Ref]], known: dict[Ref, int]
) -> Iterator[list[Ref]]:
    """The groups of declarations that use each other, those that are used first.

    Tarjan's algorithm, with a stack of its own: a chain of uses may be longer than Python's.
    """
    number: dict[Ref, int] = {}
    low: dict[Ref, int] = {}
    path: list[Ref] = []
    on_path: set[Ref] = set()
    work: list[tuple[Ref, Iterator[Ref]]] = []

    def enter(ref: Ref) -> None:
        number[ref] = low[ref] = len(number)
        path.append(ref)
        on_path.add(ref)
        work.append((ref, iter(neighbours(ref))))

    enter(start)
    while work:
        ref, rest = work[-1]
        for other in rest:
            if other in known:
                continue
            if other not in number:
                enter(other)
                break
            if other in on_path:
                low[ref] = min(low[ref], number[other])
        else:
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[ref])
            if low[ref] == number[ref]:
                group: list[Ref] = []
                while not group or group[-1] != ref:
                    group.append(path.pop())
                    on_path.discard(group[-1])
                yield group


def as_task_fields(dependencies: Dependencies) -> tuple[tuple[Dependency, ...], TaskMetrics]:
    """The dependencies of a task, and its numbers, as task files have them.

    The numbers count declarations of the project. How many lines its proof has is for others to
    say.
    """
    listed = tuple(
        Dependency(used.name, used.module, used.scope, used.role, used.text)
        for used in dependencies.direct
    )
    return listed, TaskMetrics(
        direct_dependencies=len(dependencies.project()),
        transitive_dependencies=len(dependencies.transitive),
        nesting_depth=dependencies.depth,
    )
