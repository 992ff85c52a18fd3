"""Which Leans the terminal section names."""

from __future__ import annotations

import pytest

from pytest_vsb.judge.verdict import Verdict, VerdictKind
from pytest_vsb.report.section import judging_leans
from pytest_vsb.run.history import ItemHistory
from pytest_vsb.run.records import Attempt

DEFAULT = "Lean 4.35.0 0123456789ab (embedded: no lean on PATH)"


def history(*verdicts: tuple[str, float]) -> ItemHistory:
    attempts = {
        (sample, 0): Attempt(
            nodeid="a",
            sample=sample,
            round=0,
            verdict=Verdict(VerdictKind.REJECTED, toolchain=toolchain, lean_seconds=seconds),
            candidate=None,
        )
        for sample, (toolchain, seconds) in enumerate(verdicts)
    }
    return ItemHistory(attempts=attempts)


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([], []),
        ([("", 0.0)], []),
        ([("embedded 4.35.0", 0.0)], []),
        ([("embedded 4.35.0", 1.0)], [DEFAULT]),
        ([("elan 4.35.0", 1.0)], ["Lean 4.35.0 (elan)"]),
        ([("embedded 4.35.0-rc1", 1.0)], ["Lean 4.35.0-rc1 (embedded)"]),
        (
            [("embedded 4.35.0", 1.0), ("elan 4.9.0", 2.0), ("elan 4.9.0", 1.0)],
            ["Lean 4.9.0 (elan)", DEFAULT],
        ),
    ],
)
def test_the_leans_that_judged(verdicts: list[tuple[str, float]], expected: list[str]) -> None:
    assert judging_leans({"a": history(*verdicts)}, DEFAULT) == expected
