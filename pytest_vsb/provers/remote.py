"""Provers that work for hours elsewhere on a whole project: submit, wait, take the result.

The job's id is remembered as soon as there is one, so that a run that was killed goes on waiting
for the job instead of paying for another. What comes back is turned into a candidate by a
declaration diff (:mod:`pytest_vsb.source.diff`) against what was sent.
"""

from __future__ import annotations

import contextlib
import json
import math
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Literal, Protocol, TypeVar

from pytest_vsb.errors import UsageError
from pytest_vsb.lean.imports import module_path, read_header
from pytest_vsb.provers.base import (
    Answer,
    Candidate,
    ProofRequest,
    ProverSpec,
    ProverUnavailable,
    Usage,
)
from pytest_vsb.provers.options import check_no_argument, check_no_model, check_options
from pytest_vsb.provers.pack import Pack, pack
from pytest_vsb.provers.secrets import scrub
from pytest_vsb.provers.unpack import BadReturn, below
from pytest_vsb.source.diff import DiffRefused, Extraction, extract

_T = TypeVar("_T")

State = Literal["queued", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True)
class JobStatus:
    """Where a job is. ``word`` is the service's own, ``detail`` what it says about it."""

    state: State
    word: str
    detail: str = ""


class ServiceBusy(Exception):
    """What may pass: the service cannot be reached, or takes no more jobs now. Nothing was done.

    ``wait`` is how many seconds the service asks for.
    """

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class OutcomeUnknown(Exception):
    """A submission failed after the service may have taken it."""


class Service(Protocol):
    """A prover's service. Its methods are called from several threads.

    All may raise ServiceBusy, or ProverUnavailable for what will not pass.
    """

    def submit(self, project: Pack, label: str) -> str:
        """Start a job and return its id. May raise OutcomeUnknown."""
        ...

    def find(self, label: str) -> str | None:
        """The job that was submitted with that label, if the service can tell."""
        ...

    def status(self, job: str) -> JobStatus:
        """Where the job is."""
        ...

    def fetch(self, job: str, project: Pack) -> Mapping[str, str]:
        """The Lean files of a finished job by path. Raises BadReturn if they cannot be used."""
        ...

    def cancel(self, job: str) -> None:
        """Stop a job that is still going on."""
        ...


@dataclass(frozen=True)
class Patience:
    """How long to wait. ``poll`` and ``longest_poll`` are seconds between two looks at a job, the
    first and the longest; ``hours`` bounds the time a job may run, queueing not counted;
    ``outage_hours`` the time in a row for which the service may be out of reach."""

    poll: float = 15.0
    longest_poll: float = 120.0
    hours: float = 24.0
    outage_hours: float = 6.0


OPTIONS = ("concurrency", "hours", "poll", "outage_hours")
"""The options that all remote provers have."""


class _Failures(threading.local):
    """Counts the requests in vain of the answer that a thread is at."""

    requests = 0


