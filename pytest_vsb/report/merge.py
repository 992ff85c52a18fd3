"""Runs joined to one: shards of a run, and runs repeated to have more samples.

The journals are written anew, run by run, with the samples numbered on, so that n and c of a task
add up and everything that can be asked of a run can be asked of the merged one. What does not
belong together is refused, by name. The same runs in any order give the same bytes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import re
import shutil
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from pytest_vsb.errors import UsageError
from pytest_vsb.files import replacing, write_atomically
from pytest_vsb.report.conflicts import Part, check, joined_status
from pytest_vsb.report.parts import all_shards
from pytest_vsb.report.section import samples_of
from pytest_vsb.report.summary import unreadable_lines
from pytest_vsb.run.directory import RunDirectory
from pytest_vsb.run.history import ItemHistory, Place, read_history
from pytest_vsb.run.journal import (
    Answered,
    Asked,
    Ended,
    Event,
    Judged,
    Remembered,
    Started,
    Unreadable,
    journal_files,
    read_journals,
)
from pytest_vsb.run.jsontext import encode
from pytest_vsb.run.records import TaskFacts

_TICK = 1e-6
_SAME = ("plugin_version", "python", "platform", "lean", "sandbox", "pytest")


@dataclass(frozen=True)
class Item:
    """What must be known of an item's history, which may not fit into memory with all others:
    ``answers`` in few bytes, equal for equal ones, and how many numbers of samples were used."""

    digest: str
    basis: Mapping[str, str]
    outcome: tuple[str, str]
    answers: Mapping[Place, str]
    width: int

    @classmethod
    def of(cls, history: ItemHistory) -> Item:
        used = {*history.attempts, *history.answers, *history.asked, *history.remembered}
        return cls(
            digest=history.digest,
            basis=history.basis,
            outcome=history.outcome,
            answers={
                place: hashlib.sha256(encode(attempt.candidate)).hexdigest()
                for place, attempt in history.attempts.items()
                if attempt.candidate is not None
            },
            width=max((sample + 1 for sample, _ in used), default=0),
        )


@dataclass(frozen=True)
class Source:
    """One of the runs to be merged. ``journal`` is the SHA-256 of its journals, ``lost`` are their
    lines that cannot be read; ``judged`` are the times of attempts by item."""

    name: str
    path: Path
    record: Mapping[str, Any]
    samples: int
    tasks: tuple[TaskFacts, ...]
    items: Mapping[str, Item] = field(repr=False)
    judged: Mapping[str, array[float]] = field(repr=False)
    journal: str
    lost: Sequence[Unreadable] = ()

    @property
    def part(self) -> Part:
        """What must fit the other runs."""
        return Part(
            name=self.name,
            run={**self.record, "samples": self.samples},
            tasks={task.nodeid: task for task in self.tasks},
            digests={nodeid: item.digest for nodeid, item in self.items.items()},
            bases={nodeid: item.basis for nodeid, item in self.items.items()},
            statuses={nodeid: item.outcome[0] for nodeid, item in self.items.items()},
            answers={nodeid: item.answers for nodeid, item in self.items.items()},
        )


@dataclass(frozen=True)
class Merged:
    """What has been joined. ``notes`` say what a reader must know."""

    sources: tuple[str, ...]
    tasks: int
    samples: int
    notes: tuple[str, ...]


def journal_digest(path: Path) -> str:
    """The SHA-256 of a run directory's journals: of each its name, its length and its bytes."""
    total = hashlib.sha256()
    for file in journal_files(path):
        total.update(f"{file.name}\0{file.stat().st_size}\0".encode())
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                total.update(block)
    return total.hexdigest()


def merge_runs(paths: Sequence[Path], output: Path, *, whole: bool = False) -> Merged:
    """Join run directories to a new one.

    Args:
        paths: the run directories.
        output: the new one; it is there whole, or not at all.
        whole: whether their shards must be all there are, each once.

    Raises:
        UsageError: something is no run directory, the runs do not belong together, or the output
            is there already or cannot be written.
    """
    sources = _sources(paths)
    notes = (*check([source.part for source in sources], whole=whole), *_unreadable(sources))
    _absent(output)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".vsb-merge-", dir=output.parent) as scratch:
            made = Path(scratch) / "run"
            samples = _write(sources, made, notes)
            if output.is_dir():
                output.rmdir()
            made.rename(output)
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror or error}", where=f"--output={output}"
        ) from error
    tasks = {task.nodeid for source in sources for task in source.tasks}
    return Merged(tuple(source.name for source in sources), len(tasks), samples, notes)


def _unreadable(sources: Sequence[Source]) -> tuple[str, ...]:
    """What is lost of the runs' journals, which are written anew without it."""
    lines = {s.name: unreadable_lines(s.lost) for s in sources}
    return tuple(f"{name}: {found.note}" for name, found in lines.items() if found.lines)


def _absent(output: Path) -> None:
    if output.is_dir() and not any(output.iterdir()):
        return
    if output.exists():
        raise UsageError(
            "there is something already", where=f"--output={output}", hint="choose a new directory"
        )


def _sources(paths: Sequence[Path]) -> list[Source]:
    """The runs in an order of their own, whatever that of the arguments."""
    found = []
    for path in paths:
        directory = RunDirectory(path)
        record = directory.read()
        histories = read_history(path)
        found.append(
            Source(
                name=path.absolute().name,
                path=path,
                record=record,
                samples=samples_of(directory, record, histories),
                tasks=directory.tasks(),
                items={nodeid: Item.of(history) for nodeid, history in histories.items()},
                judged=_judged(path),
                journal=journal_digest(path),
                lost=histories.unreadable,
            )
        )
    _no_run_twice(found)
    return sorted(found, key=lambda source: (str(source.record.get("created")), source.journal))


