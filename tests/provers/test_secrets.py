"""Keys in what a run writes, and a whole run against a service."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.lean import cache
from pytest_vsb.lean.toolchain import find

sys.path.insert(0, str(Path(__file__).parent.parent / "plugin"))

from mini_project import PROOFS, Ended, MiniProject

KEY = "sk-live-4f9a7c21d0e8b6"

pytestmark = [pytest.mark.lean, pytest.mark.slow]


@pytest.fixture
def mini(tmp_path: Path) -> MiniProject:
    try:
        find("auto")
    except EnvironmentUnavailable as error:
        pytest.skip(error.message)
    return MiniProject(tmp_path / "mini", cache.directory().path)


class Recorded:
    """A server that answers each request by ``step``."""

    def __init__(self, server: HTTPServer) -> None:
        self.url = server.url_for("/v1")
        self.requests: list[Request] = []
        self.step: Callable[[Request], Response] = lambda request: Response(status=500)
        server.expect_request("/v1/chat/completions").respond_with_handler(self.answer)

    def answer(self, request: Request) -> Response:
        request.get_data()
        self.requests.append(request)
        return self.step(request)


@pytest.fixture
def service() -> Iterator[Recorded]:
    with HTTPServer(threaded=True) as server:
        yield Recorded(server)


def body(request: Request) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(request.get_data())
    return found


def chat(request: Request, text: str) -> Response:
    """A chat completion as a stream."""
    assert body(request)["stream"] is True
    usage = {"prompt_tokens": 1000, "completion_tokens": 50}
    values: list[Any] = [
        {"model": "served", "choices": [{"index": 0, "delta": {"content": text}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {"choices": [], "usage": usage},
    ]
    lines = [json.dumps(value) for value in values] + ["[DONE]"]
    stream = "".join(f"data: {line}\n\n" for line in lines)
    return Response(stream, content_type="text/event-stream")


def target(request: Request) -> str:
    """Which theorem a request asks for."""
    text = body(request)["messages"][1]["content"]
    return next(name for name in PROOFS if f"Prove `Mini.{name}`" in text)


def bench(mini: MiniProject, service: Recorded, *arguments: str) -> Ended:
    mini.environment |= {
        "OPENAI_COMPATIBLE_BASE_URL": service.url,
        "OPENAI_COMPATIBLE_API_KEY": KEY,
    }
    # Limits that are shared beyond a run are to end with the test.
    pace = f"--vsb-model-option=pace-dir={mini.path / 'pace'}"
    return mini.bench(
        *arguments, "-n", "2", pace, "--junitxml=junit.xml", model="openai-compatible/served"
    )


def written(mini: MiniProject) -> Iterator[tuple[str, bytes]]:
    """All files below the project's directory."""
    for path in sorted(mini.path.rglob("*")):
        if path.is_file():
            yield str(path.relative_to(mini.path)), path.read_bytes()


def attempts(mini: MiniProject) -> dict[str, list[dict[str, Any]]]:
    """The judged attempts of each theorem, as the journal has them."""
    found: dict[str, list[dict[str, Any]]] = {}
    for event in mini.events():
        if event["event"] == "judged":
            name = next(n for n in PROOFS if n in event["attempt"]["nodeid"])
            found.setdefault(name, []).append(event["attempt"])
    return found


def kinds(made: dict[str, list[dict[str, Any]]]) -> dict[str, list[str]]:
    return {name: [one["verdict"]["kind"] for one in made[name]] for name in made}


def test_a_whole_run_on_two_workers(mini: MiniProject, service: Recorded) -> None:
    wrong = "isLeaf_leaf"

    def step(request: Request) -> Response:
        name = target(request)
        repaired = len(body(request)["messages"]) > 2
        proof = PROOFS[name].removeprefix(":= ")
        if name == wrong and not repaired:
            proof = "by exact nonsense"
        parts = ("<reasoning>\nSo it is.\n</reasoning>", "<auxiliary>\n</auxiliary>")
        return chat(request, "\n".join([*parts, f"<proof>\n{proof}\n</proof>"]))

    service.step = step
    mini.tasks(*PROOFS)
    ended = bench(mini, service, "--vsb-repairs=1")
    assert ended.code == 0, ended.text + ended.errors
    assert ended.counts()["passed"] == 4
    made = attempts(mini)
    once = ["accepted"]
    assert kinds(made) == {name: ["rejected", *once] if name == wrong else once for name in PROOFS}
    attempt = made["mirror_leaf"][0]
    assert attempt["prover"] == "openai-compatible/served"
    assert attempt["usage"]["input_tokens"] == 1000
    assert attempt["usage"]["cost_usd"] is None
    assert len(attempt["prompt_digest"]) == 64
    assert len(service.requests) == 5
    repair = next(body(r) for r in service.requests if len(body(r)["messages"]) > 2)
    assert [m["role"] for m in repair["messages"]] == ["system", "user", "assistant", "user"]
    assert "nonsense" in repair["messages"][3]["content"]
    assert {r.headers["Authorization"] for r in service.requests} == {f"Bearer {KEY}"}


def test_no_key_in_anything_that_a_failing_run_writes(mini: MiniProject, service: Recorded) -> None:
    def step(request: Request) -> Response:
        name = target(request)
        if name == "mirror_leaf":
            # An answer that repeats the key, in words and in its proof.
            return chat(request, f"Key: {KEY}\n<proof>\nby exact nonsense -- {KEY}\n</proof>")
        if name == "mirror_mirror":
            return chat(request, f"no proof, but {KEY}")
        error = {"message": f"Incorrect API key provided: {KEY}", "type": "invalid_request"}
        return Response(
            json.dumps({"error": error, "key": KEY}),
            status=401 if name == "isLeaf_leaf" else 400,
            content_type="application/json",
            headers={"X-Echo": KEY},
        )

    service.step = step
    mini.tasks(*PROOFS)
    ended = bench(mini, service, "-vv", "--showlocals", "--full-trace", "-rA")
    assert kinds(attempts(mini)) == {
        "mirror_leaf": ["rejected"],
        "mirror_mirror": ["malformed"],
        "mirror_injective": ["unavailable"],
        "isLeaf_leaf": ["unavailable"],
    }
    assert "Incorrect API key provided" in ended.text
    assert KEY not in ended.text + ended.errors
    files = dict(written(mini))
    for part in ("junit.xml", "journal", "responses", "results.json", "run.json"):
        assert any(part in name for name in files), part
    assert [name for name, data in files.items() if KEY.encode() in data] == []
