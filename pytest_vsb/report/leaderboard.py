"""A run as an entry of a leaderboard: rates, settings, every task's counts, and digests.

The digests tie the entry to what it was made from: the theorems, the prompts, the judge and the
journals. Whoever has the run can make them again (:func:`verify`) and would see any change. They
prove nothing about who made the run: for that, sign the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from pytest_vsb.errors import UsageError
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.merge import journal_digest
from pytest_vsb.report.results import plain
from pytest_vsb.report.summary import ks_for, summarise
from pytest_vsb.run.records import Attempt

SCHEMA_VERSION = 1
KIND = "pytest-vsb leaderboard entry"

_PROTOCOL = ("repairs", "seed", "context", "context_tokens", "tokenizer")
_JUDGE = ("policy", "assurance", "check_timeout", "check_memory_mb")


def entry(run: LoadedRun) -> dict[str, Any]:
    """The entry, as JSON holds it; the same for the same run."""
    summary = summarise(run.results, ks_for(run.samples))
    total = summary.total
    prompts = _prompts(a for result in run.results for a in run.attempts(result.task.nodeid))
    judge = {
        **{key: run.identity.get(key) for key in _JUDGE},
        "lean": str(run.run.get("lean") or ""),
        "plugin_version": str(run.run.get("plugin_version") or ""),
    }
    tasks = [
        {
            "id": result.task.id,
            "nodeid": result.task.nodeid,
            "digest": result.task.digest,
            "status": result.status,
            "n": result.n,
            "c": result.c,
            "c_first": result.c_first,
        }
        for result in run.results
    ]
    found: dict[str, Any] = {
        "kind": KIND,
        "schema": SCHEMA_VERSION,
        "model": run.model,
        "prover": run.identity.get("prover") or {},
        "created": str(run.run.get("created") or ""),
        "suites": sorted({result.task.suite for result in run.results if result.task.suite}),
        "protocol": {
            "samples": run.samples,
            **{key: run.identity.get(key) for key in _PROTOCOL},
        },
        "judge": judge,
        "scores": {
            "tasks": total.tasks,
            "judged": total.judged,
            "solved": total.solved,
            "solved_without_repair": total.solved_without_repair,
            "pass_at": [
                {
                    "k": rate.k,
                    "value": rate.value,
                    "low": rate.low,
                    "high": rate.high,
                    "tasks": rate.tasks,
                }
                for rate in total.pass_at
            ],
        },
        "usage": {
            **msgspec.to_builtins(total.usage),
            "lean_seconds": total.lean_seconds,
            "attempts": total.attempts,
        },
        "tasks": tasks,
        "notes": list(run.notes),
    }
    found = plain(found)
    found["digests"] = {
        "dataset": _sha256(sorted([task["nodeid"], task["digest"]] for task in tasks)),
        "prompts": _sha256(prompts) if prompts else None,
        "judge": _sha256(plain(judge)),
        "journal": _journal(run),
    }
    found["digests"]["entry"] = _sha256(found)
    return found


def entry_bytes(run: LoadedRun) -> bytes:
    """The entry as a file."""
    return msgspec.json.format(msgspec.json.encode(entry(run)), indent=2) + b"\n"


def verify(file: Path, run: LoadedRun) -> tuple[str, ...]:
    """In what an entry and what the run gives are different; empty where they agree.

    Raises:
        UsageError: the file cannot be read, or is no entry.
    """
    given, made = read_entry(file), entry(run)
    differences = []
    for key in sorted({*given, *made} - {"digests"}):
        if given.get(key) != made.get(key):
            differences.append(f"{key}: {_difference(given.get(key), made.get(key))}")
    digests: Mapping[str, Any] = given["digests"]
    for key, value in made["digests"].items():
        if digests.get(key) != value and (key != "entry" or not differences):
            differences.append(f"digest of the {key}: {digests.get(key)} and {value}")
    return tuple(differences)


_WHICH = "name an entry that `vsb export RUN --format=leaderboard --output=FILE.json` has written"


def read_entry(file: Path) -> dict[str, Any]:
    """An entry's file, which is sound in itself: its last digest is of all the rest.

    Raises:
        UsageError: it cannot be read, is none, or was changed.
    """
    try:
        found = msgspec.json.decode(file.read_bytes())
    except OSError as error:
        raise UsageError(
            f"cannot be read: {error.strerror}", where=str(file), hint=_WHICH
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"is no valid JSON: {error}", where=str(file), hint=_WHICH) from error
    digests = found.get("digests") if isinstance(found, dict) else None
    if found is None or not isinstance(digests, dict) or found.get("kind") != KIND:
        raise UsageError("is no entry of a leaderboard", where=str(file), hint=_WHICH)
    if found.get("schema") != SCHEMA_VERSION:
        raise UsageError(
            f"has schema version {found.get('schema')!r}, but only {SCHEMA_VERSION} can be read",
            where=str(file),
        )
    rest = {**found, "digests": {key: digests[key] for key in digests if key != "entry"}}
    if digests.get("entry") != _sha256(rest):
        raise UsageError("was changed: its digest is not that of its content", where=str(file))
    return dict(found)


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the file."""
    text = resources.files(__package__).joinpath("leaderboard.schema.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Any])


def _prompts(attempts: Iterable[Attempt]) -> list[list[Any]]:
    return sorted([a.nodeid, a.sample, a.round, a.prompt_digest] for a in attempts)


def _journal(run: LoadedRun) -> str | None:
    if run.path is None or not (run.path / "run.json").exists():
        return None
    return f"sha256:{journal_digest(run.path)}"


def _sha256(value: Any) -> str:
    """Of the value as JSON without blanks, keys in order, UTF-8."""
    return "sha256:" + hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()


def _difference(given: Any, made: Any) -> str:
    if isinstance(given, dict) and isinstance(made, dict):
        keys = [key for key in sorted({*given, *made}) if given.get(key) != made.get(key)]
        return ", ".join(f"{key} {given.get(key)!r} and {made.get(key)!r}" for key in keys)[:500]
    if isinstance(given, list) and isinstance(made, list):
        count = sum(one != other for one, other in zip(given, made, strict=False))
        return f"{count + abs(len(given) - len(made))} of {max(len(given), len(made))} differ"
    return f"{given!r} and {made!r}"[:500]
