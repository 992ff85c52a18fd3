"""Gemini, by Google's generateContent.

Formats as in Google's documentation at ai.google.dev, from copies and excerpts of its pages found
on 2026-11-30, not from the live site: "Generating content"
(API reference: ``streamGenerateContent``, ``GenerateContentResponse``, ``FinishReason``), "Gemini
thinking", "Context caching" (prefixes are cached by the service itself; the context comes first
for that).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from pytest_vsb.context import Prompt
from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import ProofRequest, ProverSpec
from pytest_vsb.provers.chat import ChatProver, Completion, Environment
from pytest_vsb.provers.chat_options import choice, flag, merged, number
from pytest_vsb.provers.http import AnswerFault, HttpPolicy, SseEvent
from pytest_vsb.provers.json_values import as_count, as_list, as_object, as_text
from pytest_vsb.provers.tokens import Tokens

EFFORTS = ("minimal", "low", "medium", "high")

_BLOCKED = {
    "SAFETY": "for safety reasons",
    "RECITATION": "because it recites other texts",
    "LANGUAGE": "because of its language",
    "BLOCKLIST": "because of a forbidden term",
    "PROHIBITED_CONTENT": "because of prohibited content",
    "SPII": "because of personal information",
}


class GeminiProver(ChatProver):
    """A Gemini model: ``gemini``, ``gemini/MODEL-ID``.

    Own options: ``effort`` (the thinking level of Gemini 3 and later), ``thinking`` (the thinking
    budget in tokens of Gemini 2.5) and ``seed`` (``yes`` sends the seed of the sample).
    """

    provider = "gemini"
    default_model = "gemini"
    key_variables = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
    url_variables = ("GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL")
    default_url = "https://generativelanguage.googleapis.com"
    own_options = ("effort", "thinking", "seed")
    fixed_body = frozenset({"contents", "systemInstruction", "tools"})

    def __init__(
        self,
        spec: ProverSpec,
        *,
        policy: HttpPolicy | None = None,
        environment: Environment = os.environ,
    ) -> None:
        super().__init__(spec, policy=policy, environment=environment)
        self._effort = choice(spec.options, "effort", EFFORTS)
        self._seed = flag(spec.options, "seed", False)
        self._budget = number(spec.options, "thinking")
        if self._budget is not None and self._effort:
            raise UsageError(
                "a model takes a thinking level or a thinking budget, not both",
                where="--vsb-model-option",
                hint="Leave out effort or thinking.",
            )
        if self._budget is not None and self._budget != int(self._budget):
            raise UsageError(
                "a thinking budget is a whole number", where="--vsb-model-option thinking"
            )

    def headers(self) -> Mapping[str, str]:
        return {"x-goog-api-key": self._key}

    def describe(self) -> Mapping[str, str]:
        return {
            "effort": self._effort or "default",
            "thinking": "default" if self._budget is None else f"{self._budget:g}",
            "seed": "of the sample" if self._seed else "none",
        }

    def complete(
        self, prompt: Prompt, request: ProofRequest, begun: Callable[[], None]
    ) -> Completion:
        estimated = self.estimate(prompt)
        name = quote(self.model.id.removeprefix("models/"), safe="")
        stream = self.client.stream_sse(
            f"v1beta/models/{name}:streamGenerateContent?alt=sse",
            self.body(prompt, request),
            tokens=estimated,
            watch=_watch,
        )
        response = assemble(stream.events)
        tokens = _tokens(as_object(response.get("usageMetadata")))
        self.count_tokens(estimated, tokens)
        candidate = as_object(next(iter(as_list(response.get("candidates"))), None))
        blocked = as_object(response.get("promptFeedback"))
        reason = as_text(blocked.get("blockReason"))
        stop = as_text(candidate.get("finishReason")) or reason
        return Completion(
            text=_text(candidate),
            tokens=tokens,
            model=as_text(response.get("modelVersion")),
            stop=stop,
            raw=self.client.scrub(json.dumps(response, ensure_ascii=False)),
            retries=stream.retries,
            seconds=stream.seconds,
            problem=_problem(candidate, reason),
            truncated=stop == "MAX_TOKENS",
        )

    def body(self, prompt: Prompt, request: ProofRequest) -> dict[str, Any]:
        """The body of a request."""
        first = [{"text": text} for text in (prompt.context, prompt.task) if text]
        contents: list[dict[str, Any]] = [{"role": "user", "parts": first}]
        for turn in prompt.turns:
            role = "model" if turn.role == "assistant" else "user"
            contents.append({"role": role, "parts": [{"text": turn.text}]})
        config: dict[str, Any] = {}
        if self.options.max_tokens is not None:
            config["maxOutputTokens"] = self.options.max_tokens
        if self.options.temperature is not None:
            config["temperature"] = self.options.temperature
        if self._seed:
            config["seed"] = request.seed
        if self._effort:
            config["thinkingConfig"] = {"thinkingLevel": self._effort}
        elif self._budget is not None:
            config["thinkingConfig"] = {"thinkingBudget": int(self._budget)}
        body: dict[str, Any] = {"contents": contents}
        if prompt.system:
            body["systemInstruction"] = {"parts": [{"text": prompt.system}]}
        if config:
            body["generationConfig"] = config
        return merged(body, self.options.body)


def assemble(events: tuple[SseEvent, ...]) -> dict[str, Any]:
    """The response that the chunks of a stream say, as one without streaming has it."""
    response: dict[str, Any] = {}
    candidate: dict[str, Any] = {}
    parts: list[dict[str, Any]] = []
    for event in events:
        try:
            chunk = as_object(json.loads(event.data))
        except ValueError:
            continue
        response.update({k: v for k, v in chunk.items() if k != "candidates"})
        for found in map(as_object, as_list(chunk.get("candidates"))):
            if as_count(found.get("index")) != 0:
                continue
            candidate.update({k: v for k, v in found.items() if k != "content"})
            for part in map(as_object, as_list(as_object(found.get("content")).get("parts"))):
                _add(parts, part)
    if candidate or parts:
        candidate["content"] = {"role": "model", "parts": parts}
        response["candidates"] = [candidate]
    return response


def _add(parts: list[dict[str, Any]], part: Mapping[str, Any]) -> None:
    """Add a part, or its text to the part before if that is of its kind."""
    same = (
        parts
        and isinstance(part.get("text"), str)
        and isinstance(parts[-1].get("text"), str)
        and bool(parts[-1].get("thought")) == bool(part.get("thought"))
    )
    if same:
        parts[-1] = {**parts[-1], **part, "text": parts[-1]["text"] + part["text"]}
    else:
        parts.append(dict(part))


def _watch(event: SseEvent) -> bool:
    try:
        chunk = as_object(json.loads(event.data))
    except ValueError:
        return False
    if chunk.get("error"):
        error = as_object(chunk["error"])
        message = as_text(error.get("message")) or "no reason was given"
        number = as_count(error.get("code"))
        limited = number == 429
        raise AnswerFault(
            f"the service broke off its answer: {message}",
            code="rate_limited" if limited else "server",
            retry=limited or not 400 <= number < 500,
        )
    candidates = [as_object(found) for found in as_list(chunk.get("candidates"))]
    blocked = as_object(chunk.get("promptFeedback")).get("blockReason")
    return bool(blocked) or any(found.get("finishReason") for found in candidates)


def _text(candidate: Mapping[str, Any]) -> str:
    parts = map(as_object, as_list(as_object(candidate.get("content")).get("parts")))
    return "".join(as_text(part.get("text")) for part in parts if not part.get("thought"))


def _problem(candidate: Mapping[str, Any], blocked: str) -> str:
    if blocked:
        return f"the service blocked the prompt ({blocked})"
    stop = as_text(candidate.get("finishReason"))
    if stop in ("", "STOP", "MAX_TOKENS", "FINISH_REASON_UNSPECIFIED"):
        return ""
    said = as_text(candidate.get("finishMessage"))
    why = _BLOCKED.get(stop, "without an answer")
    return f"the service stopped the answer {why} ({stop}{f': {said}' if said else ''})"


def _tokens(usage: Mapping[str, Any]) -> Tokens:
    """Thinking is paid for as output and counted apart from it."""
    return Tokens(
        input=as_count(usage.get("promptTokenCount")),
        output=as_count(usage.get("candidatesTokenCount"))
        + as_count(usage.get("thoughtsTokenCount")),
        cached=as_count(usage.get("cachedContentTokenCount")),
    )
