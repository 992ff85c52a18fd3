"""Whether a compiled file is laid out as Lean lays it out, before anything follows its pointers.

Lean maps an olean into memory and uses what is in it as its own objects. A file that was written by
hand, by code that ran while a candidate was elaborated, could lead a reader anywhere. So the part
that the audit reads, the module's imports and declarations, is checked here, object by object: each
has the shape that its type has, and points to what lies before it in the file.

The format is that of version 2 (Lean 4.22 and later, as far as seen): a header of 88 bytes with the
Lean that wrote it and the address that pointers count from, the root's address, and then objects,
each with a header of 8 bytes: a reference count, its size, its number of pointers, its tag.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

_MARK = b"olean\x02"
_HEADER = struct.Struct("<iHBB")
_WORD = struct.Struct("<Q")
_BASE, _ROOT, _FIRST = 80, 88, 96

HEADER_BYTES = 80
"""The bytes at the start of a file that say which Lean wrote it."""

_ARRAY, _STRING, _BIG = 246, 249, 250

Shape = tuple[str, ...]


@dataclass(frozen=True)
class _Type:
    """A type's constructors by tag: the types of their pointers, and the bytes after these.

    ``scalars`` are the values that are stored in place of a pointer; all, if ``None``.
    """

    constructors: Mapping[int, tuple[Shape, int]]
    scalars: int | None = 0


def _structure(*fields: str, rest: int = 0) -> _Type:
    return _Type({0: (fields, rest)})


def _list(of: str) -> _Type:
    return _Type({1: ((of, f"List {of}"), 0)}, scalars=1)


# A term's or level's own facts are eight bytes, a binder's kind one more.
_TYPES: Mapping[str, _Type] = {
    "ModuleData": _structure("[Import", "[Name", "[Constant", "[Name", "any", rest=1),
    "Import": _structure("Name", rest=3),
    "Name": _Type({1: (("Name", "String"), 8), 2: (("Name", "Nat"), 8)}, scalars=1),
    "List Name": _list("Name"),
    "List Level": _list("Level"),
    "List Rule": _list("Rule"),
    "Level": _Type(
        {
            1: (("Level",), 8),
            2: (("Level", "Level"), 8),
            3: (("Level", "Level"), 8),
            4: (("Name",), 8),
            5: (("Name",), 8),
        },
        scalars=1,
    ),
    "Literal": _Type({0: (("Nat",), 0), 1: (("String",), 0)}),
    "Expr": _Type(
        {
            0: (("Nat",), 8),
            1: (("Name",), 8),
            2: (("Name",), 8),
            3: (("Level",), 8),
            4: (("Name", "List Level"), 8),
            5: (("Expr", "Expr"), 8),
            6: (("Name", "Expr", "Expr"), 9),
            7: (("Name", "Expr", "Expr"), 9),
            8: (("Name", "Expr", "Expr", "Expr"), 9),
            9: (("Literal",), 8),
            10: (("any", "Expr"), 8),
            11: (("Name", "Nat", "Expr"), 8),
        }
    ),
    "Common": _structure("Name", "List Name", "Expr"),
    "Hints": _Type({2: ((), 4)}, scalars=2),
    "Axiom": _structure("Common", rest=1),
    "Definition": _structure("Common", "Expr", "Hints", "List Name", rest=1),
    "Theorem": _structure("Common", "Expr", "List Name"),
    "Opaque": _structure("Common", "Expr", "List Name", rest=1),
    "Quotient": _structure("Common", rest=1),
    "Inductive": _structure("Common", "Nat", "Nat", "List Name", "List Name", "Nat", rest=3),
    "Constructor": _structure("Common", "Name", "Nat", "Nat", "Nat", rest=1),
    "Recursor": _structure("Common", "List Name", "Nat", "Nat", "Nat", "Nat", "List Rule", rest=2),
    "Rule": _structure("Name", "Nat", "Expr"),
    "Constant": _Type(
        {
            tag: ((kind,), 0)
            for tag, kind in enumerate(
                "Axiom Definition Theorem Opaque Quotient Inductive Constructor Recursor".split()
            )
        }
    ),
}


def flaw(olean: bytes, like: bytes) -> str | None:
    """What is wrong with a compiled file; ``None`` if its imports and declarations are laid out as
    they should be, and the same Lean wrote it as the file that begins with ``like``."""
    try:
        if not olean.startswith(_MARK) or olean[:HEADER_BYTES] != like[:HEADER_BYTES]:
            return "it was not written by this Lean"
        return _Reader(olean).flaw()
    except (struct.error, IndexError):
        return "it ends in the middle of an object"


class _Reader:
    def __init__(self, olean: bytes) -> None:
        self._data = olean
        self._base = _WORD.unpack_from(olean, _BASE)[0]
        self._todo: list[tuple[int, str, int]] = []
        self._seen: set[tuple[int, str]] = set()

    def flaw(self) -> str | None:
        root = _WORD.unpack_from(self._data, _ROOT)[0]
        self._point(root, "ModuleData", len(self._data))
        while self._todo:
            place, kind, limit = self._todo.pop()
            if not self._fits(place, kind, limit):
                return f"at byte {place} is no {kind.removeprefix('[')}"
        return None

    def _point(self, word: int, kind: str, limit: int) -> None:
        """Look at what a word of an object at ``limit`` stands for, later and only once."""
        if kind == "any":
            return
        place = -1 if word & 1 else word - self._base
        if word & 1 and _may_be(word >> 1, kind):
            return
        if (place, kind) not in self._seen:
            self._seen.add((place, kind))
            self._todo.append((place, kind, limit))

    def _fits(self, place: int, kind: str, limit: int) -> bool:
        if place < _FIRST or place % 8 or place >= limit:
            return False
        count, size, pointers, tag = _HEADER.unpack_from(self._data, place)
        if count != 0:
            return False
        if kind.startswith("["):
            return tag == _ARRAY and self._is_array(place, kind[1:], limit)
        if kind == "String":
            return tag == _STRING and self._is_string(place, limit)
        if kind == "Nat":
            return tag == _BIG and self._is_big(place, limit)
        shape = _TYPES[kind].constructors.get(tag)
        if shape is None:
            return False
        fields, rest = shape
        whole = 8 + 8 * len(fields) + (rest + 7) // 8 * 8
        if pointers != len(fields) or size != whole or place + size > limit:
            return False
        for word, field in zip(
            struct.unpack_from(f"<{pointers}Q", self._data, place + 8), fields, strict=True
        ):
            self._point(word, field, place)
        return True

    def _is_array(self, place: int, kind: str, limit: int) -> bool:
        size, capacity = struct.unpack_from("<QQ", self._data, place + 8)
        if size > capacity or place + 24 + 8 * capacity > limit:
            return False
        for word in struct.unpack_from(f"<{size}Q", self._data, place + 24):
            self._point(word, kind, place)
        return True

    def _is_string(self, place: int, limit: int) -> bool:
        """Its size in bytes with the NUL at the end, the room for it, its length in characters."""
        size, capacity, length = struct.unpack_from("<QQQ", self._data, place + 8)
        if not 0 < size <= capacity or place + 32 + capacity > limit:
            return False
        text = self._data[place + 32 : place + 32 + size]
        try:
            return text[-1] == 0 and len(text[:-1].decode("utf-8")) == length
        except UnicodeDecodeError:
            return False

    def _is_big(self, place: int, limit: int) -> bool:
        """A number too large for a word: the room for digits, their number, where they are."""
        room, digits, address = struct.unpack_from("<iiQ", self._data, place + 8)
        if address - self._base != place + 24 or not 0 < digits <= room:
            return False
        if place + 24 + 8 * room > limit:
            return False
        # A number that another form is for, or with a zero in front, is equal to none.
        number = self._data[place + 24 : place + 24 + 8 * digits]
        least: int = max(2**63, 1 << 64 * (digits - 1))
        return int.from_bytes(number, "little") >= least


def _may_be(scalar: int, kind: str) -> bool:
    """Whether a value stands for something of that type in place of a pointer."""
    if kind == "Nat":
        return True
    found = _TYPES.get(kind)
    return found is not None and found.scalars is not None and scalar < found.scalars
