"""``results.json``: a run's results as a file that other programs may read."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from importlib import resources
from pathlib import Path, PurePath
from typing import Any

import msgspec

from pytest_vsb.errors import UsageError, VsbError
from pytest_vsb.files import write_atomically
from pytest_vsb.provers.base import Usage
from pytest_vsb.report.sanity import negative, summary_contradiction, task_contradiction
from pytest_vsb.report.summary import VERDICTS, Summary, in_order
from pytest_vsb.report.text import clean, one_line
from pytest_vsb.run.records import TaskFacts, TaskResult
from pytest_vsb.tasks.model import TaskMetrics

SCHEMA_VERSION = 1
FILE_NAME = "results.json"
_MESSAGE_LIMIT = 4000
_NAME_LIMIT = 100_000  # names are identities: in practice never cut


@dataclass(frozen=True)
class Results:
    """The content of a ``results.json``: the run block as its writer gave it, and the records."""

    run: Mapping[str, Any]
    summary: Summary
    tasks: tuple[TaskResult, ...]


@dataclass(frozen=True)
class _TaskRecord:
    """One element of ``tasks`` in the file: a task's facts and result, side by side."""

    id: str
    nodeid: str
    name: str
    module: str
    suite: str
    repository: str
    category: str
    subsets: tuple[str, ...]
    metrics: TaskMetrics
    digest: str
    status: str
    solved: bool
    solved_without_repair: bool | None
    n: int
    c: int
    c_first: int | None
    pass_at: dict[int, float | None]
    verdicts: dict[str, int]
    attempts: int
    unavailable_samples: int
    first_error: str
    reason: str
    lean_seconds: float
    usage: Usage
    cached_verdicts: int = 0


@dataclass(frozen=True)
class _Document:
    schema: int
    summary: Summary
    tasks: tuple[_TaskRecord, ...]
    run: dict[str, Any] = field(default_factory=dict)


