"""Prompts: what a model is told of a task, in the parts that providers send and cache apart."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pytest_vsb.context.records import TaskContext
from pytest_vsb.context.render import Renderer, bounded
from pytest_vsb.context.surroundings import Surroundings, surroundings
from pytest_vsb.errors import UsageError
from pytest_vsb.tasks.model import Task

MAX_ANSWER = 100_000
"""Characters of an earlier answer that a repair prompt repeats."""


@dataclass(frozen=True)
class Turn:
    """One message of the conversation after the first."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True)
class Prompt:
    """A prompt in parts, from what changes least to what changes most.

    Attributes:
        system: the system prompt, the same for all tasks; empty where a style has none.
        context: what is known of the task's surroundings, the same for all samples and rounds of
            a task, hence worth caching. It begins the first user message; it may be empty.
        task: the target and the form of the answer; it ends the first user message.
        turns: the repair rounds: the assistant's answer, the user's feedback, and so on.
    """

    system: str
    context: str
    task: str
    turns: tuple[Turn, ...] = ()

    @property
    def digest(self) -> str:
        """The SHA-256 of all parts, in hexadecimal digits."""
        parts = [self.system, self.context, self.task]
        parts += [part for turn in self.turns for part in (turn.role, turn.text)]
        data = json.dumps(parts, ensure_ascii=True).encode("ascii")
        return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True)
class RepairProblem:
    """One error of a failed answer.

    ``excerpt`` is the source around it with line numbers, ``goal`` the goal there where known
    apart from the message, ``region`` the part of the file it is in, such as ``proof``.
    """

    message: str
    excerpt: str = ""
    goal: str = ""
    region: str = ""


@dataclass(frozen=True)
class RepairRound:
    """An earlier round of a sample.

    ``answer`` is the response as the model gave it (where that is lost, see
    :func:`pytest_vsb.context.answer.format_answer`); ``kind`` and ``reason`` are the verdict's.
    """

    answer: str
    kind: str
    reason: str = ""
    problems: tuple[RepairProblem, ...] = ()


class PromptBuilder:
    """Builds prompts from templates. It may be shared by threads.

    Args:
        templates: a directory with templates that replace ours of the same name.
        style: ``default`` (tagged sections; see :func:`pytest_vsb.context.answer.parse_answer`)
            or ``whole-file`` (a whole Lean file in one fenced block; see
            :func:`pytest_vsb.context.whole_file.parse_whole_file`).

    Raises:
        UsageError: there is no such style or directory, or a template is broken.
    """

    def __init__(self, templates: Path | None = None, style: str = "default") -> None:
        self.style = style
        self._renderer = Renderer(templates, style)
        # One task's surroundings serve all its samples and rounds.
        self._surroundings = lru_cache(maxsize=4)(surroundings)

    def build(
        self,
        task: Task,
        prefix: str,
        history: Sequence[RepairRound] = (),
        context: TaskContext | None = None,
    ) -> Prompt:
        """The prompt of a request.

        Args:
            task: the task; a reference proof in it is not used.
            prefix: the text of the task's file before the target; its proofs are left out.
            history: the earlier rounds of the sample, oldest first.
            context: what is shown of the repository; without one, the dependencies that the task
                lists, and the file before the target.

        Raises:
            UsageError: a template fails on this task, or does not show what is to be shown.
        """
        task = task.without_reference()
        if context is not None:
            around = context.around
        else:
            around = self._surroundings(task.dependencies, prefix)
        variables = _variables(task, around)
        render = self._renderer.render
        shown = render("context", variables)
        if not _in_order((module.text for module in around.repository), shown):
            raise UsageError(
                "the template context.j2 does not show the text of the repository's modules",
                hint="it is in the variable `repository`; see docs/prompts.md",
            )
        turns: list[Turn] = []
        for number, past in enumerate(history, 1):
            turns.append(Turn("assistant", _answer(past.answer)))
            text = render(
                "repair",
                {
                    **variables,
                    "number": number,
                    "kind": past.kind,
                    "reason": past.reason,
                    "problems": past.problems,
                },
            )
            turns.append(Turn("user", text))
        return Prompt(
            system=render("system", {}),
            context=shown,
            task=render("task", variables),
            turns=tuple(turns),
        )

    def context(self, task: Task, around: Surroundings) -> str:
        """The part of a task's prompts that shows its surroundings.

        Raises:
            UsageError: the template fails on this task.
        """
        return self._renderer.render("context", _variables(task.without_reference(), around))


def _variables(task: Task, around: Surroundings) -> dict[str, Any]:
    """What a template sees of a task."""
    return {
        "task": task,
        "statement": task.statement.strip(),
        **{item.name: getattr(around, item.name) for item in dataclasses.fields(around)},
    }


def _answer(text: str) -> str:
    # Providers refuse an empty message.
    return bounded(text, MAX_ANSWER).strip() or "(no answer)"


def _in_order(texts: Iterable[str], whole: str) -> bool:
    """Whether all texts are in another, one after the other. Linear in it if they are."""
    at = 0
    for text in texts:
        at = whole.find(text, at)
        if at < 0:
            return False
        at += len(text)
    return True
