"""From the text of ``--vsb-model`` to a prover.

A name is looked up among the built-in provers, the installed packages' entry points (group
``pytest_vsb.provers``) and the factories that plugins registered. Nothing is imported before it
is asked for by name.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib import metadata
from pathlib import Path
from types import MappingProxyType

from pytest_vsb.errors import UsageError, VsbError
from pytest_vsb.provers.base import Prover, ProverSpec
from pytest_vsb.provers.options import nearest

ENTRY_POINT_GROUP = "pytest_vsb.provers"

ProverFactory = Callable[[ProverSpec], Prover]

#: The built-in provers, as ``module:attribute`` of their factories.
BUILTINS: Mapping[str, str] = MappingProxyType(
    {
        "aleph": "pytest_vsb.provers.aleph:AlephProver",
        "aristotle": "pytest_vsb.provers.aristotle:AristotleProver",
        "anthropic": "pytest_vsb.provers.anthropic:AnthropicProver",
        "automation": "pytest_vsb.provers.automation:AutomationProver",
        "claude": "pytest_vsb.provers.anthropic:AnthropicProver",
        "command": "pytest_vsb.provers.command:CommandProver",
        "gemini": "pytest_vsb.provers.gemini:GeminiProver",
        "goedel": "pytest_vsb.provers.goedel:GoedelProver",
        "gpt": "pytest_vsb.provers.openai:OpenAIProver",
        "openai": "pytest_vsb.provers.openai:OpenAIProver",
        "openai-compatible": "pytest_vsb.provers.compatible:CompatibleProver",
        "reference": "pytest_vsb.provers.reference:ReferenceProver",
        "replay": "pytest_vsb.provers.replay:ReplayProver",
    }
)

_NO_FACTORIES: Mapping[str, ProverFactory] = MappingProxyType({})
_NO_OPTIONS: Mapping[str, str] = MappingProxyType({})

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_OBJECT = re.compile(
    r"(?P<name>(?P<module>[^\W\d]\w*(?:\.[^\W\d]\w*)*):(?P<attribute>[^\W\d]\w*(?:\.[^\W\d]\w*)*))"
    r"(?:(?P<separator>[/:])(?P<rest>.*))?"
)
_FORMS = "NAME, NAME/MODEL-ID, NAME:ARGUMENT or package.module:Class"


def parse_spec(text: str, options: Mapping[str, str] = _NO_OPTIONS, seed: int = 0) -> ProverSpec:
    """Read ``NAME``, ``NAME/MODEL-ID``, ``NAME:ARGUMENT`` or ``package.module:Class``.

    The first ``/`` or ``:`` ends the name, so model ids and arguments may contain both. A class
    may be followed by ``/MODEL-ID`` or ``:ARGUMENT`` too. Whether the name exists is for
    :func:`create` to say.

    Raises:
        UsageError: the text has none of these forms.
    """
    text = text.strip()
    match = _OBJECT.fullmatch(text)
    if match and "." in match["module"]:
        name, separator, rest = match["name"], match["separator"] or "", match["rest"] or ""
    else:
        name = re.split(r"[/:]", text, maxsplit=1)[0]
        separator, rest = text[len(name) : len(name) + 1], text[len(name) + 1 :]
        if not _NAME.fullmatch(name):
            raise UsageError(
                f"{text!r} does not name a prover", where="--vsb-model", hint=f"Write {_FORMS}."
            )
    if separator and not rest.strip():
        missing = "model id" if separator == "/" else "argument"
        raise UsageError(
            f"{text!r} has no {missing} after {separator!r}",
            where="--vsb-model",
            hint=f"Write {_FORMS}.",
        )
    return ProverSpec(
        name=name,
        model_id=rest if separator == "/" else "",
        argument=rest if separator == ":" else "",
        options=dict(options),
        seed=seed,
    )


def available(factories: Mapping[str, ProverFactory] = _NO_FACTORIES) -> tuple[str, ...]:
    """The names of all provers, sorted.

    Raises:
        UsageError: two provers have one name, or a name cannot be written on the command line.
    """
    return tuple(sorted(_loaders(factories)))


def create(spec: ProverSpec, factories: Mapping[str, ProverFactory] = _NO_FACTORIES) -> Prover:
    """Make the prover that ``spec`` names.

    ``factories`` are the plugins' own, by name.

    Raises:
        UsageError: the name is unknown or used twice, the class cannot be imported, the factory
            raises, or what it returns is no prover.
    """
    loaders = _loaders(factories)
    if spec.name in loaders:
        return _build(loaders[spec.name](), spec)
    target = _object_of(spec)
    if target is None:
        raise UsageError(
            f"unknown prover {spec.name!r}",
            where="--vsb-model",
            hint=f"{nearest(spec.name, loaders)}Valid names: {', '.join(sorted(loaders))}; "
            "or package.module:Class.",
        )
    name, rest = target
    if rest is not None:
        spec = ProverSpec(
            name=name, model_id=rest[0], argument=rest[1], options=spec.options, seed=spec.seed
        )
    return _build(_import(name), spec)


def _loaders(
    factories: Mapping[str, ProverFactory],
) -> dict[str, Callable[[], ProverFactory]]:
    """How to get at each prover's factory, by name."""
    loaders: dict[str, Callable[[], ProverFactory]] = {}
    owners: dict[str, str] = {}

    def add(name: str, owner: str, loader: Callable[[], ProverFactory]) -> None:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise UsageError(
                f"a prover cannot be called {name!r}",
                where=owner,
                hint="Use letters, digits, '-' and '_' only.",
            )
        if name in owners:
            raise UsageError(
                f"two provers are called {name!r}: one is from {owners[name]}, "
                f"the other from {owner}",
                hint="Rename one of them, or do without the plugin.",
            )
        owners[name] = owner
        loaders[name] = loader

    for name, target in BUILTINS.items():
        add(name, "pytest-vsb", partial(_import, target))
    seen: set[tuple[str, str]] = set()
    for point in metadata.entry_points(group=ENTRY_POINT_GROUP):
        # A package on two entries of sys.path is listed twice.
        if (point.name, point.value) not in seen:
            seen.add((point.name, point.value))
            owner = point.dist.name if point.dist else point.value
            add(point.name, owner, partial(_load_point, point))
    for name, factory in factories.items():
        add(name, "the hook pytest_vsb_provers", partial(_callable, factory, str(name)))
    return loaders


