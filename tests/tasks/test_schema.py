"""The JSON Schema of a native line agrees with the reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from task_lines import native, write

import pytest_vsb.tasks
from pytest_vsb.tasks.dataset import read_tasks
from pytest_vsb.tasks.native import KEYS

SCHEMA = json.loads(
    Path(pytest_vsb.tasks.__file__).with_name("task.schema.json").read_text(encoding="utf-8")
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
DEMO = Path(__file__).parents[2] / "benchmark" / "demo" / "demo.vsb.jsonl"


def test_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_schema_has_the_keys_of_the_reader() -> None:
    assert set(SCHEMA["properties"]) == KEYS


def test_demo_fits() -> None:
    read = read_tasks(DEMO)
    assert read.problems == ()
    assert read.tasks
    for line in DEMO.read_text(encoding="utf-8").splitlines():
        VALIDATOR.validate(json.loads(line))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"unknown": {"kept": True}},
        {"module": None, "kind": None, "metrics": None, "dependencies": None, "subsets": []},
        {"path": "a/..b/c.lean", "module": None},
        {"id": "Übung.«a b»'!?/x"},
    ],
)
def test_both_accept(tmp_path: Path, changes: dict[str, Any]) -> None:
    line = native(**changes)
    VALIDATOR.validate(line)
    assert read_tasks(write(tmp_path / "t.jsonl", line)).problems == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"id": None},
        {"id": ""},
        {"id": " a"},
        {"id": "a "},
        {"id": "a\n"},
        {"id": "a::b"},
        {"id": "x" * 1001},
        {"id": 3},
        {"name": ""},
        {"path": "/a.lean"},
        {"path": "C:/a.lean"},
        {"path": "../a.lean"},
        {"path": "a/../b.lean"},
        {"path": "a\\b.lean"},
        {"path": "a.txt"},
        {"path": ".lean"},
        {"path": "a/.lean"},
        {"statement": ""},
        {"statement": "@[simp] theorem a : b"},
        {"category": "a\nb"},
        {"subsets": [""]},
        {"number": -1},
        {"reference_proof": ""},
        {"dependencies": [{}]},
        {"dependencies": [{"name": "a", "role": "axiom"}]},
        {"metrics": {"nesting_depth": -1}},
    ],
)
def test_both_refuse(tmp_path: Path, changes: dict[str, Any]) -> None:
    line = native(**changes)
    assert not VALIDATOR.is_valid(line)
    read = read_tasks(write(tmp_path / "t.jsonl", line))
    assert (len(read.tasks), len(read.problems)) == (0, 1)


def test_example_of_the_documentation_is_a_line(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "task-files.md").read_text(encoding="utf-8")
    example = json.loads(text.split("```json\n")[1].split("```")[0])
    VALIDATOR.validate(example)
    assert set(example) <= KEYS
    read = read_tasks(write(tmp_path / "t.jsonl", example))
    assert read.problems == ()
    documented = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")}
    assert documented >= KEYS
