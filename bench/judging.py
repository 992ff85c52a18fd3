"""How much faster candidates are judged by warm sessions than by a fresh Lean for each.

    python bench/judging.py [TASK-ID…] [--declarations N] [--right K] [--every N]
                            [--lean LEAN] [--no-demo]

For each task of the demo (or those named), and for one behind N declarations (500) of a generated
module, 32 candidates (8 samples of 4 rounds: half-right proofs, guesses, repetitions, K proofs) are
judged in three ways, one after another, with nothing kept from one to the next:

- whole: the file with the candidate in it is written into a copy of the repository and compiled
  there, whole, by one Lean process; a candidate is right if Lean finds no error and it has no
  ``sorry``. That is what evaluation suites commonly do, with no sandbox and no further check.
- fresh: our judge with processes of its own for each candidate, and acceptance of what compiles.
- warm: our judge as a run uses it, with warm sessions and repetitions judged once. What is accepted
  has been compiled afresh and accepted in the same way. Making ready is counted: the file with
  ``sorry``, the session's start.
- again: the same in a second run, as of another prover, that finds the compiled file with ``sorry``
  of the first one; its verdicts are not kept here.

Each cell is processor seconds of all processes / wall-clock seconds. Of "warm", "ready" is what it
takes before the first candidate (the session's start may go on beside the first ones), "accept"
what the accepted candidates took. "alone" is what Lean needs to elaborate the distinct candidates
and nothing else, by the clock: the slope of the time over copies of one in one file. No way that
makes ready and accepts like ours can take less than these three together: the limit.

With --every N the first two ways judge each N-th candidate only, and its time counts N times: one
compilation of the file costs what another one does.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import psutil
from mix import candidates, large_project

from pytest_vsb.judge.cache import VerdictCache
from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.located import Located, locate
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.judge.warm import Sessions
from pytest_vsb.lean import toolchain
from pytest_vsb.lean.process import Limits
from pytest_vsb.lean.project import Project, open_project
from pytest_vsb.lean.sandbox.choose import choose
from pytest_vsb.lean.session import Session
from pytest_vsb.provers.base import Candidate
from pytest_vsb.repository.store import Store
from pytest_vsb.source.splice import splice
from pytest_vsb.tasks.dataset import read_tasks
from pytest_vsb.tasks.locate import project_root
from pytest_vsb.tasks.model import Task

LIMITS = Limits(wall_seconds=300.0)
COPIES = 9
DEMO = Path(__file__).parents[1] / "benchmark" / "demo" / "demo.vsb.jsonl"


@dataclass(frozen=True)
class Case:
    """Tasks of one module, each with what is judged."""

    name: str
    project: Project
    tasks: tuple[tuple[Task, list[Candidate]], ...]


@dataclass
class Took:
    """Seconds of processors, and of the clock; and what was found."""

    cpu: float = 0.0
    wall: float = 0.0
    right: list[bool] = field(default_factory=list)


def cpu() -> float:
    """Processor seconds of this process and of all below it, ended or not."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    total = sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, who))
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system
    return total


@contextmanager
def timed(took: Took, times: int = 1) -> Iterator[None]:
    """Add what the body takes, so many times."""
    wall, begin = time.perf_counter(), cpu()
    yield
    took.cpu += (cpu() - begin) * times
    took.wall += (time.perf_counter() - wall) * times


def whole(case: Case, located: dict[str, Located], every: int) -> Took:
    """The way without a judge."""
    lean, took = case.project.toolchain, Took()
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "repository"
        shutil.copytree(case.project.root, root)
        for task, given in case.tasks:
            found = located[task.id]
            source, body = found.source.text, found.target.body
            assert body is not None
            file = root / task.path
            environment = lean.environment(found.search_path)
            for each in given[::every]:
                with timed(took, every):
                    text = source[: body.start] + each.proof + source[body.end :]
                    file.write_text(text, encoding="utf-8")
                    done = subprocess.run(
                        lean.argv(*found.options, str(file)),
                        cwd=root,
                        env={**os.environ, **environment},
                        capture_output=True,
                        check=False,
                    )
                took.right.append(done.returncode == 0 and "sorry" not in each.proof)
            file.write_text(source, encoding="utf-8")
    return took


def fresh(case: Case, every: int) -> Took:
    """Our judge with nothing kept."""
    took = Took()
    checker = Checker(case.project, LIMITS, sandbox=choose("auto", case.project.toolchain))
    for task, given in case.tasks:
        with timed(took):
            checker.prepare(task)
        for each in given[::every]:
            with timed(took, every):
                verdict = checker.check(task, each)
            took.right.append(accepted(verdict))
    return took


