"""Manifests: which repositories there are, at which commits, and what building them takes.

A manifest is a TOML file; ``repos.toml`` beside this module is the built-in one, with the 23
repositories of the VeriSoftBench release. The format is described in ``docs/repositories.md``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from pytest_vsb.errors import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

MAX_BYTES = 4 * 2**20
SOURCE_MB, PLAIN_MB, MATHLIB_MB = 100, 1000, 6500
"""Room that a repository takes where its manifest does not say: its sources, and built without or
with Mathlib (a clone of it and its compiled modules). By the size of the release's own image of
all 23 repositories, about 110 GB."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_MODULE = re.compile(r"[^\s+@/:\0-][^\s@/:\0]*")
_TOOLCHAIN = re.compile(r"[A-Za-z0-9][\w./:+-]*")
_URL = re.compile(r"(?:https?|ssh|git|file)://[^\s\0]+|[\w.+-]+@[\w.-]+:[^\s\0]+", re.ASCII)


@dataclass(frozen=True)
class Edit:
    """A piece of text that is replaced in one file of a repository.

    With ``pattern``, ``old`` is a regular expression, and ``\\1`` in ``new`` its first group.
    """

    path: str
    old: str
    new: str
    pattern: bool = False

    def apply(self, text: str) -> str | None:
        """The text with the replacement made wherever it can be; None if it can be nowhere."""
        changed, count = re.subn(self._old, self.new if self.pattern else lambda _: self.new, text)
        return changed if count else None

    def is_in(self, text: str) -> bool:
        """Whether the text has what the replacement makes."""
        parts = re.split(r"\\\d", self.new) if self.pattern else [self.new]
        return re.search(".*?".join(map(re.escape, parts)), text) is not None

    @property
    def _old(self) -> str:
        return self.old if self.pattern else re.escape(self.old)


@dataclass(frozen=True)
class Overlay:
    """Changes to a repository's files that its tasks need.

    ``files`` are pairs: a path in the repository, and the path in the overlay's own repository
    (``url`` at ``commit``) that its content comes from. ``remove`` are paths that must not be.
    """

    name: str = ""
    url: str = ""
    commit: str = ""
    files: tuple[tuple[str, str], ...] = ()
    remove: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True)
class Repository:
    """One repository of a manifest."""

    name: str
    url: str
    commit: str
    commit_date: str = ""
    toolchain: str = ""
    """What its ``lean-toolchain`` file says; empty if the manifest does not tell."""
    mathlib: str = ""
    """The revision of Mathlib that it uses, or ``yes``; empty if it uses none."""
    license: str = ""
    license_url: str = ""
    project: str = "."
    """The directory of the Lean project in the repository."""
    targets: tuple[str, ...] = ()
    """Modules to build beside Lake's default targets."""
    source_mb: int = SOURCE_MB
    build_mb: int = PLAIN_MB
    """Room on the disk for all that a build adds, in MB; the toolchain is not counted."""
    note: str = ""
    overlay: Overlay | None = None


@dataclass(frozen=True)
class Manifest:
    """Repositories by name, in the order of the file."""

    repositories: tuple[Repository, ...]
    file: Path | None = None
    """Where it was read from; None for the built-in one."""

    def select(self, names: Sequence[str]) -> tuple[Repository, ...]:
        """The named repositories, or all of them.

        Raises:
            UsageError: there is none of that name.
        """
        if not names:
            return self.repositories
        by_name = {repository.name: repository for repository in self.repositories}
        for name in names:
            if name not in by_name:
                near = get_close_matches(name, by_name, n=1) or [
                    other for other in by_name if other.lower() == name.lower()
                ]
                raise UsageError(
                    f"no repository {name!r} in the manifest",
                    where=str(self.file) if self.file else None,
                    hint=f"did you mean {near[0]}?" if near else "vsb repos list names them",
                )
        return tuple(by_name[name] for name in dict.fromkeys(names))


class _Source(msgspec.Struct, forbid_unknown_fields=True):
    url: str
    commit: str


class _Edit(msgspec.Struct, forbid_unknown_fields=True):
    path: str
    old: str
    new: str
    pattern: bool = False


class _Overlay(msgspec.Struct, forbid_unknown_fields=True, rename={"source": "from"}):
    source: str = ""
    files: dict[str, str] = {}
    remove: list[str] = []
    edits: list[_Edit] = []


class _Repository(msgspec.Struct, forbid_unknown_fields=True):
    url: str
    commit: str
    commit_date: str = ""
    toolchain: str = ""
    mathlib: bool | str = False
    license: str = ""
    license_url: str = ""
    project: str = "."
    targets: list[str] = []
    source_mb: int | None = None
    build_mb: int | None = None
    note: str = ""
    overlay: _Overlay | None = None


class _Manifest(msgspec.Struct, forbid_unknown_fields=True):
    repos: dict[str, _Repository]
    overlays: dict[str, _Source] = {}


def builtin() -> Manifest:
    """The repositories of the VeriSoftBench release."""
    text = Path(__file__).with_name("repos.toml").read_text(encoding="utf-8")
    return _manifest(text, None, "repos.toml")


