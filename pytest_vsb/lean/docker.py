"""A Lean in a container image, run by Docker or by a program that takes its command line.

Each Lean is a container of its own: no network, a read-only root, no capabilities, and of this
machine's files only those that are needed, under the names that they have here. It ends and is
removed when its command does, when the command's limits do, and when this process dies.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.lean import launch_docker
from pytest_vsb.lean.diagnostics import cap
from pytest_vsb.lean.process import Completed, Outcome
from pytest_vsb.lean.sandbox.box import Box, Confinement, Level

PREFIX = "docker:"
"""A request for a Lean that begins so names an image."""

CLIENTS = ("docker", "podman")
_CLIENT_SECONDS = 60.0
_MAX_PROCESSES = 512
_OUT_OF_MEMORY = 251
_DOCKER_FAILED = frozenset({125, 126, 127})
_OWNER, _HOST = "pytest-vsb.owner", "pytest-vsb.host"
_ABSENT = re.compile(r"no such image|not known|not found", re.IGNORECASE)
_GET_DOCKER = "install Docker (https://docs.docker.com/get-docker/) or podman"

# What the client, not the container, is given of our environment: where its server is.
_CLIENT_VARIABLES = (
    "HOME", "XDG_RUNTIME_DIR", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG",
    "DOCKER_TLS_VERIFY", "DOCKER_CERT_PATH", "CONTAINER_HOST", "CONTAINERS_CONF",
)  # fmt: skip
_PASSED_ON = ("LEAN_PATH", "LANG", "TMPDIR")

# The first process of a container. It ends the command at the end of its input, tells the kernel's
# killer from other ends, and leaves to Docker the exit codes that mean Docker's own failures: a
# command that ends with one of them, or as if by a signal from outside, ends with 1.
_INIT = f"""
exec 3<&0
"$@" </dev/null 3<&- &
main=$!
(cat <&3; kill -KILL $main) >/dev/null 2>&1 &
watch=$!
wait $main
code=$?
kill -KILL $watch 2>/dev/null
case $code in
137)
    if grep -qs 'oom_kill [1-9]' /sys/fs/cgroup/memory.events \\
        /sys/fs/cgroup/memory/memory.oom_control; then exit {_OUT_OF_MEMORY}; fi
    exit 1 ;;
