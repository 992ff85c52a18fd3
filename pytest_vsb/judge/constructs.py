"""Finding refused constructs in the tokens of a candidate's part.

Every finder yields (offset, construct, why) and takes time in proportion to the text.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence

from pytest_vsb.judge import forbidden
from pytest_vsb.source import grammar
from pytest_vsb.source.lexer import Token
from pytest_vsb.source.model import Command

Found = tuple[int, str, str]

_QUOTE = re.compile("[«»]")


def plain(name: str) -> str:
    """A name as Lean knows it: ``«debug».x`` and ``debug.x`` are one."""
    return _QUOTE.sub("", name)


def words(sequence: Sequence[Token], free: Container[int]) -> Iterator[Found]:
    """Refused words, names, options and attributes; not the words at the offsets ``free``."""
    texts = [token.text for token in sequence]
    rules = _rule_words(sequence)
    for index, token in enumerate(sequence):
        word, start = token.text, token.span.start
        following = texts[index + 1] if index + 1 < len(texts) else ""
        if token.kind in ("ident", "keyword") and word in forbidden.WORDS:
            if start not in free and index not in rules and not _is_field(sequence, index):
                yield start, word, forbidden.WORDS[word]
        elif word == "eval" and following == "%" and sequence[index + 1].span.start == start + 4:
            yield start, "eval%", forbidden.RUNS_CODE
        elif word == "#" and _hash_command(sequence, index) is not None:
            yield start, f"#{following}", _why_hash(following)
        elif word == "open" and following == "private":
            yield start, "open private", "reaches declarations that are not visible here"
        elif word == "set_option":
            yield from _option(sequence, index)
        elif word == "@[":
            yield from _attributes(sequence, index + 1)
        elif word == "attribute" and following == "[":
            yield from _attributes(sequence, index + 2)
        elif word == "native" and _switches_native(sequence, index):
            yield start, "decide +native", forbidden.WORDS["native_decide"]
        elif token.kind == "ident" and _is_meta(word):
            yield start, word, forbidden.META
    yield from _opened(sequence)


def _is_field(sequence: Sequence[Token], index: int) -> bool:
    """Whether a refused word is the name of a field where it stands."""
    token = sequence[index]
    if token.text in forbidden.IN_TERMS or not index:
        return False
    before = sequence[index - 1]
    return before.text == "." and before.span.end == token.span.start


def _switches_native(sequence: Sequence[Token], index: int) -> bool:
    """Whether the word ``native`` is a setting and no variable: ``+native``, ``native := true``."""
    before = sequence[index - 1] if index else None
    following = sequence[index + 1] if index + 1 < len(sequence) else None
    if before is None:
        return False
    if before.text == "+":
        return before.span.end == sequence[index].span.start
    given = following is not None and following.text == ":="
    return given and before.text in ("(", "{", ",", "with")


def _opened(sequence: Sequence[Token]) -> Iterator[Found]:
    """Names of `forbidden.META_NAMESPACES` that are written without their first parts, which are
    opened, here or by the repository."""
    names = [
        (token.span.start, plain(token.text).lstrip("`").removeprefix("_root_.").split("."))
        for token in sequence
        if token.kind == "ident"
    ]
    firsts = {first for first, _ in forbidden.META_NAMESPACES}
    seconds = {second for _, second in forbidden.META_NAMESPACES}
    opened = {part for _, parts in _spaces(sequence) for part in parts}
    in_first, in_second = not opened.isdisjoint(firsts), not opened.isdisjoint(seconds)
    for start, parts in names:
        known = not forbidden.IO_NAMES.isdisjoint(parts[:2])
        inner = parts[0] in seconds and len(parts) > 1
        if (inner and (known or in_first)) or (in_second and parts[0] in forbidden.IO_NAMES):
            yield start, ".".join(parts), forbidden.META
    for start, parts in _spaces(sequence):
        if parts[0] in seconds and in_first:
            yield start, ".".join(parts), forbidden.META


def _spaces(sequence: Sequence[Token]) -> Iterator[tuple[int, list[str]]]:
    """The namespaces that are opened or entered, each as its parts."""
    inside = False
    for token in sequence:
        if token.kind == "keyword" or token.text in ("open", "namespace"):
            inside = token.text in ("open", "namespace")
        elif inside and token.kind == "ident":
            yield token.span.start, plain(token.text).removeprefix("_root_.").split(".")
        elif inside:
            inside = False


_RULES, _CLAUSE, _ATTRIBUTES, _OTHER = "rules", "clause", "attributes", "other"


def _rule_words(sequence: Sequence[Token]) -> set[int]:
    """The tokens ``unsafe`` that name a phase of ``aesop``'s rules: those directly in a clause
    ``(add …)`` of an ``aesop``, or in an attribute ``aesop``."""
    found: set[int] = set()
    texts = [token.text for token in sequence]
    if "unsafe" not in texts:
        return found
    # What each open bracket holds, and whether its present attribute is `aesop`.
    brackets: list[tuple[str, bool]] = []
    clause_may_follow = False
    for index, word in enumerate(texts):
        before = texts[index - 1] if index else ""
        following = texts[index + 1] if index + 1 < len(texts) else ""
        kind, in_aesop = brackets[-1] if brackets else (_OTHER, False)
        may_follow, clause_may_follow = clause_may_follow, False
        if word in _OPENING:
            if may_follow and word == "(":
                brackets.append((_RULES if following == "add" else _CLAUSE, False))
            elif word == "@[" or before == "attribute":
                brackets.append((_ATTRIBUTES, False))
            else:
                brackets.append((_OTHER, False))
        elif word in _CLOSING:
            if brackets:
                brackets.pop()
            clause_may_follow = kind in (_RULES, _CLAUSE)
        elif word == "unsafe" and (kind == _RULES or in_aesop):
            found.add(index)
        elif kind == _ATTRIBUTES and word == ",":
            brackets[-1] = (kind, False)
        elif kind == _ATTRIBUTES and word == "aesop":
            at_start = before in ("@[", "[", ",", "local", "scoped")
            brackets[-1] = (kind, in_aesop or at_start)
        elif word in ("aesop", "aesop?"):
            clause_may_follow = True
    return found


_OPENING = frozenset(["(", "[", "{", "@[", "⟨", "`("])
_CLOSING = frozenset([")", "]", "}", "⟩"])


def _is_meta(word: str) -> bool:
    parts = plain(word).lstrip("`").removeprefix("_root_.").split(".")
    return (*parts[:2],) in forbidden.META_NAMESPACES or not forbidden.META_NAMES.isdisjoint(parts)


def _option(sequence: Sequence[Token], index: int) -> Iterator[Found]:
    """The refusal of an option by its name or by its value."""
    start = sequence[index].span.start
    name = sequence[index + 1] if index + 1 < len(sequence) else None
    if name is None:
        return
    if name.kind not in ("ident", "keyword"):
        yield start, f"set_option {name.text}", "which option is set is not to be seen"
    elif plain(name.text).startswith(forbidden.OPTIONS):
        yield start, f"set_option {name.text}", "changes what is checked or reported"
    elif index + 2 < len(sequence) and sequence[index + 2].kind == "string":
        yield start, f"set_option {name.text}", "a text as its value may name a file or a program"


def _hash_command(sequence: Sequence[Token], index: int) -> str | None:
    """The ``#`` command at a ``#``, if it is one that does more than show something."""
    if index + 1 >= len(sequence):
        return None
    token, following = sequence[index], sequence[index + 1]
    if following.kind not in ("ident", "keyword") or following.span.start != token.span.end:
        return None
    word = f"#{following.text}".rstrip("!?")
    if word in grammar.HASH_COMMANDS and word not in forbidden.HASH_COMMANDS:
        return word
    return None


