"""Write `Init/Bindings.lean`, the core library's bindings to native constants, from `bindings.txt`.

Run it after every change of the list: `python -m pytest_vsb.lean.core.bindings`. The generated file
is committed; `--check` only says whether it is up to date.

A binding is an `opaque` without a body for the interpreter, so that Lean takes the native constant
of the same name. The list's format is explained at its top.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).resolve().parent
LIST = _HERE / "bindings.txt"
OUTPUT = _HERE / "Init" / "Bindings.lean"

_HEADER = """\
prelude
import Init.Meta
set_option linter.all false
/-! # Native bindings
Generated from `bindings.txt` by `bindings.py`; do not edit.

Each `opaque` below names a constant of Lean's shared library: a parser, a macro or an unexpander.
Its declared type must be the native one, for nothing checks the number of arguments at run time. -/
open Lean
"""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_'!?]*")
_KEYWORDS = frozenset(
    {"case", "exact", "fun", "have", "if", "intro", "let", "match", "open", "show"}
)
_SECTION = re.compile(r"\[(?P<words>[^\]]+)\]")


@dataclass(frozen=True)
class Binding:
    """One native constant: its full name, its Lean type, and the attribute that registers it."""

    name: tuple[str, ...]
    type: str
    attribute: str | None = None
    scoped: bool = False

    def symbol(self) -> str:
        """The name of the constant in the shared library."""
        return mangle(self.name)

    def declaration(self) -> str:
        """The lines of Lean that bind the constant."""
        attributes = f'{self.attribute}, extern ""' if self.attribute else 'extern ""'
        if self.scoped:
            namespace = quote(self.name[:-1])
            line = f"@[scoped {attributes}] opaque {quote(self.name[-1:])} : {self.type}"
            return f"namespace {namespace}\n{line}\nend {namespace}"
        return f"@[{attributes}] opaque {quote(self.name)} : {self.type}"


@dataclass(frozen=True)
class Category:
    """A syntax category to declare, with its behaviour towards leading identifiers."""

    name: str
    behaviour: str | None

    def declaration(self) -> str:
        """The line of Lean that declares the category."""
        suffix = f" (behavior := {self.behaviour})" if self.behaviour else ""
        return f"declare_syntax_cat {self.name}{suffix}"


class BindingListError(ValueError):
    """A line of the list cannot be read."""


def mangle(name: Sequence[str]) -> str:
    """The C symbol of a Lean name, given by its components.

    Letters and digits stand for themselves, an underscore is doubled, any other character becomes
    `_x` and 2, `_u` and 4 or `_U` and 8 hexadecimal digits; components are joined by an underscore.
    """
    return "l_" + "_".join("".join(map(_mangle_character, part)) for part in name)


def _mangle_character(character: str) -> str:
    if character.isascii() and character.isalnum():
        return character
    if character == "_":
        return "__"
    code = ord(character)
    if code < 0x100:
        return f"_x{code:02x}"
    if code < 0x10000:
        return f"_u{code:04x}"
    return f"_U{code:08x}"


def quote(name: Sequence[str]) -> str:
    """A Lean name as source text, with the components that need it in French quotes."""
    return ".".join(
        part if _PLAIN.fullmatch(part) and part not in _KEYWORDS else f"«{part}»" for part in name
    )


def _components(name: str) -> tuple[str, ...]:
    """Split a name of the list at its dots; a dot that follows or precedes no letter is text."""
    return tuple(re.split(r"(?<=[A-Za-z0-9_'?!])\.(?=[A-Za-z])", name))


def _native_rule(module: str, namespace: str, tag: str, kind: str, number: int) -> tuple[str, ...]:
    """The name that Lean gives to the `number`-th rule of `kind` declared in `module`."""
    mangled = module.replace(".", "_")
    prefix = () if namespace == "-" else _components(namespace)
    return (*prefix, f"_aux_{mangled}___{tag}_{kind.replace('.', '_')}_{number}")


def _numbers(words: Sequence[str]) -> range:
    """The rule numbers of a line: `kind COUNT`, or `kind FIRST-LAST`."""
    first, dash, last = words[1].partition("-")
    return range(int(first), int(last) + 1) if dash else range(1, int(first) + 1)


def read(text: str) -> Iterator[Binding | Category]:
    """The entries of a binding list, in order. Raises BindingListError naming the bad line."""
    namespace: tuple[str, ...] = ()
    section: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        header = _SECTION.fullmatch(content)
        if header and header["words"].split()[0].isalpha() and _is_header(header["words"]):
            words = tuple(header["words"].split())
            if words[0] == "namespace":
                namespace = () if words[1] == "-" else _components(words[1])
            else:
                section = words
            continue
        try:
            yield from _entries(section, namespace, content.split())
        except (IndexError, ValueError) as error:
            raise BindingListError(f"line {number}: cannot read {content!r}: {error}") from error


def _is_header(words: str) -> bool:
    keywords = {"namespace", "parser", "trailing", "category", "macro", "unexpand", "unexpander"}
    return words.split()[0] in keywords


def _entries(
    section: tuple[str, ...], namespace: tuple[str, ...], words: list[str]
) -> Iterator[Binding | Category]:
    match section:
        case ("parser" | "trailing" as place, category, *flags):
            kind = "ParserDescr" if place == "parser" else "TrailingParserDescr"
            attribute = None if category == "-" else f"{category}_parser 1000"
            name = (*namespace, *_components(words[0]))
            yield Binding(name, kind, attribute, scoped=flags == ["scoped"])
        case ("category",):
            yield Category(words[0], words[1] if len(words) > 1 else None)
        case ("macro", module, rule_namespace):
            kind_name = (*namespace, *_components(words[0]))
            for number in _numbers(words):
                rule = _native_rule(
                    module, rule_namespace, "macroRules", ".".join(kind_name), number
                )
                yield Binding(rule, "Macro", f"macro {quote(kind_name)}")
        case ("unexpand", module, rule_namespace):
            constant = _components(words[0])
            for number in _numbers(words):
                rule = _native_rule(module, rule_namespace, "unexpand", words[0], number)
                yield Binding(rule, "PrettyPrinter.Unexpander", f"app_unexpander {quote(constant)}")
        case ("unexpander",):
            yield Binding(
                (words[1],),
                "PrettyPrinter.Unexpander",
                f"app_unexpander {quote(_components(words[0]))}",
            )
        case _:
            raise ValueError("no section before it, or an unknown one")


def render(text: str) -> str:
    """The Lean file for a binding list."""
    return _HEADER + "".join(entry.declaration() + "\n" for entry in read(text))


def main(arguments: Sequence[str]) -> int:
    """Write the generated file, or with `--check` compare it: 1 if it is out of date, else 0."""
    wanted = render(LIST.read_text(encoding="utf-8"))
    current = OUTPUT.read_text(encoding="utf-8") if OUTPUT.exists() else ""
    if "--check" in arguments:
        if wanted != current:
            print(f"{OUTPUT.name} is out of date: run python -m pytest_vsb.lean.core.bindings")
            return 1
        return 0
    OUTPUT.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
