"""Aleph, and what all remote provers do, against a local server that speaks its protocol."""

from __future__ import annotations

import difflib
import io
import json
import logging
import re
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from project_files import SENT, make_project, project_task
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.aleph import AlephProver
from pytest_vsb.provers.base import Answer, ProofRequest, ProverSpec, ProverUnavailable
from pytest_vsb.provers.registry import create

KEY = "sk-aleph-0123456789abcdef"
PROOF = "by\n  exact rfl"
SOURCE = SENT["Lib/Main.lean"]


def json_response(value: object, status: int = 200, **headers: str) -> Response:
    return Response(json.dumps(value), status, headers, content_type="application/json")


def patch(new: str, path: str = "Lib/Main.lean") -> str:
    lines = difflib.unified_diff(
        SOURCE.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{path}", f"b/{path}"
    )
    return f"diff --git a/{path} b/{path}\n{''.join(lines)}"


PROVED = patch(SOURCE.replace("by\n  sorry", PROOF))


@dataclass
class Aleph:
    """The service: jobs go through ``states``, one a look, and end with the last."""

    states: list[str] = field(default_factory=lambda: ["pending", "running", "completed"])
    diff: str | None = PROVED
    message: str = ""
    uploads: list[Mapping[str, Any]] = field(default_factory=list)
    looks: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    # Answered before any other answer to requests whose path ends so.
    before: dict[str, list[Response]] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)

    def __call__(self, request: Request) -> Response:
        self.keys.add(request.headers.get("Authorization", ""))
        for end, responses in self.before.items():
            if request.path.endswith(end) and responses:
                return responses.pop(0)
        parts = request.path.removeprefix("/api/v1/requests/").split("/")
        if request.method == "POST" and parts == ["upload"]:
            archive = request.files["archive"]
            self.uploads.append({**request.form, "archive": archive.read()})
            return json_response({"id": f"job-{len(self.uploads)}"}, 201)
        if parts[1:] == ["cancel"]:
            self.cancelled.append(parts[0])
            return json_response({})
        if parts[1:] == ["diff"]:
            if self.diff is None:
                return json_response({"detail": "no diff"}, 404)
            return Response(self.diff, content_type="text/x-diff")
        self.looks.append(parts[0])
        state = self.states.pop(0) if len(self.states) > 1 else self.states[0]
        return json_response({"id": parts[0], "status": state, "message": self.message})


