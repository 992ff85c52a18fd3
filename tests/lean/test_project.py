"""Repositories: sources, options, and where compiled modules come from."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import process
from pytest_vsb.lean.imports import Header, components, module_path, read_header
from pytest_vsb.lean.lakefile import read_layout, read_program
from pytest_vsb.lean.process import Completed, Limits
from pytest_vsb.lean.project import Project, open_project
from pytest_vsb.lean.toolchain import Toolchain

NO_LEAN = Toolchain("path", "4.9.0", "a" * 40, ("/no/such/lean",), (), (), "of a test", True)
FILES = {
    "Demo/A.lean": "private theorem one : 1 = 1 := rfl\ntheorem a : 1 = 1 := one\n",
    "Demo/Sub/«B».lean": "",
    "Demo/Sub/B-1.lean": "import Demo.A\ntheorem b : 1 = 1 := a\n",
    "Demo/C.lean": "/- c -/ -- d\nimport Demo.A import Demo.Sub.«B-1»\ntheorem c : 1 = 1 := b\n",
    "Top.lean": "import Demo.C\ntheorem top : 1 = 1 := c\n",
}


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def snapshot(root: Path) -> dict[str, bytes]:
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def olean(path: Path, commit: str = "a" * 40) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"olean\x02\x00" + b"4.9.0".ljust(33, b"\0") + commit.encode() + b"\0" * 50)
    return path


def ask(project: Project, imports: list[str], text: str, directory: Path) -> Completed:
    header = "".join(f"import {name}\n" for name in imports)
    (directory / "Ask.lean").write_text(header + text, encoding="utf-8")
    return process.run(
        project.toolchain.argv("Ask.lean"),
        cwd=directory,
        env=project.toolchain.environment(project.search_path(imports)),
        limits=Limits(120),
    )


# Headers and names


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("", Header(())),
        ("import A.B\nimport C", Header(("A.B", "C"))),
        ("import A import B", Header(("A", "B"))),
        ("\ufeff-- x\n/- a /- b -/ c -/\nimport A--y\n", Header(("A",))),
        ("prelude\nimport A", Header(("A",), prelude=True)),
        (
            "module\n\npublic import A\nmeta import B\nimport all C\npublic meta import D.E",
            Header(("A", "B", "C", "D.E"), module=True),
        ),
        ("import «A b».«c-d».E\r\nimport É.α₁'", Header(("«A b».«c-d».E", "É.α₁'"))),
        ("/-! import X -/\nimport A", Header(())),
        ("import A\ntheorem x : 1 = 1 := rfl\nimport B", Header(("A",))),
        ("importA", Header(())),
        ("import", Header(())),
        ("import 5", Header(())),
        ("/- never closed\nimport A", Header(())),
        ("public theorem x", Header(())),
        ("moduleX\nimport A", Header(())),
    ],
)
def test_header(text: str, header: Header) -> None:
    assert read_header(text) == header


@given(st.text(alphabet="import A.Bpublic«»-/ \n\tmodule prelude all"))
def test_header_of_any_text(text: str) -> None:
    read_header(text)


@settings(max_examples=50)
@given(st.text())
def test_no_module_name_leads_out(name: str) -> None:
    path = module_path(name, ".lean")
    assert not path.is_absolute()
    assert ".." not in path.parts
    assert path.suffix == ".lean" or path.name.endswith(".lean")


def test_components() -> None:
    assert components("A.«b.c».D") == ("A", "b.c", "D")
    assert module_path("A.«b-c»", ".olean") == Path("A", "b-c.olean")
    assert module_path("A.«..».«/etc»", "") == Path("A", "_", "_etc")


# Sources


def test_source(tmp_path: Path) -> None:
    root = write(tmp_path / "r é", FILES)
    project = open_project(root, NO_LEAN)
    assert project.source("Demo/A.lean") == root / "Demo" / "A.lean"


@pytest.mark.parametrize("path", ["../x.lean", "/etc/passwd", "", "Demo/../../x", "a\0b"])
def test_source_outside(tmp_path: Path, path: str) -> None:
    with pytest.raises(EnvironmentUnavailable, match="not a path inside"):
        open_project(tmp_path, NO_LEAN).source(path)


def test_source_that_is_missing(tmp_path: Path) -> None:
    project = open_project(write(tmp_path, FILES), NO_LEAN)
    with pytest.raises(EnvironmentUnavailable, match=r"no file Demo/AA\.lean") as caught:
        project.source("Demo/AA.lean")
    assert str(tmp_path / "Demo" / "A.lean") in str(caught.value.hint)
    with pytest.raises(EnvironmentUnavailable, match="commit of the task file"):
        project.source("Nowhere/At/All.lean")


def test_repository_that_is_missing(tmp_path: Path) -> None:
    project = open_project(tmp_path / "gone", NO_LEAN)
    for question in (
        lambda: project.source("A.lean"),
        lambda: project.search_path(["A"]),
        project.lean_options,
    ):
        with pytest.raises(EnvironmentUnavailable, match="'gone' is not there"):
            question()


# Options and layout


def test_options_of_lakefile_toml(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "lakefile.toml": 'name = "demo"\nsrcDir = "src"\nmoreLeanArgs = ["-DmaxRecDepth=99"]\n'
            "[leanOptions]\nautoImplicit = false\npp.unicode.fun = true\nmaxHeartbeats = 5\n"
            'weak.linter.x = "y"\n'
            '[[lean_lib]]\nname = "Demo"\nleanOptions.relaxedAutoImplicit = false\n'
            '[[lean_lib]]\nname = "Other"\nsrcDir = "more"\nroots = ["Odd.Root"]\n'
        },
    )
    project = open_project(tmp_path, NO_LEAN)
    common = (
        "-DautoImplicit=false",
        "-Dpp.unicode.fun=true",
        "-DmaxHeartbeats=5",
        "-Dweak.linter.x=y",
        "-DmaxRecDepth=99",
    )
    assert project.lean_options() == common
    assert project.lean_options("src/Demo/X.lean") == (*common, "-DrelaxedAutoImplicit=false")
    assert project.lean_options("src/more/Odd/Root/X.lean") == common
    src = tmp_path / "src"
    assert read_layout(tmp_path).source_directories == (src, src / "more", tmp_path)


PROGRAM = """
import Lake
open Lake DSL
-- leanOptions := #[⟨`commented, true⟩]
abbrev shared : Array LeanOption := #[
  ⟨`autoImplicit, false⟩, /- ⟨`no, true⟩ -/ ⟨`pp.unicode.fun, true⟩]

package «my pkg» where
  leanOptions := shared ++ (#[⟨`pp.«all», true⟩])
  moreServerOptions := #[⟨`server, true⟩]

