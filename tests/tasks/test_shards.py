"""Shards: a partition, near the optimum, with whole modules, the same everywhere."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from task_lines import task

from pytest_vsb.tasks.estimate import estimate, estimates
from pytest_vsb.tasks.model import Dependency, TaskMetrics
from pytest_vsb.tasks.shards import Shard, assign, plan_shard

WEIGHTS = st.lists(st.integers(1, 40) | st.integers(1, 10**6), min_size=1, max_size=60)


def loads(weights: list[int], shards: list[int], count: int) -> list[int]:
    found = [0] * count
    for weight, shard in zip(weights, shards, strict=True):
        found[shard] += weight
    return found


def optimum(weights: list[int], count: int) -> int:
    """The heaviest shard in the best division, by trying all."""
    return min(
        max(loads(weights, list(way), count))
        for way in itertools.product(range(count), repeat=len(weights))
    )


@given(
    weights=st.lists(st.integers(1, 12), min_size=1, max_size=6),
    groups=st.lists(st.integers(0, 2), min_size=6, max_size=6),
    count=st.integers(1, 3),
)
def test_heaviest_shard_is_at_most_four_thirds_of_the_optimum(
    weights: list[int], groups: list[int], count: int
) -> None:
    shards = assign(weights, sorted(groups[: len(weights)]), count)
    assert 3 * max(loads(weights, shards, count)) <= 4 * optimum(weights, count)


@given(weights=WEIGHTS, count=st.integers(1, 70), size=st.integers(1, 9))
def test_shards_are_near_the_mean(weights: list[int], count: int, size: int) -> None:
    shards = assign(weights, [i // size for i in range(len(weights))], count)
    assert len(shards) == len(weights)
    assert set(shards) <= set(range(count))
    found = loads(weights, shards, count)
    assert sum(load > 0 for load in found) == min(count, len(weights))
    # No item is split, and what is above 4/3 of the mean is only due to items above its third.
    used = min(count, len(weights))
    large = [w for w in weights if 3 * used * w > sum(weights)]
    if not large:
        assert 3 * used * max(found) <= 4 * sum(weights)


def test_modules_stay_whole_where_it_costs_little() -> None:
    # Two shards of 50: the border at 49 is within a twentieth, that at 40 is not.
    assert assign([1] * 100, [0] * 49 + [1] * 51, 2) == [0] * 49 + [1] * 51
    assert assign([1] * 100, [0] * 40 + [1] * 60, 2) == [0] * 50 + [1] * 50
    # At most one module a border is cut in two.
    groups = [i // 7 for i in range(140)]
    shards = assign([1] * 140, groups, 8)
    cut = sum(len({shards[i] for i in range(140) if groups[i] == g}) > 1 for g in set(groups))
    assert cut <= 7


def test_large_items_do_not_hide_small_ones() -> None:
    assert sorted(loads([90, 1, 1, 1, 7, 90], assign([90, 1, 1, 1, 7, 90], [0] * 6, 3), 3)) == [
        10,
        90,
        90,
    ]


def test_more_shards_than_items_and_none() -> None:
    assert sorted(assign([3, 1, 2], [0, 0, 0], 10**18)) == [0, 1, 2]
    assert assign([], [], 4) == []
    plan = plan_shard([], [], Shard(2, 3))
    assert (plan.chosen, plan.of, plan.permille) == ((), 0, 0)


def test_estimate_grows_with_what_takes_time() -> None:
    plain = estimate(task("a"))
    more = [
        task("a", extra={"local_ctx": "x" * 9000}),
        task("a", statement="theorem a : " + "True ∧ " * 50 + "True"),
        task("a", reference_proof=":= by\n" + "  simp\n" * 40),
        task("a", dependencies=tuple(Dependency(f"d{i}", scope="file") for i in range(30))),
        task("a", metrics=TaskMetrics(transitive_dependencies=80)),
    ]
    assert all(estimate(one) > plain > 0 for one in more)
    assert estimate(task("a", known_bad="false")) == 1
    assert estimate(task("a", extra={"local_ctx": 7})) == plain


def test_measured_times_scale_the_estimates_of_the_rest() -> None:
    tasks = [task("a"), task("b", statement="theorem b : " + "x" * 500), task("c")]
    plain = estimates(tasks)
    found = estimates(tasks, ["a", "b", "c"], {"a": 4 * plain[0], "x": 1})
    assert found == (4 * plain[0], 4 * plain[1], 4 * plain[2])
    assert estimates(tasks, ["a", "b", "c"], {"a": 0, "b": 0, "c": 9}) == (1, 1, 9)
    assert estimates(tasks, ["a", "b", "c"], {"x": 5}) == plain


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_same_in_any_process(seed: str) -> None:
    """Nothing depends on the hashes of texts, which differ from one process to the next."""
    program = (
        "import sys; sys.path.insert(0, 'tests/tasks')\n"
        "from task_lines import task\n"
        "from pytest_vsb.tasks.shards import Shard, plan_shard\n"
        "tasks = [task(f't{i}', module=f'M{i % 5}', statement='x' * i * i) for i in range(40)]\n"
        "for i in range(1, 4):\n"
        "    plan = plan_shard(tasks, range(40), Shard(i, 3))\n"
        "    print(plan.plan, *plan.chosen)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=__file__.rpartition("/tests/")[0],
        env={"PYTHONHASHSEED": seed},
    )
    # Modules are 0, 5, 10 ... and 1, 6, 11 and so on.
    assert ended.stdout.splitlines() == [
        "bd4677a09ae252e4 0 1 5 10 11 15 16 20 21 25 26 30 31 35",
        "bd4677a09ae252e4 2 6 7 12 13 17 18 22 23 27 28 32 36 37",
        "bd4677a09ae252e4 3 4 8 9 14 19 24 29 33 34 38 39",
    ]
