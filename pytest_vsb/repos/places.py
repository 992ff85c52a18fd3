"""Where repositories are kept."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

VARIABLE = "VSB_REPOS_DIR"


def default_directory() -> Path | None:
    """The directory of repositories where none is given.

    It is ``VSB_REPOS_DIR``, else ``repos`` in the user's data directory; None without a home.
    """
    chosen = os.environ.get(VARIABLE, "").strip()
    if chosen:
        return Path(chosen).expanduser().absolute()
    # An empty HOME would make the user's data a directory of the root directory.
    if os.environ.get("XDG_DATA_HOME") or os.environ.get("HOME", "unset"):
        return platformdirs.user_data_path("pytest-vsb").absolute() / "repos"
    return None


class Places:
    """The names of everything below one directory of repositories.

    A repository is at ``DIR/NAME``. While it is fetched it is at ``DIR/.NAME.partial``, and
    ``DIR/.vsb`` has the locks, the logs and the sources of overlays.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory.expanduser().absolute()
        self.own = self.directory / ".vsb"

    def repository(self, name: str) -> Path:
        """Where the repository is once it is whole."""
        return self.directory / name

    def partial(self, name: str) -> Path:
        """Where it is before that."""
        return self.directory / f".{name}.partial"

    def lock(self, name: str) -> Path:
        """The file that a process holds locked while it works on something."""
        return self.own / "locks" / f"{name}.lock"

    def log(self, name: str, step: str) -> Path:
        """What the commands of the last such step said."""
        return self.own / "logs" / name / f"{step}.log"

    def built(self, name: str) -> Path:
        """The record of the last build that went well."""
        return self.own / "built" / f"{name}.json"

    def overlay(self, name: str, commit: str) -> Path:
        """The clone that an overlay's files come from."""
        return self.own / "overlays" / f"{name}-{commit[:12]}"
