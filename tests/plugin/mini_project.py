"""A tiny Lean project, its tasks, and how the tests run pytest on it in a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MINI = """\
namespace Mini

inductive Tree where
  | leaf : Tree
  | node : Tree → Tree → Tree

def Tree.mirror : Tree → Tree
  | .leaf => .leaf
  | .node l r => .node r.mirror l.mirror

def Tree.isLeaf : Tree → Bool
  | .leaf => true
  | .node _ _ => false

theorem mirror_leaf : Tree.leaf.mirror = Tree.leaf := rfl

theorem mirror_mirror (t : Tree) : t.mirror.mirror = t := by
  induction t with
  | leaf => rfl
  | node l r hl hr => simp only [Tree.mirror, hl, hr]

theorem mirror_injective {s t : Tree} (h : s.mirror = t.mirror) : s = t := by
  rw [← mirror_mirror s, h, mirror_mirror t]

theorem isLeaf_leaf : Tree.leaf.isLeaf = true := rfl

end Mini
"""

PROOFS = {
    "mirror_leaf": ":= rfl",
    "mirror_mirror": ":= by\n  induction t with\n  | leaf => rfl\n"
    "  | node l r hl hr => simp only [Tree.mirror, hl, hr]",
    "mirror_injective": ":= by\n  rw [← mirror_mirror s, h, mirror_mirror t]",
    "isLeaf_leaf": ":= rfl",
}


def task_line(name: str, /, **changes: Any) -> dict[str, Any]:
    """The record of one theorem of ``Mini.lean``."""
    start = MINI.index(f"theorem {name}")
    statement = MINI[start : MINI.index(" :=", start)]
    record = {
        "id": name,
        "number": list(PROOFS).index(name) + 1,
        "suite": "mini",
        "repository": "mini",
        "root": ".",
        "path": "Mini.lean",
        "name": f"Mini.{name}",
        "statement": statement,
        "reference_proof": PROOFS[name],
        "category": "Leaf laws" if "leaf" in name.lower() else "Mirror laws",
        "subsets": ["easy" if "leaf" in name.lower() else "hard"],
        **changes,
    }
    return {key: value for key, value in record.items() if value is not None}


PROVER = '''\
"""A prover whose answers the test writes, and which counts what it is asked."""

import os, pathlib, signal, subprocess, sys, time

from pytest_vsb.provers.base import Answer, Candidate

HERE = pathlib.Path(__file__).parent
PROOFS = {proofs!r}


def proof(text, auxiliary=""):
    return Answer(Candidate(proof=text, auxiliary=auxiliary))


def right(request):
    return proof(PROOFS[request.task.id])


def no_answer(why="no proof in it"):
    return Answer(None, malformed=why)


def note(name, text):
    with open(HERE / name, "a", encoding="utf-8") as file:
        file.write(text + "\\n")


class Scripted:
    name = "scripted"
    needs_reference = False

    def __init__(self, spec):
        self.spec = spec

    def settings(self):
        return {{}}

    def prove(self, request):
        place = f"{{request.sample}} {{request.round}} {{request.seed}}"
        note("calls.txt", f"{{request.task.id}} {{place}}")
        return answer(request)

    def close(self):
        note("closed.txt", str(os.getpid()))


def pytest_vsb_provers(config):
    return {{"scripted": Scripted}}


'''


@dataclass
class Ended:
    """A pytest process that has ended."""

    code: int
    text: str
    errors: str

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def counts(self) -> dict[str, int]:
        """The numbers of pytest's last line, such as ``{"passed": 2, "error": 1}``."""
        words = {"errors": "error", "warnings": "warning"}
        found = re.findall(r"(\d+) ([a-z]+)", self.lines[-1]) if self.lines else []
        return {words.get(word, word): int(number) for number, word in found}

    def section(self, title: str) -> str:
        """The lines below a section's title, up to the next title."""
        start = next(
            i for i, line in enumerate(self.lines) if re.fullmatch(rf"=+ {title} =+", line)
        )
        rest = self.lines[start + 1 :]
        end = next((i for i, line in enumerate(rest) if re.match(r"=+ .* =+$", line)), len(rest))
        return "\n".join(rest[:end])