class RemoteProver:
    """A prover whose work a :class:`Service` does. Subclasses make the service.

    There are no repair rounds: such systems check and repair their proofs themselves.
    """

    needs_reference = False
    default_samples = 1
    default_repairs = 0

    def __init__(self, spec: ProverSpec, extra: tuple[str, ...] = ()) -> None:
        check_no_model(spec)
        check_no_argument(spec)
        check_options(spec, (*OPTIONS, *extra))
        self.name = spec.name
        self.concurrency = int(number(spec, "concurrency", 4, whole=True, least=1))
        poll = number(spec, "poll", Patience.poll)
        self.patience = Patience(
            poll=poll,
            longest_poll=max(poll, Patience.longest_poll) if poll >= 1 else poll,
            hours=number(spec, "hours", Patience.hours),
            outage_hours=number(spec, "outage_hours", Patience.outage_hours),
        )
        self.secrets: tuple[str, ...] = ()
        self.service: Service
        self._closed = threading.Event()
        self._failed = _Failures()

    def settings(self) -> Mapping[str, str]:
        """The time limit of a job."""
        return {"hours": f"{self.patience.hours:g}"}

    def close(self) -> None:
        """End all waits. The jobs go on; a resumed run asks for them."""
        self._closed.set()

    def prove(self, request: ProofRequest) -> Answer | None:
        """The candidate in what the service made of the project; ``None`` in repair rounds.

        Raises:
            ProverUnavailable: the service failed, refused, or was out of reach for too long.
        """
        if request.round > 0:
            return None
        started = time.monotonic()
        self._failed.requests = 0
        project = pack(request.task, request.root)
        job = self._job(request, project)
        status = self._finished(request, job)
        digest = sha256(f"{self.prompt(project)}\0{project.digest}".encode()).hexdigest()
        files: Mapping[str, str] = {}
        candidate: Candidate | None = None
        malformed = ""
        notes: tuple[str, ...] = ()
        if status.state == "done":
            try:
                files = self._fetched(job, project)
                found = candidate_of(project, files)
            except (BadReturn, DiffRefused) as error:
                malformed = error.message
            else:
                notes = found.notes
                if found.proof:
                    candidate = Candidate(
                        self._clean(found.proof), self._clean(found.auxiliary), status.detail
                    )
                else:
                    malformed = f"{project.target.full_name} came back as it was"
        else:
            malformed = status.detail
        return Answer(
            candidate=candidate,
            malformed=self._clean(malformed),
            usage=Usage(seconds=time.monotonic() - started),
            response=self._record(job, status, project, files),
            prompt_digest=digest,
            model=self.name,
            stop=status.word,
            retries=self._failed.requests,
            leniencies=notes,
        )

    def prompt(self, project: Pack) -> str:
        """What the service is asked to do."""
        return PROMPT.format(name=project.target.full_name, path=project.path)

    # The job

    def _job(self, request: ProofRequest, project: Pack) -> str:
        known = request.remembered.get("job", "")
        if known and known != request.remembered.get("failed"):
            return known
        label = request.remembered.get("label", "")
        if label:
            # The last session was killed while it submitted: the job may be there.
            job = self._patiently(lambda: self.service.find(label))
            if job is not None:
                return self._remembered(request, job)
        else:
            label = f"vsb-{uuid.uuid4().hex}"
            request.remember("label", label)
        try:
            job = self._patiently(lambda: self.service.submit(project, label))
        except OutcomeUnknown as error:
            job = self._looked_up(label)
            if job is None:
                raise ProverUnavailable(
                    f"{self.name} may have taken the job or not: {self._clean(str(error))}",
                    hint="resume the run to look for it again",
                ) from error
        return self._remembered(request, job)

    @staticmethod
    def _remembered(request: ProofRequest, job: str) -> str:
        request.remember("job", job)
        request.remember("label", "")
        return job

    def _looked_up(self, label: str) -> str | None:
        """The job with that label, which may take a while to show up."""
        for delay in (1, 4, 16):
            self._wait(delay * self.patience.poll)
            job = self._patiently(lambda: self.service.find(label))
            if job is not None:
                return job
        return None

    def _finished(self, request: ProofRequest, job: str) -> JobStatus:
        """The job's last status, once it has one; ``queued`` or ``running`` if it took too long."""
        delay = self.patience.poll
        begun = _begun(request.remembered.get("running", ""), job)
        while True:
            seen = self._patiently(lambda: self.service.status(job))
            status = JobStatus(seen.state, self._clean(seen.word), self._clean(seen.detail))
            if status.state == "done":
                return status
            if status.state in ("failed", "cancelled"):
                request.remember("failed", job)
                detail = f": {status.detail}" if status.detail else ""
                raise ProverUnavailable(
                    f"{self.name}'s job {job} ended as {status.word}{detail}",
                    hint="resume the run to submit another",
                )
            if status.state == "running":
                # By this machine's clock: the service's may be another.
                if begun is None:
                    begun = time.time()
                    request.remember("running", f"{begun} {job}")
                if time.time() - begun > self.patience.hours * 3600:
                    return self._given_up(job, status)
            self._wait(delay)
            delay = min(delay * 1.3, self.patience.longest_poll)

    def _given_up(self, job: str, status: JobStatus) -> JobStatus:
        # It may have ended by itself; there is nothing more to be done about it.
        with contextlib.suppress(ServiceBusy, OutcomeUnknown, ProverUnavailable, BadReturn):
            self.service.cancel(job)
        reason = f"no result within {self.patience.hours:g} hours"
        return JobStatus("running", "time limit", reason)

    def _fetched(self, job: str, project: Pack) -> Mapping[str, str]:
        """The files, asked for again if the archive is damaged: a download may be."""
        for _ in range(2):
            try:
                return self._patiently(lambda: self.service.fetch(job, project))
            except BadReturn:
                self._wait(self.patience.poll)
        return self._patiently(lambda: self.service.fetch(job, project))

    # Waiting

    def _patiently(self, call: Callable[[], _T]) -> _T:
        """The call's result, tried again while the service is busy or out of reach."""
        since = time.monotonic()
        delay = self.patience.poll
        while True:
            try:
                return call()
            except ServiceBusy as busy:
                self._failed.requests += 1
                if time.monotonic() - since > self.patience.outage_hours * 3600:
                    raise ProverUnavailable(
                        f"{self.name} was not to be had for {self.patience.outage_hours:g} "
                        f"hours: {self._clean(str(busy))}",
                        hint="resume the run when it is back",
                    ) from busy
                self._wait(max(delay, busy.wait or 0.0))
                delay = min(delay * 2, self.patience.longest_poll)

    def _wait(self, seconds: float) -> None:
        if self._closed.wait(min(seconds, 3600.0)):
            raise ProverUnavailable(
                f"the run ended while {self.name} was at work",
                hint="resume the run to take the result",
            )

    # Records

    def _record(self, job: str, status: JobStatus, project: Pack, files: Mapping[str, str]) -> str:
        """What came back, as JSON: of the files only those that are new or changed."""
        changed = {
            path: text
            for path, text in files.items()
            if project.files.get(path) != text.encode("utf-8", "replace")
        }
        record = {"job": job, "status": status.word, "detail": status.detail, "files": changed}
        return self._clean(json.dumps(record, ensure_ascii=False))

    def _clean(self, text: str) -> str:
        return scrub(text, self.secrets)


