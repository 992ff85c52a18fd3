"""Lean in containers, with a stand-in for Docker that keeps to its documented command line."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.lean import docker, embedded, process
from pytest_vsb.lean.process import Limits, Outcome
from pytest_vsb.lean.sandbox import bubblewrap
from pytest_vsb.lean.sandbox.box import Box, Level
from pytest_vsb.lean.sandbox.choose import choose
from pytest_vsb.lean.sandbox.paths import python_files
from pytest_vsb.lean.toolchain import Toolchain, find

STAND_IN = Path(__file__).with_name("stand_in_docker.py")
IMAGE = "example.org/lean/lean4:v4"
BWRAP = next(bubblewrap.programs(), None)
LIMITS = Limits(wall_seconds=60)


class Docker:
    """The stand-in's state and what it was asked."""

    def __init__(self, base: Path) -> None:
        self.state = base / "docker state"
        self.state.mkdir()
        self.bin = base / "bin"
        self.bin.mkdir()
        self.script(
            self.bin / "docker",
            f'exec {sys.executable} -I -S {STAND_IN} {shlex.quote(str(self.state))} "$@"',
        )
        self.image: dict[str, Any] = {
            "name": IMAGE,
            "identity": f"sha256:{os.urandom(16).hex()}",
            "files": [str(path) for path in python_files()],
            "environment": {"PATH": "/usr/bin:/bin"},
            "bwrap": str(BWRAP),
            "holds": BWRAP is not None,
        }
        self.put()

    def script(self, path: Path, text: str) -> None:
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)

    def put(self, **changes: Any) -> None:
        self.image |= changes
        (self.state / "image.json").write_text(json.dumps(self.image))

    def containers(self) -> list[str]:
        return [path.stem for path in self.state.glob("*.container")]

    def calls(self, word: str) -> list[str]:
        lines = (self.state / "calls").read_text().splitlines()
        return [line for line in lines if line.startswith(word)]

    @property
    def options(self) -> dict[str, Any]:
        """Those of the last container."""
        found: dict[str, Any] = json.loads((self.state / "last.json").read_text())["options"]
        return found


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Docker:
    made = Docker(tmp_path)
    monkeypatch.setenv("PATH", f"{made.bin}:/usr/bin:/bin")
    for cached in (docker._image, docker._sweep):
        cached.cache_clear()
    return made


@pytest.fixture
def container(stand_in: Docker) -> docker.Container:
    if BWRAP is None:
        pytest.skip("containers are made by bubblewrap, which is not here")
    return docker.find(f"docker:{IMAGE}")


def shell(
    container: docker.Container, inside: Path, text: str, *, limits: Limits = LIMITS
) -> process.Completed:
    """Run a shell script in a container, which may write in a directory."""
    inside.mkdir(exist_ok=True)
    argv = ("/bin/sh", "-c", text)
    confinement = container.confine(argv, Box((), (inside,)))
    done = process.run(
        argv,
        cwd=inside,
        env={"PATH": os.environ["PATH"], "LEAN_PATH": "a:b", "OTHER": "x"},
        limits=limits,
        confinement=confinement,
    )
    return container.settle(done, confinement)


def test_a_command_in_its_container(
    container: docker.Container, stand_in: Docker, tmp_path: Path
) -> None:
    inside = tmp_path / "in side"
    done = shell(
        container.limited(512), inside, 'pwd; echo "$LEAN_PATH$OTHER"; echo x > out; exit 3'
    )
    assert (done.outcome, done.exit_code) == (Outcome.EXITED, 3)
    assert done.stdout == f"{inside}\na:b\n"
    assert (inside / "out").read_text() == "x\n"
    assert done.argv[0] == "/bin/sh"
    options = stand_in.options
    assert options["memory"] == options["memory_swap"] == "512m"
    assert options["pull"] == "never"
    assert options["rm"] is True
    assert "no-new-privileges" in options["security_opt"]
    assert not stand_in.containers()
    assert not stand_in.calls("rm")


def test_read_only_and_hidden_files(
    container: docker.Container, stand_in: Docker, tmp_path: Path
) -> None:
    modules, link = tmp_path / "modules", tmp_path / "link"
    modules.mkdir()
    (modules / "a").write_text("a")
    (modules / "secret").write_text("secret")
    link.symlink_to(modules)
    inside = tmp_path / "inside"
    inside.mkdir()
    script = f"cat {link}/a; cat {modules}/secret; echo x > {modules}/b"
    argv = ("/bin/sh", "-c", script)
    confinement = container.confine(argv, Box((link,), (inside,), (modules / "secret",)))
    done = process.run(
        argv, cwd=inside, env=dict(os.environ), limits=LIMITS, confinement=confinement
    )
    assert done.stdout == "a"
    assert not (modules / "b").exists()


