"""A conversation with one process of Lean's file worker: texts in, diagnostics out.

It is the process that does all the work behind ``lean --server``, started as ``lean --worker`` and
spoken to as the server's watchdog does. The watchdog is left out: it starts workers again behind
our back, reads the index of every compiled module on the search path at its start, and finds the
program to start by rules that differ by version. Without it, a crash of Lean is the end of our own
child, seen at once. The worker's protocol (``initialize``, ``textDocument/didOpen``, then the usual
messages) is the same in all Leans from 4.8 on.

The document is a file in a private directory with the name that a compiled file has, so that it is
the same module. Lake is never started: ``LAKE`` names a program that is not there, which Lean takes
for a file without a project.
"""

from __future__ import annotations

import collections
import contextlib
import itertools
import os
import re
import time
from pathlib import Path
from typing import Any

import psutil

from pytest_vsb.lean import lsp
from pytest_vsb.lean.diagnostics import Diagnostic, Severity
from pytest_vsb.lean.interactive import Interactive
from pytest_vsb.lean.process import Completed, Limits
from pytest_vsb.lean.sandbox import needs
from pytest_vsb.lean.sandbox.box import Box, Sandbox
from pytest_vsb.lean.scratch import scratch
from pytest_vsb.lean.toolchain import Toolchain

NO_DELAY = "-Dserver.reportDelayMs=10"
"""The option by which a Lean says at once what it knows; from 4.9 on."""

_MESSAGE_BYTES = 1 << 28
_CHECK_BYTES = 1 << 30
_PUBLISH, _PROGRESS = "textDocument/publishDiagnostics", "$/lean/fileProgress"
_UNHEARD = re.compile(r"\$/lean/(?:ilean|importClosure)")
_LAST_VERSION = re.compile(rb'"version": ?(\d{1,9})\}\}$')
_IMPORT = re.compile(
    r"^(?:(?:public|meta|private|all)[ \t]+)*(?:import|prelude|module)\b", re.MULTILINE
)


class TooLate(Exception):
    """The time for an answer is over."""


class Over(Exception):
    """The process has ended by itself, or its limits have ended it."""

    def __init__(self, completed: Completed, *, heard: bool) -> None:
        super().__init__(completed)
        self.completed = completed
        self.heard = heard
        """Whether it ever said anything."""


class Worker:
    """One process with one document. Making one has no effect; :meth:`start` starts it.

    All methods but :meth:`stop` are for one thread at a time. After an exception of :meth:`ask`
    only :meth:`end` is of use.
    """

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._process = Interactive()
        self._stack = contextlib.ExitStack()
        self._decoder = lsp.Decoder(_MESSAGE_BYTES)
        self._uri = ""
        self._text = ""
        self._version = 0
        self._heard = False
        self._found: tuple[Diagnostic, ...] = ()

    def start(
        self,
        toolchain: Toolchain,
        search_path: tuple[Path, ...],
        arguments: tuple[str, ...],
        *,
        sandbox: Sandbox,
        hidden: tuple[Path, ...],
        limits: Limits,
        module: str,
    ) -> None:
        """Start the process; whether it really runs shows at the first :meth:`ask`.

        Raises:
            EnvironmentUnavailable: it cannot be started.
        """
        directory = self._stack.enter_context(scratch())
        file = directory / f"{module}.lean"
        file.touch()
        self._uri = file.as_uri()
        environment = toolchain.environment(search_path)
        environment["TMPDIR"] = str(directory)
        environment["LEAN_SRC_PATH"] = str(directory)
        environment["LAKE"] = str(directory / "no-lake")
        argv = toolchain.argv("--worker", *arguments)
        box = Box((*needs.readable(toolchain, search_path), directory), (), hidden)
        self._process.start(
            argv,
            cwd=directory,
            env=environment,
            limits=limits,
            confinement=sandbox.confine(tuple(argv), box),
        )

    def alive(self) -> bool:
        """Whether the process is there."""
        return self._pid == os.getpid() and not self._process.is_over()

    def memory(self) -> tuple[float, float]:
        """Resident memory of its processes, in MiB: now, and the most that each has had."""
        now = most = 0
        for pid in self._process.pids():
            with contextlib.suppress(psutil.Error):
                resident = psutil.Process(pid).memory_info().rss
                now += resident
                most += max(resident, _most(pid))
        return now / 2**20, most / 2**20

    def cpu_seconds(self) -> float:
        """Processor time of its processes so far."""
        total = 0.0
        for pid in self._process.pids():
            with contextlib.suppress(psutil.Error):
                total += sum(psutil.Process(pid).cpu_times()[:2])
        return total

    def keeps_header(self, text: str) -> bool:
        """Whether a text differs from the last one only after the imports, which stay loaded."""
        cut = _same_lines(self._text, text)
        return not any(_IMPORT.search(each, cut) for each in (self._text, text))

    def ask(self, text: str, deadline: float) -> tuple[Diagnostic, ...]:
        """What Lean says of a text. The deadline is by the monotonic clock.

        Raises:
            TooLate: it has not said so by then.
            Over: the process ended.
            Stopped: another thread has called :meth:`stop`.
            lsp.ProtocolError: what it said is not as it should be.
            EnvironmentUnavailable: the process could not be started.
        """
        if self._version and text == self._text:
            return self._found
        found, in_order = self._round(text, deadline)
        if not in_order and not _ascends(found):
            # Told as they were found, by several threads. Asked again with all of it done, Lean
            # goes through the file from its start to its end, as it does without a server.
            again, _ = self._round(text, deadline)
            if collections.Counter(again) != collections.Counter(found):
                raise lsp.ProtocolError("Lean said two different things of one text")
            found = again
        self._found = found
        return found

    def _round(self, text: str, deadline: float) -> tuple[tuple[Diagnostic, ...], bool]:
        """What Lean says of a text, and whether it is sure to be in the file's order."""
        first = not self._version
        self._send_text(text)
        version = self._version
        self._send(
            "textDocument/waitForDiagnostics",
            {"uri": self._uri, "version": version},
            number=version,
        )
        heard = _Heard(version, lsp.Lines(text))
        size = 0
        while True:
            data = self._process.receive(deadline - time.monotonic())
            if data is None:
                raise Over(self._process.ending(), heard=self._heard)
            if not data:
                raise TooLate
            size += len(data)
            if size > _CHECK_BYTES:
                raise lsp.ProtocolError(f"more than {_CHECK_BYTES} bytes of messages")
            for body in self._decoder.feed(data):
                self._heard = True
                answered = self._take(body, heard)
                if answered or (not first and heard.is_done() and heard.has_error()):
                    return heard.diagnostics(), not heard.blocked

    def _take(self, body: bytes, heard: _Heard) -> bool:
        """Note a message. Returns whether it is the answer that all is said."""
        method = lsp.method_of(body)
        if _UNHEARD.match(method):
            return False
        if method == _PUBLISH:
            heard.publish(body)
            return False
        message = lsp.parse_body(body)
        if method == _PROGRESS:
            heard.progress(message)
        elif "method" in message:
            if "id" in message:
                # Such as to fetch colours again. Lean keeps those that are not answered.
                self._process.send(lsp.encode_nothing(message["id"]))
        elif message.get("id") == heard.version:
            if "result" not in message:
                raise lsp.ProtocolError(f"no answer but {message.get('error')!r}")
            return True
        return False

    def stop(self) -> None:
        """Have an :meth:`ask` in another thread end at once."""
        self._process.stop()

    def end(self) -> None:
        """Kill the process and remove its directory. Safe any number of times."""
        try:
            self._process.end()
        finally:
            self._stack.close()

    # Steps

    def _send(self, method: str, params: dict[str, Any], *, number: int | None = None) -> None:
        self._process.send(lsp.encode(method, params, number=number))

    def _send_text(self, text: str) -> None:
        if not self._version:
            options = {"editDelay": 0, "hasWidgets": False}
            self._send(
                "initialize",
                {
                    "processId": None,
                    "rootUri": None,
                    "capabilities": {},
                    "initializationOptions": options,
                },
                number=0,
            )
            document = {"uri": self._uri, "languageId": "lean4", "version": 1, "text": text}
            self._send(
                "textDocument/didOpen",
                {"textDocument": document, "dependencyBuildMode": "never"},
            )
        else:
            # Whole lines, so that no `\r\n` is cut, which Lean reads as one line end.
            cut = _same_lines(self._text, text)
            if cut == len(text):
                cut = text.rfind("\n", 0, max(0, cut - 1)) + 1
            start = {"line": text.count("\n", 0, cut), "character": 0}
            change = {"range": {"start": start, "end": lsp.Lines(self._text).end}}
            self._send(
                "textDocument/didChange",
                {
                    "textDocument": {"uri": self._uri, "version": self._version + 1},
                    "contentChanges": [{**change, "text": text[cut:]}],
                },
            )
        self._version += 1
        self._text = text


