from __future__ import annotations

import gzip
import itertools
import logging
import shutil
import ssl
import subprocess
import threading
import traceback
from collections.abc import Callable, Iterator
from email.utils import formatdate
from pathlib import Path
from random import Random
from typing import Any

import pytest
from http_service import (
    SSE,
    Service,
    Step,
    chunked,
    cut,
    drip,
    events,
    hang,
    reply,
    reset,
    serve,
    vanish,
)
from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import ProverUnavailable
from pytest_vsb.provers.http import (
    AnswerFault,
    ErrorDescription,
    HttpClient,
    HttpError,
    HttpPolicy,
    SseEvent,
    backoff,
    describe_error,
    scrub,
)
from pytest_vsb.provers.pace import Pace
from pytest_vsb.provers.rate_headers import quota_wait, retry_after, wants_retry
from pytest_vsb.provers.sse import SseDecoder

KEY = "sk-test-0123456789abcdef"
QUICK = HttpPolicy(
    connect_seconds=60.0, read_seconds=60.0, retries=4, backoff_base=0.01, backoff_cap=0.02
)
GOOD = reply({"proof": "∀ rfl"})

Clients = Callable[..., HttpClient]


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "REQUESTS_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))


@pytest.fixture
def client() -> Iterator[Clients]:
    made: list[HttpClient] = []

    def make(service: Service | str, policy: HttpPolicy = QUICK, **more: Any) -> HttpClient:
        url = service if isinstance(service, str) else service.url
        more.setdefault("headers", {"Authorization": f"Bearer {KEY}"})
        made.append(HttpClient(url, secrets=[KEY], policy=policy, seed=0, **more))
        return made[-1]

    yield make
    for one in made:
        one.close()


def failure(
    client: HttpClient, call: Callable[[HttpClient], object] = lambda c: c.post_json("x", {})
) -> HttpError:
    with pytest.raises(HttpError) as caught:
        call(client)
    assert caught.value.__context__ is None
    return caught.value


# Answers


def test_post(client: Clients) -> None:
    with serve(GOOD) as service:
        answer = client(service).post_json("/messages", {"text": "∀ x", "n": 8}, tokens=10)
    (request,) = service.requests
    assert (request.method, request.path) == ("POST", "/v1/messages")
    assert request.json == {"text": "∀ x", "n": 8}
    assert "∀".encode() in request.body
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"] == "application/json"
    assert request.headers["user-agent"].startswith("pytest-vsb/")
    assert answer.status == 200
    assert answer.json == {"proof": "∀ rfl"}
    assert answer.retries == 0
    assert answer.headers["content-type"] == "application/json"
    assert answer.seconds > 0


def test_get(client: Clients) -> None:
    with serve(GOOD) as service:
        answer = client(service).get_json("jobs/7", params={"page": "a b"}, headers={"X-A": "1"})
    (request,) = service.requests
    assert (request.method, request.path, request.body) == ("GET", "/v1/jobs/7?page=a+b", b"")
    assert request.headers["x-a"] == "1"
    assert answer.json == {"proof": "∀ rfl"}


def test_lone_surrogate_is_sent_as_something(client: Clients) -> None:
    with serve(GOOD) as service:
        client(service).post_json("x", {"text": "a\ud800b"})
    assert service.requests[0].json == {"text": "a?b"}


def test_long_chunked_and_compressed_bodies(client: Clients) -> None:
    long = b'"' + b"x" * 10_000_000 + b'"'
    packed = gzip.compress(b'{"a": 1}' + b" " * 1_000_000)
    steps = (
        reply(text=long),
        chunked([long[:1000], long[1000:]]),
        reply(text=packed, headers={"Content-Encoding": "gzip"}),
    )
    with serve(*steps) as service:
        one = client(service)
        assert len(one.post_json("x", {}).json) == 10_000_000
        assert len(one.post_json("x", {}).json) == 10_000_000
        assert one.post_json("x", {}).json == {"a": 1}
    assert service.connections == 1


def test_wrong_content_type_of_a_right_body(client: Clients) -> None:
    with serve(reply({"a": 1}, headers={"Content-Type": "text/plain"})) as service:
        assert client(service).post_json("x", {}).json == {"a": 1}


def test_connections_are_used_again_by_many_threads(client: Clients) -> None:
    with serve(GOOD) as service:
        one = client(service)

        def work() -> None:
            for _ in range(5):
                one.post_json("x", {})

        for _ in range(2):
            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert len(service.requests) == 40
    assert service.connections <= 4


