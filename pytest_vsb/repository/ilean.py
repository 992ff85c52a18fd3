"""The ``.ilean`` files that Lean writes beside its oleans: who refers to what, where.

An ``.ilean`` is a JSON object. Its ``references`` map an identifier to where it is defined and used
in that file. Three things have changed over the versions of the format, and each is told by looking
at it, not by the version's number:

- the key of a constant is ``c:Name``, or the JSON text ``{"c": {"m": module, "n": name}}``;
- a position is ``[line, column, line, column]``, to which the name of the declaration it stands in
  may be added, with that declaration's own range (nine more entries) or without it (one more);
- an import is a name, or a list that begins with the name.

Lines count from 0; columns count UTF-16 code units from 0.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from pytest_vsb.errors import VsbError
from pytest_vsb.lean.imports import module_path
from pytest_vsb.source.model import Span, plain_name

_PRIVATE = re.compile(r"_private\.(?:.*?)\.\d+\.")
_CONSTANT = re.compile(r"c:(?P<name>.+)", re.DOTALL)


class IleanError(VsbError, ValueError):
    """A file that is no ``.ilean``, or of a form that is not known."""


@dataclass(frozen=True)
class Reference:
    """One place where a constant stands.

    Attributes:
        name: its full name; a private one by its plain name.
        module: where it is defined; empty in the older format, which does not say.
        line, column, end_line, end_column: where it stands; columns in UTF-16 code units.
        parent: the declaration it stands in, as far as the format says; else empty.
    """

    name: str
    module: str
    line: int
    column: int
    end_line: int
    end_column: int
    parent: str = ""


@dataclass(frozen=True)
class Ilean:
    """What one ``.ilean`` says about constants. Local variables are left out.

    ``usages`` are in the order of the text; ``digest`` is the SHA-256 of the file.
    """

    module: str
    version: int
    imports: tuple[str, ...]
    definitions: tuple[Reference, ...]
    usages: tuple[Reference, ...]
    digest: str


def read_ilean(data: bytes, where: str = "") -> Ilean:
    """Reads an ``.ilean`` of any version so far.

    Raises:
        IleanError: it is none. ``where`` names it in the message.
    """
    try:
        record = msgspec.json.decode(data)
        return _read(record, hashlib.sha256(data).hexdigest())
    except (msgspec.DecodeError, RecursionError, ValueError, TypeError, KeyError) as error:
        raise IleanError(
            f"not an .ilean file that can be read: {error or type(error).__name__}",
            where=where or None,
            hint="build the module again with `lake build`",
        ) from error


def _read(record: object, digest: str) -> Ilean:
    if not isinstance(record, dict):
        raise ValueError("not an object")
    references = record["references"]
    if not isinstance(references, dict):
        raise ValueError("its references are no object")
    definitions: list[Reference] = []
    usages: list[Reference] = []
    for key, value in references.items():
        constant = _constant(key)
        if constant is None:
            continue
        if not isinstance(value, dict):
            raise ValueError("what it says of a name is no object")
        defined = value.get("definition")
        if defined is not None:
            definitions.append(_reference(constant, defined))
        usages += [_reference(constant, place) for place in value["usages"]]
    module = record.get("module", "")
    version = record.get("version", 0)
    if not isinstance(module, str) or not isinstance(version, int):
        raise ValueError("its module or version is of another type")
    return Ilean(
        module=plain_name(module),
        version=version,
        imports=tuple(_imported(item) for item in record.get("directImports", ())),
        definitions=tuple(sorted(definitions, key=_place)),
        usages=tuple(sorted(usages, key=_place)),
        digest=digest,
    )


def _place(reference: Reference) -> tuple[int, int, str]:
    return reference.line, reference.column, reference.name


def _imported(item: object) -> str:
    name = item[0] if isinstance(item, list) and item else item
    if not isinstance(name, str):
        raise ValueError("an import is no name")
    return plain_name(name)


def _constant(key: str) -> tuple[str, str] | None:
    """The module and name of a constant; None for a local variable."""
    if key.startswith("{"):
        said = msgspec.json.decode(key)
        if "c" not in said:
            return None
        return plain_name(str(said["c"]["m"])), _public(str(said["c"]["n"]))
    found = _CONSTANT.match(key)
    return ("", _public(found["name"])) if found else None


def _public(name: str) -> str:
    """A name without the module that a private one is marked with."""
    found = _PRIVATE.match(name)
    return plain_name(name[found.end() :] if found else name)


def _reference(constant: tuple[str, str], place: list[object]) -> Reference:
    if len(place) not in (4, 5, 13):
        raise ValueError(f"a position of {len(place)} entries")
    line, column, end_line, end_column = place[:4]
    if not (
        isinstance(line, int)
        and isinstance(column, int)
        and isinstance(end_line, int)
        and isinstance(end_column, int)
    ):
        raise ValueError("a position that is no number")
    parent = place[4] if len(place) > 4 else ""
    if not isinstance(parent, str):
        raise ValueError("a parent that is no name")
    module, name = constant
    return Reference(name, module, line, column, end_line, end_column, _public(parent))


class Positions:
    """The places of one text: from lines and UTF-16 columns to code points."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._plain: dict[int, bool] = {}
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def span(self, reference: Reference) -> Span | None:
        """The span of a reference; None where the text has no such place."""
        start = self.offset(reference.line, reference.column)
        end = self.offset(reference.end_line, reference.end_column)
        return Span(start, end) if start is not None and end is not None and start <= end else None

    def offset(self, line: int, column: int) -> int | None:
        """The offset of a place in code points; None where the text has no such place."""
        if not 0 <= line < len(self._starts) or column < 0:
            return None
        start = self._starts[line]
        last = line + 1 == len(self._starts)
        end = len(self._text) if last else self._starts[line + 1] - 1
        if line not in self._plain:
            self._plain[line] = max(self._text[start:end], default="") <= "\uffff"
        if self._plain[line]:
            return start + column if column <= end - start else None
        units = 0
        for offset in range(start, end + 1):
            if units >= column:
                return offset if units == column else None
            if offset < end:
                units += 2 if self._text[offset] > "\uffff" else 1
        return None


class IleanStore:
    """The ``.ilean`` files below some directories, each read when it is first asked for.

    ``notes`` says which could not be read.
    """

    def __init__(self, directories: Sequence[Path]) -> None:
        self.directories = tuple(directories)
        self.notes: list[str] = []
        self._read: dict[str, Ilean | None] = {}

    def get(self, module: str) -> Ilean | None:
        """What is known of a module; None if it was not built or its file cannot be read."""
        if module not in self._read:
            self._read[module] = self._load(module)
        return self._read[module]

    def _load(self, module: str) -> Ilean | None:
        for directory in self.directories:
            file = directory / module_path(module, ".ilean")
            try:
                data = file.read_bytes()
            except OSError:
                continue
            try:
                return read_ilean(data, str(file))
            except IleanError as error:
                self.notes.append(str(error))
        return None
