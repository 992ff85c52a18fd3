"""The regression gate: is this run worse than an earlier one, beyond luck?

Let a baseline have c proofs in n samples of a task, and this run c' in n'. Had nothing changed, the
task's rate of success would be the same in both, and chance alone would decide which samples
succeed; Fisher's exact test says how likely so few successes now would be. A gate looks at many
tasks, so that something unlikely is bound to happen: the level is divided.

- One half of ``alpha`` is for single tasks, in equal parts for all tasks that the baseline solved
  (Bonferroni): only these can get worse. The parts depend on the baseline alone, so that every
  process, shard and resumed session decides alike, and can when the task ends.
- The other half is for all tasks together: the exact test of the sum of successes over tasks, which
  also sees a prover that became a little worse everywhere.

So the chance that anything fails although nothing has changed is at most ``alpha``.

A prover that answers alike whenever it is asked alike has no luck: what it lost, it lost.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from pytest_vsb.errors import UsageError
from pytest_vsb.metrics.contingency import Counts, fisher_less, least_p, stratified_less
from pytest_vsb.report.alike import TaskIndex, judged, same_obligation
from pytest_vsb.run.records import TaskFacts, TaskResult
from pytest_vsb.words import counted

ALPHA = 0.05


class Change(str, Enum):
    """What became of a task since the baseline.

    ``regressed``: solved then, unsolved now, and that is not luck. ``lost``: the same, but luck
    would explain it. ``gained``: unsolved then, solved now. ``solved`` and ``unsolved``: in both.
    ``new``: not in the baseline. ``changed``: it is another theorem now. ``unjudged``: no sample
    of one of the runs could be judged, or it is known to be bad.
    """

    REGRESSED = "regressed"
    LOST = "lost"
    GAINED = "gained"
    SOLVED = "solved"
    UNSOLVED = "unsolved"
    NEW = "new"
    CHANGED = "changed"
    UNJUDGED = "unjudged"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Rules:
    """What a gate lets through.

    Attributes:
        alpha: the most that the chance of a false alarm may be. 1: take no account of luck at all;
            every task that was solved and is not counts as regressed.
        deterministic: whether the prover answers alike whenever it is asked alike; a loss is then
            no luck where this run has at least the baseline's samples.
        tested: whether regressions fail: those of single tasks and the test over all tasks.
        min_pass_rate: the least share of judged tasks that must be solved, from 0 to 1.
        max_regressions: the most tasks that may be unsolved now and solved in the baseline, luck
            or not.
    """

    alpha: float = ALPHA
    deterministic: bool = False
    tested: bool = True
    min_pass_rate: float | None = None
    max_regressions: int | None = None


@dataclass(frozen=True)
class TaskGate:
    """One task held against the baseline. ``before`` is None where the baseline does not have it;
    ``p`` is Fisher's, None where there is nothing to test; ``level`` is what p must not exceed for
    the task to be ``regressed``."""

    task: TaskFacts
    change: Change
    before: Counts | None
    now: Counts
    p: float | None = None
    level: float = 0.0

    @property
    def text(self) -> str:
        """What changed, in one line; empty where nothing needs to be said."""
        if self.change not in (Change.REGRESSED, Change.LOST, Change.GAINED) or not self.before:
            return ""
        then = f"{self.before.c} of {self.before.n}"
        now = f"{self.now.c} of {counted(self.now.n, 'sample')}"
        if self.change is Change.GAINED:
            return f"newly solved: {now}, {then} in the baseline"
        what = "regression" if self.change is Change.REGRESSED else "lost, perhaps by bad luck"
        text = f"{what}: {now} proved it, {then} in the baseline"
        if self.p is None or self.level >= 1:
            return text
        relation = "at most" if self.p <= self.level else "above"
        return f"{text} (p = {number(self.p)}, {relation} {number(self.level)})"


class Baseline:
    """An earlier run, against which tasks are held.

    Args:
        results: its tasks.
        rules: what the gate lets through.
    """

    def __init__(self, results: Sequence[TaskResult], rules: Rules) -> None:
        self.rules = rules
        self.index = TaskIndex(results)
        self.solved = sum(result.solved and judged(result) for result in results)

    @property
    def level(self) -> float:
        """What p must not exceed for one task: half of alpha, shared among the solved tasks."""
        if self.rules.alpha >= 1:
            return 1.0
        return self.rules.alpha / 2 / max(1, self.solved)

    def judge(self, result: TaskResult) -> TaskGate:
        """Hold one task against the baseline."""
        now = Counts(result.n, result.c)
        earlier = self.index.find(result.task)
        if earlier is None:
            return TaskGate(result.task, Change.NEW, None, now)
        before = Counts(earlier.n, earlier.c)
        if not same_obligation([earlier.task, result.task]):
            return TaskGate(result.task, Change.CHANGED, before, now)
        if not judged(earlier) or not judged(result):
            return TaskGate(result.task, Change.UNJUDGED, before, now)
        if not before.c:
            change = Change.GAINED if now.c else Change.UNSOLVED
            return TaskGate(result.task, change, before, now)
        plain = self.rules.deterministic and now.n >= before.n
        level = 1.0 if plain else self.level
        p = fisher_less(before, now)
        lost = Change.REGRESSED if p <= level else Change.LOST
        change = Change.SOLVED if now.c else lost
        return TaskGate(result.task, change, before, now, p, level)

    def can_fail(self, samples: int) -> int:
        """How many of the solved tasks a run of so many samples could find regressed."""
        return sum(
            (self.rules.deterministic and samples >= result.n)
            or least_p(Counts(result.n, result.c), samples) <= self.level
            for result in self.index.results
            if result.solved and judged(result)
        )


@dataclass(frozen=True)
class Gate:
    """A run held against the baseline, or against fixed limits alone.

    Attributes:
        tasks: those of this run, each held against the baseline; empty without one.
        missing: nodeids of tasks that the baseline has and this run has not.
        p: of the test over all tasks; None without a baseline, or where luck is of no account.
        p_level: what it must not exceed to fail.
        solved: tasks solved, of ``judged`` ones.
        failures: why the gate is closed; empty if it is open.
        notes: what a reader must know.
    """

    tasks: tuple[TaskGate, ...]
    missing: tuple[str, ...]
    p: float | None
    p_level: float
    solved: int
    judged: int
    failures: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.failures

    def of(self, change: Change) -> tuple[TaskGate, ...]:
        """The tasks of which this became."""
        return tuple(task for task in self.tasks if task.change is change)


def gate(
    baseline: Baseline | None,
    results: Sequence[TaskResult],
    rules: Rules,
    *,
    notes: Iterable[str] = (),
) -> Gate:
    """Hold a run against a baseline, if there is one, and against the limits of ``rules``."""
    ordered = sorted(results, key=lambda result: result.task.nodeid)
    tasks: tuple[TaskGate, ...] = ()
    missing: tuple[str, ...] = ()
    p = None
    compared: int | None = None
    told = list(notes)
    if baseline is not None:
        tasks = tuple(baseline.judge(result) for result in ordered)
        missing = _missing(baseline, ordered)
        pairs = [
            (each.before, each.now)
            for each in tasks
            if each.before and each.change not in (Change.CHANGED, Change.UNJUDGED)
        ]
        compared = len(pairs)
        if rules.alpha < 1 and pairs:
            p = stratified_less(pairs)
        told += _notes(baseline, tasks, missing, ordered)
    counted = [result for result in ordered if judged(result)]
    solved = sum(result.solved for result in counted)
    level = rules.alpha / 2
    failures = _failures(tasks, p, level, solved, len(counted), rules)
    if compared == 0 and rules.tested:
        failures = ("no task that was judged in the baseline was judged in the run", *failures)
    return Gate(tasks, missing, p, level, solved, len(counted), failures, tuple(told))


def _failures(
    tasks: Sequence[TaskGate],
    p: float | None,
    level: float,
    solved: int,
    counted: int,
    rules: Rules,
) -> tuple[str, ...]:
    found = []
    changes = Counter(task.change for task in tasks)
    regressed, lost = changes[Change.REGRESSED], changes[Change.LOST]
    if rules.tested and regressed:
        found.append(f"{_tasks(regressed)} regressed")
    if rules.tested and p is not None and p <= level:
        found.append(
            f"fewer samples succeed over all tasks together, beyond luck (p = {number(p)}, at "
            f"most {number(level)})"
        )
    most = rules.max_regressions
    if most is not None and regressed + lost > most:
        found.append(
            f"{_tasks(regressed + lost)} solved in the baseline and unsolved now, luck or not; "
            f"at most {most} may be"
        )
    least = rules.min_pass_rate
    if least is not None and (not counted or solved / counted < least):
        rate = f"{100 * solved / counted:.1f} %" if counted else "n/a"
        found.append(
            f"{solved} of {counted} judged tasks solved ({rate}); at least {100 * least:g} % must"
        )
    return tuple(found)


def _missing(baseline: Baseline, results: Sequence[TaskResult]) -> tuple[str, ...]:
    found = {
        earlier.task.nodeid
        for result in results
        if (earlier := baseline.index.find(result.task)) is not None
    }
    everything = sorted(result.task.nodeid for result in baseline.index.results)
    return tuple(nodeid for nodeid in everything if nodeid not in found)


def _notes(
    baseline: Baseline,
    tasks: Sequence[TaskGate],
    missing: Sequence[str],
    results: Sequence[TaskResult],
) -> list[str]:
    notes = []
    changes = Counter(task.change for task in tasks)
    for change, words in (
        (Change.CHANGED, "another theorem now than in the baseline: not held against it"),
        (Change.NEW, "not in the baseline"),
        (Change.UNJUDGED, "not judged in one of the runs: not held against the baseline"),
    ):
        if changes[change]:
            notes.append(f"{_tasks(changes[change])} {words}")
    if missing:
        notes.append(f"{_tasks(len(missing))} of the baseline not in this run")
    samples = max((result.n for result in results), default=0)
    if baseline.solved and samples and baseline.level < 1:
        able = baseline.can_fail(samples)
        if able < baseline.solved:
            some = "samples" if samples != 1 else "sample"
            notes.append(
                f"with {samples} {some} now, {able} of the {baseline.solved} tasks that the "
                "baseline solved can be told from luck one by one; the others count in the test "
                "over all tasks. A baseline of more samples (vsb merge) tells more"
            )
    return notes


def gate_lines(found: Gate) -> list[str]:
    """The gate for a terminal, without a title."""
    lines = []
    if found.tasks:
        changes = Counter(str(task.change) for task in found.tasks)
        order = [str(change) for change in Change if changes[str(change)]]
        lines.append("tasks: " + ", ".join(f"{changes[name]} {name}" for name in order))
        for change in (Change.REGRESSED, Change.LOST, Change.GAINED):
            lines += [f"{task.task.nodeid}: {task.text}" for task in found.of(change)]
    if found.p is not None:
        lines.append(
            f"all tasks together: p = {number(found.p)} that luck alone explains as few successes "
            f"(level {number(found.p_level)})"
        )
    lines += [f"note: {note}" for note in found.notes]
    lines += [f"gate: closed: {failure}" for failure in found.failures]
    if found.passed:
        lines.append("gate: open")
    return lines


def share(option: str, given: str | None) -> float | None:
    """A share of one that an option gives as ``0.6`` or ``60%``; None where it is not given.

    Raises:
        UsageError: it is none.
    """
    if given is None:
        return None
    text = "".join(given.split())
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise UsageError(f"{given!r} is no share such as 0.6 or 60%", where=option)
    return value


def number(p: float) -> str:
    """A probability in two digits."""
    return f"{p:.2g}" if p >= 1e-12 else "< 1e-12"


def _tasks(count: int) -> str:
    return "1 task" if count == 1 else f"{count} tasks"
