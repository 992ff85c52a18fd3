"""Made-up results that cover every status and verdict, and hypothesis strategies for records."""

from __future__ import annotations

from hypothesis import strategies as st

from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity
from pytest_vsb.metrics.passk import pass_at_k
from pytest_vsb.provers.base import Candidate, Usage
from pytest_vsb.report.summary import STATUSES, ks_for
from pytest_vsb.run.records import Attempt, TaskFacts, TaskResult
from pytest_vsb.tasks.model import TaskMetrics

SAMPLES = 8
HOSTILE = "\x1b[31mred\x00 ]]> <b> & \"'\r\nℝ \ud800 \x9b2J \u202eevil"


def facts(name: str, category: str = "", *subsets: str, repository: str = "Imp") -> TaskFacts:
    return TaskFacts(
        id=name,
        nodeid=f"benchmark/demo.vsb.jsonl::{name}",
        name=name,
        module="Imp.Compile",
        suite="demo",
        repository=repository,
        category=category,
        subsets=subsets,
        metrics=TaskMetrics(direct_dependencies=3, nesting_depth=2),
        digest="ab12",
    )


def result(
    task: TaskFacts,
    n: int = SAMPLES,
    c: int = 0,
    c_first: int = 0,
    *,
    status: str = "done",
    **more: object,
) -> TaskResult:
    passed = {k: pass_at_k(n, c, k) for k in ks_for(SAMPLES)}
    values: dict[str, object] = {"pass_at": passed, **more}
    return TaskResult(task=task, status=status, n=n, c=c, c_first=c_first, **values)  # type: ignore[arg-type]


def sample_results() -> list[TaskResult]:
    """Eleven tasks in three categories (one of them none); every status, every verdict kind."""
    compiler, logic = "Compiler correctness", "Programmlogik ℝ 証明"
    return [
        result(
            facts("compile_correct", compiler, "easy", "core"),
            c=8,
            c_first=8,
            verdicts={"accepted": 8},
            attempts=8,
            lean_seconds=3.25,
            usage=Usage(1000, 200, 50, 0.25, 12.0),
        ),
        result(
            facts("compile_append", compiler, "easy"),
            c=2,
            c_first=0,
            verdicts={"accepted": 2, "rejected": 20, "incomplete": 1},
            attempts=23,
            lean_seconds=10.5,
            usage=Usage(5000, 900, 0, 1.0, 40.0),
        ),
        result(
            facts("exec_total", compiler, "hard"),
            verdicts={"rejected": 5, "timeout": 1, "out_of_memory": 1, "malformed": 1},
            attempts=8,
            first_error="proof 12:4: error: unsolved goals\nn : Nat\n⊢ n + 0 = n",
            lean_seconds=301.0,
            usage=Usage(5000, 900, 0, None, 40.0),
        ),
        result(
            facts("hoare_sound", logic, "hard"),
            n=5,
            c=1,
            c_first=1,
            verdicts={"accepted": 1, "forbidden": 2, "unsound": 2, "unavailable": 3},
            attempts=8,
            unavailable_samples=3,
            lean_seconds=4.0,
        ),
        result(
            facts("hoare_complete", logic, "hard"),
            n=3,
            status="cut_off",
            reason="a time limit of 60 s on the whole item",
            verdicts={"timeout": 3},
            attempts=3,
            lean_seconds=55.0,
        ),
        result(
            facts("killer", logic),
            n=1,
            status="crashed",
            reason="the worker 'gw1' died",
            verdicts={"crashed": 1},
            attempts=1,
            lean_seconds=1.0,
        ),
        result(
            facts("crashes_at_once", logic), n=0, status="crashed", reason="the worker 'gw0' died"
        ),
        result(
            facts("tree_insert", repository="Tree"),
            n=0,
            status="unavailable",
            reason="Tree: the repository is not there\n  hint: use --vsb-repos=DIR",
            verdicts={"unavailable": 8},
            attempts=8,
            unavailable_samples=8,
        ),
        result(facts("tree_delete", repository="Tree"), n=0, status="excluded", reason="known bad"),
        result(facts("tree_member", repository="Tree"), n=0, status="not_run"),
        result(
            facts("tree_size", repository="Tree"),
            n=2,
            status="unfinished",
            verdicts={"rejected": 2},
            attempts=2,
            lean_seconds=0.5,
        ),
    ]


