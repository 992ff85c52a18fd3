"""Fetching and building repositories, several at once; what fails does not stop the others."""

from __future__ import annotations

import concurrent.futures
import contextlib
import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import filelock
import msgspec

from pytest_vsb.errors import VsbError
from pytest_vsb.files import write_atomically
from pytest_vsb.lean import toolchain
from pytest_vsb.repos import elan, git, modules, overlay
from pytest_vsb.repos.command import Runner, StepFailed, Stop, environment
from pytest_vsb.repos.manifest import Overlay, Repository
from pytest_vsb.repos.places import Places
from pytest_vsb.repos.status import (
    FETCHED,
    Commands,
    Needs,
    State,
    Status,
    build_record,
    look,
    needed_modules,
)

_LAKE_PROGRESS = re.compile(r"\[(?P<done>\d+)/(?P<all>\d+)\]")
_GIT_PROGRESS = re.compile(r"Receiving objects: +(?P<percent>\d+)%")
_LOCK_POLL = 0.5


@dataclass(frozen=True)
class Rules:
    """How the work is done."""

    jobs: int = 2
    """Repositories at once."""
    timeout: float = 6 * 3600.0
    """Seconds for each command."""
    mathlib_cache: bool = True
    """Whether Mathlib's compiled modules are downloaded; building them takes hours."""
    pauses: tuple[float, ...] = git.PAUSES
    """Seconds before the further tries after an error of the network."""


@dataclass(frozen=True)
class Result:
    """What came of one repository."""

    name: str
    ok: bool
    status: Status
    seconds: float
    error: str = ""
    hint: str = ""
    log: str = ""
    """The directory of the logs."""


Say = Callable[[str, str], None]
"""Is told the name of a repository and what is done with it."""


