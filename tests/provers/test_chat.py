"""What all chat provers have in common, shown by an OpenAI-compatible server and by Claude."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from chat_service import KEY, PREFIX, QUICK, TASK, TEXT, make, repair_request, request
from http_service import Handler, Service, reply, serve
from hypothesis import given
from hypothesis import strategies as st
from prover_requests import make_request

from pytest_vsb.context.tokens import estimate_tokens
from pytest_vsb.errors import EnvironmentUnavailable, UsageError
from pytest_vsb.provers import registry
from pytest_vsb.provers.anthropic import AnthropicProver
from pytest_vsb.provers.base import Excluded, ProverSpec, ProverUnavailable
from pytest_vsb.provers.chat_options import COMMON, merged, read_options
from pytest_vsb.provers.compatible import CompatibleProver
from pytest_vsb.provers.gemini import GeminiProver
from pytest_vsb.provers.goedel import GoedelProver
from pytest_vsb.provers.head_start import HeadStart
from pytest_vsb.provers.http import HttpError
from pytest_vsb.provers.openai import OpenAIProver


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def service() -> Iterator[Service]:
    with serve() as found:
        yield found


def completion(text: str = TEXT) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": 10, "completion_tokens": 5}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"model": "served", "choices": [choice], "usage": usage}


def ask(url: str, **options: Any) -> CompatibleProver:
    prover = make(CompatibleProver, url, model="m", stream="no", **options)
    assert isinstance(prover, CompatibleProver)
    return prover


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("claude", "anthropic/claude-opus-5-5"),
        ("claude/sonnet", "anthropic/claude-sonnet-5-5"),
        ("anthropic/claude-new-9", "anthropic/claude-new-9"),
        ("gpt", "openai/gpt-6.2-sol"),
        ("openai/o9", "openai/o9"),
        ("gemini", "gemini/gemini-4-carbon"),
        ("openai-compatible/a/b:c", "openai-compatible/a/b:c"),
        ("goedel", "goedel/Goedel-LM/Goedel-Prover-V2-32B"),
    ],
)
def test_names_lead_to_models(text: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("ANTHROPIC", "OPENAI", "GEMINI"):
        monkeypatch.setenv(f"{variable}_API_KEY", KEY)
    for variable in ("OPENAI_COMPATIBLE", "GOEDEL"):
        monkeypatch.setenv(f"{variable}_BASE_URL", "http://localhost:1/v1")
    prover = registry.create(registry.parse_spec(text))
    assert prover.name == name
    settings = prover.settings()
    assert settings["model"] == name.partition("/")[2]
    assert KEY not in json.dumps(dict(settings))
    assert getattr(prover, "concurrency", 0) == 8
    prover.close()


def test_a_table_of_ones_own_gives_names_and_prices(service: Service, tmp_path: Path) -> None:
    table = tmp_path / "models.toml"
    table.write_text(
        '[[model]]\nprovider = "openai-compatible"\nid = "org/big"\naliases = ["m"]\n'
        'input = 1.0\noutput = 2.0\ndate = 2026-11-30\nsource = "ours"\n'
    )
    service.then(reply(completion()))
    prover = ask(service.url, models=str(table))
    answer = prover.prove(request())
    assert service.requests[0].json["model"] == "org/big"
    assert answer is not None
    assert answer.usage.cost_usd == pytest.approx((10 * 1 + 5 * 2) / 1e6)
    assert prover.settings()["price"] == "of 2026-11-30"


def test_nothing_is_left_behind_before_the_first_request(service: Service, cache: Path) -> None:
    service.then(reply(completion()))
    prover = ask(service.url)
    assert not cache.exists()
    prover.prove(request())
    assert len(list((cache / "pace").glob("*/*.sqlite"))) == 1
    # Its name is made of the key, but does not tell it.
    assert KEY not in str(list(cache.rglob("*")))
    prover.close()


def test_strict_format(service: Service) -> None:
    service.then(reply(completion("```lean\nby rfl\n```")))
    lenient = ask(service.url).prove(request())
    assert lenient is not None
    assert lenient.candidate is not None
    assert lenient.leniencies
    strict = ask(service.url, strict_format="yes").prove(request())
    assert strict is not None
    assert strict.candidate is None
    assert "not in the exact form" in strict.malformed
    assert strict.leniencies == lenient.leniencies


def test_templates_of_ones_own(service: Service, tmp_path: Path) -> None:
    (tmp_path / "system.j2").write_text("Prove it.")
    service.then(reply(completion()))
    ours, theirs = ask(service.url), ask(service.url, templates=str(tmp_path))
    digests = []
    for prover in (ours, theirs):
        answer = prover.prove(request())
        assert answer is not None
        digests.append(answer.prompt_digest)
    assert service.requests[1].json["messages"][0] == {"role": "system", "content": "Prove it."}
    assert len(set(digests)) == 2
    assert theirs.settings()["prompts"] == str(tmp_path)


def test_the_same_request_makes_the_same_prompt(service: Service) -> None:
    service.then(reply(completion()))
    prover = ask(service.url)
    for asked in (repair_request(), repair_request()):
        prover.prove(asked)
    one, two = (sent.body for sent in service.requests)
    assert one == two


def test_a_content_policy_is_a_refusal(service: Service) -> None:
    error = {"message": "Not this.", "type": "invalid_request_error", "code": "content_policy"}
    service.then(reply({"error": error}, status=400))
    answer = ask(service.url).prove(request())
    assert answer is not None
    assert answer.candidate is None
    assert "Not this." in answer.malformed
    assert answer.stop == "policy"


def test_a_window_that_is_too_small(service: Service) -> None:
    message = (
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens "
        "(1000 in the messages, 4000 in the completion)."
    )
    service.then(reply({"object": "error", "message": message, "code": 400}, status=400))
    with pytest.raises(Excluded, match="4096"):
        ask(service.url).prove(request())
    assert ask(service.url).prove(repair_request()) is None
    # It may be the option's fault, and no task is to be left out for that.
    with pytest.raises(HttpError) as caught:
        ask(service.url, max_tokens="4000").prove(request())
    assert "max-tokens" in str(caught.value)


def test_other_refused_requests_are_unavailable(service: Service) -> None:
    service.then(reply({"error": {"message": f"no such model {KEY}"}}, status=404))
    with pytest.raises(ProverUnavailable) as caught:
        ask(service.url).prove(request())
    assert "Check the model id" in str(caught.value)
    assert KEY not in str(caught.value)


def test_samples_are_asked_for_at_once(service: Service) -> None:
    everyone = threading.Barrier(6, timeout=60)

    def step(handler: Handler) -> None:
        everyone.wait()
        handler.send(200, {"Content-Type": "application/json"}, json.dumps(completion()).encode())

    service.then(step)
    prover = ask(service.url)
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda n: prover.prove(request(sample=n)), range(6)))
    assert all(answer is not None and answer.candidate for answer in answers)


def test_the_limit_holds_for_all_provers_of_a_key(service: Service) -> None:
    lock, now, most = threading.Lock(), [0], [0]

    def step(handler: Handler) -> None:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.05)
        with lock:
            now[0] -= 1
        handler.send(200, {"Content-Type": "application/json"}, json.dumps(completion()).encode())

    service.then(step)
    provers = [ask(service.url, concurrency="2") for _ in range(3)]
    with ThreadPoolExecutor(9) as pool:
        answers = list(pool.map(lambda n: provers[n % 3].prove(request(sample=n)), range(9)))
    assert len(answers) == 9
    assert most[0] <= 2
    for prover in provers:
        prover.close()


def test_closing_ends_what_waits(service: Service) -> None:
    begun = threading.Event()

    def step(handler: Handler) -> None:
        begun.set()
        handler.send(503, {"Retry-After": "60"})

    service.then(step)
    prover = ask(service.url)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(prover.prove, request())
        assert begun.wait(60)
        prover.close()
        with pytest.raises(EnvironmentUnavailable):
            waiting.result(timeout=60)
    with pytest.raises(ProverUnavailable, match="closed"):
        prover.prove(request())
    prover.close()


# Waiting for a cache to be written


def claude_stream(handler: Handler, hold: threading.Event | None) -> None:
    """Begin to answer, wait, and end."""
    start = {"type": "message_start", "message": {"model": "m", "usage": {"input_tokens": 1}}}
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text"}}
    delta = {"type": "text_delta", "text": TEXT}
    rest = [
        block,
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}},
        {"type": "message_stop"},
    ]
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Connection", "close")
    handler.end_headers()
    for value in [start, *rest]:
        handler.wfile.write(f"event: {value['type']}\ndata: {json.dumps(value)}\n\n".encode())
        handler.wfile.flush()
        if value is start and hold is not None:
            assert hold.wait(60)
    handler.close_connection = True


LONG = PREFIX + "".join(f"theorem t{n} : {n} = {n} := rfl\n\n" for n in range(400))


def test_the_first_sample_writes_the_cache_that_the_others_read(service: Service) -> None:
    release, first_seen = threading.Event(), threading.Event()

    def step(handler: Handler) -> None:
        if first_seen.is_set():
            claude_stream(handler, None)
            return
        first_seen.set()
        release.wait(60)
        claude_stream(handler, None)

    service.then(step)
    prover = make(AnthropicProver, service.url)
    with ThreadPoolExecutor(4) as pool:
        asked = [
            pool.submit(prover.prove, make_request(TASK, prefix=LONG, sample=n)) for n in range(4)
        ]
        assert first_seen.wait(60)
        # The others would have come by now.
        time.sleep(0.3)
        assert len(service.requests) == 1
        release.set()
        assert all(one.result(timeout=60) is not None for one in asked)
    assert len(service.requests) == 4


def test_the_others_go_on_once_the_first_response_begins(service: Service) -> None:
    second_seen = threading.Event()
    numbers = itertools.count()

    def step(handler: Handler) -> None:
        if next(numbers) == 0:
            # The first response ends only after the second request has come.
            claude_stream(handler, second_seen)
        else:
            second_seen.set()
            claude_stream(handler, None)

    service.then(step)
    prover = make(AnthropicProver, service.url)
    with ThreadPoolExecutor(2) as pool:
        asked = [
            pool.submit(prover.prove, make_request(TASK, prefix=LONG, sample=n)) for n in range(2)
        ]
        assert all(one.result(timeout=60) is not None for one in asked)
    assert second_seen.is_set()


def test_a_failed_first_request_holds_nobody_back() -> None:
    start = HeadStart(lifetime=60.0)
    with pytest.raises(ValueError, match="broken"), start.wait("c"):
        raise ValueError("broken")
    with start.wait("c") as begun:
        begun()
    with start.wait("c"):
        pass


def test_a_cache_that_has_expired_is_written_by_one_again() -> None:
    start = HeadStart(lifetime=0.0)
    order: list[str] = []
    with start.wait("c") as begun:
        begun()
    time.sleep(0.01)
    entered, leave = threading.Event(), threading.Event()

    def first() -> None:
        with start.wait("c") as begun:
            entered.set()
            leave.wait(60)
            order.append("first")
            begun()

    def second() -> None:
        with start.wait("c"):
            order.append("second")

    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(first)
        assert entered.wait(60)
        two = pool.submit(second)
        time.sleep(0.1)
        leave.set()
        one.result(timeout=60)
        two.result(timeout=60)
    assert order == ["first", "second"]


def test_closing_holds_nobody_back() -> None:
    start = HeadStart(lifetime=60.0)
    with start.wait("c"), ThreadPoolExecutor(1) as pool:

        def other() -> str:
            with start.wait("c"):
                return "through"

        waiting = pool.submit(other)
        start.close()
        assert waiting.result(timeout=60) == "through"


# The documentation


def test_the_page_names_all_variables_and_options() -> None:
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    kinds = (AnthropicProver, CompatibleProver, GeminiProver, GoedelProver, OpenAIProver)
    for kind in kinds:
        names = [*kind.key_variables, *kind.url_variables, *kind.own_options, *COMMON]
        assert [name for name in names if f"`{name}`" not in page] == []
    for options in re.findall(r"--vsb-model=(\S+) --vsb-model-option ([^\n]*)", page):
        text, pairs = options[0], re.findall(r"([\w.-]+)=(\S+)", options[1])
        spec = registry.parse_spec(text, dict(pairs))
        environment = {name: KEY for kind in kinds for name in kind.key_variables}
        environment |= {"OPENAI_COMPATIBLE_BASE_URL": "http://localhost:8000/v1"}
        kind = next(k for k in kinds if registry.BUILTINS[spec.name].endswith(f":{k.__name__}"))
        kind(spec, environment=environment).close()


# Small parts


@given(st.lists(st.text(max_size=60), max_size=3))
def test_an_estimate_is_of_the_texts_size(texts: list[str]) -> None:
    found = estimate_tokens(texts)
    assert 0 <= found <= sum(len(text.encode("utf-8", "replace")) for text in texts)
    assert estimate_tokens([*texts, "x"]) == found + 1


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        # Counted by Qwen's own tokenizer.
        (
            "The quick brown fox jumps over the lazy dog, and then it sleeps until the next "
            "morning.",
            19,
        ),
        (
            "theorem mirror_mirror (t : Tree) : t.mirror.mirror = t := by\n"
            "  simp only [Tree.mirror]\n",
            27,
        ),
    ],
)
def test_an_estimate_is_near_what_a_tokenizer_counts(text: str, counted: int) -> None:
    assert estimate_tokens([text]) == pytest.approx(counted, rel=0.15)


def test_bodies_are_merged_within() -> None:
    body = {"a": {"b": 1, "c": 2}, "d": 3}
    assert merged(body, {"a": {"c": 4}, "d": {"e": 5}}) == {"a": {"b": 1, "c": 4}, "d": {"e": 5}}
    assert body == {"a": {"b": 1, "c": 2}, "d": 3}


@given(st.dictionaries(st.text("ab.-1 ", max_size=8), st.text(max_size=8), max_size=3))
def test_any_option_is_taken_or_refused_with_a_reason(options: dict[str, str]) -> None:
    spec = ProverSpec("p", options={f"body.{key}": value for key, value in options.items()})
    with contextlib.suppress(UsageError):
        found = read_options(spec, fixed=["b"])
        assert "b" not in found.body
        assert json.loads(json.dumps(found.body)) == found.body


def test_the_policy_follows_the_options(service: Service) -> None:
    service.then(reply({"error": "down"}, status=503))
    spec = ProverSpec(
        "openai-compatible", model_id="m", options={"base-url": service.url, "retries": "0"}
    )
    prover = CompatibleProver(spec, environment={})
    with pytest.raises(HttpError) as caught:
        prover.prove(request())
    assert caught.value.retried == 0
    assert len(service.requests) == 1
    assert QUICK.retries == 2
