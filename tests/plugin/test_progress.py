"""What the line says that tells how far a run is."""

from __future__ import annotations

import os

import pytest
from _pytest.config import create_terminal_writer

from pytest_vsb.plugin.progress import Progress

WAITS = "waiting for a Dask worker with the repository demo (40 of 120 s)"
LATER, NOW = float("inf"), 0.0


def progress(pytester: pytest.Pytester, said: list[str], *arguments: str) -> Progress:
    config = pytester.parseconfig(*arguments)
    found = Progress(config, lambda: said[-1])
    found.item_started("a.vsb.jsonl::t")
    return found


def test_it_says_at_once_that_checks_wait(pytester: pytest.Pytester) -> None:
    said = [""]
    line = progress(pytester, said)
    assert line.line_now(LATER) == ""
    assert "the longest for 0 s: a.vsb.jsonl::t" in line.line_now(NOW)
    said.append(WAITS)
    expected = f"vsb: 0 tasks done, 0 solved, 1 running, {WAITS}"
    assert line.line_now(LATER) == expected
    assert line.line_now(LATER) == ""
    assert line.line_now(NOW) == expected
    said.append("")
    assert line.line_now(LATER) == ""
    said.append(WAITS)
    assert line.line_now(LATER) == expected


@pytest.mark.parametrize("quiet", ["-q", "--vsb-progress=0"])
def test_it_warns_once_where_no_lines_are_wanted(pytester: pytest.Pytester, quiet: str) -> None:
    said = [""]
    line = progress(pytester, said, quiet)
    assert line.line_now(NOW) == ""
    said.append(WAITS)
    assert [line.line_now(NOW) for _ in range(3)] == [f"vsb: WARNING: {WAITS}", "", ""]


def test_lines_go_between_what_pytest_prints(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever has been counted meanwhile: an item is counted a moment before its letter."""
    line = progress(pytester, [""])
    printed = pytester.path / "printed"
    with printed.open("a") as file:
        writer = create_terminal_writer(line._config, file)
        monkeypatch.setattr(line._config, "get_terminal_writer", lambda: writer)
        line._terminal = os.open(printed, os.O_WRONLY | os.O_APPEND)
        line._write("vsb: 1")
        writer.write("a.vsb.jsonl ")
        line._write("vsb: 2")
        line.item_ended("a.vsb.jsonl::t", True)
        line._write("vsb: 3")
        line.item_started("a.vsb.jsonl::u")
        line._write("vsb: 4")
        writer.write(".")
        line._write("vsb: 5")
        writer.write("\na.vsb.jsonl::t ")
        line._write("vsb: 6")
        # As wide as the one before.
        writer.write("PASSED\na.vsb.jsonl::u ")
        line._write("vsb: 7")
        line.stop()
    assert [each.rstrip() for each in printed.read_text().splitlines()] == [
        *("vsb: 1", "a.vsb.jsonl", "vsb: 2", "vsb: 3", "vsb: 4", ".", "vsb: 5", ""),
        *("a.vsb.jsonl::t", "vsb: 6", "PASSED", "a.vsb.jsonl::u", "vsb: 7"),
    ]
