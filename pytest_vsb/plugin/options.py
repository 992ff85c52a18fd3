"""What the options of the command line and of ini files come to: settings."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from pytest_vsb.errors import UsageError
from pytest_vsb.plugin.option_table import (
    DEFAULT_CHECK_TIMEOUT,
    DEFAULT_REPAIRS,
    DEFAULT_SAMPLES,
    OPTIONS,
)

if TYPE_CHECKING:
    from pytest_vsb.context.kinds import ContextKind
    from pytest_vsb.judge.outside.levels import Assurance
    from pytest_vsb.judge.policy import Profile
    from pytest_vsb.judge.warm import SessionMode
    from pytest_vsb.provers.base import Prover
    from pytest_vsb.report.gate import Rules
    from pytest_vsb.run.loop import Protocol
    from pytest_vsb.run.settings import Settings
    from pytest_vsb.tasks.select import Selection

T = TypeVar("T")
Word = TypeVar("Word", bound=str)
D = TypeVar("D")

FAIL_ON = ("unsolved", "regression", "never")


def value(config: pytest.Config, name: str) -> Any:
    """The value of option ``--vsb-NAME``: the command line's, else the ini file's, else ``None``
    (an empty list for an option that repeats)."""
    option = next(option for option in OPTIONS if option.name == name)
    given = config.getoption(option.key)
    if given in (None, [], False) and option.ini:
        given = config.getini(option.key)
    return given or ([] if option.many else None)


def model(config: pytest.Config) -> str | None:
    """The prover asked for, if any: without one no task runs."""
    found = value(config, "model")
    return str(found) if found else None


def read_selection(config: pytest.Config) -> Selection:
    """Which tasks the options select; raises ``UsageError``."""
    from pytest_vsb.tasks.select import Selection

    return Selection.parse(
        repositories=value(config, "repo"),
        categories=value(config, "category"),
        subsets=value(config, "subset"),
        ids=value(config, "ids"),
        limit=value(config, "limit"),
        shard=value(config, "shard"),
    )


def selects(config: pytest.Config) -> bool:
    """Whether any option selects tasks."""
    return any(
        value(config, name) for name in ("repo", "category", "subset", "ids", "limit", "shard")
    )


def read_settings(config: pytest.Config, default_model: str | None = None) -> Settings:
    """The settings that the options ask for.

    Raises:
        UsageError: an option has a value that cannot be used, or there is no model.
    """
    from pytest_vsb.context.tokens import ESTIMATE
    from pytest_vsb.executor.address import parse_executor
    from pytest_vsb.lean import machine
    from pytest_vsb.lean.process import Limits
    from pytest_vsb.provers.registry import parse_spec
    from pytest_vsb.run.loop import Protocol
    from pytest_vsb.run.settings import Settings

    name = model(config) or default_model
    if name is None:
        raise UsageError("no prover is chosen", hint="choose one with --vsb-model=NAME")
    _check_page(config)
    seed = _number(config, "seed", int, 0, least=0)
    memory = _number(config, "check-memory", int, 0, least=1)
    repos = value(config, "repos")
    prover_options = dict(_pairs(value(config, "model-option")))
    if value(config, "strict-format"):
        prover_options["strict-format"] = "yes"
    return Settings(
        model=name,
        spec=parse_spec(name, prover_options, seed),
        protocol=Protocol(
            samples=_number(config, "samples", int, DEFAULT_SAMPLES, least=1),
            repairs=_number(config, "repairs", int, DEFAULT_REPAIRS, least=0),
            seed=seed,
        ),
        limits=Limits(
            wall_seconds=_number(config, "check-timeout", float, DEFAULT_CHECK_TIMEOUT, least=0.1),
            memory_mb=memory or None,
        ),
        policy=_policy(config),
        sandbox=_sandbox(config),
        assurance=_assurance(config),
        session=_session(config),
        lean=_lean(config),
        repos=_directory(config, repos) if repos else None,
        context=_context(config),
        context_tokens=_number(config, "context-tokens", int, None, least=1),
        tokenizer=str(value(config, "tokenizer") or ESTIMATE),
        max_cost=_number(config, "max-cost", float, None, least=0),
        max_tokens=_number(config, "max-tokens", int, None, least=0),
        lean_jobs=_number(config, "lean-jobs", int, machine.cores(), least=1),
        cache=not value(config, "no-cache"),
        executor=parse_executor(str(value(config, "executor") or ""), base_directory(config)),
    )


def _check_page(config: pytest.Config) -> None:
    """Say now, not after a run, that ``--vsb-html`` names no place for a file."""
    given = value(config, "html")
    if not given or far(config) is not None:
        return
    path = base_directory(config) / given
    # Path's own would raise for a name that is too long.
    if not os.path.isdir(path.parent):  # noqa: PTH112
        raise UsageError("its directory is not there", where=f"--vsb-html={given}")
    if os.path.isdir(path):  # noqa: PTH112
        raise UsageError("this is a directory", where=f"--vsb-html={given}")


FAR_KEY = "vsb_far"
"""In the input of a worker on another machine: what the main process has read for it."""


def far(config: pytest.Config) -> Mapping[str, Any] | None:
    """What the main process has sent along, in a worker on another machine."""
    found: Mapping[str, Any] | None = getattr(config, "workerinput", {}).get(FAR_KEY)
    return found


def known_bad(config: pytest.Config) -> Mapping[str, str]:
    """The tasks of ``--vsb-known-bad``, by id, each with the reason; raises ``UsageError``."""
    from pytest_vsb.tasks.known_bad import read_known_bad

    sent = far(config)
    if sent is not None:
        found: Mapping[str, str] = sent["known_bad"]
        return found
    given = value(config, "known-bad")
    if not given:
        return {}
    try:
        return read_known_bad(base_directory(config) / Path(given).expanduser())
    except UsageError as error:
        where = f"--vsb-known-bad={given}"
        raise UsageError(error.message, where=where, hint=error.hint) from error


def fit_protocol(config: pytest.Config, protocol: Protocol, prover: Prover) -> Protocol:
    """The protocol with the prover's own defaults where the user has not said otherwise."""
    changes = {
        name: int(getattr(prover, f"default_{name}"))
        for name in ("samples", "repairs")
        if value(config, name) is None and hasattr(prover, f"default_{name}")
    }
    return dataclasses.replace(protocol, **changes)


