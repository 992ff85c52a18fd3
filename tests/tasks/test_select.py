"""The selection options and the markers."""

from __future__ import annotations

import keyword
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from task_lines import task

from pytest_vsb.errors import UsageError
from pytest_vsb.tasks.model import Task
from pytest_vsb.tasks.select import (
    Ids,
    Selection,
    Shard,
    markers,
    parse_ids,
    parse_limit,
    parse_shard,
    select,
    slug,
)

TASKS = (
    task("a", number=1, repository="loom", category="Semantics", subsets=("easy",)),
    task("b", number=2, repository="loom", category="Type systems", subsets=("hard", "aristotle")),
    task("c", number=10, repository="iris-lean", category="Semantics", subsets=("hard",)),
    task("d", number=15, repository="iris-lean", category="Heaps, and more"),
    task("12", repository="VCV-io", category="Semantics"),
)


def chosen(tasks: tuple[Task, ...] = TASKS, **options: Any) -> str:
    """The ids of the selected tasks."""
    return " ".join(tasks[i].id for i in select(tasks, Selection.parse(**options)).indices)


def refused(**options: Any) -> str:
    with pytest.raises(UsageError) as caught:
        chosen(**options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ({}, "a b c d 12"),
        ({"ids": ["1:10,15"]}, "a b c d"),
        ({"ids": ["15", "2 : 3"]}, "b d"),
        ({"ids": ["2:"]}, "b c d"),
        ({"ids": [":2"]}, "a b"),
        ({"ids": ["c,1"]}, "a c"),
        ({"ids": ["12"]}, "12"),
        ({"repositories": ["LOOM"]}, "a b"),
        ({"repositories": ["loom,vcv-io"]}, "a b 12"),
        ({"repositories": ["iris_lean"]}, "c d"),
        ({"categories": ["semantics", "Type Systems"]}, "a b c 12"),
        ({"categories": ["type_systems"]}, "b"),
        ({"categories": ["heaps, and more"]}, "d"),
        ({"subsets": ["hard"]}, "b c"),
        ({"subsets": [" aristotle , easy,"]}, "a b"),
        ({"subsets": ["hard"], "repositories": ["loom"]}, "b"),
        ({"subsets": ["easy"], "repositories": ["iris-lean"]}, ""),
        ({"limit": "2"}, "a b"),
        ({"limit": "99"}, "a b c d 12"),
        ({"categories": ["semantics"], "limit": "2"}, "a c"),
    ],
)
def test_selection(options: dict[str, Any], ids: str) -> None:
    assert chosen(**options) == ids


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            {"repositories": ["lom"]},
            "--vsb-repo: unknown: 'lom'; there are: iris-lean, loom, VCV-io\n"
            "  hint: did you mean 'loom'?",
        ),
        (
            {"categories": ["Semantic"]},
            "--vsb-category: unknown: 'Semantic'; there are: Heaps, and more, Semantics, "
            "Type systems\n  hint: did you mean 'Semantics'?",
        ),
        ({"subsets": ["zzz"]}, "--vsb-subset: unknown: 'zzz'; there are: aristotle, easy, hard"),
        ({"subsets": [","]}, "--vsb-subset: a name is expected"),
        ({"ids": ["3:9"]}, "--vsb-ids: no task has a number in 3:9"),
        ({"ids": ["99"]}, "hint: the numbers go from 1 to 15"),
        ({"ids": ["e"]}, "--vsb-ids: no task has the id 'e'"),
        ({"ids": ["10:1"]}, "--vsb-ids: the range '10:1' runs backwards\n  hint: write 1:10"),
        ({"ids": ["1,,2"]}, "a number, a range or an id is expected in '1,,2'"),
        ({"ids": [":"]}, "a number, a range or an id is expected in ':'"),
        ({"ids": [""]}, "a number, a range or an id is expected in ''"),
        ({"ids": ["9" * 5000]}, "no task has the id '999"),
        ({"limit": "0"}, "--vsb-limit: a number of tasks, 1 or more, is expected, not '0'"),
        ({"limit": "many"}, "not 'many'"),
        ({"limit": "-1"}, "not '-1'"),
        ({"limit": "\u0663"}, "is expected"),
        ({"shard": "0/3"}, "--vsb-shard: I/N with 1 <= I <= N is expected, not '0/3'"),
        ({"shard": "4/3"}, "not '4/3'"),
        ({"shard": "1"}, "not '1'"),
        ({"shard": "1/"}, "not '1/'"),
        ({"shard": "a/b"}, "such as --vsb-shard=1/4"),
    ],
)
def test_refused_options(options: dict[str, Any], text: str) -> None:
    assert text in refused(**options)


