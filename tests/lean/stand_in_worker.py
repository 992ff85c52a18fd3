"""A program in the place of Lean's file worker: ``stand_in_worker.py MODE``.

It answers each text with one diagnostic that holds the text's last line, until it comes to the text
in which the last line is ``now``: then it does what its mode says.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any


def read() -> dict[str, Any]:
    length = 0
    while (line := sys.stdin.buffer.readline().strip()) != b"":
        length = int(line.partition(b":")[2])
    message: dict[str, Any] = json.loads(sys.stdin.buffer.read(length)) if length else {}
    return message


def write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(message: object) -> None:
    body = json.dumps(message).encode()
    write(b"Content-Length: %d\r\n\r\n" % len(body) + body)


def notify(method: str, params: object) -> None:
    say({"jsonrpc": "2.0", "method": method, "params": params})


def publish(version: int, message: object) -> None:
    place = {"line": 0, "character": 0}
    item = {"range": {"start": place, "end": place}, "severity": 1, "message": message}
    notify(
        "textDocument/publishDiagnostics", {"diagnostics": [item], "uri": "u", "version": version}
    )


def misbehave(mode: str, version: int, number: object) -> None:
    """Do what the mode says, and unless that ends it, nothing more."""
    if mode == "silent":
        pass
    elif mode == "prints":
        write(b"hello\n")
    elif mode == "prints-much":
        write(b"Content-Length-or-not " * 1000)
    elif mode == "half":
        write(b"Content-Length: 100\r\n\r\n{")
    elif mode == "half-and-ends":
        write(b"Content-Length: 100\r\n\r\n{")
        sys.exit(3)
    elif mode == "long":
        write(b"Content-Length: 999999999999\r\n\r\n")
    elif mode == "no-json":
        write(b"Content-Length: 3\r\n\r\n{{{")
    elif mode == "list":
        say([1, 2])
    elif mode == "flood":
        while True:
            publish(version, "x" * 100_000)
    elif mode == "no-diagnostics":
        say({"jsonrpc": "2.0", "id": number, "result": {}})
    elif mode == "other-version":
        publish(version - 1, "old")
        say({"jsonrpc": "2.0", "id": number, "result": {}})
    elif mode == "refuses":
        say({"jsonrpc": "2.0", "id": number, "error": {"code": -32801, "message": "no"}})
    elif mode == "wrong-diagnostics":
        publish(version, 7)
        say({"jsonrpc": "2.0", "id": number, "result": {}})
    elif mode == "crash":
        print("what it died of", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    elif mode == "closes":
        os.close(1)
    elif mode == "hog":
        held = [bytearray(b"x" * (16 << 20))]
        while True:
            held.append(bytearray(b"x" * (16 << 20)))
    elif mode.startswith("sleeper "):
        command = ["sh", "-c", f"trap '' TERM; {mode.partition(' ')[2]}"]
        subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
    while True:
        time.sleep(60)


def main() -> None:
    mode = sys.argv[1]
    if mode == "old" and any("reportDelayMs" in word for word in sys.argv):
        sys.exit("unknown option 'server.reportDelayMs'")
    if mode == "absent":
        sys.exit("no such option: --worker")
    text, version = "", 0
    while message := read():
        method, params = message.get("method"), message.get("params", {})
        if method == "textDocument/didOpen":
            text, version = params["textDocument"]["text"], 1
        elif method == "textDocument/didChange":
            change = params["contentChanges"][0]
            start = change["range"]["start"]
            assert start["character"] == 0
            lines = text.split("\n")
            assert change["range"]["end"]["line"] == len(lines) - 1
            text = "\n".join([*lines[: start["line"]], change["text"]])
            version = params["textDocument"]["version"]
        elif method == "textDocument/waitForDiagnostics":
            assert params["version"] == version
            if text.split("\n")[-1] == "now":
                misbehave(mode, version, message["id"])
            notify("$/lean/ileanInfoFinal", {"version": version})
            say({"jsonrpc": "2.0", "id": version, "method": "workspace/inlayHint/refresh"})
            assert read() == {"jsonrpc": "2.0", "id": version, "result": None}
            publish(version, text)
            say({"jsonrpc": "2.0", "id": message["id"], "result": {}})


if __name__ == "__main__":
    main()
