"""Finding a Lean, with elans and Leans made of shell scripts."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.lean import embedded, toolchain
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.toolchain import Toolchain, find, parse_version, read_pin

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class World:
    """A PATH, an elan home and a project of a test's own."""

    def __init__(self, base: Path, script: Callable[[Path, str], Path]) -> None:
        self.script = script
        self.bin = base / "bin dir"
        self.elan_home = base / "elan home"
        self.project = base / "project"
        for directory in (self.bin, self.elan_home, self.project):
            directory.mkdir()

    def lean(self, path: Path, version: str, *, json: bool = True) -> Path:
        usage = "  --json  report messages as JSON" if json else "  --help"
        return self.script(
            path,
            f'echo "$@" >> {str(path).replace(" ", "?")}.calls 2>/dev/null\n'
            'case "$1" in\n'
            f'--version) echo "Lean (version {version}, x86_64, commit {COMMIT}, Release)";;\n'
            f'--help) echo "{usage}";;\n'
            '*) echo "ran $@ with $LEAN_PATH";;\nesac',
        )

    def elan(self, *lines: str, exit_code: int = 0) -> Path:
        said = "\n".join(f"echo '{line}'" for line in lines)
        return self.script(
            self.bin / "elan",
            f'if [ "$1 $2" = "toolchain list" ]; then\n{said}\nexit {exit_code}\nfi\n'
            'if [ "$1" = run ]; then shift 2; shift; exec "$ELAN_HOME/$TEST_RUN/lean" "$@"; fi\n'
            "exit 9",
        )

    def toolchain(self, name: str, version: str) -> Path:
        directory = name.replace("/", "--").replace(":", "---")
        return self.lean(self.elan_home / "toolchains" / directory / "bin" / "lean", version)

    def shim(self) -> Path:
        """What elan puts on PATH under the name of lean, which must never be run."""
        return self.script(self.bin / "lean", f"touch '{self.bin}/downloaded'; exit 1")

    def pin(self, text: str) -> None:
        (self.project / "lean-toolchain").write_text(text, encoding="utf-8")

    @property
    def downloaded(self) -> bool:
        return (self.bin / "downloaded").exists()


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script) -> World:  # type: ignore[no-untyped-def]
    made = World(tmp_path, script)
    monkeypatch.setenv("PATH", f"{made.bin}{os.pathsep}/nonexistent")
    monkeypatch.setenv("ELAN_HOME", str(made.elan_home))
    monkeypatch.delenv("ELAN_TOOLCHAIN", raising=False)
    monkeypatch.setenv("API_KEY", "secret")
    return made


@pytest.fixture
def no_embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "WHEEL", "no-such-wheel-is-installed")


# Versions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            f"Lean (version 4.35.0, x86_64-unknown-linux-gnu, commit {COMMIT}, Release)",
            ("4.35.0", COMMIT),
        ),
        ("Lean (version 4.8.0-rc1, commit 0123456789ab, Release)", ("4.8.0-rc1", "0123456789ab")),
        (
            f"Lean (version 4.12.0-nightly-2024-08-01, arm64-apple, commit {COMMIT}, Release)\n",
            ("4.12.0-nightly-2024-08-01", COMMIT),
        ),
        ("Lean (version 4.0.0)", ("4.0.0", "")),
        ("error: no default toolchain configured", None),
        ("", None),
    ],
)
def test_parse_version(text: str, expected: tuple[str, str] | None) -> None:
    assert parse_version(text) == expected


@pytest.mark.parametrize(
    ("pin", "version", "matches"),
    [
        ("leanprover/lean4:v4.9.0", "4.9.0", True),
        ("leanprover/lean4:v4.9.0\n", "4.9.1", False),
        ("leanprover/lean4:4.9.0", "4.9.0", True),
        ("v4.9.0-rc2", "4.9.0-rc2", True),
        ("v4.9.0-rc2", "4.9.0", False),
        ("leanprover/lean4:nightly-2024-08-01", "4.12.0-nightly-2024-08-01", True),
        ("leanprover/lean4:nightly-2024-08-02", "4.12.0-nightly-2024-08-01", False),
        ("stable", "4.9.0", False),
    ],
)
def test_pin_matches(tmp_path: Path, pin: str, version: str, matches: bool) -> None:
    (tmp_path / "lean-toolchain").write_text(pin)
    read = read_pin(tmp_path)
    assert read is not None
    assert read.matches(version) is matches


def test_pin_is_found_above_as_elan_does(tmp_path: Path) -> None:
    (tmp_path / "lean-toolchain").write_text("\n  v4.9.0  \n")
    (tmp_path / "a" / "b").mkdir(parents=True)
    read = read_pin(tmp_path / "a" / "b")
    assert read is not None
    assert read.name == "leanprover/lean4:v4.9.0"


