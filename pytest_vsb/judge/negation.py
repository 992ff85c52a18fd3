"""The task of proving that a task's statement is false.

The task's file is taken with `sorry` for the proof, and after the target comes a theorem that
denies the target's type as Lean understood it: with the section's variables, all binders and all
universes. So it needs no reading of the statement's text, and whoever uses the target itself for
the proof has a proof that rests on `sorry`.
"""

from __future__ import annotations

import dataclasses

from pytest_vsb.errors import UsageError
from pytest_vsb.judge.located import Located
from pytest_vsb.source.lexer import tokens
from pytest_vsb.source.model import Declaration, Source
from pytest_vsb.source.scanner import scan
from pytest_vsb.source.splice import stub
from pytest_vsb.tasks.model import Task

SUFFIX = "_negation"


def negate(task: Task, located: Located) -> tuple[Task, Located]:
    """The task of proving the negation, and the file that it stands in.

    Raises:
        UsageError: the target is no theorem.
    """
    target = located.target
    if target.kind not in ("theorem", "lemma"):
        raise UsageError(
            f"{task.name} is no theorem but `{target.kind}`: it has no negation",
            where=str(located.path),
        )
    text = _without_attributes(stub(located.source, target).text, target)
    # From the root, lest another constant of that name is denied; a private one is not there.
    denied = target.name if "private" in target.modifiers else f"_root_.{target.full_name}"
    name = _name(target.name)
    scopes, includes = _open_scopes(located.source, target)
    if includes:
        # What is included would be a hypothesis of the denial, too.
        text += "".join(f"\nend {scope}".rstrip() for scope in reversed(scopes)) + "\n"
        name = _name(f"_root_.{target.full_name}")
        denied = f"_root_.{target.full_name}"
    text += f"\ntheorem {name} : ¬ (type_of% @{denied}) := sorry\n"
    source = scan(text)
    denial = source.declarations[-1]
    negated = dataclasses.replace(
        task,
        id=f"{task.id}{SUFFIX}",
        name=denial.full_name,
        kind=denial.kind,
        statement=denial.statement.of(text),
        reference_proof=None,
    )
    return negated, dataclasses.replace(located, source=source, target=denial)


def _name(name: str) -> str:
    if name.endswith("»"):
        return f"{name[:-1]}{SUFFIX}»"
    return f"{name}{SUFFIX}"


def _without_attributes(text: str, target: Declaration) -> str:
    """The text with the target's attributes taken away, lest `simp` uses what is to be denied."""
    start, end = target.span.start, target.keyword.start
    kept: list[str] = []
    depth = 0
    for token in tokens(text[start:end]):
        if depth or token.text == "@[":
            depth += (token.text in ("@[", "[")) - (token.text == "]")
        elif token.kind != "doc":
            kept.append(token.text)
    return text[:start] + "".join(kept).lstrip() + text[end:]


def _open_scopes(source: Source, target: Declaration) -> tuple[list[str], bool]:
    """The names of the scopes that are open at the target, empty where they have none, and
    whether variables are included into every theorem there."""
    scopes: list[tuple[str, bool]] = [("", False)]
    end = (target.mutual or target.span).start
    for command in source.commands:
        if command.span.end > end:
            break
        if command.kind == "include":
            scopes[-1] = (scopes[-1][0], True)
        elif command.kind == "end" and len(scopes) > 1:
            scopes.pop()
        elif command.kind in ("namespace", "section"):
            words = [
                token.text
                for token in tokens(command.span.of(source.text))
                if token.kind not in ("space", "comment", "doc")
            ]
            scopes.append(("".join(words[words.index(command.keyword) + 1 :][:1]), False))
    return [name for name, _ in scopes[1:]], any(included for _, included in scopes)
