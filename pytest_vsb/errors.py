"""The exceptions of the core. Every one can be shown to a user as it is, without a traceback."""

from __future__ import annotations


class VsbError(Exception):
    """Something a user can act on.

    Args:
        message: what was wrong, in one line or a few.
        where: the file, line or option it is about, if any.
        hint: what to do about it, if known.
    """

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text}\n  hint: {self.hint}" if self.hint else text


class UsageError(VsbError):
    """An option, or a combination of options, that cannot be used. Ends a run with exit code 4."""


class TaskFileError(VsbError):
    """A task file, or one line of it, that cannot be read."""


class EnvironmentUnavailable(VsbError):
    """A Lean, repository, module or service that a task needs is not there or is broken.

    It is never the prover's failure: the verdict is ``unavailable`` and the attempt leaves the
    pass@k denominator.
    """


def described(error: BaseException) -> str:
    """What an error says, after its kind if it is none that users are meant to see."""
    return str(error) if isinstance(error, VsbError) else f"{type(error).__name__}: {error}"