OTHERS = ("hypothesispytest", "syrupy", "anyio", "pytest_httpserver")
"""Other plugins of the development environment, which take a second to import."""


@dataclass
class MiniProject:
    """A project in a directory of its own, and a cache of the compiled core."""

    path: Path
    cache: Path
    environment: dict[str, str] = field(default_factory=dict)
    caching: str = "--vsb-no-cache --vsb-progress=0"
    """What a run is told of verdicts that other runs, of other tests, have left, and of lines that
    depend on how long it takes."""
    bytecode: Path | None = None
    """Where a process that is started keeps compiled modules, if not beside their sources."""

    def __post_init__(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        self.write("Mini.lean", MINI)
        self.write("lakefile.toml", 'name = "mini"\n\n[[lean_lib]]\nname = "Mini"\n')
        # The user's own files must not decide anything here.
        self.write("pytest.ini", "[pytest]\n")

    def write(self, name: str, text: str) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def tasks(self, *tasks: str | dict[str, Any], file: str = "mini.vsb.jsonl") -> Path:
        """Write a task file: names of theorems, records, or text as it stands."""
        lines = [task_line(t) if isinstance(t, str) and t in PROOFS else t for t in tasks]
        texts = [
            line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)
            for line in lines
        ]
        return self.write(file, "".join(text + "\n" for text in texts))

    def prover(self, text: str, more: str = "") -> None:
        """Write a conftest with the prover ``scripted``; ``text`` defines ``answer(request)``."""
        parts = [PROVER.format(proofs=PROOFS), textwrap.dedent(text), textwrap.dedent(more)]
        self.write("conftest.py", "\n\n".join(parts))

    def asked(self) -> list[str]:
        """What the prover was asked, as ``task sample round``, sorted."""
        path = self.path / "calls.txt"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return sorted(line.rsplit(" ", 1)[0] for line in lines)

    def env(self) -> dict[str, str]:
        kept = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(
                ("PYTEST_", "VSB_", "COV_", "NO_COLOR", "FORCE_COLOR", "PY_COLORS")
            )
        }
        own = {"VSB_CACHE_DIR": str(self.cache), "COLUMNS": "100", "PYTEST_ADDOPTS": self.addopts}
        if self.bytecode is not None:
            kept.pop("PYTHONDONTWRITEBYTECODE", None)
            own["PYTHONPYCACHEPREFIX"] = str(self.bytecode)
        return {**kept, **own, **self.environment}

    @property
    def addopts(self) -> str:
        """What each run is told, its workers too."""
        return " ".join([*(f"-p no:{name}" for name in OTHERS), self.caching])

    def start(self, *arguments: str, model: str | None = "scripted") -> subprocess.Popen[str]:
        """Begin a pytest process in a session of its own, as a shell does for a job."""
        given = [f"--vsb-model={model}"] if model else []
        return subprocess.Popen(
            [sys.executable, "-m", "pytest", *given, *arguments],
            cwd=self.path,
            env=self.env(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="backslashreplace",
            start_new_session=True,
        )

    def wait(self, process: subprocess.Popen[str], seconds: float = 400) -> Ended:
        """Wait for its end; what outlives the limit is killed and fails the test."""
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            raise AssertionError(f"pytest hung; it had printed:\n{out}\n{err}") from None
        return Ended(process.returncode, out, err)

    def run(self, *arguments: str, model: str | None = "scripted") -> Ended:
        """Run pytest to its end. The options of a run may override these: ``-n 0``, 1 sample."""
        return self.wait(self.start(*arguments, model=model))

    def bench(self, *arguments: str, model: str = "scripted", run: str = "run") -> Ended:
        """Run the tasks into run directory ``run``: one sample, no repairs unless asked for."""
        return self.run(
            f"--vsb-run={run}", "--vsb-samples=1", "--vsb-repairs=0", *arguments, model=model
        )

    def results(self, run: str = "run") -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.path / run / "results.json").read_text("utf-8"))
        return found

    def by_task(self, run: str = "run") -> dict[str, dict[str, Any]]:
        """The tasks of ``results.json`` by id."""
        return {task["id"]: task for task in self.results(run)["tasks"]}

    def events(self, run: str = "run") -> list[dict[str, Any]]:
        """All journaled events that can be read."""
        found = []
        for path in sorted((self.path / run / "journal").glob("*.jsonl")):
            for line in path.read_bytes().splitlines():
                try:
                    found.append(json.loads(line))
                except ValueError:
                    continue
        return sorted(found, key=lambda event: float(event["time"]))

    def junit(self, name: str = "junit.xml") -> ET.Element:
        """The testsuite element of a JUnit file."""
        suite = ET.parse(self.path / name).getroot().find("testsuite")
        assert suite is not None
        return suite


