"""Workers that die, runs that are killed or interrupted, items over their time, provers and texts
that misbehave: nothing finished is lost and nothing is left behind."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from mini_project import PROOFS, MiniProject, case_properties, stable, task_line

from pytest_vsb.cli import main

pytestmark = [pytest.mark.lean]

NODE = "mini.vsb.jsonl::"
LeftBehind = Callable[[], list[str]]


@pytest.fixture(params=["0", "2"], ids=["alone", "workers"])
def workers(request: pytest.FixtureRequest) -> str:
    number: str = request.param
    return number


def reached(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait until a condition holds in a run that has not ended."""
    end = time.monotonic() + 120
    while not condition():
        if process.poll() is not None or time.monotonic() > end:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            raise AssertionError(f"the run did not come to that point:\n{out}\n{err}")
        time.sleep(0.05)


def comparable(mini: MiniProject, run: str = "run") -> dict[str, Any]:
    """The results of a run without what differs between two runs of the same."""
    results = mini.results(run)
    found = stable({"summary": results["summary"], "tasks": results["tasks"]}, mini.path)
    assert isinstance(found, dict)
    return found


# Workers that die


def test_killed_worker_loses_its_item_only(mini: MiniProject, nothing_left: LeftBehind) -> None:
    mini.tasks(*PROOFS)
    mini.prover(
        """
        def answer(request):
            if request.task.id == "mirror_mirror" and request.sample == 1:
                os.kill(os.getpid(), signal.SIGKILL)
            return right(request) if request.task.id == "isLeaf_leaf" else no_answer()
        """,
        """
        def pytest_vsb_attempt(config, attempt):
            note("hooks.txt", f"{attempt.nodeid} {attempt.sample} {attempt.verdict.kind}")

        def pytest_vsb_task_result(config, result):
            note("hooks.txt", f"{result.task.nodeid} {result.status}")
        """,
    )
    ended = mini.run(
        *("-n", "2", "--vsb-run=run", "--vsb-samples=2", "--vsb-repairs=0"),
        "--junitxml=junit.xml",
    )
    assert ended.code == pytest.ExitCode.TESTS_FAILED
    assert "INTERNALERROR" not in ended.text + ended.errors
    tasks = mini.by_task()
    assert {name: (t["status"], t["n"], t["c"]) for name, t in tasks.items()} == {
        "mirror_leaf": ("done", 2, 0),
        "mirror_mirror": ("crashed", 2, 0),
        "mirror_injective": ("done", 2, 0),
        "isLeaf_leaf": ("done", 2, 2),
    }
    assert tasks["mirror_mirror"]["verdicts"] == {"malformed": 1, "crashed": 1}
    total = mini.results()["summary"]["total"]
    assert (total["tasks"], total["judged"]) == (4, 4)
    cases = case_properties(mini.junit())
    assert {name: properties["vsb.status"] for name, properties in cases.items() if properties} == {
        name: task["status"] for name, task in tasks.items()
    }
    hooks = Counter((mini.path / "hooks.txt").read_text(encoding="utf-8").splitlines())
    assert hooks[f"{NODE}mirror_mirror crashed"] == 1
    assert hooks[f"{NODE}mirror_mirror 0 malformed"] == 1
    assert hooks[f"{NODE}mirror_mirror 1 crashed"] == 1
    assert max(hooks.values()) == 1
    assert nothing_left() == []


@pytest.mark.slow
def test_every_worker_dies(mini: MiniProject) -> None:
    mini.tasks(*PROOFS)
    mini.prover("def answer(request): os._exit(0)")
    ended = mini.bench("-n", "2", "--junitxml=junit.xml")
    assert ended.code == pytest.ExitCode.TESTS_FAILED
    assert "INTERNALERROR" not in ended.text + ended.errors
    assert {task["status"] for task in mini.by_task().values()} == {"crashed"}
    assert set(case_properties(mini.junit())) >= set(PROOFS)


