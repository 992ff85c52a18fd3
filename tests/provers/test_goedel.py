"""Goedel-Prover-V2: its prompt, its whole files, and what does not fit into its window."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from chat_service import KEY, PREFIX, TASK, make, repair_request, request
from http_service import Handler, Service, serve
from prover_requests import make_request

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import Excluded, ProverUnavailable
from pytest_vsb.provers.goedel import GoedelProver

FILE = """\
The plan is to compute.

```lean4
theorem helper : 0 + 0 = 0 := rfl

theorem double_zero : double 0 = 0 := by
  exact helper
```
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VSB_CACHE_DIR", str(tmp_path / "cache"))


class Server:
    """A local server of the model; ``count`` is what ``/tokenize`` says, if there is one."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.count: int | None = None
        self.status = 404
        self.answer = FILE
        service.then(self.step)

    def step(self, handler: Handler) -> None:
        if handler.path == "/tokenize":
            status = 200 if self.count is not None else self.status
            value: Any = {"count": self.count, "max_model_len": 40960, "tokens": []}
            body = json.dumps(value if status == 200 else {"detail": "Not Found"}).encode()
            handler.send(status, {"Content-Type": "application/json"}, body)
            return
        message = {"role": "assistant", "content": self.answer}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 300, "completion_tokens": 90}
        body = json.dumps({"model": "served", "choices": [choice], "usage": usage}).encode()
        handler.send(200, {"Content-Type": "application/json"}, body)

    def paths(self) -> list[str]:
        return [sent.path for sent in self.service.requests]


@pytest.fixture
def server() -> Iterator[Server]:
    with serve() as service:
        yield Server(service)


def test_prompt_and_answer_are_whole_files(server: Server) -> None:
    server.count = 300
    prover = make(GoedelProver, server.service.url, key=None, stream="no")
    answer = prover.prove(request())
    assert prover.name == "goedel/Goedel-LM/Goedel-Prover-V2-32B"
    assert server.paths() == ["/tokenize", "/v1/chat/completions"]
    counting, asking = (sent.json for sent in server.service.requests)
    (message,) = asking.pop("messages")
    assert counting["messages"] == [message]
    # No system prompt, and no limit but the window.
    assert asking == {"model": "Goedel-LM/Goedel-Prover-V2-32B"}
    assert message["role"] == "user"
    assert "```lean4\ntheorem double_zero : double 0 = 0 := by\n  sorry\n```" in message["content"]
    assert "def double" in message["content"]
    assert answer is not None
    assert answer.candidate is not None
    assert answer.candidate.proof == "by\n  exact helper"
    assert answer.candidate.auxiliary == "theorem helper : 0 + 0 = 0 := rfl"
    assert answer.leniencies == ()
    assert "The plan is to compute." in answer.candidate.reasoning


def test_one_count_serves_all_samples(server: Server) -> None:
    server.count = 300
    prover = make(GoedelProver, server.service.url, stream="no")
    for sample in range(3):
        prover.prove(request(sample=sample))
    assert server.paths().count("/tokenize") == 1
    assert {sent.headers["authorization"] for sent in server.service.requests} == {f"Bearer {KEY}"}


def test_no_repair_rounds(server: Server) -> None:
    assert make(GoedelProver, server.service.url).prove(repair_request()) is None
    assert server.service.requests == []


def test_a_task_beyond_the_window_is_excluded_before_it_is_asked(server: Server) -> None:
    prover = make(GoedelProver, server.service.url, stream="no")
    server.count = 40_960 - 4096
    assert prover.prove(request()) is not None
    server.count += 1
    longer = make_request(TASK, prefix=PREFIX + "-- longer\n\n")
    server.service.requests.clear()
    with pytest.raises(Excluded) as caught:
        prover.prove(longer)
    assert "36,865 tokens (counted by the server)" in caught.value.message
    assert "40,960" in caught.value.message
    assert server.paths() == ["/tokenize"]


def test_without_a_counting_server_tokens_are_estimated(server: Server) -> None:
    prover = make(GoedelProver, server.service.url, stream="no")
    assert prover.prove(request()) is not None
    lines = "".join(f"theorem t{n} : ∀ x : Nat, x = x := fun x => rfl\n\n" for n in range(2000))
    with pytest.raises(Excluded, match="estimated from its text"):
        prover.prove(make_request(TASK, prefix=PREFIX + lines))
    # It is not asked for again and again.
    assert server.paths() == ["/tokenize", "/v1/chat/completions"]


def test_a_smaller_window_can_be_said(server: Server) -> None:
    server.count = 1000
    prover = make(GoedelProver, server.service.url, context_window="1500", room="600")
    with pytest.raises(Excluded, match="window of 1,500"):
        prover.prove(request())
    with pytest.raises(UsageError, match="no room"):
        make(GoedelProver, server.service.url, context_window="500", room="600")


def test_a_refused_key_is_no_missing_count(server: Server) -> None:
    server.status = 401
    with pytest.raises(ProverUnavailable, match="does not accept the key"):
        make(GoedelProver, server.service.url).prove(request())


def test_its_settings_say_how_tokens_are_counted(server: Server) -> None:
    settings = make(GoedelProver, server.service.url).settings()
    assert settings["context_window"] == "40960"
    assert "/tokenize" in settings["token_count"]
    assert settings["prompts"] == "whole-file"
    assert KEY not in str(settings)


def test_closing_does_not_wait_for_a_count(server: Server) -> None:
    begun = threading.Event()

    def hang(handler: Handler) -> None:
        begun.set()
        handler.service.released.wait(120)
        handler.close_connection = True

    server.service.steps[:] = [hang]
    prover = make(GoedelProver, server.service.url)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(prover.prove, request())
        assert begun.wait(60)
        prover.close()
        server.service.released.set()
        with pytest.raises(ProverUnavailable, match="closed"):
            asked.result(timeout=60)
