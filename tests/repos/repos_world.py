"""A world of a test's own: git repositories to fetch from, an elan and a Lake, a home."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pytest_vsb.repos.manifest import Manifest, read_manifest
from pytest_vsb.repos.places import Places
from pytest_vsb.repos.work import Result, Rules, Work

GIT = shutil.which("git") or "git"
TOOLCHAIN = "leanprover/lean4:v4.35.0"
LAKEFILE = 'name = "thing"\n[[lean_lib]]\nname = "Thing"\n'

# elan, as far as we use it: the toolchains are directories, and installing one copies a template.
ELAN = """
name=$(echo "$3" | sed 's#/#--#g; s#:#---#g')
echo "$@" >> "$ELAN_HOME/calls"
case "$1 $2" in
"toolchain list") ls "$ELAN_HOME/toolchains" | sed 's#---#:#; s#--#/#' ;;
"toolchain install")
    if [ -s "$ELAN_HOME/trouble" ]; then
        head -n 1 "$ELAN_HOME/trouble" >&2; sed -i 1d "$ELAN_HOME/trouble"; exit 1
    fi
    echo "info: downloading $3"
    cp -r "$ELAN_HOME/template" "$ELAN_HOME/toolchains/$name" ;;
run\\ *)
    name=$(echo "$2" | sed 's#/#--#g; s#:#---#g'); command=$3; shift 3
    exec "$ELAN_HOME/toolchains/$name/bin/$command" "$@" ;;
*) exit 9 ;;
esac
"""

# Lake, as far as we use it: it compiles the modules that are asked for and what they import.
LAKE = """
import json, os, subprocess, sys
from pathlib import Path
from typing import Any

home = Path(os.environ["ELAN_HOME"])
with (home / "lake-calls").open("a") as calls:
    calls.write(json.dumps({"argv": sys.argv[1:], "cwd": os.getcwd(), "env": dict(os.environ)}))
    calls.write("\\n")
trouble = home / ("cache-trouble" if sys.argv[1] == "exe" else "lake-trouble")
if trouble.exists() and trouble.read_text():
    first, _, rest = trouble.read_text().partition("\\n")
    trouble.write_text(rest)
    sys.exit("error: " + first)
if sys.argv[1:] == ["exe", "cache", "get"]:
    olean = Path(".lake/packages/mathlib/.lake/build/lib/lean/Mathlib.olean")
    olean.parent.mkdir(parents=True, exist_ok=True)
    olean.write_bytes(b"olean")
    sys.exit()
assert sys.argv[1] == "build", sys.argv
out = Path(".lake/build/lib/lean")
done = set()

def build(name):
    source = Path(name.replace(".", "/") + ".lean")
    if name in done or not source.is_file():
        return
    done.add(name)
    for line in source.read_text().splitlines():
        if line.startswith("import "):
            build(line.split()[1])
    olean = out / source.with_suffix(".olean")
    olean.parent.mkdir(parents=True, exist_ok=True)
    lean = Path(__file__).with_name("lean")
    print(f"[{len(done)}/9] Built {name}", flush=True)
    if lean.exists():
        variables = {**os.environ, "LEAN_PATH": str(out)}
        subprocess.run([lean, "--root=.", "-o", olean, source], env=variables, check=True)
    else:
        olean.write_bytes(b"olean")

for word in sys.argv[2:] or ["+Thing"]:
    assert word.startswith("+"), word
    build(word[1:])
"""


def script(path: Path, text: str, interpreter: str = "/bin/sh") -> Path:
    """Write an executable."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{interpreter}\n{textwrap.dedent(text)}", encoding="utf-8")
    path.chmod(0o755)
    return path


class World:
    """See the top of the file. ``environment`` is that of a process in it."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.bin = base / "bin"
        self.elan_home = base / "elan"
        self.places = Places(base / "repos")
        self.served = base / "served"
        self.said: list[tuple[str, str]] = []
        for directory in (self.served, base / "home", self.elan_home / "toolchains"):
            directory.mkdir(parents=True)
        self.git_log = base / "git-calls"
        script(self.bin / "git", f'echo "$@" >> {shlex.quote(str(self.git_log))}\nexec {GIT} "$@"')
        script(self.bin / "elan", ELAN)
        self.template = self.elan_home / "template" / "bin"
        script(self.template / "lake", LAKE, sys.executable)
        self.environment = {
            "PATH": f"{self.bin}:/usr/bin:/bin",
            "HOME": str(base / "home"),
            "ELAN_HOME": str(self.elan_home),
            "VSB_REPOS_DIR": str(self.places.directory),
            "SECRET_API_KEY": "hunter2",
        }

    def git(self, directory: Path, *arguments: str) -> str:
        """Run the real git, as the author of the repositories."""
        who = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"]
        done = subprocess.run(
            [GIT, *who, *arguments],
            cwd=directory,
            env={"PATH": os.defpath, "HOME": str(self.base / "home")},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def serve(self, name: str, files: Mapping[str, str]) -> str:
        """Commit files to a repository, which is made if need be. Returns the commit."""
        directory = self.served / name
        if not directory.exists():
            directory.mkdir()
            self.git(directory, "init", "--quiet", "--initial-branch=main")
        for path, text in files.items():
            (directory / path).parent.mkdir(parents=True, exist_ok=True)
            (directory / path).write_text(text, encoding="utf-8")
        self.git(directory, "add", "--all", "--force")
        self.git(directory, "commit", "--quiet", "--allow-empty", "--message=x")
        return self.git(directory, "rev-parse", "HEAD")

    def serve_lean(self, name: str = "thing", **more: str) -> str:
        """Commit a small Lean project."""
        return self.serve(
            name,
            {
                "lean-toolchain": TOOLCHAIN + "\n",
                "lakefile.toml": LAKEFILE,
                ".gitignore": ".lake\n",
                "Thing.lean": "import Thing.Basic\nimport Thing.Extra\n",
                "Thing/Basic.lean": "def one : Nat := 1\n",
                "Thing/Extra.lean": "import Thing.Basic\n\ntheorem t : one = 1 := rfl\n",
                **more,
            },
        )

    def url(self, name: str) -> str:
        return (self.served / name).as_uri()

    def manifest(self, text: str) -> Manifest:
        """A manifest file of this text."""
        path = self.base / "my repos.toml"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return read_manifest(path)

    def simple(self, commit: str, name: str = "thing", more: str = "") -> Manifest:
        """A manifest of one repository."""
        return self.manifest(
            f'[repos.{name}]\nurl = "{self.url(name)}"\ncommit = "{commit}"\n'
            f"source_mb = 1\nbuild_mb = 1\n{more}"
        )

    def work(self, finished: Callable[[Result], object] | None = None, **rules: Any) -> Work:
        """Work with pauses that take no time."""
        chosen = {"pauses": (0.0, 0.0), "timeout": 60.0, **rules}
        return Work(
            self.places,
            Rules(**chosen),
            lambda name, text: self.said.append((name, text)),
            finished=finished,
        )

    def git_calls(self, word: str) -> int:
        """How many of the git commands that were run have the word."""
        lines = self.git_log.read_text(encoding="utf-8").splitlines()
        return sum(word in line.split() for line in lines)
