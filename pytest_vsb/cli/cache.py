"""``vsb cache``: what is kept between runs, and how to be rid of it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_vsb.cli.common import ACCEPTED
from pytest_vsb.errors import VsbError

if TYPE_CHECKING:
    from pytest_vsb.cli.common import Commands
    from pytest_vsb.repository.store import Store


def add(commands: Commands) -> None:
    """Add the command's arguments."""
    text = (
        "the verdicts and compiled files that are kept between runs: how many there are, drop them"
    )
    sub = commands.add_parser("cache", help=text, description=text, allow_abbrev=False)
    verbs = sub.add_subparsers(title="what to do", metavar="VERB", required=True)
    for verb, command, text in (
        ("info", info, "say where they are, how many, and how large"),
        ("clear", clear, "drop all of them; compiled modules stay"),
    ):
        one = verbs.add_parser(verb, help=text, description=text, allow_abbrev=False)
        one.set_defaults(command=command)


def info(_: argparse.Namespace) -> int:
    """Print what is kept, where, and how much."""
    for store, _one, many in _stores():
        held = store.held()
        size, limit = _megabytes(held.size), _megabytes(store.limit)
        print(f"{many}: {held.entries:,}, {size} of at most {limit}")
        print(f"file: {store.path}")
        _tell(store)
    return ACCEPTED


def clear(_: argparse.Namespace) -> int:
    """Drop all that is kept."""
    for store, one, many in _stores():
        number = store.held().entries
        if not store.clear():
            raise VsbError(
                "; ".join(store.notes) or "it cannot be written",
                where=str(store.path),
                hint="remove the file when no run is using it",
            )
        print(f"dropped {number:,} {one if number == 1 else many}: {store.path}")
        _tell(store)
    return ACCEPTED


def _stores() -> Iterator[tuple[Store, str, str]]:
    """Each database, and what one and many of its entries are called."""
    from pytest_vsb.judge.cache import open_verdicts
    from pytest_vsb.judge.shelf import open_originals

    for store, one, many in (
        (open_verdicts(), "verdict", "verdicts"),
        (open_originals(), "compiled file", "compiled files"),
    ):
        if store.path is None:
            raise VsbError("; ".join(store.notes), where="the cache directory")
        yield store, one, many


def _tell(store: Store) -> None:
    for note in store.notes:
        print(f"note: {note}")


def _megabytes(size: int) -> str:
    return f"{size / 2**20:,.1f} MB"
