"""Aristotle through its own client library, against a local server that speaks its protocol."""

from __future__ import annotations

import io
import json
import re
import ssl
import sys
import tarfile
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from project_files import SENT, make_project, project_task
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.aristotle import AristotleProver
from pytest_vsb.provers.base import Answer, ProofRequest, ProverSpec, ProverUnavailable
from pytest_vsb.provers.registry import create

KEY = "arstl_0123456789abcdef"
MAIN = "Lib/Main.lean"
PROVED = SENT[MAIN].replace("by\n  sorry", "by\n  exact helper")
PROVED = PROVED.replace("theorem goal", "theorem helper : base = 1 := rfl\n\ntheorem goal")


def tar_of(files: dict[str, str]) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return raw.getvalue()


def json_response(value: object, status: int = 200) -> Response:
    return Response(json.dumps(value), status, content_type="application/json")


_TIME = "2026-01-01T00:00:00Z"


@dataclass
class Harmonic:
    """The service. Runs go through ``states``, one a look, and end with the last."""

    states: list[str] = field(default_factory=lambda: ["QUEUED", "IN_PROGRESS", "COMPLETE"])
    result: bytes | None = None
    projects: dict[str, dict[str, Any]] = field(default_factory=dict)
    creations: list[dict[str, Any]] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    # (method, end of path) to answers that come before any other.
    before: dict[tuple[str, str], list[Response]] = field(default_factory=dict)
    # Whether a creation is made although its first answer is lost.
    made_all_the_same: bool = False

    def __call__(self, request: Request) -> Response:
        path = request.path.removeprefix("/api/v3")
        self.paths.append(f"{request.method} {path}")
        self.keys.add(request.headers.get("X-API-Key", ""))
        for (method, end), answers in self.before.items():
            if method == request.method and path.endswith(end) and answers:
                if self.made_all_the_same:
                    self.create(request)
                return answers.pop(0)
        parts = path.strip("/").split("/")
        if parts == ["project"]:
            if request.method == "POST":
                return json_response(self.create(request))
            return json_response({"projects": list(self.projects.values())})
        return self.about(request.method, *parts)

    def about(self, method: str, kind: str, name: str, what: str = "") -> Response:
        if kind == "task":
            if what == "cancel":
                self.cancelled.append(name)
                self.states = ["CANCELED"]
            return json_response(self.task(name.removeprefix("task-")))
        if name not in self.projects:
            return json_response({"detail": "no such project"}, 404)
        if what == "tasks":
            return json_response({"agent_tasks": [self.task(name)]})
        if what == "result":
            return Response(self.result, content_type="application/gzip")
        return json_response(self.projects[name])

    def create(self, request: Request) -> dict[str, Any]:
        body = json.loads(request.form["body"])
        sent = request.files["input"]
        self.creations.append({**body, "file": sent.filename, "input": sent.read()})
        return self.add(body["name"])

    def add(self, name: str, number: str = "") -> dict[str, Any]:
        number = number or str(uuid.uuid4())
        self.projects[number] = {
            "project_id": number,
            "created_at": _TIME,
            "last_updated": _TIME,
            "name": name,
            "status": 1,
            "has_input": True,
            "has_files": self.result is not None,
        }
        return self.projects[number]

    def task(self, project: str) -> dict[str, Any]:
        state = self.states.pop(0) if len(self.states) > 1 else self.states[0]
        return {
            "project_id": project,
            "agent_task_id": f"task-{project}",
            "status": state,
            "created_at": _TIME,
            "last_updated_at": _TIME,
            "file_name": None,
            "description": None,
            "output_summary": f"this is {state}",
        }