require mathlib from git "https://example.org/a--b"

@[default_target]
lean_lib «Demo» where
  srcDir := "src"
  roots := #[`Demo.Main, `«Odd-Name»]
  leanOptions := #[⟨`maxRecDepth, .ofNat 77⟩, ⟨`weak.x, "y"⟩]
  moreLeanArgs := #["-DwarningAsError=true"]

lean_exe tool where
  srcDir := "tools"
"""


def test_options_of_lakefile_lean(tmp_path: Path) -> None:
    write(tmp_path, {"lakefile.lean": PROGRAM, "lakefile.toml": 'name = "ignored"\n'})
    layout = read_layout(tmp_path)
    assert layout.options == ("-DautoImplicit=false", "-Dpp.unicode.fun=true", "-Dpp.all=true")
    (library,) = layout.libraries
    assert library.roots == ("Demo.Main", "Odd-Name")
    assert library.source_directory == tmp_path / "src"
    assert library.options == ("-DmaxRecDepth=77", "-Dweak.x=y", "-DwarningAsError=true")
    assert layout.is_lake


@given(st.text(alphabet='package leanOptions:=#[⟨`a,true⟩]"-/\n«»lean_lib'))
def test_any_lakefile_lean_is_read(text: str) -> None:
    read_program(text)


@pytest.mark.parametrize("text", ["name = ", "\x00", "[[lean_lib]]\nname = 5\n[[lean_lib"])
def test_broken_lakefile_toml(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"lakefile.toml": text})
    with pytest.raises(EnvironmentUnavailable, match=r"lakefile\.toml"):
        open_project(tmp_path, NO_LEAN).lean_options()


def test_odd_values_in_lakefile_toml(tmp_path: Path) -> None:
    write(tmp_path, {"lakefile.toml": "srcDir = 5\nlean_lib = 3\nleanOptions = [1]\n"})
    assert open_project(tmp_path, NO_LEAN).lean_options() == ()


def test_no_lakefile(tmp_path: Path) -> None:
    assert open_project(tmp_path, NO_LEAN).lean_options() == ()


# What Lake has built


def lake(tmp_path: Path, lib: str = ".lake/build/lib/lean") -> Path:
    root = write(tmp_path / "lake", {**FILES, "lakefile.toml": 'name = "demo"\n'})
    for name in ("Demo/A", "Demo/C", "Demo/Sub/B-1", "Top"):
        olean(root / lib / f"{name}.olean")
    return root


@pytest.mark.parametrize("lib", [".lake/build/lib/lean", ".lake/build/lib", "build/lib"])
def test_built_modules_are_used(tmp_path: Path, lib: str) -> None:
    root = lake(tmp_path, lib)
    before = snapshot(root)
    assert open_project(root, NO_LEAN).search_path(["Demo.C", "Init"]) == (root / lib,)
    assert snapshot(root) == before


def test_packages_of_the_manifest(tmp_path: Path) -> None:
    root = lake(tmp_path)
    manifest = {
        "packagesDir": ".lake/pkgs",
        "packages": [
            {"type": "git", "name": "«batteries»", "subDir": None},
            {"type": "git", "name": "mono", "subDir": "in/side"},
            {"type": "path", "name": "near", "dir": "../near"},
            {"git": {"name": "old"}},
            {"path": {"name": "oldpath", "dir": "old"}},
            {"type": "git", "name": "not built"},
            "rubbish",
        ],
    }
    (root / "lake-manifest.json").write_text(json.dumps(manifest))
    places = [
        root / ".lake/pkgs/batteries",
        root / ".lake/pkgs/mono/in/side",
        tmp_path / "near",
        root / ".lake/pkgs/old",
        root / "old",
    ]
    for place in places:
        (place / ".lake/build/lib/lean").mkdir(parents=True)
    olean(places[0] / ".lake/build/lib/lean/Batteries/X.olean")
    found = open_project(root, NO_LEAN).search_path(["Demo.A", "Batteries.X"])
    assert [path.resolve() for path in found] == [
        path.resolve() / ".lake/build/lib/lean" for path in (root, *places)
    ]


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000])
def test_broken_manifest(tmp_path: Path, text: str) -> None:
    root = lake(tmp_path)
    (root / "lake-manifest.json").write_text(text)
    with pytest.raises(EnvironmentUnavailable, match=r"lake-manifest\.json"):
        open_project(root, NO_LEAN).search_path(["Demo.A"])


def test_package_that_is_not_built(tmp_path: Path) -> None:
    root = lake(tmp_path)
    with pytest.raises(EnvironmentUnavailable, match=r"Mathlib\.Order") as caught:
        open_project(root, NO_LEAN).search_path(["Mathlib.Order", "Demo.A"])
    assert caught.value.hint == f"run `lake build Mathlib.Order` in {root}"


def test_module_that_needs_an_unbuilt_package(tmp_path: Path) -> None:
    root = write(
        tmp_path, {"lakefile.toml": 'name = "d"', "D.lean": "import Mathlib.A\nimport Mathlib.B\n"}
    )
    with pytest.raises(EnvironmentUnavailable, match=r"Mathlib\.A, Mathlib\.B") as caught:
        open_project(root, NO_LEAN).search_path(["D"])
    assert "lake build Mathlib.A Mathlib.B D" in str(caught.value.hint)


def test_olean_of_another_lean_is_not_used(tmp_path: Path) -> None:
    root = lake(tmp_path)
    olean(root / ".lake/build/lib/lean/Gen.olean", commit="b" * 40)
    with pytest.raises(EnvironmentUnavailable, match=r"nor compiled by Lean 4\.9\.0: Gen"):
        open_project(root, NO_LEAN).search_path(["Gen"])


def test_stale_build_is_noted(tmp_path: Path) -> None:
    root = lake(tmp_path)
    os.utime(root / ".lake/build/lib/lean/Demo/A.olean", (1, 1))
    project = open_project(root, NO_LEAN)
    project.search_path(["Demo.C"])
    project.search_path(["Demo.A"])
    (note,) = project.notes
    assert "A.lean is newer than its build" in note


def test_module_that_is_nowhere(tmp_path: Path) -> None:
    project = open_project(write(tmp_path, FILES), NO_LEAN)
    with pytest.raises(EnvironmentUnavailable, match=r"Demo\.Nope"):
        project.search_path(["Demo.Nope"])


def test_import_cycle(tmp_path: Path) -> None:
    files = {"A.lean": "import B", "B.lean": "import C", "C.lean": "import B"}
    project = open_project(write(tmp_path, files), NO_LEAN)
    with pytest.raises(EnvironmentUnavailable, match="B -> C -> B"):
        project.search_path(["A"])


def test_long_chain_of_imports(tmp_path: Path) -> None:
    files = {f"M{n}.lean": f"import M{n + 1}\n" for n in range(1200)}
    files["M1200.lean"] = "import Mathlib\n"
    project = open_project(write(tmp_path, files), NO_LEAN)
    with pytest.raises(EnvironmentUnavailable, match="Mathlib"):
        project.search_path(["M0"])


def test_no_imports(tmp_path: Path) -> None:
    assert open_project(tmp_path, NO_LEAN, cache=tmp_path / "c").search_path([]) == ()


# Compiling


@pytest.mark.lean
def test_compile_into_the_cache(toolchain: Toolchain, tmp_path: Path) -> None:
    root = write(tmp_path / "repo é 𝔸", FILES)
    before = snapshot(root)
    project = open_project(root, toolchain, cache=tmp_path / "c d")
    (view,) = project.search_path(["Top"])
    assert snapshot(root) == before
    assert (view / "Demo" / "Sub" / "B-1.olean").is_file()
    text = "#print axioms top\nset_option pp.privateNames true\n#print a\n"
    done = ask(project, ["Top"], text, tmp_path)
    assert done.exit_code == 0
    assert "'top' does not depend on any axioms" in done.stdout
    # The module's name is part of a private name: it must be that of the real build.
    assert "_private.Demo.A.0.one" in done.stdout


@pytest.mark.lean
def test_only_what_changed_is_compiled_again(toolchain: Toolchain, tmp_path: Path) -> None:
    root = write(tmp_path / "repo", FILES)
    cache = tmp_path / "cache"

    def compiled() -> set[str]:
        return {path.name for path in (cache / "lean" / "modules").iterdir() if path.is_dir()}

    first = open_project(root, toolchain, cache=cache).search_path(["Top"])
    before = compiled()
    assert len(before) == 4
    assert open_project(root, toolchain, cache=cache).search_path(["Top"]) == first
    assert compiled() == before
    with (root / "Demo" / "C.lean").open("a") as file:
        file.write("-- changed\n")
    second = open_project(root, toolchain, cache=cache).search_path(["Top"])
    assert second != first
    assert len(compiled() - before) == 2  # Demo.C and Top


@pytest.mark.lean
def test_options_are_used_and_are_part_of_the_key(toolchain: Toolchain, tmp_path: Path) -> None:
    files = {"Auto.lean": "def auto (h : p) : p := h\n"}
    root = write(tmp_path / "repo", files)
    cache = tmp_path / "cache"
    open_project(root, toolchain, cache=cache).search_path(["Auto"])
    write(root, {"lakefile.toml": 'name = "r"\n[leanOptions]\nautoImplicit = false\n'})
    project = open_project(root, toolchain, cache=cache)
    for _ in range(2):
        with pytest.raises(EnvironmentUnavailable, match=r"Auto does not compile.*1:\d+: ") as info:
            project.search_path(["Auto"])
    assert info.value.where == str(root / "Auto.lean")


BUILD = """
import sys
from pathlib import Path
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.toolchain import Toolchain
command, library = eval(sys.argv[3])
lean = Toolchain("path", "x", "", command, (), tuple(map(Path, library)), "", True)
print(open_project(Path(sys.argv[1]), lean, cache=Path(sys.argv[2])).search_path(["Top"]))
"""


@pytest.mark.lean
def test_four_workers_at_once(toolchain: Toolchain, tmp_path: Path) -> None:
    root = write(tmp_path / "repo", FILES)
    lean = repr((toolchain.command, [str(path) for path in toolchain.library_path]))
    command = [sys.executable, "-c", BUILD, str(root), str(tmp_path / "cache"), lean]
    workers = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    outputs = [worker.communicate(timeout=120) for worker in workers]
    assert {error for _, error in outputs} == {""}
    assert len({output for output, _ in outputs}) == 1


@pytest.mark.lean
def test_two_threads_at_once(
    toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As when the next task's file is looked at while the last one's is judged.
    write(tmp_path / "project", FILES)
    project = open_project(tmp_path / "project", toolchain, cache=tmp_path / "cache")
    begun = threading.Event()
    compile = process.run

    def run(*args: Any, **kwargs: Any) -> Completed:
        begun.set()
        return compile(*args, **kwargs)

    monkeypatch.setattr(process, "run", run)
    with ThreadPoolExecutor() as pool:
        other = pool.submit(project.search_path, ["Top"])
        assert begun.wait(60)
        assert project.search_path(["Top"]) == other.result()


@pytest.mark.lean
def test_an_exception_in_the_middle_of_a_build_is_not_the_end_of_it(
    toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "project", FILES)
    project = open_project(tmp_path / "project", toolchain, cache=tmp_path / "cache")

    def interrupted(*args: Any, **kwargs: Any) -> Completed:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(process, "run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            project.search_path(["Top"])
    said = ask(project, ["Top"], "example : 1 = 1 := top", tmp_path)
    assert said.exit_code == 0, said.stdout


@pytest.mark.lean
def test_embedded_lean_lacks_the_standard_library(
    embedded_toolchain: Toolchain, tmp_path: Path
) -> None:
    root = write(tmp_path, {"A.lean": "import Lean\n"})
    with pytest.raises(EnvironmentUnavailable, match="embedded Lean has no module Lean"):
        open_project(root, embedded_toolchain).search_path(["A"])


def test_what_a_build_made_of_a_file(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            "lakefile.toml": 'name = "d"\n[[lean_lib]]\nname = "Demo"\nsrcDir = "src"\n',
            "src/Demo/A.lean": "",
            "src/Demo/A/B.lean": "",
        },
    )
    library = root / ".lake" / "build" / "lib"
    names = ("A.olean", "A.ilean", "A.olean.hash", "A.trace", "A/B.olean", "AB.olean")
    for name in names:
        olean(library / "Demo" / name)
    project = open_project(root, NO_LEAN)
    made = [
        path.relative_to(library).as_posix() for path in project.compiled_files("src/Demo/A.lean")
    ]
    assert made == ["Demo/A.ilean", "Demo/A.olean", "Demo/A.olean.hash", "Demo/A.trace"]
    assert [path.name for path in project.compiled_files("src/Demo/A/B.lean")] == ["B.olean"]
    assert project.compiled_files("src/Demo/C.lean") == ()
    assert open_project(tmp_path / "src", NO_LEAN).compiled_files("Demo/A.lean") == ()
