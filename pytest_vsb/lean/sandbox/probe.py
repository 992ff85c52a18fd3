"""The self-test's program: it tries to get out of its box and says how far it came.

Run as ``python -I -S probe.py JSON``, inside of the box, with the standard library only. What it
may do to the outside is harmless, and meant for things that the self-test made for it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys


def main(task: dict[str, str]) -> dict[str, object]:
    """Try everything that the task names; the report says what worked."""
    report: dict[str, object] = {"token": task["token"], "environment": sorted(os.environ)}
    with contextlib.suppress(OSError), open(task["secret"], encoding="ascii") as file:  # noqa: PTH123
        report["secret"] = file.read()
    with contextlib.suppress(OSError):
        report["home"] = os.listdir(task["home"])  # noqa: PTH208
    for path in (task["new"], task["secret"]):
        with contextlib.suppress(OSError), open(path, "a", encoding="ascii") as file:  # noqa: PTH123
            file.write("written")
    with contextlib.suppress(OSError):
        # Opened only: this must not be changed, even if it could.
        os.close(os.open("/proc/sys/kernel/panic", os.O_WRONLY))
        report["settings"] = True
    address = ("127.0.0.1", int(task["port"]))
    families = ((socket.AF_INET, address, "network"), (socket.AF_UNIX, task["socket"], "socket"))
    for family, place, name in families:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_STREAM) as client:
            client.settimeout(2.0)
            client.connect(place)
            report[name] = True
    other = int(task["pid"])
    with contextlib.suppress(OSError), open(f"/proc/{other}/environ", "rb") as environment:  # noqa: PTH123
        report["other"] = task["canary"] in environment.read().decode("ascii", "replace")
    if other != os.getpid():
        with contextlib.suppress(OSError):
            os.kill(other, signal.SIGKILL)
    # What a command in the box must still be able to do.
    with open("probe.txt", "w", encoding="ascii") as file:  # noqa: PTH123
        file.write(task["token"])
    return report


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
