"""Asking Lean, in a process that never elaborates candidate text, what was really proved.

The questions are a small Lean file that imports the compiled submission: the target's axioms,
and its type as an elaborated, fully explicit term, to be held against that of the same file
compiled with ``sorry``. A statement whose text is unchanged can still come to mean something
else, by a nearer constant, an instance or a coercion that the candidate put before it; its
explicit type then differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_vsb.judge.verdict import VerdictKind
from pytest_vsb.lean.diagnostics import ParsedOutput, Severity
from pytest_vsb.source.model import Declaration, Source

STANDARD_AXIOMS = frozenset({"propext", "Classical.choice", "Quot.sound"})
"""The axioms of Lean's own logic. ``Lean.ofReduceBool`` (``native_decide``) is not among them."""

SORRY = "sorryAx"

PROBE = "VsbProbe.target"
"""Names a private target for another module: an abbreviation at the end of the file itself."""

_MARK = "vsb audit"

_REQUIRED = "set_option pp.all true"
_OPTIONS = (
    _REQUIRED,
    # Without these, long types are cut and two that differ could print alike. Old Leans lack some.
    "set_option pp.deepTerms true",
    "set_option pp.maxSteps 1000000000",
    "set_option format.width 1000000",
    "set_option maxRecDepth 20000",
)
_UNPRINTABLE = ("failed to pretty print", "Error pretty printing", "⋯")
_AXIOMS = re.compile(r"depends on axioms:\s*\[(?P<list>.*)\]\s*\Z", re.DOTALL)
_NO_AXIOMS = re.compile(r"does not depend on any axioms\s*\Z")
_NAME = r"(?<![^\s(){}\[\],:@])[^\s(){}\[\],:@]+\."
_MATCHER = re.compile(rf"{_NAME}match_\d+(?:_\d+)*(?![\w'!?])")
_PROOF = re.compile(rf"{_NAME}_proof_\d+(?:_\d+)*(?![\w'!?])(?:\.\{{[^{{}}]*\}})?")
_PRIVATE = "_private."


@dataclass(frozen=True)
class Findings:
    """What Lean said: the target's axioms, the explicit types of the target and of the other
    members of its ``mutual`` block, and the definitions that were asked for."""

    axioms: tuple[str, ...]
    types: tuple[str, ...]
    definitions: tuple[str, ...] = ()


def probe(target: Declaration, source: Source) -> str:
    """Text to append to a submission so that another module can name the target."""
    if not _is_private(target):
        return ""
    return f"\n\nnoncomputable def _root_.{PROBE} := @_root_.{target.full_name}\n"


def presence(target: Declaration) -> str:
    """Text to append to a submission with its probe: a command on the last line, about which Lean
    has information if the target is there, under its name."""
    return f"\n\n#check @_root_.{_public_name(target)}\n"


def _public_name(target: Declaration) -> str:
    return PROBE if _is_private(target) else target.full_name


def _is_private(target: Declaration) -> bool:
    return "private" in target.modifiers


class Questions:
    """The audit file for one target, and how to read Lean's answers.

    Args:
        module: the compiled submission's module name.
        target: the declaration to ask about.
        source: the file it stands in.
        proofs: whether proofs inside of types are to be shown in full.
        definitions: the constants whose definitions are to be shown.
    """

    def __init__(
        self,
        module: str,
        target: Declaration,
        source: Source,
        *,
        proofs: bool = True,
        definitions: Sequence[str] = (),
    ) -> None:
        name = _public_name(target)
        checked = [name, *_members(target, source)]
        options = [*_OPTIONS, f"set_option pp.proofs {str(proofs).lower()}"]
        self._unprintable = _UNPRINTABLE if proofs else _UNPRINTABLE[:-1]
        self._lines = [f"import {module}"]
        # Before the options, which would change how names are shown.
        self._axioms_line = self._ask(f"#print axioms _root_.{name}")
        self._option_lines = set()
        for option in options:
            self._lines.append(option)
            if option != _REQUIRED and proofs:
                self._option_lines.add(len(self._lines))
        self._type_lines = [self._ask(f"#check @_root_.{each}") for each in checked]
        self._definition_lines = [self._ask(f"#print _root_.{each}") for each in definitions]
        self.text = "\n".join(self._lines) + "\n"

    def _ask(self, question: str) -> int:
        """Add a question between two marks; its line."""
        number = len(self._lines) + 2
        self._lines += [f'#print "{_MARK} {number}"', question, f'#print "{_MARK} end {number}"']
        return number

    def read(self, output: ParsedOutput, stdout: str = "") -> Findings | None:
        """The findings; ``None`` if any answer is missing, is an error, or cannot be trusted to
        be whole.

        Args:
            output: Lean's messages.
            stdout: all that it printed; needed of a Lean without ``--json``, whose text format
                does not say of an answer which question it is to.
        """
        answers = _between_marks(stdout)
        for diagnostic in output.diagnostics:
            line = diagnostic.start.line
            if diagnostic.severity is Severity.ERROR and line not in self._option_lines:
                return None
            if diagnostic.severity is Severity.INFORMATION:
                answers.setdefault(line, []).append(diagnostic.message)
        axioms = _read_axioms(answers.get(self._axioms_line, []))
        types = self._read_each(self._type_lines, answers)
        definitions = self._read_each(self._definition_lines, answers)
        if axioms is None or types is None or definitions is None:
            return None
        return Findings(axioms, types, definitions)

    def _read_each(
        self, lines: Iterable[int], answers: dict[int, list[str]]
    ) -> tuple[str, ...] | None:
        found = [answers.get(line, []) for line in lines]
        if any(len(answer) != 1 for answer in found):
            return None
        if any(mark in answer[0] for answer in found for mark in self._unprintable):
            return None
        return tuple(answer[0] for answer in found)


