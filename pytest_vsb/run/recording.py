"""Recording a run's answers, for the prover ``replay`` to give them again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.provers.base import Answer
from pytest_vsb.provers.recorded import RecordedAnswer, write_in_order, write_recorded
from pytest_vsb.provers.replay import OWN_SETTINGS, PREFIX
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.history import ItemHistory, Place, read_history
from pytest_vsb.run.records import Attempt, TaskFacts
from pytest_vsb.run.responses import ResponseStore


@dataclass(frozen=True)
class Recorded:
    """What a recording holds: answers, the raw responses they name, and how many of those are
    ``lost``: named, but missing from the run directory or damaged."""

    answers: int
    responses: int
    lost: int

    def __str__(self) -> str:
        text = f"{self.answers} answers, {self.responses} raw responses"
        return f"{text}, {self.lost} more are lost" if self.lost else text


def record_run(path: Path, directory: RunDirectory) -> Recorded:
    """Write everything that the prover of a run has answered so far, judged or not, with the raw
    responses and what ``run.json`` says of the prover, to ``path``.

    A recording of a run that replayed a recording is that recording again, as far as it was asked
    for.

    Raises:
        UsageError: the file cannot be written, or the run directory cannot be read.
    """
    tasks = {task.nodeid: task for task in directory.tasks()}
    histories = read_history(directory.path)
    # A run has one prover, and an answer that was not judged does not name it.
    names = (a.prover for history in histories.values() for a in history.attempts.values())
    prover = next(filter(None, names), "")
    items = sorted(histories, key=lambda nodeid: (*_task_key(nodeid, tasks.get(nodeid)), nodeid))

    def answers() -> Iterator[RecordedAnswer]:
        """Item by item, which is sorted but where two items are one task."""
        for _, alike in groupby(items, lambda nodeid: _task_key(nodeid, tasks.get(nodeid))):
            found = [
                answer
                for nodeid in alike
                for answer in _of_item(nodeid, histories[nodeid], tasks.get(nodeid), prover)
            ]
            yield from sorted(found, key=lambda answer: answer.key)

    responses = _Responses(ResponseStore(directory.path / "responses"))
    written = write_in_order(path, answers, _metadata(directory.read()), responses)
    return Recorded(written.answers, written.responses, written.lost)


def write_recording(
    path: Path,
    attempts: Iterable[Attempt],
    tasks: Mapping[str, TaskFacts],
    metadata: Mapping[str, str] | None = None,
) -> int:
    """Write the answers of ``attempts`` to ``path``, and return how many there are.

    ``tasks`` maps nodeids to their tasks. Attempts without an answer (the prover was unavailable,
    the worker died) are left out; of two attempts at one round the later one counts. See
    :func:`record_run` for the raw responses as well.

    Raises:
        UsageError: the file cannot be written.
    """
    ordered = sorted(attempts, key=lambda attempt: attempt.started)
    found = [_of_attempt(attempt, tasks.get(attempt.nodeid)) for attempt in ordered]
    answers = {answer.key: answer for answer in found if answer is not None}
    write_recorded(path, answers.values(), metadata)
    return len(answers)


class _Responses(Mapping[str, str]):
    """The sound responses of a store, read when asked for; not to be iterated over."""

    def __init__(self, store: ResponseStore) -> None:
        self._store = store

    def __getitem__(self, digest: str) -> str:
        try:
            text = self._store.get(digest)
        except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
            raise KeyError(digest) from error
        if hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() != digest:
            raise KeyError(digest)
        return text

    def __iter__(self) -> Iterator[str]:
        return (path.stem for path in self._store.directory.glob("*.json"))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _of_item(
    nodeid: str, history: ItemHistory, facts: TaskFacts | None, prover: str
) -> Iterator[RecordedAnswer]:
    for place in sorted({*history.attempts, *history.answers}):
        if place in history.answers:
            yield _recorded(nodeid, facts, place, history.answers[place], prover)
        else:
            answer = _of_attempt(history.attempts[place], facts)
            if answer is not None:
                yield answer


def _of_attempt(attempt: Attempt, facts: TaskFacts | None) -> RecordedAnswer | None:
    malformed = ""
    if attempt.candidate is None:
        if attempt.verdict.kind is not VerdictKind.MALFORMED:
            return None
        malformed = attempt.verdict.reason
    answer = Answer(
        candidate=attempt.candidate,
        malformed=malformed,
        usage=attempt.usage,
        response_digest=attempt.response_digest,
        prompt_digest=attempt.prompt_digest,
        model=attempt.model,
        stop=attempt.stop,
        retries=attempt.retries,
        leniencies=attempt.leniencies,
    )
    place = (attempt.sample, attempt.round)
    return _recorded(attempt.nodeid, facts, place, answer, attempt.prover)


def _task_key(nodeid: str, facts: TaskFacts | None) -> tuple[str, str]:
    """The suite and the name of an item's task, by which answers are sorted first."""
    if facts is None:
        return "", nodeid.partition("::")[2] or nodeid
    return facts.suite, facts.id


def _recorded(
    nodeid: str, facts: TaskFacts | None, place: Place, answer: Answer | None, prover: str
) -> RecordedAnswer:
    given = answer or Answer(None)
    candidate = given.candidate
    malformed = ""
    if answer is not None and candidate is None:
        malformed = answer.malformed or "the response held no proof"
    suite, task = _task_key(nodeid, facts)
    return RecordedAnswer(
        task=task,
        suite=suite,
        sample=place[0],
        round=place[1],
        auxiliary=candidate.auxiliary if candidate else "",
        proof=candidate.proof if candidate else None,
        reasoning=candidate.reasoning if candidate else "",
        malformed=malformed,
        nothing=answer is None,
        usage=given.usage,
        prompt_digest=given.prompt_digest,
        prover=prover.removeprefix(PREFIX),
        task_digest=facts.digest if facts else "",
        response_digest=given.response_digest,
        model=given.model,
        stop=given.stop,
        retries=given.retries,
        leniencies=given.leniencies,
    )


def _metadata(run: Mapping[str, Any]) -> dict[str, str]:
    """What a reader needs to know of the run: the prover, its settings and the protocol."""
    identity = run["identity"]
    prover: Mapping[str, Any] = identity.get("prover") or {}
    if prover.keys() >= OWN_SETTINGS:
        # The run replayed a recording, whose own metadata the settings hold.
        return {key: str(prover[key]) for key in prover if key not in OWN_SETTINGS}
    found = {key: identity.get(key) for key in ("model", "seed", "repairs")}
    found["samples"] = run.get("samples")
    found["plugin_version"] = run.get("plugin_version")
    found |= {f"prover.{key}": value for key, value in prover.items()}
    return {
        key: value if isinstance(value, str) else msgspec.json.encode(value).decode("utf-8")
        for key, value in found.items()
        if value is not None
    }
