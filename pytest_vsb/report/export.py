"""A run as tables for other programs: a row a task, and a row an attempt, as CSV or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from pytest_vsb.errors import UsageError, VsbError
from pytest_vsb.files import replacing
from pytest_vsb.report.failure import first_diagnostic
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.summary import VERDICTS, ks_for
from pytest_vsb.report.text import clean
from pytest_vsb.run.records import Attempt, TaskFacts, TaskResult

_TEXT = 10_000_000
_ROWS = 4096
"""Rows of a Parquet file that are put together in memory."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Column:
    """A column: its name, the type of its values (any may be missing), and where they are from.

    ``kind`` is one of ``text``, ``integer``, ``number``, ``truth`` and ``texts``.
    """

    name: str
    kind: str
    value: Callable[[Any], Any]


@dataclass(frozen=True)
class TableOf:
    """A table: columns, and what goes through the records that give its rows."""

    name: str
    columns: tuple[Column, ...]
    records: Callable[[], Iterator[Any]]

    def rows(self) -> Iterator[list[Any]]:
        for record in self.records():
            yield [column.value(record) for column in self.columns]


def tables(run: LoadedRun) -> tuple[TableOf, ...]:
    """The tables of a run: ``tasks``, and ``attempts`` where those are kept."""
    found = [TableOf("tasks", _task_columns(run), lambda: iter(run.results))]
    if run.has_attempts:

        def attempts() -> Iterator[tuple[TaskResult, Attempt]]:
            for result in run.results:
                for attempt in run.attempts(result.task.nodeid):
                    yield result, attempt

        found.append(TableOf("attempts", _attempt_columns(run), attempts))
    return tuple(found)


def csv_bytes(table: TableOf) -> bytes:
    """The table as CSV; see :func:`csv_lines`."""
    return b"".join(csv_lines(table))


def csv_lines(table: TableOf) -> Iterator[bytes]:
    """UTF-8 CSV with a header, row by row. Lists are joined by semicolons, truth values are
    ``true`` and ``false``, what is missing is empty.

    Text that a spreadsheet would take for a formula gets an apostrophe before it: what models write
    must not be run. Control characters are shown as pictures.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    header = [column.name for column in table.columns]
    for row in chain([header], (map(_cell, row) for row in table.rows())):
        writer.writerow(row)
        yield out.getvalue().encode("utf-8", "replace")
        out.seek(0)
        out.truncate()


def write_csv(run: LoadedRun, directory: Path) -> tuple[Path, ...]:
    """Write ``tasks.csv`` and ``attempts.csv`` into a directory; raises ``VsbError``."""
    return tuple(
        _written(directory / f"{table.name}.csv", csv_lines(table)) for table in tables(run)
    )


def write_parquet(run: LoadedRun, directory: Path) -> tuple[Path, ...]:
    """Write ``tasks.parquet`` and ``attempts.parquet`` into a directory.

    Raises:
        UsageError: pyarrow is not installed.
        VsbError: a file cannot be written.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError(
            "Parquet needs pyarrow, which is not installed",
            where="--format=parquet",
            hint="pip install 'pytest-vsb[export]'",
        ) from error
    types = {
        "text": pyarrow.string(),
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "truth": pyarrow.bool_(),
        "texts": pyarrow.list_(pyarrow.string()),
    }
    paths = []
    for table in tables(run):
        kinds = [types[column.kind] for column in table.columns]
        names = [column.name for column in table.columns]
        schema = pyarrow.schema(list(zip(names, kinds, strict=True)))
        path = directory / f"{table.name}.parquet"
        try:
            directory.mkdir(parents=True, exist_ok=True)
            with (
                replacing(path) as stream,
                parquet.ParquetWriter(stream, schema, compression="zstd") as writer,
            ):
                rows = table.rows()
                while some := list(islice(rows, _ROWS)):
                    arrays = [
                        pyarrow.array([_arrow(row[i]) for row in some], kind)
                        for i, kind in enumerate(kinds)
                    ]
                    writer.write_table(pyarrow.table(arrays, schema=schema))
        except OSError as error:
            raise _unwritable(path, error) from error
        paths.append(path)
    return tuple(paths)


def _written(path: Path, content: Iterable[bytes]) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as stream:
            stream.writelines(content)
    except OSError as error:
        raise _unwritable(path, error) from error
    return path


def _unwritable(path: Path, error: OSError) -> VsbError:
    return VsbError(f"cannot be written: {error.strerror or error}", where=str(path))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, int):
        return str(value)
    text = clean(";".join(value) if isinstance(value, tuple) else value, _TEXT)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _arrow(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, tuple):
        return [_arrow(each) for each in value]
    return value


# Columns


def _facts(task: Callable[[Any], TaskFacts]) -> list[Column]:
    return [
        Column("task", "text", lambda r: task(r).id),
        Column("nodeid", "text", lambda r: task(r).nodeid),
        Column("name", "text", lambda r: task(r).name),
        Column("suite", "text", lambda r: task(r).suite),
        Column("repository", "text", lambda r: task(r).repository),
        Column("category", "text", lambda r: task(r).category),
    ]


