"""Whether runs belong together: what they must agree in to be joined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from pytest_vsb.errors import UsageError
from pytest_vsb.report.alike import lean_of
from pytest_vsb.report.parts import shard_notes, shards_of
from pytest_vsb.run.history import Place
from pytest_vsb.run.records import TaskFacts
from pytest_vsb.words import counted

FREE = ("seed", "rootdir", "lean")
"""Settings in which runs that are joined may differ; that they used one Lean is told by what they
say of it."""

_NAMED = 5

# The first of these that a task has in one of the runs is what it has in all together: what is
# still to be done or went wrong, then what is done.
_STATUSES = (
    "unfinished",
    "interrupted",
    "crashed",
    "cut_off",
    "budget",
    "done",
    "unavailable",
    "known_bad",
    "excluded",
    "not_run",
)


@dataclass(frozen=True)
class Part:
    """What of a run must fit the others.

    ``run`` is as in ``run.json``. By nodeid: ``tasks``, the ``digests`` of tasks together with
    their files and judge where they are known, the ``bases`` of these, ``statuses``, and
    ``answers``, the candidates by place.
    """

    name: str
    run: Mapping[str, Any]
    tasks: Mapping[str, TaskFacts]
    digests: Mapping[str, str] = field(default_factory=dict)
    bases: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    statuses: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, Mapping[Place, str]] = field(default_factory=dict)

    @property
    def identity(self) -> Mapping[str, Any]:
        found = self.run.get("identity")
        return found if isinstance(found, Mapping) else {}


def check(parts: Sequence[Part], *, whole: bool = False) -> tuple[str, ...]:
    """What a reader must know of these runs when they are joined.

    Args:
        parts: the runs.
        whole: whether their shards must be all there are, each once. One run may hold them all.

    Raises:
        UsageError: they do not belong together; the message names every conflict.
    """
    if len(parts) < 2 and not (whole and any(shards_of(part.run) for part in parts)):
        raise UsageError("at least two runs are needed", where="vsb merge")
    conflicts = list(dict.fromkeys(_conflicts(parts)))
    if conflicts:
        raise UsageError(
            "\n  ".join(["the runs do not belong together:", *conflicts]),
            where="vsb merge",
            hint="merge runs of the same prover, settings and tasks; vsb compare holds others "
            "against each other",
        )
    notes = list(shard_notes([(part.name, part.run) for part in parts]))
    if whole and notes:
        raise UsageError(
            "\n  ".join(["the shards are no whole:", *notes]),
            where="vsb merge --whole",
            hint="run what is missing with the same options",
        )
    return tuple(dict.fromkeys([*_notes(parts), *notes]))


def joined_status(statuses: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """The status and its reason that a task has in all runs together."""
    order = {status: index for index, status in enumerate(_STATUSES)}
    return min(statuses, key=lambda pair: order.get(pair[0], 0))


def _conflicts(parts: Sequence[Part]) -> Iterator[str]:
    first = parts[0]
    for part in parts[1:]:
        names = f"{first.name} and {part.name}"
        for key in sorted({*first.identity, *part.identity} - set(FREE)):
            one, other = first.identity.get(key), part.identity.get(key)
            if one != other:
                yield f"{names}: {key}: {one!r} and {other!r}"
        leans = lean_of(first.run), lean_of(part.run)
        if leans[0] != leans[1]:
            yield f"{names}: judged by {leans[0] or 'an unknown Lean'} and {leans[1]}"
    for one_part, other_part in combinations(parts, 2):
        names = f"{one_part.name} and {other_part.name}"
        common = [nodeid for nodeid in one_part.tasks if nodeid in other_part.tasks]
        changed: dict[str, list[str]] = {}
        for nodeid in common:
            for cause in _causes(one_part, other_part, nodeid):
                changed.setdefault(cause, []).append(nodeid)
        for cause, nodeids in changed.items():
            everywhere = nodeids == common and not cause.startswith(_OF_TASKS)
            where = (
                f"all {counted(len(common), 'task')} in common" if everywhere else _some(nodeids)
            )
            yield f"{names}: {cause}: {where}"
        bad = [
            nodeid
            for nodeid in common
            if nodeid in one_part.statuses
            and nodeid in other_part.statuses
            and (one_part.statuses[nodeid] == "known_bad")
            != (other_part.statuses[nodeid] == "known_bad")
        ]
        if bad:
            yield f"{names}: known to be bad in one of them only: {_some(bad)}"
        if _repeats(one_part, other_part):
            yield (
                f"{names}: the same seed and the same answers to all that they have in common: the "
                "prover has not drawn again, so they are no further samples; use another --vsb-seed"
            )


_THEOREMS = "other theorems"
_BASES = {
    "statement": _THEOREMS,
    "judge": "judged by other versions of the judge",
    "policy": "judged by other policies",
    "lean": "judged by other Leans",
    "options": "judged with other options of Lean",
    "text": "other text in the file before the theorem",
    "imports": "other compiled modules, or in another place, that the file imports",
    "files": "other files, or another Lean",
}
_OF_TASKS = (_BASES["statement"], _BASES["text"])
_TOLD = ("judge", "policy", "lean")
_UNTOLD = "another judge, Lean, file, or imports (these runs do not say which)"


def _causes(one: Part, other: Part, nodeid: str) -> Iterator[str]:
    """In what a task, its file or its judge are not the same in two runs."""
    if _unlike(one.tasks[nodeid].digest, other.tasks[nodeid].digest):
        yield _THEOREMS
        return
    if not _unlike(one.digests.get(nodeid), other.digests.get(nodeid)):
        return
    first, second = one.bases.get(nodeid, {}), other.bases.get(nodeid, {})
    found = [key for key in _BASES if _unlike(first.get(key), second.get(key))]
    for key in found:
        told = f" ({first[key]} and {second[key]})" if key in _TOLD else ""
        yield _BASES[key] + told
    if not found:
        yield _UNTOLD


def _unlike(one: str | None, other: str | None) -> bool:
    return bool(one and other and one != other)


def _repeats(one: Part, other: Part) -> bool:
    if one.identity.get("seed") != other.identity.get("seed"):
        return False
    pairs = [
        (answers[place], other.answers[nodeid][place])
        for nodeid, answers in one.answers.items()
        if nodeid in other.answers
        for place in answers
        if place in other.answers[nodeid]
    ]
    return bool(pairs) and all(first == second for first, second in pairs)


def _notes(parts: Sequence[Part]) -> Iterator[str]:
    for one, other in combinations(parts, 2):
        common = sum(nodeid in other.tasks for nodeid in one.tasks)
        if common and one.identity.get("seed") == other.identity.get("seed"):
            yield (
                f"{one.name} and {other.name} have the same seed and {counted(common, 'task')} in "
                "common: samples of a prover that keeps to its seed are not independent"
            )
    for key in ("plugin_version", "platform"):
        told = dict.fromkeys(str(part.run[key]) for part in parts if part.run.get(key))
        if len(told) > 1:
            yield f"the runs differ in {key}: {', '.join(told)}"


def _some(nodeids: Sequence[str]) -> str:
    more = f" and {len(nodeids) - _NAMED} more" if len(nodeids) > _NAMED else ""
    return f"{', '.join(nodeids[:_NAMED])}{more}"
