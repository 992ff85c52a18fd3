"""What a preparation is asked for: a TOML file, some of whose keys options may override."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args

from pytest_vsb.errors import UsageError
from pytest_vsb.tasks import checks

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

MAX_BYTES = 4 * 2**20

Reading = Literal["auto", "text"]
"""Where dependencies are read: in what Lean wrote when it built a module, where there is that
(``auto``), or always in its text."""


@dataclass(frozen=True)
class PrepareConfig:
    """What tasks are made, and how.

    Patterns are those of :class:`.patterns.Pattern`; they are held against a theorem's full name,
    its module's name and its task's id.

    Attributes:
        suite: the tasks' suite; by default, ``repository``.
        repository: the tasks' repository; by default, the name of its directory.
        root: the tasks' root; None for the way from the task file to the repository.
        count: how many tasks at most; None for all that there are.
        seed: of the sampling.
        include: patterns of the theorems that may become tasks; empty for all.
        exclude: patterns of those that may not.
        categories: patterns and the category that they give; the first that fits counts.
        subsets: names of subsets, and the patterns of what belongs to each.
        automation: whether to leave out what standard automation proves.
        definitions: whether to leave out what uses no definition of the repository.
        min_proof_lines, max_proof_lines: of the reference proof, blank lines not counted.
        dependencies: where they are read.
    """

    suite: str = ""
    repository: str = ""
    root: str | None = None
    count: int | None = None
    seed: int = 0
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    categories: tuple[tuple[str, str], ...] = ()
    subsets: tuple[tuple[str, tuple[str, ...]], ...] = ()
    automation: bool = True
    definitions: bool = True
    min_proof_lines: int = 1
    max_proof_lines: int | None = None
    dependencies: Reading = "auto"


KEYS = tuple(PrepareConfig.__dataclass_fields__)


def read_config(path: Path) -> PrepareConfig:
    """The configuration in a file.

    Raises:
        UsageError: it cannot be read, or something in it cannot be used: says which key and line.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}", where=str(path)) from error
    if len(data) > MAX_BYTES:
        raise UsageError(f"larger than {MAX_BYTES // 2**20} MB", where=str(path))
    try:
        text = data.decode("utf-8-sig")
        table = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise UsageError(f"is not UTF-8 text: {error}", where=str(path)) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"is not TOML: {error}", where=str(path)) from error
    return _Reader(path, text).config(table)


class _Reader:
    """The values of one file, checked."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._lines = text.splitlines()

    def config(self, table: Mapping[str, Any]) -> PrepareConfig:
        for key in table:
            if key not in KEYS:
                near = get_close_matches(key, KEYS, n=1)
                hint = f"did you mean `{near[0]}`?" if near else f"keys: {', '.join(KEYS)}"
                raise self._wrong(key, "no such key", hint)
        found: dict[str, Any] = {}
        for key, value in table.items():
            found[key] = self._value(key, value)
        config = PrepareConfig(**found)
        most = config.max_proof_lines
        if most is not None and most < config.min_proof_lines:
            raise self._wrong("max_proof_lines", f"{most} is below `min_proof_lines`")
        return config

    def _value(self, key: str, value: object) -> object:
        if key in ("suite", "repository", "root"):
            return self._name(key, value)
        if key in ("include", "exclude"):
            return self._patterns(key, value)
        if key in ("automation", "definitions"):
            return self._of_type(key, value, bool, "true or false")
        if key == "categories":
            pairs = self._of_type(key, value, dict, "a table")
            return tuple((pattern, self._label(key, pattern, pairs[pattern])) for pattern in pairs)
        if key == "subsets":
            pairs = self._of_type(key, value, dict, "a table")
            return tuple(
                (self._label(key, name, name), self._patterns(name, pairs[name])) for name in pairs
            )
        if key == "dependencies":
            if value not in get_args(Reading):
                raise self._wrong(key, f"{value!r} is none of {', '.join(get_args(Reading))}")
            return value
        least = {"count": 1, "min_proof_lines": 1, "max_proof_lines": 1}.get(key, 0)
        number = self._of_type(key, value, int, "a whole number")
        if isinstance(number, bool) or number < least:
            raise self._wrong(key, f"{value!r} is not a whole number of at least {least}")
        return number

    def _of_type(self, key: str, value: Any, form: type, what: str) -> Any:
        if not isinstance(value, form):
            raise self._wrong(key, f"{what} is expected, not {value!r}")
        return value

    def _name(self, key: str, value: object) -> str:
        text: str = self._of_type(key, value, str, "a text")
        try:
            if key == "suite":
                return checks.single_line(key, text)
            return checks.relative_path(key, text, up=key == "root") if text else text
        except checks.InvalidLine as error:
            raise self._wrong(key, error.message, error.hint) from error

    def _label(self, key: str, at: str, value: object) -> str:
        try:
            return checks.single_line(key, self._of_type(at, value, str, "a text"))
        except checks.InvalidLine as error:
            raise self._wrong(at, error.message) from error

    def _patterns(self, key: str, value: object) -> tuple[str, ...]:
        if isinstance(value, list) and all(isinstance(item, str) and item for item in value):
            return tuple(value)
        raise self._wrong(key, "a list of names is expected, in which `*` stands for anything")

    def _wrong(self, key: str, message: str, hint: str | None = None) -> UsageError:
        named = re.compile(rf"\s*\[?\s*(?:[\w.-]+\.)?[\"']?{re.escape(key)}[\"']?\s*[=\].]")
        numbers = (number for number, line in enumerate(self._lines, 1) if named.match(line))
        line = next(numbers, None)
        where = f"{self._path}:{line}" if line is not None else str(self._path)
        return UsageError(f"`{key}`: {message}", where=where, hint=hint)
