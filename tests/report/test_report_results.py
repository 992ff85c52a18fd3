from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import (
    attempts,
    facts,
    result,
    sample_results,
    short_any_text,
    task_results,
)
from syrupy.assertion import SnapshotAssertion
from test_report_tables import with_fixed_intervals

from pytest_vsb.errors import UsageError, VsbError
from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.report.results import (
    Results,
    plain,
    read_results,
    results_bytes,
    schema,
    write_results,
)
from pytest_vsb.report.summary import STATUSES, ks_for, summarise
from pytest_vsb.run.records import Attempt, TaskResult

RUN = {"samples": 8, "prover": {"name": "automation"}, "lean": ["4.35.0"]}


def sample_bytes() -> bytes:
    results = sample_results()
    return results_bytes(RUN, with_fixed_intervals(summarise(results, ks_for(8))), results)


@cache
def strict() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(strict_schema())


def strict_schema() -> dict[str, Any]:
    """The schema without room for keys that it does not name."""

    def close(node: Any) -> Any:
        if isinstance(node, list):
            return [close(inner) for inner in node]
        if not isinstance(node, dict):
            return node
        closed = {key: close(inner) for key, inner in node.items()}
        if "properties" in node and node.get("type") == "object":
            closed.setdefault("additionalProperties", False)
        return closed

    return close(schema())


def test_the_file(snapshot: SnapshotAssertion) -> None:
    assert sample_bytes().decode() == snapshot


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


def test_the_file_is_as_the_schema_says_and_has_no_other_keys() -> None:
    jsonschema.validate(json.loads(sample_bytes()), schema())
    strict().validate(json.loads(sample_bytes()))


def test_the_schema_knows_the_statuses_and_verdicts() -> None:
    definitions = schema()["$defs"]
    assert tuple(definitions["status"]["enum"]) == STATUSES
    assert definitions["verdicts"]["propertyNames"]["enum"] == [str(kind) for kind in VerdictKind]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema",), 2),
        (("tasks", 0, "n"), -1),
        (("tasks", 0, "status"), "fine"),
        (("tasks", 0, "pass_at"), {"0": 1.0}),
        (("tasks", 0, "pass_at"), {"1": 1.5}),
        (("tasks", 0, "verdicts"), {"proved": 1}),
        (("summary", "total", "tasks"), "10"),
    ],
)
def test_the_schema_refuses(path: tuple[Any, ...], value: Any) -> None:
    document = json.loads(sample_bytes())
    target = document
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema())


@settings(max_examples=20, deadline=None)
@given(st.lists(task_results(short_any_text), max_size=3))
def test_any_results_give_a_valid_file(results: list[TaskResult]) -> None:
    content = results_bytes({}, summarise(results, (1, 4)), results)
    strict().validate(json.loads(content))


def test_the_same_results_in_any_order_are_the_same_bytes() -> None:
    results = sample_results()
    expected = results_bytes(RUN, summarise(results, ks_for(8)), results)
    random.Random(3).shuffle(results)
    run = dict(reversed(RUN.items()))
    assert results_bytes(run, summarise(results, ks_for(8)), results) == expected


def test_write_and_read(tmp_path: Path) -> None:
    results = sample_results()
    summary = summarise(results, ks_for(8))
    write_results(tmp_path / "results.json", RUN, summary, results)
    expected = Results(RUN, summary, tuple(sorted(results, key=lambda r: r.task.nodeid)))
    assert read_results(tmp_path / "results.json") == expected
    assert read_results(tmp_path) == expected


@settings(max_examples=20, deadline=None)
@given(results=st.lists(task_results(), max_size=3, unique_by=lambda r: r.task.nodeid))
def test_clean_results_round_trip(
    results: list[TaskResult], tmp_path_factory: pytest.TempPathFactory
) -> None:
    results = [msgspec.convert(_cleaned(r), TaskResult, str_keys=True) for r in results]
    results = list({r.task.nodeid: r for r in results}.values())
    file = tmp_path_factory.mktemp("results") / "results.json"
    write_results(file, {}, summarise(results, (1,)), results)
    read = read_results(file)
    assert list(read.tasks) == sorted(results, key=lambda r: r.task.nodeid)
    assert read.summary == summarise(results, (1,))


def _cleaned(record: TaskResult) -> Any:
    return plain(msgspec.to_builtins(record, str_keys=True))


@settings(max_examples=25, deadline=None)
@given(attempts())
def test_attempts_round_trip(record: Attempt) -> None:
    assert msgspec.json.decode(msgspec.json.encode(record), type=Attempt) == record


@settings(max_examples=25, deadline=None)
@given(task_results())
def test_task_results_round_trip(record: TaskResult) -> None:
    assert msgspec.json.decode(msgspec.json.encode(record), type=TaskResult) == record


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    def write(path: Path) -> None:
        write_results(path, RUN, summarise([], ks_for(8)), [])

    with pytest.raises(VsbError, match="cannot write the file: No such file") as caught:
        write(tmp_path / "absent" / "results.json")
    assert caught.value.where == str(tmp_path / "absent" / "results.json")
    (tmp_path / "results.json").mkdir()
    with pytest.raises(VsbError, match="cannot write the file"):
        write(tmp_path / "results.json")
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]


def changed(**changes: Any) -> bytes:
    return json.dumps({**json.loads(sample_bytes()), **changes}).encode()


def with_task(**changes: Any) -> bytes:
    document = json.loads(sample_bytes())
    document["tasks"][0].update(changes)
    return json.dumps(document).encode()


