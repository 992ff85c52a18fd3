"""The names of what an audit of a compiled file asks for, as Lean terms."""

from __future__ import annotations

from pytest_vsb.judge import audit
from pytest_vsb.judge.located import Located
from pytest_vsb.judge.program.answer import name_term
from pytest_vsb.judge.stages import MODULE
from pytest_vsb.source.model import Declaration


def targets(located: Located) -> tuple[str, ...]:
    """The target, and then the other members of its ``mutual`` block that have names."""
    target = located.target
    members = [
        other
        for other in located.source.declarations
        if target.mutual is not None
        and other.mutual == target.mutual
        and other.span != target.span
        and other.name
    ]
    return tuple(_term(declaration) for declaration in (target, *members))


def others(located: Located) -> tuple[str, ...]:
    """What the judge itself has put into the file."""
    return (name_term(audit.PROBE),) if audit.probe(located.target, located.source) else ()


def _term(declaration: Declaration) -> str:
    private = "private" in declaration.modifiers
    return name_term(declaration.full_name, MODULE if private else None)
