"""The page as a document: what is in it, and that it is well made. No browser is needed."""

from __future__ import annotations

import base64
import itertools
import json
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import html_samples
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.errors import VsbError
from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity
from pytest_vsb.provers.base import Candidate
from pytest_vsb.report.analysis import analyse
from pytest_vsb.report.formats.published import paper_beside
from pytest_vsb.report.html import detail, svg
from pytest_vsb.report.html import page as page_module
from pytest_vsb.report.html.page import build
from pytest_vsb.report.html.write import write_page
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.results import write_results
from pytest_vsb.report.section import report_run
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.records import Attempt, TaskFacts
from pytest_vsb.source.scanner import scan
from pytest_vsb.source.splice import normalise_proof, splice

VOID = {"meta", "link", "input", "br", "img", "hr"}
Attributes = dict[str, str | None]


class Document(HTMLParser):
    """A page, taken apart: elements in order, text of scripts and styles, what is unbalanced."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, Attributes]] = []
        self.raw: list[tuple[str, Attributes, str]] = []
        self.wrong: list[str] = []
        self.text: list[str] = []
        self._open: list[tuple[str, Attributes]] = []
        self.feed(text)
        self.close()
        self.wrong += [f"not closed: {tag}" for tag, _ in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if len(dict(attrs)) != len(attrs):
            self.wrong.append(f"an attribute twice: {tag} {attrs}")
        if tag not in VOID:
            self._open.append((tag, dict(attrs)))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1][0] != tag:
            self.wrong.append(f"</{tag}> within {[name for name, _ in self._open]}")
        else:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1][0] in ("script", "style"):
            self.raw.append((*self._open[-1], data))
        else:
            self.text.append(data)

    def every(self, tag: str) -> list[Attributes]:
        return [attributes for name, attributes in self.elements if name == tag]

    def packed(self) -> list[dict[str, Any]]:
        """What is told of the tasks."""
        return [
            json.loads(zlib.decompress(base64.b64decode(text)))
            for tag, attributes, text in self.raw
            if tag == "script" and attributes.get("type") == "application/octet-stream"
        ]


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, tuple[LoadedRun, ...]]:
    directory = tmp_path_factory.mktemp("usual")
    first = html_samples.usual_run(directory / "first")
    second = html_samples.usual_run(directory / "second", model="other", skill=1)
    return html_samples.page_of(first, second)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    return html_samples.page_of(html_samples.hostile_run(tmp_path_factory.mktemp("h") / "run"))[0]


@pytest.fixture(scope="module", params=["usual", "hostile"])
def page(request: pytest.FixtureRequest) -> str:
    found = request.getfixturevalue(request.param)
    return found if isinstance(found, str) else str(found[0])


def test_it_is_well_formed(page: str) -> None:
    document = Document(page)
    assert document.wrong == []
    ids = [a["id"] for _, a in document.elements if "id" in a]
    assert len(ids) == len(set(ids))
    assert page.startswith("<!DOCTYPE html>")
    assert document.every("html") == [{"lang": "en"}]
    assert "Undefined" not in page


def test_what_it_needs_to_be_accessible(page: str) -> None:
    document = Document(page)
    for tag in ("main", "header", "nav", "footer", "h1"):
        assert document.every(tag), tag
    assert all(a.get("role") == "img" and a.get("aria-label") for a in drawings(document))
    assert all(a.get("scope") in ("row", "col") for a in document.every("th"))
    assert len(document.every("caption")) == len(document.every("table")) > 5
    regions = [a for a in document.every("div") if a.get("role") == "region"]
    assert all(a.get("tabindex") == "0" and a.get("aria-label") for a in regions)
    named = {a["id"] for _, a in document.elements if "id" in a}
    for _, attributes in document.elements:
        label = attributes.get("aria-labelledby")
        assert label is None or label in named
    links = [a["href"] or "" for a in document.every("a")]
    assert all(link.startswith("#") for link in links)
    inner = {link[1:] for link in links} - {""}
    assert {name for name in inner if not name.startswith("task=")} <= named
    fields = len(document.every("select")) + len(document.every("input"))
    assert len(document.every("label")) == fields


def drawings(document: Document) -> list[Attributes]:
    return [a for a in document.every("svg") if a.get("aria-hidden") != "true"]


def test_nothing_is_loaded_and_nothing_else_may_run(page: str) -> None:
    document = Document(page)
    for _, attributes in document.elements:
        assert not attributes.keys() & {"src", "srcset", "style", "action", "srcdoc", "data"}
        assert not [name for name in attributes if name.startswith("on")]
    policy = next(
        a["content"]
        for a in document.every("meta")
        if a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    scripts = [text for tag, a, text in document.raw if tag == "script" and "type" not in a]
    styles = [text for tag, _, text in document.raw if tag == "style"]
    assert len(scripts) == len(styles) == 1
    assert f"script-src '{html_samples.digest(scripts[0])}'" in policy
    assert f"style-src '{html_samples.digest(styles[0])}'" in policy
    # What could make an element or a program of a text is not in the script.
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(", page
    )


def test_hostile_text_is_shown_and_not_obeyed(hostile: str) -> None:
    document = Document(hostile)
    kinds = {tag for tag, _ in document.elements}
    assert not kinds & {"img", "iframe", "textarea", "object", "embed"}
    text = "".join(document.text)
    for payload in html_samples.HOSTILE[:-1]:
        assert payload in text
    assert "1337" not in text  # what a template in a name would come to
    assert "\x1b" not in hostile
    assert "\u202e" not in hostile
    packed = json.dumps(document.packed(), ensure_ascii=False)
    assert "\u202e" not in packed
    assert "\\u001b" not in packed


def test_what_is_told_of_a_task(usual: tuple[str, tuple[LoadedRun, ...]]) -> None:
    page, runs = usual
    tasks = Document(page).packed()
    assert len(tasks) == 12
    task = tasks[1]
    assert task["name"] == "Demo.thm_01"
    assert ["nesting depth", "1"] in task["facts"]
    assert [run["run"] for run in task["runs"]] == [0, 1]
    assert [(run["n"], run["c"]) for run in task["runs"]] == [(4, 1), (4, 0)]
    attempts = task["runs"][0]["attempts"]
    assert len(attempts) == len(runs[0].attempts(f"{html_samples.FILE}::thm_01")) == 8
    first = attempts[0]
    assert (first["sample"], first["round"], first["verdict"]) == (0, 0, "rejected")
    proof = task["texts"][first["proof"]]
    assert proof == normalise_proof(html_samples.FIRST)
    named, goals, elsewhere = first["diagnostics"]
    line = proof.split("\n")[named["at"][0] - 1]
    assert line[named["at"][1] : named["to"][1]] == "foo"
    lines = task["texts"][goals["message"]].split("\n")
    assert "\n".join(lines[slice(*goals["goals"])]) == html_samples.GOALS
    assert elsewhere["region"] == "statement"
    assert ["axioms", "propext"] in attempts[3]["facts"]
    assert ["cost", "$0.0125"] in first["facts"]


def test_every_row_has_a_cell_for_every_column(page: str) -> None:
    tables = re.findall(r"<table.*?</table>", page, re.DOTALL)
    assert len(tables) > 5
    for table in tables:
        rows = [re.findall(r"<t[hd][ >]", row) for row in table.split("</tr>")[:-1]]
        assert len({len(row) for row in rows}) == 1


def test_texts_that_are_alike_are_there_once(usual: tuple[str, tuple[LoadedRun, ...]]) -> None:
    for task in Document(usual[0]).packed():
        assert len(task["texts"]) == len(set(task["texts"])) <= 9


def test_a_page_of_more_attempts_than_it_can_hold(
    usual: tuple[str, tuple[LoadedRun, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, runs = usual
    results = sum(len(run.results) for run in runs if run.has_attempts)
    monkeypatch.setattr(page_module, "ATTEMPTS", results)
    page = build(runs, analyse(runs))
    assert "This page does not show all " in page
    assert "This page does not show all " not in whole
    for run in runs:
        for result in run.results:
            attempts = run.attempts(result.task.nodeid)
            for most in range(1, 9):
                shown = detail.whole_samples(attempts, most)
                kept = {a.sample for a in shown}
                assert list(shown) == [a for a in attempts if a.sample in kept]
                assert len(shown) <= most or len(kept) == 1
                assert bool(shown) == bool(attempts)
                assert any(a.verdict.accepted for a in shown) == (result.c > 0)
            (told,) = detail.task_detail([(0, run, result)], 1)["runs"]
            assert len(told["attempts"]) + told.get("left", 0) == len(attempts)


def test_the_same_runs_make_the_same_page(usual: tuple[str, tuple[LoadedRun, ...]]) -> None:
    page, runs = usual
    assert build(runs, analyse(runs)) == page


def test_charts_have_numbers_and_no_impossible_ones(page: str) -> None:
    found = re.findall(r"<svg viewBox.*?</svg>", page, re.DOTALL)
    assert len(found) >= 6
    for drawing in found:
        assert not re.search(
            r"nan|inf|e[+-]\d",
            re.sub(
                '<title>.*?</title>|<text.*?</text>|aria-label="[^"]*"',
                "",
                drawing,
                flags=re.DOTALL,
            ),
        )
    assert (
        len(re.findall("<figure", page))
        == len(re.findall("<figcaption", page))
        == len(re.findall("<summary>The numbers", page))
    )


def test_charts_of_runs_with_repair(usual: tuple[str, tuple[LoadedRun, ...]]) -> None:
    ids = re.findall(r'<figure id="chart-(\w+)"', usual[0])
    assert ids == [
        *("curve", "depth", "repair", "repository", "errors", "dependencies", "length"),
        *("lean", "prover", "cost"),
    ]


def test_a_run_without_attempts(tmp_path: Path) -> None:
    directory = RunDirectory(html_samples.usual_run(tmp_path / "run"))
    report = report_run(directory)
    write_results(tmp_path / "results.json", report.run, report.summary, report.results)
    page, runs = html_samples.page_of(tmp_path / "results.json")
    assert not runs[0].has_attempts
    document = Document(page)
    assert document.wrong == []
    assert "only results are kept" in "".join(document.text)
    assert not any(run["attempts"] for task in document.packed() for run in task["runs"])


def test_a_run_in_which_nothing_was_judged(tmp_path: Path) -> None:
    tasks = [html_samples.task("a"), html_samples.task("b")]
    page, _ = html_samples.page_of(html_samples.make_run(tmp_path / "run", tasks, []))
    document = Document(page)
    assert document.wrong == []
    assert "2 tasks not run." in "".join(document.text)
    page, _ = html_samples.page_of(html_samples.make_run(tmp_path / "empty", [], []))
    assert Document(page).wrong == []


def test_one_sample_and_one_task(tmp_path: Path) -> None:
    task = html_samples.task("a")
    run = html_samples.make_run(
        tmp_path / "run",
        [task],
        [Attempt(task.nodeid, 0, 0, Verdict(VerdictKind.ACCEPTED), Candidate("by x"))],
    )
    page, _ = html_samples.page_of(run)
    assert Document(page).wrong == []
    assert "1 of 1" in page
    assert 'id="chart-curve"' not in page  # a single point is no curve
    assert '<th scope="row">made-up</th>' in page  # the row of the overall table has a name


def test_tables_with_rows_from_elsewhere(usual: tuple[str, tuple[LoadedRun, ...]]) -> None:
    page, runs = usual
    beside = paper_beside()
    assert not any(note in page for note in beside.notes)
    with_paper = build(runs[:1], analyse(runs[:1]), beside=beside)
    document = Document(with_paper)
    assert document.wrong == []
    text = "".join(document.text)
    assert all(note[:80] in text for note in beside.notes)
    assert all(who in text for who, *_ in beside.overall)


def test_runs_that_mean_different_tasks_by_one_name(tmp_path: Path) -> None:
    def run(name: str, task: TaskFacts) -> Path:
        attempt = Attempt(task.nodeid, 0, 0, Verdict(VerdictKind.ACCEPTED), Candidate("by x"))
        return html_samples.make_run(tmp_path / name, [task], [attempt], model=name)

    one = replace(html_samples.task("a"), digest="1")
    page, _ = html_samples.page_of(run("one", one), run("two", replace(one, digest="2")))
    assert "1 task is not the same in all runs" in page
    assert len(Document(page).packed()) == 1
    # Another declaration under the same nodeid is another task, with a link of its own.
    page, _ = html_samples.page_of(run("three", one), run("four", replace(one, name="Demo.b")))
    assert len(Document(page).packed()) == 2
    links = [a["href"] or "" for a in Document(page).every("a")]
    tasks = [link for link in links if link.startswith("#task=")]
    assert tasks == ["#task=demo.vsb.jsonl::a%20%231", "#task=demo.vsb.jsonl::a%20%232"]


def test_it_needs_the_analysis_of_its_runs(usual: tuple[str, tuple[LoadedRun, ...]]) -> None:
    _, runs = usual
    with pytest.raises(ValueError, match="analysis"):
        build(runs[:1], analyse(runs))
    with pytest.raises(ValueError, match="runs"):
        build((), analyse(()))


def test_writing(tmp_path: Path) -> None:
    run = html_samples.usual_run(tmp_path / "run")
    output = tmp_path / "page.html"
    size = write_page(run, output)
    assert output.stat().st_size == size > 50_000
    assert output.read_bytes().decode() == html_samples.page_of(run)[0]
    with pytest.raises(VsbError, match="cannot write the page"):
        write_page(run, output / "below.html")
    with pytest.raises(VsbError, match="cannot write the page"):
        write_page(run, tmp_path / "new" / "page.html")
    assert not (tmp_path / "new").exists()


# ---- Details -------------------------------------------------------------------------------------


@given(
    st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from(
                ["by", ":=", "|", "where", "--", "/-", "-/", "\n", "  ", "\r", '"', "x"]
            )
        ).map("".join),
    )
)
def test_proofs_are_shown_as_they_were_submitted(proof: str) -> None:
    source = scan("theorem t : p := old\n")
    wanted = splice(source, source.find("t"), auxiliary="", proof=proof).text
    shown = detail._submitted(proof)
    assert shown == normalise_proof(proof)
    if not shown.startswith("|"):
        assert wanted == f"theorem t : p {shown}\n"


def test_a_message_that_was_made_safe_still_shows_its_goals() -> None:
    texts = detail._Texts()
    message = "no:\x1b\n\n a : b  \n\x1bh : p\n⊢ q\n\nhint"
    number = texts.number(message, 1000)
    assert texts.goals(number, "\x1bh : p\n⊢ q") == [3, 5]
    long = texts.number("x" * 500 + "\nh : p\n⊢ q\n" + "y" * 500, 400)
    assert texts.goals(long, "h : p\n⊢ q") is None


def one_diagnostic(found: Diagnostic) -> dict[str, Any]:
    task = html_samples.task("a")
    verdict = Verdict(VerdictKind.REJECTED, diagnostics=(found,))
    attempt = Attempt(task.nodeid, 0, 0, verdict, Candidate("by x"))
    told = detail._attempt(attempt, detail._Texts())["diagnostics"][0]
    return dict(told)


def test_places_within_a_proof() -> None:
    found = Diagnostic(Severity.ERROR, "m", Position(20, 30), Position(20, 34), region="proof")
    assert "at" not in one_diagnostic(found)  # not recorded: it is shown below the proof
    found = replace(found, local=Position(1, 3))
    assert one_diagnostic(found)["at"] == [1, 3]
    assert one_diagnostic(found)["to"] == [1, 7]
    found = replace(found, end=Position(22, 5))
    assert one_diagnostic(found)["to"] == [3, 5]
    assert "to" not in one_diagnostic(replace(found, end=Position(19, 0)))
    assert "to" not in one_diagnostic(replace(found, end=None))


def test_many_and_long_messages_are_cut() -> None:
    many = tuple(
        Diagnostic(Severity.ERROR, f"{number} " + "x" * 9000, Position(1, 0))
        for number in range(50)
    )
    task = html_samples.task("a")
    attempt = Attempt(task.nodeid, 0, 0, Verdict(VerdictKind.REJECTED, diagnostics=many))
    texts = detail._Texts()
    told = detail._attempt(attempt, texts)
    assert len(told["diagnostics"]) == detail.DIAGNOSTICS
    assert told["more"] == 30
    assert max(map(len, texts.all)) == detail.MESSAGE_LIMIT
    assert "proof" not in told


# ---- Drawing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("last", [1, 2, 3, 4, 5, 8, 9, 10, 32, 100])
def test_axes_of_samples(last: int) -> None:
    axis = svg.power_axis("k", last)
    assert axis.marks[0][0] == 1
    assert axis.marks[-1][0] == last
    places = [axis.place(value) for value, _ in axis.marks]
    assert places == sorted(places)
    assert min(places) >= 0
    assert max(places) <= 1
    # Marks do not run into each other.
    gaps = [b - a for a, b in itertools.pairwise(places)]
    assert not gaps or min(gaps) > 0.04


@given(st.floats(0, 1))
def test_axes_of_fractions(top: float) -> None:
    axis = svg.fraction_axis("share", top)
    assert axis.marks[0] == (0, "0%")
    assert top <= axis.marks[-1][0] <= 1
    assert axis.place(axis.marks[-1][0]) == pytest.approx(1)


@given(st.floats(0, 1e7))
def test_axes_of_counts(top: float) -> None:
    axis = svg.count_axis("n", top)
    values = [value for value, _ in axis.marks]
    assert values[0] == 0
    assert top <= values[-1] <= max(2.6 * top, 5)
    assert 2 <= len(values) <= 6
    assert all(value == int(value) for value in values)


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_axes_of_times_and_money(one: float, other: float) -> None:
    low, high = sorted((one, other))
    for make in (svg.time_axis, svg.money_axis):
        axis = make("time", low, high)
        assert 0 <= axis.place(low) <= axis.place(high) <= 1
        assert 1 <= len(axis.marks) <= 7


def test_names_in_drawings_are_escaped_and_cut() -> None:
    bars = svg.Bars("<b>&" + "x" * 200, (svg.Bar(0.5, "<i>", 0.2, 0.8),))
    drawing = str(svg.bar_chart("<title>", [bars]))
    assert "<b>" not in drawing
    assert "&lt;b&gt;&amp;x" in drawing
    assert "…" in drawing
    assert "<i>" not in drawing
    assert 'aria-label="&lt;title&gt;"' in drawing


# ---- Colours -------------------------------------------------------------------------------------

TEXT_PAIRS = [
    *((name, back) for name in ("text", "soft", "link") for back in ("back", "card", "code")),
    *((f"{name}", f"{name}-back") for name in ("good", "bad", "warn", "info", "none")),
    *((name, "code") for name in ("k", "t", "c", "s", "n", "o", "bad")),
    *((name, back) for name in ("text", "k", "t", "n") for back in ("add", "cut")),
    *(("text", f"{name}-back") for name in ("bad", "warn", "info")),
]


def themes() -> dict[str, dict[str, str]]:
    style = (Path(svg.__file__).parent / "assets" / "style.css").read_text(encoding="utf-8")
    blocks = re.findall(r"(:root[^{]*)\{([^}]*)\}", style)
    found = {
        selector.strip(): dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
        for selector, block in blocks
    }
    light = found[":root"]
    return {selector: {**light, **colours} for selector, colours in found.items() if colours}


@pytest.mark.parametrize("theme", themes())
def test_contrast(theme: str) -> None:
    """WCAG 2.1, criteria 1.4.3 (text: 4.5) and 1.4.11 (what charts are drawn with: 3)."""
    colours = themes()[theme]
    for front, back in TEXT_PAIRS:
        assert contrast(colours[front], colours[back]) >= 4.5, (front, back)
    for number in range(svg.SERIES):
        assert contrast(colours[f"s{number}"], colours["card"]) >= 3, number


def test_dark_is_the_same_by_system_and_by_button() -> None:
    found = themes()
    assert len(found) == 3
    assert found[':root[data-theme="dark"]'] == found[':root:not([data-theme="light"])']


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
