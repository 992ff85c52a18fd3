"""One HTTP client for all provers that are services.

Built on ``requests``, whose users expect proxies (``HTTPS_PROXY``, ``NO_PROXY``) and certificate
authorities (``REQUESTS_CA_BUNDLE``) to come from the environment. The retries are our own: those
of urllib3 end where the body begins, and a body that breaks off, an event stream, a limit on the
whole time and a pace shared with other processes are what a run of hours needs most.

What is retried: no connection, no answer in time, an answer that breaks off or cannot be read, and
the statuses 408, 409, 429 and 5xx. What cannot succeed is not: 400, 401, 403, 404, 413, 422 and the
rest, a used-up quota, a certificate that is not trusted. A service overrides both by
``x-should-retry``.
"""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

import requests
import urllib3

from pytest_vsb import __version__
from pytest_vsb.errors import UsageError
from pytest_vsb.provers.http_body import Timing, read_error, read_events, read_json
from pytest_vsb.provers.http_errors import (
    ErrorDescription,
    Failure,
    HttpCode,
    describe_error,
    network_failure,
    refusal,
)
from pytest_vsb.provers.http_types import (
    AnswerFault,
    Headers,
    HttpError,
    HttpPolicy,
    HttpResponse,
    SseStream,
    backoff,
)
from pytest_vsb.provers.pace import Pace, PaceStopped
from pytest_vsb.provers.rate_headers import quota_wait, retry_after, wants_retry
from pytest_vsb.provers.secrets import scrub
from pytest_vsb.provers.sse import SseEvent

__all__ = [
    "AnswerFault",
    "ErrorDescription",
    "HttpClient",
    "HttpCode",
    "HttpError",
    "HttpPolicy",
    "HttpResponse",
    "SseEvent",
    "SseStream",
    "backoff",
    "describe_error",
    "scrub",
]

DEFAULT_POLICY = HttpPolicy()

_MESSAGE_LENGTH = 600

ErrorDescriber: TypeAlias = Callable[[int, Any], "ErrorDescription | None"]


@dataclass
class _Attempts:
    """What has been spent on one request."""

    made: int = 0
    seconds: float = 0.0
    waited: float = 0.0


@dataclass(frozen=True)
class _Call:
    """One request as it is sent, again and again. ``read`` makes an answer of the response."""

    method: Literal["GET", "POST"]
    url: str
    headers: Headers
    body: bytes | None
    params: Mapping[str, str] | None
    read: Callable[[requests.Response, Mapping[str, str], Timing], Any] = field(repr=False)


