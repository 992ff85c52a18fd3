"""What a task file is made of: where its tasks come from, what was left out, how they are spread.

The same preparation gives the same datasheet: it has no dates, no durations, and nothing of the
machine but its Lean.
"""

from __future__ import annotations

import dataclasses
import json
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabulate import tabulate

from pytest_vsb.lean.toolchain import Toolchain
from pytest_vsb.prepare.config import PrepareConfig
from pytest_vsb.prepare.preparation import Prepared
from pytest_vsb.prepare.reasons import JUDGED, NOT_DRAWN, STATIC
from pytest_vsb.repos import git
from pytest_vsb.repository.index import Index
from pytest_vsb.tasks.model import Task
from pytest_vsb.words import counted

FORMAT = 1
DEPTHS = ((1, 3), (4, 6), (7, None))
"""The ranges of nesting depths that are told apart."""


@dataclass(frozen=True)
class Origin:
    """Where tasks come from.

    Attributes:
        commit: of the repository; empty if its directory is no git work tree of its own.
        changed_files: how many files are not as they are committed; None if that cannot be told.
        lean: which Lean judged them.
        modules: how many modules the repository has.
    """

    commit: str
    changed_files: int | None
    lean: str
    modules: int


def origin_of(index: Index, toolchain: Toolchain) -> Origin:
    """Where the tasks of an index come from."""
    facts = git.facts(index.root)
    commit = facts.head if facts is not None else ""
    changed = len(facts.changed) if facts is not None else None
    revision = f", commit {toolchain.commit[:12]}" if toolchain.commit else ""
    kind = " (embedded)" if toolchain.kind == "embedded" else ""
    return Origin(commit, changed, f"{toolchain.version}{revision}{kind}", len(index.modules))


def datasheet(prepared: Prepared, config: PrepareConfig, origin: Origin) -> dict[str, Any]:
    """The datasheet as a JSON object."""
    tasks, found = prepared.tasks, prepared.found
    theorems = sum(found.theorems.values())
    return {
        "format": FORMAT,
        "repository": {
            "name": config.repository,
            "commit": origin.commit or None,
            "changed_files": origin.changed_files,
            "modules": origin.modules,
            "declarations": found.declarations,
            "theorems": theorems,
        },
        "lean": origin.lean,
        "configuration": _configuration(config),
        "filters": _filters(prepared, theorems),
        "tasks": len(tasks),
        "selection": _selection(tasks, found.theorems),
        "bins": {
            "proof_lines": list(prepared.proof_lines),
            "transitive_dependencies": list(prepared.dependencies),
        },
        "categories": _counts(task.category for task in tasks),
        "subsets": _counts(subset for task in tasks for subset in task.subsets),
        "numbers": {
            key: _spread([getattr(task.metrics, key) or 0 for task in tasks])
            for key in (
                "proof_lines",
                "direct_dependencies",
                "transitive_dependencies",
                "nesting_depth",
            )
        },
        "depths": {
            _range(low, high): sum(
                low <= _depth(task) and (high is None or _depth(task) <= high) for task in tasks
            )
            for low, high in DEPTHS
        },
        "dependencies": {"exact": prepared.exact, "text": len(tasks) - prepared.exact},
        "assurance": [
            {"checks": list(checks), "tasks": count} for checks, count in prepared.assurance
        ],
    }


def _depth(task: Task) -> int:
    return task.metrics.nesting_depth or 0


def _range(low: int, high: int | None) -> str:
    return f"{low}+" if high is None else f"{low}-{high}"


def _configuration(config: PrepareConfig) -> dict[str, Any]:
    found = dataclasses.asdict(config)
    for key in ("categories", "subsets"):
        found[key] = dict(found[key])
    return found


def _filters(prepared: Prepared, theorems: int) -> list[dict[str, Any]]:
    """How many each filter rejects, and how many are left, in the order of the filters."""
    counts = Counter(rejection.reason for rejection in prepared.rejected)
    words = {**STATIC, **JUDGED, NOT_DRAWN: "not drawn"}
    found: list[dict[str, Any]] = []
    for reason, said in words.items():
        theorems -= counts[reason]
        found.append(
            {"reason": reason, "words": said, "rejected": counts[reason], "left": theorems}
        )
    return found


