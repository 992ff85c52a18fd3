"""What a candidate may not contain, decided on its tokens before Lean sees it.

The policy keeps out what can run code during elaboration, change how later text is read, or bend
what the kernel is asked. Soundness does not rest on it alone: statement and axioms are audited
on the compiled result. It speaks of tokens, so the same words in comments, in strings, between
``«»`` and as field names are free.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_vsb.source import grammar
from pytest_vsb.source.lexer import Token, tokens
from pytest_vsb.source.model import Command
from pytest_vsb.source.scanner import scan

_RUNS_CODE = "can run code while Lean elaborates"
_NEW_SYNTAX = "changes how later text is read"
_UNCHECKED = "goes around the kernel"

FORBIDDEN_WORDS = {
    "axiom": "states what is to be proved",
    "unsafe": _UNCHECKED,
    "native_decide": "trusts compiled code in place of the kernel",
    "import": "a submission has the imports of its file",
    "prelude": "a submission has the imports of its file",
    **dict.fromkeys(
        "run_cmd run_meta run_elab run_tac by_elab initialize builtin_initialize elab "
        "elab_rules simproc simproc_decl dsimproc dsimproc_decl builtin_simproc builtin_dsimproc "
        "builtin_simproc_decl builtin_dsimproc_decl include_str add_decl_doc declare_config_elab "
        "declare_simp_like_tactic declare_term_config_elab declare_command_config_elab "
        "register_option register_builtin_option register_simp_attr register_label_attr "
        "register_parser_alias register_tactic_tag".split(),
        _RUNS_CODE,
    ),
    **dict.fromkeys(
        "macro macro_rules syntax declare_syntax_cat notation notation3 infix infixl infixr "
        "prefix postfix binder_predicate unif_hint".split(),
        _NEW_SYNTAX,
    ),
}
"""Words that are refused wherever they stand as a token, each with the reason."""

_IN_TERMS = frozenset("native_decide run_tac run_elab by_elab include_str unsafe".split())
"""Those that can stand in a term or a tactic block: a dot before them may be a bullet."""

FORBIDDEN_ATTRIBUTES = {
    **dict.fromkeys(["implemented_by", "extern", "csimp", "export"], _UNCHECKED),
    **dict.fromkeys(
        "init tactic macro simproc simprocAttr command_code_action hole_code_action "
        "code_action_provider env_linter app_unexpander category_parenthesizer "
        "category_formatter parenthesizer formatter combinator_parenthesizer "
        "combinator_formatter run_parser_attribute_hooks missing_docs_handler norm_num "
        "positivity widget_module server_rpc_method".split(),
        _RUNS_CODE,
    ),
}
"""Attributes that are refused, each with the reason."""

_FORBIDDEN_ATTRIBUTE_PARTS = ("_parser", "_elab", "delab", "builtin", "unexpand")

FORBIDDEN_OPTIONS = (
    "debug.",
    "compiler.",
    "internal.",
    "bootstrap.",
    "interpreter.",
    "profiler",
    "trace.profiler",
    "server.",
    "experimental.",
    # Names the program that a tactic starts.
    "sat.",
    "weak.",
)
"""Prefixes of options that no candidate may set."""

ALLOWED_COMMANDS = frozenset(
    "declaration mutual namespace section end open variable universe set_option attribute include "
    "omit deriving moduledoc trivia export alias seal unseal grind_pattern irreducible_def "
    "initialize_simps_projections suppress_compilation unsuppress_compilation".split()
)
"""The kinds of commands that auxiliary declarations may consist of."""

ALLOWED_HASH_COMMANDS = frozenset("#check #check_failure #print #synth".split())
"""The ``#`` commands that only show something."""

_ALLOWED_DECLARATIONS = frozenset(
    [
        *"theorem lemma def abbrev instance structure class inductive example coinductive".split(),
        "class inductive",
        "class abbrev",
        "irreducible_def",
    ]
)

_HIDDEN = re.compile(
    r"(?<![\w.])(?:run_tac|run_cmd|run_meta|run_elab|by_elab|include_str|initialize)(?![\w'!?])"
    r"|(?<!\w)eval%|#eval|set_option|@\["
)
"""What must not stand in a string that may hold terms."""

_QUOTE = re.compile("[«»]")


MAX_INTERPOLATED = 50
"""How many interpolated strings a part may have; finding their ends may take long."""


@dataclass(frozen=True)
class Refusal:
    """A construct that is refused: what, why, and where (1-based line and 0-based column in the
    ``part``, which is ``auxiliary`` or ``proof``)."""

    construct: str
    why: str
    part: str
    line: int
    column: int
    profile: str = "strict"

    def __str__(self) -> str:
        place = f"{self.part} {self.line}:{self.column}"
        return f"`{self.construct}` is not allowed ({self.profile} policy): {self.why} [{place}]"


def find_forbidden(auxiliary: str, proof: str) -> Refusal | None:
    """The first construct of a candidate that the policy refuses, if any."""
    for part, text in (("auxiliary", auxiliary), ("proof", proof)):
        for offset, construct, why in _constructs(text, part):
            line, column = _position(text, offset)
            return Refusal(construct, why, part, line, column)
    return None


def find_unreadable(auxiliary: str) -> str | None:
    """What in the auxiliary text is no command of Lean's, and where, if there is such a thing."""
    for command in scan(auxiliary).commands:
        if command.kind == "unknown":
            start = command.span.start + _leading_space(auxiliary, command)
            line, column = _position(auxiliary, start)
            word = auxiliary[start : start + 30].split("\n")[0].strip()
            return f"auxiliary {line}:{column}: no declaration begins with `{word}`"
    return None


def _position(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1)


