"""The repositories and the room for Leans that a worker's machine has."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from pytest_vsb.errors import UsageError
from pytest_vsb.lean import machine
from pytest_vsb.repos.places import default_directory

JOBS_VARIABLE = "VSB_LEAN_JOBS"
LEAN = "vsb-lean"
"""The Dask resource that counts Leans."""
_PREFIX = "vsb:"
_PROJECT_FILES = ("lakefile.toml", "lakefile.lean", "lean-toolchain")
_JOB_MB = 2048
"""What a Lean is thought to need where nothing is known of the repositories: the imports of a large
one are mapped into memory, and shared by all Leans that have the same."""


def resource(repository: str) -> str:
    """The Dask resource that a worker with a repository announces. Owners do not count."""
    return _PREFIX + base_name(repository)


def announced(resources: Mapping[str, float]) -> tuple[str, ...]:
    """The repositories that a worker with these resources has."""
    return tuple(
        sorted(name.removeprefix(_PREFIX) for name in resources if name.startswith(_PREFIX))
    )


def base_name(repository: str) -> str:
    """A repository's name without its owner."""
    return repository.rstrip("/").rpartition("/")[2]


def repositories(directory: Path | None = None) -> Mapping[str, Path]:
    """The Lean repositories in a directory, by name: in it, one level deeper (``OWNER/NAME``), or
    itself. Of several with one name it is the nearest, or the first by its path. By default, in the
    directory of repositories (``VSB_REPOS_DIR``)."""
    directory = default_directory() if directory is None else directory
    found: dict[str, Path] = {}
    if directory is None:
        return found
    for path in sorted(_projects(directory, 2), key=lambda path: len(path.parts)):
        found.setdefault(path.resolve().name if path == directory else path.name, path.resolve())
    return found


def _projects(directory: Path, depth: int) -> Iterator[Path]:
    try:
        inside = sorted(directory.iterdir())
    except OSError:
        return
    if any(path.name in _PROJECT_FILES or path.suffix == ".lean" for path in inside):
        yield directory
        return
    for path in inside if depth else ():
        if not path.name.startswith(".") and path.is_dir():
            yield from _projects(path, depth - 1)


def lean_jobs() -> int:
    """How many Leans this machine has room for: ``VSB_LEAN_JOBS``, else as many as cores and as
    memory for them; at least one.

    Raises:
        UsageError: the variable is no number of at least 1.
    """
    given = os.environ.get(JOBS_VARIABLE, "").strip()
    if given:
        if not given.isdecimal() or int(given) < 1:
            raise UsageError(f"{given!r} is not a whole number of at least 1", where=JOBS_VARIABLE)
        return int(given)
    return max(1, min(machine.cores(), machine.total_mb() // _JOB_MB))
