"""Running commands: limits, and nothing left behind."""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from lean_bench import until

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import process, supervisor
from pytest_vsb.lean.process import Completed, Limits, Outcome

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")


def run(
    *argv: str,
    wall: float = 60.0,
    memory: int | None = None,
    output: int = 8 * 2**20,
    stdin: bytes | None = None,
    env: dict[str, str] | None = None,
    cwd: Path = Path("/"),
) -> Completed:
    return process.run(
        argv,
        cwd=cwd,
        env={"PATH": os.environ["PATH"]} if env is None else env,
        limits=Limits(wall, memory, output),
        stdin=stdin,
    )


def shell(text: str, **options: object) -> Completed:
    return run("/bin/sh", "-c", text, **options)  # type: ignore[arg-type]


def python(text: str, **options: object) -> Completed:
    return run(sys.executable, "-I", "-S", "-c", text, **options)  # type: ignore[arg-type]


def open_fds() -> int:
    return psutil.Process().num_fds()


def no_more_than(count: int, now: Callable[[], int]) -> bool:
    """Whether what is counted is as much as before, or less, as what other tests have left may go
    at any time; threads of theirs may also open a file for a moment."""
    return until(lambda: now() <= count)


# What a command gets and what comes back


def test_exit_code_and_both_streams() -> None:
    done = shell("echo out; echo err >&2; exit 3")
    assert (done.outcome, done.exit_code, done.signal) == (Outcome.EXITED, 3, None)
    assert (done.stdout, done.stderr, done.truncated) == ("out\n", "err\n", False)
    assert done.argv == ("/bin/sh", "-c", "echo out; echo err >&2; exit 3")
    assert not done.crashed


def test_environment_is_exactly_what_is_given() -> None:
    done = run(
        sys.executable, "-I", "-S", "-c", "import os; print(dict(os.environb))", env={"É": "ℝ"}
    )
    assert "\\xc3\\x89" in done.stdout
    names = eval(done.stdout).keys() - {b"LC_CTYPE"}  # Python itself may add LC_CTYPE.
    assert names == {"É".encode()}


def test_working_directory_with_space_and_accent(tmp_path: Path) -> None:
    place = tmp_path / "a é 𝔸"
    place.mkdir()
    assert shell("pwd -P", cwd=place).stdout == f"{place.resolve()}\n"


def test_stdin_larger_than_a_pipe() -> None:
    data = os.urandom(50_000).hex().encode() * 10
    done = run("cat", stdin=data)
    assert done.stdout.encode() == data


def test_stdin_that_nobody_reads() -> None:
    assert run("true", stdin=b"x" * 10**6).exit_code == 0


def test_no_stdin_is_empty() -> None:
    assert run("cat", wall=20).outcome is Outcome.EXITED


@linux
def test_command_inherits_no_descriptor_and_no_signal_setting(tmp_path: Path) -> None:
    leak = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(leak, True)
    try:
        done = python(
            "import os\nprint(sorted(os.listdir('/proc/self/fd'), key=int))\n"
            "print(os.getsid(0) == os.getpid())\nimport resource\n"
            "print(resource.getrlimit(resource.RLIMIT_CORE))"
        )
    finally:
        os.close(leak)
    # The fourth is the listing itself.
    assert done.stdout.splitlines() == ["['0', '1', '2', '3']", "True", "(0, 0)"]
    masks = shell("grep -E 'SigIgn|SigBlk' /proc/self/status").stdout.split()[1::2]
    # Signals 32 and 33 are the C library's own.
    assert {int(mask, 16) & ~(0b11 << 31) for mask in masks} == {0}


def test_bytes_that_are_no_utf8() -> None:
    done = shell(r"printf 'a\377b\342\204'")
    assert done.stdout == "a\ufffdb\ufffd"


def test_usage_is_measured() -> None:
    done = python("x = bytearray(100 << 20)\nfor i in range(3_000_000): pass")
    assert done.peak_memory_mb > 100
    assert done.cpu_seconds > 0
    assert done.wall_seconds > 0


# Output


def test_flood_on_both_streams_is_read_and_dropped() -> None:
    before = psutil.Process().memory_info().rss
    done = shell("head -c 150000000 /dev/zero & head -c 150000000 /dev/zero >&2; wait", output=1000)
    assert done.exit_code == 0
    assert (len(done.stdout), len(done.stderr), done.truncated) == (1000, 1000, True)
    assert psutil.Process().memory_info().rss - before < 50 * 2**20


def test_output_of_exactly_the_limit_is_whole() -> None:
    done = shell("printf 12345", output=5)
    assert (done.stdout, done.truncated) == ("12345", False)
    done = shell("printf 123456", output=5)
    assert (done.stdout, done.truncated) == ("12345", True)