def _constructs(text: str, part: str) -> Iterator[tuple[int, str, str]]:
    if "/--/" in text:
        yield text.index("/--/"), "/--/", "where this comment ends may be read in two ways"
    if text.count('!"') > MAX_INTERPOLATED:
        yield text.index('!"'), '!"', f"more than {MAX_INTERPOLATED} such strings are not read"
        return
    meaningful = [t for t in tokens(text) if t.kind not in ("space", "comment", "doc")]
    yield from _unreadable_quotes(meaningful)
    yield from _words(meaningful)
    yield from _strings(meaningful)
    if part == "auxiliary":
        yield from _commands(text)


def _words(sequence: Sequence[Token]) -> Iterator[tuple[int, str, str]]:
    texts = [token.text for token in sequence]
    for index, token in enumerate(sequence):
        word, start = token.text, token.span.start
        before = texts[index - 1] if index else ""
        following = texts[index + 1] if index + 1 < len(texts) else ""
        if token.kind in ("ident", "keyword") and word in FORBIDDEN_WORDS:
            if not _is_free(sequence, index):
                yield start, word, FORBIDDEN_WORDS[word]
        elif word == "eval" and following == "%" and sequence[index + 1].span.start == start + 4:
            yield start, "eval%", _RUNS_CODE
        elif word == "#" and _hash_command(sequence, index) is not None:
            yield start, f"#{following}", _RUNS_CODE
        elif word == "open" and following == "private":
            yield start, "open private", "reaches declarations that are not visible here"
        elif word == "set_option" and _plain(following).startswith(FORBIDDEN_OPTIONS):
            yield start, f"set_option {following}", "changes what is checked or reported"
        elif word == "@[":
            yield from _attributes(sequence, index + 1)
        elif word == "attribute" and following == "[":
            yield from _attributes(sequence, index + 2)
        elif word == "native" and before in ("+", "("):
            yield start, "decide +native", FORBIDDEN_WORDS["native_decide"]


def _is_free(sequence: Sequence[Token], index: int) -> bool:
    """Whether a forbidden word is something else where it stands: a field name, or the name of a
    phase of ``aesop``'s."""
    token = sequence[index]
    before = sequence[index - 1] if index else None
    following = sequence[index + 1] if index + 1 < len(sequence) else None
    if token.text == "unsafe":
        context = before is not None and before.text in ("add", "aesop", ",")
        return context and following is not None and following.kind in ("number", "ident")
    if token.text in _IN_TERMS or before is None:
        return False
    return before.text == "." and before.span.end == token.span.start


def _hash_command(sequence: Sequence[Token], index: int) -> str | None:
    """The ``#`` command at a ``#``, if it is one that does more than show something."""
    if index + 1 >= len(sequence):
        return None
    token, following = sequence[index], sequence[index + 1]
    if following.kind not in ("ident", "keyword") or following.span.start != token.span.end:
        return None
    word = f"#{following.text}".rstrip("!?")
    if word in grammar.HASH_COMMANDS and word not in ALLOWED_HASH_COMMANDS:
        return word
    return None


def _attributes(sequence: Sequence[Token], index: int) -> Iterator[tuple[int, str, str]]:
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
            name = _plain(token.text)
            why = FORBIDDEN_ATTRIBUTES.get(name)
            if why is None and any(part in name for part in _FORBIDDEN_ATTRIBUTE_PARTS):
                why = _RUNS_CODE
            if why is not None:
                yield token.span.start, f"@[{token.text}]", why
        before = token.text


def _plain(name: str) -> str:
    """A name as Lean knows it: ``«debug».x`` and ``debug.x`` are one."""
    return _QUOTE.sub("", name)


def _unreadable_quotes(sequence: Sequence[Token]) -> Iterator[tuple[int, str, str]]:
    """What Lean may split into other tokens than we do, so that a string hides the rest from us."""
    before: Token | None = None
    for token in sequence:
        if token.kind == "symbol" and token.text in ("«", "»"):
            yield token.span.start, token.text, "a name over several lines cannot be read"
        elif token.kind == "char" and token.text[1] in '"«' and before is not None:
            adjacent = before.span.end == token.span.start
            if adjacent and before.text == "'":
                yield token.span.start, token.text, "it may begin a string or not"
        before = token


_INTERPOLATING = frozenset({"s!", "m!", "f!"})


def _strings(sequence: Sequence[Token]) -> Iterator[tuple[int, str, str]]:
    """What would run in a string with terms in it, which Lean may end where we do not."""
    strings = [token for token in sequence if token.kind == "string"]
    if not any("{" in token.text for token in strings):
        return
    for token in strings:
        opening = token.text.partition('"')[0]
        if "{" in token.text and opening.endswith("!") and opening not in _INTERPOLATING:
            yield token.span.start, opening, "its braces may be read in two ways"
        found = _HIDDEN.search(token.text)
        if found is not None:
            yield token.span.start + found.start(), found.group(), f"in a string, it {_RUNS_CODE}"


def _commands(text: str) -> Iterator[tuple[int, str, str]]:
    open_scopes = 0
    for command in scan(text).commands:
        start = command.span.start + _leading_space(text, command)
        if not _is_allowed(command):
            yield start, command.keyword, "auxiliary text may hold declarations only"
        for declaration in (command.declaration, *command.members):
            if declaration is not None and declaration.kind not in _ALLOWED_DECLARATIONS:
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
        return command.keyword in ALLOWED_HASH_COMMANDS
    # What is no command at all is for `find_unreadable` to tell.
    return command.kind in ALLOWED_COMMANDS or command.kind == "unknown"


def _leading_space(text: str, command: Command) -> int:
    covered = text[command.span.start : command.span.end]
    return len(covered) - len(covered.lstrip())
