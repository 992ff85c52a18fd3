"""Choosing a sandbox: what does not hold is found out, and said."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.lean.sandbox import bubblewrap, choose, landlock, seccomp, selftest
from pytest_vsb.lean.sandbox.box import MODES, Box, Level
from pytest_vsb.lean.sandbox.rlimits import Rlimits
from pytest_vsb.lean.toolchain import Toolchain

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")

Script = Callable[[Path, str], Path]

PASSING_THROUGH = """
case "$1" in --version) echo bubblewrap 9.9; exit 0;; esac
while [ "$1" != "--" ]; do shift; done
shift
exec "$@"
"""


@pytest.fixture
def only_on_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: Script) -> Script:
    """Makes the text a ``bwrap``, the only one there."""
    monkeypatch.setitem(sys.modules, bubblewrap.WHEEL, None)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")

    def make(_path: Path, text: str) -> Path:
        return script(tmp_path / "bin" / "bwrap", text)

    return make


@pytest.fixture
def no_landlock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A kernel without Landlock."""
    landlock.version.cache_clear()
    monkeypatch.setattr(landlock, "_ask", lambda: (-1, errno.EOPNOTSUPP))
    yield
    landlock.version.cache_clear()


def test_a_program_that_passes_through_is_found_out(
    only_on_path: Script, tmp_path: Path, no_landlock: None
) -> None:
    only_on_path(tmp_path, PASSING_THROUGH)
    chosen = choose.choose("auto")
    assert chosen.assurance == "unsandboxed"
    assert "it does not hold: a program in it reads files outside of it" in chosen.describe()
    for what in ("ends other processes", "writes files outside", "reaches sockets of other"):
        assert what in chosen.describe()
    for mode in ("require", "bubblewrap"):
        with pytest.raises(EnvironmentUnavailable, match="does not hold") as caught:
            choose.choose(mode)
        assert "Landlock is switched off" in str(caught.value) or mode == "bubblewrap"
        assert "--vsb-sandbox=auto" in str(caught.value)


def test_a_program_that_passes_through_is_not_credited(
    only_on_path: Script, tmp_path: Path
) -> None:
    if landlock.find() is None:
        pytest.skip(str(landlock.why_not()))
    only_on_path(tmp_path, PASSING_THROUGH)
    chosen = choose.choose("require")
    assert chosen.sandbox.level is Level.LANDLOCK
    assert chosen.assurance == "sandbox:landlock"
    assert "no bubblewrap 9.9" in chosen.describe()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1", "uid map: Permission"),
        ("exit 3", "no output"),
        ('echo \'{"token": "guess"}\'', "token"),
        ("echo null", "null"),
        ("kill -9 $$", "no output"),
    ],
)
def test_a_program_that_does_not_work(
    only_on_path: Script, tmp_path: Path, no_landlock: None, text: str, said: str
) -> None:
    only_on_path(tmp_path, text)
    assert said in choose.choose("auto").describe()
    assert choose.choose("auto").assurance == "unsandboxed"


def test_none_at_all(only_on_path: Script, no_landlock: None) -> None:
    chosen = choose.choose("auto")
    assert chosen.describe() == (
        "none, limits only; no bubblewrap: there is no bwrap here; no landlock: Landlock is "
        "switched off on this system: not in the kernel's lsm= list"
    )
    with pytest.raises(EnvironmentUnavailable, match="there is no bwrap here"):
        choose.choose("require")


def test_off_and_nonsense() -> None:
    assert choose.choose("off").assurance == "unsandboxed"
    assert choose.choose("off").sandbox.level is Level.RLIMITS
    assert not Level.RLIMITS.is_sandbox
    with pytest.raises(UsageError, match=", ".join(MODES)):
        choose.choose("on")


def test_limits_alone_are_told_from_a_sandbox() -> None:
    trouble = selftest.trouble(Rlimits())
    assert trouble is not None
    for what in (
        "reads files outside of it",
        "writes files outside of it",
        "sees the environment of other processes",
        "reaches the network",
        "ends other processes",
    ):
        assert what in trouble


def test_a_lean_that_does_not_start_in_the_box(tmp_path: Path, script: Script) -> None:
    hidden = script(tmp_path / "hidden" / "real", "echo 'Lean (version 4.1.0, x)'")
    lean = script(tmp_path / "bin" / "lean", f'exec {hidden} "$@"')
    found = Toolchain("path", "4.1.0", "", (str(lean),), (), (), "test", json=True)
    chosen = choose.choose("auto", found)
    assert chosen.assurance == "unsandboxed"
    assert chosen.describe().count("Lean does not start in it") >= 1
    if choose.choose("auto").sandbox.level.is_sandbox:
        with pytest.raises(EnvironmentUnavailable, match="Lean does not start in it"):
            choose.choose("require", found)


def test_tests_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = choose.choose("auto")

    def again(_sandbox: object) -> str:
        raise AssertionError("tested twice")

    monkeypatch.setattr(selftest, "trouble", again)
    assert choose.choose("auto") == first


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSYS, "no Landlock"),
        (errno.EOPNOTSUPP, "switched off"),
        (errno.EPERM, "container"),
        (errno.EINVAL, os.strerror(errno.EINVAL)),
    ],
)
def test_why_there_is_no_landlock(monkeypatch: pytest.MonkeyPatch, number: int, said: str) -> None:
    monkeypatch.setattr(landlock, "_ask", lambda: (-1, number))
    assert said in str(landlock.why_not())
    assert landlock.find() is None


def test_a_processor_without_a_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "_ask", lambda: (4, 0))
    monkeypatch.setattr(seccomp, "program", lambda: None)
    assert landlock.find() is None
    assert "processor" in str(landlock.why_not())


def test_settings_that_forbid_namespaces_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    setting = tmp_path / "kernel" / "apparmor_restrict_unprivileged_userns"
    setting.parent.mkdir()
    setting.write_text("1\n", encoding="ascii")
    monkeypatch.setattr(bubblewrap, "SETTINGS", tmp_path)
    told = bubblewrap.explain("bwrap: setting up uid map:\n Permission denied")
    assert told == (
        "unprivileged user namespaces are off: kernel.apparmor_restrict_unprivileged_userns=1 "
        "(bwrap: setting up uid map: Permission denied)"
    )
    setting.write_text("0\n", encoding="ascii")
    assert bubblewrap.explain("bwrap: x") == "bwrap: x"


def test_links_on_the_way_to_what_is_shown_are_no_breach(tmp_path: Path) -> None:
    home = tmp_path.resolve() / "home"
    (home / "deep").mkdir(parents=True)
    target = tmp_path.resolve() / "program"
    target.touch()
    (home / "deep" / "link").symlink_to(target)
    (tmp_path / "first").symlink_to(home / "deep" / "link")
    box = Box((tmp_path.resolve() / "first",))
    assert selftest._shown_below(home, box) == {"deep"}
    assert selftest._shown_below(home, Box((target,))) == set()
    assert selftest._shown_below(home, Box((home,))) == {"deep"}
