"""Running git, elan and Lake: with a log, under a time limit, and without our secrets."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable, VsbError
from pytest_vsb.lean import process
from pytest_vsb.lean.diagnostics import cap
from pytest_vsb.lean.process import Cancel, Completed, Limits, Outcome

Say = Callable[[str], None]

# What the commands are given of our environment. Building a repository runs code of its author's,
# so nothing that could be a key goes along.
_KEPT = frozenset(
    {
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "TERM",
        "ELAN_HOME", "MATHLIB_CACHE_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
        "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "NIX_SSL_CERT_FILE",
        "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    }
)  # fmt: skip
# What git alone is given beside that: how to reach and authenticate to a server.
_FOR_GIT = re.compile(
    r"GIT_SSH(_\w+)?|GIT_SSL_\w+|GIT_ASKPASS|SSH_ASKPASS|SSH_AUTH_SOCK|SSH_AGENT_PID"
    r"|GIT_HTTP_\w+|GIT_PROXY_\w+|GIT_CONFIG_\w+|GIT_EXEC_PATH"
)
_USER_INFO = re.compile(r"(?<=://)[^/@\s]+@")
_KEPT_OUTPUT = 2**18


class StepFailed(VsbError):
    """A step of the work on one repository that did not go well."""


class Stopped(VsbError):
    """The work was stopped from outside before its end."""


def environment(*, git: bool = False) -> dict[str, str]:
    """The environment for a command: without API keys, and without what misleads git or Lake."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _KEPT or name.startswith("LC_") or (git and _FOR_GIT.fullmatch(name))
    }
    kept.setdefault("PATH", os.defpath)
    if git:
        # Nobody is there to answer a question.
        kept["GIT_TERMINAL_PROMPT"] = "0"
        kept.setdefault("GIT_SSH_COMMAND", "ssh -o BatchMode=yes")
        kept["LC_ALL"] = "C"
    return kept


def masked(text: str) -> str:
    """The text without user names and passwords in its URLs."""
    return _USER_INFO.sub("***@", text)


@dataclass
class Stop:
    """Ends all commands of some work, and its waiting."""

    cancel: Cancel = field(default_factory=Cancel)
    event: threading.Event = field(default_factory=threading.Event)

    def set(self) -> None:
        """End everything; safe in any thread."""
        self.event.set()
        self.cancel.set()

    def wait(self, seconds: float) -> None:
        """Wait so long.

        Raises:
            Stopped: it was set.
        """
        if self.event.wait(seconds):
            raise Stopped("stopped")


class Runner:
    """Runs the commands of one step and writes what they say to a log file.

    Args:
        log: the log file, which begins anew with each runner.
        stop: ends the commands.
        on_line: is told each whole line as it comes.
    """

    def __init__(self, log: Path, stop: Stop, on_line: Say | None = None) -> None:
        self.log = log
        self._stop = stop
        self._on_line = on_line
        with _writing(log):
            log.parent.mkdir(parents=True, exist_ok=True)
            log.write_bytes(b"")

    def run(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        seconds: float,
        env: Mapping[str, str],
    ) -> Completed:
        """Run a command to its end, whatever that is.

        Raises:
            StepFailed: it cannot be started, or takes longer than ``seconds``.
            Stopped: the work was stopped.
        """
        if self._stop.event.is_set():
            raise Stopped("stopped")
        with _writing(self.log), self.log.open("ab") as log:
            log.write(f"$ {masked(shlex.join(argv))}\n".encode("utf-8", "replace"))
            log.flush()
            lines = _Lines(self._on_line)

            def sink(block: bytes) -> None:
                log.write(block)
                log.flush()
                lines.add(block)

            try:
                done = process.run(
                    argv,
                    cwd=cwd,
                    env=env,
                    limits=Limits(wall_seconds=seconds, output_bytes=_KEPT_OUTPUT),
                    cancel=self._stop.cancel,
                    sink=sink,
                )
            except EnvironmentUnavailable as error:
                if self._stop.event.is_set():
                    raise Stopped("stopped") from error
                raise StepFailed(error.message, where=argv[0]) from error
            log.write(f"\n[{_ending(done)} after {done.wall_seconds:.0f} s]\n".encode())
        if done.outcome is Outcome.TIMEOUT:
            raise StepFailed(
                f"`{shown(argv)}` took longer than {seconds:g} s",
                where=str(self.log),
                hint="the same command goes on from there; --timeout gives it longer",
            )
        return done

    def must(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        seconds: float,
        env: Mapping[str, str],
        hint: str | None = None,
    ) -> Completed:
        """Run a command that has to end well.

        Raises:
            StepFailed: it did not; see also :meth:`run`.
            Stopped: the work was stopped.
        """
        done = self.run(argv, cwd=cwd, seconds=seconds, env=env)
        if done.exit_code != 0:
            raise StepFailed(
                f"`{shown(argv)}` failed ({_ending(done)}): {gist(done)}",
                where=str(self.log),
                hint=hint,
            )
        return done


class _Lines:
    """Cuts a stream into lines for someone who is told them."""

    def __init__(self, tell: Say | None) -> None:
        self._tell = tell
        self._rest = b""

    def add(self, block: bytes) -> None:
        if self._tell is None:
            return
        *whole, self._rest = re.split(rb"[\r\n]+", self._rest + block)
        self._rest = self._rest[-4096:]
        for line in whole:
            if line.strip():
                self._tell(line.decode("utf-8", "replace").strip())


def shown(argv: Sequence[str]) -> str:
    """A command as it is shown in a message."""
    return cap(masked(shlex.join([Path(argv[0]).name, *argv[1:]])), 200)


_ERROR = re.compile(r"^(?:.*\berror\b.*|fatal:.*|✖.*)$", re.IGNORECASE | re.MULTILINE)


def gist(done: Completed) -> str:
    """What a failed command said is wrong, as far as one line can tell."""
    text = f"{done.stderr}\n{done.stdout}".strip()
    found = _ERROR.findall(text)
    lines = found or text.splitlines()[-1:]
    return cap(masked(lines[0].strip()), 300) if lines else "it said nothing"


def _ending(done: Completed) -> str:
    if done.outcome is Outcome.EXITED:
        return f"exit code {done.exit_code}"
    return f"signal {done.signal}" if done.outcome is Outcome.KILLED else done.outcome.value


@contextlib.contextmanager
def _writing(log: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StepFailed(
            f"cannot be written: {error.strerror or error}", where=str(error.filename or log)
        ) from error
