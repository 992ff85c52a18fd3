"""Aleph Prover, Logical Intelligence's prover, through its HTTP interface.

Written against what the public client shows of it: alephprover 0.2.3 (Python Package Index, 2026),
its README and the requests it makes. A project is uploaded as a ZIP archive with the theorem's
file and name; the request is looked at until it ends; the result is a patch for the project. The
key is in PROVER_API_KEY; PROVER_API_URL names another server.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

import requests
import requests.auth

from pytest_vsb import __version__
from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import ProverSpec, ProverUnavailable
from pytest_vsb.provers.pack import Pack
from pytest_vsb.provers.remote import (
    JobStatus,
    OutcomeUnknown,
    RemoteProver,
    ServiceBusy,
    State,
    number,
)
from pytest_vsb.provers.secrets import scrub
from pytest_vsb.provers.unpack import BadReturn, apply_patch, decoded

KEY, ADDRESS = "PROVER_API_KEY", "PROVER_API_URL"
DEFAULT_ADDRESS = "https://alephprover.logicalintelligence.com"

_CONNECT_SECONDS = 10.0
_READ_SECONDS = 60.0
_UPLOAD_SECONDS = 600.0
_LARGEST_ANSWER = 20_000_000

_ENDED: Mapping[str, State] = {
    "completed": "done",
    # Its budget ran out: what it has may prove the target all the same.
    "completed_partial": "done",
    "failed": "failed",
    "cancelled": "cancelled",
}
_WAITING = frozenset({"pending", "queued", "created", "submitted"})


class AlephProver(RemoteProver):
    """``aleph``: uploads the project with the target as ``sorry``, and takes back a patch.

    Options beside those of all remote provers: ``time_budget_minutes`` and ``cost_budget_usd``,
    the service's own limits on one request.
    """

    def __init__(self, spec: ProverSpec) -> None:
        super().__init__(spec, ("time_budget_minutes", "cost_budget_usd"))
        key = os.environ.get(KEY, "").strip()
        if not key:
            raise UsageError(
                f"prover 'aleph' needs a key in the variable {KEY}",
                where="--vsb-model",
                hint=f"Get one at {DEFAULT_ADDRESS}/account, then: export {KEY}=...",
            )
        if not key.isascii() or not key.isprintable() or " " in key:
            raise UsageError(f"the variable {KEY} holds no key", where="--vsb-model")
        address = os.environ.get(ADDRESS, "").strip().rstrip("/") or DEFAULT_ADDRESS
        if not address.startswith(("https://", "http://")):
            raise UsageError(f"{ADDRESS} is no http address", where="--vsb-model")
        self.secrets = (key,)
        self._budgets = {
            option: f"{number(spec, option, 0.0, whole=option.endswith('minutes'), least=least):g}"
            for option, least in (("time_budget_minutes", 1.0), ("cost_budget_usd", 0.0))
            if option in spec.options
        }
        self.service = AlephService(address, key, self.prompt, self._budgets)

    def settings(self) -> Mapping[str, str]:
        """The time limit of a job and the service's budgets."""
        return {**super().settings(), **self._budgets}

    def prompt(self, project: Pack) -> str:
        """The hints; the service knows by itself what it is asked for."""
        return (
            f"Leave the statement of {project.target.full_name} and all other declarations as they "
            "are. Add no imports, axioms or syntax; use neither sorry nor native_decide."
        )