def error(
    line: int = 4,
    column: int = 2,
    message: str = "unsolved goals",
    region: str = "proof",
    severity: Severity = Severity.ERROR,
) -> Diagnostic:
    return Diagnostic(severity, message, Position(line, column), region=region)


def attempt(
    kind: VerdictKind,
    *diagnostics: Diagnostic,
    sample: int = 0,
    round: int = 0,
    auxiliary: str = "",
    reason: str = "",
) -> Attempt:
    return Attempt(
        nodeid="demo.vsb.jsonl::t",
        sample=sample,
        round=round,
        verdict=Verdict(kind, reason, diagnostics),
        candidate=Candidate("by simp", auxiliary),
    )


# Strategies. Floats are finite: durations and prices are.
_floats = st.floats(min_value=0, max_value=1e12, allow_nan=False)
_counts = st.integers(min_value=0, max_value=10**12)
encodable = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
any_text = st.text(st.characters(), max_size=300) | st.sampled_from([HOSTILE, "]]>", "\r\r\n"])
short_any_text = st.text(st.characters(), max_size=12) | st.just(HOSTILE)


def _diagnostics(text: st.SearchStrategy[str]) -> st.SearchStrategy[Diagnostic]:
    positions = st.builds(Position, st.integers(1, 10**6), st.integers(0, 10**6))
    return st.builds(
        Diagnostic,
        st.sampled_from(Severity),
        text,
        positions,
        st.none() | positions,
        kind=text,
        region=st.sampled_from(["", "context", "auxiliary", "statement", "proof"]),
        goal=st.none() | text,
    )


usages = st.builds(Usage, _counts, _counts, _counts, st.none() | _floats, _floats)


def attempts(text: st.SearchStrategy[str] = encodable) -> st.SearchStrategy[Attempt]:
    verdicts = st.builds(
        Verdict,
        kind=st.sampled_from(VerdictKind),
        reason=text,
        diagnostics=st.lists(_diagnostics(text), max_size=4).map(tuple),
        axioms=st.lists(text, max_size=3).map(tuple),
        assurance=st.lists(text, max_size=3).map(tuple),
        lean_seconds=_floats,
        cpu_seconds=_floats,
        peak_memory_mb=_floats,
        toolchain=text,
        submission=text,
    )
    return st.builds(
        Attempt,
        nodeid=text,
        sample=st.integers(0, 100),
        round=st.integers(0, 10),
        verdict=verdicts,
        candidate=st.none() | st.builds(Candidate, text, text, text),
        usage=usages,
        prover=text,
        seed=st.integers(-(2**63), 2**63 - 1),
        prompt_digest=text,
        response_digest=text,
        started=_floats,
        plugin_version=text,
    )


@st.composite
def task_results(draw: st.DrawFn, text: st.SearchStrategy[str] = encodable) -> TaskResult:
    """Any result that a run can have: what else is read is refused."""
    status = draw(st.sampled_from(STATUSES))
    n = draw(st.integers(0, 20)) if status != "not_run" else 0
    c = draw(st.integers(0, n))
    lost = draw(st.integers(0, 20)) if status != "not_run" else 0
    failed = {"rejected": n - c, "unavailable": lost, "accepted": c}
    if status != "not_run":
        others = [kind.value for kind in VerdictKind if kind.value not in failed]
        failed.update(draw(st.dictionaries(st.sampled_from(others), st.integers(1, 50))))
    verdicts = {kind: count for kind, count in failed.items() if count}
    optional = st.none() | st.integers(0, 1000)
    return TaskResult(
        task=TaskFacts(
            id=draw(text),
            nodeid=draw(text),
            name=draw(text),
            module=draw(text),
            suite=draw(text),
            repository=draw(text),
            category=draw(text),
            subsets=tuple(draw(st.lists(text, max_size=3))),
            metrics=draw(st.builds(TaskMetrics, optional, optional, optional, optional)),
            digest=draw(text),
        ),
        status=status,
        n=n,
        c=c,
        c_first=draw(st.integers(0, c) | st.none()),
        pass_at={k: pass_at_k(n, c, k) for k in draw(st.sets(st.integers(1, 20), max_size=4))},
        verdicts=verdicts,
        first_error=draw(text),
        reason=draw(text),
        attempts=sum(verdicts.values()),
        unavailable_samples=lost,
        lean_seconds=draw(_floats),
        usage=draw(usages),
    )