def test_tasks_without_values() -> None:
    bare = (task("a"),)
    with pytest.raises(UsageError, match="no task has a value for it, so not 'easy' either"):
        chosen(bare, subsets=["easy"])
    with pytest.raises(UsageError, match="the tasks have no numbers: name them by id"):
        chosen(bare, ids=["1:5"])


def test_near_id() -> None:
    with pytest.raises(UsageError, match=r"did you mean 'Fold\.sound'"):
        chosen((task("Fold.sound"),), ids=["Fold.sond"])


def test_long_lists_of_values_are_cut() -> None:
    many = tuple(task(str(i), repository=f"r{i:02}") for i in range(50))
    with pytest.raises(UsageError, match=r"r18, r19 and 30 more"):
        chosen(many, repositories=["nothing like it"])


def test_no_tasks_is_no_error() -> None:
    found = select((), Selection.parse(categories=["x"], ids=["1:3"], shard="1/2"))
    assert found.indices == ()


def test_parsed_forms() -> None:
    assert parse_ids(["1:10,15", "x.y"]) == Ids(((1, 10), (15, 15)), ("x.y",))
    assert not parse_ids([])
    assert parse_limit(" 7 ") == 7
    assert parse_shard("2 / 3") == Shard(2, 3)


@given(
    order=st.permutations(range(23)),
    count=st.integers(1, 30),
    limit=st.none() | st.integers(1, 30),
)
def test_shards_part_the_selection(order: list[int], count: int, limit: int | None) -> None:
    tasks = [task(f"t{i}", repository=f"r{i % 3}") for i in order]
    whole = select(tasks, Selection(limit=limit)).indices
    found = [select(tasks, Selection(limit=limit, shard=Shard(i + 1, count))) for i in range(count)]
    parts = [one.indices for one in found]
    assert sorted(index for part in parts for index in part) == list(whole)
    assert all(list(part) == sorted(part) for part in parts)
    assert all(parts) == (count <= len(whole))
    plans = [one.plan for one in found]
    assert len({plan.plan for plan in plans if plan}) == 1
    assert all(plan and plan.of == len(whole) for plan in plans)


@given(order=st.permutations(range(12)), measured=st.booleans())
def test_shards_do_not_depend_on_the_order(order: list[int], measured: bool) -> None:
    tasks = [task(f"t{i:02}", module=f"M{i % 3}", statement="x" * 90 * i) for i in order]
    keys = [one.id for one in tasks]
    took = {f"t{i:02}": 700 * i for i in range(0, 12, 2)} if measured else None
    parts = [select(tasks, Selection(shard=Shard(i, 3)), keys, took).indices for i in range(1, 4)]
    ids = [{keys[i] for i in part} for part in parts]
    # Mostly by modules; and another division would not fit the shards of other machines.
    assert ids == (MEASURED if measured else ESTIMATED)


def names(text: str) -> set[str]:
    return {f"t{number}" for number in text.split()}


ESTIMATED = [names("00 03 06 11"), names("01 04 09 10"), names("02 05 07 08")]
MEASURED = [names("00 03 06 10"), names("01 04 08 09"), names("02 05 07 11")]


def test_shard_by_given_keys() -> None:
    tasks = [task(name) for name in "abc"]
    part = select(tasks, Selection(shard=Shard(1, 3)), keys=["3", "1", "2"])
    assert part.indices == (1,)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Compiler correctness", "compiler_correctness"),
        ("Applied verif.", "applied_verif"),
        ("iris-lean", "iris_lean"),
        ("  (x)  ", "x"),
        ("Réécriture λ", "réécriture_λ"),
        ("Straße", "strasse"),
        ("ﬁne", "fine"),
        ("3D", "n3d"),
        ("class", "class_"),
        ("True", "true_"),
        ("skip", "skip_"),
        ("XFail", "xfail_"),
    ],
)
def test_slug(text: str, name: str) -> None:
    assert slug(text) == name


def test_slugs_of_symbols_differ() -> None:
    assert slug("!!!") != slug("???")


@given(st.text())
def test_slug_can_be_a_marker(text: str) -> None:
    name = slug(text)
    assert name.isidentifier()
    assert re.fullmatch(r"\w+", name)
    assert not keyword.iskeyword(name)
    assert not name.startswith("_")
    assert slug(text) == name


def test_markers() -> None:
    assert markers(TASKS[1]) == (
        "category_type_systems",
        "repo_loom",
        "subset_hard",
        "subset_aristotle",
    )
    assert markers(task("x")) == ()
