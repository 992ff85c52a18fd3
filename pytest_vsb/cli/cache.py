"""``vsb cache``: what is kept between runs, and how to be rid of it."""

from __future__ import annotations

import argparse
import os
import stat
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_vsb.cli.common import ACCEPTED
from pytest_vsb.errors import VsbError

if TYPE_CHECKING:
    from pytest_vsb.cli.common import Commands
    from pytest_vsb.repository.store import Store

_OTHERS = (
    ("core-*", "the embedded Lean's core, compiled"),
    ("audit-*", "the audit's program, compiled"),
    ("lean", "modules that tasks import, compiled"),
    ("repositories-*", "the index of repositories"),
    ("memory", "the memory that Leans have needed"),
    ("*slots", "the places of Leans"),
    ("pace", "the pace of requests"),
    ("*", "other files"),
)
"""What else is in the cache directory, by name, and what it is."""


def add(commands: Commands) -> None:
    """Add the command's arguments."""
    text = (
        "the verdicts and compiled files that are kept between runs: how many there are, drop them"
    )
    sub = commands.add_parser("cache", help=text, description=text, allow_abbrev=False)
    verbs = sub.add_subparsers(title="what to do", metavar="VERB", required=True)
    for verb, command, text in (
        ("info", info, "say where they are, how many, how large, and what else is kept there"),
        ("clear", clear, "drop all of them, and say what stays"),
    ):
        one = verbs.add_parser(verb, help=text, description=text, allow_abbrev=False)
        one.set_defaults(command=command)


def info(_: argparse.Namespace) -> int:
    """Print what is kept, where, and how much."""
    places: list[Path] = []
    for store, path, _one, many in _stores():
        held = store.held()
        size, limit = _megabytes(held.size), _megabytes(store.limit)
        print(f"{many}: {held.entries:,}, {size} of at most {limit}")
        print(f"file: {path}")
        _tell(store)
        places.append(path)
    for what, bytes_held in _others(places):
        print(f"{what}: {_megabytes(bytes_held)}")
    print(f"directory: {places[0].parent}")
    return ACCEPTED


def clear(_: argparse.Namespace) -> int:
    """Drop all that is kept."""
    places: list[Path] = []
    for store, path, one, many in _stores():
        number = store.held().entries
        if not store.clear():
            raise VsbError(
                "; ".join(store.notes) or "it cannot be written",
                where=str(path),
                hint="remove the file when no run is using it",
            )
        print(f"dropped {number:,} {one if number == 1 else many}: {path}")
        _tell(store)
        places.append(path)
    for what, bytes_held in _others(places):
        print(f"left {what}: {_megabytes(bytes_held)}")
    return ACCEPTED


def _stores() -> Iterator[tuple[Store, Path, str, str]]:
    """Each database, its file, and what one and many of its entries are called."""
    from pytest_vsb.judge.cache import open_verdicts
    from pytest_vsb.judge.shelf import open_originals

    for store, one, many in (
        (open_verdicts(), "verdict", "verdicts"),
        (open_originals(), "compiled file", "compiled files"),
    ):
        if store.path is None:
            raise VsbError("; ".join(store.notes), where="the cache directory")
        yield store, store.path, one, many


def _others(stores: Iterable[Path]) -> Iterator[tuple[str, int]]:
    """What is in the cache directory beside these databases, as far as there is any, and how many
    bytes that is."""
    files = {path.name: path.parent for path in stores}
    sizes = dict.fromkeys((what for _, what in _OTHERS), 0)
    for directory in set(files.values()):
        for path in directory.iterdir() if directory.is_dir() else ():
            # Beside a database there are files of its log.
            if not any(path.name.startswith(name) for name in files):
                what = next(what for name, what in _OTHERS if fnmatch(path.name, name))
                sizes[what] += _size(path)
    yield from ((what, size) for what, size in sizes.items() if size)


def _size(path: Path) -> int:
    """The bytes of a file, or of the files below a directory; links count nothing, nor does what
    goes or cannot be read meanwhile."""
    size = 0
    todo = [path]
    while todo:
        path = todo.pop()
        try:
            facts = path.lstat()
            if stat.S_ISDIR(facts.st_mode):
                todo += [path / name for name in os.listdir(path)]  # noqa: PTH208 - names suffice
            elif stat.S_ISREG(facts.st_mode):
                size += facts.st_size
        except OSError:
            continue
    return size


def _tell(store: Store) -> None:
    for note in store.notes:
        print(f"note: {note}")


def _megabytes(size: int) -> str:
    return f"{size / 2**20:,.1f} MB"
