"""The terminal section: a table of rates, and the lines below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import tabulate

from pytest_vsb.report.summary import Group, Rate, Summary
from pytest_vsb.report.text import fit, one_line, wrap

COLUMNS = 100
_NAME_COLUMNS = 12  # of a name, at least, however wide the numbers are
PREFIX = "note: "
EMBEDDED_NOTE = (
    "The embedded Lean has a small core library of its own: what a prover cannot use there (such "
    "as omega or Mathlib) says nothing about how it does elsewhere."
)

Grouping = Literal["category", "subset", "repository"]


_KNOWN_BAD_LINES = 20


def terminal_lines(
    summary: Summary,
    *,
    prover: str = "",
    leans: Sequence[str] = (),
    embedded: bool = False,
    sandbox: str = "",
    sessions: str = "",
    run_directory: str = "",
    by: Grouping = "category",
    ended: Sequence[int] = (),
    malformed: str = "",
) -> list[str]:
    """The whole section, without its title, as plain lines of at most 100 columns.

    Only a word longer than a line, such as the run directory, makes a line longer than that.

    Args:
        summary: what to show.
        prover: the prover's name and settings, in one line.
        leans: one line for each Lean that judged, as it describes itself.
        embedded: whether one of them is the embedded Lean, whose scores need a note.
        sandbox: what confined Lean.
        sessions: what warm Leans did.
        run_directory: where the run's files are.
        by: what the rows of the table are.
        ended: how many samples each task has whose prover had no more to offer.
        malformed: why most attempts hold no proof, if they do not.
    """
    lines = [*table(summary, by), ""] if summary.total.tasks else ["no tasks"]
    told = [f"{PREFIX}{malformed}"] if malformed else []
    for text in (*_facts(summary), *told, *notes(summary, ended)):
        lines += wrap(text, COLUMNS)
    if prover:
        lines += wrap(f"prover: {prover}", COLUMNS)
    for lean in leans:
        lines += wrap(f"Lean: {lean}", COLUMNS)
    if embedded:
        lines += wrap(f"{PREFIX}{EMBEDDED_NOTE}", COLUMNS)
    if sandbox:
        lines += wrap(f"sandbox: {sandbox}", COLUMNS)
    if sessions:
        lines += wrap(f"sessions: {sessions}", COLUMNS)
    if run_directory:
        lines.append(f"run directory: {one_line(run_directory, 4096)}")
    return lines


def table(summary: Summary, by: Grouping = "category") -> list[str]:
    """One row a group and a total row: tasks, solved, pass@1, pass@k with its interval, time."""
    groups = {
        "category": summary.categories,
        "subset": summary.subsets,
        "repository": summary.repositories,
    }[by]
    if len(groups) == 1 and not groups[0].name:
        groups = ()  # nothing to tell apart
    last = summary.ks[-1] if summary.ks else None
    shown = list(dict.fromkeys([*summary.ks[:1], *summary.ks[-1:]]))
    header = [by, "tasks", "solved", "no repair", *(f"pass@{k}" for k in shown)]
    header += ["95 % interval"] * (last is not None) + ["Lean time"]

    def cells(group: Group) -> list[str]:
        rates = {k: group.rate(k) for k in shown}
        numbers = [group.tasks, group.solved, group.solved_without_repair]
        texts = ["n/a" if number is None else str(number) for number in numbers]
        texts += [percent(rate.value if rate else None) for rate in rates.values()]
        if last is not None:
            texts.append(_interval(rates[last]))
        return [*texts, duration(group.lean_seconds)]

    shown_groups = [*groups, summary.total]
    numbers = [header[1:], *(cells(group) for group in shown_groups)]
    taken = sum(2 + max(map(len, column)) for column in zip(*numbers, strict=True))
    room = max(_NAME_COLUMNS, COLUMNS - taken)
    names = [by, *(fit(group.name, room) or "(none)" for group in groups), "total"]
    # The header goes in as a row, since tabulate pads headers; the rule is made again below it.
    text = tabulate.tabulate(
        [[name, *row] for name, row in zip(names, numbers, strict=True)],
        tablefmt="simple",
        disable_numparse=True,
        colalign=("left", *("right" for _ in header[1:])),
    )
    rule, head, *rows, total, _ = text.split("\n")
    lines = [head, rule, *rows, *([rule] if rows else []), total]
    return [line.rstrip() for line in lines]


def notes(summary: Summary, ended: Sequence[int] = ()) -> list[str]:
    """What a reader of the rates must know: tasks and samples outside them, and why. ``ended`` says
    how many samples each task has whose prover had no more to offer."""
    total = summary.total
    found: list[str] = [summary.unreadable.note] if summary.unreadable.lines else []
    explanations = {
        "unavailable": "could not be judged (the environment or the prover is broken)",
        "crashed": "lost the worker that ran them",
        "cut_off": "were cut off by a time limit on the whole item",
        "unfinished": "were not finished: interrupted, or not readable to the end",
        "budget": "were left when the run's budget was spent",
        "excluded": "were excluded",
        "known_bad": "are known to be false or unprovable",
        "not_run": "were not run",
    }
    for status, explanation in explanations.items():
        count = total.statuses.get(status, 0)
        if count:
            found.append(f"{status.replace('_', ' ')}: {_of(count, total.tasks)} {explanation}")
    found += [
        f"known bad: {bad.nodeid}: {bad.reason}{' (and yet a proof was accepted)' * bad.solved}"
        for bad in summary.known_bad[:_KNOWN_BAD_LINES]
    ]
    more = len(summary.known_bad) - _KNOWN_BAD_LINES
    if more > 0:
        found.append(f"known bad: {more} more, in results.json")
    if total.judged < total.tasks:
        found.append(
            f"rates: {_of(total.tasks - total.judged, total.tasks)} without a judged sample, "
            "in no rate"
        )
    if total.thinned_tasks:
        found.append(
            f"rates: {total.thinned_tasks} judged {_tasks(total.thinned_tasks)} lost samples to "
            "the environment; those samples do not count"
        )
    for rate in total.pass_at:
        short = rate.judged - rate.tasks
        if short:
            value = "so it is n/a" if rate.value is None else "outside the rate"
            found.append(
                f"pass@{rate.k}: {_of(short, rate.judged, 'judged ')} with fewer than {rate.k} "
                f"{'sample' if rate.k == 1 else 'samples'}, {value}"
                + _no_more(sum(samples < rate.k for samples in ended), short)
            )
    return [f"{PREFIX}{line}" for line in found]


def _no_more(ended: int, short: int) -> str:
    if not ended:
        return ""
    which = "" if ended >= short else f"for {ended} of them "
    return f": {which}the prover had no more to try"


def _facts(summary: Summary) -> list[str]:
    total = summary.total
    lines: list[str] = []
    if len(summary.ks) > 2:
        rates = ", ".join(f"pass@{rate.k} {percent(rate.value)}" for rate in total.pass_at)
        lines.append(f"rates: {rates}")
    if total.attempts:
        cached = f"; {total.cached_verdicts} judged before" if total.cached_verdicts else ""
        lines.append(f"attempts: {total.attempts} ({counts(total.verdicts)}){cached}")
    usage = total.usage
    if usage.input_tokens or usage.output_tokens or usage.cached_tokens:
        lines.append(
            f"tokens: {usage.input_tokens:,} in, {usage.output_tokens:,} out, "
            f"{usage.cached_tokens:,} cached"
        )
    if usage.cost_usd is not None:
        lines.append(f"cost: {dollars(usage.cost_usd)}")
    if total.attempts:
        spent = f"Lean {duration(total.lean_seconds)}, prover {duration(usage.seconds)}"
        lines.append(f"time: {spent} (sums over all attempts)")
    return lines


def counts(numbers: Mapping[str, int]) -> str:
    """Named counts as ``3 rejected, 1 timeout``; ``none`` where there are none."""
    return ", ".join(f"{count} {name}" for name, count in numbers.items()) or "none"


def percent(value: float | None) -> str:
    """A fraction of one as ``37.5 %``, or ``n/a``. Only all is shown as 100, only none as 0."""
    if value is None:
        return "n/a"
    return f"{_inexact(value)} %"


def duration(seconds: float) -> str:
    """Seconds as ``4.2 s``, ``3 min 05 s`` or ``2 h 03 min``."""
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60:,} h {minutes % 60:02d} min"


def dollars(amount: float) -> str:
    """US dollars as ``$12.34``, with four decimals below one dollar."""
    return f"${amount:,.2f}" if amount >= 1 else f"${amount:.4f}"


def _interval(rate: Rate | None) -> str:
    if rate is None or rate.low is None or rate.high is None:
        return "n/a"
    return f"{_inexact(rate.low)} - {_inexact(rate.high)}"


def _inexact(value: float) -> str:
    # Never show a rate below one as 100.0, or above zero as 0.0: the difference is a task.
    if 0.9995 <= value < 1:
        return "99.9"
    if 0 < value < 0.0005:
        return "0.1"
    return f"{100 * value:.1f}"


def _tasks(count: int) -> str:
    return "task" if count == 1 else "tasks"


def _of(part: int, whole: int, what: str = "") -> str:
    return f"{part} of {whole} {what}{_tasks(whole)}"
