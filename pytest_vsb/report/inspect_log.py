"""A run as an evaluation log of Inspect (https://inspect.aisi.org.uk), whose viewer opens it.

One log holds the run. A sample of ours at a task is one of its samples: the task is the ``id``, the
number of the sample, from 1, the ``epoch``. Its messages are the statement, then each answer and
what the judge said of it. The score ``lean`` is ``C`` where the sample ended in an accepted proof,
else ``I``; a sample that could not be judged has an error and no score.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import groupby
from typing import Any

import msgspec

from pytest_vsb.errors import UsageError
from pytest_vsb.metrics.passk import mean_pass_at_k
from pytest_vsb.provers.base import Usage
from pytest_vsb.report.alike import judged
from pytest_vsb.report.loaded import LoadedRun
from pytest_vsb.report.results import plain
from pytest_vsb.report.summary import ks_for
from pytest_vsb.report.text import clean
from pytest_vsb.report.verdict import verdict_lines
from pytest_vsb.run.records import Attempt, TaskResult

VERSION = 2
"""Of Inspect's log format."""

SCORE = "lean"
_TEXT = 1_000_000
_CUT = frozenset({"length", "max_tokens", "max_output_tokens", "MAX_TOKENS"})
_GOING_ON = ("unfinished", "interrupted", "not_run", "budget")


def inspect_log(run: LoadedRun) -> bytes:
    """The log as JSON; see :func:`inspect_parts`."""
    return b"".join(inspect_parts(run))


def inspect_parts(run: LoadedRun) -> Iterator[bytes]:
    """The log as JSON, piece by piece, as no more than one task's samples fit for a large run.

    Raises:
        UsageError: no attempts of the run are kept.
    """
    if not run.has_attempts:
        raise UsageError(
            "no attempts are kept there, only results",
            where="--format=inspect",
            hint="name the run directory",
        )
    names = _names(run)
    count = _Count()
    for result in run.results:
        for rounds in _rounds(run, result):
            count.add(rounds)
    status = "success"
    if any(result.status in _GOING_ON for result in run.results):
        status = "cancelled"
    log = {
        "version": VERSION,
        "status": status,
        "eval": _eval(run, list(names.values())),
        "plan": {
            "name": "plan",
            "steps": [
                {
                    "solver": "generate-check-repair",
                    "params": {"repairs": run.identity.get("repairs")},
                }
            ],
        },
        "results": _results(run, count),
        "stats": {**count.times(), "model_usage": {run.model: _usage(_total(run))}},
        "samples": [],
    }
    # No other line begins like that: it is of the outermost object.
    before, after = _json(log, indent="").split(b'\n "samples": []')
    yield before + b'\n "samples": ['
    separator = b"\n"
    for result in run.results:
        for rounds in _rounds(run, result):
            sample = _sample(run, result, names[result.task.nodeid], rounds)
            yield separator + _json(sample, indent="  ")
            separator = b",\n"
    yield (b"]" if separator == b"\n" else b"\n ]") + after + b"\n"


def _json(value: Any, *, indent: str) -> bytes:
    """The value as JSON whose lines are indented, which within texts there are none of."""
    text = msgspec.json.format(msgspec.json.encode(plain(value)), indent=1)
    space = indent.encode()
    return space + text.replace(b"\n", b"\n" + space)


@dataclass
class _Count:
    """What a log says of all its samples: how many there are and have a score, and their times."""

    samples: int = 0
    scored: int = 0
    began: float = math.inf
    ended: float = -math.inf

    def add(self, rounds: Sequence[Attempt]) -> None:
        self.samples += 1
        self.scored += rounds[-1].verdict.counts
        for attempt in rounds:
            if attempt.started > 0:
                self.began = min(self.began, attempt.started)
                seconds = attempt.usage.seconds + attempt.verdict.spent_seconds
                self.ended = max(self.ended, attempt.started + seconds)

    def times(self) -> dict[str, str]:
        """When the first attempt began and the last one ended, where that is known."""
        if self.began == math.inf:
            return {"started_at": "", "completed_at": ""}
        return {"started_at": _instant(self.began), "completed_at": _instant(self.ended)}


def file_name(run: LoadedRun) -> str:
    """What Inspect would call the log: its viewer lists files of such names in a directory."""
    created = re.sub(r"[:.]", "-", _created(run))
    task = re.sub(r"[^A-Za-z0-9-]+", "-", _task(run)).strip("-") or "vsb"
    return f"{created}_{task}_{_id('run', run)}.json"


def _eval(run: LoadedRun, names: Sequence[str]) -> dict[str, Any]:
    return {
        "eval_id": _id("eval", run),
        "run_id": _id("run", run),
        "created": _created(run),
        "task": _task(run),
        "task_id": _id("task", run),
        "task_version": 0,
        "task_attribs": {},
        "task_args": {},
        "dataset": {
            "name": _task(run),
            "samples": len(run.results),
            "sample_ids": list(names),
            "shuffled": False,
        },
        "model": run.model,
        "model_args": {},
        "config": {"epochs": run.samples, "epochs_reducer": ["mean"]},
        "packages": {"pytest-vsb": str(run.run.get("plugin_version") or "")},
        "metadata": {
            "identity": dict(run.identity),
            "lean": run.run.get("lean"),
            "notes": list(run.notes),
        },
        "scorers": [{"name": SCORE, "metrics": [{"name": "mean"}]}],
    }


