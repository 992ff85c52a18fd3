"""Whether results that were read can be: what no run ends with is no result to compare with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pytest_vsb.metrics.passk import pass_at_k
from pytest_vsb.report.summary import STATUSES, VERDICTS, Summary, summarise
from pytest_vsb.run.records import TaskResult
from pytest_vsb.words import counted


def task_contradiction(result: TaskResult, *, judged_here: bool = True) -> str:
    """What of a task's result cannot be; empty where nothing is wrong.

    Args:
        result: as it was read.
        judged_here: whether this package made it. Of a result that another program kept, not all
            attempts need be known.
    """
    n, c, first = result.n, result.c, result.c_first
    known = sum(result.verdicts.values())
    if result.status not in STATUSES:
        return f"there is no status {result.status!r}"
    if unknown := next((kind for kind in result.verdicts if kind not in VERDICTS), ""):
        return f"there is no verdict {unknown!r}"
    if not 0 <= c <= n or (first is not None and not 0 <= first <= c):
        return f"c_first = {first}" if 0 <= c <= n else "more proofs than samples"
    for k, value in result.pass_at.items():
        right = pass_at_k(n, c, k) if k > 0 else None
        if k < 1 or (value is None) != (right is None) or abs((value or 0) - (right or 0)) > 1e-9:
            return f"pass@{k} is {value}, not {right}"
    if known != result.attempts:
        return f"{counted(known, 'verdict')} on {counted(result.attempts, 'attempt')}"
    if result.status == "not_run" and result.attempts:
        return f"not run, with {counted(result.attempts, 'attempt')}"
    if judged_here and result.attempts:
        accepted = result.verdicts.get("accepted", 0)
        if accepted != c:
            return f"accepted: {counted(accepted, 'attempt')}"
        if n + result.unavailable_samples > result.attempts:
            lost = counted(result.unavailable_samples, "sample")
            return f"{counted(result.attempts, 'attempt')}, {lost} not judged"
    return ""


def summary_contradiction(summary: Summary, results: Sequence[TaskResult]) -> str:
    """In what the totals of a summary are not those of the results; empty where they agree."""
    right = summarise(results, ()).total
    for name in ("tasks", "judged", "solved", "solved_without_repair", "attempts"):
        told, found = getattr(summary.total, name), getattr(right, name)
        if told != found:
            return f"summary: {name} is {told}, of the tasks it is {found}"
    for rate in summary.total.pass_at:
        low, high = (rate.value if x is None else x for x in (rate.low, rate.high))
        bounds = (0.0, low, rate.value, high, 1.0)
        numbers = [number for number in bounds if number is not None]
        if numbers != sorted(numbers):
            return f"summary: pass@{rate.k} is {rate.value}, its interval {rate.low} to {rate.high}"
    return ""


def negative(value: Any, where: str = "") -> str:
    """The first number below zero, or that is none, within the records of a results file, and its
    place; empty if there is none. The block of the run's settings is not looked at."""
    if isinstance(value, dict):
        items = [(f"{where}.{key}" if where else key, value[key]) for key in value]
        if not where:
            items = [item for item in items if item[0] in ("summary", "tasks")]
    elif isinstance(value, list):
        items = [(f"{where}[{number}]", each) for number, each in enumerate(value)]
    elif isinstance(value, (int, float)) and not (math.isfinite(value) and value >= 0):
        return f"{where} is {value}"
    else:
        return ""
    return next((found for name, each in items if (found := negative(each, name))), "")
