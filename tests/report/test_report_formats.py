"""Reports in every format, by snapshots, and what hostile text does to them."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from report_samples import any_text, task_results
from run_samples import attempt, make_run, task
from syrupy.assertion import SnapshotAssertion
from test_report_analysis import small_run

from pytest_vsb.metrics.intervals import clopper_pearson
from pytest_vsb.report.analysis import Analysis, analyse
from pytest_vsb.report.formats.build import tables
from pytest_vsb.report.formats.cells import Table, shown
from pytest_vsb.report.formats.data import as_csv
from pytest_vsb.report.formats.published import paper_beside
from pytest_vsb.report.formats.render import FORMATS, SUFFIXES, Format, render
from pytest_vsb.report.loaded import LoadedRun, load_run, load_runs
from pytest_vsb.run.records import TaskResult

HOSTILE = "a|b_c <script>alert(1)</script> & [x](http://evil) \x1b[31m $\\input{/etc/passwd}$ =1+1"


def rendered(runs: list[Path], format: Format, *, paper: bool = False) -> str:
    loaded = load_runs(runs)
    return render(loaded, analyse(loaded), format, paper=paper)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return small_run(tmp_path / "run")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    evil = task("evil", repository=HOSTILE, category=HOSTILE, subsets=(HOSTILE,))
    good = task("good", repository="fine", category="fine")
    made = [
        attempt(evil, error=f"unknown identifier '{HOSTILE}'"),
        attempt(good, proof=":= by\n  \u00abx|y\u00bb\n  _root_.simp"),
    ]
    return make_run(tmp_path / "run", [evil, good], made, model=HOSTILE)


@pytest.mark.parametrize("format", ["terminal", "md", "latex", "csv"])
def test_one_run(run: Path, format: Format, snapshot: SnapshotAssertion) -> None:
    assert rendered([run], format) == snapshot


@pytest.mark.parametrize("format", ["terminal", "md"])
def test_two_runs(tmp_path: Path, run: Path, format: Format, snapshot: SnapshotAssertion) -> None:
    other = make_run(tmp_path / "other", [task("new")], [attempt(task("new"))], model="another")
    assert rendered([run, other], format) == snapshot


def test_beside_the_paper(run: Path, snapshot: SnapshotAssertion) -> None:
    assert rendered([run], "terminal", paper=True) == snapshot


def test_json_is_the_analysis(run: Path) -> None:
    loaded = load_runs([run])
    analysis = analyse(loaded)
    found = json.loads(render(loaded, analysis, "json"))
    assert found["schema"] == 1
    assert "paper" not in found
    (one,) = found["runs"]
    assert one["overall"]["solved"] == 2
    assert one["repair"][2]["gain_n"] == 0.25
    assert one["errors"]["tasks"][0]["fine"] == "type mismatch"
    assert one.keys() == analysis.runs[0].__dataclass_fields__.keys()
    beside = json.loads(render(loaded, analysis, "json", paper=True))
    assert len(beside["paper"]["table5"]["rows"]) == 23
    assert beside["paper"]["disagreements"][0]["told"] == 49.3


def test_csv_is_one_number_a_line(run: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(rendered([run], "csv", paper=True))))
    assert list(rows[0]) == ["table", "run", "row", "measure", "value", "low", "high"]
    assert all(len(row) == 7 and None not in row for row in rows)
    values = {(r["table"], r["run"], r["row"], r["measure"]): r for r in rows}
    assert len(values) == len(rows)
    assert values["repair", "made-up", "2", "pass_n"]["value"] == "0.5"
    assert values["curve", "made-up", "1", "pass_k"]["value"] == "0.375"
    assert values["by_repository", "made-up", "ArkLib", "interval"]["low"] == repr(
        clopper_pearson(2, 2)[0]
    )
    paper = values["by_repository", "paper: Gemini-3-Pro, full", "ArkLib", "pass_n"]
    assert paper["value"] == "0.15"
    assert values["errors", "made-up", "unknown identifier", "share"]["value"] == "0.5"
    for row in rows:
        for number in (row["value"], row["low"], row["high"]):
            assert not number or float(number) is not None


@pytest.mark.parametrize("format", ["terminal", "md", "latex", "csv", "json"])
def test_hostile_text_stays_text(hostile: Path, format: Format) -> None:
    text = rendered([hostile], format)
    assert "\x1b" not in text
    if format == "md":
        assert "<script>" not in text.replace("\\<script\\>", "")
        assert not re.search(r"(?<!\\)\]\(", text)
        assert "://" not in text
    if format == "latex":
        assert "\\input" not in text
        assert "$" not in text.replace("\\$", "")
        inside = [line for line in text.splitlines() if line.endswith("\\\\")]
        assert inside
        assert not any(re.search(r"(?<!\\)[_#%]", line) for line in inside)
    if format == "csv":
        for row in csv.DictReader(io.StringIO(text)):
            assert row["row"][:1] not in ("=", "@", "+")
    if format == "json":
        assert json.loads(text)["runs"][0]["by_category"]


def test_markdown_tables_have_as_many_cells_as_columns(hostile: Path) -> None:
    width = 0
    for line in rendered([hostile], "md").splitlines():
        if not line.startswith("|"):
            width = 0
            continue
        count = len(re.findall(r"(?<!\\)\|", line))
        assert width in (0, count)
        width = count


def test_latex_environments_close(run: Path) -> None:
    text = rendered([run], "latex", paper=True)
    for name in ("table", "tabular"):
        assert text.count(f"\\begin{{{name}}}") == text.count(f"\\end{{{name}}}") > 5
    assert text.count("{") - text.count("\\{") == text.count("}") - text.count("\\}")
    for block in re.findall(r"\\begin\{tabular\}\{([lr]+)\}(.*?)\\end\{tabular\}", text, re.DOTALL):
        columns, body = block
        for line in body.splitlines():
            if line.endswith("\\\\"):
                assert len(re.findall(r"(?<!\\)&", line)) == len(columns) - 1


def test_every_table_of_a_whole_run_is_there(run: Path) -> None:
    keys = [table.key for table in tables(analyse([load_run(run)]))]
    assert keys == [
        "overall",
        "curve",
        "repair",
        "averages",
        "by_repository",
        "by_category",
        "by_scale",
        "by_subset",
        "by_depth",
        "by_dependency",
        "dependency_cdf",
        "correlations",
        "errors",
        "errors_fine",
        "unknown",
        "patterns",
        "tactics",
        "cost",
    ]


def test_rows_fit_their_columns(run: Path) -> None:
    analysis: Analysis = analyse([load_run(run)])
    for table in tables(analysis, paper_beside()):
        assert table.columns[0].key == "run"
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert isinstance(table, Table)
        assert len(table.without("run").columns) == len(table.columns) - 1


def test_no_runs_and_empty_ones(tmp_path: Path) -> None:
    empty = make_run(tmp_path / "empty", [], [])
    for format in FORMATS:
        if format != "html":
            assert rendered([empty], format)
    assert tables(Analysis(())) == ()


def test_cells() -> None:
    assert shown(None, "rate") == "n/a"
    assert shown("", "count") == ""
    assert shown(0.99999, "rate") == "99.9 %"
    assert shown(-0.025, "points") == "-2.5"
    assert shown(0.0004, "p") == "< 0.001"
    assert shown(-0.3, "rho") == "-0.300"
    assert shown(1234567, "count") == "1,234,567"
    assert shown(61.0, "seconds") == "1 min 01 s"
    assert shown(0.5, "dollars") == "$0.5000"
    assert shown((0.1, 1.0), "interval") == "10.0 - 100.0"
    assert shown(1234.56, "number") == "1,234.6"


def test_formats_and_suffixes(run: Path) -> None:
    assert set(SUFFIXES.values()) == set(FORMATS)
    loaded: tuple[LoadedRun, ...] = load_runs([run])
    page = render(loaded, analyse(loaded), "html", paper=True)
    assert "paper: " in page
    assert "paper: " not in render(loaded, analyse(loaded), "html")


results = st.lists(task_results(any_text), max_size=4, unique_by=lambda result: result.task.nodeid)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(results, any_text)
def test_any_results_can_be_reported(found: list[TaskResult], name: str) -> None:
    run = LoadedRun(name, None, {}, tuple(found))
    analysis = analyse([run])
    (one,) = analysis.runs
    sound = [result for result in found if result.status != "known_bad"]
    assert one.overall.tasks == len(sound)
    for rows in (one.by_repository, one.by_category, one.by_depth, one.by_length, one.by_scale):
        assert sum(row.tasks for row in rows) == len(sound)
    assert one.errors.failed == sum(each.tasks for each in one.errors.classes)
    for format in FORMATS:
        if format != "html":
            text = render([run], analysis, format)
            assert "\x1b" not in text
            text.encode("utf-8")


@pytest.fixture
def falling(tmp_path: Path) -> LoadedRun:
    """A prover that had one answer to one task, which was right, and four wrong ones to another."""
    right, wrong = task("right", "one"), task("wrong", "two")
    made = [attempt(right), *(attempt(wrong, sample, error="type mismatch") for sample in range(4))]
    return load_run(make_run(tmp_path / "falling", [right, wrong], made, samples=4))


def test_every_rate_says_how_many_tasks_it_counts(falling: LoadedRun) -> None:
    analysis = analyse([falling])
    curve = analysis.runs[0].curve
    assert [(point.value, point.tasks) for point in curve] == [(0.5, 2), *[(0, 1)] * 3]
    found = {table.key: table.compact() for table in tables(analysis)}
    for key in ("overall", "by_repository"):
        names = [column.title for column in found[key].columns]
        counted = [row[names.index("in pass@4")] for row in found[key].rows]
        assert counted == ([1] if key == "overall" else [0, 1])
    assert [row[3] for row in found["averages"].rows] == [1, 1]
    note = "(2 up to k = 1, 1 up to k = 4), so it can fall as k grows"
    assert note in found["curve"].note
    for kind in ("terminal", "md", "latex", "html"):
        text = " ".join(render([falling], analysis, kind).split())
        assert note in text or note.replace("=", "\\=") in text, kind
    page = render([falling], analysis, "html")
    assert "of the 1 of 2 tasks with 4 samples" in page


def test_columns_that_tell_nothing_more_are_for_programs(falling: LoadedRun) -> None:
    whole = next(table for table in tables(analyse([falling])) if table.key == "by_repository")
    assert "judged" in {column.key for column in whole.columns}
    assert "judged" not in {column.key for column in whole.compact().columns}
    assert {line.split(",")[3] for line in as_csv([whole]).splitlines()[1:]} >= {
        "judged",
        "counted",
    }
