"""What provers over the wire need of a run: samples at once, a budget, memory, exclusion."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable

import pytest
from mini_project import MiniProject, case_properties

AT_ONCE = """
    import threading

    Scripted.concurrency = 4
    together = threading.Barrier(4)

    def answer(request):
        # No sample is answered before all four have been asked.
        together.wait(timeout=60)
        return right(request) if request.sample != 2 else no_answer()
"""


@pytest.mark.lean
@pytest.mark.parametrize("workers", ["0", pytest.param("2", marks=pytest.mark.slow)])
def test_samples_are_in_flight_at_once(near: MiniProject, workers: str) -> None:
    near.tasks("mirror_leaf")
    near.prover(AT_ONCE)
    near.run("--vsb-run=run", "--vsb-samples=4", "--vsb-repairs=0", "-n", workers)
    task = near.by_task()["mirror_leaf"]
    assert (task["status"], task["n"], task["c"]) == ("done", 4, 3)
    places = [
        (event["attempt"]["sample"], event["attempt"]["round"])
        for event in near.events()
        if event["event"] == "judged"
    ]
    assert sorted(places) == [(0, 0), (1, 0), (2, 0), (3, 0)]


@pytest.mark.lean
def test_repairs_of_one_sample_do_not_wait_for_another(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    near.prover(
        """
        import threading

        Scripted.concurrency = 2
        repaired = threading.Event()

        def answer(request):
            if request.sample == 0:
                assert repaired.wait(timeout=60)
                return right(request)
            if request.round == 1:
                repaired.set()
                return right(request)
            return no_answer()
        """
    )
    near.run("--vsb-run=run", "--vsb-samples=2", "--vsb-repairs=1")
    task = near.by_task()["mirror_leaf"]
    assert (task["n"], task["c"], task["c_first"], task["attempts"]) == (2, 2, 1, 3)


@pytest.mark.lean
def test_one_sample_s_fault_leaves_the_others(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    near.prover(
        """
        Scripted.concurrency = 3

        def answer(request):
            if request.sample == 1:
                raise RuntimeError("a fault")
            return right(request)
        """
    )
    ended = near.run("--vsb-run=run", "--vsb-samples=3", "--vsb-repairs=0")
    assert ended.code == 0
    task = near.by_task()["mirror_leaf"]
    assert (task["n"], task["c"], task["unavailable_samples"]) == (2, 2, 1)


@pytest.mark.lean
@pytest.mark.slow
def test_a_time_limit_ends_samples_in_flight(
    mini: MiniProject, nothing_left: Callable[[], list[str]]
) -> None:
    mini.tasks("mirror_leaf", "isLeaf_leaf")
    mini.prover(
        """
        Scripted.concurrency = 3

        def answer(request):
            if request.task.id == "mirror_leaf" and request.sample > 0:
                time.sleep(600)
            return right(request)
        """
    )
    ended = mini.run("--vsb-run=run", "--vsb-samples=3", "--vsb-repairs=0", "--timeout=20")
    assert "INTERNALERROR" not in ended.text
    tasks = mini.by_task()
    cut = tasks["mirror_leaf"]
    assert (cut["status"], cut["n"], cut["c"]) == ("cut_off", 3, 1)
    assert cut["verdicts"] == {"accepted": 1, "timeout": 2}
    assert tasks["isLeaf_leaf"]["c"] == 3
    assert nothing_left() == []


SPENDER = """
    from pytest_vsb.provers.base import Usage

    def answer(request):
        usage = Usage(input_tokens=60, output_tokens=40{cost})
        return Answer(None, malformed="no proof in it", usage=usage)