# How a command ends


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_death_by_signal(number: signal.Signals) -> None:
    done = shell(f"kill -{int(number)} $$")
    assert (done.outcome, done.exit_code, done.signal) == (Outcome.KILLED, None, number)
    assert done.crashed


def test_death_by_signal_below_a_shell() -> None:
    done = shell("/bin/sh -c 'kill -SEGV $$'; exit $?")
    assert (done.outcome, done.exit_code) == (Outcome.EXITED, 139)
    assert done.crashed


def test_timeout(sleepers) -> None:  # type: ignore[no-untyped-def]
    done = shell(f"echo before; {sleepers.sleep}", wall=3)
    assert (done.outcome, done.exit_code) == (Outcome.TIMEOUT, None)
    assert done.stdout == "before\n"
    assert sleepers.alive() == []


def test_command_that_ignores_every_signal(sleepers) -> None:  # type: ignore[no-untyped-def]
    done = shell(f"trap '' HUP INT TERM QUIT ALRM; {sleepers.sleep}; {sleepers.sleep}", wall=0.5)
    assert done.outcome is Outcome.TIMEOUT
    assert sleepers.alive() == []


def test_memory_of_one_process() -> None:
    done = python("x = bytearray(400 << 20)\nimport time; time.sleep(60)", memory=150)
    assert (done.outcome, done.exit_code) == (Outcome.OUT_OF_MEMORY, None)
    assert done.peak_memory_mb > 150


def test_memory_of_the_whole_tree() -> None:
    child = "x = bytearray(100 << 20); import time; time.sleep(60)"
    program = f"{sys.executable} -I -S -c '{child}'"
    done = shell(f"{program} & {program} & {program} & wait", memory=200)
    assert done.outcome is Outcome.OUT_OF_MEMORY


@linux
def test_memory_shared_by_forks_counts_once() -> None:
    done = python(
        "import os, time\nx = bytearray(120 << 20)\n"
        "pids = []\n"
        "for i in range(4):\n"
        "    pid = os.fork()\n"
        "    if not pid:\n"
        "        time.sleep(1); os._exit(0)\n"
        "    pids.append(pid)\n"
        "for pid in pids: os.waitpid(pid, 0)\n",
        memory=300,
    )
    assert (done.outcome, done.exit_code) == (Outcome.EXITED, 0)


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("no-such-command-here",), "No such file"),
        (("/",), "ermission denied"),
        (("/etc/passwd",), "ermission denied"),
        (("a\0b",), "NUL"),
    ],
)
def test_command_that_cannot_run(argv: tuple[str, ...], said: str) -> None:
    with pytest.raises(EnvironmentUnavailable, match=said):
        run(*argv)


def test_directory_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentUnavailable, match="cannot enter the directory"):
        run("true", cwd=tmp_path / "missing")


def test_python_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(EnvironmentUnavailable, match="did not start"):
        run("true")


# Nothing is left behind


@pytest.mark.parametrize(
    "text",
    [
        "{sleep} & echo done",
        "setsid {sleep} & sleep 0.2; echo done",
        "(setsid /bin/sh -c '{sleep} & {sleep}' &) ; sleep 0.2; echo done",
        "nohup {sleep} >/dev/null 2>&1 & disown 2>/dev/null; echo done",
    ],
    ids=["background", "new-session", "double-fork", "nohup"],
)
def test_grandchildren_end_with_the_command(sleepers, text: str) -> None:  # type: ignore[no-untyped-def]
    done = shell(text.format(sleep=sleepers.sleep), wall=60)
    assert (done.outcome, done.exit_code, done.stdout) == (Outcome.EXITED, 0, "done\n")
    assert done.wall_seconds < 50
    assert sleepers.alive() == []


@linux
def test_daemons_end_at_the_timeout(sleepers) -> None:  # type: ignore[no-untyped-def]
    daemon = f"(setsid /bin/sh -c '(setsid {sleepers.sleep} &)' &)"
    done = shell(f"{daemon}; {daemon}; {sleepers.sleep}", wall=1)
    assert done.outcome is Outcome.TIMEOUT
    assert sleepers.alive() == []


def test_many_forks(sleepers) -> None:  # type: ignore[no-untyped-def]
    done = python(
        "import os\n"
        "for i in range(150):\n"
        "    if not os.fork():\n"
        "        os.setsid()\n"
        f"        os.execvp('sleep', ['sleep', '{sleepers.mark}'])\n"
    )
    assert done.exit_code == 0
    assert sleepers.alive() == []


