"""A run from the command line to its results: what is shown, written and called."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass

import pytest
from mini_project import (
    Ended,
    MiniProject,
    case_properties,
    stable,
    suite_properties,
    task_line,
    without_times,
)
from syrupy.assertion import SnapshotAssertion

from pytest_vsb.lean import embedded

pytestmark = pytest.mark.lean

# One task solved at once, one solved in the second sample's repair, one never, one whose prover
# is broken, and one whose file is not there.
PROVER = """
def answer(request):
    name, sample, round = request.task.id, request.sample, request.round
    if name == "mirror_leaf":
        return right(request)
    if name == "mirror_mirror":
        return right(request) if (sample, round) == (1, 1) else proof(":= by\\n  rfl")
    if name == "mirror_injective":
        return no_answer() if round else proof(":= by\\n  exact s")
    raise RuntimeError("the service is down")
"""

HOOKS = """
def pytest_vsb_attempt(config, attempt):
    note("hooks.txt", f"attempt {attempt.nodeid} {attempt.sample} {attempt.round} "
         f"{attempt.verdict.kind} worker={hasattr(config, 'workerinput')}")

def pytest_vsb_task_result(config, result):
    note("hooks.txt", f"result {result.task.nodeid} {result.status} {result.c}/{result.n} "
         f"worker={hasattr(config, 'workerinput')}")

def pytest_vsb_report(config, summary, results, directory):
    there = (directory / "results.json").is_file()
    note("hooks.txt", f"report {len(results)} {summary.total.solved} {there} "
         f"worker={hasattr(config, 'workerinput')}")
