"""Which sandbox to use, by what holds on this machine."""

from __future__ import annotations

import functools
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.lean import docker, process
from pytest_vsb.lean.sandbox import bubblewrap, landlock, needs, selftest
from pytest_vsb.lean.sandbox.box import MODES, Box, Level, Sandbox
from pytest_vsb.lean.sandbox.rlimits import Rlimits
from pytest_vsb.lean.scratch import scratch
from pytest_vsb.lean.toolchain import Toolchain

_OPTION = "--vsb-sandbox"
_LIMITS = process.Limits(wall_seconds=60.0, output_bytes=2**20)


@dataclass(frozen=True)
class Choice:
    """A sandbox, and why no stronger one."""

    sandbox: Sandbox
    reasons: tuple[str, ...] = ()

    @property
    def assurance(self) -> str:
        """What a verdict may claim: ``sandbox:LEVEL`` or ``unsandboxed``."""
        level = self.sandbox.level
        return f"sandbox:{level}" if level.is_sandbox else "unsandboxed"

    def describe(self) -> str:
        """One line for a report."""
        level = self.sandbox.level
        name = f"{level} ({self.sandbox.describe()})" if level.is_sandbox else "none, limits only"
        return "; ".join((name, *self.reasons))


UNSANDBOXED = Choice(Rlimits())
"""No sandbox."""


def choose(mode: str = "auto", toolchain: Toolchain | None = None) -> Choice:
    """The sandbox to run candidates' text in.

    Every sandbox is tested before it is used, once in a process.

    Args:
        mode: one of :data:`~pytest_vsb.lean.sandbox.box.MODES`.
        toolchain: a Lean that must run in it.

    Raises:
        UsageError: there is no such mode.
        EnvironmentUnavailable: nothing holds that is as strong as the mode asks for.
    """
    if mode not in MODES:
        raise UsageError(
            f"{mode!r} is not a valid value",
            where=_OPTION,
            hint=f"Valid values: {', '.join(MODES)}.",
        )
    if toolchain is not None and toolchain.container is not None:
        return _container(mode, toolchain.container)
    if mode == "off":
        return Choice(Rlimits(), (f"switched off by {_OPTION}=off",))
    reasons: list[str] = []
    for level, find in _LEVELS:
        if mode in ("bubblewrap", "landlock") and level != mode:
            continue
        for sandbox, reason in find():
            if sandbox is not None:
                reason = _tested(sandbox)
                if reason is None and toolchain is not None:
                    reason = _runs(sandbox, toolchain)
                if reason is None:
                    return Choice(sandbox, tuple(reasons))
                if level is Level.BUBBLEWRAP:
                    reason = bubblewrap.explain(reason)
            name = f"{level} {sandbox.describe()}" if sandbox is not None else str(level)
            reasons.append(f"no {name}: {reason}")
    if mode == "auto":
        return Choice(Rlimits(), tuple(reasons))
    raise EnvironmentUnavailable(
        f"no sandbox holds here: {'; '.join(reasons)}",
        where=f"{_OPTION}={mode}",
        hint=f"{bubblewrap.HINT}, or run with {_OPTION}=auto and trust the candidates",
    )


def _container(mode: str, container: docker.Container) -> Choice:
    """A Lean in a container is in that box and in no other."""
    reason = _container_trouble(container) if mode in ("auto", "require") else None
    if mode in ("bubblewrap", "landlock"):
        reason = "it does not work for a Lean in a container"
    if reason is None:
        return Choice(replace(container, holds=mode != "off"))
    if mode == "auto":
        return Choice(replace(container, holds=False), (f"no {Level.CONTAINER}: {reason}",))
    raise EnvironmentUnavailable(
        f"no sandbox holds here: {reason}",
        where=f"{_OPTION}={mode}",
        hint=f"run with {_OPTION}=auto and trust the candidates",
    )


@functools.lru_cache(maxsize=16)
def _container_trouble(container: docker.Container) -> str | None:
    return selftest.container_trouble(container)


_Found = Iterator[tuple[Sandbox | None, str | None]]


def _bubblewraps() -> _Found:
    none = True
    for program in bubblewrap.programs():
        none = False
        yield bubblewrap.Bubblewrap(program, _version(program)), None
    if none:
        yield None, "there is no bwrap here"


def _landlocks() -> _Found:
    yield landlock.find(), landlock.why_not()


_LEVELS: tuple[tuple[Level, Callable[[], _Found]], ...] = (
    (Level.BUBBLEWRAP, _bubblewraps),
    (Level.LANDLOCK, _landlocks),
)


@functools.lru_cache(maxsize=16)
def _version(program: Path) -> str:
    try:
        done = subprocess.run(
            [program, "--version"], capture_output=True, timeout=10, check=False, env={}
        )
    except (OSError, subprocess.TimeoutExpired):
        return "of unknown version"
    words = done.stdout.decode("utf-8", "replace").split()
    return words[1][:20] if len(words) == 2 and words[0] == "bubblewrap" else "of unknown version"


@functools.lru_cache(maxsize=16)
def _tested(sandbox: Sandbox) -> str | None:
    return selftest.trouble(sandbox)


@functools.lru_cache(maxsize=32)
def _runs(sandbox: Sandbox, toolchain: Toolchain) -> str | None:
    """Why this Lean does not start in the box, or None if it does."""
    argv = tuple(toolchain.argv("--version"))
    with scratch() as directory:
        box = Box(needs.readable(toolchain), (directory,))
        try:
            done = process.run(
                argv,
                cwd=directory,
                env=toolchain.environment(),
                limits=_LIMITS,
                confinement=sandbox.confine(argv, box),
            )
        except EnvironmentUnavailable as error:
            return f"Lean does not start in it: {error.message}"
    if done.exit_code == 0:
        return None
    said = (done.stderr.strip() or done.stdout.strip() or done.outcome.value)[-300:]
    return f"Lean does not start in it: {said}"