def read_manifest(path: Path) -> Manifest:
    """A user's own manifest.

    Raises:
        UsageError: the file cannot be read or is no manifest; says where and why.
    """
    try:
        with path.expanduser().open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise UsageError(f"larger than {MAX_BYTES} bytes: no manifest", where=str(path))
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}", where=str(path)) from error
    except ValueError as error:
        raise UsageError(f"is not UTF-8 text: {error}", where=str(path)) from error
    return _manifest(text, path.expanduser().absolute(), str(path))


def _manifest(text: str, file: Path | None, where: str) -> Manifest:
    try:
        wire = msgspec.convert(tomllib.loads(text), _Manifest)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"is not valid TOML: {error}", where=where) from error
    except msgspec.ValidationError as error:
        raise UsageError(
            str(error).replace("`$.", "`"), where=where, hint="see docs/repositories.md"
        ) from error
    check = _Check(where)
    found = tuple(_repository(name, entry, wire, check) for name, entry in wire.repos.items())
    seen: dict[str, str] = {}
    for repository in found:
        # Many file systems take no notice of case.
        other = seen.setdefault(repository.name.lower(), repository.name)
        check.that(
            other == repository.name, f"repos.{repository.name}", f"the same directory as {other}"
        )
    return Manifest(found, file)


class _Check:
    """Complains of a value, with the place it has in the manifest."""

    def __init__(self, where: str) -> None:
        self.where = where

    def that(self, holds: bool, field: str, problem: str) -> None:
        if not holds:
            raise UsageError(f"{field}: {problem}", where=self.where)

    def source(self, field: str, url: str, commit: str) -> None:
        self.that(
            _URL.fullmatch(url) is not None,
            f"{field}.url",
            f"{url!r} is no https, ssh, git or file URL",
        )
        self.that(
            _COMMIT.fullmatch(commit) is not None,
            f"{field}.commit",
            f"{commit!r} is not a whole commit: 40 hexadecimal digits",
        )

    def path(self, field: str, path: str) -> str:
        parts = PurePosixPath(path).parts
        plain = not path.startswith("/") and not {"..", ".git"} & set(parts) and "\0" not in path
        self.that(plain and bool(parts), field, f"{path!r} is no path inside the repository")
        return path


def _repository(name: str, entry: _Repository, wire: _Manifest, check: _Check) -> Repository:
    field = f"repos.{name}"
    check.that(_NAME.fullmatch(name) is not None, field, "a name may have letters, digits, ._+-")
    check.source(field, entry.url, entry.commit)
    if entry.project != ".":
        check.path(f"{field}.project", entry.project)
    for module in entry.targets:
        check.that(
            _MODULE.fullmatch(module) is not None, f"{field}.targets", f"no module: {module!r}"
        )
    check.that(
        not entry.toolchain or _TOOLCHAIN.fullmatch(entry.toolchain) is not None,
        f"{field}.toolchain",
        f"{entry.toolchain!r} is no toolchain's name, such as leanprover/lean4:v4.9.0",
    )
    for key, size in (("source_mb", entry.source_mb), ("build_mb", entry.build_mb)):
        check.that(size is None or size >= 0, f"{field}.{key}", "less than nothing")
    mathlib = entry.mathlib if isinstance(entry.mathlib, str) else "yes" * entry.mathlib
    return Repository(
        name=name,
        url=entry.url,
        commit=entry.commit,
        commit_date=entry.commit_date,
        toolchain=entry.toolchain,
        mathlib=mathlib,
        license=entry.license,
        license_url=entry.license_url,
        project=entry.project,
        targets=tuple(entry.targets),
        source_mb=SOURCE_MB if entry.source_mb is None else entry.source_mb,
        build_mb=(MATHLIB_MB if mathlib else PLAIN_MB)
        if entry.build_mb is None
        else entry.build_mb,
        note=entry.note,
        overlay=_overlay(f"{field}.overlay", entry.overlay, wire, check),
    )


def _overlay(field: str, entry: _Overlay | None, wire: _Manifest, check: _Check) -> Overlay | None:
    if entry is None:
        return None
    source = wire.overlays.get(entry.source)
    check.that(source is not None or not entry.files, f"{field}.from", "names no overlay")
    if source is not None:
        check.that(
            _NAME.fullmatch(entry.source) is not None,
            f"overlays.{entry.source}",
            "a name may have letters, digits, ._+-",
        )
        check.source(f"overlays.{entry.source}", source.url, source.commit)
    for path, origin in entry.files.items():
        check.path(f"{field}.files", path)
        check.path(f"{field}.files", origin)
    for path in (*entry.remove, *(edit.path for edit in entry.edits)):
        check.path(field, path)
    for edit in entry.edits:
        check.that(bool(edit.old), f"{field}.edits", "`old` is empty")
        if edit.pattern:
            check.that(_replaces(edit), f"{field}.edits", "`old` and `new` are no replacement")
    return Overlay(
        name=entry.source,
        url=source.url if source else "",
        commit=source.commit if source else "",
        files=tuple(entry.files.items()),
        remove=tuple(entry.remove),
        edits=tuple(Edit(edit.path, edit.old, edit.new, edit.pattern) for edit in entry.edits),
    )


def _replaces(edit: _Edit) -> bool:
    try:
        groups = re.compile(edit.old).groups
    except re.error:
        return False
    return all(int(number) <= groups for number in re.findall(r"\\(\d)", edit.new))


def as_json(repository: Repository) -> Any:
    """The repository as plain JSON values."""
    return msgspec.to_builtins(repository)
