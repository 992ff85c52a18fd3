"""Toolchains through elan: whether they are there, and installing them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import elan as elans
from pytest_vsb.repos.command import Runner, StepFailed, Stop, environment, gist, shown

TOOLCHAIN_MB = 2000
"""Room that a toolchain takes, unpacked; see docs/repositories.md."""

_NETWORK = re.compile(
    r"could not download|failed to download|error during download|timed out|could not resolve"
    r"|connection|network|\b50[0-9]\b|\b429\b",
    re.IGNORECASE,
)


def missing(names: Sequence[str]) -> tuple[str, ...]:
    """Which of the toolchains are not installed; all of them where there is no elan."""
    wanted = tuple(dict.fromkeys(names))
    elan = elans.find()
    if elan is None:
        return wanted
    home = elans.home(elan)
    absent = tuple(
        name for name in wanted if not (elans.directory(home, name) / "bin" / "lean").is_file()
    )
    if not absent:
        return ()
    try:
        # Toolchains that were linked by hand, and names that elan writes in another way.
        there = elans.installed(elan)
    except EnvironmentUnavailable:
        return absent
    return tuple(name for name in absent if not elans.among(name, there))


def need_elan() -> str:
    """The elan to use.

    Raises:
        StepFailed: there is none; says how to install it.
    """
    elan = elans.find()
    if elan is None:
        raise StepFailed("elan, which installs Leans, is not installed", hint=elans.GET_ELAN)
    return str(elan)


def install(
    name: str, runner: Runner, *, seconds: float, stop: Stop, pauses: tuple[float, ...]
) -> None:
    """Install a toolchain, again after errors of the network.

    Raises:
        StepFailed: it cannot be installed.
    """
    argv = [need_elan(), "toolchain", "install", name]
    for pause in (*pauses, None):
        done = runner.run(argv, cwd=runner.log.parent, seconds=seconds, env=environment())
        if not missing([name]):
            return
        text = done.stderr + done.stdout
        if done.exit_code == 0 or pause is None or not _NETWORK.search(text):
            raise StepFailed(
                f"`{shown(argv)}` did not install it: {gist(done)}",
                where=name,
                hint=f"is there a release of that name, and a connection? See {runner.log}",
            )
        stop.wait(pause)
