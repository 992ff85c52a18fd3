"""``vsb cache``: what is kept between runs, and how to be rid of it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pytest_vsb.cli.common import ACCEPTED
from pytest_vsb.errors import VsbError

if TYPE_CHECKING:
    from pytest_vsb.cli.common import Commands
    from pytest_vsb.repository.store import Store


def add(commands: Commands) -> None:
    """Add the command's arguments."""
    text = "the verdicts that are kept between runs: how many there are, drop them"
    sub = commands.add_parser("cache", help=text, description=text, allow_abbrev=False)
    verbs = sub.add_subparsers(title="what to do", metavar="VERB", required=True)
    for verb, command, text in (
        ("info", info, "say where they are, how many, and how large"),
        ("clear", clear, "drop all of them; what is compiled stays"),
    ):
        one = verbs.add_parser(verb, help=text, description=text, allow_abbrev=False)
        one.set_defaults(command=command)


def info(_: argparse.Namespace) -> int:
    """Print where verdicts are kept and how many there are."""
    store = _store()
    held = store.held()
    print(
        f"verdicts: {held.entries:,}, {_megabytes(held.size)} of at most {_megabytes(store.limit)}"
    )
    print(f"file: {store.path}")
    _tell(store)
    return ACCEPTED


def clear(_: argparse.Namespace) -> int:
    """Drop all verdicts that are kept."""
    store = _store()
    number = store.held().entries
    if not store.clear():
        raise VsbError(
            "; ".join(store.notes) or "it cannot be written",
            where=str(store.path),
            hint="remove the file when no run is using it",
        )
    print(f"dropped {number:,} {'verdict' if number == 1 else 'verdicts'}: {store.path}")
    _tell(store)
    return ACCEPTED


def _store() -> Store:
    from pytest_vsb.judge.cache import open_verdicts

    store = open_verdicts()
    if store.path is None:
        raise VsbError("; ".join(store.notes), where="the cache directory")
    return store


def _tell(store: Store) -> None:
    for note in store.notes:
        print(f"note: {note}")


def _megabytes(size: int) -> str:
    return f"{size / 2**20:,.1f} MB"
