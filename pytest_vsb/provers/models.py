"""Which models there are, what the short names mean, and what tokens cost.

The table is ``models.toml`` beside this module. A file of a user's own, in the same form, replaces
or adds entries; see ``docs/rate-limits.md``.
"""

from __future__ import annotations

import datetime
import difflib
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from pytest_vsb.errors import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

VARIABLE = "VSB_MODELS"

_TABLE = Path(__file__).with_name("models.toml")
_SNAPSHOT = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8})")


@dataclass(frozen=True)
class Rates:
    """US dollars per million tokens.

    ``cached_input`` is input read from a cache, ``cache_write`` input written to one for the
    provider's shortest time, ``long_cache_write`` for a longer one; ``None`` where such tokens
    cost what other input does.
    """

    input: float
    output: float
    cached_input: float | None = None
    cache_write: float | None = None
    long_cache_write: float | None = None


@dataclass(frozen=True)
class LongRates(Rates):
    """Rates of a request whose input has more than ``above`` tokens, for all its tokens."""

    above: int = 0


@dataclass(frozen=True)
class Price:
    """What a model's tokens cost, as ``source`` said on ``date``."""

    rates: Rates
    date: datetime.date
    source: str
    long: LongRates | None = None


@dataclass(frozen=True)
class ModelInfo:
    """A model of a provider.

    ``context_window`` is input and output together, ``max_output`` the output alone, in tokens;
    ``None`` where unknown, as is ``price``. ``alias`` is the short name it was asked for by.
    """

    provider: str
    id: str
    context_window: int | None = None
    max_output: int | None = None
    price: Price | None = None
    alias: str = ""

    def cost(
        self,
        *,
        input_tokens: int,
        output_tokens: int,
        cached_tokens: int = 0,
        cache_write_tokens: int = 0,
        long_cache_write_tokens: int = 0,
    ) -> float | None:
        """US dollars for one request, or ``None`` if the price is unknown.

        ``input_tokens`` counts all input; the cached and written tokens are parts of it. Services
        that count them apart, as Anthropic's does, are to have them added first.
        """
        if self.price is None:
            return None
        long = self.price.long
        rates = long if long is not None and input_tokens > long.above else self.price.rates
        plain = input_tokens - cached_tokens - cache_write_tokens - long_cache_write_tokens
        parts = (
            (max(0, plain), rates.input),
            (cached_tokens, rates.cached_input),
            (cache_write_tokens, rates.cache_write),
            (long_cache_write_tokens, rates.long_cache_write),
            (output_tokens, rates.output),
        )
        return sum(n * (rates.input if rate is None else rate) for n, rate in parts) / 1e6


@dataclass(frozen=True)
class ModelTable:
    """All known models, by provider and id, and the short names, by provider and name."""

    models: Mapping[tuple[str, str], ModelInfo]
    aliases: Mapping[tuple[str, str], str]

    def resolve(self, provider: str, name: str) -> ModelInfo:
        """The model that ``name``, a short name or an id, means at ``provider``.

        An unknown id is taken as it is, without limits or price: new models need no new table. A
        dated snapshot of a known model, such as ``MODEL-2026-11-30``, has the model's limits and
        price.

        Raises:
            UsageError: ``name`` is empty.
        """
        if not name.strip():
            known = ", ".join(sorted(id for owner, id in self.models if owner == provider))
            raise UsageError(
                f"no model of {provider} is named",
                where="--vsb-model",
                hint=f"Known ids: {known}." if known else "Write --vsb-model=NAME/MODEL-ID.",
            )
        name = name.strip()
        id = self.aliases.get((provider, name), name)
        alias = name if id != name else ""
        for known_id in (id, _SNAPSHOT.sub("", id)):
            info = self.models.get((provider, known_id))
            if info is not None:
                return replace(info, id=id, alias=alias)
        return ModelInfo(provider, id, alias=alias)


def load_models(
    file: str | Path | None = None, environment: Mapping[str, str] = os.environ
) -> ModelTable:
    """The table, with the entries of ``file`` or, without one, of the file that the variable
    ``VSB_MODELS`` names, before its own.

    Raises:
        UsageError: the file cannot be read, or an entry cannot be understood.
    """
    table = _shipped()
    path, where = (
        (file, "--vsb-model-option models") if file else (environment.get(VARIABLE), VARIABLE)
    )
    if not path:
        return table
    try:
        text = Path(path).expanduser().read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot read the table of models {path}: {reason}", where=where) from None
    own = _parse(text, str(path))
    return ModelTable(
        models=MappingProxyType({**table.models, **own.models}),
        aliases=MappingProxyType({**table.aliases, **own.aliases}),
    )