125|126|127|129|130|143) exit 1 ;;
esac
exit $code
"""


@dataclass(frozen=True)
class Container:
    """A way to run Lean in containers of one image; it is the sandbox, too."""

    client: str
    """The path of ``docker`` or ``podman``."""
    image: str
    """The image as it was asked for."""
    identity: str
    """The name by its content, which does not move to another image."""
    variables: tuple[tuple[str, str], ...] = ()
    """What the command finds in its environment beside the search path."""
    memory_mb: int | None = None
    """How much memory a container may use."""
    holds: bool = True
    """Whether it was seen to keep a program in."""

    @property
    def level(self) -> Level:
        return Level.CONTAINER if self.holds else Level.RLIMITS

    def describe(self) -> str:
        """See :class:`~pytest_vsb.lean.sandbox.box.Sandbox`."""
        return f"{Path(self.client).name}, image {self.image}"

    def limited(self, memory_mb: int | None) -> Container:
        """The same with so much memory, in MiB."""
        return replace(self, memory_mb=memory_mb)

    def confine(self, argv: tuple[str, ...], box: Box) -> Confinement:
        """The command that runs ``argv`` in a container, whose working directory is the one that
        the command is started in.

        Raises:
            EnvironmentUnavailable: the name of a file cannot be told to Docker.
        """
        name = f"pytest-vsb-{os.getpid()}-{secrets.token_hex(8)}"
        words = [self.client, "run", "--rm", "--interactive", "--name", name]
        words += ["--label", f"{_OWNER}={_owner()}", "--label", f"{_HOST}={socket.gethostname()}"]
        words += ["--pull", "never", "--network", "none", "--read-only", "--cap-drop", "ALL"]
        words += ["--security-opt", "no-new-privileges", "--security-opt", "label=disable"]
        words += ["--pids-limit", str(_MAX_PROCESSES), "--ulimit", "core=0", "--log-driver", "none"]
        words += _user(self.client)
        if self.memory_mb is not None:
            limit = f"{self.memory_mb}m"
            words += ["--memory", limit, "--memory-swap", limit]
        for variable in _PASSED_ON:
            words += ["--env", variable]
        for variable, value in self.variables:
            words += ["--env", f"{variable}={value}"]
        for source, target, writable in _mounts(box):
            parts = ["type=bind", f"source={source}", f"target={target}"]
            words += ["--mount", ",".join([*parts, *([] if writable else ["readonly"])])]
        words += ["--workdir", launch_docker.CWD, "--entrypoint", "/bin/sh"]
        words += [self.identity, "-c", _INIT, "vsb", *argv]
        launcher = str(Path(launch_docker.__file__))
        return Confinement((sys.executable, "-I", "-S", launcher, *words))

    def settle(self, completed: Completed, confinement: Confinement) -> Completed:
        """See that nothing is left of a container, and tell Docker's failures from the command's.

        Raises:
            EnvironmentUnavailable: there was no container.
        """
        code = completed.exit_code
        if completed.outcome is not Outcome.EXITED or code in _DOCKER_FAILED:
            words = confinement.argv
            self._ask("rm", "--force", words[words.index("--name") + 1])
        if code in _DOCKER_FAILED:
            raise EnvironmentUnavailable(
                f"no container can be started: {_gist(completed.stderr or completed.stdout)}",
                where=f"{PREFIX}{self.image}",
                hint="does `docker run --rm IMAGE true` work?",
            )
        if code == _OUT_OF_MEMORY:
            # The supervisor's own measure is of the client alone.
            used = max(completed.peak_memory_mb, float(self.memory_mb or 0) + 1)
            completed = replace(
                completed,
                outcome=Outcome.OUT_OF_MEMORY,
                exit_code=None,
                signal=int(signal.SIGKILL),
                peak_memory_mb=used,
            )
        return completed

    def _ask(self, *words: str) -> str | None:
        return _ask(self.client, *words)


def find(request: str, variables: tuple[tuple[str, str], ...] = ()) -> Container:
    """The container for a request ``docker:IMAGE``; clears up what killed processes left.

    Raises:
        UsageError: the request names no image.
        EnvironmentUnavailable: there is no Docker, it does not answer, or it has no such image.
    """
    image = request.removeprefix(PREFIX).strip()
    if not image or image.startswith("-") or any(letter.isspace() for letter in image):
        raise UsageError(f"{image!r} is no image", where=request)
    client, identity = _image(image)
    _sweep(client)
    return Container(client, image, identity, variables)


def client_environment() -> tuple[tuple[str, str], ...]:
    """What the client needs of this process's environment."""
    return tuple((name, os.environ[name]) for name in _CLIENT_VARIABLES if name in os.environ)


@functools.lru_cache(maxsize=16)
def _image(image: str) -> tuple[str, str]:
    """The client that has the image, and the image's identity."""
    tried = []
    for name in CLIENTS:
        client = shutil.which(name)
        if client is None:
            continue
        done = _run(client, "image", "inspect", "--format", "{{.Id}}", image)
        if isinstance(done, str):
            tried.append(f"{name}: {done}")
        elif done.returncode == 0 and done.stdout.strip():
            return client, done.stdout.split()[0]
        else:
            tried.append(f"{name}: {_gist(done.stderr or done.stdout)}")
    if not tried:
        raise EnvironmentUnavailable("there is no docker and no podman here", hint=_GET_DOCKER)
    said = "; ".join(tried)
    absent = _ABSENT.search(said) is not None
    pull = f"docker pull {image}, or build it; images are never pulled on their own"
    raise EnvironmentUnavailable(
        f"{'no such image' if absent else 'no answer'}: {said}",
        where=f"{PREFIX}{image}",
        hint=pull if absent else "does it run, and may this user use it? Try `docker info`",
    )


