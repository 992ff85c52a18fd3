"""What every chat prover lets a user set: read and checked before a run begins."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import ProverSpec
from pytest_vsb.provers.options import check_no_argument, check_options, nearest

BODY = "body."
"""The prefix of options that are passed on in the body of a request."""

COMMON = (
    "base-url",
    "concurrency",
    "max-tokens",
    "models",
    "pace-dir",
    "retries",
    "rpm",
    "strict-format",
    "temperature",
    "templates",
    "timeout",
    "tpm",
)

_FLAGS = {
    **dict.fromkeys(("yes", "true", "on", "1"), True),
    **dict.fromkeys(("no", "false", "off", "0"), False),
}
_KEY = re.compile(r"[A-Za-z_$][\w$-]*")


@dataclass(frozen=True)
class ChatOptions:
    """The options that all chat provers have.

    ``concurrency`` is the number of requests in flight of all workers together, ``rpm`` and
    ``tpm`` requests and tokens a minute, ``timeout`` the seconds that all attempts of one request
    may take in flight, ``retries`` how many further attempts there are. ``body`` is what goes into
    each request's body beside what the prover puts there.
    """

    concurrency: int = 8
    max_tokens: int | None = None
    temperature: float | None = None
    timeout: float = 3600.0
    retries: int = 8
    rpm: int | None = None
    tpm: int | None = None
    strict: bool = False
    templates: Path | None = None
    models: str = ""
    base_url: str = ""
    pace_directory: Path | None = None
    body: Mapping[str, Any] = field(default_factory=dict)


def read_options(
    spec: ProverSpec, own: Collection[str] = (), fixed: Collection[str] = ()
) -> ChatOptions:
    """The options of ``spec``.

    Args:
        spec: the prover as it was asked for.
        own: further options that the prover has, which it reads itself.
        fixed: keys of the body that the prover decides.

    Raises:
        UsageError: an option does not exist, or has a value that it cannot have.
    """
    check_no_argument(spec)
    options = spec.options
    plain = {key: value for key, value in options.items() if not key.startswith(BODY)}
    check_options(
        ProverSpec(spec.name, options=plain), [*COMMON, *own, *([f"{BODY}KEY"] if fixed else [])]
    )
    templates, pace_directory = options.get("templates", ""), options.get("pace-dir", "")
    return ChatOptions(
        concurrency=count(options, "concurrency") or ChatOptions.concurrency,
        max_tokens=count(options, "max-tokens"),
        temperature=number(options, "temperature"),
        timeout=number(options, "timeout", positive=True) or ChatOptions.timeout,
        retries=_retries(options),
        rpm=count(options, "rpm"),
        tpm=count(options, "tpm"),
        strict=flag(options, "strict-format", False),
        templates=Path(templates).expanduser() if templates else None,
        models=options.get("models", ""),
        base_url=options.get("base-url", "").strip(),
        pace_directory=Path(pace_directory).expanduser().absolute() if pace_directory else None,
        body=_body(options, fixed),
    )


def count(options: Mapping[str, str], name: str) -> int | None:
    """A whole number from 1 on, or ``None`` where the option is not set."""
    value = number(options, name, positive=True)
    if value is None:
        return None
    if value != int(value):
        raise _wrong(options, name, "a whole number")
    return int(value)


def number(options: Mapping[str, str], name: str, *, positive: bool = False) -> float | None:
    """A number from 0 on (or above), or ``None`` where the option is not set."""
    if name not in options:
        return None
    try:
        value = float(options[name].replace("_", ""))
    except ValueError:
        raise _wrong(options, name, "a number") from None
    if not math.isfinite(value) or value < 0 or (positive and value == 0):
        raise _wrong(options, name, "a number above 0" if positive else "a number from 0 on")
    return value


def flag(options: Mapping[str, str], name: str, default: bool) -> bool:
    """Yes or no."""
    if name not in options:
        return default
    value = _FLAGS.get(options[name].strip().lower())
    if value is None:
        raise _wrong(options, name, "yes or no")
    return value


def choice(options: Mapping[str, str], name: str, valid: Collection[str]) -> str:
    """One of the words ``valid``, or an empty text where the option is not set."""
    if name not in options:
        return ""
    value = options[name].strip().lower()
    if value not in valid:
        raise UsageError(
            f"{options[name]!r} is none of {', '.join(valid)}",
            where=f"--vsb-model-option {name}",
            hint=nearest(value, valid).strip() or None,
        )
    return value


def merged(body: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """``body`` with the values of ``more``, objects within objects merged."""
    result = dict(body)
    for key, value in more.items():
        old = result.get(key)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        result[key] = merged(old, value) if both and isinstance(old, Mapping) else value
    return result


def _retries(options: Mapping[str, str]) -> int:
    value = number(options, "retries")
    if value is None:
        return ChatOptions.retries
    if value != int(value):
        raise _wrong(options, "retries", "a whole number")
    return int(value)


def _body(options: Mapping[str, str], fixed: Collection[str]) -> dict[str, Any]:
    """The options ``body.KEY=VALUE`` and ``body.KEY.KEY=VALUE``; a value is JSON, else text."""
    body: dict[str, Any] = {}
    for option, text in options.items():
        if not option.startswith(BODY):
            continue
        where = f"--vsb-model-option {option}"
        keys = option[len(BODY) :].split(".")
        if not all(_KEY.fullmatch(key) for key in keys):
            raise UsageError("a key of the body is missing", where=where, hint="body.KEY=VALUE")
        if keys[0] in fixed:
            raise UsageError(f"the prover itself decides {keys[0]!r}", where=where)
        value: Any
        try:
            value = json.loads(text, parse_constant=_no_constant)
        except ValueError:
            value = text
        for key in reversed(keys):
            value = {key: value}
        body = merged(body, value)
    return body


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _wrong(options: Mapping[str, str], name: str, wanted: str) -> UsageError:
    return UsageError(f"{options[name]!r} is not {wanted}", where=f"--vsb-model-option {name}")
