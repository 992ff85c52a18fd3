"""What of a repository is there, and the command that sees to the rest."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import msgspec

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import elan as elans
from pytest_vsb.lean import toolchain
from pytest_vsb.repos import elan, git, modules, overlay
from pytest_vsb.repos.manifest import Repository
from pytest_vsb.repos.places import Places
from pytest_vsb.words import counted

_LAKE_WRITES = "lake-manifest.json"
_SHOWN = 3


class State(str, Enum):
    """How far a repository is."""

    MISSING = "missing"
    PARTIAL = "partial"
    """A fetch was interrupted."""
    FOREIGN = "foreign"
    """Something else is in its place."""
    OTHER_COMMIT = "other-commit"
    CHANGED = "changed"
    """Its files are not as committed."""
    NO_OVERLAY = "no-overlay"
    """The changes that the manifest asks for are not made."""
    NO_TOOLCHAIN = "no-toolchain"
    NOT_BUILT = "not-built"
    READY = "ready"


FETCHED = frozenset({State.NO_TOOLCHAIN, State.NOT_BUILT, State.READY})
"""The states of a repository whose files are as they should be."""


@dataclass(frozen=True)
class Status:
    """The state of one repository."""

    name: str
    state: State
    path: str
    text: str
    """The state in words."""
    repair: str = ""
    """The command that sees to it, as one types it; empty if there is nothing to do."""
    toolchain: str = ""
    modules: int = 0
    """How many modules are needed, libraries' included, where that was looked at."""
    missing: tuple[str, ...] = ()
    """The needed modules that are not built."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Needs:
    """What of a repository is needed: the paths of some tasks' files, and what they import."""

    files: tuple[str, ...]


class BuildRecord(msgspec.Struct):
    """That a whole build went well, and of what."""

    commit: str
    overlay: str
    toolchain: str


class Commands:
    """Writes down ``vsb repos`` commands for one directory and manifest.

    Args:
        arguments: the options that the user gave and that a repair needs, too.
    """

    def __init__(self, arguments: Sequence[str] = ()) -> None:
        self._arguments = tuple(arguments)

    def vsb(self, verb: str, name: str) -> str:
        """``vsb repos VERB NAME`` with those options."""
        return shlex.join(["vsb", "repos", verb, name, *self._arguments])


def look(
    repository: Repository,
    places: Places,
    *,
    needs: Needs | None = None,
    commands: Commands | None = None,
) -> Status:
    """The state of a repository. Changes nothing and uses no network.

    Args:
        needs: look only at what these need; None for the whole repository.
        commands: how repairs are written.
    """
    return _Look(repository, places, needs, commands or Commands()).status()