def test_forks_that_keep_forking() -> None:
    # Each child forks the next and exits: there is never one to wait for.
    done = python(
        "import os, time\n"
        "end = time.monotonic() + 120\n"
        "if not os.fork():\n"
        "    while time.monotonic() < end:\n"
        "        if os.fork(): os._exit(0)\n"
        "        os.setsid()\n"
        "else: time.sleep(120)\n",
        wall=0.5,
    )
    assert done.outcome is Outcome.TIMEOUT
    assert done.wall_seconds < 100


@linux
def test_command_that_kills_its_supervisor(sleepers) -> None:  # type: ignore[no-untyped-def]
    done = shell(f"{sleepers.sleep} & kill -9 $PPID; {sleepers.sleep}")
    assert (done.outcome, done.crashed) == (Outcome.KILLED, True)
    assert sleepers.gone()


def test_command_that_stops_its_supervisor(sleepers, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(process, "_GRACE_SECONDS", 0.5)
    done = shell(f"setsid {sleepers.sleep} & kill -STOP $PPID; {sleepers.sleep}", wall=0.5)
    assert done.outcome is Outcome.TIMEOUT
    assert sleepers.gone()


class Interrupted(BaseException):
    """Raised by the handler, as pytest-timeout's is."""


@contextlib.contextmanager
def interrupts(after: float):  # type: ignore[no-untyped-def]
    def handler(_number: int, _frame: object) -> None:
        raise Interrupted

    old = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, after)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_exception_in_the_middle(sleepers) -> None:  # type: ignore[no-untyped-def]
    fds = open_fds()
    with pytest.raises(Interrupted) as caught, interrupts(0.5):
        shell(f"setsid {sleepers.sleep} & {sleepers.sleep}")
    # While the traceback, and so the frame, is still held.
    assert caught.value.__traceback__ is not None
    assert sleepers.alive() == []
    assert no_more_than(fds, open_fds)


def zombies() -> list[psutil.Process]:
    found = []
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.NoSuchProcess):
            if child.status() == psutil.STATUS_ZOMBIE:
                found.append(child)
    return found


def test_exceptions_at_any_moment(sleepers) -> None:  # type: ignore[no-untyped-def]
    dice = random.Random(1)
    fds = open_fds()
    for _ in range(16):
        with contextlib.suppress(Interrupted), interrupts(dice.uniform(0.0002, 0.06)):
            shell(f"{sleepers.sleep}; true", wall=50)
    for _ in range(16):
        with contextlib.suppress(Interrupted), interrupts(dice.uniform(0.01, 0.06)):
            run("true")
    assert sleepers.alive() == []
    assert no_more_than(fds, open_fds)
    assert until(lambda: zombies() == [])


