"""What the provers that are chat services have in common.

A prompt is built from the request, sent by :meth:`ChatProver.complete` of a provider's class, and
the answer read. What the provider says of the answer's end decides with the text what becomes of
it: a refusal, a filter or an empty text is a malformed answer; one that was cut off is used only
if it is complete all the same.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from pytest_vsb.context import (
    ParsedAnswer,
    Prompt,
    PromptBuilder,
    RepairProblem,
    RepairRound,
    format_answer,
    parse_answer,
)
from pytest_vsb.context.tokens import estimate_tokens
from pytest_vsb.errors import UsageError
from pytest_vsb.lean import cache
from pytest_vsb.provers.base import (
    Answer,
    Candidate,
    Excluded,
    Feedback,
    ProofRequest,
    ProverSpec,
    ProverUnavailable,
    Usage,
)
from pytest_vsb.provers.chat_options import ChatOptions, read_options
from pytest_vsb.provers.head_start import HeadStart
from pytest_vsb.provers.http import HttpClient, HttpError, HttpPolicy
from pytest_vsb.provers.models import load_models
from pytest_vsb.provers.pace import Pace
from pytest_vsb.provers.secrets import scrub
from pytest_vsb.provers.tokens import Tokens

TRUNCATED = "truncated"
"""Among the leniencies of an answer: it was cut off after all that is needed of it."""

_WORTH_WAITING = 2048
"""Estimated tokens of a shared context from which on it is worth to wait for it to be cached."""

_CONTEXT_SHARE = 0.9
"""What of a window context and answer may take: the rest is for the task, repairs, and estimates
that are too low."""

_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|window|size|limit)|maximum context|(?:prompt|input) is too long"
    r"|input token count|request_too_large|too many (?:input )?tokens|longer than the model",
    re.IGNORECASE,
)

Environment = Mapping[str, str]


@dataclass(frozen=True)
class Completion:
    """One response of a chat service.

    ``problem`` says why ``text`` is no answer, such as a refusal; ``truncated`` that the text ends
    at a limit on tokens. ``stop`` is the provider's word for the end, ``model`` its name for the
    model that answered. ``raw`` is the response as JSON, without secrets; ``seconds`` the time in
    flight, ``retries`` the attempts that failed before. ``cost_usd`` is the provider's own number.
    """

    text: str
    tokens: Tokens
    model: str = ""
    stop: str = ""
    raw: str = ""
    retries: int = 0
    seconds: float = 0.0
    problem: str = ""
    truncated: bool = False
    cost_usd: float | None = None


class ChatProver(ABC):
    """A model behind a chat service. Thread-safe.

    A provider's class says where the service is and what a request to it looks like.

    Args:
        spec: the prover as it was asked for.
        policy: time limits and retries; by default those of the options.
        environment: where keys and base URLs are looked up.

    Raises:
        UsageError: an option is wrong, a key or a base URL is missing, or no model is named.
    """

    needs_reference = False

    provider: ClassVar[str]
    """The provider's name in the table of models and in reports."""
    default_model: ClassVar[str] = ""
    key_variables: ClassVar[tuple[str, ...]] = ()
    """Environment variables with the key; the first that is set counts."""
    key_required: ClassVar[bool] = True
    url_variables: ClassVar[tuple[str, ...]] = ()
    default_url: ClassVar[str] = ""
    own_options: ClassVar[tuple[str, ...]] = ()
    fixed_body: ClassVar[frozenset[str]] = frozenset()
    """Keys of a request's body that options may not set."""
    style: ClassVar[str] = "default"
    read_seconds: ClassVar[float | None] = None
    """The longest silence of the service in seconds; ``None`` where it is silent until the end."""
    cache_seconds: ClassVar[float | None] = None
    """How long the service keeps a context that was marked to be cached, if it can be marked."""

    def __init__(
        self,
        spec: ProverSpec,
        *,
        policy: HttpPolicy | None = None,
        environment: Environment = os.environ,
    ) -> None:
        self.options: ChatOptions = read_options(spec, self.own_options, self.fixed_body)
        table = load_models(self.options.models or None, environment)
        self.model = table.resolve(self.provider, spec.model_id or self.default_model)
        self.name = f"{self.provider}/{self.model.id}"
        self.concurrency = self.options.concurrency
        self._key = self._find_key(environment)
        self._url = self._find_url(environment)
        self._policy = policy or HttpPolicy(
            read_seconds=min(self.read_seconds or self.options.timeout, self.options.timeout),
            total_seconds=self.options.timeout,
            retries=self.options.retries,
        )
        self.answer_seconds = self._policy.total_seconds
        self._builder = PromptBuilder(self.options.templates, self.style)
        self._head_start = HeadStart(self.cache_seconds or 0.0)
        self._lock = threading.Lock()
        self._pace: Pace | None = None
        self._client: HttpClient | None = None
        self._closed = False
        # Says now, not in the middle of a run, that an address or a key cannot be used.
        self._new_client(None).close()

    # What a provider's class defines

    def headers(self) -> Mapping[str, str]:
        """The headers of every request, with the key."""
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}

    @abstractmethod
    def complete(
        self, prompt: Prompt, request: ProofRequest, begun: Callable[[], None]
    ) -> Completion:
        """Send ``prompt`` and return the response. ``begun`` is to be called when it begins.

        Raises:
            HttpError: there is no response to be had.
        """

    def describe(self) -> Mapping[str, str]:
        """The provider's own part of :meth:`settings`."""
        return {}

    def parse(self, text: str, request: ProofRequest, strict: bool) -> ParsedAnswer:
        """Read the text of an answer."""
        return parse_answer(text, request.task, prefix=request.prefix, strict=strict)

    def restate(self, candidate: Candidate, request: ProofRequest) -> str:
        """The answer that says ``candidate``, for the prompt of a repair round."""
        return format_answer(candidate.proof, candidate.auxiliary, candidate.reasoning)

    # The protocol of provers

    @property
    def context_tokens(self) -> int | None:
        """How many tokens of context there may be, so that with the task, the answer and some
        repairs it fits the model's window; None where that is not known."""
        window, output = self.model.context_window, self.options.max_tokens or self.model.max_output
        if window is None:
            return None
        return max(0, int(window * _CONTEXT_SHARE) - (output or 0))

    def settings(self) -> Mapping[str, str]:
        """The model and all that its answers depend on."""
        options = self.options
        found = {
            "provider": self.provider,
            "model": self.model.id,
            "base_url": scrub(self._url, self._secrets),
            "concurrency": str(options.concurrency),
            "temperature": "default" if options.temperature is None else f"{options.temperature:g}",
            "max_tokens": str(options.max_tokens or "default"),
            "strict_format": "yes" if options.strict else "no",
            "prompts": str(options.templates) if options.templates else self.style,
        }
        price = self.model.price
        found["price"] = f"of {price.date.isoformat()}" if price else "unknown"
        if options.body:
            found["body"] = ", ".join(sorted(options.body))
        return {**found, **self.describe()}

    def prove(self, request: ProofRequest) -> Answer | None:
        """The model's answer; ``None`` where the conversation has outgrown its context window.

        Raises:
            ProverUnavailable: the service cannot be used.
            Excluded: the task alone is longer than the context window.
        """
        history = [self._round(past, request) for past in request.history]
        prompt = self._builder.build(request.task, request.prefix, history, request.context())
        try:
            with self._waiting(prompt) as begun:
                completion = self.complete(prompt, request, begun)
        except HttpError as error:
            return self._refused(error, request, prompt)
        return self._answer(completion, request, prompt)

    def close(self) -> None:
        """End all requests and waits."""
        with self._lock:
            self._closed = True
            client, pace = self._client, self._pace
        self._head_start.close()
        if client is not None:
            client.close()
        if pace is not None:
            pace.close()

    # Requests

    @property
    def client(self) -> HttpClient:
        """The client, made with the first request: what only lists tasks leaves nothing behind.

        Raises:
            ProverUnavailable: the prover was closed.
            EnvironmentUnavailable: the pace cannot be shared.
        """
        with self._lock:
            if self._closed:
                raise ProverUnavailable("the prover was closed")
            if self._client is None:
                self._pace = Pace(
                    self._pace_directory(),
                    requests_per_minute=self.options.rpm,
                    tokens_per_minute=self.options.tpm,
                    concurrency=self.options.concurrency,
                )
                self._client = self._new_client(self._pace)
            return self._client

    def estimate(self, prompt: Prompt) -> int:
        """About how many tokens a prompt has, for the pace."""
        parts = [prompt.system, prompt.context, prompt.task, *(turn.text for turn in prompt.turns)]
        return estimate_tokens(parts)

    def count_tokens(self, estimated: int, tokens: Tokens) -> None:
        """Correct the pace by what was really used."""
        if self._pace is not None:
            self._pace.correct(estimated, tokens.input + tokens.output)

    def _new_client(self, pace: Pace | None) -> HttpClient:
        return HttpClient(
            self._url,
            headers=self.headers(),
            secrets=self._secrets,
            policy=self._policy,
            pace=pace,
        )

    def _pace_directory(self) -> Path:
        if self.options.pace_directory is not None:
            return self.options.pace_directory
        # Limits are those of an account: all runs that use its key keep them together.
        account = hashlib.sha256(f"{self.provider}\0{self._url}\0{self._key}".encode()).hexdigest()
        return cache.directory().path / "pace" / account[:32]

    @contextmanager
    def _waiting(self, prompt: Prompt) -> Iterator[Callable[[], None]]:
        shared = [prompt.system, prompt.context]
        if self.cache_seconds is None or estimate_tokens(shared) < _WORTH_WAITING:
            yield lambda: None
            return
        with self._head_start.wait(hashlib.sha256("\0".join(shared).encode()).hexdigest()) as begun:
            yield begun

    # Answers

    def _round(self, past: Feedback, request: ProofRequest) -> RepairRound:
        return RepairRound(
            answer=self.restate(past.candidate, request) if past.candidate else "",
            kind=past.outcome,
            reason=past.reason,
            problems=tuple(
                RepairProblem(
                    message=problem.diagnostic.message,
                    excerpt=problem.excerpt,
                    # Lean's message mostly ends with the goal.
                    goal=_unsaid(problem.diagnostic.goal, problem.diagnostic.message),
                    region=problem.diagnostic.region,
                )
                for problem in past.problems
            ),
        )

    def _answer(self, completion: Completion, request: ProofRequest, prompt: Prompt) -> Answer:
        # A service may repeat a key, and what is read from a text is kept and shown.
        completion = replace(
            completion,
            text=scrub(completion.text, self._secrets),
            problem=scrub(completion.problem, self._secrets),
        )
        answer = Answer(
            candidate=None,
            usage=self._usage(completion),
            response=completion.raw,
            prompt_digest=prompt.digest,
            model=completion.model or self.model.id,
            stop=completion.stop,
            retries=completion.retries,
        )
        if completion.problem:
            return replace(answer, malformed=completion.problem)
        if not completion.text.strip() and not completion.truncated:
            ended = f" (it ended with {completion.stop!r})" if completion.stop else ""
            return replace(answer, malformed=f"the answer is empty{ended}")
        strict = self.options.strict or completion.truncated
        parsed = self.parse(completion.text, request, strict)
        notes = parsed.leniencies
        if parsed.proof is None:
            why = parsed.malformed
            if completion.truncated:
                why = (
                    f"the answer was cut off at the limit on its tokens ({completion.stop}, after "
                    f"{completion.tokens.output:,} tokens), before it was complete"
                )
            return replace(answer, malformed=why, leniencies=notes)
        if completion.truncated:
            notes = (*notes, TRUNCATED)
        candidate = Candidate(parsed.proof, parsed.auxiliary, parsed.reasoning)
        return replace(answer, candidate=candidate, leniencies=notes)

    def _usage(self, completion: Completion) -> Usage:
        tokens = completion.tokens
        cost = self.model.cost(
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            cached_tokens=tokens.cached,
            cache_write_tokens=tokens.cache_write,
            long_cache_write_tokens=tokens.long_cache_write,
        )
        return Usage(
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            cached_tokens=tokens.cached,
            cost_usd=completion.cost_usd if cost is None else cost,
            seconds=completion.seconds,
        )

    def _refused(self, error: HttpError, request: ProofRequest, prompt: Prompt) -> Answer | None:
        """What a request that failed for good means for the sample."""
        if error.code == "policy":
            return Answer(
                candidate=None,
                malformed=error.message,
                prompt_digest=prompt.digest,
                model=self.model.id,
                stop="policy",
                retries=error.retried,
            )
        if error.status not in (400, 413, 422) or not _TOO_LONG.search(error.message):
            raise error
        if self.options.max_tokens is not None:
            raise HttpError(
                error.message,
                status=error.status,
                code=error.code,
                retried=error.retried,
                where=error.where,
                hint="Lower the option max-tokens, or leave it out.",
            )
        if request.round > 0:
            return None
        raise Excluded(
            f"the task does not fit into the context window of {self.model.id}: {error.message}"
        )

    # Keys and addresses

    @property
    def _secrets(self) -> tuple[str, ...]:
        return (self._key,) if self._key else ()

    def _find_key(self, environment: Environment) -> str:
        for variable in self.key_variables:
            key = environment.get(variable, "").strip()
            if key:
                return key
        if self.key_required:
            raise UsageError(
                f"prover {self.provider!r} needs a key",
                where="--vsb-model",
                hint=f"Set the environment variable {' or '.join(self.key_variables)}.",
            )
        return ""

    def _find_url(self, environment: Environment) -> str:
        if self.options.base_url:
            return self.options.base_url
        for variable in self.url_variables:
            url = environment.get(variable, "").strip()
            if url:
                return url
        if self.default_url:
            return self.default_url
        raise UsageError(
            f"prover {self.provider!r} needs the address of its server",
            where="--vsb-model",
            hint=f"Set the environment variable {' or '.join(self.url_variables)}, or "
            "--vsb-model-option base-url=URL, such as http://localhost:8000/v1.",
        )


def user_text(prompt: Prompt) -> str:
    """The first user message as one text."""
    return "\n\n".join(filter(None, (prompt.context, prompt.task)))


def _unsaid(goal: str | None, message: str) -> str:
    return goal if goal and goal.strip() not in message else ""
