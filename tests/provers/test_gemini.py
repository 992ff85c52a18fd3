"""Gemini: requests and responses as the documentation of generateContent has them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chat_service import CUT, KEY, TEXT, make, repair_request, request, stream
from http_service import Service, Step, reply, serve

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import Excluded, ProverUnavailable
from pytest_vsb.provers.gemini import GeminiProver


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def service() -> Iterator[Service]:
    with serve() as found:
        yield found


def chunk(*parts: dict[str, Any], stop: str | None = None, **more: Any) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    if stop is not None:
        candidate["finishReason"] = stop
    usage = {
        "promptTokenCount": 3000,
        "candidatesTokenCount": 200,
        "thoughtsTokenCount": 500,
        "cachedContentTokenCount": 2000,
        "totalTokenCount": 3700,
    }
    return {
        "candidates": [{**candidate, **more}],
        "usageMetadata": usage,
        "modelVersion": "gemini-4-carbon",
        "responseId": "r1",
    }


def content(*texts: str, stop: str = "STOP", **more: Any) -> Step:
    chunks = [chunk({"text": "Thinking.", "thought": True})]
    chunks += [chunk({"text": text}) for text in texts]
    chunks.append(chunk({"text": ""}, stop=stop, **more))
    return stream(*chunks)


def test_request_and_answer_are_as_documented(service: Service) -> None:
    service.then(content(TEXT[:40], TEXT[40:]))
    prover = make(
        GeminiProver, service.url.removesuffix("/v1"), effort="high", max_tokens="4000", seed="yes"
    )
    answer = prover.prove(request())
    assert prover.name == "gemini/gemini-4-carbon"
    (sent,) = service.requests
    assert sent.method == "POST"
    assert sent.path == "/v1beta/models/gemini-4-carbon:streamGenerateContent?alt=sse"
    assert sent.headers["x-goog-api-key"] == KEY
    body = sent.json
    ((system,),) = (body.pop("systemInstruction")["parts"],)
    assert "You prove theorems" in system["text"]
    (user,) = body.pop("contents")
    assert user["role"] == "user"
    context, task = user["parts"]
    assert "def double" in context["text"]
    assert "# Target" in task["text"]
    assert body == {
        "generationConfig": {
            "maxOutputTokens": 4000,
            "seed": 0,
            "thinkingConfig": {"thinkingLevel": "high"},
        }
    }
    assert answer is not None
    assert answer.candidate is not None
    assert answer.candidate.proof == "rfl"
    assert (answer.model, answer.stop) == ("gemini-4-carbon", "STOP")
    usage = answer.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (3000, 700, 2000)
    assert usage.cost_usd == pytest.approx((1000 * 4 + 2000 * 0.2 + 700 * 20) / 1e6)
    raw = json.loads(answer.response)
    assert [part["text"] for part in raw["candidates"][0]["content"]["parts"]] == [
        "Thinking.",
        TEXT,
    ]


def test_repair_rounds_are_turns_of_model_and_user(service: Service) -> None:
    service.then(content(TEXT))
    prover = make(GeminiProver, service.url, thinking="0")
    prover.prove(request())
    prover.prove(repair_request())
    one, two = (sent.json for sent in service.requests)
    assert one["generationConfig"] == {"thinkingConfig": {"thinkingBudget": 0}}
    assert one["contents"][0] == two["contents"][0]
    roles = [turn["role"] for turn in two["contents"]]
    assert roles == ["user", "model", "user", "model", "user"]


@pytest.mark.parametrize(
    ("step", "stop", "said"),
    [
        (
            stream({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}),
            "PROHIBITED_CONTENT",
            "the service blocked the prompt (PROHIBITED_CONTENT)",
        ),
        (content(stop="SAFETY"), "SAFETY", "for safety reasons (SAFETY)"),
        (content(CUT, stop="RECITATION"), "RECITATION", "because it recites"),
        (content(stop="OTHER", finishMessage="Odd."), "OTHER", "(OTHER: Odd.)"),
        (content(CUT, stop="MAX_TOKENS"), "MAX_TOKENS", "cut off at the limit"),
        (content(stop="MAX_TOKENS"), "MAX_TOKENS", "cut off at the limit"),
        (content(), "STOP", "the answer is empty"),
    ],
)
def test_what_is_no_answer(service: Service, step: Step, stop: str, said: str) -> None:
    service.then(step)
    answer = make(GeminiProver, service.url).prove(request())
    assert answer is not None
    assert answer.candidate is None
    assert said in answer.malformed
    assert answer.stop == stop
    assert len(service.requests) == 1


def test_a_failure_in_the_stream_is_tried_again(service: Service) -> None:
    late = {"error": {"code": 503, "status": "UNAVAILABLE", "message": "Overloaded."}}
    service.then(stream(chunk({"text": "x"}), late), content(TEXT))
    answer = make(GeminiProver, service.url).prove(request())
    assert answer is not None
    assert answer.candidate is not None
    assert answer.retries == 1


def test_a_wrong_key_is_said_and_not_shown(service: Service) -> None:
    error = {
        "code": 400,
        "message": f"API key not valid: {KEY}",
        "status": "INVALID_ARGUMENT",
        "details": [{"reason": "API_KEY_INVALID"}],
    }
    service.then(reply({"error": error}, status=400))
    with pytest.raises(ProverUnavailable) as caught:
        make(GeminiProver, service.url).prove(request())
    assert "does not accept the key" in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_task_beyond_the_context_window_is_excluded(service: Service) -> None:
    message = (
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
    )
    service.then(reply({"error": {"code": 400, "message": message}}, status=400))
    with pytest.raises(Excluded, match="1200000"):
        make(GeminiProver, service.url).prove(request())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"effort": "max"}, "none of minimal, low, medium, high"),
        ({"effort": "low", "thinking": "100"}, "not both"),
        ({"thinking": "some"}, "not a number"),
        ({"thinking": "1.5"}, "a whole number"),
    ],
)
def test_wrong_options(options: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        make(GeminiProver, "http://localhost:1", **options)
    assert said in str(caught.value)