# Faults that pass


def http_date(seconds: float) -> str:
    return formatdate(1_900_000_000 + seconds, usegmt=True)


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(reply({"error": "slow"}, 429), id="429"),
        pytest.param(reply({}, 429, {"Retry-After": "0.1"}), id="seconds"),
        pytest.param(reply({}, 429, {"retry-after-ms": "50"}), id="milliseconds"),
        pytest.param(
            reply({}, 429, {"Retry-After": http_date(0), "Date": http_date(0)}), id="date"
        ),
        pytest.param(reply({}, 429, {"Retry-After": "soon"}), id="no-date"),
        pytest.param(reply({}, 408), id="408"),
        pytest.param(reply({}, 409), id="409"),
        pytest.param(reply({}, 500), id="500"),
        pytest.param(reply(text="<html>Bad gateway", status=502), id="502"),
        pytest.param(reply({}, 503, {"Retry-After": "0"}), id="503"),
        pytest.param(reply({"error": {"type": "overloaded_error"}}, 529), id="529"),
        pytest.param(reply({}, 400, {"x-should-retry": "true"}), id="asked-to"),
        pytest.param(reset, id="reset"),
        pytest.param(vanish, id="no-answer"),
        pytest.param(cut(b'{"a": 1}', 100), id="cut"),
        pytest.param(chunked([b'{"a": 1}'], end=False), id="cut-chunks"),
        pytest.param(reply(text='{"a": '), id="half-json"),
        pytest.param(reply(text=""), id="empty"),
        pytest.param(reply(text="<html>", headers={"Content-Type": "text/html"}), id="html"),
        pytest.param(reply(text=b"nozip", headers={"Content-Encoding": "gzip"}), id="no-gzip"),
    ],
)
def test_fault_is_survived(client: Clients, fault: Step) -> None:
    with serve(fault, GOOD) as service:
        answer = client(service).post_json("x", {"n": 1})
    assert answer.json == {"proof": "∀ rfl"}
    assert answer.retries == 1
    assert [request.json for request in service.requests] == [{"n": 1}] * 2


def test_clock_skew(client: Clients) -> None:
    """A date an hour ahead of ours, on a service whose clock is, is no hour's wait."""
    ahead = reply({}, 429, {"Retry-After": http_date(0.0), "Date": http_date(-1.0)})
    policy = HttpPolicy(longest_wait=5.0, backoff_base=0.01)
    with serve(ahead, GOOD) as service:
        assert client(service, policy).post_json("x", {}).retries == 1


def test_hang_is_cut_and_tried_again(client: Clients) -> None:
    policy = HttpPolicy(read_seconds=1.5, backoff_base=0.01)
    with serve(hang, GOOD) as service:
        assert client(service, policy).post_json("x", {}).retries == 1


def test_hang_for_good(client: Clients) -> None:
    policy = HttpPolicy(read_seconds=0.1, retries=2, backoff_base=0.01)
    with serve(hang) as service:
        error = failure(client(service, policy))
    assert (error.code, error.status, error.retried) == ("timeout", None, 2)
    assert str(error) == f"{service.url}/x: the service did not answer in time (after 2 retries)"


def test_endless_body_is_cut_by_the_total_time(client: Clients) -> None:
    policy = HttpPolicy(read_seconds=30.0, total_seconds=1.0, backoff_base=0.01)
    with serve(drip) as service:
        error = failure(client(service, policy))
    assert error.code == "timeout"
    assert len(service.requests) == 1


def test_time_between_attempts_does_not_count(client: Clients) -> None:
    policy = HttpPolicy(total_seconds=1.5, backoff_base=0.001)
    with serve(*[reply({}, 503, {"Retry-After": "0.8"})] * 2, GOOD) as service:
        answer = client(service, policy).post_json("x", {})
    assert answer.retries == 2
    assert answer.waited >= 1.6
    assert answer.seconds < policy.total_seconds


