"""The bootstrap interval against distributions that are known."""

from __future__ import annotations

import math
import random
from itertools import accumulate, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_vsb.metrics.bootstrap import bootstrap_interval

UNIT = st.floats(0, 1)


def exact_quantile(values: list[float], q: float) -> float:
    """The quantile of the mean over every equally likely resample."""
    means = sorted(sum(draw) / len(values) for draw in product(values, repeat=len(values)))
    return means[min(int(q * len(means)), len(means) - 1)]


def binomial_quantile(n: int, p: float, q: float) -> int:
    chances = (math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1))
    return next(i for i, total in enumerate(accumulate(chances)) if total >= q)


@pytest.mark.parametrize("values", [[], [0.5], [1.0]])
def test_fewer_than_two_tasks(values: list[float]) -> None:
    assert bootstrap_interval(values) is None


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
def test_equal_values(value: float) -> None:
    assert bootstrap_interval([value] * 7) == (value, value)


def test_two_tasks_by_hand() -> None:
    # The mean is 0, 1/2 and 1 with chances 1/4, 1/2 and 1/4.
    assert bootstrap_interval([0.0, 1.0]) == (0.0, 1.0)
    assert bootstrap_interval([0.0, 1.0], level=0.4) == (0.5, 0.5)


@pytest.mark.parametrize(
    "values",
    [[0.0, 0.0, 1.0, 1.0, 1.0], [0.0, 0.125, 0.125, 0.5, 1.0, 1.0], [0.1, 0.2, 0.3, 0.4, 0.9]],
)
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_small_samples_by_enumeration(values: list[float], level: float) -> None:
    interval = bootstrap_interval(values, level=level, resamples=20_000)
    assert interval is not None
    tail = (1 - level) / 2
    # The random quantile lies between exact ones a little to both sides.
    for bound, q in zip(interval, (tail, 1 - tail), strict=True):
        assert exact_quantile(values, q - 0.008) <= bound + 1e-12
        assert bound <= exact_quantile(values, min(q + 0.008, 1)) + 1e-12


@pytest.mark.parametrize(("n", "solved"), [(40, 13), (500, 200), (500, 3), (1_000, 950)])
def test_solved_or_not_is_binomial(n: int, solved: int) -> None:
    interval = bootstrap_interval([1.0] * solved + [0.0] * (n - solved), resamples=10_000)
    assert interval is not None
    for bound, q in zip(interval, (0.025, 0.975), strict=True):
        low = binomial_quantile(n, solved / n, q - 0.008)
        high = binomial_quantile(n, solved / n, q + 0.008)
        assert low <= round(bound * n) <= high


def test_many_different_values_agree_with_the_normal_law() -> None:
    rng = random.Random(5)
    values = [rng.random() for _ in range(300)]
    mean = math.fsum(values) / len(values)
    error = math.sqrt(math.fsum((v - mean) ** 2 for v in values)) / len(values)
    interval = bootstrap_interval(values)
    assert interval is not None
    assert interval == pytest.approx((mean - 1.96 * error, mean + 1.96 * error), abs=0.15 * error)


def test_interval_covers_the_true_mean() -> None:
    rng = random.Random(11)
    covered = 0
    for trial in range(100):
        values = [rng.randrange(9) / 8 for _ in range(60)]
        interval = bootstrap_interval(values, resamples=300, seed=trial)
        assert interval is not None
        covered += interval[0] <= 0.5 <= interval[1]
    assert 87 <= covered <= 99


@given(st.lists(UNIT, min_size=2, max_size=40), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_order_does_not_matter(values: list[float], rng: random.Random) -> None:
    shuffled = list(values)
    rng.shuffle(shuffled)
    first = bootstrap_interval(values, resamples=50)
    assert first == bootstrap_interval(iter(shuffled), resamples=50)
    assert first is not None
    assert min(values) <= first[0] <= first[1] <= max(values)


def test_seed_and_level() -> None:
    values = [i / 11 for i in range(12)]
    usual = bootstrap_interval(values)
    assert usual is not None
    assert bootstrap_interval(values) == usual
    assert bootstrap_interval(values, seed=1) != usual
    wide = bootstrap_interval(values, level=0.99)
    narrow = bootstrap_interval(values, level=0.5)
    assert wide is not None
    assert narrow is not None
    assert wide[0] < usual[0] < narrow[0] < narrow[1] < usual[1] < wide[1]


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([0.0, math.nan], {}, "the values must be finite"),
        ([0.0, math.inf], {}, "the values must be finite"),
        ([0.0, 1.0], {"resamples": 0}, "resamples must be at least 1, not 0"),
        ([0.0, 1.0], {"level": 1.0}, "level must be between 0 and 1, not 1.0"),
        ([], {"level": 0.0}, "level must be between 0 and 1, not 0.0"),
    ],
)
def test_nonsense(values: list[float], options: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bootstrap_interval(values, **options)  # type: ignore[arg-type]
