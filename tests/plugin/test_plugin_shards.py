"""Shards in pytest: together the whole run; told by name; not failed by having nothing to do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from mini_project import PROOFS, MiniProject, stable, task_line

from pytest_vsb.cli import main
from pytest_vsb.report.results import read_results, write_results
from pytest_vsb.report.section import report_run
from pytest_vsb.report.summary import summarise
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.records import TaskFacts, TaskResult


def ids(mini: MiniProject, *arguments: str) -> list[str]:
    text = mini.run("--collect-only", "-q", *arguments, model=None).text
    return [line.partition("::")[2] for line in text.splitlines() if "::" in line]


@pytest.mark.lean
def test_more_shards_than_tasks(near: MiniProject, capsys: pytest.CaptureFixture[str]) -> None:
    quick, names = near, ("mirror_leaf", "isLeaf_leaf")
    # Known to be bad, they take no Lean.
    quick.tasks(*(task_line(name, known_bad="false") for name in names))
    quick.prover("def answer(request): return no_answer()")
    ended = quick.bench("--vsb-shard=3/3")
    assert ended.code == pytest.ExitCode.OK
    assert "vsb shard 3/3: 0 of 2 tasks, 0.0 % of the estimated time" in ended.text
    for index in (1, 2):
        ended = quick.bench(f"--vsb-shard={index}/3", run=f"run{index}")
        assert ended.code == pytest.ExitCode.OK
        assert f"vsb shard {index}/3: 1 of 2 tasks, 50.0 %" in ended.text
    runs = [str(quick.path / name) for name in ("run", "run1", "run2")]
    capsys.readouterr()
    assert main(["merge", *runs, "--output", str(quick.path / "all.json")]) == 0
    assert "note: shard" not in capsys.readouterr().out
    results = read_results(quick.path / "all.json")
    assert {result.task.id for result in results.tasks} == set(names)
    assert [shard["index"] for shard in results.run["shards"]] == [1, 2, 3]
    assert main(["merge", *runs[:2], "--output", str(quick.path / "some")]) == 0
    assert "note: shard 2/3 is missing" in capsys.readouterr().out
    assert main(["merge", "--whole", *runs[:2], "--output", str(quick.path / "no")]) == 4
    assert "the shards are no whole:\n  shard 2/3 is missing" in capsys.readouterr().err
    assert not (quick.path / "no").exists()
    # Having nothing to do for another reason is what it was.
    ended = quick.bench("--vsb-shard=1/3", "-k", "nothing", run="x")
    assert ended.code == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.lean
def test_times_of_an_earlier_run(near: MiniProject) -> None:
    quick = near
    quick.tasks(*PROOFS)
    quick.prover("def answer(request): return no_answer()")
    took = [
        TaskResult(
            task=TaskFacts(id=name, nodeid=f"mini.vsb.jsonl::{name}"),
            status="done",
            n=1,
            c=0,
            c_first=0,
            pass_at={1: 0.0},
            verdicts={"rejected": 1},
            attempts=1,
            lean_seconds=900.0 if name == "isLeaf_leaf" else 1.0,
        )
        for name in PROOFS
    ]
    times = "--vsb-shard-times=old.json"
    write_results(quick.path / "old.json", {"samples": 1}, summarise(took, [1]), took)
    found = [ids(quick, f"--vsb-shard={i}/2", times) for i in (1, 2)]
    assert ["isLeaf_leaf"] in found
    assert sorted(found[0] + found[1]) == sorted(PROOFS)
    text = quick.run("--collect-only", "--vsb-shard=1/2", times, model=None).text
    assert "4 timed by an earlier run" in text

    wrong = pytest.ExitCode.USAGE_ERROR
    ended = quick.run(times)
    assert ended.code == wrong
    assert "--vsb-shard-times: of what?" in ended.errors
    ended = quick.run("--vsb-shard=1/2", "--vsb-shard-times=nowhere")
    assert ended.code == wrong
    assert "--vsb-shard-times: " in ended.errors
    quick.tasks(*PROOFS, file="other.vsb.jsonl")
    ended = quick.bench("other.vsb.jsonl", "--vsb-shard=1/2", times, run="new")
    assert ended.code == wrong
    assert "none of the 4 tasks has been attempted in that run" in ended.errors + ended.text
    assert not (quick.path / "new").exists()


@pytest.mark.slow
@pytest.mark.lean
def test_merged_shards_are_the_whole_run(tmp_path: Path, core_cache: Path) -> None:
    demo = Path(__file__).parents[2] / "benchmark" / "demo"
    environment = {**os.environ, "VSB_CACHE_DIR": str(core_cache)}

    def run(name: str, *arguments: str) -> None:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(demo)]
        command += ["--vsb-model=automation", "--vsb-samples=2", "--vsb-limit=9", "--vsb-no-cache"]
        command += [f"--vsb-run={tmp_path / name}", "--vsb-fail-on=never", *arguments]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)

    run("whole")
    for index in range(1, 4):
        run(f"part{index}", f"--vsb-shard={index}/3", *(["-n", "2"] if index == 2 else []))
    parts = [str(tmp_path / f"part{index}") for index in (3, 1, 2)]
    assert main(["merge", *parts, "--output", str(tmp_path / "merged")]) == 0
    assert main(["merge", *parts, "--output", str(tmp_path / "merged.json")]) == 0

    def results(path: Path) -> Any:
        found = report_run(RunDirectory(path))
        tasks = sorted(found.results, key=lambda result: result.task.nodeid)
        text = msgspec.json.encode((tasks, found.summary))
        return stable(msgspec.json.decode(text), tmp_path)

    assert results(tmp_path / "merged") == results(tmp_path / "whole")
    assert len(results(tmp_path / "merged")[0]) == 9