def test_faults_of_one_request_are_no_others(client: Clients) -> None:
    """While one hangs and another is refused for good, the rest get their answers."""

    def by_path(handler: Any) -> None:
        kind = handler.path.rpartition("/")[2]
        {"hang": hang, "bad": reply({}, 400)}.get(kind, GOOD)(handler)

    done: dict[str, object] = {}
    policy = HttpPolicy(read_seconds=2.0, retries=0)
    with serve(by_path) as service:
        one = client(service, policy)

        def ask(path: str) -> None:
            try:
                done[path] = one.post_json(path, {}).json
            except HttpError as error:
                done[path] = error.code

        threads = [threading.Thread(target=ask, args=(p,)) for p in ("hang", "bad", "a", "b")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    right = {"proof": "∀ rfl"}
    assert done == {"hang": "timeout", "bad": "bad_request", "a": right, "b": right}


# Faults that stay


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "bad_request"),
        (401, "auth"),
        (402, "quota"),
        (403, "permission"),
        (404, "not_found"),
        (413, "bad_request"),
        (422, "bad_request"),
    ],
)
def test_what_cannot_succeed_is_not_tried_again(client: Clients, status: int, code: str) -> None:
    body = {"error": {"message": f"no, {KEY} \x1b[31m is\n wrong", "type": "some_error"}}
    with serve(reply(body, status)) as service:
        error = failure(client(service))
    assert len(service.requests) == 1
    assert (error.code, error.status, error.retried) == (code, status, 0)
    assert isinstance(error, ProverUnavailable)
    assert f"(HTTP {status}): no, [secret] [31m is wrong" in error.message
    assert error.where == f"{service.url}/x"


def test_used_up_quota_is_not_tried_again(client: Clients) -> None:
    body = {"error": {"message": "pay first", "code": "insufficient_quota"}}
    with serve(reply(body, 429)) as service:
        error = failure(client(service))
    assert (error.code, len(service.requests)) == ("quota", 1)


def test_key_revoked_between_requests(client: Clients) -> None:
    body = {"error": {"message": "revoked", "type": "authentication_error"}}
    with serve(GOOD, reply(body, 401)) as service:
        one = client(service)
        assert one.post_json("x", {}).status == 200
        error = failure(one)
    assert error.code == "auth"
    assert error.hint is not None
    assert "key in the environment" in error.hint


def test_giving_up(client: Clients) -> None:
    with serve(reply({"message": "down"}, 500)) as service:
        error = failure(client(service))
    assert len(service.requests) == 1 + QUICK.retries
    assert (error.code, error.status, error.retried) == ("server", 500, 4)
    assert error.message == "the service failed (HTTP 500): down (after 4 retries)"


def test_too_long_a_wait_is_not_waited(client: Clients) -> None:
    with serve(reply({}, 429, {"Retry-After": "86400"})) as service:
        error = failure(client(service))
    assert (error.code, len(service.requests)) == ("rate_limited", 1)
    assert "asks to wait 86400 s" in error.message


def test_page_instead_of_an_answer(client: Clients) -> None:
    page = reply(text="<html>\n<h1>Welcome</h1>", headers={"Content-Type": "text/html"})
    with serve(page) as service:
        error = failure(client(service))
    assert len(service.requests) == 1 + QUICK.unreadable_retries
    assert error.code == "protocol"
    assert "text/html instead of JSON: <html> <h1>Welcome</h1>" in error.message


def test_endless_answer_is_not_kept(client: Clients) -> None:
    with serve(chunked([b"x" * 2**20] * 65)) as service:
        error = failure(client(service))
    assert (error.code, len(service.requests)) == ("protocol", 1)
    assert "longer than 64 MB" in error.message


def test_host_without_address(client: Clients) -> None:
    error = failure(client("http://no-such-host.invalid/v1", HttpPolicy(retries=1, backoff_base=0)))
    assert (error.code, error.status, error.retried) == ("network", None, 1)
    assert "host name cannot be resolved" in error.message


def test_nobody_listens(client: Clients) -> None:
    with serve(GOOD) as service:
        pass
    error = failure(client(service))
    assert error.code == "network"
    assert "refused" in error.message


def test_redirect_takes_no_key_along(client: Clients) -> None:
    with serve(GOOD) as other, serve(reply({}, 307, {"Location": other.url})) as service:
        error = failure(client(service))
    assert not other.requests
    assert (error.code, len(service.requests)) == ("protocol", 1)
    assert other.url in error.message


def test_answer_that_reports_a_failure(client: Clients) -> None:
    def inspect(value: Any) -> None:
        if "error" in value:
            raise AnswerFault(value["error"], code="server", retry=value["again"])

    passing = reply({"error": "later", "again": True})
    final = reply({"error": "never", "again": False})
    with serve(passing, GOOD, final) as service:
        one = client(service)
        assert one.post_json("x", {}, inspect=inspect).retries == 1
        error = failure(one, lambda c: c.post_json("x", {}, inspect=inspect))
    assert error.message == "never"
    assert (error.status, error.code, error.retried) == (200, "server", 0)