@pytest.fixture
def harmonic(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Harmonic:
    requests = pytest.importorskip("aristotlelib.api_request")
    # Its own retries and pace are what they are, only quicker; and no request has a client, with
    # all the authorities' certificates, of its own.
    context = ssl.create_default_context()
    monkeypatch.setattr(requests, "_ssl_context", lambda bundle: context)
    monkeypatch.setattr(requests, "RETRY_BACKOFF_SECONDS", 0.001)
    monkeypatch.setattr(requests, "REQUEST_INTERVAL_SECONDS", 0.0)
    service = Harmonic(
        result=tar_of({f"project/{p}": t for p, t in {**SENT, MAIN: PROVED}.items()})
    )
    httpserver.expect_request(re.compile("^/api/v3/")).respond_with_handler(service)
    monkeypatch.setenv("ARISTOTLE_API_KEY", KEY)
    monkeypatch.setenv("ARISTOTLE_WEB_URL", f"http://127.0.0.1:{httpserver.port}")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return service


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


Make = Callable[..., AristotleProver]


@pytest.fixture
def make() -> Iterator[Make]:
    made: list[AristotleProver] = []

    def prover(**options: str) -> AristotleProver:
        made.append(AristotleProver(ProverSpec("aristotle", options={"poll": "0.01", **options})))
        return made[-1]

    yield prover
    for one in made:
        one.close()


def ask(prover: AristotleProver, root: Path, kept: dict[str, str] | None = None) -> Answer:
    kept = {} if kept is None else kept
    answer = prover.prove(
        ProofRequest(
            task=project_task(),
            prefix="",
            sample=0,
            samples=1,
            round=0,
            seed=0,
            root=root,
            remembered=dict(kept),
            remember=kept.__setitem__,
        )
    )
    assert answer is not None
    return answer


def test_from_submission_to_candidate(harmonic: Harmonic, make: Make, root: Path) -> None:
    kept: dict[str, str] = {}
    prover = make()
    answer = ask(prover, root, kept)
    assert answer.candidate is not None
    assert answer.candidate.proof == ":= by\n  exact helper"
    assert answer.candidate.auxiliary == "theorem helper : base = 1 := rfl"
    assert answer.candidate.reasoning == "this is COMPLETE"
    assert (answer.stop, answer.malformed, answer.retries) == ("COMPLETE", "", 0)
    assert kept["job"] in harmonic.projects
    assert harmonic.keys == {KEY}
    (sent,) = harmonic.creations
    assert sent["agent_questions_setting"] == 1
    assert "`Lib.goal` in `Lib/Main.lean`" in sent["prompt"]
    assert sent["file"] == "project.tar.gz"
    with tarfile.open(fileobj=io.BytesIO(sent["input"])) as archive:
        assert sorted(archive.getnames()) == sorted(SENT)
    assert prover.settings()["aristotlelib"]
    assert KEY not in repr(answer)


def test_resumed_run_takes_the_job_up(harmonic: Harmonic, make: Make, root: Path) -> None:
    job = harmonic.add("earlier")["project_id"]
    assert ask(make(), root, {"job": job}).candidate is not None
    assert harmonic.creations == []


def test_run_killed_while_it_submitted(harmonic: Harmonic, make: Make, root: Path) -> None:
    """The submission's label was kept, its id was not: the job is found by the label."""
    job = harmonic.add("vsb-label")["project_id"]
    kept = {"label": "vsb-label"}
    assert ask(make(), root, kept).candidate is not None
    assert (kept["job"], kept["label"]) == (job, "")
    assert harmonic.creations == []


def test_run_killed_before_it_submitted(harmonic: Harmonic, make: Make, root: Path) -> None:
    kept = {"label": "vsb-label"}
    assert ask(make(), root, kept).candidate is not None
    assert [one["name"] for one in harmonic.creations] == ["vsb-label"]


def test_submission_whose_answer_is_lost(harmonic: Harmonic, make: Make, root: Path) -> None:
    harmonic.before = {("POST", "/project"): [Response("", 500)]}
    harmonic.made_all_the_same = True
    kept: dict[str, str] = {}
    assert ask(make(), root, kept).candidate is not None
    assert len(harmonic.creations) == 1
    assert list(harmonic.projects) == [kept["job"]]


def test_submission_that_is_nowhere(harmonic: Harmonic, make: Make, root: Path) -> None:
    harmonic.before = {("POST", "/project"): [Response("", 500)]}
    kept: dict[str, str] = {}
    with pytest.raises(ProverUnavailable, match="may have taken the job or not"):
        ask(make(), root, kept)
    # A resumed run looks for it, and then submits it under the same label.
    label = kept["label"]
    assert ask(make(), root, kept).candidate is not None
    assert [one["name"] for one in harmonic.creations] == [label]


def test_too_many_runs(harmonic: Harmonic, make: Make, root: Path) -> None:
    full = {"detail": "Too many runs in progress: wait for one to end."}
    harmonic.before = {("POST", "/project"): [json_response(full, 429) for _ in range(3)]}
    answer = ask(make(), root)
    assert answer.candidate is not None
    assert answer.retries == 3


def test_outage_while_it_waits(harmonic: Harmonic, make: Make, root: Path) -> None:
    harmonic.before = {("GET", "/tasks"): [Response("", 502) for _ in range(12)]}
    answer = ask(make(), root)
    assert answer.candidate is not None
    assert answer.retries >= 2


@pytest.mark.parametrize(("state", "word"), [("FAILED", "FAILED"), ("CANCELED", "CANCELED")])
def test_job_that_failed(harmonic: Harmonic, make: Make, root: Path, state: str, word: str) -> None:
    harmonic.states = [state]
    kept: dict[str, str] = {}
    with pytest.raises(ProverUnavailable, match=f"ended as {word}: this is {state}"):
        ask(make(), root, kept)
    assert kept["failed"] == kept["job"]
    harmonic.states = ["COMPLETE"]
    assert ask(make(), root, kept).candidate is not None
    assert len(harmonic.creations) == 2


@pytest.mark.parametrize("state", ["OUT_OF_BUDGET", "COMPLETE_WITH_ERRORS"])
def test_job_that_ended_early_may_have_the_proof(
    harmonic: Harmonic, make: Make, root: Path, state: str
) -> None:
    harmonic.states = [state]
    answer = ask(make(), root)
    assert answer.candidate is not None
    assert answer.stop == state


def test_file_that_came_back_as_it_was(harmonic: Harmonic, make: Make, root: Path) -> None:
    harmonic.result = tar_of(SENT)
    answer = ask(make(), root)
    assert answer.candidate is None
    assert answer.malformed == "Lib.goal came back as it was"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"Other.lean": ""}, "the archive has no Lib/Main.lean"),
        ({"../Main.lean": PROVED}, "an unsafe name: '../Main.lean'"),
        ({MAIN: PROVED.replace("goal : base = 1 :=", "goal : 1 = 1 :=")}, "the statement of"),
    ],
)
def test_unusable_archive(
    harmonic: Harmonic, make: Make, root: Path, files: dict[str, str], said: str
) -> None:
    harmonic.result = tar_of(files)
    answer = ask(make(), root)
    assert answer.candidate is None
    assert answer.malformed.startswith(said)


