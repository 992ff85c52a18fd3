"""Warm sessions and fresh Leans judge alike: every candidate is judged by both, one session after
many others' candidates, in an order that nobody chose."""

from __future__ import annotations

import dataclasses
import random
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from judge_bench import LIMITS, VAULT, find_lean

from pytest_vsb.judge.check import Checker
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.judge.warm import Sessions
from pytest_vsb.lean.diagnostics import Severity
from pytest_vsb.lean.project import open_project
from pytest_vsb.lean.sandbox.choose import choose
from pytest_vsb.lean.session_pool import SessionPool
from pytest_vsb.lean.toolchain import Toolchain
from pytest_vsb.provers.base import Candidate
from pytest_vsb.source.scanner import scan
from pytest_vsb.tasks.dataset import read_tasks
from pytest_vsb.tasks.model import Task

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS / "attacks"))

from candidate_files import CandidateFile, read_all  # noqa: E402

DEMO = TESTS.parent / "benchmark" / "demo"
TASKS = [
    task
    for name in ("demo.vsb.jsonl", "extended.vsb.jsonl")
    for task in read_tasks(DEMO / name).tasks
]
FILES = [*read_all("refused"), *read_all("accepted")]


class Both:
    """The judge of one project, who judges every candidate both ways, and then as a run does."""

    def __init__(self, root: Path, lean: Toolchain, place: Path) -> None:
        self.root = root
        self.disagreements = place / "disagreements"
        self.sessions = Sessions("verify", 32, SessionPool(), self.disagreements)
        self.asked = self.by_session = 0
        project = open_project(root, lean, cache=place / "cache")
        sandbox = choose("auto", lean)
        self.checker = Checker(project, LIMITS, sandbox=sandbox, sessions=self.sessions)

    def agree(self, task: Task, candidate: Candidate) -> Verdict:
        """The verdict on a candidate, which must be the same both ways."""
        self.sessions.mode = "verify"
        fresh = self.checker.check(task, candidate)
        if self.disagreements.exists():
            found = min(self.disagreements.iterdir())
            pytest.fail(f"{task.id}: {msgspec.json.decode(found.read_bytes())}")
        if fresh.kind in (VerdictKind.REJECTED, VerdictKind.TIMEOUT):
            self.sessions.mode = "auto"
            told = self.checker.check(task, candidate)
            assert (told.kind, told.reason, told.submission) == (
                fresh.kind,
                fresh.reason,
                fresh.submission,
            )
            # Of the kinds of messages that are no errors, a session is not told all.
            for one, other in zip(told.diagnostics, fresh.diagnostics, strict=True):
                untold = one.severity is not Severity.ERROR and not one.kind
                assert one == (dataclasses.replace(other, kind="") if untold else other)
            self.asked += 1
            self.by_session += told.checker == "session"
            assert ("session" in told.assurance) == (told.checker == "session")
        return fresh

    def vault_task(self, name: str) -> Task:
        source = scan((self.root / "Vault.lean").read_bytes().decode())
        statement = source.find(name).statement.of(source.text)
        return Task(id=name, module="Vault", path="Vault.lean", name=name, statement=statement)

    def agree_on_file(self, candidate: CandidateFile) -> None:
        verdict = self.agree(
            self.vault_task(candidate.target), Candidate(candidate.proof, candidate.auxiliary)
        )
        assert str(verdict.kind) in candidate.verdicts


def both(root: Path, place: Path) -> Iterator[Both]:
    shutil.copytree(root, place / "project")
    judges = Both(place / "project", find_lean(), place)
    yield judges
    judges.sessions.close()


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    yield from both(VAULT, tmp_path_factory.mktemp("vault"))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    yield from both(DEMO, tmp_path_factory.mktemp("demo"))


def shuffled(candidates: list[CandidateFile]) -> list[CandidateFile]:
    return random.Random(1).sample(candidates, len(candidates))


REPRESENTATIVE = (
    "private_clash",
    "fake_messages",
    "probe_clash",
    "sorry_error_recovery",
    "shadow_constant",
    "unicode",
)


@pytest.mark.lean
def test_they_agree_on_attacks_and_honest_candidates(vault: Both) -> None:
    chosen = [each for each in FILES if each.name in REPRESENTATIVE]
    assert len(chosen) == len(REPRESENTATIVE)
    for candidate in shuffled(chosen):
        vault.agree_on_file(candidate)
    assert vault.by_session == vault.asked > 2


