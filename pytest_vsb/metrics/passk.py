"""pass@k: how likely at least one of k samples is a proof.

Source: Chen et al., "Evaluating Large Language Models Trained on Code" (2021), section 2.1: of n
samples, c of them proofs, the unbiased estimate is 1 - C(n - c, k) / C(n, k), the share of the
k-subsets of the samples that hold a proof.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

# Up to here the products are small enough to be taken in whole numbers.
_EXACT_FACTORS = 2000


@dataclass(frozen=True)
class PassAt:
    """The mean of pass@k over the tasks with at least k samples.

    ``value`` is ``None`` if there is no such task; ``tasks_counted`` says how many there are, of
    ``tasks_total``.
    """

    k: int
    value: float | None
    tasks_counted: int
    tasks_total: int


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """The unbiased estimate of pass@k of one task.

    The quotient of the binomials is a product of min(c, k) factors; with up to 2,000 of them the
    result is the correctly rounded exact value, beyond that it is summed in logarithms.

    Args:
        n: how many samples were judged.
        c: how many of them were proofs.
        k: how many samples a try has.

    Returns:
        A number from 0 to 1, or ``None`` if n < k: fewer than k samples say nothing of k.

    Raises:
        ValueError: not whole numbers, or not 0 <= c <= n and k >= 1.
    """
    _check_whole("n", n)
    _check_whole("c", c)
    _check_k(k)
    if n < 0 or not 0 <= c <= n:
        raise ValueError(f"0 <= c <= n is needed, not c = {c} and n = {n}")
    if n < k:
        return None
    if n - c < k:
        return 1.0
    few, many = min(c, k), max(c, k)
    if few <= _EXACT_FACTORS:
        whole = math.perm(n, few)
        return (whole - math.perm(n - many, few)) / whole
    return -math.expm1(math.fsum(math.log1p(-many / (n - i)) for i in range(few)))


def task_values(results: Iterable[tuple[int, int]], k: int) -> tuple[float, ...]:
    """pass@k of each task, given as (n, c), that has at least k samples.

    Raises:
        ValueError: as :func:`pass_at_k`.
    """
    values = (pass_at_k(n, c, k) for n, c in results)
    return tuple(value for value in values if value is not None)


def mean_pass_at_k(results: Iterable[tuple[int, int]], k: int) -> PassAt:
    """The mean of pass@k over tasks, each given as (n, c). Tasks with n < k are left out.

    Raises:
        ValueError: as :func:`pass_at_k`.
    """
    _check_k(k)
    pairs = tuple(results)
    values = task_values(pairs, k)
    mean = math.fsum(values) / len(values) if values else None
    return PassAt(k, mean, len(values), len(pairs))


def _check_whole(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{name} must be a whole number, not {value!r}")


def _check_k(k: int) -> None:
    _check_whole("k", k)
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
