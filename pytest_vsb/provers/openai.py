"""GPT, by OpenAI's Responses API or its Chat Completions API.

Formats as in OpenAI's documentation at developers.openai.com/api, 2026-11-30: the guide "Deployment
checklist", and, as quoted by clients generated from its OpenAPI document (2.3.0) and by public
notes, "Create a model response", its streaming events, "Create chat completion", "Prompt caching".

Prefixes of a prompt are cached by OpenAI itself; ``prompt_cache_key`` sends a task's requests to
where its context is. From GPT-5.6 on a prefix is only found again up to a breakpoint, which is set
behind the context.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from pytest_vsb.context import Prompt
from pytest_vsb.provers.base import ProofRequest, ProverSpec
from pytest_vsb.provers.chat import ChatProver, Completion, Environment
from pytest_vsb.provers.chat_completions import ask_chat
from pytest_vsb.provers.chat_options import choice, flag, merged
from pytest_vsb.provers.http import AnswerFault, HttpCode, HttpPolicy, SseEvent
from pytest_vsb.provers.json_values import as_count, as_list, as_object, as_text
from pytest_vsb.provers.models import ModelInfo
from pytest_vsb.provers.tokens import Tokens

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")

_ENDS = {"response.completed", "response.incomplete", "response.failed"}
_GPT = re.compile(r"gpt-(?P<major>\d+)(?:\.(?P<minor>\d+))?(?![\d.])")

_FAULTS: Mapping[str, tuple[HttpCode, bool]] = {
    "server_error": ("server", True),
    "rate_limit_exceeded": ("rate_limited", True),
    "insufficient_quota": ("quota", False),
    "invalid_prompt": ("policy", False),
    "content_policy_violation": ("policy", False),
}


class OpenAIProver(ChatProver):
    """A GPT model: ``gpt``, ``gpt/MODEL-ID``, ``openai/MODEL-ID``.

    Own options: ``api`` (``responses`` or ``chat``), ``effort`` (of reasoning) and, with
    ``api=chat``, ``seed`` (``yes`` sends the seed of the sample).
    """

    provider = "openai"
    default_model = "gpt"
    key_variables = ("OPENAI_API_KEY",)
    url_variables = ("OPENAI_BASE_URL",)
    default_url = "https://api.openai.com/v1"
    own_options = ("api", "effort", "seed")
    fixed_body = frozenset({"model", "input", "instructions", "messages", "stream", "n", "tools"})
    cache_seconds: ClassVar[float | None] = 1800.0

    def __init__(
        self,
        spec: ProverSpec,
        *,
        policy: HttpPolicy | None = None,
        environment: Environment = os.environ,
    ) -> None:
        self._account = {
            "OpenAI-Organization": environment.get("OPENAI_ORG_ID", "").strip(),
            "OpenAI-Project": environment.get("OPENAI_PROJECT_ID", "").strip(),
        }
        super().__init__(spec, policy=policy, environment=environment)
        self._api = choice(spec.options, "api", ("responses", "chat")) or "responses"
        self._effort = choice(spec.options, "effort", EFFORTS)
        self._seed = flag(spec.options, "seed", False)
        self._breakpoints = _has_breakpoints(self.model)

    def headers(self) -> Mapping[str, str]:
        account = {name: value for name, value in self._account.items() if value}
        return {**super().headers(), **account}

    def describe(self) -> Mapping[str, str]:
        return {
            "api": self._api,
            "effort": self._effort or "default",
            "seed": "of the sample" if self._seed and self._api == "chat" else "none",
        }

    def complete(
        self, prompt: Prompt, request: ProofRequest, begun: Callable[[], None]
    ) -> Completion:
        if self._api == "chat":
            return ask_chat(
                self, self.chat_body(prompt, request), self.estimate(prompt), begun, stream=True
            )
        estimated = self.estimate(prompt)

        def watch(event: SseEvent) -> bool:
            return _watch(event, begun)

        stream = self.client.stream_sse(
            "responses", self.body(prompt), tokens=estimated, watch=watch
        )
        response = as_object(as_object(json.loads(stream.events[-1].data)).get("response"))
        tokens = _tokens(as_object(response.get("usage")))
        self.count_tokens(estimated, tokens)
        text, refusal = _output(response)
        why = as_text(as_object(response.get("incomplete_details")).get("reason"))
        stop = why or ("refusal" if refusal else as_text(response.get("status")))
        return Completion(
            text=text,
            tokens=tokens,
            model=as_text(response.get("model")),
            stop=stop,
            raw=self.client.scrub(json.dumps(response, ensure_ascii=False)),
            retries=stream.retries,
            seconds=stream.seconds,
            problem=_problem(why, refusal),
            truncated=response.get("status") == "incomplete",
        )

    def body(self, prompt: Prompt) -> dict[str, Any]:
        """The body of a request to the Responses API."""
        first = [self._marked("input_text", prompt.context)] if prompt.context else []
        first.append({"type": "input_text", "text": prompt.task})
        items: list[dict[str, Any]] = [{"role": "user", "content": first}]
        for turn in prompt.turns:
            kind = "output_text" if turn.role == "assistant" else "input_text"
            items.append({"role": turn.role, "content": [{"type": kind, "text": turn.text}]})
        body: dict[str, Any] = {
            "model": self.model.id,
            "input": items,
            "stream": True,
            "store": False,
            "prompt_cache_key": _cache_key(prompt),
        }
        if prompt.system:
            body["instructions"] = prompt.system
        if self._effort:
            body["reasoning"] = {"effort": self._effort}
        if self.options.max_tokens is not None:
            body["max_output_tokens"] = self.options.max_tokens
        if self.options.temperature is not None:
            body["temperature"] = self.options.temperature
        return merged(body, self.options.body)

    def chat_body(self, prompt: Prompt, request: ProofRequest) -> dict[str, Any]:
        """The body of a request to the Chat Completions API."""
        first = [self._marked("text", prompt.context)] if prompt.context else []
        first.append({"type": "text", "text": prompt.task})
        messages: list[dict[str, Any]] = []
        if prompt.system:
            messages.append({"role": "developer", "content": prompt.system})
        messages.append({"role": "user", "content": first})
        messages += [{"role": turn.role, "content": turn.text} for turn in prompt.turns]
        body: dict[str, Any] = {
            "model": self.model.id,
            "messages": messages,
            "store": False,
            "prompt_cache_key": _cache_key(prompt),
        }
        if self._effort:
            body["reasoning_effort"] = self._effort
        if self.options.max_tokens is not None:
            body["max_completion_tokens"] = self.options.max_tokens
        if self.options.temperature is not None:
            body["temperature"] = self.options.temperature
        if self._seed:
            body["seed"] = request.seed
        return merged(body, self.options.body)

    def _marked(self, kind: str, text: str) -> dict[str, Any]:
        part: dict[str, Any] = {"type": kind, "text": text}
        if self._breakpoints:
            part["prompt_cache_breakpoint"] = {"mode": "explicit"}
        return part


def _watch(event: SseEvent, begun: Callable[[], None]) -> bool:
    if event.event.endswith(".delta"):
        return False
    try:
        data = as_object(json.loads(event.data))
    except ValueError:
        return False
    kind = as_text(data.get("type")) or event.event
    if kind == "response.output_item.added":
        begun()
    elif kind == "error":
        raise _fault(data)
    elif kind == "response.failed":
        raise _fault(as_object(as_object(data.get("response")).get("error")))
    return kind in _ENDS


def _output(response: Mapping[str, Any]) -> tuple[str, str]:
    """The text of the answer, and that of a refusal."""
    texts: list[str] = []
    refusals: list[str] = []
    for item in map(as_object, as_list(response.get("output"))):
        if item.get("type") != "message":
            continue
        for part in map(as_object, as_list(item.get("content"))):
            if part.get("type") == "output_text":
                texts.append(as_text(part.get("text")))
            elif part.get("type") == "refusal":
                refusals.append(as_text(part.get("refusal")) or "no reason was given")
    return "".join(texts), " ".join(refusals)


def _problem(incomplete: str, refusal: str) -> str:
    if refusal:
        return f"the model refused to answer: {refusal}"
    if incomplete == "content_filter":
        return "the service's content filter stopped the answer"
    return ""


def _tokens(usage: Mapping[str, Any]) -> Tokens:
    details = as_object(usage.get("input_tokens_details"))
    return Tokens(
        input=as_count(usage.get("input_tokens")),
        output=as_count(usage.get("output_tokens")),
        cached=as_count(details.get("cached_tokens")),
        cache_write=as_count(details.get("cache_write_tokens")),
    )


def _fault(error: Mapping[str, Any]) -> AnswerFault:
    # An "error" event has its fields beside its type; in some versions, within "error".
    error = as_object(error.get("error")) or error
    kind = as_text(error.get("code")) or as_text(error.get("type"))
    code, retry = _FAULTS.get(kind, ("server", True))
    message = as_text(error.get("message")) or kind or "no reason was given"
    said = "refuses to answer" if code == "policy" else "broke off its answer"
    return AnswerFault(f"the service {said}: {message}", code=code, retry=retry)


def _cache_key(prompt: Prompt) -> str:
    """The same for all requests with the same beginning; at most 64 characters."""
    data = f"{prompt.system}\0{prompt.context}".encode("utf-8", "replace")
    return f"vsb-{hashlib.sha256(data).hexdigest()[:32]}"


def _has_breakpoints(model: ModelInfo) -> bool:
    found = _GPT.match(model.id)
    return found is not None and (int(found["major"]), int(found["minor"] or 0)) >= (5, 6)
