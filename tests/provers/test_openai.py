"""GPT and OpenAI-compatible servers: requests and responses as OpenAI's documentation has them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chat_service import CUT, KEY, TEXT, make, repair_request, request, stream
from http_service import Service, Step, reply, serve

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import ProverSpec, ProverUnavailable
from pytest_vsb.provers.compatible import CompatibleProver
from pytest_vsb.provers.openai import OpenAIProver

BREAKPOINT = {"prompt_cache_breakpoint": {"mode": "explicit"}}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def service() -> Iterator[Service]:
    with serve() as found:
        yield found


USAGE = {
    "input_tokens": 3000,
    "input_tokens_details": {"cached_tokens": 2000, "cache_write_tokens": 500},
    "output_tokens": 700,
    "output_tokens_details": {"reasoning_tokens": 600},
    "total_tokens": 3700,
}


def response(
    *content: dict[str, Any],
    status: str = "completed",
    reason: str | None = None,
    error: dict[str, Any] | None = None,
) -> Step:
    """The stream of one response of the Responses API."""
    reasoning = {"type": "reasoning", "id": "rs_1", "summary": []}
    final = {
        "id": "resp_1",
        "object": "response",
        "model": "gpt-6.2-sol-2026-11-20",
        "status": status,
        "incomplete_details": {"reason": reason} if reason else None,
        "error": error,
        "output": [reasoning, {"type": "message", "role": "assistant", "content": list(content)}],
        "usage": USAGE,
    }
    return stream(
        {"type": "response.created", "response": {"status": "in_progress"}},
        {"type": "response.output_item.added", "output_index": 0, "item": reasoning},
        {"type": "response.output_text.delta", "delta": "..."},
        {"type": f"response.{status}", "response": final},
        named=True,
    )


def text(value: str) -> dict[str, Any]:
    return {"type": "output_text", "text": value, "annotations": []}


def test_responses_request_and_answer_are_as_documented(service: Service) -> None:
    service.then(response(text(TEXT[:40]), text(TEXT[40:])))
    prover = make(OpenAIProver, service.url, name="gpt", effort="high", max_tokens="50_000")
    answer = prover.prove(request())
    assert prover.name == "openai/gpt-6.2-sol"
    (sent,) = service.requests
    assert (sent.method, sent.path) == ("POST", "/v1/responses")
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    body = sent.json
    (item,) = body.pop("input")
    assert item["role"] == "user"
    context, task = item["content"]
    assert {**context, "text": ""} == {"type": "input_text", "text": "", **BREAKPOINT}
    assert {**task, "text": ""} == {"type": "input_text", "text": ""}
    assert "def double" in context["text"]
    assert "You prove theorems" in body.pop("instructions")
    assert body.pop("prompt_cache_key").startswith("vsb-")
    assert body == {
        "model": "gpt-6.2-sol",
        "stream": True,
        "store": False,
        "reasoning": {"effort": "high"},
        "max_output_tokens": 50_000,
    }
    assert answer is not None
    assert answer.candidate is not None
    assert answer.candidate.proof == "rfl"
    assert (answer.model, answer.stop) == ("gpt-6.2-sol-2026-11-20", "completed")
    usage = answer.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (3000, 700, 2000)
    assert usage.cost_usd == pytest.approx((500 * 2 + 2000 * 0.1 + 500 * 2.5 + 700 * 10) / 1e6)
    assert json.loads(answer.response)["id"] == "resp_1"


def test_responses_repair_rounds(service: Service) -> None:
    service.then(response(text(TEXT)))
    prover = make(OpenAIProver, service.url)
    prover.prove(request())
    prover.prove(repair_request())
    one, two = (sent.json for sent in service.requests)
    assert one["prompt_cache_key"] == two["prompt_cache_key"]
    assert one["input"][0] == two["input"][0]
    parts = [(item["role"], item["content"][0]["type"]) for item in two["input"][1:]]
    assert parts == [("assistant", "output_text"), ("user", "input_text")] * 2


@pytest.mark.parametrize("model", ["gpt-5.2", "gpt-5-mini", "o3", "gpt-4.1"])
def test_older_models_get_no_breakpoints(service: Service, model: str) -> None:
    service.then(response(text(TEXT)))
    make(OpenAIProver, service.url, model=model).prove(request())
    context = service.requests[0].json["input"][0]["content"][0]
    assert set(context) == {"type", "text"}


@pytest.mark.parametrize(
    ("step", "stop", "said"),
    [
        (
            response({"type": "refusal", "refusal": "I cannot."}),
            "refusal",
            "the model refused to answer: I cannot.",
        ),
        (
            response(text(CUT), status="incomplete", reason="max_output_tokens"),
            "max_output_tokens",
            "cut off at the limit on its tokens (max_output_tokens, after 700 tokens)",
        ),
        (
            response(text(CUT), status="incomplete", reason="content_filter"),
            "content_filter",
            "content filter",
        ),
        (response(text("")), "completed", "the answer is empty"),
        (
            response(status="failed", error={"code": "invalid_prompt", "message": "Flagged."}),
            "policy",
            "refuses to answer: Flagged.",
        ),
    ],
)
def test_responses_that_are_no_answer(service: Service, step: Step, stop: str, said: str) -> None:
    service.then(step)
    answer = make(OpenAIProver, service.url).prove(request())
    assert answer is not None
    assert answer.candidate is None
    assert said in answer.malformed
    assert answer.stop == stop
    assert len(service.requests) == 1


def test_a_failure_in_the_stream_is_tried_again(service: Service) -> None:
    service.then(
        response(status="failed", error={"code": "server_error", "message": "Sorry."}),
        stream({"type": "error", "code": "rate_limit_exceeded", "message": "Slow."}, named=True),
        response(text(TEXT)),
    )
    answer = make(OpenAIProver, service.url).prove(request())
    assert answer is not None
    assert answer.candidate is not None
    assert answer.retries == 2


def test_a_stream_without_its_end_is_tried_again(service: Service) -> None:
    service.then(stream({"type": "response.created"}, named=True), response(text(TEXT)))
    answer = make(OpenAIProver, service.url).prove(request())
    assert answer is not None
    assert answer.retries == 1


def test_account_headers() -> None:
    environment = {
        "OPENAI_API_KEY": KEY,
        "OPENAI_ORG_ID": "org-1",
        "OPENAI_PROJECT_ID": "proj_1",
    }
    prover = OpenAIProver(ProverSpec("openai"), environment=environment)
    assert prover.headers() == {
        "Authorization": f"Bearer {KEY}",
        "OpenAI-Organization": "org-1",
        "OpenAI-Project": "proj_1",
    }


# Chat Completions

CHAT_USAGE = {
    "prompt_tokens": 3000,
    "completion_tokens": 700,
    "total_tokens": 3700,
    "prompt_tokens_details": {"cached_tokens": 2000},
    "completion_tokens_details": {"reasoning_tokens": 600},
}


def chunk(delta: dict[str, Any], stop: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": stop}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "model": "served-model",
        "choices": [choice],
        "usage": None,
    }


def chat(*texts: str, stop: str = "stop", usage: dict[str, Any] | None = CHAT_USAGE) -> Step:
    """The stream of one chat completion."""
    values = [chunk({"role": "assistant", "content": ""}), chunk({"reasoning_content": "Hmm."})]
    values += [chunk({"content": part}) for part in texts]
    values.append(chunk({}, stop))
    if usage is not None:
        values.append({**chunk({}), "choices": [], "usage": usage})
    return stream(*values, end="[DONE]")


def whole(message: dict[str, Any], stop: str = "stop", **more: Any) -> Step:
    """A chat completion that is not streamed."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": stop}
    return reply({"id": "1", "model": "served-model", "choices": [choice], **more})