def _why_hash(word: str) -> str:
    reasons = {"exit": "ends the file", "guard_msgs": "hides what Lean says"}
    return reasons.get(word, forbidden.RUNS_CODE)


def _attributes(sequence: Sequence[Token], index: int) -> Iterator[Found]:
    """The refused attributes of the list that begins at ``index``."""
    depth, at_start, before = 1, True, ""
    for token in sequence[index:]:
        if token.text in ("@[", "attribute"):
            # No list holds another; to read on from each would take quadratic time.
            yield token.span.start, token.text, "an attribute list inside of another"
            return
        if token.text in ("[", "(", "{"):
            depth += 1
        elif token.text in ("]", ")", "}"):
            depth -= 1
            if depth == 0:
                return
        # `to_additive (attr := simp, ext)` has a list in it.
        if token.text == "," or (token.text == ":=" and before == "attr"):
            at_start = True
        elif at_start and token.text not in ("local", "scoped", "-", "↓", "↑"):
            at_start = False
            why = _why_attribute(plain(token.text))
            if why is not None:
                yield token.span.start, f"@[{token.text}]", why
        before = token.text


def _why_attribute(name: str) -> str | None:
    if name == "$":
        return "which attribute is given is not to be seen"
    if any(part in name for part in forbidden.ATTRIBUTE_PARTS):
        return forbidden.RUNS_CODE
    return forbidden.ATTRIBUTES.get(name)


def documentation(sequence: Iterable[Token]) -> Iterator[Found]:
    """What would run in documentation whose code is elaborated."""
    for token in sequence:
        if token.kind == "doc" and forbidden.CODE_IN_DOCUMENTATION.search(token.text):
            hidden = forbidden.IN_STRINGS.search(token.text)
            if hidden is not None:
                why = f"in documentation with code, it {forbidden.RUNS_CODE}"
                yield token.span.start + hidden.start(), hidden.group(), why


def commands(text: str, sequence: Sequence[Command], free: Container[int]) -> Iterator[Found]:
    """Auxiliary commands that are none of those allowed, or leave their scope; not those that
    begin at one of the offsets ``free``."""
    open_scopes = 0
    for command in sequence:
        start = command_start(text, command)
        if not _is_allowed(command) and start not in free:
            yield start, command.keyword, "auxiliary text may hold declarations only"
        for declaration in (command.declaration, *command.members):
            if declaration is not None and declaration.kind not in forbidden.DECLARATIONS:
                yield start, declaration.kind, "not a declaration that proves or defines"
        if command.kind in ("namespace", "section"):
            open_scopes += 1
        elif command.kind == "end":
            open_scopes -= 1
            if open_scopes < 0:
                yield start, "end", "closes a scope that the candidate did not open"
    if open_scopes > 0:
        yield len(text), "namespace or section", "is left open"


def _is_allowed(command: Command) -> bool:
    if command.kind == "hash":
        return command.keyword in forbidden.HASH_COMMANDS
    # What is no command at all is for `find_unreadable` to tell.
    return command.kind in forbidden.COMMANDS or command.kind == "unknown"


def command_start(text: str, command: Command) -> int:
    """Where a command's first character is that is no space."""
    covered = text[command.span.start : command.span.end]
    return command.span.start + len(covered) - len(covered.lstrip())
