"""Recorded answers: the lines of a recording, how they are read and written.

A recording is JSON lines, optionally compressed by gzip. It may begin with a header, which tells
the version of the format, the provers, the number of answers and free metadata; then there is
one line for each answer. See docs/provers.md for the keys.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import msgspec

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import Usage

SCHEMA = 1

Key = tuple[str, str, int, int]

_NO_USAGE = Usage()


@dataclass(frozen=True)
class RecordedAnswer:
    """One answer of a prover: round ``round`` of sample ``sample`` at task ``task``.

    ``task`` is the task's id, the last part of its nodeid; an empty ``suite`` fits any suite.
    ``proof`` is ``None`` where the response held no usable proof, and ``malformed`` says why.
    """

    task: str
    sample: int
    round: int = 0
    suite: str = ""
    auxiliary: str = ""
    proof: str | None = None
    reasoning: str = ""
    malformed: str = ""
    usage: Usage = _NO_USAGE
    prompt_digest: str = ""
    prover: str = ""

    @property
    def key(self) -> Key:
        return self.suite, self.task, self.sample, self.round


@dataclass(frozen=True)
class _Line:
    """A line as it may stand in a file: what can be left out is optional."""

    task: str
    sample: int | None = None
    round: int = 0
    suite: str = ""
    auxiliary: str = ""
    proof: str | None = None
    reasoning: str = ""
    malformed: str = ""
    usage: Usage = _NO_USAGE
    prompt_digest: str = ""
    prover: str = ""


@dataclass(frozen=True)
class _Header:
    vsb_recording: int
    provers: tuple[str, ...] = ()
    answers: int | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Recording:
    """A recording as read. ``digest`` is the SHA-256 of the file's bytes, in hexadecimal."""

    path: Path
    answers: tuple[RecordedAnswer, ...]
    provers: tuple[str, ...]
    metadata: Mapping[str, str]
    digest: str


_LINE_KEYS = tuple(f.name for f in fields(_Line))
_USAGE_KEYS = tuple(f.name for f in fields(Usage))


def read_recording(path: Path) -> Recording:
    """Read a recording, or a file written by hand.

    In a file written by hand the header may be missing, and so may every key but ``task`` and
    ``proof``: the samples of a task then count up from 0 in the order of the lines, and a line
    with ``round`` but no ``sample`` belongs to the sample before it.

    Raises:
        UsageError: the file cannot be read, is cut short, or a line of it is wrong.
    """
    data = _read_bytes(path)
    header = _Header(SCHEMA)
    answers: list[RecordedAnswer] = []
    lines: dict[Key, int] = {}
    following: Counter[tuple[str, str]] = Counter()
    first = True
    for number, raw in _json_lines(data, path):
        where = f"{path}:{number}"
        if first and "vsb_recording" in raw:
            header = _read_header(raw, where)
            first = False
            continue
        first = False
        answer = _read_answer(raw, where, following)
        if answer.key in lines:
            raise UsageError(
                f"a second answer for task {answer.task!r}, sample {answer.sample}, "
                f"round {answer.round}; the first is in line {lines[answer.key]}",
                where=where,
            )
        lines[answer.key] = number
        answers.append(answer)
    if header.answers is not None and header.answers != len(answers):
        raise UsageError(
            f"the header speaks of {header.answers} answers, but the file holds {len(answers)}",
            where=str(path),
            hint="The file was cut short or edited. Record again, or remove the header line.",
        )
    if not answers:
        raise UsageError("the file holds no answers", where=str(path))
    provers = header.provers or tuple(sorted({a.prover for a in answers if a.prover}))
    return Recording(
        path=path,
        answers=tuple(answers),
        provers=provers,
        metadata=header.metadata,
        digest=hashlib.sha256(data).hexdigest(),
    )


