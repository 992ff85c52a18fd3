"""What provers do with the argument and the options of their specification."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable

from pytest_vsb.errors import UsageError
from pytest_vsb.provers.base import ProverSpec


def nearest(word: str, valid: Iterable[str]) -> str:
    """A sentence that names the closest of ``valid`` to ``word``, or an empty string."""
    folded = {name.casefold(): name for name in valid}
    close = difflib.get_close_matches(word.casefold(), list(folded), n=1)
    return f"Did you mean {folded[close[0]]!r}? " if close else ""


def check_options(spec: ProverSpec, valid: Collection[str] = ()) -> None:
    """Refuse options that the prover does not know.

    Raises:
        UsageError: an option of ``spec`` is not among ``valid``.
    """
    for option in spec.options:
        if option not in valid:
            known = ", ".join(sorted(valid))
            hint = f"{nearest(option, valid)}Valid options: {known}." if known else "It has none."
            raise UsageError(
                f"prover {spec.name!r} has no option {option!r}",
                where="--vsb-model-option",
                hint=hint,
            )


def check_no_model(spec: ProverSpec) -> None:
    """Refuse a model id where the prover has no models to choose from.

    Raises:
        UsageError: ``spec`` has one.
    """
    if spec.model_id:
        raise UsageError(
            f"prover {spec.name!r} takes no model id, but was given {spec.model_id!r}",
            where="--vsb-model",
            hint=f"Write --vsb-model={spec.name}.",
        )


def check_no_argument(spec: ProverSpec) -> None:
    """Refuse an argument where the prover takes none.

    Raises:
        UsageError: ``spec`` has one.
    """
    if spec.argument:
        raise UsageError(
            f"prover {spec.name!r} takes no argument, but was given {spec.argument!r}",
            where="--vsb-model",
            hint=f"Write --vsb-model={spec.name}.",
        )
