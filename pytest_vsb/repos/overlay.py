"""Overlays: the changes to a repository's files that its tasks need, and whether they are made.

What was put in place is recorded in the repository's ``.git`` directory, so that the user's own
changes can be told from ours.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import msgspec

from pytest_vsb.files import write_atomically
from pytest_vsb.repos import git
from pytest_vsb.repos.command import StepFailed
from pytest_vsb.repos.manifest import Overlay

_RECORD = "pytest-vsb-overlay.json"


class _Record(msgspec.Struct):
    overlay: str
    files: dict[str, str | None]
    """From path to the SHA-256 of what was written; None for what was removed."""


def identity(overlay: Overlay | None) -> str:
    """What tells two overlays apart; empty for none."""
    if overlay is None:
        return ""
    return hashlib.sha256(msgspec.json.encode(overlay)).hexdigest()


def apply(overlay: Overlay, source: Path, root: Path) -> None:
    """Make the changes in a repository.

    Args:
        source: the directory that has the overlay's files, by their paths there.
        root: the repository's work tree.

    Raises:
        StepFailed: a file cannot be written, or has not the text that is to be replaced.
    """
    done: dict[str, str | None] = {}
    try:
        for path in overlay.remove:
            target = _inside(root, path)
            target.unlink(missing_ok=True)
            done[path] = None
        for path, origin in overlay.files:
            content = _inside(source, origin).read_bytes()
            target = _inside(root, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(target, content)
            done[path] = _digest(content)
        for edit in overlay.edits:
            target = _inside(root, edit.path)
            text = target.read_bytes().decode("utf-8")
            if (changed := edit.apply(text)) is not None:
                text = changed
            elif not edit.is_in(text):
                raise StepFailed(
                    f"has not the text that the overlay replaces: {edit.old!r}", where=str(target)
                )
            write_atomically(target, text.encode("utf-8"))
            done[edit.path] = _digest(text.encode("utf-8"))
        record = _Record(identity(overlay), done)
        write_atomically(_record_file(root), msgspec.json.encode(record))
    except (OSError, UnicodeDecodeError) as error:
        where = str(getattr(error, "filename", None) or root)
        reason = getattr(error, "strerror", None) or str(error)
        raise StepFailed(f"the overlay cannot be put in place: {reason}", where=where) from error


@dataclass(frozen=True)
class Found:
    """What has become of an overlay and of the files that it does not touch."""

    applied: bool
    """Whether the repository has just these changes."""
    foreign: tuple[str, ...]
    """Files that are neither as committed nor as the overlay made them."""


def look(overlay: Overlay | None, root: Path, changed: tuple[str, ...]) -> Found:
    """Compare a repository with the record of what was put in place.

    Args:
        changed: the tracked files that are not as committed.
    """
    record = _read(root)
    files = record.files if record else {}
    foreign = [path for path in changed if path not in files or not _is(root, path, files[path])]
    lost = False
    for path, digest in files.items():
        if path in changed or _is(root, path, digest):
            continue
        # Gone, or as it is committed: someone has undone the overlay. Else someone has edited it.
        if (root / path).exists() and not git.is_tracked(root, path):
            foreign.append(path)
        else:
            lost = True
    same = (record.overlay if record else "") == identity(overlay)
    return Found(same and not lost, tuple(foreign))


def _inside(root: Path, path: str) -> Path:
    target = root / path
    # A link in the repository may lead anywhere.
    if not target.parent.resolve().is_relative_to(root.resolve()) or target.is_symlink():
        raise StepFailed("leads out of the repository", where=str(target))
    return target


def _record_file(root: Path) -> Path:
    directory = git.git_directory(root)
    if directory is None:
        raise StepFailed("is no git repository", where=str(root))
    return directory / _RECORD


def _read(root: Path) -> _Record | None:
    directory = git.git_directory(root)
    if directory is None:
        return None
    try:
        return msgspec.json.decode((directory / _RECORD).read_bytes(), type=_Record)
    except (OSError, msgspec.MsgspecError):
        return None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _is(root: Path, path: str, digest: str | None) -> bool:
    try:
        return _digest((root / path).read_bytes()) == digest
    except FileNotFoundError:
        return digest is None
    except OSError:
        return False
