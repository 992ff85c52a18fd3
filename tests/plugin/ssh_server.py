"""An ssh server of the test's own on this machine, with keys of its own."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_vsb.lean.sandbox.bubblewrap import programs

_CONFIG = """\
ListenAddress 127.0.0.1
Port {port}
HostKey {here}/host
AuthorizedKeysFile {here}/user.pub
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
MaxStartups 50
SetEnv {environment}
"""
_CLIENT = """\
Host box
  HostName 127.0.0.1
  Port {port}
  IdentityFile {here}/user
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
  LogLevel ERROR
  BatchMode yes
"""


@dataclass(frozen=True)
class SshServer:
    """The server, as the host ``box`` of a client's configuration file."""

    here: Path

    def spec(self, python: str, chdir: Path) -> str:
        """What ``--tx`` takes for a worker there."""
        return f"ssh=box//ssh_config={self.here}/client//python={python}//chdir={chdir}"


def program(name: str) -> str:
    """The path of a program of OpenSSH's; skips where it is not installed."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed (Debian: openssh-server)")
    return found


@contextlib.contextmanager
def serve(
    here: Path, environment: Mapping[str, str], *, hidden: Path | None = None
) -> Iterator[SshServer]:
    """Run a server while the ``with`` lasts.

    Args:
        here: a new directory for its files.
        environment: what the programs have that it starts.
        hidden: a directory that these do not see, as on a machine without it.
    """
    sshd, keygen = program("sshd"), program("ssh-keygen")
    program("ssh")
    here.mkdir()
    for name in ("host", "user"):
        subprocess.run(
            [keygen, "-q", "-t", "ed25519", "-N", "", "-f", here / name],
            check=True,
            stdin=subprocess.DEVNULL,
        )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    pairs = " ".join(f'"{name}={value}"' for name, value in environment.items())
    config = _CONFIG.format(port=port, here=here, environment=pairs)
    if hidden is not None:
        script = here / "far"
        script.write_text(
            f'#!/bin/sh\nexec {shlex.join([*_hiding(hidden)])} /bin/sh -c "$SSH_ORIGINAL_COMMAND"\n'
        )
        script.chmod(0o755)
        config += f"ForceCommand {script}\n"
    (here / "server").write_text(config)
    (here / "client").write_text(_CLIENT.format(port=port, here=here))
    if os.geteuid() == 0:
        # The server of root insists on it.
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    with (here / "log").open("wb") as log:
        process = subprocess.Popen(
            [sshd, "-D", "-e", "-f", here / "server"], stdin=subprocess.DEVNULL, stderr=log
        )
    try:
        _wait(process, port, here / "log")
        yield SshServer(here)
    finally:
        process.terminate()
        process.wait(timeout=20)


def _hiding(directory: Path) -> list[str]:
    """A command before which another one does not see a directory; skips where there is none."""
    bwrap = next(programs(), None)
    if bwrap is None:
        pytest.skip("there is no bubblewrap to stand in for another machine")
    command = [str(bwrap), "--dev-bind", "/", "/", "--tmpfs", str(directory), "--"]
    tried = subprocess.run([*command, "/bin/true"], capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"bubblewrap cannot stand in for another machine: {tried.stderr.strip()}")
    return command


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + 20
    while process.poll() is None and time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    process.kill()
    pytest.skip(f"sshd does not run here: {log.read_text(errors='replace')[-400:]}")
