"""Recorded answers: the lines of a recording, how they are read and written.

A recording is JSON lines, optionally compressed by gzip. It may begin with a header, which tells
the version of the format, the provers, the numbers of answers and responses and free metadata;
then there is one line for each answer, and then one for each raw response, named by its digest.
See docs/provers.md for the keys.
"""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import msgspec

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import Usage
from pytest_vsb.provers.recorded_lines import json_lines, open_recording, replace_lines

SCHEMA = 2
READABLE = (1, 2)
"""The versions that can be read. Version 1 has no raw responses and no digests of tasks."""

Key = tuple[str, str, int, int]

_NO_USAGE = Usage()


@dataclass(frozen=True)
class RecordedAnswer:
    """One answer of a prover: round ``round`` of sample ``sample`` at task ``task``.

    ``task`` is the task's id, the last part of its nodeid; an empty ``suite`` fits any suite.
    ``proof`` is ``None`` where the response held no usable proof, and ``malformed`` says why, or
    where the prover had ``nothing`` more to offer. ``task_digest`` and ``prompt_digest`` identify
    the obligation and the prompt that were answered, ``response_digest`` the raw response; the
    other fields are those of :class:`~pytest_vsb.provers.base.Answer`.
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
    nothing: bool = False
    task_digest: str = ""
    response_digest: str = ""
    model: str = ""
    stop: str = ""
    retries: int = 0
    leniencies: tuple[str, ...] = ()

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
    nothing: bool = False
    task_digest: str = ""
    response_digest: str = ""
    model: str = ""
    stop: str = ""
    retries: int = 0
    leniencies: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Header:
    vsb_recording: int
    provers: tuple[str, ...] = ()
    answers: int | None = None
    responses: int | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Response:
    vsb_response: str
    text: str


@dataclass(frozen=True)
class Recording:
    """A recording as read. ``digest`` is the SHA-256 of the file's bytes, in hexadecimal."""

    path: Path
    answers: tuple[RecordedAnswer, ...]
    provers: tuple[str, ...]
    metadata: Mapping[str, str]
    digest: str
    packed_responses: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """The raw responses by their digests, compressed: a run has far more of them than fit."""

    def response(self, digest: str) -> str:
        """The raw response of this digest, or an empty string if it is not in the recording."""
        packed = self.packed_responses.get(digest)
        return "" if packed is None else zlib.decompress(packed).decode("utf-8")


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
    header = _Header(SCHEMA)
    answers: list[RecordedAnswer] = []
    lines: dict[Key, int] = {}
    following: Counter[tuple[str, str]] = Counter()
    responses: dict[str, bytes] = {}
    first = True
    with open_recording(path) as file:
        for number, raw in json_lines(file, path):
            where = f"{path}:{number}"
            was_first, first = first, False
            if was_first and "vsb_recording" in raw:
                header = _read_header(raw, where)
                continue
            if "vsb_response" in raw:
                response = _read_response(raw, where)
                responses[response.vsb_response] = zlib.compress(response.text.encode("utf-8"), 1)
                continue
            answer = _read_answer(raw, where, following)
            if answer.key in lines:
                raise UsageError(
                    f"a second answer for task {answer.task!r}, sample {answer.sample}, "
                    f"round {answer.round}; the first is in line {lines[answer.key]}",
                    where=where,
                )
            lines[answer.key] = number
            answers.append(answer)
        digest = file.digest()
    for name, said, found in (
        ("answers", header.answers, len(answers)),
        ("responses", header.responses, len(responses)),
    ):
        if said is not None and said != found:
            raise UsageError(
                f"the header speaks of {said} {name}, but the file holds {found}",
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
        digest=digest,
        packed_responses=responses,
    )


def write_recorded(
    path: Path,
    answers: Iterable[RecordedAnswer],
    metadata: Mapping[str, str] | None = None,
    responses: Mapping[str, str] | None = None,
) -> None:
    """Write a recording, sorted, in one step: readers see the old file or the whole new one.

    The same answers, metadata and responses give the same bytes. The file is compressed if its
    name ends in ``.gz``.

    Args:
        path: the file.
        answers: the answers.
        metadata: what else a reader should know.
        responses: raw responses by their digests. Those that no answer names are left out. They
            are taken one at a time, so that this may be a mapping that reads files.

    Raises:
        UsageError: the file cannot be written.
    """
    ordered = sorted(answers, key=lambda answer: answer.key)
    write_in_order(path, lambda: ordered, metadata, responses)


