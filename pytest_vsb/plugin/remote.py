"""Workers of pytest-xdist on other machines (``--tx ssh=...``).

A worker that cannot reach the run directory journals in a directory of its own machine and sends
each line, as it is written, over a channel beside xdist's own; the main process writes it to the
run directory. So the run directory holds all, whoever dies when.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import secrets
import shutil
import socket
import tempfile
import time
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import execnet
import filelock
import msgspec
import pytest

from pytest_vsb import __version__
from pytest_vsb.errors import UsageError
from pytest_vsb.files import write_atomically
from pytest_vsb.plugin import options, probe
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.run.directory import RUNS, RunDirectory
from pytest_vsb.run.journal import Journal, end_line, journal_files
from pytest_vsb.run.records import TaskFacts, TaskResult
from pytest_vsb.run.settings import Settings

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController

_CHANNEL = "channel"
_JOURNALS = "journals"
_SENT = ("responses", "contexts", "disagreements")
"""Directories of a run that a worker writes files to, each once and whole."""
_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,200}")
_PROBE_SECONDS = 60.0
_PREFIX = "vsb-run-"
_LOCK = "worker.lock"
_STALE_SECONDS = 600.0


class RemoteWorkers:
    """The main process's end: looks at each machine before it works, tells it what it cannot read
    there, and writes to the run directory what it sends."""

    def __init__(
        self,
        config: pytest.Config,
        settings: Settings,
        directory: RunDirectory,
        baseline: LoadedRun | None,
    ) -> None:
        self.config = config
        self.settings = settings
        self.directory = directory
        self._baseline = baseline
        self._token = directory.path / "token"
        self._text = ""
        self._told: list[str] = []
        self._strange = False

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionstart(self) -> Generator[None, object, object]:
        # Runs are of this machine: what xdist copies to others is the project.
        ignored = [glob.escape(str(self.directory.path.resolve())), RUNS]
        self.config.option.rsyncignore = [*self.config.option.rsyncignore, *ignored]
        # xdist starts its workers here, and would end with a traceback.
        try:
            with _readable():
                return (yield)
        except pytest.UsageError:
            # pytest does not call pytest_sessionfinish then.
            self._token.unlink(missing_ok=True)
            if not self.directory.tasks() and not any(self.directory.journal.glob("*")):
                self.directory.remove()
            raise

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        # A worker that died is replaced here: its machine may be gone.
        try:
            with _readable():
                return (yield)
        except pytest.UsageError as error:
            raise session.Interrupted(str(error)) from error

    @pytest.hookimpl(optionalhook=True, trylast=True)
    def pytest_configure_node(self, node: WorkerController) -> None:
        if is_here(node.gateway.spec):
            return
        found = self._look(node.gateway)
        name = f"worker {node.gateway.id} on {found['host']}"
        if not found["version"]:
            raise pytest.UsageError(
                f"{name}: pytest-vsb is not installed for {found['python']}\n"
                "  hint: install it there, as here, or name another Python: "
                "--tx 'ssh=HOST//python=/path/to/python'"
            )
        if found["version"] != __version__:
            raise pytest.UsageError(
                f"{name}: pytest-vsb is version {found['version']} there and {__version__} here\n"
                "  hint: install the same version"
            )
        given: dict[str, Any] = {
            "known_bad": dict(options.known_bad(self.config)),
            "baseline": _packed_baseline(self._baseline),
        }
        if not found["shared"]:
            self._check_budget(name)
            channel = node.gateway.newchannel()
            channel.setcallback(self._receiver(node.gateway.id))
            given[_CHANNEL] = channel
            given[_JOURNALS] = self._journals()
        node.workerinput[options.FAR_KEY] = given
        how = "shares the run directory" if found["shared"] else "sends its journal"
        self._told.append(f"vsb {name}: {how}")

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodeready(self, node: object) -> None:
        self._tell(*self._told)
        self._told.clear()

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: Sequence[str]) -> None:
        """Say so if items are named from another root directory than here: nobody could resume the
        run, or find the statements, from here."""
        files = {nodeid.partition("::")[0] for nodeid in ids}
        strange = sorted(file for file in files if not (self.config.rootpath / file).exists())
        if strange and options.FAR_KEY in node.workerinput and not self._strange:
            self._strange = True
            self._tell(
                f"vsb note: worker {node.gateway.id} has items of {strange[0]}, which is not there "
                f"in {self.config.rootpath}: send the directory that holds the ini file, so that "
                "items have the same names on all machines (docs/scale.md)"
            )

    def _tell(self, *lines: str) -> None:
        reporter: Any = self.config.pluginmanager.get_plugin("terminalreporter")
        for line in lines:
            if reporter is not None and self.config.option.verbose >= 0:
                reporter.ensure_newline()
                reporter.write_line(line)

    def pytest_unconfigure(self) -> None:
        self._token.unlink(missing_ok=True)

    def _look(self, gateway: Any) -> Mapping[str, Any]:
        if not self._text:
            self._text = secrets.token_hex()
            self._token.write_text(self._text, encoding="ascii")
        channel = gateway.remote_exec(probe)
        channel.send((str(self._token), self._text))
        found: dict[str, Any] = channel.receive(_PROBE_SECONDS)
        channel.waitclose(_PROBE_SECONDS)
        return found

    def _check_budget(self, name: str) -> None:
        for option, limit in (
            ("max-cost", self.settings.max_cost),
            ("max-tokens", self.settings.max_tokens),
        ):
            if limit is not None:
                raise pytest.UsageError(
                    f"--vsb-{option}: {name} cannot reach the run directory "
                    f"{self.directory.path}, where workers account for what they spend\n"
                    "  hint: give a --vsb-run=DIR that all machines share, or run shards with a "
                    "limit each: --vsb-shard=I/N"
                )

    def _journals(self) -> list[tuple[str, bytes]]:
        """What earlier sessions journaled, for a worker that is to go on with it."""
        if not options.value(self.config, "resume"):
            return []
        return [
            (file.name, zlib.compress(file.read_bytes()))
            for file in journal_files(self.directory.path)
        ]

    def _receiver(self, worker: str) -> Callable[[Any], None]:
        """What writes the messages of a worker; execnet calls it in its own thread, for each
        message in turn and before any report that was sent later. What it raises is raised by the
        worker's next message."""
        journal = self.directory.journal / f"{worker}.jsonl"
        end_line(journal)

        def receive(message: tuple[str, Any]) -> None:
            kind, content = message
            if kind == "line":
                with journal.open("ab") as file:
                    file.write(content)
            elif kind == "tasks":
                self.directory.add_tasks(msgspec.json.decode(content, type=list[TaskFacts]))
            elif kind == "shard":
                self.directory.add_shard(*content)
            elif kind == "file":
                self._write(*content)

        return receive

    def _write(self, directory: str, name: str, content: bytes) -> None:
        path = self.directory.path / directory / name
        if directory not in _SENT or not _SAFE.fullmatch(name) or path.exists():
            return
        path.parent.mkdir(exist_ok=True)
        write_atomically(path, content)


