"""The regression gate of a run: what fails, what is said, exit codes, GitHub Actions, JUnit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import xmlschema
from mini_project import Ended, MiniProject, case_properties, task_line

from pytest_vsb.metrics.passk import pass_at_k
from pytest_vsb.report.results import write_results
from pytest_vsb.report.summary import ks_for, summarise
from pytest_vsb.run.records import TaskFacts, TaskResult

pytestmark = pytest.mark.lean

SAMPLES = 5

# What was solved every time is never solved now, what was never solved is now.
PROVER = """
def answer(request):
    return right(request) if request.task.id == "isLeaf_leaf" else no_answer()
"""
NAMES = ("mirror_leaf", "mirror_mirror", "isLeaf_leaf", "mirror_injective")


def baseline(
    project: MiniProject, name: str = "old.json", n: int = SAMPLES, /, **solved: int
) -> Path:
    """A results file in which each task was solved so many times of ``n``."""
    results = []
    for task, c in solved.items():
        facts = TaskFacts(id=task, nodeid=f"mini.vsb.jsonl::{task}")
        passed = {k: pass_at_k(n, c, k) for k in ks_for(n)}
        results.append(TaskResult(facts, "done", n, c, c, passed))
    path = project.path / name
    write_results(path, {"samples": n}, summarise(results, ks_for(n)), results)
    return path


def gated(project: MiniProject, *arguments: str, run: str = "run") -> Ended:
    return project.run(
        *(f"--vsb-run={run}", f"--vsb-samples={SAMPLES}", "--vsb-repairs=0"),
        *("--vsb-fail-on=regression", *arguments),
    )


@pytest.fixture(scope="session")
def worse(share) -> tuple[MiniProject, Ended]:  # type: ignore[no-untyped-def]
    """A worse prover over two workers, in what looks like GitHub Actions."""
    found: tuple[MiniProject, Ended] = share("worse", make_worse)
    return found


def make_worse(project: MiniProject) -> tuple[MiniProject, Ended]:
    project.tasks(*NAMES)
    project.prover(PROVER)
    baseline(project, mirror_leaf=5, mirror_mirror=1, isLeaf_leaf=0, gone=0)
    project.environment = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(project.path.parent),
        "GITHUB_STEP_SUMMARY": str(project.path / "summary.md"),
    }
    (project.path / "summary.md").write_text("from an earlier command\n", encoding="utf-8")
    ended = gated(
        *(project, "--vsb-baseline=old.json", "-n", "2", "-v", "--junit-xml=junit.xml"),
        "--vsb-lean-jobs=2",
    )
    return project, ended


def test_a_worse_prover_fails_by_name(worse: tuple[MiniProject, Ended]) -> None:
    ended = worse[1]
    assert ended.code == pytest.ExitCode.TESTS_FAILED
    assert ended.counts() == {"failed": 1, "passed": 1, "unsolved": 2}
    assert "UNSOLVED 0/5 (regressed) mini.vsb.jsonl::mirror_leaf" in ended.text
    assert "SOLVED 5/5 (gained) mini.vsb.jsonl::isLeaf_leaf" in ended.text
    assert "UNSOLVED 0/5 (lost) mini.vsb.jsonl::mirror_mirror" in ended.text
    section = ended.section("regression gate")
    assert "tasks: 1 regressed, 1 lost, 1 gained, 1 new" in section
    assert "gate: closed: 1 task regressed" in section
    assert "note: 1 task of the baseline not in this run" in section
    assert "regression: 0 of 5 samples proved it, 5 of 5 in the baseline" in ended.text


def test_junit_for_jenkins(worse: tuple[MiniProject, Ended]) -> None:
    path = worse[0].path / "junit.xml"
    xmlschema.XMLSchema(Path(__file__).with_name("junit.xsd")).validate(path)
    cases = case_properties(worse[0].junit())
    assert {name: case["vsb.gate"] for name, case in cases.items()} == {
        "mirror_leaf": "regressed",
        "mirror_mirror": "lost",
        "isLeaf_leaf": "gained",
        "mirror_injective": "new",
    }
    assert cases["mirror_leaf"]["vsb.baseline.c"] == "5"
    assert cases["mirror_leaf"]["vsb.gate.p"] == "0.004"


def test_annotations(worse: tuple[MiniProject, Ended]) -> None:
    lines = [line for line in worse[1].lines if line.startswith("::")]
    file = f"{worse[0].path.name}/mini.vsb.jsonl"
    assert "::error title=regression gate::1 task regressed" in lines
    (error,) = (line for line in lines if "regression%3A" in line)
    assert error.startswith(f"::error file={file},line=1,title=regression%3A mirror_leaf::")
    assert "%0A" in error
    (notice,) = (line for line in lines if line.startswith("::notice"))
    assert notice.startswith(f"::notice file={file},line=3,title=newly solved%3A isLeaf_leaf::")


def test_step_summary(worse: tuple[MiniProject, Ended]) -> None:
    text = (worse[0].path / "summary.md").read_text(encoding="utf-8")
    assert text.startswith("from an earlier command\n## scripted\n")
    assert "**Regression gate: closed**" in text
    assert "| `mini.vsb.jsonl::mirror_leaf` | 5 of 5 | 0 of 5 | 0.004 |" in text


@pytest.mark.slow
def test_resumed_it_decides_alike(worse: tuple[MiniProject, Ended]) -> None:
    project = worse[0]
    asked = project.asked()
    again = gated(project, "--vsb-baseline=old.json", "--vsb-resume")
    assert again.code == pytest.ExitCode.TESTS_FAILED
    assert project.asked() == asked
    assert "gate: closed: 1 task regressed" in again.section("regression gate")
    assert again.counts() == {"failed": 1, "passed": 1, "unsolved": 2}


@pytest.fixture
def two(near: MiniProject) -> MiniProject:
    """A project whose prover solves one task of two."""
    near.tasks("isLeaf_leaf", "mirror_leaf")
    near.prover(PROVER)
    return near


def test_the_same_again_passes(two: MiniProject) -> None:
    assert two.bench("--vsb-fail-on=never", run="first").code == 0
    again = two.bench("--vsb-fail-on=regression", "--vsb-baseline=first", run="second")
    assert again.code == 0
    assert "tasks: 1 solved, 1 unsolved" in again.text
    assert "gate: open" in again.text


def test_a_prover_without_luck(two: MiniProject) -> None:
    baseline(two, "old.json", 1, isLeaf_leaf=1, mirror_leaf=1)
    two.prover(PROVER, "Scripted.deterministic = True")
    ended = two.bench("--vsb-fail-on=regression", "--vsb-baseline=old.json")
    assert ended.code == pytest.ExitCode.TESTS_FAILED
    assert ended.counts() == {"failed": 1, "passed": 1}
    assert "gate: closed: 1 task regressed" in ended.text


def test_limits_of_the_whole_run(two: MiniProject) -> None:
    """No item fails, and yet the session does."""
    baseline(two, "old.json", 1, isLeaf_leaf=1, mirror_leaf=1)
    ended = two.bench(
        *("--vsb-fail-on=never", "--vsb-min-pass-rate=51%"),
        *("--vsb-baseline=old.json", "--vsb-max-regressions=0"),
    )
    text = " ".join(ended.text.split())
    assert ended.code == pytest.ExitCode.TESTS_FAILED
    assert "1 of 2 judged tasks solved (50.0 %); at least 51 % must" in text
    assert "luck or not; at most 0 may be" in text
    assert "0 of the 2 tasks that the baseline solved can be told from luck" in text
    assert ended.counts() == {"passed": 1, "unsolved": 1}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--vsb-fail-on=regression"], ["--vsb-fail-on=regression", "--vsb-baseline=RUN"]),
        (["--vsb-max-regressions=2"], ["--vsb-max-regressions", "--vsb-baseline=RUN"]),
        (["--vsb-baseline=lost"], ["--vsb-baseline", "lost"]),
        (["--vsb-gate-alpha=0"], ["--vsb-gate-alpha", "above 0"]),
        (["--vsb-gate-alpha=1.5"], ["--vsb-gate-alpha", "at most 1"]),
        (["--vsb-gate-alpha=x"], ["--vsb-gate-alpha", "'x'"]),
        (["--vsb-min-pass-rate=101%"], ["--vsb-min-pass-rate", "'101%'"]),
        (["--vsb-min-pass-rate=most"], ["--vsb-min-pass-rate", "'most'"]),
        (["--vsb-max-regressions=-1", "--vsb-baseline=x"], ["--vsb-max-regressions", "'-1'"]),
        (["--vsb-baseline=run", "--vsb-run=run"], ["cannot be its own baseline"]),
    ],
)
def test_options_that_cannot_be_used(
    near: MiniProject, options: list[str], words: list[str]
) -> None:
    near.tasks(task_line("mirror_leaf"))
    near.prover("def answer(request): return no_answer()")
    ended = near.run(*options)
    message = ended.errors + ended.text
    assert ended.code == pytest.ExitCode.USAGE_ERROR, message
    for word in words:
        assert word in message, f"{word!r} is not in:\n{message}"
    assert "Traceback" not in message
    assert not (near.path / "vsb-runs").exists()


def test_other_settings_than_the_baselines(near: MiniProject) -> None:
    near.prover("def answer(request): return no_answer()")
    path = baseline(near, mirror_leaf=1)
    record = json.loads(path.read_text("utf-8"))
    record["run"]["identity"] = {"repairs": 0, "policy": "strict", "model": "another"}
    path.write_text(json.dumps(record), encoding="utf-8")
    ended = near.run("--vsb-repairs=2", "--vsb-baseline=old.json")
    message = ended.errors + ended.text
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "made with other settings (repairs: 0 and 2)" in message
