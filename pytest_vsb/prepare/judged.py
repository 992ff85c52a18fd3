"""The filters that ask the judge, with the repository's own Lean."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace

import msgspec

from pytest_vsb.errors import EnvironmentUnavailable
from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.originals import StubFails
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.diagnostics import Severity
from pytest_vsb.prepare.outcomes import Outcome, Outcomes
from pytest_vsb.provers.automation import AutomationProver
from pytest_vsb.provers.base import Candidate, ProofRequest, ProverSpec
from pytest_vsb.tasks.dataset import task_digest
from pytest_vsb.tasks.model import Task

AUTOMATION = "automation"
_LONGEST = 300


class Judge:
    """Tells whether candidates pass the filters of :data:`.reasons.JUDGED`. For one thread.

    Args:
        checker: makes the judge of a repository. One is made for each candidate, since it keeps
            what it has compiled.
        outcomes: what is known already; what is found out is added. What the environment is to
            blame for is not kept.
        automation: whether standard automation is tried.
    """

    def __init__(
        self, checker: Callable[[], Checker], outcomes: Outcomes, *, automation: bool
    ) -> None:
        self._checker = checker
        self._outcomes = outcomes
        self._prover = AutomationProver(ProverSpec(AUTOMATION)) if automation else None

    def outcome(self, task: Task) -> Outcome:
        """What comes of a task with its reference proof: the first filter that rejects it, or how
        its proof was accepted."""
        checker = self._checker()
        try:
            basis = (checker.fingerprint(task), task_digest(task), checker.limits.wall_seconds)
            reference = self._kept(
                _key("reference", *basis, task.reference_proof),
                lambda: _reference(checker, task),
            )
            if not reference.passed or self._prover is None:
                return reference
            candidates = self._candidates(checker, task)
            automation = self._kept(
                _key(AUTOMATION, *basis, candidates),
                lambda: _automation(checker, task, candidates),
            )
        except EnvironmentUnavailable as error:
            return Outcome("cannot_be_judged", _short(_relative(error.message, checker)))
        return reference if automation.passed else automation

    def _kept(self, key: str, find_out: Callable[[], Outcome]) -> Outcome:
        known = self._outcomes.get(key)
        if known is None:
            known = find_out()
            self._outcomes.put(key, known)
        return known

    def _candidates(self, checker: Checker, task: Task) -> tuple[Candidate, ...]:
        """What standard automation tries: the answers of its default protocol."""
        assert self._prover is not None
        found: list[Candidate] = []
        for sample in range(self._prover.default_samples):
            answer = self._prover.prove(
                ProofRequest(
                    task=task.without_reference(),
                    prefix=checker.prefix(task),
                    sample=sample,
                    samples=self._prover.default_samples,
                    round=0,
                    seed=0,
                    root=checker.root,
                )
            )
            if answer is not None and answer.candidate is not None:
                found.append(replace(answer.candidate, reasoning=""))
        return tuple(found)


def _reference(checker: Checker, task: Task) -> Outcome:
    try:
        checker.prepare(task)
    except StubFails as error:
        return Outcome("stub", _short(_relative(error.message, checker)))
    verdict = checker.check(task, Candidate(task.reference_proof or ""))
    if verdict.accepted:
        return Outcome(assurance=verdict.assurance)
    if verdict.kind is VerdictKind.INCOMPLETE:
        return Outcome("reference_hole", _short(verdict.reason))
    extra = sorted(set(verdict.axioms) - checker.allowed_axioms)
    if verdict.kind is VerdictKind.UNSOUND and extra:
        return Outcome("reference_axioms", f"rests on {', '.join(extra)}")
    return Outcome("reference_refused", _said(verdict))


def _said(verdict: Verdict) -> str:
    errors = [
        f"line {found.start.line}: {found.message}"
        for found in verdict.diagnostics
        if found.severity is Severity.ERROR
    ]
    why = verdict.reason or next(iter(errors), "")
    return _short(f"{verdict.kind}: {why}" if why else str(verdict.kind))


def _automation(checker: Checker, task: Task, candidates: tuple[Candidate, ...]) -> Outcome:
    for candidate in candidates:
        if checker.check(task, candidate).accepted:
            return Outcome(AUTOMATION, _short(f"is proved by `{candidate.proof.strip()}`"))
    return Outcome()


def _relative(text: str, checker: Checker) -> str:
    """A message without where on this machine the repository is."""
    return text.replace(f"{checker.root}/", "").replace(str(checker.root), ".")


def _key(*parts: object) -> str:
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