def resolve(provider: str, name: str, file: str | Path | None = None) -> ModelInfo:
    """``load_models(file).resolve(provider, name)``."""
    return load_models(file).resolve(provider, name)


@cache
def _shipped() -> ModelTable:
    return _parse(_TABLE.read_text(encoding="utf-8"), str(_TABLE))


class _LongEntry(msgspec.Struct, forbid_unknown_fields=True):
    above: int
    input: float
    output: float
    cached_input: float | None = None
    cache_write: float | None = None
    long_cache_write: float | None = None


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    provider: str
    id: str
    aliases: list[str] = []
    context_window: int | None = None
    max_output: int | None = None
    input: float | None = None
    output: float | None = None
    cached_input: float | None = None
    cache_write: float | None = None
    long_cache_write: float | None = None
    long: _LongEntry | None = None
    date: datetime.date | None = None
    source: str = ""


def _parse(text: str, where: str) -> ModelTable:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"the table of models is not TOML: {error}", where=where) from None
    entries = document.pop("model", [])
    if document or not isinstance(entries, list):
        other = next(iter(document), "model")
        raise UsageError(
            f"a table of models has only entries [[model]], not {other!r}", where=where
        )
    models: dict[tuple[str, str], ModelInfo] = {}
    aliases: dict[tuple[str, str], str] = {}
    for number, raw in enumerate(entries, 1):
        info, names = _entry(raw, f"{where}, [[model]] number {number}")
        key = (info.provider, info.id)
        if key in models:
            raise UsageError(f"{info.provider} has two models {info.id!r}", where=where)
        models[key] = info
        for name in names:
            if (info.provider, name) in aliases:
                raise UsageError(f"two models of {info.provider} are called {name!r}", where=where)
            aliases[info.provider, name] = info.id
    return ModelTable(MappingProxyType(models), MappingProxyType(aliases))


def _entry(raw: Any, where: str) -> tuple[ModelInfo, list[str]]:
    if isinstance(raw, dict):
        for key in raw:
            if key not in _Entry.__struct_fields__:
                near = difflib.get_close_matches(key, _Entry.__struct_fields__, n=1)
                raise UsageError(
                    f"unknown key {key!r}",
                    where=where,
                    hint=f"Did you mean {near[0]!r}?" if near else None,
                )
    try:
        entry = msgspec.convert(raw, _Entry)
    except msgspec.ValidationError as error:
        raise UsageError(f"wrong value: {error}", where=where) from None
    if not entry.provider.strip() or not entry.id.strip():
        raise UsageError("an entry needs a provider and an id", where=where)
    for name in ("context_window", "max_output"):
        value = getattr(entry, name)
        if value is not None and value < 1:
            raise UsageError(f"{name} must be at least 1, not {value}", where=where)
    info = ModelInfo(
        entry.provider, entry.id, entry.context_window, entry.max_output, _price(entry, where)
    )
    return info, entry.aliases


def _price(entry: _Entry, where: str) -> Price | None:
    rates = _rates(entry, where)
    if rates is None:
        if entry.long is not None:
            raise UsageError("rates for long requests need others beside them", where=where)
        return None
    if entry.date is None:
        raise UsageError("a price needs the date on which it was read", where=where)
    long = None
    if entry.long is not None:
        inner = _rates(entry.long, f"{where}, long")
        assert inner is not None
        if entry.long.above < 1:
            raise UsageError("above must be at least 1", where=f"{where}, long")
        long = LongRates(**_fields(inner), above=entry.long.above)
    return Price(rates, entry.date, entry.source, long)


def _rates(entry: _Entry | _LongEntry, where: str) -> Rates | None:
    values = {name: getattr(entry, name) for name in Rates.__dataclass_fields__}
    if all(value is None for value in values.values()):
        return None
    for name, value in values.items():
        if value is None and name in ("input", "output"):
            raise UsageError(f"a price needs {name}", where=where)
        if value is not None and not 0 <= value < float("inf"):
            raise UsageError(f"{name} must be a price, not {value}", where=where)
    return Rates(**values)


def _fields(rates: Rates) -> dict[str, Any]:
    return {name: getattr(rates, name) for name in Rates.__dataclass_fields__}
