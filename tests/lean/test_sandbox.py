"""What a program in a box cannot do, and what it must still be able to: at each level."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from box_fixtures import Boxed
from lean_bench import until

from pytest_vsb.lean import process
from pytest_vsb.lean.process import Limits, Outcome
from pytest_vsb.lean.sandbox import limits as fixed_limits
from pytest_vsb.lean.sandbox import paths
from pytest_vsb.lean.sandbox.box import Box, Level

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")


# Files


def test_the_own_directory_can_be_written(boxed: Boxed) -> None:
    done = boxed.python(
        "import os\n"
        "os.mkdir('d'); open('d/f', 'w').write('x'); os.rename('d/f', 'g'); os.rmdir('d')\n"
        "os.symlink('g', 'h'); os.truncate(os.open('h', os.O_RDWR), 0); print(os.listdir())\n"
    )
    assert (done.exit_code, done.stderr) == (0, "")
    assert sorted(path.name for path in boxed.inside.iterdir()) == ["g", "h"]


OUTSIDE = [
    "open(PATH + '/secret').read()",
    "os.listdir(PATH)",
    "open(PATH + '/new', 'w')",
    "open(PATH + '/secret', 'a')",
    "os.truncate(PATH + '/secret', 0)",
    "os.remove(PATH + '/secret')",
    "os.rename(PATH + '/secret', 'mine')",
    "os.link(PATH + '/secret', 'mine')",
    "os.mkdir(PATH + '/new')",
    "os.symlink('x', PATH + '/new')",
    "os.mkfifo(PATH + '/new')",
    "os.chmod(PATH + '/secret', 0o777)",
    "os.chown(PATH + '/secret', 1, 1)",
    "os.utime(PATH + '/secret')",
    "os.setxattr(PATH + '/secret', 'user.x', b'1')",
    "os.chdir(PATH); open('secret').read()",
    "os.symlink(PATH, 'way'); open('way/secret').read()",
    "open('/proc/self/root' + PATH + '/secret').read()",
    "os.chroot('.')",
    "open('../new', 'w')",
    "open('/etc/passwd').read()",
    "open('/tmp/new', 'w')",
    "open('/dev/shm/new', 'w')",
    "open('/dev/kmsg').read(1)",
    "os.mknod('node', 0o600 | 0o020000, os.makedev(1, 1)); open('node', 'rb').read(1)",
    "open('/proc/sys/kernel/panic', 'r+')",
    "open('/proc/sysrq-trigger', 'w')",
    "open('/usr/lib/new', 'w')",
]


def test_files_outside_are_out_of_reach(boxed: Boxed) -> None:
    secret = boxed.outside / "secret"
    secret.write_text("it", encoding="ascii")
    before = secret.stat()
    assert boxed.refused(OUTSIDE, f"import os\nPATH = {str(boxed.outside)!r}") == OUTSIDE
    assert [path.name for path in boxed.outside.iterdir()] == ["secret"]
    after = secret.stat()
    assert (after.st_mode, after.st_mtime_ns, after.st_uid) == (
        before.st_mode,
        before.st_mtime_ns,
        before.st_uid,
    )
    assert secret.read_text(encoding="ascii") == "it"


def test_the_home_directory_is_out_of_reach(boxed: Boxed, tmp_path: Path) -> None:
    home = Path("~").expanduser()
    done = boxed.python(f"import os\nprint([n for n in os.listdir({str(home)!r})])")
    if done.exit_code == 0:
        # There as far as something needed is below it.
        assert set(eval(done.stdout)) < set(os.listdir(home))  # noqa: PTH208
    for name in (".bashrc", ".profile", ".ssh", ".netrc"):
        if (home / name).is_file():
            assert boxed.python(f"open({str(home / name)!r}).read()").exit_code == 1


def test_readable_files_can_be_read_and_run_and_not_written(boxed: Boxed) -> None:
    tool = boxed.outside / "tools" / "tool"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\necho ran\n", encoding="ascii")
    tool.chmod(0o755)
    box = Box((*paths.python_files(), tool.parent), (boxed.inside,))
    assert boxed.run(str(tool), box=box).stdout == "ran\n"
    assert boxed.python(f"open({str(tool)!r}, 'a')", box=box).exit_code == 1
    assert boxed.python(f"open({str(tool.parent / 'new')!r}, 'w')", box=box).exit_code == 1


def test_hidden_files_are_hidden_and_their_neighbours_are_not(boxed: Boxed) -> None:
    root = boxed.outside / "lib"
    for name in ("A.olean", "B/Target.olean", "B/Target.ilean", "B/Other.olean", "C/D.olean"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("text", encoding="ascii")
    hidden = (root / "B/Target.olean", root / "B/Target.ilean", root / "B/Missing.olean")
    box = Box((*paths.python_files(), root), (boxed.inside,), hidden)
    read = (
        "import sys\n"
        "for name in sys.stdin.read().split():\n"
        "    try: print(name, open(ROOT + name).read() or 'empty')\n"
        "    except OSError: print(name, 'no')\n"
    )
    text = f"ROOT = {str(root)!r} + '/'\n{read}".replace(
        "sys.stdin.read()", repr("A.olean B/Target.olean B/Target.ilean B/Other.olean C/D.olean")
    )
    said = dict(line.split() for line in boxed.python(text, box=box).stdout.splitlines())
    assert said == {
        "A.olean": "text",
        "B/Target.olean": "no",
        "B/Target.ilean": "no",
        "B/Other.olean": "text",
        "C/D.olean": "text",
    }
    # By a link to it, neither.
    (root / "Z.olean").symlink_to(root / "B/Target.olean")
    done = boxed.python(f"print(open({str(root / 'Z.olean')!r}).read())", box=box)
    assert "text" not in done.stdout


def test_paths_through_links_work(boxed: Boxed) -> None:
    real = boxed.outside / "real"
    (real / "deep").mkdir(parents=True)
    (real / "deep" / "f").write_text("found", encoding="ascii")
    (boxed.outside / "one").symlink_to("real")
    (boxed.outside / "two").symlink_to(boxed.outside / "one" / "deep")
    (boxed.outside / "loop").symlink_to("loop")
    way = boxed.outside / "two"
    box = Box((*paths.python_files(), way, boxed.outside / "loop"), (boxed.inside,))
    assert boxed.python(f"print(open({str(way / 'f')!r}).read())", box=box).stdout == "found\n"


def test_without_a_writable_directory_nothing_can_be_written(boxed: Boxed) -> None:
    box = Box((*paths.python_files(), boxed.inside))
    assert boxed.python("open('new', 'w')", box=box).exit_code == 1
    assert boxed.python("import os; print(os.listdir())", box=box).stdout == "[]\n"


# Network, other processes, environment


NETWORK = [
    "socket.create_connection(('127.0.0.1', PORT), 2)",
    "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))",
    "socket.socket(socket.AF_INET6)",
    "socket.socket(socket.AF_UNIX).connect(PATH)",
    "socket.socket(socket.AF_UNIX).connect(NAME)",
    "socket.socket(socket.AF_INET).bind(('127.0.0.1', 0))",
    "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
]


def test_there_is_no_network(boxed: Boxed) -> None:
    path = str(boxed.outside / "s")
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as other:
        # Other workers may have one at the same time.
        name = f"\0vsb-test-listener-{os.getpid()}"
        other.bind(name)
        other.listen(1)
        port = server.getsockname()[1]
        before = f"import socket\nPORT, PATH, NAME = {port}, {path!r}, {name!r}"
        assert boxed.refused(NETWORK, before) == NETWORK


@contextlib.contextmanager
def waiting() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "600"], env={"KEY": "sk-secret", "PATH": "/bin"}) as other:
        try:
            yield other
        finally:
            other.kill()


def test_other_processes_cannot_be_signalled(boxed: Boxed) -> None:
    numbers = ["SIGKILL", "SIGTERM", "SIGSTOP", "SIGINT", "SIGHUP"]
    with waiting() as other:
        calls = [f"os.kill(OTHER, signal.{number})" for number in numbers]
        assert boxed.refused(calls, f"import os, signal\nOTHER = {other.pid}") == calls
        boxed.refused(["os.kill(-1, signal.SIGKILL)"], "import os, signal")
        assert psutil.Process(other.pid).status() in ("sleeping", "running", "disk-sleep")
        assert other.poll() is None


def test_the_environment_is_the_given_one_and_others_are_hidden(boxed: Boxed) -> None:
    with waiting() as other:
        done = boxed.python(
            "import os\nprint(dict(os.environ))\n"
            f"print(open('/proc/{other.pid}/environ').read())\nprint('worked')",
            env={"GIVEN": "1"},
        )
    names = set(eval(done.stdout.splitlines()[0]))
    assert names - {"PWD", "LC_CTYPE"} == {"GIVEN"}
    assert "sk-secret" not in done.stdout
    assert "worked" not in done.stdout


CALLS = [
    "ctypes.CDLL(None).unshare(0x10000000)",
    "ctypes.CDLL(None).ptrace(16, 1, 0, 0)",
    "ctypes.CDLL(None).syscall(ctypes.c_long(MEMFD), b'x', 0)",
    "ctypes.CDLL(None).syscall(ctypes.c_long(URING), 8, 0)",
    "ctypes.CDLL(None).shmget(0, 4096, 0o1600)",
    "ctypes.CDLL(None).prctl(1, 9, 0, 0, 0)",
    "ctypes.CDLL(None).fcntl(0, 10, 9)",
    # A child at whose end its parent gets SIGKILL.
    "ctypes.CDLL(None).syscall(ctypes.c_long(CLONE), 9, 0, 0, 0, 0)",
]


def test_calls_that_lean_does_not_need_are_refused(boxed: Boxed) -> None:
    numbers = {"x86_64": (319, 425, 56), "aarch64": (279, 425, 220)}[os.uname().machine]
    calls = [f"assert {call} >= 0, 'refused'" for call in CALLS]
    assert boxed.refused(calls, f"import ctypes\nMEMFD, URING, CLONE = {numbers}") == calls


def test_root_has_no_privileges_in_it(boxed: Boxed) -> None:
    done = boxed.shell("grep -E 'Cap(Eff|Prm|Bnd)|NoNewPrivs' /proc/self/status")
    if done.stdout:  # Without a /proc of its own there is nothing to read.
        values = dict(line.split() for line in done.stdout.splitlines())
        assert {int(values[f"Cap{name}:"], 16) for name in ("Eff", "Prm")} == {0}
        assert values["NoNewPrivs:"] == "1"


def test_processes_and_threads_work(boxed: Boxed) -> None:
    done = boxed.python(
        "import os, subprocess, threading\n"
        "thread = threading.Thread(target=print, args=('thread',)); thread.start(); thread.join()\n"
        "print(subprocess.run(['/bin/sh', '-c', 'echo child; exit 3']).returncode)\n"
        "pid = os.fork()\n"
        "os._exit(7) if not pid else print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
    )
    assert sorted(done.stdout.split()) == ["3", "7", "child", "thread"], done.stderr


# How a confined command ends


def test_exit_codes_pass_through(boxed: Boxed) -> None:
    for code in (0, 77, 128):
        done = boxed.python(f"import os; os._exit({code})")
        assert (done.outcome, done.exit_code, done.signal) == (Outcome.EXITED, code, None)


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE])
def test_faults_are_told_as_such(boxed: Boxed, number: signal.Signals) -> None:
    done = boxed.python(f"import os; os.kill(os.getpid(), {int(number)})")
    assert (done.outcome, done.exit_code, done.signal) == (Outcome.KILLED, None, number)
    assert done.crashed


@pytest.mark.parametrize(
    "text",
    [
        "os._exit(137)",
        "os._exit(255)",
        "ctypes.CDLL(None).syscall(ctypes.c_long(EXIT), 143)",
    ],
    ids=["exit-137", "exit-255", "thread-exit"],
)
def test_death_from_outside_cannot_be_feigned_by_an_exit_code(boxed: Boxed, text: str) -> None:
    number = {"x86_64": 60, "aarch64": 93}[os.uname().machine]
    done = boxed.python(f"import os, ctypes\nEXIT = {number}\n{text}")
    assert (done.outcome, done.signal) == (Outcome.KILLED, signal.SIGSYS)


def test_death_from_outside_cannot_be_feigned_by_a_signal(boxed: Boxed) -> None:
    numbers = [int(n) for n in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGSTOP)]
    calls = [f"os.{call}, {number})" for number in numbers for call in ("kill(ME", "killpg(0")]
    assert boxed.refused(calls, "import os\nME = os.getpid()") == calls


def test_death_from_outside_is_told(boxed: Boxed, sleepers) -> None:  # type: ignore[no-untyped-def]
    def kill() -> None:
        assert sleepers.there()
        for each in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if each.cmdline() == ["sleep", sleepers.mark]:
                    each.kill()

    thread = threading.Thread(target=kill)
    thread.start()
    done = boxed.shell(f"exec {sleepers.sleep}")
    thread.join()
    assert (done.outcome, done.signal) == (Outcome.KILLED, signal.SIGKILL)


def test_timeout_ends_all(boxed: Boxed, sleepers) -> None:  # type: ignore[no-untyped-def]
    text = f"trap '' TERM HUP; (setsid {sleepers.sleep} &) ; {sleepers.sleep}"
    done = boxed.shell(text, limits=Limits(1.0))
    assert done.outcome is Outcome.TIMEOUT
    assert sleepers.gone()


def test_daemons_end_with_the_command(boxed: Boxed, sleepers) -> None:  # type: ignore[no-untyped-def]
    done = boxed.shell(f"(setsid /bin/sh -c '(setsid {sleepers.sleep} &)' &); sleep 0.2; echo done")
    assert (done.outcome, done.exit_code, done.stdout) == (Outcome.EXITED, 0, "done\n")
    assert sleepers.gone()


def test_our_own_death_ends_all(boxed: Boxed, sleepers) -> None:  # type: ignore[no-untyped-def]
    program = (
        "import sys\nfrom pathlib import Path\nfrom pytest_vsb.lean import process\n"
        "from pytest_vsb.lean.sandbox.box import Box\n"
        "from pytest_vsb.lean.sandbox.choose import choose\n"
        f"argv = ('/bin/sh', '-c', 'setsid {sleepers.sleep} & {sleepers.sleep}')\n"
        f"inside = Path({str(boxed.inside)!r})\n"
        f"box = choose('{boxed.sandbox.level}').sandbox.confine(argv, Box((), (inside,)))\n"
        "process.run(argv, cwd=inside, env={'PATH': '/usr/bin:/bin'},\n"
        "    limits=process.Limits(600), confinement=box)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program]) as parent:
        try:
            assert sleepers.there(2)
        finally:
            parent.kill()
    assert sleepers.gone()


def test_output_that_is_no_text_and_a_flood(boxed: Boxed) -> None:
    done = boxed.python(
        'import os\nos.write(1, b\'{"severity":"err\\xff\')\n'
        "for _ in range(400): os.write(2, b'x' * 65536)\n",
        limits=Limits(60.0, output_bytes=1000),
    )
    assert done.stdout == '{"severity":"err\ufffd'
    assert (len(done.stderr), done.truncated, done.exit_code) == (1000, True, 0)


# Limits


def test_memory_in_the_box_and_a_sibling_that_survives(boxed: Boxed, sleepers) -> None:  # type: ignore[no-untyped-def]
    hog = "x = []\nwhile True: x.append(bytearray(b'x' * (8 << 20)))"
    results = []

    def sibling() -> None:
        results.append(boxed.python("import time; time.sleep(1.5); print('alive')"))

    thread = threading.Thread(target=sibling)
    thread.start()
    done = boxed.python(hog, limits=Limits(60.0, memory_mb=300))
    thread.join()
    assert done.outcome is Outcome.OUT_OF_MEMORY
    assert done.peak_memory_mb > 300
    assert results[0].stdout == "alive\n"


@pytest.mark.parametrize(
    "text",
    [
        "import os, time\nwhile True:\n    try: os.fork()\n    except OSError: time.sleep(0.1)",
        "import threading, time\n"
        "threading.stack_size(65536)\n"
        "while True:\n"
        "    try: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        "    except RuntimeError: time.sleep(1)\n",
    ],
    ids=["fork-bomb", "threads"],
)
def test_processes_and_threads_are_bounded(boxed: Boxed, text: str) -> None:
    done = boxed.python(text, limits=Limits(120.0, threads=200))
    assert done.outcome is Outcome.TOO_MANY_PROCESSES


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        (
            "import time\nopen('f', 'wb').write(b'x' * (30 << 20)); time.sleep(60)",
            Limits(60.0, disk_bytes=20 << 20),
        ),
        (
            "import os, time\n"
            "for i in range(50): os.mkdir(str(i)); open(f'{i}/f', 'w')\n"
            "time.sleep(60)",
            Limits(60.0, disk_files=80),
        ),
        (
            "import os, time\n"
            "f = open('f', 'wb', buffering=0); os.remove('f')\n"
            "f.write(b'x' * (30 << 20)); time.sleep(60)",
            Limits(60.0, disk_bytes=20 << 20),
        ),
    ],
    ids=["bytes", "inodes", "unlinked"],
)
def test_disk_is_bounded(boxed: Boxed, text: str, limits: Limits) -> None:
    done = boxed.python(text, limits=limits)
    assert done.outcome is Outcome.TOO_MUCH_DISK


def test_one_file_is_bounded(boxed: Boxed) -> None:
    size = fixed_limits.FILE_BYTES + 1
    done = boxed.python(f"import os\nos.ftruncate(os.open('f', os.O_RDWR | os.O_CREAT), {size})")
    assert "File too large" in done.stderr
    done = boxed.python(
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
        f"import os\nos.ftruncate(os.open('f', os.O_RDWR | os.O_CREAT), {size})"
    )
    assert (done.outcome, done.signal) == (Outcome.KILLED, signal.SIGXFSZ)


def test_open_files_are_bounded(boxed: Boxed) -> None:
    done = boxed.python("import resource; print(resource.getrlimit(resource.RLIMIT_NOFILE))")
    soft, hard = eval(done.stdout)
    assert soft == hard <= fixed_limits.OPEN_FILES


# Failures to confine


def test_command_that_is_not_there(boxed: Boxed) -> None:
    if boxed.sandbox.level is Level.LANDLOCK:
        with pytest.raises(process.EnvironmentUnavailable, match="No such file"):
            boxed.run("/no/such/command")
    else:
        done = boxed.run("/no/such/command")
        assert done.exit_code == 1
        assert "/no/such/command" in done.stderr


def test_nothing_is_left_behind(boxed: Boxed) -> None:
    boxed.python("pass")
    before = psutil.Process().num_fds()
    for _ in range(5):
        assert boxed.python("pass").exit_code == 0
    assert until(lambda: psutil.Process().num_fds() <= before)


def test_processor_time_of_what_is_killed_is_told(boxed: Boxed) -> None:
    done = boxed.shell("while :; do :; done", limits=Limits(wall_seconds=2.0))
    assert done.outcome is Outcome.TIMEOUT
    # It is one thread's, which the supervisor ends when it gets a processor itself.
    assert 0.05 < done.cpu_seconds <= done.wall_seconds + 0.5
