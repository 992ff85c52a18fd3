"""What a Lake project says about itself: source directories, options, packages.

``lakefile.toml`` is read as it is. ``lakefile.lean`` is a program, and only its plain settings are
found. The manifest tells where the packages are.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean.imports import components

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

_BUILD = Path(".lake", "build")
_OLD_BUILD = Path("build")


@dataclass(frozen=True)
class Library:
    """One library of a project."""

    name: str
    source_directory: Path
    roots: tuple[str, ...]
    options: tuple[str, ...]

    def holds(self, module: str) -> bool:
        """Whether a module is below one of the library's roots."""
        return any(module == root or module.startswith(root + ".") for root in self.roots)


@dataclass(frozen=True)
class Layout:
    """The parts of a project that matter for finding and compiling its modules."""

    source_directories: tuple[Path, ...]
    """Where sources are looked for, in order; the project's own directory is always among them."""
    library_directories: tuple[Path, ...]
    """Where Lake puts the project's compiled modules; those that exist."""
    package_directories: tuple[Path, ...]
    """The same for the packages it depends on."""
    options: tuple[str, ...]
    """Lean's arguments for every module, such as ``-DautoImplicit=false``."""
    libraries: tuple[Library, ...]
    is_lake: bool
    """Whether there is a lakefile at all."""


def read_layout(root: Path) -> Layout:
    """The layout of the project in a directory.

    Raises:
        EnvironmentUnavailable: a file of the project cannot be read.
    """
    config = _read_config(root)
    source = root / _text(config.get("srcDir"), ".")
    libraries = tuple(
        _library(entry, source) for entry in _entries(config.get("lean_lib")) if "name" in entry
    )
    sources = dict.fromkeys([*(library.source_directory for library in libraries), source, root])
    build = config.get("buildDir")
    return Layout(
        source_directories=tuple(sources),
        library_directories=_library_directories(root, build if isinstance(build, str) else None),
        package_directories=tuple(
            path for package in _packages(root) for path in _library_directories(package, None)
        ),
        options=_options(config),
        libraries=libraries,
        is_lake=bool(config),
    )


def _library(entry: Mapping[str, Any], source: Path) -> Library:
    name = _text(entry.get("name"), "")
    roots = [root for root in _list(entry.get("roots")) if isinstance(root, str)] or [name]
    plain = tuple(".".join(components(root)) for root in roots)
    directory = source / _text(entry.get("srcDir"), ".")
    return Library(name, directory, plain, _options(entry))


def _library_directories(package: Path, build: str | None) -> tuple[Path, ...]:
    places = [package / build] if build else [package / _BUILD, package / _OLD_BUILD]
    found = [place / lib for place in places for lib in (Path("lib", "lean"), Path("lib"))]
    # New Lakes compile into lib/lean, old ones into lib itself.
    return tuple(path for path in found if path.is_dir())[:1]


def _read_config(root: Path) -> dict[str, Any]:
    program, table = root / "lakefile.lean", root / "lakefile.toml"
    try:
        if program.is_file():
            return read_program(program.read_text(encoding="utf-8", errors="replace"))
        if table.is_file():
            found = tomllib.loads(table.read_text(encoding="utf-8"))
            return {"name": root.name, **found}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise EnvironmentUnavailable(f"cannot be read: {error}", where=str(table)) from error
    return {}


def _text(value: Any, default: str) -> str:
    return value if isinstance(value, str) and "\0" not in value else default


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _entries(value: Any) -> list[dict[str, Any]]:
    return [entry for entry in _list(value) if isinstance(entry, dict)]


# ---- Options -------------------------------------------------------------------------------------


def _options(table: Mapping[str, Any]) -> tuple[str, ...]:
    options = [f"-D{name}={value}" for name, value in _flat(table.get("leanOptions"))]
    options += [word for word in _list(table.get("moreLeanArgs")) if isinstance(word, str)]
    return tuple(dict.fromkeys(options))


