"""What identifies the compiled modules that a task rests on."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_bench import LIMITS, Bench

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.closure import read_imports, stamps
from pytest_vsb.lean.toolchain import Toolchain
from pytest_vsb.provers.base import Candidate
from pytest_vsb.tasks.model import Task

BUILD = Path(".lake/build/lib/lean")
LAKEFILE = 'name = "lib"\n[[lean_lib]]\nname = "Lib"\n'
FILES = {
    "Lib/«deep-er».lean": "def Lib.k : Nat := 4\n",
    "Lib/B.lean": "import Lib.«deep-er»\n",
    "Lib/A.lean": "import Lib.B\ndef Lib.j : Nat → Prop := fun n => n = Lib.k\n",
    "Lib/Aside.lean": "def aside : Nat := 1\n",
    "Lib/F.lean": "import Lib.A\ntheorem Lib.t : Lib.j 4 := rfl\n",
}


class Built:
    """A Lake project that is built, in part or whole, by hand."""

    def __init__(self, root: Path, lean: Toolchain, library: Path = BUILD) -> None:
        self.root, self.lean, self.library = root, lean, root / library
        (root / "lakefile.toml").write_text(LAKEFILE)
        for name, text in FILES.items():
            self.write(name, text)
        for name in list(FILES)[:-1]:
            self.build(name)

    def write(self, name: str, text: str) -> None:
        path = self.root / name.replace("«", "").replace("»", "")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def build(self, name: str) -> bytes:
        """Compile a file as Lake would, to a new olean; its bytes."""
        bench = Bench(self.root, self.lean, self.root / "cache", LIMITS)
        plain = name.replace("«", "").replace("»", "")
        olean = self.library / Path(plain).with_suffix(".olean")
        olean.parent.mkdir(parents=True, exist_ok=True)
        olean.unlink(missing_ok=True)
        runner = bench.checker._stages.runner
        made = runner.run(
            self.root / plain, (self.library,), "-o", str(olean), limits=LIMITS, olean=olean
        )
        assert olean.is_file(), made
        return olean.read_bytes()

    def checker(self) -> tuple[Checker, Task]:
        bench = Bench(self.root, self.lean, self.root / "cache", LIMITS)
        return bench.checker, bench.task("Lib.t", "Lib/F.lean")

    def fingerprint(self) -> str:
        checker, task = self.checker()
        return checker.fingerprint(task)


@pytest.fixture(scope="module")
def pristine(lean: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return Built(tmp_path_factory.mktemp("closure"), lean)


@pytest.fixture
def built(pristine: Built, tmp_path: Path) -> Built:
    """A copy, with the times of the original."""
    root = tmp_path / "copy"
    shutil.copytree(pristine.root, root)
    made = Built.__new__(Built)
    made.root, made.lean, made.library = root, pristine.lean, root / BUILD
    return made


def test_a_verdict_is_not_kept_when_the_meaning_changes_below(built: Built) -> None:
    before = built.fingerprint()
    checker, task = built.checker()
    assert checker.check(task, Candidate(":= rfl")).accepted
    built.write("Lib/«deep-er».lean", "def Lib.k : Nat := 5\n")
    direct = (built.library / "Lib/A.olean").read_bytes()
    built.build("Lib/«deep-er».lean")
    built.build("Lib/B.lean")
    # What the file imports is the same to the byte: the change is two modules further down.
    assert built.build("Lib/A.lean") == direct
    assert built.fingerprint() != before
    checker, task = built.checker()
    assert not checker.check(task, Candidate(":= rfl")).accepted


@pytest.mark.parametrize("part", [None, 0.0, 0.5], ids=["missing", "empty", "half"])
def test_nobody_is_blamed_for_a_build_in_the_middle(built: Built, part: float | None) -> None:
    checker, task = built.checker()
    checker.fingerprint(task)
    checker.prepare(task)
    olean = built.library / "Lib/B.olean"
    whole = olean.read_bytes()
    olean.unlink()
    if part is not None:
        olean.write_bytes(whole[: int(part * len(whole))])
    with pytest.raises(EnvironmentUnavailable, match="have changed during the run"):
        checker.check(task, Candidate(":= rfl"))
    olean.write_bytes(whole)
    assert checker.check(task, Candidate(":= rfl")).accepted


def test_a_verdict_is_kept_when_nothing_below_changes(built: Built) -> None:
    before = built.fingerprint()
    built.write("Lib/Aside.lean", "def aside : Nat := 2\n")
    built.build("Lib/Aside.lean")
    built.build("Lib/B.lean")
    for olean in built.library.rglob("*.olean"):
        os.utime(olean)
    assert built.fingerprint() == before


def test_a_new_module_below_is_seen(built: Built) -> None:
    before = built.fingerprint()
    built.write("Lib/B.lean", "import Lib.«deep-er»\nimport Lib.Aside\n")
    built.build("Lib/B.lean")
    with_aside = built.fingerprint()
    built.write("Lib/Aside.lean", "def aside : Nat := 2\n")
    built.build("Lib/Aside.lean")
    assert len({before, with_aside, built.fingerprint()}) == 3


@pytest.mark.parametrize("suffix", ["server", "private"])
def test_further_parts_count(built: Built, suffix: str) -> None:
    before = built.fingerprint()
    (built.library / f"Lib/B.olean.{suffix}").write_bytes(b"1")
    assert built.fingerprint() != before


def said(library: Path) -> list[str]:
    return list(stamps(("Lib.A",), (library,)))


@pytest.mark.parametrize(
    "place", [".lake/packages/lib/" + str(BUILD), "lake-packages/lib/build/lib"]
)
def test_packages_are_known_by_their_revision_and_their_files(
    built: Built, tmp_path: Path, place: str
) -> None:
    library, manifest = tmp_path / "user" / place, tmp_path / "user" / "lake-manifest.json"
    shutil.copytree(built.library, library)
    manifest.write_text('{"packages": [{"rev": "1"}]}')
    seen = [said(library)]
    assert said(library) == seen[0]
    os.utime(library / "Lib/Aside.olean")
    assert said(library) == seen[0]
    os.utime(library / "Lib/deep-er.olean")
    seen.append(said(library))
    manifest.write_text('{"packages": [{"rev": "2"}]}')
    seen.append(said(library))
    (library / "Lib/B.olean").unlink()
    seen.append(said(library))
    assert len({tuple(one) for one in seen}) == 4
    # Without a manifest nothing says which revision it is: the content does.
    manifest.unlink()
    before = said(library)
    os.utime(library / "Lib/deep-er.olean")
    assert said(library) == before


def test_a_library_that_only_has_the_name_of_ours(built: Built, tmp_path: Path) -> None:
    library = tmp_path / "views" / "lib"
    shutil.copytree(built.library, library)
    before = said(library)
    with (library / "Lib/A.olean").open("ab") as file:
        file.write(b"\0")
    assert said(library) != before


def test_of_an_unknown_format_everything_counts(built: Built) -> None:
    olean = built.library / "Lib/A.olean"
    data = olean.read_bytes()
    olean.write_bytes(b"olean\x7f" + data[6:])
    before = said(built.library)
    assert said(built.library) == before
    os.utime(built.library / "Lib/Aside.olean")
    assert said(built.library) != before


def test_imports_are_read(pristine: Built) -> None:
    found = read_imports((pristine.library / "Lib/B.olean").read_bytes())
    assert found is not None
    assert found[-1] == "«Lib».«deep-er»"
    assert set(found[:-1]) <= {"«Init»"}


@given(place=st.integers(0, 5000), patch=st.binary(min_size=1, max_size=8), cut=st.integers(0, 99))
def test_no_file_is_too_broken(pristine: Built, place: int, patch: bytes, cut: int) -> None:
    data = bytearray((pristine.library / "Lib/B.olean").read_bytes())
    data[place % len(data) : place % len(data) + len(patch)] = patch
    found = read_imports(bytes(data[: len(data) - cut]))
    assert found is None or all(isinstance(name, str) for name in found)
