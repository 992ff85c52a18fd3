"""How the time and memory of every command on runs grow with the number of attempts.

    python bench/scale.py [--attempts N ...] [--samples K] [--only WORD ...] [--keep DIR]

Run directories are made up, with proofs and messages of the sizes that real provers' runs have
(bench/page.py), as a session of eight workers would have left them: tasks x K samples x 4 rounds at
most, and every event that a run journals. Then each command runs in a process of its own. Processor
seconds and peak memory are told for each number of attempts, and at last how much both grow when
the number of attempts does: linear time is a factor like that of the attempts, bounded memory one
of hardly more than 1 above what a process takes at its start.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
from page import MadeUp

from pytest_vsb.provers.base import Answer
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.journal import Answered, Asked, Ended, Event, Judged, Started
from pytest_vsb.run.jsontext import encode
from pytest_vsb.run.records import Attempt, TaskFacts

WORKERS, REPAIRS = 8, 3
_RUN = "from pathlib import Path; from pytest_vsb.cli.main import main; raise SystemExit(main({}))"
_RESUME = """
from pathlib import Path
from pytest_vsb.run.history import History, read_history
history = read_history(Path({run!r}))
history.samples()
history.save(Path({run!r}) / "journal.index")
"""
_WORKER = """
from pathlib import Path
from pytest_vsb.run.history import History
history = History(Path({run!r}), Path({run!r}) / "journal.index")
print(history[list(history)[-1]].status)
"""
_CRASH = """
import contextlib, shutil
from pathlib import Path
from pytest_vsb.run.history import read_history
from pytest_vsb.run.journal import Journal
from pytest_vsb.run.session import end_crashed
run = Path({run!r} + "-crash")
shutil.copytree(Path({run!r}) / "journal", run / "journal")
history = read_history(run)
for nodeid in list(history)[:100]:
    with contextlib.closing(Journal(run / "journal", "main")) as journal:
        end_crashed(history[nodeid], journal, nodeid, "the worker process died")
    history.refresh()
    history[nodeid].in_order()
shutil.rmtree(run)
"""
_RECORD = """
from pathlib import Path
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.recording import record_run
print(record_run(Path({out!r}) / "recording.jsonl", RunDirectory(Path({run!r}))))
"""


@dataclass(frozen=True)
class Cost:
    """Processor seconds, peak resident MB, exit code."""

    seconds: float
    megabytes: float
    code: int


class Source:
    """Attempts without end: those of a small made-up run, put together anew."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        made = MadeUp(40, 8, 0)
        every = [a for result in made.run.results for a in made.run.attempts(result.task.nodeid)]
        self._facts = [result.task for result in made.run.results]
        self._solved = [attempt for attempt in every if attempt.verdict.accepted]
        self._failed = [attempt for attempt in every if not attempt.verdict.accepted]

    def task(self, number: int) -> TaskFacts:
        facts = self._facts[number % len(self._facts)]
        name = f"{facts.name}_{number}"
        return replace(facts, id=name, name=name, nodeid=f"verisoftbench.jsonl::{name}")

    def attempts(self, nodeid: str, samples: int) -> Iterator[Attempt]:
        skill = self._chance.random() * 0.1 if self._chance.random() < 0.35 else 0.0
        for sample in range(samples):
            for step in range(REPAIRS + 1):
                solved = self._chance.random() < skill
                given = self._chance.choice(self._solved if solved else self._failed)
                verdict = replace(given.verdict, toolchain="embedded 4.35.0")
                yield replace(given, nodeid=nodeid, sample=sample, round=step, verdict=verdict)
                if solved:
                    break


def make(path: Path, attempts: int, samples: int, seed: int) -> int:
    """Write a run directory of about so many attempts; returns how many."""
    source, made, now, number = Source(seed), 0, seed * 1e9, 0
    identity = {"model": "made-up/model", "seed": seed, "repairs": REPAIRS, "rootdir": str(path)}
    run = RunDirectory.create(path, identity, {"samples": samples, "lean": "Lean 4.35.0"})
    tasks = []
    files = [(run.journal / f"gw{worker}.jsonl").open("wb") for worker in range(WORKERS)]
    while made < attempts:
        task = source.task(number)
        tasks.append(task)
        worker = number % WORKERS
        file, number = files[worker], number + 1

        def write(event: Event, file: Any = file) -> None:
            record = {"event": type(event).__name__.lower(), **msgspec.to_builtins(event)}
            file.write(encode(record) + b"\n")

        write(Started(task.nodeid, f"gw{worker}", 1000 + worker, now := now + 1, "digest"))
        for attempt in source.attempts(task.nodeid, samples):
            place = (attempt.nodeid, attempt.sample, attempt.round)
            write(Asked(*place, now := now + 1))
            write(Answered(*place, now := now + 1, Answer(attempt.candidate, usage=attempt.usage)))
            write(Judged(now := now + 1, attempt))
            made += 1
        write(Ended(task.nodeid, "done", "", now := now + 1))
    for each in files:
        each.close()
    run.add_tasks(tasks)
    return made


