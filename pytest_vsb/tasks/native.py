"""The native line of a task file; ``task.schema.json`` describes the same format."""

from __future__ import annotations

import json
import sys
from typing import Any

import msgspec

from pytest_vsb.tasks import checks, statements
from pytest_vsb.tasks.checks import InvalidLine
from pytest_vsb.tasks.model import Dependency, Origin, Task, TaskMetrics

_HINT = "required keys: id, path, name, statement; see docs/task-files.md"
_NO_METRICS = TaskMetrics()


class NativeLine(msgspec.Struct):
    """The keys of a native line and their types."""

    id: str
    path: str
    name: str
    statement: str
    module: str = ""
    suite: str = ""
    repository: str = ""
    root: str = ""
    kind: str = ""
    number: int | None = None
    reference_proof: str | None = None
    category: str = ""
    subsets: tuple[str, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    metrics: TaskMetrics | None = None
    known_bad: str = ""


KEYS = frozenset(NativeLine.__struct_fields__)
_ORDER = (
    *("id", "number", "suite", "repository", "root", "module", "path", "name", "kind"),
    *("statement", "reference_proof", "category", "subsets", "dependencies", "metrics"),
    "known_bad",
)


def task_of(record: dict[str, Any], origin: Origin) -> Task:
    """The task of a native line.

    Raises:
        InvalidLine: a key is missing or a value cannot be used.
    """
    line = checks.converted(record, NativeLine, _HINT)
    path = checks.lean_file("path", line.path)
    kind = checks.single_line("kind", line.kind) if line.kind else ""
    if line.reference_proof is not None:
        checks.text("reference_proof", line.reference_proof)
    for subset in line.subsets:
        checks.single_line("subsets", subset)
    for key in ("suite", "category", "known_bad"):
        if value := getattr(line, key):
            checks.single_line(key, value)
    statement = checks.text("statement", line.statement)
    keyword = statements.keyword_of(statement)
    statements.check(statement)
    return Task(
        id=checks.task_id("id", line.id),
        module=_module(line.module, path),
        path=path,
        name=checks.single_line("name", line.name),
        statement=statement,
        suite=sys.intern(line.suite),
        repository=sys.intern(_optional_path("repository", line.repository)),
        root=sys.intern(_optional_path("root", line.root, up=True)),
        kind=sys.intern(kind or keyword),
        number=_count("number", line.number),
        reference_proof=line.reference_proof,
        category=sys.intern(line.category),
        subsets=tuple(dict.fromkeys(map(sys.intern, line.subsets))),
        dependencies=line.dependencies,
        metrics=_metrics(line.metrics),
        known_bad=line.known_bad,
        extra={} if record.keys() <= KEYS else {k: record[k] for k in record.keys() - KEYS},
        origin=origin,
    )


def encode(task: Task) -> str:
    """The native line of a task, without the line's end: :func:`task_of` gives the task again.

    Keys that say nothing are left out.
    """
    record: dict[str, Any] = {}
    for key in _ORDER:
        value = getattr(task, key)
        if key == "dependencies":
            value = [_filled(msgspec.to_builtins(dependency)) for dependency in value]
        elif key == "metrics":
            value = _filled(msgspec.to_builtins(value))
        if value is not None and value != "" and value != () and value != [] and value != {}:
            record[key] = value
    return json.dumps(record | dict(task.extra), ensure_ascii=False)


def _filled(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if value is not None and value != ""}


def _module(module: str, path: str) -> str:
    """The module, which must fit the path: a source directory may precede it there."""
    from_path = path.removesuffix(".lean").replace("/", ".")
    if not module:
        return from_path
    checks.single_line("module", module)
    plain = module.replace("«", "").replace("»", "")
    if not f".{from_path}".endswith(f".{plain}"):
        raise InvalidLine(
            f"`module` {module!r} does not fit `path` {path!r}",
            f"the module of that file is {from_path}, or its end after a source directory",
        )
    return sys.intern(module)


def _optional_path(key: str, value: str, *, up: bool = False) -> str:
    return checks.relative_path(key, value, up=up) if value else ""


def _count(key: str, value: int | None) -> int | None:
    if value is not None and value < 0:
        raise InvalidLine(f"`{key}` is negative: {value}")
    return value


def _metrics(metrics: TaskMetrics | None) -> TaskMetrics:
    if metrics is None:
        return _NO_METRICS
    for key in TaskMetrics.__dataclass_fields__:
        _count(f"metrics.{key}", getattr(metrics, key))
    return metrics
