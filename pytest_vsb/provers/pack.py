"""A Lean project as it is sent to a prover that takes whole ones.

It holds the target's file with the target's proof replaced by ``sorry``, the project's modules
that it imports, and what Lake needs to know. Nothing else leaves the machine: not the history, in
which the proof may be found, no build products, and no module that the target cannot see.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from pytest_vsb.lean.imports import module_path, read_header
from pytest_vsb.lean.lakefile import read_layout
from pytest_vsb.provers.base import ProverUnavailable
from pytest_vsb.source import Declaration, DeclarationNotFound, Source, scan
from pytest_vsb.tasks.model import Task
from pytest_vsb.tasks.statements import agrees

MAX_BYTES = 50_000_000
"""The most that is packed, uncompressed."""

_LAKE_FILES = ("lakefile.toml", "lakefile.lean", "lean-toolchain", "lake-manifest.json")
_STUB = " := by\n  sorry"


@dataclass(frozen=True)
class Pack:
    """What is sent.

    Attributes:
        files: contents by path, relative to the project's root with forward slashes.
        path: the target's file.
        source: that file as it is sent, scanned.
        target: the declaration in it whose proof is ``sorry``.
        directories: where modules have their files, relative to the root (``.`` for itself).
    """

    files: Mapping[str, bytes]
    path: str
    source: Source
    target: Declaration
    directories: tuple[str, ...]

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all paths and contents, in hex."""
        found = hashlib.sha256()
        for path, content in sorted(self.files.items()):
            name = path.encode("utf-8", "surrogateescape")
            found.update(b"%d %d\n" % (len(name), len(content)) + name + content)
        return found.hexdigest()

    def tar(self) -> bytes:
        """A ``.tar.gz``, the same bytes for the same files."""
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path, content in sorted(self.files.items()):
                member = tarfile.TarInfo(path)
                member.size, member.mode = len(content), 0o644
                archive.addfile(member, io.BytesIO(content))
        return gzip.compress(raw.getvalue(), mtime=0)

    def zip(self) -> bytes:
        """A ``.zip``, the same bytes for the same files."""
        raw = io.BytesIO()
        with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, content in sorted(self.files.items()):
                member = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
                member.external_attr = 0o100644 << 16
                member.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(member, content)
        return raw.getvalue()


def pack(task: Task, root: Path | None, *, max_bytes: int = MAX_BYTES) -> Pack:
    """The project of a task, ready to be sent.

    Raises:
        EnvironmentUnavailable: a file is missing or cannot be read, or leads out of the project,
            the target is not in its file, or the files are more than ``max_bytes`` together.
    """
    if root is None:
        raise ProverUnavailable("the task's project is needed, and where it is was not said")
    return _Packer(task, root.resolve(), max_bytes).run()


class _Packer:
    def __init__(self, task: Task, root: Path, max_bytes: int) -> None:
        self.task = task
        self.root = root
        self.left = max_bytes
        self.most = max_bytes
        self.files: dict[str, bytes] = {}
        self.directories = read_layout(root).source_directories

    def run(self) -> Pack:
        path = PurePosixPath(self.task.path)
        if path.is_absolute() or ".." in path.parts:
            raise ProverUnavailable(f"not a path inside the project: {path}", where=self.task.id)
        text = self._text(self.root / path)
        source, target = _with_stub(self.task, text, str(path))
        self._add(str(path), source.text.encode("utf-8"))
        self._add_imports(source.text)
        for name in _LAKE_FILES:
            if (self.root / name).is_file():
                self._add(name, self._read(self.root / name))
        for package in self._local_packages():
            self._add_package(package)
        directories = tuple(
            directory.relative_to(self.root).as_posix()
            for directory in self.directories
            if directory.is_relative_to(self.root)
        )
        return Pack(dict(sorted(self.files.items())), str(path), source, target, directories)

    def _add_imports(self, text: str) -> None:
        """Adds all modules of the project that a text imports, directly or not."""
        todo = list(read_header(text).imports)
        seen: set[str] = set()
        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            file = self._module(name)
            if file is None:
                continue
            path = file.relative_to(self.root).as_posix()
            content = self._read(file)
            self._add(path, content)
            todo += read_header(content.decode("utf-8", "replace")).imports

    def _module(self, name: str) -> Path | None:
        for directory in self.directories:
            file = directory / module_path(name, ".lean")
            if file.is_file() and file.is_relative_to(self.root):
                return file
        return None

    def _local_packages(self) -> list[Path]:
        """The packages that the manifest names by a directory."""
        file = self.root / "lake-manifest.json"
        if not file.is_file():
            return []
        try:
            manifest: Any = json.loads(file.read_text(encoding="utf-8"))
            entries = [e for e in manifest["packages"] if e.get("type") == "path"]
        except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
            # Older forms have no packages of this kind that could be told from others.
            return []
        found = []
        for entry in entries:
            place = (self.root / str(entry.get("dir", ""))).resolve()
            if not place.is_relative_to(self.root) or place == self.root:
                raise ProverUnavailable(
                    f"the project needs the package {entry.get('name')!r}, which is outside of it",
                    where=str(file),
                    hint="only what is inside the project is sent to a prover",
                )
            found.append(place)
        return found

    def _add_package(self, place: Path) -> None:
        for file in sorted(place.rglob("*")):
            inside = file.relative_to(place).parts
            hidden = any(part.startswith(".") or part == "build" for part in inside)
            if not hidden and (file.suffix == ".lean" or file.name in _LAKE_FILES):
                self._add(file.relative_to(self.root).as_posix(), self._read(file))

    def _add(self, path: str, content: bytes) -> None:
        if path in self.files:
            return
        self.left -= len(content)
        if self.left < 0:
            raise ProverUnavailable(
                f"the project's files are more than {self.most:,} bytes", where=self.task.id
            )
        self.files[path] = content

    def _read(self, file: Path) -> bytes:
        try:
            if not file.resolve(strict=True).is_relative_to(self.root):
                raise ProverUnavailable("leads out of the project", where=str(file))
            # What is too large is not read: it may be no source file at all.
            if file.stat().st_size > self.left:
                self._add(str(file), b"\0" * (self.left + 1))
            return file.read_bytes()
        except (OSError, RuntimeError) as error:
            raise ProverUnavailable(f"cannot be read: {error}", where=str(file)) from error

    def _text(self, file: Path) -> str:
        try:
            return self._read(file).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ProverUnavailable(f"cannot be read: {error}", where=str(file)) from error


def _with_stub(task: Task, text: str, path: str) -> tuple[Source, Declaration]:
    """The file with ``sorry`` for the target's proof, and the target in it."""
    try:
        found = scan(text)
        target = found.find(task.name)
        if not agrees(task.statement, target.statement.of(text)):
            raise ProverUnavailable(
                f"the statement of {task.name} is not the one in the task file",
                where=path,
                hint="the repository may be at another commit than the task file was made from",
            )
        stubbed = text[: target.statement.end] + _STUB + text[target.span.end :]
        source = scan(stubbed)
        again = source.find(task.name)
    except DeclarationNotFound as error:
        raise ProverUnavailable(error.message, where=path, hint=error.hint) from error
    body = again.body
    if body is None or body.of(stubbed) != _STUB.strip():
        raise ProverUnavailable(
            f"the proof of {task.name} cannot be told from what follows it", where=path
        )
    return source, again
