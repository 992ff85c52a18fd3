"""Lists of tasks that are known to be false or unprovable, kept beside their task file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pytest_vsb.errors import UsageError

NO_REASON = "no reason is given"


def read_known_bad(path: Path) -> Mapping[str, str]:
    """The tasks of a list, by id, each with the reason.

    One id a line, and after a tab the reason. Empty lines and lines that begin with ``#`` do not
    count.

    Raises:
        UsageError: the file cannot be read or is no text.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(
            f"cannot be read: {error.strerror or error}",
            where=str(path),
            hint="name a file that lists tasks, one id a line, after a tab the reason",
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"is not UTF-8 text: {error}", where=str(path)) from error
    found = {}
    for line in text.splitlines():
        name, _, reason = line.partition("\t")
        if name.strip() and not line.startswith("#"):
            found[name.strip()] = " ".join(reason.split()) or NO_REASON
    return found


def known_bad_text(tasks: Mapping[str, str]) -> str:
    """The list of these tasks, as :func:`read_known_bad` reads it."""
    return "".join(f"{name}\t{' '.join(reason.split())}\n" for name, reason in tasks.items())
