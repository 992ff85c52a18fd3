"""A headless Chromium, driven by the DevTools protocol over a pair of pipes: nothing to install but
the browser, no port to open."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PATIENCE = 120.0

# The protocol's descriptors are 3 and 4, which nobody but the new process itself can set.
_START = """
import fcntl, os, sys
ours = [fcntl.fcntl(int(given), fcntl.F_DUPFD, 10) for given in sys.argv[1:3]]
for place, descriptor in zip((3, 4), ours):
    os.dup2(descriptor, place, inheritable=True)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find() -> str | None:
    """The browser: ``VSB_CHROMIUM``, else the first of its usual names on the PATH that runs (some
    systems have one that only says where to get it)."""
    names = filter(None, (os.environ.get("VSB_CHROMIUM", ""), *NAMES))
    return next(
        (program for name in names if (program := shutil.which(name)) and _runs(program)), None
    )


def _runs(program: str) -> bool:
    try:
        done = subprocess.run([program, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and b"hrom" in done.stdout


class Browser:
    """One browser with one page; a context manager that leaves no process behind."""

    def __init__(self, program: str, profile: Path) -> None:
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        # Its sandbox needs rights that containers and root do not have; what is opened is ours.
        arguments = [
            *(program, "--headless=new", "--remote-debugging-pipe", "--no-first-run"),
            "--no-sandbox",
            *("--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio"),
            *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
            *("--force-color-profile=srgb", f"--user-data-dir={profile}", "about:blank"),
        ]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, str(theirs_in), str(theirs_out), *arguments],
            pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._rest = b""
        self._number = 0
        self._session = ""
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._session = ""
            self.call("Browser.close")
            self._process.wait(10)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            pass
        finally:
            if self._process.poll() is None:
                os.killpg(self._process.pid, 9)
            self._process.wait()
            os.close(self._in)
            os.close(self._out)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask for something; events that come before the answer are kept in ``events``."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        end = time.monotonic() + _PATIENCE
        while True:
            answer = self._read(end)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return dict(answer["result"])
            self.events.append(answer)

    def _read(self, end: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            data = os.read(self._in, 1 << 20)
            if not data:
                raise TimeoutError("the browser has ended")
            self._rest += data
        message, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(message))

    def size(self, width: int, height: int, *, dark: bool = False, scale: float = 1) -> None:
        """The window's size in CSS pixels, and whether the system is dark."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=width < 600,
        )
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def open(self, path: Path, fragment: str = "") -> None:
        """Open a file, and wait until the page's script has run."""
        self.call("Page.navigate", url="about:blank")
        self.events.clear()
        self.call("Page.navigate", url=path.absolute().as_uri() + fragment)
        self.wait("document.readyState === 'complete'")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression; promises are waited for."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + _PATIENCE
        while not self._holds(condition):
            if time.monotonic() > end:
                raise TimeoutError(f"never true: {condition}")
            time.sleep(0.02)

    def _holds(self, condition: str) -> bool:
        try:
            return bool(self.evaluate(f"Boolean({condition})"))
        except RuntimeError as error:
            # Asked of a page that another one was just about to replace.
            if "context" in str(error):
                return False
            raise

    def key(self, name: str, *, text: str = "", shift: bool = False) -> None:
        """Press and release a key, as ``KeyboardEvent.key`` names it."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32}
        common = {
            "key": name,
            "windowsVirtualKeyCode": codes.get(name, ord(name[0])),
            "modifiers": 8 if shift else 0,
        }
        text = text or {"Enter": "\r", " ": " "}.get(name, "")
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        """Save what is seen, or the whole page, as PNG."""
        options: dict[str, Any] = {"format": "png"}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            options["captureBeyondViewport"] = True
            options["clip"] = {**size, "x": 0, "y": 0, "scale": 1}
        data = self.call("Page.captureScreenshot", **options)["data"]
        path.write_bytes(base64.b64decode(data))

    def complaints(self) -> list[str]:
        """What the page threw, logged, or was not allowed to do since it was opened."""
        self.evaluate("0")
        found = []
        for event in self.events:
            parameters = event.get("params", {})
            if event["method"] == "Runtime.exceptionThrown":
                found.append(json.dumps(parameters["exceptionDetails"]))
            elif event["method"] == "Runtime.consoleAPICalled":
                found.append(json.dumps(parameters["args"]))
            elif event["method"] == "Log.entryAdded":
                found.append(str(parameters["entry"]["text"]))
        return found

    def requests(self) -> list[str]:
        """All that was asked of files and the network since the page was opened, less what the
        page's policy stopped before it was sent."""
        stopped = {
            event["params"]["requestId"]
            for event in self.events
            if event["method"] == "Network.loadingFailed"
            and event["params"].get("blockedReason") == "csp"
        }
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event["method"] == "Network.requestWillBeSent"
            and event["params"]["requestId"] not in stopped
        ]