def is_here(spec: Any) -> bool:
    """Whether a worker runs on this machine and in this directory."""
    return bool(spec.popen and not spec.chdir and not spec.via)


@contextlib.contextmanager
def _readable() -> Iterator[None]:
    """What goes wrong with starting workers, as an error that says what to do."""
    try:
        yield
    except execnet.HostNotFound as error:
        raise pytest.UsageError(
            f"--tx: no worker could be started over ssh: {error}\n"
            "  hint: try `ssh HOST python3 --version`; it must work without a password"
        ) from error
    except ValueError as error:
        if "not relative to an rsync root" not in str(error):
            raise
        raise pytest.UsageError(
            f"--tx: {error}: what is run must be sent to the other machines\n"
            "  hint: name the project by its whole path twice: pytest --rsyncdir=/path/to/project "
            "/path/to/project"
        ) from error
    except (EOFError, OSError) as error:
        if not _of_execnet(error):
            raise
        raise pytest.UsageError(
            f"--tx: a worker could not be started: {error}\n"
            "  hint: is the Python that `//python=` names there? Try it by ssh"
        ) from error


def _of_execnet(error: BaseException) -> bool:
    trace = error.__traceback__
    while trace is not None:
        if "execnet" in Path(trace.tb_frame.f_code.co_filename).parts:
            return True
        trace = trace.tb_next
    return False


