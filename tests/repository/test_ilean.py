"""What Lean writes down about references, in all versions of its format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.repository.ilean import (
    IleanError,
    IleanStore,
    Positions,
    Reference,
    read_ilean,
)


def text(references: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"module": "M", "references": references, **more}).encode()


OLD = {"c:A.f": {"definition": [0, 4, 0, 5], "usages": [[1, 0, 1, 1]]}, "f:12": {"usages": []}}
KEY = json.dumps({"c": {"m": "Lib", "n": "A.f"}})
LOCAL = json.dumps({"f": {"m": "Lib", "i": "12"}})

FORMS: dict[str, tuple[bytes, Reference]] = {
    "string keys": (text(OLD, version=1), Reference("A.f", "", 1, 0, 1, 1)),
    "string keys, and a parent with its ranges": (
        text(
            {
                "c:A.f": {
                    "definition": None,
                    "usages": [[1, 0, 1, 1, "A.g", 1, 0, 2, 0, 1, 4, 1, 5]],
                }
            },
            version=2,
        ),
        Reference("A.f", "", 1, 0, 1, 1, "A.g"),
    ),
    "keys with modules": (
        text(
            {
                KEY: {"definition": None, "usages": [[1, 0, 1, 1, "g", 1, 0, 2, 0, 1, 4, 1, 5]]},
                LOCAL: {"definition": [0, 1, 0, 2], "usages": []},
            },
            version=3,
            directImports=["Lib", "«a-b»"],
        ),
        Reference("A.f", "Lib", 1, 0, 1, 1, "g"),
    ),
    "a parent by its name": (
        text(
            {KEY: {"definition": [0, 4, 0, 5], "usages": [[1, 0, 1, 1, "g"]]}},
            version=5,
            decls={"g": [1, 0, 2, 0, 1, 4, 1, 5]},
            directImports=[["Lib", False, False, False], ["«a-b»", True, False, True]],
        ),
        Reference("A.f", "Lib", 1, 0, 1, 1, "g"),
    ),
}


@pytest.mark.parametrize(
    ("data", "usage"), FORMS.values(), ids=[f.replace(" ", "-") for f in FORMS]
)
def test_every_form_is_read(data: bytes, usage: Reference) -> None:
    found = read_ilean(data)
    assert found.usages == (usage,)
    assert found.module == "M"
    assert found.imports in ((), ("Lib", "«a-b»"))
    assert all(reference.name == "A.f" for reference in found.definitions)


def test_what_a_later_version_adds_does_not_matter() -> None:
    data = text({KEY: {"definition": None, "usages": [[1, 0, 1, 1]], "more": 1}}, version=99, x=[])
    assert [u.name for u in read_ilean(data).usages] == ["A.f"]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("_private.Demo.Basic.0.A.f", "A.f"),
        ("_private.«a-b».«c.d».0.f", "f"),
        ("A.«f»", "A.f"),
        ("A.«f g»", "A.«f g»"),
    ],
)
def test_names_are_plain(written: str, name: str) -> None:
    key = json.dumps({"c": {"m": "M", "n": written}})
    data = text({key: {"definition": None, "usages": [[0, 0, 0, 1, written]]}})
    (usage,) = read_ilean(data).usages
    assert (usage.name, usage.parent) == (name, name)


def test_usages_are_in_the_order_of_the_text() -> None:
    places = [[5, 1, 5, 2], [1, 7, 1, 8], [1, 2, 1, 3]]
    found = read_ilean(text({KEY: {"definition": None, "usages": places}}))
    assert [(u.line, u.column) for u in found.usages] == [(1, 2), (1, 7), (5, 1)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b'{"references": []}',
        text({KEY: {"usages": [[1, 2, 3]]}}),
        text({KEY: {"usages": [["a", 2, 3, 4]]}}),
        text({KEY: {"usages": [[1, 2, 3, 4, 5]]}}),
        text({KEY: {}}),
        text({KEY: None}),
        text({"{": {"usages": []}}),
        text({'{"c": 1}': {"usages": []}}),
        text({}, version="5"),
        text({}, directImports=[1]),
        text({}, directImports=5),
        b'{"references": ' + b"[" * 100_000,
    ],
)
def test_anything_else_is_an_error_that_says_so(data: bytes) -> None:
    with pytest.raises(IleanError) as error:
        read_ilean(data, "M.ilean")
    assert "M.ilean" in str(error.value)
    assert "lake build" in str(error.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.sampled_from(["c:f", KEY]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.sampled_from(["references", "usages", "definition", "module", "c:f", KEY]), inner
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_other_json_raises_nothing_else(value: object) -> None:
    for record in (value, {"references": value}, {"references": {"c:f": value}}):
        try:
            read_ilean(json.dumps(record).encode())
        except IleanError:
            continue


# Positions


def test_columns_are_utf16_code_units() -> None:
    positions = Positions("a𝒜b\nα x\n")
    assert [positions.offset(0, column) for column in range(6)] == [0, 1, None, 2, 3, None]
    assert [positions.offset(1, column) for column in range(5)] == [4, 5, 6, 7, None]
    assert positions.offset(2, 0) == 8
    assert positions.offset(3, 0) is None
    assert positions.offset(-1, 0) is None


@given(st.text(alphabet=st.sampled_from("a𝒜α\n"), max_size=30), st.data())
def test_every_place_is_found_again(content: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(content)))
    before = content[:offset]
    line = before.count("\n")
    column = len(before[before.rfind("\n") + 1 :].encode("utf-16-le")) // 2
    assert Positions(content).offset(line, column) == offset


# The store


def test_a_store_looks_into_all_its_directories(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    (first / "A").mkdir(parents=True)
    (second / "A").mkdir(parents=True)
    (second / "A" / "B.ilean").write_bytes(text(OLD))
    store = IleanStore([first, second, tmp_path / "none"])
    found = store.get("A.B")
    assert found is not None
    assert len(found.usages) == 1
    assert store.get("A.C") is None
    assert store.notes == []


def test_a_damaged_file_is_noted_and_left(tmp_path: Path) -> None:
    (tmp_path / "A.ilean").write_bytes(b"{")
    store = IleanStore([tmp_path])
    assert store.get("A") is None
    assert store.get("A") is None
    assert len(store.notes) == 1
    assert "A.ilean" in store.notes[0]
