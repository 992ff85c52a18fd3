"""elan, which installs Leans and knows which there are."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import process
from pytest_vsb.lean.diagnostics import cap

GET_ELAN = "install elan from https://lean-lang.org/install"
"""What to do where there is no elan."""

RELEASE = re.compile(r"v?(?P<version>\d+\.\d+\.\d+(?:-\S+)?)")
"""The name of a release, as the end of a toolchain's name or alone."""

NIGHTLY = re.compile(r"nightly-(?P<date>\d{4}-\d{2}-\d{2})")
"""The name of a nightly build, likewise."""

_PROBE = process.Limits(wall_seconds=20.0, output_bytes=2**20)
_INSTALLED = re.compile(r"(?P<name>\S+)(?:\s+\((?P<notes>.*)\))?")


def find() -> Path | None:
    """The elan to use, on PATH or where its installer puts it; None if there is none."""
    found = shutil.which("elan")
    if found is None:
        home = os.environ.get("ELAN_HOME")
        usual = Path(home) if home else Path("~/.elan").expanduser()
        found = shutil.which("elan", path=str(usual / "bin"))
    return Path(found).absolute() if found else None


def home(elan: Path) -> Path:
    """The directory where that elan keeps its toolchains."""
    given = os.environ.get("ELAN_HOME")
    if given:
        return Path(given).absolute()
    beside = elan.parent.parent
    return beside if (beside / "toolchains").is_dir() else Path("~/.elan").expanduser()


def installed(elan: Path) -> dict[str, str]:
    """The installed toolchains, from name to elan's notes such as ``default``."""
    own = home(elan)
    variables = {"PATH": os.environ.get("PATH", os.defpath), "ELAN_HOME": str(own)}
    variables |= {"HOME": os.environ.get("HOME") or str(own.parent)}
    done = process.run(
        [str(elan), "toolchain", "list"], cwd=Path("/"), env=variables, limits=_PROBE
    )
    if done.exit_code != 0:
        raise EnvironmentUnavailable(f"`elan toolchain list` fails: {gist(done)}", where=str(elan))
    found = {}
    for line in done.stdout.splitlines():
        match = _INSTALLED.fullmatch(line.strip())
        if match is not None:
            found[match["name"]] = match["notes"] or ""
    return found


def directory(home: Path, name: str) -> Path:
    """Where the toolchain of that name, as elan lists it, is installed."""
    return home / "toolchains" / name.replace("/", "--").replace(":", "---")


def among(wanted: str, installed: Iterable[str]) -> str | None:
    """The name, as elan lists it, of the toolchain that is wanted; None if it is not there.

    elan lists what it was given, with or without the repository's name, but keeps nightly builds
    under the repository that they come from.
    """
    return next((name for name in installed if _key(name) == _key(wanted)), None)


def _key(name: str) -> str:
    return full_name(name).replace("leanprover/lean4-nightly:", "leanprover/lean4:")


def full_name(name: str) -> str:
    """A toolchain's name in full: a bare release or channel is of Lean's own repository."""
    if "/" in name:
        return name
    release = RELEASE.fullmatch(name)
    if release is not None:
        return f"leanprover/lean4:v{release['version']}"
    if name in ("stable", "beta", "nightly") or NIGHTLY.fullmatch(name):
        return f"leanprover/lean4:{name}"
    return name


def gist(done: process.Completed) -> str:
    """The first line of what a failed command said."""
    if done.outcome is process.Outcome.TIMEOUT:
        return f"no answer in {done.wall_seconds:.0f} s"
    lines = f"{done.stderr}\n{done.stdout}".strip().splitlines()
    ending = f"exit code {done.exit_code}" if done.exit_code is not None else done.outcome.value
    return cap(lines[0].strip(), 300) if lines else ending