def fail_on(config: pytest.Config) -> str:
    """What makes an item fail; raises ``UsageError``."""
    given = value(config, "fail-on") or FAIL_ON[0]
    if given not in FAIL_ON:
        raise _invalid("fail-on", given, FAIL_ON)
    return str(given)


def gate_rules(config: pytest.Config) -> Rules:
    """What the regression gate lets through; raises ``UsageError``."""
    from pytest_vsb.report.gate import ALPHA, Rules, share

    tested = fail_on(config) == "regression"
    most = _number(config, "max-regressions", int, None, least=0)
    if not value(config, "baseline"):
        for option, given in (("fail-on=regression", tested), ("max-regressions", most)):
            if given not in (None, False):
                raise UsageError(
                    "held against what?",
                    where=f"--vsb-{option}",
                    hint="name an earlier run with --vsb-baseline=RUN",
                )
    alpha = _number(config, "gate-alpha", float, ALPHA, least=0)
    if not 0 < alpha <= 1:
        raise UsageError(
            f"{value(config, 'gate-alpha')!r} is not above 0 and at most 1",
            where="--vsb-gate-alpha",
        )
    return Rules(
        alpha=alpha,
        tested=tested,
        min_pass_rate=share("--vsb-min-pass-rate", value(config, "min-pass-rate")),
        max_regressions=most,
    )


