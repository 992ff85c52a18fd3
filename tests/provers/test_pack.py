"""Projects on their way to a remote prover and back."""

from __future__ import annotations

import difflib
import io
import json
import os
import random
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from project_files import PROJECT, SENT, make_project, project_task

from pytest_vsb.provers.base import ProverUnavailable
from pytest_vsb.provers.pack import Pack, pack
from pytest_vsb.provers.remote import candidate_of
from pytest_vsb.provers.unpack import (
    BadReturn,
    Bounds,
    apply_patch,
    below,
    read_archive,
    safe_path,
)
from pytest_vsb.source.diff import DiffRefused


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


def members(data: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        found = {}
        for member in archive:
            stream = archive.extractfile(member)
            assert stream is not None
            found[member.name] = stream.read()
        return found


def test_what_is_sent(root: Path) -> None:
    sent = pack(project_task(), root)
    assert {path: content.decode() for path, content in sent.files.items()} == SENT
    assert sent.target.full_name == "Lib.goal"
    assert sent.directories == (".",)


def test_the_proof_and_the_history_stay_here(root: Path) -> None:
    everything = b"\0".join(pack(project_task(), root).files.values())
    assert b"SECRET" not in everything
    assert b"SECRET" in (root / "Lib" / "Main.lean").read_bytes()


def test_archives_hold_the_files_and_are_repeatable(root: Path) -> None:
    sent = pack(project_task(), root)
    assert members(sent.tar()) == dict(sent.files)
    with zipfile.ZipFile(io.BytesIO(sent.zip())) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == dict(sent.files)
    again = pack(project_task(), root)
    assert (again.tar(), again.zip(), again.digest) == (sent.tar(), sent.zip(), sent.digest)
    (root / "Lib" / "Base.lean").write_text("def base := 2\n")
    assert pack(project_task(), root).digest != sent.digest


def test_local_package(root: Path) -> None:
    (root / "dep" / ".lake").mkdir(parents=True)
    (root / "dep" / "Dep.lean").write_text("def dep := 1\n")
    (root / "dep" / "lakefile.toml").write_text('name = "dep"\n')
    (root / "dep" / "notes.txt").write_text("no")
    (root / "dep" / ".lake" / "Hidden.lean").write_text("no")
    manifest = {"packages": [{"type": "path", "name": "dep", "dir": "dep"}]}
    (root / "lake-manifest.json").write_text(json.dumps(manifest))
    files = pack(project_task(), root).files
    assert [path for path in files if path.startswith("dep/")] == [
        "dep/Dep.lean",
        "dep/lakefile.toml",
    ]


def test_package_outside_is_refused(root: Path) -> None:
    manifest = {"packages": [{"type": "path", "name": "dep", "dir": "../dep"}]}
    (root / "lake-manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ProverUnavailable, match="'dep', which is outside of it"):
        pack(project_task(), root)


def test_link_out_of_the_project_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.lean").write_text("def base := 1\n")
    (root / "Lib" / "Base.lean").unlink()
    (root / "Lib" / "Base.lean").symlink_to(tmp_path / "outside.lean")
    with pytest.raises(ProverUnavailable, match="leads out of the project"):
        pack(project_task(), root)


@pytest.mark.parametrize("path", ["../Main.lean", "/etc/passwd", "Lib/../../x.lean"])
def test_path_out_of_the_project_is_refused(root: Path, path: str) -> None:
    with pytest.raises(ProverUnavailable, match="not a path inside the project"):
        pack(project_task(path=path), root)


def test_size_is_bounded(root: Path) -> None:
    with pytest.raises(ProverUnavailable, match="more than 100 bytes"):
        pack(project_task(), root, max_bytes=100)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"name": "Lib.none"}, "no declaration Lib.none"),
        ({"statement": "theorem goal : False"}, "the statement of Lib.goal is not the one"),
        ({"path": "Lib/None.lean"}, "cannot be read"),
    ],
)
def test_target_that_is_not_there(root: Path, more: dict[str, str], said: str) -> None:
    with pytest.raises(ProverUnavailable, match=said):
        pack(project_task(**more), root)


def test_no_project() -> None:
    with pytest.raises(ProverUnavailable, match="project is needed"):
        pack(project_task(), None)


# Archives that come back


def tar_of(*entries: tuple[tarfile.TarInfo, bytes], mode: str = "w:gz") -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode=mode) as archive:  # type: ignore[call-overload]
        for info, content in entries:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return raw.getvalue()


