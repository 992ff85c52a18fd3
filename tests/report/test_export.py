"""Exports: tables, an Inspect log, entries of leaderboards and their digests."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paired_runs import ACCEPTED, FILE, REJECTED, UNAVAILABLE, facts, write_run
from report_samples import HOSTILE, attempts, short_any_text, task_results

from pytest_vsb.cli import main
from pytest_vsb.errors import UsageError
from pytest_vsb.report.export import csv_bytes, tables
from pytest_vsb.report.inspect_log import file_name, inspect_log
from pytest_vsb.report.leaderboard import entry, entry_bytes, read_entry, schema, verify
from pytest_vsb.report.loaded import LoadedRun, load_run
from pytest_vsb.report.results import write_results
from pytest_vsb.report.section import report_run
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.records import TaskResult


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_run(
        tmp_path / "run",
        {
            "t": [[REJECTED, ACCEPTED], [REJECTED]],
            "u": [[ACCEPTED], [UNAVAILABLE]],
            "=sum(A1)": [[REJECTED]],
        },
        at=1_700_000_000.0,
        created="2025-01-02T03:04:05+00:00",
    )


@pytest.fixture
def results_only(path: Path, tmp_path: Path) -> Path:
    found = report_run(RunDirectory(path))
    write_results(tmp_path / "results.json", found.run, found.summary, found.results)
    return tmp_path / "results.json"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# Tables


def test_csv(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "new" / "tables"
    assert main(["export", str(path), "--format=csv", "--output", str(output)]) == 0
    assert capsys.readouterr().out.split() == [
        str(output / "tasks.csv"),
        str(output / "attempts.csv"),
    ]
    tasks = {row["name"]: row for row in rows(output / "tasks.csv")}
    assert (tasks["N.t"]["n"], tasks["N.t"]["attempts"]) == ("2", "3")
    assert (tasks["N.t"]["c"], tasks["N.t"]["c_first"], tasks["N.t"]["pass_at_1"]) == (
        "1", "0", "0.5",
    )  # fmt: skip
    assert tasks["N.u"]["unavailable_samples"] == "1"
    assert tasks["N.u"]["pass_at_2"] == ""
    made = rows(output / "attempts.csv")
    assert len(made) == 6
    second = next(row for row in made if (row["name"], row["round"]) == ("N.t", "1"))
    assert second["accepted"] == "true"
    assert second["axioms"] == "propext"
    assert second["proof"] == "by simp [t, 0, 1]"
    assert second["error"] == ""
    first = next(row for row in made if row["name"] == "N.t")
    assert (first["error"], first["error_line"]) == ("unsolved goals\n⊢ False", "4")


def test_no_formula_for_spreadsheets(path: Path) -> None:
    task_rows, attempt_rows = (csv_bytes(table).decode() for table in tables(load_run(path)))
    assert "'=sum(A1)" in task_rows
    assert ",=sum" not in task_rows + attempt_rows


@settings(max_examples=30, deadline=None)
@given(
    st.lists(task_results(short_any_text), max_size=3),
    st.lists(attempts(short_any_text), max_size=3),
)
def test_any_text_comes_through_csv(results: list[TaskResult], made: list[Any]) -> None:
    run = LoadedRun("r\n", None, {}, tuple(results), lambda _: tuple(made), has_attempts=True)
    for table in tables(run):
        text = csv_bytes(table).decode("utf-8")
        assert "\0" not in text
        assert "\x1b" not in text
        found = list(csv.reader(text.splitlines(keepends=True)))
        assert found[0] == [column.name for column in table.columns]
        assert len(found) == 1 + len(list(table.rows()))
        assert all(len(row) == len(table.columns) for row in found)


def test_parquet(path: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert main(["export", str(path), "--format=parquet", "--output", str(tmp_path)]) == 0
    found = parquet.read_table(tmp_path / "attempts.parquet")
    made = {(row["task"], row["sample"], row["round"]): row for row in found.to_pylist()}
    assert len(made) == 6
    assert made["t", 0, 1]["accepted"] is True
    assert made["t", 0, 1]["axioms"] == ["propext"]
    assert made["t", 0, 0]["proof"] == "by simp [t, 0, 0]"
    tasks = parquet.read_table(tmp_path / "tasks.parquet").to_pylist()
    assert {row["task"]: row["pass_at_2"] for row in tasks} == {
        "t": 1.0,
        "u": None,
        "=sum(A1)": None,
    }
    assert str(found.schema.field("cost_usd").type) == "double"


def test_parquet_of_any_text(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    from pytest_vsb.report.export import write_parquet

    result = TaskResult(facts(HOSTILE), "done", 1, 0, 0)
    write_parquet(LoadedRun(HOSTILE, None, {}, (result,)), tmp_path)
    (row,) = parquet.read_table(tmp_path / "tasks.parquet").to_pylist()
    assert row["task"] == HOSTILE.replace("\ud800", "?")


def test_without_attempts_there_are_tasks(results_only: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    assert main(["export", str(results_only), "--format=csv", "--output", str(output)]) == 0
    assert [file.name for file in output.iterdir()] == ["tasks.csv"]


# Inspect


def test_inspect_log(path: Path) -> None:
    log = json.loads(inspect_log(load_run(path)))
    assert (log["version"], log["status"], log["eval"]["model"]) == (2, "success", "m")
    assert log["eval"]["created"] == "2025-01-02T03:04:05+00:00"
    assert log["eval"]["config"]["epochs"] == 2
    samples = {(one["id"], one["epoch"]): one for one in log["samples"]}
    assert sorted(samples) == [("=sum(A1)", 1), ("t", 1), ("t", 2), ("u", 1), ("u", 2)]
    repaired = samples["t", 1]
    assert repaired["scores"]["lean"]["value"] == "C"
    assert [m["role"] for m in repaired["messages"]] == [
        "user", "assistant", "user", "assistant", "user",
    ]  # fmt: skip
    assert "unsolved goals" in repaired["messages"][2]["content"]
    assert repaired["output"]["completion"] == "theorem aux : 1\n\nby simp [t, 0, 1]"
    assert repaired["output"]["usage"]["input_tokens"] == 200
    assert samples["t", 2]["scores"]["lean"]["value"] == "I"
    assert "scores" not in samples["u", 2]
    assert samples["u", 2]["error"]["message"] == "one error"
    metrics = log["results"]["scores"][0]["metrics"]
    assert metrics["pass_at_1"]["value"] == pytest.approx((0.5 + 1 + 0) / 3)
    assert log["results"]["scores"][0]["unscored_samples"] == 1
    assert log["stats"]["model_usage"]["m"]["total_cost"] == 1.5


def test_an_interrupted_run_is_no_success(tmp_path: Path) -> None:
    path = write_run(tmp_path / "run", {"t": [[REJECTED]]}, status="interrupted")
    assert json.loads(inspect_log(load_run(path)))["status"] == "cancelled"


def test_inspect_log_is_the_same_each_time(path: Path) -> None:
    assert inspect_log(load_run(path)) == inspect_log(load_run(path))


def test_inspect_needs_attempts(results_only: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(results_only), "--format=inspect", "--output", "x.json"]) == 4
    assert "no attempts are kept there" in capsys.readouterr().err


def test_inspect_reads_it(path: Path, tmp_path: Path) -> None:
    """With Inspect's own reader, where it is installed."""
    log = pytest.importorskip("inspect_ai.log")
    output = tmp_path / "logs"
    assert main(["export", str(path), "--format=inspect", "--output", str(output)]) == 0
    (info,) = log.list_eval_logs(str(output))
    found = log.read_eval_log(info)
    assert found.status == "success"
    assert found.results.scores[0].metrics["pass_at_1"].value == pytest.approx(0.5)
    values = {(s.id, s.epoch): s.scores["lean"].value for s in found.samples if s.scores}
    assert values == {("t", 1): "C", ("t", 2): "I", ("u", 1): "C", ("=sum(A1)", 1): "I"}
    assert found.samples[1].output.completion


