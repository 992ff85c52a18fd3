"""A task's file with the target in it, as the judge works on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.closure import is_view, stamps
from pytest_vsb.lean.diagnostics import cap
from pytest_vsb.lean.project import Project
from pytest_vsb.source.lexer import tokens
from pytest_vsb.source.model import Declaration, Source
from pytest_vsb.source.scanner import scan
from pytest_vsb.tasks.model import Task
from pytest_vsb.tasks.statements import agrees

Key = tuple[str, str, str]
"""What tells one target from another: its file, name and statement."""


@dataclass(frozen=True)
class Located:
    """A task's file, scanned, with the target in it."""

    path: Path
    source: Source
    target: Declaration
    search_path: tuple[Path, ...]
    options: tuple[str, ...]
    hidden: tuple[Path, ...] = ()
    """What a build has made of the file: it holds the original proof."""


def key(task: Task) -> Key:
    """What a task's file, baseline and verdicts can be kept under."""
    return task.path, task.name, task.statement


def locate(project: Project, task: Task) -> Located:
    """Find a task's target in its file.

    Raises:
        EnvironmentUnavailable: the file or the target is missing, or its statement is another.
    """
    path = project.source(task.path)
    source, target = read_target(task, path)
    return Located(
        path=path,
        source=source,
        target=target,
        search_path=project.search_path(source.imports),
        options=_harmless(project.lean_options(task.path)),
        hidden=project.compiled_files(task.path),
    )


def read_target(task: Task, path: Path) -> tuple[Source, Declaration]:
    """A task's file as the judge takes it, scanned, and its target. Needs no Lean.

    Raises:
        EnvironmentUnavailable: the file or the target is missing, or its statement is another.
    """
    source = scan(with_kernel(_read(path)))
    return source, _find_target(task, source, path)


def find_target(task: Task, path: Path) -> tuple[Source, Declaration]:
    """A task's file, scanned, and its target. Needs no Lean.

    Raises:
        EnvironmentUnavailable: the file or the target is missing, or its statement is another.
    """
    source = scan(_read(path))
    return source, _find_target(task, source, path)


def before(source: Source, target: Declaration) -> str:
    """The text of a file before a target (before its ``mutual`` block if any)."""
    return source.text[: (target.mutual or target.span).start]


_KERNEL_OPTION = "debug.skipKernelTC"


def with_kernel(text: str) -> str:
    """A file's text with the kernel switched on where the file switches it off.

    Some repositories do so for speed, around theorems that are targets: there, what a tactic makes
    of a wrong claim would be taken as it is.
    """
    if _KERNEL_OPTION not in text.replace("«", "").replace("»", ""):
        return text
    pieces: list[str] = []
    last = ["", ""]
    for token in tokens(text):
        word = token.text
        if word == "true" and last[0] == "set_option" and last[1] == _KERNEL_OPTION:
            word = "false"
        if token.kind not in ("space", "comment", "doc"):
            last = [last[1], word.replace("«", "").replace("»", "")]
        pieces.append(word)
    return "".join(pieces)


def _harmless(options: tuple[str, ...]) -> tuple[str, ...]:
    """The project's options without those that switch the kernel off, and without the one by which
    any warning, as that of the ``sorry`` of a stub, fails."""
    return tuple(
        option
        for option in options
        if "warningAsError" not in option and _KERNEL_OPTION not in option
    )


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise EnvironmentUnavailable(f"cannot be read: {error}", where=str(path)) from error


def _find_target(task: Task, source: Source, path: Path) -> Declaration:
    try:
        target = source.find(task.name)
    except LookupError as error:
        raise EnvironmentUnavailable(str(error), where=str(path)) from error
    found = source.text[target.statement.start : target.statement.end]
    if not agrees(task.statement, found):
        raise EnvironmentUnavailable(
            f"the statement of {task.name} is not the one in the task file:\n"
            f"  in the file:      {cap(found, 300)}\n"
            f"  in the task file: {cap(task.statement, 300)}",
            where=str(path),
            hint="the repository may be at another commit than the task file was made from",
        )
    return target


def imported(located: Located) -> Iterator[str]:
    """What identifies the compiled modules that a file rests on, however indirectly: what
    :func:`pytest_vsb.judge.closure.stamps` says of each, and the names of directories that are
    named by what is in them. Where a directory is does not count: the same project is elsewhere on
    another machine."""
    for directory in located.search_path:
        yield directory.name if is_view(directory) else ""
    yield from stamps(located.source.imports, located.search_path)
