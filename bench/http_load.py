"""How much of the allowed concurrency the HTTP client reaches, and what it costs.

    python bench/http_load.py [--tasks N] [--samples K] [--latency S] [--concurrency C]
                              [--workers W] [--answer-bytes B]

A local server, in a process of its own, answers each request after a fixed time. W processes ask
it for N tasks of K samples each, the samples of a task at once, as a run does, through one pace
shared below a temporary directory. The goals, at 2 s, 200 tasks and 8 samples: 95 % of the
concurrency is reached, a request costs less than 5 ms of processor time, and memory stays flat.

The share is the time that the server kept requests for, by the concurrency and the time from the
first request to the moment when the work left could no longer fill it: an upper bound on the loss
between two requests, without the end, where fewer samples than places are left.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil

from pytest_vsb.provers.http import HttpClient
from pytest_vsb.provers.pace import Pace

GOALS = "goals: 95 % of the concurrency, < 5 ms of processor time a request, flat memory"


def serve(pipe: Connection, latency: float, size: int) -> None:
    """Answer until the other end of the pipe asks for the spans of all requests."""
    body = json.dumps({"proof": "x" * size}).encode()
    spans: list[tuple[float, float]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            begin = time.monotonic()
            self.rfile.read(int(self.headers["Content-Length"]))
            time.sleep(latency)
            spans.append((begin, time.monotonic()))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 512

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        pipe.send(server.server_address[1])
        pipe.recv()
        server.shutdown()
        pipe.send(spans)


def work(pipe: Connection, port: int, directory: Path, options: argparse.Namespace) -> None:
    """Ask for this process's tasks; report processor seconds and memory after a tenth and at the
    end."""
    pace = Pace(directory, concurrency=options.concurrency)
    client = HttpClient(f"http://127.0.0.1:{port}", headers={}, pace=pace)
    process = psutil.Process()
    prompt = {"prompt": "x" * options.prompt_bytes}

    def sample(_: int) -> None:
        client.post_json("v1", prompt)

    pipe.send("ready")
    tasks = pipe.recv()
    before = time.process_time()
    early = 0
    with ThreadPoolExecutor(options.samples) as pool:
        for number in range(tasks):
            for done in [pool.submit(sample, one) for one in range(options.samples)]:
                done.result()
            if number == tasks // 10:
                early = process.memory_info().rss
    used = time.process_time() - before
    client.close()
    pace.close()
    pipe.send((used, early, process.memory_info().rss))


def full_time_share(spans: list[tuple[float, float]], concurrency: int) -> float:
    """The share of the concurrency that was used until the work ran out."""
    spans = sorted(spans)
    first = spans[0][0]
    # After the last request began, no place can be filled again.
    last = spans[-1][0]
    busy = sum(max(0.0, min(end, last) - begin) for begin, end in spans)
    return busy / (concurrency * (last - first)) if last > first else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--latency", type=float, default=2.0)
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--answer-bytes", type=int, default=8_000)
    parser.add_argument("--prompt-bytes", type=int, default=40_000)
    options = parser.parse_args()

    context = multiprocessing.get_context("spawn")
    server_pipe, server_end = context.Pipe()
    server = context.Process(
        target=serve, args=(server_end, options.latency, options.answer_bytes), daemon=True
    )
    server.start()
    port = server_pipe.recv()
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        pipes = []
        for _ in range(options.workers):
            pipe, end = context.Pipe()
            child = context.Process(target=work, args=(end, port, Path(name), options), daemon=True)
            child.start()
            stack.callback(child.join)
            pipes.append(pipe)
        for pipe in pipes:
            pipe.recv()
        start = time.monotonic()
        for number, pipe in enumerate(pipes):
            pipe.send(len(range(number, options.tasks, options.workers)))
        results = [pipe.recv() for pipe in pipes]
        elapsed = time.monotonic() - start
    server_pipe.send("end")
    spans = server_pipe.recv()
    server.join()

    count = len(spans)
    share = full_time_share(spans, options.concurrency)
    cost = 1000 * sum(used for used, _, _ in results) / count
    growth = max(late - early for _, early, late in results) / 2**20
    print(f"{count} requests of {options.latency} s in {elapsed:.1f} s on {os.cpu_count()} cores")
    print(f"concurrency: {100 * share:.1f} % of {options.concurrency}")
    print(f"processor:   {cost:.2f} ms a request, the client's processes")
    print(f"memory:      {growth:+.1f} MB from a tenth of the tasks to the end, the worst process")
    print(GOALS)


if __name__ == "__main__":
    main()
