"""A Lean repository: its sources, its options, and where the compiled modules of imports come from.

What Lake has built is used as it is. Where nothing is built and the imports are plain project
files, they are compiled here, into a cache. Nothing is ever written into the repository.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import cache as caches
from pytest_vsb.lean import diagnostics, process
from pytest_vsb.lean.imports import components, module_path, read_header
from pytest_vsb.lean.lakefile import Layout, read_layout
from pytest_vsb.lean.toolchain import Toolchain

_LIBRARY_ROOTS = frozenset({"Init", "Std", "Lean", "Lake"})
_LIMITS = process.Limits(wall_seconds=1800.0)
_OLEAN_COMMIT = re.compile(rb"(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])")
_RECIPE = "1"


@dataclass(frozen=True)
class _Module:
    """A module of the project that is compiled here."""

    name: str
    source: Path
    text: bytes
    imports: tuple[str, ...]


class Project:
    """A repository and the Lean that runs it. Make one with :func:`open_project`.

    ``notes`` holds remarks for the report, such as that built modules are older than their sources.
    """

    def __init__(self, root: Path, toolchain: Toolchain, cache: Path | None) -> None:
        self.root = root
        self.toolchain = toolchain
        self.notes: list[str] = []
        self._cache = cache
        self._layout: Layout | None = None
        self._modules: dict[str, _Module] = {}
        self._keys: dict[str, str] = {}
        self._failures: dict[str, EnvironmentUnavailable] = {}
        self._paths: dict[tuple[str, ...], tuple[Path, ...]] = {}
        self._compiling = threading.RLock()

    # Sources and options

    def source(self, path: str) -> Path:
        """The source file at a path relative to the repository.

        Raises:
            EnvironmentUnavailable: the repository or the file is missing.
        """
        self._need_root()
        relative = Path(path)
        if relative.is_absolute() or ".." in relative.parts or "\0" in path or not path:
            raise EnvironmentUnavailable(
                f"not a path inside the repository: {path!r}", where=str(self.root)
            )
        file = self.root / relative
        if not file.is_file():
            raise EnvironmentUnavailable(
                f"the repository {self.root} has no file {path}",
                hint=self._nearest(file)
                or "is the repository at the commit of the task file? The task's `root` is "
                "relative to the task file",
            )
        return file

    def _need_root(self) -> None:
        if not self.root.is_dir():
            raise EnvironmentUnavailable(
                f"the repository {self.root.name!r} is not there",
                where=str(self.root),
                hint="clone it there, or say with --vsb-repos where the repositories are",
            )

    @staticmethod
    def _nearest(file: Path) -> str | None:
        if not file.parent.is_dir():
            return None
        there = sorted(path.name for path in file.parent.glob("*.lean"))
        near = difflib.get_close_matches(file.name, there, n=1)
        return f"there is {file.parent / near[0]}" if near else None

    @property
    def layout(self) -> Layout:
        """Where the project keeps what. Raises EnvironmentUnavailable, see :mod:`.lakefile`."""
        if self._layout is None:
            self._need_root()
            self._layout = read_layout(self.root)
        return self._layout

    def lean_options(self, path: str | None = None) -> tuple[str, ...]:
        """Lean's arguments for a file of the project, such as ``-DautoImplicit=false``.

        With a path, the options of the library that the file is in; without one, or for a file in
        no library, those of all libraries that agree.

        Raises:
            EnvironmentUnavailable: see :attr:`layout`.
        """
        layout = self.layout
        chosen = layout.libraries
        if path is not None:
            chosen = tuple(
                library
                for library in layout.libraries
                if (module := self._module_name(path, library.source_directory))
                and library.holds(module)
            )
        options = {library.options for library in chosen}
        extra = options.pop() if len(options) == 1 else ()
        return tuple(dict.fromkeys((*layout.options, *extra)))

    def _module_name(self, path: str, directory: Path) -> str | None:
        try:
            relative = (self.root / path).relative_to(directory)
        except ValueError:
            return None
        return ".".join(relative.with_suffix("").parts)

    def compiled_files(self, path: str) -> tuple[Path, ...]:
        """What Lake has made of a source file of the project, as far as Lean can find it; of a
        file with theorems, it holds their proofs.

        Raises:
            EnvironmentUnavailable: see :attr:`layout`.
        """
        layout = self.layout
        names = {self._module_name(path, directory) for directory in layout.source_directories}
        found: dict[Path, None] = {}
        for name in names - {None}:
            for directory in layout.library_directories:
                stem = directory / module_path(str(name), "")
                if stem.parent.is_dir():
                    files = sorted(stem.parent.iterdir())
                    found |= {file: None for file in files if file.name.startswith(f"{stem.name}.")}
        return tuple(file for file in found if file.is_file())

    # Compiled modules

    def search_path(self, imports: Sequence[str]) -> tuple[Path, ...]:
        """Where Lean finds the compiled modules that a file with these imports needs.

        Compiles project modules into the cache if need be, which can take long. In any thread.

        Raises:
            EnvironmentUnavailable: the repository or a module is missing or does not compile, or
                must first be built by Lake.
        """
        key = tuple(dict.fromkeys(imports))
        with self._compiling:
            if key not in self._paths:
                self._paths[key] = self._search_path(key)
            return self._paths[key]

    def _search_path(self, imports: tuple[str, ...]) -> tuple[Path, ...]:
        self._need_root()
        layout = self.layout
        closure, foreign = self._closure(imports)
        # Lean looks for all modules of one root name in one directory: either all of the project's
        # modules come from Lake or all come from the cache.
        unbuilt = [
            name for name in closure if self._built(name, layout.library_directories) is None
        ]
        missing = [
            name
            for name in foreign
            if self._built(name, (*layout.library_directories, *layout.package_directories)) is None
        ]
        if not unbuilt and not missing:
            self._note_stale(closure)
            return (*layout.library_directories, *layout.package_directories)
        if missing:
            raise self._not_built(missing, unbuilt)
        if any(self._built(name, layout.library_directories) for name in foreign):
            raise self._not_built(unbuilt, [])
        return (self._view(closure), *layout.package_directories)

    def _not_built(self, missing: Sequence[str], others: Sequence[str]) -> EnvironmentUnavailable:
        names = ", ".join(list(missing)[:5]) + (", ..." if len(missing) > 5 else "")
        if self.toolchain.kind == "embedded" and not self.layout.is_lake:
            hint = (
                "the embedded Lean has no libraries: install elan, add a lean-toolchain file and a "
                "lakefile to the project, and run `lake build`"
            )
        elif self.layout.is_lake:
            targets = " ".join([*missing, *others][:5])
            hint = f"run `lake build {targets}` in {self.root}"
        else:
            hint = "there is no such file in the project, and no lakefile that could tell more"
        return EnvironmentUnavailable(
            f"not found as source, nor compiled by Lean {self.toolchain.version}: {names}",
            where=str(self.root),
            hint=hint,
        )

    def _closure(self, imports: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The project's modules that are needed, imports first, and all other modules needed."""
        order: dict[str, None] = {}
        foreign: dict[str, None] = {}
        active: list[str] = []
        # A stack of its own: a chain of imports may be longer than Python's.
        todo: list[tuple[str, bool]] = [(name, False) for name in reversed(imports)]
        while todo:
            name, done = todo.pop()
            if done:
                active.pop()
                order[name] = None
                continue
            if name in active:
                cycle = " -> ".join([*active[active.index(name) :], name])
                raise EnvironmentUnavailable(
                    f"the modules import each other: {cycle}", where=str(self.root)
                )
            if name in order or name in foreign or self._in_library(name):
                continue
            module = self._module(name)
            if module is None:
                foreign[name] = None
                continue
            active.append(name)
            todo.append((name, True))
            todo += [(other, False) for other in reversed(module.imports)]
        return tuple(order), tuple(foreign)

    def _module(self, name: str) -> _Module | None:
        """A module of the project, None if there is no such source file."""
        if name not in self._modules:
            for directory in self.layout.source_directories:
                source = directory / module_path(name, ".lean")
                try:
                    if not source.is_file():
                        continue
                    text = source.read_bytes()
                except OSError as error:
                    raise EnvironmentUnavailable(
                        f"cannot be read: {error.strerror}", where=str(source)
                    ) from error
                header = read_header(text.decode("utf-8", errors="replace"))
                self._modules[name] = _Module(name, source, text, header.imports)
                break
        return self._modules.get(name)

    def _in_library(self, name: str) -> bool:
        root = components(name)[:1]
        if not root or root[0] not in _LIBRARY_ROOTS:
            return False
        places = self.toolchain.library_path
        if self.toolchain.kind == "embedded" and self._built(name, places) is None:
            raise EnvironmentUnavailable(
                f"the embedded Lean has no module {name}: it has a small core of its own only",
                hint="use a full Lean: --vsb-lean=elan",
            )
        return True

    def _built(self, name: str, directories: Sequence[Path]) -> Path | None:
        """The olean of a module, if this Lean can load it."""
        for directory in directories:
            root = directory / module_path(components(name)[0], "")
            # As Lean does: the first directory with the root name is the only one looked into.
            if root.is_dir() or root.with_name(root.name + ".olean").is_file():
                olean = directory / module_path(name, ".olean")
                return olean if olean.is_file() and self._fits(olean) else None
        return None

    def _fits(self, olean: Path) -> bool:
        """Whether an olean was written by this very Lean, as far as its first bytes tell."""
        if not self.toolchain.commit:
            return True
        try:
            with olean.open("rb") as file:
                head = file.read(96)
        except OSError:
            return False
        found = _OLEAN_COMMIT.search(head) if head.startswith(b"olean") else None
        return found is None or found[0].decode().startswith(self.toolchain.commit[:40])

    def _note_stale(self, closure: Sequence[str]) -> None:
        for name in closure:
            module = self._module(name)
            olean = self._built(name, self.layout.library_directories)
            if module is None or olean is None:
                continue
            if module.source.stat().st_mtime > olean.stat().st_mtime:
                note = f"{module.source} is newer than its build; `lake build {name}` makes sure"
                if note not in self.notes:
                    self.notes.append(note)

    # Compiling into the cache

    def _view(self, closure: Sequence[str]) -> Path:
        """One directory with the oleans of these modules, each compiled if need be."""
        keys = {name: self._compiled(name) for name in closure}
        digest = hashlib.sha256(repr(sorted(keys.items())).encode()).hexdigest()
        target = self._place() / "views" / digest[:40]
        return caches.build_once(target, lambda out: self._link(closure, out))

    def _place(self) -> Path:
        if self._cache is None:
            found = caches.directory()
            if found.note:
                self.notes.append(f"compiled modules are kept in {found.path}: {found.note}")
            self._cache = found.path
        return self._cache / "lean"

    def _directory(self, key: str) -> Path:
        return self._place() / "modules" / key[:40]

    def _link(self, closure: Sequence[str], out: Path) -> None:
        for name in closure:
            built = self._directory(self._keys[name])
            stem = module_path(name, "")
            (out / stem).parent.mkdir(parents=True, exist_ok=True)
            for file in (built / stem).parent.iterdir():
                # All that Lean wrote of it: .olean, .ilean, and .olean.private and such.
                if file.name.startswith(stem.name + "."):
                    (out / stem).with_name(file.name).symlink_to(file)

    def _compiled(self, name: str) -> str:
        """Make sure that a module whose imports are compiled is compiled too. Returns its key."""
        if name in self._failures:
            raise self._failures[name]
        if name not in self._keys:
            self._keys[name] = self._key(name)
            try:
                caches.build_once(
                    self._directory(self._keys[name]), lambda out: self._compile(name, out)
                )
            except BaseException as error:
                # Such as an item's time limit: it may be compiled for the next one.
                del self._keys[name]
                if isinstance(error, EnvironmentUnavailable):
                    self._failures[name] = error
                raise
        return self._keys[name]

    def _key(self, name: str) -> str:
        module = self._modules[name]
        lean = self.toolchain
        # The name of the embedded Lean's library directory is its digest.
        parts = [_RECIPE, lean.version, lean.commit, *(path.name for path in lean.library_path)]
        parts.append(name)
        parts += self._options(module)
        for other in module.imports:
            if other in self._keys:
                parts.append(self._keys[other])
            else:
                olean = self._built(other, self.layout.package_directories)
                facts = olean.stat() if olean is not None else None
                stamp = f"{facts.st_size} {facts.st_mtime_ns}" if facts is not None else ""
                parts.append(f"{other} {olean} {stamp}")
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape"))
        digest.update(b"\0" + module.text)
        return digest.hexdigest()

    def _options(self, module: _Module) -> tuple[str, ...]:
        return self.lean_options(os.path.relpath(module.source, self.root))

    def _compile(self, name: str, out: Path) -> None:
        module = self._modules[name]
        needed, _ = self._closure(module.imports)
        with tempfile.TemporaryDirectory(prefix="pytest-vsb-") as scratch:
            # From a copy: what was digested is what is compiled.
            root, view = Path(scratch, "source"), Path(scratch, "view")
            source = root / module_path(name, ".lean")
            olean = out / module_path(name, ".olean")
            for directory in (source.parent, olean.parent, view):
                directory.mkdir(parents=True, exist_ok=True)
            source.write_bytes(module.text)
            self._link(needed, view)
            shown = str(source.relative_to(root))
            flags = ["--json"] if self.toolchain.json else []
            flags += [*self._options(module), "--root=.", "-o", str(olean)]
            flags += ["-i", str(olean.with_suffix(".ilean")), shown]
            argv = self.toolchain.argv(*flags)
            packages = self.layout.package_directories
            done = process.run(
                argv,
                cwd=root,
                env=self.toolchain.environment((view, *packages)),
                limits=_LIMITS,
                confinement=self.toolchain.confinement(
                    argv, (view, self._place(), *packages), (root, out)
                ),
            )
        if done.exit_code == 0 and olean.is_file():
            return
        said = diagnostics.first_error(done.stdout, done.stderr, file_name=shown)
        ending = done.outcome.value if done.exit_code is None else f"exit code {done.exit_code}"
        raise EnvironmentUnavailable(
            f"the module {name} does not compile with Lean {self.toolchain.version}: "
            f"{said or ending}",
            where=str(module.source),
            hint="the repository may be for another Lean, or at another commit",
        )


def open_project(root: Path, toolchain: Toolchain, *, cache: Path | None = None) -> Project:
    """The project in a directory, which need not be there before something is asked of it.

    Args:
        cache: where compiled modules are kept; by default, see :mod:`pytest_vsb.lean.cache`.
    """
    return Project(root.absolute(), toolchain, cache.absolute() if cache is not None else None)