@pytest.mark.parametrize("data", [b"", b" \n", b"\xff\xfe\x00"])
def test_pin_that_cannot_be_read(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "lean-toolchain").write_bytes(data)
    with pytest.raises(EnvironmentUnavailable, match="lean-toolchain"):
        read_pin(tmp_path)


# auto, with a pinned project


@pytest.mark.parametrize(
    ("pin", "listed"),
    [
        ("leanprover/lean4:v4.9.0", "leanprover/lean4:v4.9.0"),
        ("v4.9.0", "leanprover/lean4:v4.9.0 (default)"),
        ("4.9.0", "leanprover/lean4:v4.9.0"),
    ],
)
def test_pinned_project_runs_on_elans_toolchain(world: World, pin: str, listed: str) -> None:
    world.elan("leanprover/lean4:v4.8.0", listed)
    world.shim()
    binary = world.toolchain("leanprover/lean4:v4.9.0", "4.9.0")
    world.pin(pin)
    found = find(project=world.project)
    assert (found.kind, found.version, found.commit) == ("elan", "4.9.0", COMMIT)
    assert found.command == (str(binary),)
    assert "pins it" in found.describe()
    assert not world.downloaded


def test_pinned_project_takes_a_lean_on_path_of_that_version(world: World) -> None:
    world.lean(world.bin / "lean", "4.9.0", json=False)
    world.pin("leanprover/lean4:v4.9.0")
    found = find(project=world.project)
    assert (found.kind, found.json) == ("path", False)


def test_pinned_project_never_takes_another_lean(world: World) -> None:
    world.lean(world.bin / "lean", "4.9.1")
    world.pin("leanprover/lean4:v4.9.0")
    with pytest.raises(EnvironmentUnavailable) as caught:
        find(project=world.project)
    assert "4.9.1" in caught.value.message
    assert "elan is not installed" in caught.value.message
    assert caught.value.hint is not None
    assert "elan toolchain install leanprover/lean4:v4.9.0" in caught.value.hint


def test_pinned_toolchain_that_is_not_installed_is_not_downloaded(world: World) -> None:
    world.elan("leanprover/lean4:v4.8.0 (default)")
    world.shim()
    world.pin("leanprover/lean4:v4.9.0")
    with pytest.raises(EnvironmentUnavailable) as caught:
        find(project=world.project)
    assert caught.value.hint == "elan toolchain install leanprover/lean4:v4.9.0"
    assert "v4.8.0" in caught.value.message
    assert not world.downloaded


