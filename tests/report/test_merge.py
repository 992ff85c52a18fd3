"""Merging runs: sums, order, provenance, and what is refused."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from paired_runs import ACCEPTED, FILE, REJECTED, UNAVAILABLE, write_run

from pytest_vsb.cli import main
from pytest_vsb.errors import UsageError
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.report.loaded import load_run
from pytest_vsb.report.merge import journal_digest, merge_runs
from pytest_vsb.report.merge_results import add_results, merge_to_results
from pytest_vsb.report.results import read_results, write_results
from pytest_vsb.report.section import report_run
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.journal import Ended, Started
from pytest_vsb.run.records import TaskResult

YES, NO, LOST = [ACCEPTED], [REJECTED], [UNAVAILABLE]
REPAIRED = [REJECTED, ACCEPTED]


def counts(path: Path) -> dict[str, tuple[int, int, int | None]]:
    return {r.task.id: (r.n, r.c, r.c_first) for r in load_run(path).results}


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    """Two runs of the same tasks with seeds of their own, the second with a task more."""
    return [
        write_run(
            tmp_path / "one", {"t": [YES, NO], "u": [NO, LOST]}, seed=1, created="2026-01-01"
        ),
        write_run(
            tmp_path / "two",
            {"u": [REPAIRED, NO], "t": [NO, NO], "v": [YES, YES]},
            at=9000,
            seed=2,
            created="2026-01-02",
        ),
    ]


def tree(path: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file()
    }


def test_repeated_runs_add_up(runs: list[Path], tmp_path: Path) -> None:
    merged = merge_runs(runs, tmp_path / "all")
    assert (merged.sources, merged.tasks, merged.samples) == (("one", "two"), 3, 4)
    assert counts(tmp_path / "all") == {"t": (4, 1, 1), "u": (3, 1, 0), "v": (2, 2, 2)}
    run = load_run(tmp_path / "all")
    assert run.samples == 4
    attempts = run.attempts(f"{FILE}::u")
    assert [(a.sample, a.round) for a in attempts] == [(0, 0), (1, 0), (2, 0), (2, 1), (3, 0)]
    proof = attempts[3].candidate
    assert proof is not None
    assert "[u, 0, 1]" in proof.proof


def test_it_can_be_reported_as_any_run(
    runs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "deep" / "all"
    assert main(["merge", *map(str, runs), "--output", str(output)]) == 0
    assert "2 runs, 3 tasks, at most 4 samples a task" in capsys.readouterr().out
    assert main(["report", str(output)]) == 0
    summary = read_results(output).summary
    assert (summary.total.solved, summary.total.attempts) == (3, 11)
    assert summary.ks == (1, 2, 4)


def test_the_order_of_arguments_changes_nothing(runs: list[Path], tmp_path: Path) -> None:
    merge_runs(runs, tmp_path / "a")
    merge_runs(runs[::-1], tmp_path / "b")
    assert tree(tmp_path / "a") == tree(tmp_path / "b")


def test_merging_in_steps_adds_up_alike(runs: list[Path], tmp_path: Path) -> None:
    third = write_run(tmp_path / "three", {"t": [YES, YES, NO]}, at=20000, seed=3)
    merge_runs([*runs, third], tmp_path / "at once")
    merge_runs(runs, tmp_path / "two of them")
    with pytest.raises(UsageError, match="hold the same attempts"):
        merge_runs([tmp_path / "two of them", third, runs[0]], tmp_path / "wrong")
    merge_runs([tmp_path / "two of them", third], tmp_path / "in steps")
    assert counts(tmp_path / "at once") == counts(tmp_path / "in steps")


def test_shards(tmp_path: Path) -> None:
    paths = [
        write_run(tmp_path / f"shard{i}", {name: [YES, NO]}, rootdir=f"/machine{i}")
        for i, name in enumerate("tuv")
    ]
    merged = merge_runs(paths, tmp_path / "all")
    assert merged.samples == 2
    assert merged.notes == ()
    assert counts(tmp_path / "all") == dict.fromkeys("tuv", (2, 1, 1))


def test_one_shard_that_is_all_there_are_is_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_run(tmp_path / "only", {"t": [YES, NO], "u": [NO, NO]})
    RunDirectory(path).add_shard(1, 1, "plan")
    asked = ["merge", str(path), "--whole", "--output"]
    assert main([*asked, str(tmp_path / "all")]) == 0
    assert "all: 1 run, 2 tasks, at most 2 samples a task" in capsys.readouterr().out
    assert counts(tmp_path / "all") == {"t": (2, 1, 1), "u": (2, 0, 0)}
    assert main([*asked, str(tmp_path / "all.json")]) == 0
    assert "all.json: 1 run, 2 tasks" in capsys.readouterr().out


def test_one_shard_of_several_names_the_others(tmp_path: Path) -> None:
    path = write_run(tmp_path / "second", {"t": [YES]})
    RunDirectory(path).add_shard(2, 3, "plan")
    with pytest.raises(UsageError, match="shards 1/3, 3/3 are missing"):
        merge_runs([path], tmp_path / "all", whole=True)
    with pytest.raises(UsageError, match="at least two runs"):
        merge_runs([path], tmp_path / "all")


def test_provenance(runs: list[Path], tmp_path: Path) -> None:
    merge_runs(runs, tmp_path / "all")
    record = RunDirectory(tmp_path / "all").read()
    assert record["identity"]["seed"] == "1, 2"
    told = record["merged"]["runs"]
    assert [(one["name"], one["samples"], one["seed"], one["tasks"]) for one in told] == [
        ("one", 2, 1, 2),
        ("two", 2, 2, 3),
    ]
    assert [one["journal"] for one in told] == [journal_digest(path) for path in runs]
    assert str(tmp_path) not in json.dumps(record["merged"])
    names = {file.name for run in runs for file in (run / "responses").iterdir()}
    assert {file.name for file in (tmp_path / "all" / "responses").iterdir()} == names


def test_a_merged_run_of_several_seeds_cannot_be_resumed(runs: list[Path], tmp_path: Path) -> None:
    merge_runs(runs, tmp_path / "all")
    identity = RunDirectory(runs[0]).read()["identity"]
    with pytest.raises(UsageError, match="seed"):
        RunDirectory.resume(tmp_path / "all", identity)


def test_attempts_at_an_earlier_state_of_a_task_stay_out(tmp_path: Path) -> None:
    """One whose file changed before the run was resumed: the merged run counts no more of it than
    the run itself did."""
    one = write_run(tmp_path / "one", {"t": [YES, YES]}, seed=1)
    journal = one / "journal" / "main.jsonl"
    text = journal.read_text("utf-8")
    changed = text.replace("file and digest of t", "new file").replace('"accepted"', '"rejected"')
    later = [
        {**json.loads(line), "time": json.loads(line)["time"] + 100}
        for line in changed.splitlines()[:4]
    ]
    journal.write_text(text + "".join(json.dumps(event) + "\n" for event in later), "utf-8")
    assert counts(one) == {"t": (1, 0, 0)}
    two = write_run(tmp_path / "two", {"t": [NO]}, at=500.0, seed=2)
    journal = two / "journal" / "main.jsonl"
    journal.write_text(
        journal.read_text("utf-8").replace("file and digest of t", "new file"), "utf-8"
    )
    merge_runs([one, two], tmp_path / "all")
    assert counts(tmp_path / "all") == {"t": (2, 0, 0)}


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (("done", "done"), "done"),
        (("done", "unfinished"), "unfinished"),
        (("interrupted", "done"), "unfinished"),
        (("unavailable", "done"), "done"),
        (("done", "crashed"), "crashed"),
        (("excluded", "done"), "done"),
    ],
)
def test_statuses(tmp_path: Path, statuses: tuple[str, str], expected: str) -> None:
    paths = [
        write_run(tmp_path / str(i), {"t": [NO]}, at=1000.0 * (i + 1), status=status, seed=i)
        for i, status in enumerate(statuses)
    ]
    merge_runs(paths, tmp_path / "all")
    assert [r.status for r in load_run(tmp_path / "all").results] == [expected]


# What is refused


def refused(paths: Sequence[Path], tmp_path: Path) -> str:
    texts = set()
    for merge, name in ((merge_runs, "all"), (merge_to_results, "all.json")):
        with pytest.raises(UsageError) as caught:
            merge(paths, tmp_path / name)
        assert not (tmp_path / name).exists()
        texts.add(str(caught.value))
    assert len(texts) == 1
    return texts.pop()


def test_a_run_twice(runs: list[Path], tmp_path: Path) -> None:
    shutil.copytree(runs[0], tmp_path / "copy")
    merge_runs(runs, tmp_path / "merged")
    for paths in (
        [runs[0], runs[0]],
        [runs[0], tmp_path / "copy"],
        [runs[1], tmp_path / "merged"],
    ):
        assert "hold the same attempts" in refused(paths, tmp_path)


def test_results_twice(runs: list[Path], tmp_path: Path) -> None:
    for path in runs:
        found = report_run(RunDirectory(path))
        write_results(path / "results.json", found.run, found.summary, found.results)
    shutil.copy(runs[0] / "results.json", tmp_path / "copy.json")
    with pytest.raises(UsageError, match="are the same run"):
        merge_to_results([runs[0] / "results.json", tmp_path / "copy.json"], tmp_path / "all.json")


def test_conflicts_are_named(tmp_path: Path) -> None:
    one = write_run(tmp_path / "one", {"t": [YES]}, created="2025")
    other = write_run(
        tmp_path / "other", {"t": [NO]}, at=9000, digests={"t": "changed"}, repairs=3, model="n",
        facts_={"lean": "Lean 4.10.0 abc (elan: x)"}, seed=1,
    )  # fmt: skip
    text = refused([one, other], tmp_path)
    for words in (
        "one and other: model: 'm' and 'n'",
        "one and other: repairs: 1 and 3",
        "judged by Lean 4.9.0 abc and Lean 4.10.0 abc",
        "one and other: other theorems: a.vsb.jsonl::t",
    ):
        assert words in text
    assert "hint:" in text


def test_known_bad_in_one_only(tmp_path: Path) -> None:
    one = write_run(tmp_path / "one", {"t": []}, status="known_bad", seed=1)
    other = write_run(tmp_path / "other", {"t": [NO]}, at=9000, seed=2)
    assert "known to be bad in one of them only: a.vsb.jsonl::t" in refused([one, other], tmp_path)


def test_a_prover_that_did_not_draw_again(tmp_path: Path) -> None:
    one = write_run(tmp_path / "one", {"t": [YES, NO]})
    again = write_run(tmp_path / "again", {"t": [YES, NO]}, at=9000)
    assert "the same answers to all that they have in common" in refused([one, again], tmp_path)
    drawn = write_run(tmp_path / "drawn", {"t": [YES, NO]}, at=9000, proof="by omega")
    merged = merge_runs([one, drawn], tmp_path / "all")
    assert "have the same seed and 1 task in common" in merged.notes[0]


def test_bad_uses(runs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    (tmp_path / "alone.json").write_text("{}")
    for arguments, words in (
        ([str(runs[0]), "--output", str(tmp_path / "x")], "at least two runs"),
        ([*map(str, runs)], "--output"),
        ([*map(str, runs), "--output", str(tmp_path / "full")], "there is something already"),
        ([str(tmp_path / "alone.json"), "--output", str(tmp_path / "x")], "--output=FILE.json"),
        ([*map(str, runs), str(tmp_path / "no"), "--output", str(tmp_path / "x")], "no run in"),
        (
            [*map(str, runs), "--output", str(tmp_path / "alone.json" / "x")],
            "cannot be written",
        ),
    ):
        assert main(["merge", *arguments]) == 4, arguments
        assert words in capsys.readouterr().err
    assert (tmp_path / "full" / "file").read_text() == "mine"
    assert not list(tmp_path.glob(".vsb-merge*"))


# Results alone


def test_results_alone(runs: list[Path], tmp_path: Path) -> None:
    files = []
    for path in runs:
        found = report_run(RunDirectory(path))
        files.append(tmp_path / f"{path.name}.json")
        write_results(files[-1], found.run, found.summary, found.results)
    merge_to_results(files, tmp_path / "from results.json")
    merge_to_results(runs, tmp_path / "from runs.json")
    one, other = (
        {r.task.id: r for r in read_results(tmp_path / name).tasks}
        for name in ("from results.json", "from runs.json")
    )
    assert one == other
    assert read_results(tmp_path / "from results.json").run["merged"]["runs"][0]["samples"] == 2


kinds = st.sampled_from([ACCEPTED, REJECTED, UNAVAILABLE])
samples = st.lists(st.lists(kinds, min_size=1, max_size=2), max_size=3)
tasks = st.dictionaries(st.sampled_from(["t", "u", "v"]), samples, min_size=1, max_size=3)


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(tasks, min_size=2, max_size=3))
def test_n_and_c_add_up(
    tmp_path_factory: pytest.TempPathFactory, made: list[dict[str, list[list[VerdictKind]]]]
) -> None:
    """The merged journals fold into the sums of what each run's fold into."""
    base = tmp_path_factory.mktemp("merge")
    paths = [
        write_run(base / str(i), one, at=1000.0 * (i + 1), seed=i) for i, one in enumerate(made)
    ]
    merge_runs(paths, base / "all")
    loaded = [load_run(path) for path in paths]
    added = add_results([run.results for run in loaded], [run.samples for run in loaded])
    assert [_numbers(r) for r in load_run(base / "all").results] == [_numbers(r) for r in added]


