"""Claude, by Anthropic's Messages API.

Formats as in Anthropic's documentation at platform.claude.com/docs/en, from copies and excerpts
of its pages found on 2026-11-30, not from the live site:
"Messages" (API reference), "Streaming Messages", "Prompt caching", "Adaptive thinking", "Effort",
"Stop reasons and fallback", "What's new in Claude Opus 5.5".

The system prompt and the task's context are marked to be cached, since they are sent again for
every sample and repair round. Responses are streamed: long ones would run into time limits on the
way.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from pytest_vsb.context import Prompt
from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import ProofRequest, ProverSpec
from pytest_vsb.provers.chat import ChatProver, Completion, Environment
from pytest_vsb.provers.chat_options import choice, count, merged
from pytest_vsb.provers.http import AnswerFault, HttpCode, HttpPolicy, SseEvent
from pytest_vsb.provers.json_values import as_count, as_list, as_object, as_text
from pytest_vsb.provers.models import ModelInfo
from pytest_vsb.provers.tokens import Tokens

VERSION = "2023-06-01"
"""The version of the API, which a request names."""

EFFORTS = ("low", "medium", "high", "xhigh", "max")

_MAX_TOKENS = 32_000
_ANSWER_TOKENS = 8_000
"""Room that a thinking budget leaves for the answer itself."""
_SMALLEST_BUDGET = 1024

_VERSION = re.compile(r"claude-(?P<family>[a-z]+)-(?P<major>\d+)(?:-(?P<minor>\d{1,2}))?(?!\d)")

_FAULTS: Mapping[str, tuple[HttpCode, bool]] = {
    "overloaded_error": ("rate_limited", True),
    "rate_limit_error": ("rate_limited", True),
    "api_error": ("server", True),
    "timeout_error": ("timeout", True),
    "authentication_error": ("auth", False),
    "permission_error": ("permission", False),
    "billing_error": ("quota", False),
    "not_found_error": ("not_found", False),
    "invalid_request_error": ("bad_request", False),
}

_STOPS = {
    "pause_turn": "the model paused and gave no answer",
    "tool_use": "the model asked for a tool instead of answering",
}


class AnthropicProver(ChatProver):
    """A Claude model: ``claude``, ``claude/MODEL-ID``, ``anthropic/MODEL-ID``.

    Own options: ``thinking`` (``adaptive``, ``off``, or a budget in tokens for models that take
    one), ``effort`` (how much the model spends on an answer) and ``cache`` (``5m``, ``1h`` or
    ``off``: how long contexts are kept).
    """

    provider = "anthropic"
    default_model = "claude"
    key_variables = ("ANTHROPIC_API_KEY",)
    url_variables = ("ANTHROPIC_BASE_URL",)
    default_url = "https://api.anthropic.com"
    own_options = ("thinking", "effort", "cache")
    fixed_body = frozenset({"model", "messages", "system", "stream", "max_tokens", "tools"})
    # The stream is kept alive by "ping" events.
    read_seconds = 600.0
    cache_seconds: ClassVar[float | None] = 300.0

    def __init__(
        self,
        spec: ProverSpec,
        *,
        policy: HttpPolicy | None = None,
        environment: Environment = os.environ,
    ) -> None:
        super().__init__(spec, policy=policy, environment=environment)
        self._effort = choice(spec.options, "effort", EFFORTS)
        self._cache = choice(spec.options, "cache", ("5m", "1h", "off")) or "5m"
        self._budget: int | None = None
        self._thinking = self._read_thinking(spec)
        self._max_tokens = self._find_max_tokens()
        if self.options.temperature is not None and _sampling_is_refused(self.model):
            raise UsageError(
                f"{self.model.id} takes no temperature", where="--vsb-model-option temperature"
            )

    def _find_url(self, environment: Environment) -> str:
        # Some write the base URL with the version, as other providers have it.
        return super()._find_url(environment).rstrip("/").removesuffix("/v1")

    def headers(self) -> Mapping[str, str]:
        return {"x-api-key": self._key, "anthropic-version": VERSION}

    def describe(self) -> Mapping[str, str]:
        return {
            "max_tokens": str(self._max_tokens),
            "thinking": str(self._budget or self._thinking or "default"),
            "effort": self._effort or "default",
            "cache": self._cache,
        }

    def complete(
        self, prompt: Prompt, request: ProofRequest, begun: Callable[[], None]
    ) -> Completion:
        estimated = self.estimate(prompt)

        def watch(event: SseEvent) -> bool:
            if event.event == "message_start":
                begun()
            elif event.event == "error":
                raise _fault(event.data)
            return event.event == "message_stop"

        stream = self.client.stream_sse(
            "v1/messages", self.body(prompt), tokens=estimated, watch=watch
        )
        message = assemble(stream.events)
        tokens = _tokens(as_object(message.get("usage")))
        self.count_tokens(estimated, tokens)
        stop = as_text(message.get("stop_reason"))
        return Completion(
            text=_text(message),
            tokens=tokens,
            model=as_text(message.get("model")),
            stop=stop,
            raw=self.client.scrub(json.dumps(message, ensure_ascii=False)),
            retries=stream.retries,
            seconds=stream.seconds,
            problem=_problem(stop, as_object(message.get("stop_details"))),
            truncated=stop in ("max_tokens", "model_context_window_exceeded"),
        )

    def body(self, prompt: Prompt) -> dict[str, Any]:
        """The body of a request."""
        first = [self._cached(prompt.context)] if prompt.context else []
        first.append(_block(prompt.task))
        messages = [{"role": "user", "content": first}]
        messages += [{"role": turn.role, "content": [_block(turn.text)]} for turn in prompt.turns]
        body: dict[str, Any] = {
            "model": self.model.id,
            "max_tokens": self._max_tokens,
            "messages": messages,
            "stream": True,
        }
        if prompt.system:
            body["system"] = [self._cached(prompt.system)]
        if self._budget is not None:
            body["thinking"] = {"type": "enabled", "budget_tokens": self._budget}
        elif self._thinking:
            kind = "disabled" if self._thinking == "off" else "adaptive"
            body["thinking"] = {"type": kind}
        if self._effort:
            body["output_config"] = {"effort": self._effort}
        if self.options.temperature is not None:
            body["temperature"] = self.options.temperature
        return merged(body, self.options.body)

    def _cached(self, text: str) -> dict[str, Any]:
        block = _block(text)
        if self._cache != "off":
            block["cache_control"] = {"type": "ephemeral"}
            if self._cache == "1h":
                block["cache_control"]["ttl"] = "1h"
        return block

    # Options

    def _read_thinking(self, spec: ProverSpec) -> str:
        """What the field ``thinking`` says; empty to leave it out. Sets a budget, if there is one.

        Raises:
            UsageError: the model does not take what the option says.
        """
        value = spec.options.get("thinking", "").strip().lower()
        where = "--vsb-model-option thinking"
        adaptive, always = _thinking_of(self.model)
        if value in ("", "adaptive"):
            # Where adaptive thinking exists but is off unless asked for, asking is what is meant.
            return "adaptive" if value or adaptive else ""
        if value == "off":
            if always:
                raise UsageError(
                    f"{self.model.id} always thinks",
                    where=where,
                    hint="Choose a low effort instead: --vsb-model-option effort=low.",
                )
            return "off"
        if adaptive and _budget_is_refused(self.model):
            raise UsageError(
                f"{self.model.id} takes no budget for thinking",
                where=where,
                hint=f"Choose an effort instead, one of {', '.join(EFFORTS)}: "
                "--vsb-model-option effort=high.",
            )
        budget = count(spec.options, "thinking")
        if budget is not None and budget < _SMALLEST_BUDGET:
            raise UsageError(
                f"a thinking budget has at least {_SMALLEST_BUDGET} tokens", where=where
            )
        self._budget = budget
        return ""

    def _find_max_tokens(self) -> int:
        chosen, limit = self.options.max_tokens, self.model.max_output
        if chosen is not None and limit is not None and chosen > limit:
            raise UsageError(
                f"{self.model.id} answers with at most {limit:,} tokens",
                where="--vsb-model-option max-tokens",
            )
        if chosen is not None and self._budget is not None and chosen <= self._budget:
            raise UsageError(
                f"max-tokens={chosen} leaves no room for an answer after {self._budget} tokens of "
                "thinking",
                where="--vsb-model-option",
            )
        least = (self._budget or 0) + _ANSWER_TOKENS
        return chosen or limit or max(_MAX_TOKENS, least)


def assemble(events: tuple[SseEvent, ...]) -> dict[str, Any]:
    """The message that the events of a stream say, as a response without streaming has it."""
    message: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    for event in events:
        try:
            data = as_object(json.loads(event.data))
        except ValueError:
            continue
        kind, index = data.get("type"), as_count(data.get("index"))
        if kind == "message_start":
            message = dict(as_object(data.get("message")))
            blocks = {}
        elif kind == "content_block_start":
            blocks[index] = dict(as_object(data.get("content_block")))
        elif kind == "content_block_delta":
            delta = as_object(data.get("delta"))
            block = blocks.setdefault(index, {"type": "text"})
            for part in ("text", "thinking", "signature"):
                if isinstance(delta.get(part), str):
                    block.setdefault(f"{part}\0", []).append(delta[part])
        elif kind == "message_delta":
            message.update(as_object(data.get("delta")))
            usage = {**as_object(message.get("usage")), **as_object(data.get("usage"))}
            message["usage"] = usage
    for block in blocks.values():
        for part in ("text", "thinking", "signature"):
            pieces = block.pop(f"{part}\0", None)
            if pieces is not None:
                block[part] = as_text(block.get(part)) + "".join(pieces)
    message["content"] = [blocks[index] for index in sorted(blocks)]
    return message


def _block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _text(message: Mapping[str, Any]) -> str:
    blocks = [as_object(block) for block in as_list(message.get("content"))]
    return "".join(as_text(block.get("text")) for block in blocks if block.get("type") == "text")


def _tokens(usage: Mapping[str, Any]) -> Tokens:
    """Anthropic counts cached and written tokens apart from the others."""
    cached = as_count(usage.get("cache_read_input_tokens"))
    written = as_count(usage.get("cache_creation_input_tokens"))
    long = as_count(as_object(usage.get("cache_creation")).get("ephemeral_1h_input_tokens"))
    return Tokens(
        input=as_count(usage.get("input_tokens")) + cached + written,
        output=as_count(usage.get("output_tokens")),
        cached=cached,
        cache_write=max(0, written - long),
        long_cache_write=long,
    )


def _problem(stop: str, details: Mapping[str, Any]) -> str:
    if stop == "refusal":
        said = [as_text(details.get("category")), as_text(details.get("explanation"))]
        more = ": ".join(filter(None, said))
        return f"the model refused to answer{f' ({more})' if more else ''}"
    return _STOPS.get(stop, "")


def _fault(data: str) -> AnswerFault:
    try:
        error = as_object(as_object(json.loads(data)).get("error"))
    except ValueError:
        error = {}
    kind = as_text(error.get("type"))
    code, retry = _FAULTS.get(kind, ("server", True))
    message = as_text(error.get("message")) or kind or "no reason was given"
    return AnswerFault(f"the service broke off its answer: {message}", code=code, retry=retry)


def _version(model: ModelInfo) -> tuple[str, tuple[int, int]] | None:
    found = _VERSION.match(model.id)
    if found is None:
        return None
    return found["family"], (int(found["major"]), int(found["minor"] or 0))


def _thinking_of(model: ModelInfo) -> tuple[bool, bool]:
    """Whether a model has adaptive thinking, and whether it cannot do without."""
    known = _version(model)
    if known is None:
        return False, False
    family, version = known
    always = family in ("fable", "mythos") or (family == "opus" and version >= (5, 5))
    return always or version >= (4, 6), always


def _budget_is_refused(model: ModelInfo) -> bool:
    known = _version(model)
    return known is not None and (known[0] in ("fable", "mythos") or known[1] >= (4, 7))


def _sampling_is_refused(model: ModelInfo) -> bool:
    known = _version(model)
    return known is not None and known[0] != "haiku" and _budget_is_refused(model)
