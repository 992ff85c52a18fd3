"""Finding and running the programs of outside judges."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pytest_vsb.judge.running import Slots, Unlimited, kind_of, note_peak
from pytest_vsb.lean import process
from pytest_vsb.lean.process import Completed, Limits
from pytest_vsb.lean.sandbox import memory, needs
from pytest_vsb.lean.sandbox.box import Box, Sandbox
from pytest_vsb.lean.toolchain import Toolchain

_BUILT = (Path(".lake/packages"), Path("lake-packages"))
_BIN = (Path(".lake/build/bin"), Path("build/bin"))


def find(names: Sequence[str], toolchain: Toolchain, root: Path | None = None) -> Path | None:
    """The first program of these names: of the toolchain, on PATH, or built in a Lake package of
    the project at ``root``."""
    for name in names:
        beside = binaries(toolchain)
        if beside is not None and _is_program(beside / name):
            return beside / name
        on_path = shutil.which(name)
        if on_path is not None:
            return Path(on_path).absolute()
        if root is not None:
            for built in _built(root, name):
                return built
    return None


def binaries(toolchain: Toolchain) -> Path | None:
    """The directory of a full Lean's programs; ``None`` for the embedded Lean, and for one in a
    container."""
    inside = toolchain.container is not None
    if toolchain.kind == "embedded" or inside or len(toolchain.command) != 1:
        return None
    return Path(os.path.realpath(toolchain.command[0])).parent


def _built(root: Path, name: str) -> list[Path]:
    packages = [root]
    for place in _BUILT:
        with contextlib.suppress(OSError):
            packages += sorted(path for path in (root / place).iterdir() if path.is_dir())
    places = (package / directory / name for package in packages for directory in _BIN)
    return [place for place in places if _is_program(place)]


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


class Programs:
    """Runs programs under the limits and in the sandbox that Lean has.

    Args:
        toolchain: the Lean whose files they read.
        limits: of each process.
        sandbox: what confines them.
        slots: a bound on processes at once.
    """

    def __init__(
        self,
        toolchain: Toolchain,
        limits: Limits,
        sandbox: Sandbox,
        slots: Slots | None = None,
    ) -> None:
        self.toolchain = toolchain
        self.limits = limits
        self._sandbox = sandbox
        self._slots = slots or Unlimited()

    def __call__(
        self,
        program: Path,
        arguments: Sequence[str],
        directory: Path,
        search_path: Sequence[Path],
    ) -> Completed:
        """Run one in ``directory``, which it cannot write, with the modules of ``search_path``."""
        places = (directory, *search_path)
        argv = (str(program), *arguments)
        readable = (
            *needs.readable(self.toolchain, places),
            program,
            Path(os.path.realpath(program)),
        )
        confinement = self._sandbox.confine(argv, Box(readable))
        limits = replace(self.limits, memory_mb=self.limits.memory_mb or memory.most_mb())
        with self._slots.acquire(kind_of(self.toolchain, search_path, program.name)) as slot:
            completed = process.run(
                argv,
                cwd=directory,
                env=self.environment(places),
                limits=limits,
                confinement=confinement,
            )
            note_peak(slot, completed)
        return completed

    def unconfined(
        self,
        argv: Sequence[str],
        directory: Path,
        extra: Mapping[str, str],
        times: int = 1,
    ) -> Completed:
        """Run a program that brings its own sandbox, for ``times`` as long as a Lean may run."""
        limits = replace(self.limits, wall_seconds=self.limits.wall_seconds * times)
        environment = {**self.environment(()), **extra}
        kind = kind_of(self.toolchain, (), Path(argv[0]).name)
        with self._slots.acquire(kind) as slot:
            completed = process.run(argv, cwd=directory, env=environment, limits=limits)
            note_peak(slot, completed)
        return completed

    def environment(self, search_path: Sequence[Path]) -> dict[str, str]:
        """That of this Lean, with its programs first on PATH: some judges ask ``lean`` things."""
        variables = self.toolchain.environment(search_path)
        beside = binaries(self.toolchain)
        if beside is not None:
            variables["PATH"] = os.pathsep.join((str(beside), variables["PATH"]))
        return variables
