"""What goes into a JUnit file beside pytest's own: properties of testcases and of the suite."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_vsb.provers.base import Usage
from pytest_vsb.report.gate import TaskGate, number
from pytest_vsb.report.results import plain
from pytest_vsb.report.summary import VERDICTS, Summary, in_order
from pytest_vsb.report.text import one_line
from pytest_vsb.run.records import TaskResult

PREFIX = "vsb."
_VALUE_LIMIT = 1000
_NAME_LIMIT = 200
_RUN_LIMIT = 500  # properties from the run block; more is no summary any more

Properties = list[tuple[str, str]]


def properties(result: TaskResult) -> Properties:
    """The properties of one testcase, in a fixed order; see ``docs/results.md`` for each."""
    task = result.task
    verdicts = in_order(result.verdicts, VERDICTS)
    pairs: list[tuple[str, Any]] = [
        ("status", result.status),
        ("solved", result.solved),
        ("solved_without_repair", result.solved_without_repair),
        ("n", result.n),
        ("c", result.c),
        ("c_first", result.c_first),
        *((f"pass@{k}", result.pass_at[k]) for k in sorted(result.pass_at)),
        ("attempts", result.attempts),
        ("unavailable_samples", result.unavailable_samples),
        *((f"verdict.{kind}", count) for kind, count in verdicts.items()),
        ("lean_seconds", float(result.lean_seconds)),
        *_usage(result.usage),
    ]
    optional = {
        "suite": task.suite,
        "repository": task.repository,
        "category": task.category,
        "subsets": ",".join(task.subsets),
        "first_error": result.first_error,
        "reason": result.reason,
    }
    pairs += [(name, text) for name, text in optional.items() if text]
    return _clean(pairs)


def gate_properties(found: TaskGate) -> Properties:
    """What a testcase says of the baseline: what became of the task, its samples then, and p."""
    pairs: list[tuple[str, Any]] = [("gate", str(found.change))]
    if found.before is not None:
        pairs += [("baseline.n", found.before.n), ("baseline.c", found.before.c)]
    if found.p is not None:
        pairs.append(("gate.p", number(found.p)))
    return _clean(pairs)


def suite_properties(summary: Summary, run: Mapping[str, Any]) -> Properties:
    """The properties of the suite: the totals and rates, then the run block, flattened.

    A key ``lean`` holding ``{"version": …}`` becomes ``vsb.run.lean.version``; a list of
    scalars is one value, its elements joined by commas.
    """
    total = summary.total
    pairs: list[tuple[str, Any]] = [
        ("tasks", total.tasks),
        ("judged", total.judged),
        ("solved", total.solved),
        ("solved_without_repair", total.solved_without_repair),
        *((f"status.{status}", count) for status, count in total.statuses.items()),
    ]
    for rate in total.pass_at:
        pairs += [
            (f"pass@{rate.k}", rate.value),
            (f"pass@{rate.k}.low", rate.low),
            (f"pass@{rate.k}.high", rate.high),
            (f"pass@{rate.k}.tasks", rate.tasks),
        ]
    pairs += [
        ("attempts", total.attempts),
        ("unavailable_samples", total.unavailable_samples),
        *((f"verdict.{kind}", count) for kind, count in total.verdicts.items()),
        ("lean_seconds", total.lean_seconds),
        *_usage(total.usage),
    ]
    if summary.unreadable.lines:
        pairs.append(("unreadable_lines", summary.unreadable.lines))
    flat: list[tuple[str, Any]] = []
    _flatten("run", plain(run), flat)
    return _clean([*pairs, *flat[:_RUN_LIMIT]])


def _usage(usage: Usage) -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = [
        ("input_tokens", usage.input_tokens),
        ("output_tokens", usage.output_tokens),
        ("cached_tokens", usage.cached_tokens),
        ("prover_seconds", float(usage.seconds)),
    ]
    if usage.cost_usd is not None:
        pairs.append(("cost_usd", float(usage.cost_usd)))
    return pairs


def _flatten(name: str, value: Any, into: list[tuple[str, Any]]) -> None:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            _flatten(f"{name}.{key}", inner, into)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        if any(isinstance(inner, (Mapping, list)) for inner in value):
            for index, inner in enumerate(value):
                _flatten(f"{name}.{index}", inner, into)
        else:
            into.append((name, ",".join(_text(inner) for inner in value)))
    else:
        into.append((name, value))


def _clean(pairs: Sequence[tuple[str, Any]]) -> Properties:
    return [
        (one_line(PREFIX + name, _NAME_LIMIT), one_line(_text(value), _VALUE_LIMIT))
        for name, value in pairs
    ]


def _text(value: Any) -> str:
    if value is None:
        return "n/a"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        # Six decimals: enough for rates and microseconds, and the same on every platform.
        return f"{value:.6f}".rstrip("0").rstrip(".") if math.isfinite(value) else str(value)
    return str(value)
