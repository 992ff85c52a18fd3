"""Downloading a task file: resumable, and checked against a digest of its bytes."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import requests

from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.tasks.dataset import MAX_FILE_BYTES

COMMIT = "5f9ff3b593c2c7c92c71eb688c8967c4b2d13d19"
URL = f"https://raw.githubusercontent.com/utopia-group/VeriSoftBench/{COMMIT}/data/verisoftbench.jsonl"
"""The VeriSoftBench dataset, as released."""

DIGEST = "git:1fd914dd294daa08212a1d30f57b1e0944483c41"
"""Its digest: the name of the file's content in the release's git repository."""

PAUSES = (2.0, 10.0)
"""Seconds before the further tries after an error of the network."""

_TIMEOUT = (15.0, 60.0)
_CHUNK = 2**14
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class Digest:
    """A digest of a file: ``sha256:HEX``, or ``git:HEX`` for git's name of the content."""

    kind: str
    value: str

    @classmethod
    def parse(cls, text: str) -> Digest:
        """Read the written form.

        Raises:
            UsageError: it is no digest.
        """
        kind, _, value = text.strip().lower().rpartition(":")
        lengths = {"sha256": 64, "git": 40}
        kind = kind or "sha256"
        if len(value) != lengths.get(kind) or set(value) - set("0123456789abcdef"):
            raise UsageError(
                f"{text!r} is no digest",
                hint="write sha256: and 64, or git: and 40 hexadecimal digits",
            )
        return cls(kind, value)

    @classmethod
    def of(cls, path: Path, kind: str = "sha256") -> Digest:
        """The digest of a file."""
        hasher = hashlib.sha256()
        if kind == "git":
            # What git hashes begins with the kind and the size of what follows.
            hasher = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
        with path.open("rb") as file:
            while block := file.read(_CHUNK):
                hasher.update(block)
        return cls(kind, hasher.hexdigest())

    def __str__(self) -> str:
        return f"{self.kind}:{self.value}"


def download(
    url: str,
    output: Path,
    digest: Digest | None = None,
    *,
    force: bool = False,
    pauses: tuple[float, ...] = PAUSES,
    say: Callable[[str], None] = lambda _: None,
) -> bool:
    """Have the file at ``url`` as ``output``. Returns whether it had to be downloaded.

    What was downloaded before an interruption is kept beside the output and gone on from, if the
    digest or the server can tell that it is the same file. The output appears when it is whole.

    Args:
        digest: what the file must have.
        force: replace an output that is something else.
        say: is told of progress.

    Raises:
        EnvironmentUnavailable: it cannot be had, or is not what it should be; says why.
        UsageError: the URL cannot be used, or the output is something else.
    """
    if not url.startswith(("http://", "https://")):
        raise UsageError(f"{url!r} is no http or https URL", where="--url")
    if output.is_dir():
        raise UsageError("is a directory; name the file", where=str(output))
    try:
        if output.exists():
            if digest is not None and Digest.of(output, digest.kind) == digest:
                return False
            if not force:
                what = "has other content" if digest else "is there already"
                raise UsageError(f"{what}", where=str(output), hint="--force replaces it")
        output.parent.mkdir(parents=True, exist_ok=True)
        with _part(output) as part:
            _Download(url, digest, part, pauses, say).finish()
            Path(part.name).replace(output)
            _tag_file(Path(part.name)).unlink(missing_ok=True)
    except OSError as error:
        raise EnvironmentUnavailable(
            f"cannot be written: {error.strerror or error}", where=str(error.filename or output)
        ) from error
    return True


