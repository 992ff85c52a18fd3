"""The process between us and a command: it starts the command and leaves nothing of it behind.

Run as ``python -I -S supervisor.py`` with the standard library only, so that it starts in about the
time of a bare interpreter. It talks to :mod:`pytest_vsb.lean.process` over two pipes:

``CONTROL`` (3)
    one frame with the job, then silence. End of file means that our parent wants the command gone
    or is itself gone, even by SIGKILL.
``STATUS`` (4)
    a frame ``("started", pid)`` from the process that becomes the command, just before it does,
    then one of ``("done", facts)`` or ``("failed", errno, text)`` from the supervisor.

A frame is a four-byte length and a marshalled value: both ends are the same interpreter.

On Linux the supervisor is a child subreaper: whatever the command forks, and however it detaches,
stays below the supervisor in the process tree and can be found and killed. Elsewhere it kills the
process group and every descendant that it has seen in a ``ps`` table.
"""

from __future__ import annotations

# Imports are most of the start-up time here: `signal`, `typing`, `pathlib` and `contextlib` would
# cost as much as a tenth of a small Lean check. `_signal` is the C half of `signal`.
import _signal  # type: ignore[import-not-found]
import ctypes
import marshal
import os
import resource
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CONTROL, STATUS = 3, 4
_LINUX = sys.platform.startswith("linux")
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_KILL_SECONDS = 10.0
_DISK_SECONDS = 0.25
_PAGE = resource.getpagesize()


def encode_frame(value: Any) -> bytes:
    """A value as one frame."""
    data = marshal.dumps(value)
    return len(data).to_bytes(4, "big") + data


def decode_frames(data: bytes) -> list[Any]:
    """The values of all whole frames at the start of the data."""
    values, at = [], 0
    while at + 4 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if at + 4 + size > len(data):
            break
        values.append(marshal.loads(data[at + 4 : at + 4 + size]))
        at += 4 + size
    return values


def read_frame(fd: int) -> Any:
    """The next frame of a blocking pipe, or None at its end."""
    data = bytearray()
    while True:
        frames = decode_frames(bytes(data))
        if frames:
            return frames[0]
        block = os.read(fd, 1 << 16)
        if not block:
            return None
        data += block


# ---- Which processes there are, and how much memory they hold ------------------------------------


def parse_ps(text: str) -> dict[int, tuple[int, int]]:
    """The table of ``ps -o pid=,ppid=,rss=``: from pid to parent pid and resident bytes."""
    table = {}
    for line in text.splitlines():
        fields = line.split()
        if len(fields) == 3 and all(field.isdigit() for field in fields):
            table[int(fields[0])] = (int(fields[1]), int(fields[2]) * 1024)
    return table


def below(table: dict[int, tuple[int, int]], roots: set[int]) -> set[int]:
    """All descendants of the roots in a process table, the roots themselves left out."""
    children: dict[int, list[int]] = {}
    for pid, (parent, _) in table.items():
        children.setdefault(parent, []).append(pid)
    found: set[int] = set()
    todo = list(roots)
    while todo:
        for child in children.get(todo.pop(), ()):
            if child not in found and child not in roots:
                found.add(child)
                todo.append(child)
    return found


def linux_descendants(root: int) -> list[int]:
    """All descendants of a process, parents before children, from ``/proc``."""
    found: list[int] = []
    todo = [root]
    while todo:
        pid = todo.pop()
        try:
            tasks = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - pathlib costs import time
        except OSError:
            continue
        for task in tasks:
            children = [int(word) for word in _read(f"/proc/{pid}/task/{task}/children").split()]
            found += children
            todo += children
    return found


def linux_table() -> dict[int, tuple[int, int]]:
    """The process table from ``/proc/*/stat``, for kernels without ``children`` files."""
    table = {}
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdigit():
            # The command's name is in parentheses and may hold anything.
            fields = _read(f"/proc/{name}/stat").rpartition(b")")[2].split()
            if len(fields) > 21:
                table[int(name)] = (int(fields[1]), int(fields[21]) * _PAGE)
    return table


def _read(path: str) -> bytes:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(fd, 1 << 16)
    except OSError:
        return b""
    finally:
        os.close(fd)


def _resident(pid: int) -> int:
    fields = _read(f"/proc/{pid}/statm").split()
    return int(fields[1]) * _PAGE if len(fields) > 1 else 0


def _proportional(pid: int) -> int:
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return _resident(pid)


def _oom_kills() -> int:
    for line in _read("/proc/vmstat").splitlines():
        if line.startswith(b"oom_kill "):
            return int(line.split()[1])
    return 0


