"""Which tasks run: the selection options, and the markers that tasks carry."""

from __future__ import annotations

import difflib
import functools
import hashlib
import keyword
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_vsb.errors import UsageError
from pytest_vsb.tasks.model import Task
from pytest_vsb.tasks.shards import Shard, ShardPlan, plan_shard

_RANGE = re.compile(r"([0-9]{0,18}):([0-9]{0,18})")
_NUMBER = re.compile(r"[0-9]{1,18}")
_LISTED = 20

# Marks that pytest, pytest-timeout and pytest-xdist give a meaning, and our own.
_TAKEN = frozenset(
    (
        "filterwarnings",
        "flaky",
        "parametrize",
        "skip",
        "skipif",
        "timeout",
        "tryfirst",
        "trylast",
        "usefixtures",
        "vsb",
        "xdist_group",
        "xfail",
    )
)


@dataclass(frozen=True)
class Ids:
    """The tasks that ``--vsb-ids`` names: inclusive ranges of numbers, and ids.

    ``None`` as an end of a range means that it is open there.
    """

    ranges: tuple[tuple[int | None, int | None], ...] = ()
    names: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.ranges or self.names)


@dataclass(frozen=True)
class Selection:
    """Which tasks run. Filters apply first, then ``limit``, then ``shard``: the shards of a
    selection together are that selection.

    ``repositories``, ``categories`` and ``subsets`` hold the texts of the options as given, each
    a value or several with commas; they are resolved against the tasks by :func:`select`.
    """

    repositories: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    subsets: tuple[str, ...] = ()
    ids: Ids = Ids()
    limit: int | None = None
    shard: Shard | None = None

    @classmethod
    def parse(
        cls,
        *,
        repositories: Iterable[str] = (),
        categories: Iterable[str] = (),
        subsets: Iterable[str] = (),
        ids: Iterable[str] = (),
        limit: str | None = None,
        shard: str | None = None,
    ) -> Selection:
        """The selection that option texts ask for. An option that is not given is empty.

        Raises:
            UsageError: a text that cannot be read.
        """
        return cls(
            repositories=parse_values("--vsb-repo", repositories),
            categories=parse_values("--vsb-category", categories),
            subsets=parse_values("--vsb-subset", subsets),
            ids=parse_ids(ids),
            limit=None if limit is None else parse_limit(limit),
            shard=None if shard is None else parse_shard(shard),
        )


def parse_values(option: str, texts: Iterable[str]) -> tuple[str, ...]:
    """The texts of an option that takes names, stripped.

    Raises:
        UsageError: one of them is empty.
    """
    values = tuple(text.strip() for text in texts)
    for value in values:
        if not value.strip(", "):
            raise UsageError("a name is expected", where=option)
    return values


def parse_ids(texts: Iterable[str]) -> Ids:
    """The texts of ``--vsb-ids``: numbers, inclusive ranges ``1:10`` (an end may be left out) and
    task ids, with commas between.

    Raises:
        UsageError: a range that runs backwards, or nothing between two commas.
    """
    where = "--vsb-ids"
    ranges: list[tuple[int | None, int | None]] = []
    names: list[str] = []
    for text in texts:
        for part in text.split(","):
            item = part.strip()
            if not item or item == ":":
                raise UsageError(
                    f"a number, a range or an id is expected in {text!r}",
                    where=where,
                    hint="such as --vsb-ids=1:10,15",
                )
            compact = re.sub(r"\s*:\s*", ":", item)
            if _NUMBER.fullmatch(item):
                ranges.append((int(item), int(item)))
            elif found := _RANGE.fullmatch(compact):
                first, last = (int(end) if end else None for end in found.groups())
                if first is not None and last is not None and first > last:
                    raise UsageError(
                        f"the range {item!r} runs backwards",
                        where=where,
                        hint=f"write {last}:{first}",
                    )
                ranges.append((first, last))
            else:
                names.append(item)
    return Ids(tuple(dict.fromkeys(ranges)), tuple(dict.fromkeys(names)))


def parse_limit(text: str) -> int:
    """The text of ``--vsb-limit``: how many tasks at most, 1 or more.

    Raises:
        UsageError: it is not such a number.
    """
    if not _NUMBER.fullmatch(text.strip()) or not int(text):
        raise UsageError(
            f"a number of tasks, 1 or more, is expected, not {text!r}", where="--vsb-limit"
        )
    return int(text)


def parse_shard(text: str) -> Shard:
    """The text of ``--vsb-shard``: ``I/N`` with 1 <= I <= N.

    Raises:
        UsageError: it is not of that form.
    """
    index, slash, count = (part.strip() for part in text.partition("/"))
    if slash and _NUMBER.fullmatch(index) and _NUMBER.fullmatch(count):
        shard = Shard(int(index), int(count))
        if 1 <= shard.index <= shard.count:
            return shard
    raise UsageError(
        f"I/N with 1 <= I <= N is expected, not {text!r}",
        where="--vsb-shard",
        hint="such as --vsb-shard=1/4 for the first of four parts",
    )


@dataclass(frozen=True)
class Selected:
    """The tasks that run, by their positions among all, in the order of the tasks; and what shard
    of a selection they are, if they are one."""

    indices: tuple[int, ...] = ()
    plan: ShardPlan | None = None