def _numbers(result: TaskResult) -> object:
    kept = ("task", "status", "n", "c", "c_first", "verdicts", "attempts", "unavailable_samples")
    return msgspec.to_builtins({key: getattr(result, key) for key in kept})


def test_events_of_the_merged_journal_can_all_be_read(runs: list[Path], tmp_path: Path) -> None:
    from pytest_vsb.run.journal import read_events

    merge_runs(runs, tmp_path / "all")
    files = sorted((tmp_path / "all" / "journal").iterdir())
    assert [file.name for file in files] == ["001-one.jsonl", "002-two.jsonl", "zz-merged.jsonl"]
    for file in files:
        assert len(list(read_events(file))) == len(file.read_bytes().splitlines())
    ends = list(read_events(files[2]))
    assert all(isinstance(event, Ended) for event in ends)
    starts = [e for e in read_events(files[0]) if isinstance(e, Started)]
    assert dataclasses.asdict(starts[0])["digest"] == "file and digest of t"


BASIS = {
    "statement": "s",
    "judge": "3",
    "policy": "strict",
    "lean": "elan 4.9.0 abc",
    "options": "o",
    "text": "t",
    "imports": "i",
}


@pytest.mark.parametrize(
    ("names", "changes", "told"),
    [
        ("tu", {"judge": "4"}, "judged by other versions of the judge (3 and 4): all 2 tasks"),
        ("t", {"judge": "4"}, "judged by other versions of the judge (3 and 4): a.vsb.jsonl::t"),
        (
            "tu",
            {"lean": "elan 4.10.0 def"},
            "other Leans (elan 4.9.0 abc and elan 4.10.0 def): all",
        ),
        ("tu", {"policy": "lenient"}, "judged by other policies (strict and lenient): all 2"),
        ("tu", {"options": "x"}, "judged with other options of Lean: all 2 tasks in common"),
        ("u", {"text": "x"}, "other text in the file before the theorem: a.vsb.jsonl::u"),
        ("tu", {"imports": "x"}, "other compiled modules, or in another place, that the file"),
        ("tu", {"statement": "x"}, "other theorems: a.vsb.jsonl::t, a.vsb.jsonl::u"),
        ("tu", None, "another judge, Lean, file, or imports (these runs do not say which)"),
    ],
)
def test_the_cause_is_named(
    tmp_path: Path, names: str, changes: dict[str, str] | None, told: str
) -> None:
    paths = []
    for number, name in enumerate(("one", "two")):
        made = {"at": 9000.0 * number, "created": f"2026-01-0{number + 1}", "seed": name}
        path = write_run(tmp_path / name, {"t": [YES], "u": [NO]}, **made)  # type: ignore[arg-type]
        journal = path / "journal" / "main.jsonl"
        lines = []
        for line in journal.read_bytes().splitlines():
            event = json.loads(line)
            if event["event"] == "started":
                new = number and event["nodeid"][-1] in names
                event["digest"] += " now" if new else ""
                event["basis"] = {**BASIS, **(changes or {} if new else {})}
                if changes is None:
                    del event["basis"]
            lines.append(json.dumps(event))
        journal.write_text("\n".join([*lines, ""]), encoding="utf-8")
        paths.append(path)
    with pytest.raises(UsageError) as caught:
        merge_runs(paths, tmp_path / "all")
    (conflict,) = str(caught.value).splitlines()[1:-1]
    assert told in conflict
    if told.startswith("judged"):
        assert "theorem" not in conflict