class _Tree:
    """The processes below this one."""

    def __init__(self) -> None:
        self._me = os.getpid()
        self._seen: set[int] = set()
        self._have_children_files = os.access(f"/proc/{self._me}/task/{self._me}/children", os.R_OK)
        self._over = 0

    def pids(self) -> list[int]:
        """Every descendant alive (or not yet waited for)."""
        if _LINUX and self._have_children_files:
            return linux_descendants(self._me)
        return list(self._table())

    def _table(self) -> dict[int, int]:
        if _LINUX:
            table = linux_table()
        else:
            with os.popen("/bin/ps -A -o pid=,ppid=,rss=") as stream:
                table = parse_ps(stream.read())
        found = below(table, {self._me}) | below(table, self._seen)
        # A process that we saw below us may since have been handed to init.
        found |= {pid for pid in self._seen if pid in table}
        self._seen |= found if not _LINUX else set()
        return {pid: table[pid][1] for pid in found}

    def memory(self) -> tuple[int, list[int]]:
        """Resident bytes of the whole tree, and its processes."""
        if _LINUX and self._have_children_files:
            pids = self.pids()
            return sum(_resident(pid) for pid in pids), pids
        sizes = self._table()
        return sum(sizes.values()), list(sizes)

    def threads(self, pids: list[int]) -> int:
        """Threads of these processes, as far as that can be told; each process has one."""
        if not _LINUX:
            return len(pids)
        total = 0
        for pid in pids:
            try:
                total += len(os.listdir(f"/proc/{pid}/task"))  # noqa: PTH208
            except OSError:
                continue
        return total

    def exceeds(self, limit: int, total: int, pids: list[int]) -> bool:
        """Whether the tree really holds more than the limit.

        The sum over several processes counts shared pages more than once, and a process about to
        exec shares all of its parent's. So with several processes the proportional share decides,
        twice in a row.
        """
        if total <= limit:
            self._over = 0
            return False
        if _LINUX and len(pids) > 1 and all(_resident(pid) <= limit for pid in pids):
            if sum(_proportional(pid) for pid in pids) <= limit:
                self._over = 0
                return False
            self._over += 1
            return self._over > 1
        return True


# ---- Starting and ending the command -------------------------------------------------------------


def _start(job: dict[str, Any]) -> tuple[int, tuple[int, str] | None]:
    """Fork and exec the command. Returns its pid, and errno and text if it could not be run."""
    error_in, error_out = os.pipe()
    pid = os.fork()
    if pid == 0:
        step = "start"
        try:
            os.setsid()
            for number in range(1, _signal.NSIG):
                if number not in (_signal.SIGKILL, _signal.SIGSTOP):
                    try:
                        _signal.signal(number, _signal.SIG_DFL)
                    except (OSError, ValueError):
                        continue
            _signal.pthread_sigmask(_signal.SIG_SETMASK, [])
            if _LINUX:
                ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(_signal.SIGKILL), 0, 0, 0)
                _write_quietly("/proc/self/oom_score_adj", b"900")
            # Told from here, so that it is known before the command can kill its supervisor.
            _tell(("started", os.getpid()))
            step = f"enter the directory {os.fsdecode(job['cwd'])}"
            os.chdir(job["cwd"])
            argv = job["argv"]
            if job["steps"]:
                step = "confine the command"
                argv = _ours("confine").apply(argv, job["steps"])
            step = f"run {os.fsdecode(argv[0])}"
            os.execvpe(argv[0], argv, job["env"])
        except OSError as error:
            text = f"cannot {step}: {error.strerror}"
            os.write(error_out, encode_frame((error.errno or 0, text)))
        except BaseException as error:
            os.write(error_out, encode_frame((0, f"cannot {step}: {error!r}")))
        finally:
            os._exit(127)
    os.close(error_out)
    failure = read_frame(error_in)
    os.close(error_in)
    return pid, failure


def _ours(name: str) -> Any:
    """A module of the package's that needs the standard library only."""
    directory = f"{os.path.dirname(os.path.abspath(__file__))}/sandbox"  # noqa: PTH100, PTH120
    if directory not in sys.path:
        # Last, so that it hides no module of the library.
        sys.path.append(directory)
    return __import__(name)


def _write_quietly(path: str, data: bytes) -> None:
    try:
        fd = os.open(path, os.O_WRONLY)
        os.write(fd, data)
        os.close(fd)
    except OSError:
        pass


def _reap(main: int) -> tuple[int | None, bool]:
    """Wait for whoever has ended: the main process's status, if it has, and if a child is left."""
    status = None
    while True:
        try:
            pid, code = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status, False
        if pid == 0:
            return status, True
        if pid == main:
            status = code


def _kill_group(group: int) -> None:
    try:
        os.killpg(group, _signal.SIGKILL)
    except OSError:
        return


def _groups(pids: list[int]) -> set[int]:
    """The process groups of descendants, who all have sessions of their own below us."""
    found = set()
    for pid in pids:
        try:
            found.add(os.getpgid(pid))
        except OSError:
            continue
    return found - {os.getpgrp()}


def _kill_all(tree: _Tree, main: int) -> tuple[int | None, int]:
    """Kill and reap the whole tree: the main process's status, and how many would not die."""
    status: int | None = None
    end = time.monotonic() + _KILL_SECONDS
    pause = 0.0
    while True:
        pids = tree.pids()
        # A whole group at once: no fork in the middle of it gets away.
        for group in _groups(pids):
            _kill_group(group)
        # Stopped first, a fork bomb of many groups cannot outrun the kills.
        for number in (_signal.SIGSTOP, _signal.SIGKILL):
            for pid in pids:
                try:
                    os.kill(pid, number)
                except OSError:
                    continue
        if not _LINUX:
            _kill_group(main)
        code, more = _reap(main)
        status = code if code is not None else status
        if not more and not tree.pids():
            return status, 0
        if time.monotonic() > end:
            return status, len(tree.pids())
        time.sleep(pause)
        pause = min(0.02, pause + 0.001)


