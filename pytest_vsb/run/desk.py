"""Asking a prover for several samples at once, while the asker goes on with other work."""

from __future__ import annotations

import dataclasses
import queue
import threading
import time
import traceback
from dataclasses import dataclass

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.provers.base import Answer, Excluded, ProofRequest, Prover, ProverUnavailable
from pytest_vsb.run.history import Place
from pytest_vsb.waits import take


@dataclass(frozen=True)
class Reply:
    """What a prover said, or why it could not, and when it was asked (seconds since the epoch)."""

    answer: Answer | EnvironmentUnavailable | None
    started: float


class Desk:
    """Takes requests to one prover and hands back its replies in the order they come.

    A prover with ``concurrency`` above one is asked in that many daemon threads; another in the
    caller's own thread, so that an interrupt or a time limit reaches it. Leaving the ``with``
    before all replies are in abandons the rest: threads that wait for a network do not hold up
    the end of the process. A prover with a method ``abandon`` is told, to stop what it runs.
    """

    def __init__(self, prover: Prover) -> None:
        self._prover = prover
        self._width = max(1, int(getattr(prover, "concurrency", 1)))
        self._replies: queue.SimpleQueue[tuple[Place, Reply | BaseException]] = queue.SimpleQueue()
        self._pending = 0

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *exception: object) -> None:
        abandon = getattr(self._prover, "abandon", None)
        if self._pending and abandon is not None:
            abandon()

    @property
    def busy(self) -> bool:
        """Whether a reply is still to come."""
        return self._pending > 0

    @property
    def full(self) -> bool:
        """Whether no more may be asked before a reply has been taken."""
        return self._pending >= self._width

    def ask(self, place: Place, request: ProofRequest) -> None:
        """Ask; the reply comes from :meth:`next_reply`."""
        self._pending += 1
        if self._width == 1:
            self._replies.put((place, ask(self._prover, request)))
            return
        threading.Thread(
            target=self._ask_in_thread, args=(place, request), name="vsb-prover", daemon=True
        ).start()

    def _ask_in_thread(self, place: Place, request: ProofRequest) -> None:
        try:
            self._replies.put((place, ask(self._prover, request)))
        except BaseException as error:
            self._replies.put((place, error))

    def next_reply(self) -> tuple[Place, Reply]:
        """The next reply, waiting for it."""
        place, reply = take(self._replies)
        self._pending -= 1
        if isinstance(reply, BaseException):
            raise reply
        return place, reply


def ask(prover: Prover, request: ProofRequest) -> Reply:
    """Ask a prover, whose code may be anybody's: what it raises is no failure to prove."""
    started, clock = time.time(), time.monotonic()
    answer: Answer | EnvironmentUnavailable | None
    try:
        answer = prover.prove(request)
    except Excluded:
        raise
    except EnvironmentUnavailable as error:
        answer = error
    except (Exception, SystemExit) as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        answer = ProverUnavailable(
            f"prover {prover.name!r} raised {type(error).__name__}: {error}",
            where=f"{place.filename}:{place.lineno}",
        )
    if answer is not None and not isinstance(answer, (Answer, EnvironmentUnavailable)):
        answer = ProverUnavailable(
            f"prover {prover.name!r} returned {type(answer).__name__}, not Answer or None"
        )
    if isinstance(answer, Answer) and not answer.usage.seconds:
        seconds = time.monotonic() - clock
        answer = dataclasses.replace(
            answer, usage=dataclasses.replace(answer.usage, seconds=seconds)
        )
    return Reply(answer, started)