def test_own_reading_of_errors(client: Clients) -> None:
    def describe(status: int, body: Any) -> ErrorDescription | None:
        if body is None:
            return None
        return ErrorDescription(f"{status}: {body['why']}", code="policy", retry=False)

    with serve(reply({"why": "naughty"}, 500), reply(text="what?", status=400)) as service:
        one = client(service, describe_error=describe)
        assert failure(one).message.endswith("because of its content (HTTP 500): 500: naughty")
        assert failure(one).message.endswith("(HTTP 400): what?")


def test_close_ends_a_wait(client: Clients) -> None:
    policy = HttpPolicy(longest_wait=1e6)
    seen = threading.Event()

    def busy(handler: Any) -> None:
        reply({}, 503, {"Retry-After": "10000"})(handler)
        seen.set()

    with serve(busy) as service:
        one = client(service, policy)
        errors: list[HttpError] = []
        thread = threading.Thread(target=lambda: errors.append(failure(one)))
        thread.start()
        assert seen.wait(60)
        one.close()
        thread.join(60)
        assert not thread.is_alive()
        assert "closed" in failure(one).message
    assert errors[0].code in ("server", "network")


# Pace


class NotedPace(Pace):
    """A pace that also keeps what it was told."""

    def __init__(self) -> None:
        super().__init__(concurrency=8)
        self.told: list[tuple[float, bool]] = []
        self.successes = 0

    def slow_down(self, seconds: float, *, refused: bool = True) -> None:
        self.told.append((seconds, refused))
        super().slow_down(seconds, refused=refused)

    def succeeded(self) -> None:
        self.successes += 1
        super().succeeded()


def test_a_place_that_an_exception_has_left_is_given_up(client: Clients) -> None:
    pace = Pace(concurrency=1)
    pace.admit().__enter__()
    with serve(reply({})) as service:
        client(service, pace=pace).post_json("x", {})
    assert pace.in_flight == 0
    pace.close()


def test_pace_hears_of_refusals_and_full_quotas(client: Clients) -> None:
    spent = {
        "x-ratelimit-limit-requests": "100",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "1s",
    }
    steps = [reply({}, 429, {"Retry-After": "0.02"}), reply({}, 500), reply({}, headers=spent)]
    pace = NotedPace()
    with serve(*steps) as service:
        assert client(service, pace=pace).post_json("x", {}).retries == 2
    assert pace.told == [(0.02, True), (pytest.approx(0.01), False)]
    assert pace.successes == 1
    assert pace.allowed == 4
    assert pace.in_flight == 0
    pace.close()


# Streams


def test_stream(client: Clients) -> None:
    with serve(events("a", "b")) as service:
        stream = client(service).stream_sse("x", {"stream": True})
    assert list(stream) == [("part", "a"), ("part", "b")]
    assert (stream.status, stream.retries) == (200, 0)
    assert service.requests[0].headers["accept"] == "text/event-stream"
    assert service.requests[0].json == {"stream": True}


def last(event: SseEvent) -> bool:
    return event.data == "end"


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(events("a", "b", end=False), id="cut-chunks"),
        pytest.param(events("a", "b"), id="no-last-event"),
        pytest.param(chunked([b"data: a\n\ndata: end\n"], SSE), id="cut-event"),
        pytest.param(cut(b"data: a\n\n", 100, SSE), id="cut"),
        pytest.param(reply({}, 529), id="529"),
        pytest.param(reply({"error": "no stream"}), id="json"),
    ],
)
def test_broken_stream_is_asked_for_again_from_its_start(client: Clients, broken: Step) -> None:
    with serve(broken, events("c", "end")) as service:
        one = client(service)
        stream = one.stream_sse("x", {}, watch=last)
    assert [event.data for event in stream] == ["c", "end"]
    assert stream.retries == 1


def test_stream_without_events(client: Clients) -> None:
    with serve(events()) as service:
        error = failure(client(service), lambda c: c.stream_sse("x", {}))
    assert error.code == "network"
    assert "broke off" in error.message