def baseline(config: pytest.Config) -> Path | None:
    """Where the baseline is, if there is one."""
    given = value(config, "baseline")
    return base_directory(config) / Path(given).expanduser() if given else None


def shard_times(config: pytest.Config) -> Path | None:
    """Where it is told how long tasks take, if anywhere; raises ``UsageError`` without a shard."""
    given = value(config, "shard-times")
    if not given:
        return None
    if not value(config, "shard"):
        raise UsageError("of what?", where="--vsb-shard-times", hint="add --vsb-shard=I/N")
    return base_directory(config) / Path(given).expanduser()


def progress_seconds(config: pytest.Config) -> float:
    """Seconds between progress lines, 0 for none; raises ``UsageError``."""
    return _number(config, "progress", float, 60.0, least=0)


def base_directory(config: pytest.Config) -> Path:
    """What relative paths on the command line are relative to."""
    return config.invocation_params.dir


def _context(config: pytest.Config) -> ContextKind:
    from pytest_vsb.context.kinds import DEFAULT_CONTEXT, parse_context

    given = str(value(config, "context") or DEFAULT_CONTEXT)
    try:
        return parse_context(given)
    except UsageError as error:
        raise UsageError(error.message, where="--vsb-context", hint=error.hint) from error


def _sandbox(config: pytest.Config) -> str:
    from pytest_vsb.lean.sandbox.box import MODES

    return _one_of(config, "sandbox", MODES)


def _assurance(config: pytest.Config) -> Assurance:
    from pytest_vsb.judge.outside.levels import ASSURANCES

    return _one_of(config, "assurance", ASSURANCES)


def _session(config: pytest.Config) -> SessionMode:
    from pytest_vsb.judge.warm import SESSION_MODES

    return _one_of(config, "session", SESSION_MODES)


def _policy(config: pytest.Config) -> Profile:
    from pytest_vsb.judge.policy import PROFILES

    return _one_of(config, "policy", PROFILES)


def _one_of(config: pytest.Config, name: str, valid: tuple[Word, ...]) -> Word:
    """The value of an option that takes one of some words; the first of them by default."""
    given = value(config, name) or valid[0]
    for word in valid:
        if given == word:
            return word
    raise _invalid(name, given, valid)


def _lean(config: pytest.Config) -> str:
    given = str(value(config, "lean") or "auto")
    # The names of images have slashes, too.
    if os.sep in given and not given.startswith("docker:"):
        return str(base_directory(config) / Path(given).expanduser())
    return given


def _directory(config: pytest.Config, given: str) -> Path:
    path = base_directory(config) / Path(given).expanduser()
    if not path.is_dir():
        raise UsageError("no such directory", where=f"--vsb-repos={given}")
    return path


def _number(
    config: pytest.Config, name: str, kind: Callable[[str], T], default: D, *, least: float
) -> T | D:
    given = value(config, name)
    if given is None:
        return default
    try:
        number = kind(given)
        good = least <= float(number) < float("inf")  # type: ignore[arg-type]
    except ValueError:
        good = False
    if not good:
        what = "whole number" if kind is int else "number"
        raise UsageError(f"{given!r} is not a {what} of at least {least:g}", where=f"--vsb-{name}")
    return number


def _pairs(texts: list[str]) -> Mapping[str, str]:
    pairs = {}
    for text in texts:
        key, separator, given = text.partition("=")
        if not separator or not key.strip():
            raise UsageError(f"{text!r} is not KEY=VALUE", where="--vsb-model-option")
        pairs[key.strip()] = given
    return pairs


def _invalid(name: str, given: str, valid: tuple[str, ...]) -> UsageError:
    from pytest_vsb.provers.options import nearest

    return UsageError(
        f"{given!r} is not a valid value",
        where=f"--vsb-{name}",
        hint=f"{nearest(given, valid)}Valid values: {', '.join(valid)}.",
    )