def test_names_that_docker_cannot_be_told(tmp_path: Path) -> None:
    (tmp_path / "a,b").mkdir()
    container = docker.Container("docker", IMAGE, "sha256:1")
    with pytest.raises(EnvironmentUnavailable, match="with a comma or a quote"):
        container.confine(("x",), Box((tmp_path / "a,b",)))


@pytest.mark.parametrize(
    ("script", "code"),
    [("exit 125", 1), ("exit 127", 1), ("exit 137", 1), ("kill -SEGV $$", 139), ("exit 7", 7)],
)
def test_exit_codes(container: docker.Container, tmp_path: Path, script: str, code: int) -> None:
    """A command can feign neither a failure of Docker's nor a kill from outside."""
    assert shell(container, tmp_path / "inside", script).exit_code == code


def test_out_of_memory(container: docker.Container, tmp_path: Path) -> None:
    done = shell(container.limited(100), tmp_path / "inside", "exit 251")
    assert done.outcome is Outcome.OUT_OF_MEMORY
    assert done.peak_memory_mb > 100


def test_time_limit_leaves_nothing(
    container: docker.Container, stand_in: Docker, tmp_path: Path
) -> None:
    mark = f"1000.{os.getpid():07d}"
    done = shell(container, tmp_path / "inside", f"sleep {mark}", limits=Limits(wall_seconds=1))
    assert done.outcome is Outcome.TIMEOUT
    assert not stand_in.containers()
    assert len(stand_in.calls("rm")) == 1
    assert gone(mark)


def test_client_that_is_killed_takes_its_container_along(
    container: docker.Container, tmp_path: Path
) -> None:
    """Also where nobody is left to say so to Docker: the container's input ends."""
    mark = f"2000.{os.getpid():07d}"
    inside = tmp_path / "inside"
    inside.mkdir()
    confinement = container.confine(("/bin/sh", "-c", f"sleep {mark}"), Box((), (inside,)))
    # Without the supervisor, which would end the stand-in's container, too.
    with subprocess.Popen(confinement.argv, cwd=inside) as client:
        try:
            assert until(lambda: not gone(mark, 0))
        finally:
            client.kill()
    assert gone(mark)


def gone(mark: str, seconds: float = 60) -> bool:
    def marked() -> list[int]:
        return [
            p.pid for p in psutil.process_iter(["cmdline"]) if mark in (p.info["cmdline"] or ())
        ]

    end = time.monotonic() + seconds
    while marked():
        if time.monotonic() >= end:
            return False
        time.sleep(0.05)
    return True


def until(condition: Any, seconds: float = 60) -> Any:
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return value


def test_containers_that_were_left_are_removed(stand_in: Docker) -> None:
    import socket

    def leave(name: str, owner: str, host: str) -> None:
        labels = {"pytest-vsb.owner": owner, "pytest-vsb.host": host}
        (stand_in.state / f"{name}.container").write_text(json.dumps({"labels": labels}))

    here = socket.gethostname()
    leave("dead", "4194304-1", here)
    leave("recycled", f"{os.getpid()}-1", here)
    leave("alive", docker._owner(), here)
    leave("elsewhere", "4194304-1", "other-host")
    docker.find(f"docker:{IMAGE}")
    assert sorted(stand_in.containers()) == ["alive", "elsewhere"]


# Finding


def test_no_docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docker._image.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentUnavailable, match="no docker and no podman") as caught:
        find("docker:x")
    assert "install Docker" in (caught.value.hint or "")


@pytest.mark.parametrize("request_", ["docker:", "docker: ", "docker:--privileged", "docker:a b"])
def test_no_image(request_: str) -> None:
    with pytest.raises(UsageError, match="is no image"):
        find(request_)


def test_image_that_is_not_here(stand_in: Docker) -> None:
    with pytest.raises(EnvironmentUnavailable, match="no such image") as caught:
        find("docker:other")
    assert "docker pull other" in (caught.value.hint or "")
    assert "never pulled" in (caught.value.hint or "")


