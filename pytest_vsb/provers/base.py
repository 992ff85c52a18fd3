"""What a prover is: the protocol, what it is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pytest_vsb.errors import EnvironmentUnavailable, VsbError
from pytest_vsb.lean.diagnostics import Diagnostic
from pytest_vsb.tasks.model import Task

if TYPE_CHECKING:
    from pytest_vsb.context.records import TaskContext


class ProverUnavailable(EnvironmentUnavailable):
    """The prover cannot answer: a service is down, a key or a recorded answer is missing."""


class Excluded(VsbError):
    """The task is none for this prover, such as one that is longer than its context window.

    Raised before anything is answered. It is neither the prover's failure nor the environment's:
    the task leaves the results of this prover and is listed as excluded.
    """


@dataclass(frozen=True)
class Usage:
    """What one answer took, by the provider's own numbers.

    Tokens are counts; ``input_tokens`` are all of the input, of which ``cached_tokens`` were read
    from the provider's cache, and ``output_tokens`` include those of thinking. ``cost_usd`` is
    ``None`` where no price is known. ``seconds`` is the wall-clock time the prover needed.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        known = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            cost_usd=sum(known) if known else None,
            seconds=self.seconds + other.seconds,
        )


@dataclass(frozen=True)
class Candidate:
    """A proof to be judged: auxiliary declarations to go before the target, and the proof.

    ``proof`` may begin with ``:=``, ``by``, ``|``, ``where`` or a term.
    """

    proof: str
    auxiliary: str = ""
    reasoning: str = ""


@dataclass(frozen=True)
class Answer:
    """What a prover gives back for one request.

    ``candidate`` is ``None`` where the response held no usable proof; ``malformed`` then says
    why. ``response`` is the raw response with secrets removed; a run keeps it in a file named by
    ``response_digest``, which the run fills in. ``model`` is the model that really answered, as
    the provider names it; ``stop`` why it stopped, in the provider's word. ``retries`` counts the
    requests that failed before this answer; ``leniencies`` names what was forgiven in reading it.
    """

    candidate: Candidate | None
    malformed: str = ""
    usage: Usage = Usage()
    response: str = ""
    response_digest: str = ""
    prompt_digest: str = ""
    model: str = ""
    stop: str = ""
    retries: int = 0
    leniencies: tuple[str, ...] = ()


@dataclass(frozen=True)
class Problem:
    """One diagnostic of a failed candidate, with the source lines around it, numbered."""

    diagnostic: Diagnostic
    excerpt: str = ""


@dataclass(frozen=True)
class Feedback:
    """One earlier round of the same sample: what was tried and what came of it.

    ``outcome`` is the verdict kind, such as ``rejected``; ``reason`` its explanation.
    """

    round: int
    candidate: Candidate | None
    outcome: str
    reason: str = ""
    problems: tuple[Problem, ...] = ()


def _forget(key: str, value: str) -> None:
    """Where nothing is journaled, nothing is kept."""


def _no_context() -> TaskContext | None:
    """Where nobody says what of the repository is shown, a prompt has its own way."""
    return None


@dataclass(frozen=True)
class ProofRequest:
    """One question to a prover.

    ``task`` carries no reference proof unless the prover's class says ``needs_reference``.
    ``prefix`` is the text of the task's file before the target. ``history`` holds the earlier
    rounds of this sample, oldest first; it is empty in round 0. ``seed`` is the sample's own.

    ``root`` is the Lean project, for provers that take a whole one. ``context()`` is what
    ``--vsb-context`` says that a prover may see of the repository; it is put together when it is
    asked for, once a task, and may raise :class:`Excluded` or ``EnvironmentUnavailable``.
    ``remembered`` is what an earlier session, killed before the answer came, had kept with
    ``remember`` for this very request, such as a remote job's id: a resumed run goes on with it
    instead of paying again.
    """

    task: Task
    prefix: str
    sample: int
    samples: int
    round: int
    seed: int
    history: tuple[Feedback, ...] = ()
    root: Path | None = None
    context: Callable[[], TaskContext | None] = field(
        default=_no_context, compare=False, repr=False
    )
    remembered: Mapping[str, str] = field(default_factory=dict)
    remember: Callable[[str, str], None] = field(default=_forget, compare=False, repr=False)


@runtime_checkable
class Prover(Protocol):
    """Anything that answers proof requests.

    ``name`` identifies it in records. One instance serves one process. It may also have these
    attributes: ``concurrency``, the most requests that it takes at once, each in a thread of its
    own (without it: one at a time); ``default_samples`` and ``default_repairs``, what fits it
    where the user does not say (without them: the paper's protocol); ``answer_seconds``, how long
    one answer may take, so that its items get a time limit to match; ``deterministic``, whether it
    answers alike whenever it is asked alike, so that a lost task is no bad luck. A method
    ``abandon`` is called when a run is interrupted while requests are under way.
    """

    name: str
    needs_reference: bool

    def settings(self) -> Mapping[str, str]:
        """What a reader needs to reproduce the answers, without secrets."""
        ...

    def prove(self, request: ProofRequest) -> Answer | None:
        """Answer ``request``, or ``None`` when there is nothing more to offer for this sample.

        Raises:
            ProverUnavailable: the prover is broken, which is no failure to prove.
            Excluded: the task is beyond what the prover takes at all.
        """
        ...

    def close(self) -> None:
        """Release what is held; called once, also after an interrupt."""
        ...


@dataclass(frozen=True)
class ProverSpec:
    """A prover as named on the command line: ``NAME[/MODEL-ID]`` or ``NAME:ARGUMENT``.

    ``options`` are the ``--vsb-model-option`` pairs.
    """

    name: str
    model_id: str = ""
    argument: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
