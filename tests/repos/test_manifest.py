"""Manifests: the built-in one, and what is wrong with others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_vsb.errors import UsageError
from pytest_vsb.lean.elan import NIGHTLY, RELEASE
from pytest_vsb.repos.manifest import MATHLIB_MB, Edit, _manifest, builtin, read_manifest

COMMIT = "0123456789abcdef0123456789abcdef01234567"
GOOD = f'[repos.a]\nurl = "https://example.org/a.git"\ncommit = "{COMMIT}"\n'


def test_the_builtin_one() -> None:
    repositories = builtin().repositories
    assert len(repositories) == 23
    assert sum(bool(one.mathlib) for one in repositories) == 16
    for one in repositories:
        tag = one.toolchain.rpartition(":")[2]
        assert RELEASE.fullmatch(tag) or NIGHTLY.fullmatch(tag), one.name
        assert one.license
        assert re.fullmatch(r"https://github\.com/[\w-]+/[\w-]+\.git", one.url)
        assert one.overlay is not None
        changed = {path for path, _ in one.overlay.files}
        assert {"lean-toolchain", "lake-manifest.json"} <= changed
        # Lake must find one lakefile only.
        (lakefile,) = (path for path in changed if path.startswith("lakefile"))
        assert set(one.overlay.remove) == {"lakefile.lean", "lakefile.toml"} - {lakefile}
    by_name = {one.name: one for one in repositories}
    assert by_name["IntroEffects"].license == "Written-Consent"
    assert by_name["wadray_verification"].license == "GPL-3.0"


def test_defaults(tmp_path: Path) -> None:
    file = tmp_path / "m.toml"
    file.write_text(f"\ufeff{GOOD}mathlib = true\n", encoding="utf-8")
    (one,) = read_manifest(file).repositories
    assert (one.name, one.mathlib, one.build_mb, one.project) == ("a", "yes", MATHLIB_MB, ".")
    assert one.overlay is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "missing required field `repos`"),
        ("[repos", "is not valid TOML"),
        ("repos = 5", "Expected `object`, got `int` - at `repos`"),
        (GOOD + "colour = 1", "unknown field `colour`"),
        (GOOD.replace("https:", "ext:"), "repos.a.url: 'ext://"),
        (GOOD.replace("https://example.org/a.git", "--upload-pack=x"), "repos.a.url"),
        (GOOD.replace("https://example.org/a.git", "../a"), "no https, ssh, git or file URL"),
        (GOOD.replace(COMMIT, COMMIT[:12]), "not a whole commit: 40 hexadecimal digits"),
        (GOOD.replace(COMMIT, "main"), "repos.a.commit: 'main'"),
        (GOOD.replace("repos.a", 'repos."../a"'), "a name may have"),
        (GOOD.replace("repos.a", 'repos.".vsb"'), "a name may have"),
        (GOOD + GOOD.replace("repos.a", "repos.A"), "repos.A: the same directory as a"),
        (GOOD + 'project = "../b"', "repos.a.project"),
        (GOOD + 'targets = ["--flag x"]', "repos.a.targets"),
        (GOOD + 'targets = ["a:b"]', "repos.a.targets"),
        (GOOD + 'toolchain = "-h"', "repos.a.toolchain"),
        (GOOD + "build_mb = -1", "repos.a.build_mb"),
        (GOOD + '[repos.a.overlay.files]\n"x" = "y"', "repos.a.overlay.from: names no overlay"),
        (GOOD + '[repos.a.overlay]\nremove = ["/etc"]', "no path inside the repository"),
        (GOOD + '[repos.a.overlay]\nremove = [".git/hooks/x"]', "no path inside the repository"),
        (GOOD + '[repos.a.overlay]\nremove = [""]', "no path inside the repository"),
        (
            GOOD + '[[repos.a.overlay.edits]]\npath = "x"\nold = ""\nnew = "b"',
            "repos.a.overlay.edits: `old` is empty",
        ),
        (
            GOOD + '[[repos.a.overlay.edits]]\npath = "x"\npattern = true\nold = "("\nnew = "b"',
            "repos.a.overlay.edits: `old` and `new` are no replacement",
        ),
        (
            GOOD
            + '[[repos.a.overlay.edits]]\npath = "x"\npattern = true\nold = "(a)"\nnew = \'\\2\'',
            "repos.a.overlay.edits: `old` and `new` are no replacement",
        ),
        (
            GOOD + f'[repos.a.overlay]\nfrom = "o"\n[overlays.o]\nurl = "x"\ncommit = "{COMMIT}"',
            "overlays.o.url",
        ),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "m.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_manifest(file)
    assert said in caught.value.message
    assert caught.value.where == str(file)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, said in ((tmp_path / "gone", "No such file"), (tmp_path, "directory")):
        with pytest.raises(UsageError, match=said):
            read_manifest(path)
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="is not UTF-8 text"):
        read_manifest(tmp_path / "binary")


@given(st.text() | st.text(st.sampled_from(GOOD), max_size=200).map(lambda text: GOOD + text))
@settings(max_examples=60, deadline=None)
def test_any_text_is_a_manifest_or_an_error(text: str) -> None:
    try:
        found = _manifest(text, None, "x").repositories
    except UsageError as error:
        where = error.where
    else:
        where = "x" if isinstance(found, tuple) else None
    assert where == "x"


def test_selection() -> None:
    manifest = builtin()
    assert [one.name for one in manifest.select(["veil", "clean", "veil"])] == ["veil", "clean"]
    assert manifest.select([]) == manifest.repositories
    for name, hint in (("arklib", "ArkLib"), ("lean-hoar", "lean-hoare"), ("x" * 9, "repos list")):
        with pytest.raises(UsageError, match="no repository") as caught:
            manifest.select([name])
        assert hint in (caught.value.hint or "")


def test_edits() -> None:
    plain = Edit("x", "a.b", r"\\1 c")
    assert plain.apply("a.b axb") == r"\\1 c axb"
    assert plain.apply("axb") is None
    assert plain.is_in(r"see \\1 c")
    assert not plain.is_in("see c")
    pattern = Edit("x", r"f\((\w+), (\w+)\)", r"g \2 \1", pattern=True)
    assert pattern.apply("f(a, b) f(c, d)") == "g b a g d c"
    assert pattern.apply("g b a") is None
    assert pattern.is_in("g b a")
    assert not pattern.is_in("f(a, b)")