"""


@pytest.mark.lean
@pytest.mark.parametrize("workers", ["2", pytest.param("0", marks=pytest.mark.slow)])
def test_a_budget_of_tokens(near: MiniProject, workers: str) -> None:
    near.tasks("mirror_leaf", "mirror_injective", "isLeaf_leaf", "mirror_mirror")
    near.prover(SPENDER.format(cost=""))
    ended = near.run(
        "--vsb-run=run",
        "--vsb-samples=2",
        "--vsb-repairs=0",
        "--vsb-fail-on=never",
        "--vsb-max-tokens=500",
        "--junitxml=junit.xml",
        "-rs",
        "-n",
        workers,
    )
    assert "500 tokens spent of --vsb-max-tokens=500" in ended.text or workers == "2"
    results = near.by_task()
    spent = sum(
        task["usage"]["input_tokens"] + task["usage"]["output_tokens"] for task in results.values()
    )
    # Each worker may have one answer under way when the limit is reached.
    assert 500 <= spent <= 500 + 100 * int(workers)
    statuses = [task["status"] for task in results.values()]
    assert "budget" in statuses
    assert set(statuses) <= {"done", "budget"}
    # What was left is skipped, never failed.
    assert ended.code == 0
    assert ended.counts()["skipped"] == statuses.count("budget")
    properties = case_properties(near.junit())
    assert sum(case["vsb.status"] == "budget" for case in properties.values()) == statuses.count(
        "budget"
    )
    # With more to spend, the run goes on and pays for nothing twice.
    before = near.asked()
    again = near.run(
        *("--vsb-run=run", "--vsb-resume", "--vsb-samples=2", "--vsb-repairs=0"),
        *("--vsb-fail-on=never", "-n", workers),
    )
    assert again.code == 0
    assert [task["status"] for task in near.by_task().values()] == ["done"] * 4
    assert len(near.asked()) == len(set(near.asked())) == 8
    assert set(before) < set(near.asked())


@pytest.mark.lean
def test_a_budget_of_money(near: MiniProject) -> None:
    near.tasks("mirror_leaf", "isLeaf_leaf")
    near.prover(SPENDER.format(cost=", cost_usd=0.4"))
    ended = near.bench("--vsb-max-cost=0.3", "-rs")
    assert "$0.40 spent of --vsb-max-cost=0.3" in ended.text
    assert [task["status"] for task in near.by_task().values()] == ["budget", "done"]


@pytest.mark.lean
def test_a_budget_of_money_without_a_price(near: MiniProject) -> None:
    near.tasks("mirror_leaf", "isLeaf_leaf")
    near.prover(SPENDER.format(cost=""))
    ended = near.bench("--vsb-max-cost=5", "-rs")
    assert "the price of the model is not known" in " ".join(ended.text.split())
    assert len(near.asked()) == 1


@pytest.mark.lean
def test_a_remembered_job_is_taken_up_again(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    near.prover(
        """
        def answer(request):
            assert (request.root / "Mini.lean").is_file()
            if "job" not in request.remembered:
                request.remember("job", "first")
                request.remember("job", f"job-{request.sample}")
                note("submitted.txt", f"job-{request.sample}")
                time.sleep(600)
            note("resumed.txt", request.remembered["job"])
            return right(request)
        """
    )
    process = near.start("--vsb-run=run", "--vsb-samples=1", "--vsb-repairs=0")
    deadline = time.monotonic() + 120
    while not (near.path / "submitted.txt").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    near.wait(process)
    ended = near.bench("--vsb-resume")
    assert ended.code == 0
    assert (near.path / "submitted.txt").read_text("utf-8").split() == ["job-0"]
    assert (near.path / "resumed.txt").read_text("utf-8").split() == ["job-0"]


@pytest.mark.lean
def test_an_excluded_task(near: MiniProject) -> None:
    near.tasks("mirror_leaf", "isLeaf_leaf")
    near.prover(
        """
        from pytest_vsb.provers.base import Excluded

        def answer(request):
            if request.task.id == "mirror_leaf":
                raise Excluded("longer than the context window")
            return right(request)
        """
    )
    ended = near.bench("-rs")
    assert ended.code == 0
    assert "longer than the context window" in ended.text
    tasks = near.by_task()
    assert (tasks["mirror_leaf"]["status"], tasks["mirror_leaf"]["n"]) == ("excluded", 0)
    assert tasks["isLeaf_leaf"]["solved"]
    assert near.results()["summary"]["total"]["judged"] == 1


@pytest.mark.lean
def test_a_changed_lean_file_is_attempted_anew(near: MiniProject) -> None:
    near.tasks("mirror_injective")
    near.prover("def answer(request): return right(request)")
    assert near.bench().code == 0
    text = (near.path / "Mini.lean").read_text("utf-8")
    near.write("Mini.lean", text.replace("| .leaf => .leaf", "| .leaf => .node .leaf .leaf"))
    ended = near.bench("--vsb-resume")
    # The lemma it used is no longer true, so the file itself does not compile any more.
    assert near.by_task()["mirror_injective"]["status"] == "unavailable"
    assert ended.code == 1


@pytest.mark.lean
def test_a_changed_import_is_judged_anew(near: MiniProject) -> None:
    near.write("Base.lean", "def base : Nat := 4\n")
    near.write("Top.lean", "import Base\n\ntheorem top : 2 + 2 = base := by decide\n")
    record = {
        "id": "top",
        "root": ".",
        "module": "Top",
        "path": "Top.lean",
        "name": "top",
        "statement": "theorem top : 2 + 2 = base",
        "reference_proof": ":= by decide",
    }
    near.tasks(record)
    assert near.bench(model="reference").code == 0
    near.write("Base.lean", "def base : Nat := 5\n")
    ended = near.bench("--vsb-resume", model="reference")
    assert ended.code == 1
    assert near.by_task()["top"]["verdicts"] == {"rejected": 1}


@pytest.mark.lean
def test_one_session_at_a_time(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    near.prover(
        """
        def answer(request):
            note("begun.txt", "x")
            time.sleep(600)
        """
    )
    first = near.start("--vsb-run=run", "--vsb-samples=1", "--vsb-repairs=0")
    deadline = time.monotonic() + 120
    while not (near.path / "begun.txt").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    second = near.bench("--vsb-resume")
    first.send_signal(signal.SIGKILL)
    near.wait(first)
    assert second.code == pytest.ExitCode.USAGE_ERROR
    assert "another session is at work on this run" in second.errors
    assert (near.path / "begun.txt").read_text("utf-8").split() == ["x"]


@pytest.mark.slow
def test_resuming_from_another_root_directory(mini: MiniProject) -> None:
    mini.tasks("mirror_leaf")
    mini.prover("def answer(request): return right(request)")
    assert mini.bench().code == 0
    (mini.path / "pytest.ini").unlink()
    ended = mini.bench("--vsb-resume", f"--rootdir={mini.path.parent}")
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "rootdir" in ended.errors


@pytest.mark.slow
def test_a_directory_with_other_files_is_no_place_for_a_run(quick: MiniProject) -> None:
    quick.tasks("mirror_leaf")
    ended = quick.bench(model="reference", run=".")
    assert ended.code == pytest.ExitCode.USAGE_ERROR
    assert "files in it that are no run" in ended.errors


def test_tasks_without_a_prover_say_so(quick: MiniProject) -> None:
    quick.tasks("mirror_leaf")
    ended = quick.run(model=None)
    assert "no prover is chosen" in ended.text
