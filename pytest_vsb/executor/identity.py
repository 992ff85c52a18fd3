"""What two machines must have alike for a verdict of one to be the other's: told from texts alone.

The judge's own fingerprint is about one machine: it holds compiled files, which need not be the
same bytes on another. Here are the texts that those are made from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pytest_vsb import __version__
from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.files import code_digest
from pytest_vsb.judge.check import CHECKER_VERSION
from pytest_vsb.judge.located import Key, key, read_target
from pytest_vsb.lean import docker, toolchain
from pytest_vsb.lean.imports import components, module_path, read_header
from pytest_vsb.lean.lakefile import read_layout
from pytest_vsb.source.splice import stub
from pytest_vsb.tasks.model import Task

_PACKAGES = ("errors.py", "files.py", "source", "lean", "tasks", "judge", "executor")
"""The parts of this package that make a verdict."""
_LAKEFILES = ("lakefile.toml", "lakefile.lean")
_MANIFEST = "lake-manifest.json"
_NOTHING: tuple[str, tuple[str, ...]] = ("", ())
_Facts = tuple[str, int, int, int]


@cache
def code_version() -> str:
    """This package's version, with a digest of the code that makes a verdict."""
    return f"{__version__} ({code_digest(_PACKAGES)[:12]})"


@dataclass(frozen=True)
class Identity:
    """What a verdict on a task depends on beside the candidate and the settings, as digests or
    short texts.

    ``plugin`` is the code of this package, ``judge`` the judge's version. ``pin`` is the Lean that
    the project pins, ``lean`` the one that runs it, where that is known. ``lakefile`` and
    ``packages`` are of the project; ``file`` of the task's file up to the target; ``imports`` of
    all modules of the project that it imports, however indirectly.
    """

    plugin: str
    judge: str
    pin: str
    lean: str
    lakefile: str
    packages: str
    file: str
    imports: str

    @property
    def digest(self) -> str:
        """The SHA-256, in hex, of all but this package's code: what a run's own records keep."""
        parts = (self.judge, self.pin or self.lean, self.lakefile, self.packages)
        text = "\0".join((*parts, self.file, self.imports))
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


@dataclass(frozen=True)
class Reading:
    """What has been read for a task: its identity; the digest of each module of the project that
    its file imports, however indirectly; and the digests of all texts that a judge of it reads, by
    name: one that has read others is out of date."""

    identity: Identity
    modules: Mapping[str, str]
    seen: Mapping[str, str]


class Texts:
    """Reads what identities are made of. A file that stays as it is is read once."""

    def __init__(self) -> None:
        self._digests: dict[_Facts, tuple[str, tuple[str, ...]]] = {}
        self._stubs: dict[tuple[_Facts, Key], tuple[str, tuple[str, ...]]] = {}

    def read(self, root: Path, task: Task, lean: str) -> Reading:
        """What a verdict on a task of the project at ``root`` depends on, if ``lean`` runs it.

        Raises:
            EnvironmentUnavailable: the file or the target is missing, or a file cannot be read.
        """
        pin = toolchain.read_pin(root)
        stub_digest, imports = self._stub(root, task)
        modules = self._modules(root, imports)
        files = {name: self._read(root / name) for name in (task.path, *_LAKEFILES, _MANIFEST)}
        identity = Identity(
            plugin=code_version(),
            judge=CHECKER_VERSION,
            pin=pin.name if pin is not None else "",
            lean=lean,
            lakefile=_digest(*((files[name] or _NOTHING)[0] for name in _LAKEFILES)),
            packages=_digest(*_packages(root)),
            file=stub_digest,
            imports=_digest(*(f"{name} {of}" for name, of in sorted(modules.items()))),
        )
        seen = {name: (found or _NOTHING)[0] for name, found in files.items()}
        return Reading(identity, modules, {**seen, **modules})

    def _stub(self, root: Path, task: Task) -> tuple[str, tuple[str, ...]]:
        path = root / task.path
        facts = _facts(path)
        if facts is None or (facts, key(task)) not in self._stubs:
            source, target = read_target(task, path)
            found = stub(source, target).digest, tuple(source.imports)
            if facts is None:
                return found
            self._stubs[facts, key(task)] = found
        return self._stubs[facts, key(task)]

    def _modules(self, root: Path, imports: tuple[str, ...]) -> dict[str, str]:
        layout = read_layout(root)
        directories = [*layout.source_directories]
        for package in _path_packages(root):
            directories += read_layout(package).source_directories
        found: dict[str, str] = {}
        todo = list(imports)
        while todo:
            name = ".".join(components(todo.pop()))
            if name in found:
                continue
            for directory in directories:
                read = self._read(directory / module_path(name, ".lean"))
                if read is not None:
                    found[name] = read[0]
                    todo += read[1]
                    break
            else:
                found[name] = ""  # of Lean's, or of a package that the manifest has
        return {name: digest for name, digest in found.items() if digest}

    def _read(self, path: Path) -> tuple[str, tuple[str, ...]] | None:
        facts = _facts(path)
        if facts is None or not path.is_file():
            return None
        if facts not in self._digests:
            data = _bytes(path)
            imports = read_header(data.decode("utf-8", "replace")).imports
            self._digests[facts] = hashlib.sha256(data).hexdigest()[:16], imports
        return self._digests[facts]