"""

NAMES = ("mirror_leaf", "mirror_mirror", "mirror_injective", "isLeaf_leaf", "lost")


@dataclass
class Runs:
    project: MiniProject
    alone: Ended
    workers: Ended

    def text(self, name: str) -> str:
        return (self.project.path / name).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def runs(share) -> Runs:  # type: ignore[no-untyped-def]
    """The same tasks in one process and over two workers, by the embedded Lean, whose texts are
    always the same."""
    available, reason = embedded.is_available()
    if not available:
        pytest.skip(reason)
    found: Runs = share("runs", make_runs)
    return found


def make_runs(project: MiniProject) -> Runs:
    lost = task_line("mirror_leaf", id="lost", number=9, path="Lost.lean")
    project.tasks(*NAMES[:4], lost)
    project.prover(PROVER, HOOKS)

    def go(run: str, workers: str) -> Ended:
        ended = project.run(
            *("--vsb-samples=2", "--vsb-repairs=1", f"--vsb-run={run}", "-n", workers, "-v"),
            *(f"--junitxml={run}.xml", "--vsb-lean=embedded", "--vsb-lean-jobs=2"),
        )
        (project.path / "hooks.txt").replace(project.path / f"{run}-hooks.txt")
        return ended

    return Runs(project, go("alone", "0"), go("workers", "2"))


@pytest.fixture(params=["alone", "workers"])
def run(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def test_outcomes(runs: Runs, run: str) -> None:
    ended: Ended = getattr(runs, run)
    assert ended.code == pytest.ExitCode.TESTS_FAILED
    assert ended.counts() == {"passed": 2, "failed": 1, "error": 2}
    assert "INTERNALERROR" not in ended.text + ended.errors
    assert "Traceback" not in ended.text + ended.errors


def test_result_lines(runs: Runs) -> None:
    for line in (
        "mini.vsb.jsonl::mirror_leaf SOLVED 2/2",
        "mini.vsb.jsonl::mirror_mirror SOLVED 1/2",
        "mini.vsb.jsonl::mirror_injective UNSOLVED 0/2",
        "mini.vsb.jsonl::isLeaf_leaf ERROR",
        "mini.vsb.jsonl::lost ERROR",
    ):
        assert any(found.startswith(line) for found in runs.alone.lines), line
    words = runs.workers.text
    assert "SOLVED 2/2 mini.vsb.jsonl::mirror_leaf" in words
    assert "UNSOLVED 0/2 mini.vsb.jsonl::mirror_injective" in words


def test_verdicts(runs: Runs, run: str) -> None:
    tasks = runs.project.by_task(run)
    assert {name: (t["status"], t["c"], t["n"], t["c_first"]) for name, t in tasks.items()} == {
        "mirror_leaf": ("done", 2, 2, 2),
        "mirror_mirror": ("done", 1, 2, 0),
        "mirror_injective": ("done", 0, 2, 0),
        "isLeaf_leaf": ("unavailable", 0, 0, 0),
        "lost": ("unavailable", 0, 0, 0),
    }
    assert tasks["mirror_mirror"]["verdicts"] == {"accepted": 1, "rejected": 3}
    assert tasks["mirror_injective"]["verdicts"] == {"rejected": 2, "malformed": 2}
    assert tasks["isLeaf_leaf"]["unavailable_samples"] == 2
    assert "the service is down" in tasks["isLeaf_leaf"]["reason"]
    assert "Lost.lean" in tasks["lost"]["reason"]


def test_what_cannot_be_judged_is_in_no_rate(runs: Runs, run: str) -> None:
    summary = runs.project.results(run)["summary"]
    assert summary["total"]["tasks"] == 5
    assert summary["total"]["judged"] == 3
    first = next(rate for rate in summary["total"]["pass_at"] if rate["k"] == 1)
    assert first["tasks"] == 3
    assert first["value"] == pytest.approx((1 + 1 / 2 + 0) / 3)


def test_the_same_results_over_workers(runs: Runs) -> None:
    def comparable(run: str) -> object:
        results = runs.project.results(run)
        results["run"].pop("created")
        return stable(results, runs.project.path)

    assert comparable("alone") == comparable("workers")


def test_the_same_table_over_workers(runs: Runs) -> None:
    def table(ended: Ended, run: str) -> str:
        text = without_times(ended.section("verification benchmark"), runs.project.path)
        return text.replace(f"<project>/{run}", "<project>/<run>")

    assert table(runs.alone, "alone") == table(runs.workers, "workers")


def test_hooks_are_called_once_in_the_main_process(runs: Runs, run: str) -> None:
    lines = runs.text(f"{run}-hooks.txt").splitlines()
    assert all(line.endswith("worker=False") for line in lines)
    calls = [line.removesuffix(" worker=False") for line in lines]
    node = "mini.vsb.jsonl::"
    assert sorted(calls) == sorted(
        [
            f"attempt {node}mirror_leaf 0 0 accepted",
            f"attempt {node}mirror_leaf 1 0 accepted",
            f"attempt {node}mirror_mirror 0 0 rejected",
            f"attempt {node}mirror_mirror 0 1 rejected",
            f"attempt {node}mirror_mirror 1 0 rejected",
            f"attempt {node}mirror_mirror 1 1 accepted",
            f"attempt {node}mirror_injective 0 0 rejected",
            f"attempt {node}mirror_injective 0 1 malformed",
            f"attempt {node}mirror_injective 1 0 rejected",
            f"attempt {node}mirror_injective 1 1 malformed",
            f"attempt {node}isLeaf_leaf 0 0 unavailable",
            f"attempt {node}isLeaf_leaf 1 0 unavailable",
            f"result {node}mirror_leaf done 2/2",
            f"result {node}mirror_mirror done 1/2",
            f"result {node}mirror_injective done 0/2",
            f"result {node}isLeaf_leaf unavailable 0/0",
            f"result {node}lost unavailable 0/0",
            "report 5 2 True",
        ]
    )
    assert calls[-1] == "report 5 2 True"
    for name in NAMES:
        own = [call for call in calls if f"{node}{name} " in call]
        assert own[-1].startswith("result"), "attempts come before their result"
        assert own[:-1] == sorted(own[:-1]), "attempts come in order"


def test_junit_properties(runs: Runs, run: str) -> None:
    suite = runs.project.junit(f"{run}.xml")
    cases = case_properties(suite)
    assert set(cases) == set(NAMES)
    solved = cases["mirror_mirror"]
    assert solved["vsb.solved"] == "true"
    assert solved["vsb.solved_without_repair"] == "false"
    assert (solved["vsb.n"], solved["vsb.c"], solved["vsb.pass@1"]) == ("2", "1", "0.5")
    assert (solved["vsb.verdict.accepted"], solved["vsb.verdict.rejected"]) == ("1", "3")
    assert float(solved["vsb.lean_seconds"]) > 0
    assert cases["lost"]["vsb.status"] == "unavailable"
    assert cases["isLeaf_leaf"]["vsb.pass@1"] == "n/a"
    total = suite_properties(suite)
    assert (total["vsb.tasks"], total["vsb.judged"], total["vsb.solved"]) == ("5", "3", "2")
    assert total["vsb.run.identity.model"] == "scripted"


def test_junit_tells_failures_from_errors(runs: Runs, run: str) -> None:
    suite = runs.project.junit(f"{run}.xml")
    kinds = {
        case.attrib["name"]: [child.tag for child in case if child.tag in ("failure", "error")]
        for case in suite.iter("testcase")
    }
    assert kinds == {
        "mirror_leaf": [],
        "mirror_mirror": [],
        "mirror_injective": ["failure"],
        "isLeaf_leaf": ["error"],
        "lost": ["error"],
    }
    assert (suite.attrib["tests"], suite.attrib["failures"], suite.attrib["errors"]) == (
        "5",
        "1",
        "2",
    )


def test_an_unsolved_item_explains_itself_in_ten_lines(runs: Runs, run: str) -> None:
    suite = runs.project.junit(f"{run}.xml")
    case = next(c for c in suite.iter("testcase") if c.attrib["name"] == "mirror_injective")
    failure = case.find("failure")
    assert failure is not None
    assert failure.text is not None
    assert len(failure.text.splitlines()) <= 10
    assert "type mismatch" in failure.text.lower()


def test_terminal(runs: Runs, snapshot: SnapshotAssertion) -> None:
    assert without_times(runs.alone.section("FAILURES"), runs.project.path) == snapshot
    assert without_times(runs.alone.section("ERRORS"), runs.project.path) == snapshot
    section = runs.alone.section("verification benchmark")
    assert without_times(section, runs.project.path) == snapshot


def test_results_file(runs: Runs, snapshot: SnapshotAssertion) -> None:
    assert stable(runs.project.results("alone"), runs.project.path) == snapshot


def test_junit_file(runs: Runs, snapshot: SnapshotAssertion) -> None:
    suite = runs.project.junit("alone.xml")
    for element in suite.iter():
        for name in ("time", "timestamp", "hostname"):
            if name in element.attrib:
                element.attrib[name] = "<volatile>"
        value = element.attrib.get("value")
        if value is not None and (
            "seconds" in element.attrib["name"] or element.attrib["name"] in VOLATILE_PROPERTIES
        ):
            element.attrib["value"] = "<volatile>"
    ET.indent(suite)
    text = ET.tostring(suite, encoding="unicode")
    assert without_times(text, runs.project.path) == snapshot


VOLATILE_PROPERTIES = tuple(
    f"vsb.run.{name}"
    for name in ("created", "plugin_version", "python", "platform", "pytest", "sandbox")
)


def test_the_header_names_prover_lean_and_run(runs: Runs) -> None:
    head = next(line for line in runs.alone.lines if line.startswith("vsb: "))
    assert "scripted, 2 samples, 1 repair, seed 0; Lean " in head
    assert f"vsb run: {runs.project.path / 'alone'}" in runs.alone.lines


def test_fail_on_never(near: MiniProject) -> None:
    near.tasks("mirror_leaf", "isLeaf_leaf")
    near.prover(
        """
        def answer(request):
            if request.task.id == "mirror_leaf":
                return no_answer()
            raise RuntimeError("the service is down")
        """
    )
    ended = near.bench("--vsb-fail-on=never", "-v", "--junitxml=junit.xml")
    assert "UNSOLVED 0/1" in ended.text
    assert ended.counts() == {"unsolved": 1, "error": 1}
    # A broken environment is still an error.
    assert ended.code == pytest.ExitCode.TESTS_FAILED
    assert near.junit().attrib["failures"] == "0"
    assert near.by_task()["mirror_leaf"]["solved"] is False


def test_fail_on_never_succeeds(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    near.prover("def answer(request): return no_answer()")
    assert near.bench("--vsb-fail-on=never").code == pytest.ExitCode.OK


def test_the_run_directory_has_a_place_of_its_own_by_default(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    near.prover("def answer(request): return no_answer()")
    for _ in range(2):
        near.run("--vsb-samples=1", "--vsb-repairs=0")
    found = sorted((near.path / "vsb-runs").iterdir())
    assert len(found) == 2
    assert all((run / "results.json").is_file() for run in found)


def test_nothing_is_written_into_the_repository(runs: Runs) -> None:
    python = {"__pycache__", ".pytest_cache"}
    names = {path.name for path in runs.project.path.iterdir()} - python
    written = {"alone", "workers", "alone.xml", "workers.xml", "calls.txt", "closed.txt"}
    written |= {"alone-hooks.txt", "workers-hooks.txt"}
    own = {"Mini.lean", "lakefile.toml", "pytest.ini", "mini.vsb.jsonl", "conftest.py"}
    assert names == written | own