def test_what_goes_wrong_after_the_last_event_does_no_harm(client: Clients) -> None:
    steps = (events("end", open_after=True), events("end", end=False), events("end"), GOOD)
    with serve(*steps) as service:
        one = client(service)
        for _ in range(3):
            stream = one.stream_sse("x", {}, watch=last)
            assert [event.data for event in stream] == ["end"]
            assert stream.retries == 0
        assert one.post_json("x", {}).retries == 0


def test_stream_that_reports_a_failure(client: Clients) -> None:
    def watch(event: SseEvent) -> bool:
        if event.data == "overloaded":
            raise AnswerFault("the model is overloaded")
        if event.data == "refused":
            raise AnswerFault("no", code="policy", retry=False)
        return last(event)

    steps = (events("a", "overloaded"), events("b", "end"), events("refused"))
    with serve(*steps) as service:
        one = client(service)
        stream = one.stream_sse("x", {}, watch=watch)
        assert ([event.data for event in stream], stream.retries) == (["b", "end"], 1)
        error = failure(one, lambda c: c.stream_sse("x", {}, watch=watch))
    assert (error.code, error.message, error.retried) == ("policy", "no", 0)


def test_stream_that_stalls(client: Clients) -> None:
    policy = HttpPolicy(read_seconds=1.5, backoff_base=0.01)
    with serve(events("a", open_after=True), events("end")) as service:
        assert client(service, policy).stream_sse("x", {}, watch=last).retries == 1


def decoded(pieces: list[bytes]) -> list[SseEvent]:
    decoder = SseDecoder()
    return [event for piece in pieces for event in decoder.feed(piece)]


LINES = st.text(
    st.characters(exclude_characters="\r\n\ufeff", exclude_categories=["Cs"]), max_size=8
)


@given(
    st.lists(st.tuples(LINES.filter(bool), st.lists(LINES, min_size=1, max_size=3)), max_size=4),
    st.sampled_from(["\n", "\r", "\r\n"]),
    st.lists(st.integers(0, 200), max_size=6),
    st.booleans(),
)
def test_events_survive_any_line_end_and_any_cut(
    sent: list[tuple[str, list[str]]], end: str, cuts: list[int], mark: bool
) -> None:
    text = "\ufeff" if mark else ""
    for name, data in sent:
        fields = [f"event: {name}", ": a comment", *(f"data: {line}" for line in data), "id: 7"]
        text += end.join([*fields, "", ""])
    body = text.encode()
    bounds = [0, *sorted(min(cut, len(body)) for cut in cuts), len(body)]
    pieces = [body[a:b] for a, b in itertools.pairwise(bounds)]
    assert decoded(pieces) == [(name, "\n".join(data)) for name, data in sent]


@given(st.lists(st.binary(max_size=30), max_size=6))
def test_any_bytes_are_some_events(pieces: list[bytes]) -> None:
    assert decoded(pieces) == decoded([b"".join(pieces)])


def test_event_without_a_name_or_a_space() -> None:
    assert decoded([b"data:a\ndata\ndata: b\n\nevent: x\n\n"]) == [("message", "a\n\nb")]


# Environment


