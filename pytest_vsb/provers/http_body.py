"""Reading the body of a response: bounded in size and time, and whole or not at all."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import requests
import urllib3

from pytest_vsb.provers.http_errors import Failure
from pytest_vsb.provers.sse import SseDecoder, SseEvent

MAX_BODY_BYTES = 64 * 2**20
"""No answer is larger; what is, is a fault, and must not take the memory of a run of hours."""

_MAX_ERROR_BYTES = 2**20
_FAULTS = (Failure, requests.RequestException, urllib3.exceptions.HTTPError, OSError)
_PIECE_BYTES = 64 * 2**10


@dataclass(frozen=True)
class Timing:
    """When a body must have been read, on the monotonic clock, and how many seconds each wait for
    a piece of it may take."""

    deadline: float
    read_seconds: float

    def left(self) -> float:
        """How many seconds the next piece may take; none if the time is over."""
        return min(self.read_seconds, self.deadline - time.monotonic())


def _pieces(response: requests.Response, timing: Timing, most: int) -> Iterator[bytes]:
    """The decoded body as it arrives."""
    total = 0
    while True:
        seconds = timing.left()
        if seconds <= 0:
            raise Failure("the service did not finish its answer in time", "timeout", retry=True)
        _wait_at_most(response, seconds)
        # Unlike read and stream, it returns what is there, so that time is looked at in between.
        piece = response.raw.read1(_PIECE_BYTES, decode_content=True)
        if not piece:
            return
        total += len(piece)
        if total > most:
            raise Failure(
                f"the service's answer is longer than {most // 2**20} MB",
                "protocol",
                retry=False,
                status=response.status_code,
            )
        yield piece


def _wait_at_most(response: requests.Response, seconds: float) -> None:
    # None once the last byte is there; urllib3 sets the time limit anew for each request.
    sock = getattr(response.raw.connection, "sock", None)
    if sock is not None:
        sock.settimeout(max(seconds, 0.01))


def read_json(
    response: requests.Response, headers: Mapping[str, str], timing: Timing
) -> tuple[Any, str]:
    """The JSON value that the body is, and its text.

    Raises:
        Failure: it is none, too long, or too slow.
    """
    body = b"".join(_pieces(response, timing, MAX_BODY_BYTES))
    text = body.decode("utf-8-sig", "replace")
    try:
        return json.loads(text), text
    except (ValueError, RecursionError):
        raise _unreadable(response, headers, text, "JSON") from None


def read_events(
    response: requests.Response,
    headers: Mapping[str, str],
    timing: Timing,
    watch: Callable[[SseEvent], bool] | None,
) -> tuple[SseEvent, ...]:
    """All events of the body, up to the one that ``watch`` calls the last.

    Raises:
        Failure: the body is no event stream, breaks off, is too long or too slow.
    """
    pieces = _pieces(response, timing, MAX_BODY_BYTES)
    if "text/event-stream" not in headers.get("content-type", "text/event-stream").lower():
        text = b"".join(pieces).decode("utf-8", "replace")
        raise _unreadable(response, headers, text, "an event stream")
    decoder = SseDecoder()
    events = []
    for piece in pieces:
        for event in decoder.feed(piece):
            events.append(event)
            if watch is not None and watch(event):
                _finish(response)
                return tuple(events)
    if watch is not None or not events:
        raise Failure(
            "the event stream broke off before its end",
            "network",
            retry=True,
            status=response.status_code,
        )
    return tuple(events)


def _finish(response: requests.Response) -> None:
    """Read the end of a body that holds nothing more, so that its connection can be used again.

    The answer is there: whatever goes wrong or takes long now costs the connection only.
    """
    try:
        for _ in _pieces(response, Timing(time.monotonic() + 1.0, 0.2), MAX_BODY_BYTES):
            pass
    except _FAULTS:
        response.close()


def read_error(response: requests.Response, timing: Timing) -> tuple[Any, str]:
    """The JSON value of an error's body, or ``None``, and its text, as far as they can be read."""
    body = b""
    try:
        for piece in _pieces(response, timing, _MAX_ERROR_BYTES):
            body += piece
    except _FAULTS:
        # The status says enough.
        response.close()
    text = body.decode("utf-8", "replace")
    try:
        return json.loads(text), text
    except (ValueError, RecursionError):
        return None, text


def _unreadable(
    response: requests.Response, headers: Mapping[str, str], text: str, wanted: str
) -> Failure:
    kind = headers.get("content-type", "no content type")
    start = " ".join(text[:300].split())
    return Failure(
        f"the service answered with {kind} instead of {wanted}: {start or 'nothing'}"
        if wanted.split()[-1].lower() not in kind.lower()
        else f"the service's answer is not {wanted}: {start or 'it is empty'}",
        "protocol",
        retry=True,
        status=response.status_code,
        hint="Check that the base URL is the API's, and not that of a page or a proxy.",
    )
