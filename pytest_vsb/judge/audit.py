"""Asking Lean, in a process that never elaborates candidate text, what was really proved.

The questions are a small Lean file that imports the compiled submission: the target's axioms,
and its type as an elaborated, fully explicit term, to be held against that of the same file
compiled with ``sorry``. A statement whose text is unchanged can still come to mean something
else, by a nearer constant, an instance or a coercion that the candidate put before it; its
explicit type then differs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.diagnostics import ParsedOutput, Severity
from pytest_vsb.source.model import Declaration, Source

STANDARD_AXIOMS = frozenset({"propext", "Classical.choice", "Quot.sound"})
"""The axioms of Lean's own logic. ``Lean.ofReduceBool`` (``native_decide``) is not among them."""

SORRY = "sorryAx"

PROBE = "VsbProbe.target"
"""Names a private target for another module: an abbreviation at the end of the file itself."""

_OPTIONS = (
    "set_option pp.all true",
    # Without these, long types are cut and two that differ could print alike. Old Leans lack some.
    "set_option pp.deepTerms true",
    "set_option pp.proofs true",
    "set_option pp.maxSteps 1000000000",
    "set_option format.width 1000000",
)
_REQUIRED = _OPTIONS[0]
_UNPRINTABLE = ("failed to pretty print", "⋯")
_AXIOMS = re.compile(r"depends on axioms:\s*\[(?P<list>.*)\]\s*\Z", re.DOTALL)
_NO_AXIOMS = re.compile(r"does not depend on any axioms\s*\Z")


@dataclass(frozen=True)
class Findings:
    """What Lean said: the target's axioms, and the explicit types of the target and of the other
    members of its ``mutual`` block."""

    axioms: tuple[str, ...]
    types: tuple[str, ...]


def probe(target: Declaration, source: Source) -> str:
    """Text to append to a submission so that another module can name the target."""
    if not _is_private(target):
        return ""
    return f"\n\ndef _root_.{PROBE} := @_root_.{target.full_name}\n"


def _is_private(target: Declaration) -> bool:
    return "private" in target.modifiers


class Questions:
    """The audit file for one target, and how to read Lean's answers.

    Args:
        module: the compiled submission's module name.
        target: the declaration to ask about.
        source: the file it stands in.
    """

    def __init__(self, module: str, target: Declaration, source: Source) -> None:
        name = PROBE if _is_private(target) else target.full_name
        checked = [name, *_members(target, source)]
        lines = [f"import {module}", f"#print axioms _root_.{name}", *_OPTIONS]
        self._axioms_line = 2
        self._option_lines = {
            number for number, line in enumerate(lines, 1) if line in _OPTIONS and line != _REQUIRED
        }
        self._type_lines = range(len(lines) + 1, len(lines) + 1 + len(checked))
        lines += [f"#check @_root_.{each}" for each in checked]
        self.text = "\n".join(lines) + "\n"

    def read(self, output: ParsedOutput) -> Findings | None:
        """The findings; ``None`` if any answer is missing, is an error, or cannot be trusted to
        be whole."""
        answers: dict[int, list[str]] = {}
        for diagnostic in output.diagnostics:
            line = diagnostic.start.line
            if diagnostic.severity is Severity.ERROR and line not in self._option_lines:
                return None
            if diagnostic.severity is Severity.INFORMATION:
                answers.setdefault(line, []).append(diagnostic.message)
        axioms = _read_axioms(answers.get(self._axioms_line, []))
        types = [answers.get(line, []) for line in self._type_lines]
        if axioms is None or any(len(answer) != 1 for answer in types):
            return None
        if any(mark in answer[0] for answer in types for mark in _UNPRINTABLE):
            return None
        return Findings(axioms, tuple(answer[0] for answer in types))


def _members(target: Declaration, source: Source) -> list[str]:
    """The other public members of the target's ``mutual`` block."""
    if target.mutual is None:
        return []
    return [
        other.full_name
        for other in source.declarations
        if other.mutual == target.mutual
        and other.span != target.span
        and other.name
        and not _is_private(other)
    ]


def _read_axioms(answers: list[str]) -> tuple[str, ...] | None:
    if len(answers) != 1:
        return None
    if _NO_AXIOMS.search(answers[0]):
        return ()
    match = _AXIOMS.search(answers[0])
    if match is None:
        return None
    return tuple(sorted(name.strip() for name in match["list"].split(",")))


def judge(
    findings: Findings, baseline: Findings, allowed_axioms: frozenset[str]
) -> tuple[VerdictKind, str]:
    """The verdict on a submission that compiled, and the reason if it is no proof."""
    if findings.types != baseline.types:
        return VerdictKind.UNSOUND, _difference(findings.types, baseline.types)
    if SORRY in findings.axioms:
        return VerdictKind.INCOMPLETE, "the proof rests on `sorry`"
    extra = [axiom for axiom in findings.axioms if axiom not in allowed_axioms]
    if extra:
        return VerdictKind.UNSOUND, f"the proof rests on the axiom(s) {', '.join(extra)}"
    return VerdictKind.ACCEPTED, ""


def _difference(found: tuple[str, ...], expected: tuple[str, ...]) -> str:
    for one, other in zip(found, expected, strict=False):
        if one != other:
            return (
                "the statement does not mean what it means in the original file:\n"
                f"  here:     {one}\n  original: {other}"
            )
    return "the mutual block has other members than in the original file"