def test_our_own_death_by_sigkill(sleepers) -> None:  # type: ignore[no-untyped-def]
    program = (
        "from pathlib import Path\n"
        "from pytest_vsb.lean.process import Limits, run\n"
        f"run(['/bin/sh', '-c', 'setsid {sleepers.sleep} & {sleepers.sleep}'], cwd=Path('/'),\n"
        "    env={'PATH': '/usr/bin:/bin'}, limits=Limits(600))\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program])
    try:
        # The shell's own command line is one argument, which is not the mark.
        assert sleepers.there(2)
    finally:
        parent.kill()
        parent.wait()
    assert sleepers.gone()


def test_many_runs_leak_nothing() -> None:
    run("true")
    counts: list[Callable[[], int]] = [
        open_fds,
        threading.active_count,
        lambda: len(psutil.Process().children()),
    ]
    before = [count() for count in counts]
    for number in range(40):
        done = shell(f"echo {number}")
        assert done.stdout == f"{number}\n"
    for number, count in zip(before, counts, strict=True):
        assert no_more_than(number, count)


def test_runs_in_threads_do_not_mix() -> None:
    fds = open_fds()
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        futures = [pool.submit(run, "cat", stdin=str(n).encode() * 9999) for n in range(24)]
        for number, future in enumerate(futures):
            assert future.result().stdout == str(number) * 9999
    assert no_more_than(fds, open_fds)


def test_timeout_counts_while_we_are_stopped(sleepers) -> None:  # type: ignore[no-untyped-def]
    program = (
        "from pathlib import Path\n"
        "from pytest_vsb.lean.process import Limits, run\n"
        f"print(run(['sleep', '{sleepers.mark}'], cwd=Path('/'),\n"
        "    env={'PATH': '/usr/bin:/bin'}, limits=Limits(6)).outcome.value)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert sleepers.there()
        parent.send_signal(signal.SIGSTOP)
        assert sleepers.gone()
        parent.send_signal(signal.SIGCONT)
        assert parent.communicate(timeout=120)[0] == "timeout\n"
    finally:
        parent.kill()
        parent.wait()


def test_another_thread_ends_commands(sleepers) -> None:  # type: ignore[no-untyped-def]
    fds = open_fds()
    cancel = process.Cancel()

    def sleep() -> Completed:
        text = f"sleep {sleepers.mark} & exec sleep {sleepers.mark}"
        environment = {"PATH": os.environ["PATH"]}
        return process.run(
            ["/bin/sh", "-c", text],
            cwd=Path("/"),
            env=environment,
            limits=Limits(60),
            cancel=cancel,
        )

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(sleep), pool.submit(sleep)]
        assert sleepers.there(4)
        for _ in range(2):
            cancel.set()
        for future in futures:
            with pytest.raises(EnvironmentUnavailable, match="stopped before its end"):
                future.result(timeout=120)
    assert sleepers.gone()
    for _ in range(2):
        with pytest.raises(EnvironmentUnavailable, match="stopped"):
            sleep()
        cancel.close()
    assert no_more_than(fds, open_fds)


# The parts of the supervisor that this platform does not use


def test_process_table_of_ps() -> None:
    text = "    1     0   1000\n   10     1     20\n bad\n   11    10 30\n   12  2 x\n"
    table = supervisor.parse_ps(text)
    assert table == {1: (0, 1024000), 10: (1, 20480), 11: (10, 30720)}
    assert supervisor.below(table, {1}) == {10, 11}
    assert supervisor.below(table, {11}) == set()


@linux
def test_ways_to_list_processes_agree() -> None:
    with subprocess.Popen(["/bin/sh", "-c", "sleep 300 & sleep 300"]) as parent:
        try:
            found: set[int] = set()
            end = time.monotonic() + 60
            while len(found) < 2 and time.monotonic() < end:
                found = set(supervisor.linux_descendants(parent.pid))
            assert len(found) == 2
            assert found == supervisor.below(supervisor.linux_table(), {parent.pid})
            listing = subprocess.run(
                ["ps", "-A", "-o", "pid=,ppid=,rss="], capture_output=True, text=True, check=True
            )
            assert found == supervisor.below(supervisor.parse_ps(listing.stdout), {parent.pid})
        finally:
            for pid in found:
                os.kill(pid, signal.SIGKILL)
            parent.kill()


def test_frames_survive_being_cut_anywhere() -> None:
    values = [("started", 5), {"a": b"\0\xff"}, None, 2**70]
    data = b"".join(supervisor.encode_frame(value) for value in values)
    assert supervisor.decode_frames(data) == values
    for cut in range(len(data)):
        assert (
            supervisor.decode_frames(data[:cut])
            == values[: len(supervisor.decode_frames(data[:cut]))]
        )


# The system's own killer


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (9, (Outcome.OUT_OF_MEMORY, None, 9)),
        (137 << 8, (Outcome.OUT_OF_MEMORY, None, 9)),
        # What a filter makes of a shell that passes SIGKILL on.
        (31, (Outcome.OUT_OF_MEMORY, None, 31)),
        (11, (Outcome.KILLED, None, 11)),
        (1 << 8, (Outcome.EXITED, 1, None)),
        (128 << 8, (Outcome.EXITED, 128, None)),
    ],
)
def test_a_kill_by_the_system_is_told_from_a_crash(
    status: int, told: tuple[Outcome, int | None, int | None]
) -> None:
    facts = {"killed": "", "status": status, "oom_killer": True}
    assert process._outcome(facts, passes_on=True) == told
    crashed = process._outcome({**facts, "oom_killer": False}, passes_on=True)
    assert crashed[0] is (Outcome.EXITED if told[0] is Outcome.EXITED else Outcome.KILLED)
    plain = process._outcome({**facts, "status": 137 << 8}, passes_on=False)
    assert plain == (Outcome.EXITED, 137, None)


@pytest.fixture
def small_group() -> Iterator[Path]:
    """A control group with little memory, where we may make one."""
    group = Path("/sys/fs/cgroup/memory") / f"vsb-test-{os.getpid()}"
    limit = group / "memory.limit_in_bytes"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no control group can be made: {error}")
    try:
        limit.write_text(str(64 << 20), encoding="ascii")
        yield group
    except OSError as error:
        pytest.skip(f"its memory cannot be limited: {error}")
    finally:
        for _ in range(100):
            with contextlib.suppress(OSError):
                group.rmdir()
                break
            time.sleep(0.05)


@linux
def test_the_systems_own_killer(small_group: Path) -> None:
    hog = "x = bytearray(b'x' * (300 << 20)); import time; time.sleep(60)"
    done = shell(f'echo $$ > {small_group}/cgroup.procs; exec {sys.executable} -ISc "{hog}"')
    assert (done.outcome, done.signal) == (Outcome.OUT_OF_MEMORY, signal.SIGKILL)