def _load_point(point: metadata.EntryPoint) -> ProverFactory:
    try:
        factory = point.load()
    except Exception as error:
        raise UsageError(
            f"prover {point.name!r} cannot be loaded from {point.value}: {_reason(error)}",
            where="--vsb-model",
        ) from error
    return _callable(factory, point.value)


def _object_of(spec: ProverSpec) -> tuple[str, tuple[str, str] | None] | None:
    """The ``module:Class`` that an unregistered name means, and what follows it, if known anew.

    A module without a dot looks like ``NAME:ARGUMENT`` until the name proves to be unknown.
    """
    if ":" in spec.name:
        return spec.name, None
    match = _OBJECT.fullmatch(f"{spec.name}:{spec.argument}")
    if match is None:
        return None
    _search_here()
    try:
        found = importlib.util.find_spec(match["module"]) is not None
    except (ImportError, ValueError):
        found = False
    if not found:
        return None
    rest = match["rest"] or ""
    return match["name"], (rest, "") if match["separator"] == "/" else ("", rest)


def _search_here() -> None:
    """Find modules in the current directory too, after all others, as a user expects who has
    written a prover there; ``pytest`` alone does not look there."""
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)


def _import(target: str) -> ProverFactory:
    module_name, _, attribute = target.partition(":")
    _search_here()
    try:
        found: object = importlib.import_module(module_name)
    except Exception as error:
        raise UsageError(
            f"cannot import {module_name!r} for prover {target!r}: {_reason(error)}",
            where="--vsb-model",
            hint="Is it installed, or its folder on PYTHONPATH?"
            if isinstance(error, ImportError)
            else None,
        ) from error
    for part in attribute.split("."):
        try:
            found = getattr(found, part)
        except AttributeError as error:
            raise UsageError(
                f"module {module_name!r} has no {attribute!r}",
                where="--vsb-model",
                hint=nearest(part, dir(found)).strip() or None,
            ) from error
    return _callable(found, target)


def _callable(found: object, target: str) -> ProverFactory:
    if not callable(found):
        raise UsageError(
            f"{target!r} is {_article(type(found).__name__)}, not a prover class or factory",
            where="--vsb-model",
        )
    return found


def _build(factory: ProverFactory, spec: ProverSpec) -> Prover:
    try:
        prover: object = factory(spec)
    except VsbError:
        raise
    except Exception as error:
        raise UsageError(
            f"prover {spec.name!r} could not be made: {_reason(error)}",
            where="--vsb-model",
            hint="Its factory is called with one ProverSpec.",
        ) from error
    problem = _flaw(prover)
    if problem:
        raise UsageError(
            f"the factory of prover {spec.name!r} returned {_article(type(prover).__name__)}, "
            f"which is no prover: {problem}",
            where="--vsb-model",
            hint="The protocol is pytest_vsb.provers.base.Prover.",
        )
    assert isinstance(prover, Prover)
    return prover


def _flaw(prover: object) -> str:
    """Why an object is no prover, or an empty string."""
    if not isinstance(getattr(prover, "name", None), str) or not getattr(prover, "name", ""):
        return "it has no 'name', a str that is not empty"
    if not isinstance(getattr(prover, "needs_reference", None), bool):
        return "it has no 'needs_reference', a bool"
    for method in ("settings", "prove", "close"):
        if not callable(getattr(prover, method, None)):
            return f"it has no method {method!r}"
    return ""


def _reason(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
