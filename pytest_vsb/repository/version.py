"""The version of the code that decides what a scanned file is kept as."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources

from pytest_vsb.source import SCANNER_VERSION

_OURS = ("pieces.py", "version.py")


@cache
def code_version() -> str:
    """A digest that differs whenever a file might be scanned otherwise."""
    digest = hashlib.sha256(SCANNER_VERSION.encode())
    # The code itself: whoever changes it must not be given what the older code found.
    for package, only in (("pytest_vsb.source", None), ("pytest_vsb.repository", _OURS)):
        for file in sorted(resources.files(package).iterdir(), key=lambda file: file.name):
            if file.name.endswith(".py") and (only is None or file.name in only):
                digest.update(file.read_bytes())
    return digest.hexdigest()