@functools.lru_cache(maxsize=4)
def _sweep(client: str) -> None:
    """Remove containers of processes of this machine that are no more."""
    label = f"label={_HOST}={socket.gethostname()}"
    for name in (_ask(client, "ps", "--all", "--quiet", "--filter", label) or "").split():
        shown = f'{{{{index .Config.Labels "{_OWNER}"}}}}'
        owner = (_ask(client, "inspect", "--format", shown, name) or "").strip()
        if owner and not _lives(owner):
            _ask(client, "rm", "--force", name)


@functools.lru_cache(maxsize=1)
def _self(pid: int) -> str:
    return f"{pid}-{psutil.Process(pid).create_time():.0f}"


def _owner() -> str:
    return _self(os.getpid())


def _lives(owner: str) -> bool:
    pid, _, started = owner.partition("-")
    with contextlib.suppress(psutil.Error, ValueError):
        return abs(psutil.Process(int(pid)).create_time() - float(started)) < 2
    return False


def _user(client: str) -> list[str]:
    """Options by which what the container writes is this user's."""
    if Path(client).name == "podman" and os.geteuid() != 0:
        return ["--userns", "keep-id"]
    return ["--user", f"{os.geteuid()}:{os.getegid()}"]


def _mounts(box: Box) -> Iterator[tuple[str, str, bool]]:
    """Where each file comes from, where it is to be, and whether it may be written."""
    wanted: dict[str, tuple[str, bool]] = {}
    for writable, paths in ((False, box.readable), (True, box.writable)):
        for path in _both(paths):
            if path.exists():
                wanted[str(path)] = (os.path.realpath(path), writable)
    for path in _both(box.hidden):
        if path.exists():
            wanted[str(path)] = ("/dev/null", False)
    for target, (source, writable) in wanted.items():
        for name in (source, target):
            if "," in name or '"' in name or "\n" in name:
                raise EnvironmentUnavailable(
                    "Docker cannot be told of a file with a comma or a quote in its name",
                    where=name,
                )
        yield source, target, writable


def _both(paths: Iterable[Path]) -> Iterator[Path]:
    """Paths as they are written and as they are without links."""
    for path in paths:
        yield path.absolute()
        yield Path(os.path.realpath(path))


# ---- Whether it holds ----------------------------------------------------------------------------

_PROBE = """
[ -n "$VSB_SELF_TEST" ] && echo 'sees environment variables that it was not given'
cat "$1" >/dev/null 2>&1 && echo 'reads files outside of it'
(: > "$2") 2>/dev/null && echo 'writes files outside of it'
grep : /proc/net/dev | grep -qv 'lo:' && echo 'reaches the network'
: > "$3" && echo done
"""


def probe(secret: Path, new: Path, inside: Path) -> tuple[str, ...]:
    """A command that says in lines what it can do and should not, and at last ``done``.

    Args:
        secret: a file that it must not be able to read.
        new: a file that it must not be able to make.
        inside: a file that it must be able to make.
    """
    words = (str(secret), str(new), str(inside))
    return ("/bin/sh", "-c", _PROBE, "vsb", *words)


# ---- Asking the client ---------------------------------------------------------------------------


def _run(client: str, *words: str) -> subprocess.CompletedProcess[str] | str:
    """What the client did, or why it did nothing."""
    variables = {"PATH": os.environ.get("PATH", os.defpath), **dict(client_environment())}
    try:
        return subprocess.run(
            [client, *words],
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_CLIENT_SECONDS,
            check=False,
            text=True,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return f"no answer in {_CLIENT_SECONDS:.0f} s"
    except OSError as error:
        return f"cannot be run: {error.strerror}"


def _ask(client: str, *words: str) -> str | None:
    done = _run(client, *words)
    return done.stdout if not isinstance(done, str) and done.returncode == 0 else None


def _gist(text: str) -> str:
    lines = text.strip().splitlines()
    return cap(lines[0].strip(), 300) if lines else "it said nothing"
