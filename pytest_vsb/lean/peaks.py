"""How much memory a kind of Lean process needs, by what earlier ones of that kind took."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from dataclasses import dataclass
from pathlib import Path

import msgspec

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import cache

_KEPT = 64
_SURE = 8
"""From so many on, only what changes the estimate is written down."""
_QUANTILE = 0.9
"""One proof that took everything must not keep all others waiting for as much."""
_SPARE, _SPARE_MB = 1.15, 64.0
_CHANGE = 0.05
_MOST_FILES = 2000


@dataclass(frozen=True)
class _Record:
    kind: str
    peaks: tuple[float, ...]


class Peaks:
    """Peaks of resident memory in MiB, the latest of each kind, shared by all processes that name
    the same directory, and kept. Safe in any thread.

    A kind is any text: what the processes have in common. What cannot be read or written is
    forgotten; nothing here raises.

    Args:
        directory: where they are kept; ``None`` keeps them in this process alone.
    """

    def __init__(self, directory: Path | None) -> None:
        self._directory = directory
        self._lock = threading.Lock()
        self._known: dict[str, tuple[int, tuple[float, ...]]] = {}
        self._tidied = False

    @classmethod
    def of_user(cls) -> Peaks:
        """Those kept in the cache directory."""
        try:
            return cls(cache.directory().path / "memory")
        except EnvironmentUnavailable:
            return cls(None)

    def estimate(self, kind: str) -> float | None:
        """What such a process will need in MiB; ``None`` if none has been measured."""
        with self._lock:
            peaks = self._read(kind)
        return _estimate(peaks) if peaks else None

    def add(self, kind: str, peak_mb: float) -> None:
        """Note what one has taken."""
        with self._lock:
            before = self._read(kind)
            after = (*before, round(peak_mb, 1))[-_KEPT:]
            self._known[kind] = (self._known[kind][0], after)
            if len(before) >= _SURE:
                old = _estimate(before)
                if abs(_estimate(after) - old) <= _CHANGE * old:
                    return
            self._write(kind, after)

    def _file(self, kind: str) -> Path | None:
        if self._directory is None:
            return None
        return self._directory / f"{hashlib.sha256(kind.encode()).hexdigest()[:32]}.json"

    def _read(self, kind: str) -> tuple[float, ...]:
        file = self._file(kind)
        stamp, peaks = self._known.get(kind, (0, ()))
        if file is not None:
            with contextlib.suppress(OSError, msgspec.DecodeError):
                now = file.stat().st_mtime_ns
                if now != stamp:
                    record = msgspec.json.decode(file.read_bytes(), type=_Record)
                    stamp = now
                    peaks = record.peaks if record.kind == kind else ()
        self._known[kind] = (stamp, peaks)
        return peaks

    def _write(self, kind: str, peaks: tuple[float, ...]) -> None:
        file = self._file(kind)
        if file is None:
            return
        with contextlib.suppress(OSError):
            self._tidy(file.parent)
            # Two that write at once lose one measurement, which is no harm.
            new = file.with_name(f".{file.name}.{os.getpid()}.{threading.get_ident()}")
            new.write_bytes(msgspec.json.encode(_Record(kind, peaks)))
            new.replace(file)
            self._known[kind] = (file.stat().st_mtime_ns, peaks)

    def _tidy(self, directory: Path) -> None:
        if self._tidied:
            return
        self._tidied = True
        directory.mkdir(parents=True, exist_ok=True)
        files = list(directory.iterdir())
        if len(files) > _MOST_FILES:
            for file in sorted(files, key=lambda path: path.stat().st_mtime)[: _MOST_FILES // 2]:
                file.unlink(missing_ok=True)


def _estimate(peaks: tuple[float, ...]) -> float:
    ordered = sorted(peaks)
    return ordered[int(_QUANTILE * (len(ordered) - 1) + 0.5)] * _SPARE + _SPARE_MB
