"""Where the compiled original files of tasks are kept from run to run."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import msgspec

from pytest_vsb.judge.compiled import Compiled
from pytest_vsb.judge.identity import code_version, lean_identity
from pytest_vsb.judge.located import Located, imported
from pytest_vsb.lean.toolchain import Toolchain

if TYPE_CHECKING:
    from pytest_vsb.repository.store import Store

LIMIT = 2 * 1024**3
"""How large the database may become, in bytes."""

FILE = "originals-1.sqlite3"

_KIND, _VERSION = "original", "1"


class Shelf:
    """Compiled files by all that Lean makes them of: the text, the compiled modules that it
    imports, the options, the Lean, and our own code.

    What candidates are compared with is there, so it must be where no candidate can write.

    Args:
        store: the database.
        toolchain: the Lean.
    """

    def __init__(self, store: Store, toolchain: Toolchain) -> None:
        self._store = store
        self._toolchain = toolchain

    def key(self, located: Located, text: str) -> str:
        """What a text in the place of a task's file is kept under: a digest of all that Lean makes
        the compiled file of, as it is now."""
        parts = {
            "judge": code_version(),
            "lean": list(lean_identity(self._toolchain)),
            "options": located.options,
            "imports": list(imported(located)),
            "text": text,
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("ascii")).hexdigest()

    def find(self, key: str) -> Compiled | None:
        """What is kept under a key."""
        data = self._store.read(_KIND, _VERSION, key)
        if data is None:
            return None
        try:
            return msgspec.msgpack.decode(data, type=Compiled)
        except (msgspec.DecodeError, ValueError):
            return None

    def keep(self, key: str, compiled: Compiled) -> None:
        """Keep what was made of all that a key is made of."""
        self._store.write(_KIND, _VERSION, key, msgspec.msgpack.encode(compiled))


def open_originals() -> Store:
    """The database of original files in the cache directory."""
    from pytest_vsb.repository.store import open_store

    return open_store(FILE, limit=LIMIT)