def test_docker_that_is_down(stand_in: Docker, tmp_path: Path) -> None:
    found = docker.find(f"docker:{IMAGE}")
    stand_in.put(down=True)
    docker._image.cache_clear()
    said = "no answer: docker: docker: Cannot connect to the Docker daemon"
    with pytest.raises(EnvironmentUnavailable, match=said) as caught:
        docker.find(f"docker:{IMAGE}")
    assert "docker info" in (caught.value.hint or "")
    stand_in.put(down=False, identity="sha256:other")
    with pytest.raises(EnvironmentUnavailable, match=r"no container can be started: .*Unable"):
        shell(found, tmp_path / "inside", "true")


def test_podman_where_there_is_no_docker(stand_in: Docker) -> None:
    (stand_in.bin / "docker").rename(stand_in.bin / "podman")
    found = docker.find(f"docker:{IMAGE}")
    assert found.describe() == f"podman, image {IMAGE}"


# The sandbox


def test_container_that_lets_everything_through(stand_in: Docker) -> None:
    stand_in.put(holds=False)
    toolchain = Toolchain(
        "docker", "4", "", ("lean",), (), (), "", True, docker.find(f"docker:{IMAGE}")
    )
    choice = choose("auto", toolchain)
    assert choice.sandbox.level is Level.RLIMITS
    assert choice.assurance == "unsandboxed"
    (reason,) = choice.reasons
    for breach in ("reads files outside", "writes files outside", "sees environment variables"):
        assert breach in reason
    with pytest.raises(EnvironmentUnavailable, match="no sandbox holds here"):
        choose("require", toolchain)


def test_container_that_holds(container: docker.Container) -> None:
    toolchain = Toolchain("docker", "4", "", ("lean",), (), (), "", True, container)
    choice = choose("require", toolchain)
    assert choice.assurance == "sandbox:container"
    assert choose("off", toolchain).assurance == "unsandboxed"
    with pytest.raises(EnvironmentUnavailable, match="does not work for a Lean in a container"):
        choose("landlock", toolchain)


@pytest.mark.lean
def test_lean_in_a_container_judges(
    container: docker.Container, stand_in: Docker, tmp_path: Path
) -> None:
    """The whole way: an imported module is compiled in a container, and a proof is judged there."""
    from pytest_vsb.judge.check import Checker
    from pytest_vsb.lean.project import open_project
    from pytest_vsb.provers.base import Candidate
    from pytest_vsb.tasks.model import Task

    try:
        core = embedded.ensure_core()
    except EnvironmentUnavailable as error:
        pytest.skip(str(error))
    command = embedded.command()
    image = tmp_path / "image"
    image.mkdir()
    stand_in.script(
        image / "lean",
        f'export LEAN_PATH="{core}:$LEAN_PATH"\nexec {shlex.join(command)} "$@"',
    )
    library = Path(command[-1]).parent
    files = [image, core, Path(command[-2]), library, library.with_name(f"{library.name}.libs")]
    stand_in.put(
        files=[*stand_in.image["files"], *map(str, files)],
        environment={"PATH": f"{image}:/usr/bin:/bin"},
    )
    project = tmp_path / "project"
    project.mkdir()
    (project / "lean-toolchain").write_text("leanprover/lean4:v4.35.0\n")
    (project / "A.lean").write_text("def one : Nat := 1\n")
    (project / "B.lean").write_text("import A\n\ntheorem t : one = 1 := by\n  rfl\n")
    lean = find(f"docker:{IMAGE}", project=project)
    assert (lean.kind, lean.version) == ("docker", embedded.LEAN_VERSION)
    assert f"docker image {IMAGE}" in lean.describe()
    checker = Checker(
        open_project(project, lean, cache=tmp_path / "cache"), LIMITS, sandbox=choose("auto", lean)
    )
    task = Task(id="t", module="B", path="B.lean", name="t", statement="theorem t : one = 1")
    verdict = checker.check(task, Candidate(proof=":= by rfl"))
    assert verdict.accepted, verdict.reason
    assert "sandbox:container" in verdict.assurance
    assert verdict.toolchain == f"docker {embedded.LEAN_VERSION}"
    assert not checker.check(task, Candidate(proof=":= by exact 5")).accepted
    assert "ELAN_TOOLCHAIN=leanprover/lean4:v4.35.0" in stand_in.options["env"]
    assert not stand_in.containers()
