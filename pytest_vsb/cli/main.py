"""The parser of the ``vsb`` command, and how its errors end."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn

from pytest_vsb import __version__
from pytest_vsb.cli import (
    cache,
    check,
    compare,
    dataset,
    export,
    gate,
    merge,
    prepare,
    report,
    repos,
    show,
    validate,
)
from pytest_vsb.cli.common import BROKEN_PIPE, INTERRUPTED, USAGE
from pytest_vsb.errors import UsageError, VsbError

MAX_ERROR = 20_000
"""Characters of an error that are printed."""

COMMANDS = (
    report,
    compare,
    merge,
    gate,
    export,
    check,
    show,
    validate,
    repos,
    prepare,
    dataset,
    cache,
)
"""The modules of the commands, in the order of the help."""


_UNKNOWN_OPTION = re.compile(r"unrecognized arguments: .*?(--[\w-]+)", re.DOTALL)
_PYTEST_OPTION = re.compile(r"--vsb-([a-z]+(?:-[a-z]+)*)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, 1 (not accepted), 4 (usage, environment)."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(given)
        sys.stdout.flush()
    except VsbError as error:
        _complain(_in_own_terms(str(error), given))
        return USAGE
    except BrokenPipeError:
        # Whoever read our output has gone; Python must not complain of it at its end, either.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _complain(text: str) -> None:
    # What it quotes may come from anybody's file.
    from pytest_vsb.report.text import clean

    with contextlib.suppress(OSError):
        print(f"vsb: error: {clean(text, MAX_ERROR)}", file=sys.stderr)


def _in_own_terms(text: str, arguments: Sequence[str]) -> str:
    """A message that may name pytest's options, with those of the command where it has them."""
    if arguments[:1] == ["validate"]:
        return text  # what follows is pytest's
    own = set(_options_of(_parser(), list(arguments)))
    return _PYTEST_OPTION.sub(
        lambda found: f"--{found[1]}" if f"--{found[1]}" in own else found[0], text
    )


def _options_of(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> Iterator[str]:
    """The options of a parser, and of the subcommands among the arguments."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for index, argument in enumerate(arguments):
                if argument in action.choices:
                    yield from _options_of(action.choices[argument], arguments[index + 1 :])
                    break


class _Parser(argparse.ArgumentParser):
    """Names what is nearest to a word that it does not know."""

    _near: str | None = None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            self._near = _nearest(str(value), map(str, action.choices))
        super()._check_value(action, value)

    def error(self, message: str) -> NoReturn:
        unknown = _UNKNOWN_OPTION.match(message)
        if unknown is not None:
            options = _options_of(self, self.given)
            self._near = _nearest(unknown[1], (name for name in options if name.startswith("--")))
        guess = f"did you mean {self._near}? " if self._near else ""
        raise UsageError(message, hint=f"{guess}{self.prog} --help")

    given: Sequence[str] = ()
    """The words that are parsed."""


def _nearest(word: str, words: Iterable[str]) -> str | None:
    found = difflib.get_close_matches(word, list(words), n=1)
    return found[0] if found else None


def _run(arguments: list[str]) -> int:
    parser = _parser()
    if arguments[:1] == ["validate"] and not {"-h", "--help"} & set(arguments):
        # What follows is pytest's: `-n 2` is no option of ours and no task file.
        return validate.validate(arguments[1:])
    parser.given = arguments
    try:
        options = parser.parse_args(arguments)
    except SystemExit as end:  # after --help or --version
        return int(end.code or 0)
    command: Callable[[argparse.Namespace], int] | None = options.command
    if command is None:
        parser.print_help()
        return USAGE
    return command(options)


def _parser() -> _Parser:
    parser = _Parser(prog="vsb", description="Verification benchmarks in Lean.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"pytest-vsb {__version__}")
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for module in COMMANDS:
        module.add(commands)
    return parser