def test_chat_request_and_answer_are_as_documented(service: Service) -> None:
    service.then(chat(TEXT[:50], TEXT[50:]))
    prover = make(
        OpenAIProver, service.url, api="chat", effort="low", max_tokens="9000", seed="yes"
    )
    answer = prover.prove(request())
    (sent,) = service.requests
    assert sent.path == "/v1/chat/completions"
    body = sent.json
    system, user = body.pop("messages")
    assert system["role"] == "developer"
    context, task = user["content"]
    assert {**context, "text": ""} == {"type": "text", "text": "", **BREAKPOINT}
    assert {**task, "text": ""} == {"type": "text", "text": ""}
    assert body.pop("prompt_cache_key").startswith("vsb-")
    assert body == {
        "model": "gpt-6.2-sol",
        "stream": True,
        "stream_options": {"include_usage": True},
        "store": False,
        "reasoning_effort": "low",
        "max_completion_tokens": 9000,
        "seed": 0,
    }
    assert answer is not None
    assert answer.candidate is not None
    assert (answer.model, answer.stop) == ("served-model", "stop")
    usage = answer.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (3000, 700, 2000)
    raw = json.loads(answer.response)["choices"][0]["message"]
    assert raw == {"role": "assistant", "content": TEXT, "reasoning_content": "Hmm."}


