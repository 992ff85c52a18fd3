"""Modules of a repository: which files they are, their names, order and distances."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repository_files import LAKEFILE, small, write

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.repository import Module, Modules, Store, find_modules

DEMO = Path(__file__).parents[2] / "benchmark" / "demo"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cache" / "store.sqlite3")


def test_names_imports_and_digests(tmp_path: Path, store: Store) -> None:
    modules = find_modules(small(tmp_path / "small"), store=store)
    assert modules.order() == ("Small.Basic", "Small.More", "Small")
    assert list(modules) == list(modules.order())
    more = modules["Small.More"]
    assert more == Module(
        name="Small.More",
        path="Small/More.lean",
        imports=("Small.Basic", "Mathlib.Data.Nat.Basic"),
        digest=hashlib.sha256((tmp_path / "small/Small/More.lean").read_bytes()).hexdigest(),
    )
    assert modules.imports_of("Small.More") == ("Small.Basic",)
    assert modules.by_path("Small/More.lean") == more
    assert modules.by_path("./Small/More.lean") == more
    assert modules.by_path(tmp_path / "small/Small/More.lean") == more
    assert modules.by_path("/elsewhere/Small/More.lean") is None
    assert modules.by_path("Small/None.lean") is None
    assert modules["Small.«More»"] == more
    assert "Small.None" not in modules
    with pytest.raises(KeyError):
        modules.closure("Small.None")
    assert modules.notes == ()


def test_the_demo(store: Store) -> None:
    modules = find_modules(DEMO, store=store)
    assert len(modules) == len(list(DEMO.rglob("*.lean")))
    assert modules.order()[-1] == "Demo"
    assert "Demo.Typing" in modules.closure("Demo.TypeSafety")
    for name in modules:
        rank = modules.order().index
        assert all(rank(other) < rank(name) for other in modules.closure(name))


def test_a_directory_that_is_not_there(tmp_path: Path, store: Store) -> None:
    with pytest.raises(EnvironmentUnavailable, match="is not there"):
        find_modules(tmp_path / "none", store=store)


def test_what_is_left_out(tmp_path: Path, store: Store) -> None:
    root = write(
        tmp_path / "r",
        {
            "lakefile.lean": "import Lake\npackage r\nlean_lib A\n",
            "A.lean": "",
            "A/build/Kept.lean": "",
            "build/Old.lean": "",
            "lake-packages/p/P.lean": "",
            ".lake/packages/p/P.lean": "",
            ".hidden/H.lean": "",
            "A/.hidden.lean": "",
            "A/lakefile.lean": "import Lake\npackage inner\n",
            "A/Bad.lean": b"def a := \xff\n",
            "A/note.txt": "",
        },
    )
    write(tmp_path, {"Outside.lean": "def secret := 1\n"})
    (root / "Link.lean").symlink_to(tmp_path / "Outside.lean")
    (root / "Inner.lean").symlink_to(root / "A.lean")
    (root / "Gone.lean").symlink_to(root / "None.lean")
    (root / "Self.lean").symlink_to(root / "Self.lean")
    (root / "loop").symlink_to(root)
    (root / "Directory.lean").mkdir()
    modules = find_modules(root, store=store)
    # A directory with a lakefile is a package: its files count from there.
    assert sorted(modules) == ["A", "Inner"]
    bad, itself = modules.notes
    assert bad == "A/Bad.lean is left out: it is not UTF-8 text"
    assert itself.startswith("Self.lean is left out: it cannot be read: ")
    assert find_modules(root, store=store).notes == modules.notes


def test_build_is_a_name_like_any_other_where_no_package_is(tmp_path: Path, store: Store) -> None:
    root = write(tmp_path / "r", {"lakefile.toml": LAKEFILE, "Small/build/A.lean": ""})
    assert list(find_modules(root, store=store)) == ["Small.build.A"]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        # Where a library's sources are is not part of their names.
        (
            {
                "lakefile.toml": 'name = "r"\n[[lean_lib]]\nname = "A"\nsrcDir = "src"\n',
                "src/A/B.lean": "",
                "src/Other.lean": "",
                "test/T.lean": "",
            },
            {"src/A/B.lean": "A.B", "src/Other.lean": "Other", "test/T.lean": "test.T"},
        ),
        (
            {
                "lakefile.lean": 'package r where\n  srcDir := "lean"\nlean_lib A\n',
                "lean/A.lean": "",
                "Main.lean": "",
            },
            {"lean/A.lean": "A", "Main.lean": "Main"},
        ),
        # Roots decide between libraries with sources in one another.
        (
            {
                "lakefile.toml": 'name = "r"\n[[lean_lib]]\nname = "A"\n'
                '[[lean_lib]]\nname = "B"\nroots = ["B.C"]\nsrcDir = "A"\n',
                "A/X.lean": "",
                "A/B/C/D.lean": "",
                "A/B/E.lean": "",
            },
            {"A/X.lean": "A.X", "A/B/C/D.lean": "B.C.D", "A/B/E.lean": "A.B.E"},
        ),
        # A package in the repository.
        (
            {
                "lakefile.toml": LAKEFILE,
                "Small.lean": "",
                "sub/lakefile.toml": 'name = "sub"\n[[lean_lib]]\nname = "Sub"\n',
                "sub/Sub/A.lean": "",
            },
            {"Small.lean": "Small", "sub/Sub/A.lean": "Sub.A"},
        ),
        # Two files of one name.
        (
            {
                "lakefile.toml": LAKEFILE,
                "Test.lean": "",
                "a/lakefile.toml": LAKEFILE,
                "a/Test.lean": "",
                "b/lakefile.toml": LAKEFILE,
                "b/Test.lean": "",
            },
            {"Test.lean": "Test", "a/Test.lean": "a.Test", "b/Test.lean": "b.Test"},
        ),
        # No lakefile, and names that are no identifiers.
        (
            {"A/01-x.lean": "", "A/b.c.lean": "", "A/é'.lean": ""},
            {"A/01-x.lean": "A.«01-x»", "A/b.c.lean": "A.«b.c»", "A/é'.lean": "A.é'"},
        ),
        # A lakefile that cannot be read.
        (
            {"lakefile.toml": "name = ", "A.lean": "", "src/B.lean": ""},
            {"A.lean": "A", "src/B.lean": "src.B"},
        ),
    ],
)
def test_module_names(
    tmp_path: Path, store: Store, files: dict[str, str | bytes], expected: dict[str, str]
) -> None:
    modules = find_modules(write(tmp_path / "r", files), store=store)
    assert {module.path: module.name for module in modules.values()} == expected


def test_names_that_clash_and_lakefiles_that_break_are_noted(tmp_path: Path, store: Store) -> None:
    root = write(
        tmp_path / "r", {"sub/lakefile.toml": "= 1", "sub/A.lean": "", "A.lean": "", "B.lean": ""}
    )
    modules = find_modules(root, store=store)
    assert sorted(modules) == ["A", "B", "sub.A"]
    notes = "\n".join(modules.notes)
    assert "sub/A.lean: another file is the module A; this one is called sub.A" in notes
    assert "modules are named by their paths" in notes


def test_a_changed_file_is_read_again(tmp_path: Path, store: Store) -> None:
    root = small(tmp_path / "small")
    before = find_modules(root, store=store)
    assert find_modules(root, store=store).digest == before.digest
    file = root / "Small/Basic.lean"
    facts = file.stat()
    # As long as before, and with its old time.
    file.write_bytes(file.read_bytes().replace(b"double", b"tripel"))
    os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    after = find_modules(root, store=store)
    assert after["Small.Basic"].digest == hashlib.sha256(file.read_bytes()).hexdigest()
    assert after["Small.Basic"].digest != before["Small.Basic"].digest
    assert after["Small.More"] == before["Small.More"]
    assert after.digest != before.digest
    file.unlink()
    gone = find_modules(root, store=store)
    assert gone.order() == ("Small.More", "Small")
    assert gone.imports_of("Small.More") == ()


def graph(edges: dict[str, tuple[str, ...]]) -> Modules:
    modules = [Module(name, f"{name}.lean", imports, name) for name, imports in edges.items()]
    return Modules(Path("/r"), modules, ())


def test_distances() -> None:
    modules = graph({"A": (), "B": ("A", "Lib.X"), "C": ("B",), "D": ("C", "A"), "E": ()})
    assert modules.distance("D") == {"D": 0, "C": 1, "A": 1, "B": 2}
    assert modules.closure("D") == ("A", "B", "C")
    assert modules.closure("E") == ()


def test_circles() -> None:
    modules = graph({"A": ("B",), "B": ("C",), "C": ("A", "C"), "D": ("A",)})
    assert sorted(modules.order()) == ["A", "B", "C", "D"]
    assert modules.order().index("D") == 3
    assert set(modules.closure("A")) == {"B", "C"}
    assert modules.distance("C") == {"C": 0, "A": 1, "B": 2}


def test_a_long_chain_of_imports() -> None:
    edges = {f"M{n}": (f"M{n + 1}",) for n in range(5000)}
    modules = graph(edges | {"M5000": ()})
    assert modules.order()[0] == "M5000"
    assert len(modules.closure("M0")) == 5000


NAMES = st.sampled_from([f"M{n}" for n in range(8)])


@given(st.dictionaries(NAMES, st.lists(NAMES | st.just("Lib"), max_size=4).map(tuple)))
def test_any_graph(edges: dict[str, tuple[str, ...]]) -> None:
    modules = graph(edges)
    order = modules.order()
    assert sorted(order) == sorted(edges)
    assert order == graph(dict(reversed(edges.items()))).order()
    for name in edges:
        closure = modules.closure(name)
        assert name not in closure
        assert {name, *closure} == set(modules.distance(name))
        assert list(closure) == sorted(closure, key=order.index)
        for other in modules.imports_of(name):
            assert order.index(other) < order.index(name) or name in modules.distance(other)
