"""The prover that gives recorded answers again."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

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
from pytest_vsb.tasks.dataset import task_digest

if TYPE_CHECKING:
    from pytest_vsb.context.prompt import PromptBuilder

PREFIX = "replay:"

OWN_SETTINGS = frozenset({"recording", "recording_sha256"})
"""The settings that are not the recording's own metadata."""

_OPTIONS = ("changed", "prompts", "templates")


class RecordingChanged(UserWarning):
    """A recorded answer was given to another task or another prompt than today's."""


class ReplayProver:
    """Gives the answers of a recording: ``replay:FILE``.

    Its name is ``replay:`` and the recorded prover's name, so that scores are told apart from
    the original's, while a recording of it is the same file again.

    An answer to a task that has changed since is given all the same, with a
    :class:`RecordingChanged` warning for each such task; with the option ``changed=refuse`` it is
    unavailable. With the option ``prompts=STYLE`` the prompts of first answers are built again and
    compared too; ``templates=DIR`` are the templates for that.
    """

    needs_reference = False
    deterministic = True

    def __init__(self, spec: ProverSpec) -> None:
        check_no_model(spec)
        check_options(spec, _OPTIONS)
        self._refuse = _choice(spec, "changed", ("warn", "refuse")) == "refuse"
        self._builder = _builder(spec)
        self._told: set[tuple[str, str]] = set()
        if not spec.argument:
            raise UsageError(
                "prover 'replay' needs a recording",
                where="--vsb-model",
                hint="Write --vsb-model=replay:FILE.",
            )
        self.recording = read_recording(Path(spec.argument).expanduser())
        answers = self.recording.answers
        self.default_samples = max((answer.sample + 1 for answer in answers), default=1)
        self.default_repairs = max((answer.round for answer in answers), default=0)
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
            ProverUnavailable: the recording has no answer in round 0 of this sample, or one to a
                task or prompt that has changed, and such are to be refused.
        """
        found = self._find(request)
        if found is None:
            if request.round > 0:
                return None
            raise self._missing(request)
        self._check(request, found)
        if found.nothing:
            return None
        candidate = None
        if found.proof is not None:
            candidate = Candidate(found.proof, found.auxiliary, found.reasoning)
        return Answer(
            candidate=candidate,
            malformed=found.malformed,
            usage=found.usage,
            response=self.recording.response(found.response_digest),
            response_digest=found.response_digest,
            prompt_digest=found.prompt_digest,
            model=found.model,
            stop=found.stop,
            retries=found.retries,
            leniencies=found.leniencies,
        )

    def close(self) -> None:
        pass

    def _find(self, request: ProofRequest) -> RecordedAnswer | None:
        task, place = request.task, (request.sample, request.round)
        return self._answers.get((task.suite, task.id, *place)) or self._answers.get(
            ("", task.id, *place)
        )

    def _check(self, request: ProofRequest, found: RecordedAnswer) -> None:
        """Say or refuse what has changed since the answer was recorded."""
        task = request.task
        if found.task_digest and found.task_digest != task_digest(task):
            changed = "task"
        elif self._prompt(request, found) != found.prompt_digest:
            changed = "prompt"
        else:
            return
        message = f"the {changed} of {task.id!r} has changed since its answers were recorded"
        if self._refuse:
            raise ProverUnavailable(message, where=str(self.recording.path))
        if (changed, task.id) not in self._told:
            self._told.add((changed, task.id))
            warnings.warn(f"{self.recording.path}: {message}", RecordingChanged, stacklevel=1)

    def _prompt(self, request: ProofRequest, found: RecordedAnswer) -> str:
        """The digest of today's prompt; the recorded one's where the two cannot be compared."""
        if self._builder is None or request.round > 0 or not found.prompt_digest:
            return found.prompt_digest
        return self._builder.build(request.task, request.prefix, context=request.context()).digest

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


def _choice(spec: ProverSpec, option: str, valid: tuple[str, ...]) -> str:
    """The value of an option that has a few; the first is the default."""
    value = spec.options.get(option, valid[0])
    if value not in valid:
        raise UsageError(
            f"{value!r} is none of {', '.join(valid)}",
            where=f"--vsb-model-option {option}",
            hint=nearest(value, valid).strip() or None,
        )
    return value


def _builder(spec: ProverSpec) -> PromptBuilder | None:
    """What builds the prompts to compare, if that was asked for."""
    style, templates = spec.options.get("prompts"), spec.options.get("templates")
    if style is None:
        if templates is not None:
            raise UsageError(
                "templates are for comparing prompts",
                where="--vsb-model-option templates",
                hint="Add --vsb-model-option=prompts=default.",
            )
        return None
    from pytest_vsb.context.prompt import PromptBuilder

    return PromptBuilder(Path(templates).expanduser() if templates else None, style)
