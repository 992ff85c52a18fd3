"""The generate-check-repair loop over one task: k samples, each with up to r repair rounds."""

from __future__ import annotations

import dataclasses
import hashlib
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol as Interface

from pytest_vsb import __version__
from pytest_vsb.context.records import TaskContext
from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.originals import StubFails
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.provers.base import (
    Answer,
    Candidate,
    Feedback,
    Problem,
    ProofRequest,
    Prover,
)
from pytest_vsb.run.budget import Budget, BudgetExhausted
from pytest_vsb.run.contexts import Contexts
from pytest_vsb.run.desk import Desk, Reply
from pytest_vsb.run.history import ItemHistory, Place
from pytest_vsb.run.records import Attempt
from pytest_vsb.tasks.model import Task

FEEDBACK_PROBLEMS = 8
"""How many diagnostics a repair round is shown; what follows the first few is mostly their echo."""


@dataclass(frozen=True)
class Protocol:
    """How a task is attempted: ``samples`` independent samples (k), each with up to ``repairs``
    further rounds (r) that see what failed. The defaults are the paper's."""

    samples: int = 8
    repairs: int = 3
    seed: int = 0

    @property
    def most_attempts(self) -> int:
        """The most attempts that one task can have."""
        return self.samples * (1 + self.repairs)


class Judge(Interface):
    """What the loop needs of a judge; see ``pytest_vsb.judge.check.Checker``."""

    @property
    def root(self) -> Path: ...

    def prefix(self, task: Task) -> str: ...

    def check(self, task: Task, candidate: Candidate) -> Verdict: ...

    def excerpts(self, task: Task, candidate: Candidate, verdict: Verdict) -> tuple[str, ...]: ...


class Recorder(Interface):
    """Where the loop reports what happens, at once; see ``pytest_vsb.run.journal.Journal``."""

    def asked(self, nodeid: str, sample: int, round: int) -> None: ...

    def answered(
        self, nodeid: str, sample: int, round: int, answer: Answer | None
    ) -> Answer | None:
        """Keep the answer; returns it with its raw response moved to the store."""
        ...

    def judged(self, attempt: Attempt) -> None: ...

    def remembered(self, nodeid: str, sample: int, round: int, key: str, value: str) -> None: ...