def warm(case: Case, originals: Store) -> tuple[Took, Took, Took]:
    """Our judge as a run uses it: all that it takes, and what making ready and accepting do."""
    took, ready, accepting, cache = Took(), Took(), Took(), VerdictCache()
    planned = max(len(given) for _, given in case.tasks)
    sessions = Sessions.of("auto", planned=planned)
    sandbox = choose("auto", case.project.toolchain)
    checker = Checker(case.project, LIMITS, sandbox=sandbox, sessions=sessions, originals=originals)
    with timed(took):
        for task, given in case.tasks:
            with timed(ready):
                checker.prepare(task)
            for each in given:
                one = Took()
                with timed(one):
                    verdict = cache.judge(checker, task, each, checker.check)
                took.right.append(accepted(verdict))
                if verdict.accepted:
                    accepting.cpu, accepting.wall = (
                        accepting.cpu + one.cpu,
                        accepting.wall + one.wall,
                    )
    # What a box kills is not waited for: it is counted while it lives.
    sessions.close()
    return took, ready, accepting


def accepted(verdict: Verdict) -> bool:
    """Whether a verdict accepts; one that says nothing ends the measurement."""
    assert verdict.kind is not VerdictKind.UNAVAILABLE, verdict.reason
    return verdict.accepted


def alone(case: Case, located: dict[str, Located]) -> float:
    """What Lean needs for the distinct candidates themselves, in seconds by the clock."""
    total = 0.0
    for task, given in case.tasks:
        found = located[task.id]
        session = Session(case.project.toolchain, found.search_path, found.options, limits=LIMITS)
        for text in dict.fromkeys(each.proof for each in given):
            seconds = []
            for copies in (1, COPIES):
                body = copied(found, text, copies)
                session.check(copied(found, ":= sorry", 1), wall_seconds=300)
                seconds.append(session.check(body, wall_seconds=300).wall_seconds)
            total += max(0.0, seconds[1] - seconds[0]) / (COPIES - 1)
        session.close()
    return total


def copied(found: Located, proof: str, copies: int) -> str:
    """The file up to the target, with so many copies of the target under names of their own."""
    submission = splice(found.source, found.target, auxiliary="", proof=proof).text
    target = found.target
    start = (target.mutual or target.span).start
    before, own = submission[:start], submission[start:]
    at = target.keyword.end - start
    name = own.index(target.name, at)
    head, rest = own[:name], own[name + len(target.name) :]
    return before + "\n".join(f"{head}{target.name}_{n}{rest}" for n in range(copies))


def cases(options: argparse.Namespace, place: Path) -> Iterator[Case]:
    """The demo's modules, then the large one."""
    tasks = [task for task in read_tasks(DEMO).tasks if task.reference_proof]
    if options.ids:
        tasks = [t for t in tasks if t.id in options.ids]
    if options.no_demo:
        tasks = []
    for module, group in groupby(tasks, key=lambda task: task.module):
        some = tuple((t, candidates(t.reference_proof or "", right=options.right)) for t in group)
        root = project_root(some[0][0], None)
        lean = toolchain.find(options.lean, project=root)
        yield Case(module, open_project(root, lean), some)
    task = large_project(place, options.declarations)
    lean = toolchain.find(options.lean, project=place)
    given = candidates(task.reference_proof or "", right=options.right)
    yield Case(f"{options.declarations} declarations", open_project(place, lean), ((task, given),))


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*", metavar="TASK-ID", help="tasks of the demo")
    parser.add_argument("--declarations", type=int, default=500, help="of the large module")
    parser.add_argument("--right", type=int, default=2, help="proofs among the 32 candidates")
    parser.add_argument("--every", type=int, default=1, help="of the slow ways, each N-th only")
    parser.add_argument("--lean", default="auto", help="which Lean")
    parser.add_argument("--no-demo", action="store_true", help="the large module only")
    options = parser.parse_args()
    heads = "module candidates accepted whole fresh warm again whole:warm fresh:warm whole:again"
    heads += " fresh:again ready accept alone"
    print("| " + " | ".join(heads.split()) + " |")
    print("| --- " + "| ---: " * 13 + "|")
    with tempfile.TemporaryDirectory() as place:
        for case in cases(options, Path(place)):
            measure(case, options.every)


def measure(case: Case, every: int) -> None:
    """Measure a module in all ways, and print its line."""
    located = {task.id: locate(case.project, task) for task, _ in case.tasks}
    old, cold = whole(case, located, every), fresh(case, every)
    with tempfile.TemporaryDirectory() as place:
        kept = Store(Path(place) / "originals.sqlite3")
        hot, ready, accepting = warm(case, kept)
        again, *_ = warm(case, kept)
        kept.close()
    seconds = [f"{took.cpu:.1f} / {took.wall:.1f}" for took in (old, cold, hot, again)]
    pairs = [(old, hot), (cold, hot), (old, again), (cold, again)]
    ratios = [f"{slow.cpu / fast.cpu:.1f} / {slow.wall / fast.wall:.1f}" for slow, fast in pairs]
    parts = [f"{took.cpu:.1f} / {took.wall:.1f}" for took in (ready, accepting)]
    count = sum(len(given) for _, given in case.tasks)
    cells = [case.name, count, sum(hot.right), *seconds, *ratios, *parts]
    print("| " + " | ".join(map(str, cells)), f"| {alone(case, located):.2f} |", flush=True)
    by_task = [hot.right[begin : begin + 32] for begin in range(0, count, 32)]
    if cold.right != [right for some in by_task for right in some[::every]]:
        raise SystemExit(f"{case.name}: the ways do not agree on which candidates are right")


if __name__ == "__main__":
    main()
