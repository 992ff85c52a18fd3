from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given, settings
from report_samples import (
    HOSTILE,
    any_text,
    facts,
    result,
    sample_results,
    short_any_text,
    task_results,
)
from syrupy.assertion import SnapshotAssertion
from test_report_tables import with_fixed_intervals

from pytest_vsb.report.junit import properties, suite_properties
from pytest_vsb.report.summary import ks_for, summarise
from pytest_vsb.run.records import TaskResult


def shown(pairs: list[tuple[str, str]]) -> str:
    return "\n".join(f"{name}={value}" for name, value in pairs)


def parsed(pairs: list[tuple[str, str]]) -> list[tuple[str | None, str | None]]:
    root = ElementTree.Element("properties")
    for name, value in pairs:
        ElementTree.SubElement(root, "property", name=name, value=value)
    again = ElementTree.fromstring(ElementTree.tostring(root, "utf-8"))
    return [(item.get("name"), item.get("value")) for item in again]


def test_properties_of_testcases(snapshot: SnapshotAssertion) -> None:
    blocks = [f"{item.task.id}\n{shown(properties(item))}" for item in sample_results()]
    assert "\n\n".join(blocks) == snapshot


def test_properties_of_the_suite(snapshot: SnapshotAssertion) -> None:
    summary = with_fixed_intervals(summarise(sample_results(), ks_for(8)))
    run = {
        "samples": 8,
        "seed": None,
        "resume": False,
        "lean": {"version": "4.35.0", "kinds": ["embedded", "elan"]},
        "shards": [{"index": 1}, {"index": 2}],
        "empty": [],
    }
    assert shown(suite_properties(summary, run)) == snapshot


def test_values_by_hand() -> None:
    item = result(
        facts("t"), n=5, c=1, verdicts={"rejected": 3, "accepted": 1}, lean_seconds=0.1 + 0.2
    )
    values = dict(properties(item))
    assert values["vsb.solved"] == "true"
    assert values["vsb.solved_without_repair"] == "false"
    assert values["vsb.pass@1"] == "0.2"
    assert values["vsb.pass@8"] == "n/a"
    assert values["vsb.verdict.rejected"] == "3"
    assert values["vsb.lean_seconds"] == "0.3"
    assert "vsb.cost_usd" not in values
    assert "vsb.category" not in values


def test_names_are_unique_and_prefixed() -> None:
    for item in sample_results():
        names = [name for name, _ in properties(item)]
        assert len(set(names)) == len(names)
        assert all(name.startswith("vsb.") for name in names)


def test_a_huge_run_block_is_capped() -> None:
    summary = summarise([], (1,))
    pairs = suite_properties(summary, {f"k{i}": "x" * 10_000 for i in range(2000)})
    assert len(pairs) < 600
    assert max(len(value) for _, value in pairs) <= 1000


def test_hostile_values() -> None:
    item = result(facts("t", HOSTILE), reason=HOSTILE * 100_000)
    pairs = properties(item)
    assert parsed(pairs) == pairs
    assert "ℝ" in dict(pairs)["vsb.category"]
    assert "␛[31m" in dict(pairs)["vsb.category"]
    assert len(dict(pairs)["vsb.reason"]) <= 1000


@settings(max_examples=30, deadline=None)
@given(task_results(short_any_text), any_text)
def test_any_properties_survive_xml(item: TaskResult, text: str) -> None:
    for pairs in (
        properties(item),
        suite_properties(summarise([item], (1,)), {text: [text, {"x": text}]}),
    ):
        assert parsed(pairs) == pairs
        assert all("\n" not in name + value for name, value in pairs)


def test_verdicts_come_in_one_order() -> None:
    one = result(facts("t"), verdicts={"timeout": 1, "accepted": 2, "rejected": 0})
    other = result(facts("t"), verdicts={"accepted": 2, "timeout": 1})
    assert properties(one) == properties(other)
    names = [name for name, _ in properties(one) if name.startswith("vsb.verdict.")]
    assert names == ["vsb.verdict.accepted", "vsb.verdict.timeout"]
