"""Reading task files: one JSON object per line, in our own format or the official dataset's.

A broken line is one :class:`LineProblem`; the other lines load. Only a file that cannot be a task
file at all raises :class:`~pytest_vsb.errors.TaskFileError`.
"""

from __future__ import annotations

import codecs
import dataclasses
import hashlib
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import msgspec

from pytest_vsb.errors import TaskFileError
from pytest_vsb.tasks import native, official
from pytest_vsb.tasks.checks import InvalidLine
from pytest_vsb.tasks.model import Origin, Task

MAX_FILE_BYTES = 512 * 1024 * 1024
MAX_LINE_BYTES = 32 * 1024 * 1024
MAX_PROBLEMS = 1000
_CHUNK = 1024 * 1024

_ONE_OBJECT = "each line must be one JSON object: one task"
_OTHER_FORMATS = (
    (b"\x1f\x8b", "is compressed with gzip", "unpack it first: gunzip FILE"),
    (b"PK\x03\x04", "is a zip archive", "unpack it first"),
    (b"\x28\xb5\x2f\xfd", "is compressed with zstd", "unpack it first: unzstd FILE"),
    (codecs.BOM_UTF16_LE, "is UTF-16 text", "save it as UTF-8"),
    (codecs.BOM_UTF16_BE, "is UTF-16 text", "save it as UTF-8"),
    (
        b"version https://git-lfs.github.com/spec/",
        "is a Git LFS pointer, not the data",
        "fetch the data: git lfs pull",
    ),
)


@dataclass(frozen=True)
class LineProblem:
    """Why one line (1-based) of a task file gave no task, and what to do about it."""

    line: int
    message: str
    hint: str | None = None

    def error(self, path: Path) -> TaskFileError:
        """The problem as an exception that names the file and the line."""
        return TaskFileError(self.message, where=f"{path}:{self.line}", hint=self.hint)


@dataclass(frozen=True)
class TaskFile:
    """What a task file holds. ``digest`` is the SHA-256 of its bytes, in hexadecimal digits."""

    tasks: tuple[Task, ...]
    problems: tuple[LineProblem, ...]
    digest: str


def read_tasks(path: Path) -> TaskFile:
    """Read the tasks of a file, in the order of its lines.

    At most one line is in memory beside the tasks. Ids are unique in the result: of two lines with
    one id the second is a problem.

    Raises:
        TaskFileError: the file is missing, unreadable, not a regular file, larger than
            ``MAX_FILE_BYTES``, empty, binary or in another format; or its first
            ``MAX_PROBLEMS`` lines are all broken.
    """
    reader = _Reader(path)
    try:
        with _open(path) as stream:
            reader.read(stream)
    except OSError as error:
        raise TaskFileError(
            f"cannot read the task file: {error.strerror or error}", where=str(path)
        ) from error
    return reader.result()


def iter_tasks(path: Path) -> Iterator[Task | LineProblem]:
    """The tasks of a file one at a time, for files too large to have them all in memory, with the
    ids that :func:`read_tasks` gives; a line that gives none is a problem in its place.

    Reads the file twice: a record of the official dataset has an id that depends on the others.

    Raises:
        TaskFileError: see :func:`read_tasks`.
    """
    try:
        names, reader = _Names(), _Reader(path)
        with _open(path) as stream:
            for item in reader.items(stream):
                if isinstance(item, Task) and reader.is_official(item):
                    names.add(item)
        first, reader = _First(), _Reader(path)
        with _open(path) as stream:
            for item in reader.items(stream):
                if isinstance(item, Task):
                    task = names.named(item) if reader.is_official(item) else item
                    yield first.problem(task) or task
                else:
                    yield item
    except OSError as error:
        raise TaskFileError(
            f"cannot read the task file: {error.strerror or error}", where=str(path)
        ) from error


