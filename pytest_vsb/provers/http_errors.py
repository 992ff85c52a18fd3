"""What a failed request means, from its status and body, or from the exception it ended in."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import requests
import urllib3

HttpCode: TypeAlias = Literal[
    "auth",
    "permission",
    "quota",
    "not_found",
    "bad_request",
    "policy",
    "rate_limited",
    "server",
    "network",
    "timeout",
    "protocol",
]
"""``quota`` is a used-up quota or credit, ``policy`` a refusal for the request's content,
``network`` no connection or a broken one, ``protocol`` an answer that cannot be read."""


@dataclass(frozen=True)
class ErrorDescription:
    """What an error's body says. ``code``, ``retry`` and ``wait`` (seconds) where it says more
    than the status."""

    message: str = ""
    code: HttpCode | None = None
    retry: bool | None = None
    wait: float | None = None


class Failure(Exception):
    """One failed attempt; ``wait`` is how many seconds the service asks for.

    The message is as the service wrote it, with whatever it quotes; it is not in the exception's
    own text, which a traceback with variables shows.
    """

    def __init__(
        self,
        message: str,
        code: HttpCode,
        *,
        retry: bool,
        status: int | None = None,
        wait: float | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(code)
        self.message = message
        self.code: HttpCode = code
        self.retry = retry
        self.status = status
        self.wait = wait
        self.hint = hint


_STATUSES: Mapping[int, HttpCode] = {
    401: "auth",
    402: "quota",
    403: "permission",
    404: "not_found",
    408: "timeout",
    409: "server",
    410: "not_found",
    425: "server",
    429: "rate_limited",
}

_RETRIED: frozenset[HttpCode] = frozenset({"rate_limited", "server", "timeout", "network"})

_PHRASES: Mapping[HttpCode, str] = {
    "auth": "the service does not accept the key",
    "permission": "the service does not allow this key to do that",
    "quota": "the account's quota or credit is used up",
    "not_found": "the service has no such model or address",
    "bad_request": "the service does not accept the request",
    "policy": "the service refuses the request because of its content",
    "rate_limited": "the service takes no more requests now",
    "server": "the service failed",
    "network": "the service cannot be reached",
    "timeout": "the service did not answer in time",
    "protocol": "the service's answer cannot be read",
}

_HINTS: Mapping[HttpCode, str] = {
    "auth": "Check the key in the environment: that it is valid, and meant for this service.",
    "permission": "Check what the key, its project or its region may use.",
    "quota": "Check the account's billing and limits; then go on with --vsb-resume.",
    "not_found": "Check the model id and the base URL.",
    "rate_limited": "Lower the limits on requests, tokens or concurrency.",
}

# Words of error types and codes, in the order in which they decide.
_WORDS: tuple[tuple[re.Pattern[str], HttpCode], ...] = (
    (re.compile(r"content_?(policy|filter)|safety|prohibited_content|cyber_policy"), "policy"),
    (re.compile(r"insufficient_quota|billing|credit|usage_limit"), "quota"),
    (re.compile(r"api_?key|authentication|unauthenticated"), "auth"),
    (re.compile(r"permission"), "permission"),
    (re.compile(r"model_not_found|not_found"), "not_found"),
    (re.compile(r"rate_limit|resource_exhausted|too_many_requests"), "rate_limited"),
    (re.compile(r"overloaded|unavailable|server_error|api_error|internal"), "server"),
)

_DELAY = re.compile(r"(\d+(?:\.\d+)?)s")


def status_code(status: int) -> HttpCode:
    """The kind of failure that a status is, if nothing else is known."""
    if status in _STATUSES:
        return _STATUSES[status]
    if status >= 500:
        return "server"
    return "bad_request" if status >= 400 else "protocol"


def refusal(
    status: int, described: ErrorDescription, *, retry: bool | None, wait: float | None
) -> Failure:
    """The failure that an error response is. ``retry`` and ``wait`` are what its headers say."""
    code = described.code or status_code(status)
    decided = [retry, described.retry, code in _RETRIED]
    waits = [seconds for seconds in (wait, described.wait) if seconds is not None]
    detail = f": {described.message}" if described.message else ""
    return Failure(
        f"{_PHRASES[code]} (HTTP {status}){detail}",
        code,
        retry=next(answer for answer in decided if answer is not None),
        status=status,
        wait=max(waits, default=None),
        hint=_HINTS.get(code),
    )


def describe_error(status: int, body: Any) -> ErrorDescription:
    """Read the common forms of an error's JSON body.

    They are ``{"error": {"message", "type", "code"}}`` (OpenAI, Anthropic, most servers),
    ``{"error": {"message", "status", "details"}}`` (Google, also in a list), ``{"error": "..."}``,
    ``{"message": ...}`` and ``{"detail": ...}``.
    """
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping):
        return ErrorDescription()
    error = body.get("error", body)
    if not isinstance(error, Mapping):
        error = {"message": error, "type": body.get("type")}
    message = error.get("message") or error.get("detail") or body.get("detail") or ""
    details = [entry for entry in _list(error.get("details")) if isinstance(entry, Mapping)]
    words = [error.get("code"), error.get("type"), error.get("status")]
    words += [entry.get("reason") for entry in details]
    code = _code_of(status, [word.lower() for word in words if isinstance(word, str)])
    daily = any("PerDay" in quota for quota in _quota_ids(details))
    if daily:
        code = "quota"
    return ErrorDescription(
        message=message if isinstance(message, str) else str(message),
        code=code,
        wait=None if daily else _retry_delay(details),
    )


def _code_of(status: int, words: list[str]) -> HttpCode | None:
    """The kind that the words tell, where it fits the status: a 500 is no bad key."""
    for pattern, code in _WORDS:
        if any(pattern.search(word) for word in words):
            if status >= 500 and code not in ("rate_limited", "policy"):
                return "server"
            if code == "server" and 400 <= status < 500:
                return None
            return code
    return None


def _quota_ids(details: list[Mapping[str, Any]]) -> Iterator[str]:
    for entry in details:
        for violation in _list(entry.get("violations")):
            if isinstance(violation, Mapping):
                yield str(violation.get("quotaId", ""))


def _retry_delay(details: list[Mapping[str, Any]]) -> float | None:
    """The delay of Google's RetryInfo (google.rpc, error_details.proto), in seconds."""
    for entry in details:
        match = _DELAY.fullmatch(str(entry.get("retryDelay", "")))
        if match:
            return float(match[1])
    return None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def network_failure(error: BaseException) -> Failure:
    """The failure that an exception of ``requests`` or ``urllib3`` is."""
    causes = list(_causes(error))
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return Failure(
            f"the service's certificate is not trusted: {_said(causes)}",
            "network",
            retry=False,
            hint="For a certificate authority of your own, set REQUESTS_CA_BUNDLE to its file.",
        )
    # What urllib3 raises for no connection is, to it, also a timeout: the timeouts come last.
    if any(isinstance(cause, _NAMES) for cause in causes):
        return Failure(
            "the service's host name cannot be resolved",
            "network",
            retry=True,
            hint="Check the base URL and the network.",
        )
    if any(isinstance(cause, requests.exceptions.ProxyError) for cause in causes):
        return Failure(
            f"the proxy cannot be used: {_said(causes)}",
            "network",
            retry=True,
            hint="Check HTTPS_PROXY and NO_PROXY.",
        )
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return Failure(
            "the connection was refused",
            "network",
            retry=True,
            hint="Check the base URL, and that the service is running.",
        )
    if any(isinstance(cause, urllib3.exceptions.NewConnectionError) for cause in causes):
        return Failure(f"no connection to the service: {_said(causes)}", "network", retry=True)
    if any(isinstance(cause, _TIMEOUTS) for cause in causes):
        return Failure("the service did not answer in time", "timeout", retry=True)
    if isinstance(error, requests.RequestException) and isinstance(error, ValueError):
        return Failure(f"the request cannot be sent: {_said(causes)}", "network", retry=False)
    return Failure(f"the connection broke off: {_said(causes)}", "network", retry=True)


_TIMEOUTS = (requests.exceptions.Timeout, urllib3.exceptions.TimeoutError, TimeoutError)
_NAMES = (socket.gaierror, urllib3.exceptions.NameResolutionError)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The exception and all that it wraps, which libraries keep in arguments and in ``reason``."""
    seen: set[int] = set()
    pending: list[Any] = [error]
    while pending:
        one = pending.pop(0)
        if not isinstance(one, BaseException) or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        pending += [*one.args, getattr(one, "reason", None), one.__cause__, one.__context__]


def _said(causes: list[BaseException]) -> str:
    """What the innermost cause says; the outer ones repeat it among addresses of objects."""
    texts = [
        str(cause)
        for cause in causes
        if not any(isinstance(argument, BaseException) for argument in cause.args)
    ]
    return next((text for text in reversed(texts) if text), type(causes[0]).__name__)
