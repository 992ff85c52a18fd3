"""What goes into an HTTP client and what comes out of it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_vsb.provers.base import ProverUnavailable
from pytest_vsb.provers.http_errors import HttpCode
from pytest_vsb.provers.sse import SseEvent


@dataclass(frozen=True)
class HttpPolicy:
    """How long to wait and how often to try again. All times are seconds.

    ``read_seconds`` bounds each wait for something to arrive, ``total_seconds`` all attempts of a
    request together while they are in flight: back-off and queueing do not count.

    ``retries`` counts further attempts. Answers that arrive but cannot be read, such as the page
    of a wrong address, are tried again only ``unreadable_retries`` times. The wait before attempt
    n + 1 is even in [0, min(``backoff_cap``, ``backoff_base`` * 2**n)], after what the service
    asks for; a service that asks for more than ``longest_wait`` is given up.
    """

    connect_seconds: float = 10.0
    read_seconds: float = 600.0
    total_seconds: float = 1800.0
    retries: int = 8
    unreadable_retries: int = 2
    backoff_base: float = 1.0
    backoff_cap: float = 60.0
    longest_wait: float = 3600.0


class HttpError(ProverUnavailable):
    """A request that failed for good; nothing in its texts is secret.

    ``status`` is the last HTTP status, ``None`` where there was none. ``code`` says what kind of
    failure it is, ``retried`` how many further attempts were made before giving up.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: HttpCode,
        retried: int = 0,
        where: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, where=where, hint=hint)
        self.status = status
        self.code: HttpCode = code
        self.retried = retried


class AnswerFault(Exception):
    """Raised by whoever looks at an answer (``inspect``, ``watch``) that reports a failure although
    its status is 200. ``wait`` is how many seconds the service asks for."""

    def __init__(
        self,
        message: str,
        *,
        code: HttpCode = "server",
        retry: bool = True,
        wait: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code: HttpCode = code
        self.retry = retry
        self.wait = wait


@dataclass(frozen=True)
class HttpResponse:
    """A successful answer.

    ``headers`` has lower-case names. ``text`` is the body with secrets removed, ``json`` the value
    that the body is. ``retries`` counts the attempts that failed before. ``seconds`` is the time in
    flight of all attempts, ``waited`` the time between them and in the queue.
    """

    status: int
    headers: Mapping[str, str]
    json: Any
    text: str
    retries: int = 0
    seconds: float = 0.0
    waited: float = 0.0


@dataclass(frozen=True)
class SseStream:
    """All events of a stream that arrived whole, in order. Iterating gives (event, data) pairs.

    The other attributes are as in ``HttpResponse``.
    """

    events: tuple[SseEvent, ...]
    status: int
    headers: Mapping[str, str]
    retries: int = 0
    seconds: float = 0.0
    waited: float = 0.0

    def __iter__(self) -> Iterator[SseEvent]:
        return iter(self.events)


def backoff(policy: HttpPolicy, attempt: int, chance: random.Random) -> float:
    """The wait in seconds after failed attempt ``attempt`` (from 0): exponential, full jitter.

    After M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog (2015).
    """
    ceiling = min(policy.backoff_cap, policy.backoff_base * 2.0 ** min(attempt, 60))
    return chance.uniform(0.0, ceiling)


class Headers(dict[str, str]):
    """Headers whose values show in no traceback."""

    def __repr__(self) -> str:
        return f"<headers {', '.join(self)}>"