def task_digest(task: Task) -> str:
    """The SHA-256, in hexadecimal digits, of what makes the obligation: repository, path,
    declaration name and statement. The ends of lines (LF or CRLF) do not matter."""
    parts = (task.repository, task.path, task.name, task.statement.replace("\r\n", "\n"))
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def _open(path: Path) -> IO[bytes]:
    where = str(path)
    try:
        info = path.stat()
    except FileNotFoundError as error:
        raise TaskFileError("there is no such task file", where=where) from error
    except ValueError as error:  # a NUL in the path
        raise TaskFileError(f"not a usable path: {error}", where=repr(where)) from error
    if stat.S_ISDIR(info.st_mode):
        raise TaskFileError(
            "a task file is expected, but this is a directory",
            where=where,
            hint="name the .jsonl file in it",
        )
    if not stat.S_ISREG(info.st_mode):
        raise TaskFileError("a task file must be a regular file", where=where)
    if info.st_size > MAX_FILE_BYTES:
        raise TaskFileError(
            f"the task file has {info.st_size / 2**20:,.0f} MB; "
            f"at most {MAX_FILE_BYTES // 2**20} MB are read",
            where=where,
            hint="split it into several files",
        )
    return path.open("rb")


class _Reader:
    """The state of one reading."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._decoder = msgspec.json.Decoder()
        self._hash = hashlib.sha256()
        self._tasks: list[Task] = []
        self._official: set[int] = set()  # lines whose ids are made from names
        self._names = _Names()
        self._problems: list[LineProblem] = []
        self._unlisted: list[int] = []  # how many problems are not kept, and the first one's line
        self._blank = True

    def read(self, stream: IO[bytes]) -> None:
        for item in self.items(stream):
            if isinstance(item, LineProblem):
                self._problem(item.line, item.message, item.hint)
            else:
                self._tasks.append(item)
                if self.is_official(item):
                    self._names.add(item)

    def is_official(self, task: Task) -> bool:
        """Whether the task's id is yet to be made from names."""
        return _line_of(task) in self._official

    def items(self, stream: IO[bytes]) -> Iterator[Task | LineProblem]:
        """What each line gives."""
        for number, line in self._lines(stream):
            if line is None:
                yield LineProblem(
                    number,
                    f"the line is longer than {MAX_LINE_BYTES // 2**20} MB",
                    _ONE_OBJECT,
                )
            elif not line.isspace():
                yield self._line(number, line)
        if self._blank:
            raise TaskFileError("the task file is empty", where=str(self._path), hint=_ONE_OBJECT)

    def result(self) -> TaskFile:
        named = [
            self._names.named(task) if self.is_official(task) else task for task in self._tasks
        ]
        kept = tuple(self._unique(named))
        problems = sorted(self._problems, key=lambda problem: problem.line)
        if self._unlisted:
            count, line = self._unlisted
            problems.append(LineProblem(line, f"{count:,} more broken lines are not listed"))
        return TaskFile(kept, tuple(problems), self._hash.hexdigest())

    def _lines(self, stream: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
        """The lines and their numbers; ``None`` for one that is too long, which is skipped."""
        number = 0
        while line := stream.readline(MAX_LINE_BYTES + 1):
            self._hash.update(line)
            number += 1
            if number == 1:
                self._refuse_other_formats(line)
                line = line.removeprefix(codecs.BOM_UTF8) or b"\n"
            if len(line) <= MAX_LINE_BYTES or line.endswith(b"\n"):
                yield number, line
                continue
            while not line.endswith(b"\n") and (line := stream.readline(_CHUNK)):
                self._hash.update(line)
            self._blank = False
            yield number, None

    def _refuse_other_formats(self, start: bytes) -> None:
        where = str(self._path)
        for magic, what, hint in _OTHER_FORMATS:
            if start.startswith(magic):
                raise TaskFileError(f"the file {what}", where=where, hint=hint)
        if b"\0" in start[:_CHUNK]:
            raise TaskFileError(
                "the file is binary, not a task file", where=where, hint=_ONE_OBJECT
            )

    def _line(self, number: int, line: bytes) -> Task | LineProblem:
        if self._blank and line.lstrip().startswith(b"["):
            raise TaskFileError(
                "the file is a JSON array, not one JSON object per line",
                where=str(self._path),
                hint="convert it: jq -c '.[]' FILE",
            )
        self._blank = False
        try:
            record = self._decode(line)
            origin = Origin(self._path, number)
            if official.is_official(record):
                task = official.task_of(record, origin)
                self._official.add(number)
                return task
            return native.task_of(record, origin)
        except InvalidLine as error:
            return LineProblem(number, error.message, error.hint)

    def _decode(self, line: bytes) -> dict[str, Any]:
        if b"\0" in line:
            raise InvalidLine(
                "the line holds NUL bytes", "was the file cut off while it was written?"
            )
        try:
            record = self._decoder.decode(line)
        except msgspec.DecodeError as error:
            raise _not_json(line, error) from error
        except RecursionError as error:
            raise InvalidLine("the JSON is nested too deeply") from error
        if not isinstance(record, dict):
            raise InvalidLine("the line is JSON, but not an object", _ONE_OBJECT)
        return record

    def _problem(self, line: int, message: str, hint: str | None = None) -> None:
        if len(self._problems) < MAX_PROBLEMS:
            self._problems.append(LineProblem(line, message, hint))
        elif not self._tasks:
            first = self._problems[0]
            raise TaskFileError(
                f"this is no task file: its first {MAX_PROBLEMS:,} lines are all broken. "
                f"Line {first.line}: {first.message}",
                where=str(self._path),
                hint=first.hint,
            )
        elif self._unlisted:
            self._unlisted[0] += 1
        else:
            self._unlisted = [1, line]

    def _unique(self, tasks: list[Task]) -> Iterator[Task]:
        first = _First()
        for task in tasks:
            problem = first.problem(task)
            if problem is None:
                yield task
            else:
                self._problem(problem.line, problem.message, problem.hint)


class _Names:
    """The ids of records of the official dataset: the shortest of repository/name,
    repository/module/name and repository/module/name@number that no other record shares, so that
    an id does not depend on the order of the lines."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()
        self._by_name: Counter[tuple[str, ...]] = Counter()
        self._by_module: Counter[tuple[str, ...]] = Counter()

    def add(self, task: Task) -> None:
        """Take notice of a record."""
        module = (task.repository, task.module, task.name)
        if self._is_new(*module):
            self._by_name[task.repository, task.name] += 1
        if self._is_new(*module, task.statement):
            self._by_module[module] += 1

    def _is_new(self, *parts: str) -> bool:
        key = hashlib.sha256(msgspec.json.encode(parts)).digest()
        new = key not in self._seen
        self._seen.add(key)
        return new

    def named(self, task: Task) -> Task:
        """The task with its id, once all records have been noticed."""
        parts = [task.repository, task.name]
        if self._by_name[task.repository, task.name] > 1:
            parts.insert(1, task.module)
        name = "/".join(parts)
        if self._by_module[task.repository, task.module, task.name] > 1:
            name = f"{name}@{task.number}"
        return dataclasses.replace(task, id=name)


class _First:
    """Sees to it that ids and numbers are unique: the first task that has one keeps it."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._numbers: dict[int, int] = {}

    def problem(self, task: Task) -> LineProblem | None:
        """What is wrong with a task that comes after those asked about before."""
        line = _line_of(task)
        first = self._ids.setdefault(task.id, line)
        if first != line:
            return LineProblem(
                line,
                f"the id {task.id!r} is taken by line {first}",
                "ids must be unique in a task file",
            )
        if task.number is not None:
            first = self._numbers.setdefault(task.number, line)
            if first != line:
                return LineProblem(
                    line,
                    f"the number {task.number} is taken by line {first}",
                    "numbers must be unique in a task file",
                )
        return None


def _line_of(task: Task) -> int:
    assert task.origin is not None
    return task.origin.line


def _not_json(line: bytes, error: msgspec.DecodeError) -> InvalidLine:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as problem:
        return InvalidLine(
            f"the line is not UTF-8: byte {problem.start + 1} is 0x{line[problem.start]:02x}",
            "save the file as UTF-8",
        )
    reason = str(error).removeprefix("JSON is malformed: ")
    return InvalidLine(f"the line is not valid JSON: {reason}", _ONE_OBJECT)
