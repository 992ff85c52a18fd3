"""Git: one commit of a repository, as little of it as the server gives, and what was changed since.

Fetching a commit by its name is a thing that servers may refuse; then all branches are fetched.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_vsb.lean.process import Completed
from pytest_vsb.repos.command import (
    Runner,
    StepFailed,
    Stop,
    environment,
    gist,
    masked,
    shown,
)

PAUSES = (3.0, 15.0)
"""Seconds to wait before the second and third try after an error of the network."""

_GET_GIT = "install git: https://git-scm.com/downloads"
_ASK_SECONDS = 120.0

# No hooks of the user's templates, the bytes as they are in the repository, no background work
# that would outlive us.
_CONFIG = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.autocrlf=false"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "advice.detachedHead=false"),
    # A transfer that stands still for a minute is an error of the network.
    *("-c", "http.lowSpeedLimit=1000"),
    *("-c", "http.lowSpeedTime=60"),
)

_NO_BY_NAME = re.compile(
    r"does not allow request for unadvertised object|not our ref|no such remote ref"
    r"|couldn't find remote ref",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    r"repository .* not found|repository not found|does not appear to be a git repository"
    r"|error: 404|project .* could not be found",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"authentication failed|could not read (?:username|password)|permission denied|access denied"
    r"|terminal prompts disabled|error: 40[13]|invalid credentials",
    re.IGNORECASE,
)
_HOST_KEY = re.compile(r"host key verification failed", re.IGNORECASE)
_TLS = re.compile(r"certificate|SSL certificate problem", re.IGNORECASE)
_NETWORK = re.compile(
    r"could not resolve host|failed to connect|couldn't connect|connection (?:reset|refused|timed"
    r" out|closed)|timed out|early eof|rpc failed|unexpected disconnect|the remote end hung up"
    r"|network is unreachable|error: (?:429|5\d\d)|gnutls_handshake|tls connection|"
    r"could not read from remote|temporary failure|operation too slow|incomplete",
    re.IGNORECASE,
)
_DISK = re.compile(r"no space left|disk quota exceeded", re.IGNORECASE)

# What each means, and what to do; the first that fits is told.
_FAILURES = (
    (_DISK, "the disk is full", "make room, then run the same command: it goes on"),
    (
        _HOST_KEY,
        "the server's ssh key is not known here",
        "connect once with ssh by hand, or use the https URL",
    ),
    (
        _ABSENT,
        "there is no such repository, or you may not see it",
        "look at the URL in the manifest; a private one needs credentials for git",
    ),
    (
        _REFUSED,
        "the server refuses access",
        "there is no such repository, or it is private: set up git's credential helper or an ssh "
        "key, and see that `git ls-remote URL` works",
    ),
    (
        _TLS,
        "the server's certificate is not trusted",
        "behind a proxy that intercepts TLS? Set GIT_SSL_CAINFO to its certificate",
    ),
    (
        _NETWORK,
        "the network or the server fails",
        "is there a connection, or a proxy to be set in HTTPS_PROXY? The same command goes on "
        "from there",
    ),
)


class Git:
    """Git in one directory.

    Args:
        directory: the work tree.
        runner: runs the commands that go over the network or write.
        seconds: the time limit of each.
        stop: ends waiting between two tries.
        say: is told when there is a second try.
        pauses: seconds before the further tries.
    """

    def __init__(
        self,
        directory: Path,
        runner: Runner,
        *,
        seconds: float,
        stop: Stop,
        say: Callable[[str], None],
        pauses: tuple[float, ...] = PAUSES,
    ) -> None:
        self.directory = directory
        self._runner = runner
        self._seconds = seconds
        self._stop = stop
        self._say = say
        self._pauses = pauses

    def fetch(self, url: str, commit: str, *, sparse: bool = False) -> None:
        """Have the commit in the directory's object store, which is made if need be.

        Args:
            sparse: leave out the contents of files until they are asked for.

        Raises:
            StepFailed: it cannot be had; says why and what to do.
        """
        self.directory.mkdir(parents=True, exist_ok=True)
        _unlock(self.directory)
        self._local("init", "--quiet")
        self._local("config", "remote.origin.url", url)
        if sparse:
            self._local("config", "remote.origin.promisor", "true")
            self._local("config", "remote.origin.partialclonefilter", "blob:none")
        else:
            self._local("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
        if self.has(commit):
            return
        some = ["fetch", "--depth=1", "--no-tags", "--progress", "origin", commit]
        if sparse:
            some.insert(1, "--filter=blob:none")
        done = self._over_network(some, url, refusable=True)
        if done.exit_code != 0:
            self._say("the server does not give single commits: fetching all branches")
            everything = ["fetch", "--tags", "--progress", "origin"]
            self._over_network([*everything, "+refs/heads/*:refs/remotes/origin/*"], url)
        if not self.has(commit):
            raise StepFailed(
                f"has no commit {commit}",
                where=masked(url),
                hint="was the commit on a branch that has been rewritten? Look at the manifest",
            )

    def checkout(self, commit: str) -> None:
        """Make the work tree that of the commit, with its submodules.

        Raises:
            StepFailed: it cannot be done.
        """
        self._must("checkout", "--quiet", "--force", "--detach", commit)
        if not (self.directory / ".gitmodules").is_file():
            return
        url = self._origin()
        # A repository on this disk may have submodules on this disk; one from the network may not.
        local = ["-c", "protocol.file.allow=always"] if url.startswith("file://") else []
        update = [*local, "submodule", "update", "--init", "--recursive", "--force"]
        self._say("submodules")
        done = self._over_network([*update, "--depth=1"], url, refusable=True)
        if done.exit_code != 0:
            self._over_network(update, url)

    def take(self, commit: str, paths: list[str]) -> None:
        """Write some files of a commit that was fetched ``sparse`` into the work tree.

        Raises:
            StepFailed: it cannot be done, such as because the commit has no such file.
        """
        arguments = ["checkout", "--quiet", "--force", commit, "--", *paths]
        self._over_network(arguments, self._origin())

    def has(self, commit: str) -> bool:
        """Whether the commit is in the object store; what it needs came in the same pack."""
        return has_commit(self.directory, commit)

    def _origin(self) -> str:
        return _ask(self.directory, "config", "remote.origin.url") or ""

    # Running

    def _argv(self, *arguments: str) -> list[str]:
        return ["git", *_CONFIG, *arguments]

    def _must(self, *arguments: str) -> None:
        done = self._run(*arguments)
        if done.exit_code != 0:
            raise self._failure(done, arguments, "")

    def _local(self, *arguments: str) -> None:
        """Run a command that takes no time and prints nothing."""
        need_git()
        done = _git(self.directory, *_CONFIG, *arguments)
        if isinstance(done, str) or done.returncode != 0:
            said = done if isinstance(done, str) else done.stderr.decode("utf-8", "replace")
            raise StepFailed(
                f"`{shown(['git', *arguments])}` failed: {masked(said.strip())}",
                where=str(self.directory),
            )

    def _run(self, *arguments: str) -> Completed:
        need_git()
        return self._runner.run(
            self._argv(*arguments),
            cwd=self.directory,
            seconds=self._seconds,
            env=environment(git=True),
        )

    def _over_network(
        self, arguments: list[str], url: str, *, refusable: bool = False
    ) -> Completed:
        """Run a command, again after errors of the network; ``refusable`` ones may be refused by
        the server, and then it is for the caller to try another way."""
        for pause in (*self._pauses, None):
            done = self._run(*arguments)
            text = done.stderr + done.stdout
            if done.exit_code == 0 or (refusable and _NO_BY_NAME.search(text)):
                break
            lasting = _ABSENT.search(text) or _REFUSED.search(text) or _HOST_KEY.search(text)
            if pause is None or lasting or _TLS.search(text) or not _NETWORK.search(text):
                raise self._failure(done, arguments, url)
            self._say(f"{gist(done)}; trying again in {pause:g} s")
            self._stop.wait(pause)
        return done

    def _failure(self, done: Completed, arguments: Sequence[str], url: str) -> StepFailed:
        text = done.stderr + done.stdout
        where = masked(url) or str(self.directory)
        for pattern, message, hint in _FAILURES:
            if (url or pattern is _DISK) and pattern.search(text):
                return StepFailed(f"{message}: {gist(done)}", where=where, hint=hint)
        return StepFailed(
            f"`{shown(['git', *arguments])}` failed: {gist(done)}",
            where=where,
            hint=f"all it said is in {self._runner.log}",
        )


def need_git() -> None:
    """Make sure that there is a git.

    Raises:
        StepFailed: there is none; says how to get it.
    """
    if shutil.which("git") is None:
        raise StepFailed("git is not installed", hint=_GET_GIT)


def _unlock(directory: Path) -> None:
    """Remove the locks of a git that was killed in a directory that only we work in."""
    git = directory / ".git"
    for pattern in ("*.lock", "refs/**/*.lock", "objects/**/tmp_*", "modules/**/*.lock"):
        for path in git.glob(pattern):
            with contextlib.suppress(OSError):
                path.unlink()


# ---- Questions about a directory that is there ---------------------------------------------------


def _git(directory: Path, *arguments: str) -> subprocess.CompletedProcess[bytes] | str:
    """What git did, or why it did nothing."""
    try:
        return subprocess.run(
            ["git", *arguments],
            cwd=directory,
            env=environment(git=True),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_ASK_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        return str(error)


def _ask(directory: Path, *arguments: str) -> str | None:
    """What git answers, without the line's end; None if it fails."""
    # No refreshing of the index, which would be a write into what is not ours.
    done = _git(directory, "--no-optional-locks", *arguments)
    if isinstance(done, str) or done.returncode != 0:
        return None
    return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")


