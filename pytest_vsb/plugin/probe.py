"""What is on another machine: execnet runs this file there by itself, before pytest starts.

It may be another Python and have nothing of ours, so this uses the standard library alone.
"""

from __future__ import annotations

import importlib.metadata
import os
import socket
import sys
from typing import Any


def look(token: str, text: str) -> dict[str, Any]:
    """The machine's name, its Python, the version of this plugin there (empty: none), and whether
    the directory of the file ``token``, in which ``text`` was written here, can be written."""
    try:
        version = importlib.metadata.version("pytest-vsb")
    except importlib.metadata.PackageNotFoundError:
        version = ""
    try:
        with open(token, encoding="ascii") as file:  # noqa: PTH123
            there = file.read()
    except (OSError, ValueError):
        there = ""
    directory = os.path.dirname(token)  # noqa: PTH120
    return {
        "host": socket.gethostname(),
        "python": sys.executable,
        "version": version,
        "shared": there == text and os.access(directory, os.W_OK),
    }


if __name__ == "__channelexec__":
    channel: Any = globals()["channel"]
    channel.send(look(*channel.receive()))
