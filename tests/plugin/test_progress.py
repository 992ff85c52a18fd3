"""What the line says that tells how far a run is."""

from __future__ import annotations

import pytest

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