def _judged(path: Path) -> dict[str, array[float]]:
    times: dict[str, array[float]] = {}
    for event in read_journals(path):
        if isinstance(event, Judged):
            times.setdefault(event.nodeid, array("d")).append(event.time)
    return times


def _no_run_twice(sources: Sequence[Source]) -> None:
    """A run that is merged with itself, or with its own later state, would count twice."""
    for one, other in combinations(sources, 2):
        for nodeid, times in other.judged.items():
            if not set(times).isdisjoint(one.judged.get(nodeid, ())):
                raise UsageError(
                    f"{one.path} and {other.path} hold the same attempts (at {nodeid}, "
                    "among others): a run, or one that has been merged, is there twice",
                    where="vsb merge",
                    hint="name each run once",
                )


def _write(sources: Sequence[Source], path: Path, notes: Sequence[str]) -> int:
    """Write the merged run at ``path``; returns how many samples a task has at most."""
    (path / "journal").mkdir(parents=True)
    tasks: dict[str, TaskFacts] = {}
    asked: dict[str, int] = {}
    for source in sources:
        for task in source.tasks:
            tasks.setdefault(task.nodeid, task)
            asked[task.nodeid] = asked.get(task.nodeid, 0) + source.samples
    samples = max(asked.values(), default=1)
    lines = [msgspec.json.encode(task) + b"\n" for task in tasks.values()]
    write_atomically(path / "tasks.jsonl", b"".join(lines))
    first: dict[str, int] = {}
    latest = 0.0
    for number, source in enumerate(sources, 1):
        label = re.sub(r"[^A-Za-z0-9._-]+", "-", source.name)[:60]
        file = path / "journal" / f"{number:03}-{label}.jsonl"
        latest = max(latest, _journal(file, _renumbered(source, first)))
        for nodeid, item in source.items.items():
            first[nodeid] = first.get(nodeid, 0) + item.width
    _journal(path / "journal" / "zz-merged.jsonl", _ends(sources, latest))
    record = _record(sources, samples, notes)
    write_atomically(path / "run.json", msgspec.json.format(msgspec.json.encode(record)))
    for source in sources:
        for name in ("responses", "contexts"):
            _copy(source.path / name, path / name)
    return samples


def _journal(path: Path, events: Iterable[Event]) -> float:
    """Write a journal; returns the latest time in it."""
    latest = 0.0
    with replacing(path) as stream:
        for event in events:
            record = {"event": type(event).__name__.lower(), **msgspec.to_builtins(event)}
            stream.write(encode(record) + b"\n")
            latest = max(latest, event.time)
    return latest


def _renumbered(source: Source, first: Mapping[str, int]) -> Iterator[Event]:
    """The events of a run that still count, with the samples of each task numbered on."""
    changed: dict[str, int] = {}
    digests: dict[str, str] = {}
    for index, event in enumerate(read_journals(source.path)):
        if isinstance(event, Started) and event.digest not in ("", digests.get(event.nodeid, "")):
            changed[event.nodeid] = index
            digests[event.nodeid] = event.digest
    for index, event in enumerate(read_journals(source.path)):
        if isinstance(event, Started) and event.digest != digests.get(event.nodeid, ""):
            # Among other runs' events, an old digest would take theirs away.
            yield dataclasses.replace(event, digest="")
        elif isinstance(event, (Started, Ended)) or index >= changed.get(event.nodeid, 0):
            # What was done at another state of the task no longer is about it.
            yield _numbered_on(event, first.get(event.nodeid, 0))


def _numbered_on(event: Event, by: int) -> Event:
    if isinstance(event, Judged):
        attempt = dataclasses.replace(event.attempt, sample=event.attempt.sample + by)
        return dataclasses.replace(event, attempt=attempt)
    if isinstance(event, (Asked, Answered, Remembered)):
        return dataclasses.replace(event, sample=event.sample + by)
    return event


def _ends(sources: Sequence[Source], latest: float) -> Iterator[Ended]:
    """How each task ended in all runs together, dated after all else."""
    nodeids = dict.fromkeys(nodeid for source in sources for nodeid in source.items)
    for nodeid in nodeids:
        items = [source.items[nodeid] for source in sources if nodeid in source.items]
        status, reason = joined_status([item.outcome for item in items])
        latest += _TICK
        yield Ended(nodeid, status, reason, latest)


def _record(sources: Sequence[Source], samples: int, notes: Sequence[str]) -> dict[str, Any]:
    first = sources[0].record
    seeds = sorted({str(source.record["identity"].get("seed")) for source in sources})
    identity = dict(first["identity"])
    if len(seeds) > 1:
        # No session can continue a run of several seeds.
        identity["seed"] = ", ".join(seeds)
    record = {**first, "identity": identity, "samples": samples}
    for key in _SAME:
        told = dict.fromkeys(str(source.record[key]) for source in sources if key in source.record)
        if told:
            record[key] = "; ".join(told)
    if shards := all_shards([source.record for source in sources]):
        record["shards"] = shards
    record["merged"] = {
        "notes": list(notes),
        "runs": [
            {
                "name": source.name,
                "created": source.record.get("created"),
                "plugin_version": source.record.get("plugin_version"),
                "seed": source.record["identity"].get("seed"),
                "samples": source.samples,
                "tasks": len(source.tasks),
                "journal": source.journal,
                **({"merged": source.record["merged"]} if "merged" in source.record else {}),
            }
            for source in sources
        ],
    }
    return record


def _copy(source: Path, target: Path) -> None:
    if not source.is_dir():
        return
    target.mkdir(exist_ok=True)
    for file in sorted(source.iterdir()):
        if file.is_file() and not (target / file.name).exists():
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(file, target / file.name)