def _results(run: LoadedRun, count: _Count) -> dict[str, Any]:
    counted = [(result.n, result.c) for result in run.results if judged(result)]
    metrics = {}
    for k in ks_for(run.samples):
        rate = mean_pass_at_k(counted, k)
        if rate.value is not None:
            name = f"pass_at_{k}"
            metrics[name] = {"name": name, "value": rate.value, "params": {"k": k}}
    return {
        "total_samples": len(run.results) * run.samples,
        "completed_samples": count.scored,
        "scores": [
            {
                "name": SCORE,
                "scorer": SCORE,
                "reducer": "mean",
                "scored_samples": count.scored,
                "unscored_samples": count.samples - count.scored,
                "params": {},
                "metrics": metrics,
            }
        ],
    }


def _rounds(run: LoadedRun, result: TaskResult) -> Iterator[list[Attempt]]:
    """The attempts at a task, sample by sample."""
    attempts = sorted(run.attempts(result.task.nodeid), key=lambda a: (a.sample, a.round))
    for _, rounds in groupby(attempts, key=lambda attempt: attempt.sample):
        yield list(rounds)


def _sample(
    run: LoadedRun, result: TaskResult, name: str, rounds: Sequence[Attempt]
) -> dict[str, Any]:
    number = rounds[0].sample
    task = run.tasks.get(result.task.nodeid)
    question = task.statement if task is not None else result.task.name or result.task.id
    last = rounds[-1]
    messages: list[dict[str, Any]] = [{"role": "user", "content": _text(question)}]
    for attempt in rounds:
        messages.append(
            {
                "role": "assistant",
                "content": _proof(attempt),
                "model": attempt.model or run.model,
                "source": "generate",
            }
        )
        messages.append({"role": "user", "content": _verdict(result, attempt)})
    usage = sum((attempt.usage for attempt in rounds), Usage())
    sample: dict[str, Any] = {
        "id": name,
        "epoch": number + 1,
        "input": _text(question),
        "target": "a proof that Lean accepts",
        "messages": messages,
        "output": {
            "model": last.model or run.model,
            "choices": [
                {
                    "message": {
                        "role": "assistant",
                        "content": _proof(last),
                        "model": last.model or run.model,
                        "source": "generate",
                    },
                    "stop_reason": "max_tokens" if last.stop in _CUT else "stop",
                }
            ],
            "completion": _proof(last),
            "usage": _usage(usage),
            "time": usage.seconds,
        },
        "metadata": _metadata(result, rounds),
        "store": {},
        "events": [],
        "model_usage": {run.model: _usage(usage)},
        "total_time": usage.seconds + math.fsum(a.verdict.spent_seconds for a in rounds),
        "uuid": _digest("sample", _created(run), result.task.nodeid, str(number)),
        "attachments": {},
    }
    count = _Count()
    count.add(rounds)
    sample.update({key: time for key, time in count.times().items() if time})
    if last.verdict.counts:
        sample["scores"] = {
            SCORE: {
                "value": "C" if last.verdict.accepted else "I",
                "answer": _proof(last),
                "explanation": _verdict(result, last),
                "metadata": {"verdict": str(last.verdict.kind), "rounds": len(rounds)},
            }
        }
    else:
        reason = _text(last.verdict.reason or str(last.verdict.kind))
        sample["error"] = {"message": reason, "traceback": reason, "traceback_ansi": reason}
    return sample


def _metadata(result: TaskResult, rounds: Sequence[Attempt]) -> dict[str, Any]:
    task = result.task
    return {
        "nodeid": task.nodeid,
        "declaration": task.name,
        "repository": task.repository,
        "category": task.category,
        "subsets": list(task.subsets),
        "digest": task.digest,
        "verdicts": [str(attempt.verdict.kind) for attempt in rounds],
        "axioms": list(rounds[-1].verdict.axioms),
        "toolchain": rounds[-1].verdict.toolchain,
        "seed": rounds[0].seed,
        "prompt_digests": [attempt.prompt_digest for attempt in rounds],
    }


def _proof(attempt: Attempt) -> str:
    candidate = attempt.candidate
    if candidate is None:
        return ""
    return _text("\n\n".join(part for part in (candidate.auxiliary, candidate.proof) if part))


def _verdict(result: TaskResult, attempt: Attempt) -> str:
    return "\n".join(verdict_lines(result.task.name or result.task.id, attempt.verdict))


def _usage(usage: Usage) -> dict[str, Any]:
    found: dict[str, Any] = {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + usage.output_tokens,
        "input_tokens_cache_read": usage.cached_tokens,
    }
    if usage.cost_usd is not None:
        found["total_cost"] = usage.cost_usd
    return found


def _total(run: LoadedRun) -> Usage:
    return sum((result.usage for result in run.results), Usage())


def _instant(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="seconds")


def _created(run: LoadedRun) -> str:
    try:
        moment = datetime.fromisoformat(str(run.run.get("created")))
    except ValueError:
        moment = datetime.fromtimestamp(0, timezone.utc)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return moment.isoformat(timespec="seconds")


def _task(run: LoadedRun) -> str:
    suites = Counter(result.task.suite for result in run.results if result.task.suite)
    return "+".join(sorted(suites)) or "vsb"


def _names(run: LoadedRun) -> dict[str, str]:
    """What tasks are called in the log, by nodeid: their ids, or nodeids where ids repeat."""
    ids = Counter(result.task.id for result in run.results)
    return {
        result.task.nodeid: result.task.id if ids[result.task.id] == 1 else result.task.nodeid
        for result in run.results
    }


def _id(what: str, run: LoadedRun) -> str:
    """An id that is the same each time the run is exported."""
    return _digest(what, _created(run), run.model, *(r.task.nodeid for r in run.results))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:22]


def _text(text: str) -> str:
    return clean(text, _TEXT)