# Compatible servers


def test_compatible_request_keeps_to_what_all_servers_take(service: Service) -> None:
    service.then(chat(TEXT))
    prover = make(
        CompatibleProver,
        service.url,
        model="org/model:free",
        key=None,
        **{
            "temperature": "0.6",
            "max_tokens": "1000",
            "seed": "yes",
            "body.top_p": "0.9",
            "body.stop": "END",
            "body.chat_template_kwargs.enable_thinking": "true",
            "body.chat_template_kwargs.style": '"brief"',
        },
    )
    answer = prover.prove(request())
    assert prover.name == "openai-compatible/org/model:free"
    (sent,) = service.requests
    assert "authorization" not in sent.headers
    body = sent.json
    system, user = body.pop("messages")
    assert system["role"] == "system"
    assert isinstance(system["content"], str)
    assert user["role"] == "user"
    assert user["content"].index("def double") < user["content"].index("# Target")
    assert body == {
        "model": "org/model:free",
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 1000,
        "temperature": 0.6,
        "seed": 0,
        "top_p": 0.9,
        "stop": "END",
        "chat_template_kwargs": {"enable_thinking": True, "style": "brief"},
    }
    assert answer is not None
    assert answer.usage.cost_usd is None
    assert answer.usage.input_tokens == 3000


def test_compatible_key_is_its_own(service: Service) -> None:
    service.then(chat(TEXT))
    make(CompatibleProver, service.url, model="m").prove(request())
    assert service.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    "step",
    [
        whole({"content": TEXT}),
        whole({"content": [{"type": "text", "text": TEXT}]}),
        whole({"content": TEXT, "reasoning": "Hmm.", "refusal": None}, stop="eos"),
    ],
)
def test_servers_that_do_not_stream(service: Service, step: Step) -> None:
    service.then(step)
    prover = make(CompatibleProver, service.url, model="m", stream="no")
    answer = prover.prove(request())
    assert answer is not None
    assert answer.candidate is not None
    assert "stream" not in service.requests[0].json
    assert answer.usage.input_tokens == 0


REFUSED = reply({"error": {"message": "Unrecognized field: stream_options"}}, status=400)


@pytest.mark.parametrize("first", [[], [REFUSED]])
def test_a_server_that_knows_no_streams_is_asked_without(
    service: Service, first: list[Step]
) -> None:
    service.then(*first, whole({"content": TEXT}))
    prover = make(CompatibleProver, service.url, model="m")
    for _ in range(2):
        answer = prover.prove(request())
        assert answer is not None
        assert answer.candidate is not None
    asked = [sent.json.get("stream", False) for sent in service.requests]
    assert asked[-2:] == [False, False]
    assert asked[0] is True


