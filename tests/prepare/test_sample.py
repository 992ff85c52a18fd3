"""Sampling: balanced, by the seed alone, and never judging what is not needed."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pytest_vsb.prepare.sample import Bins, Item, Sampler, thirds

ITEMS = st.lists(
    st.builds(
        Item,
        id=st.text(st.characters(codec="ascii"), min_size=1, max_size=4),
        category=st.sampled_from("ABC"),
        proof_lines=st.integers(0, 30),
        dependencies=st.integers(0, 30),
    ),
    unique_by=lambda item: item.id,
    max_size=25,
)


def settled(
    sampler: Sampler, count: int | None, failing: frozenset[str]
) -> tuple[tuple[str, ...], set[str]]:
    """What is taken in the end, and what had to be judged for it, one at a time."""
    judged: set[str] = set()

    def passes(name: str) -> bool | None:
        return name not in failing if name in judged else None

    while (picture := sampler.picture(count, passes)).unknown:
        judged.add(picture.unknown[0])
    return picture.taken, judged


@given(ITEMS, st.integers(0, 3), st.one_of(st.none(), st.integers(1, 30)), st.data())
def test_what_is_taken(
    items: list[Item], seed: int, count: int | None, data: st.DataObject
) -> None:
    names = [item.id for item in items]
    failing = frozenset(data.draw(st.sets(st.sampled_from(names)))) if names else frozenset()
    sampler = Sampler(items, seed)
    taken, judged = settled(sampler, count, failing)
    good = set(names) - failing
    assert len(taken) == len(set(taken)) == min(len(good), len(names) if count is None else count)
    assert set(taken) <= good
    # Judging many at once comes to the same, and judges nothing else.
    known: set[str] = set()

    def passes(name: str) -> bool | None:
        return name not in failing if name in known else None

    while (picture := sampler.picture(count, passes)).unknown:
        known |= set(picture.unknown)
    assert picture.taken == taken
    assert known == judged
    # The order in which candidates come does not matter.
    assert settled(Sampler(items[::-1], seed), count, failing)[0] == taken
    # No category has two more than another that could have given more.
    category = {item.id: item.category for item in items}
    given_by = Counter(category[name] for name in taken)
    left = Counter(category[name] for name in good - set(taken))
    for poor in left:
        assert all(given_by[rich] <= given_by[poor] + 1 for rich in given_by)


def items_of(category: str, *sizes: tuple[int, int]) -> list[Item]:
    return [Item(f"{category}{n}", category, *size) for n, size in enumerate(sizes)]


def test_cells_take_turns() -> None:
    short, long = [(1, 1)] * 20, [(50, 50), (50, 50)]
    sampler = Sampler(items_of("A", *short, *long), seed=3)
    taken = sampler.picture(4, lambda name: True).taken
    assert Counter(sampler.cell(name) for name in taken) == {(0, 0): 2, (2, 2): 2}


def test_the_seed_decides() -> None:
    items = items_of("A", *[(1, 1)] * 12) + items_of("B", *[(2, 2)] * 12)
    drawn = {Sampler(items, seed).picture(6, lambda name: True).taken for seed in range(8)}
    assert len(drawn) > 4
    again = Sampler(items, 5).picture(6, lambda name: True).taken
    assert Sampler(items, 5).picture(6, lambda name: True).taken == again


def test_one_more_candidate_moves_no_other() -> None:
    items = items_of("A", *[(1, 1)] * 12)
    before = Sampler(items, 0).picture(None, lambda name: True).taken
    after = Sampler([*items, Item("new", "A", 1, 1)], 0).picture(None, lambda name: True).taken
    assert tuple(name for name in after if name != "new") == before


def test_thirds() -> None:
    assert thirds([]) == Bins(0, 0)
    assert thirds([5]) == Bins(5, 5)
    assert thirds([9, 1, 2, 3, 4, 5]) == Bins(2, 4)
    assert [thirds([1] * 9 + [2, 3]).rank(value) for value in (1, 2, 3)] == [0, 2, 2]
    assert [Bins(2, 4).rank(value) for value in (0, 2, 3, 4, 5)] == [0, 0, 1, 1, 2]


def test_bands() -> None:
    sizes = [(lines, dependencies) for lines in (1, 5, 9) for dependencies in (1, 5, 9)]
    sampler = Sampler(items_of("A", *sizes), 0)
    bands = {size: sampler.band(f"A{n}") for n, size in enumerate(sizes)}
    assert bands == {
        (1, 1): "easy", (1, 5): "easy", (1, 9): "medium",
        (5, 1): "easy", (5, 5): "medium", (5, 9): "hard",
        (9, 1): "medium", (9, 5): "hard", (9, 9): "hard",
    }  # fmt: skip
