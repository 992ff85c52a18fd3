"""The task of proving that a task's statement is false.

The task's file is taken with `sorry` for the proof, and after the target comes a theorem that
denies the target's type as Lean understood it: with the section's variables, all binders and all
universes. So it needs no reading of the statement's text, and whoever uses the target itself for
the proof has a proof that rests on `sorry`.

What is a hypothesis of the target must not be one of the denial, too, or a statement that is true
for want of an instance would be called false. So the file's text stands in a section of its own,
which is ended before the denial: no `variable` of the file, and no `include`, reaches further. The
namespaces that were open are opened again, and what says how names and options are read there.
"""

from __future__ import annotations

import dataclasses
import re

from pytest_vsb.errors import UsageError
from pytest_vsb.judge.located import Located
from pytest_vsb.source.lexer import tokens
from pytest_vsb.source.model import Command, Declaration, Source
from pytest_vsb.source.scanner import scan
from pytest_vsb.source.splice import stub
from pytest_vsb.tasks.model import Task

SUFFIX = "_negation"

_SECTION = "VsbDenied"
_HEADER = frozenset({"module", "prelude", "import"})
_READINGS = frozenset({"open", "universe", "set_option"})


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
    scopes, again = _scopes(located.source, target)
    start = _header_end(located.source)
    text = f"{text[:start]}section {_SECTION}\n{text[start:].rstrip()}\n\n"
    text += "".join(f"end {scope}".rstrip() + "\n" for scope in reversed(scopes))
    text += f"end {_SECTION}\n" + "".join(f"{command}\n" for command in again)
    # From the root, lest another constant of that name is denied; a private one is not there.
    denied = target.name if "private" in target.modifiers else f"_root_.{target.full_name}"
    # A name that is not found must be an error, not a variable.
    text += "\nset_option autoImplicit false in\n"
    text += f"theorem {_name(target.name)} : ¬ (type_of% @{denied}) := sorry\n"
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


def _header_end(source: Source) -> int:
    """Where the first command after the imports begins."""
    ends = [command.span.end for command in source.commands if command.kind in _HEADER]
    return max(ends, default=0)


def _scopes(source: Source, target: Declaration) -> tuple[list[str], list[str]]:
    """The names of the scopes that are open at the target, empty where they have none, and the
    commands that open them, with those in them that say how names and options are read."""
    names: list[str] = []
    commands: list[list[str]] = [[]]
    end = (target.mutual or target.span).start
    for command in source.commands:
        if command.span.end > end:
            break
        words = _words(command, source)
        if command.kind in ("namespace", "section", "end"):
            parts = _parts(words, command.keyword)
            if command.kind == "end":
                del names[max(0, len(names) - len(parts)) :]
                del commands[max(0, len(commands) - len(parts)) :]
                commands = commands or [[]]
                continue
            # Each part is a scope that can end by itself.
            names += parts
            head = "".join(words[: words.index(command.keyword) + 1])
            commands += [[f"{head} {part}".rstrip()] for part in parts]
        elif command.keyword in _READINGS and command.kind != "custom":
            commands[-1].append("".join(words).strip())
    return names, [each for scope in commands for each in scope]


def _words(command: Command, source: Source) -> list[str]:
    """A command's tokens, with a space for each comment."""
    return [
        " " if token.kind in ("comment", "doc") else token.text
        for token in tokens(command.span.of(source.text))
    ]


def _parts(words: list[str], keyword: str) -> list[str]:
    """The parts of the name of a scope; one that is empty if it has none."""
    name = "".join(words[words.index(keyword) + 1 :]).strip()
    return _PART.findall(name) or [""]


_PART = re.compile(r"«[^»]*»|[^.«»\s]+")
