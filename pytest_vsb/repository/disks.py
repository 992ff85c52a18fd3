"""Which disks are of this machine alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import psutil

# Those of networks and clusters, and whatever a program of a user makes look like a disk.
_SHARED = (
    "nfs", "cifs", "smb", "9p", "afs", "ceph", "lustre", "gpfs", "beegfs", "gluster", "gfs", "ocfs",
    "orangefs", "pvfs", "panfs", "wekafs", "webdav", "davfs", "virtiofs", "vboxsf", "vmhgfs",
    "prl_fs", "fuse",
)  # fmt: skip
_LOCAL = ("fuseblk",)


def is_shared(path: Path, mounts: Iterable[tuple[str, str]] | None = None) -> bool:
    """Whether several machines may write where a file is; false where that cannot be told.

    Args:
        mounts: the places of all file systems, each with its type; this machine's, unless told.
    """
    if mounts is None:
        try:
            mounts = [(each.mountpoint, each.fstype) for each in psutil.disk_partitions(all=True)]
        except (OSError, RuntimeError):
            return False
    place = path.resolve()
    deepest, kind = -1, ""
    for where, fstype in mounts:
        # Of two at one place, the later hides the earlier.
        if place.is_relative_to(where) and len(Path(where).parts) >= deepest:
            deepest, kind = len(Path(where).parts), fstype.lower()
    return kind.startswith(_SHARED) and kind not in _LOCAL
