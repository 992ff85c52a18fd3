"""The options of the command line and of ini files, and how pytest is told of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

DEFAULT_SAMPLES = 8
DEFAULT_REPAIRS = 3
DEFAULT_CHECK_TIMEOUT = 300.0


@dataclass(frozen=True)
class Option:
    """One option: ``--vsb-NAME`` on the command line and ``vsb_NAME`` in the ini file."""

    name: str
    help: str
    metavar: str | None = None
    many: bool = False
    flag: bool = False
    ini: bool = True

    @property
    def flag_name(self) -> str:
        return "--vsb-" + self.name

    @property
    def key(self) -> str:
        return "vsb_" + self.name.replace("-", "_")


OPTIONS = (
    Option(
        "model",
        "prover: automation, reference, replay:FILE, one registered by a plugin, or "
        "package.module:Class",
        "NAME[/MODEL-ID]",
    ),
    Option("model-option", "an option of the prover; repeatable", "KEY=VALUE", many=True),
    Option(
        "strict-format", "forgive nothing in reading answers (provers that read texts)", flag=True
    ),
    Option(
        "samples",
        f"independent samples a task, k (default: {DEFAULT_SAMPLES}, or the prover's own)",
        "K",
    ),
    Option(
        "repairs",
        f"repair rounds a sample, r (default: {DEFAULT_REPAIRS}, or the prover's own)",
        "R",
    ),
    Option("seed", "seed of the run (default: 0)", "N"),
    Option(
        "context",
        "what a prover may see of the repository: curated, full, full-limited, same-file, or "
        "retrieved:N (default: curated)",
        "KIND",
    ),
    Option(
        "context-tokens",
        "tokens that a context may have (default: what the model's context window leaves)",
        "N",
    ),
    Option(
        "tokenizer",
        "how tokens of contexts are counted: estimate, or an encoding of tiktoken "
        "(default: estimate)",
        "NAME",
    ),
    Option(
        "check-timeout",
        f"seconds of Lean for one candidate (default: {DEFAULT_CHECK_TIMEOUT:g})",
        "SECONDS",
    ),
    Option(
        "policy",
        "what candidates may contain: strict, or permissive, which allows local notations and "
        "macros (default: strict)",
        "PROFILE",
    ),
    Option(
        "sandbox",
        "how Lean is confined while it compiles candidates: auto, require, off, bubblewrap, or "
        "landlock (default: auto)",
        "MODE",
    ),
    Option(
        "assurance",
        "what an accepted proof must have passed: standard; replay, in which a kernel checks it a "
        "second time and installed checkers are asked; or comparator (default: standard)",
        "LEVEL",
    ),
    Option(
        "check-memory",
        "resident memory of Lean for one candidate (default: 80 percent of the machine's)",
        "MB",
    ),
    Option(
        "session",
        "whether warm Leans refuse candidates before any is judged from scratch: auto, off, or "
        "verify, which judges every candidate both ways (default: auto)",
        "MODE",
    ),
    Option("repos", "directory of the repositories that task files name", "DIR"),
    Option(
        "lean", "which Lean: auto, elan, embedded, a path, or docker:IMAGE (default: auto)", "LEAN"
    ),
    Option("max-cost", "US dollars that the run may spend (default: no limit)", "USD"),
    Option("max-tokens", "tokens that the run may spend, in and out (default: no limit)", "N"),
    Option(
        "lean-jobs", "Lean processes at once over all workers (default: the cores)", "N"
    ),
    Option(
        "executor",
        "where Lean runs: local, or dask:ADDRESS, the workers of a Dask cluster (default: local)",
        "WHERE",
    ),
    Option("no-cache", "judge anew what earlier runs have judged, and keep nothing", flag=True),
    Option(
        "known-bad",
        "a list of tasks that are known to be false or unprovable: they are not run and in no rate",
        "FILE",
    ),
    Option("run-known-bad", "run them all the same, in no rate", flag=True),
    Option("repo", "only tasks of this repository; repeatable", "NAME", many=True, ini=False),
    Option("category", "only tasks of this category; repeatable", "NAME", many=True, ini=False),
    Option("subset", "only tasks of this subset; repeatable", "NAME", many=True, ini=False),
    Option(
        "ids", "only these tasks, by number or id, such as 1:10,15; repeatable", "IDS",
        many=True, ini=False,
    ),
    Option("limit", "only the first N tasks", "N", ini=False),
    Option("shard", "only part I of N parts of about equal length", "I/N", ini=False),
    Option(
        "shard-times",
        "an earlier run that tells how long tasks take (default: estimates)",
        "RUN",
        ini=False,
    ),
    Option("run", "the run directory (default: a new one below vsb-runs/)", "DIR", ini=False),
    Option("resume", "continue the run in --vsb-run=DIR", flag=True, ini=False),
    Option("record", "write all answers to FILE, for --vsb-model=replay:FILE", "FILE", ini=False),
    Option("html", "write the results as one HTML page to FILE", "FILE", ini=False),
    Option(
        "fail-on",
        "what makes an item fail: unsolved; regression, which is unsolved now, solved in the "
        "baseline, and no luck; or never (default: unsolved)",
        "WHEN",
    ),
    Option(
        "baseline", "an earlier run to hold this one against: its directory or results.json", "RUN"
    ),
    Option(
        "gate-alpha",
        "the most that the chance of a false alarm may be (default: 0.05); 1: what was solved "
        "must be solved, luck or not",
        "P",
    ),
    Option(
        "min-pass-rate", "the least share of judged tasks to be solved, such as 0.6", "RATE"
    ),
    Option(
        "max-regressions",
        "the most tasks that may be unsolved now and solved in the baseline, luck or not",
        "N",
    ),
    Option(
        "progress", "seconds between progress lines, 0 for none (default: 60)", "SECONDS"
    ),
)  # fmt: skip


def add_options(parser: pytest.Parser) -> None:
    """Declare the options; see ``docs/`` for what each does."""
    group = parser.getgroup("vsb", "verification benchmarks in Lean (pytest-vsb)")
    for option in OPTIONS:
        if option.flag:
            group.addoption(
                option.flag_name, action="store_true", dest=option.key, help=option.help
            )
            if option.ini:
                parser.addini(option.key, f"default of {option.flag_name}", type="bool")
            continue
        group.addoption(
            option.flag_name,
            action="append" if option.many else "store",
            dest=option.key,
            metavar=option.metavar,
            help=option.help,
        )
        if option.ini:
            kind: Any = "linelist" if option.many else "string"
            parser.addini(option.key, f"default of {option.flag_name}", type=kind)
    parser.addini("vsb_tasks", "task files for the vsb_task fixture", type="paths", default=[])
