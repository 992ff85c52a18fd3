"""A local HTTP service that does what a test tells it to, also what no service should."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Step = Callable[["Handler"], None]


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Service:
    """Answers request n by step n; what comes after the last step gets the last one again."""

    url: str = ""
    steps: list[Step] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    connections: int = 0
    released: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def then(self, *steps: Step) -> None:
        self.steps.extend(steps)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    service: Service

    def setup(self) -> None:
        super().setup()
        with self.service.lock:
            self.service.connections += 1

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        request = Request(
            self.command,
            self.path,
            {name.lower(): value for name, value in self.headers.items()},
            self.rfile.read(length),
        )
        with self.service.lock:
            number = min(len(self.service.requests), len(self.service.steps) - 1)
            self.service.requests.append(request)
            step = self.service.steps[number]
        with contextlib.suppress(OSError):
            step(self)

    do_GET = do_POST = answer

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def send(
        self,
        status: int,
        headers: Mapping[str, str],
        body: bytes = b"",
        *,
        length: int | None = None,
    ) -> None:
        self.send_response(status)
        shown = {"Content-Length": str(len(body) if length is None else length), **headers}
        for name, value in shown.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


def reply(
    value: Any = None,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    *,
    text: str | bytes | None = None,
) -> Step:
    """A whole answer: JSON, or ``text`` as it is."""
    body = json.dumps(value).encode() if text is None else text
    body = body.encode() if isinstance(body, str) else body
    shown = {"Content-Type": "application/json", **(headers or {})}

    def step(handler: Handler) -> None:
        if "Date" in shown:
            # In place of the server's own.
            handler.date_time_string = lambda timestamp=None: shown["Date"]  # type: ignore[method-assign]
        handler.send(status, {k: v for k, v in shown.items() if k != "Date"}, body)

    return step


def cut(body: bytes, promised: int, headers: Mapping[str, str] | None = None) -> Step:
    """An answer that ends before the length that it promised."""

    def step(handler: Handler) -> None:
        handler.send(200, headers or {"Content-Type": "application/json"}, body, length=promised)
        handler.close_connection = True

    return step


def reset(handler: Handler) -> None:
    """The connection is reset in the middle of the body."""
    handler.send(200, {"Content-Type": "application/json"}, b'{"a', length=100)
    option = struct.pack("ii", 1, 0)
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, option)
    handler.close_connection = True
    handler.connection.close()


def vanish(handler: Handler) -> None:
    """The connection ends without any answer."""
    handler.close_connection = True


def hang(handler: Handler) -> None:
    """Nothing comes until the test is over."""
    handler.service.released.wait(120)
    handler.close_connection = True


def drip(handler: Handler) -> None:
    """A body that never ends, of which something always comes."""
    handler.send(200, {"Content-Type": "application/json"}, b"[", length=10**9)
    while not handler.service.released.wait(0.02):
        handler.wfile.write(b" ")
    handler.close_connection = True


def chunked(
    pieces: Sequence[bytes],
    headers: Mapping[str, str] | None = None,
    *,
    end: bool = True,
    open_after: bool = False,
) -> Step:
    """A chunked answer; without ``end`` the connection ends before the last chunk. With
    ``open_after`` the connection stays open and nothing more comes."""

    def step(handler: Handler) -> None:
        handler.send_response(200)
        for name, value in (headers or {"Content-Type": "application/json"}).items():
            handler.send_header(name, value)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for piece in pieces:
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            handler.wfile.flush()
        if open_after:
            hang(handler)
        elif end:
            handler.wfile.write(b"0\r\n\r\n")
        else:
            handler.close_connection = True

    return step


SSE = {"Content-Type": "text/event-stream; charset=utf-8"}


def events(*data: str, end: bool = True, open_after: bool = False) -> Step:
    """An event stream, one event a chunk."""
    pieces = [f"event: part\ndata: {one}\n\n".encode() for one in data]
    return chunked(pieces, SSE, end=end, open_after=open_after)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Many clients at once; the default of 5 drops some.
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """What breaks off is meant to."""


@contextlib.contextmanager
def serve(*steps: Step, tls: ssl.SSLContext | None = None) -> Iterator[Service]:
    service = Service(steps=list(steps))
    handler = type("_Handler", (Handler,), {"service": service})
    with _Server(("127.0.0.1", 0), handler) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        scheme = "http" if tls is None else "https"
        service.url = f"{scheme}://localhost:{server.server_address[1]}/v1"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield service
        finally:
            service.released.set()
            server.shutdown()
            thread.join()
