"""A system call filter, as a program for the kernel's classic packet filter machine.

It takes away what a Lean that compiles a file has no use for and what the file system rules of
Landlock, or the namespaces, do not cover: sockets, signals that end processes, new namespaces,
changes of modes and owners, memory that belongs to no process, ways into other processes.

Signals are refused for a second reason. If a confined command cannot send SIGKILL, nor end with an
exit code that stands for one, then whatever ends by SIGKILL was ended from outside.

Format: ``struct sock_filter`` of the kernel's ``linux/filter.h`` over ``struct seccomp_data`` of
``linux/seccomp.h``.
"""

from __future__ import annotations

import errno
import functools
import platform
import struct
import sys
from collections.abc import Mapping

_LOAD, _JUMP_EQUAL, _JUMP_GREATER, _JUMP_GE, _JUMP_SET, _AND, _RETURN = (
    0x20, 0x15, 0x25, 0x35, 0x45, 0x54, 0x06
)  # fmt: skip
_ALLOW, _ERRNO, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_X32_BIT = 0x40000000

_ARCHITECTURES = {"x86_64": 0xC000003E, "amd64": 0xC000003E, "aarch64": 0xC00000B7}

# Call numbers on x86-64 and on arm64; None where there is no such call.
_REFUSED: Mapping[str, tuple[int | None, int | None]] = {
    # the network, and ways to do calls unseen by this filter
    "socket": (41, 198), "connect": (42, 203), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    # memory that belongs to no process, or to processes that have ended
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194),
    "shmat": (30, 196), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    # what file system rules do not cover
    "truncate": (76, 45), "chmod": (90, None), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "lchown": (94, None), "fchownat": (260, 54), "setxattr": (188, 5),
    "lsetxattr": (189, 6), "removexattr": (197, 14), "lremovexattr": (198, 15),
    "setxattrat": (463, 463), "removexattrat": (466, 466),
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88),
    "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264), "chroot": (161, 51),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "open_tree": (428, 428),
    "move_mount": (429, 429), "mount_setattr": (442, 442), "quotactl": (179, 60),
    "quotactl_fd": (443, 443), "swapon": (167, 224), "swapoff": (168, 225),
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "pidfd_getfd": (438, 438), "kcmp": (312, 272),
    "setpriority": (141, 140), "unshare": (272, 97), "setns": (308, 268),
    "timer_create": (222, 107),
    # the kernel itself
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142),
    "syslog": (103, 116), "acct": (163, 89), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171),
    "sethostname": (170, 161), "setdomainname": (171, 162), "personality": (135, 92),
    "setrlimit": (160, 164), "lookup_dcookie": (212, 18), "vhangup": (153, 58),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None),
    "uselib": (134, None), "ustat": (136, None),
}  # fmt: skip

# Calls that send a signal, and which argument is its number.
_SIGNALLING: Mapping[str, tuple[int, int, int]] = {
    "kill": (62, 129, 1),
    "tkill": (200, 130, 1),
    "tgkill": (234, 131, 2),
    "rt_sigqueueinfo": (129, 138, 1),
    "rt_tgsigqueueinfo": (297, 240, 2),
    "pidfd_send_signal": (424, 424, 1),
}
# Hangup, interrupt, quit, kill, terminate, and the stopping ones: what others use to end us.
_ENDING_SIGNALS = (1, 2, 3, 9, 15, 19, 20, 21, 22)

_CLONE, _CLONE3, _EXIT, _EXIT_GROUP, _PRLIMIT, _FCNTL, _PRCTL, _IOCTL = (
    (56, 220), (435, 435), (60, 93), (231, 94), (302, 261), (72, 25), (157, 167), (16, 29)
)  # fmt: skip
_NEW_NAMESPACES = 0x7E020000
_SIGCHLD = 17
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX = 8, 10, 15
_PR_SET_PDEATHSIG = 1
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C


def _instruction(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value & 0xFFFFFFFF)