class HttpClient:
    """Sends requests to one service. May be used from several threads at once.

    Args:
        base_url: what paths are put after, such as ``https://host/v1``.
        headers: sent with every request.
        secrets: texts, such as keys, that no message may show.
        policy: time limits and retries.
        pace: admits requests; by default this client's own without limits, which still slows
            down when the service says so.
        describe_error: reads an error's status and JSON body (``None`` if it is none), where the
            common forms are not enough; may return ``None``.
        seed: makes the back-off's jitter repeatable.

    Raises:
        UsageError: the address is none, or a header cannot be sent.
    """

    def __init__(
        self,
        base_url: str,
        *,
        headers: Mapping[str, str],
        secrets: Sequence[str] = (),
        policy: HttpPolicy = DEFAULT_POLICY,
        pace: Pace | None = None,
        describe_error: ErrorDescriber | None = None,
        seed: int | None = None,
    ) -> None:
        self.base_url = _checked_url(base_url, secrets)
        self.policy = policy
        self._headers = _checked_headers(headers)
        self._secrets = tuple(secrets)
        self._pace = pace if pace is not None else Pace()
        self._owns_pace = pace is None
        self._describe = describe_error
        self._chance = random.Random(seed)
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._idle: list[requests.Session] = []

    # The interface

    def post_json(
        self,
        path: str,
        body: Mapping[str, Any],
        *,
        tokens: int = 0,
        headers: Mapping[str, str] | None = None,
        inspect: Callable[[Any], None] | None = None,
    ) -> HttpResponse:
        """Post ``body`` and return the JSON answer.

        ``tokens`` is the estimate for the pace. ``inspect`` sees the answer's value and may raise
        ``AnswerFault``.

        Raises:
            HttpError: there is no such answer to be had.
        """
        return self._json(self._call("POST", path, headers, body, None, inspect), tokens)

    def get_json(
        self,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        inspect: Callable[[Any], None] | None = None,
    ) -> HttpResponse:
        """Get a JSON answer; the arguments are as in ``post_json``.

        Raises:
            HttpError: there is no such answer to be had.
        """
        return self._json(self._call("GET", path, headers, None, params, inspect), 0)

    def stream_sse(
        self,
        path: str,
        body: Mapping[str, Any],
        *,
        tokens: int = 0,
        headers: Mapping[str, str] | None = None,
        watch: Callable[[SseEvent], bool] | None = None,
    ) -> SseStream:
        """Post ``body`` and read the event stream that answers, to its end.

        Nothing is given out before the end, so that a stream that breaks off can be asked for
        again from the start. ``watch`` sees each event as it arrives and returns whether it is the
        last one; with it, a stream that ends without its last event counts as broken off. It may
        raise ``AnswerFault``; it sees the events of each attempt from the first one on.

        Raises:
            HttpError: there is no whole stream to be had.
        """

        def read(response: requests.Response, headers: Mapping[str, str], timing: Timing) -> Any:
            return read_events(response, headers, timing, watch)

        call = self._call("POST", path, headers, body, None, None)
        call.headers["Accept"] = "text/event-stream"
        spent = _Attempts()
        status, answered, events = self._try(replace(call, read=read), tokens, spent)
        return SseStream(
            events=events,
            status=status,
            headers=answered,
            retries=spent.made - 1,
            seconds=spent.seconds,
            waited=spent.waited,
        )

    def scrub(self, text: str) -> str:
        """``text`` without this client's secrets."""
        return scrub(text, self._secrets)

    def close(self) -> None:
        """End all waits and release the connections; requests in flight end by themselves."""
        self._closed.set()
        with self._lock:
            idle, self._idle = self._idle, []
        for session in idle:
            session.close()
        if self._owns_pace:
            self._pace.close()

    # One request, with its retries

    def _call(
        self,
        method: Literal["GET", "POST"],
        path: str,
        headers: Mapping[str, str] | None,
        body: Mapping[str, Any] | None,
        params: Mapping[str, str] | None,
        inspect: Callable[[Any], None] | None,
    ) -> _Call:
        merged = Headers({"User-Agent": f"pytest-vsb/{__version__}"})
        merged.update(self._headers)
        merged.update(_checked_headers(headers or {}))
        merged["Accept"] = "application/json"
        data = None
        if body is not None:
            merged["Content-Type"] = "application/json"
            # A lone surrogate, as in a broken file's text, has no UTF-8 form.
            data = json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")

        def read(response: requests.Response, headers: Mapping[str, str], timing: Timing) -> Any:
            value, text = read_json(response, headers, timing)
            if inspect is not None:
                inspect(value)
            return value, text

        url = f"{self.base_url}/{path.lstrip('/')}" if path else self.base_url
        return _Call(method, url, merged, data, params, read)

    def _json(self, call: _Call, tokens: int) -> HttpResponse:
        spent = _Attempts()
        status, headers, (value, text) = self._try(call, tokens, spent)
        return HttpResponse(
            status=status,
            headers=headers,
            json=value,
            text=self.scrub(text),
            retries=spent.made - 1,
            seconds=spent.seconds,
            waited=spent.waited,
        )

    def _try(
        self, call: _Call, tokens: int, spent: _Attempts
    ) -> tuple[int, Mapping[str, str], Any]:
        unreadable = 0
        while True:
            try:
                answer = self._attempt(call, tokens, spent)
            except Failure as one:
                failure = one
            else:
                self._pace.succeeded()
                return answer
            unreadable += failure.code == "protocol"
            if failure.status in (429, 503, 529) or failure.code == "rate_limited":
                # Also where this request is given up: the others are to hear of it.
                self._pace.slow_down(min(failure.wait or 0.0, self.policy.longest_wait))
            wait = self._next_wait(failure, spent, unreadable)
            if wait is None:
                # Raised outside of the except block: a cause's texts are not scrubbed.
                raise self._error(call, failure, spent)
            start = time.monotonic()
            self._closed.wait(wait)
            spent.waited += time.monotonic() - start

    def _next_wait(self, failure: Failure, spent: _Attempts, unreadable: int) -> float | None:
        """Seconds until the next attempt, or ``None`` if there is to be none."""
        policy = self.policy
        if (
            not failure.retry
            or self._closed.is_set()
            or spent.made > policy.retries
            or unreadable > policy.unreadable_retries
            or spent.seconds >= policy.total_seconds
            or (failure.wait or 0.0) > policy.longest_wait
        ):
            return None
        with self._lock:
            return (failure.wait or 0.0) + backoff(policy, spent.made - 1, self._chance)

    def _error(self, call: _Call, failure: Failure, spent: _Attempts) -> HttpError:
        retried = max(0, spent.made - 1)
        message = self.scrub(failure.message)
        message = " ".join(re.sub(r"[\x00-\x1f\x7f]+", " ", message).split())
        if len(message) > _MESSAGE_LENGTH:
            message = f"{message[:_MESSAGE_LENGTH]}..."
        if (failure.wait or 0.0) > self.policy.longest_wait:
            message += f" (it asks to wait {failure.wait:.0f} s, which is too long)"
        elif retried:
            message += f" (after {retried} {'retry' if retried == 1 else 'retries'})"
        return HttpError(
            message,
            status=failure.status,
            code=failure.code,
            retried=retried,
            where=self.scrub(call.url),
            hint=failure.hint,
        )

    # One attempt

    def _attempt(
        self, call: _Call, tokens: int, spent: _Attempts
    ) -> tuple[int, Mapping[str, str], Any]:
        queued = time.monotonic()
        # A thread has one request at a time.
        self._pace.settle()
        try:
            with self._pace.admit(tokens, stop=self._closed):
                start = time.monotonic()
                spent.waited += start - queued
                spent.made += 1
                try:
                    return self._send(call, tokens, self.policy.total_seconds - spent.seconds)
                finally:
                    spent.seconds += time.monotonic() - start
        except PaceStopped:
            pass
        raise Failure("the client was closed", "network", retry=False)

    def _send(self, call: _Call, tokens: int, seconds: float) -> tuple[int, Mapping[str, str], Any]:
        timing = Timing(time.monotonic() + seconds, self.policy.read_seconds)
        read_seconds = max(0.01, min(self.policy.read_seconds, seconds))
        session = self._take()
        try:
            with session.request(
                call.method,
                call.url,
                data=call.body,
                params=call.params,
                headers=call.headers,
                timeout=(self.policy.connect_seconds, read_seconds),
                stream=True,
                # A redirect would take the key along to another host.
                allow_redirects=False,
            ) as response:
                headers = Headers({k.lower(): v for k, v in response.headers.items()})
                if not 200 <= response.status_code < 300:
                    failure = self._refusal(response, headers, tokens, timing)
                else:
                    answer = call.read(response, headers, timing)
                    self._heed(headers, tokens)
                    return response.status_code, headers, answer
        except AnswerFault as fault:
            failure = Failure(
                fault.message, fault.code, retry=fault.retry, status=200, wait=fault.wait
            )
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
            failure = network_failure(error)
        finally:
            self._give_back(session)
        raise failure

    def _refusal(
        self,
        response: requests.Response,
        headers: Mapping[str, str],
        tokens: int,
        timing: Timing,
    ) -> Failure:
        status = response.status_code
        value, text = read_error(response, timing)
        if 300 <= status < 400:
            return Failure(
                f"the service sends requests on to {headers.get('location', 'nowhere')} "
                f"(HTTP {status}), where the key is not taken",
                "protocol",
                retry=False,
                status=status,
                hint="Set the base URL to the address that really answers.",
            )
        described = self._describe(status, value) if self._describe is not None else None
        if described is None:
            described = describe_error(status, value)
        if not described.message and text.strip():
            described = replace(described, message=text.strip())
        wait = retry_after(headers)
        if wait is None and status == 429:
            wait = quota_wait(headers, tokens) or None
        return refusal(status, described, retry=wants_retry(headers), wait=wait)

    def _heed(self, headers: Mapping[str, str], tokens: int) -> None:
        """Wait for a limit to refill rather than run into it."""
        wait = quota_wait(headers, tokens)
        if wait > 0:
            # No more than a minute, which is what limits are counted by: a service that means more
            # will refuse and say so.
            self._pace.slow_down(min(wait, 60.0), refused=False)

    # Connections

    def _take(self) -> requests.Session:
        """A session for one request at a time, with the connection of an earlier one if any:
        sessions are not safe to share between threads, and threads come and go."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
        session = requests.Session()
        # The environment is read once, as it costs more than all else about a request. Nothing but
        # these is taken from it: a ~/.netrc entry would take the place of our Authorization header.
        found = session.merge_environment_settings(self.base_url, {}, None, None, None)
        session.trust_env = False
        session.proxies.update(found["proxies"])
        session.verify, session.cert = found["verify"], found["cert"]
        return session

    def _give_back(self, session: requests.Session) -> None:
        with self._lock:
            if not self._closed.is_set():
                self._idle.append(session)
                return
        session.close()


def _checked_url(base_url: str, secrets: Sequence[str]) -> str:
    """``base_url`` without a final slash, if requests can be sent to it."""
    shown = scrub(base_url, secrets)
    try:
        parts = urlsplit(base_url.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or re.search(r"\s", base_url.strip()):
        raise UsageError(
            f"{shown!r} is not an address that requests can be sent to",
            hint="Write it as https://HOST or https://HOST/PATH.",
        )
    if parts.query or parts.fragment:
        raise UsageError(f"the base URL {shown!r} must end with its path")
    return base_url.strip().rstrip("/")


def _checked_headers(headers: Mapping[str, str]) -> Headers:
    for name, value in headers.items():
        if not value.isascii() or not value.isprintable() or value != value.strip():
            # The value may be a key.
            raise UsageError(
                f"the value of the header {name} has a line break, a space at an end, or a "
                "character that cannot be sent",
                hint="Was a key copied with something around it?",
            )
    return Headers(headers)