def entry(name: str, content: bytes = b"x", kind: bytes = tarfile.REGTYPE) -> tuple:  # type: ignore[type-arg]
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = "/etc/passwd" if kind != tarfile.REGTYPE else ""
    return info, content if kind == tarfile.REGTYPE else b""


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_read_archive(mode: str) -> None:
    data = tar_of(
        entry("./A/B.lean", "def \u03b1 := 1".encode()),
        entry("A/notes.md"),
        entry(".lake/packages/X.lean"),
        entry("A/link.lean", kind=tarfile.SYMTYPE),
        entry("A/hard.lean", kind=tarfile.LNKTYPE),
        entry("A/pipe.lean", kind=tarfile.FIFOTYPE),
        mode=mode,
    )
    assert read_archive(data) == {"A/B.lean": "def \u03b1 := 1"}


def test_read_zip() -> None:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        archive.writestr("A/B.lean", "x")
        link = zipfile.ZipInfo("A/link.lean")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    assert read_archive(raw.getvalue()) == {"A/B.lean": "x"}


UNSAFE = ["../x.lean", "/x.lean", "a/../../x.lean", "C:x.lean", "a\\..\\x.lean"]


@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe_name_is_refused(name: str) -> None:
    with pytest.raises(BadReturn, match="unsafe name"):
        read_archive(tar_of(entry(name)))
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), "x")
    with pytest.raises(BadReturn, match="unsafe name"):
        read_archive(raw.getvalue())


SMALL = Bounds(packed=20_000, unpacked=50_000, file=10_000, files=5)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (tar_of(entry("a.lean", b"\0" * 1_000_000)), "holds more than"),
        (tar_of(entry("a.lean", b"\0" * 20_000)), "a.lean is too large"),
        (tar_of(*(entry(f"{n}.txt") for n in range(6))), "more than 5 files"),
        (tar_of(entry("a.lean", random.Random(0).randbytes(30_000))), "more than 20,000"),
        (tar_of(entry("a.lean", b"\xff")), "a.lean is not UTF-8"),
        (tar_of(entry("a.lean", b"abc"))[:-12], "cannot be read"),
        (b"", "cannot be read"),
        (b"PK\x03\x04 no zip", "cannot be read"),
        (b"<html>", "cannot be read"),
    ],
    ids="bomb large many packed binary damaged empty zip html".split(),
)
def test_bad_archive(data: bytes, said: str) -> None:
    with pytest.raises(BadReturn, match=said):
        read_archive(data, SMALL)


def test_zip_that_understates_its_size() -> None:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.lean", b"\0" * 1_000_000)
    data = raw.getvalue().replace((1_000_000).to_bytes(4, "little"), (9).to_bytes(4, "little"))
    with pytest.raises(BadReturn):
        read_archive(data, SMALL)


@given(st.binary(max_size=300), st.sampled_from([b"", b"PK\x03\x04", b"\x1f\x8b\x08\x00"]))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_read_or_refused(data: bytes, magic: bytes) -> None:
    try:
        found = read_archive(magic + data)
    except BadReturn:
        return
    assert all(name.endswith(".lean") for name in found)


@given(st.text(max_size=30))
@example("a/" * 600)
def test_a_safe_path_stays_inside(name: str) -> None:
    try:
        path = safe_path(name)
    except BadReturn:
        return
    place = Path("/somewhere/deep")
    assert os.path.normpath(place / path).startswith(str(place))


def test_project_in_a_directory_of_its_own() -> None:
    files = {"p/A.lean": "1", "p/old/p/A.lean": "2", "B.lean": "3"}
    assert below(files, "A.lean") == {"A.lean": "1", "old/p/A.lean": "2"}
    with pytest.raises(BadReturn, match="has no C"):
        below(files, "C.lean")


# Patches


def patch_of(path: str, old: str, new: str, context: int = 3) -> str:
    lines = difflib.unified_diff(
        old.splitlines(keepends=True),
        new.splitlines(keepends=True),
        f"a/{path}",
        f"b/{path}",
        n=context,
    )
    text = "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
    return f"diff --git a/{path} b/{path}\nindex 1..2 100644\n{text}"


_LINES = st.lists(
    st.sampled_from(["a", "b", "", "  c", "-d", "+e", "@@ f", "\u2028g"]), max_size=12
)


@given(_LINES, _LINES, st.integers(0, 3), st.booleans(), st.booleans())
@settings(max_examples=200, deadline=None)
def test_patch_round_trip(
    old: list[str], new: list[str], context: int, old_end: bool, new_end: bool
) -> None:
    # Our lines hold no line end of another kind but U+2028, which difflib is not asked to split.
    before = "\n".join(line.replace("\u2028", "g") for line in old) + "\n" * old_end
    after = "\n".join(line.replace("\u2028", "g") for line in new) + "\n" * new_end
    files = {"A.lean": before, "B.lean": "b"}
    patched = apply_patch(files, patch_of("A.lean", before, after, context))
    assert patched == {"A.lean": after, "B.lean": "b"}