def write_recorded(
    path: Path, answers: Iterable[RecordedAnswer], metadata: Mapping[str, str] | None = None
) -> None:
    """Write a recording, sorted, in one step: readers see the old file or the whole new one.

    The same answers and metadata give the same bytes. The file is compressed if its name ends
    in ``.gz``.

    Raises:
        UsageError: the file cannot be written.
    """
    ordered = sorted(answers, key=lambda answer: answer.key)
    header = _Header(
        vsb_recording=SCHEMA,
        provers=tuple(sorted({answer.prover for answer in ordered if answer.prover})),
        answers=len(ordered),
        metadata=dict(sorted((metadata or {}).items())),
    )
    buffer = io.BytesIO()
    for record in (header, *ordered):
        buffer.write(msgspec.json.encode(record) + b"\n")
    data = buffer.getvalue()
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    try:
        _replace(path, data)
    except OSError as error:
        raise UsageError(
            f"the recording cannot be written: {error.strerror or error}", where=str(path)
        ) from error


def _replace(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise UsageError("there is no such recording", where=str(path)) from error
    except OSError as error:
        raise UsageError(
            f"the recording cannot be read: {error.strerror or error}", where=str(path)
        ) from error


def _json_lines(data: bytes, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    stream: io.BufferedIOBase = io.BytesIO(data)
    if data[:2] == b"\x1f\x8b":
        stream = gzip.GzipFile(fileobj=stream)
    number = 0
    while True:
        try:
            line = stream.readline()
        except (OSError, EOFError, zlib.error) as error:
            raise UsageError(
                f"the compressed file is damaged: {error}", where=f"{path}:{number + 1}"
            ) from error
        if not line:
            return
        number += 1
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            raw = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UsageError(f"the line is no JSON: {error}", where=where) from error
        if not isinstance(raw, dict):
            raise UsageError("the line is no JSON object", where=where)
        yield number, raw


def _read_header(raw: dict[str, Any], where: str) -> _Header:
    version = raw["vsb_recording"]
    if version != SCHEMA or isinstance(version, bool):
        raise UsageError(
            f"the recording has version {version!r}; this pytest-vsb reads version {SCHEMA}",
            where=where,
        )
    try:
        return msgspec.convert(raw, _Header)
    except msgspec.ValidationError as error:
        raise UsageError(f"the header is wrong: {error}", where=where) from error


def _read_answer(
    raw: dict[str, Any], where: str, following: Counter[tuple[str, str]]
) -> RecordedAnswer:
    _check_keys(raw, _LINE_KEYS, where)
    if isinstance(raw.get("usage"), dict):
        _check_keys(raw["usage"], _USAGE_KEYS, where)
    try:
        line = msgspec.convert(raw, _Line)
    except msgspec.ValidationError as error:
        raise UsageError(f"the line is wrong: {error}", where=where) from error
    if line.proof is None and not line.malformed:
        raise UsageError("the line has neither 'proof' nor 'malformed'", where=where)
    if line.proof is not None and line.malformed:
        raise UsageError("the line has both 'proof' and 'malformed'", where=where)
    if line.round < 0 or (line.sample or 0) < 0:
        raise UsageError("'sample' and 'round' count from 0", where=where)
    # People paste whole nodeids.
    task = line.task.rpartition(".jsonl::")[2]
    counter = (line.suite, task)
    if line.sample is not None:
        sample = line.sample
    elif line.round > 0:
        sample = following[counter] - 1
        if sample < 0:
            raise UsageError(
                f"round {line.round} of task {task!r} comes before its round 0", where=where
            )
    else:
        sample = following[counter]
    following[counter] = max(following[counter], sample + 1)
    return RecordedAnswer(
        task=task,
        sample=sample,
        round=line.round,
        suite=line.suite,
        auxiliary=line.auxiliary,
        proof=line.proof,
        reasoning=line.reasoning,
        malformed=line.malformed,
        usage=line.usage,
        prompt_digest=line.prompt_digest,
        prover=line.prover,
    )


def _check_keys(raw: Mapping[str, Any], valid: tuple[str, ...], where: str) -> None:
    for key in raw:
        if key not in valid:
            raise UsageError(
                f"the line has an unknown key {key!r}",
                where=where,
                hint=f"Valid keys: {', '.join(valid)}.",
            )
