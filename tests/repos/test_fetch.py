"""Fetching: commits, overlays, what is never touched, errors, kills and two at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from repos_world import GIT, TOOLCHAIN, World, script

from pytest_vsb.repos.status import Commands, State, look
from pytest_vsb.repos.work import Result


def fetch(world: World, manifest, **rules: Any) -> Result:  # type: ignore[no-untyped-def]
    (result,) = world.work(**rules).fetch(manifest.repositories)
    return result


def test_one_commit_and_no_more(world: World) -> None:
    first = world.serve_lean()
    world.serve("thing", {"Later.lean": ""})
    result = fetch(world, world.simple(first))
    assert result.ok
    assert result.status.state is State.NO_TOOLCHAIN
    root = world.places.repository("thing")
    assert (root / "Thing/Basic.lean").read_text() == "def one : Nat := 1\n"
    assert not (root / "Later.lean").exists()
    assert world.git(root, "rev-list", "--count", "HEAD") == "1"
    assert not world.places.partial("thing").exists()
    log = world.places.log("thing", "fetch").read_text()
    assert f"origin {first}" in log
    assert "[exit code 0 after" in log
    again = fetch(world, world.simple(first))
    assert again.ok
    assert world.git_calls("fetch") == 1


def test_a_server_that_gives_no_single_commits(world: World) -> None:
    first = world.serve_lean()
    world.serve("thing", {"Later.lean": ""})
    # The old protocol holds to what the server advertises: the tips of branches.
    world.git(world.base, "config", "--global", "protocol.version", "0")
    result = fetch(world, world.simple(first))
    assert result.ok
    assert ("thing", "the server does not give single commits: fetching all branches") in world.said
    assert world.git(world.places.repository("thing"), "rev-parse", "HEAD") == first


def test_commit_that_is_not_there(world: World) -> None:
    world.serve_lean()
    result = fetch(world, world.simple("12" * 20))
    assert not result.ok
    assert result.error == f"{world.url('thing')}: has no commit {'12' * 20}"
    assert result.status.state is State.PARTIAL


def test_submodules(world: World) -> None:
    world.serve("part", {"Part.lean": "-- part\n"})
    world.serve_lean()
    world.git(world.served / "thing", "submodule", "add", "--quiet", world.url("part"), "part")
    commit = world.serve("thing", {})
    assert fetch(world, world.simple(commit)).ok
    assert (world.places.repository("thing") / "part/Part.lean").read_text() == "-- part\n"


def test_hooks_and_keys_stay_out(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    templates = world.base / "templates"
    script(templates / "hooks/post-checkout", f"touch {world.base}/hooked")
    world.git(world.base, "config", "--global", "init.templateDir", str(templates))
    monkeypatch.setenv("GIT_DIR", str(world.base / "elsewhere"))
    script(world.bin / "git", f'env > {world.base}/env\nexec {GIT} "$@"')
    assert fetch(world, world.simple(world.serve_lean())).ok
    assert not (world.base / "hooked").exists()
    assert "hunter2" not in (world.base / "env").read_text()


# What is there already


def test_nothing_that_is_there_is_touched(world: World) -> None:
    first = world.serve_lean()
    second = world.serve("thing", {"Later.lean": ""})
    manifest = world.simple(first)
    root = world.places.repository("thing")
    root.mkdir(parents=True)
    (root / "mine").write_text("precious")
    result = fetch(world, manifest)
    assert not result.ok
    assert result.status.state is State.FOREIGN
    assert result.hint == f"mv {root} {root}.old && vsb repos fetch thing"
    (root / "mine").unlink()
    root.rmdir()

    world.git(world.base, "clone", "--quiet", world.url("thing"), str(root))
    (root / "Thing/Basic.lean").write_text("-- changed\n")
    result = fetch(world, manifest)
    assert not result.ok
    assert result.error == (
        f"{root}: at commit {second[:12]}, not at {first[:12]}. It is left as it is"
    )
    assert (root / "Thing/Basic.lean").read_text() == "-- changed\n"
    # What is said to do does it, and keeps the changes.
    for _ in range(2):
        subprocess.run(look(manifest.repositories[0], world.places).repair, shell=True, check=True)
        if look(manifest.repositories[0], world.places).state is State.NO_TOOLCHAIN:
            break
    assert fetch(world, manifest).ok
    assert "Thing/Basic.lean" in world.git(root, "stash", "show", "--name-only")


def test_changed_files_are_named(world: World) -> None:
    manifest = world.simple(world.serve_lean())
    assert fetch(world, manifest).ok
    root = world.places.repository("thing")
    (root / "lake-manifest.json").write_text("{}")
    assert fetch(world, manifest).ok
    (root / "Thing/Extra.lean").unlink()
    result = fetch(world, manifest)
    assert not result.ok
    assert result.status.state is State.CHANGED
    assert "not as committed: Thing/Extra.lean" in result.error
    assert result.hint == f"git -C {root} stash --include-untracked && vsb repos fetch thing"


# Overlays


OVERLAY = """
    [overlays.extra]
    url = "{extra}"
    commit = "{extra_commit}"

    [repos.thing]
    url = "{thing}"
    commit = "{commit}"

    [repos.thing.overlay]
    from = "extra"
    remove = ["lakefile.lean", "Thing/Extra.lean"]

    [repos.thing.overlay.files]
    "lean-toolchain" = "config/lean-toolchain"
    "Thing/New/File.lean" = "config/File.lean"

    [[repos.thing.overlay.edits]]
    path = "Thing/Basic.lean"
    old = "Nat := 1"
    new = "Nat := 2"