@pytest.mark.lean
@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_they_agree_on_all_attacks_and_honest_candidates(vault: Both) -> None:
    for candidate in shuffled(FILES):
        vault.agree_on_file(candidate)
    assert vault.by_session > 0.9 * vault.asked


# ---- The demo's tasks ----------------------------------------------------------------------------

_NAME = re.compile(r"[A-Za-z_][\w.']*")
_CONTENT = ("𝔸", "é", "-- ok", "  trace_state", "sorry_", ")", "⟩", "\t", "\r\n")


@st.composite
def mutated(draw: st.DrawFn, proof: str, names: list[str]) -> str:
    """A proof with lines left out, doubled or swapped, names replaced, text added or cut off."""
    for _ in range(draw(st.integers(1, 3))):
        lines = proof.split("\n")
        at = draw(st.integers(0, len(lines) - 1))
        change = draw(st.sampled_from(["drop", "double", "swap", "name", "add", "cut"]))
        if change == "drop" and len(lines) > 1:
            del lines[at]
        elif change == "double":
            lines.insert(at, lines[at])
        elif change == "swap":
            other = draw(st.integers(0, len(lines) - 1))
            lines[at], lines[other] = lines[other], lines[at]
        elif change == "name":
            found = _NAME.findall(lines[at])
            if found:
                old = draw(st.sampled_from(found))
                lines[at] = lines[at].replace(old, draw(st.sampled_from(names)), 1)
        elif change == "add":
            lines.insert(at + 1, draw(st.sampled_from(_CONTENT)))
        proof = "\n".join(lines)
        if change == "cut":
            proof = proof[: draw(st.integers(0, len(proof)))]
    return proof


@st.composite
def candidates(draw: st.DrawFn) -> tuple[Task, Candidate]:
    """A task of the demo and a candidate for it: its reference proof, changed, with and without
    auxiliary declarations, or what was made for other tasks."""
    task = draw(st.sampled_from(TASKS))
    reference = task.reference_proof or ""
    names = sorted({*_NAME.findall(reference + task.statement), "rfl", "simp", "Nat.add_comm"})
    if draw(st.integers(0, 4)) == 0:
        other = draw(st.sampled_from(FILES))
        return task, Candidate(other.proof, other.auxiliary)
    auxiliary = draw(
        st.sampled_from(
            (
                "",
                "",
                "theorem vsb_helper (n : Nat) : n + 0 = n := rfl",
                "theorem vsb_helper (n : Nat) : n + 0 = n + 1 := rfl",
                "@[simp] theorem vsb_𝔸 (n : Nat) : 0 + n = n := by simp [nowhere]\n\n-- 𝔸 é",
            )
        )
    )
    if draw(st.integers(0, 9)) == 0:
        return task, Candidate(reference, auxiliary)
    return task, Candidate(draw(mutated(reference, names)), auxiliary)


@pytest.mark.lean
def test_they_agree_on_wrong_proofs_of_the_demo(demo: Both) -> None:
    task = next(task for task in TASKS if task.id == "Substitution.AExp.eval_subst")
    reference = task.reference_proof or ""
    for proof in (
        # Two errors, which two threads find.
        "rfl",
        reference.replace("simp only [subst, eval, if_neg h", "simp only [subst, 𝔸, if_neg h"),
        reference.replace("    · subst h\n", "    · trace_state\n      skip\n"),
        reference[: len(reference) // 2],
        reference,
    ):
        demo.agree(task, Candidate(proof))
    assert demo.by_session == demo.asked == 4


@pytest.mark.lean
@pytest.mark.slow
@pytest.mark.timeout(3600)
@settings(
    max_examples=300,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(case=candidates())
def test_they_agree_on_any_candidate_for_the_demo(demo: Both, case: tuple[Task, Candidate]) -> None:
    demo.agree(*case)


@pytest.mark.lean
@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_they_agree_on_each_task_of_the_demo(demo: Both, task: Task) -> None:
    """With its reference proof, with each of its lines left out, and with attacks and honest
    candidates for other tasks."""
    reference = task.reference_proof or ""
    lines = reference.split("\n")
    mine = [Candidate(reference)]
    mine += [Candidate("\n".join(lines[:at] + lines[at + 1 :])) for at in range(1, len(lines))]
    others = random.Random(task.id).sample(FILES, 12)
    mine += [Candidate(each.proof, each.auxiliary) for each in others]
    for candidate in random.Random(task.id).sample(mine, len(mine)):
        demo.agree(task, candidate)
