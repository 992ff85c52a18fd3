"""A compiled Lean module, as bytes."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.lean.diagnostics import Diagnostic


@dataclass(frozen=True)
class Compiled:
    """The files that Lean wrote for a module, compressed, by what follows the module's name."""

    files: tuple[tuple[str, bytes], ...]
    said: tuple[Diagnostic, ...] = ()
    """What Lean said then."""
    seconds: float = 0.0
    """How long it took."""
    replayed: bool = False
    """Whether the audit's program has replayed it, and found it to be the same as itself."""

    def restore(self, directory: Path, module: str) -> Path:
        """Write them as those of a module in a directory; the olean's path."""
        for suffix, data in self.files:
            (directory / f"{module}{suffix}").write_bytes(zlib.decompress(data))
        return directory / f"{module}.olean"