class _Look:
    def __init__(
        self,
        repository: Repository,
        places: Places,
        needs: Needs | None,
        commands: Commands,
    ) -> None:
        self.repository = repository
        self.places = places
        self.needs = needs
        self.commands = commands
        self.root = places.repository(repository.name)
        self.notes: list[str] = []
        self.facts: git.Facts | None = None
        self.toolchain = repository.toolchain

    def status(self) -> Status:
        return self._place() or self._content() or self._lean() or self._build()

    def _say(
        self,
        state: State,
        text: str,
        repair: str = "",
        *,
        total: int = 0,
        missing: tuple[str, ...] = (),
    ) -> Status:
        return Status(
            name=self.repository.name,
            state=state,
            path=str(self.root),
            text=text,
            repair=repair,
            toolchain=self.toolchain,
            modules=total,
            missing=missing,
            notes=tuple(self.notes),
        )

    def _vsb(self, verb: str) -> str:
        return self.commands.vsb(verb, self.repository.name)

    def _git(self, *arguments: str) -> str:
        return shlex.join(["git", "-C", str(self.root), *arguments])

    def _place(self) -> Status | None:
        name = self.repository.name
        if not self.root.exists() and not self.root.is_symlink():
            if self.places.partial(name).is_dir():
                return self._say(
                    State.PARTIAL, "fetching it was interrupted; it goes on", self._vsb("fetch")
                )
            return self._say(State.MISSING, "not fetched", self._vsb("fetch"))
        self.facts = git.facts(self.root)
        if self.facts is None:
            away = shlex.join(["mv", str(self.root), f"{self.root}.old"])
            why = "something else is there: no git repository, so its commit cannot be told"
            if (self.root / ".git").exists():
                why = "git refuses to read it; is it another user's?"
            return self._say(State.FOREIGN, why, f"{away} && {self._vsb('fetch')}")
        return None

    def _content(self) -> Status | None:
        assert self.facts is not None
        wanted = self.repository.commit
        head, changed = self.facts.head, self.facts.changed
        found = overlay.look(self.repository.overlay, self.root, changed)
        ours = found.foreign
        if _LAKE_WRITES in ours:
            ours = tuple(path for path in ours if path != _LAKE_WRITES)
            self.notes.append(f"{_LAKE_WRITES} is not as committed; Lake itself may write it")
        # With files of an overlay that git does not know.
        stash = self._git("stash", "--include-untracked")
        if head != wanted:
            steps = [stash] if changed else []
            if not git.has_commit(self.root, wanted):
                steps.append(self._git("fetch", "--depth=1", "origin", wanted))
            steps.append(self._git("checkout", "--detach", wanted))
            if self.repository.overlay is not None:
                steps.append(self._vsb("fetch"))
            return self._say(
                State.OTHER_COMMIT,
                f"at commit {head[:12] or 'none'}, not at {wanted[:12]}",
                " && ".join(steps),
            )
        if ours:
            names = ", ".join(ours[:_SHOWN]) + (", ..." if len(ours) > _SHOWN else "")
            return self._say(
                State.CHANGED,
                f"not as committed: {names}",
                f"{stash} && {self._vsb('fetch')}",
            )
        if not found.applied:
            return self._say(
                State.NO_OVERLAY, "the manifest's changes are not made", self._vsb("fetch")
            )
        return None

    def _lean(self) -> Status | None:
        project = self.root / self.repository.project
        try:
            pin = toolchain.read_pin(project)
        except EnvironmentUnavailable as error:
            return self._say(State.NO_TOOLCHAIN, str(error.message), self._git("status"))
        if pin is None:
            self.notes.append("it has no lean-toolchain file: elan's default is used")
            return None
        if self.repository.toolchain and pin.name != elans.full_name(self.repository.toolchain):
            self.notes.append(f"its lean-toolchain says {pin.name}; the manifest says otherwise")
        self.toolchain = pin.name
        if not elan.missing([pin.name]):
            return None
        if elans.find() is None:
            return self._say(
                State.NO_TOOLCHAIN, f"elan is missing: {elans.GET_ELAN}", self._vsb("build")
            )
        return self._say(
            State.NO_TOOLCHAIN,
            f"{pin.name} is not installed",
            shlex.join(["elan", "toolchain", "install", pin.name]),
        )

    def _build(self) -> Status:
        project = self.root / self.repository.project
        wanted: tuple[str, ...] | None = None
        if self.needs is not None:
            wanted, absent = needed_modules(project, self.needs)
            if absent:
                self.notes.append(f"it has no file {', '.join(absent[:_SHOWN])}")
        try:
            built = modules.built(project, wanted)
        except EnvironmentUnavailable as error:
            return self._say(State.NOT_BUILT, str(error.message), self._vsb("build"))
        if built.missing and self.needs is None and self._was_built():
            # Lake builds its default targets, which need not be all libraries.
            self.notes.append(
                f"in no target that was built: {counted(len(built.missing), 'module')}"
            )
            return self._say(State.READY, "built", total=built.total)
        if built.missing:
            names = ", ".join(built.missing[:_SHOWN])
            names += ", ..." if len(built.missing) > _SHOWN else ""
            return self._say(
                State.NOT_BUILT,
                f"{len(built.missing)} of {counted(built.total, 'module')} not built: {names}",
                self._vsb("build"),
                total=built.total,
                missing=built.missing,
            )
        return self._say(State.READY, "built", total=built.total)

    def _was_built(self) -> bool:
        try:
            data = self.places.built(self.repository.name).read_bytes()
            found = msgspec.json.decode(data, type=BuildRecord)
        except (OSError, msgspec.MsgspecError):
            return False
        return found == build_record(self.repository, self.toolchain)


def build_record(repository: Repository, toolchain: str) -> BuildRecord:
    """What a whole build of a repository is recorded as."""
    return BuildRecord(repository.commit, overlay.identity(repository.overlay), toolchain)


def needed_modules(project: Path, needs: Needs) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The modules that some files of a project import, and which of the files are not there."""
    found: dict[str, None] = {}
    absent = []
    for path in needs.files:
        file = project / path
        if file.is_file():
            found |= dict.fromkeys(modules.imports_of(file))
        else:
            absent.append(path)
    return tuple(found), tuple(absent)
