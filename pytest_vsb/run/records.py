"""What a run leaves behind: attempts, and the results they fold into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_vsb.judge.verdict import Verdict
from pytest_vsb.provers.base import Candidate, Usage
from pytest_vsb.tasks.model import Task, TaskMetrics


@dataclass(frozen=True)
class TaskFacts:
    """What reports need to know of a task, without its texts. ``nodeid`` is pytest's."""

    id: str
    nodeid: str
    name: str = ""
    module: str = ""
    suite: str = ""
    repository: str = ""
    category: str = ""
    subsets: tuple[str, ...] = ()
    metrics: TaskMetrics = TaskMetrics()
    digest: str = ""

    @classmethod
    def of(cls, task: Task, nodeid: str, digest: str = "") -> TaskFacts:
        return cls(
            id=task.id,
            nodeid=nodeid,
            name=task.name,
            module=task.module,
            suite=task.suite,
            repository=task.repository,
            category=task.category,
            subsets=task.subsets,
            metrics=task.metrics,
            digest=digest,
        )


@dataclass(frozen=True)
class Attempt:
    """One answer of a prover and its verdict: round ``round`` of sample ``sample``.

    ``started`` is seconds since the epoch. ``nodeid`` names the task. ``model``, ``stop``,
    ``retries`` and ``leniencies`` are the answer's; see ``provers.base.Answer``. ``complete`` is
    false for an attempt that was cut off before it was judged to the end, by a limit on the whole
    item or the death of its process.
    """

    nodeid: str
    sample: int
    round: int
    verdict: Verdict
    candidate: Candidate | None = None
    usage: Usage = Usage()
    prover: str = ""
    model: str = ""
    seed: int = 0
    prompt_digest: str = ""
    response_digest: str = ""
    stop: str = ""
    retries: int = 0
    leniencies: tuple[str, ...] = ()
    started: float = 0.0
    plugin_version: str = ""
    complete: bool = True

    @property
    def reusable(self) -> bool:
        """Whether a resumed run may keep this attempt instead of making it again."""
        return self.complete and self.verdict.counts


@dataclass(frozen=True)
class TaskResult:
    """The attempts at one task, folded.

    ``n`` is the number of samples that count, ``c`` how many of them ended in an accepted proof,
    ``c_first`` how many did so without repair (round 0), None where another program's results do
    not tell. ``pass_at`` maps k to the unbiased
    estimate of pass@k (Chen et al. 2021), ``None`` where n < k. ``verdicts`` counts the kinds of
    all attempts, of which ``cached_verdicts`` were found for an equal candidate before;
    ``lean_seconds`` is the time of Lean for the others. ``first_error`` is the best attempt's first
    diagnostic.
    ``status`` is ``done``, ``crashed`` (the worker died), ``cut_off`` (a time limit on the whole
    item), ``unavailable`` (no sample could be judged), ``unfinished`` (an interrupted run),
    ``budget`` (nothing more may be spent), ``excluded`` (not for this prover), ``known_bad``
    (false or unprovable, so in no rate, run or not) or ``not_run``.
    """

    task: TaskFacts
    status: str
    n: int
    c: int
    c_first: int | None
    pass_at: Mapping[int, float | None] = field(default_factory=dict)
    verdicts: Mapping[str, int] = field(default_factory=dict)
    first_error: str = ""
    reason: str = ""
    attempts: int = 0
    unavailable_samples: int = 0
    lean_seconds: float = 0.0
    usage: Usage = Usage()
    cached_verdicts: int = 0

    @property
    def solved(self) -> bool:
        return self.c > 0

    @property
    def solved_without_repair(self) -> bool | None:
        return None if self.c_first is None else self.c_first > 0