@pytest.mark.slow
def test_crashed_item_is_tried_again_on_resuming(mini: MiniProject) -> None:
    mini.tasks("mirror_leaf", "isLeaf_leaf")
    mini.prover(
        """
        def answer(request):
            if request.task.id == "mirror_leaf" and not (HERE / "mended").exists():
                os.kill(os.getpid(), signal.SIGKILL)
            return no_answer() if request.task.id == "isLeaf_leaf" else proof(":= rfl")
        """
    )
    mini.bench("-n", "2")
    assert mini.by_task()["mirror_leaf"]["status"] == "crashed"
    mini.write("mended", "")
    mini.bench("-n", "2", "--vsb-resume")
    task = mini.by_task()["mirror_leaf"]
    assert (task["status"], task["n"], task["c"]) == ("done", 1, 1)
    assert mini.asked().count("isLeaf_leaf 0 0") == 1


# Runs that are killed or interrupted

WAITS = """
def answer(request):
    if request.task.id == "mirror_injective" and not (HERE / "go").exists():
        note("waiting", "")
        time.sleep(300)
    if request.round == 0:
        return proof(":= by\\n  rfl" if request.task.id != "isLeaf_leaf" else ":= rfl")
    return no_answer()
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["kill", "interrupt"])
def test_run_that_ends_midway(
    mini: MiniProject, workers: str, how: str, nothing_left: LeftBehind
) -> None:
    names = ("mirror_leaf", "mirror_injective", "isLeaf_leaf")
    mini.tasks(*names)
    mini.prover(WAITS)
    options = ("-n", workers, "--vsb-samples=1", "--vsb-repairs=1")
    process = mini.start("--vsb-run=run", *options)
    reached((mini.path / "waiting").exists, process)
    # With two workers the other one goes on meanwhile.
    reached(lambda: any(e["event"] == "ended" for e in mini.events()), process)
    os.killpg(process.pid, signal.SIGKILL if how == "kill" else signal.SIGINT)
    ended = mini.wait(process)
    assert nothing_left() == []
    finished = [(e["attempt"]["nodeid"], e["attempt"]["round"]) for e in judged(mini)]
    if how == "interrupt":
        assert ended.code == pytest.ExitCode.INTERRUPTED
        assert "INTERNALERROR" not in ended.text + ended.errors
        assert f"to continue: pytest --vsb-model=scripted -n {workers} " in ended.text
        tasks = mini.by_task()
        assert tasks["mirror_leaf"]["status"] == "done"
        assert tasks["mirror_injective"]["status"] in ("unfinished", "not_run")
        assert sum(task["attempts"] for task in tasks.values()) == len(finished)
    else:
        assert process.returncode == -signal.SIGKILL
    before = mini.asked()

    mini.write("go", "")
    resumed = mini.run("--vsb-run=run", "--vsb-resume", *options)
    assert resumed.code == pytest.ExitCode.TESTS_FAILED
    asked = Counter(mini.asked())
    in_flight = "mirror_injective 0 0"
    assert asked.pop(in_flight) == before.count(in_flight) + 1
    assert set(asked.values()) == {1}, "the prover was asked twice"

    mini.run("--vsb-run=whole", *options)
    assert comparable(mini, "run") == comparable(mini, "whole")
    assert len(judged(mini)) == len(judged(mini, "whole")), "an attempt was made again"


def judged(mini: MiniProject, run: str = "run") -> list[dict[str, Any]]:
    return [event for event in mini.events(run) if event["event"] == "judged"]


def test_answer_that_was_not_judged_is_judged_on_resuming(
    mini: MiniProject, nothing_left: LeftBehind
) -> None:
    mini.tasks("mirror_leaf")
    # The prover takes the only place for a Lean process and keeps it: its answer waits.
    mini.prover(
        """
        HELD = []

        def answer(request):
            from pytest_vsb.lean.slots import LeanSlots

            place = LeanSlots(HERE / "run" / "slots", 1).acquire()
            place.__enter__()
            HELD.append(place)
            return right(request)
        """
    )
    options = ("--vsb-samples=1", "--vsb-repairs=0", "--vsb-lean-jobs=1")
    process = mini.start("--vsb-run=run", "-n", "2", *options)
    reached(lambda: any(e["event"] == "answered" for e in mini.events()), process)
    os.killpg(process.pid, signal.SIGKILL)
    mini.wait(process)
    assert judged(mini) == []
    assert nothing_left() == []

    # A worker's journal is read wherever the run goes on.
    resumed = mini.run("--vsb-run=run", "--vsb-resume", *options)
    assert resumed.code == pytest.ExitCode.OK, resumed.text
    assert mini.asked() == ["mirror_leaf 0 0"]
    assert mini.by_task()["mirror_leaf"]["solved"] is True


@pytest.mark.slow
def test_torn_journal(mini: MiniProject) -> None:
    mini.tasks("mirror_leaf", "isLeaf_leaf")
    mini.prover("def answer(request): return right(request)")
    mini.bench()
    whole = comparable(mini)
    journal = mini.path / "run" / "journal" / "main.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    last = max(i for i, line in enumerate(lines) if b'"judged"' in line)
    journal.write_bytes(b"".join(lines[:last]) + lines[last][: len(lines[last]) // 2])

    assert mini.bench("--vsb-resume").code == pytest.ExitCode.OK
    assert comparable(mini) == whole
    assert mini.asked() == ["isLeaf_leaf 0 0", "mirror_leaf 0 0"]
    assert len(judged(mini)) == 2


@pytest.mark.slow
def test_a_damaged_line_is_told_and_made_again(
    mini: MiniProject, capsys: pytest.CaptureFixture[str]
) -> None:
    mini.tasks("mirror_leaf")
    mini.prover("def answer(request): return no_answer()")
    mini.bench("--vsb-samples=2")
    whole = comparable(mini)
    journal = mini.path / "run" / "journal" / "main.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    last = max(i for i, line in enumerate(lines) if b'"judged"' in line)
    journal.write_bytes(b"".join([*lines[:last], lines[last][5:], *lines[last + 1 :]]))

    assert main(["report", str(mini.path / "run")]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"1 line cannot be read (journal/main.jsonl:{last + 1})" in told
    assert mini.by_task()["mirror_leaf"]["status"] == "unfinished"
    ended = mini.bench("--vsb-samples=2", "--vsb-resume")
    assert "cannot be read" not in ended.text
    assert comparable(mini) == whole


def test_finished_run_can_be_resumed_with_more_samples(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    near.prover("def answer(request): return no_answer()")
    near.bench()
    near.bench("--vsb-resume")
    near.run("--vsb-run=run", "--vsb-resume", "--vsb-samples=3", "--vsb-repairs=0")
    assert near.asked() == [f"mirror_leaf {sample} 0" for sample in range(3)]
    task = near.by_task()["mirror_leaf"]
    assert (task["n"], task["attempts"]) == (3, 3)
    assert task["pass_at"]["3"] == 0
    before = near.results()
    fewer = near.run("--vsb-run=run", "--vsb-resume", "--vsb-samples=2", "--vsb-repairs=0")
    assert fewer.code == pytest.ExitCode.USAGE_ERROR
    assert "--vsb-samples=2: this run has 3 samples a task" in fewer.errors
    assert near.results() == before


@pytest.mark.slow
def test_environments_that_have_become_bad_since(mini: MiniProject) -> None:
    roots = ("moved", "pinned", "importing", "sound")
    tasks = []
    for root in roots:
        mini.write(f"{root}/lakefile.toml", f'name = "{root}"\n')
        mini.write(f"{root}/Base.lean", "def base : Nat := 4\n")
        mini.write(f"{root}/Top.lean", "import Base\n\ntheorem top : 2 + 2 = base := by decide\n")
        tasks.append(
            {
                "id": root,
                "root": root,
                "module": "Top",
                "path": "Top.lean",
                "name": "top",
                "statement": "theorem top : 2 + 2 = base",
                "reference_proof": ":= by decide",
            }
        )
    mini.tasks(*tasks)
    mini.prover("def answer(request): return proof(':= by decide')")
    assert mini.bench().code == pytest.ExitCode.OK
    asked = mini.asked()

    (mini.path / "moved").rename(mini.path / "elsewhere")
    pin = mini.write("pinned/lean-toolchain", "leanprover/lean4:v4.0.0\n")
    base = mini.write("importing/Base.lean", "def base : Nat :=\n")
    for workers in ("0", "2"):
        ended = mini.bench("--vsb-resume", "-n", workers, "--junitxml=junit.xml")
        assert "INTERNALERROR" not in ended.text + ended.errors
        assert "Traceback" not in ended.text + ended.errors
        assert ended.counts() == {"passed": 1, "error": 3}
        assert ended.code == pytest.ExitCode.TESTS_FAILED
        assert {name: task["status"] for name, task in mini.by_task().items()} == {
            **dict.fromkeys(roots, "unavailable"),
            "sound": "done",
        }
        # The attempts of then stand, in the items as in the table.
        suite = mini.junit()
        cases = case_properties(suite)
        assert {task["c"] for task in mini.by_task().values()} == {1}
        assert {properties["vsb.c"] for properties in cases.values()} == {"1"}

    (mini.path / "elsewhere").rename(mini.path / "moved")
    pin.unlink()
    base.write_text("def base : Nat := 4\n", encoding="utf-8")
    ended = mini.bench("--vsb-resume")
    assert ended.counts() == {"passed": 4}
    assert "changed since" not in ended.text
    assert mini.asked() == asked


def test_proof_of_a_task_that_changed_does_not_count(near: MiniProject) -> None:
    near.tasks("mirror_leaf", "isLeaf_leaf")
    near.prover("def answer(request): return proof(':= rfl')")
    assert near.bench().code == pytest.ExitCode.OK
    # The theorem is another one now, in the repository and in the task file.
    hard = task_line("mirror_mirror", id="mirror_leaf", number=1)
    near.tasks(hard, "isLeaf_leaf")
    ended = near.bench("--vsb-resume")
    assert ended.counts() == {"failed": 1, "passed": 1}
    task = near.by_task()["mirror_leaf"]
    assert (task["n"], task["c"], task["verdicts"]) == (1, 0, {"rejected": 1})
    (note,) = [line for line in ended.lines if "changed since" in line]
    assert note.startswith(
        "note: 1 task has changed since the earlier session and was attempted anew: "
        "its line in the task file"
    )
    assert near.asked().count("isLeaf_leaf 0 0") == 1


@pytest.mark.slow
def test_stop_at_the_first_failure(mini: MiniProject) -> None:
    mini.tasks(*PROOFS)
    mini.prover("def answer(request): return no_answer()")
    ended = mini.bench("-x", "--vsb-limit=3")
    assert ended.counts() == {"failed": 1, "deselected": 1}
    found = {name: task["status"] for name, task in mini.by_task().items()}
    assert found == {
        "mirror_leaf": "done",
        "mirror_mirror": "not_run",
        "mirror_injective": "not_run",
    }
    line = next(line for line in ended.lines if line.startswith("to continue: pytest "))
    command = shlex.split(line.removeprefix("to continue: pytest "))
    assert "--vsb-limit=3" in command
    command.remove("-x")
    again = mini.run(*command, model=None)
    assert {task["status"] for task in mini.by_task().values()} == {"done"}
    assert "to continue" not in again.text
    assert "changed since" not in again.text


def test_without_the_other_plugins(mini: MiniProject) -> None:
    mini.tasks("mirror_leaf", "isLeaf_leaf")
    mini.prover("def answer(request): return no_answer()")
    names = ("terminal", "xdist", "timeout", "junitxml", "cacheprovider", "faulthandler")
    ended = mini.bench(*(f"-pno:{name}" for name in names))
    assert ended.code == pytest.ExitCode.TESTS_FAILED, ended.errors
    assert {task["status"] for task in mini.by_task().values()} == {"done"}


@pytest.mark.slow
def test_progress_lines(mini: MiniProject, workers: str) -> None:
    mini.tasks("isLeaf_leaf", "mirror_leaf", "mirror_mirror", "mirror_injective")
    mini.prover(
        """
        def answer(request):
            print("said by the prover")
            time.sleep(1 + 2 * request.task.id.startswith("mirror_"))
            return no_answer()
        """
    )
    ended = mini.bench("--vsb-progress=0.5", "-n", workers)
    lines = [line for line in ended.lines if "vsb: " in line and " running, " in line]
    start = r"vsb: \d tasks? done, 0 solved, [12] running, the longest for \d+ s: mini.vsb.jsonl::"
    assert len(lines) > 3
    assert all(re.match(start, line) for line in lines), ended.text
    assert any(line.startswith("vsb: 1 task done") for line in lines)
    # They go past what pytest captures of an item, and leave no gaps.
    first = next(i for i, line in enumerate(ended.lines) if re.match("=+ FAILURES =+", line))
    assert "said by the prover" in ended.text
    assert not any(line in ended.lines[first:] for line in lines)
    places = [i for i, line in enumerate(ended.lines[:first]) if line in lines]
    assert "" not in ended.lines[places[0] : places[-1]]
    # Without a verdict of Lean there is no Lean to name.
    assert "Lean:" not in ended.section("verification benchmark")


def test_progress_lines_can_be_turned_off(near: MiniProject) -> None:
    near.tasks("mirror_leaf")
    near.prover("def answer(request): time.sleep(1); return no_answer()")
    assert "vsb: 0 tasks done" not in near.bench("--vsb-progress=0").text


# Items over their time

SLOW_PROOF = ":= by\\n  iterate 50 (iterate 50 (iterate 50 (iterate 50 (iterate 50 skip))))\\n  rfl"


@pytest.mark.parametrize("method", ["signal", "thread"])
@pytest.mark.slow
def test_item_over_the_users_time_limit(
    mini: MiniProject, workers: str, method: str, nothing_left: LeftBehind
) -> None:
    mini.tasks("mirror_leaf", "isLeaf_leaf")
    # Lean is at work on it when the time is up.
    mini.prover(
        f"""
        def answer(request):
            if request.task.id == "isLeaf_leaf":
                return right(request)
            if request.sample == 0:
                return no_answer("the first sample")
            return proof("{SLOW_PROOF}", "set_option maxHeartbeats 0")
        """
    )
    ended = mini.run(
        *("-n", workers, "--timeout=12", f"--timeout-method={method}", "--junitxml=junit.xml"),
        *("--vsb-run=run", "--vsb-samples=2", "--vsb-repairs=0"),
    )
    assert nothing_left() == []
    assert ended.code == pytest.ExitCode.TESTS_FAILED
    assert "INTERNALERROR" not in ended.text + ended.errors
    kinds = [event["attempt"]["verdict"]["kind"] for event in judged(mini)]
    assert "malformed" in kinds
    if (method, workers) == ("thread", "0"):
        return  # pytest-timeout ends the process there; see the next test
    tasks = mini.by_task()
    status, kind = ("cut_off", "timeout") if method == "signal" else ("crashed", "crashed")
    assert (tasks["mirror_leaf"]["status"], tasks["mirror_leaf"]["n"]) == (status, 2)
    assert tasks["mirror_leaf"]["verdicts"] == {"malformed": 1, kind: 1}
    assert tasks["isLeaf_leaf"]["solved"] is True, "the next item runs"
    assert case_properties(mini.junit())["mirror_leaf"]["vsb.status"] == status


@pytest.mark.slow
def test_run_that_pytest_timeout_ended_can_be_resumed(mini: MiniProject) -> None:
    mini.tasks("mirror_leaf", "isLeaf_leaf")
    mini.prover(
        """
        def answer(request):
            if request.task.id == "mirror_leaf" and not (HERE / "go").exists():
                time.sleep(300)
            return no_answer()
        """
    )
    mini.bench("--timeout=6", "--timeout-method=thread")
    assert not (mini.path / "run" / "results.json").exists()
    mini.write("go", "")
    mini.bench("--vsb-resume", "--timeout=60")
    assert {task["status"] for task in mini.by_task().values()} == {"done"}


@pytest.mark.parametrize(
    ("arguments", "ini", "expected"),
    [
        ([], "", "(6000.0,)"),
        (["--timeout=77"], "", "none"),
        ([], "timeout = 88\n", "none"),
    ],
)
def test_time_limit_of_items(
    near: MiniProject, arguments: list[str], ini: str, expected: str
) -> None:
    near.tasks("mirror_leaf")
    near.write("pytest.ini", f"[pytest]\n{ini}")
    near.prover(
        "def answer(request): return no_answer()",
        """
        def pytest_runtest_call(item):
            marker = item.get_closest_marker("timeout")
            note("limit.txt", str(marker.args) if marker else "none")
        """,
    )
    # 600 s of setup and two Lean processes for the baseline, then for each of 2 samples and
    # 1 + 1 rounds 600 s of prover and two Lean processes: 600 + 200 + 4 * 800 and so on.
    near.run(
        *("--vsb-run=run", "--vsb-samples=2", "--vsb-repairs=2", "--vsb-check-timeout=100"),
        *arguments,
    )
    limit = (near.path / "limit.txt").read_text(encoding="utf-8").strip()
    assert limit == ("(5600.0,)" if expected.startswith("(") else expected)


# Provers that misbehave


def test_provers_that_raise_or_return_garbage(near: MiniProject, workers: str) -> None:
    near.tasks(*PROOFS, task_line("mirror_leaf", id="extra", number=9))
    near.prover(
        """
        def answer(request):
            if request.task.id == "mirror_leaf":
                raise ZeroDivisionError("by zero")
            if request.task.id == "mirror_mirror":
                return "exact rfl"
            if request.task.id == "extra":
                sys.exit("no key")
            if request.task.id == "mirror_injective":
                return Answer(Candidate(proof=None))
            return right(request)
        """
    )
    ended = near.bench("-n", workers)
    assert ended.counts() == {"passed": 1, "error": 4}
    assert "INTERNALERROR" not in ended.text + ended.errors
    tasks = near.by_task()
    assert "SystemExit: no key" in tasks["extra"]["reason"]
    assert "ZeroDivisionError: by zero" in tasks["mirror_leaf"]["reason"]
    assert "returned str, not Answer" in tasks["mirror_mirror"]["reason"]
    assert tasks["mirror_injective"]["status"] == "unavailable"
    assert tasks["isLeaf_leaf"]["solved"] is True
    for word in ("ZeroDivisionError: by zero", "returned str, not Answer"):
        assert word in ended.text


def test_prover_whose_close_raises(mini: MiniProject) -> None:
    mini.tasks("mirror_leaf")
    mini.prover(
        """
        def answer(request): return right(request)

        def close(self): raise RuntimeError("cannot close")

        Scripted.close = close
        """
    )
    ended = mini.bench()
    assert mini.by_task()["mirror_leaf"]["solved"] is True
    assert "INTERNALERROR" not in ended.text + ended.errors
    assert ended.code == pytest.ExitCode.OK
    assert "cannot close" in ended.text + ended.errors


HOSTILE = {
    "escape": "\\x1b[31mred\\x1b]0;title\\x07",
    "nul": "a\\x00b",
    "surrogate": "\\ud800 lone",
    "cdata": "]]>&<tag>",
    "unicode": "ℝ → ∀ 𝔸",
    "newlines": "a\\r\\nb\\x85c\\u2028d",
}


@pytest.mark.parametrize(
    "kind",
    [
        "proof",
        *(pytest.param(k, marks=pytest.mark.slow) for k in ("malformed", "raised", "auxiliary")),
    ],
)
def test_hostile_texts(near: MiniProject, kind: str) -> None:
    near.tasks("mirror_leaf", "isLeaf_leaf")
    text = " ".join(HOSTILE.values())
    near.prover(
        f"""
        TEXT = "{text}"

        def answer(request):
            if request.task.id == "isLeaf_leaf":
                return right(request)
            if {kind!r} == "malformed":
                return no_answer(TEXT)
            if {kind!r} == "raised":
                raise RuntimeError(TEXT)
            if {kind!r} == "proof":
                return proof(':= by exact "' + TEXT + '"')
            return proof(":= rfl", "-- " + TEXT + "\\n" + TEXT)
        """
    )
    ended = near.bench(
        *("-n", "2", "--junitxml=junit.xml", "-rA", "--vsb-record=recording.jsonl"),
    )
    assert "INTERNALERROR" not in ended.text + ended.errors, ended.text
    assert ended.code == pytest.ExitCode.TESTS_FAILED
    for character in "\x1b\x00\x07":
        assert character not in ended.text
    tasks = near.by_task()
    assert tasks["isLeaf_leaf"]["solved"] is True
    assert tasks["mirror_leaf"]["solved"] is False
    cases = case_properties(near.junit())  # the file parses
    if kind in ("malformed", "raised"):
        assert "ℝ → ∀ 𝔸" in cases["mirror_leaf"]["vsb.first_error"]
        assert "ℝ → ∀ 𝔸" in ended.text
    assert near.bench("--vsb-resume").code == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize("kind", ["malformed", "proof"])
@pytest.mark.slow
def test_megabytes_of_text(mini: MiniProject, kind: str) -> None:
    mini.tasks("mirror_leaf")
    mini.prover(
        f"""
        def answer(request):
            if {kind!r} == "malformed":
                return no_answer("ℝ" * 5_000_000)
            return proof(":= by exact " + '"' + "ℝ" * 5_000_000 + '"')
        """
    )
    ended = mini.bench("-n", "2", "--junitxml=junit.xml", "-rA")
    assert "INTERNALERROR" not in ended.text + ended.errors
    assert ended.code == pytest.ExitCode.TESTS_FAILED
    assert len(ended.text) < 20_000
    assert (mini.path / "junit.xml").stat().st_size < 100_000
    assert (mini.path / "run" / "results.json").stat().st_size < 100_000
    assert mini.by_task()["mirror_leaf"]["n"] == 1


# Places


@pytest.mark.parametrize(("home", "workers"), [(None, "0"), ("", "2")])
@pytest.mark.slow
def test_paths_with_spaces_and_no_home(
    mini: MiniProject, core_cache: object, home: str | None, workers: str
) -> None:
    from pathlib import Path

    assert isinstance(core_cache, Path)
    odd = MiniProject(mini.path / "a b 'c' ℝ", core_cache)
    odd.tasks("mirror_leaf", file="täsks of mine.vsb.jsonl")
    environment = odd.env()
    del environment["HOME"]
    process = subprocess.run(
        ["env", "-i", *(f"{key}={value}" for key, value in environment.items())]
        + ([] if home is None else [f"HOME={home}"])
        + [os.sys.executable, "-m", "pytest", "--vsb-model=reference", "-n", workers]  # type: ignore[attr-defined]
        + ["--vsb-run=my run ℝ", "--vsb-samples=1", "--junitxml=a b.xml"],
        cwd=odd.path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=180,
        check=False,
    )
    assert process.returncode == pytest.ExitCode.OK, process.stdout + process.stderr
    assert odd.by_task("my run ℝ")["mirror_leaf"]["solved"] is True
    assert set(case_properties(odd.junit("a b.xml"))) == {"mirror_leaf"}