def with_usage(**changes: Any) -> bytes:
    document = json.loads(sample_bytes())
    document["tasks"][0]["usage"].update(changes)
    return json.dumps(document).encode()


def with_total(**changes: Any) -> bytes:
    document = json.loads(sample_bytes())
    document["summary"]["total"].update(changes)
    return json.dumps(document).encode()


def with_rate(**changes: Any) -> bytes:
    document = json.loads(sample_bytes())
    document["summary"]["total"]["pass_at"][0].update(changes)
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no valid JSON"),
        (b"\x00\xff\xfe", "no valid JSON"),
        (sample_bytes()[:-100], "no valid JSON"),
        (b"[" * 100_000, "no valid JSON"),
        (b"[]", "no schema version"),
        (b"null", "no schema version"),
        (b"{}", "no schema version"),
        (b'{"schema": "1"}', "no schema version"),
        (b'{"schema": true}', "no schema version"),
        (b'{"schema": 1}', "missing required field `summary`"),
        (changed(schema=2), "schema version 2, but only 1"),
        (changed(tasks=None), r"\$\.tasks"),
        (with_task(n="8"), r"\$\.tasks\[0\]\.n"),
        (with_task(pass_at={"one": 1}), r"\$\.tasks\[0\]\.pass_at"),
        (with_task(c=9), r"contradict themselves: .*more proofs than samples \(n = 8, c = 9\)"),
        (with_task(solved=True, c=0, c_first=0), "contradict themselves"),
        (with_task(c_first=-1), "contradict themselves"),
        (with_task(nodeid="benchmark/demo.vsb.jsonl::killer"), "is in there twice: .*::killer"),
        (with_task(c_first=None), "without repair false"),
        (with_task(status="solved"), "there is no status 'solved'"),
        (with_task(verdicts={"good": 23}), "there is no verdict 'good'"),
        (with_task(attempts=24), "23 verdicts on 24 attempts"),
        (with_task(verdicts={"accepted": 3, "rejected": 20}), "accepted: 3 attempts"),
        (with_task(unavailable_samples=16), "23 attempts, 16 samples not judged"),
        (with_task(pass_at={"1": 0.5}), r"pass@1 is 0\.5, not 0\.25"),
        (with_task(pass_at={"16": 0.5}), r"pass@16 is 0\.5, not None"),
        (with_task(pass_at={"0": 0.5}), "pass@0"),
        (with_task(lean_seconds=-1), r"tasks\[0\]\.lean_seconds is -1"),
        (with_usage(cost_usd=-0.5), r"tasks\[0\]\.usage\.cost_usd is -0\.5"),
        (with_usage(input_tokens=-1), r"tasks\[0\]\.usage\.input_tokens is -1"),
        (changed(run={**RUN, "samples": 0}), "samples are 0"),
        (changed(run={**RUN, "samples": "8"}), "samples are '8'"),
        (changed(run={**RUN, "identity": 3}), "identity is no object"),
        (with_total(solved=5), "summary: solved is 5, of the tasks it is 3"),
        (with_total(tasks=12), "summary: tasks is 12, of the tasks it is 11"),
        (with_rate(value=0.1), r"pass@1 is 0\.1, its interval"),
        (with_rate(high=1.5), r"its interval .* to 1\.5"),
    ],
)
def test_a_file_that_is_no_results_file(content: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=message) as caught:
        read_results(tmp_path)
    assert caught.value.where == str(file)


def test_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent"):
        with pytest.raises(UsageError, match=r"there is no results\.json here") as caught:
            read_results(path)
        assert caught.value.where == str(path)
        assert caught.value.hint


def test_a_file_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot read the file: Not a directory"):
        read_results(tmp_path / "file" / "results.json")


def test_keys_of_a_later_writer_are_ignored(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    file.write_bytes(with_task(colour="blue"))
    assert len(read_results(file).tasks) == 11


def test_hostile_text_is_clean_in_the_file() -> None:
    hostile = result(facts("a\x1b", "c\ud800"), reason="x\x00" * 3_000_000, first_error="⊢ ℝ\u202e")
    content = results_bytes({"k\x07": "v\x9b"}, summarise([hostile], (1,)), [hostile])
    document = json.loads(content)
    task = document["tasks"][0]
    assert (task["id"], task["category"], task["first_error"]) == ("a␛", "c\\ud800", "⊢ ℝ\\u202e")
    assert len(task["reason"]) <= 4000
    assert document["run"] == {"k␇": "v\\x9b"}
    assert b"\\u0000" not in content


def test_plain_takes_data_only() -> None:
    value = {
        "path": Path("a/b"),
        "kind": VerdictKind.TIMEOUT,
        2: (1, None, True),
        "nan": float("nan"),
        "big": 2**70,
        "set": frozenset({"b", "a"}),
        "facts": facts("t").metrics,
    }
    assert plain(value) == {
        "2": [1, None, True],
        "big": str(2**70),
        "facts": {
            "direct_dependencies": 3,
            "nesting_depth": 2,
            "proof_lines": None,
            "transitive_dependencies": None,
        },
        "kind": "timeout",
        "nan": None,
        "path": "a/b",
        "set": ["a", "b"],
    }
    assert list(plain({"b": 1, "a": 2})) == ["a", "b"]
    for bad in (b"bytes", object(), VerdictKind):
        with pytest.raises(TypeError, match="is no data"):
            plain({"key": bad})
