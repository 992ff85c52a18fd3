"""The generate-check-repair loop over one task: k samples, each with up to r repair rounds."""

from __future__ import annotations

import dataclasses
import hashlib
import time
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol as Interface

from pytest_vsb import __version__
from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.provers.base import (
    Answer,
    Candidate,
    Feedback,
    Problem,
    ProofRequest,
    Prover,
    ProverUnavailable,
)
from pytest_vsb.run.history import Place
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


class Judge(Interface):
    """What the loop needs of a judge; see ``pytest_vsb.judge.check.Checker``."""

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


class TaskLoop:
    """All attempts at one task.

    ``attempts`` of a resumed run and its unjudged ``answers`` are kept: nothing is asked of the
    prover, or judged, twice.

    Args:
        task: the task, with its reference proof if the dataset has it.
        nodeid: names the task in all records.
        attempts: finished attempts of an earlier session, by (sample, round).
        answers: journaled answers of an earlier session.

    ``in_flight`` is the place of the attempt being made, for whoever has to cut it off.
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
        attempts: Mapping[Place, Attempt] | None = None,
        answers: Mapping[Place, Answer | None] | None = None,
    ) -> None:
        self.task = task
        self.nodeid = nodeid
        self.prover = prover
        self.judge = judge
        self.protocol = protocol
        self.recorder = recorder
        self._known = dict(attempts or {})
        self._answers = dict(answers or {})
        self.in_flight: Place | None = None
        self._shown = task if prover.needs_reference else task.without_reference()

    def run(self) -> Iterator[Attempt]:
        """Make all attempts, yielding each as soon as it is journaled.

        A prover that is unavailable ends the sample with an ``unavailable`` attempt, never the
        task: the other samples are still made.
        """
        for sample in range(self.protocol.samples):
            yield from self._sample(sample)

    def _sample(self, sample: int) -> Iterator[Attempt]:
        made: list[Attempt] = []
        for round in range(self.protocol.repairs + 1):
            attempt = self._known.get((sample, round))
            if attempt is None:
                self.in_flight = (sample, round)
                attempt = self._attempt(sample, round, made)
                if attempt is not None:
                    self.recorder.judged(attempt)
                self.in_flight = None
                if attempt is None:
                    return
            made.append(attempt)
            yield attempt
            if attempt.verdict.accepted or not attempt.verdict.counts:
                return

    def _attempt(self, sample: int, round: int, made: list[Attempt]) -> Attempt | None:
        started = time.time()
        answer: Answer | None
        try:
            answer = self._answer(sample, round, made)
        except EnvironmentUnavailable as error:
            answer = Answer(candidate=None)
            verdict = Verdict(VerdictKind.UNAVAILABLE, reason=str(error))
        else:
            if answer is None:
                return None
            verdict = self._judge(answer)
        return self._record(sample, round, verdict, answer, started)

    def cut_off(self, kind: VerdictKind, reason: str) -> Attempt | None:
        """Journal the attempt in flight, if any, as not completed."""
        if self.in_flight is None:
            return None
        verdict = Verdict(kind, reason=reason)
        attempt = self._record(*self.in_flight, verdict, Answer(candidate=None), time.time())
        attempt = dataclasses.replace(attempt, complete=False)
        self.recorder.judged(attempt)
        return attempt

    def _record(
        self, sample: int, round: int, verdict: Verdict, answer: Answer, started: float
    ) -> Attempt:
        return Attempt(
            nodeid=self.nodeid,
            sample=sample,
            round=round,
            verdict=verdict,
            candidate=answer.candidate,
            usage=answer.usage,
            prover=self.prover.name,
            seed=sample_seed(self.protocol.seed, self.nodeid, sample),
            prompt_digest=answer.prompt_digest,
            response_digest=answer.response_digest,
            started=started,
            plugin_version=__version__,
        )

    def _answer(self, sample: int, round: int, made: list[Attempt]) -> Answer | None:
        if (sample, round) in self._answers:
            return self._answers[sample, round]
        request = ProofRequest(
            task=self._shown,
            prefix=self.judge.prefix(self.task),
            sample=sample,
            samples=self.protocol.samples,
            round=round,
            seed=sample_seed(self.protocol.seed, self.nodeid, sample),
            history=tuple(self._feedback(attempt) for attempt in made),
        )
        self.recorder.asked(self.nodeid, sample, round)
        answer = _ask(self.prover, request)
        return self.recorder.answered(self.nodeid, sample, round, answer)

    def _judge(self, answer: Answer) -> Verdict:
        if answer.candidate is None:
            reason = answer.malformed or "the response held no proof"
            return Verdict(VerdictKind.MALFORMED, reason=reason)
        try:
            return self.judge.check(self.task, answer.candidate)
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


def _ask(prover: Prover, request: ProofRequest) -> Answer | None:
    """Ask a prover, whose code may be anybody's: what it raises is no failure to prove."""
    try:
        answer = prover.prove(request)
    except EnvironmentUnavailable:
        raise
    except (Exception, SystemExit) as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        raise ProverUnavailable(
            f"prover {prover.name!r} raised {type(error).__name__}: {error}",
            where=f"{place.filename}:{place.lineno}",
        ) from error
    if answer is not None and not isinstance(answer, Answer):
        raise ProverUnavailable(
            f"prover {prover.name!r} returned {type(answer).__name__}, not Answer or None"
        )
    return answer


def sample_seed(seed: int, nodeid: str, sample: int) -> int:
    """The seed of one sample, 31 bits: the same on every machine, another for every sample."""
    text = f"{seed}\0{nodeid}\0{sample}"
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:4], "big") >> 1
