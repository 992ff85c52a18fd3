"""What a new process does to itself before it becomes a confined command.

Imported by the supervisor, which is a bare interpreter without this package, in the process that
is about to become the command. So it uses the standard library alone, and little of it: every
number comes from the outside, as the ``steps`` of a ``Confinement``.
"""

from __future__ import annotations

import ctypes
import os
import resource
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FILTER_FD = b"{filter}"
"""A word of the command line that stands for the descriptor to read the filter from."""

_PR_SET_NO_NEW_PRIVS, _PR_CAPBSET_DROP, _PR_SET_SECCOMP = 38, 24, 22
_SECCOMP_MODE_FILTER = 2
_ADD_RULE, _RESTRICT_SELF, _CREATE_RULESET = 445, 446, 444
_RULE_PATH_BENEATH = 1
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63
_O_PATH = 0o10000000

_library = ctypes.CDLL(None, use_errno=True)
_library.syscall.restype = ctypes.c_long


class Refused(OSError):
    """A step that the system refuses."""


def apply(argv: list[bytes], steps: dict[str, Any]) -> list[bytes]:
    """Take the steps, for good, and return the command to execute.

    Raises:
        OSError: a step is refused; the process must not go on then.
    """
    for number, value in steps.get("rlimits", ()):
        _lower(number, value)
    if not steps.get("confines", True):
        return argv
    if "ruleset" in steps:
        _check("set no_new_privs", _library.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        _landlock(steps)
    if steps.get("no_capabilities"):
        _drop_capabilities()
    program = steps.get("filter")
    if program and FILTER_FD in argv:
        return _with_descriptor(argv, program)
    if program:
        _filter(program)
    return argv


def _check(what: str, result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise Refused(number, f"cannot {what}: {os.strerror(number)}")
    return result


def _lower(number: int, value: int) -> None:
    hard = resource.getrlimit(number)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(number, (value, value))


def _landlock(steps: dict[str, Any]) -> None:
    attribute = steps["ruleset"]
    ruleset = _call(
        "make a Landlock ruleset",
        _CREATE_RULESET,
        ctypes.c_char_p(attribute),
        ctypes.c_size_t(len(attribute)),
        ctypes.c_uint32(0),
    )
    for path, rights in steps["rules"]:
        _grant(ruleset, path, rights, steps["file_rights"])
    _call("restrict itself", _RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    os.close(ruleset)


def _grant(ruleset: int, path: bytes, rights: int, file_rights: int) -> None:
    try:
        fd = os.open(path, _O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # What is not there needs no rule.
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            rights &= file_rights
        # struct landlock_path_beneath_attr is packed: the rights, then the descriptor.
        rule = rights.to_bytes(8, "little") + fd.to_bytes(4, "little")
        _call(
            f"grant {os.fsdecode(path)}",
            _ADD_RULE,
            ctypes.c_int(ruleset),
            ctypes.c_int(_RULE_PATH_BENEATH),
            ctypes.c_char_p(rule),
            ctypes.c_uint32(0),
        )
    finally:
        os.close(fd)


def _call(what: str, number: int, *arguments: Any) -> int:
    return _check(what, _library.syscall(ctypes.c_long(number), *arguments))


def _drop_capabilities() -> None:
    """Make root one user among others, for good."""
    for capability in range(_LAST_CAPABILITY + 1):
        if _library.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break  # The first that the kernel does not know, or all of them if we hold none.
    number = _CAPSET.get(os.uname().machine)
    if number is not None:
        header = _CAPABILITY_VERSION_3.to_bytes(4, "little") + bytes(4)
        none = ctypes.c_char_p(bytes(24))
        _call("drop its capabilities", number, ctypes.c_char_p(header), none)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _filter(program: bytes) -> None:
    attribute = _Program(len(program) // 8, program)
    _check("set no_new_privs", _library.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _check(
        "filter its system calls",
        _library.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(attribute), 0, 0),
    )


def _with_descriptor(argv: list[bytes], program: bytes) -> list[bytes]:
    """The command with a descriptor to read the filter from in its place; the program is much
    smaller than a pipe."""
    reader, writer = os.pipe()
    os.write(writer, program)
    os.close(writer)
    os.set_inheritable(reader, True)
    return [b"%d" % reader if word == FILTER_FD else word for word in argv]