PROMPT = """\
Prove the declaration `{name}` in `{path}`: replace its `sorry` by a complete proof.

Leave its statement and all other declarations as they are. You may add auxiliary declarations \
to that file, before the declaration. Add no imports, no axioms and no syntax, and use neither \
`sorry` nor `native_decide`. Other declarations that are left unproved are not part of the task.
"""


def candidate_of(project: Pack, files: Mapping[str, str]) -> Extraction:
    """The candidate in a project that came back.

    Args:
        project: what was sent.
        files: what came back, by path; see :func:`pytest_vsb.provers.unpack.below`.

    Raises:
        BadReturn: the target's file is not among them.
        DiffRefused: they do not amount to a candidate.
    """
    files = below(files, project.path)
    returned = files[project.path]
    imported: list[tuple[str, str]] = []
    seen = {project.path}
    todo = [(name, False) for name in reversed(read_header(returned).imports)]
    while todo:
        name, done = todo.pop()
        path = _module(name, project, files)
        if path is None:
            continue
        if done:
            given = project.files.get(path, b"").decode("utf-8", "replace")
            if given != files[path]:
                imported.append((given, files[path]))
        elif path not in seen:
            seen.add(path)
            todo.append((name, True))
            todo += [(other, False) for other in reversed(read_header(files[path]).imports)]
    return extract(project.source, project.target, returned, imported=imported)


def _module(name: str, project: Pack, files: Mapping[str, str]) -> str | None:
    for directory in project.directories:
        path = str(PurePosixPath(directory) / module_path(name, ".lean").as_posix())
        if path in files:
            return path
    return None


def number(
    spec: ProverSpec, option: str, default: float, *, whole: bool = False, least: float = 0.0
) -> float:
    """A number among the options of a prover.

    Raises:
        UsageError: it is none, is not whole where it has to be, or is too small.
    """
    text = spec.options.get(option)
    if text is None:
        return default
    try:
        found = float(int(text)) if whole else float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found) or found < least or (found == 0 and not whole):
        kind = "a whole number" if whole else "a number"
        raise UsageError(
            f"option {option!r} of prover {spec.name!r} is to be {kind} "
            f"{f'of at least {least:g}' if least else 'above 0'}, and is {text!r}",
            where="--vsb-model-option",
        )
    return found


def _begun(text: str, job: str) -> float | None:
    """When a job was first seen to run, in seconds since the epoch, if that is remembered."""
    seconds, _, whose = text.partition(" ")
    if whose != job:
        return None
    try:
        return float(seconds)
    except ValueError:
        return None