def _facts(path: Path) -> _Facts | None:
    try:
        facts = path.stat()
    except (OSError, ValueError):
        return None
    return str(path), facts.st_size, facts.st_mtime_ns, facts.st_ino


def _bytes(path: Path) -> bytes:
    """What is in a file; nothing if there is none."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return b""
    except OSError as error:
        raise EnvironmentUnavailable(
            f"cannot be read: {error.strerror}", where=str(path)
        ) from error


def _digest(*parts: str) -> str:
    text = "".join(f"{len(part)} {part}" for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _entries(root: Path) -> Iterator[Mapping[str, object]]:
    try:
        manifest = json.loads(_bytes(root / _MANIFEST) or b"{}")
        for entry in manifest.get("packages") or ():
            for kind in ("git", "path"):  # manifests up to version 6 wrap an entry in its kind
                if isinstance(entry.get(kind), dict):
                    entry = {"type": kind, **entry[kind]}
                    break
            yield entry
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise EnvironmentUnavailable(
            f"cannot be read: {error}", where=str(root / _MANIFEST)
        ) from error


def _packages(root: Path) -> list[str]:
    """Each package that the project depends on, with what identifies it. A manifest without
    packages is as good as none, which Lake may or may not write."""
    kept = ("name", "type", "url", "rev", "dir", "subDir")
    return sorted(
        json.dumps([str(entry.get(name) or "") for name in kept]) for entry in _entries(root)
    )


def _path_packages(root: Path) -> Iterator[Path]:
    for entry in _entries(root):
        directory = entry.get("dir")
        if entry.get("type") == "path" and isinstance(directory, str):
            yield root / directory


def lean_name(lean: toolchain.Toolchain) -> str:
    """What tells a Lean from another: its version and commit, and the core of an embedded one."""
    core = [path.name for path in lean.library_path] if lean.kind == "embedded" else []
    return " ".join(filter(None, (lean.version, lean.commit[:12], *core)))


def expected_lean(request: str, root: Path) -> str:
    """The Lean that must judge the project's tasks everywhere, as :func:`lean_name` has it; empty
    if only the project's pin or the request itself says so, since there is none here.

    Raises:
        EnvironmentUnavailable: nothing says which.
    """
    try:
        return lean_name(toolchain.find(request, project=root))
    except EnvironmentUnavailable as error:
        exact = request == "embedded" or request.startswith(docker.PREFIX)
        if exact or toolchain.read_pin(root) is not None:
            return ""
        raise EnvironmentUnavailable(
            f"which Lean should the cluster use? The project pins none, and here: {error.message}",
            where=str(root),
            hint="add a lean-toolchain file to the project, or give --vsb-lean=embedded",
        ) from error


_WHAT = {
    "plugin": "pytest-vsb",
    "judge": "the judge's version",
    "pin": "the lean-toolchain file",
    "lean": "Lean",
    "lakefile": "the lakefile",
    "packages": "the packages of lake-manifest.json",
    "file": "the text of {path} up to {name}",
    "imports": "the modules that {path} imports",
}
_SHOWN = ("plugin", "judge", "pin", "lean")


def differences(workers: Identity, wanted: Identity, task: Task) -> tuple[str, ...]:
    """What a worker has otherwise than it is wanted where the items are, in words for who is
    there: what the worker has is "there"."""
    found = []
    for name, what in _WHAT.items():
        there, here = getattr(workers, name), getattr(wanted, name)
        if there == here or (name == "lean" and not here):
            continue
        what = what.format(path=task.path, name=task.name)
        if name in _SHOWN:
            found.append(f"{what} is {there or 'none'} there and {here or 'none'} here")
        else:
            found.append(f"{what} {'differ' if name in ('packages', 'imports') else 'differs'}")
        if name in ("plugin", "judge"):
            break  # the rest follows from it
    return tuple(found)