class AlephService:
    """The service over HTTP. A job is what it calls a request."""

    def __init__(
        self,
        address: str,
        key: str,
        prompt: Callable[[Pack], str],
        budgets: Mapping[str, str],
    ) -> None:
        self._address = f"{address}/api/v1/requests"
        self._key = key
        self._prompt = prompt
        self._budgets = dict(budgets)

    def submit(self, project: Pack, label: str) -> str:
        form = {
            "file_path": project.path,
            "theorem_name": project.target.full_name,
            "hints": self._prompt(project),
            **self._budgets,
        }
        archive = ("project.zip", project.zip(), "application/zip")
        status, content = self._send("POST", "/upload", data=form, files={"archive": archive})
        try:
            job = _object(content).get("id")
        except ServiceBusy:
            job = None
        if not isinstance(job, (str, int)) or not str(job):
            raise OutcomeUnknown(f"the answer to the upload (HTTP {status}) names no request")
        return str(job)

    def find(self, label: str) -> str | None:
        """Requests carry no label, so there is no telling them apart."""
        return None

    def status(self, job: str) -> JobStatus:
        _, content = self._send("GET", f"/{quote(job, safe='')}")
        found = _object(content)
        word = str(found.get("status") or "unknown")
        detail = str(found.get("message") or "")
        waiting: State = "queued" if word in _WAITING else "running"
        return JobStatus(_ENDED.get(word, waiting), word, detail)

    def fetch(self, job: str, project: Pack) -> Mapping[str, str]:
        given = {
            path: content.decode("utf-8", "replace")
            for path, content in project.files.items()
            if path.endswith(".lean")
        }
        status, content = self._send("GET", f"/{quote(job, safe='')}/diff", missing_is_none=True)
        if status == 404:
            return given
        return apply_patch(given, decoded(content, "the patch"))

    def cancel(self, job: str) -> None:
        self._send("POST", f"/{quote(job, safe='')}/cancel", missing_is_none=True)

    def _send(
        self, method: str, path: str, *, missing_is_none: bool = False, **more: Any
    ) -> tuple[int, bytes]:
        """The status and body of an answer.

        Raises:
            ServiceBusy: it was not answered, and may be later; nothing was done.
            OutcomeUnknown: an upload broke off after it was sent.
            ProverUnavailable: it was refused.
        """
        uploads = "files" in more
        seconds = _UPLOAD_SECONDS if uploads else _READ_SECONDS
        try:
            with requests.Session() as session:
                session.auth = _Bearer(self._key)
                session.headers["User-Agent"] = f"pytest-vsb/{__version__}"
                with session.request(
                    method,
                    self._address + path,
                    timeout=(_CONNECT_SECONDS, seconds),
                    allow_redirects=False,
                    stream=True,
                    **more,
                ) as response:
                    content = _bounded(response)
        except (requests.exceptions.SSLError, requests.exceptions.ProxyError) as error:
            raise ProverUnavailable(f"aleph cannot be reached: {self._clean(error)}") from error
        except requests.ConnectTimeout as error:
            raise ServiceBusy(self._clean(error)) from error
        except requests.RequestException as error:
            if uploads and not _unsent(error):
                raise OutcomeUnknown(self._clean(error)) from error
            raise ServiceBusy(self._clean(error)) from error
        status = response.status_code
        if 200 <= status < 300 or (missing_is_none and status in (404, 409)):
            return status, content
        said = f"HTTP {status}: {scrub(_said(content), (self._key,))}"
        if status in (401, 403):
            raise ProverUnavailable(f"aleph refused the key: {said}", hint=f"check {KEY}")
        if status in (408, 425, 429, 503) or (status >= 500 and not uploads):
            raise ServiceBusy(said, _retry_after(response))
        if status >= 500:
            raise OutcomeUnknown(said)
        raise ProverUnavailable(f"aleph refused: {said}")

    def _clean(self, error: BaseException) -> str:
        return scrub(" ".join(str(error).split())[:500], (self._key,))


class _Bearer(requests.auth.AuthBase):
    """Puts the key into the request. As authentication rather than a header, so that ``requests``
    does not put an entry of ``~/.netrc`` in its place."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._key}"
        return request


def _bounded(response: requests.Response) -> bytes:
    found = bytearray()
    for piece in response.iter_content(65536):
        found += piece
        if len(found) > _LARGEST_ANSWER:
            raise BadReturn(f"the answer is more than {_LARGEST_ANSWER:,} bytes")
    return bytes(found)


def _unsent(error: requests.RequestException) -> bool:
    """Whether no connection came about, so that nothing can have been done."""
    reason = getattr(error.args[0], "reason", None) if error.args else None
    return type(reason).__name__ in ("NewConnectionError", "NameResolutionError")


def _object(content: bytes) -> dict[str, Any]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ServiceBusy("the answer is no JSON object")
    return found


def _said(content: bytes) -> str:
    """What an error's body says, in short."""
    try:
        found = _object(content)
    except ServiceBusy:
        return " ".join(content[:300].decode("utf-8", "replace").split())
    return " ".join(str(found.get("detail") or found.get("message") or "no detail").split())[:300]


def _retry_after(response: requests.Response) -> float | None:
    text = response.headers.get("Retry-After", "").strip()
    return min(float(text), 3600.0) if text.isdigit() else None
