"""One verdict for a reader at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_vsb.judge.verdict import Verdict
from pytest_vsb.report.text import clean

_MESSAGE = 4000


def verdict_lines(name: str, verdict: Verdict, excerpts: Sequence[str] = ()) -> Iterator[str]:
    """The verdict on a candidate for the task ``name``: its kind, what it rests on, its reason,
    and Lean's messages, each with the source lines around it where ``excerpts`` has them.

    Control characters and what else could deceive a terminal are shown as pictures.
    """
    yield clean(f"{verdict.kind}: {name}", 1000)
    if verdict.reason:
        yield from _indented(verdict.reason)
    if verdict.assurance:
        yield f"checked: {', '.join(verdict.assurance)}"
    if {"axioms", "axioms-printed"} & set(verdict.assurance):
        yield clean(f"axioms: {', '.join(verdict.axioms) or 'none'}", _MESSAGE)
    if verdict.lean_seconds:
        before = " (for an equal candidate, before)" if verdict.cached else ""
        yield (
            f"Lean: {verdict.toolchain}, {verdict.lean_seconds:.2f} s, "
            f"{verdict.peak_memory_mb:.0f} MB{before}"
        )
    for index, diagnostic in enumerate(verdict.diagnostics):
        start = diagnostic.start
        yield ""
        place = f"{start.line}:{start.column}"
        region = f" in the {diagnostic.region}" if diagnostic.region else ""
        yield f"{diagnostic.severity.value} at {place}{region}:"
        yield from _indented(diagnostic.message)
        if index < len(excerpts) and excerpts[index]:
            yield from clean(excerpts[index], _MESSAGE).split("\n")


def _indented(text: str) -> list[str]:
    return [f"  {line}".rstrip() for line in clean(text, _MESSAGE).split("\n")]
