"""What GitHub Actions is told."""

from __future__ import annotations

from hypothesis import given
from report_samples import HOSTILE, sample_results, short_any_text

from pytest_vsb.report.actions import (
    MAX_SUMMARY,
    Annotation,
    cell,
    code,
    commands,
    step_summary,
)
from pytest_vsb.report.gate import Baseline, Rules, gate
from pytest_vsb.report.summary import ks_for, summarise
from pytest_vsb.report.text import one_line
from pytest_vsb.run.records import TaskFacts, TaskResult


def test_a_command() -> None:
    told = Annotation("error", "50 %\nof it", "a: b, c", "dir/a,b.vsb.jsonl", 3)
    assert told.command() == (
        "::error file=dir/a%2Cb.vsb.jsonl,line=3,title=a%3A b%2C c::50 %25%0Aof it"
    )
    assert Annotation("notice", "x").command() == "::notice::x"
    assert Annotation("warning", "x", line=3).command() == "::warning::x"


@given(short_any_text, short_any_text)
def test_no_text_makes_a_second_command(message: str, title: str) -> None:
    line = Annotation("error", message, title, "f", 1).command()
    assert "\n" not in line
    assert "\r" not in line
    head = line.removeprefix("::error ").partition("::")[0]
    assert head.count("::") == 0
    assert head.count(",") == 1 + bool(one_line(title, 200))


def test_no_more_than_are_shown() -> None:
    many = [Annotation("error", str(i)) for i in range(25)]
    lines = commands([Annotation("notice", "n"), *many])
    assert len(lines) == 11
    assert lines[0] == "::error::0"
    assert lines[9] == "::error::and 16 more, see the log"
    assert lines[10] == "::notice::n"
    assert len(commands(many[:10])) == 10


def test_hostile_text_is_itself_in_markdown() -> None:
    text = cell("<script>a|b</script> [x](y) `c` @all\n# d")
    assert "<" not in text.replace("\\<", "")
    assert "|" not in text.replace("\\|", "")
    assert "\n" not in text
    assert code("a`b``c") == "```a`b``c```"
    assert code("`a|") == "`` `a\\| ``"


def test_summary() -> None:
    before = [TaskResult(TaskFacts("a", "f::a"), "done", 8, 8, 8)]
    now = [TaskResult(TaskFacts("a", "f::a"), "done", 8, 0, 0)]
    found = gate(Baseline(before, Rules()), now, Rules())
    text = step_summary("model `x`", summarise(now, ks_for(8)), found)
    assert text.startswith(
        "## model \\`x\\`\n\n**Regression gate: closed**\n\n- 1 task regressed\n"
    )
    assert "| `f::a` | 8 of 8 | 0 of 8 | 7.8e-05 |" in text


def test_summary_without_a_gate() -> None:
    results = sample_results()
    summary = summarise(results, ks_for(8))
    text = step_summary(HOSTILE, summary, None, ["f::a", "f::b"])
    assert "### Failed\n\n- `f::a`\n- `f::b`" in text
    assert "| total | 11 |" in text
    assert "\x1b" not in text


def test_a_summary_is_never_too_long() -> None:
    results = [
        TaskResult(TaskFacts(f"{i}", f"f::{i}", category="ℝ" * 900 + str(i)), "done", 1, 0, 0)
        for i in range(900)
    ]
    text = step_summary("m", summarise(results, [1]))
    assert len(text.encode()) <= MAX_SUMMARY
    assert text.endswith("The rest is too long for a summary.\n")
