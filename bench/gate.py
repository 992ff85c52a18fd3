"""How often the regression gate raises a false alarm, and how often it catches a worse prover.

    python bench/gate.py [--pairs N] [--seed N]

Each task has a rate of success of its own; a run draws its samples from it. First, pairs of runs of
an unchanged prover: the share of pairs in which anything fails must be at most alpha. Then the
second run is of a prover made worse.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_vsb.metrics.contingency import Counts, fisher_less
from pytest_vsb.report.gate import ALPHA, Baseline, Change, Rules, gate
from pytest_vsb.run.records import TaskFacts, TaskResult

Rates = Sequence[float]


@dataclass(frozen=True)
class Setup:
    """``tasks`` tasks, ``before`` samples of each in the baseline and ``now`` in the new run."""

    name: str
    tasks: int
    before: int
    now: int
    rate: Callable[[random.Random], float]


def _mixed(draw: random.Random) -> float:
    """A third are never solved, a tenth always, the others anything."""
    kind = draw.random()
    return 0.0 if kind < 0.33 else 1.0 if kind < 0.43 else draw.betavariate(0.5, 1)


def _rare(draw: random.Random) -> float:
    return draw.betavariate(0.3, 3)


SETUPS = (
    Setup("100 tasks of all kinds, 8 samples", 100, 8, 8, _mixed),
    Setup("500 tasks of all kinds, 8 samples", 500, 8, 8, _mixed),
    Setup("100 tasks, each solved half the time, 8 samples", 100, 8, 8, lambda _: 0.5),
    Setup("100 tasks, each solved nine times of ten, 8 samples", 100, 8, 8, lambda _: 0.9),
    Setup("100 hard tasks, 8 samples", 100, 8, 8, _rare),
    Setup("100 tasks of all kinds, one sample", 100, 1, 1, _mixed),
    Setup("100 tasks of all kinds, 80 samples before, 8 now", 100, 80, 8, _mixed),
    Setup("10 tasks of all kinds, 32 samples", 10, 32, 32, _mixed),
)


@dataclass(frozen=True)
class Worse:
    """A way to become worse: the rates of tasks, to new ones."""

    name: str
    rates: Callable[[Rates, random.Random], list[float]]


def _some_lost(share: float) -> Callable[[Rates, random.Random], list[float]]:
    return lambda rates, draw: [0.0 if draw.random() < share else rate for rate in rates]


def _all_weaker(factor: float) -> Callable[[Rates, random.Random], list[float]]:
    return lambda rates, _: [rate * factor for rate in rates]


WORSE = (
    Worse("unchanged", lambda rates, _: list(rates)),
    Worse("every 50th task no longer solved", _some_lost(0.02)),
    Worse("every 20th task no longer solved", _some_lost(0.05)),
    Worse("every 10th task no longer solved", _some_lost(0.1)),
    Worse("all rates less by a tenth", _all_weaker(0.9)),
    Worse("all rates less by a fifth", _all_weaker(0.8)),
    Worse("all rates halved", _all_weaker(0.5)),
)


def results(rates: Rates, samples: int, draw: random.Random) -> list[TaskResult]:
    found = []
    for number, rate in enumerate(rates):
        c = sum(draw.random() < rate for _ in range(samples))
        facts = TaskFacts(id=f"t{number}", nodeid=f"sim.vsb.jsonl::t{number}")
        found.append(TaskResult(facts, "done", samples, c, c))
    return found


@dataclass
class Alarms:
    """Of how many pairs what failed."""

    any: int = 0
    tasks: int = 0
    overall: int = 0
    luckless: int = 0
    right: int = 0
    named: int = 0


def simulate(setup: Setup, worse: Worse, pairs: int, seed: int) -> Alarms:
    draw = random.Random(f"{seed} {setup.name} {worse.name}")
    rules, alarms = Rules(), Alarms()
    for _ in range(pairs):
        rates = [setup.rate(draw) for _ in range(setup.tasks)]
        changed = worse.rates(rates, draw)
        baseline = Baseline(results(rates, setup.before, draw), rules)
        found = gate(baseline, results(changed, setup.now, draw), rules)
        regressed = found.of(Change.REGRESSED)
        alarms.any += not found.passed
        alarms.tasks += bool(regressed)
        alarms.overall += found.p is not None and found.p <= found.p_level
        alarms.luckless += bool(regressed or found.of(Change.LOST))
        alarms.named += len(regressed)
        alarms.right += sum(
            changed[int(task.task.id[1:])] < rates[int(task.task.id[1:])] for task in regressed
        )
    return alarms


def selection(most: int) -> float:
    """The largest P(p <= a | the baseline solved the task) / a over rates, samples and levels: at
    most 1, so that levels may be shared among the solved tasks alone."""
    worst = 0.0
    for before in range(1, most + 1):
        for now in (1, 2, 4, 8, before):
            outcomes = [
                (c, d, fisher_less(Counts(before, c), Counts(now, d)))
                for c in range(1, before + 1)
                for d in range(now + 1)
            ]
            for rate in (step / 100 for step in range(1, 100)):
                first, second = _binomial(before, rate), _binomial(now, rate)
                solved = 1 - first[0]
                for a in (0.025, 0.0025, 0.00025, 0.00005):
                    chance = sum(first[c] * second[d] for c, d, p in outcomes if p <= a)
                    worst = max(worst, chance / solved / a)
    return worst


def _binomial(n: int, rate: float) -> list[float]:
    return [math.comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(n + 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    pairs, started = options.pairs, time.perf_counter()

    def percent(count: int) -> str:
        return f"{100 * count / pairs:.1f} %"

    print(f"alpha {ALPHA}, {pairs} pairs of runs\n")
    print("| unchanged prover | any alarm | a task | all together | a task solved, then not |")
    print("| --- | --- | --- | --- | --- |")
    for setup in SETUPS:
        found = simulate(setup, WORSE[0], pairs, options.seed)
        cells = (found.any, found.tasks, found.overall, found.luckless)
        print(f"| {setup.name} | {' | '.join(map(percent, cells))} |", flush=True)
    chosen = (SETUPS[0], SETUPS[6], SETUPS[5])
    print("\n| worse prover | " + " | ".join(setup.name for setup in chosen) + " |")
    print("| --- |" + " --- |" * len(chosen))
    for worse in WORSE[1:]:
        row = [simulate(setup, worse, pairs // 4, options.seed) for setup in chosen]
        cells_ = [
            f"{100 * found.any / (pairs // 4):.0f} % (tasks named {found.named / (pairs // 4):.1f},"
            f" of these rightly {found.right / (pairs // 4):.1f})"
            for found in row
        ]
        print(f"| {worse.name} | {' | '.join(cells_)} |", flush=True)
    print(f"\nlargest P(p <= a | solved) / a: {selection(24):.3f}")
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
