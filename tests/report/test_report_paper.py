"""The paper's numbers, what follows from them, and a run beside them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pytest_vsb.metrics.averages import DEPTHS, weighted
from pytest_vsb.metrics.errors import CLASSES
from pytest_vsb.report.analysis import RunAnalysis
from pytest_vsb.report.formats.published import paper_beside
from pytest_vsb.report.formats.success import MEASURED
from pytest_vsb.report.paper import CONTEXTS, disagreements, paper, paper_scales
from pytest_vsb.report.patterns import MEASURES


def test_the_tables_are_whole() -> None:
    data = paper()
    assert len(data.table5.rows) == 23
    assert sum(row.tasks or 0 for row in data.table5.rows) == 500
    assert [row.name for row in data.by_depth.rows] == list(DEPTHS)
    assert [row.name for row in data.table7.rows] == list(CLASSES)
    ours = [name for name in MEASURED if name != "proof_length_characters"]
    assert [row.name for row in data.table6.rows] == ours
    assert {row.name for row in data.patterns.rows} < MEASURES.keys()
    for table in (data.table5, data.by_scale, data.by_depth, data.averages, data.table7):
        assert table.source
        assert all(row.of(context) is not None for row in table.rows for context in CONTEXTS)


def test_scales_follow_table_2() -> None:
    scales = paper_scales()
    tasks = {row.name: row.tasks or 0 for row in paper().table5.rows}
    large = [name for name, scale in scales.items() if scale == "large"]
    assert (len(large), len(scales) - len(large)) == (2, 21)
    assert sum(tasks[name] for name in large) == 119
    # Of all pairs of repositories with so many tasks, this one has the published rates.
    data = paper()
    for context in CONTEXTS:
        rows = [row for row in data.table5.rows if row.name in large]
        mean = weighted([(row.tasks or 0, row.of(context) or 0) for row in rows]).micro
        told = data.by_scale.row("large")
        assert told is not None
        assert mean == pytest.approx(told.of(context), abs=0.1)


def test_where_the_paper_disagrees_with_itself() -> None:
    found = {(each.what, each.context): (each.told, each.computed) for each in disagreements()}
    assert found == {
        ("macro average", "curated"): (49.3, 49.2),
        ("regular repositories", "curated"): (47.6, 47.5),
        ("tasks proved", "curated"): (41.0, 40.4),
        ("tasks that failed", "curated"): (296, 298),
        ("micro average", "full"): (35.8, 34.6),
        ("macro average", "full"): (45.8, 44.7),
        ("regular repositories", "full"): (43.7, 42.0),
        ("tasks proved", "full"): (34.8, 34.6),
        ("tasks that failed", "full"): (319, 327),
    }
    # What does follow: the micro average of curated context, and both rates of large repositories.
    rounded = [each for each in disagreements() if each.rounding]
    assert {each.what for each in rounded} == {"macro average", "regular repositories"}
    assert all(each.context == "curated" for each in rounded)
    assert "35.8 % in text on Table 5, 34.6 % from Table 5" in "\n".join(map(str, disagreements()))


def test_the_rows_beside_a_run() -> None:
    beside = paper_beside()
    assert len(beside.overall) == 8 + 3
    assert {who for who, _, _ in beside.averages} == {
        "paper: Gemini-3-Pro, curated",
        "paper: Gemini-3-Pro, full",
    }
    for rows in beside.groups.values():
        assert all(rate is None or 0 <= rate <= 1 for _, _, _, rate in rows)
    assert sum(share for who, _, _, share in beside.errors if "full" in who) == pytest.approx(1)
    assert beside.groups.keys() <= RunAnalysis.__dataclass_fields__.keys()
    assert any("disagrees with itself" in note for note in beside.notes)


@pytest.mark.skipif("VSB_SHARED_DATA" not in os.environ, reason="VSB_SHARED_DATA is not set")
def test_against_the_shared_tables() -> None:
    file = Path(os.environ["VSB_SHARED_DATA"]) / "paper_tables.json"
    shared = json.loads(file.read_text(encoding="utf-8"))
    data = paper()
    for row in data.table5.rows:
        (same,) = (each for each in shared["table5"] if each["repository"] == row.name)
        assert (same["tasks"], same["curated"], same["full"]) == (row.tasks, row.curated, row.full)
    for context in CONTEXTS:
        assert {row.name: row.of(context) for row in data.table6.rows} == shared["table6"][context]
        errors = {row.name: row.of(context) for row in data.table7.rows}
        assert {**errors, "total": sum(v or 0 for v in errors.values())} == shared["table7"][
            context
        ]
    for mine, theirs in zip(data.table3.rows, shared["table3"], strict=True):
        assert (mine.model, mine.curated, mine.full) == (
            theirs["model"],
            theirs["curated"],
            theirs["full"],
        )
    for mine_, theirs in zip(data.by_depth.rows, shared["by_depth_gemini"], strict=True):
        assert (mine_.name, mine_.curated, mine_.full) == tuple(theirs.values())
