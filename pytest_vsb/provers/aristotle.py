"""Aristotle, Harmonic's prover, through its public client ``aristotlelib``.

Written against aristotlelib 3.0.0 (Python Package Index, 2026), its README and its API; the wire
format is the client's own business. The key is found as the client finds it: the variable
ARISTOTLE_API_KEY, else what ``aristotle login`` stored. ARISTOTLE_WEB_URL names another server.
"""

from __future__ import annotations

import asyncio
import importlib
import tempfile
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import ProverSpec, ProverUnavailable
from pytest_vsb.provers.pack import Pack
from pytest_vsb.provers.remote import (
    JobStatus,
    OutcomeUnknown,
    RemoteProver,
    ServiceBusy,
    State,
)
from pytest_vsb.provers.secrets import scrub
from pytest_vsb.provers.unpack import BadReturn, Bounds, read_archive

_T = TypeVar("_T")

KEY = "ARISTOTLE_API_KEY"

_STATES: Mapping[str, State] = {
    "QUEUED": "queued",
    "IN_PROGRESS": "running",
    # What the client does not know is something that goes on.
    "UNKNOWN": "running",
    "COMPLETE": "done",
    "COMPLETE_WITH_ERRORS": "done",
    "OUT_OF_BUDGET": "done",
    "FAILED": "failed",
    "CANCELED": "cancelled",
}


class AristotleProver(RemoteProver):
    """``aristotle``: submits the project with the target as ``sorry``, and takes it back proved."""

    def __init__(self, spec: ProverSpec) -> None:
        super().__init__(spec)
        library, version = _library()
        key = _key()
        self.secrets = (key,)
        self.version = version
        self.service = AristotleService(library, self.prompt, self.secrets)

    def settings(self) -> Mapping[str, str]:
        """The client's version and the time limit of a job."""
        return {**super().settings(), "aristotlelib": self.version}


class AristotleService:
    """The service as the client library shows it. A job is what it calls a project."""

    def __init__(
        self, library: Any, prompt: Callable[[Pack], str], secrets: tuple[str, ...]
    ) -> None:
        self._library = library
        self._prompt = prompt
        self._secrets = secrets
        self._tasks: dict[str, str] = {}

    def submit(self, project: Pack, label: str) -> str:
        with tempfile.TemporaryDirectory(prefix="pytest-vsb-") as scratch:
            archive = Path(scratch, "project.tar.gz")
            archive.write_bytes(project.tar())
            created = self._run(
                lambda: self._library.Project.create(
                    prompt=self._prompt(project),
                    tar_file_path=archive,
                    public_file_path=archive.name,
                    agent_questions_setting=self._library.AgentQuestionsSetting.DISABLED,
                    name=label,
                )
            )
        return str(created.project_id)

    def find(self, label: str) -> str | None:
        try:
            return str(self._run(lambda: self._library.Project.resolve_id(label)))
        except _NotThere:
            return None

    def status(self, job: str) -> JobStatus:
        async def look() -> Any:
            if job in self._tasks:
                return await self._library.AgentTask.from_id(self._tasks[job])
            project = await self._library.Project.from_id(job)
            tasks, _ = await project.get_tasks(limit=1, newest_first=False)
            return tasks[0] if tasks else None

        task = self._run(look)
        if task is None:
            return JobStatus("queued", "QUEUED")
        self._tasks[job] = str(task.agent_task_id)
        word = str(task.status.name)
        return JobStatus(_STATES.get(word, "running"), word, task.output_summary or "")

    def fetch(self, job: str, project: Pack) -> Mapping[str, str]:
        async def download(place: Path) -> Path:
            found = await self._library.Project.from_id(job)
            return Path(await found.get_files(place))

        bounds = Bounds()
        with tempfile.TemporaryDirectory(prefix="pytest-vsb-") as scratch:
            archive = self._run(lambda: download(Path(scratch, "result.tar.gz")))
            if archive.stat().st_size > bounds.packed:
                raise BadReturn(f"the archive is more than {bounds.packed:,} bytes")
            return read_archive(archive.read_bytes(), bounds)

    def cancel(self, job: str) -> None:
        async def stop() -> None:
            if job in self._tasks:
                task = await self._library.AgentTask.from_id(self._tasks[job])
                await task.cancel()

        self._run(stop)

    def _run(self, call: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
        """Run a coroutine of the library, in this thread, and translate what it raises."""
        try:
            return asyncio.run(_awaited(call))
        except self._library.AristotleProjectLimitError as error:
            raise ServiceBusy(self._clean(error)) from error
        except self._library.AristotleOutcomeUnknownError as error:
            raise OutcomeUnknown(self._clean(error)) from error
        except self._library.AristotleNotProcessedError as error:
            raise ServiceBusy(self._clean(error)) from error
        except self._library.ProjectHasNoFilesError as error:
            raise BadReturn(self._clean(error)) from error
        except self._library.AristotleNotFoundError as error:
            raise _NotThere(
                f"aristotle does not know it: {self._clean(error)}",
                hint=f"is {KEY} of the account that the run was begun with?",
            ) from error
        except self._library.AristotleAPIError as error:
            raise self._refused(error) from error
        except (BadReturn, ProverUnavailable):
            raise
        except OSError as error:
            raise ProverUnavailable(f"aristotle: {self._clean(error)}") from error
        except Exception as error:
            raise ProverUnavailable(
                f"aristotlelib cannot make sense of it: "
                f"{type(error).__name__}: {self._clean(error)[:500]}",
                hint="is there a newer version of aristotlelib?",
            ) from error

    def _refused(self, error: Any) -> Exception:
        status = error.status_code
        said = self._clean(error)
        if status == 401:
            return ProverUnavailable(f"aristotle refused the key: {said}", hint=f"check {KEY}")
        if status is None or status == 429 or status >= 500:
            return ServiceBusy(said)
        return ProverUnavailable(f"aristotle refused: {said}")

    def _clean(self, error: BaseException) -> str:
        return scrub(" ".join(str(error).split()), self._secrets)


class _NotThere(ProverUnavailable):
    """Nothing has this id or label."""


async def _awaited(call: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
    # The library makes clients and locks that belong to the running loop.
    return await call()


def _library() -> tuple[Any, str]:
    try:
        library = importlib.import_module("aristotlelib")
        version = str(importlib.import_module("importlib.metadata").version("aristotlelib"))
    except ImportError as error:
        raise UsageError(
            "prover 'aristotle' needs the package aristotlelib",
            where="--vsb-model",
            hint="Install it: pip install 'pytest-vsb[aristotle]'.",
        ) from error
    needed = ("Project", "AgentTask", "AgentQuestionsSetting", "AristotleNotProcessedError")
    if any(not hasattr(library, name) for name in needed):
        raise UsageError(
            f"prover 'aristotle' cannot use aristotlelib {version}",
            where="--vsb-model",
            hint="Install a newer one: pip install 'aristotlelib>=3,<4'.",
        )
    return library, version


def _key() -> str:
    requests = importlib.import_module("aristotlelib.api_request")
    try:
        return str(requests.get_api_key())
    except ValueError as error:
        raise UsageError(
            f"prover 'aristotle' has no key that can be used: {' '.join(str(error).split())}",
            where="--vsb-model",
            hint=f"Set {KEY}, or run `aristotle login`.",
        ) from error
