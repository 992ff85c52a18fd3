"""What merging says of shards: missing ones, doubled ones, and those that do not fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pytest_vsb.report.parts import all_shards, shard_notes


def run(*shards: tuple[int, int], seed: int = 0, plan: str = "a") -> Mapping[str, Any]:
    return {
        "identity": {"seed": seed},
        "shards": [{"index": i, "count": n, "plan": plan} for i, n in shards],
    }


@pytest.mark.parametrize(
    ("runs", "notes"),
    [
        ([{}, {}], []),
        ([run((1, 2)), run((2, 2))], []),
        ([run((1, 1))], []),
        ([run((1, 3)), run((3, 3))], ["shard 2/3 is missing"]),
        ([run((2, 4)), {}], ["shards 1/4, 3/4, 4/4 are missing"]),
        ([run((1, 3), (2, 3)), run((3, 3))], []),
        ([run((1, 2)), run((2, 2)), run((1, 2))], ["shard 1/2 is there 2 times: r0, r2"]),
        (
            [run((1, 10**9))],
            [
                "shards 2/1000000000, 3/1000000000, 4/1000000000, 5/1000000000, 6/1000000000, "
                "7/1000000000, 8/1000000000, 9/1000000000, 10/1000000000, 11/1000000000 and "
                "999999989 more are missing"
            ],
        ),
        (
            [run((1, 2)), run((2, 3))],
            [
                "these are shards of different numbers of parts (r0: of 2; r1: of 3): "
                "they are no whole"
            ],
        ),
        (
            [run((1, 2)), run((2, 2), plan="b")],
            [
                "the shards are not of one division (r0, r1 differ): their sessions had other "
                "tasks, options that select, or --vsb-shard-times, so tasks may be missing or "
                "there twice"
            ],
        ),
        (
            [run((1, 2)), run((2, 2)), run((2, 2), seed=1)],
            ["seed 1: shard 1/2 is missing"],
        ),
        ([{"shards": "no"}, {"shards": [3, {"index": 2, "count": 1}, {"index": "1"}]}], []),
    ],
)
def test_notes(runs: list[Mapping[str, Any]], notes: list[str]) -> None:
    assert [*shard_notes([(f"r{i}", each) for i, each in enumerate(runs)])] == notes


def test_a_merged_run_holds_all_its_shards() -> None:
    merged = all_shards([run((1, 3)), run((3, 3)), run((1, 3))])
    assert [*shard_notes([("m", {"shards": merged}), ("r", run((2, 3)))])] == [
        "seed None: shard 2/3 is missing",
        "seed 0: shards 1/3, 3/3 are missing",
    ]
    whole = {"identity": {"seed": 0}, "shards": merged}
    assert [*shard_notes([("m", whole), ("r", run((2, 3)))])] == []