@dataclass(frozen=True)
class Written:
    """How many answers and raw responses a recording was given; ``lost`` are responses that an
    answer names and that are not there."""

    answers: int
    responses: int
    lost: int


def write_in_order(
    path: Path,
    answers: Callable[[], Iterable[RecordedAnswer]],
    metadata: Mapping[str, str] | None = None,
    responses: Mapping[str, str] | None = None,
) -> Written:
    """Write a recording as :func:`write_recorded` does, of more answers than fit into memory.

    Args:
        path: the file.
        answers: goes through the answers, sorted by their keys; it is called twice, and says the
            same both times.
        metadata: what else a reader should know.
        responses: raw responses by their digests.

    Raises:
        UsageError: the file cannot be written.
    """
    texts = responses or {}
    count = 0
    named: set[str] = set()
    provers: set[str] = set()
    for answer in answers():
        count += 1
        named.update(filter(None, [answer.response_digest]))
        provers.update(filter(None, [answer.prover]))
    digests = sorted(digest for digest in named if digest in texts)
    header = _Header(
        vsb_recording=SCHEMA,
        provers=tuple(sorted(provers)),
        answers=count,
        responses=len(digests),
        metadata=dict(sorted((metadata or {}).items())),
    )

    def lines() -> Iterator[bytes]:
        yield msgspec.json.encode(header)
        for answer in answers():
            yield msgspec.json.encode(_without_defaults(answer))
        for digest in digests:
            yield msgspec.json.encode(_Response(digest, texts[digest]))

    try:
        replace_lines(path, lines())
    except OSError as error:
        raise UsageError(
            f"the recording cannot be written: {error.strerror or error}", where=str(path)
        ) from error
    return Written(count, len(digests), len(named) - len(digests))


def _without_defaults(answer: RecordedAnswer) -> dict[str, Any]:
    """The line of an answer, without what a reader takes for granted."""
    record: dict[str, Any] = msgspec.to_builtins(answer)
    for item in fields(_Line):
        value = getattr(answer, item.name)
        if value == item.default and item.name not in ("sample", "round"):
            del record[item.name]
    return record


def _read_response(raw: dict[str, Any], where: str) -> _Response:
    try:
        response = msgspec.convert(raw, _Response)
    except msgspec.ValidationError as error:
        raise UsageError(f"the line is wrong: {error}", where=where) from error
    if hashlib.sha256(response.text.encode("utf-8")).hexdigest() != response.vsb_response:
        raise UsageError(
            "the raw response in this line is not the one that its digest names",
            where=where,
            hint="The file was edited. Record again, or remove the line and the header.",
        )
    return response


def _read_header(raw: dict[str, Any], where: str) -> _Header:
    version = raw["vsb_recording"]
    if version not in READABLE or isinstance(version, bool):
        readable = " and ".join(map(str, READABLE))
        raise UsageError(
            f"the recording has version {version!r}; this pytest-vsb reads versions {readable}",
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
    given = [name for name in ("proof", "malformed", "nothing") if _is_given(line, name)]
    if not given:
        raise UsageError("the line has neither 'proof' nor 'malformed'", where=where)
    if len(given) > 1:
        raise UsageError(f"the line has both {given[0]!r} and {given[1]!r}", where=where)
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
        **{**{name: getattr(line, name) for name in _LINE_KEYS}, "task": task, "sample": sample}
    )


def _is_given(line: _Line, name: str) -> bool:
    value = getattr(line, name)
    return value is not None if name == "proof" else bool(value)


def _check_keys(raw: Mapping[str, Any], valid: tuple[str, ...], where: str) -> None:
    for key in raw:
        if key not in valid:
            raise UsageError(
                f"the line has an unknown key {key!r}",
                where=where,
                hint=f"Valid keys: {', '.join(valid)}.",
            )
