"""Whether there is room on the disks for what is about to be fetched and built."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.errors import UsageError
from pytest_vsb.lean import elan as elans
from pytest_vsb.repos import elan
from pytest_vsb.repos.manifest import Repository
from pytest_vsb.repos.places import Places
from pytest_vsb.repos.status import FETCHED, State, Status


@dataclass(frozen=True)
class Room:
    """What is needed on one disk, in MB, and what is free there."""

    path: str
    needed_mb: int
    free_mb: int

    @property
    def enough(self) -> bool:
        """Whether it fits."""
        return self.needed_mb <= self.free_mb

    def __str__(self) -> str:
        return f"about {_size(self.needed_mb)}; {_size(self.free_mb)} free in {self.path}"


def estimate(
    repositories: Sequence[Repository],
    statuses: Sequence[Status],
    places: Places,
    *,
    build: bool,
) -> tuple[Room, ...]:
    """The room that the work on repositories in these states still needs, one entry a disk."""
    needed: Counter[tuple[int, Path]] = Counter()
    here = _disk(places.directory)
    names = []
    for repository, status in zip(repositories, statuses, strict=True):
        if status.state not in FETCHED:
            needed[here] += repository.source_mb
        if build and status.state is not State.READY:
            needed[here] += repository.build_mb
            names.append(status.toolchain or repository.toolchain)
    if build:
        found = elans.find()
        home = elans.home(found) if found else Path("~/.elan").expanduser()
        absent = elan.missing([name for name in names if name])
        disk = _disk(home)
        # The same disk is named once, by the directory of the repositories.
        disk = here if disk[0] == here[0] else disk
        needed[disk] += elan.TOOLCHAIN_MB * len(absent)
    return tuple(
        Room(str(path), size, shutil.disk_usage(path).free // 10**6)
        for (_, path), size in needed.items()
        if size
    )


def need_room(rooms: Sequence[Room]) -> None:
    """Make sure that everything fits.

    Raises:
        UsageError: it does not; ``--force`` is the way to go on.
    """
    for room in rooms:
        if not room.enough:
            raise UsageError(
                f"not enough room: {room}",
                hint="make room, name fewer repositories, or go on with --force: sizes are "
                "estimates",
            )


def _disk(path: Path) -> tuple[int, Path]:
    """The device of a directory that need not be there, and the nearest one that is."""
    path = path.absolute()
    while not path.exists() and path != path.parent:
        path = path.parent
    return path.stat().st_dev, path


def _size(mb: int) -> str:
    return f"{mb / 1000:.1f} GB" if mb >= 1000 else f"{mb} MB"
