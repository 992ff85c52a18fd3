"""What a confined command may see, and how that is told to the process that starts it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

MODES = ("auto", "require", "off", "bubblewrap", "landlock")
"""``auto`` takes the best that holds, ``require`` the same but nothing weaker than Landlock,
``off`` none; a level's name takes that level or none."""


class Level(str, Enum):
    """How a command is kept in its box, strongest first."""

    BUBBLEWRAP = "bubblewrap"
    """Namespaces: files that are not needed, other processes and the network are not there."""
    CONTAINER = "container"
    """Docker's namespaces, of an image of its own."""
    LANDLOCK = "landlock"
    """The kernel refuses files, the network and signals to others; their existence can be told."""
    RLIMITS = "rlimits"
    """Limits only. It keeps nothing in, so it is never called a sandbox."""

    def __str__(self) -> str:
        return self.value

    @property
    def is_sandbox(self) -> bool:
        return self is not Level.RLIMITS


@dataclass(frozen=True)
class Box:
    """The part of the file system that a command may use, by absolute paths.

    Besides, it has the system's programs and shared libraries, and nothing else.
    """

    readable: tuple[Path, ...]
    """Files and directories to read and execute, with all below. What is missing is left out."""
    writable: tuple[Path, ...] = ()
    """Directories to write as well."""
    hidden: tuple[Path, ...] = ()
    """Files below readable directories that are not to be read."""


@dataclass(frozen=True)
class Confinement:
    """A command as it is to be started so that it is confined."""

    argv: tuple[str, ...]
    steps: Mapping[str, Any] = field(default_factory=dict)
    """What the new process does to itself before it becomes the command: plain values, read by
    :mod:`pytest_vsb.lean.sandbox.confine`."""
    tells_signals: bool = False
    """Whether exit codes above 128 are a program's way to pass on a signal. The command itself
    cannot end with such a code."""


class Sandbox(Hashable, Protocol):
    """A way to confine commands. Two that are equal confine alike."""

    @property
    def level(self) -> Level: ...

    def confine(self, argv: tuple[str, ...], box: Box) -> Confinement:
        """The command to start instead.

        Raises:
            EnvironmentUnavailable: there is no way to give it this box.
        """
        ...

    def describe(self) -> str:
        """What it is, for a report, without its level's name."""
        ...
