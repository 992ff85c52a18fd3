"""A request to a Chat Completions API, OpenAI's own or one that is made like it.

The format is that of OpenAI's "Create chat completion" and its streaming
(developers.openai.com/api, from excerpts and clients found on 2026-11-30). What other servers do
otherwise is taken too: a text in parts, an error in a response with status 200 (OpenRouter,
"Errors"), reasoning beside the text (vLLM, SGLang, OpenRouter), no usage (Ollama), a stream
answered as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from pytest_vsb.provers.chat import ChatProver, Completion
from pytest_vsb.provers.http import AnswerFault, HttpCode, SseEvent
from pytest_vsb.provers.json_values import as_count, as_list, as_object, as_text
from pytest_vsb.provers.tokens import Tokens

_TRUNCATED = frozenset({"length", "max_tokens", "max_length"})
_FILTERED = frozenset({"content_filter", "safety", "recitation", "prohibited_content"})
_CODES: Mapping[int, HttpCode] = {
    401: "auth",
    402: "quota",
    403: "policy",
    404: "not_found",
    408: "timeout",
    429: "rate_limited",
}


def ask_chat(
    prover: ChatProver,
    body: Mapping[str, Any],
    estimated: int,
    begun: Callable[[], None],
    *,
    stream: bool,
) -> Completion:
    """Send ``body`` to the path ``chat/completions`` and return the first choice.

    Args:
        prover: whose client, secrets and pace to use.
        body: the request without what asks for a stream.
        estimated: about how many tokens the prompt has.
        begun: is called when the response begins.
        stream: whether to ask for a stream.

    Raises:
        HttpError: there is no response to be had.
    """
    if stream:
        whole = {**body, "stream": True, "stream_options": {"include_usage": True}}
        seen = prover.client.stream_sse(
            "chat/completions", whole, tokens=estimated, watch=lambda event: _watch(event, begun)
        )
        response = assemble(seen.events)
        retries, seconds = seen.retries, seen.seconds
    else:
        answered = prover.client.post_json(
            "chat/completions", body, tokens=estimated, inspect=_inspect
        )
        response = dict(answered.json)
        retries, seconds = answered.retries, answered.seconds
    tokens = _tokens(as_object(response.get("usage")))
    prover.count_tokens(estimated, tokens)
    choice = as_object(next(iter(as_list(response.get("choices"))), None))
    message = as_object(choice.get("message"))
    stop = as_text(choice.get("finish_reason"))
    refusal = as_text(message.get("refusal"))
    return Completion(
        text=_text(message.get("content")),
        tokens=tokens,
        model=as_text(response.get("model")),
        stop=stop,
        raw=prover.client.scrub(json.dumps(response, ensure_ascii=False)),
        retries=retries,
        seconds=seconds,
        problem=_problem(stop, refusal),
        truncated=stop.lower() in _TRUNCATED,
        cost_usd=_cost(response),
    )


def assemble(events: tuple[SseEvent, ...]) -> dict[str, Any]:
    """The response that the chunks of a stream say, as one without streaming has it."""
    response: dict[str, Any] = {}
    parts: dict[str, list[str]] = {}
    stop: str | None = None
    for event in events:
        try:
            chunk = as_object(json.loads(event.data))
        except ValueError:
            continue
        for key in ("id", "model", "created", "provider", "system_fingerprint"):
            if chunk.get(key):
                response[key] = chunk[key]
        if chunk.get("usage"):
            response["usage"] = chunk["usage"]
        for choice in map(as_object, as_list(chunk.get("choices"))):
            if as_count(choice.get("index")) != 0:
                continue
            delta = as_object(choice.get("delta")) or as_object(choice.get("message"))
            for key in ("content", "refusal", "reasoning_content", "reasoning"):
                text = _text(delta.get(key))
                if text:
                    parts.setdefault(key, []).append(text)
            stop = as_text(choice.get("finish_reason")) or stop
    message = {"role": "assistant", "content": "", **{k: "".join(v) for k, v in parts.items()}}
    response["object"] = "chat.completion"
    response["choices"] = [{"index": 0, "message": message, "finish_reason": stop}]
    return response


def _watch(event: SseEvent, begun: Callable[[], None]) -> bool:
    if event.data.strip() == "[DONE]":
        return True
    begun()
    # A stream has a chunk for every token; only those that may say of an error are read here.
    if '"error"' not in event.data:
        return False
    try:
        chunk = as_object(json.loads(event.data))
    except ValueError:
        return False
    if chunk.get("error"):
        raise _fault(chunk["error"])
    return False


def _inspect(value: Any) -> None:
    """See to it that a response with status 200 is one."""
    response = as_object(value)
    if response.get("error"):
        raise _fault(response["error"])
    choice = as_object(next(iter(as_list(response.get("choices"))), None))
    if not isinstance(choice.get("message"), Mapping):
        raise AnswerFault("the service's answer has no choice with a message", code="protocol")


def _fault(error: Any) -> AnswerFault:
    found = as_object(error)
    message = as_text(found.get("message")) or as_text(error) or "no reason was given"
    number = as_count(found.get("code"))
    code = _CODES.get(number, "bad_request" if 400 <= number < 500 else "server")
    retry = code in ("server", "timeout", "rate_limited")
    return AnswerFault(f"the service broke off its answer: {message}", code=code, retry=retry)


def _text(content: Any) -> str:
    """The text of a message, which may come in parts."""
    if isinstance(content, str):
        return content
    parts = [as_object(part) for part in as_list(content)]
    return "".join(as_text(p.get("text")) for p in parts if p.get("type", "text") == "text")


def _problem(stop: str, refusal: str) -> str:
    if refusal:
        return f"the model refused to answer: {refusal}"
    if stop.lower() in _FILTERED:
        return f"the service's content filter stopped the answer ({stop})"
    if stop in ("tool_calls", "function_call"):
        return "the model asked for a tool instead of answering"
    if stop == "error":
        return "the service ended the answer with an error"
    return ""


def _tokens(usage: Mapping[str, Any]) -> Tokens:
    details = as_object(usage.get("prompt_tokens_details"))
    return Tokens(
        input=as_count(usage.get("prompt_tokens")),
        output=as_count(usage.get("completion_tokens")),
        cached=as_count(details.get("cached_tokens")),
        cache_write=as_count(details.get("cache_write_tokens")),
    )


def _cost(response: Mapping[str, Any]) -> float | None:
    """The cost in US dollars, where the service says it (OpenRouter, "Usage accounting")."""
    cost = as_object(response.get("usage")).get("cost")
    known = isinstance(cost, (int, float)) and not isinstance(cost, bool) and cost >= 0
    return float(cost) if known and cost is not None else None
