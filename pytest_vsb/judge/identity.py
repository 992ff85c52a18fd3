"""What tells this judge, and the Lean that it asks, from any other."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from pathlib import Path

from pytest_vsb.files import code_digest
from pytest_vsb.lean.toolchain import Toolchain

_CODE = ("source", "lean", "judge")


@functools.cache
def code_version() -> str:
    """A digest of the code that judges: another version never believes what this one found."""
    return code_digest(_CODE)


def lean_identity(toolchain: Toolchain) -> Iterator[str]:
    """What a Lean is, by its version and as files: a build of one's own may change without telling
    another version."""
    yield from (toolchain.kind, toolchain.version, toolchain.commit, *toolchain.command)
    yield from map(str, (*toolchain.env, *toolchain.library_path))
    if toolchain.container is not None:
        yield toolchain.container.identity
        return
    for word in toolchain.command:
        path = Path(word)
        if path.is_absolute():
            yield stamp(path)
            library = Path(os.path.realpath(path)).parent.parent / "lib" / "lean"
            yield from map(stamp, sorted(library.glob("lib*")))


def stamp(path: Path) -> str:
    """What changes when a file is written."""
    try:
        facts = path.stat()
    except OSError as error:
        return f"{path} {error.errno}"
    return f"{path} {facts.st_size} {facts.st_mtime_ns}"