def _task_columns(run: LoadedRun) -> tuple[Column, ...]:
    def count(kind: str) -> Callable[[TaskResult], int]:
        return lambda r: r.verdicts.get(kind, 0)

    def rate(k: int) -> Callable[[TaskResult], float | None]:
        return lambda r: r.pass_at.get(k)

    return (
        Column("run", "text", lambda r: run.name),
        *_facts(lambda r: r.task),
        Column("module", "text", lambda r: r.task.module),
        Column("subsets", "texts", lambda r: r.task.subsets),
        Column("direct_dependencies", "integer", lambda r: r.task.metrics.direct_dependencies),
        Column(
            "transitive_dependencies", "integer", lambda r: r.task.metrics.transitive_dependencies
        ),
        Column("nesting_depth", "integer", lambda r: r.task.metrics.nesting_depth),
        Column("proof_lines", "integer", lambda r: r.task.metrics.proof_lines),
        Column("digest", "text", lambda r: r.task.digest),
        Column("status", "text", lambda r: r.status),
        Column("solved", "truth", lambda r: r.solved),
        Column("solved_without_repair", "truth", lambda r: r.solved_without_repair),
        Column("n", "integer", lambda r: r.n),
        Column("c", "integer", lambda r: r.c),
        Column("c_first", "integer", lambda r: r.c_first),
        *(Column(f"pass_at_{k}", "number", rate(k)) for k in ks_for(run.samples)),
        Column("attempts", "integer", lambda r: r.attempts),
        Column("unavailable_samples", "integer", lambda r: r.unavailable_samples),
        *(Column(f"verdict_{kind}", "integer", count(kind)) for kind in VERDICTS),
        Column("first_error", "text", lambda r: r.first_error),
        Column("reason", "text", lambda r: r.reason),
        Column("lean_seconds", "number", lambda r: float(r.lean_seconds)),
        Column("cached_verdicts", "integer", lambda r: r.cached_verdicts),
        *_usage(lambda r: r.usage),
    )


def _usage(usage: Callable[[Any], Any]) -> list[Column]:
    return [
        Column("input_tokens", "integer", lambda r: usage(r).input_tokens),
        Column("output_tokens", "integer", lambda r: usage(r).output_tokens),
        Column("cached_tokens", "integer", lambda r: usage(r).cached_tokens),
        Column("cost_usd", "number", lambda r: usage(r).cost_usd),
        Column("prover_seconds", "number", lambda r: float(usage(r).seconds)),
    ]


def _attempt_columns(run: LoadedRun) -> tuple[Column, ...]:
    def of(read: Callable[[Attempt], Any]) -> Callable[[tuple[TaskResult, Attempt]], Any]:
        return lambda r: read(r[1])

    def first(read: Callable[[Any], Any]) -> Callable[[tuple[TaskResult, Attempt]], Any]:
        def value(r: tuple[TaskResult, Attempt]) -> Any:
            found = None if r[1].verdict.accepted else first_diagnostic(r[1])
            return read(found) if found is not None else None

        return value

    def text(read: Callable[[Any], str]) -> Callable[[tuple[TaskResult, Attempt]], Any]:
        return lambda r: read(r[1].candidate) if r[1].candidate is not None else None

    columns: Sequence[Column] = (
        Column("sample", "integer", of(lambda a: a.sample)),
        Column("round", "integer", of(lambda a: a.round)),
        Column("verdict", "text", of(lambda a: str(a.verdict.kind))),
        Column("accepted", "truth", of(lambda a: a.verdict.accepted)),
        Column("complete", "truth", of(lambda a: a.complete)),
        Column("reason", "text", of(lambda a: a.verdict.reason)),
        Column("error", "text", first(lambda d: d.message)),
        Column("error_kind", "text", first(lambda d: d.kind)),
        Column("error_region", "text", first(lambda d: d.region)),
        Column("error_line", "integer", first(lambda d: d.start.line)),
        Column("error_column", "integer", first(lambda d: d.start.column)),
        Column("axioms", "texts", of(lambda a: a.verdict.axioms)),
        Column("assurance", "texts", of(lambda a: a.verdict.assurance)),
        Column("toolchain", "text", of(lambda a: a.verdict.toolchain)),
        Column("lean_seconds", "number", of(lambda a: float(a.verdict.lean_seconds))),
        Column("peak_memory_mb", "number", of(lambda a: float(a.verdict.peak_memory_mb))),
        Column("cached", "truth", of(lambda a: a.verdict.cached)),
        Column("prover", "text", of(lambda a: a.prover)),
        Column("model", "text", of(lambda a: a.model)),
        Column("seed", "integer", of(lambda a: a.seed)),
        Column("stop", "text", of(lambda a: a.stop)),
        Column("retries", "integer", of(lambda a: a.retries)),
        Column("leniencies", "texts", of(lambda a: a.leniencies)),
        Column("prompt_digest", "text", of(lambda a: a.prompt_digest)),
        Column("response_digest", "text", of(lambda a: a.response_digest)),
        Column("started", "number", of(lambda a: float(a.started))),
        Column("plugin_version", "text", of(lambda a: a.plugin_version)),
        *_usage(of(lambda a: a.usage)),
        Column("proof", "text", text(lambda c: c.proof)),
        Column("auxiliary", "text", text(lambda c: c.auxiliary)),
    )
    return (
        Column("run", "text", lambda r: run.name),
        *_facts(lambda r: r[0].task),
        *columns,
    )