class TaskLoop:
    """All attempts at one task.

    ``attempts`` of a resumed run and its unjudged ``answers`` are kept: nothing is asked of the
    prover, or judged, twice. The prover is asked for as many samples at once as its
    ``concurrency`` says; judging and journaling happen in the caller's thread alone.

    Args:
        task: the task, with its reference proof if the dataset has it.
        nodeid: names the task in all records.
        earlier: what the journals say of the item, if the run is resumed.
        budget: whether more may be spent.
        contexts: what provers may see of repositories.
        waits: called once, when nothing is left to be asked for and answers are waited for: there
            may be time for other things.

    ``in_flight`` holds the places that were asked for and are not judged, with their answers as
    far as they have come, for whoever has to cut the item off.
    """

    def __init__(
        self,
        task: Task,
        nodeid: str,
        *,
        prover: Prover,
        judge: Judge,
        protocol: Protocol,
        recorder: Recorder,
        earlier: ItemHistory | None = None,
        budget: Budget | None = None,
        contexts: Contexts | None = None,
        waits: Callable[[], object] | None = None,
    ) -> None:
        self.task = task
        self.nodeid = nodeid
        self.prover = prover
        self.judge = judge
        self.protocol = protocol
        self.recorder = recorder
        self.budget = budget
        self.in_flight: dict[Place, Answer | None] = {}
        self._earlier = earlier or ItemHistory()
        self._known = self._earlier.reusable()
        self._made: dict[int, list[Attempt]] = {}
        self._contexts = contexts
        self._waits = waits
        self._shown = task if prover.needs_reference else task.without_reference()
        if contexts is not None and not contexts.kind.shows_dependencies:
            self._shown = dataclasses.replace(self._shown, dependencies=())

    def run(self) -> Iterator[Attempt]:
        """Make all attempts, yielding each as soon as it is journaled.

        A prover that is unavailable ends the sample with an ``unavailable`` attempt, never the
        task: the other samples are still made.

        Raises:
            BudgetExhausted: nothing more may be asked; what was under way has been judged.
        """
        waiting = deque(range(self.protocol.samples))
        exhausted: BudgetExhausted | None = None
        with Desk(self.prover) as desk:
            while waiting or desk.busy:
                if waiting and not desk.full and exhausted is None:
                    sample = waiting.popleft()
                    place = (sample, len(self._made.setdefault(sample, [])))
                    try:
                        attempt = self._at_once(place, desk)
                    except BudgetExhausted as error:
                        exhausted = error
                        continue
                elif desk.busy:
                    if not waiting and self._waits is not None:
                        self._waits()
                        self._waits = None
                    place, reply = desk.next_reply()
                    attempt = self._received(place, reply)
                else:
                    break
                if attempt is None:
                    continue
                yield attempt
                sample = place[0]
                self._made[sample].append(attempt)
                if self._goes_on(attempt):
                    # A sample that has begun is finished first.
                    waiting.appendleft(sample)
        if exhausted is not None:
            raise exhausted

    def cut_off(self, kind: VerdictKind, reason: str) -> list[Attempt]:
        """Journal the attempts in flight as not completed."""
        attempts = []
        for place, answer in sorted(self.in_flight.items()):
            verdict = Verdict(kind, reason=reason)
            attempt = self._record(place, verdict, answer or Answer(candidate=None), time.time())
            attempt = dataclasses.replace(attempt, complete=False)
            self.recorder.judged(attempt)
            attempts.append(attempt)
        return attempts

    def _goes_on(self, attempt: Attempt) -> bool:
        verdict = attempt.verdict
        return verdict.counts and not verdict.accepted and attempt.round < self.protocol.repairs

    def _at_once(self, place: Place, desk: Desk) -> Attempt | None:
        """The attempt at ``place`` if an earlier session has it or its answer; else ask for it."""
        if place in self._known:
            return self._known[place]
        if place in self._earlier.answers:
            answer = self._earlier.answers[place]
            return None if answer is None else self._judged(place, answer, time.time())
        if self.budget is not None:
            self.budget.check()
        request = self._request(place)
        self.recorder.asked(self.nodeid, *place)
        self.in_flight[place] = None
        desk.ask(place, request)
        return None

    def _received(self, place: Place, reply: Reply) -> Attempt | None:
        """Journal and judge what the prover said; ``None`` if it had nothing more to offer."""
        if isinstance(reply.answer, EnvironmentUnavailable):
            verdict = Verdict(VerdictKind.UNAVAILABLE, reason=str(reply.answer))
            attempt = self._record(place, verdict, Answer(candidate=None), reply.started)
            return self._ended(place, attempt)
        answer = self.recorder.answered(self.nodeid, *place, reply.answer)
        if answer is None:
            del self.in_flight[place]
            return None
        if self.budget is not None:
            self.budget.add(answer.usage)
        self.in_flight[place] = answer
        return self._judged(place, answer, reply.started)

    def _judged(self, place: Place, answer: Answer, started: float) -> Attempt:
        return self._ended(place, self._record(place, self._judge(answer), answer, started))

    def _ended(self, place: Place, attempt: Attempt) -> Attempt:
        self.recorder.judged(attempt)
        self.in_flight.pop(place, None)
        return attempt

    def _record(self, place: Place, verdict: Verdict, answer: Answer, started: float) -> Attempt:
        sample, round = place
        return Attempt(
            nodeid=self.nodeid,
            sample=sample,
            round=round,
            verdict=verdict,
            candidate=answer.candidate,
            usage=answer.usage,
            prover=self.prover.name,
            model=answer.model,
            seed=sample_seed(self.protocol.seed, self.nodeid, sample),
            prompt_digest=answer.prompt_digest,
            response_digest=answer.response_digest,
            stop=answer.stop,
            retries=answer.retries,
            leniencies=answer.leniencies,
            started=started,
            plugin_version=__version__,
        )

    def _request(self, place: Place) -> ProofRequest:
        sample, round = place
        prefix = self.judge.prefix(self.task)

        def context() -> TaskContext | None:
            if self._contexts is None:
                return None
            return self._contexts.of(self.task, self.judge.root, prefix)

        def remember(key: str, value: str) -> None:
            self.recorder.remembered(self.nodeid, sample, round, key, value)

        return ProofRequest(
            task=self._shown,
            prefix=prefix,
            sample=sample,
            samples=self.protocol.samples,
            round=round,
            seed=sample_seed(self.protocol.seed, self.nodeid, sample),
            history=tuple(self._feedback(attempt) for attempt in self._made[sample]),
            root=self.judge.root,
            context=context,
            remembered=self._earlier.remembered.get(place, {}),
            remember=remember,
        )

    def _judge(self, answer: Answer) -> Verdict:
        if answer.candidate is None:
            reason = answer.malformed or "the response held no proof"
            return Verdict(VerdictKind.MALFORMED, reason=reason)
        try:
            return self.judge.check(self.task, answer.candidate)
        except StubFails:
            # No other answer can be judged either: none is to be paid for.
            raise
        except EnvironmentUnavailable as error:
            return Verdict(VerdictKind.UNAVAILABLE, reason=str(error))

    def _feedback(self, attempt: Attempt) -> Feedback:
        verdict = attempt.verdict
        excerpts: tuple[str, ...] = ()
        if attempt.candidate is not None and verdict.diagnostics:
            excerpts = self.judge.excerpts(self.task, attempt.candidate, verdict)
        problems = tuple(
            Problem(diagnostic, excerpts[index] if index < len(excerpts) else "")
            for index, diagnostic in enumerate(verdict.diagnostics[:FEEDBACK_PROBLEMS])
        )
        return Feedback(
            attempt.round, attempt.candidate, str(verdict.kind), verdict.reason, problems
        )


def sample_seed(seed: int, nodeid: str, sample: int) -> int:
    """The seed of one sample, 31 bits: the same on every machine, another for every sample."""
    text = f"{seed}\0{nodeid}\0{sample}"
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:4], "big") >> 1
