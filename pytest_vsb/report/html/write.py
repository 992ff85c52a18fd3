"""The page of one run as a file."""

from __future__ import annotations

from pathlib import Path

from pytest_vsb.errors import VsbError
from pytest_vsb.files import write_atomically
from pytest_vsb.report.analysis import analyse
from pytest_vsb.report.html.page import build
from pytest_vsb.report.loaded import load_runs


def write_page(run: Path, output: Path) -> int:
    """Write the page of a run, ended in whatever way or still going on, and return its size in
    bytes. At every instant the file is whole, the old or the new one.

    Args:
        run: what ``report.loaded.load_run`` reads, such as a run directory.
        output: the HTML file.

    Raises:
        UsageError: there is no run, or it cannot be read.
        VsbError: the file cannot be written.
    """
    runs = load_runs([run])
    content = build(runs, analyse(runs)).encode("utf-8", "backslashreplace")
    try:
        write_atomically(output, content)
    except OSError as error:
        reason = error.strerror or str(error)
        raise VsbError(f"cannot write the page: {reason}", where=str(output)) from error
    return len(content)