def _flat(value: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Dotted names and values: in TOML, ``pp.all = true`` is a table in a table."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _flat(inner, f"{prefix}.{name}" if prefix else name)
    elif isinstance(value, bool):
        yield prefix, str(value).lower()
    elif isinstance(value, (int, str)):
        yield prefix, str(value)


# ---- lakefile.lean -------------------------------------------------------------------------------

_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|/-(?:[^-]|-(?!/))*-/|--[^\n]*')
_TARGET = re.compile(
    r"^[ \t]*(?:@\[[^\]]*\][ \t\n]*)*(?P<kind>package|lean_lib|lean_exe|require|target|script)\b"
    r"[ \t]*(?P<name>[^\s{]*)",
    re.MULTILINE,
)
_SETTING = re.compile(r'\b(?P<name>srcDir|buildDir)\s*:=\s*"(?P<value>[^"\n]*)"')
_ROOTS = re.compile(r"\broots\s*:=\s*#\[(?P<value>[^\]]*)\]")
_NAME = r"`(?P<name>(?:[\w.'!?]|«[^»\n]*»)+)"
_PAIR = re.compile(rf"⟨\s*{_NAME}\s*,\s*(?:\.\w+\s+)?(?P<value>true|false|\d+|\"[^\"\n]*\")\s*⟩")
_TERM = re.compile(r"[\s(]*(?:#\[|(?P<name>[A-Za-z_][\w.']*))")
_PLUS = re.compile(r"[\s)]*\+\+")
_ASSIGNED = re.compile(r"\b(?P<name>leanOptions|moreLeanArgs)\s*:=")


def read_program(text: str) -> dict[str, Any]:
    """The plain settings of a ``lakefile.lean``, in the shape of a ``lakefile.toml``."""
    text = _COMMENT.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)
    targets = list(_TARGET.finditer(text))
    ends = [*(target.start() for target in targets), len(text)][1:]
    config: dict[str, Any] = {"name": "", "lean_lib": []}
    for target, end in zip(targets, ends, strict=True):
        settings = _settings(text[target.end() : end], text)
        if target["kind"] == "package":
            config |= settings
        elif target["kind"] == "lean_lib":
            name = ".".join(components(target["name"].strip('"')))
            config["lean_lib"].append({"name": name, **settings})
    return config


def _settings(block: str, text: str) -> dict[str, Any]:
    found: dict[str, Any] = {match["name"]: match["value"] for match in _SETTING.finditer(block)}
    if roots := _ROOTS.search(block):
        found["roots"] = [match["name"] for match in re.finditer(_NAME, roots["value"])]
    for match in _ASSIGNED.finditer(block):
        array = "".join(_arrays(block, match.end(), text))
        if match["name"] == "leanOptions":
            found["leanOptions"] = {
                ".".join(components(pair["name"])): _value(pair["value"])
                for pair in _PAIR.finditer(array)
            }
        else:
            found["moreLeanArgs"] = re.findall(r'"([^"\n]*)"', array)
    return found


def _arrays(block: str, at: int, text: str) -> Iterator[str]:
    """The insides of the arrays of a sum: literals, or names defined elsewhere in the file."""
    while match := _TERM.match(block, at):
        if match["name"]:
            named = re.search(rf"\b{re.escape(match['name'])}\b[^\n]*:=\s*#\[", text)
            yield _array(text, named.end()) if named else ""
            at = match.end()
        else:
            inside = _array(block, match.end())
            yield inside
            at = match.end() + len(inside) + 1
        plus = _PLUS.match(block, at)
        if plus is None:
            return
        at = plus.end()


def _value(text: str) -> bool | str:
    return text == "true" if text in ("true", "false") else text.strip('"')


def _array(text: str, start: int) -> str:
    """The inside of an array literal that was opened just before."""
    depth = 1
    for end in range(start, len(text)):
        depth += {"[": 1, "]": -1}.get(text[end], 0)
        if depth == 0:
            return text[start:end]
    return text[start:]


# ---- The manifest --------------------------------------------------------------------------------


def _packages(root: Path) -> Iterator[Path]:
    """The directories of the packages that the project depends on."""
    file = root / "lake-manifest.json"
    if not file.is_file():
        return
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise EnvironmentUnavailable(f"cannot be read: {error}", where=str(file)) from error
    if not isinstance(manifest, dict):
        raise EnvironmentUnavailable("cannot be read: not a JSON object", where=str(file))
    directory = root / _text(manifest.get("packagesDir"), ".lake/packages")
    for entry in _entries(manifest.get("packages")):
        kind = entry.get("type")
        if kind is None:
            # Manifests up to version 6 wrap an entry in its kind.
            kind = next((name for name in ("git", "path") if isinstance(entry.get(name), dict)), "")
            entry = entry.get(kind, {})
        name = "".join(components(_text(entry.get("name"), "")))
        if kind == "path":
            yield root / _text(entry.get("dir"), name)
        elif name:
            yield directory / name / _text(entry.get("subDir"), ".")