def results_bytes(run: Mapping[str, Any], summary: Summary, results: Sequence[TaskResult]) -> bytes:
    """The file's content: UTF-8 JSON, indented; the same bytes for the same results in any order.

    Tasks are sorted by nodeid, and the keys of ``run`` by name. Text is made safe to print, and
    messages are cut at 4000 characters.
    """
    tasks = sorted(results, key=lambda result: result.task.nodeid)
    document = {
        "schema": SCHEMA_VERSION,
        "run": plain(run),
        "summary": _clean_strings(msgspec.to_builtins(summary, str_keys=True)),
        "tasks": [
            _clean_strings(msgspec.to_builtins(_record(result), str_keys=True)) for result in tasks
        ],
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def write_results(
    path: Path, run: Mapping[str, Any], summary: Summary, results: Sequence[TaskResult]
) -> None:
    """Write ``results.json`` at ``path``; at every instant it is whole, the old or the new one.

    Raises:
        VsbError: the file cannot be written.
    """
    content = results_bytes(run, summary, results)
    try:
        write_atomically(path, content)
    except OSError as error:
        reason = error.strerror or str(error)
        raise VsbError(f"cannot write the file: {reason}", where=str(path)) from error


def read_results(path: Path) -> Results:
    """Read a ``results.json``, given as the file or as the run directory that holds it.

    Keys that this version does not know are ignored.

    Raises:
        UsageError: there is no such file, it cannot be read, it is no results file, or it has
            another schema version, or contradicts itself.
    """
    file = path / FILE_NAME if path.is_dir() else path
    where = str(file)
    try:
        content = file.read_bytes()
    except FileNotFoundError as error:
        raise UsageError(
            f"there is no {FILE_NAME} here",
            where=str(path),
            hint=f"name a run directory (--vsb-run=DIR of a run that ended) or its {FILE_NAME}",
        ) from error
    except OSError as error:
        raise UsageError(f"cannot read the file: {error.strerror}", where=where) from error
    try:
        raw = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(
            f"the file is no valid JSON: {error}",
            where=where,
            hint="it is derived, and can be made again from the journal of its run",
        ) from error
    version = raw.get("schema") if isinstance(raw, dict) else None
    if type(version) is not int:
        raise UsageError("the file is no results file: it has no schema version", where=where)
    if version != SCHEMA_VERSION:
        newer = "a newer" if version > SCHEMA_VERSION else "another"
        raise UsageError(
            f"the results have schema version {version}, but only {SCHEMA_VERSION} can be read",
            where=where,
            hint=f"use {newer} version of pytest-vsb to read them",
        )
    try:
        document = msgspec.convert(raw, _Document, str_keys=True, strict=True)
    except msgspec.ValidationError as error:
        raise UsageError(f"the results are not as they should be: {error}", where=where) from error
    found = _contradiction(document) or negative(raw)
    if found:
        raise UsageError(
            f"the results contradict themselves: {one_line(found, _MESSAGE_LIMIT)}",
            where=where,
            hint="they are derived: vsb report RUN makes them again from the journal of the run",
        )
    return Results(document.run, document.summary, tuple(_result(t) for t in document.tasks))


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the file."""
    text = resources.files(__package__).joinpath("results.schema.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Any])


def plain(value: Any) -> Any:
    """``value`` as JSON can hold it: clean text, string keys in order, no NaN, paths as text.

    Raises:
        TypeError: something in ``value`` is no data.
    """
    # Enumerations first: many are also strings or integers.
    if isinstance(value, Enum):
        return plain(value.value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (str, PurePath)):
        return clean(str(value), _NAME_LIMIT)
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**64 else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain({f.name: getattr(value, f.name) for f in dataclasses.fields(value)})
    if isinstance(value, Mapping):
        keyed = {str(plain(key)): plain(inner) for key, inner in value.items()}
        return {key: keyed[key] for key in sorted(keyed)}
    if isinstance(value, (set, frozenset)):
        return sorted((plain(inner) for inner in value), key=repr)
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [plain(inner) for inner in value]
    raise TypeError(f"{type(value).__name__} is no data for a results file")


def _record(result: TaskResult) -> _TaskRecord:
    task = result.task
    return _TaskRecord(
        id=task.id,
        nodeid=task.nodeid,
        name=task.name,
        module=task.module,
        suite=task.suite,
        repository=task.repository,
        category=task.category,
        subsets=task.subsets,
        metrics=task.metrics,
        digest=task.digest,
        status=result.status,
        solved=result.solved,
        solved_without_repair=result.solved_without_repair,
        n=result.n,
        c=result.c,
        c_first=result.c_first,
        pass_at={k: result.pass_at[k] for k in sorted(result.pass_at)},
        verdicts=in_order(result.verdicts, VERDICTS),
        attempts=result.attempts,
        unavailable_samples=result.unavailable_samples,
        first_error=clean(result.first_error, _MESSAGE_LIMIT),
        reason=clean(result.reason, _MESSAGE_LIMIT),
        lean_seconds=result.lean_seconds,
        usage=result.usage,
        cached_verdicts=result.cached_verdicts,
    )


def _result(record: _TaskRecord) -> TaskResult:
    return TaskResult(
        task=TaskFacts(
            id=record.id,
            nodeid=record.nodeid,
            name=record.name,
            module=record.module,
            suite=record.suite,
            repository=record.repository,
            category=record.category,
            subsets=record.subsets,
            metrics=record.metrics,
            digest=record.digest,
        ),
        status=record.status,
        n=record.n,
        c=record.c,
        c_first=record.c_first,
        pass_at=record.pass_at,
        verdicts=record.verdicts,
        first_error=record.first_error,
        reason=record.reason,
        attempts=record.attempts,
        unavailable_samples=record.unavailable_samples,
        lean_seconds=record.lean_seconds,
        usage=record.usage,
        cached_verdicts=record.cached_verdicts,
    )


def _contradiction(document: _Document) -> str:
    """What types cannot say: a comparison of two runs would go wrong silently otherwise."""
    run = document.run
    samples = run.get("samples", 1)
    if type(samples) is not int or samples < 1:
        return f"run: samples are {samples!r}"
    if not isinstance(run.get("identity", {}), dict):
        return "run: identity is no object"
    results = [_result(record) for record in document.tasks]
    twice = [name for name, n in Counter(r.task.nodeid for r in results).items() if n > 1]
    if twice:
        return f"a task is in there twice: {twice[0]}"
    for record, result in zip(document.tasks, results, strict=True):
        told = (record.solved, record.solved_without_repair)
        found = task_contradiction(result, judged_here="imported" not in run)
        if not found and told != (result.solved, result.solved_without_repair):
            found = f"solved is {_json(told[0])}, without repair {_json(told[1])}"
        if found:
            return f"{result.task.nodeid}: {found} (n = {result.n}, c = {result.c})"
    return summary_contradiction(document.summary, results)


def _json(value: bool | None) -> str:
    return msgspec.json.encode(value).decode()


def _clean_strings(value: Any) -> Any:
    """``value`` with its text clean, the order of its keys kept."""
    if isinstance(value, str):
        return clean(value, _NAME_LIMIT)
    if isinstance(value, dict):
        return {clean(key, _NAME_LIMIT): _clean_strings(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean_strings(inner) for inner in value]
    return value
