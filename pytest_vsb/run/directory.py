"""The run directory: what lies where, and whose run it is."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import platform
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import filelock
import msgspec

from pytest_vsb import __version__
from pytest_vsb.errors import UsageError
from pytest_vsb.files import write_atomically
from pytest_vsb.run.journal import Journal
from pytest_vsb.run.records import TaskFacts

FORMAT = 1
"""The version of the run directory's layout."""

RUNS = "vsb-runs"
"""The directory of runs that were given no place of their own."""


_BROKEN_RECORD = (
    "is it the run.json of a run? If it was damaged, restore it; what its results.json says, if "
    "there is one, can be reported by itself: vsb report RUN/results.json"
)


class RunDirectory:
    """One run's directory; see ``docs/results.md`` for its files.

    Create it with :meth:`create` or :meth:`resume`; the constructor alone opens what is there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def journal(self) -> Path:
        return self.path / "journal"

    @property
    def index(self) -> Path:
        """Where the items' events are in the journals, while a resumed run goes on."""
        return self.path / "journal.index"

    @property
    def results(self) -> Path:
        return self.path / "results.json"

    @property
    def waiting(self) -> Path:
        """Where processes tell that they wait for a worker of a cluster, while they do."""
        return self.path / "waiting"

    @property
    def disagreements(self) -> Path:
        """What warm Leans and fresh ones did not agree on; not there if that never happened."""
        return self.path / "disagreements"

    @property
    def budget(self) -> Path:
        return self.path / "budget.json"

    @classmethod
    def create(
        cls, path: Path, identity: Mapping[str, Any], facts: Mapping[str, Any]
    ) -> RunDirectory:
        """Begin a run at ``path``.

        ``identity`` is held against a resuming session's, ``facts`` are for the reader.

        Raises:
            UsageError: a run is there already, or the directory cannot be written.
        """
        run = cls(path)
        if (path / "run.json").exists():
            raise UsageError(
                "there is a run in this directory already",
                where=f"--vsb-run={path}",
                hint="continue it with --vsb-resume, or choose another directory",
            )
        if path.is_dir() and any(path.iterdir()):
            raise UsageError(
                "the directory has files in it that are no run",
                where=f"--vsb-run={path}",
                hint="choose a new directory",
            )
        record = {
            "format": FORMAT,
            "created": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "plugin_version": __version__,
            "python": platform.python_version(),
            "platform": platform.platform(),
            "identity": dict(identity),
            **facts,
        }
        try:
            run.journal.mkdir(parents=True, exist_ok=True)
            write_atomically(path / "run.json", msgspec.json.format(msgspec.json.encode(record)))
        except OSError as error:
            raise _unwritable(path, error) from error
        return run

    @classmethod
    def resume(cls, path: Path, identity: Mapping[str, Any]) -> RunDirectory:
        """Open the run at ``path`` to continue it.

        Raises:
            UsageError: no run is there, or it was made with other settings.
        """
        run = cls(path)
        earlier = run.read()["identity"]
        wanted = msgspec.json.decode(msgspec.json.encode(identity))
        different = sorted(
            key for key in {*earlier, *wanted} if earlier.get(key) != wanted.get(key)
        )
        if different:
            changes = "; ".join(
                f"{key}: {earlier.get(key)!r} then, {wanted.get(key)!r} now" for key in different
            )
            raise UsageError(
                f"the run was made with other settings ({changes})",
                where=f"--vsb-resume --vsb-run={path}",
                hint="give the same options as then, or begin another run",
            )
        return run

    def read(self) -> dict[str, Any]:
        """The contents of ``run.json``.

        Raises:
            UsageError: there is none, or it cannot be read.
        """
        file = self.path / "run.json"
        try:
            record = msgspec.json.decode(file.read_bytes())
        except OSError as error:
            raise UsageError(
                "there is no run in this directory", where=str(self.path), hint="see --vsb-run"
            ) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UsageError(
                f"cannot be read: {error}", where=str(file), hint=_BROKEN_RECORD
            ) from error
        if (
            not isinstance(record, dict)
            or record.get("format") != FORMAT
            or not isinstance(record.get("identity"), dict)
        ):
            raise UsageError(
                f"not a run directory of format {FORMAT}", where=str(file), hint=_BROKEN_RECORD
            )
        return record

    def lock(self) -> filelock.BaseFileLock:
        """Hold the run for this session alone, until the lock is released or the process ends.

        Raises:
            UsageError: another session is at work on the run, or the directory cannot be written.
        """
        lock = filelock.FileLock(self.path / "session.lock", thread_local=False)
        try:
            lock.acquire(blocking=False)
        except filelock.Timeout as error:
            raise UsageError(
                "another session is at work on this run",
                where=f"--vsb-run={self.path}",
                hint="wait for its end, or choose another directory",
            ) from error
        except OSError as error:
            raise _unwritable(self.path, error) from error
        return lock

    def open_journal(self, worker: str) -> Journal:
        """The journal of the process named ``worker``; raises ``UsageError`` if it cannot be
        written."""
        return Journal(self.journal, worker)

    def add_tasks(self, tasks: Iterable[TaskFacts]) -> None:
        """Record which tasks are in the run, beside those of earlier sessions."""
        known = {task.nodeid: task for task in self.tasks()}
        known.update((task.nodeid, task) for task in tasks)
        lines = [msgspec.json.encode(task) + b"\n" for task in known.values()]
        try:
            write_atomically(self.path / "tasks.jsonl", b"".join(lines))
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def add_shard(self, index: int, count: int, plan: str) -> None:
        """Record in ``run.json``, as one of ``shards``, that the run holds part ``index`` (1-based)
        of ``count``; ``plan`` is the same for parts that fit together."""
        record = self.read()
        shard = {"index": index, "count": count, "plan": plan}
        known = record.setdefault("shards", [])
        if shard in known:
            return
        known.append(shard)
        try:
            text = msgspec.json.format(msgspec.json.encode(record))
            write_atomically(self.path / "run.json", text)
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def remember_recording(self, file: Path) -> None:
        """Record that ``file`` is a recording of this run, for :meth:`wrote`."""
        with (self.path / "recordings").open("a", encoding="ascii") as known:
            known.write(f"{_digest(file)}\n")

    def wrote(self, file: Path) -> bool:
        """Whether ``file`` is, as it is now, a recording of this run; raises ``UsageError`` if it
        cannot be read."""
        try:
            known = (self.path / "recordings").read_text("ascii", "replace").split()
        except OSError:
            return False
        try:
            return _digest(file) in known
        except OSError as error:
            raise UsageError(
                f"cannot be read: {error.strerror or error}", where=str(file)
            ) from error

    def remove(self) -> None:
        """Remove a run that has only been begun, and ``vsb-runs`` if nothing else is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self.path.parent.name == RUNS:
            with contextlib.suppress(OSError):
                self.path.parent.rmdir()

    def tasks(self) -> tuple[TaskFacts, ...]:
        """The tasks of the run, in the order they were collected."""
        try:
            lines = (self.path / "tasks.jsonl").read_bytes().splitlines()
        except FileNotFoundError:
            return ()
        return tuple(msgspec.json.decode(line, type=TaskFacts) for line in lines)


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _unwritable(path: Path, error: OSError) -> UsageError:
    return UsageError(
        f"the run directory cannot be written: {error.strerror or error}",
        where=f"--vsb-run={path}",
        hint="choose a writable directory",
    )


def default_path(base: Path, model: str) -> Path:
    """A new place for a run of ``model`` below ``base``: ``vsb-runs/<time>-<model>``."""
    stamp = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    name = re.sub(r"[^A-Za-z0-9.]+", "-", model).strip("-.")[:40] or "run"
    path = base / RUNS / f"{stamp}-{name}"
    number = 2
    while path.exists():
        path = path.with_name(f"{stamp}-{name}-{number}")
        number += 1
    return path