def test_patch_with_a_new_file_and_others() -> None:
    patch = (
        "diff --git a/N.lean b/N.lean\nnew file mode 100644\n--- /dev/null\n+++ b/N.lean\n"
        "@@ -0,0 +1,2 @@\n+one\n+two\n"
        "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-x\n+y\n"
        "--- a/A.lean\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
        '--- "a/\\316\\261.lean"\n+++ "b/\\316\\261.lean"\n@@ -1 +1 @@\n-a\n+b\n'
    )
    files = {"A.lean": "a\n", "\u03b1.lean": "a\n", "README.md": "x\n"}
    assert apply_patch(files, patch) == {
        "A.lean": "a\n",
        "\u03b1.lean": "b\n",
        "README.md": "x\n",
        "N.lean": "one\ntwo\n",
    }


def test_patch_that_is_some_lines_off() -> None:
    files = {"A.lean": "new\nnew\n1\n2\n3\n"}
    patch = "--- a/A.lean\n+++ b/A.lean\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n"
    assert apply_patch(files, patch) == {"A.lean": "new\nnew\n1\ntwo\n3\n"}


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ("--- a/A.lean\n+++ b/A.lean\n@@ -1 +1 @@\n-no\n+b\n", "does not fit A.lean at line 1"),
        ("--- a/B.lean\n+++ b/B.lean\n@@ -1 +1 @@\n-a\n+b\n", "B.lean, which was not sent"),
        ("--- a/../A.lean\n+++ b/../A.lean\n@@ -1 +1 @@\n-a\n+b\n", "unsafe name"),
        ("--- /dev/null\n+++ /tmp/A.lean\n@@ -0,0 +1 @@\n+b\n", "unsafe name"),
        ("--- a/A.lean\n+++ b/A.lean\n@@ -1 +1 @@\n-a\n", "ends in the middle"),
        ("--- a/A.lean\n+++ b/A.lean\n@@ -1 +1 @@\n?a\n", "begins with"),
        ("--- a/A.lean\n+++ b/A.lean\n@@ -1 +1 @@\n-a\n-b\n+c\n", "other lines than it says"),
        ("@@ -1 +1 @@\n-a\n+b\n", "without a file"),
        ("GIT binary patch\n", "binary"),
    ],
)
def test_bad_patch(patch: str, said: str) -> None:
    with pytest.raises(BadReturn, match=said):
        apply_patch({"A.lean": "a\n"}, patch)


@given(st.text(alphabet=" +-@\\a\n,1/", max_size=80))
@settings(max_examples=200, deadline=None)
def test_any_patch_is_applied_or_refused(text: str) -> None:
    try:
        found = apply_patch({"a": "a\n"}, f"--- a/a\n+++ b/a\n{text}")
    except BadReturn:
        return
    assert found["a"] == "a\n"


# Both ways


def returned(sent: Pack, changes: dict[str, str]) -> dict[str, str]:
    given = {p: c.decode() for p, c in sent.files.items() if p.endswith(".lean")}
    return {f"project/{path}": text for path, text in {**given, **changes}.items()}


def test_candidate_of_a_project(root: Path) -> None:
    sent = pack(project_task(), root)
    proved = sent.source.text.replace("by\n  sorry", "by\n  exact fresh")
    proved = "import Lib.New\n" + proved
    files = returned(
        sent,
        {
            "Lib/Main.lean": proved,
            "Lib/New.lean": "import Lib.Base\ntheorem fresh : base = 1 := more\n",
            "Lib/Base.lean": PROJECT["Lib/Base.lean"] + "theorem more : base = 1 := rfl\n",
            "Lib/Unused.lean": "theorem unused : True := trivial\n",
        },
    )
    found = candidate_of(sent, files)
    assert found.proof == ":= by\n  exact fresh"
    assert found.auxiliary == (
        "theorem _root_.more : base = 1 := rfl\n\ntheorem _root_.fresh : base = 1 := more"
    )
    assert found.notes == ("new-imports", "other-modules", "moved-declarations")


def test_candidate_of_a_project_with_another_definition(root: Path) -> None:
    sent = pack(project_task(), root)
    files = returned(sent, {"Lib/Base.lean": "def base := 2\n"})
    with pytest.raises(DiffRefused, match="base, which comes before the target, was changed"):
        candidate_of(sent, files)