def select(
    tasks: Sequence[Task],
    selection: Selection,
    keys: Sequence[str] | None = None,
    measured: Mapping[str, int] | None = None,
) -> Selected:
    """The tasks that run.

    Args:
        tasks: all tasks of the session: values are unknown only if no task has them.
        selection: what the options ask for.
        keys: a text per task, such as its nodeid, by which shards and ``measured`` know it.
        measured: milliseconds that tasks took in an earlier run, for balanced shards.

    Raises:
        UsageError: a name, number or id that no task has; says which there are.
    """
    if not tasks:
        return Selected()
    kept: Iterable[int] = range(len(tasks))
    if selection.repositories:
        wanted = _resolve("--vsb-repo", selection.repositories, (t.repository for t in tasks))
        kept = [i for i in kept if tasks[i].repository in wanted]
    if selection.categories:
        wanted = _resolve("--vsb-category", selection.categories, (t.category for t in tasks))
        kept = [i for i in kept if tasks[i].category in wanted]
    if selection.subsets:
        every = (subset for task in tasks for subset in task.subsets)
        wanted = _resolve("--vsb-subset", selection.subsets, every)
        kept = [i for i in kept if not wanted.isdisjoint(tasks[i].subsets)]
    if selection.ids:
        named = _by_id(tasks, selection.ids)
        kept = [i for i in kept if i in named]
    chosen = list(kept)[: selection.limit]
    if selection.shard is None:
        return Selected(tuple(chosen))
    plan = plan_shard(tasks, chosen, selection.shard, keys, measured)
    return Selected(plan.chosen, plan)


@functools.lru_cache(maxsize=4096)
def slug(text: str) -> str:
    """A text as a marker name: an identifier of lower-case letters, digits and underscores that
    ``-m`` can name, such as ``compiler_correctness`` for ``Compiler correctness``.

    It is never empty, a keyword of Python or a mark that pytest knows.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    words = "".join(char if _is_word(char) else "_" for char in folded)
    name = re.sub("_+", "_", words).strip("_")
    if not name:
        return "x" + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]
    if not name.isidentifier():  # it begins with a digit
        name = f"n{name}"
    return f"{name}_" if keyword.iskeyword(name) or name in _FOLDED or name in _TAKEN else name


def markers(task: Task) -> tuple[str, ...]:
    """The markers of a task: one for its category, its repository and each subset."""
    names = [("category", task.category), ("repo", task.repository)]
    names += [("subset", subset) for subset in task.subsets]
    return tuple(f"{prefix}_{slug(text)}" for prefix, text in names if text)


_FOLDED = frozenset(word.casefold() for word in keyword.kwlist)


def _is_word(char: str) -> bool:
    return char.isalnum() and f"a{char}".isidentifier()


def _resolve(option: str, texts: Iterable[str], present: Iterable[str]) -> set[str]:
    """The values that option texts mean, whatever their case; their marker names do as well. A
    text that is itself a value, with its commas, means that value."""
    values = list(dict.fromkeys(value for value in present if value))
    by_text: dict[str, set[str]] = {}
    for value in values:
        for form in (value.casefold(), slug(value)):
            by_text.setdefault(form, set()).add(value)
    wanted: set[str] = set()
    for text in texts:
        whole = by_text.get(text.casefold())
        parts = [text] if whole else [part.strip() for part in text.split(",")]
        for part in parts:
            if not part:
                continue
            found = by_text.get(part.casefold())
            if found is None:
                raise _unknown(option, part, values)
            wanted |= found
    return wanted


def _unknown(option: str, text: str, values: Sequence[str]) -> UsageError:
    if not values:
        return UsageError(f"no task has a value for it, so not {text!r} either", where=option)
    listed = ", ".join(sorted(values, key=str.casefold)[:_LISTED])
    if len(values) > _LISTED:
        listed += f" and {len(values) - _LISTED} more"
    return UsageError(
        f"unknown: {text!r}; there are: {listed}", where=option, hint=_nearest(text, values)
    )


def _nearest(text: str, values: Sequence[str]) -> str | None:
    folded = {value.casefold(): value for value in reversed(values)}
    close = difflib.get_close_matches(text.casefold(), folded, n=1, cutoff=0.5)
    return f"did you mean {folded[close[0]]!r}?" if close else None


def _by_id(tasks: Sequence[Task], ids: Ids) -> set[int]:
    found: set[int] = set()
    for first, last in ids.ranges:
        matching = {i for i, task in enumerate(tasks) if _in_range(task.number, first, last)}
        if first is not None and first == last:
            matching |= {i for i, task in enumerate(tasks) if task.id == str(first)}
        if not matching:
            raise _no_number(tasks, first, last)
        found |= matching
    names = set(ids.names)
    matching = {i for i, task in enumerate(tasks) if task.id in names}
    if unknown := names - {tasks[i].id for i in matching}:
        text = min(unknown)
        raise UsageError(
            f"no task has the id {text!r}",
            where="--vsb-ids",
            hint=_nearest(text, [task.id for task in tasks]) or "list the ids: --collect-only -q",
        )
    return found | matching


def _in_range(number: int | None, first: int | None, last: int | None) -> bool:
    if number is None:
        return False
    return (first is None or first <= number) and (last is None or number <= last)


def _no_number(tasks: Sequence[Task], first: int | None, last: int | None) -> UsageError:
    numbers = [task.number for task in tasks if task.number is not None]
    if first == last:
        asked = f"the number {first}"
    else:
        low, high = ("" if end is None else end for end in (first, last))
        asked = f"a number in {low}:{high}"
    hint = (
        f"the numbers go from {min(numbers)} to {max(numbers)}"
        if numbers
        else "the tasks have no numbers: name them by id"
    )
    return UsageError(f"no task has {asked}", where="--vsb-ids", hint=hint)