class _Heard:
    """What a worker has said of one version of the document.

    Lean says where it is at work (``$/lean/fileProgress``: an empty list if nowhere) and all
    diagnostics so far, at first when it has to wait for a part, then with each new one; if it never
    has to wait, once at the end. So all is said when the list is empty and diagnostics have come,
    in either order. Only then Lean computes what an editor wants to know of all names in the file,
    which takes long and comes before the answer to ``textDocument/waitForDiagnostics``.
    """

    def __init__(self, version: int, lines: lsp.Lines) -> None:
        self.version = version
        self.blocked = False
        """Whether Lean has had to wait."""
        self._lines = lines
        self._idle = False
        self._body: bytes | None = None
        self._found: tuple[Diagnostic, ...] | None = None

    def publish(self, body: bytes) -> None:
        match = _LAST_VERSION.search(body, max(0, len(body) - 40))
        if match is None:
            params = lsp.parse_body(body).get("params")
            told = params.get("version") if isinstance(params, dict) else None
        else:
            told = int(match[1])
        if told == self.version:
            self._body, self._found = body, None
            self.blocked = self.blocked or not self._idle

    def progress(self, message: dict[str, Any]) -> None:
        try:
            told = message["params"]["textDocument"].get("version")
            places = message["params"]["processing"]
        except (TypeError, KeyError, AttributeError) as error:
            raise lsp.ProtocolError(f"progress that is none: {error!r}") from error
        if told == self.version:
            self._idle = not places
            self.blocked = self.blocked or bool(places)

    def is_done(self) -> bool:
        return self._idle and self._body is not None

    def has_error(self) -> bool:
        return any(each.severity is Severity.ERROR for each in self.diagnostics())

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        if self._found is None:
            if self._body is None:
                raise lsp.ProtocolError("an answer without diagnostics")
            self._found = lsp.diagnostics(lsp.parse_body(self._body).get("params"), self._lines)
        return self._found


def _ascends(found: tuple[Diagnostic, ...]) -> bool:
    return all(a.start <= b.start for a, b in itertools.pairwise(found))


def _same_lines(old: str, new: str) -> int:
    """How much of two texts is the same, up to the end of a line."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return old.rfind("\n", 0, low) + 1


def _most(pid: int) -> int:
    """The most resident memory that a process has had, where the system tells it."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    match = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return int(match[1]) * 1024 if match else 0
