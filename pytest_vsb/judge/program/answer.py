"""The questions for the audit's program, and its answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pytest_vsb.judge.program.build import MODULE
from pytest_vsb.lean.imports import components


@dataclass(frozen=True)
class Report:
    """What the program says of a submission, held against the original file.

    ``statement`` and ``file`` say how the target's statement, and what stood before it, differ;
    they are empty if they are the same. ``axioms`` are those the target rests on, known only once
    all is ``replayed``; ``new_axioms`` those that the submission declares.
    """

    same_imports: bool
    statement: str = ""
    file: str = ""
    new_axioms: tuple[str, ...] = ()
    started: bool = False
    replayed: bool = False
    axioms: tuple[str, ...] = ()
    complete: bool = False


def question(
    original: str, submission: str, targets: Iterable[str], others: Iterable[str] = ()
) -> str:
    """The text of a Lean file that asks the program.

    Args:
        original: the path of the original file's olean.
        submission: the path of the submission's olean.
        targets: Lean terms for the names of the target and of what must keep its statement too.
        others: the same for what the program shall leave alone.
    """
    return (
        f"import {MODULE}\n\n"
        f"def main : IO Unit :=\n"
        f"  VsbAudit.run {quoted(original)} {quoted(submission)}\n"
        f"    [{', '.join(targets)}]\n"
        f"    [{', '.join(others)}]\n"
    )


def name_term(name: str, private_in: str | None = None) -> str:
    """A Lean term for a declaration's full name, as text such as ``A.«b c».d``.

    Args:
        name: the name.
        private_in: the module that it is private to, if it is.
    """
    term = ".anonymous"
    if private_in is not None:
        for part in ("_private", *components(private_in)):
            term = f"(Lean.Name.mkStr {term} {quoted(part)})"
        term = f"(Lean.Name.mkNum {term} 0)"
    for part in components(name):
        term = f"(Lean.Name.mkStr {term} {quoted(part)})"
    return term


def quoted(text: str) -> str:
    """A Lean string literal."""
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(escapes.get(character, character) for character in text) + '"'


def read(stdout: str) -> Report | None:
    """What the program said, as far as it came; ``None`` if that is not understood."""
    # Not at what else Python takes for a line's end: a name may hold it.
    lines = stdout.removesuffix("\n").split("\n")
    found: dict[str, str] = {}
    for word in ("imports", "statement", "file"):
        if not lines:
            return None
        head, _, rest = lines.pop(0).partition(" ")
        verdict, _, why = rest.partition(" ")
        if head != word or verdict not in ("same", "other"):
            return None
        found[word] = "" if verdict == "same" else why or "it"
        if word == "imports" and verdict == "other":
            return Report(same_imports=False, complete=not lines) if not lines else None
    new_axioms = tuple(_names("new-axiom", lines))
    started = _take("imported", lines)
    replayed = started and _take("replayed", lines)
    axioms = tuple(sorted(_names("axiom", lines))) if replayed else ()
    complete = replayed and _take("end", lines)
    if lines:
        return None
    return Report(
        same_imports=True,
        statement=found["statement"],
        file=found["file"],
        new_axioms=new_axioms,
        started=started,
        replayed=replayed,
        axioms=axioms,
        complete=complete,
    )


def _names(word: str, lines: list[str]) -> Iterable[str]:
    while lines and lines[0].startswith(f"{word} "):
        yield lines.pop(0).removeprefix(f"{word} ")


def _take(word: str, lines: list[str]) -> bool:
    if lines and lines[0] == word:
        del lines[0]
        return True
    return False