def _between_marks(stdout: str) -> dict[int, list[str]]:
    """What stands between the marks of each question, in the text format."""
    found = re.finditer(
        rf"^{_MARK} (?P<line>\d+)\n(?P<answer>.*?)\n?^{_MARK} end (?P=line)$",
        stdout,
        re.DOTALL | re.MULTILINE,
    )
    answers: dict[int, list[str]] = {}
    for match in found:
        if match["answer"].strip():
            answers.setdefault(int(match["line"]), []).append(match["answer"])
    return answers


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


def has_matchers(texts: Iterable[str]) -> bool:
    """Whether these texts name a constant that Lean made for a ``match``, private or not."""
    return any(_MATCHER.search(text) for text in texts)


def has_private_matchers(texts: Iterable[str]) -> bool:
    """Whether one of them is private, so that its definition cannot be asked for."""
    return any(name.startswith(_PRIVATE) for text in texts for name in _MATCHER.findall(text))


def matchers(texts: Iterable[str]) -> tuple[str, ...]:
    """The constants in these texts that Lean made for a ``match``, in order of appearance.

    Lean makes one for equal ``match`` expressions, named after the first declaration with one. So
    the same statement names another constant when an auxiliary lemma before it has the same
    ``match``; what counts is how the constant is defined.
    """
    found = (name for text in texts for name in _MATCHER.findall(text))
    # A private constant of another module cannot be named, so it stays what its name says.
    return tuple(dict.fromkeys(name for name in found if not name.startswith(_PRIVATE)))


def meaning(findings: Findings) -> tuple[str, ...]:
    """The types without what does not count for their meaning: which proofs they hold, and the
    names of constants made for a ``match``, whose definitions follow instead.

    The findings must come from questions with ``proofs=False`` and with the definitions of all
    :func:`matchers`. Two terms that differ in proofs only, at the same place and so of the same
    proposition, are equal by definition.
    """
    texts = (*findings.types, *findings.definitions)
    numbers: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        name = match.group()
        return numbers.setdefault(name, f"match#{len(numbers)}")

    return tuple(_MATCHER.sub(number, _PROOF.sub("⋯", text)) for text in texts)


def judge_axioms(
    axioms: tuple[str, ...], allowed_axioms: frozenset[str]
) -> tuple[VerdictKind, str]:
    """The verdict by its axioms on a submission whose target has the right statement, and the
    reason if it is no proof."""
    if SORRY in axioms:
        return VerdictKind.INCOMPLETE, "the proof rests on `sorry`"
    extra = [axiom for axiom in axioms if axiom not in allowed_axioms]
    if extra:
        return VerdictKind.UNSOUND, f"the proof rests on the axiom(s) {', '.join(extra)}"
    return VerdictKind.ACCEPTED, ""


def difference(found: tuple[str, ...], expected: tuple[str, ...]) -> str:
    """In words, how the types that were found differ from those of the original file."""
    for one, other in zip(found, expected, strict=False):
        if one != other:
            return (
                "the statement does not mean what it means in the original file:\n"
                f"  here:     {one}\n  original: {other}"
            )
    return "the mutual block has other members than in the original file"
