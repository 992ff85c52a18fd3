"""The system call filter, run by a small machine of our own: also for processors that are not
here. And the rules of Landlock by version."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.lean.sandbox import landlock, seccomp

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")

ALLOW, EPERM, ENOSYS, KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def run(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """What the filter says to a call. Fails on what the kernel would not load."""
    words = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=iIQ6Q", number, architecture, 0, *(word % 2**64 for word in words))
    code = list(struct.iter_unpack("=HBBI", program))
    accumulator, at = 0, 0
    while True:
        operation, yes, no, value = code[at]
        at += 1
        if operation == 0x06:
            return int(value)
        if operation == 0x20:
            assert value % 4 == 0
            accumulator = struct.unpack_from("=I", data, value)[0]
        elif operation == 0x54:
            accumulator &= value
        else:
            holds = {
                0x15: accumulator == value,
                0x25: accumulator > value,
                0x35: accumulator >= value,
                0x45: accumulator & value != 0,
            }[operation]
            at += yes if holds else no


CALLS = {
    "x86_64": {
        "read": 0, "clone": 56, "fork": 57, "execve": 59, "exit": 60, "exit_group": 231,
        "kill": 62, "tgkill": 234, "socket": 41, "clone3": 435, "prlimit64": 302, "fcntl": 72,
        "prctl": 157, "openat": 257, "mmap": 9, "futex": 202, "rename": 82, "chmod": 90,
        "ioctl": 16, "io_uring_setup": 425, "socketpair": 53, "pidfd_send_signal": 424,
    },
    "aarch64": {
        "read": 63, "clone": 220, "execve": 221, "exit": 93, "exit_group": 94, "kill": 129,
        "tgkill": 131, "socket": 198, "clone3": 435, "prlimit64": 261, "fcntl": 25,
        "prctl": 167, "openat": 56, "mmap": 222, "futex": 98, "renameat": 38, "fchmodat": 53,
        "ioctl": 29, "io_uring_setup": 425, "socketpair": 199, "pidfd_send_signal": 424,
    },
}  # fmt: skip
EXPECTED: list[tuple[str, tuple[int, ...], int]] = [
    ("read", (0,), ALLOW),
    ("openat", (), ALLOW),
    ("mmap", (), ALLOW),
    ("futex", (), ALLOW),
    ("rename", (), ALLOW),
    ("renameat", (), ALLOW),
    ("execve", (), ALLOW),
    ("fork", (), ALLOW),
    ("socketpair", (), ALLOW),
    ("socket", (2, 1), EPERM),
    ("chmod", (), EPERM),
    ("fchmodat", (), EPERM),
    ("io_uring_setup", (), EPERM),
    ("kill", (1, 9), EPERM),
    ("kill", (1, 9 + 2**32), EPERM),  # The kernel looks at the low half only.
    ("kill", (1, 15), EPERM),
    ("kill", (1, 0), ALLOW),
    ("kill", (9, 6), ALLOW),
    ("tgkill", (1, 9, 6), ALLOW),
    ("tgkill", (1, 1, 9), EPERM),
    ("pidfd_send_signal", (9, 19), EPERM),
    ("clone3", (), ENOSYS),
    ("clone", (0x3D0F00,), ALLOW),  # A thread.
    ("clone", (17,), ALLOW),
    ("clone", (0x01200011,), ALLOW),  # A fork of the C library's.
    ("clone", (9,), EPERM),
    ("clone", (0x10000011,), EPERM),
    ("clone", (0x20000000,), EPERM),
    ("exit_group", (0,), ALLOW),
    ("exit_group", (128,), ALLOW),
    ("exit_group", (129,), KILL),
    ("exit_group", (-1,), KILL),
    ("exit_group", (256 + 137,), KILL),
    ("exit_group", (256,), ALLOW),
    ("exit", (137,), KILL),
    ("exit", (0,), ALLOW),
    ("prlimit64", (0, 7, 0, 12345), ALLOW),
    ("prlimit64", (0, 7, 12345, 0), EPERM),
    ("prlimit64", (0, 7, 2**40, 0), EPERM),
    ("fcntl", (0, 3), ALLOW),
    ("fcntl", (0, 10, 9), EPERM),
    ("prctl", (1, 9), EPERM),
    ("prctl", (15,), ALLOW),
    ("ioctl", (0, 0x5401), ALLOW),
    ("ioctl", (0, 0x5412), EPERM),
]


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_what_the_filter_says(machine: str) -> None:
    program = seccomp.program(machine)
    assert program is not None
    assert len(program) % 8 == 0
    assert len(program) // 8 <= 4096
    tried = 0
    for name, arguments, answer in EXPECTED:
        if name in CALLS[machine]:
            number = CALLS[machine][name]
            found = run(program, ARCHITECTURES[machine], number, *arguments)
            assert found == answer, (name, arguments)
            tried += 1
    assert tried > 35


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_other_entries_are_fatal(machine: str) -> None:
    program = seccomp.program(machine)
    assert program is not None
    assert run(program, 0x40000003, 11) == KILL  # 32-bit calls have other numbers.
    if machine == "x86_64":
        assert run(program, ARCHITECTURES[machine], 0x40000000 + 41) == KILL


@given(
    st.sampled_from(["x86_64", "aarch64"]),
    st.integers(0, 600),
    st.lists(st.integers(0, 2**64 - 1), max_size=6),
)
def test_every_call_has_an_answer(machine: str, number: int, arguments: list[int]) -> None:
    program = seccomp.program(machine)
    assert program is not None
    answer = run(program, ARCHITECTURES[machine], number, *arguments)
    assert answer in (ALLOW, EPERM, ENOSYS, KILL)


def test_unknown_machines_have_no_filter() -> None:
    assert seccomp.program("riscv64") is None


# Landlock


@pytest.mark.parametrize(
    ("version", "rights", "network", "scopes", "size"),
    [(1, 13, 0, 0, 8), (2, 14, 0, 0, 8), (3, 15, 0, 0, 8), (4, 15, 3, 0, 16), (5, 16, 3, 0, 16),
     (6, 16, 3, 3, 24), (9, 16, 3, 3, 24)],
)  # fmt: skip
def test_ruleset_by_version(
    version: int, rights: int, network: int, scopes: int, size: int
) -> None:
    attribute = landlock.ruleset(version)
    assert len(attribute) == size
    fields = struct.unpack("=QQQ", attribute.ljust(24, b"\0"))
    assert fields == ((1 << rights) - 1, network, scopes)


def test_an_older_version_confines_too(tmp_path: Path) -> None:
    """Of a newer kernel, only what the oldest one knows, with the filter for the rest."""
    from box_fixtures import Boxed

    if landlock.find() is None:
        pytest.skip(str(landlock.why_not()))
    inside, outside = tmp_path.resolve() / "in", tmp_path.resolve() / "out"
    inside.mkdir()
    outside.mkdir()
    (outside / "secret").write_text("it", encoding="ascii")
    boxed = Boxed(landlock.Landlock(1), inside, outside)
    texts = [
        "open(PATH).read()",
        "os.truncate(PATH, 0)",
        "os.rename(PATH, 'mine')",
        "os.link(PATH, 'mine')",
        "socket.socket()",
        "os.kill(1, 15)",
    ]
    before = f"import os, socket\nPATH = {str(outside / 'secret')!r}"
    assert boxed.refused(texts, before) == texts
