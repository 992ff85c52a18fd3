"""Building: toolchains, Mathlib's cache, Lake, what is needed, and what is said of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from repos_world import LAKEFILE, TOOLCHAIN, World, script

from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.lean import embedded
from pytest_vsb.repos import disk, elan, modules
from pytest_vsb.repos.manifest import Manifest
from pytest_vsb.repos.status import Commands, Needs, State, look
from pytest_vsb.repos.work import Result

WITH_MATHLIB = '{"version": "1.1.0", "packages": [{"name": "mathlib", "type": "git"}]}'


def build(world: World, manifest: Manifest, needs: Any = None, **rules: Any) -> Result:
    (result,) = world.work(**rules).build(manifest.repositories, needs)
    return result


def lake_calls(world: World) -> list[dict[str, Any]]:
    file = world.elan_home / "lake-calls"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def test_from_nothing_to_ready(world: World) -> None:
    manifest = world.simple(world.serve_lean())
    repository = manifest.repositories[0]
    assert look(repository, world.places).state is State.MISSING
    result = build(world, manifest)
    assert result.ok, result.error
    assert result.status.state is State.READY
    assert result.status.modules == 3
    assert f"toolchain install {TOOLCHAIN}" in (world.elan_home / "calls").read_text()
    (call,) = lake_calls(world)
    assert call["argv"] == ["build"]
    assert call["cwd"] == str(world.places.repository("thing"))
    assert "hunter2" not in json.dumps(call["env"])
    assert "Built Thing.Basic" in world.places.log("thing", "build").read_text()
    assert ("thing", "lake build 3/9") in world.said
    # Nothing is done twice.
    assert build(world, manifest).ok
    assert len(lake_calls(world)) == 1
    assert world.git_calls("fetch") == 1


def test_every_state_and_its_repair(world: World) -> None:
    manifest = world.simple(world.serve_lean())
    (repository,) = manifest.repositories
    commands = Commands(["--repos=some where"])

    def state() -> tuple[State, str]:
        status = look(repository, world.places, commands=commands)
        return status.state, status.repair

    assert state() == (State.MISSING, "vsb repos fetch thing '--repos=some where'")
    world.places.partial("thing").mkdir(parents=True)
    assert state() == (State.PARTIAL, "vsb repos fetch thing '--repos=some where'")
    world.work().fetch([repository])
    assert state() == (State.NO_TOOLCHAIN, f"elan toolchain install {TOOLCHAIN}")
    (world.bin / "elan").rename(world.bin / "nale")
    status = look(repository, world.places)
    assert status.text == "elan is missing: install elan from https://lean-lang.org/install"
    (world.bin / "nale").rename(world.bin / "elan")
    assert build(world, manifest).ok
    root = world.places.repository("thing")
    (root / ".lake/build/lib/lean/Thing/Basic.olean").unlink()
    world.places.built("thing").unlink()
    status = look(repository, world.places, commands=commands)
    assert status.state is State.NOT_BUILT
    assert status.text == "1 of 3 modules not built: Thing.Basic"
    assert status.missing == ("Thing.Basic",)
    assert status.repair == "vsb repos build thing '--repos=some where'"


def test_only_what_tasks_need(world: World) -> None:
    manifest = world.simple(
        world.serve_lean(**{"Thing/Task.lean": "import Init\nimport Thing.Basic\n"})
    )
    needs = {"thing": Needs(("Thing/Task.lean",))}
    result = build(world, manifest, needs)
    assert result.ok, result.error
    assert [call["argv"] for call in lake_calls(world)] == [["build", "+Thing.Basic"]]
    # What the tasks need is there, the rest is not.
    (repository,) = manifest.repositories
    assert look(repository, world.places, needs=needs["thing"]).state is State.READY
    assert look(repository, world.places).state is State.NOT_BUILT
    result = build(world, manifest, {"thing": Needs(("Thing/Gone.lean",))})
    assert not result.ok
    assert "no file Thing/Gone.lean" in result.error


def test_targets_of_the_manifest(world: World) -> None:
    commit = world.serve_lean(**{"Other.lean": "import Thing.Basic\n"})
    result = build(world, world.simple(commit, more='targets = ["Other"]'))
    assert result.ok
    assert [call["argv"] for call in lake_calls(world)] == [["build"], ["build", "+Other"]]


def test_libraries_that_are_no_default_target(world: World) -> None:
    lakefile = LAKEFILE + '[[lean_lib]]\nname = "Aside"\n'
    commit = world.serve_lean(**{"Aside.lean": "", "lakefile.toml": lakefile})
    manifest = world.simple(commit)
    assert build(world, manifest).ok
    status = look(manifest.repositories[0], world.places)
    assert status.state is State.READY
    assert status.notes == ("in no target that was built: 1 module",)


def test_lakefile_that_hides_its_libraries(world: World) -> None:
    commit = world.serve_lean(**{"lakefile.toml": 'name = "thing"\n', "Aside.lean": ""})
    manifest = world.simple(commit)
    world.work().fetch(manifest.repositories)
    found = modules.built(world.places.repository("thing"))
    assert found.missing == ("Aside", "Thing", "Thing.Basic", "Thing.Extra")


@pytest.mark.slow
def test_mathlib(world: World) -> None:
    commit = world.serve_lean(
        **{"lake-manifest.json": WITH_MATHLIB, "Thing/Basic.lean": "import Mathlib\n"}
    )
    manifest = world.simple(commit)
    (world.elan_home / "cache-trouble").write_text("no connection\n")
    result = build(world, manifest)
    assert result.ok, result.error
    assert [call["argv"][0] for call in lake_calls(world)] == ["exe", "exe", "build"]
    shutil.rmtree(world.places.repository("thing") / ".lake")
    (world.elan_home / "cache-trouble").write_text("gone\n" * 3)
    world.places.built("thing").unlink()
    result = build(world, manifest)
    assert not result.ok
    assert "`elan run leanprover/lean4:v4.35.0 lake exe cache get` failed" in result.error
    assert "error: gone" in result.error
    assert "--no-cache" in result.hint
    assert build(world, manifest, mathlib_cache=False).ok
    assert [call["argv"][0] for call in lake_calls(world)][-2:] == ["exe", "build"]


def test_lake_that_fails(world: World) -> None:
    manifest = world.simple(world.serve_lean())
    (world.elan_home / "lake-trouble").write_text("Thing.lean:1:0: unknown module\n")
    result = build(world, manifest)
    assert not result.ok
    assert "failed (exit code 1): error: Thing.lean:1:0: unknown module" in result.error
    assert str(world.places.log("thing", "build")) in result.hint
    assert result.status.state is State.NOT_BUILT
    assert build(world, manifest).ok


def test_elan_that_fails(world: World) -> None:
    manifest = world.simple(world.serve_lean())
    (world.elan_home / "trouble").write_text("error: could not download file\nerror: no release\n")
    result = build(world, manifest)
    assert not result.ok
    assert "did not install it: error: no release" in result.error
    calls = (world.elan_home / "calls").read_text()
    assert calls.count("toolchain install") == 2
    assert build(world, manifest).ok


def test_no_elan(world: World) -> None:
    (world.bin / "elan").unlink()
    result = build(world, world.simple(world.serve_lean()))
    assert not result.ok
    assert result.hint == "install elan from https://lean-lang.org/install"


def test_two_that_need_one_toolchain(world: World) -> None:
    commit = world.serve_lean()
    text = "".join(
        f'[repos.{name}]\nurl = "{world.url("thing")}"\ncommit = "{commit}"\n' for name in "ab"
    )
    results = world.work(jobs=2).build(world.manifest(text).repositories)
    assert all(result.ok for result in results)
    assert (world.elan_home / "calls").read_text().count("toolchain install") == 1


def test_project_in_a_directory_of_the_repository(world: World) -> None:
    files = {"lean-toolchain": "v4.35.0", "lakefile.toml": LAKEFILE, "Thing.lean": ""}
    commit = world.serve("thing", {f"lean/{name}": text for name, text in files.items()})
    result = build(world, world.simple(commit, more='project = "lean"'))
    assert result.ok, result.error
    assert result.status.toolchain == TOOLCHAIN


def test_nightly_builds_go_by_two_names(world: World) -> None:
    (world.elan_home / "toolchains/leanprover--lean4-nightly---nightly-2025-12-01").mkdir()
    wanted = ["leanprover/lean4:nightly-2025-12-01", "leanprover/lean4:nightly-2025-12-02"]
    assert elan.missing(wanted) == (wanted[1],)


def test_room(world: World) -> None:
    manifest = world.simple(world.serve_lean())
    statuses = [look(one, world.places) for one in manifest.repositories]
    (room,) = disk.estimate(manifest.repositories, statuses, world.places, build=False)
    assert room.needed_mb == 1
    (room,) = disk.estimate(manifest.repositories, statuses, world.places, build=True)
    # The toolchain is not known before the sources are there.
    assert room.needed_mb == 2
    disk.need_room([room])
    world.work().fetch(manifest.repositories)
    statuses = [look(one, world.places) for one in manifest.repositories]
    (room,) = disk.estimate(manifest.repositories, statuses, world.places, build=True)
    assert room.needed_mb == 1 + elan.TOOLCHAIN_MB
    assert build(world, manifest).ok
    statuses = [look(one, world.places) for one in manifest.repositories]
    assert disk.estimate(manifest.repositories, statuses, world.places, build=True) == ()
    with pytest.raises(UsageError, match=r"not enough room: about 5\.0 GB; 20 MB free in /x"):
        disk.need_room([disk.Room("/x", 5000, 20)])


@pytest.mark.lean
def test_what_was_built_serves_the_judge(world: World) -> None:
    """The whole way, with a real Lean: fetch, build, and judge a proof with what was built."""
    from pytest_vsb.judge.check import Checker
    from pytest_vsb.lean import toolchain
    from pytest_vsb.lean.process import Limits
    from pytest_vsb.lean.project import open_project
    from pytest_vsb.provers.base import Candidate
    from pytest_vsb.tasks.locate import project_root
    from pytest_vsb.tasks.model import Task

    try:
        core = embedded.ensure_core()
    except EnvironmentUnavailable as error:
        pytest.skip(str(error))
    command = " ".join(f"'{word}'" for word in embedded.command())
    script(
        world.template / "lean",
        f'export LEAN_PATH="{core}:$LEAN_PATH"\nexec {command} "$@"\n',
    )
    text = "import Thing.Basic\n\ntheorem u : one = 1 := by\n  rfl\n"
    result = build(world, world.simple(world.serve_lean(**{"Thing/Task.lean": text})))
    assert result.ok, result.error
    task = Task(
        id="u", module="Thing.Task", path="Thing/Task.lean", name="u", repository="thing",
        statement="theorem u : one = 1",
    )  # fmt: skip
    root = project_root(task, world.places.directory)
    found = toolchain.find("auto", project=root)
    assert found.kind == "elan"
    checker = Checker(open_project(root, found), Limits(wall_seconds=60))
    assert checker.check(task, Candidate(proof=":= by rfl")).accepted
    assert not checker.check(task, Candidate(proof=":= by exact 5")).accepted
    assert not Path(root / ".lake/build/lib/lean/Thing/Task.olean").exists()
