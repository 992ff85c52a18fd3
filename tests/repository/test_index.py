"""The declarations of a repository, as a prover may see them."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repository_files import BASIC, LAKEFILE, MORE, small, write

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.repository import Entry, Index, Ref, Store, index, open_index, pieces
from pytest_vsb.repository.progress import Progress
from pytest_vsb.source import scan
from pytest_vsb.source.elide import PROVING, elide
from pytest_vsb.source.facts import NO_FACTS

DEMO = Path(__file__).parents[2] / "benchmark" / "demo"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cache" / "store.sqlite3")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small(tmp_path / "small")


def test_entries(root: Path, store: Store) -> None:
    found = open_index(root, store=store).entries("Small.Basic")
    assert [(e.name, e.kind, e.role, e.private, e.line) for e in found] == [
        ("Small.double", "def", "definition", False, 6),
        ("Small.double_zero", "theorem", "lemma", False, 8),
        ("Small.aux", "lemma", "lemma", True, 14),
    ]
    assert found[0] == Entry(
        module="Small.Basic",
        path="Small/Basic.lean",
        name="Small.double",
        kind="def",
        role="definition",
        private=False,
        start=BASIC.index("/-- Doubles"),
        end=BASIC.index("\n\ntheorem"),
        line=6,
        text="/-- Doubles. -/\ndef double (n : Nat) : Nat := n + n",
    )
    assert found[1].text == "theorem double_zero : double 0 = 0"
    assert found[2].text == "lemma aux (h : 1 = 1) :\n    double 2 = 4"
    assert BASIC[found[2].start : found[2].end].endswith("SECRET h")


def test_pieces(root: Path, store: Store) -> None:
    opened = open_index(root, store=store)
    found = opened.pieces("Small.More")
    assert "".join(piece.text for piece in found) == elide(scan(MORE)) == opened.text("Small.More")
    assert [piece.kind for piece in found if piece.kind != "trivia"] == [
        "import",
        "import",
        "open",
        "variable",
        "mutual",
        "declaration",
        "declaration",
        "mutual",
        "declaration",
        "declaration",
    ]
    for before, after in itertools.pairwise(found):
        assert before.end == after.start
    assert (found[0].start, found[-1].end) == (0, len(MORE))
    entries = opened.entries("Small.More")
    assert [e.name for e in entries] == ["Even", "Odd", "", "Small.double_pos"]
    shown = [(entries[p.entry].name, p.text) for p in found if p.entry is not None]
    assert shown[3] == ("Small.double_pos", "theorem Small.double_pos : 0 < n → 0 < double n := …")
    assert [entries[p.entry] for p in found if p.entry is not None] == list(entries)


def test_examples_are_pieces_but_no_entries(root: Path, store: Store) -> None:
    found = [p for p in open_index(root, store=store).pieces("Small.Basic") if p.kind == "example"]
    assert [(piece.text, piece.entry) for piece in found] == [("example : double 1 = 2 := …", None)]


def test_before_an_offset(root: Path, store: Store) -> None:
    opened = open_index(root, store=store)
    target = opened.entries("Small.Basic")[1]
    before = opened.before("Small.Basic", target.start)
    assert "".join(piece.text for piece in before) == BASIC[: target.start]
    assert opened.before("Small.Basic", target.start - 1) == before[:-1]
    assert opened.before("Small.Basic", 0) == ()
    assert opened.before("Small.Basic", len(BASIC)) == opened.pieces("Small.Basic")


def test_names(root: Path, store: Store) -> None:
    write(root, {"Small/Other.lean": "inductive Even\n\nlemma Even : True := trivial\n"})
    opened = open_index(root, store=store)
    names = opened.names()
    assert names["Small.double"] == (Ref("Small.Basic", 0),)
    assert names["Even"] == (Ref("Small.More", 0), Ref("Small.Other", 0), Ref("Small.Other", 1))
    assert "" not in names
    assert opened.names() is names
    assert opened.find("Even", "Small.Other") == (Ref("Small.Other", 0), Ref("Small.Other", 1))
    assert opened.find("Even") == names["Even"]
    assert opened.find("Small.none") == opened.find("", "Small.More") == ()
    with pytest.raises(KeyError):
        opened.find("Even", "Small.None")
    for name, refs in names.items():
        assert all(opened.entry(ref).name == name for ref in refs)
    assert open_index(root, store=store).names() == names
    module = opened.module_of_path("Small/Other.lean")
    assert module is not None
    assert module.name == "Small.Other"


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b"\n", b"\r\n", 9),
    ],
    ids=["crlf", "bom", "both", "mixed"],
)
@pytest.mark.parametrize("module", ["Basic", "More"])
def test_line_ends_and_marks(root: Path, store: Store, change, module: str) -> None:  # type: ignore[no-untyped-def]
    plain = open_index(root, store=store)
    expected = plain.entries(f"Small.{module}"), plain.text(f"Small.{module}")
    file = root / f"Small/{module}.lean"
    file.write_bytes(change(file.read_bytes()))
    text = file.read_bytes().decode()
    opened = open_index(root, store=store)
    found = opened.entries(f"Small.{module}")
    assert (opened.modules[f"Small.{module}"].imports) == plain.modules[f"Small.{module}"].imports
    assert opened.text(f"Small.{module}") == expected[1]
    assert [(e.name, e.text, e.line) for e in found] == [
        (e.name, e.text, e.line) for e in expected[0]
    ]
    for entry, before in zip(found, expected[0], strict=True):
        original = (BASIC if module == "Basic" else MORE)[before.start : before.end]
        assert text[entry.start : entry.end].replace("\r\n", "\n") == original
    whole = opened.pieces(f"Small.{module}")
    assert (whole[0].start, whole[-1].end) == (text.startswith("\ufeff"), len(text))


@pytest.mark.parametrize("path", sorted(DEMO.rglob("*.lean")), ids=lambda path: path.stem)
def test_the_demo_is_whole(path: Path) -> None:
    data = path.read_bytes()
    source = scan(pieces.plain_text(data.decode()))
    file = pieces.File(data)
    kept = file.take_apart(NO_FACTS)
    found = pieces.put_together(kept, "M", "M.lean")
    assert pieces.joined(kept) == elide(source)
    assert "".join(piece.text for piece in found.pieces) == elide(source)
    declared = [d for d in source.declarations if d.kind != "example"]
    # One of the files has other line ends: places are those in the file as it is.
    assert [(e.name, e.start, e.end) for e in found.entries] == [
        (d.full_name, d.span.start, d.span.end)
        for d in scan(data.decode()).declarations
        if d.kind != "example"
    ]
    assert file.outline().names == [d.full_name for d in declared]
    for entry, declaration in zip(found.entries, declared, strict=True):
        if declaration.kind in PROVING:
            assert entry.text == declaration.statement.of(source.text)


FRAGMENTS = st.sampled_from(
    [
        "theorem t : p := by\n  simp\n",
        "def f : A := ⟨by rfl⟩\n",
        "mutual\n",
        "end\n",
        "example : p := h\n",
        "namespace A.B\n",
        "end A\n",
        "/-- doc -/\n",
        "/- open",
        "-- line\n",
        "  ",
        "\n",
        "\r\n",
        "\ufeff",
        "@[simp] private lemma u\n  | 0 => x\n",
        "prove_it x by\n  rfl\n",
        'notation "x" => y\n',
        "instance : C where\n  law := by\n    simp\n",
        "structure S where\n  a : Nat := 1\n",
        "\u00ab",
        '"',
        "é𝔸",
    ]
)


@given(st.lists(FRAGMENTS, max_size=12).map("".join))
def test_any_text(text: str) -> None:
    kept = pieces.File(text.encode()).take_apart(NO_FACTS)
    found = pieces.put_together(kept, "M", "M.lean")
    plain = pieces.plain_text(text)
    assert "".join(piece.text for piece in found.pieces) == elide(scan(plain))
    assert pieces.joined(kept) == elide(scan(plain))
    originals = "".join(text[piece.start : piece.end] for piece in found.pieces)
    assert originals == text.removeprefix("\ufeff")
    for entry in found.entries:
        assert entry.line <= plain.count("\n") + 1


def test_nothing_is_scanned_twice(
    root: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {name: open_index(root, store=store).pieces(name) for name in ("Small.Basic", "Small")}
    names = open_index(root, store=store).names()
    monkeypatch.setattr(pieces, "scan", None)
    # A fresh database knows nothing; the kept one, everything.
    with pytest.raises(TypeError):
        open_index(root, store=Store(None)).names()
    again = open_index(root, store=Store(store.path))
    assert {name: again.pieces(name) for name in before} == before
    assert again.names() == names


def test_other_code_scans_again(root: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    open_index(root, store=store).names()
    monkeypatch.setattr("pytest_vsb.repository.scanned.code_version", lambda: "other")
    monkeypatch.setattr(pieces, "scan", None)
    with pytest.raises(TypeError):
        open_index(root, store=store).entries("Small.Basic")


def test_a_file_that_goes_while_in_use(root: Path, store: Store) -> None:
    opened = open_index(root, store=store)
    (root / "Small/Basic.lean").unlink()
    assert opened.entries("Small.Basic") == opened.pieces("Small.Basic") == ()
    assert opened.text("Small.Basic") == ""
    assert list(opened.names()) == ["Even", "Odd", "Small.double_pos"]
    assert opened.notes == ("Small/Basic.lean cannot be read any more: No such file or directory",)
    # What is kept under that file's digest is what it held.
    write(root, {"Small/Basic.lean": BASIC})
    again = open_index(root, store=store)
    assert "Small.double" in again.names()
    assert again.notes == ()


def test_a_file_that_changes_while_in_use(root: Path, store: Store) -> None:
    opened = open_index(root, store=store)
    names = opened.names()
    opened.entries("Small.Basic")
    other = open_index(root, store=Store(None))
    other.names()
    write(root, {"Small/Basic.lean": "def only := 1\n"})
    # Scanned before: what it was.
    assert opened.entry(names["Small.aux"][0]).name == "Small.aux"
    assert open_index(root, store=store).entries("Small.Basic")[0].name == "only"
    assert [entry.name for entry in other.entries("Small.Basic")] == ["only"]
    assert other.notes == ("Small/Basic.lean has changed since the repository was opened",)
    with pytest.raises(EnvironmentUnavailable, match="has changed while it was in use"):
        other.entry(names["Small.aux"][0])
    assert "only" in open_index(root, store=store).names()


def test_few_modules_are_held(root: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "MEMORY", 1)
    opened = open_index(root, store=store)
    first = opened.entries("Small.Basic")
    assert opened.entries("Small.Basic") is first
    opened.entries("Small.More")
    assert opened.entries("Small.Basic") is not first
    assert opened.entries("Small.Basic") == first


SCANNER = """
import sys
from pathlib import Path
from pytest_vsb.repository import Store, open_index
index = open_index(Path(sys.argv[1]), store=Store(Path(sys.argv[2])))
print(len(index.names()), sum(len(index.text(name)) for name in index.modules))
assert not index.notes, index.notes
"""


def test_two_processes_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SCANNER, str(DEMO), str(tmp_path / "store.sqlite3")]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [process.communicate(timeout=180)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    alone = open_index(DEMO, store=Store(None))
    size = sum(len(alone.text(name)) for name in alone.modules)
    assert outputs == [f"{len(alone.names())} {size}\n"] * 2


def test_without_a_place_to_keep_anything(root: Path) -> None:
    opened: Index = open_index(root, store=Store(None))
    assert list(opened.names()) == [
        "Small.double",
        "Small.double_zero",
        "Small.aux",
        "Even",
        "Odd",
        "Small.double_pos",
    ]


def test_modules_that_import_each_other(tmp_path: Path, store: Store) -> None:
    files = {
        "lakefile.toml": LAKEFILE,
        "Small/A.lean": "import Small.B\ndef a := 1\n",
        "Small/B.lean": "import Small.A\nimport Small.B\ndef b := 1\n",
    }
    opened = open_index(write(tmp_path / "r", dict(files)), store=store)
    assert set(opened.names()) == {"a", "b"}


def test_progress_is_told(root: Path, store: Store) -> None:
    told: list[tuple[int, int]] = []
    opened = open_index(root, store=store, progress=lambda done, total: told.append((done, total)))
    opened.names()
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    opened = open_index(root, store=store, progress=lambda done, total: told.append((done, total)))
    opened.names()
    assert len(told) == 4


def test_progress_is_shown_when_it_takes_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 0.5, 1.9, 2.5, 2.6, 3.5, 9.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    progress = Progress("scanning x")
    for done in range(6):
        progress(done * 200, 1000)
    assert capsys.readouterr().err == (
        "scanning x: 400 of 1,000 files\nscanning x: 1,000 of 1,000 files in 9 s\n"
    )


def test_progress_is_silent_when_it_is_quick(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress("scanning x")
    progress(0, 2)
    progress(2, 2)
    assert capsys.readouterr().err == ""


def test_imports_tell_proofs_from_data(tmp_path: Path, store: Store) -> None:
    files = {
        "A.lean": "class Lawful (a : Type) where\n  op : a → a\n  fixed : op = op\n\n"
        "theorem known : 1 = 1 := rfl\n",
        "B.lean": "import A\ninstance : Lawful Nat where\n  op := id\n  fixed := SECRET\n",
        "C.lean": "import B\ndef pair : Fin 2 := mk 1 (known SECRET)\n",
    }
    root = write(tmp_path / "r", dict(files))
    opened = open_index(root, store=store)
    # Without what it imports, nothing says that a field is a proof.
    assert opened.text("B") == files["B.lean"].replace("SECRET", "…")
    assert opened.entries("C")[0].text == "def pair : Fin 2 := mk 1 (…)"
    # A file that is changed says other things of the files that import it.
    write(root, {"A.lean": "class Lawful (a : Type) where\n  op : a → a\n  fixed : Nat\n"})
    opened = open_index(root, store=store)
    assert opened.text("B") == files["B.lean"]
    assert opened.entries("C")[0].text == "def pair : Fin 2 := mk 1 (known SECRET)"


def test_imports_introduce_commands(tmp_path: Path, store: Store) -> None:
    files = {
        "A.lean": 'syntax "claim" ident ":" term : command\n',
        "B.lean": "import A\n",
        "C.lean": "import B\ndef a := 1\nclaim x : a = 1\ndef b := 2\n",
        "D.lean": "def a := 1\nclaim x : a = 1\ndef b := 2\n",
    }
    opened = open_index(write(tmp_path / "r", dict(files)), store=store)
    assert opened.modules["A"].commands == ("claim",)
    assert "custom" in [piece.kind for piece in opened.pieces("C")]
    assert "custom" not in [piece.kind for piece in opened.pieces("D")]
    assert opened.entries("C")[0].text == "def a := 1"
    again = open_index(tmp_path / "r", store=store)
    assert again.modules["A"].commands == ("claim",)
