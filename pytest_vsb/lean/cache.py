"""Where compiled things are kept between runs, and how they get there exactly once and whole."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import filelock
import platformdirs

from pytest_vsb.errors import EnvironmentUnavailable

VARIABLE = "VSB_CACHE_DIR"
_MANIFEST = "manifest.json"
_LOCK_SECONDS = 600.0
_STALE_SECONDS = 24 * 3600.0
_checked: dict[tuple[Path, int, int], bool] = {}


@dataclass(frozen=True)
class Cache:
    """A directory to keep compiled things in."""

    path: Path
    note: str = ""
    """Why it is not the usual place, if it is not."""


def usual() -> Path | None:
    """Where the cache should be: ``VSB_CACHE_DIR``, else the user's cache, None without a home."""
    chosen = os.environ.get(VARIABLE, "").strip()
    if chosen:
        return Path(chosen).expanduser().absolute()
    # An empty HOME would make the user's cache a directory of the root directory.
    if os.environ.get("XDG_CACHE_HOME") or os.environ.get("HOME", "unset"):
        return platformdirs.user_cache_path("pytest-vsb").absolute()
    return None


def directory() -> Cache:
    """The cache directory: the usual one, else a private one below the temporary directory.

    Raises:
        EnvironmentUnavailable: not even a temporary directory can be written.
    """
    wanted = usual()
    if wanted is None:
        return Cache(_temporary(), "HOME is empty")
    reason = _unwritable(wanted)
    if reason is None:
        return Cache(wanted)
    return Cache(_temporary(), f"{wanted} cannot be written: {reason}")


def _unwritable(path: Path) -> str | None:
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return None
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)


def _temporary() -> Path:
    """A directory of this user below the system's temporary one."""
    try:
        path = Path(tempfile.gettempdir()).absolute() / f"pytest-vsb-{os.getuid()}"
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=0o700)
        facts = path.lstat()
        # Anyone may create that name first, and what is in it decides what counts as a proof.
        ours = stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.getuid()
        if ours and not facts.st_mode & 0o022 and _unwritable(path) is None:
            return path
        return Path(tempfile.mkdtemp(prefix="pytest-vsb-")).absolute()
    except OSError as error:
        raise EnvironmentUnavailable(
            f"no directory can be written to keep compiled files in: {error}",
            hint=f"set {VARIABLE} to a directory that can be written",
        ) from error


def build_once(target: Path, build: Callable[[Path], None]) -> Path:
    """A directory that is whole: the one there, or a new one made by ``build``.

    Any number of processes and threads may ask at once; one builds, the others wait. The directory
    appears by a rename when it is complete. One that is damaged is built again.

    Args:
        target: the directory. Its name should be a digest of everything that went into it.
        build: fills the empty directory that it is given.

    Raises:
        EnvironmentUnavailable: the directory cannot be written, or the wait took too long.
    """
    if is_whole(target):
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(target.with_name(target.name + ".lock"), timeout=_LOCK_SECONDS)
        with lock:
            if is_whole(target):
                return target
            _sweep(target.parent)
            scratch = Path(tempfile.mkdtemp(prefix=f"{target.name}.new-", dir=target.parent))
            try:
                build(scratch)
                _seal(scratch)
                if os.path.lexists(target):
                    # Another process may have it open: move it away whole.
                    target.rename(scratch.with_name(scratch.name + ".old"))
                scratch.rename(target)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
                shutil.rmtree(scratch.with_name(scratch.name + ".old"), ignore_errors=True)
    except filelock.Timeout as error:
        raise EnvironmentUnavailable(
            f"another process has been building it for {_LOCK_SECONDS:.0f} seconds",
            where=str(target),
        ) from error
    except OSError as error:
        raise EnvironmentUnavailable(
            f"cannot keep compiled files: {error.strerror or error}",
            where=str(error.filename or target),
            hint=_keeping_hint(error, target),
        ) from error
    return target


def _keeping_hint(error: OSError, target: Path) -> str:
    """What to do where compiled files could not be kept."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"free some space there, or set {VARIABLE} to a directory on another disk"
    if error.errno == errno.ENOENT:
        if error.filename and not Path(os.fsdecode(error.filename)).is_relative_to(target.parent):
            return "the file is needed to compile, and is not there: restore it and run this again"
        return (
            "what was being built there has been removed meanwhile: run this again, and let "
            f"nothing else clean {target.parent}"
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR):
        return f"set {VARIABLE} to a directory that can be written"
    return f"run this again; if it fails again, set {VARIABLE} to another directory"


def _seal(path: Path) -> None:
    files = {
        file.relative_to(path).as_posix(): [file.stat().st_size, _sha256(file)]
        for file in sorted(path.rglob("*"))
        if file.is_file()
    }
    (path / _MANIFEST).write_text(json.dumps(files), encoding="utf-8")


def is_whole(path: Path) -> bool:
    """Whether a directory made by :func:`build_once` has every file as it was built."""
    manifest = path / _MANIFEST
    try:
        facts = manifest.stat()
        files = json.loads(manifest.read_text(encoding="utf-8"))
        if not all((path / name).stat().st_size == size for name, (size, _) in files.items()):
            return False
        key = (path, facts.st_mtime_ns, facts.st_ino)
        if key not in _checked:
            _checked[key] = all(_sha256(path / name) == sha for name, (_, sha) in files.items())
        return _checked[key]
    except (OSError, ValueError, TypeError, AttributeError):
        return False


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _sweep(parent: Path) -> None:
    """Remove what builds that were killed left behind."""
    now = time.time()
    for path in parent.glob("*.new-*"):
        with contextlib.suppress(OSError):
            if now - path.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(path, ignore_errors=True)