def test_pin_to_a_linked_toolchain_runs_through_elan(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    # elan knows where a linked toolchain is, we do not.
    world.elan("mine")
    world.lean(world.elan_home / "linked" / "lean", "4.10.0")
    world.pin("mine")
    monkeypatch.setattr(
        toolchain,
        "_probe",
        lambda *args, **_: Toolchain(args[0], "", "", args[1], args[3], (), "", True),
    )
    found = find(project=world.project)
    assert found.command == (str(world.bin / "elan"), "run", "mine", "lean")
    assert dict(found.env)["ELAN_HOME"] == str(world.elan_home)


# auto, without a pin


def test_elans_default(world: World) -> None:
    world.elan("leanprover/lean4:v4.8.0", "leanprover/lean4:stable (default)")
    world.shim()
    world.toolchain("leanprover/lean4:stable", "4.20.0")
    found = find(project=world.project)
    assert (found.kind, found.version) == ("elan", "4.20.0")
    assert not world.downloaded


def test_elan_toolchain_variable(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.elan("leanprover/lean4:v4.8.0", "leanprover/lean4:stable (default)")
    world.toolchain("leanprover/lean4:v4.8.0", "4.8.0")
    monkeypatch.setenv("ELAN_TOOLCHAIN", "v4.8.0")
    assert find().version == "4.8.0"


@pytest.mark.parametrize("lines", [[], ["no installed toolchains"], ["leanprover/lean4:v4.8.0"]])
def test_elan_without_default_does_not_win(
    world: World, no_embedded: None, lines: list[str]
) -> None:
    world.elan(*lines)
    world.shim()
    with pytest.raises(EnvironmentUnavailable) as caught:
        find(project=world.project)
    assert "elan has no default toolchain" in caught.value.message
    assert "pip install 'pytest-vsb[embedded]'" in str(caught.value)
    assert not world.downloaded


def test_first_lean_that_runs_wins(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.script(world.bin / "lean", "echo 'error: no default toolchain configured' >&2; exit 1")
    second = world.lean(tmp_path / "other" / "lean", "4.11.0")
    monkeypatch.setenv("PATH", f"{world.bin}{os.pathsep}{second.parent}")
    found = find()
    assert (found.kind, found.command) == ("path", (str(second),))


def test_lean_that_hangs_does_not_win(
    world: World, no_embedded: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toolchain, "_PROBE", Limits(0.5))
    world.script(world.bin / "lean", "exec /bin/sleep 1000")
    with pytest.raises(EnvironmentUnavailable, match="no answer in"):
        find()


def test_elan_that_fails(world: World, no_embedded: None) -> None:
    world.elan("error: broken settings", exit_code=1)
    with pytest.raises(EnvironmentUnavailable, match="broken settings"):
        find()


def test_nothing_at_all_says_how_to_get_one(world: World, no_embedded: None) -> None:
    with pytest.raises(EnvironmentUnavailable) as caught:
        find()
    assert "no lean on PATH" in caught.value.message
    assert "pip install 'pytest-vsb[embedded]'" in str(caught.value)
    assert "https://lean-lang.org/install" in str(caught.value)


@pytest.mark.lean
def test_embedded_when_there_is_nothing_else(world: World, embedded_toolchain: Toolchain) -> None:
    found = find(project=world.project)
    assert (found.kind, found.version, found.json) == ("embedded", embedded.LEAN_VERSION, True)
    assert found.commit == embedded_toolchain.commit
    assert "no lean on PATH" in found.describe()
    assert "scores" in found.describe()
    assert found.command[0] == sys.executable


# Explicit requests


def test_path_to_a_binary_and_to_a_directory(world: World, tmp_path: Path) -> None:
    binary = world.lean(tmp_path / "tool chain" / "bin" / "lean", "4.7.0")
    for request in (binary, binary.parent, binary.parent.parent):
        found = find(str(request))
        assert (found.kind, found.version, found.command) == ("path", "4.7.0", (str(binary),))


def test_path_of_the_wrong_version(world: World, tmp_path: Path) -> None:
    binary = world.lean(tmp_path / "lean", "4.7.0")
    world.pin("v4.9.0")
    with pytest.raises(
        EnvironmentUnavailable, match=r"pins leanprover/lean4:v4\.9\.0.* is 4\.7\.0"
    ):
        find(str(binary), project=world.project)
    world.pin("stable")
    assert find(str(binary), project=world.project).version == "4.7.0"


def test_embedded_of_the_wrong_version(world: World) -> None:
    world.pin("v4.9.0")
    with pytest.raises(EnvironmentUnavailable, match=r"embedded Lean.* is 4\.35\.0"):
        find("embedded", project=world.project)


def test_elan_asked_for_but_missing(world: World) -> None:
    with pytest.raises(EnvironmentUnavailable, match="elan is not installed"):
        find("elan")


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("embeded", "did you mean 'embedded'"),
        ("Elan", "did you mean 'elan'"),
        ("docker", "unknown Lean 'docker'"),
        ("/no/such/lean", "/no/such/lean"),
        ("/", "no bin/lean"),
        ("é 𝔸", "unknown Lean"),
    ],
)
def test_unknown_request(world: World, request_: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        find(request_)
    assert said in str(caught.value)
    assert "auto, elan, embedded, a path" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("echo 'something else'", "something else"),
        ("echo oops >&2; exit 3", "oops"),
        ("exit 3", "exit code 3"),
        ("kill -SEGV $$", "killed"),
    ],
)
def test_binary_that_is_no_lean(world: World, tmp_path: Path, text: str, said: str) -> None:
    binary = world.script(tmp_path / "x" / "lean", text)
    with pytest.raises(EnvironmentUnavailable, match=said):
        find(str(binary))


def test_file_that_cannot_run(world: World, tmp_path: Path) -> None:
    (tmp_path / "lean").write_text("hello")
    with pytest.raises(EnvironmentUnavailable, match="ermission denied"):
        find(str(tmp_path / "lean"))


def test_answers_are_remembered_until_the_file_changes(world: World, tmp_path: Path) -> None:
    binary = world.lean(tmp_path / "lean", "4.7.0")
    assert find(str(binary)).version == "4.7.0"
    world.lean(binary, "4.7.10")
    assert find(str(binary)).version == "4.7.10"


# What a Lean is run with


def test_environment_is_minimal(world: World, tmp_path: Path) -> None:
    binary = world.lean(tmp_path / "lean", "4.7.0")
    made = find(str(binary)).environment([tmp_path / "a b", Path("rel"), tmp_path / "a b"])
    assert made["LEAN_PATH"] == f"{tmp_path / 'a b'}{os.pathsep}{Path('rel').absolute()}"
    assert "API_KEY" not in made
    assert set(made) <= {"PATH", "LANG", "LEAN_PATH", "TMPDIR", "LD_LIBRARY_PATH"}


def test_directory_that_a_search_path_cannot_hold(world: World, tmp_path: Path) -> None:
    found = find(str(world.lean(tmp_path / "lean", "4.7.0")))
    with pytest.raises(EnvironmentUnavailable, match="cannot search"):
        found.environment([Path("/a:b")])