def suite_properties(suite: ET.Element) -> dict[str, str]:
    return _properties(suite)


def case_properties(suite: ET.Element) -> dict[str, dict[str, str]]:
    """The properties of each testcase, by its name."""
    return {case.attrib["name"]: _properties(case) for case in suite.iter("testcase")}


def _properties(element: ET.Element) -> dict[str, str]:
    block = element.find("properties")
    pairs = [] if block is None else list(block)
    names = [pair.attrib["name"] for pair in pairs]
    assert len(names) == len(set(names)), f"a property is there twice: {names}"
    return {pair.attrib["name"]: pair.attrib["value"] for pair in pairs}


_DURATION = r"(?:\d[\d,]* h \d+ min|\d+ min \d+ s|\d+(?:\.\d+)? (?:ms|s|min|h))"


def without_times(text: str, project: Path) -> str:
    """A text with its times, versions and places replaced, for comparison and snapshots."""
    text = text.replace(str(project), "<project>")
    # A time is right-aligned in tables, so that its width must not show either.
    text = re.sub(rf" +{_DURATION}\b", " <time>", text)
    # Nor how wide a column of times is, at the end of a table.
    text = re.sub(r"(?m) +Lean time$", "  Lean time", text)
    text = re.sub(r"(?m)(?<=  )-+$", "---", text)
    text = re.sub(r"Lean \d+\.\d+\.\d+\S* [0-9a-f]{6,} \([^)]*\)", "Lean <lean>", text)
    text = re.sub(r"(conftest\.py):\d+", r"\1:<line>", text)
    # Which sandbox holds differs between machines; how wide a rule is, between directories.
    text = re.sub(r"(?m)^sandbox: .*(?:\n  .*)*$", "sandbox: <sandbox>", text)
    # Whether a session is asked depends on what it costs.
    text = re.sub(r"(?m)^sessions: .*\n(?:  .*\n)*", "", text)
    text = re.sub(r"-+( generated xml file: \S+ )-+", r"---\1---", text)
    return re.sub(r"-{12,}", "---", text)


VOLATILE = ("seconds", "peak_memory", "started", "created", "time", "timestamp", "hostname")


def stable(value: Any, project: Path) -> Any:
    """A JSON value with its times, places and versions replaced."""
    if isinstance(value, dict):
        return {
            key: "<volatile>"
            if any(word in key for word in VOLATILE) or key in _VERSIONS
            else stable(inner, project)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [stable(inner, project) for inner in value]
    if isinstance(value, str):
        return without_times(value, project)
    return value


_VERSIONS = (
    "plugin_version",
    "python",
    "platform",
    "pytest",
    "lean",
    "toolchain",
    "digest",
    "sandbox",
)
