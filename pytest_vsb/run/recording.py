"""Recording a run's answers, for the prover ``replay`` to give them again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.provers.recorded import RecordedAnswer, write_recorded
from pytest_vsb.provers.replay import PREFIX
from pytest_vsb.run.records import Attempt, TaskFacts


def write_recording(
    path: Path,
    attempts: Iterable[Attempt],
    tasks: Mapping[str, TaskFacts],
    metadata: Mapping[str, str] | None = None,
) -> int:
    """Write the answers of ``attempts`` to ``path``, and return how many there are.

    ``tasks`` maps nodeids to their tasks. Attempts without an answer (the prover was unavailable,
    the worker died) are left out; of two attempts at one round the later one counts.

    Raises:
        UsageError: the file cannot be written.
    """
    answers = {answer.key: answer for answer in _answers(attempts, tasks)}
    write_recorded(path, answers.values(), metadata)
    return len(answers)


def _answers(
    attempts: Iterable[Attempt], tasks: Mapping[str, TaskFacts]
) -> Iterator[RecordedAnswer]:
    for attempt in sorted(attempts, key=lambda attempt: attempt.started):
        malformed = ""
        if attempt.candidate is None:
            if attempt.verdict.kind is not VerdictKind.MALFORMED:
                continue
            malformed = attempt.verdict.reason or "no usable proof"
        facts = tasks.get(attempt.nodeid)
        yield RecordedAnswer(
            task=facts.id if facts else attempt.nodeid.partition("::")[2] or attempt.nodeid,
            suite=facts.suite if facts else "",
            sample=attempt.sample,
            round=attempt.round,
            auxiliary=attempt.candidate.auxiliary if attempt.candidate else "",
            proof=attempt.candidate.proof if attempt.candidate else None,
            reasoning=attempt.candidate.reasoning if attempt.candidate else "",
            malformed=malformed,
            usage=attempt.usage,
            prompt_digest=attempt.prompt_digest,
            prover=attempt.prover.removeprefix(PREFIX),
        )
