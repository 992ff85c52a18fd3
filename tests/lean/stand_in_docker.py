"""A stand-in for the ``docker`` command line: what we use of it, with bubblewrap for containers.

    python stand_in_docker.py STATE WORD...

The directory STATE has ``image.json``: the identity, the files that make up the image, the
environment of the image, and ``holds``, whether its containers keep anything in. Each container
has a file there while it is. Every option is checked as Docker documents it: an unknown one, or a
mount of what is not there, is an error.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/sbin", "/etc/ld.so.cache")


def fail(text: str, code: int = 125) -> NoReturn:
    print(f"docker: {text}", file=sys.stderr)
    sys.exit(code)


def run(state: Path, image: dict[str, Any], words: list[str]) -> NoReturn:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for flag in ("--rm", "--interactive", "--read-only"):
        parser.add_argument(flag, action="store_true")
    for option in (
        "--name", "--pull", "--network", "--cap-drop", "--pids-limit", "--ulimit", "--log-driver",
        "--user", "--memory", "--memory-swap", "--workdir", "--entrypoint",
    ):  # fmt: skip
        parser.add_argument(option)
    for option in ("--label", "--security-opt", "--env", "--mount"):
        parser.add_argument(option, action="append", default=[])
    parser.add_argument("image")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args(words)
    if options.image != image["identity"]:
        fail(f"Unable to find image '{options.image}' locally")
    if options.network != "none" or not options.read_only or options.cap_drop != "ALL":
        fail("this stand-in has closed containers only")
    if options.user != f"{os.getuid()}:{os.getgid()}" or not options.interactive:
        fail("this stand-in knows one user, and has an input")
    variables = dict(image["environment"])
    for word in options.env:
        name, given, value = word.partition("=")
        if given:
            variables[name] = value
        elif name in os.environ:
            variables[name] = os.environ[name]
    box = list(mounts(options.mount))
    facts = {"labels": dict(word.split("=", 1) for word in options.label), "pid": os.getpid()}
    record = state / f"{options.name}.container"
    record.write_text(json.dumps({**facts, "options": vars(options)}))
    (state / "last.json").write_text(record.read_text())
    argv = [options.entrypoint, *options.command]
    if image["holds"]:
        argv = bubblewrap(image, box, options.workdir, argv)
    else:
        variables |= os.environ
    if image.get("before"):
        time.sleep(image["before"])
    # The container is no child of the client: it goes on when the client is killed.
    with subprocess.Popen(argv, env=variables, cwd=options.workdir, start_new_session=True) as done:
        record.write_text(json.dumps({**facts, "container": done.pid}))
        code = done.wait()
    record.unlink(missing_ok=True)
    sys.exit(128 - code if code < 0 else code)


def mounts(words: list[str]) -> Any:
    for word in words:
        fields = dict(part.partition("=")[::2] for part in word.split(","))
        if fields.pop("type") != "bind" or set(fields) - {"source", "target", "readonly"}:
            fail(f"invalid argument {word!r} for --mount")
        if not Path(fields["source"]).exists():
            fail(f"bind source path does not exist: {fields['source']}")
        yield fields["source"], fields["target"], "readonly" in fields


def bubblewrap(image: dict[str, Any], box: Any, directory: str, argv: list[str]) -> list[str]:
    words = [image["bwrap"], "--unshare-all", "--die-with-parent", "--proc", "/proc"]
    for path in (*SYSTEM, *image["files"]):
        words += ["--ro-bind-try", path, path]
    for device in ("/dev/null", "/dev/urandom"):
        words += ["--dev-bind", device, device]
    # Docker mounts what is nearer to the root first.
    for source, target, readonly in sorted(box, key=lambda one: len(Path(one[1]).parts)):
        words += ["--ro-bind" if readonly else "--bind", source, target]
    return [*words, "--remount-ro", "/", "--chdir", directory, "--", *argv]


def main() -> None:
    state, words = Path(sys.argv[1]), sys.argv[2:]
    image = json.loads((state / "image.json").read_text())
    with (state / "calls").open("a") as calls:
        calls.write(f"{words[0]} {words[-1]}\n")
    if image.get("down"):
        fail("Cannot connect to the Docker daemon at unix:///var/run/docker.sock.", 1)
    if words[:2] == ["image", "inspect"]:
        if words[-1] != image["name"]:
            fail(f"No such image: {words[-1]}", 1)
        print(image["identity"])
    elif words[0] == "run":
        run(state, image, words[1:])
    elif words[0] == "ps":
        name, value = words[words.index("--filter") + 1].removeprefix("label=").split("=")
        for file in state.glob("*.container"):
            if json.loads(file.read_text())["labels"].get(name) == value:
                print(file.stem)
    elif words[0] == "inspect":
        label = words[words.index("--format") + 1].split('"')[1]
        print(json.loads((state / f"{words[-1]}.container").read_text())["labels"][label])
    elif words[:2] == ["rm", "--force"]:
        file = state / f"{words[2]}.container"
        if file.exists():
            container = json.loads(file.read_text()).get("container")
            if container:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(container, signal.SIGKILL)
            file.unlink()
    else:
        fail(f"unknown command: {words}", 1)


if __name__ == "__main__":
    main()