class Work:
    """Work on repositories below one directory; for one call of one of its methods.

    Any number of processes may work on the same directory: each repository is worked on by one.

    Args:
        places: where they are.
        rules: how the work is done.
        say: is told of progress, from several threads.
        finished: is given each result at once, from several threads.
        commands: how repairs are written.
    """

    def __init__(
        self,
        places: Places,
        rules: Rules,
        say: Say,
        *,
        finished: Callable[[Result], object] | None = None,
        commands: Commands | None = None,
    ) -> None:
        self.places = places
        self.rules = rules
        self.stop = Stop()
        self._say = say
        self._finished = finished
        self._commands = commands or Commands()

    def fetch(self, repositories: Sequence[Repository]) -> tuple[Result, ...]:
        """Have the files of the repositories at their commits. Never changes or removes a
        directory that was there, but to put the manifest's overlay into a clean one."""
        return self._all(repositories, self._fetch)

    def build(
        self, repositories: Sequence[Repository], needs: Mapping[str, Needs] | None = None
    ) -> tuple[Result, ...]:
        """Have the repositories fetched, their toolchains installed and their modules compiled.

        Args:
            needs: build only what these need; None for everything.
        """
        return self._all(repositories, lambda one: self._build(one, (needs or {}).get(one.name)))

    def _all(
        self, repositories: Sequence[Repository], do: Callable[[Repository], Status]
    ) -> tuple[Result, ...]:
        pool = concurrent.futures.ThreadPoolExecutor(max(1, self.rules.jobs), "vsb-repos")
        try:
            futures = [pool.submit(self._one, repository, do) for repository in repositories]
            return tuple(future.result() for future in futures)
        except BaseException:
            self.stop.set()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            self.stop.cancel.close()

    def _one(self, repository: Repository, do: Callable[[Repository], Status]) -> Result:
        name = repository.name
        start = time.monotonic()
        error: VsbError | None = None
        status: Status | None = None
        try:
            with self._locked(name):
                status = do(repository)
        except VsbError as problem:
            error = problem
        except OSError as problem:
            error = StepFailed(
                problem.strerror or str(problem), where=str(problem.filename or self.places.own)
            )
        if status is None:
            status = look(repository, self.places, commands=self._commands)
        where = f"{error.where}: " if error is not None and error.where else ""
        result = Result(
            name=name,
            ok=error is None,
            status=status,
            seconds=time.monotonic() - start,
            error=f"{where}{error.message}" if error else "",
            hint=(error.hint or "") if error else "",
            log=str(self.places.log(name, "x").parent),
        )
        if self._finished is not None:
            self._finished(result)
        return result

    @contextlib.contextmanager
    def _locked(self, name: str, what: str = "") -> Iterator[None]:
        """Have the lock of a repository, or of ``what`` it needs, that others may need, too."""
        file = self.places.lock(what or name)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StepFailed(
                f"cannot be written: {error.strerror or error}",
                where=str(error.filename or file),
                hint="give a directory that can be written: --repos=DIR",
            ) from error
        lock = filelock.FileLock(file)
        waiting = False
        while True:
            try:
                lock.acquire(timeout=0)
                break
            except filelock.Timeout:
                if not waiting:
                    other = what.lstrip(".") or "it"
                    self._say(name, f"waiting for another that works on {other}")
                waiting = True
                self.stop.wait(_LOCK_POLL)
        try:
            yield
        finally:
            lock.release()

    # Fetching

    def _fetch(self, repository: Repository) -> Status:
        status = look(repository, self.places, commands=self._commands)
        if status.state in FETCHED:
            return status
        if status.state not in (State.MISSING, State.PARTIAL, State.NO_OVERLAY):
            raise StepFailed(
                f"{status.text}. It is left as it is", where=status.path, hint=status.repair
            )
        runner = self._runner(repository.name, "fetch")
        root = self.places.repository(repository.name)
        if status.state is State.NO_OVERLAY:
            self._overlay(repository, root, runner)
        else:
            partial = self.places.partial(repository.name)
            self._say(repository.name, f"fetching {repository.commit[:12]}")
            tree = self._git(repository.name, partial, runner)
            tree.fetch(repository.url, repository.commit)
            tree.checkout(repository.commit)
            self._overlay(repository, partial, runner)
            partial.rename(root)
        status = look(repository, self.places, commands=self._commands)
        if status.state not in FETCHED:
            raise StepFailed(status.text, where=status.path, hint=status.repair)
        return status

    def _overlay(self, repository: Repository, root: Path, runner: Runner) -> None:
        changes = repository.overlay
        if changes is None:
            return
        self._say(repository.name, "making the manifest's changes")
        source = self.places.own
        if changes.files:
            source = self._overlay_source(repository.name, changes, runner)
        overlay.apply(changes, source, root)

    def _overlay_source(self, name: str, changes: Overlay, runner: Runner) -> Path:
        source = self.places.overlay(changes.name, changes.commit)
        with self._locked(name, f".overlay-{source.name}"):
            origins = [origin for _, origin in changes.files]
            tree = self._git(name, source, runner)
            tree.fetch(changes.url, changes.commit, sparse=True)
            absent = [origin for origin in origins if not (source / origin).is_file()]
            if absent:
                tree.take(changes.commit, absent)
        return source

    def _git(self, name: str, directory: Path, runner: Runner) -> git.Git:
        return git.Git(
            directory,
            runner,
            seconds=self.rules.timeout,
            stop=self.stop,
            say=lambda text: self._say(name, text),
            pauses=self.rules.pauses,
        )

    # Building

    def _build(self, repository: Repository, needs: Needs | None) -> Status:
        name = repository.name
        status = self._fetch(repository)
        project = self.places.repository(name) / repository.project
        pin = toolchain.read_pin(project)
        prefix = [elan.need_elan()]
        if pin is not None:
            self._install(name, pin.name)
            prefix += ["run", pin.name, "lake"]
        else:
            found = shutil.which("lake", path=str(Path(prefix[0]).parent)) or shutil.which("lake")
            if found is None:
                raise StepFailed("there is no lake beside elan", hint="elan default stable")
            prefix = [found]
        targets: tuple[str, ...] | None = None
        if needs is not None:
            targets, absent = needed_modules(project, needs)
            if absent:
                raise StepFailed(
                    f"it has no file {absent[0]}, which a task is about",
                    where=str(project),
                    hint="is the task file of another commit?",
                )
        status = look(repository, self.places, needs=needs, commands=self._commands)
        if status.state is State.READY:
            return status
        if self.rules.mathlib_cache and modules.uses_mathlib(project):
            self._mathlib(name, prefix, project)
        self._lake(repository, prefix, project, targets)
        if targets is None:
            record = build_record(repository, pin.name if pin else "")
            file = self.places.built(name)
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(file, msgspec.json.encode(record))
        status = look(repository, self.places, needs=needs, commands=self._commands)
        if status.state is not State.READY:
            raise StepFailed(
                f"Lake ended well, but {status.text}", where=status.path, hint=status.repair
            )
        return status

    def _install(self, name: str, wanted: str) -> None:
        safe = re.sub(r"[^\w.-]", "-", wanted)
        with self._locked(name, f".toolchain-{safe}"):
            if not elan.missing([wanted]):
                return
            self._say(name, f"installing {wanted}")
            elan.install(
                wanted,
                self._runner(name, "toolchain"),
                seconds=self.rules.timeout,
                stop=self.stop,
                pauses=self.rules.pauses,
            )

    def _mathlib(self, name: str, lake: list[str], project: Path) -> None:
        self._say(name, "downloading Mathlib's compiled modules")
        runner = self._runner(name, "cache")
        argv = [*lake, "exe", "cache", "get"]
        for pause in self.rules.pauses:
            done = runner.run(argv, cwd=project, seconds=self.rules.timeout, env=environment())
            if done.exit_code == 0:
                return
            self._say(name, f"`lake exe cache get` failed; trying again in {pause:g} s")
            self.stop.wait(pause)
        runner.must(
            argv,
            cwd=project,
            seconds=self.rules.timeout,
            env=environment(),
            hint=f"all it said is in {runner.log}; --no-cache compiles Mathlib here, which takes "
            "hours",
        )

    def _lake(
        self,
        repository: Repository,
        lake: list[str],
        project: Path,
        targets: tuple[str, ...] | None,
    ) -> None:
        runner = self._runner(repository.name, "build")
        runs = [[*lake, "build"]]
        if targets is not None:
            runs = [[*lake, "build", *(f"+{module}" for module in targets)]] if targets else []
        elif repository.targets:
            runs.append([*lake, "build", *(f"+{module}" for module in repository.targets)])
        for argv in runs:
            self._say(repository.name, "lake build")
            runner.must(
                argv,
                cwd=project,
                seconds=self.rules.timeout,
                env=environment(),
                hint=f"all it said is in {runner.log}; what was built is kept",
            )

    def _runner(self, name: str, step: str) -> Runner:
        def tell(line: str) -> None:
            if found := _LAKE_PROGRESS.search(line):
                doing = "lake build" if step == "build" else step
                self._say(name, f"{doing} {found['done']}/{found['all']}")
            elif step == "fetch" and (found := _GIT_PROGRESS.search(line)):
                self._say(name, f"fetching {found['percent']} %")

        return Runner(self.places.log(name, step), self.stop, tell)
