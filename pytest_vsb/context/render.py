"""Loading and rendering prompt templates, our own or a user's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from pytest_vsb.errors import UsageError

TEMPLATES: Final = ("system", "context", "task", "repair")
"""The templates of a style, each in a file of that name with the ending ``.j2``."""

STYLES: Final = ("default", "whole-file")
"""The styles that have templates of their own."""

MAX_TEMPLATE_BYTES: Final = 1_000_000

_FENCE = re.compile(r"^[ \t]*(`{3,})", re.MULTILINE)
_OURS = Path(__file__).parent / "templates"


class Renderer:
    """The templates of one style.

    Templates are Jinja2's, run in its sandbox: they see the variables that they are given and
    nothing else, and a variable that does not exist is an error. A file that ``directory`` lacks
    is taken from our own templates.

    Args:
        directory: the user's templates, if any.
        style: one of ``STYLES``.

    Raises:
        UsageError: the directory cannot be read or holds no template, or a template is broken;
            names its file and line.
    """

    def __init__(self, directory: Path | None, style: str) -> None:
        if style not in STYLES:
            raise UsageError(
                f"there is no prompt style {style!r}", hint=f"one of: {', '.join(STYLES)}"
            )
        self.style = style
        self._files: dict[str, Path] = {}
        environment = ImmutableSandboxedEnvironment(
            undefined=jinja2.StrictUndefined,
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
            loader=jinja2.FunctionLoader(self._load),
        )
        environment.filters["bounded"] = bounded
        environment.filters["fence"] = fence
        if directory is not None:
            _check_directory(directory)
        for name in TEMPLATES:
            own = directory / f"{name}.j2" if directory is not None else None
            ours = _OURS / style / f"{name}.j2"
            self._files[name] = own if own is not None and own.exists() else ours
        self._templates = {name: self._compile(environment, name) for name in TEMPLATES}

    def render(self, name: str, variables: Mapping[str, Any]) -> str:
        """A template with the variables filled in, without blank space around it.

        Raises:
            UsageError: the template uses what there is not, or fails; names its file and line.
        """
        try:
            return self._templates[name].render(variables).strip()
        except jinja2.TemplateError as error:
            raise self._broken(name, error, _line_of(error, name)) from error
        except RecursionError as error:
            raise self._broken(name, error, None) from error
        except Exception as error:  # a template may call anything that its variables can do
            raise self._broken(name, error, _line_of(error, name)) from error

    def _compile(self, environment: jinja2.Environment, name: str) -> jinja2.Template:
        try:
            return environment.get_template(name)
        except jinja2.TemplateSyntaxError as error:
            raise self._broken(error.name or name, error, error.lineno) from error
        except jinja2.TemplateNotFound as error:
            raise self._broken(name, error, None) from error

    def _load(self, name: str) -> tuple[str, str, Any] | None:
        """Our own name for a template, so that one may include another of the same set."""
        path = self._files.get(name.removesuffix(".j2"))
        if path is None:
            return None
        return _read(path), name, lambda: True

    def _broken(self, name: str, error: BaseException, line: int | None) -> UsageError:
        path = self._files.get(name.removesuffix(".j2"))
        where = str(path) if path is not None else name
        message = getattr(error, "message", None) or str(error) or type(error).__name__
        if isinstance(error, jinja2.TemplateNotFound):
            message = f"it includes {error.name!r}, which is none of {', '.join(TEMPLATES)}"
        return UsageError(
            f"the prompt template is broken: {message}",
            where=f"{where}:{line}" if line else where,
            hint="docs/prompts.md lists the variables and filters",
        )


def bounded(text: str, limit: int) -> str:
    """``text`` in at most about ``limit`` characters, with a note for what is left out.

    The beginning and the end are kept, the end the shorter one.
    """
    if len(text) <= limit:
        return text
    head = text[: limit * 3 // 4]
    tail = text[len(text) - limit // 4 :] if limit >= 4 else ""
    return f"{head}\n[... {len(text) - len(head) - len(tail):,} characters left out ...]\n{tail}"


def fence(text: str, language: str = "lean") -> str:
    """``text`` in a fenced block whose fence is longer than any within it."""
    marks = "`" * max(3, 1 + max(map(len, _FENCE.findall(text)), default=0))
    return f"{marks}{language}\n{text}\n{marks}"


def _line_of(error: BaseException, name: str) -> int | None:
    """The line of the template in which an error arose, if its traceback tells."""
    line: int | None = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in (name, f"{name}.j2"):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _check_directory(directory: Path) -> None:
    where = str(directory)
    if not directory.is_dir():
        raise UsageError("there is no such directory of prompt templates", where=where)
    if not any((directory / f"{name}.j2").exists() for name in TEMPLATES):
        names = ", ".join(f"{name}.j2" for name in TEMPLATES)
        raise UsageError(
            "the directory holds no prompt template", where=where, hint=f"any of: {names}"
        )


def _read(path: Path) -> str:
    where = str(path)
    try:
        info = path.stat()
        if info.st_size > MAX_TEMPLATE_BYTES:
            raise UsageError(
                f"the prompt template has {info.st_size:,} bytes; "
                f"at most {MAX_TEMPLATE_BYTES:,} are read",
                where=where,
            )
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise UsageError(
            "the prompt template is not UTF-8 text", where=f"{where}:{line}"
        ) from error
    except OSError as error:
        message = f"cannot read the prompt template: {error.strerror or error}"
        raise UsageError(message, where=where) from error
