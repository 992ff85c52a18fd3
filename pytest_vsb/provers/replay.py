"""The prover that gives recorded answers again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import (
    Answer,
    Candidate,
    ProofRequest,
    ProverSpec,
    ProverUnavailable,
)
from pytest_vsb.provers.options import check_no_model, check_options, nearest
from pytest_vsb.provers.recorded import RecordedAnswer, read_recording

PREFIX = "replay:"


class ReplayProver:
    """Gives the answers of a recording: ``replay:FILE``.

    Its name is ``replay:`` and the recorded prover's name, so that scores are told apart from
    the original's, while a recording of it is the same file again.
    """

    needs_reference = False

    def __init__(self, spec: ProverSpec) -> None:
        check_no_model(spec)
        check_options(spec)
        if not spec.argument:
            raise UsageError(
                "prover 'replay' needs a recording",
                where="--vsb-model",
                hint="Write --vsb-model=replay:FILE.",
            )
        self.recording = read_recording(Path(spec.argument).expanduser())
        self.name = PREFIX + ("+".join(self.recording.provers) or self.recording.path.name)
        self._answers = {answer.key: answer for answer in self.recording.answers}

    def settings(self) -> Mapping[str, str]:
        """The recording's own metadata, its file name and its digest."""
        return {
            **self.recording.metadata,
            "recording": self.recording.path.name,
            "recording_sha256": self.recording.digest,
        }

    def prove(self, request: ProofRequest) -> Answer | None:
        """The recorded answer; ``None`` where a later round has none.

        Raises:
            ProverUnavailable: the recording has no answer in round 0 of this sample.
        """
        found = self._find(request)
        if found is None:
            if request.round > 0:
                return None
            raise self._missing(request)
        candidate = None
        if found.proof is not None:
            candidate = Candidate(found.proof, found.auxiliary, found.reasoning)
        return Answer(
            candidate=candidate,
            malformed=found.malformed,
            usage=found.usage,
            prompt_digest=found.prompt_digest,
        )

    def close(self) -> None:
        pass

    def _find(self, request: ProofRequest) -> RecordedAnswer | None:
        task, place = request.task, (request.sample, request.round)
        return self._answers.get((task.suite, task.id, *place)) or self._answers.get(
            ("", task.id, *place)
        )

    def _missing(self, request: ProofRequest) -> ProverUnavailable:
        task = request.task
        samples = sorted(
            {
                answer.sample
                for answer in self.recording.answers
                if answer.task == task.id and answer.suite in ("", task.suite)
            }
        )
        if samples:
            hint = f"It has {len(samples)} of it: {', '.join(map(str, samples[:20]))}."
        else:
            hint = nearest(task.id, {answer.task for answer in self.recording.answers})
        return ProverUnavailable(
            f"no answer recorded for task {task.id!r}, sample {request.sample}",
            where=str(self.recording.path),
            hint=hint.strip() or None,
        )
