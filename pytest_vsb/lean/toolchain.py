"""Finding a Lean: which one runs, and why that one.

A Lean that is found is run directly, never through elan's shims: a shim may start a download.
"""

from __future__ import annotations

import difflib
import functools
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.lean import docker, embedded, process
from pytest_vsb.lean import elan as elans
from pytest_vsb.lean.sandbox.box import Box, Confinement

Kind = Literal["elan", "path", "embedded", "docker"]
REQUESTS = ("auto", "elan", "embedded")
_PROBE = process.Limits(wall_seconds=20.0, output_bytes=2**20)
_VERSION = re.compile(r"Lean \(version (?P<version>[^,\s)]+)(?P<rest>[^)\n]*)\)")
_COMMIT = re.compile(r"commit (?P<commit>[0-9a-f]{7,40})")
_KEPT_VARIABLES = ("TMPDIR", "LD_LIBRARY_PATH")


@dataclass(frozen=True)
class Toolchain:
    """A Lean that runs here."""

    kind: Kind
    version: str
    """Such as ``4.35.0``, ``4.8.0-rc1``, ``4.12.0-nightly-2024-08-01``."""
    commit: str
    """The commit it was built from, or empty if it does not say."""
    command: tuple[str, ...]
    env: tuple[tuple[str, str], ...]
    library_path: tuple[Path, ...]
    """Search path entries that this Lean needs to find its own library; empty for most."""
    reason: str
    """Why this one, for the report."""
    json: bool
    """Whether it knows ``--json``."""
    container: docker.Container | None = None
    """What it runs in, if not on this machine itself."""

    def argv(self, *args: str) -> list[str]:
        """The command line that runs this Lean with the arguments."""
        return [*self.command, *args]

    def confinement(
        self, argv: Sequence[str], readable: Sequence[Path] = (), writable: Sequence[Path] = ()
    ) -> Confinement | None:
        """How to start a command of this Lean that is trusted; None for: as it is.

        Args:
            readable: the files and directories that a container shows of this machine.
            writable: those that it may write, too.
        """
        if self.container is None:
            return None
        return self.container.confine(tuple(argv), Box(tuple(readable), tuple(writable)))

    def environment(self, search_path: Sequence[Path] = ()) -> dict[str, str]:
        """A minimal environment to run it in, with the compiled modules' directories.

        Raises:
            EnvironmentUnavailable: a directory's name holds the separator of search paths.
        """
        entries = [str(path.absolute()) for path in (*self.library_path, *search_path)]
        for entry in entries:
            if os.pathsep in entry:
                raise EnvironmentUnavailable(
                    f"Lean cannot search a directory with {os.pathsep!r} in its name", where=entry
                )
        variables = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}
        variables |= {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
        variables["LEAN_PATH"] = os.pathsep.join(dict.fromkeys(entries))
        return variables | dict(self.env)

    def describe(self) -> str:
        """One line for a report's header: which Lean, and why."""
        commit = f" {self.commit[:12]}" if self.commit else ""
        return f"Lean {self.version}{commit} ({self.kind}: {self.reason})"


@dataclass(frozen=True)
class Pin:
    """What a ``lean-toolchain`` file asks for."""

    file: Path
    name: str
    """The toolchain as elan names it, such as ``leanprover/lean4:v4.9.0``."""

    def matches(self, version: str) -> bool:
        """Whether a Lean of that version is what is asked for; never for a channel's name."""
        tag = self.name.rpartition(":")[2]
        if nightly := elans.NIGHTLY.search(tag):
            return f"nightly-{nightly['date']}" in version
        release = elans.RELEASE.fullmatch(tag)
        return release is not None and release["version"] == version


def find(request: str = "auto", *, project: Path | None = None) -> Toolchain:
    """The Lean to use.

    Args:
        request: ``auto``, ``elan``, ``embedded``, a path to a ``lean`` or a toolchain directory, or
            ``docker:IMAGE``.
        project: the repository; its ``lean-toolchain`` file, if any, decides the version.

    Raises:
        UsageError: the request is none of those.
        EnvironmentUnavailable: there is no such Lean here, or its version is not the project's.
    """
    request = request.strip() or "auto"
    pin = read_pin(project) if project is not None else None
    if request == "auto":
        return _find_pinned(pin) if pin is not None else _find_any()
    if request == "elan":
        return _from_elan(pin)
    if request == "embedded":
        _hold_to(pin, "the embedded Lean", embedded.LEAN_VERSION)
        return _from_embedded("asked for; its scores are not those of a full Lean")
    in_container = request.startswith(docker.PREFIX)
    found = _from_docker(request, pin) if in_container else _from_path(request)
    _hold_to(pin, found.command[0], found.version)
    return found


def _hold_to(pin: Pin | None, what: str, version: str) -> None:
    if pin is not None and _says_version(pin) and not pin.matches(version):
        raise EnvironmentUnavailable(
            f"{pin.file} pins {pin.name}, but {what}, which was asked for, is {version}",
            hint=_install_hint(pin),
        )


def read_pin(project: Path) -> Pin | None:
    """What the ``lean-toolchain`` file of a directory, or of the nearest one above it, asks for.

    Raises:
        EnvironmentUnavailable: the file cannot be read or is empty.
    """
    start = project.absolute()
    for directory in (start, *start.parents):
        file = directory / "lean-toolchain"
        if not file.is_file():
            continue
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise EnvironmentUnavailable(f"cannot be read: {error}", where=str(file)) from error
        name = next((line.strip() for line in lines if line.strip()), "")
        if not name:
            raise EnvironmentUnavailable(
                "the file is empty",
                where=str(file),
                hint="it should hold a line such as leanprover/lean4:v4.9.0",
            )
        return Pin(file, elans.full_name(name))
    return None


def _says_version(pin: Pin) -> bool:
    tag = pin.name.rpartition(":")[2]
    return bool(elans.NIGHTLY.search(tag) or elans.RELEASE.fullmatch(tag))


def _install_hint(pin: Pin) -> str:
    install = f"elan toolchain install {pin.name}"
    return install if elans.find() is not None else f"{elans.GET_ELAN}, then run `{install}`"


# ---- The ways to a Lean --------------------------------------------------------------------------


def _find_pinned(pin: Pin) -> Toolchain:
    tried = []
    try:
        return _from_elan(pin)
    except EnvironmentUnavailable as error:
        tried.append(error.message)
    for binary in _leans_on_path():
        try:
            found = _probe("path", (str(binary),), f"the lean on PATH is what {pin.file} pins")
        except EnvironmentUnavailable as error:
            tried.append(str(error))
            continue
        if pin.matches(found.version):
            return found
        tried.append(f"{binary} is {found.version}")
    raise EnvironmentUnavailable(
        f"{pin.file} pins {pin.name}, which is not here: {'; '.join(tried)}",
        hint=_install_hint(pin),
    )


def _find_any() -> Toolchain:
    tried = []
    if elans.find() is not None:
        try:
            return _from_elan(None)
        except EnvironmentUnavailable as error:
            tried.append(error.message)
    for binary in _leans_on_path():
        try:
            return _probe("path", (str(binary),), f"{binary} is the first on PATH that runs")
        except EnvironmentUnavailable as error:
            tried.append(str(error))
    none = "; ".join(tried) or "no lean on PATH"
    try:
        return _from_embedded(f"{none}; its scores are not those of a full Lean")
    except EnvironmentUnavailable as error:
        raise EnvironmentUnavailable(
            f"there is no Lean here: {none}; {error.message}",
            hint=f"{embedded.HINT} (Linux on x86-64), or {elans.GET_ELAN}",
        ) from error


def _from_elan(pin: Pin | None) -> Toolchain:
    elan = elans.find()
    if elan is None:
        raise EnvironmentUnavailable("elan is not installed", hint=elans.GET_ELAN)
    installed = elans.installed(elan)
    override = os.environ.get("ELAN_TOOLCHAIN", "").strip()
    if pin is not None:
        wanted, reason = pin.name, f"{pin.file} pins it"
    elif override:
        wanted, reason = elans.full_name(override), "ELAN_TOOLCHAIN names it"
    else:
        wanted, reason = _default(installed), "elan's default"
    if not wanted:
        raise EnvironmentUnavailable(
            "elan has no default toolchain",
            hint="elan default stable, or give --vsb-lean a toolchain's directory",
        )
    # elan lists what it was given: with or without the repository's name.
    name = elans.among(wanted, installed)
    if name is None:
        there = ", ".join(installed) or "none"
        raise EnvironmentUnavailable(
            f"elan has no toolchain {wanted} (installed: {there})",
            hint=f"elan toolchain install {wanted}",
        )
    home = elans.home(elan)
    binary = elans.directory(home, name) / "bin" / "lean"
    if binary.is_file():
        return _probe("elan", (str(binary),), reason)
    environment = (("ELAN_HOME", str(home)), ("HOME", str(Path.home())))
    return _probe("elan", (str(elan), "run", name, "lean"), reason, environment)


def _from_embedded(reason: str) -> Toolchain:
    command = embedded.command()
    core = embedded.ensure_core()
    # Which one it is, is known: each process would ask it again.
    return _probe("embedded", command, reason, library_path=(core,), json=True)


def _from_docker(request: str, pin: Pin | None) -> Toolchain:
    # An image may have elan and several Leans.
    variables = (("ELAN_TOOLCHAIN", pin.name),) if pin is not None else ()
    container = docker.find(request, variables)
    reason = f"asked for; {Path(container.client).name} image {container.image}"
    return _probe("docker", ("lean",), reason, docker.client_environment(), container=container)


def _from_path(request: str) -> Toolchain:
    path = Path(request).expanduser().absolute()
    if path.is_dir():
        for binary in (path / "bin" / "lean", path / "lean"):
            if binary.is_file():
                return _probe("path", (str(binary),), "asked for")
        raise UsageError(
            "the directory has no bin/lean", where=str(path), hint=f"valid: {_valid()}"
        )
    if path.is_file():
        return _probe("path", (str(path),), "asked for")
    if os.sep in request:
        raise UsageError("there is no such Lean", where=request, hint=f"valid: {_valid()}")
    near = difflib.get_close_matches(request, REQUESTS, n=1, cutoff=0.5)
    guess = f"did you mean {near[0]!r}? " if near else ""
    raise UsageError(f"unknown Lean {request!r}", hint=f"{guess}valid: {_valid()}")


def _valid() -> str:
    return ", ".join(REQUESTS) + ", a path to a lean binary or a toolchain directory, docker:IMAGE"


# ---- Asking elan and Lean ------------------------------------------------------------------------


def _default(installed: dict[str, str]) -> str:
    for name, notes in installed.items():
        if "default" in notes:
            return elans.full_name(name)
    return ""


def _leans_on_path() -> Iterator[Path]:
    """Every ``lean`` on PATH but elan's shims, in order."""
    seen = set()
    for directory in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which("lean", path=directory) if directory else None
        if found is None:
            continue
        path = Path(found).absolute()
        if path.parent in seen or path.with_name("elan").exists() or path.resolve().stem == "elan":
            continue
        seen.add(path.parent)
        yield path


def parse_version(text: str) -> tuple[str, str] | None:
    """Version and commit in what ``lean --version`` prints, None if it is not that."""
    match = _VERSION.search(text)
    if match is None:
        return None
    commit = _COMMIT.search(match["rest"])
    return match["version"], commit["commit"] if commit else ""


def _probe(
    kind: Kind,
    command: tuple[str, ...],
    reason: str,
    env: tuple[tuple[str, str], ...] = (),
    library_path: tuple[Path, ...] = (),
    container: docker.Container | None = None,
    json: bool | None = None,
) -> Toolchain:
    version, commit, json = _ask(command, env, _stamp(command), container, json)
    return Toolchain(kind, version, commit, command, env, library_path, reason, json, container)


def _stamp(command: tuple[str, ...]) -> tuple[int, int]:
    """Something that changes when the file behind a command does."""
    try:
        facts = Path(command[-1] if len(command) > 4 else command[0]).stat()
    except OSError:
        return 0, 0
    return facts.st_mtime_ns, facts.st_size


@functools.lru_cache(maxsize=32)
def _ask(
    command: tuple[str, ...],
    env: tuple[tuple[str, str], ...],
    _stamp: tuple[int, int],
    container: docker.Container | None,
    json: bool | None,
) -> tuple[str, str, bool]:
    """Version, commit, and whether it knows ``--json``, which is asked unless ``json`` tells."""
    variables = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", **dict(env)}

    def run(option: str) -> process.Completed:
        argv = (*command, option)
        confinement = container.confine(argv, Box(())) if container is not None else None
        done = process.run(
            argv, cwd=Path("/"), env=variables, limits=_PROBE, confinement=confinement
        )
        if container is not None and confinement is not None:
            return container.settle(done, confinement)
        return done

    try:
        done = run("--version")
    except EnvironmentUnavailable as error:
        raise EnvironmentUnavailable(f"it is no Lean that runs: {error.message}") from error
    parsed = parse_version(done.stdout)
    if done.exit_code != 0 or parsed is None:
        raise EnvironmentUnavailable(
            f"it does not answer --version as Lean does: {elans.gist(done)}", where=command[0]
        )
    if json is None:
        usage = run("--help")
        json = "--json" in usage.stdout + usage.stderr
    return *parsed, json