"""


def overlaid(world: World, text: str = OVERLAY):  # type: ignore[no-untyped-def]
    commit = world.serve_lean()
    extra = world.serve(
        "extra",
        {
            "config/lean-toolchain": "leanprover/lean4:v4.1.0\n",
            "config/File.lean": "-- new\n",
            "unneeded": "x" * 1000,
        },
    )
    # With this a server leaves out the contents that are not asked for.
    world.git(world.served / "extra", "config", "uploadpack.allowFilter", "true")
    return world.manifest(
        text.format(
            extra=world.url("extra"), extra_commit=extra, thing=world.url("thing"), commit=commit
        )
    )


def test_overlay(world: World) -> None:
    manifest = overlaid(world)
    result = fetch(world, manifest)
    assert result.ok, result.error
    assert result.status.toolchain == "leanprover/lean4:v4.1.0"
    root = world.places.repository("thing")
    assert (root / "Thing/New/File.lean").read_text() == "-- new\n"
    assert (root / "Thing/Basic.lean").read_text() == "def one : Nat := 2\n"
    assert not (root / "Thing/Extra.lean").exists()
    changes = manifest.repositories[0].overlay
    source = world.places.overlay(changes.name, changes.commit)
    assert not (source / "unneeded").exists()
    missing = world.git(source, "rev-list", "--objects", "--missing=print", changes.commit)
    assert missing.count("?") == 1
    # The overlay's own changes are none of the user's; others in the same files are.
    calls = world.git_calls("fetch")
    assert fetch(world, manifest).ok
    assert world.git_calls("fetch") == calls
    (root / "Thing/New/File.lean").write_text("-- mine\n")
    (root / "Thing/Basic.lean").write_text("-- mine\n")
    result = fetch(world, manifest)
    assert result.status.state is State.CHANGED
    assert "Thing/Basic.lean, Thing/New/File.lean" in result.error


@pytest.mark.slow
def test_repairs_repair(world: World) -> None:
    """What is said to do about a repository with an overlay does it, and loses nothing."""
    manifest = overlaid(world)
    (repository,) = manifest.repositories
    assert fetch(world, manifest).ok
    script(world.bin / "vsb", f'exec {sys.executable} -m pytest_vsb.cli "$@"')
    who = ["-c", "user.name=A", "-c", "user.email=a@b"]
    script(world.bin / "git", f'exec {GIT} {" ".join(who)} "$@"')
    commands = Commands([f"--manifest={world.base}/my repos.toml"])
    root = world.places.repository("thing")

    def repair() -> State:
        status = look(repository, world.places, commands=commands)
        subprocess.run(status.repair, shell=True, check=True, capture_output=True)
        assert look(repository, world.places).state is State.NO_TOOLCHAIN
        assert (root / "Thing/New/File.lean").read_text() == "-- new\n"
        return status.state

    (root / "Thing/New/File.lean").write_text("-- mine\n")
    (root / "Thing.lean").write_text("-- mine, too\n")
    assert repair() is State.CHANGED
    kept = world.git(root, "stash", "show", "--include-untracked", "--name-only")
    assert {"Thing/New/File.lean", "Thing.lean"} <= set(kept.splitlines())
    (root / "lean-toolchain").write_text(TOOLCHAIN + "\n")
    assert repair() is State.NO_OVERLAY
    (root / "Thing/New/File.lean").unlink()
    assert repair() is State.NO_OVERLAY
    # The manifest moves to a commit that has a file where the overlay has put one.
    later = world.serve("thing", {"Thing/New/File.lean": "-- theirs\n"})
    text = (world.base / "my repos.toml").read_text()
    (repository,) = world.manifest(text.replace(repository.commit, later)).repositories
    assert repair() is State.OTHER_COMMIT


def test_overlay_of_a_clone_made_by_hand(world: World) -> None:
    manifest = overlaid(world)
    root = world.places.repository("thing")
    world.git(world.base, "clone", "--quiet", world.url("thing"), str(root))
    assert look(manifest.repositories[0], world.places).state is State.NO_OVERLAY
    assert fetch(world, manifest).ok
    assert (root / "Thing/New/File.lean").exists()


@pytest.mark.slow
def test_overlay_that_does_not_fit(world: World) -> None:
    result = fetch(world, overlaid(world, OVERLAY.replace("Nat := 1", "Nat := 7")))
    assert not result.ok
    assert "has not the text that the overlay replaces: 'Nat := 7'" in result.error
    assert result.status.state is State.PARTIAL
    result = fetch(world, overlaid(world, OVERLAY.replace("config/File", "config/Flie")))
    assert not result.ok
    assert "config/Flie.lean" in result.error


def test_overlay_cannot_lead_out_of_the_repository(world: World) -> None:
    manifest = overlaid(world, OVERLAY.replace("Thing/New/File.lean", "link/File.lean"))
    (world.served / "thing/link").symlink_to(world.base)
    commit = world.serve("thing", {})
    text = (world.base / "my repos.toml").read_text()
    manifest = world.manifest(text.replace(manifest.repositories[0].commit, commit))
    result = fetch(world, manifest)
    assert not result.ok
    assert "leads out of the repository" in result.error
    assert not (world.base / "File.lean").exists()


# The network


@pytest.mark.parametrize(
    ("status", "words", "tries"),
    [
        (401, "the server refuses access", 1),
        (404, "there is no such repository", 1),
        (503, "the network or the server fails", 3),
    ],
)
def test_servers_that_refuse(world: World, httpserver, status: int, words: str, tries: int) -> None:  # type: ignore[no-untyped-def]
    httpserver.expect_request("/x.git/info/refs").respond_with_data("no", status=status)
    url = httpserver.url_for("/x.git").replace("http://", "http://user:hunter2@")
    manifest = world.manifest(f'[repos.x]\nurl = "{url}"\ncommit = "{"1" * 40}"\n')
    result = fetch(world, manifest)
    assert not result.ok
    assert words in result.error
    assert result.hint
    assert world.git_calls("fetch") == tries
    log = world.places.log("x", "fetch").read_text()
    assert "hunter2" not in result.error + log + str(world.said)


def test_nobody_listens(world: World) -> None:
    manifest = world.manifest(
        f'[repos.x]\nurl = "http://127.0.0.1:9/x.git"\ncommit = "{"1" * 40}"\n'
    )
    result = fetch(world, manifest)
    assert "the network or the server fails" in result.error
    assert "HTTPS_PROXY" in result.hint
    assert [text for _, text in world.said if "trying again" in text]


def test_no_git(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = world.simple(world.serve_lean())
    monkeypatch.setenv("PATH", str(world.base / "empty"))
    result = fetch(world, manifest)
    assert result.error == "git is not installed"
    assert "git-scm.com" in result.hint


def test_git_that_takes_too_long(world: World) -> None:
    manifest = world.simple(world.serve_lean())
    script(world.bin / "git", f'case " $* " in *" fetch "*) sleep 60;; esac\nexec {GIT} "$@"')
    result = fetch(world, manifest, timeout=1.0)
    assert "took longer than 1 s" in result.error


def test_one_failure_does_not_stop_the_others(world: World) -> None:
    commit = world.serve_lean()
    names = ["a", "thing", "z"]
    text = "".join(
        f'[repos.{name}]\nurl = "{world.url(name)}"\ncommit = "{commit}"\n' for name in names
    )
    finished: list[str] = []
    results = world.work(lambda result: finished.append(result.name), jobs=3).fetch(
        world.manifest(text).repositories
    )
    assert [result.ok for result in results] == [False, True, False]
    assert sorted(finished) == names


def test_directory_that_cannot_be_written(world: World) -> None:
    manifest = world.simple(world.serve_lean())
    world.places.directory.write_text("a file")
    result = fetch(world, manifest)
    assert not result.ok
    assert "Not a directory" in result.error or "File exists" in result.error


# Processes that are killed, and several at once


def vsb(world: World) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "pytest_vsb.cli", "repos", "fetch", "--json"]
    return subprocess.Popen(
        [*command, f"--manifest={world.base}/my repos.toml"],
        env={**os.environ, **world.environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def waiting_git(world: World, mark: Path) -> None:
    """A git that waits before its first checkout until it is killed or a file appears."""
    script(
        world.bin / "git",
        f"""
        echo "$@" >> {world.git_log}
        case "$*" in *checkout*)
            if [ ! -e {mark} ]; then
                echo $$ > {mark}.new; mv {mark}.new {mark}
                while [ ! -e {mark}.go ]; do sleep 0.05; done
            fi;;
        esac
        exec {GIT} "$@"
        """,
    )


def appears(path: Path) -> None:
    end = time.monotonic() + 120
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.02)


def goes(path: Path) -> None:
    end = time.monotonic() + 60
    while path.exists():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_killed_in_the_midst(world: World, tmp_path: Path) -> None:
    world.simple(world.serve_lean())
    mark = tmp_path / "mark"
    waiting_git(world, mark)
    with vsb(world) as first:
        appears(mark)
        first.kill()
    goes(Path(f"/proc/{int(mark.read_text())}"))
    partial = world.places.partial("thing")
    # What git leaves behind when it is killed while it writes.
    (partial / ".git/index.lock").touch()
    (partial / ".git/shallow.lock").touch()
    assert not world.places.repository("thing").exists()
    with vsb(world) as second:
        out, err = second.communicate(timeout=180)
    assert second.returncode == 0, err
    assert json.loads(out)[0]["ok"] is True
    assert world.git_calls("fetch") == 1
    assert not partial.exists()


@pytest.mark.slow
def test_two_at_once(world: World, tmp_path: Path) -> None:
    world.simple(world.serve_lean())
    mark = tmp_path / "mark"
    waiting_git(world, mark)
    with vsb(world) as first:
        appears(mark)
        with vsb(world) as second:
            assert second.stderr is not None
            while "waiting for another that works on it" not in second.stderr.readline():
                assert second.poll() is None
            Path(f"{mark}.go").touch()
            second.communicate(timeout=180)
        first.communicate(timeout=180)
    assert (first.returncode, second.returncode) == (0, 0)
    assert world.git_calls("fetch") == 1


@pytest.mark.slow
def test_interrupted(world: World, tmp_path: Path) -> None:
    world.simple(world.serve_lean())
    mark = tmp_path / "mark"
    waiting_git(world, mark)
    with vsb(world) as process:
        appears(mark)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=180)
    assert process.returncode == 130
    assert "Traceback" not in err
    goes(Path(f"/proc/{int(mark.read_text())}"))