def test_netrc_does_not_replace_the_key(
    client: Clients, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine localhost login someone password else\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with serve(GOOD) as service:
        client(service).post_json("x", {})
    assert service.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_proxy_of_the_environment(client: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(GOOD) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        answer = client("http://upstream.invalid/v1").post_json("x", {})
    assert answer.json == {"proof": "∀ rfl"}
    assert proxy.requests[0].path == "http://upstream.invalid/v1/x"


def test_no_proxy_of_the_environment(client: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://no-such-proxy.invalid:8080")
    monkeypatch.setenv("no_proxy", "localhost")
    with serve(GOOD) as service:
        assert client(service).post_json("x", {}).retries == 0


def test_proxy_password_is_not_shown(client: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://me:hunter2@no-such-proxy.invalid:8080")
    error = failure(client("http://upstream.invalid/v1", HttpPolicy(retries=0)))
    assert error.code == "network"
    assert "hunter2" not in str(error)
    monkeypatch.setenv("http_proxy", "http://me:hunter2@:bad:proxy:")
    assert "hunter2" not in str(failure(client("http://upstream.invalid/v1")))


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, ssl.SSLContext]:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("makes a certificate with openssl")
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(key), "-out", str(cert), "-days", "30"]
    subprocess.run([openssl, "req", "-x509", *curve, *files, *subject], check=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return cert, context


def test_certificate_authority_of_the_environment(
    client: Clients, certificate: tuple[Path, ssl.SSLContext], monkeypatch: pytest.MonkeyPatch
) -> None:
    cert, context = certificate
    with serve(GOOD, tls=context) as service:
        error = failure(client(service))
        # A proxy's, and this, are read when the first connection is made.
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(cert))
        assert client(service).post_json("x", {}).retries == 0
    assert (error.code, error.retried) == ("network", 0)
    assert "certificate is not trusted" in error.message
    assert "REQUESTS_CA_BUNDLE" in (error.hint or "")


# Secrets


def test_key_shows_nowhere(client: Clients, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echo = reply({"error": {"message": f"bad: Bearer {KEY}"}, "sent": KEY}, 500)
    with serve(echo) as service:
        one = client(service, HttpPolicy(retries=0))
        with pytest.raises(HttpError) as caught:
            one.post_json("x", {"a": 1})
    # The first frame is the test's own, which knows the key.
    inner = caught.tb.tb_next
    frames = traceback.TracebackException(HttpError, caught.value, inner, capture_locals=True)
    shown = "".join(frames.format()) + repr(caught.value) + caplog.text + repr(one)
    assert "post_json" in shown
    assert KEY not in shown


def test_echoed_key_is_removed(client: Clients) -> None:
    with serve(reply({"echo": KEY}, headers={"X-Echo": KEY})) as service:
        answer = client(service).post_json("x", {})
    assert answer.text == '{"echo": "[secret]"}'
    assert KEY not in repr(answer.headers)


@pytest.mark.parametrize("value", [KEY + "\n", " " + KEY, KEY + "é", f"a\r\nX: {KEY}"])
def test_key_that_cannot_be_sent(value: str) -> None:
    with pytest.raises(UsageError) as caught:
        HttpClient("https://host", headers={"x-api-key": value}, secrets=[value])
    assert "x-api-key" in str(caught.value)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "host",
        "ftp://host",
        "http://",
        "http:///v1",
        "http://host:x",
        "http://a b",
        "http://h?q",
    ],
)
def test_address_that_is_none(url: str) -> None:
    with pytest.raises(UsageError):
        HttpClient(url, headers={})


def test_scrub() -> None:
    secret = 'p"ss/word+1'
    texts = [secret, r"p\"ss/word+1", "p%22ss%2Fword%2B1", "cCJzcy93b3JkKzE="]
    for text in texts:
        assert scrub(f"a {text} b", [secret]).startswith("a [secret]")
    assert scrub("EMPTY list", ["EMPTY", ""]) == "EMPTY list"
    assert scrub("http://me:pw@proxy:80/x", []) == "http://[secret]@proxy:80/x"
    assert scrub("0123456789abc", ["0123456789", "0123456789abc"]) == "[secret]"


@given(st.text(max_size=30), st.text(max_size=30))
def test_scrub_leaves_no_secret(before: str, after: str) -> None:
    assert KEY not in scrub(before + KEY + after, [KEY])


# Waits


@given(st.integers(0, 2000), st.integers(0, 2**32))
def test_backoff_is_bounded(attempt: int, seed: int) -> None:
    policy = HttpPolicy(backoff_base=1.0, backoff_cap=60.0)
    wait = backoff(policy, attempt, Random(seed))
    assert 0 <= wait <= min(60.0, 2.0 ** min(attempt, 10))
    assert wait == backoff(policy, attempt, Random(seed))


DATE = {"date": http_date(0)}


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": http_date(90), **DATE}, 90.0),
        ({"retry-after": http_date(-90), **DATE}, 0.0),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "tomorrow"}, None),
        ({"retry-after": "Mon, 99 Foo 99999 00:00:00 GMT"}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@given(st.text(max_size=40))
def test_any_header_text_is_read(text: str) -> None:
    names = ["retry-after", "retry-after-ms", "date", "x-should-retry"]
    names += [f"x-ratelimit-{part}-tokens" for part in ("limit", "remaining", "reset")]
    names += [f"anthropic-ratelimit-tokens-{part}" for part in ("limit", "remaining", "reset")]
    headers = dict.fromkeys(names, text)
    seconds = retry_after(headers)
    assert seconds is None or seconds >= 0
    assert quota_wait(headers, 10) >= 0


def anthropic(kind: str, limit: int, remaining: int, reset: str) -> dict[str, str]:
    prefix = f"anthropic-ratelimit-{kind}"
    parts = {"limit": str(limit), "remaining": str(remaining), "reset": reset}
    return {f"{prefix}-{part}": value for part, value in parts.items()} | {
        "date": "Tue, 01 Dec 2026 00:00:00 GMT"
    }


def openai(kind: str, limit: int, remaining: int, reset: str) -> dict[str, str]:
    return {
        f"x-ratelimit-limit-{kind}": str(limit),
        f"x-ratelimit-remaining-{kind}": str(remaining),
        f"x-ratelimit-reset-{kind}": reset,
    }


@pytest.mark.parametrize(
    ("headers", "tokens", "seconds"),
    [
        ({}, 0, 0.0),
        (anthropic("requests", 50, 49, "2026-12-01T00:00:01Z"), 0, 0.0),
        (anthropic("requests", 50, 0, "2026-12-01T00:01:00Z"), 0, 1.2),
        (anthropic("input-tokens", 30000, 0, "2026-12-01T00:01:00Z"), 15000, 30.0),
        (anthropic("input-tokens", 30000, 20000, "2026-12-01T00:00:20Z"), 10000, 0.0),
        (anthropic("output-tokens", 8000, 0, "2026-12-01T00:01:00Z"), 99999, 60.0),
        (anthropic("tokens", 100, 0, "2026-11-30T23:00:00Z"), 1, 0.0),
        (openai("requests", 60, 0, "1m0s"), 0, 1.0),
        (openai("tokens", 1000, 0, "6m0s"), 1000, 360.0),
        (openai("tokens", 1000, 0, "1h2m3.5s"), 2000, 3723.5),
        (openai("requests", 1, 0, "20ms"), 0, 0.02),
        (openai("requests", 1, 0, "whenever"), 0, 0.0),
        (openai("tokens", 10, 12, "1s"), 100, 1.0),
    ],
)
def test_wait_for_a_quota(headers: dict[str, str], tokens: int, seconds: float) -> None:
    assert quota_wait(headers, tokens) == pytest.approx(seconds)


def test_what_the_service_says_of_retries() -> None:
    assert wants_retry({}) is None
    assert wants_retry({"x-should-retry": "true"}) is True
    assert wants_retry({"x-should-retry": "False"}) is False


@pytest.mark.parametrize(
    ("status", "body", "message", "code"),
    [
        (400, {"error": {"message": "m", "code": "content_policy_violation"}}, "m", "policy"),
        (400, {"error": {"message": "m", "code": "model_not_found"}}, "m", "not_found"),
        (400, {"error": {"message": "m", "param": "safety_identifier"}}, "m", None),
        (401, {"type": "error", "error": {"type": "authentication_error"}}, "", "auth"),
        (500, {"error": {"message": "m", "code": "invalid_api_key"}}, "m", "server"),
        (529, {"error": {"message": "m", "type": "overloaded_error"}}, "m", "server"),
        (400, {"error": {"message": "m", "type": "internal_error"}}, "m", None),
        (429, {"error": {"message": "m", "type": "rate_limit_error"}}, "m", "rate_limited"),
        (400, [{"error": {"message": "m", "status": "INVALID_ARGUMENT"}}], "m", None),
        (422, {"detail": "m"}, "m", None),
        (422, {"detail": [{"msg": "m"}]}, "[{'msg': 'm'}]", None),
        (400, {"error": "m"}, "m", None),
        (400, {"message": "m"}, "m", None),
        (400, {"error": {"code": 400}}, "", None),
        (400, None, "", None),
        (400, [], "", None),
        (400, "m", "", None),
    ],
)
def test_common_forms_of_errors(status: int, body: Any, message: str, code: str | None) -> None:
    described = describe_error(status, body)
    assert (described.message, described.code) == (message, code)


def test_error_of_google() -> None:
    key = {"reason": "API_KEY_INVALID", "@type": "type.googleapis.com/google.rpc.ErrorInfo"}
    body = {"error": {"code": 400, "status": "INVALID_ARGUMENT", "details": [key]}}
    assert describe_error(400, body).code == "auth"
    delay = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}
    body = {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [delay]}}
    assert describe_error(429, body) == ErrorDescription("", "rate_limited", wait=34.5)
    day = {"violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel"}]}
    body["error"]["details"] = [day, delay]
    assert describe_error(429, body) == ErrorDescription("", "quota")