def _selection(tasks: Sequence[Task], theorems: Mapping[str, int]) -> dict[str, Any]:
    """What part of the theorems are tasks: of all, and of each module, those that have any."""
    taken = Counter(task.module for task in tasks)
    parts = [taken[module] / count for module, count in theorems.items()]
    return {
        "all": _rounded(len(tasks) / max(1, sum(theorems.values()))),
        "modules": len(parts),
        "modules_with_tasks": len(taken),
        "mean_of_modules": _rounded(statistics.fmean(parts)) if parts else None,
        "median_of_modules": _rounded(statistics.median(parts)) if parts else None,
    }


def _rounded(value: float) -> float:
    return round(value, 4)


def _counts(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _spread(values: Sequence[int]) -> dict[str, float] | None:
    if not values:
        return None
    quarters = (
        statistics.quantiles(values, n=4, method="inclusive")
        if len(values) > 1
        else [float(values[0])] * 3
    )
    return {
        "min": min(values),
        "first_quartile": _rounded(quarters[0]),
        "median": _rounded(quarters[1]),
        "third_quartile": _rounded(quarters[2]),
        "max": max(values),
        "mean": _rounded(statistics.fmean(values)),
    }


def as_json(sheet: Mapping[str, Any]) -> str:
    """The datasheet as the text of a JSON file."""
    return json.dumps(sheet, ensure_ascii=False, indent=2) + "\n"


def as_markdown(sheet: Mapping[str, Any], output: Path) -> str:
    """The datasheet to be read."""
    repository, selection = sheet["repository"], sheet["selection"]
    commit = repository["commit"] or "not under git by itself"
    if repository["changed_files"]:
        commit += f", with {counted(repository['changed_files'], 'file')} changed"
    facts = [
        ("repository", repository["name"]),
        ("commit", commit),
        ("Lean", sheet["lean"]),
        ("modules", f"{repository['modules']:,}"),
        ("declarations", f"{repository['declarations']:,}"),
        ("theorems", f"{repository['theorems']:,}"),
        ("tasks", f"{sheet['tasks']:,}"),
        ("seed", str(sheet["configuration"]["seed"])),
    ]
    bins = sheet["bins"]
    exact, text = sheet["dependencies"]["exact"], sheet["dependencies"]["text"]
    parts = [
        f"# Datasheet of {output.name}",
        _table(("", ""), facts),
        "## From theorems to tasks",
        _table(
            ("filter", "reason", "rejected", "left"),
            [
                (each["words"], f"`{each['reason']}`", each["rejected"], each["left"])
                for each in sheet["filters"]
            ],
        ),
        f"Tasks are {_percent(selection['all'])} of the theorems; of the {selection['modules']} "
        f"modules with theorems {selection['modules_with_tasks']} have tasks, on average "
        f"{_percent(selection['mean_of_modules'])} of their theorems, in the median "
        f"{_percent(selection['median_of_modules'])}.",
        "## Categories and subsets",
        _table(("category", "tasks"), list(sheet["categories"].items())),
        _table(("subset", "tasks"), list(sheet["subsets"].items())),
        "`easy`, `medium` and `hard` go by two ranks together: the thirds of the proofs' lines (up "
        f"to {bins['proof_lines'][0]}, up to {bins['proof_lines'][1]}, more) and those of the "
        f"declarations that a task depends on (up to {bins['transitive_dependencies'][0]}, up to "
        f"{bins['transitive_dependencies'][1]}, more).",
        "## Sizes",
        _table(
            ("", "min", "first quartile", "median", "third quartile", "max", "mean"),
            [
                (key.replace("_", " "), *map(_number, spread.values()))
                for key, spread in sheet["numbers"].items()
                if spread is not None
            ],
        ),
        _table(("nesting depth", "tasks"), list(sheet["depths"].items())),
        f"Lean itself told the dependencies of {exact} tasks; {text} were read in the text.",
        "## What the reference proofs passed",
        _table(
            ("checks", "tasks"),
            [(", ".join(each["checks"]), each["tasks"]) for each in sheet["assurance"]],
        ),
        "## Configuration",
        f"```json\n{json.dumps(sheet['configuration'], ensure_ascii=False, indent=2)}\n```",
    ]
    return "\n\n".join(parts) + "\n"


def _table(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    escaped = [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    return tabulate(escaped, headers=headers, tablefmt="github", disable_numparse=True)


def _percent(part: float | None) -> str:
    return "none" if part is None else f"{100 * part:.1f} %"


def _number(value: float) -> str:
    return f"{value:,.1f}".removesuffix(".0")
