"""Landlock: the kernel refuses a process, and all that it starts, what no rule grants.

Each version of the kernel's interface knows more; what this kernel does not know is covered by the
system call filter as far as it can be. Needs no privileges, and works in containers without user
namespaces.

Numbers: the kernel's ``linux/landlock.h``.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean.sandbox import limits, paths, seccomp
from pytest_vsb.lean.sandbox.box import Box, Confinement, Level

_CREATE_RULESET = 444
_GET_VERSION = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE = 1 << 14
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
# The file system rights known since each version: the lowest bits, one for each right.
_RIGHTS_SINCE = {1: 13, 2: 14, 3: 15, 5: 16}
# Never granted: making device nodes and sockets, and device controls.
_NEVER = (1 << 6) | (1 << 9) | (1 << 11) | (1 << 15)
_NET_SINCE, _NET_RIGHTS = 4, 0b11
_SCOPE_SINCE, _SCOPES = 6, 0b11
_MOST_RULES = 20_000
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


@functools.lru_cache(maxsize=1)
def version() -> int:
    """The version of the kernel's interface, 0 if there is none; :func:`why_not` says why."""
    return max(0, _ask()[0])


def why_not() -> str | None:
    """Why this system has no Landlock, or None if it has."""
    found, number = _ask()
    if found > 0:
        return None if seccomp.program() else "no system call filter is known for this processor"
    if number == errno.EOPNOTSUPP:
        return "Landlock is switched off on this system: not in the kernel's lsm= list"
    if number == errno.ENOSYS:
        return "this kernel has no Landlock (it came with Linux 5.13, and can be left out)"
    if number == errno.EPERM:
        return "Landlock is refused here, probably by the system call filter of a container"
    return f"Landlock cannot be used: {os.strerror(number)}" if number else "not a Linux system"


def _ask() -> tuple[int, int]:
    if not sys.platform.startswith("linux"):
        return 0, 0
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    found = library.syscall(
        ctypes.c_long(_CREATE_RULESET),
        None,
        ctypes.c_size_t(0),
        ctypes.c_uint32(_GET_VERSION),
    )
    return int(found), ctypes.get_errno() if found < 0 else 0


def handled(version: int) -> int:
    """The file system rights that a kernel with this version of the interface can refuse."""
    bits = max(bits for since, bits in _RIGHTS_SINCE.items() if since <= version)
    return (1 << bits) - 1


def ruleset(version: int) -> bytes:
    """``struct landlock_ruleset_attr``, as long as that version knows it."""
    network = _NET_RIGHTS if version >= _NET_SINCE else 0
    scopes = _SCOPES if version >= _SCOPE_SINCE else 0
    size = 24 if version >= _SCOPE_SINCE else 16 if version >= _NET_SINCE else 8
    return struct.pack("=QQQ", handled(version), network, scopes)[:size]


@dataclass(frozen=True)
class Landlock:
    """Confines by Landlock and a system call filter."""

    version: int

    @property
    def level(self) -> Level:
        return Level.LANDLOCK

    def describe(self) -> str:
        return f"version {self.version} of its interface, and a system call filter"

    def confine(self, argv: tuple[str, ...], box: Box) -> Confinement:
        """See :class:`~pytest_vsb.lean.sandbox.box.Sandbox`.

        Raises:
            EnvironmentUnavailable: a hidden file cannot be hidden.
        """
        rights = handled(self.version)
        rules = {Path(name): (_READ_FILE | _WRITE_FILE) & rights for name in _DEVICES}
        readable = (*paths.system_files(), *map(paths.real, box.readable))
        hidden = {paths.real(path) for path in box.hidden}
        for path in readable:
            for part in _without(path, hidden):
                rules[part] = rules.get(part, 0) | _READ
        for path in map(paths.real, box.writable):
            rules[path] = rights & ~_NEVER
        if len(rules) > _MOST_RULES:
            raise EnvironmentUnavailable(
                "too many files stand beside the one that is to be hidden from candidates",
                where=str(box.hidden[0]),
            )
        steps = {
            "rlimits": limits.numbers(),
            "no_capabilities": True,
            "ruleset": ruleset(self.version),
            "rights": rights,
            "file_rights": _FILE_RIGHTS & rights,
            # Its own entries only: those of other processes tell their environments.
            "rules": [(b"/proc/self", _READ_FILE | _READ_DIR)]
            + [(os.fsencode(path), allowed & rights) for path, allowed in rules.items()],
            "filter": seccomp.program(),
        }
        return Confinement(argv, steps)


def _without(path: Path, hidden: set[Path]) -> Iterator[Path]:
    """The path, or in its place all that is beside the hidden files below it: rules only add."""
    if path in hidden:
        return
    inside = {file for file in hidden if path in file.parents}
    if not inside:
        yield path
        return
    try:
        below = sorted(path.iterdir())
    except OSError:
        return
    for child in below:
        # A link would grant what it points to, which may be what is to be hidden.
        if not child.is_symlink():
            yield from _without(child, inside)


def find() -> Landlock | None:
    """The best that this kernel has, if any."""
    return Landlock(version()) if why_not() is None else None
