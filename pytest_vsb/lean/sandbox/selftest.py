"""Whether a sandbox really holds: a program in its box tries to get out.

A ``bwrap`` that passes everything through, a kernel that ignores what it is asked for, or a mistake
in this package would all show here, before anything runs on trust in them.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import process
from pytest_vsb.lean.docker import Container, client_environment, probe
from pytest_vsb.lean.sandbox import paths
from pytest_vsb.lean.sandbox.box import Box, Sandbox
from pytest_vsb.lean.scratch import scratch

_LIMITS = process.Limits(wall_seconds=20.0, output_bytes=2**20)
_PROBE = Path(__file__).with_name("probe.py")
_WAITING = "import sys; sys.stdin.read()"
_GIVEN = "VSB_SELF_TEST"
_OWN_VARIABLES = frozenset({_GIVEN, "PWD", "LC_CTYPE"})
_PORT_IN_VAIN = 9


def trouble(sandbox: Sandbox) -> str | None:
    """Why this sandbox is not to be relied on, or None if it holds.

    Takes some 0.1 s. Raises EnvironmentUnavailable if there is no place for the test itself.
    """
    with scratch() as directory:
        inside, outside = directory / "inside", directory / "outside"
        inside.mkdir()
        outside.mkdir()
        secret = outside / "secret"
        token, canary, hidden = (secrets.token_hex(16) for _ in range(3))
        secret.write_text(hidden, encoding="ascii")
        with _other_process(canary) as other, _listeners(outside) as (port, path):
            task = {
                "token": token, "canary": canary, "secret": str(secret), "port": str(port),
                "new": str(outside / "new"), "home": str(_home()), "socket": path,
                "pid": str(other.pid),
            }  # fmt: skip
            box = Box((*paths.python_files(), _PROBE), (inside,))
            argv = (sys.executable, "-I", "-S", str(_PROBE), json.dumps(task))
            try:
                done = process.run(
                    argv,
                    cwd=inside,
                    env={_GIVEN: "1"},
                    limits=_LIMITS,
                    confinement=sandbox.confine(argv, box),
                )
            except EnvironmentUnavailable as error:
                return error.message
            report = _report(done.stdout, token)
            if report is None or done.exit_code != 0:
                said = done.stderr.strip() or done.stdout.strip() or "no output"
                return said[-500:]
            if not (inside / "probe.txt").is_file():
                return "a command cannot write into its own directory"
            breaches = list(_reported(report, hidden, box))
            # What can be seen from here is not taken from the report.
            if (outside / "new").exists() or secret.read_text(encoding="ascii") != hidden:
                breaches.append("writes files outside of it")
            if other.poll() is not None:
                breaches.append("ends other processes")
    if breaches:
        return f"it does not hold: a program in it {', '.join(breaches)}"
    return None


def container_trouble(container: Container) -> str | None:
    """Why a container is not to be relied on, or None if it holds.

    An image need not have Python, so this asks less than :func:`trouble`, with a shell.
    """
    with scratch() as directory:
        inside, outside = directory / "inside", directory / "outside"
        inside.mkdir()
        outside.mkdir()
        secret, new = outside / "secret", outside / "new"
        secret.write_text("secret", encoding="ascii")
        argv = probe(secret, new, inside / "probe.txt")
        confinement = container.confine(argv, Box((), (inside,)))
        variables = {"PATH": os.environ.get("PATH", os.defpath), **dict(client_environment())}
        try:
            done = process.run(
                argv,
                cwd=inside,
                env={**variables, _GIVEN: "1"},
                limits=_LIMITS,
                confinement=confinement,
            )
            done = container.settle(done, confinement)
        except EnvironmentUnavailable as error:
            return error.message
        *breaches, last = done.stdout.splitlines() or [""]
        if last != "done" or not (inside / "probe.txt").is_file():
            return (done.stderr.strip() or done.stdout.strip() or "no output")[-500:]
        if new.exists() and "writes files outside of it" not in breaches:
            breaches.append("writes files outside of it")
    return f"it does not hold: a program in it {', '.join(breaches)}" if breaches else None


def _report(stdout: str, token: str) -> dict[str, Any] | None:
    try:
        report = json.loads(stdout)
    except ValueError:
        return None
    return report if isinstance(report, dict) and report.get("token") == token else None


def _reported(report: dict[str, Any], hidden: str, box: Box) -> Iterator[str]:
    """What the program says that it could do, and should not have been able to."""
    if hidden in str(report.get("secret")):
        yield "reads files outside of it"
    if set(report.get("home", ())) - _shown_below(_home(), box):
        yield "lists the home directory"
    if report.get("settings"):
        yield "can change the system's settings"
    if set(report.get("environment", ())) - _OWN_VARIABLES:
        yield "sees environment variables that it was not given"
    if report.get("other"):
        yield "sees the environment of other processes"
    if report.get("network"):
        yield "reaches the network"
    if report.get("socket"):
        yield "reaches sockets of other processes"


def _home() -> Path:
    return Path(os.path.realpath(Path("~").expanduser()))


def _shown_below(directory: Path, box: Box) -> set[str]:
    """Names in a directory that a box may well show, since something in it is below them."""
    every = [*paths.system_files(), *box.readable, *box.writable]
    every += [link for path in every for link, _ in paths.links(path)]
    every += [paths.real(path) for path in every]
    if directory in every or any(directory.is_relative_to(path) for path in every):
        return set(os.listdir(directory))  # noqa: PTH208 - it is a part of the box
    return {path.relative_to(directory).parts[0] for path in every if directory in path.parents} | (
        # Of the root directory, the box has its own `/dev` and `/proc`.
        {"dev", "proc", *(path.parts[1] for path in paths.system_paths())}
        if directory == Path("/")
        else set()
    )


@contextlib.contextmanager
def _other_process(canary: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of ours that waits, with something in its environment to look for."""
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _WAITING],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"VSB_CANARY": canary},
    ) as other:
        try:
            yield other
        finally:
            other.kill()


@contextlib.contextmanager
def _listeners(directory: Path) -> Iterator[tuple[int, str]]:
    """The port of a listener on the loopback interface, and the path of one in the directory."""
    with contextlib.ExitStack() as stack:
        port, path = _PORT_IN_VAIN, str(directory / "listener")
        # A system without loopback, or a long name, leaves that part of the test out.
        with contextlib.suppress(OSError):
            server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            port = server.getsockname()[1]
        with contextlib.suppress(OSError):
            local = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            local.bind(path)
            local.listen(1)
        yield port, path
