"""Claude: requests and responses as the Messages API's documentation has them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chat_service import CUT, KEY, TEXT, make, repair_request, request, stream
from http_service import Service, Step, reply, serve

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.anthropic import AnthropicProver
from pytest_vsb.provers.base import Excluded, ProverUnavailable

CACHED = {"cache_control": {"type": "ephemeral"}}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def service() -> Iterator[Service]:
    with serve() as found:
        yield found


def message(
    *texts: str,
    stop: str = "end_turn",
    usage: dict[str, Any] | None = None,
    details: dict[str, Any] | None = None,
) -> Step:
    """The stream of one message, with a thinking block before its text."""
    start = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-5-5",
        "content": [],
        "stop_reason": None,
        "usage": {"input_tokens": 40, "output_tokens": 1, **(usage or {})},
    }
    values: list[dict[str, Any]] = [
        {"type": "message_start", "message": start},
        {"type": "ping"},
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "thinking", "thinking": ""},
        },
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "signature_delta", "signature": "c2ln"},
        },
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    ]
    for text in texts:
        delta = {"type": "text_delta", "text": text}
        values.append({"type": "content_block_delta", "index": 1, "delta": delta})
    ended = {"stop_reason": stop, "stop_sequence": None, "stop_details": details}
    values += [
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 500}},
        {"type": "message_stop"},
    ]
    return stream(*values, named=True)


def test_request_and_answer_are_as_documented(service: Service) -> None:
    counted = {
        "cache_creation_input_tokens": 300,
        "cache_read_input_tokens": 2000,
        "cache_creation": {"ephemeral_5m_input_tokens": 300, "ephemeral_1h_input_tokens": 0},
    }
    service.then(message(TEXT[:30], TEXT[30:], usage=counted))
    prover = make(AnthropicProver, service.url, name="claude", effort="high")
    answer = prover.prove(request())
    assert prover.name == "anthropic/claude-opus-5-5"

    (sent,) = service.requests
    assert (sent.method, sent.path) == ("POST", "/v1/messages")
    assert sent.headers["x-api-key"] == KEY
    assert sent.headers["anthropic-version"] == "2023-06-01"
    assert sent.headers["content-type"] == "application/json"
    assert "authorization" not in sent.headers
    body = sent.json
    (system,) = body.pop("system")
    ((context, task),) = [m["content"] for m in body["messages"]]
    assert [m["role"] for m in body.pop("messages")] == ["user"]
    assert body == {
        "model": "claude-opus-5-5",
        "max_tokens": 128_000,
        "stream": True,
        "thinking": {"type": "adaptive"},
        "output_config": {"effort": "high"},
    }
    assert {**system, "text": ""} == {"type": "text", "text": "", **CACHED}
    assert {**context, "text": ""} == {"type": "text", "text": "", **CACHED}
    assert task == {"type": "text", "text": task["text"]}
    assert "def double" in context["text"]
    assert "double_zero : double 0 = 0" in task["text"]

    assert answer is not None
    assert answer.candidate is not None
    assert answer.candidate.proof == "rfl"
    assert answer.candidate.reasoning == "By computation."
    assert (answer.model, answer.stop) == ("claude-opus-5-5", "end_turn")
    assert (answer.retries, answer.leniencies, answer.malformed) == (0, (), "")
    usage = answer.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (2340, 500, 2000)
    # 40 at 4.00, 2000 at 0.20, 300 at 5.00 and 500 at 20.00 dollars a million.
    assert usage.cost_usd == pytest.approx((40 * 4 + 2000 * 0.2 + 300 * 5 + 500 * 20) / 1e6)
    raw = json.loads(answer.response)
    assert [block["type"] for block in raw["content"]] == ["thinking", "text"]
    assert raw["content"][1]["text"] == TEXT
    assert raw["content"][0]["signature"] == "c2ln"
    assert raw["stop_reason"] == "end_turn"


def test_repair_rounds_are_turns_in_the_exact_form(service: Service) -> None:
    service.then(message(TEXT))
    prover = make(AnthropicProver, service.url)
    first = prover.prove(request())
    again = prover.prove(repair_request())
    assert first is not None
    assert again is not None
    assert first.prompt_digest != again.prompt_digest
    one, two = (sent.json for sent in service.requests)
    # What is cached must be the same to the letter.
    assert one["system"] == two["system"]
    assert one["messages"][0] == two["messages"][0]
    roles = [m["role"] for m in two["messages"]]
    assert roles == ["user", "assistant", "user", "assistant", "user"]
    texts = [m["content"][0]["text"] for m in two["messages"][1:]]
    assert texts[0] == (
        "<reasoning>\nNothing to do.\n</reasoning>\n<auxiliary>\n</auxiliary>\n"
        "<proof>\nby skip\n</proof>"
    )
    assert "unsolved goals" in texts[1]
    assert "5 |   skip" in texts[1]
    assert "⊢ double 0 = 0" in texts[1]
    assert texts[2] == "(no answer)"
    assert "the answer is empty" in texts[3]


@pytest.mark.parametrize(
    ("cache", "expected"),
    [("1h", {"cache_control": {"type": "ephemeral", "ttl": "1h"}}), ("off", {})],
)
def test_caching_can_be_chosen(service: Service, cache: str, expected: dict[str, Any]) -> None:
    counted = {
        "cache_creation_input_tokens": 300,
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 300},
    }
    service.then(message(TEXT, usage=counted))
    answer = make(AnthropicProver, service.url, cache=cache).prove(request())
    body = service.requests[0].json
    for block in (body["system"][0], body["messages"][0]["content"][0]):
        assert {k: v for k, v in block.items() if k not in ("type", "text")} == expected
    assert answer is not None
    assert answer.usage.cost_usd == pytest.approx((40 * 4 + 300 * 8 + 500 * 20) / 1e6)


@pytest.mark.parametrize(
    ("model", "options", "expected"),
    [
        ("claude-sonnet-4-5-20250929", {"thinking": "16000"}, {"type": "enabled"}),
        ("claude-opus-4-6", {"thinking": "16000"}, {"type": "enabled"}),
        ("claude-sonnet-4-5-20250929", {}, None),
        ("some-proxy-model", {}, None),
        ("claude-opus-4-8", {}, {"type": "adaptive"}),
        ("claude-sonnet-5-5", {"thinking": "off"}, {"type": "disabled"}),
        ("haiku", {}, {"type": "adaptive"}),
    ],
)
def test_thinking(
    service: Service, model: str, options: dict[str, str], expected: dict[str, Any] | None
) -> None:
    service.then(message(TEXT))
    make(AnthropicProver, service.url, model=model, **options).prove(request())
    body = service.requests[0].json
    if expected == {"type": "enabled"}:
        expected = {"type": "enabled", "budget_tokens": 16000}
        assert body["max_tokens"] > 16000
    assert body.get("thinking") == expected


@pytest.mark.parametrize(
    ("model", "options", "said"),
    [
        ("claude", {"thinking": "16000"}, "takes no budget"),
        ("claude", {"thinking": "off"}, "always thinks"),
        ("claude", {"thinking": "much"}, "takes no budget"),
        ("claude-opus-4-6", {"thinking": "much"}, "not a number"),
        ("claude-opus-4-6", {"thinking": "100"}, "at least 1024"),
        ("claude-opus-4-6", {"thinking": "9000", "max_tokens": "8000"}, "no room"),
        ("claude", {"temperature": "0.7"}, "takes no temperature"),
        ("claude", {"effort": "hihg"}, "Did you mean 'high'"),
        ("claude", {"max_tokens": "500000"}, "at most 128,000"),
        ("claude", {"cache": "2h"}, "none of 5m, 1h, off"),
    ],
)
def test_what_a_model_does_not_take_is_said_before_a_run(
    model: str, options: dict[str, str], said: str
) -> None:
    with pytest.raises(UsageError) as caught:
        make(AnthropicProver, "http://localhost:1", model=model, **options)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("step", "stop", "said"),
    [
        (
            message(
                stop="refusal",
                details={"type": "refusal", "category": "cyber", "explanation": "Not this."},
            ),
            "refusal",
            "the model refused to answer (cyber: Not this.)",
        ),
        (message(TEXT, stop="refusal"), "refusal", "the model refused to answer"),
        (message(CUT, stop="max_tokens"), "max_tokens", "cut off at the limit"),
        (
            message(stop="model_context_window_exceeded"),
            "model_context_window_exceeded",
            "cut off at the limit",
        ),
        (message(TEXT, stop="pause_turn"), "pause_turn", "paused"),
        (message("  \n"), "end_turn", "the answer is empty (it ended with 'end_turn')"),
        (message("I think that it is true."), "end_turn", "no <proof> section"),
    ],
)
def test_what_is_no_answer(service: Service, step: Step, stop: str, said: str) -> None:
    service.then(step)
    answer = make(AnthropicProver, service.url).prove(request())
    assert answer is not None
    assert answer.candidate is None
    assert said in answer.malformed
    assert answer.stop == stop
    # It is paid for all the same.
    assert answer.usage.output_tokens == 500
    assert answer.usage.cost_usd is not None


def test_a_cut_off_answer_that_is_complete_is_used(service: Service) -> None:
    service.then(message(TEXT, stop="max_tokens"))
    answer = make(AnthropicProver, service.url).prove(request())
    assert answer is not None
    assert answer.candidate is not None
    assert answer.stop == "max_tokens"
    assert answer.leniencies == ("truncated",)


def test_an_overload_in_the_stream_is_tried_again(service: Service) -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    cut_short = [{"type": "message_start", "message": {"model": "m", "usage": {}}}, error]
    service.then(stream(*cut_short, named=True), message(TEXT))
    answer = make(AnthropicProver, service.url).prove(request())
    assert answer is not None
    assert answer.candidate is not None
    assert answer.retries == 1
    assert len(service.requests) == 2


def test_a_key_in_an_error_is_not_shown(service: Service) -> None:
    error = {"type": "authentication_error", "message": f"invalid x-api-key: {KEY}"}
    service.then(reply({"type": "error", "error": error}, status=401))
    with pytest.raises(ProverUnavailable) as caught:
        make(AnthropicProver, service.url).prove(request())
    assert "does not accept the key" in str(caught.value)
    assert KEY not in str(caught.value)
    assert len(service.requests) == 1


def test_a_key_in_an_answer_is_not_kept(service: Service) -> None:
    service.then(message(f"Your key is {KEY}.\n", TEXT))
    answer = make(AnthropicProver, service.url).prove(request())
    assert answer is not None
    assert KEY not in str(answer)
    assert answer.leniencies == ("text-outside",)


def test_a_task_beyond_the_context_window_is_excluded(service: Service) -> None:
    error = {
        "type": "invalid_request_error",
        "message": "prompt is too long: 1200000 tokens > 1000000 maximum",
    }
    service.then(reply({"type": "error", "error": error}, status=400))
    prover = make(AnthropicProver, service.url)
    with pytest.raises(Excluded, match="1200000 tokens"):
        prover.prove(request())
    # A conversation that has grown too long ends the sample, not the task.
    assert prover.prove(repair_request()) is None


def test_a_missing_key_names_its_variable() -> None:
    with pytest.raises(UsageError, match="ANTHROPIC_API_KEY"):
        make(AnthropicProver, "http://localhost:1", key=None)


@pytest.mark.parametrize("key", ["sk-test-ö123456789", "sk-test-\n123456789"])
def test_a_key_that_cannot_be_sent_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(UsageError, match="x-api-key") as caught:
        make(AnthropicProver, "http://localhost:1", key=key)
    assert key not in str(caught.value)