@contextlib.contextmanager
def _part(output: Path) -> Iterator[BinaryIO]:
    """The file that is downloaded to, for one process alone."""
    path = output.with_name(f".{output.name}.part")
    with path.open("a+b") as part:
        try:
            fcntl.flock(part, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise EnvironmentUnavailable(
                "another process is downloading it", where=str(output)
            ) from error
        # Whoever had the lock before may have moved the file to its place.
        if not path.exists() or path.stat().st_ino != os.fstat(part.fileno()).st_ino:
            raise EnvironmentUnavailable(
                "another process has just downloaded it", where=str(output)
            )
        yield part


def _tag_file(part: Path) -> Path:
    return part.with_suffix(".tag")


class _Failed(Exception):
    """One try that failed; ``passing`` if another one may go well."""

    def __init__(self, message: str, hint: str, *, passing: bool) -> None:
        super().__init__(message)
        self.message, self.hint, self.passing = message, hint, passing


class _Download:
    def __init__(
        self,
        url: str,
        digest: Digest | None,
        part: BinaryIO,
        pauses: tuple[float, ...],
        say: Callable[[str], None],
    ) -> None:
        self._url = url
        self._digest = digest
        self._part = part
        self._path = Path(part.name)
        self._pauses = pauses
        self._say = say

    def finish(self) -> None:
        for pause in (*self._pauses, None):
            resumed = self._at() > 0
            try:
                self._get()
                self._check()
                return
            except _Failed as failed:
                if not (failed.passing or resumed) or pause is None:
                    raise EnvironmentUnavailable(
                        failed.message, where=self._url, hint=failed.hint
                    ) from failed
                self._say(f"{failed.message}; trying again in {pause:g} s")
                time.sleep(pause)

    def _at(self) -> int:
        return self._part.seek(0, os.SEEK_END)

    def _clear(self) -> None:
        self._part.truncate(0)
        _tag_file(self._path).unlink(missing_ok=True)

    def _get(self) -> None:
        headers = {"Accept-Encoding": "identity"}
        try:
            tag = _tag_file(self._path).read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError):
            tag = ""
        if self._at() and tag:
            headers |= {"Range": f"bytes={self._at()}-", "If-Range": tag}
        elif self._at() and self._digest is not None:
            headers["Range"] = f"bytes={self._at()}-"
        else:
            self._clear()
        try:
            with requests.get(self._url, headers=headers, stream=True, timeout=_TIMEOUT) as answer:
                self._take(answer)
        except requests.exceptions.SSLError as error:
            raise _Failed(
                f"the server's certificate is not trusted: {_gist(error)}",
                "behind a proxy that intercepts TLS? Set REQUESTS_CA_BUNDLE to its certificate",
                passing=False,
            ) from error
        except requests.exceptions.RequestException as error:
            raise _Failed(
                f"cannot be downloaded: {_gist(error)}",
                "is there a connection, or a proxy to be set in HTTPS_PROXY? The same command goes "
                "on from there. A file that was downloaded elsewhere serves as well",
                passing=True,
            ) from error

    def _take(self, answer: requests.Response) -> None:
        if answer.status_code == 416 and self._at():
            # Nothing is left to send; or it is not what we have a part of.
            if self._digest is None:
                self._clear()
                raise _Failed("the file has changed meanwhile", "try again", passing=True)
            return
        if answer.status_code not in (200, 206):
            raise _Failed(
                f"the server says {answer.status_code} {answer.reason}",
                "is the URL right?" if answer.status_code < 500 else "try again later",
                passing=answer.status_code in _PASSING,
            )
        if answer.status_code == 200:
            self._clear()
        tag = answer.headers.get("ETag") or answer.headers.get("Last-Modified") or ""
        if tag.isascii() and tag and not tag.startswith("W/"):
            _tag_file(self._path).write_text(tag, encoding="ascii")
        length = answer.headers.get("Content-Length", "")
        total = self._at() + int(length) if length.isdecimal() else None
        told = time.monotonic()
        for block in answer.iter_content(_CHUNK):
            self._part.write(block)
            if self._at() > MAX_FILE_BYTES:
                self._clear()
                raise _Failed(
                    f"larger than {MAX_FILE_BYTES // 2**20} MB",
                    "that is no task file",
                    passing=False,
                )
            if time.monotonic() - told > 2:
                told = time.monotonic()
                of = f" of {total / 1e6:.1f}" if total else ""
                self._say(f"{self._at() / 1e6:.1f}{of} MB")
        self._part.flush()
        os.fsync(self._part.fileno())
        if total is not None and self._at() < total:
            raise _Failed(
                f"it ended after {self._at()} of {total} bytes", "try again", passing=True
            )

    def _check(self) -> None:
        if self._digest is None:
            return
        found = Digest.of(self._path, self._digest.kind)
        if found != self._digest:
            self._clear()
            raise _Failed(
                f"not the file it should be: its digest is {found}, not {self._digest}",
                "does a proxy answer in the server's place? What was downloaded is removed",
                passing=False,
            )


def _gist(error: BaseException) -> str:
    """The innermost reason of an exception of requests."""
    while True:
        inner = getattr(error, "reason", None) or next(
            (argument for argument in error.args if isinstance(argument, BaseException)), None
        )
        if not isinstance(inner, BaseException) or inner is error:
            text = " ".join(str(argument) for argument in error.args[-1:]) or type(error).__name__
            return text.rpartition(">: ")[2] or text
        error = inner
