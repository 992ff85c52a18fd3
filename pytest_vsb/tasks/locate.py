"""Where the Lean project of a task is on this machine."""

from __future__ import annotations

from pathlib import Path

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.repos.places import default_directory
from pytest_vsb.tasks.model import Task

_PROJECT_FILES = ("lakefile.toml", "lakefile.lean", "lean-toolchain")


def project_root(task: Task, repos: Path | None = None) -> Path:
    """The absolute path of the directory that ``task.path`` is relative to.

    A task with a ``root`` has it beside its task file. Any other task's repository is looked up
    by name below ``repos``, the value of ``--vsb-repos``, which may also be that repository;
    without it, where ``vsb repos fetch`` puts repositories.

    Raises:
        EnvironmentUnavailable: the project is not there; says where it was looked for.
    """
    if task.root:
        if task.origin is None:
            raise EnvironmentUnavailable(
                f"the project {task.root!r} is relative to a task file, but the task has none",
                where=task.id,
            )
        root = task.origin.file.absolute().parent / task.root
        if _is_dir(root):
            return root.resolve()
        raise EnvironmentUnavailable(
            f"the Lean project {task.root!r} is not there: no directory {root}",
            where=str(task.origin),
            hint="`root` is relative to the directory of the task file",
        )
    if not task.repository:
        raise EnvironmentUnavailable(
            "the task names neither `root` nor `repository`",
            where=str(task.origin or task.id),
            hint="add the path of the Lean project to the line as `root`",
        )
    usual = repos is None
    repos = default_directory() if repos is None else repos
    if repos is None:
        raise EnvironmentUnavailable(
            f"the repository {task.repository} is needed, and there is no home to look for it in",
            where=task.id,
            hint="give the directory that holds the repositories: --vsb-repos=DIR",
        )
    repos = repos.expanduser().absolute()
    for root in (repos / task.repository, repos / task.repository.rpartition("/")[2]):
        if _is_dir(root):
            return root.resolve()
    if not usual and _is_repository(repos, task):
        return repos.resolve()
    name = task.repository.rpartition("/")[2]
    if usual:
        raise EnvironmentUnavailable(
            f"the repository {task.repository} is not in {repos}, and no other place is given",
            where=task.id,
            hint=f"fetch and build it (`vsb repos build {name}` if it is one of the benchmark's), "
            "or give the directory that holds the repositories: --vsb-repos=DIR",
        )
    looked = repos if _is_dir(repos) else f"{repos}, which is not a directory"
    raise EnvironmentUnavailable(
        f"the repository {task.repository} is not in {looked}",
        where=task.id,
        hint=f"`vsb repos build {name} --repos={repos}` if it is one of the benchmark's; else "
        f"clone it to {repos / task.repository}, or give another place: --vsb-repos=DIR",
    )


def source_file(task: Task, repos: Path | None = None) -> Path:
    """The absolute path of the task's Lean file.

    Raises:
        EnvironmentUnavailable: the project or the file is not there, or the file is a link out of
            the project.
    """
    root = project_root(task, repos)
    file = root / task.path
    try:
        resolved = file.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise EnvironmentUnavailable(
            f"the module {task.module} is not there: no file {file}",
            where=task.id,
            hint="is the repository at the commit that the task file was made from?",
        ) from error
    if not resolved.is_file():
        raise EnvironmentUnavailable(f"{file} is not a file", where=task.id)
    if not resolved.is_relative_to(root):
        raise EnvironmentUnavailable(
            f"{file} leads out of the project, to {resolved}", where=task.id
        )
    return file


def _is_repository(directory: Path, task: Task) -> bool:
    """Whether a directory is the task's repository itself: its name, or a project that has the
    task's file."""
    if not _is_dir(directory):
        return False
    name = directory.resolve().name
    is_project = any((directory / file).is_file() for file in _PROJECT_FILES)
    has_file = (directory / task.path).is_file()
    return (name == task.repository.rpartition("/")[2] and (is_project or has_file)) or (
        is_project and has_file
    )


def _is_dir(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a loop of links, no permission, a name that is too long
        return False
