"""Records of runs, made by hand and by hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity
from pytest_vsb.provers.base import Answer, Candidate, Usage
from pytest_vsb.run.journal import Answered, Asked, Ended, Event, Judged, Started
from pytest_vsb.run.records import Attempt, TaskFacts

NODEIDS = ("a.vsb.jsonl::x", "a.vsb.jsonl::ℝ y", "b.vsb.jsonl::x")


def facts(nodeid: str = NODEIDS[0]) -> TaskFacts:
    return TaskFacts(id=nodeid.partition("::")[2], nodeid=nodeid, category="c", suite="s")


def attempt(
    sample: int = 0,
    round: int = 0,
    kind: VerdictKind = VerdictKind.REJECTED,
    *,
    nodeid: str = NODEIDS[0],
    complete: bool = True,
    started: float = 0.0,
    reason: str = "",
    candidate: Candidate | None = None,
) -> Attempt:
    return Attempt(
        nodeid=nodeid,
        sample=sample,
        round=round,
        verdict=Verdict(kind, reason=reason),
        complete=complete,
        started=started,
        candidate=candidate,
    )


# No surrogates: what JSON cannot hold is a test of its own.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.integers(0, 2**31)
amounts = st.floats(0, 1e9)
usages = st.builds(
    Usage,
    input_tokens=numbers,
    output_tokens=numbers,
    cached_tokens=numbers,
    cost_usd=st.none() | amounts,
    seconds=amounts,
)
candidates = st.builds(Candidate, proof=texts, auxiliary=texts, reasoning=texts)
positions = st.builds(Position, line=st.integers(1, 99), column=st.integers(0, 99))
diagnostics = st.builds(
    Diagnostic,
    severity=st.sampled_from(Severity),
    message=texts,
    start=positions,
    end=st.none() | positions,
)
verdicts = st.builds(
    Verdict,
    kind=st.sampled_from(VerdictKind),
    reason=texts,
    diagnostics=st.lists(diagnostics, max_size=2).map(tuple),
    axioms=st.lists(texts, max_size=2).map(tuple),
    assurance=st.lists(texts, max_size=2).map(tuple),
    lean_seconds=amounts,
    peak_memory_mb=amounts,
    toolchain=texts,
    submission=texts,
)
samples = st.integers(0, 3)
rounds = st.integers(0, 2)
nodeids = st.sampled_from(NODEIDS)
attempts = st.builds(
    Attempt,
    nodeid=nodeids,
    sample=samples,
    round=rounds,
    verdict=verdicts,
    candidate=st.none() | candidates,
    usage=usages,
    prover=texts,
    seed=numbers,
    prompt_digest=texts,
    response_digest=texts,
    started=amounts,
    plugin_version=texts,
    complete=st.booleans(),
)
answers = st.builds(
    Answer,
    candidate=st.none() | candidates,
    malformed=texts,
    usage=usages,
    response=st.just(""),
    response_digest=texts,
    prompt_digest=texts,
)
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(Started, nodeid=nodeids, worker=texts, pid=numbers, time=amounts, digest=texts),
    st.builds(Asked, nodeid=nodeids, sample=samples, round=rounds, time=amounts),
    st.builds(
        Answered,
        nodeid=nodeids,
        sample=samples,
        round=rounds,
        time=amounts,
        answer=st.none() | answers,
    ),
    st.builds(Judged, time=amounts, attempt=attempts),
    st.builds(Ended, nodeid=nodeids, status=texts, reason=texts, time=amounts),
)
