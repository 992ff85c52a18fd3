"""How large the HTML report of a full benchmark is, how long it takes to make and to open.

    python bench/page.py [--tasks N] [--samples N] [--repairs N] [--output FILE]

The run is made up, with sizes as real provers' runs have them: proofs of 5 to 60 lines that share
lines within a task, messages with goal states, four repair rounds at most. It is made in memory, as
reading journals is no part of the page. The goals, for 500 tasks and 32 samples: made in less than
3 s of processor time, less than 8 MB, open in less than 1 s of the browser's main thread (where a
Chromium is found). What the analysis took, which every format needs, is told apart.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity, goal_state
from pytest_vsb.provers.base import Candidate, Usage
from pytest_vsb.report.analysis import analyse
from pytest_vsb.report.fold import fold_task
from pytest_vsb.report.html.page import build
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.run.records import Attempt, TaskFacts, TaskResult
from pytest_vsb.tasks.model import TaskMetrics

SEED = 20261130
BYTES, BUILD_SECONDS, OPEN_SECONDS = 8e6, 3.0, 1.0

_WORDS = (
    "state heap stack frame store value expr type context env step eval exec compile lookup update "
    "insert erase size length append reverse map fold zip take drop get set push pop empty cons"
).split()
_TACTICS = (
    "simp only [{0}.{1}, {2}] at {3}",
    "rcases {3} with ⟨{4}, {5}⟩ | ⟨{4}, {5}⟩",
    "have {3} : {0}.{1} {4} = {2} {5} := by simp [{0}.{1}]",
    "rw [← {0}.{1}_{2}, {2}]",
    "refine ⟨{4}, ?_, fun {5} => ?_⟩",
    "exact ({0}.{1} {4}).trans ({2} {3})",
    "induction {4} generalizing {5} with",
    "obtain ⟨{4}, {3}⟩ := {0}.{1}_{2} {5}",
    "cases {3} <;> simp_all [{0}.{1}]",
    "· exact absurd {3} (by omega)",
)
_MESSAGES = (
    "unsolved goals\n{goal}",
    "unknown identifier '{0}.{1}_{2}'",
    "Tactic `rewrite` failed: Did not find an occurrence of the pattern\n  {0}.{1} {4}\nin the "
    "target expression\n  {2} {5} = {0}.{1} {3}\n\n{goal}",
    "Type mismatch\n  {3}\nhas type\n  {0}.{1} {4} = {2} {5}\nbut is expected to have type\n  "
    "{0}.{2} {5} = {1} {4}",
    "linarith failed to find a contradiction\n{goal}\na✝ : {0}.{1} {4} < {2} {5}",
)
_KINDS = (VerdictKind.REJECTED,) * 9 + (VerdictKind.TIMEOUT, VerdictKind.INCOMPLETE)


class MadeUp:
    """A run of a model that proves one task in three."""

    def __init__(self, tasks: int, samples: int, repairs: int) -> None:
        self._random = random.Random(SEED)
        self._attempts: dict[str, tuple[Attempt, ...]] = {}
        self._samples, self._repairs = samples, repairs
        results = [self._task(number) for number in range(tasks)]
        self.run = LoadedRun(
            name="made-up/model",
            path=None,
            run={"samples": samples, "identity": {"model": "made-up/model", "repairs": repairs}},
            results=tuple(sorted(results, key=lambda result: result.task.nodeid)),
            attempts=lambda nodeid: self._attempts.get(nodeid, ()),
            has_attempts=True,
        )

    def size(self) -> int:
        """Bytes of proofs and messages."""
        return sum(
            len(text.encode())
            for attempts in self._attempts.values()
            for attempt in attempts
            for text in (
                attempt.candidate.proof if attempt.candidate else "",
                *(diagnostic.message for diagnostic in attempt.verdict.diagnostics),
            )
        )

    def _names(self) -> list[str]:
        chosen = self._random.sample(_WORDS, 3)
        return [chosen[0].title(), *chosen[1:], f"h{self._random.randrange(20)}", "x", "y"]

    def _task(self, number: int) -> TaskResult:
        chance = self._random
        facts = TaskFacts(
            id=f"task-{number}",
            nodeid=f"verisoftbench.jsonl::task-{number}",
            name=".".join(name.title() for name in chance.sample(_WORDS, 3)) + f"_{number}",
            module="Project." + chance.choice(_WORDS).title(),
            suite="made-up",
            repository=f"repository-{int(23 * chance.random() ** 2)}",
            category=chance.choice(("Compilers", "Semantics", "Data structures", "Protocols")),
            metrics=TaskMetrics(
                direct_dependencies=chance.randrange(30),
                transitive_dependencies=int(200 * chance.random() ** 2),
                nesting_depth=chance.randrange(1, 12),
                proof_lines=chance.randrange(2, 80),
            ),
        )
        pool = [
            "  " * chance.randrange(1, 4) + chance.choice(_TACTICS).format(*self._names())
            for _ in range(120)
        ]
        skill = chance.random() * 0.4 if chance.random() < 0.35 else 0.0
        attempts = tuple(
            attempt
            for sample in range(self._samples)
            for attempt in self._sample(facts, sample, pool, skill)
        )
        self._attempts[facts.nodeid] = attempts
        return fold_task(facts, attempts, samples=self._samples, status="done")

    def _sample(
        self, facts: TaskFacts, sample: int, pool: list[str], skill: float
    ) -> list[Attempt]:
        chance = self._random
        made = []
        lines = [chance.choice(pool) for _ in range(chance.randrange(5, 60))]
        for step in range(self._repairs + 1):
            solved = chance.random() < skill
            proof = "by\n" + "\n".join(lines)
            messages = () if solved else tuple(self._messages(proof))
            kind = VerdictKind.ACCEPTED if solved else chance.choice(_KINDS)
            usage = Usage(chance.randrange(2000, 20000), chance.randrange(500, 8000), 0, 0.02, 20.0)
            made.append(
                Attempt(
                    nodeid=facts.nodeid,
                    sample=sample,
                    round=step,
                    verdict=Verdict(kind, diagnostics=messages, lean_seconds=4 * chance.random()),
                    candidate=Candidate(proof),
                    usage=usage,
                    seed=chance.getrandbits(31),
                )
            )
            if solved:
                break
            lines = [chance.choice(pool) if chance.random() < 0.2 else line for line in lines]
        return made

    def _messages(self, proof: str) -> list[Diagnostic]:
        chance = self._random
        lines = proof.split("\n")
        found = []
        for _ in range(chance.randrange(1, 5)):
            names = self._names()
            hypotheses = "\n".join(
                "{3} : {0}.{1} {4} = {2} {5}".format(*self._names())
                for _ in range(chance.randrange(2, 12))
            )
            goal = f"case {names[1]}\n{hypotheses}\n⊢ {{0}}.{{1}} {{4}} = {{2}} {{5}}"
            message = chance.choice(_MESSAGES).replace("{goal}", goal).format(*names)
            line = chance.randrange(1, len(lines))
            start = len(lines[line]) - len(lines[line].lstrip())
            found.append(
                Diagnostic(
                    Severity.ERROR,
                    message,
                    Position(100 + line, start),
                    Position(100 + line, len(lines[line])),
                    region="proof",
                    goal=goal_state(message),
                    local=Position(1 + line, start),
                )
            )
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--tasks", type=int, default=500)
    parser.add_argument("--samples", type=int, default=32)
    parser.add_argument("--repairs", type=int, default=0)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    made = MadeUp(options.tasks, options.samples, options.repairs)
    attempts = sum(result.attempts for result in made.run.results)
    print(f"{options.tasks} tasks, {attempts:,} attempts, {made.size() / 1e6:.1f} MB of text")
    start = time.process_time()
    analysis = analyse([made.run])
    print(f"analysis: {time.process_time() - start:.2f} s")
    start = time.process_time()
    page = build([made.run], analysis).encode()
    built = time.process_time() - start
    print(f"page: {built:.2f} s, {len(page) / 1e6:.2f} MB")
    with tempfile.TemporaryDirectory() as directory:
        path = options.output or Path(directory) / "page.html"
        path.write_bytes(page)
        opened = _open(path, Path(directory) / "profile")
    return int(len(page) > BYTES or built > BUILD_SECONDS or (opened or 0) > OPEN_SECONDS)


def _open(path: Path, profile: Path) -> float | None:
    """Seconds of the browser's main thread until the page can be used."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "report"))
    from html_browser import Browser, find

    program = find()
    if program is None:
        print("opening: no Chromium here")
        return None
    with Browser(program, profile) as browser:
        browser.size(1280, 900)
        browser.call("Performance.enable", timeDomain="threadTicks")
        browser.open(path)
        browser.wait("document.documentElement.hasAttribute('data-ready')")
        metrics = browser.call("Performance.getMetrics")["metrics"]
        busy = next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
        load = browser.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
        browser.evaluate("window.began = performance.now()")
        browser.evaluate("document.querySelector('#task-table tbody a').click()")
        browser.wait("document.querySelector('#task .attempt')")
        inside = browser.evaluate("performance.now() - window.began")
    print(f"opening: {busy:.2f} s of the main thread, {load / 1000:.2f} s in all")
    print(f"opening a task: at most {inside / 1000:.2f} s")
    return float(busy)


if __name__ == "__main__":
    sys.exit(main())