_REFUSE = _instruction(_RETURN, _ERRNO | errno.EPERM)
_MISSING = _instruction(_RETURN, _ERRNO | errno.ENOSYS)
_KILL = _instruction(_RETURN, _KILL_PROCESS)
_GRANT = _instruction(_RETURN, _ALLOW)
_SIZE = len(_GRANT)


def _load_argument(index: int) -> bytes:
    """Load the low half of an argument; both machines are little-endian."""
    return _instruction(_LOAD, _FIRST_ARGUMENT + 8 * index)


def _on_call(number: int, then: bytes) -> bytes:
    """Do this for one call, and go on to the next instruction for all others.

    The accumulator must hold the call's number, and ``then`` must end with a return.
    """
    return _instruction(_JUMP_EQUAL, number, 0, len(then) // _SIZE) + then


def _refuse_values(argument: int, values: tuple[int, ...]) -> bytes:
    """Refuse a call by the values of an argument, and grant it else."""
    tests = b"".join(
        _instruction(_JUMP_EQUAL, value, len(values) - index) for index, value in enumerate(values)
    )
    return _load_argument(argument) + tests + _GRANT + _REFUSE


@functools.lru_cache(maxsize=1)
def program(machine: str | None = None) -> bytes | None:
    """The filter for a machine (this one if none is named), or None if it is not known for it.

    A refused call fails with EPERM. A call through another architecture's entry, which has other
    numbers, and an exit code above 128 end the process by SIGSYS.
    """
    name = (machine or platform.machine()).lower()
    if not sys.platform.startswith("linux") or name not in _ARCHITECTURES:
        return None
    column = 0 if _ARCHITECTURES[name] == _ARCHITECTURES["x86_64"] else 1
    parts = [
        _instruction(_LOAD, _ARCHITECTURE),
        _instruction(_JUMP_EQUAL, _ARCHITECTURES[name], 1, 0),
        _KILL,
        _instruction(_LOAD, _NUMBER),
    ]
    if column == 0:
        parts += [_instruction(_JUMP_GE, _X32_BIT, 0, 1), _KILL]
    for numbers in _REFUSED.values():
        number = numbers[column]
        if number is not None:
            parts.append(_on_call(number, _REFUSE))
    for *signalling, argument in _SIGNALLING.values():
        parts.append(_on_call(signalling[column], _refuse_values(argument, _ENDING_SIGNALS)))
    parts += [
        _on_call(_CLONE3[column], _MISSING),
        _on_call(
            _CLONE[column],
            _load_argument(0)
            + _instruction(_JUMP_SET, _NEW_NAMESPACES, 4, 0)
            # The low byte is the signal that the parent gets at the child's end.
            + _instruction(_AND, 0xFF)
            + _instruction(_JUMP_EQUAL, 0, 1, 0)
            + _instruction(_JUMP_EQUAL, _SIGCHLD, 0, 1)
            + _GRANT
            + _REFUSE,
        ),
        *(
            _on_call(
                call[column],
                _load_argument(0)
                + _instruction(_AND, 0xFF)
                + _instruction(_JUMP_GREATER, 128, 1, 0)
                + _GRANT
                + _KILL,
            )
            for call in (_EXIT, _EXIT_GROUP)
        ),
        # Reading limits is fine: the new value's pointer is null then.
        _on_call(
            _PRLIMIT[column],
            _load_argument(2)
            + _instruction(_JUMP_EQUAL, 0, 0, 3)
            + _instruction(_LOAD, _FIRST_ARGUMENT + 8 * 2 + 4)
            + _instruction(_JUMP_EQUAL, 0, 0, 1)
            + _GRANT
            + _REFUSE,
        ),
        _on_call(_FCNTL[column], _refuse_values(1, (_F_SETOWN, _F_SETSIG, _F_SETOWN_EX))),
        _on_call(_PRCTL[column], _refuse_values(0, (_PR_SET_PDEATHSIG,))),
        _on_call(_IOCTL[column], _refuse_values(1, (_TIOCSTI, _TIOCLINUX))),
        _GRANT,
    ]
    return b"".join(parts)