@dataclass(frozen=True)
class Facts:
    """What is checked out in a work tree."""

    head: str
    """The commit; empty if there is none yet."""
    changed: tuple[str, ...]
    """The tracked files, submodules included, that are not as they are committed."""


def facts(directory: Path) -> Facts | None:
    """What is checked out in a directory; None if it is not the root of a repository, or git
    refuses to read it."""
    if not (directory / ".git").exists():
        return None
    text = _ask(
        directory, "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=no",
        "--no-renames",
    )  # fmt: skip
    if text is None:
        return None
    head, changed = "", []
    for entry in text.split("\0"):
        kind, _, rest = entry.partition(" ")
        if kind == "#" and rest.startswith("branch.oid "):
            oid = rest.partition(" ")[2]
            head = "" if oid == "(initial)" else oid
        elif kind in _FIELDS:
            changed.append(rest.split(" ", _FIELDS[kind])[-1])
    return Facts(head, tuple(changed))


_FIELDS = {"1": 7, "u": 9}
"""How many fields come before the path, by the kind of an entry."""


def git_directory(directory: Path) -> Path | None:
    """The ``.git`` directory of a work tree."""
    usual = directory / ".git"
    if usual.is_dir():
        return usual
    found = _ask(directory, "rev-parse", "--absolute-git-dir") if usual.exists() else None
    return Path(found) if found else None


def is_tracked(directory: Path, path: str) -> bool:
    """Whether a file is one of the repository's."""
    return _ask(directory, "ls-files", "--error-unmatch", "--", path) is not None


def has_commit(directory: Path, commit: str) -> bool:
    """Whether the commit is in the object store of a directory."""
    return _ask(directory, "cat-file", "-e", f"{commit}^{{commit}}") is not None
