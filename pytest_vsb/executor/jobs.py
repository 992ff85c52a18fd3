"""What crosses between the machine with the items and a worker: two records, as plain JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from pytest_vsb.errors import EnvironmentUnavailable, VsbError
from pytest_vsb.executor.identity import Identity, code_version
from pytest_vsb.judge.outside.levels import Assurance
from pytest_vsb.judge.policy import Profile
from pytest_vsb.judge.verdict import Verdict
from pytest_vsb.judge.warm import SessionMode
from pytest_vsb.lean.process import Limits
from pytest_vsb.provers.base import Candidate
from pytest_vsb.tasks.model import Task, TaskMetrics

T = TypeVar("T")


@dataclass(frozen=True)
class JudgeSettings:
    """The settings of a run that its judge depends on; see ``pytest_vsb.run.settings``.
    ``planned`` is the most candidates that one task will have."""

    limits: Limits
    policy: Profile = "strict"
    assurance: Assurance = "standard"
    sandbox: str = "auto"
    lean: str = "auto"
    session: SessionMode = "auto"
    planned: int = 1
    cache: bool = True


@dataclass(frozen=True)
class Job:
    """One thing to be done for one task: judge ``candidate``, or without one, make sure that the
    task can be judged. ``repository`` is the name under which workers know the project."""

    plugin: str
    repository: str
    task: Task
    settings: JudgeSettings
    identity: Identity
    candidate: Candidate | None = None


@dataclass(frozen=True)
class Trouble:
    """A ``VsbError`` in parts."""

    message: str
    where: str | None = None
    hint: str | None = None

    @classmethod
    def of(cls, error: VsbError) -> Trouble:
        return cls(error.message, error.where, error.hint)


@dataclass(frozen=True)
class Reply:
    """What came of a job on the worker at ``worker``, an address.

    ``refused`` says why the worker is not one to judge this task; another may be. ``modules`` are
    the digests of what the task's file imports there, if those differ. ``trouble`` is an
    environment that fails, and ``verdict`` the verdict on the candidate.
    """

    plugin: str
    worker: str
    refused: tuple[str, ...] = ()
    modules: Mapping[str, str] = field(default_factory=dict)
    trouble: Trouble | None = None
    verdict: Verdict | None = None


def lean_task(task: Task) -> Task:
    """The task without what no judge looks at: the texts of its dependencies, and where its file
    is here."""
    return dataclasses.replace(
        task, dependencies=(), metrics=TaskMetrics(), extra={}, origin=None, root="", known_bad=""
    )


def encode(record: Job | Reply) -> bytes:
    """JSON. Halves of characters, which a candidate's text may hold, come through as they are,
    in what is no strict UTF-8 then."""
    text = json.dumps(msgspec.to_builtins(record), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def decode(data: bytes, kind: type[T]) -> T:
    """The record in some JSON.

    Raises:
        EnvironmentUnavailable: another version of this package has written it, and it cannot be
            read.
    """
    value: Any = None
    try:
        value = json.loads(data.decode("utf-8", "surrogatepass"))
        return msgspec.convert(value, kind)
    except (ValueError, TypeError, RecursionError, msgspec.ValidationError) as error:
        plugin = value.get("plugin") if isinstance(value, dict) else None
        raise EnvironmentUnavailable(
            f"pytest-vsb is {plugin or 'of another version'} on one side and {code_version()} on "
            f"the other: {error}",
            hint="install the same pytest-vsb on the workers as where pytest runs",
        ) from error
