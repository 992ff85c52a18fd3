"""``vsb gate``: a run that has ended, held against a baseline as a run itself does."""

from __future__ import annotations

import argparse
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_vsb.cli.common import ACCEPTED, NOT_ACCEPTED, number
from pytest_vsb.errors import UsageError

if TYPE_CHECKING:
    from pytest_vsb.cli.common import Commands
    from pytest_vsb.report.loaded import LoadedRun


def add(commands: Commands) -> None:
    """Add the command's arguments."""
    text = "hold a run that has ended, such as merged shards, against a baseline"
    sub = commands.add_parser(
        "gate",
        help=text,
        description=f"{text}; exit code 0: the gate is open, 1: it is closed",
        allow_abbrev=False,
    )
    sub.add_argument("baseline", metavar="BASELINE", help="a run directory or results.json")
    sub.add_argument("run", metavar="RUN", help="the same of the run to be judged")
    sub.add_argument(
        "--alpha", metavar="P", default="0.05", help="chance of a false alarm (default: 0.05)"
    )
    sub.add_argument(
        "--deterministic",
        action="store_true",
        help="the prover answers alike whenever it is asked alike: what it lost is no luck "
        "(so for runs of automation, reference or replay)",
    )
    sub.add_argument("--min-pass-rate", metavar="RATE", help="least share of tasks to be solved")
    sub.add_argument("--max-regressions", metavar="N", help="most tasks that may be lost at all")
    sub.set_defaults(command=run)


def _alike(run: LoadedRun) -> bool:
    """Whether a run's prover is one of ours that answers alike whenever it is asked alike."""
    from pytest_vsb.provers.registry import BUILTINS

    name = str(run.identity.get("model", "")).partition(":")[0].partition("/")[0]
    return name in BUILTINS and bool(
        getattr(pkgutil.resolve_name(BUILTINS[name]), "deterministic", False)
    )


def run(options: argparse.Namespace) -> int:
    """Decide, and print."""
    from pytest_vsb.report.alike import protocol_differences, setting_notes
    from pytest_vsb.report.gate import Baseline, Rules, gate, gate_lines, share
    from pytest_vsb.report.loaded import load_run
    from pytest_vsb.report.tables import COLUMNS
    from pytest_vsb.report.text import wrap

    before, now = (load_run(Path(path)) for path in (options.baseline, options.run))
    alpha = number("--alpha", options.alpha, 0)
    if not 0 < alpha <= 1:
        raise UsageError(f"{options.alpha!r} is not above 0 and at most 1", where="--alpha")
    most = options.max_regressions
    rules = Rules(
        alpha=alpha,
        deterministic=options.deterministic or (_alike(before) and _alike(now)),
        min_pass_rate=share("--min-pass-rate", options.min_pass_rate),
        max_regressions=int(number("--max-regressions", most, 0)) if most is not None else None,
    )
    different = protocol_differences(before.identity, now.identity)
    if different:
        raise UsageError(
            f"the runs were made with different settings ({'; '.join(different)})",
            where="vsb gate",
            hint="make a baseline with the same settings",
        )
    found = gate(
        Baseline(before.results, rules),
        now.results,
        rules,
        notes=(
            *setting_notes(before.run, now.run),
            *(f"baseline: {note}" for note in before.losses),
            *now.losses,
        ),
    )
    for line in gate_lines(found):
        for part in wrap(line, COLUMNS):
            print(part)
    return ACCEPTED if found.passed else NOT_ACCEPTED
