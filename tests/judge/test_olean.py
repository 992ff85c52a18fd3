"""The layout of compiled files: files that Lean writes, and forged ones."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from judge_bench import LIMITS, Bench

from pytest_vsb.judge.olean import flaw
from pytest_vsb.judge.running import Runner
from pytest_vsb.lean import embedded
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.toolchain import Toolchain

FILE = """\
inductive Tree (α : Type) where
  | leaf
  | node (left : Tree α) (value : α) (right : Tree α)
structure Pair where
  first : Nat
  second : String := "é"
def big : Nat := 123456789012345678901234567890
def size {α : Type} : Tree α → Nat
  | .leaf => 0
  | .node l _ r => size l + 1 + size r
theorem t (n : Nat) : n = n := rfl
theorem u.{w} {α : Type w} (a : α) : a = a := rfl
opaque hidden : Nat
axiom stated : size (Tree.leaf (α := Nat)) = 0
"""
BASE, ROOT, FIRST = 80, 88, 96


@pytest.fixture(scope="module")
def honest(lean: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    root = tmp_path_factory.mktemp("olean")
    (root / "A.lean").write_text(FILE, encoding="utf-8")
    project = open_project(root, lean, cache=Bench(root, lean, root / "cache").cache)
    olean = root / "A.olean"
    made = Runner(lean).run(
        root / "A.lean", project.search_path(()), "-o", str(olean), limits=LIMITS, olean=olean
    )
    assert not made.errors
    data = olean.read_bytes()
    if data[:6] != b"olean\x02":
        pytest.skip("another format than the one that is checked")
    return data


def objects(data: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Place, size, pointers and tag of each object."""
    place = FIRST
    while place + 8 <= len(data):
        size, pointers, tag = struct.unpack_from("<4xHBB", data, place)
        if tag in (246, 248, 249):
            capacity = struct.unpack_from("<Q", data, place + 16)[0]
            unit = {246: 8, 248: pointers, 249: 1}[tag]
            size = ((32 if tag == 249 else 24) + unit * capacity + 7) // 8 * 8
        elif tag == 250:
            size = 24 + 8 * abs(struct.unpack_from("<i", data, place + 12)[0])
        yield place, size, pointers, tag
        place += size


def word(data: bytes, place: int) -> int:
    return int(struct.unpack_from("<Q", data, place)[0])


def put(data: bytes, place: int, value: int, form: str = "<Q") -> bytes:
    changed = bytearray(data)
    struct.pack_into(form, changed, place, value)
    return bytes(changed)


def root(data: bytes) -> int:
    return word(data, ROOT) - word(data, BASE)


def constants(data: bytes) -> int:
    """The place of the array of declarations."""
    return word(data, root(data) + 8 + 16) - word(data, BASE)


def test_what_lean_writes_is_in_order(honest: bytes) -> None:
    assert flaw(honest, honest) is None


def test_the_core_is_in_order(lean: Toolchain) -> None:
    if lean.kind != "embedded":
        pytest.skip("about the embedded Lean's core")
    files = [Path(embedded.ensure_core() / "Init" / f"{name}.olean") for name in ("WF", "Config")]
    for file in files:
        data = file.read_bytes()
        assert flaw(data, data) is None, file


def test_another_writer(honest: bytes) -> None:
    assert flaw(b"olean\x01" + honest[6:], honest) is not None
    assert flaw(honest, honest[:20] + b"!" + honest[21:]) is not None
    assert flaw(b"", honest) is not None


def test_a_file_that_ends_early(honest: bytes) -> None:
    for size in (80, 90, 96, 100, len(honest) // 2, root(honest) + 8):
        assert flaw(honest[:size], honest) is not None


def test_forged_pointers(honest: bytes) -> None:
    base, first = word(honest, BASE), constants(honest) + 24
    string = next(place for place, _, _, tag in objects(honest) if tag == 249)
    for value in (
        0,
        2,
        base,
        base + 8,
        base + string,
        base + string + 8,
        base + len(honest),
        base + constants(honest),
        base + first,
        2**63,
        word(honest, first) + 4,
        word(honest, first) + 8,
        # No declaration is a number.
        1,
        3,
    ):
        assert flaw(put(honest, first, value), honest) is not None, hex(value)
    assert flaw(put(honest, ROOT, word(honest, first)), honest) is not None
    # A size that leads beyond the array, into what lies behind it.
    assert flaw(put(honest, constants(honest) + 8, 2**40), honest) is not None
    assert flaw(put(honest, constants(honest) + 16, 2**60), honest) is not None


def test_forged_headers(honest: bytes) -> None:
    place = word(honest, constants(honest) + 24) - word(honest, BASE)
    assert flaw(put(honest, place, 1, "<i"), honest) is not None
    for tag in (9, 200, 245, 246, 247, 249, 251, 252, 253, 254, 255):
        assert flaw(put(honest, place + 7, tag, "<B"), honest) is not None
    assert flaw(put(honest, place + 6, 2, "<B"), honest) is not None
    assert flaw(put(honest, place + 4, 24, "<H"), honest) is not None
    # A declaration of another kind has other parts.
    values = word(honest, place + 8) - word(honest, BASE)
    assert flaw(put(honest, values + 6, 0, "<B"), honest) is not None


def test_forged_strings_and_numbers(honest: bytes) -> None:
    name = next(
        p for p, _, _, tag in objects(honest) if tag == 249 and b"size\0" in honest[p : p + 48]
    )
    assert honest[name + 32 :].startswith(b"size\0")
    for changed in (
        put(honest, name + 8, 2**50),
        put(honest, name + 8, 0),
        put(honest, name + 24, 3),
        put(honest, name + 32, 0xFF, "<B"),
        put(honest, name + 36, ord("x"), "<B"),
    ):
        assert flaw(changed, honest) is not None
    number = next(place for place, _, _, tag in objects(honest) if tag == 250)
    for changed in (
        put(honest, number + 12, -2, "<i"),
        put(honest, number + 12, 2**20, "<i"),
        put(honest, number + 16, word(honest, number + 16) + 8),
        put(honest, number + 32, 0),
    ):
        assert flaw(changed, honest) is not None


def test_whatever_is_in_it_there_is_an_answer(honest: bytes) -> None:
    dice = random.Random(4)
    base = word(honest, BASE)
    for _ in range(60):
        place = dice.randrange(FIRST, len(honest) - 8) // 8 * 8
        value = dice.choice([dice.getrandbits(64), base + dice.randrange(len(honest)), 1, 0])
        said = flaw(put(honest, place, value), honest)
        assert said is None or said.startswith(("at byte", "it "))