def _packed_baseline(run: LoadedRun | None) -> bytes:
    return b"" if run is None else zlib.compress(msgspec.json.encode(run.results))


# The worker's end


def baseline_results(config: pytest.Config) -> tuple[TaskResult, ...]:
    """The baseline's results as the main process has sent them."""
    packed = (options.far(config) or {}).get("baseline")
    if not packed:
        return ()
    return msgspec.json.decode(zlib.decompress(packed), type=tuple[TaskResult, ...])


def worker_directory(config: pytest.Config, path: Path) -> RunDirectory:
    """The run directory of this worker: the run's, or one of its own from which all is sent."""
    given = options.far(config) or {}
    if _CHANNEL not in given:
        return RunDirectory(path)
    directory = SentDirectory(given[_CHANNEL])
    for name, content in given[_JOURNALS]:
        if _SAFE.fullmatch(name):
            (directory.journal / name).write_bytes(zlib.decompress(content))
    config.add_cleanup(directory.remove)
    return directory


def about_here(config: pytest.Config, error: UsageError) -> str:
    """An error of a worker, and on which machine it is."""
    worker = config.workerinput["workerid"]  # type: ignore[attr-defined]
    if options.far(config) is None:
        return str(error)
    return (
        f"worker {worker} on {socket.gethostname()}: {error}\n"
        "  (options and files are looked at on that machine, and environment variables such as "
        "keys are its own: see docs/scale.md)"
    )


class SentDirectory(RunDirectory):
    """A run directory of this machine alone, whose content goes to the main process."""

    def __init__(self, channel: Any) -> None:
        super().__init__(Path(tempfile.mkdtemp(prefix=_PREFIX)))
        self._held = filelock.FileLock(self.path / _LOCK, thread_local=False)
        self._held.acquire()
        self.journal.mkdir()
        self._channel = channel
        _sweep(self.path.parent)

    def open_journal(self, worker: str) -> Journal:
        return Journal(self.journal, worker, copy=self._send_line)

    def add_tasks(self, tasks: Iterable[TaskFacts]) -> None:
        self._send("tasks", msgspec.json.encode([*tasks]))

    def add_shard(self, index: int, count: int, plan: str) -> None:
        self._send("shard", (index, count, plan))

    def remove(self) -> None:
        with contextlib.suppress(OSError):
            self._send_files()
        self._held.release()
        shutil.rmtree(self.path, ignore_errors=True)

    def _send_line(self, line: bytes) -> None:
        # First, so that what a line names is there when the line is.
        self._send_files()
        self._send("line", line)

    def _send_files(self) -> None:
        for name in _SENT:
            directory = self.path / name
            if not directory.is_dir():
                continue
            for file in sorted(directory.iterdir()):
                if file.is_file() and _SAFE.fullmatch(file.name):
                    self._send("file", (name, file.name, file.read_bytes()))
                    file.unlink()

    def _send(self, kind: str, content: object) -> None:
        try:
            self._channel.send((kind, content))
        except (OSError, EOFError) as error:
            raise OSError(f"the main process cannot be reached: {error}") from error


def _sweep(place: Path) -> None:
    """Remove what workers have left that were killed: all that it held has been sent."""
    for path in place.glob(f"{_PREFIX}*"):
        lock = path / _LOCK
        with contextlib.suppress(OSError, filelock.Timeout):
            status = lock.stat()
            # One that begins now may not have its lock yet.
            if status.st_uid == os.getuid() and status.st_mtime < time.time() - _STALE_SECONDS:
                with filelock.FileLock(lock, thread_local=False).acquire(blocking=False):
                    shutil.rmtree(path, ignore_errors=True)