def test_the_name_that_inspect_looks_for(path: Path) -> None:
    name = file_name(load_run(path))
    assert name.startswith("2025-01-02T03-04-05+00-00_vsb_")
    assert name.endswith(".json")


# Leaderboards


def test_entry(path: Path) -> None:
    found = entry(load_run(path))
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(found, schema())
    assert found["scores"]["solved"] == 2
    assert found["protocol"] == {
        "samples": 2, "repairs": 1, "seed": 0, "context": "curated", "context_tokens": None,
        "tokenizer": "estimate",
    }  # fmt: skip
    assert [task["c"] for task in found["tasks"]] == [0, 1, 1]
    assert entry_bytes(load_run(path)) == entry_bytes(load_run(path))


def test_entry_of_results_alone(results_only: Path) -> None:
    found = entry(load_run(results_only))
    jsonschema.validate(found, schema())
    assert found["digests"]["journal"] is None
    assert found["digests"]["prompts"] is None


def verified(file: Path, run: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(["export", str(run), "--verify", str(file)])
    return code, capsys.readouterr().out


def test_verify(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "entry.json"
    assert main(["export", str(path), "--format=leaderboard", "--output", str(file)]) == 0
    capsys.readouterr()
    code, text = verified(file, path, capsys)
    assert (code, text) == (0, f"{file}: is what the run gives\n")
    # One line more in a journal, which changes no result.
    with (path / "journal" / "main.jsonl").open("ab") as journal:
        journal.write(b"\n")
    code, text = verified(file, path, capsys)
    assert code == 1
    assert "differs: digest of the journal" in text
    assert "digest of the dataset" not in text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace('"accepted"', '"rejected"'), "differs: scores: "),
        (lambda text: text.replace('"prompt of t"', '"another"'), "differs: digest of the prompts"),
    ],
)
def test_another_run_is_told_from_it(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Any, words: str
) -> None:
    file = tmp_path / "entry.json"
    file.write_bytes(entry_bytes(load_run(path)))
    other = tmp_path / "other"
    shutil.copytree(path, other)
    journal = other / "journal" / "main.jsonl"
    journal.write_text(change(journal.read_text("utf-8")), encoding="utf-8")
    code, text = verified(file, other, capsys)
    assert code == 1
    assert words in text


