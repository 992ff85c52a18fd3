"""What headings cost: the tokens of a context beside the Lean and the names that it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_vsb.context.prompt import PromptBuilder
from pytest_vsb.context.records import HEADINGS, Part
from pytest_vsb.context.surroundings import ModuleText, Surroundings
from pytest_vsb.context.tokens import TokenCounter
from pytest_vsb.tasks.model import Task

_NOTHING = Surroundings((), (), (), local_context="", namespace="")
_TEXT = "x"


class Headings:
    """Counts contexts as a prompt shows them.

    Args:
        builder: makes the prompts.
        counter: how tokens are counted.
    """

    def __init__(self, builder: PromptBuilder, counter: TokenCounter) -> None:
        self._builder = builder
        self._counter = counter
        self._modules: dict[tuple[str, bool], int] = {}

    def whole(self, task: Task, around: Surroundings) -> int:
        """The tokens of a context as the prompt shows it."""
        return self._counter.count(self._builder.context(task, around))

    def part(self, task: Task, around: Surroundings, parts: Sequence[Part]) -> int:
        """The tokens that the prompt adds to the parts of a context."""
        return max(0, self.whole(task, around) - sum(part.tokens for part in parts))

    def added(self, parts: Sequence[Part], whole: int) -> tuple[Part, ...]:
        """The parts of a context that has so many tokens as a whole, with that of its headings."""
        rest = whole - sum(part.tokens for part in parts)
        return (*parts, Part(HEADINGS, 0, max(0, rest)))

    def modules(self, task: Task, shown: Sequence[tuple[str, bool]]) -> int:
        """The tokens that the prompt adds to the texts of modules of the repository, each with
        whether the target's file imports it; for no modules at all 0."""
        if not shown:
            return 0
        return self._repository(task) + sum(self.module(task, *each) for each in shown)

    def module(self, task: Task, name: str, imported: bool) -> int:
        """What one more module adds to them."""
        key = (name, imported)
        if key not in self._modules:
            some = ModuleText("M", _TEXT, imported=True)
            more = ModuleText(name, _TEXT, imported)
            added = self._showing(task, some, more) - self._showing(task, some)
            self._modules[key] = max(0, added)
        return self._modules[key]

    def _repository(self, task: Task) -> int:
        """What stands once above all modules."""
        first = self._showing(task, ModuleText("M", _TEXT, imported=True))
        return max(0, first - self._showing(task) - self.module(task, "M", imported=True))

    def _showing(self, task: Task, *modules: ModuleText) -> int:
        return self.whole(task, replace(_NOTHING, repository=modules))
