"""Recognising a task's target where an answer restates it."""

from __future__ import annotations

from functools import cached_property

from pytest_vsb.source import Declaration, lexer, scan
from pytest_vsb.source.model import plain_name
from pytest_vsb.tasks import statements
from pytest_vsb.tasks.model import Task

_TRIVIA = frozenset({"space", "line", "block"})
_SAME = {"lemma": "theorem", "example": "theorem"}


class Target:
    """A task's target: its name, and its statement as tokens.

    Args:
        task: the task.
        namespace: the one that its declaration stands in, where known.
    """

    def __init__(self, task: Task, namespace: tuple[str, ...] = ()) -> None:
        self.task = task
        self.namespace = namespace
        declared = scan(task.statement).declarations
        self._declared = declared[0] if declared else None
        written = plain_name(self._declared.name) if self._declared else ""
        self.written = written
        full = plain_name(task.name)
        if written and not _ends(full, written):
            full = written
        if written == full and namespace:
            full = ".".join((*namespace, written))
        self.full_name = full
        """The full name, as far as the task and its file tell."""

    @cached_property
    def _statement(self) -> tuple[str, ...]:
        text = self.task.statement
        if self._declared is None:
            return _tokens(text)
        return _statement_tokens(text, self._declared)

    def is_named(self, name: str) -> bool:
        """Whether a declaration of this name, written where the target stands, has its name.

        The name is with the namespaces that the answer opens around it; it may lack any that are
        open around the target.
        """
        if not name:
            return False
        name = plain_name(name)
        least = self.written or self.full_name
        return _ends(name, least) and _ends(self.full_name, name)

    def states(self, text: str, declaration: Declaration) -> bool:
        """Whether the declaration has the target's statement, whatever its name: the same tokens,
        blanks and comments apart. ``theorem`` and ``lemma`` are one keyword."""
        found = _statement_tokens(text, declaration)
        wanted = self._statement
        if self._declared is None:
            return bool(wanted) and found[-len(wanted) :] == wanted
        if statements.is_truncated(self.task.statement):
            wanted = wanted[:-1] if wanted[-1:] == (":=",) else wanted
            return found[: len(wanted)] == wanted
        return found == wanted


def _ends(name: str, suffix: str) -> bool:
    return name == suffix or name.endswith(f".{suffix}")


def _statement_tokens(text: str, declaration: Declaration) -> tuple[str, ...]:
    statement = declaration.statement.of(text)
    found = _tokens(statement)
    # The keyword, then the name if there is one.
    keyword = _SAME.get(declaration.kind, declaration.kind)
    rest = found[len(declaration.kind.split()) :]
    if declaration.name and rest and rest[0] == declaration.name:
        rest = rest[1:]
    return (keyword, *rest)


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(
        text[start:end] for group, start, end, _ in lexer.lex(text) if group not in _TRIVIA
    )


def tokens_of(text: str) -> tuple[str, ...]:
    """The tokens of a text without blanks and comments, to compare texts by."""
    return _tokens(text)