def test_damaged_archive_is_fetched_again(harmonic: Harmonic, make: Make, root: Path) -> None:
    damaged = Response(harmonic.result[:40] if harmonic.result else b"", content_type="a/b")
    harmonic.before = {("GET", "/result"): [damaged]}
    assert ask(make(), root).candidate is not None


def test_no_files(harmonic: Harmonic, make: Make, root: Path) -> None:
    project = harmonic.add("empty")
    project["has_files"] = project["has_input"] = False
    answer = ask(make(), root, {"job": project["project_id"]})
    assert answer.candidate is None
    assert "has no files" in answer.malformed


def test_time_limit(harmonic: Harmonic, make: Make, root: Path) -> None:
    harmonic.states = ["IN_PROGRESS"]
    answer = ask(make(hours="0.000001"), root)
    assert (answer.candidate, answer.stop) == (None, "time limit")
    assert len(harmonic.cancelled) == 1


def test_job_that_nobody_knows(harmonic: Harmonic, make: Make, root: Path) -> None:
    with pytest.raises(ProverUnavailable, match="aristotle does not know it") as caught:
        ask(make(), root, {"job": str(uuid.uuid4())})
    assert "ARISTOTLE_API_KEY" in str(caught.value)


@pytest.mark.parametrize(
    ("status", "said"),
    [(401, "refused the key"), (403, "have access (403)"), (422, "status 422: too odd")],
)
def test_refusal(harmonic: Harmonic, make: Make, root: Path, status: int, said: str) -> None:
    answer = json_response({"detail": f"too odd {KEY}"}, status)
    harmonic.before = {("POST", "/project"): [answer]}
    with pytest.raises(ProverUnavailable, match=re.escape(said)) as caught:
        ask(make(), root)
    assert KEY not in str(caught.value)


def test_answer_of_another_form(harmonic: Harmonic, make: Make, root: Path) -> None:
    harmonic.before = {("POST", "/project"): [json_response({"project": 1})]}
    with pytest.raises(ProverUnavailable, match="aristotlelib cannot make sense of it"):
        ask(make(), root)


def test_registered(harmonic: Harmonic) -> None:
    prover = create(ProverSpec("aristotle", options={"concurrency": "2"}))
    assert isinstance(prover, AristotleProver)
    assert prover.concurrency == 2


def test_no_key(harmonic: Harmonic, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARISTOTLE_API_KEY")
    with pytest.raises(UsageError, match="ARISTOTLE_API_KEY"):
        create(ProverSpec("aristotle"))


def test_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "aristotlelib", None)
    with pytest.raises(UsageError, match="needs the package aristotlelib") as caught:
        create(ProverSpec("aristotle"))
    assert "pytest-vsb[aristotle]" in str(caught.value)