class _Disk:
    """The limit on what the command writes into the directories that it was given."""

    def __init__(self, job: dict[str, Any]) -> None:
        self._directories: list[bytes]
        self._bytes: int
        self._files: int
        self._directories, self._bytes, self._files = job["disk"] or ([], 0, 0)
        self._next = 0.0

    def exceeds(self, now: float, pids: list[int]) -> bool:
        if not self._directories or now < self._next:
            return False
        self._next = now + _DISK_SECONDS
        usage = _ours("usage")
        total, files = usage.used(self._directories, self._files)
        if _LINUX:
            total += usage.unlinked(pids)
        return bool(total > self._bytes or files > self._files)


def _cpu_of_children() -> float:
    """Processor seconds of the processes that were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _cpu(pids: list[int]) -> float:
    """Processor seconds of these processes so far, and of what they have waited for."""
    ticks = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
                # Behind the name, which may hold anything.
                fields = file.read().rpartition(b")")[2].split()
            ticks += sum(map(int, fields[11:15]))
        except (OSError, ValueError):
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


def _watch(job: dict[str, Any], wake: int, tree: _Tree, main: int, start: float) -> dict[str, Any]:
    """Hold the command to its limits until it ends, then clear up. Returns the facts."""
    limit = job["memory"]
    deadline = start + job["wall"]
    poll = select.poll()
    poll.register(CONTROL, select.POLLIN)
    poll.register(wake, select.POLLIN)
    parent = os.getppid()
    peak = 0
    killed = ""
    status: int | None = None
    ooms = _oom_kills()
    disk = _Disk(job)
    while True:
        code, _ = _reap(main)
        if code is not None:
            status = code
            break
        total, pids = tree.memory()
        peak = max(peak, total)
        now = time.monotonic()
        if limit is not None and tree.exceeds(limit, total, pids):
            killed = "out_of_memory"
        elif job["threads"] is not None and tree.threads(pids) > job["threads"]:
            killed = "too_many_processes"
        elif disk.exceeds(now, pids):
            killed = "too_much_disk"
        elif now >= deadline:
            killed = "timeout"
        elif os.getppid() != parent:
            killed = "orphaned"
        if killed:
            break
        pause = (0.01 if now - start < 0.5 else 0.05) if _LINUX else 0.25
        for fd, _ in poll.poll(max(1.0, min(pause, deadline - now) * 1000)):
            if fd == CONTROL:
                # Nothing is ever sent after the job: this is the end of the pipe.
                killed = "orphaned"
            else:
                os.read(wake, 4096)
        if killed:
            break
    wall = time.monotonic() - start
    # What a sandbox of the command's has not waited for when it is killed is told by nobody.
    cpu = _cpu_of_children() + (_cpu(tree.pids()) if killed else 0.0)
    late, left = _kill_all(tree, main)
    status = status if status is not None else late
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    largest = usage.ru_maxrss * (1024 if _LINUX else 1)
    return {
        "killed": killed,
        "status": status,
        "wall": wall,
        "cpu": max(cpu, _cpu_of_children()),
        "peak": max(peak, largest),
        "oom_killer": _oom_kills() > ooms,
        "left": left,
    }


def _close_others() -> None:
    os.closerange(STATUS + 1, min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 1 << 16))
    os.set_inheritable(CONTROL, False)
    os.set_inheritable(STATUS, False)


def main() -> None:
    """Serve one job and exit."""
    os.setsid()
    _close_others()
    for number in (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP, _signal.SIGPIPE):
        _signal.signal(number, _signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if _LINUX:
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    wake, wake_in = os.pipe()
    for fd in (wake, wake_in):
        os.set_blocking(fd, False)
    _signal.set_wakeup_fd(wake_in, warn_on_full_buffer=False)
    _signal.signal(_signal.SIGCHLD, lambda _number, _frame: None)
    job = read_frame(CONTROL)
    if job is None:
        return
    start = time.monotonic()
    pid, failure = _start(job)
    # From here on only the command and its descendants hold the output pipes.
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    if failure is not None:
        os.waitpid(pid, 0)
        os.write(STATUS, encode_frame(("failed", *failure)))
        return
    tree = _Tree()
    try:
        _tell(("done", _watch(job, wake, tree, pid, start)))
    finally:
        # Only of use after an error above: this process never leaves anything behind.
        _kill_all(tree, pid)


def _tell(value: Any) -> None:
    try:
        os.write(STATUS, encode_frame(value))
    except BrokenPipeError:
        # Whoever was to read it is gone; the control pipe tells us so, too.
        return


if __name__ == "__main__":
    main()
    os._exit(0)