@pytest.fixture
def aleph(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Aleph:
    service = Aleph()
    httpserver.expect_request(re.compile("^/api/v1/requests/")).respond_with_handler(service)
    monkeypatch.setenv("PROVER_API_KEY", KEY)
    monkeypatch.setenv("PROVER_API_URL", httpserver.url_for(""))
    return service


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


Make = Callable[..., AlephProver]


@pytest.fixture
def make() -> Iterator[Make]:
    made: list[AlephProver] = []

    def prover(**options: str) -> AlephProver:
        made.append(AlephProver(ProverSpec("aleph", options={"poll": "0.01", **options})))
        return made[-1]

    yield prover
    for one in made:
        one.close()


@dataclass
class Memory:
    """What a run would journal."""

    kept: dict[str, str] = field(default_factory=dict)

    def request(self, root: Path, **more: Any) -> ProofRequest:
        return ProofRequest(
            task=project_task(),
            prefix="",
            sample=0,
            samples=1,
            round=more.get("round", 0),
            seed=0,
            root=root,
            remembered=dict(self.kept),
            remember=self.kept.__setitem__,
        )


def ask(prover: AlephProver, root: Path, memory: Memory | None = None) -> Answer:
    answer = prover.prove((memory or Memory()).request(root))
    assert answer is not None
    return answer


def test_from_submission_to_candidate(aleph: Aleph, make: Make, root: Path) -> None:
    memory = Memory()
    answer = ask(make(time_budget_minutes="30", cost_budget_usd="2.5"), root, memory)
    assert answer.candidate is not None
    assert answer.candidate.proof == f":= {PROOF}"
    assert answer.candidate.auxiliary == ""
    assert (answer.stop, answer.model, answer.malformed) == ("completed", "aleph", "")
    assert memory.kept["job"] == "job-1"
    assert aleph.keys == {f"Bearer {KEY}"}
    sent = aleph.uploads[0]
    assert {k: v for k, v in sent.items() if k not in ("archive", "hints")} == {
        "file_path": "Lib/Main.lean",
        "theorem_name": "Lib.goal",
        "time_budget_minutes": "30",
        "cost_budget_usd": "2.5",
    }
    with zipfile.ZipFile(io.BytesIO(sent["archive"])) as archive:
        assert {n: archive.read(n).decode() for n in archive.namelist()} == SENT
    record = json.loads(answer.response)
    assert record["job"] == "job-1"
    assert list(record["files"]) == ["Lib/Main.lean"]
    assert len(answer.prompt_digest) == 64


def test_no_repair_rounds(aleph: Aleph, make: Make, root: Path) -> None:
    assert make().prove(Memory().request(root, round=1)) is None
    assert aleph.uploads == []


def test_resumed_run_takes_the_job_up(aleph: Aleph, make: Make, root: Path) -> None:
    memory = Memory({"job": "job-7"})
    answer = ask(make(), root, memory)
    assert answer.candidate is not None
    assert aleph.uploads == []
    assert set(aleph.looks) == {"job-7"}


def test_run_that_ends_while_it_waits(aleph: Aleph, make: Make, root: Path) -> None:
    aleph.states = ["running"]
    memory = Memory()
    prover = make(poll="30")
    failures: list[BaseException] = []

    def work() -> None:
        try:
            ask(prover, root, memory)
        except ProverUnavailable as error:
            failures.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while "job" not in memory.kept:
        thread.join(0.01)
        assert thread.is_alive()
    prover.close()
    thread.join(60)
    assert not thread.is_alive()
    assert "the run ended while aleph was at work" in str(failures[0])
    # The next session has the answer, and nothing was submitted again.
    aleph.states = ["completed"]
    assert ask(make(), root, memory).candidate is not None
    assert len(aleph.uploads) == 1


@pytest.mark.parametrize("state", ["failed", "cancelled"])
def test_failed_job_is_submitted_again_on_resume(
    aleph: Aleph, make: Make, root: Path, state: str
) -> None:
    memory = Memory()
    aleph.states, aleph.message = [state], f"lost, key {KEY}"
    with pytest.raises(ProverUnavailable, match=f"job job-1 ended as {state}: lost") as caught:
        ask(make(), root, memory)
    assert KEY not in str(caught.value)
    aleph.states = ["completed"]
    assert ask(make(), root, memory).candidate is not None
    assert memory.kept["job"] == "job-2"


def test_partial_result_is_taken(aleph: Aleph, make: Make, root: Path) -> None:
    aleph.states = ["completed_partial"]
    answer = ask(make(), root)
    assert answer.candidate is not None
    assert answer.stop == "completed_partial"


@pytest.mark.parametrize("diff", [None, ""])
def test_nothing_changed(aleph: Aleph, make: Make, root: Path, diff: str | None) -> None:
    aleph.diff = diff
    answer = ask(make(), root)
    assert answer.candidate is None
    assert answer.malformed == "Lib.goal came back as it was"


@pytest.mark.parametrize(
    ("diff", "said"),
    [
        (patch(SOURCE.replace("before : base = 1", "before : 1 = 1")), "Lib.before, which comes"),
        (patch(SOURCE.replace("goal : base = 1 :=", "goal : 1 = 1 :=")), "the statement of"),
        ("--- a/x.lean\n+++ b/../x.lean\n@@ -0,0 +1 @@\n+x\n", "unsafe name"),
        (PROVED.replace("-  sorry", "-  other"), "does not fit"),
    ],
)
def test_unusable_result(aleph: Aleph, make: Make, root: Path, diff: str, said: str) -> None:
    aleph.diff = diff
    answer = ask(make(), root)
    assert answer.candidate is None
    assert said in answer.malformed


def test_what_passes_is_waited_for(aleph: Aleph, make: Make, root: Path) -> None:
    aleph.before = {
        "/upload": [Response("slow down", 429), json_response({"detail": "full"}, 503)],
        "/job-1": [Response("<html>", 502), Response("<html>", 200)],
        "/diff": [Response("", 500)],
    }
    answer = ask(make(), root)
    assert answer.candidate is not None
    assert answer.retries == 5
    assert len(aleph.uploads) == 1
    assert not any(aleph.before.values())


def test_upload_that_may_have_been_taken_is_not_repeated(
    aleph: Aleph, make: Make, root: Path
) -> None:
    aleph.before = {"/upload": [Response("", 500)]}
    memory = Memory()
    with pytest.raises(ProverUnavailable, match="may have taken the job or not"):
        ask(make(), root, memory)
    assert aleph.uploads == []
    assert "job" not in memory.kept


def test_answer_without_an_id(aleph: Aleph, make: Make, root: Path) -> None:
    aleph.before = {"/upload": [json_response({"ok": True}, 201)]}
    with pytest.raises(ProverUnavailable, match="names no request"):
        ask(make(), root)


@pytest.mark.parametrize(
    ("status", "said"), [(401, "refused the key"), (402, "HTTP 402"), (422, "no credit")]
)
def test_refusal(aleph: Aleph, make: Make, root: Path, status: int, said: str) -> None:
    aleph.before = {"/upload": [json_response({"detail": f"no credit for {KEY}"}, status)]}
    with pytest.raises(ProverUnavailable, match=said) as caught:
        ask(make(), root)
    assert KEY not in str(caught.value)


def test_service_that_is_not_there(
    aleph: Aleph, make: Make, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROVER_API_URL", "http://127.0.0.1:9")
    with pytest.raises(ProverUnavailable, match=r"not to be had for 1e-06 hours"):
        ask(make(outage_hours="0.000001"), root)


def test_time_limit(aleph: Aleph, make: Make, root: Path) -> None:
    aleph.states = ["running"]
    memory = Memory()
    answer = ask(make(hours="0.000001"), root, memory)
    assert (answer.candidate, answer.stop) == (None, "time limit")
    assert answer.malformed == "no result within 1e-06 hours"
    assert aleph.cancelled == ["job-1"]


def test_time_limit_counts_from_the_first_session(aleph: Aleph, make: Make, root: Path) -> None:
    aleph.states = ["running"]
    memory = Memory({"job": "job-1", "running": "1000.0 job-1"})
    assert ask(make(), root, memory).stop == "time limit"
    # Another job's time does not count.
    aleph.states = ["running", "completed"]
    memory = Memory({"job": "job-2", "running": "1000.0 job-1"})
    assert ask(make(), root, memory).candidate is not None


def test_queueing_does_not_count(aleph: Aleph, make: Make, root: Path) -> None:
    aleph.states = ["pending", "queued", "pending", "completed"]
    assert ask(make(hours="0.000001"), root).candidate is not None


def test_many_at_once(aleph: Aleph, make: Make, root: Path) -> None:
    prover = make(concurrency="3")
    assert prover.concurrency == 3
    answers: list[Answer] = []
    threads = [threading.Thread(target=lambda: answers.append(ask(prover, root))) for _ in range(3)]
    aleph.states = ["running"] * 6 + ["completed"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [a.candidate is not None for a in answers] == [True] * 3
    assert len({json.loads(a.response)["job"] for a in answers}) == 3


def test_the_key_is_nowhere(
    aleph: Aleph, make: Make, root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    aleph.message = f"your key is {KEY}"
    prover = make()
    with caplog.at_level(logging.DEBUG):
        answer = ask(prover, root)
    assert KEY not in repr(answer)
    assert KEY not in caplog.text
    assert KEY not in repr(dict(prover.settings()))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"hours": "soon"}, "'hours' of prover 'aleph' is to be a number above 0, and is 'soon'"),
        ({"hours": "-1"}, "'hours'"),
        ({"hours": "inf"}, "'hours'"),
        ({"concurrency": "0"}, "a whole number of at least 1"),
        ({"concurrency": "1.5"}, "a whole number"),
        ({"cost_budget_usd": "0"}, "'cost_budget_usd'"),
        ({"time_budget": "3"}, "has no option 'time_budget'"),
    ],
)
def test_bad_options(aleph: Aleph, options: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        create(ProverSpec("aleph", options=options))


def test_registered(aleph: Aleph) -> None:
    prover = create(ProverSpec("aleph"))
    assert isinstance(prover, AlephProver)
    assert prover.settings() == {"hours": "24"}
    with pytest.raises(UsageError, match="takes no model id"):
        create(ProverSpec("aleph", model_id="x"))


def test_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROVER_API_KEY", raising=False)
    with pytest.raises(UsageError, match="PROVER_API_KEY"):
        create(ProverSpec("aleph"))


def test_bad_address(aleph: Aleph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVER_API_URL", "ftp://somewhere")
    with pytest.raises(UsageError, match="PROVER_API_URL is no http address"):
        create(ProverSpec("aleph"))