def test_other_theorems_are_told_from_it(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "entry.json"
    file.write_bytes(entry_bytes(load_run(path)))
    tasks = path / "tasks.jsonl"
    tasks.write_text(tasks.read_text("utf-8").replace("digest of t", "changed"), encoding="utf-8")
    assert any("digest of the dataset" in text for text in verify(file, load_run(path)))


def test_a_changed_entry_is_refused(path: Path, tmp_path: Path) -> None:
    record = entry(load_run(path))
    record["scores"]["solved"] = 3
    file = tmp_path / "entry.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(UsageError, match="was changed"):
        read_entry(file)


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "{", '{"kind": "x", "digests": {}}', "\udcff", "[" * 100_000]
)
def test_no_entry(text: str, tmp_path: Path) -> None:
    file = tmp_path / "entry.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageError, match=r"entry\.json"):
        read_entry(file)


def test_bad_uses(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    for arguments, words in (
        ([], "how, and where to?"),
        (["--format=csv"], "how, and where to?"),
        (["--format=xml", "--output=x"], "invalid choice"),
        (["--format=csv", f"--output={tmp_path / 'file' / 'x'}"], "cannot be written"),
        (["--format=leaderboard", f"--output={tmp_path / 'file' / 'x.json'}"], "cannot be written"),
        (["--verify=x", "--format=csv"], "nothing is written when verifying"),
        ([f"--verify={tmp_path / 'lost.json'}"], "cannot be read"),
        ([f"--verify={tmp_path / 'file'}"], "hint: name an entry that `vsb export RUN --format="),
    ):
        assert main(["export", str(path), *arguments]) == 4
        assert words in capsys.readouterr().err


def test_digests_are_named(path: Path) -> None:
    assert list(entry(load_run(path))["digests"]) == [
        "dataset", "prompts", "judge", "journal", "entry",
    ]  # fmt: skip
    assert FILE in json.dumps(entry(load_run(path))["tasks"])