@pytest.mark.parametrize("end", ["", "\n</proof>"])
def test_ten_megabytes_of_text(service: Service, end: str) -> None:
    runaway = "<proof>\nby\n" + "  simp\n" * 1_500_000 + end
    service.then(whole({"content": runaway}, stop="length" if not end else "stop"))
    answer = make(CompatibleProver, service.url, model="m", stream="no").prove(request())
    assert answer is not None
    assert answer.candidate is None
    assert "characters of Lean code" in answer.malformed or "cut off" in answer.malformed


def test_a_cost_that_the_service_says_is_taken(service: Service) -> None:
    service.then(chat(TEXT, usage={**CHAT_USAGE, "cost": 0.0125}))
    answer = make(CompatibleProver, service.url, model="m").prove(request())
    assert answer is not None
    assert answer.usage.cost_usd == 0.0125


def test_an_error_with_status_200_is_tried_again(service: Service) -> None:
    late = {"error": {"code": 502, "message": "Provider disconnected"}}
    service.then(
        stream(chunk({"content": "x"}), late),
        reply(late),
        chat(TEXT),
    )
    answer = make(CompatibleProver, service.url, model="m").prove(request())
    assert answer is not None
    assert answer.candidate is not None
    service.then(reply({"error": {"code": 403, "message": "Flagged"}}))
    prover = make(CompatibleProver, service.url, model="m", stream="no")
    refused = prover.prove(request())
    assert refused is not None
    assert (refused.candidate, refused.stop) == (None, "policy")
    assert "Flagged" in refused.malformed


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (chat(CUT, stop="length"), "cut off at the limit"),
        (chat("", stop="content_filter"), "content filter stopped"),
        (chat("", stop="stop"), "the answer is empty"),
        (chat("", stop="tool_calls"), "asked for a tool"),
        (stream(chunk({"refusal": "No."}, "stop"), end="[DONE]"), "refused to answer: No."),
    ],
)
def test_chats_that_are_no_answer(service: Service, step: Step, said: str) -> None:
    service.then(step)
    answer = make(CompatibleProver, service.url, model="m").prove(request())
    assert answer is not None
    assert answer.candidate is None
    assert said in answer.malformed


@pytest.mark.parametrize("value", [{}, {"choices": []}, [], {"choices": [{"text": "old"}]}])
def test_what_is_no_chat_completion_is_said(service: Service, value: Any) -> None:
    service.then(reply(value))
    with pytest.raises(ProverUnavailable, match="no choice with a message"):
        make(CompatibleProver, service.url, model="m", stream="no").prove(request())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"model": ""}, "no model of openai-compatible is named"),
        ({"body.messages": "[]"}, "the prover itself decides 'messages'"),
        ({"body.": "1"}, "a key of the body is missing"),
        ({"tempreature": "1"}, "Did you mean 'temperature'"),
        ({"temperature": "warm"}, "not a number"),
        ({"concurrency": "0"}, "a number above 0"),
        ({"concurrency": "1.5"}, "a whole number"),
        ({"stream": "maybe"}, "yes or no"),
        ({"base_url": "localhost:8000"}, "not an address"),
        ({"templates": "no/such/place"}, "no such directory"),
        ({"models": "no/such/file"}, "cannot read the table"),
    ],
)
def test_wrong_options_are_said_before_a_run(options: dict[str, str], said: str) -> None:
    given = {"model": "m", **options}
    with pytest.raises(UsageError) as caught:
        make(CompatibleProver, "http://localhost:1", **given)
    assert said in str(caught.value)


def test_a_missing_address_names_its_variable() -> None:
    with pytest.raises(UsageError, match="OPENAI_COMPATIBLE_BASE_URL"):
        CompatibleProver(ProverSpec("openai-compatible", model_id="m"), environment={})