def commands(one: Path, other: Path, out: Path) -> dict[str, str]:
    """What is measured, as Python programs."""

    def vsb(*arguments: object) -> str:
        return _RUN.format([str(argument) for argument in arguments])

    return {
        "start of vsb": vsb("--version"),
        "end of a run: vsb report": vsb("report", one),
        **{
            f"vsb report, {kind}": vsb(
                "report", one, "--format", kind, "--output", out / f"r.{kind}"
            )
            for kind in ("md", "latex", "csv", "json", "html")
        },
        "vsb compare": vsb("compare", one, other, "--anyway"),
        "vsb gate": vsb("gate", one, other),
        "vsb merge": vsb("merge", one, other, "--output", out / "merged"),
        **{
            f"vsb export, {kind}": vsb("export", one, "--format", kind, "--output", out / kind)
            for kind in ("csv", "parquet", "inspect", "leaderboard")
        },
        "recording": _RECORD.format(run=str(one), out=str(out)),
        "resuming: main process": _RESUME.format(run=str(one)),
        "resuming: a worker": _WORKER.format(run=str(one)),
        "100 crashed workers": _CRASH.format(run=str(one)),
    }


def measure(program: str, output: Path) -> Cost:
    child = os.fork()
    if child == 0:
        with output.open("wb") as stream:
            os.dup2(stream.fileno(), 1)
            os.dup2(stream.fileno(), 2)
        os.execv(sys.executable, [sys.executable, "-c", program])
    _, status, usage = os.wait4(child, 0)
    # ru_maxrss is in kilobytes on Linux, in bytes on macOS.
    megabytes = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    seconds = usage.ru_utime + usage.ru_stime
    return Cost(seconds, megabytes, os.waitstatus_to_exitcode(status))


def series(
    directory: Path, attempts: int, samples: int, only: Sequence[str]
) -> tuple[int, dict[str, Cost]]:
    """Measure all commands on runs of about so many attempts."""
    one, other, out = (directory / f"{attempts}-{name}" for name in ("one", "other", "out"))
    started = time.monotonic()
    made = make(one, attempts, samples, 1)
    make(other, attempts, samples, 2)
    out.mkdir()
    size = sum(file.stat().st_size for file in (one / "journal").iterdir()) / 1e6
    seconds = time.monotonic() - started
    print(f"\n{made:,} attempts, {size:.0f} MB of journals, twice, made in {seconds:.0f} s")
    print(f"{'':<28}{'cpu s':>9}{'peak MB':>9}", flush=True)
    found = {}
    for name, program in commands(one, other, out).items():
        if only and not any(word in name for word in only):
            continue
        cost = found[name] = measure(program, out / "output.txt")
        print(f"{name:<28}{cost.seconds:>9.2f}{cost.megabytes:>9.0f}", flush=True)
        if cost.code not in (0, 1):
            text = (out / "output.txt").read_text("utf-8", "replace")
            print(f"  exit code {cost.code}: {text[-1500:]}", file=sys.stderr)
        elif cost.code == 1:
            print("  " + (out / "output.txt").read_text("utf-8", "replace")[-300:].strip())
    return made, found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--attempts", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--only", nargs="+", default=[], help="words of the commands to measure")
    parser.add_argument("--keep", type=Path, help="where to leave the runs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vsb-bench-") as name:
        directory = options.keep or Path(name)
        directory.mkdir(parents=True, exist_ok=True)
        rows = [
            series(directory, attempts, options.samples, options.only)
            for attempts in options.attempts
        ]
    if len(rows) < 2:
        return 0
    (few, small), (many, large) = rows[0], rows[-1]
    print(f"\n{many / few:.1f} times the attempts\n{'':<28}{'cpu s':>9}{'peak MB':>9}")
    for label, cost in large.items():
        before = small[label]
        print(
            f"{label:<28}{cost.seconds / before.seconds:>8.1f}x"
            f"{cost.megabytes / before.megabytes:>8.1f}x"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
